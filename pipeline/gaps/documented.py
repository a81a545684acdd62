"""Find what the document states itself by now, and what is to be dropped of each assumption."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pipeline.gaps.contradictions import PLACEHOLDER, WORDS, keeps
from pipeline.openapi.documents import Document, Pointer, found
from pipeline.openapi.overlay.model import ASSUMPTION, CONFIRMED, MISSING, Action, Change, drops
from pipeline.openapi.problems import Finding

_RANGE: Final = re.compile("([1-5])[0-9]{2}")
_CLOSED: Final = {"x-extensible-enum": ("enum", "const")}  # by what a document says otherwise


@dataclass(frozen=True)
class Documented:
    """A part of what an action assumes or confirms, and where the document says it.

    Attributes:
        path: the part, by its pointer from the value of `update`; () is all of it.
        target: the place that the action selects.
        pointer: the part's place in the document.
        is_other: the document says something else than is assumed.
    """

    action: Action
    path: Pointer
    target: Pointer
    pointer: Pointer
    is_other: bool

    def finding(self, document: Document) -> Finding:
        """Return what to report of it: where it is assumed, where it is documented, what to do."""
        names = [each for each in self.path if isinstance(each, str)]
        if not names and isinstance(self.action.update, Mapping):
            names = [", ".join(self.action.update)]
        does = "says otherwise" if self.is_other else "says it"
        is_known, gap = CONFIRMED in self.action.words, self.action.gap
        text = (
            f"{names[-1] if names else 'this'} is {'confirmed' if is_known else 'assumed'} here,"
            f" and the document {does} now at {document.at(self.pointer)}:"
            f" {'take it out here; then drop' if is_known else 'drop it here, and'} gap {gap} where"
            f" nothing is left of it; {drops(gap)}"
        )
        place = self.action.positions.get(self.path, self.action.position)
        drop = None if is_known else gap
        return Finding(text, place, "documented", pointer=self.pointer, drop=drop)


def documented(before: Document, changes: Iterable[Change]) -> list[Documented]:
    """Return what assumptions say again, by the document as it was before them; and confirmations
    that only add to lists what is there.
    """
    return [
        Documented(
            change.action,
            path,
            change.pointer,
            (*change.pointer, *_place(before, change.pointer, path)),
            is_other,
        )
        for change in changes
        if change.action.update is not MISSING
        for path, is_other in _said(change.action.update, found(before.data, change.pointer), ())
        if ASSUMPTION in change.action.words
        or (CONFIRMED in change.action.words and not (path or is_other) and _lists(change.action))
    ]


def _lists(action: Action) -> bool:
    """Return whether an action adds to a list."""
    waiting = [action.update]
    for each in waiting:  # which grows
        waiting += each.values() if isinstance(each, Mapping) else ()
    return any(isinstance(each, list) for each in waiting)


def _said(assumed: Any, stated: Any, at: Pointer) -> Iterator[tuple[Pointer, bool]]:
    """Yield the parts of a value that stand in another one, and whether otherwise.

    A value that an object repeats beside something new is no part of it: `type: array` beside
    `items`.
    """
    if isinstance(assumed, Mapping) and isinstance(stated, Mapping):
        if "$ref" in assumed and stated:
            yield at, assumed["$ref"] != stated.get("$ref")
            return
        if "$ref" in stated and any(key not in WORDS and key[:2] != "x-" for key in assumed):
            yield at, True
            return
        inner = {
            key: [*_said(value, stated[key], (*at, key))]
            if key in stated
            else [((*at, key), True)][: _is_answered(key, stated)]
            for key, value in assumed.items()
            if key not in WORDS
        }
        if inner and all([path for path, _ in each] == [(*at, key)] for key, each in inner.items()):
            yield at, any(other for each in inner.values() for _, other in each)
            return
        for key, each in inner.items():
            is_value = not isinstance(assumed[key], Mapping | list)
            yield from ((path, other) for path, other in each if other or not is_value)
        for key in assumed.keys() & stated.keys() & {*WORDS}:
            if assumed[key] == stated[key] or not keeps(stated[key], assumed[key]):
                yield (*at, key), assumed[key] != stated[key]
    elif isinstance(assumed, list):
        items = stated if isinstance(stated, list) else []
        same = [(*at, n) for n, each in enumerate(assumed) if _stands(each, items)]
        yield from ([(at, False)] if same and len(same) == len(assumed) else
                    [(path, False) for path in same])  # fmt: skip
    elif isinstance(stated, list):
        if assumed in stated:
            yield at, False
    elif stated is not None and not str(stated).startswith(PLACEHOLDER):
        yield at, assumed != stated


def _is_answered(key: str, stated: Mapping[str, Any]) -> bool:
    """Return whether an object says in another way what a member of it would.

    It names another success, beside a range or without one; or it closes a set of values.
    """
    if (status := _RANGE.fullmatch(key)) and status[1] == "2":
        return any(_RANGE.fullmatch(other) and other[0] == "2" for other in stated)
    return any(other in stated for other in _CLOSED.get(key, ()))


def _stands(item: Any, items: list[Any]) -> bool:
    """Return whether a list has an item; a parameter is known by its name and where it is sent."""
    if isinstance(item, Mapping) and {"name", "in"} <= item.keys():
        keys = ("name", "in")
        return any(isinstance(e, Mapping) and all(e.get(k) == item[k] for k in keys) for e in items)
    return item in items


def _place(before: Document, pointer: Pointer, path: Pointer) -> Pointer:
    """Return the place of a part in the document; an index there is not that of the action."""
    while path and found(before.data, (*pointer, *path)) is None:
        path = path[:-1]
    return path[:-1] if path and isinstance(path[-1], int) else path


def said_now(
    before: Document, changes: Iterable[Change], contradicted: Iterable[Finding]
) -> list[Finding]:
    """Return what to report of assumptions that the document states, but for contradictions."""
    reported = [finding.pointer or () for finding in contradicted]
    return list(
        dict.fromkeys(
            each.finding(before)
            for each in documented(before, changes)
            if not any(at[: len(each.pointer)] == each.pointer for at in reported)
        )
    )
