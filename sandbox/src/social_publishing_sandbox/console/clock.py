"""The clock: forward by a step or to a moment, and how it runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import orjson
from starlette.requests import Request

from social_publishing_sandbox.console import listing, wording
from social_publishing_sandbox.console.base import PAGES, Console, Form, Happening, Notice, Wrong
from social_publishing_sandbox.state import ids
from social_publishing_sandbox.state.documents import Json
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
    "date": "Publishes",
    "publish": "Goes out on an account",
    "finish": "Publishing ends",
    "processed": "Its processing ends",
}
_LISTED: Final = 15
_NAMED: Final = 8  # posts in a notice
_RANK: Final = {"FAILED": 0, "REVIEW_MISSED": 1, "IN_PROGRESS": 2}


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
            "what": _EVENTS.get(kind, wording.words(kind)),
            "row": rows.get(identifier),
            "media": media.get(identifier),
        }
        for at, kind, identifier in named
    ]


def step(console: Console, form: Form) -> Notice:
    """Move the clock by a step, or to the next event."""
    to = form.get("to", "")

    def move() -> None:
        if to == "next":
            moment = console.control.next_event()
            if moment is None:
                raise Wrong("Nothing is planned: there is no next event to go to.")
            console.control.set_clock(max(moment, console.control.now))
        elif to in STEPS:
            console.control.advance(seconds=STEPS[to].total_seconds())
        else:
            raise Wrong("There is no such step.")

    return _jump(console, move)


def go_to(console: Console, form: Form) -> Notice:
    """Move the clock to a moment."""
    return _jump(console, lambda: console.control.set_clock(form.get("moment", ""), field="it"))


def run(console: Console, form: Form) -> Notice:
    """Let the clock run as fast as is asked for."""
    mode, speed = form.get("mode", ""), form.get("speed", "")
    console.control.set_clock(mode=f"x{speed}" if mode == "fast" else mode)
    return Notice(_RUNS.get(mode, f"The clock runs {speed} times as fast as normal."))


_RUNS: Final = {
    "real": "The clock runs at normal speed.",
    "frozen": "The clock stands still until you move it.",
}


def _jump(console: Console, move: Callable[[], object]) -> Notice:
    """Move the clock, and report what happened meanwhile."""
    service = console.service
    before, mark = service.clock.now(), _end_of_log(service)
    move()
    after = service.clock.now()
    sentence, shown, more = _happened_since(service, mark)
    moved = f"{wording.moment(before, seconds=True)} → {wording.moment(after, seconds=True)} UTC."
    return Notice(f"{moved} {sentence}", happened=shown, more=more)


def _end_of_log(service: Service) -> int:
    """Return the present end of the log, for `_happened_since`."""
    with service.store.lock:
        last: int | None = service.store.execute("SELECT max(key) FROM activities").fetchone()[0]
    return -(1 << 63) if last is None else last


def _happened_since(service: Service, mark: int) -> tuple[str, list[Happening], int]:
    """Return the posts that have come to another state.

    Returns:
        A sentence with counts, a few of them, the troublesome ones first, and how many more
        there are.
    """
    with service.store.lock:
        log = service.store.activities.where("key > ? ORDER BY key", [mark])
        last = {each["post_id"]: each for each in log if each["event"] == "changedStatus"}
        shown = sorted(last, key=lambda each: _RANK.get(_state(last[each]), len(_RANK)))[:_NAMED]
        posts = service.store.posts.many(shown)
    states = Counter(_state(each) for each in last.values())
    happened = [
        Happening(_title(posts[id_]), f"{PAGES}/posts/{id_}", posts[id_]["status"])
        for id_ in shown
        if id_ in posts
    ]
    return _sentence(states), happened, len(last) - len(shown)


def _state(activity: Json) -> str:
    return str(orjson.loads(activity["data"]).get("to", ""))


def _sentence(states: Counter[str]) -> str:
    if not states:
        return "Nothing was due."
    clauses = []
    for name, count in states.items():
        noun, what = _WORDS.get(name) or ("post", wording.words(name).lower())
        clauses.append(f"{counted(count, noun)} {what}")
    return f"{', '.join(clauses)}."


_WORDS: Final = {
    "REVIEW_MISSED": ("review", "missed"),
    "IN_PROGRESS": ("post", "still in progress"),
}


def _title(post: Json) -> str:
    return wording.excerpt(post.get("content") or post.get("name"), 80) or f"Post {post['id']}"
