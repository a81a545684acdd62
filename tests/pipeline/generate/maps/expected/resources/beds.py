# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `beds`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from .._runtime.core.models import UNSET, Meta, UnsetType
from .._runtime.engine.methods import (
    AsyncMethod,
    AsyncResource,
    M,
    Method,
    Raw,
    Resource,
)
from .._runtime.request.request import Parameter, Request, prepare
from ..models.beds import Grown, Plan, Season

__all__ = [
    "AsyncBedsResource",
    "BedsResource",
    "build_plant",
    "build_water",
]


def build_plant(
    *,
    seasons: Mapping[Season, Mapping[str, int]],
    notes: Mapping[str, str] | UnsetType = UNSET,
    loose: Mapping[str, Any] | UnsetType = UNSET,
) -> Request[Grown]:
    """Say what grows where.

    Says it.

    Args:
        seasons: Numbers of plants.
        notes: Anything.
        loose: No shape at all.

    Returns:
        The plan.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    PUT /beds.
    """
    return prepare(
        operation="beds.plant",
        server="document",
        method="PUT",
        path="/beds",
        json=Plan(seasons=seasons, notes=notes, loose=loose),
        returns=Grown,
        retry_safety="idempotent",
    )


def build_water(*, body: Mapping[Season, float]) -> Request[dict[str, dict[str, int]]]:
    """Water the beds.

    Litres for each season.

    Args:
        body: The body.

    Returns:
        Litres.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    PUT /waters.
    """
    return prepare(
        operation="beds.water",
        server="document",
        method="PUT",
        path="/waters",
        json=Parameter(
            "body",
            body,
            Annotated[Mapping[Season, Annotated[float, Meta(ge=0)]], Meta(min_length=1)],
            "body",
        ),
        returns=dict[str, dict[str, int]],
        retry_safety="idempotent",
    )


class BedsResource(Resource[M]):
    """Operations of `beds`."""

    @property
    def with_raw_response(self) -> BedsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return BedsResource(self._client, raw=True)

    plant = Method(build_plant)
    """Say what grows where."""

    water = Method(build_water)
    """Water the beds."""


class AsyncBedsResource(AsyncResource[M]):
    """Operations of `beds`."""

    @property
    def with_raw_response(self) -> AsyncBedsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncBedsResource(self._client, raw=True)

    plant = AsyncMethod(build_plant)
    """Say what grows where."""

    water = AsyncMethod(build_water)
    """Water the beds."""
