# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `files`.

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
from ..models.shared import Id, Ids

__all__ = [
    "AsyncFilesResource",
    "FilesResource",
    "build_get_file",
]


def build_get_file(id: str, *, with_: Sequence[str] | UnsetType = UNSET) -> Request[str]:
    """Read a file.

    Reads one.

    Args:
        id: Its id.
        with_: Others. At most 2 items.

    Returns:
        Its id.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    GET /files/{id}.
    """
    return prepare(
        operation="files.get_file",
        server="document",
        method="GET",
        path="/files/{id}",
        path_parameters=[Parameter("id", id, Id, "id")],
        query=[Parameter("with", with_, Ids, "with_", explode=False)],
        returns=str,
        retry_safety="safe",
    )


class FilesResource(Resource[M]):
    """Operations of `files`."""

    @property
    def with_raw_response(self) -> FilesResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return FilesResource(self._client, raw=True)

    get_file = Method(build_get_file)
    """Read a file."""


class AsyncFilesResource(AsyncResource[M]):
    """Operations of `files`."""

    @property
    def with_raw_response(self) -> AsyncFilesResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncFilesResource(self._client, raw=True)

    get_file = AsyncMethod(build_get_file)
    """Read a file."""
