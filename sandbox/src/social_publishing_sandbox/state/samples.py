"""Values for a schema that nothing gives one: texts of a pattern, a format or a length, numbers."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from re import _parser  # type: ignore[attr-defined]  # only this parses a pattern
from typing import Any, Final

from social_publishing_sandbox.state.documents import Json

_ALIKE: Final = {
    "CATEGORY_DIGIT": string.digits,
    "CATEGORY_SPACE": " ",
    "CATEGORY_WORD": string.ascii_letters + string.digits + "_",
}
_FORMATS: Final = {
    "uuid": "00000000-0000-4000-8000-000000000000",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "hostname": "example.com",
    "time": "00:00:00Z",
    "duration": "PT0S",
}


def samples(node: Json) -> Iterator[Any]:
    """Yield values that are likely to fit a schema; one that does not is no error."""
    if (pattern := node.get("pattern")) is not None:
        try:
            text = "".join(_texts(_parser.parse(pattern)))
        except re.error:  # one of JavaScript
            text = ""
        yield text
        yield text.ljust(node.get("minLength", 0), text[-1:] or "x")
    if (name := node.get("format")) in _FORMATS:
        yield _FORMATS[name]
    yield "x" * node.get("minLength", 1)
    least, above = node.get("minimum", 0), node.get("exclusiveMinimum")
    step = node.get("multipleOf", 1)
    yield least if above is None else above + step
    yield -(-least // step) * step
    yield node.get("maximum", 0)


def _texts(parsed: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    """Yield the pieces of a short text that a parsed pattern matches; of what is ahead, nothing."""
    for kind, value in parsed:
        match kind.name:
            case "LITERAL":
                yield chr(value)
            case "ANY":
                yield "x"
            case "NOT_LITERAL":
                yield "y" if chr(value) == "x" else "x"
            case "IN":
                yield _one_of(value)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, _, inner = value
                for _ in range(least):
                    yield from _texts(inner)
            case "SUBPATTERN":
                yield from _texts(value[-1])
            case "BRANCH":
                yield from _texts(value[1][0])


def _one_of(items: list[tuple[Any, Any]]) -> str:
    """Return a character of a class, such as `[a-z]` or `[^/]`."""
    known: set[str] = set()
    for kind, value in items:
        if kind.name == "LITERAL":
            known.add(chr(value))
        elif kind.name == "RANGE":
            known |= {*map(chr, range(value[0], min(value[1], value[0] + 128) + 1))}
        elif kind.name == "CATEGORY":
            known |= {*_ALIKE.get(value.name, "-")}
    if items[0][0].name == "NEGATE":
        known = {*string.printable} - known
    return min(known & {*string.ascii_letters, *string.digits} or known or {"x"})
