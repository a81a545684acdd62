"""Types and forms of values, and how they may be shown without anything personal."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import jsonschema_rs

from pipeline.openapi.validation import DIALECT
from pipeline.openapi.wording import with_article

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_CODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.:-]{0,47}")
# Digits, identifiers and tokens: they belong to a person, whatever else they look like.
_PERSONAL: Final = re.compile(
    r"\d{5}|[0-9a-f]{8}-[0-9a-f]{4}-|(?=[A-Za-z]*\d[A-Za-z]*\d)[A-Za-z0-9]{16}", re.IGNORECASE
)
_DEEPEST: Final = 6
_TYPES: Final[dict[type, str]] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    str: "string",
    list: "array",
    dict: "object",
}


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


def inferred(values: Sequence[Any], depth: int = 0) -> dict[str, Any]:
    """Return a schema of the least that all of these values fit: types and names, no values."""
    kinds = sorted({type_of(value) for value in values})
    if "number" in kinds and "integer" in kinds:
        kinds.remove("integer")
    schema: dict[str, Any] = {}
    if kinds:
        schema["type"] = kinds[0] if len(kinds) == 1 else kinds
    texts = [value for value in values if isinstance(value, str)]
    if texts and kinds in (["string"], ["null", "string"]) and all(map(is_moment, texts)):
        schema["format"] = "date-time"
    lists = [item for value in values if isinstance(value, list) for item in value]
    if "array" in kinds:
        schema["items"] = inferred(lists, depth + 1) if depth < _DEEPEST else {}
    objects = [value for value in values if isinstance(value, dict)]
    if objects and depth < _DEEPEST:
        names = sorted({name for value in objects for name in value})
        if all(map(is_code, names)):
            schema["properties"] = {
                name: {
                    **inferred([value[name] for value in objects if name in value], depth + 1),
                    "description": "Seen in traffic; what it means is not documented.",
                }
                for name in names
            }
    return schema


def a(kind: str) -> str:
    """Return a JSON type with its article."""
    return kind if kind == "null" else with_article(kind)


def is_code(value: Any) -> bool:
    """Return whether a value is a name or a code, and nothing that a person wrote."""
    if isinstance(value, str):
        return _CODE.fullmatch(value) is not None and not _PERSONAL.search(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 100_000


def is_moment(text: str) -> bool:
    """Return whether a text is a date and a time with a zone."""
    if len(text) < 17 or text[10] not in "Tt ":
        return False
    try:
        return datetime.datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def form_of(value: Any) -> str:
    """Return what kind of text a value is: `date-time`, `date`, `integer` and so on."""
    if not isinstance(value, str):
        return type_of(value)
    if is_moment(value):
        return "date-time"
    if _DATE.fullmatch(value):
        return "date"
    if re.fullmatch(r"-?\d+", value):
        return "integer"
    return "string"


def shown(value: Any) -> str:
    """Return codes, flags and null as they are, and of other values their kind alone."""
    if isinstance(value, str):
        if is_code(value):
            return value
        form = form_of(value)
        return "a text" if form == "string" else a(form) if form != "integer" else "digits"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return str(value) if is_code(value) else a(type_of(value))


def fits_alone(schema: Mapping[str, Any], value: Any) -> bool:
    """Return whether a value fits a schema that refers to nothing."""
    try:
        return bool(
            jsonschema_rs.is_valid({"$schema": DIALECT, **schema}, value, validate_formats=True)
        )
    except (ValueError, OverflowError):
        return False


def whole(text: str) -> int | None:
    """Return the whole number that a text is; None if it is none, or too long for one."""
    text = text.strip()
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else None
