# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `parcels`.

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
from .._runtime.request.request import Parameter, Request, prepare
from ..models.parcels import ListParcelsSortItem, Parcel, Size, State

__all__ = [
    "AsyncParcelsResource",
    "ParcelsResource",
    "build_list_parcels",
]


def build_list_parcels(
    *,
    state: State | str | UnsetType = UNSET,
    size: Size | UnsetType = UNSET,
    sort: Sequence[ListParcelsSortItem | str] | UnsetType = UNSET,
) -> Request[list[Parcel]]:
    """List the parcels.

    Lists them.

    Args:
        state: Only these.
        size: Only of this size.
        sort: The order.

    Returns:
        Parcels.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    GET /parcels.
    """
    return prepare(
        operation="parcels.list_parcels",
        server="document",
        method="GET",
        path="/parcels",
        query=[
            Parameter("state", state, str, "state"),
            Parameter("size", size, Size, "size"),
            Parameter("sort", sort, Sequence[str], "sort", explode=False),
        ],
        returns=list[Parcel],
        retry_safety="safe",
    )


class ParcelsResource(Resource[M]):
    """Operations of `parcels`."""

    @property
    def with_raw_response(self) -> ParcelsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return ParcelsResource(self._client, raw=True)

    list_parcels = Method(build_list_parcels)
    """List the parcels."""


class AsyncParcelsResource(AsyncResource[M]):
    """Operations of `parcels`."""

    @property
    def with_raw_response(self) -> AsyncParcelsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncParcelsResource(self._client, raw=True)

    list_parcels = AsyncMethod(build_list_parcels)
    """List the parcels."""
