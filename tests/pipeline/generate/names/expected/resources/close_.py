# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `close_`.

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

__all__ = [
    "AsyncCloseResource",
    "CloseResource",
    "build_shut",
]


def build_shut() -> Request[None]:
    """Clash with a method.

    The client has it.

    Raises:
        StatusError: any other status outside 200 to 299.

    GET /close.
    """
    return prepare(
        operation="close_.shut",
        server="document",
        method="GET",
        path="/close",
        returns=None,
        retry_safety="safe",
    )


class CloseResource(Resource[M]):
    """Operations of `close_`."""

    @property
    def with_raw_response(self) -> CloseResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return CloseResource(self._client, raw=True)

    shut = Method(build_shut)
    """Clash with a method."""


class AsyncCloseResource(AsyncResource[M]):
    """Operations of `close_`."""

    @property
    def with_raw_response(self) -> AsyncCloseResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncCloseResource(self._client, raw=True)

    shut = AsyncMethod(build_shut)
    """Clash with a method."""
