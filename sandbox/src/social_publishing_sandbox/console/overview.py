"""The first page: how to connect, what exists, what comes next, and the last requests."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request

from social_publishing_sandbox.console import clock
from social_publishing_sandbox.console.base import Console
from social_publishing_sandbox.state.behaviour import limits

_NEXT: Final = 6
_LAST: Final = 8


def read(console: Console, request: Request) -> dict[str, Any]:
    """Return what the first page shows."""
    service, control = console.service, console.control
    counts = dict(
        service.store.execute("SELECT status, count(*) FROM posts GROUP BY status").fetchall()
    )
    expired = [
        account
        for account in service.store.accounts.where("1 ORDER BY key")
        if limits.is_expired(account, service.assume, service.now())
    ]
    return {
        "base_url": control.base_url,
        "media_url": control.media_url,
        "tokens": service.with_tokens()[:1],
        "users": service.store.users.count(),
        "counts": {code: counts.get(code, 0) for code in service.transitions.name},
        "coming": clock.coming(service, _NEXT),
        "entries": control.request_log.search(limit=_LAST),
        "kept": len(control.request_log),
        "expired": expired,
        "failed": counts.get(service.codes["FAILED"], 0),
        "review": counts.get(service.codes["IN_REVIEW"], 0),
        "group": next(iter(service.store.groups.where("1 ORDER BY key LIMIT 1")), None),
    }
