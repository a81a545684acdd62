"""Types of files, by the extension of their names (§2.11, §4.7)."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class MediaType(IntEnum):
    """The kinds of files (§2.11)."""

    IMAGE = 1
    VIDEO = 2
    AUDIO = 3
    DOCUMENT = 4
    SUBTITLES = 5


EXTENSIONS: Final = {
    "avif": (MediaType.IMAGE, "image/avif"),
    "gif": (MediaType.IMAGE, "image/gif"),
    "heic": (MediaType.IMAGE, "image/heic"),
    "jpeg": (MediaType.IMAGE, "image/jpeg"),
    "jpg": (MediaType.IMAGE, "image/jpeg"),
    "png": (MediaType.IMAGE, "image/png"),
    "webp": (MediaType.IMAGE, "image/webp"),
    "avi": (MediaType.VIDEO, "video/x-msvideo"),
    "mov": (MediaType.VIDEO, "video/quicktime"),
    "mp4": (MediaType.VIDEO, "video/mp4"),
    "mpeg": (MediaType.VIDEO, "video/mpeg"),
    "webm": (MediaType.VIDEO, "video/webm"),
    "mp3": (MediaType.AUDIO, "audio/mpeg"),
    "pdf": (MediaType.DOCUMENT, "application/pdf"),
    "srt": (MediaType.SUBTITLES, "application/x-subrip"),
}
"""Kind and MIME type by extension, for every extension that may be uploaded (§8)."""


def file_type(extension: str) -> tuple[MediaType, str]:
    """Return the kind and MIME type of a file; one of another extension is a document."""
    return EXTENSIONS.get(extension, (MediaType.DOCUMENT, "application/octet-stream"))
