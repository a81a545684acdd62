"""What has happened to posts since a moment, for a notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

import orjson

from social_publishing_sandbox.console import wording
from social_publishing_sandbox.console.desk import PAGES
from social_publishing_sandbox.console.notices import Happening
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.service import Service

_TOLD: Final = 8
_RANK: Final = {"FAILED": 0, "REVIEW_MISSED": 1, "IN_PROGRESS": 2}


def mark(service: Service) -> int:
    """Return the present end of the log, for `since`."""
    with service.store.lock:
        found: int | None = service.store.execute("SELECT max(key) FROM activities").fetchone()[0]
    return -(1 << 63) if found is None else found


def since(service: Service, mark: int) -> tuple[str, list[Happening], int]:
    """Return the posts that have come to another state.

    Returns:
        A sentence with counts, a few of them, the troublesome ones first, and how many more
        there are.
    """
    with service.store.lock:
        log = service.store.activities.where("key > ? ORDER BY key", [mark])
        last = {each["post_id"]: each for each in log if each["event"] == "changedStatus"}
        shown = sorted(last, key=lambda each: _RANK.get(_state(last[each]), len(_RANK)))[:_TOLD]
        posts = service.store.posts.many(shown)
    states = Counter(_state(each) for each in last.values())
    happened = [
        Happening(_title(posts[each]), f"{PAGES}/posts/{each}", posts[each]["status"])
        for each in shown
        if each in posts
    ]
    return _sentence(states), happened, len(last) - len(shown)


def _state(activity: Json) -> str:
    return str(orjson.loads(activity["data"]).get("to", ""))


def _sentence(states: Counter[str]) -> str:
    if not states:
        return "Nothing fell due."
    parts = [_SENTENCES.get(name, _other(name))(count) for name, count in states.items()]
    return f"{', '.join(parts)}."


def _other(name: str) -> Callable[[int], str]:
    return lambda count: f"{wording.plural(count, 'post')} {wording.words(name).lower()}"


_SENTENCES: Final[dict[str, Callable[[int], str]]] = {
    "REVIEW_MISSED": lambda count: f"{wording.plural(count, 'review')} missed",
    "IN_PROGRESS": lambda count: f"{wording.plural(count, 'post')} still in progress",
}


def _title(post: Json) -> str:
    return wording.excerpt(post.get("content") or post.get("name"), 80) or f"Post {post['id']}"
