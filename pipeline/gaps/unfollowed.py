"""Find what is confirmed in a way that no code can follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.openapi.documents import Document, Pointer, found
from pipeline.openapi.extensions import CLAIMS
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
) -> Iterator[Finding]:
    """Yield a note for each confirmed gap that has lost a word, and for each that is only text.

    Where a word for a test server or a command was assumed and nothing is confirmed in its place,
    they fall back to a default. What a description alone says is read by people.

    Args:
        assumed: the changes that assume what is confirmed now, by document.
    """
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
            for pointer in _leaves(change.action.update, change.pointer)
        ]
        lost = {
            field(pointer): None
            for name, pointer in before
            if _is_followed(pointer) and found(documents[name].data, pointer) is None
        }
        pointers = [
            *(pointer for _, pointer in before),
            *(pointer for each in made for pointer in _leaves(each.action.update, each.pointer)),
        ]
        if lost:
            more = f" and {len(lost) - _SHOWN} more" if len(lost) > _SHOWN else ""
            text = (
                f"gap {gap} is confirmed without what was assumed of"
                f" {', '.join([*lost][:_SHOWN])}{more}: a test server and a command fall back to a"
                " default; confirm it, too"
            )
        elif all(pointer[-1:] and pointer[-1] in _TEXTS for pointer in pointers):
            text = (
                f"gap {gap} is confirmed in words alone: the client's texts repeat them, and code"
                " follows none"
            )
        else:
            continue
        yield Finding(text, made[0].action.position, "gaps", "note")


def _is_followed(pointer: Pointer) -> bool:
    """Return whether a place is in a word by which code acts."""
    return any(part in _FOLLOWED for part in pointer)


def _leaves(value: Any, at: Pointer) -> Iterator[Pointer]:
    if not isinstance(value, dict) or not value:
        yield at
        return
    for key, member in value.items():
        yield from _leaves(member, (*at, key))
