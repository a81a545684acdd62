"""The `x-` words: where each may stand, and what its value must be."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple

from pipeline.gaps import is_id
from pipeline.lint.wording import is_told

Test = Callable[[Any], bool]


class Word(NamedTuple):
    """A word of ours: the kinds of object that it may stand on, and what its value must be."""

    kinds: Collection[str] | None  # None: any
    must: str
    fits: Test


def is_codes(value: Any) -> bool:
    """Whether a value is an array of strings, or of integers, each once."""
    if not isinstance(value, list) or not value or len({type(item) for item in value}) > 1:
        return False
    return type(value[0]) in (str, int) and len(set(value)) == len(value)


def meant(key: str) -> str | None:
    """Return the word of ours that a misspelt one is next to."""
    for known in WORDS:
        if _distance(key, known) <= (1 if len(known) < 9 else 2):
            return known
    return None


def _distance(one: str, other: str) -> int:
    """Return the number of letters to add, drop, change or swap between two words."""
    if abs(len(one) - len(other)) > 2:
        return 3
    rows = [list(range(len(other) + 1))]
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2]:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]


def _matches(pattern: str) -> Test:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _each(fits: Test) -> Test:
    """An array, not an empty one, of what fits."""
    return lambda value: isinstance(value, list) and bool(value) and all(map(fits, value))


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_python_name(value: Any) -> bool:
    return isinstance(value, str) and value.isidentifier() and not keyword.iskeyword(value)


def _is_positive(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _has(needed: Mapping[str, Test], also: Mapping[str, Test] | None = None) -> Test:
    """An object with these members, and perhaps others that are known."""
    members = {**needed, **(also or {})}
    return lambda value: (
        isinstance(value, dict)
        and needed.keys() <= value.keys() <= members.keys()
        and all(members[name](item) for name, item in value.items())
    )


def _map(key: Test, item: Test) -> Test:
    """An object, not an empty one, of what fits."""
    return lambda value: (
        isinstance(value, dict)
        and bool(value)
        and all(key(name) and item(each) for name, each in value.items())
    )


def _is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, str | bool | int)


def _is_true(value: Any) -> bool:
    return value is True


def _is_given(value: Any) -> bool:
    """The name of an argument, or a list of one."""
    return _is_python_name(value[0] if isinstance(value, list) and len(value) == 1 else value)


def _is_seconds(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e9


def _is_paging(value: Any) -> bool:
    """One way to the next page at least; a page is asked for by number where numbers are told."""
    return _paging(value) and (
        ("page" in value) == ("current" in value) and ("next" in value or "page" in value)
    )


_is_path: Final = _matches(r"[^.\s]+(\.[^.\s]+)*")
_is_header: Final = _matches(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_is_rate: Final = _has(
    {
        "requests": _is_positive,
        "seconds": _is_seconds,
        **dict.fromkeys(("limit", "remaining", "reset"), _is_header),
    }
)
_paging: Final = _has(
    {"items": _is_path},
    {**dict.fromkeys(("next", "current", "last"), _is_path), "page": is_told},
)
_from: Final = _has(
    {"field": is_told},
    {"pick": is_told, "values": _is_true, "numbered": is_told, "loses": is_told},
)
_lost: Final = _has({"lost": is_told}, {"field": is_told})
_is_part: Final = _matches(r"[0-9]+(\.[0-9]+)*")
_are_ids: Final = _each(is_id)


def _are_parts(value: Any) -> bool:
    return isinstance(value, dict) and all(
        _is_part(key) and is_told(title) for key, title in value.items()
    )


WORDS: Final[Mapping[str, Word]] = {
    "x-sections": Word(
        {"document"}, "must be an object from numbers of parts to their titles", _are_parts
    ),
    "x-section": Word(
        {"operation", "schema", "parameter", "header", "response", "security scheme"},
        'must be the number of a part in quotes, such as "4.1"',
        _is_part,
    ),
    "x-gap": Word(
        None,
        "must be the id of a gap or an array of them",
        lambda value: is_id(value) or _are_ids(value),
    ),
    "x-gaps": Word({"document"}, "must be an object", _is_object),
    "x-assume": Word({"document"}, "must be an object", _is_object),
    "x-assumed": Word(None, "must be an array of ids of gaps", _are_ids),
    "x-confirmed": Word(None, "must be an array of ids of gaps", _are_ids),
    "x-enum-varnames": Word({"schema"}, "", lambda value: True),  # has rules of its own
    "x-extensible-enum": Word(
        {"schema"}, "must be an array of strings, or of integers, each once", is_codes
    ),
    "x-datetime-format": Word(
        {"schema"},
        "must be a date and time in the directives %Y %m %d %H %M %S %f %z",
        _matches(r"(?=.*%Y)(?=.*%m)(?=.*%d)([^%]|%[YmdHMSfz%])+"),
    ),
    "x-timezone": Word(
        {"schema"},
        "must be UTC or a zone such as Europe/Paris",
        _matches(r"UTC|[A-Z][A-Za-z_+-]*(/[A-Za-z0-9_+-]+)+"),
    ),
    "x-required-any": Word(
        {"operation"}, "must be an array of names of parameters", _each(is_told)
    ),
    "x-window-under-days": Word({"operation"}, "must be a number of days from 1", _is_positive),
    "x-window": Word({"parameter"}, "must be start or end", _matches("start|end")),
    "x-file-extensions": Word(
        {"schema"},
        "must be an array of extensions in lower case, without a dot",
        _each(_matches("[a-z0-9]+")),
    ),
    "x-max-size": Word({"schema"}, "must be a text such as 20 MB", is_told),
    "x-max-bytes": Word({"schema"}, "must be a number of bytes from 1", _is_positive),
    "x-python-name": Word(
        {"operation", "parameter", "schema"}, "must be a Python name", _is_python_name
    ),
    "x-python-resource": Word({"operation"}, "must be a Python name", _is_python_name),
    "x-retry-safety": Word(
        {"operation"}, "must be safe, idempotent or unsafe", _matches("safe|idempotent|unsafe")
    ),
    "x-keyed-by": Word({"schema"}, "must be the name of a property", is_told),
    "x-rate-limit": Word(
        {"document"},
        "must be an object with requests, seconds, and the headers limit, remaining and reset",
        _is_rate,
    ),
    "x-paging": Word(
        {"operation"},
        "must be an object with items, and next, or page and current; perhaps last",
        _is_paging,
    ),
    "x-batch": Word(
        {"operation"},
        "must be an object with of; perhaps size and key",
        _has({"of": is_told}, {"size": _is_positive, "key": is_told}),
    ),
    "x-split-window": Word(
        {"operation"}, "must be an object with key, a property", _has({"key": is_told})
    ),
    "x-read-modify-write": Word(
        {"operation"},
        "must be an object with name, a Python name, and read, an operationId",
        _has({"name": _is_python_name, "read": is_told}),
    ),
    "x-wait": Word(
        {"operation"},
        "must be an object with name, result and busy, paths with values; perhaps failed, summary",
        _has(
            {"name": _is_python_name, "result": _is_path, "busy": _map(_is_path, _is_scalar)},
            {"failed": _is_path, "summary": is_told},
        ),
    ),
    "x-wait-with": Word(
        {"operation"},
        "must be an object with operation, arguments, Python names with properties, and busy",
        _has({"operation": is_told, "arguments": _map(_is_python_name, is_told), "busy": _is_path}),
    ),
    "x-reconcile": Word(
        {"operation"},
        "must be an object with operation and arguments, Python names on both sides",
        _has({"operation": is_told, "arguments": _map(_is_python_name, _is_given)}),
    ),
    "x-arguments-of": Word(
        {"operation"},
        "must be an object with name, a Python name, and model, a schema",
        _has({"name": _is_python_name, "model": is_told}),
    ),
    "x-read-from": Word(
        {"schema"},
        "must be an object with field, perhaps pick, values, numbered, loses; or with lost",
        lambda value: _from(value) or _lost(value),
    ),
    "x-written-ignores": Word({"schema"}, "must be an array of properties", _each(is_told)),
    "x-warning": Word({"parameter"}, "must be a text", is_told),
    "x-error-field": Word({"schema"}, "must be a Python name", _is_python_name),
}
