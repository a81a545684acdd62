"""Files of pages, under addresses that change with their content."""

from __future__ import annotations

import hashlib
from importlib.resources.abc import Traversable
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

_TYPES: Final = {
    **{".css": "text/css", ".js": "text/javascript"},
    **{".map": "application/json", ".svg": "image/svg+xml"},
}
_FOR_EVER: Final = {
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
}


class Static:
    """Style, script and pictures below one address. It holds a digest, so that browsers keep them.

    Attributes:
        route: serves them.
    """

    def __init__(self, below: str, *files: Traversable) -> None:
        digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]
        self._files = {path.name: path for path in files}
        self._address = f"{below}/{digest}"
        self.route = Route(f"{below}/{{digest}}/{{name}}", self._serve)

    def url(self, name: str) -> str:
        """Return the address of a file."""
        return f"{self._address}/{self._files[name].name}"

    async def _serve(self, request: Request) -> Response:
        path = self._files.get(request.path_params["name"])
        if path is None or request.url.path != self.url(path.name):
            return PlainTextResponse("There is no such file.", 404)
        kind = _TYPES[path.name[path.name.rindex(".") :]]
        return Response(path.read_bytes(), media_type=kind, headers=_FOR_EVER)
