"""Worlds as databases, made apart from the sandbox that they are for, and databases as worlds.

Nobody waits for a world while it is made, and one with faults changes nothing.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from social_publishing_sandbox import worlds
from social_publishing_sandbox.api.operations import media as media_operations
from social_publishing_sandbox.state import ids, posting, times
from social_publishing_sandbox.state.clock import Clock
from social_publishing_sandbox.state.documents import Contract, Json
from social_publishing_sandbox.state.rate_limit import RateLimit
from social_publishing_sandbox.state.service import Service, Settings
from social_publishing_sandbox.state.store import Store
from social_publishing_sandbox.state.views import STORED_RELATIONS
from social_publishing_sandbox.worlds.shapes import FORMAT, objects

World = str | Path | Mapping[str, Any]
"""The name of a seeded world, the path of a world's JSON or YAML file, or what it holds."""


def read(world: World) -> str | Json:
    """Return the name of a seeded world, or the whole of another one.

    Raises:
        BadWorld: the world is invalid, or there is none.
    """
    if isinstance(world, str) and world in worlds.NAMES:
        return world
    if isinstance(world, str | Path) and not (str(world) and os.path.exists(world)):
        known = ", ".join(worlds.NAMES)
        reason = f"there is no world and no file with this name; the worlds are {known}"
        raise worlds.BadWorld(str(world) or "''", [worlds.Problem((), reason)])
    return worlds.load(world)


def seeded(
    contract: Contract, world: str | Json, seed: int, start: int, *, exact: bool
) -> tuple[bytes, int]:
    """Make a world; return it as a database, and its moment.

    Args:
        world: as `read` gives it.
        start: the moment at which a seeded world should stand; others bring their own.
        exact: it stands at just this moment; else at the full hour before, so that it is made only
            once in an hour.
    """
    if isinstance(world, str):
        anchor = start if exact else start - start % times.HOUR
        return _by_name(contract, world, seed, anchor), start
    now = times.parse(world["now"])
    return _state(contract, world, seed, now), now


_LARGE: Final = 10_000_000
"""Bytes from which on a world is large. A program that uses small ones may hold so much itself that
to look through it takes ten times as long as to make one."""


@lru_cache(maxsize=3)  # a large one has 75 MB
def _by_name(contract: Contract, name: str, seed: int, anchor: int) -> bytes:
    """Return a seeded world; the last ones are made once in a process."""
    state = _state(contract, worlds.make(name, seed=seed, now=anchor), seed, anchor)
    if len(state) >= _LARGE:
        gc.collect()  # what making it leaves behind must not slow a later request down
    return state


def _state(contract: Contract, world: Json, seed: int, now: int) -> bytes:
    with _scratch_service(contract, seed, now) as service:
        _stock(service, world)
        return service.store.dump()


def world_of(contract: Contract, state: bytes, seed: int, now: int) -> Json:
    """Return the world that a database holds, in the world format."""
    with _scratch_service(contract, seed, now) as service:
        service.store.load(state)
        service.reload()
        return _world(service)


@contextmanager
def _scratch_service(contract: Contract, seed: int, now: int) -> Iterator[Service]:
    """Yield a service of nobody."""
    store = Store()
    try:
        clock, limits = Clock("frozen", now), RateLimit(None)
        yield Service(contract, store, clock, limits, Path(), Settings(seed=seed))
    finally:
        store.close()


_APART: Final = frozenset({"labelIds", "details", "sandbox", *STORED_RELATIONS})


def _stock(service: Service, world: Json) -> None:
    """Replace everything by a complete world, as `worlds.make` and `worlds.load` give it."""
    store = service.store
    with service.change():
        store.empty()
        store.set_meta("organization", world["organization"])
        users = map(dict, world["users"])
        store.users.put_many((user, user.pop("token", None)) for user in users)
        store.groups.put_many((each,) for each in world["groups"])
        accounts = world["social_accounts"]
        store.accounts.put_many((each, ids.key(each["group_id"])) for each in accounts)
        store.labels.put_many((each,) for each in world["labels"])
        media = [_with_inner(each) for each in world["media"]]
        store.media.put_many((each,) for each in media)
        for item in media:
            if item.get("is_processing"):
                media_operations.plan(service, item)
        store.notes.put_many(_note(each) for each in world["calendar_notes"])
        _stock_posts(service, world["posts"])
        activities = world["activities"]
        store.activities.put_many((each, ids.key(each["post_id"])) for each in activities)
        last = max(int(each["id"]) for _, each in objects(world))
        store.set_meta("last_id", str(last))
    service.reload()


def _with_inner(doc: Json) -> Json:
    """Return the document with what only the sandbox knows of it: members that begin with `_`."""
    inner: Json = doc.get("sandbox", {})
    return {
        **{key: value for key, value in doc.items() if key != "sandbox"},
        **{f"_{key}": value for key, value in inner.items()},
    }


def _without_inner(doc: Json) -> Json:
    """Return the same the other way round."""
    shown = {key: value for key, value in doc.items() if key[0] != "_"}
    inner = {key[1:]: value for key, value in doc.items() if key[0] == "_"}
    return {**shown, "sandbox": inner} if inner else shown


def _note(note: Json) -> tuple[Any, ...]:
    doc = dict(note)
    doc["_series"] = doc.pop("series", None)
    return doc, times.parse(note["start_date"]), times.parse(note["end_date"])


def _stock_posts(service: Service, posts: list[Json]) -> None:
    store = service.store
    docs = [_post(service, each) for each in posts]
    store.posts.put_many((doc, *posting.columns(doc)) for doc in docs)
    keyed = [(ids.key(each["id"]), each) for each in posts]
    store.details.put_many(
        ({**detail, "post_id": post["id"]}, key, position)
        for key, post in keyed
        for position, detail in enumerate(post.get("details", ()))
    )
    store.connection.executemany(
        "INSERT INTO post_accounts VALUES (?, ?)",
        ((ids.key(id_), key) for key, post in keyed for id_ in post.get("selectedAccountIds", ())),
    )
    store.connection.executemany(
        "INSERT INTO post_labels VALUES (?, ?, ?)",
        (
            (ids.key(label), key, position)
            for key, post in keyed
            for position, label in enumerate(post.get("labelIds", ()))
        ),
    )
    for doc in docs:
        _plan(service, doc)


def _post(service: Service, post: Json) -> Json:
    doc = {key: value for key, value in _with_inner(post).items() if key not in _APART}
    for name in STORED_RELATIONS:
        if post.get(name):
            doc[f"_{name}"] = post[name]
    posting.weigh(service, doc)
    return doc


def _plan(service: Service, post: Json) -> None:
    """Plan what a world has planned, at its own moment, also where that has passed."""
    at = post.get("publication_timestamp")
    if post["status"] in service.transitions.awaiting_date and at is not None:
        service.plan(at, "date", post["id"])
    elif post["status"] == service.codes["IN_PROGRESS"]:
        posting.plan_publication(service, post)


def _world(service: Service) -> Json:
    """Return everything that is stored, in the world format."""
    store = service.store
    tokens = dict(store.execute("SELECT key, token FROM users").fetchall())
    labels: dict[str, list[str]] = {}
    for post, label in store.execute(
        "SELECT post_key, label_key FROM post_labels ORDER BY post_key, position"
    ):
        labels.setdefault(ids.of_key(post), []).append(ids.of_key(label))
    details: dict[str, list[Json]] = {}
    for detail in store.details.where("1 ORDER BY post_key, position"):
        details.setdefault(detail["post_id"], []).append(detail)
    return {
        "format": FORMAT,
        "now": times.text(service.now()),
        "organization": service.organization,
        "users": [
            {**item, "token": tokens[ids.key(item["id"])]}
            for item in store.users.where("1 ORDER BY key")
        ],
        "groups": store.groups.where("1 ORDER BY key"),
        "social_accounts": store.accounts.where("1 ORDER BY key"),
        "labels": store.labels.where("1 ORDER BY key"),
        "media": [_without_inner(each) for each in store.media.where("1 ORDER BY key")],
        "posts": [
            {
                **_without_inner(
                    {k: value for k, value in item.items() if k[1:] not in STORED_RELATIONS}
                ),
                **{key: item[f"_{key}"] for key in STORED_RELATIONS if f"_{key}" in item},
                "labelIds": labels.get(item["id"], []),
                "details": details.get(item["id"], []),
            }
            for item in store.posts.where("1 ORDER BY key")
        ],
        "calendar_notes": [
            {**{key: item[key] for key in item if key != "_series"}, "series": item.get("_series")}
            for item in store.notes.where("1 ORDER BY key")
        ],
        "activities": store.activities.where("1 ORDER BY key"),
    }
