# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `media`."""

from .._runtime.core.enums import TextCode
from .._runtime.core.models import MISSING, RequestModel, ResponseModel
from .shared import Media

__all__ = [
    "MediaState",
    "MediaStatus",
    "MediaUrlUpload",
]


class MediaState(TextCode, open_set=True):
    """Status of the processing of a file (assumed).

    The known values of an open set.
    """

    PROCESSING = "processing"


class MediaUrlUpload(RequestModel, kw_only=True):
    """The body of an upload by address (assumed)."""

    file_url: str
    """URL from which the service downloads the file."""


class MediaStatus(ResponseModel, kw_only=True):
    """Status of a file (assumed)."""

    media_id: str = MISSING
    """Identifier of the file."""

    status: MediaState = MISSING
    """State of the file."""

    data: Media | None = MISSING
    """The file."""

    error: str | None = MISSING
    """What went wrong with the file. A successful response has this field, too (assumed)."""
