"""Names that a service has instead of those that a document has: of parameters, and of fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from pipeline.evidence.routes import Call
from pipeline.openapi.objects import members

_ENDS: Final = {
    "start": {"after", "begin", "begins", "first", "from", "gt", "gte", "min", "since", "start"},
    "end": {"before", "end", "ends", "last", "lt", "lte", "max", "till", "to", "until"},
}
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_DATE: Final = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]")
_NAMING: Final = ("field", "param", "parameter", "property", "path", "pointer", "name")
_LISTING: Final = frozenset(
    ("detail", "details", "errors", "fields", "invalid_params", "source", "violations")
)
_NO_NAMES: Final = frozenset({"base", "detail", "error", "general", "message", "non_field_errors"})
_NAME: Final = re.compile(r"[A-Za-z_$][\w$-]{0,47}")
# "The from field is required.", "`from` is missing", "Missing required query parameter: from"
_REQUIRED: Final = re.compile(
    r"""(?:^|[.;,:]\s*|\b[Tt]he\s+|\b(?:[Pp]arameter|[Ff]ield)\s+)["'`]?([\w$-]+)["'`]?
    \s+(?:(?:query\s+)?(?:field|parameter)\s+)?(?:is|must\s+be)\s+(?:required|missing|present|given)
    |[Mm]issing\s+(?:required\s+)?(?:query\s+)?(?:parameter|field)s?:?\s+["'`]?([\w$-]+)""",
    re.VERBOSE,
)


def named_in_refusal(call: Call) -> list[str]:
    """Return the names that a refusal gives reasons for, in their order.

    They are the keys of lists of texts (`{"name": ["Not so."]}`) or, in a member such as `errors`,
    of texts; what `field`, `loc` and the like have in objects there; and what a text calls
    required. A name with anything else, such as a code or a title, is the body's own.
    """
    names: list[str] = []

    def look(value: Any, around: str) -> None:
        if isinstance(value, str):
            names.extend(name for pair in _REQUIRED.findall(value) for name in pair)
        if isinstance(value, dict) and around in _LISTING and (name := _named_by(value)):
            names.append(name)
            return
        for key, inner in members(value):
            within = key if isinstance(key, str) else around
            listed = inner if isinstance(inner, list) else [inner] if around in _LISTING else []
            is_reason = isinstance(key, str) and {type(one) for one in listed} == {str}
            if is_reason and within not in _LISTING:
                names.append(within.partition(".")[0])  # of `ids.0`, an item
            else:
                look(inner, within)

    if 400 <= call.exchange.status < 500:
        look(call.exchange.response.value, "")
    fitting = (name for name in names if _NAME.fullmatch(name) and name not in _NO_NAMES)
    return list(dict.fromkeys(fitting))


def _named_by(error: Mapping[str, Any]) -> str:
    """Return the name in an error such as `{"field": "name", "message": "Not so."}`."""
    if isinstance(place := error.get("loc"), list) and place:
        return str(place[-1])
    texts = (error[key] for key in _NAMING if isinstance(error.get(key), str) and len(error) > 1)
    text = next(texts, str(error.get("parameter", "")))
    return text if " " in text else text.replace("/", ".").rpartition(".")[2]


def plain(name: str) -> str:
    """Return a name without what languages differ in: `group_id` and `groupId` are one."""
    return re.sub(r"[\W_]", "", name).lower()


def likeness(known: str, other: str, end: str = "") -> float:
    """Return how much two names mean the same, 0 to 2; below 0 for two ends of one range."""
    one, two = ({word.lower() for word in _WORD.findall(name)} for name in (known, other))
    ends = [{each for each, names in _ENDS.items() if names & words} for words in (one, two)]
    ends[0] = {end} if end else ends[0]
    if ends[0] and ends[1]:
        return 2.0 if ends[0] == ends[1] else -1.0
    if "".join(_WORD.findall(known)).lower() == "".join(_WORD.findall(other)).lower():
        return 1.0  # `user_name`, `userName` and `username`
    return len(one & two) / len(one | two) if one | two else 0.0


def paired(
    wanted: Mapping[str, Mapping[str, Any]],
    strange: Sequence[str],
    fits: Callable[[str, str], bool],
    values: Mapping[str, str],
    must: Iterable[str],
) -> dict[str, str]:
    """Return which strange name stands in the place of which parameter, where that can be told.

    By their words; then by their order, that of dates by time, if there are as many strange names
    as parameters without one.

    Args:
        wanted: parameters, by their names.
        fits: whether what a strange name has may be a parameter's value.
        values: what the strange names have, as far as it is known.
        must: the parameters that have to be there.
    """
    ranked = sorted(
        (-likeness(name, other, str(node.get("x-window", ""))), not fits(name, other), name, other)
        for name, node in wanted.items()
        for other in strange
    )
    found: dict[str, str] = {}
    for unlike, _, name, other in ranked:
        if unlike < 0 and name not in found and other not in found.values():
            found[name] = other
    left = [name for name in must if name in wanted and name not in found]
    others = [name for name in strange if name not in found.values()]
    if len(left) != len(others):
        others = [other for other in others if any(fits(name, other) for name in left)]
    if len(left) != len(others):
        return found
    if all(_DATE.match(values.get(other, "")) for other in others):
        others.sort(key=values.__getitem__)
    return found | dict(zip(left, others, strict=True))
