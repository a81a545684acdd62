# Generated from depot.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `pallets`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from .._runtime.engine.methods import (
    AsyncMethod,
    AsyncResource,
    M,
    Method,
    Raw,
    Resource,
)
from .._runtime.request.request import Parameter, Request, prepare
from ..models.pallets import Pallet

__all__ = [
    "AsyncPalletsResource",
    "PalletsResource",
    "build_get_pallet",
]


def build_get_pallet(id: int) -> Request[Pallet]:
    """Read a pallet.

    Reads one.

    Args:
        id: The id.

    Returns:
        The pallet.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    GET /pallets/{id}.
    """
    return prepare(
        operation="pallets.get_pallet",
        server="depot",
        method="GET",
        path="/pallets/{id}",
        path_parameters=[Parameter("id", id, int, "id")],
        returns=Pallet,
        retry_safety="safe",
    )


class PalletsResource(Resource[M]):
    """Operations of `pallets`."""

    @property
    def with_raw_response(self) -> PalletsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return PalletsResource(self._client, raw=True)

    get_pallet = Method(build_get_pallet)
    """Read a pallet."""


class AsyncPalletsResource(AsyncResource[M]):
    """Operations of `pallets`."""

    @property
    def with_raw_response(self) -> AsyncPalletsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncPalletsResource(self._client, raw=True)

    get_pallet = AsyncMethod(build_get_pallet)
    """Read a pallet."""
