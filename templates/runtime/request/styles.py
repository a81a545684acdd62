"""How the value of a parameter is written: the styles of OpenAPI."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import msgspec

from ..core.type_guards import is_list, is_object

__all__ = ["SEPARATORS", "in_cookie", "in_path", "in_query", "listed", "plain_text"]

SEPARATORS = {"form": ",", "spaceDelimited": " ", "pipeDelimited": "|"}
"""What stands between the items of a query parameter that is not exploded."""


def plain_text(value: Any) -> str:
    """Return a JSON value as a text for a path, a query, a header or a form."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        return msgspec.json.encode(value).decode()
    return "" if value is None else str(value)


def listed(value: Any) -> list[Any]:
    """Return the items of a list, or the names and values of an object, one after the other."""
    if is_object(value):
        return [each for pair in value.items() for each in pair]
    return value if is_list(value) else [value]


def in_path(
    name: str, value: Any, style: str, explode: bool, escape: Callable[[str], str] = str
) -> str:
    """Return a value in a path (simple, label, matrix) or, with `escape` left out, in a header."""
    if style == "json":
        return escape(msgspec.json.encode(value).decode())
    prefix = {"label": ".", "matrix": ";"}.get(style, "")
    if is_object(value) and explode:
        pieces = [f"{escape(key)}={escape(plain_text(item))}" for key, item in value.items()]
    else:
        pieces = [escape(plain_text(item)) for item in listed(value)]
        if style == "matrix" and explode:
            pieces = [f"{name}={piece}" for piece in pieces]
        elif style == "matrix":
            prefix = f";{name}="
    between = prefix if prefix and explode else ","
    return prefix + between.join(pieces)


def in_cookie(name: str, value: Any, style: str, explode: bool) -> Iterator[tuple[str, list[str]]]:
    """Yield cookies, each with the items of its value, which commas part."""
    if style == "json":  # which holds quotes and commas
        yield name, [quote(msgspec.json.encode(value).decode(), safe="")]
    elif is_object(value) and explode:
        yield from ((key, [plain_text(item)]) for key, item in value.items())
    elif is_list(value) and explode:
        yield from ((name, [plain_text(item)]) for item in value)
    elif items := listed(value):  # one without items is left out, as an exploded one is by itself
        yield name, [plain_text(item) for item in items]


def in_query(name: str, value: Any, style: str, explode: bool) -> Iterator[str]:
    """Yield the `name=value` pairs of a query; the commas of lists stay literal."""
    escaped = quote(name, safe="")
    if style == "json":
        yield f"{escaped}={quote(msgspec.json.encode(value).decode(), safe='')}"
    elif style == "deepObject" and is_object(value):
        for key, item in value.items():
            yield from in_query(f"{name}[{key}]", item, style, explode)
    elif is_object(value) and explode:
        for key, item in value.items():
            inner = plain_text(item) if is_object(item) else item
            yield from in_query(key, inner, style, explode)
    elif is_list(value) and (explode or style == "deepObject"):
        for item in value:
            yield f"{escaped}={quote(plain_text(item), safe='')}"
    elif is_list(value) or is_object(value):
        # One without items is left out, as an exploded one is by itself.
        separator = SEPARATORS.get(style, ",")
        text = separator.join(map(plain_text, listed(value)))
        if value:
            yield f"{escaped}={quote(text, safe=',' if separator == ',' else '')}"
    else:
        yield f"{escaped}={quote(plain_text(value), safe='')}"
