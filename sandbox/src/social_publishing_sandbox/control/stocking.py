"""A world into the store, and the store as a world again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson

from social_publishing_sandbox.api.operations import media as media_operations
from social_publishing_sandbox.state import ids, posting, times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.service import Service
from social_publishing_sandbox.state.views import STORED_RELATIONS

FORMAT: Final = 1
"""The version of the world format; see `worlds`."""

_APART: Final = frozenset({"labelIds", "details", "sandbox", *STORED_RELATIONS})


def stock(service: Service, world: Json) -> None:
    """Replace everything by a complete world, as `worlds.make` and `worlds.load` give it."""
    store = service.store
    with service.change():
        store.empty()
        store.set_meta("organization", world["organization"])
        store.users.put_many(
            (ids.key(item["id"]), item.get("token"), orjson.dumps(_without_token(item)))
            for item in world["users"]
        )
        store.groups.put_many((ids.key(each["id"]), orjson.dumps(each)) for each in world["groups"])
        store.accounts.put_many(
            (ids.key(item["id"]), ids.key(item["group_id"]), orjson.dumps(item))
            for item in world["social_accounts"]
        )
        store.labels.put_many((ids.key(each["id"]), orjson.dumps(each)) for each in world["labels"])
        media = [_with_inner(each) for each in world["media"]]
        store.media.put_many((ids.key(each["id"]), orjson.dumps(each)) for each in media)
        for item in media:
            if item.get("is_processing"):
                media_operations.plan(service, item)
        store.notes.put_many(_note(each) for each in world["calendar_notes"])
        _stock_posts(service, world["posts"])
        store.activities.put_many(
            (ids.key(item["id"]), ids.key(item["post_id"]), orjson.dumps(item))
            for item in world["activities"]
        )
        last = max((int(each) for each in _ids(world)), default=0)
        store.set_meta("last_id", str(last))
    service.reload()


def _without_token(user: Json) -> Json:
    return {key: value for key, value in user.items() if key != "token"}


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
    starts, ends = times.parse(note["start_date"]), times.parse(note["end_date"])
    doc = dict(note)
    doc["_series"] = doc.pop("series", None)
    return ids.key(note["id"]), starts, ends, orjson.dumps(doc)


def _stock_posts(service: Service, posts: list[Json]) -> None:
    store = service.store
    docs = [_post(service, each) for each in posts]
    store.posts.put_many(
        (ids.key(doc["id"]), *posting.columns(doc), orjson.dumps(doc)) for doc in docs
    )
    keyed = [(ids.key(each["id"]), each) for each in posts]
    store.details.put_many(
        (ids.key(detail["id"]), key, position, orjson.dumps({**detail, "post_id": post["id"]}))
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


def _ids(world: Json) -> Iterator[str]:
    for items in world.values():
        if isinstance(items, list):
            for item in items:
                yield item["id"]
                yield from (detail["id"] for detail in item.get("details", ()))


def world(service: Service) -> Json:
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
