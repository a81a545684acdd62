"""References between the objects of a world: by identifier, or by a name that people know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.reading import Path
from social_publishing_sandbox.state.wording import counted
from social_publishing_sandbox.worlds.problems import Problem

_EACH: Final = "*"
_ORGANIZATION: Final = (("organization_id", "organization"),)
_REFERENCES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "users": (("inviter_id", "users"), ("groupIds.*", "groups"), *_ORGANIZATION),
    "groups": (
        ("author_id", "users"),
        ("default_assignee_ids.*", "users"),
        *_ORGANIZATION,
    ),
    "social_accounts": (("user_id", "users"), ("group_id", "groups"), *_ORGANIZATION),
    "labels": (("group_id", "groups"), *_ORGANIZATION),
    "media": (("user_id", "users"), *_ORGANIZATION),
    "posts": (
        ("user_id", "users"),
        ("selectedAccountIds.*", "social_accounts"),
        ("assigneesIds.*", "users"),
        ("labelIds.*", "labels"),
        ("selected_media_ids.*", "media"),
        ("customized.*.media_ids.*", "media"),
        ("image_tags.*.media_id", "media"),
        ("image_tags.*.social_account_id", "social_accounts"),
        ("first_comments.socialAccountIds.*", "social_accounts"),
        ("first_comments.customized.*.socialAccountIds.*", "social_accounts"),
        ("details.*.social_account_id", "social_accounts"),
        ("comments.*.user_id", "users"),
        ("tasks.*.user_id", "users"),
        ("approvals.*.user_id", "users"),
        *_ORGANIZATION,
    ),
    "calendar_notes": (("user_id", "users"), ("group_id", "groups"), *_ORGANIZATION),
    "activities": (("post_id", "posts"), ("user_id", "users")),
}
"""Where each kind of object refers to another; `*` stands for every entry."""

_NAMES: Final = {
    "users": ("name", "email"),
    "groups": ("name",),
    "social_accounts": ("username", "name"),
    "labels": ("name",),
    "media": ("client_name",),
    "posts": ("name",),
}
_ONE: Final = {
    "organization": "organization",
    "users": "user",
    "groups": "group",
    "social_accounts": "social account",
    "labels": "label",
    "media": "file",
    "posts": "post",
}


def resolve(world: Json) -> Iterator[Problem]:
    """Put identifiers in the place of names, and say what leads nowhere or to several."""
    named = {kind: _named(world.get(kind, []), kind) for kind in _NAMES}
    named["organization"] = _named([world["organization"]], "organization")
    for kind in _REFERENCES:
        for position, item in enumerate(world.get(kind, [])):
            for owner, key, path, target in places(kind, item):
                candidates = named[target].get(owner[key], ())
                if len(candidates) == 1:
                    owner[key] = next(iter(candidates))
                else:
                    where = (kind, position, *path)
                    yield Problem(where, _lost(_ONE[target], owner[key], candidates))


def places(kind: str, item: Json) -> Iterator[tuple[Any, str | int, Path, str]]:
    """Yield where an object refers to another: a container, the key in it, the path that leads
    there, and the kind of the other object.
    """
    for where, target in _REFERENCES[kind]:
        for owner, key, path in _places(item, where.split("."), ()):
            yield owner, key, path, target


def identifier(kind: str, given: str, objects: list[Json]) -> str:
    """Return the identifier of the object that a text names, by its identifier or a name."""
    candidates = _named(objects, kind).get(given, ())
    if len(candidates) != 1:
        raise ValueError(_lost(_ONE[kind], given, candidates))
    return next(iter(candidates))


def _lost(kind: str, given: str, candidates: dict[str, None] | tuple[()]) -> str:
    if not candidates:
        return f"there is no {kind} {given!r}"
    several = counted(len(candidates), kind)
    return (
        f"{given!r} is ambiguous, it is the name of {several}: use an id, one of "
        f"{', '.join(candidates)}"
    )


def _named(objects: list[Json], kind: str) -> dict[str, dict[str, None]]:
    """Return the identifiers that each text stands for; an identifier stands for itself alone."""
    by_text: dict[str, dict[str, None]] = {}
    for object_ in objects:
        names = [object_.get(name) for name in _NAMES.get(kind, ())]
        if kind == "social_accounts":
            names.append(f"{object_.get('socialNetwork')}:{object_.get('username')}")
        for name in names:
            if name:
                by_text.setdefault(name, {})[object_["id"]] = None
    by_text |= {each["id"]: {each["id"]: None} for each in objects}
    return by_text


def _places(value: Any, where: Sequence[str], path: Path) -> Iterator[tuple[Any, str | int, Path]]:
    """Yield the containers and keys that a pattern leads to, with their paths."""
    step, rest = where[0], where[1:]
    keys: list[Any]
    if step == _EACH and isinstance(value, list):
        keys = list(range(len(value)))
    elif isinstance(value, dict):
        keys = list(value) if step == _EACH else [step] if step in value else []
    else:
        keys = []  # nothing, or what the schema refuses
    for key in keys:
        if rest:
            yield from _places(value[key], rest, (*path, key))
        else:
            yield value, key, (*path, key)
