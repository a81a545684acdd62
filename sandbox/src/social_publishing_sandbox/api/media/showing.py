"""Files as the service gives them (§2.11)."""

from __future__ import annotations

from typing import Final

from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.file_types import MediaType
from social_publishing_sandbox.state.service import Service

THUMBNAIL: Final = "thumbnail.jpg"
"""The name of the picture of a file, in its folder and in its address."""

_DRAWN: Final = (MediaType.IMAGE, MediaType.VIDEO)  # those of a seeded world get drawn pictures


def show(service: Service, media: Json) -> Json:
    """Return a file as the service gives it, with the addresses of what it holds (§2.11)."""
    base = f"{service.origins['media']}/files/{media['id']}"
    shown = {"url": f"{base}/{media.get('file_name', 'file')}", **media}
    thumbnail = media.get("_thumbnail", THUMBNAIL if media["type"] in _DRAWN else None)
    if thumbnail:
        shown = {"thumbnail": f"{base}/{thumbnail}", "preview": f"{base}/{thumbnail}", **shown}
    return service.view("Media")(shown)
