"""The rows of the register: each gap with its decision, its reasons and its places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from pipeline.gaps.register import Gap, Register
from pipeline.gaps.uses import actions, use, uses
from pipeline.openapi.documents import Document, Pointer, pointer_text, seen_from
from pipeline.openapi.overlay.model import ASSUMPTION, CONFIRMED, Action, Change

_T = TypeVar("_T")
State = Literal["assumed", "confirmed", "open", "undecided"]


@dataclass(frozen=True)
class Row:
    """A gap as people read it: actions with their files, places with their documents."""

    gap: Gap
    state: State
    decision: str
    actions: tuple[tuple[str, str], ...]
    places: tuple[tuple[str, str], ...]


def rows(
    register: Register,
    documents: Mapping[str, Document],
    changes: Mapping[str, Sequence[Change]],
    root: Path,
) -> list[Row]:
    """Return the gaps of a register, with files as they are called from the folder `root`."""
    by_document = uses(documents, changes)
    shown = []
    for gap in register.gaps:
        filling = [
            change for used in by_document.values() for change in used.filled.get(gap.id, ())
        ]
        filled_by = actions(filling)
        words = _reasons(gap, filled_by)
        state: State
        if "evidence" in words:
            state, decision = "confirmed", f"confirmed: {words['evidence']}"
        elif filled_by:
            state, decision = "assumed", f"assumed ({words['basis']}): {words['because']}"
        elif gap.decision == "open":
            state, decision = "open", f"open: {gap.because}"
        else:
            state, decision = "undecided", "no action fills it"
        places = [
            (name, pointer_text(pointer))
            for name, used in by_document.items()
            for pointer in (
                map(_landing, used.filled[gap.id])
                if gap.id in used.filled
                else used.marked.get(gap.id, ())
            )
        ]
        targets = [(seen_from(root, action.overlay), action.target) for action in filled_by]
        shown.append(Row(gap, state, decision, _once(targets), _once(places)))
    return shown


def embed(
    register: Register, document: Document, changes: Sequence[Change]
) -> dict[str, dict[str, str]]:
    """Return what goes into an effective document's root as `x-gaps`, in the register's order.

    It holds the gaps that the document is marked with or that were filled in it, and for each
    `section`, `missing`, `decision`, and the `because` with the `basis` of an assumption, or the
    `evidence` of what is confirmed.
    """
    used = use(document, changes)
    entries = {}
    for gap in register.gaps:
        if gap.id in used.filled or gap.id in used.marked:
            words = _reasons(gap, actions(used.filled.get(gap.id, ())))
            entries[gap.id] = {
                "section": gap.section,
                "missing": gap.missing,
                "decision": gap.decision,
                **{key: words[key] for key in ("basis", "because", "evidence") if words.get(key)},
            }
    return entries


def _reasons(gap: Gap, filled_by: Sequence[Action]) -> dict[str, str]:
    """Return why a gap is filled as it is: `because` with the `basis`, or the `evidence` alone."""
    known = [action.words[CONFIRMED] for action in filled_by if CONFIRMED in action.words]
    if known:
        return {"evidence": _joined(known, "evidence")}
    assumed = [action.words[ASSUMPTION] for action in filled_by if ASSUMPTION in action.words]
    if assumed:
        basis = ", ".join(_once(word["basis"] for word in assumed))
        return {"basis": basis, "because": _joined(assumed, "because")}
    return {"because": gap.because}


def _joined(words: Iterable[Mapping[str, str]], key: str) -> str:
    return " ".join(_once(" ".join(word[key].split()) for word in words))


def _once(items: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(items))


def _landing(change: Change) -> Pointer:
    """Return where a change ends up: inside the changed node, as far as one path leads."""
    pointer, value = change.pointer, change.action.update
    while (
        change.kind == "update"
        and isinstance(value, dict)
        and len(value) == 1
        and "$ref" not in value
    ):
        key, value = next(iter(value.items()))
        pointer = (*pointer, key)
    return pointer
