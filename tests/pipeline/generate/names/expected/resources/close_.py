# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `close_`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from .._runtime.methods import AsyncMethod, AsyncResource, Method, Resource
from .._runtime.request import Request, prepare

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


class CloseResource(Resource):
    """Operations of `close_`."""

    shut = Method(build_shut)
    """Clash with a method."""


class AsyncCloseResource(AsyncResource):
    """Operations of `close_`."""

    shut = AsyncMethod(build_shut)
    """Clash with a method."""
