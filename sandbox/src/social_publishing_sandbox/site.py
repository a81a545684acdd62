"""The paths of an origin beside its API: control routes, console, reference, files."""

from __future__ import annotations

import functools

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from social_publishing_sandbox import reference
from social_publishing_sandbox.api import files
from social_publishing_sandbox.console import app as console_app
from social_publishing_sandbox.control import guard
from social_publishing_sandbox.control import routes as control_routes
from social_publishing_sandbox.control.control import PREFIX, Control
from social_publishing_sandbox.state.documents import Document


def make(sandbox: Control, document: Document) -> Starlette:
    """Return the application for every path of an origin that is not the API's.

    Both have the reference of their API. The main origin has the console and the control routes;
    the media origin has the files.
    """
    beside = _main(sandbox) if document.name == "main" else _media(sandbox)
    return Starlette(
        routes=[*reference.routes(sandbox, document), *beside],
        exception_handlers={HTTPException: functools.partial(_refused, document.base)},
    )


def _main(sandbox: Control) -> list[BaseRoute]:
    guarded = [*control_routes.routes(sandbox), *console_app.routes(sandbox)]
    return [Route("/", RedirectResponse(f"{PREFIX}/")), *guard.protected(sandbox, guarded)]


def _media(sandbox: Control) -> list[BaseRoute]:
    return [Route("/", RedirectResponse(reference.DOCS)), *files.routes(sandbox.service)]


async def _refused(base: str, request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = error.detail
    if error.status_code == 404:
        message = f"There is nothing at {request.url.path}: the API is below {base}/."
    return control_routes.json_response({"message": message}, error.status_code, error.headers)
