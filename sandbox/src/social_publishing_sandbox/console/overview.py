"""The first page: how to connect, what there is, what comes next, what has just been asked."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from social_publishing_sandbox.console import clock, users
from social_publishing_sandbox.console.desk import PAGES, ROOT, Desk

_NEXT: Final = 6
_LAST: Final = 8


def routes(desk: Desk) -> list[BaseRoute]:
    """Return the first page."""
    return [
        Route(ROOT, partial(_show, desk)),
        *(Route(each, _redirect) for each in (ROOT.rstrip("/"), PAGES)),
    ]


async def _redirect(request: Request) -> Response:
    return RedirectResponse(ROOT)


async def _show(desk: Desk, request: Request) -> Response:
    return await desk.show(request, "overview.html", lambda: _read(desk))


def _read(desk: Desk) -> dict[str, Any]:
    service, sandbox = desk.service, desk.sandbox
    counts = dict(
        service.store.execute("SELECT status, count(*) FROM posts GROUP BY status").fetchall()
    )
    expired = [
        each
        for each in service.store.accounts.where("1 ORDER BY key")
        if each.get("connection_expired_at")
    ]
    return {
        "base_url": sandbox.base_url,
        "media_url": sandbox.media_url,
        "tokens": users.with_tokens(service)[:1],
        "users": service.store.users.count(),
        "counts": {code: counts.get(code, 0) for code in service.transitions.name},
        "coming": clock.coming(service, _NEXT),
        "entries": sandbox.request_log.search(limit=_LAST),
        "kept": len(sandbox.request_log),
        "expired": expired,
        "failed": counts.get(service.codes["FAILED"], 0),
        "review": counts.get(service.codes["IN_REVIEW"], 0),
        "group": next(iter(service.store.groups.where("1 ORDER BY key LIMIT 1")), None),
    }
