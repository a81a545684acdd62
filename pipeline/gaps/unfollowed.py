"""Find what is confirmed in a way that no code can follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.openapi.documents import Document, Pointer, found
from pipeline.openapi.extensions import CLAIMS
from pipeline.openapi.model import DocumentModel, Schema
from pipeline.openapi.objects import as_dict, leaves
from pipeline.openapi.overlay.model import CONFIRMED, Change
from pipeline.openapi.problems import Finding
from pipeline.openapi.wording import field

_TEXTS: Final = frozenset(("description", "summary", "x-section"))
_FOLLOWED: Final = CLAIMS - {
    *("x-section", "x-sections", "x-gap", "x-enum-varnames", "x-extensible-enum"),
    "x-datetime-format",
}
"""The words by which a test server or a command acts; the others are types and texts."""

_SHOWN: Final = 3


def unfollowed(
    changes: Mapping[str, Sequence[Change]],
    documents: Mapping[str, Document],
    assumed: Mapping[str, Sequence[Change]],
    was: Mapping[str, Document],
) -> Iterator[Finding]:
    """Yield a note for each confirmed gap that has lost a word, for each that is only text, and for
    each object of another form.

    Where a word for a test server or a command was assumed and nothing is confirmed in its place,
    they fall back to a default. What a description alone says is read by people. Of an object, they
    know the members by their names.

    Args:
        assumed: the changes that assume what is confirmed now, by document.
        was: the documents with what was assumed of it.
    """
    yield from _formed_otherwise(changes, documents, was)
    confirmed: dict[str, list[Change]] = {}
    for made in changes.values():
        for change in made:
            if CONFIRMED in change.action.words and change.action.gap:
                confirmed.setdefault(change.action.gap, []).append(change)
    for gap, made in confirmed.items():
        before = [
            (name, pointer)
            for name, each in assumed.items()
            for change in each
            if change.action.gap == gap
            for pointer in leaves(change.action.update, change.pointer)
        ]
        lost = {
            field(pointer): None
            for name, pointer in before
            if {*pointer} & _FOLLOWED and found(documents[name].data, pointer) is None
        }
        pointers = [
            *(pointer for _, pointer in before),
            *(pointer for each in made for pointer in leaves(each.action.update, each.pointer)),
        ]
        if lost:
            text = (
                f"gap {gap} is confirmed without what was assumed of {_listed([*lost])}: a test"
                " server and a command fall back to a default; confirm it, too"
            )
        elif all(pointer[-1:] and pointer[-1] in _TEXTS for pointer in pointers):
            text = (
                f"gap {gap} is confirmed in words alone: the client's texts repeat them, and code"
                " follows none"
            )
        else:
            continue
        yield Finding(text, made[0].action.position, "gaps", "note")


def _formed_otherwise(
    changes: Mapping[str, Sequence[Change]],
    documents: Mapping[str, Document],
    was: Mapping[str, Document],
) -> Iterator[Finding]:
    """Yield a note for each confirmed gap by which an object has other members than was assumed."""
    for name, made in changes.items():
        then, now = DocumentModel(was[name]), DocumentModel(documents[name])
        for change in made if then.document is not now.document else ():
            if CONFIRMED not in change.action.words or change.kind != "update":
                continue
            for place in dict.fromkeys(_around(change)):
                old, new = _members(then, place), _members(now, place)
                if new and old is not None and {*old} != {*new}:
                    text = f"gap {change.action.gap} is confirmed in another form"
                    gone = _listed([each for each in old if each not in new])
                    # What a component is made of, a test server may know.
                    is_own = "$ref" not in as_dict(found(now.data, place))
                    added = _listed([each for each in new if is_own and each not in old])
                    if gone:
                        text += f"; a command finds nothing where it read {gone}"
                    if added:
                        text += f"; a test server gives {added} only where it stores that name"
                    if gone or added:
                        yield Finding(text, change.action.position, "gaps", "note")


def _around(change: Change) -> Iterator[Pointer]:
    """Yield the places of the items of lists that a change writes."""
    for leaf in leaves(change.action.update, change.pointer):
        for end in range(len(change.pointer), len(leaf) + 1):
            if leaf[end - 1 : end] == ("items",):
                yield leaf[:end]


def _members(model: DocumentModel, place: Pointer) -> Mapping[str, Any] | None:
    """Return the members of the schema at a place; None where there is none."""
    value = found(model.data, place)
    return None if value is None else model.members(Schema(place, value))


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"
