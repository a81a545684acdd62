"""Numbers, lists and types as people read them."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from typing import Final

from social_publishing_sandbox.compiled import jsonschema_rs

TYPES: Final = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
"""The types of JSON in words."""

_IDENTIFIER: Final = "an identifier: a whole number of 64 bits, without leading zeros"
_FORMATS: Final = {
    "uint64": _IDENTIFIER,
    "date-time": "a date-time with its offset, such as 2026-12-01T09:00:00Z",
    "date": "a date, such as 2026-12-01",
    "iana-timezone": "the name of a time zone, such as Europe/Berlin",
    "uri": "an address, such as https://shop.example.com/opening",
    "email": "an email address",
}
_PATTERNS: Final = {
    "^[!-~]+$": "text of printable ASCII characters without spaces",
    "^(0|[1-9][0-9]{0,19})$": _IDENTIFIER,
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$": "a date and a time, like 2026-12-01T09:00",
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$": (
        "a date and a time, like 2026-12-01 09:00:00"
    ),
}


def counted(number: int, one: str, several: str | None = None) -> str:
    """Return a number with its noun: `1 item`, `2 items`, or `2 entries` by `several`."""
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def listed(words: Iterable[str]) -> str:
    """Return words in the order of the alphabet, separated by commas."""
    return ", ".join(sorted(words))


def either(words: Sequence[str]) -> str:
    """Join one word or more as a choice: `a`, `a or b`, `a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def rule(problem: jsonschema_rs.ValidationError) -> str | None:
    """Return the rule that a value breaks, such as `must be text`; None for one without words."""
    facts = problem.kind.as_dict()
    limit = facts.get("limit", 0)
    match problem.kind.name:
        case "type":
            wanted = sorted(facts["types"], key=lambda each: (each == "null", each))
            return f"must be {either([TYPES[each] for each in wanted])}"
        case "enum":
            return f"must be one of {', '.join(map(str, facts['options']))}"
        case "const":
            return f"must be {facts['expected_value']}"
        case "format":
            return f"must be {_FORMATS.get(facts['format'], 'a valid ' + facts['format'])}"
        case "pattern":
            return (
                "must be "
                f"{_PATTERNS.get(facts['pattern'], 'text that matches ' + facts['pattern'])}"
            )
        case "maxLength" | "maxItems" as kind:
            return f"may have at most {limit} {'characters' if kind == 'maxLength' else 'entries'}"
        case "minLength":
            return f"must have at least {counted(limit, 'character')}"
        case "minItems":
            return f"must have at least {counted(limit, 'entry', 'entries')}"
        case "minimum" | "maximum" as kind:
            return f"must be at {'least' if kind == 'minimum' else 'most'} {limit}"
        case "exclusiveMinimum" | "exclusiveMaximum" as kind:
            return f"must be {'more' if kind == 'exclusiveMinimum' else 'less'} than {limit}"
    return None


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence that asks for what was perhaps meant; empty for nothing."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def shown(value: object) -> str:
    """Return a value as an error shows it; cut if it is long."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    try:
        text = repr(value)
    except ValueError:  # Python writes no number of more than 4,300 digits
        text = f"a very long {type(value).__name__}"
    return text if len(text) <= 60 else text[:59] + "…"


def sentence(text: str) -> str:
    """Return a clause as a sentence."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"


def megabytes(size: int) -> str:
    """Return a limit in megabytes of 1,048,576 bytes (`upload.bytes`) if it is whole ones, else in
    bytes.
    """
    return f"{size >> 20} MB" if size and size % (1 << 20) == 0 else f"{size} bytes"
