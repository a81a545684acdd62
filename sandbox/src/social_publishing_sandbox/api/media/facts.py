"""The facts about a file, read from the file itself (§2.11)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from social_publishing_sandbox.api.media import containers, pdf
from social_publishing_sandbox.api.media.pictures import Unreadable, opened, orientation
from social_publishing_sandbox.state.file_types import MediaType, file_type


def inspect(path: Path, extension: str) -> dict[str, Any]:
    """Read what a file is: members of a media (§2.11), as far as they are known; none is guessed.

    Pictures give width and height as they are shown (HEIC gives none: there is no decoder), a PDF
    its pages; MP4, MOV and AVI give what their headers say.
    Frames a second are the mean, where they differ. Of other files only kind and MIME type are
    known, by the extension. Time and memory are bounded whatever the file holds; a PDF takes a
    process of its own. This blocks: call it in a thread.

    Raises:
        Unreadable: a picture or a PDF is broken, too large to be decoded, or no such thing at all.
    """
    extension = extension.lower()
    kind, mime_type = file_type(extension)
    facts: dict[str, Any] = {"type": int(kind), "mime_type": mime_type}
    if kind is MediaType.DOCUMENT:
        try:
            pages = pdf.page_count(path)
        except pdf.BrokenDocument as error:
            raise Unreadable(str(error)) from error
        return facts if pages is None else {**facts, "page_count": pages}
    facts |= containers.motion(path, extension)
    if kind is MediaType.IMAGE:
        facts |= _size(path)
    if {"width", "height"} <= facts.keys():
        facts["aspect_ratio"] = round(facts["width"] / facts["height"], 4)
    return facts


def _size(path: Path) -> dict[str, int]:
    with opened(path) as picture:
        if picture is None:
            return {}
        width, height = picture.size
        upright = (width, height) if orientation(picture) < 5 else (height, width)
        return dict(zip(("width", "height"), upright, strict=True))
