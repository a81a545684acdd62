# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `media`."""

from .._runtime.core.enums import TextCode
from .._runtime.core.models import MISSING, RequestModel, ResponseModel
from .shared import Media

__all__ = [
    "MediaError",
    "MediaState",
    "MediaStatus",
    "MediaUrlUpload",
]


class MediaState(TextCode, open_set=True):
    """Status of the processing of a file. Which values there are is assumed (media.status).

    The known values of an open set.
    """

    PROCESSING = "processing"


class MediaUrlUpload(RequestModel, kw_only=True):
    """The body of an upload by address."""

    file_url: str
    """URL from which the service downloads the file. That it is required is assumed
    (uploadMediaFromUrl.required).
    """


class MediaStatus(ResponseModel, kw_only=True):
    """Status of a file. That `media_id` and `status` always have a value is assumed
    (presence.mediaStatus).
    """

    media_id: str = MISSING
    """Identifier of the file."""

    status: MediaState = MISSING
    """State of the file."""

    data: Media | None = MISSING
    """The file."""

    error: str | None = MISSING
    """An error text, which a successful response has, too. It is about the file, and not about the
    request. This is assumed (media.statusError).
    """


class MediaError(ResponseModel, kw_only=True):
    """The error body of the media API."""

    error: str | None = MISSING
    """Text of the error."""
