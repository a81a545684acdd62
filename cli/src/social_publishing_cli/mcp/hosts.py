"""What programs of assistants send in other forms than the tools' definitions ask for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from .results import Problem

if TYPE_CHECKING:
    from jsonschema import ValidationError  # type: ignore[import-untyped]

HALF = "\uffff"  # no character; stands for half of one that was sent
_HALF = re.compile(r"\\\\|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F]..)")
_INTEGER = re.compile(r"\s*(-?[0-9]{1,18})(?:\.0+)?\s*")
_FLAGS = {"true": True, "false": False}


def whole(line: str) -> str:
    """Return a line of JSON in which each half of a character is `HALF`: the rest can be read."""
    return _HALF.sub(lambda match: HALF if match[1] else match[0], line)


def arguments_of(
    sent: Mapping[str, Any], schema: Mapping[str, Any], nulls: dict[str, None] | None = None
) -> dict[str, Any]:
    """Return the arguments of a call as the tool's schema asks for them, where it is sure.

    Null, and an empty text, stand for what was left out. A list may come as text or as its only
    entry, a number or a flag as text, a whole number with a fraction of zero, and an identifier as
    a number.

    Args:
        nulls: Gets the name of each field that null left out of an object.

    Raises:
        Problem: There is half of a character in them: half of a text is lost.
    """
    text = json.dumps(sent, ensure_ascii=False, default=str)
    if HALF in text or not _is_encodable(text):
        raise Problem(
            "An argument has half of a character in it (a lone surrogate, such as \\ud83d). "
            "Nothing was done: send the whole text again."
        )
    known, nulls = schema.get("properties", {}), {} if nulls is None else nulls
    return {
        name: _fitting(value, known.get(name, {}), nulls)
        for name, value in sent.items()
        if value is not None and not (isinstance(value, str) and not value.strip())
    }


def unfit(error: ValidationError) -> str:
    """Say what of an argument does not fit its schema, and what to do."""
    place = ".".join(map(str, error.absolute_path)) or "arguments"
    return f"{place}: {_reason(error)}"


def _reason(error: ValidationError) -> str:
    wanted, sent, schema = error.validator_value, error.instance, error.schema
    match error.validator:
        case "additionalProperties":
            known, forms = schema["properties"], schema.get("patternProperties", {})
            none = [n for n in sent if n not in known and not any(re.search(f, n) for f in forms)]
            meant = {name: get_close_matches(name, known, 1) for name in none}
            told = [f"{n} (did you mean {near[0]}?)" if near else n for n, near in meant.items()]
            return f"there is no {', '.join(told)[:200]}; there are {', '.join(known)}"
        case "maxItems":
            return f"has {len(sent)} entries, and may have {wanted}: make several calls"
        case "minItems":
            return "is empty"
        case "minProperties":
            return f"needs {', '.join(schema['required'])} and what to change"
        case "required":
            return f"{', '.join(each for each in wanted if each not in sent)} is missing"
    return str(error.message)[:200]


def _is_encodable(text: str) -> bool:
    try:
        return bool(text.encode())
    except UnicodeEncodeError:
        return False


def _fitting(value: Any, schema: Mapping[str, Any], nulls: dict[str, None]) -> Any:
    kind = schema.get("type")
    if isinstance(value, str) and kind in ("array", "object"):
        value = _read(value)
    if kind == "array":
        entries = schema.get("items", {})
        if isinstance(value, str) and entries.get("type") == "string":
            value = [each for each in re.split(r"[,\s]+", value) if each]
        listed = value if isinstance(value, list) else [value]
        return [_fitting(each, entries, nulls) for each in listed if each is not None]
    if kind == "object" and isinstance(value, dict):
        known = schema.get("properties", {})
        fitting = {n: _fitting(each, known.get(n, {}), nulls) for n, each in value.items()}
        nulls |= {name: None for name, each in fitting.items() if each is None}
        return {name: each for name, each in fitting.items() if each is not None}
    if kind == "integer":
        if isinstance(value, float) and value.is_integer():
            return int(value)
        number = _INTEGER.fullmatch(value) if isinstance(value, str) else None
        return int(number[1]) if number else value
    if kind == "boolean" and isinstance(value, str):
        return _FLAGS.get(value.strip().lower(), value)
    if kind == "string" and "pattern" in schema:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return str(value) if is_number else value.strip() if isinstance(value, str) else value
    if "enum" in schema and isinstance(value, str):
        spelled = {str(choice).lower(): choice for choice in schema["enum"]}
        return spelled.get(value.strip().lower(), value)
    return value


def _read(text: str) -> Any:
    """Return what a text of JSON holds, or the text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
