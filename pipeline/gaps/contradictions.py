"""Find assumptions that contradict what a document states, and what is said twice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.gaps.uses import ids
from pipeline.openapi.documents import Document, Pointer, found, pointer_text
from pipeline.openapi.objects import as_dict, kind_at, leaves
from pipeline.openapi.overlay.model import (
    ASSUMPTION,
    CONFIRMED,
    MISSING,
    STAMPS,
    Action,
    Change,
    Edit,
    drops,
)
from pipeline.openapi.problems import Finding, in_order
from pipeline.openapi.wording import brief

PLACEHOLDER: Final = "gap."
"""The prefix of the name of a parameter, property or header until an overlay names it."""

WORDS: Final = ("description", "summary")  # may be made more exact
_OPEN: Final = "not documented"  # what a text says of what an assumption may say


def contradictions(
    documents: Mapping[str, Document], changes: Mapping[str, Sequence[Change]]
) -> list[Finding]:
    """Return what assumptions change or remove; an assumption may only add, and what is confirmed
    may only change what is not confirmed.

    Text that describes may say more, and a placeholder may be replaced. A list may grow; a list of
    types only where the node says, by `x-gap`, that the type is not all that is documented.
    """
    findings = [
        finding
        for name, made in changes.items()
        for finding in (*_of_document(documents[name], made), *_of_confirmed(documents[name], made))
    ]
    return in_order(dict.fromkeys(findings))


def _of_document(document: Document, changes: Iterable[Change]) -> Iterator[Finding]:
    filled: dict[tuple[str | None, Pointer], Action] = {}
    written: dict[Pointer, Action] = {}
    for change in changes:
        action = change.action
        if ASSUMPTION not in action.words:
            continue
        changed = dict.fromkeys(leaves(action.update, change.pointer), action)
        # The root of a document has a word of many gaps, and an operation many errors of one gap.
        places = [change.pointer] if change.pointer else [*changed]
        if kind_at(change.pointer) == "responses":
            statuses = as_dict(action.update)
            places = [(*change.pointer, "2XX" if each[:1] == "2" else each) for each in statuses]
        firsts = {at: filled.setdefault((action.gap, at), action) for at in places}
        twice = next((at for at, first in firsts.items() if first is not action), None)
        if twice is not None:
            text = (
                f"target {action.target}: gap {action.gap} is assumed here, and for the same place"
                f" at {firsts[twice].position}: take one of the two out"
            )
            yield Finding(text, action.position, "twice")
        for edit in change.edits:
            other = written.get(edit.pointer)
            said = _against(edit, other, document, action)
            if said and not (twice is not None and other):
                text = f"target {action.target}: {said}"
                place = edit.position or action.position
                gap = None if other else action.gap
                yield Finding(text, place, "contradiction", pointer=edit.pointer, drop=gap)
        written |= changed


def _of_confirmed(document: Document, changes: Iterable[Change]) -> Iterator[Finding]:
    """Yield what one confirmed action takes back of another."""
    written: dict[Pointer, Action] = {}
    for change in changes:
        action = change.action
        if CONFIRMED not in action.words:
            continue
        for edit in change.edits:
            first = written.get(edit.pointer)
            if first in (None, action) or edit.old == edit.new or _adds(edit, document, action.gap):
                continue
            if edit.pointer[-1] in WORDS and first.gap != action.gap:
                continue  # two gaps of one node, each with a text of its own
            text = (
                f"target {action.target}: {_done(edit)}, which {first.position} confirms for gap"
                f" {first.gap}: take one of the two out"
            )
            yield Finding(text, edit.position or action.position, "twice")
        written |= dict.fromkeys(leaves(action.update, change.pointer), action)


def _done(edit: Edit) -> str:
    """Return what an edit does, and where."""
    done = f"removes {_shown(edit.old)}"
    if edit.new is not MISSING:
        done = f"changes {_shown(edit.old)} to {_shown(edit.new)}"
    return f"{done} at {pointer_text(edit.pointer)}"


def _against(edit: Edit, other: Action | None, document: Document, action: Action) -> str:
    """Return what to report of an edit that changes what is stated or assumed."""
    done = _done(edit)
    if _adds(edit, document, action.gap):
        return ""
    if other is not None:
        where = f"{other.position} assumes for gap {other.gap}"
        return f"{done}, which {where}: take one of the two out"
    return (
        f"an assumption adds, and this one {done}; only a confirmed overlay may. If the document is"
        f" right by now, drop what is assumed: {drops(action.gap)}"
    )


def _adds(edit: Edit, document: Document, gap: str | None) -> bool:
    """Return whether an edit leaves everything true that was stated before."""
    key = edit.pointer[-1] if edit.pointer else ""
    if edit.new is MISSING:
        return False
    if key in STAMPS.values():
        return True
    around = as_dict(found(document.data, edit.pointer[:-1]))
    if isinstance(edit.old, list) and isinstance(edit.new, list):
        grows = edit.new[: len(edit.old)] == edit.old
        return grows and (key != "type" or gap in ids(around.get("x-gap")))
    is_text = isinstance(edit.old, str) and isinstance(edit.new, str)
    if not is_text:
        return False
    if key in WORDS:  # beside a reference, this is what is reported
        return "$ref" in around or keeps(edit.old, edit.new)
    return str(edit.old).startswith(PLACEHOLDER)


def keeps(stated: str, assumed: str) -> bool:
    """Return whether a text says all that another one does, or what that leaves open."""
    words = [{*re.findall(r"\w+", text.lower())} for text in (stated, assumed)]
    return words[0] <= words[1] or _OPEN in stated


def _shown(value: Any) -> str:
    """Return a value for a sentence; lists of names as JSON, too."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return json.dumps(value, ensure_ascii=False)
    return brief(value)
