"""Serve `/docs`, an interactive reference of an API, and `/openapi.json`.

The page is Swagger UI, with files from an installed package: nothing is loaded from another origin,
and the page sends requests only to its own. Gaps of the documentation, and the decisions about
them, are shown at the operations and listed at `/docs/gaps`.
"""

from __future__ import annotations

import functools
from importlib import resources
from pathlib import Path
from typing import Final

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route
from swagger_ui_bundle import swagger_ui_path  # type: ignore[import-untyped]

from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.console.static import Static
from social_publishing_sandbox.control.control import PREFIX, Control
from social_publishing_sandbox.reference.notes import GAPS, State, annotated, of
from social_publishing_sandbox.state.documents import Document, Json

DOCS: Final = "/docs"
OPENAPI: Final = "/openapi.json"

_HERE: Final = resources.files(__package__)
# Another package installs version 4, which cannot read OpenAPI 3.1, under the same name.
_UI: Final = max(Path(str(swagger_ui_path)).parent.glob("swagger-ui-5.*"))
_FILES: Final = (
    *(_HERE.joinpath("static", name) for name in ("reference.css", "reference.js", "icon.svg")),
    # The style names the map.
    *(_UI / name for name in ("swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui.css.map")),
)
_FRESH: Final = {"x-content-type-options": "nosniff", "cache-control": "no-cache"}
_PAGE: Final = {
    **_FRESH,
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "referrer-policy": "same-origin",
}


def routes(sandbox: Control, document: Document) -> list[BaseRoute]:
    """Return the routes of `/docs`, its parts, and `/openapi.json`: the API of one origin (§9).

    Nobody needs a token to read them, and they hold none.
    """
    reference = _Reference(sandbox, document)
    return [
        Route(DOCS, reference.page),
        Route(GAPS, reference.gaps),
        _static().route,
        Route(OPENAPI, reference.openapi),
    ]


class _Reference:
    def __init__(self, sandbox: Control, document: Document) -> None:
        self._service = sandbox.service
        self._document = document

    @functools.cached_property
    def _annotated(self) -> Json:
        return annotated(self._document.data)

    async def openapi(self, request: Request) -> Response:
        """Return the document that the sandbox follows, with its own address as the server."""
        address = f"{str(request.base_url).rstrip('/')}{self._document.base}"
        servers = [{"url": address, "description": "This sandbox."}]
        body = orjson.dumps({**self._annotated, "servers": servers})
        return Response(body, media_type="application/json", headers=_FRESH)

    async def page(self, request: Request) -> Response:
        """Return the page with every operation."""
        return self._rendered("docs.html", DOCS)

    async def gaps(self, request: Request) -> Response:
        """Return the list of what is not documented."""
        gaps = of(self._document.data)
        decided = [(state, [each for each in gaps if each.state is state]) for state in State]
        return self._rendered(
            "gaps.html", GAPS, decided=decided, sections=self._document.data.get("x-sections", {})
        )

    def _rendered(self, template: str, path: str, **shown: object) -> Response:
        origins = self._service.origins
        page = (
            _templates()
            .get_template(template)
            .render(
                title=self._document.data["info"]["title"],
                name=self._document.name,
                path=path,
                apis=[(name, f"{origin}{DOCS}") for name, origin in origins.items()],
                console=f"{origins['main']}{PREFIX}/",
                **shown,
            )
        )
        return HTMLResponse(page, headers=_PAGE)


@functools.cache
def _static() -> Static:
    return Static(f"{DOCS}/assets", *_FILES)


@functools.cache
def _templates() -> jinja2.Environment:
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__, "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    templates.globals |= {
        "DOCS": DOCS,
        "GAPS": GAPS,
        "OPENAPI": OPENAPI,
        "asset": _static().url,
    }
    return templates
