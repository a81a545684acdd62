"""Matching of requests with recorded ones, and what differs where none matches.

A placeholder in what was recorded stands for any text, since what it replaced is not known any
more. JSON is compared as values: the order of keys does not matter, `1` is `1.0`, and null is not
absence. The parts of a multipart body are compared one by one, without their boundary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from social_publishing_sandbox.recording.model import (
    Binary,
    Body,
    Json,
    Multipart,
    Part,
    Request,
    Text,
)
from social_publishing_sandbox.recording.redaction import PLACEHOLDER, PLACEHOLDER_IN_TARGET

_SHOWN = 60
_WEIGHTS = {"api": 40, "method": 20, "path": 20, "query": 3, "body": 1}


@dataclass(frozen=True, slots=True)
class Difference:
    """One point in which a request is not the recorded one; `where` begins with its subject."""

    where: str
    asked: str
    recorded: str

    @property
    def weight(self) -> int:
        """Return how far apart it puts the two requests."""
        return _WEIGHTS.get(self.where.split()[0], 1)

    def __str__(self) -> str:
        return f"{self.where} is {self.asked}, recorded is {self.recorded}"


def differences(asked: Request, recorded: Request) -> Iterator[Difference]:
    """Yield the points in which `asked` is not what was recorded; none when it is.

    Credentials are not looked at: they say who asks, not what.
    """
    if asked.api != recorded.api:
        yield Difference("api", asked.api, recorded.api)
    if asked.method != recorded.method:
        yield Difference("method", asked.method, recorded.method)
    yield from _targets(asked.target, recorded.target)
    yield from _contents("body", asked.body, recorded.body)


def same_text(
    asked: str, recorded: str, placeholder: re.Pattern[str] = PLACEHOLDER, wild: str = "."
) -> bool:
    """Return whether a text is the recorded one, its placeholders standing for any text."""
    if asked == recorded or not placeholder.search(recorded):
        return asked == recorded
    return _wild(recorded, placeholder, wild).fullmatch(asked) is not None


def _same_in_target(asked: str, recorded: str) -> bool:
    return same_text(asked, recorded, PLACEHOLDER_IN_TARGET, "[^&/?#]")


@lru_cache(maxsize=1024)
def _wild(recorded: str, placeholder: re.Pattern[str], wild: str) -> re.Pattern[str]:
    """Return a pattern whose placeholders stand for one or more `wild` characters.

    Each text between two of them is looked for once, at its first place (an atomic group): if that
    place leads nowhere, no later one does, and any number of placeholders takes little time.
    """
    first, *between, last = map(re.escape, placeholder.split(recorded))
    middle = "".join(f"(?>{wild}+?{piece})" for piece in between)
    return re.compile(f"{first}{middle}{wild}+{last}", re.DOTALL)


def _targets(asked: str, recorded: str) -> Iterator[Difference]:
    if _same_in_target(asked, recorded):
        return
    asked_path, _, asked_query = asked.partition("?")
    recorded_path, _, recorded_query = recorded.partition("?")
    if not _same_in_target(asked_path, recorded_path):
        yield Difference("path", asked_path, recorded_path)
    if _same_in_target(asked_query, recorded_query):
        return
    now, before = _query_items(asked_query), _query_items(recorded_query)
    named = ((name, now.get(name, []), before.get(name, [])) for name in {**now, **before})
    yield from [
        Difference(f"query item {name}", _listed(here), _listed(there))
        for name, here, there in named
        if len(here) != len(there) or not all(map(_same_in_target, here, there))
    ] or [Difference("query order", asked_query, recorded_query)]


def _query_items(query: str) -> dict[str, list[str]]:
    items: dict[str, list[str]] = {}
    for item in query.split("&") if query else ():
        name, _, value = item.partition("=")
        items.setdefault(name, []).append(value)
    return items


def _listed(values: list[str]) -> str:
    return " and ".join(map(repr, values)) or "absent"


def _parts(asked: tuple[Part, ...], recorded: tuple[Part, ...]) -> Iterator[Difference]:
    if len(asked) != len(recorded):
        names = (", ".join(part.name for part in parts) for parts in (asked, recorded))
        yield Difference("body parts", *names)
        return
    for here, there in zip(asked, recorded, strict=True):
        where = f"body part {there.name}"
        if not same_text(here.name, there.name):
            yield Difference(f"{where}, its name", repr(here.name), repr(there.name))
        if not same_text(here.filename or "", there.filename or ""):
            yield Difference(f"{where}, its file name", repr(here.filename), repr(there.filename))
        yield from _contents(where, here.content, there.content)


def _contents(where: str, asked: Body | None, recorded: Body | None) -> Iterator[Difference]:
    match asked, recorded:
        case Multipart(here), Multipart(there):
            yield from _parts(here, there)
        case Json(here), Json(there):
            yield from _values(where, here, there)
        case Text(here), Text(there):
            if not same_text(here, there):
                yield Difference(where, _shown(here), _shown(there))
        case _ if asked != recorded:
            yield Difference(where, _kind(asked), _kind(recorded))


def _values(where: str, asked: Any, recorded: Any) -> Iterator[Difference]:
    if isinstance(asked, dict) and isinstance(recorded, dict):
        yield from _objects(where, asked, recorded)
    elif isinstance(asked, list) and isinstance(recorded, list):
        if len(asked) != len(recorded):
            yield Difference(where, f"{len(asked)} items", f"{len(recorded)} items")
            return
        for index, (here, there) in enumerate(zip(asked, recorded, strict=True)):
            yield from _values(f"{where}[{index}]", here, there)
    elif not _same_scalar(asked, recorded):
        yield Difference(where, _shown(asked), _shown(recorded))


def _objects(where: str, asked: dict[str, Any], recorded: dict[str, Any]) -> Iterator[Difference]:
    left = dict(asked)
    for key, there in recorded.items():
        name = (
            key if key in left else next((other for other in left if same_text(other, key)), None)
        )
        if name is None:
            yield Difference(f"{where}.{key}", "absent", _shown(there))
        else:
            yield from _values(f"{where}.{name}", left.pop(name), there)
    for key, here in left.items():
        yield Difference(f"{where}.{key}", _shown(here), "absent")


def _same_scalar(asked: Any, recorded: Any) -> bool:
    if isinstance(asked, str) and isinstance(recorded, str):
        return same_text(asked, recorded)
    if isinstance(asked, int | float) and isinstance(recorded, str):
        # A number in a field with a secret's name.
        return not isinstance(asked, bool) and PLACEHOLDER.fullmatch(recorded) is not None
    if isinstance(asked, bool) or isinstance(recorded, bool):
        return asked is recorded
    return bool(asked == recorded)


def _kind(body: Body | None) -> str:
    if isinstance(body, Binary):
        return f"{body.size} bytes ({body.sha256[:8]}…)"
    kinds = {Json: "JSON", Text: "text", Multipart: "multipart"}
    return "empty" if body is None else kinds[type(body)]


def _shown(value: Any) -> str:
    text = orjson.dumps(value).decode()
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
