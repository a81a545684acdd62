"""All routes of the console: its pages, their forms and files."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Mount, Route

from social_publishing_sandbox.api import files
from social_publishing_sandbox.console import (
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
    world,
)
from social_publishing_sandbox.console.base import (
    PAGES,
    ROOT,
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
    ("/users", "users.html", groups.read_users),
    ("/requests", "requests.html", requests.read_all),
    ("/requests/{number}", "request.html", requests.read),
    ("/clock", "clock.html", clock.read),
    ("/faults", "faults.html", faults.read),
    ("/budgets", "budgets.html", requests.read_budgets),
    ("/world", "world.html", world.read),
)
"""Every page: its path below `PAGES`, its template, and what reads what it shows."""


def routes(control: Control) -> list[BaseRoute]:
    """Return the routes of the console; wrap them with `guard.protected`."""
    console = Console(control)
    return [
        console.static.route,
        *(Route(path, RedirectResponse(ROOT)) for path in (ROOT.rstrip("/"), PAGES)),
        *(console.page(*page) for page in _PAGES),
        Route(f"{PAGES}/posts/new", partial(new_post.make, console), methods=["POST"]),
        Route(f"{PAGES}/faults", partial(faults.add, console), methods=["POST"]),
        console.form("/faults/{id}/restart", faults.restart, "/faults"),
        *(console.form(verb.path, partial(_do, verb), verb.page) for verb in VERBS),
        console.form("/clock/step", clock.step, "/clock"),
        console.form("/clock/set", clock.go_to, "/clock"),
        console.form("/clock/mode", clock.run, "/clock"),
        console.form("/budgets", requests.limit, "/budgets"),
        console.form("/requests", requests.clear, "/requests", requests.ask),
        console.form("/world/{verb}", world.act, "/world", world.ask),
        Mount(library.STORED, routes=files.routes(console.service)),
        console.page("/{path:path}", "missing.html", _nothing),
    ]


def _do(verb: Verb, console: Console, form: Form) -> Notice:
    """Do what a button of the table says; an empty field is one that was not given."""
    given = {name: form[name] for name in verb.given if form.get(name)}
    result = verb.do(console.control, form["id"], **given)
    return Notice(verb.done(console.control, form["id"] if result is None else result))


def _nothing(console: Console, request: Request) -> dict[str, Any]:
    raise Missing(f"page {request.url.path}")
