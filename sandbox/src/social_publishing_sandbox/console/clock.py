"""The clock: forward by a step or to a moment, and how it runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from starlette.requests import Request

from social_publishing_sandbox.console import listing, wording
from social_publishing_sandbox.console.base import Console, Form, Notice, Wrong
from social_publishing_sandbox.state import ids, posting
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.errors import ControlError
from social_publishing_sandbox.state.service import Service
from social_publishing_sandbox.state.wording import counted

STEPS: Final = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}
"""The steps that have a button."""

_EVENTS: Final = {
    "publish": "Goes out on an account",
    "finish": "Publishing ends",
    "processed": "Its processing ends",
}
_LISTED: Final = 15
_NAMED: Final = 8  # posts in a notice


def read(console: Console, request: Request) -> dict[str, Any]:
    """Return what is planned."""
    service = console.service
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
            "what": _EVENTS.get(kind) or _of_date(service, posts.get(identifier)),
            "row": rows.get(identifier),
            "media": media.get(identifier),
        }
        for at, kind, identifier in named
    ]


def _of_date(service: Service, post: Json | None) -> str:
    """Return what the publication date makes of a post in its present state."""
    true = posting.conditions(service, post) if post else ()
    after = service.transitions.next(post["status"], "clock", true) if post else None
    name = "" if after is None else service.transitions.name[after]
    return "Publishes" if name == "IN_PROGRESS" else wording.words(name) or "Nothing changes"


def step(console: Console, form: Form) -> Notice:
    """Move the clock by a step, or to the next event."""
    to = form.get("to", "")

    def move() -> None:
        if to == "next":
            moment = console.control.next_event()
            if moment is None:
                raise Wrong("Nothing is planned, so there is no next event.")
            console.control.set_clock(max(moment, console.control.now))
        elif to in STEPS:
            console.control.advance(seconds=STEPS[to].total_seconds())
        else:
            raise Wrong("There is no such step.")

    return _jump(console, move)


def go_to(console: Console, form: Form) -> Notice:
    """Move the clock to a moment."""
    try:
        return _jump(console, lambda: console.control.set_clock(form.get("moment", "")))
    except ControlError as error:
        raise error.called("it") from None


def run(console: Console, form: Form) -> Notice:
    """Let the clock run as fast as is asked for."""
    mode, speed = form.get("mode", ""), form.get("speed", "")
    console.control.set_clock(mode=f"x{speed}" if mode == "fast" else mode)
    return Notice(f"The clock is {console.control.clock_mode} now.")


def _jump(console: Console, move: Callable[[], object]) -> Notice:
    """Move the clock, and report which posts have come to another state meanwhile."""
    service = console.service
    before, counts, mark = service.clock.now(), _by_status(service), _end_of_log(service)
    move()
    more = _by_status(service) - counts
    names = service.transitions.name
    changes = [
        f"{counted(count, 'post')} {wording.words(names[code]).lower()}"
        for code, count in sorted(more.items())
    ]
    moved = " → ".join(wording.moment(each, seconds=True) for each in (before, service.clock.now()))
    posts = _changed_since(service, mark)
    text = f"{moved} UTC. {', '.join(changes) or 'No post has changed'}."
    return Notice(text, posts=posts[:_NAMED], more=max(0, len(posts) - _NAMED))


def _end_of_log(service: Service) -> int:
    """Return the last key of the log of activities."""
    with service.store.lock:
        [last] = service.store.execute("SELECT max(key) FROM activities").fetchone()
    return -(1 << 63) if last is None else int(last)


def _changed_since(service: Service, mark: int) -> list[Json]:
    """Return the posts that have come to another state since then, failures first."""
    with service.store.lock:
        log = service.store.activities.where("key > ? ORDER BY key", [mark])
        changed = dict.fromkeys(e["post_id"] for e in log if e["event"] == "changedStatus")
        posts = service.store.posts.many(changed)
    failed = {service.codes["FAILED"], service.codes["REVIEW_MISSED"]}
    found = [posts[each] for each in changed if each in posts]
    return sorted(found, key=lambda post: post["status"] not in failed)


def _by_status(service: Service) -> Counter[int]:
    with service.store.lock:
        rows = service.store.execute("SELECT status, count(*) FROM posts GROUP BY status")
        return Counter(dict(rows.fetchall()))
