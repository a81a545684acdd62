# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `pictures`.

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
from .._runtime.request.multipart import FileInput
from .._runtime.request.progress import Progress
from .._runtime.request.request import FilePart, Request, prepare
from ..models.pictures import AddPictureBody, Picture

__all__ = [
    "AsyncPicturesResource",
    "PicturesResource",
    "build_add_picture",
    "build_add_frame",
]


def build_add_picture(
    *,
    file: FileInput,
    title: str,
    thumbnail: FileInput | UnsetType = UNSET,
    year: int | UnsetType = UNSET,
    tags: Sequence[str] | UnsetType = UNSET,
    progress: Progress | None = None,
) -> Request[Picture]:
    """Add a picture.

    Adds one.

    Args:
        file: The picture. At most 2,048 bytes; extension one of png, jpg.
        title: Its name. At most 20 characters.
        thumbnail: A small one.
        year: When it was made.
        tags: Words for it.
        progress: Called as the file leaves, with the bytes that were sent so far and the bytes in
            all (None where that is not known); `progress_bar()` makes one.

    Returns:
        Done.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.
        OutcomeUnknown: no answer came, or one of 5xx, and it may have been done; look before you
            repeat it.

    POST /pictures.
    """
    return prepare(
        operation="pictures.add_picture",
        server="document",
        method="POST",
        path="/pictures",
        form=AddPictureBody(title=title, year=year, tags=tags),
        files=[
            FilePart(
                "file",
                file,
                "file",
                progress=progress,
                extensions="png jpg".split(),
                max_bytes=2_048,
            ),
            FilePart("thumbnail", thumbnail, "thumbnail", progress=progress),
        ],
        returns=Picture,
        retry_safety="unsafe",
    )


def build_add_frame(*, file: FileInput, progress: Progress | None = None) -> Request[None]:
    """Add a frame.

    Adds nothing but a file.

    Args:
        file: The drawing.
        progress: Called as the file leaves, with the bytes that were sent so far and the bytes in
            all (None where that is not known); `progress_bar()` makes one.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.
        OutcomeUnknown: no answer came, or one of 5xx, and it may have been done; look before you
            repeat it.

    POST /frames.
    """
    return prepare(
        operation="pictures.add_frame",
        server="document",
        method="POST",
        path="/frames",
        files=[FilePart("file", file, "file", progress=progress)],
        returns=None,
        retry_safety="unsafe",
    )


class PicturesResource(Resource[M]):
    """Operations of `pictures`."""

    @property
    def with_raw_response(self) -> PicturesResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return PicturesResource(self._client, raw=True)

    add_picture = Method(build_add_picture)
    """Add a picture."""

    add_frame = Method(build_add_frame)
    """Add a frame."""


class AsyncPicturesResource(AsyncResource[M]):
    """Operations of `pictures`."""

    @property
    def with_raw_response(self) -> AsyncPicturesResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncPicturesResource(self._client, raw=True)

    add_picture = AsyncMethod(build_add_picture)
    """Add a picture."""

    add_frame = AsyncMethod(build_add_frame)
    """Add a frame."""
