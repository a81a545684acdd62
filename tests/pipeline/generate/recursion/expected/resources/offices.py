# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `offices`.

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
from .._runtime.request.request import Request, prepare
from ..models.shared import Office

__all__ = [
    "AsyncOfficesResource",
    "OfficesResource",
    "build_list_offices",
]


def build_list_offices() -> Request[list[Office]]:
    """List the offices.

    Lists them.

    Returns:
        The offices.

    Raises:
        StatusError: any other status outside 200 to 299.

    GET /offices.
    """
    return prepare(
        operation="offices.list_offices",
        server="document",
        method="GET",
        path="/offices",
        returns=list[Office],
        retry_safety="safe",
    )


class OfficesResource(Resource[M]):
    """Operations of `offices`."""

    @property
    def with_raw_response(self) -> OfficesResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return OfficesResource(self._client, raw=True)

    list_offices = Method(build_list_offices)
    """List the offices."""


class AsyncOfficesResource(AsyncResource[M]):
    """Operations of `offices`."""

    @property
    def with_raw_response(self) -> AsyncOfficesResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncOfficesResource(self._client, raw=True)

    list_offices = AsyncMethod(build_list_offices)
    """List the offices."""
