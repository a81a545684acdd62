# Generated from spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Files for posts.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from .._runtime.files import FileInput
from .._runtime.methods import AsyncMethod, AsyncResource, Method, Resource
from .._runtime.request import FilePart, Parameter, Request, prepare
from ..models.media import MediaStatus, MediaUrlUpload
from ..models.shared import Id, Media

__all__ = [
    "AsyncMediaResource",
    "MediaResource",
    "build_upload",
    "build_upload_from_url",
    "build_status",
]


def build_upload(
    *,
    file: FileInput,
) -> Request[Media]:
    """Upload a file.

    Stores a file (part 4.7). It may still be in processing when the answer comes.

    Args:
        file: The file itself: 2048 MB at the most, and of a kind that the service takes. At most
            2,147,483,648 bytes; extension one of heic, avif, webp, jpeg, png, jpg, gif, pdf, srt,
            mp4, mov, mpeg, webm, avi, mp3. Assumed: upload.bytes. Not known: upload.extensionCase.

    Returns:
        The stored file.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        AuthenticationError: status 401. Refused, with an error text, or a message where the token
            is at fault (parts 5 and 7).
        PayloadTooLargeError: status 413. Refused, with an error text.
        UnprocessableEntityError: status 422. Refused, with an error text.
        RateLimitError: status 429. Too many requests.
        StatusError: any other status outside 200 to 299.

    Part 4.7 of the specification: POST /upload.

    Assumed: errors.uploadMedia, rateLimit.status, success.uploadMedia.
    """
    return prepare(
        operation="media.upload",
        server="media",
        method="POST",
        path="/upload",
        files=[
            FilePart(
                "file",
                file,
                "file",
                extensions="heic avif webp jpeg png jpg gif pdf srt mp4 mov mpeg webm avi mp3".split(),
                max_bytes=2_147_483_648,
            )
        ],
        returns=Media,
        retry_safety="unsafe",
    )


def build_upload_from_url(
    *,
    file_url: str,
) -> Request[Media]:
    """Upload a file by its address.

    Has the service download a file and store it (part 4.7).

    Args:
        file_url: Address that the service downloads the file from.

    Returns:
        The stored file.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        BadRequestError: status 400. Refused, with an error text.
        AuthenticationError: status 401. Refused, with an error text, or a message where the token
            is at fault (parts 5 and 7).
        UnprocessableEntityError: status 422. Refused, with an error text.
        RateLimitError: status 429. Too many requests.
        StatusError: any other status outside 200 to 299.

    Part 4.7 of the specification: POST /upload/url/sync.

    Assumed: errors.uploadMediaFromUrl, rateLimit.status, success.uploadMediaFromUrl.
    """
    return prepare(
        operation="media.upload_from_url",
        server="media",
        method="POST",
        path="/upload/url/sync",
        json=MediaUrlUpload(file_url=file_url),
        returns=Media,
        retry_safety="unsafe",
    )


def build_status(
    media_id: str,
) -> Request[MediaStatus]:
    """Read how far processing has come.

    Gives the state of a file (parts 3 and 4.7). The answer has a field `error` of its own: only the
    HTTP status tells a failed request from a failed file.

    Args:
        media_id: The file; what is documented is an identifier from the asynchronous upload.

    Returns:
        The state of the file.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        AuthenticationError: status 401. Refused, with an error text, or a message where the token
            is at fault (parts 5 and 7).
        NotFoundError: status 404. Refused, with an error text.
        RateLimitError: status 429. Too many requests.
        StatusError: any other status outside 200 to 299.

    Part 4.7 of the specification: GET /status/{mediaId}.

    Assumed: errors.getMediaStatus, rateLimit.status, success.getMediaStatus.

    Not known: media.statusOfUpload.
    """
    return prepare(
        operation="media.status",
        server="media",
        method="GET",
        path="/status/{mediaId}",
        path_parameters=[Parameter("mediaId", media_id, Id, "media_id")],
        returns=MediaStatus,
        retry_safety="safe",
    )


class MediaResource(Resource):
    """Files for posts."""

    upload = Method(build_upload)
    """Upload a file."""

    upload_from_url = Method(build_upload_from_url)
    """Upload a file by its address."""

    status = Method(build_status)
    """Read how far processing has come."""


class AsyncMediaResource(AsyncResource):
    """Files for posts."""

    upload = AsyncMethod(build_upload)
    """Upload a file."""

    upload_from_url = AsyncMethod(build_upload_from_url)
    """Upload a file by its address."""

    status = AsyncMethod(build_status)
    """Read how far processing has come."""
