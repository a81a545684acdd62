"""What a file is, by the extension of its name (parts 2.11 and 4.7)."""

from __future__ import annotations

from typing import Final

MEDIA_TYPES: Final = {
    "jpg": (1, "image/jpeg"),
    "jpeg": (1, "image/jpeg"),
    "png": (1, "image/png"),
    "webp": (1, "image/webp"),
    "gif": (1, "image/gif"),
    "avif": (1, "image/avif"),
    "heic": (1, "image/heic"),
    "mp4": (2, "video/mp4"),
    "mov": (2, "video/quicktime"),
    "mpeg": (2, "video/mpeg"),
    "webm": (2, "video/webm"),
    "avi": (2, "video/x-msvideo"),
    "mp3": (3, "audio/mpeg"),
    "pdf": (4, "application/pdf"),
    "srt": (5, "application/x-subrip"),
}
"""The media type (part 2.11) and the MIME type of each extension that may be uploaded."""
