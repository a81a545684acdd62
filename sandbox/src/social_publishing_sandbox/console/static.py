"""The console's files, under addresses that change with their content."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

_FOLDER: Final = Path(__file__).with_name("static")
_TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_FOR_EVER: Final = {
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
}


class Static:
    """Style, script and pictures. Each address holds a digest, so that browsers cache them."""

    def __init__(self) -> None:
        self._files = {each.name: each.read_bytes() for each in sorted(_FOLDER.iterdir())}
        self._digests = {
            name: hashlib.sha256(content).hexdigest()[:12] for name, content in self._files.items()
        }

    def url(self, name: str) -> str:
        """Return the address of a file."""
        return f"/_sandbox/static/{self._digests[name]}/{name}"

    async def serve(self, request: Request) -> Response:
        """Return the file of `/_sandbox/static/{digest}/{name}`."""
        name = request.path_params["name"]
        if self._digests.get(name) != request.path_params["digest"]:
            return PlainTextResponse("There is no such file.", 404)
        return Response(self._files[name], media_type=_TYPES[Path(name).suffix], headers=_FOR_EVER)
