"""Posts as lists show them: read in one go, with the networks and groups that they go to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.state import ids
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.service import Service

Condition = tuple[str, list[Any]]
"""A condition on the columns of posts, as SQL, and its values."""


@dataclass(frozen=True, slots=True)
class Row:
    """A post in a list.

    Attributes:
        at: its publication date in milliseconds, or None.
        networks: where it goes, each once.
        groups: the groups of its accounts.
    """

    post: Json
    at: int | None
    networks: tuple[str, ...]
    groups: tuple[Json, ...]

    @property
    def text(self) -> str:
        """Its text, or else its name."""
        return str(self.post.get("content") or self.post.get("name") or "")


def rows(service: Service, posts: Sequence[Json]) -> list[Row]:
    """Return these posts as rows."""
    wanted = {each for post in posts for each in post.get("selectedAccountIds", ())}
    accounts = service.store.accounts.many(wanted)
    groups = service.store.groups.many({each["group_id"] for each in accounts.values()})
    listed = []
    for post in posts:
        chosen = [accounts[a] for a in post.get("selectedAccountIds", ()) if a in accounts]
        listed.append(
            Row(
                post,
                post.get("publication_timestamp"),
                tuple(dict.fromkeys(each["socialNetwork"] for each in chosen)),
                tuple(
                    groups[group_id]
                    for group_id in dict.fromkeys(a["group_id"] for a in chosen)
                    if group_id in groups
                ),
            )
        )
    return listed


def of_group(group: Json | None) -> Condition:
    """Return posts that go to an account of a group; any post for None."""
    if group is None:
        return "1", []
    return (
        "key IN (SELECT post_key FROM post_accounts JOIN accounts ON accounts.key = account_key "
        "WHERE group_key = ?)",
        [ids.key(group["id"])],
    )


def with_text(service: Service, text: str) -> Condition:
    """Return posts that have a text in their content, name or note, or that have it as their id."""
    if not text:
        return "1", []
    if service.store.key(text) is not None and len(text) > 15:
        return "key = ?", [ids.key(text)]
    written = orjson.dumps(text).decode()[1:-1]
    held = "CAST(doc AS TEXT)"
    fields = " || ' ' || ".join(
        f"ifnull(json_extract({held}, '$.{name}'), '')" for name in ("content", "name", "note")
    )
    # Few documents have the text anywhere; only those need to be taken apart.
    return (
        f"({held} LIKE ? ESCAPE '~' AND {fields} LIKE ? ESCAPE '~')",
        [_anywhere(written), _anywhere(text)],
    )


def _anywhere(text: str) -> str:
    for wildcard in "~%_":
        text = text.replace(wildcard, f"~{wildcard}")
    return f"%{text}%"


def groups(service: Service) -> list[Json]:
    """Return all groups by name."""
    stored = service.store.groups.where()
    return sorted(stored, key=lambda each: str(each.get("name", "")).casefold())
