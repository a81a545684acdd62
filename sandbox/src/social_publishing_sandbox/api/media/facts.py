"""The facts about a file, read from the file itself (§2.11)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from social_publishing_sandbox.api.media import containers, pdf
from social_publishing_sandbox.api.media.pictures import Unreadable, opened, orientation
from social_publishing_sandbox.state.file_types import EXTENSIONS, MediaType


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts about a file; None is unknown, and nothing here is guessed."""

    type: MediaType
    mime_type: str
    width: int | None = None
    """Pixels, as the file is shown: a photo held sideways is turned upright."""
    height: int | None = None
    aspect_ratio: float | None = None
    """Width divided by height."""
    duration: float | None = None
    """Seconds."""
    fps: float | None = None
    """Frames a second; the mean, where they differ."""
    page_count: int | None = None


def inspect(path: Path, extension: str) -> Facts:
    """Read what a file is.

    Pictures give width and height (HEIC gives none: there is no decoder), an animated GIF its
    duration too, a PDF its pages; MP4, MOV and AVI give what their headers say. Of other files only
    kind and MIME type are known, by the extension. Time and memory are bounded whatever the file
    holds; a PDF takes a process of its own. This blocks: call it in a thread.

    Raises:
        Unreadable: the extension is none that may be uploaded; or a picture or a PDF is broken, too
            large to be decoded, or no such thing at all.
    """
    extension = extension.lower()
    if extension not in EXTENSIONS:
        raise Unreadable(f"Files of the extension {extension or '(none)'} are unknown.")
    kind, mime_type = EXTENSIONS[extension]
    if kind is MediaType.DOCUMENT:
        return Facts(kind, mime_type, page_count=_pages(path))
    size = _size(path) if kind is MediaType.IMAGE else None
    motion = containers.motion(path, extension)
    width, height = size or (motion.width, motion.height)
    return Facts(
        kind,
        mime_type,
        width,
        height,
        round(width / height, 4) if width and height else None,
        motion.duration,
        motion.fps,
    )


def _size(path: Path) -> tuple[int, int] | None:
    with opened(path) as picture:
        if picture is None:
            return None
        width, height = picture.size
        return (width, height) if orientation(picture) < 5 else (height, width)


def _pages(path: Path) -> int | None:
    try:
        return pdf.page_count(path)
    except pdf.BrokenDocument as error:
        raise Unreadable(str(error)) from error
