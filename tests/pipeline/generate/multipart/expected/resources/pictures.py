# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `pictures`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._runtime.files import FileInput
from .._runtime.methods import AsyncMethod, AsyncResource, Method, Resource
from .._runtime.models import UNSET, UnsetType
from .._runtime.request import FilePart, Request, prepare
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
) -> Request[Picture]:
    """Add a picture.

    Adds one.

    Args:
        file: The picture. At most 2,048 bytes; extension one of png, jpg.
        title: Its name. At most 20 characters.
        thumbnail: A small one.
        year: When it was made.
        tags: Words for it.

    Returns:
        Done.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    POST /pictures.
    """
    return prepare(
        operation="pictures.add_picture",
        server="document",
        method="POST",
        path="/pictures",
        form=AddPictureBody(title=title, year=year, tags=tags),
        files=[
            FilePart("file", file, "file", extensions="png jpg".split(), max_bytes=2_048),
            FilePart("thumbnail", thumbnail, "thumbnail"),
        ],
        returns=Picture,
        retry_safety="unsafe",
    )


def build_add_frame(*, file: FileInput) -> Request[None]:
    """Add a frame.

    Adds nothing but a file.

    Args:
        file: The drawing.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    POST /frames.
    """
    return prepare(
        operation="pictures.add_frame",
        server="document",
        method="POST",
        path="/frames",
        files=[FilePart("file", file, "file")],
        returns=None,
        retry_safety="unsafe",
    )


class PicturesResource(Resource):
    """Operations of `pictures`."""

    add_picture = Method(build_add_picture)
    """Add a picture."""

    add_frame = Method(build_add_frame)
    """Add a frame."""


class AsyncPicturesResource(AsyncResource):
    """Operations of `pictures`."""

    add_picture = AsyncMethod(build_add_picture)
    """Add a picture."""

    add_frame = AsyncMethod(build_add_frame)
    """Add a frame."""
