"""The console below `/_sandbox/`: pages for people who look at a sandbox and steer it.

Pages are rendered here and work without a script: what changes something is a form that posts and
redirects. The script only keeps pages fresh and copies to the clipboard. Nothing comes from another
origin, and nothing that a user of the service wrote is ever markup.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from social_publishing_sandbox.console import (
    budgets,
    calendar,
    clock,
    exchanges,
    faults,
    groups,
    library,
    live,
    overview,
    post,
    posts,
    users,
    world,
)
from social_publishing_sandbox.console.desk import PAGES, Desk, Missing

if TYPE_CHECKING:
    from social_publishing_sandbox.sandbox import Sandbox

_PAGES = (
    *(overview, calendar, posts, post, library, groups, users),
    *(exchanges, clock, faults, budgets, world, live),
)


def routes(sandbox: Sandbox) -> list[BaseRoute]:
    """Return the routes of the console; wrap them with `guard.protected`."""
    desk = Desk(sandbox)
    return [
        *desk.static.routes(),
        *(route for page in _PAGES for route in page.routes(desk)),
        Route(f"{PAGES}/{{path:path}}", partial(_nothing, desk)),
    ]


async def _nothing(desk: Desk, request: Request) -> Response:
    def read() -> dict[str, Any]:
        raise Missing(f"page {request.url.path}")

    return await desk.show(request, "missing.html", read)
