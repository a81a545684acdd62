"""Find where documents and overlays name gaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.openapi.documents import Document, Pointer
from pipeline.openapi.overlay.applying import marks
from pipeline.openapi.overlay.model import CONFIRMED, MISSING, Action, Change


@dataclass(frozen=True)
class Use:
    """The gaps of one effective document, by their ids: the changes that fill each, in their order.

    `marked` are the pointers of the nodes that carry `x-gap`, in the document's order. What is
    confirmed to be gone fills the gaps of nothing else, too.
    """

    filled: Mapping[str, tuple[Change, ...]]
    marked: Mapping[str, tuple[Pointer, ...]]


def use(document: Document, changes: Sequence[Change]) -> Use:
    """Return what a document, to which the changes were made, has to do with gaps."""
    filled: dict[str, tuple[Change, ...]] = {}
    marked: dict[str, tuple[Pointer, ...]] = {}
    for change in changes:
        if change.action.gap is not None:
            filled[change.action.gap] = (*filled.get(change.action.gap, ()), change)
    for pointer, node in objects(document.data):
        for id in ids(node.get("x-gap")):
            marked[id] = (*marked.get(id, ()), pointer)
    for change in changes:
        if CONFIRMED in change.action.words and change.kind == "remove":
            removed = [edit.old for edit in change.edits if edit.new is MISSING]
            for id in sorted(set().union(*map(marks, removed)) - marked.keys() - filled.keys()):
                filled[id] = (change,)
    return Use(filled, marked)


def uses(
    documents: Mapping[str, Document], changes: Mapping[str, Sequence[Change]]
) -> dict[str, Use]:
    """Return the same for several documents, by their names."""
    return {name: use(document, changes.get(name, ())) for name, document in documents.items()}


def actions(changes: Iterable[Change]) -> list[Action]:
    """Return the actions of changes, each once."""
    distinct: list[Action] = []
    for change in changes:
        if not any(action is change.action for action in distinct):
            distinct.append(change.action)
    return distinct


def ids(word: Any) -> list[str]:
    """Return the gaps that an `x-gap` names."""
    listed = word if isinstance(word, list) else [word]
    return [id for id in listed if isinstance(id, str)]


def objects(value: Any, at: Pointer = ()) -> Iterator[tuple[Pointer, dict[str, Any]]]:
    """Yield every object of a document, those inside extensions excepted."""
    if isinstance(value, dict):
        yield at, value
        for key, member in value.items():
            if isinstance(member, (dict, list)) and not key.startswith("x-"):
                yield from objects(member, (*at, key))
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from objects(member, (*at, index))
