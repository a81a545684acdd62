# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `concerts`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._runtime.core.models import UNSET, UnsetType
from .._runtime.engine.methods import (
    AsyncMethod,
    AsyncResource,
    M,
    Method,
    Raw,
    Resource,
)
from .._runtime.request.request import Request, prepare
from ..models.concerts import (
    PlanConcertBody,
    PlanConcertBodyHall,
    PlanConcertBodyPiecesItem,
    PlanConcertResponse,
)

__all__ = [
    "AsyncConcertsResource",
    "ConcertsResource",
    "build_plan_concert",
]


def build_plan_concert(
    *, hall: PlanConcertBodyHall, pieces: Sequence[PlanConcertBodyPiecesItem] | UnsetType = UNSET
) -> Request[PlanConcertResponse]:
    """Plan a concert.

    Plans one.

    Args:
        hall: Where.
        pieces: What is played.

    Returns:
        The plan.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.
        OutcomeUnknown: no answer came, or one of 5xx, and it may have been done; look before you
            repeat it.

    POST /concerts.
    """
    return prepare(
        operation="concerts.plan_concert",
        server="document",
        method="POST",
        path="/concerts",
        json=PlanConcertBody(hall=hall, pieces=pieces),
        returns=PlanConcertResponse,
        retry_safety="unsafe",
    )


class ConcertsResource(Resource[M]):
    """Operations of `concerts`."""

    @property
    def with_raw_response(self) -> ConcertsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return ConcertsResource(self._client, raw=True)

    plan_concert = Method(build_plan_concert)
    """Plan a concert."""


class AsyncConcertsResource(AsyncResource[M]):
    """Operations of `concerts`."""

    @property
    def with_raw_response(self) -> AsyncConcertsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncConcertsResource(self._client, raw=True)

    plan_concert = AsyncMethod(build_plan_concert)
    """Plan a concert."""
