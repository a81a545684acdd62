# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `fruit`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from collections.abc import Sequence
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

__all__ = [
    "AsyncFruitResource",
    "FruitResource",
    "build_list_fruit",
]


def build_list_fruit(
    id: int,
    *,
    kinds: Sequence[str] | UnsetType = UNSET,
    sizes: Sequence[int] | UnsetType = UNSET,
    colours: Sequence[str] | UnsetType = UNSET,
    farms: Sequence[str] | UnsetType = UNSET,
    fruit_id: int | None | UnsetType = UNSET,
    ripe: bool | UnsetType = UNSET,
    filter: Any | UnsetType = UNSET,
    page: int,
    x_trace: int | UnsetType = UNSET,
    x_tags: Sequence[str] | UnsetType = UNSET,
) -> Request[None]:
    """List the fruit of a stall.

    Lists it.

    Args:
        id: The stall. At least 1.
        kinds: Each on its own.
        sizes: With commas. At most 3 items.
        colours: With bars.
        farms: With spaces.
        fruit_id: Another id.
        ripe: Only what can be eaten.
        filter: Anything.
        page: From 1. More than 0.
        x_trace: A number for the log.
        x_tags: Several.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    GET /stalls/{id}.
    """
    return prepare(
        operation="fruit.list_fruit",
        server="document",
        method="GET",
        path="/stalls/{id}",
        path_parameters=[Parameter("id", id, Annotated[int, Meta(ge=1)], "id")],
        query=[
            Parameter("kinds", kinds, Sequence[str], "kinds"),
            Parameter(
                "sizes", sizes, Annotated[Sequence[int], Meta(max_length=3)], "sizes", explode=False
            ),
            Parameter("colours", colours, Sequence[str], "colours", explode=False, separator="|"),
            Parameter("farms", farms, Sequence[str], "farms", explode=False, separator=" "),
            Parameter("id", fruit_id, int | None, "fruit_id"),
            Parameter("ripe", ripe, bool, "ripe"),
            Parameter("filter", filter, Any, "filter"),
            Parameter("page", page, Annotated[int, Meta(gt=0)], "page"),
        ],
        headers=[
            Parameter("X-Trace", x_trace, int, "x_trace"),
            Parameter("X-Tags", x_tags, Sequence[str], "x_tags"),
        ],
        returns=None,
        retry_safety="safe",
    )


class FruitResource(Resource[M]):
    """Operations of `fruit`."""

    @property
    def with_raw_response(self) -> FruitResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return FruitResource(self._client, raw=True)

    list_fruit = Method(build_list_fruit)
    """List the fruit of a stall."""


class AsyncFruitResource(AsyncResource[M]):
    """Operations of `fruit`."""

    @property
    def with_raw_response(self) -> AsyncFruitResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncFruitResource(self._client, raw=True)

    list_fruit = AsyncMethod(build_list_fruit)
    """List the fruit of a stall."""
