"""Match requests with recorded ones, and name the differences if none matches.

A placeholder in a recording stands for any text. JSON is compared as values: the order of keys does
not matter, `1` is `1.0`, and null is not
absence. The parts of a multipart body are compared one by one, without their boundary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.recording.model import Binary, Content, Json, Multipart, Request
from social_publishing_sandbox.recording.redaction import PLACEHOLDER, PLACEHOLDER_IN_TARGET
from social_publishing_sandbox.state.reading import Path, written

Facts: TypeAlias = dict[Path, Any]
"""What a request asks for: each single value, by the path that leads to it."""

_SHOWN: Final = 60
_WEIGHTS: Final = {"api": 40, "method": 20, "path": 20, "query": 3}
_ABSENT: Final = object()


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between a request and the recorded one."""

    where: Path
    asked: Any
    recorded: Any

    @property
    def weight(self) -> int:
        """Return how far apart it puts the two requests."""
        return _WEIGHTS.get(str(self.where[0]), 1)

    def __str__(self) -> str:
        asked, recorded = _shown(self.asked), _shown(self.recorded)
        return f"{written(self.where)} is {asked}, recorded is {recorded}"


def facts(request: Request) -> Facts:
    """Return what a request asks for. Credentials say who asks, not what."""
    path, _, query = request.target.partition("?")
    found: Facts = {("api",): request.api, ("method",): request.method, ("path",): path}
    for item in filter(None, query.split("&")):
        name, _, value = item.partition("=")
        found.setdefault(("query", name), []).append(value)
    body = request.body
    if isinstance(body, Multipart):
        found["body", "parts"] = len(body.parts)
        for number, part in enumerate(body.parts):
            where = ("body", "parts", number)
            found |= {(*where, "name"): part.name, (*where, "filename"): part.filename}
            found |= _content(where, part.content)
    elif body is not None:
        found |= _content(("body",), body)
    return found


def differences(asked: Facts, recorded: Facts) -> Iterator[Difference]:
    """Yield the points in which `asked` is not what was recorded; none when it is."""
    for where in {**recorded, **asked}:
        here, there = asked.get(where, _ABSENT), recorded.get(where, _ABSENT)
        if not _same(where, here, there):
            yield Difference(where, here, there)


def same_text(
    asked: str, recorded: str, placeholder: re.Pattern[str] = PLACEHOLDER, wild: str = "."
) -> bool:
    """Return whether a text is the recorded one, its placeholders standing for any text."""
    if asked == recorded or not placeholder.search(recorded):
        return asked == recorded
    return _wild(recorded, placeholder, wild).fullmatch(asked) is not None


@lru_cache(maxsize=1024)
def _wild(recorded: str, placeholder: re.Pattern[str], wild: str) -> re.Pattern[str]:
    """Return a pattern whose placeholders stand for one or more `wild` characters.

    Each text between two of them is looked for once, at its first place (an atomic group): if that
    place leads nowhere, no later one does, and any number of placeholders takes little time.
    """
    first, *between, last = map(re.escape, placeholder.split(recorded))
    middle = "".join(f"(?>{wild}+?{piece})" for piece in between)
    return re.compile(f"{first}{middle}{wild}+{last}", re.DOTALL)


def _content(where: Path, content: Content) -> Facts:
    if isinstance(content, Json):
        return dict(_leaves((*where, "json"), content.value))
    if isinstance(content, Binary):
        return {(*where, "file"): f"{content.size} bytes, {content.sha256}"}
    return {(*where, "text"): content.text}


def _leaves(where: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict | list) and value:
        for step, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves((*where, step), member)
    else:
        yield where, value


def _same(where: Path, asked: Any, recorded: Any) -> bool:
    if where[0] in ("path", "query"):
        here, there = ([each] if isinstance(each, str) else each for each in (asked, recorded))
        if _ABSENT in (here, there) or len(here) != len(there):
            return False
        return all(
            same_text(one, other, PLACEHOLDER_IN_TARGET, "[^&/?#]")
            for one, other in zip(here, there, strict=True)
        )
    if isinstance(asked, str) and isinstance(recorded, str):
        return same_text(asked, recorded)
    if isinstance(asked, bool) or isinstance(recorded, bool):
        return asked is recorded
    if isinstance(asked, int | float) and isinstance(recorded, str):
        # A number in a field with a secret's name.
        return PLACEHOLDER.fullmatch(recorded) is not None
    return bool(asked == recorded)


def _shown(value: Any) -> str:
    if value is _ABSENT:
        return "absent"
    text = orjson.dumps(value).decode()
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
