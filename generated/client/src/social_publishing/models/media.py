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


class MediaState(TextCode):
    """Where a file stands in its processing.

    Assumed: media.status.

    The known values of an open set.
    """

    PROCESSING = "processing"


class MediaUrlUpload(RequestModel, kw_only=True):
    """The body of an upload by address.

    Assumed: uploadFromUrl.limits, uploadMediaFromUrl.required.

    Attributes:
        file_url: URL from which the service downloads the file.
    """

    file_url: str


class MediaStatus(ResponseModel, kw_only=True):
    """How far the processing of a file has come.

    Assumed: presence.mediaStatus.

    Attributes:
        media_id: The file asked about.
        status: State of the file.
        data: The file.
        error: What went wrong with the file. A successful response has this field, too. Assumed:
            media.statusError.
    """

    media_id: str = MISSING
    status: MediaState = MISSING
    data: Media | None = MISSING
    error: str | None = MISSING
