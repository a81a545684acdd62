"""The clock: forward by a step or to a moment, and how it runs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from social_publishing_sandbox.console import happened, listing, wording
from social_publishing_sandbox.console.desk import PAGES, Desk, Wrong, back_to
from social_publishing_sandbox.console.notices import Notice
from social_publishing_sandbox.state import ids, times
from social_publishing_sandbox.state.service import Service

STEPS: Final = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}
"""The steps that have a button."""

_EVENTS: Final = {
    "date": "Its publication date comes",
    "publish": "Goes out on an account",
    "finish": "Publishing ends",
    "processed": "Its processing ends",
}
_LISTED: Final = 15


def routes(desk: Desk) -> list[BaseRoute]:
    """Return the page, and what its buttons and those on every other page do."""
    return [
        Route(f"{PAGES}/clock", partial(_show, desk)),
        Route(f"{PAGES}/clock/step", partial(_step, desk), methods=["POST"]),
        Route(f"{PAGES}/clock/set", partial(_set, desk), methods=["POST"]),
        Route(f"{PAGES}/clock/mode", partial(_run, desk), methods=["POST"]),
    ]


async def _show(desk: Desk, request: Request) -> Response:
    return await desk.show(request, "clock.html", lambda: _read(desk.service))


def _read(service: Service) -> dict[str, Any]:
    total = service.store.execute("SELECT count(*) FROM due").fetchone()[0]
    return {"coming": coming(service, _LISTED), "planned": total, "listed": _LISTED}


def coming(service: Service, count: int) -> list[dict[str, Any]]:
    """Return the next planned events, each with the post or file that it is about."""
    planned = service.store.execute(
        "SELECT at, kind, key FROM due ORDER BY at, key, kind LIMIT ?", (count,)
    ).fetchall()
    named = [(at, kind, ids.of_key(key)) for at, kind, key in planned]
    posts = service.store.posts.many(each for _, _, each in named)
    media = service.store.media.many(each for _, kind, each in named if kind == "processed")
    rows = {each.post["id"]: each for each in listing.rows(service, list(posts.values()))}
    return [
        {
            "at": at,
            "what": _EVENTS.get(kind, wording.words(kind)),
            "row": rows.get(each),
            "media": media.get(each),
        }
        for at, kind, each in named
    ]


async def _step(desk: Desk, request: Request) -> Response:
    form = await request.form()
    to = str(form.get("to") or "")

    def move() -> None:
        if to == "next":
            moment = desk.sandbox.next_event()
            if moment is None:
                raise Wrong("Nothing is planned: there is no next event to go to.")
            desk.sandbox.set_clock(max(moment, desk.sandbox.now))
        elif to in STEPS:
            desk.sandbox.advance(seconds=STEPS[to].total_seconds())
        else:
            raise Wrong("There is no such step.")

    return await desk.act(lambda: _jump(desk, move), back_to(form, f"{PAGES}/clock"))


async def _set(desk: Desk, request: Request) -> Response:
    form = await request.form()
    moment = str(form.get("moment") or "").strip()

    def move() -> None:
        try:
            ms = times.parse(moment)
        except (ValueError, OverflowError):
            raise Wrong(
                f"{moment!r} is no moment; write it like 2026-12-24T18:00, in UTC."
            ) from None
        desk.sandbox.set_clock(times.text(ms))

    return await desk.act(lambda: _jump(desk, move), f"{PAGES}/clock")


async def _run(desk: Desk, request: Request) -> Response:
    form = await request.form()
    mode, speed = str(form.get("mode") or ""), str(form.get("speed") or "").strip()

    def work() -> Notice:
        desk.sandbox.set_clock(mode=f"x{speed}" if mode == "fast" else mode)
        return Notice(_RUNS.get(mode, f"A minute passes {speed} times as fast as elsewhere."))

    return await desk.act(work, f"{PAGES}/clock")


_RUNS: Final = {
    "real": "The clock runs as fast as any other.",
    "frozen": "The clock stands still until you move it.",
}


def _jump(desk: Desk, move: Callable[[], None]) -> Notice:
    """Move the clock, and report what happened meanwhile."""
    service = desk.service
    before, mark = service.clock.now(), happened.mark(service)
    move()
    after = service.clock.now()
    sentence, shown, more = happened.since(service, mark)
    moved = f"{wording.moment(before, seconds=True)} → {wording.moment(after, seconds=True)} UTC."
    return Notice(f"{moved} {sentence}", happened=shown, more=more)
