"""Serve uploaded files and thumbnails, and drawn ones for the media of a seeded world."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from social_publishing_sandbox.api.media.showing import THUMBNAIL
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.file_types import MediaType
from social_publishing_sandbox.state.service import Service

_PICTURE: Final = 1200  # pixels of the longer side
_THUMBNAIL: Final = 400
_PASSIVE: Final = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "private, max-age=300",
}
"""Headers that let no file become a page of this origin, whatever somebody uploaded."""


def routes(service: Service) -> list[BaseRoute]:
    """Return the route `/files/{id}/{name}`, the target of `url` and `thumbnail` (§2.11)."""

    async def file(request: Request) -> Response:
        identifier, name = request.path_params["id"], request.path_params["name"]
        with service.store.lock:
            doc = service.store.media.get(identifier)
        if doc is None:
            return PlainTextResponse("There is no such file.", 404, _PASSIVE)
        folder = Path(str(doc.get("_folder", identifier)))
        path = service.files / folder.name / Path(name).name
        if path.is_file():
            kind = doc["mime_type"] if name == doc.get("file_name") else "image/jpeg"
            return FileResponse(path, headers=_PASSIVE, media_type=kind)
        if "_ready" in doc or "_thumbnail" in doc:
            return PlainTextResponse("There is no such file.", 404, _PASSIVE)
        content = await asyncio.to_thread(_drawn, doc, name)
        return Response(content[0], headers=_PASSIVE, media_type=content[1])

    return [Route("/files/{id}/{name}", file)]


def _drawn(doc: Json, name: str) -> tuple[bytes, str]:
    """Return a file for a media of a seeded world: a picture, blank pages, or a short film."""
    from social_publishing_sandbox.api.media import drawing

    seed = int(doc["id"])
    title = Path(str(doc.get("client_name", name))).stem.replace("-", " ")
    if name != THUMBNAIL:
        if doc["type"] == MediaType.VIDEO:
            return drawing.VIDEO.read_bytes(), "video/x-msvideo"
        if doc["type"] == MediaType.DOCUMENT:
            return drawing.sample_pdf(doc.get("page_count", 1)), "application/pdf"
        if doc["type"] == MediaType.SUBTITLES:
            return f"1\n00:00:00,000 --> 00:00:02,000\n{title}\n".encode(), "application/x-subrip"
    width, height = _size(doc, _THUMBNAIL if name == THUMBNAIL else _PICTURE)
    return drawing.draw(seed, width, height, title), "image/png"


def _size(doc: Json, longest: int) -> tuple[int, int]:
    """Return a picture's width and height in pixels: the file's own shape, else three to two."""
    width, height = doc.get("width") or 1200, doc.get("height") or 800
    scale = min(longest / max(width, height), 1)
    return max(round(width * scale), 1), max(round(height * scale), 1)
