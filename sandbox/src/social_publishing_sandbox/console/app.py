"""All routes of the console: its pages, their files, and the stream that keeps pages fresh."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route

from social_publishing_sandbox.api import files
from social_publishing_sandbox.console import (
    budgets,
    calendar,
    clock,
    faults,
    groups,
    library,
    new_post,
    overview,
    post,
    posts,
    requests,
    users,
    world,
)
from social_publishing_sandbox.console.base import (
    PAGES,
    ROOT,
    SECURITY,
    Console,
    Form,
    Missing,
    Notice,
    Read,
)
from social_publishing_sandbox.control.control import Control
from social_publishing_sandbox.control.verbs import VERBS, Verb

_PAGES: Final[tuple[tuple[str, str, Read], ...]] = (
    (ROOT, "overview.html", overview.read),
    ("/calendar", "calendar.html", calendar.read),
    ("/posts", "posts.html", posts.read),
    ("/posts/new", "new_post.html", new_post.read),
    ("/posts/{id}", "post.html", post.read),
    ("/media", "media.html", library.read),
    ("/groups", "groups.html", groups.read_all),
    ("/groups/{id}", "group.html", groups.read),
    ("/users", "users.html", users.read),
    ("/requests", "requests.html", requests.read_all),
    ("/requests/{number}", "request.html", requests.read),
    ("/clock", "clock.html", clock.read),
    ("/faults", "faults.html", faults.read),
    ("/budgets", "budgets.html", budgets.read),
    ("/world", "world.html", world.read),
)
"""Every page: its path below `PAGES`, its template, and what reads what it shows."""

_PERIOD: Final = 0.2
"""Seconds between two looks: a thousand requests in a second are one message."""

_HEARTBEAT: Final = 15.0
"""Seconds after which something is sent in any case, so that a broken connection is noticed."""


def routes(control: Control) -> list[BaseRoute]:
    """Return the routes of the console; wrap them with `guard.protected`."""
    console = Console(control)
    return [
        Route("/_sandbox/static/{digest}/{name}", console.static.serve),
        *(Route(path, _redirect) for path in (ROOT.rstrip("/"), PAGES)),
        *(console.page(*page) for page in _PAGES),
        Route(f"{PAGES}/posts/new", partial(new_post.make, console), methods=["POST"]),
        Route(f"{PAGES}/faults", partial(faults.add, console), methods=["POST"]),
        console.form("/faults/{id}/restart", faults.restart, "/faults"),
        *(console.form(verb.path, partial(_do, verb), verb.page) for verb in VERBS),
        console.form("/clock/step", clock.step, "/clock"),
        console.form("/clock/set", clock.go_to, "/clock"),
        console.form("/clock/mode", clock.run, "/clock"),
        console.form("/budgets", budgets.limit, "/budgets"),
        console.form("/requests", requests.clear, "/requests", requests.ask),
        console.form("/world/{verb}", world.act, "/world", world.ask),
        Route(f"{PAGES}/world.json", partial(world.download, console)),
        Route(f"{PAGES}/live", partial(_follow, console)),
        Mount(library.STORED, routes=files.routes(console.service)),
        console.page("/{path:path}", "missing.html", _nothing),
    ]


async def _redirect(request: Request) -> Response:
    return RedirectResponse(ROOT)


def _do(verb: Verb, console: Console, form: Form) -> Notice:
    """Do what a button of the table says; an empty field is one that was not given."""
    names = (*verb.texts, *verb.moments)
    given = {name: form[name] for name in names if form.get(name)}
    result = verb.do(console.control, form["id"], **given)
    return Notice(verb.done(console.control, form["id"] if result is None else result))


def _nothing(console: Console, request: Request) -> dict[str, Any]:
    raise Missing(f"page {request.url.path}")


async def _follow(console: Console, request: Request) -> Response:
    """Stream server-sent events that make an open page fetch itself again.

    They do not say what has changed: the fetched page shows it as it shows everything, and whatever
    somebody wrote goes through the templates only.
    """
    stream = messages(console, request.query_params.get("after", ""))
    return StreamingResponse(stream, media_type="text/event-stream", headers=SECURITY)


async def messages(console: Console, known: str) -> AsyncIterator[str]:
    """Yield a message whenever there is more than `known`, which is what the page shows."""
    quiet = 0.0
    yield "retry: 1000\n\n"
    while not console.control.events.ended:
        quiet += _PERIOD
        if (seen := console.seen) != known:
            known, quiet = seen, 0.0
            yield "event: changed\ndata: \n\n"
        elif quiet >= _HEARTBEAT:
            quiet = 0.0
            yield ": still here\n\n"
        await asyncio.sleep(_PERIOD)
