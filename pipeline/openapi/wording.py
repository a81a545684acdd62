"""Pieces of the sentences that findings are made of, and the JSON types that they name."""

from __future__ import annotations

import difflib
import functools
import json
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

_TYPES: Final[dict[type, str]] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    str: "string",
    list: "array",
    dict: "object",
}
TYPES: Final = frozenset((*_TYPES.values(), "number"))
"""The types of JSON Schema."""


# What moves a cursor, breaks a line, turns the direction of a text, or stands in it unseen.
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)


def visible(text: str, form: Callable[[str], str] = lambda sign: ascii(sign)[1:-1]) -> str:
    """Return a text with its unseen characters written out, as `\\x1b`; ends of lines stay."""
    return text if text.isprintable() else _UNSEEN.sub(lambda found: form(found[0]), text)


def as_toml(sign: str) -> str:
    """Return an unseen character as TOML escapes it."""
    return f"\\U{ord(sign):08x}"


def on_one_line(text: str) -> str:
    """Return a text with its unseen characters and its ends of lines written out."""
    return visible(text).replace("\n", "\\n")


def either(names: Iterable[str]) -> str:
    """Return names as alternatives, each once: `a, b or c`; of more than eight, the first ones."""
    unique = list(dict.fromkeys(names))
    if len(unique) > 8:
        unique[7:] = [f"{len(unique) - 7} more"]
    return f"{', '.join(unique[:-1])} or {unique[-1]}" if len(unique) > 1 else "".join(unique)


def some(texts: Sequence[str]) -> str:
    """Return texts one after the other; of more than three, the first ones and how many follow."""
    rest = len(texts) - 3
    return ", ".join(texts[:3]) + (f" and {rest} more" if rest > 0 else "")


def with_article(noun: str) -> str:
    """Return a noun with `a` or `an` before it."""
    return f"{'an' if noun[:1] in set('aeiou') else 'a'} {noun}"


def brief(value: Any) -> str:
    """Return a value as it may stand in a sentence: scalars as JSON, the rest by its type."""
    if isinstance(value, dict | list):
        return typed(value)
    return cut(json.dumps(value, ensure_ascii=False, default=str))


def cut(text: str) -> str:
    """Return a text as far as it may stand in a sentence."""
    return text if len(text) <= 60 else f"{text[:57]}…"


def field(path: Sequence[Any]) -> str:
    """Return the name of a field inside a value: `pets[0].name`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.removeprefix(".")


def program() -> str:
    """Return the name of this command, from a checkout or as installed."""
    name = Path(sys.argv[0]).name
    return "openapi-pipeline" if name.startswith("openapi-pipeline") else "python -m pipeline"


def as_typed(command: str, options: str = "") -> str:
    """Return a command of this program as its user types it, who may have it by nox alone."""
    if "NOX_CURRENT_SESSION" not in os.environ:
        return f"{program()} {command}{options}"
    session = command if command in ("generate", "check", "lint") else f"pipeline -- {command}"
    return f"nox -s {session}{' --' * (' -- ' not in session and bool(options))}{options}"


def near(name: str, known: Iterable[str]) -> str:
    """Return a hint at the known name that was meant, or nothing."""
    closest = close(name, known)
    return f"; did you mean {closest}?" if closest else ""


COMMA: Final = "; a comma ends a text in {…}: put quotes around the text"


def near_member(name: str, known: Iterable[str]) -> str:
    """Return a hint for a key that an object does not have; in `{a: b, as c}` it was a text."""
    known = [*known]
    if " " in name and not any(" " in each for each in known):
        return COMMA
    return near(name, known)


def close(name: str, known: Iterable[str]) -> str:
    """Return the known name that was most likely meant, or nothing."""
    return _close(name, tuple(known))


@functools.lru_cache(4096)  # the same words stand on all operations of a document
def _close(name: str, known: tuple[str, ...]) -> str:
    if likely := difflib.get_close_matches(name, known, 1, 0.75):
        return likely[0]
    # One that lost a word, or got one: `expired_at` of `connection_expired_at`.
    longer = [
        each for each in known if f"_{each}".endswith(f"_{name}") or name.endswith(f"_{each}")
    ]
    return longer[0] if len(longer) == 1 and len(name) > 3 < len(longer[0]) else ""


def has_text(text: Any) -> bool:
    """Return whether a description or a title has any text."""
    return isinstance(text, str) and bool(text.strip())


def type_of(value: Any) -> str:
    """Return the JSON type of a value; a whole number is an integer, however it is written."""
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    return _TYPES[type(value)]


def takes(kinds: Collection[str] | None, value: Any) -> bool:
    """Return whether a value is of one of these types."""
    if kinds is None:
        return True
    kind = type_of(value)
    return kind in kinds or (kind == "integer" and "number" in kinds)


def named_type(kind: str) -> str:
    """Return a JSON type with its article."""
    return kind if kind == "null" else with_article(kind)


def typed(value: Any) -> str:
    """Return the JSON type of a value with its article."""
    return named_type(type_of(value))
