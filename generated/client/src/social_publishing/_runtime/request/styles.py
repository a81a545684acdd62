"""How the value of a parameter is written: the styles of OpenAPI."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any
from urllib.parse import quote

import msgspec

from ..core.type_guards import is_list, is_object

SEPARATORS = {"form": ",", "spaceDelimited": " ", "pipeDelimited": "|"}
"""What stands between the items of a query parameter that is not exploded."""
encode_json = msgspec.json.Encoder(decimal_format="number").encode


def plain_text(value: Any) -> str:
    """Return a JSON value as a text for a path, a query, a header or a form."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        return encode_json(value).decode()
    if isinstance(value, Decimal):
        return f"{value:f}"
    return "" if value is None else str(value)


def escaped(text: str, kept: str = "") -> str:
    """Return a text percent-encoded, but for the reserved characters that are kept.

    What is percent-encoded already then stays, too.
    """
    if not kept:
        return text if text.isascii() and text.isalnum() else quote(text, safe="")
    parts = re.split("(%[0-9A-Fa-f]{2})", text)  # every second one is percent-encoded
    return "".join(part if at % 2 else quote(part, safe=kept) for at, part in enumerate(parts))


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
        return escape(encode_json(value).decode())
    prefix = {"label": ".", "matrix": ";"}.get(style, "")
    pair = _pair_of_matrix if style == "matrix" else "{}={}".format
    if is_object(value) and explode:
        pieces = [pair(escape(key), escape(plain_text(item))) for key, item in value.items()]
    else:
        pieces = [escape(plain_text(item)) for item in listed(value)]
        if style == "matrix" and pieces:
            texts = pieces if explode else [",".join(pieces)]
            pieces = [pair(name, text) for text in texts]
    between = prefix if prefix and explode else ","
    return prefix + between.join(pieces) if pieces else ""


def _pair_of_matrix(name: str, text: str) -> str:
    """Return a name with its text, which has no equals sign if it is empty (RFC 6570, 3.2.7)."""
    return f"{name}={text}" if text else name


def in_cookie(name: str, value: Any, style: str, explode: bool) -> Iterator[tuple[str, list[str]]]:
    """Yield cookies, each with the items of its value, which commas part."""
    if style == "json":  # which holds quotes and commas
        yield name, [escaped(encode_json(value).decode())]
    elif is_object(value) and explode:
        yield from ((key, [plain_text(item)]) for key, item in value.items())
    elif is_list(value) and explode:
        yield from ((name, [plain_text(item)]) for item in value)
    elif items := listed(value):  # one without items is left out, as an exploded one is by itself
        yield name, [plain_text(item) for item in items]


def in_query(
    name: str, value: Any, style: str, explode: bool, escape: Callable[[str], str] = escaped
) -> Iterator[str]:
    """Yield the `name=value` pairs of a query; the commas between items stay literal.

    A style that ends in brackets, `deepObject[]`, has them after the names of lists, too.
    """
    start = escaped(name) + "="
    if style == "json":
        yield start + escaped(encode_json(value).decode())
    elif style.startswith("deepObject") and is_object(value):
        for key, item in value.items():
            yield from in_query(f"{name}[{key}]", item, style, explode, escape)
    elif is_object(value) and explode:
        for key, item in value.items():
            inner = plain_text(item) if is_object(item) else item
            yield from in_query(key, inner, style, explode, escape)
    elif is_list(value) and (explode or style.startswith("deepObject")):
        if style.endswith("[]"):
            start = escaped(f"{name}[]") + "="
        for item in value:
            yield start + escape(plain_text(item))
    elif is_list(value) or is_object(value):
        # One without items is left out, as an exploded one is by itself.
        separator = quote(SEPARATORS.get(style, ","), safe=",")
        if value:
            texts = [item if isinstance(item, str) else plain_text(item) for item in listed(value)]
            joined = "".join(texts)
            is_bare = joined.isascii() and joined.isalnum()  # as identifiers are
            yield start + separator.join(texts if is_bare else map(escape, texts))
    else:
        yield start + escape(plain_text(value))
