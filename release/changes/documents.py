"""Two effective documents, compared place by place.

Levels are those of a caller in Python, who upgrades the client and the sandbox together. What may
be *sent* breaks callers when it narrows. What is *read* breaks them when it goes away or turns into
something else, and less often than elsewhere: whatever the client reads may be absent or null, and
codes are open. A name on the wire that the client keeps to itself breaks nobody who uses it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pipeline.openapi.objects import stripped
from release.changes.change import Change, Level, listed
from release.changes.change import Kind as Topic
from release.changes.places import ABILITIES, LIMITS, METHODS, Key, Kind, Place, places

# What it means that a place is new, and that it is gone.
_PRESENCE: Final[Mapping[Kind, tuple[Level, Level]]] = {
    "document": ("feature", "breaking"),
    "operation": ("feature", "breaking"),
    "argument": ("feature", "breaking"),
    "field": ("feature", "breaking"),
    "body": ("feature", "breaking"),
    "response": ("patch", "breaking"),
    "header": ("feature", "breaking"),
    "status": ("patch", "patch"),
}
_PYTHON_FORMATS: Final = frozenset({"binary", "byte", "date", "date-time", "duration", "time"})
_OPEN: Final = frozenset[str]()  # what is needed of a caller whom nobody asks who it is


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Return what differs between the documents of two revisions.

    Returns:
        Changes, each at one place.
    """
    changes: list[Change] = []
    for name in sorted(before.keys() | after.keys()):
        sides = (places(name, side[name]) if name in side else {} for side in (before, after))
        changes += _differences(*sides)
    return changes


def _differences(before: Mapping[Key, Place], after: Mapping[Key, Place]) -> Iterator[Change]:
    both = before.keys() & after.keys()
    for key in sorted(before.keys() | after.keys()):
        if key in both:
            yield from _changed(before[key], after[key])
            continue
        place = after.get(key) or before[key]
        if place.kind != "value" and (place.around is None or place.around in both):
            level = _PRESENCE[place.kind][key in before]
            needed = key in after and place.sent and place.rules.get("required")
            sentence = "is gone" if key in before else f"is new{', and needed' if needed else ''}"
            yield _change("breaking" if needed else level, "presence", sentence, place, place)


def _changed(before: Place, after: Place) -> Iterator[Change]:
    """Yield what holds otherwise at a place; if nothing does, that its values have other names, or
    that it is described otherwise.
    """
    found = [
        _change(level, word, sentence, before, after)
        for word in sorted(before.rules.keys() | after.rules.keys())
        if before.rules.get(word) != after.rules.get(word)
        for level, sentence in _judged(
            word, before.rules.get(word), after.rules.get(word), after.sent
        )
    ]
    if not found and before.words != after.words:
        was, now = (stripped(each.words, ("x-enum-varnames",)) for each in (before, after))
        sentence = "has values with other names" if was == now else "has another description"
        found = [_change("patch", "text", sentence, before, after)]
    yield from found


def _change(level: Level, word: str, sentence: str, before: Place, after: Place) -> Change:
    marks = before.marks | after.marks
    if after.kind in ("document", "operation"):  # which have many: those that are decided anew
        marks = before.marks ^ after.marks
    about = after.python_names
    if word == "values":
        about |= {f"{each}.*" for each in (*about, after.code) if each}
    gaps = tuple(sorted({gap for _, gap in marks}))
    kind: Topic = "deprecated" if word == "deprecated" and after.rules.get(word) else ""
    return Change(level, (after.shown,), sentence, gaps, about, kind)


def _judged(word: str, was: Any, now: Any, sent: bool) -> Iterator[tuple[Level, str]]:
    """Yield the release level and the sentence of each change of a word."""
    if word == "values":
        yield from _values(was or (None, False), now or (None, False), sent)
    elif word == "type":
        words = " or ".join(sorted(now)) or "anything", " or ".join(sorted(was)) or "anything"
        sentence = f"{'takes' if sent else 'comes as'} {words[0]} (was {words[1]})"
        yield _type(was, now, sent), sentence
    elif word == "null":
        sentence = "may be null" if now else f"{'must not be' if sent else 'is never'} null"
        yield ("feature" if now else "breaking") if sent else "patch", sentence
    elif word == "required" and sent:
        yield ("breaking", "is now required") if now else ("feature", "is no longer required")
    elif word == "required":
        yield "patch", "is always there" if now else "may be missing"
    elif word == "deprecated":
        yield ("feature", "is deprecated") if now else ("patch", "is no longer deprecated")
    elif word == "any of":
        wider = not now or (was and set(was) < set(now))
        sentence = f"needs one of {_said(now)} now" if now else "needs none of its arguments now"
        yield "feature" if wider else "breaking", sentence
    elif word == "security":
        wider = _OPEN in now or was < now
        sentence = "accepts other credentials, or none"
        other = "asks for other credentials"
        yield ("feature", sentence) if wider else ("breaking", other)
    elif word.startswith("credentials "):
        if was and now:
            yield "breaking", "asks for other credentials"
    elif word == "shape":
        yield "breaking", "has another shape"
    elif word == "making":
        yield "patch", "is serialized in another way"
    elif word == "retries":
        yield "patch", "is retried in other cases"
    elif word.startswith("x-assume "):
        yield "patch", f"has another assumption about `{word.split()[1]}` for the sandbox"
    elif word in ABILITIES or word in METHODS:
        yield from _ability(word, was, now)
    else:
        yield _level(word, was, now, sent), _limited(word, was, now, sent)


_PHRASES: Final = {**LIMITS, "in one request": "at most {} items in one request"}


def _limited(word: str, was: Any, now: Any, sent: bool) -> str:
    """Return the sentence of a limit, a name on the wire, or another value that is another one."""
    if word == "wire name":
        return f"is {'sent as' if sent else 'read from'} {_said(now)} now (was {_said(was)})"
    phrase = _PHRASES.get(word)
    if phrase is None:
        before = "" if was is None else f" (was {_said(was)})"
        return f"has {'no' if now is None else 'the'} {word}" + (
            f" any more{before}" if now is None else f" {_said(now)} now{before}"
        )
    verb = "sends" if word == "in one request" else "takes" if sent else "has"
    limit, value = (each if isinstance(each, int | float) else _said(each) for each in (was, now))
    if now is None:
        phrase = phrase.removeprefix("at most ").removeprefix("only ")
        return f"is no longer limited to {phrase.format(limit)}"
    return f"{verb} {phrase.format(value)} now" + ("" if was is None else f" (was {limit})")


def _type(was: set[str], now: set[str], sent: bool) -> Level:
    narrow, wide = (was, now) if sent else (now, was)
    implied = wide | ({"integer"} if "number" in wide else set())
    if not wide or (narrow and narrow <= implied):
        return "feature" if sent else "patch"
    return "breaking"


def _values(
    was: tuple[list[Any] | None, bool], now: tuple[list[Any] | None, bool], sent: bool
) -> Iterator[tuple[Level, str]]:
    """Yield what changes in the values of a code: which are known, and whether it has others."""
    (before, was_open), (after, is_open) = was, now
    added = [value for value in after or () if value not in (before or ())]
    gone = [value for value in before or () if value not in (after or ())]
    was_closed, is_closed = before is not None and not was_open, after is not None and not is_open
    if sent and is_closed and not was_closed:
        yield "breaking", f"takes only {_said(after)} now"
    elif sent and was_closed and not is_closed:
        yield "feature", f"takes other values than {_said(before)}, too"
    elif added or gone:
        if added:
            yield "feature", f"knows {_said(added)}, too"
        if gone:
            yield "breaking" if sent and is_closed else "patch", f"knows {_said(gone)} no more"


def _ability(word: str, was: Any, now: Any) -> Iterator[tuple[Level, str]]:
    if was and now and (word in ABILITIES or was["name"] == now["name"]):
        yield "patch", f"offers {_offered(word, now)} in another way"
        return
    if was:
        yield "breaking", f"offers {_offered(word, was)} no more"
    if now:
        yield "feature", f"offers {_offered(word, now)}"


def _offered(word: str, value: Any) -> str:
    return ABILITIES.get(word) or f"the method `{value['name']}`"


def _level(word: str, was: Any, now: Any, sent: bool) -> Level:
    """Return the release level of a changed value."""
    if word == "default":
        return "breaking" if sent and was and now else "patch"
    if word == "format":
        return "breaking" if {was, now} & _PYTHON_FORMATS else "patch"
    if not sent or word not in LIMITS:
        return "patch"
    if now is None:
        return "feature"
    if was is None or word in ("pattern", "multipleOf", "uniqueItems"):
        return "breaking"
    if isinstance(now, list):
        return "feature" if {*was} <= {*now} else "breaking"
    if isinstance(now, str):
        return "breaking"
    return "feature" if (was > now) == ("min" in word.lower()) else "breaking"


def _said(value: Any) -> str:
    if isinstance(value, list):
        return listed([_said(each) for each in value], most=None) or "none"
    text = value if isinstance(value, str) else json.dumps(value)
    return "none" if value is None else f"`{text}`"
