# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `offices`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from .._runtime.methods import AsyncMethod, AsyncResource, Method, Resource
from .._runtime.request import Request, prepare
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


class OfficesResource(Resource):
    """Operations of `offices`."""

    list_offices = Method(build_list_offices)
    """List the offices."""


class AsyncOfficesResource(AsyncResource):
    """Operations of `offices`."""

    list_offices = AsyncMethod(build_list_offices)
    """List the offices."""
