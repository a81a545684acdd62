"""A document that is being changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.lint.run import Run
from pipeline.openapi.documents import Document, Pointer, copied, found
from pipeline.openapi.objects import as_dict
from pipeline.openapi.problems import Finding, Position


class Revision:
    """A copy of a document, which steps change in place; notes say what was changed, and where."""

    def __init__(self, document: Document) -> None:
        self.data: Any = copied(document.data)
        self.notes: list[Finding] = []
        self._original = document
        self._positions = document.positions
        self._run: Run | None = None

    @property
    def run(self) -> Run:
        """The document as rules of the lint see it, as it is now."""
        if self._run is None:
            self._run = Run(self.document)
        return self._run

    @property
    def document(self) -> Document:
        """The document as it is now."""
        return Document(self._original.name, self.data, self._positions)

    def note(
        self,
        pointer: Pointer,
        message: str,
        rule: str,
        about: Pointer | None = None,
        update: Any = None,
        loses: bool = False,
    ) -> None:
        """Say what was changed, with the line of a place; what is missed may be another one.

        Args:
            update: what an overlay would write there.
            loses: whether an operation, a parameter or a type is gone.
        """
        place = pointer if about is None else about
        at = self.document.at(pointer)
        self.notes.append(Finding(message, at, rule, "note", place, update=update, loses=loses))
        self.changed()

    def leave_out(
        self, pointer: Pointer, message: str, rule: str, place: Pointer | None = None
    ) -> None:
        """Say what is wrong, and remove it, or what is at a place around it."""
        self.note(pointer, f"{message}; left out", rule)
        self.remove(pointer if place is None else place)

    def changed(self) -> None:
        """Forget what was known about the document as it was."""
        self._run = None

    def remove(self, pointer: Pointer) -> bool:
        """Remove a member of an object or an item of a list; say whether it was still there."""
        *around, key = pointer
        holder = found(self.data, tuple(around))
        if isinstance(holder, list) and isinstance(key, int) and key < len(holder):
            del holder[key]
            self._positions = _without(self._positions, tuple(around), key)
            return True
        is_there = str(key) in as_dict(holder)
        as_dict(holder).pop(str(key), None)
        return is_there


def _without(
    positions: Mapping[Pointer, Position], around: Pointer, index: int
) -> Mapping[Pointer, Position]:
    """Return positions after an item of a list is gone."""
    depth = len(around)
    kept = {}
    for place, position in positions.items():
        at = place[depth] if place[:depth] == around and len(place) > depth else None
        if isinstance(at, int) and at >= index:
            if at == index:
                continue
            place = (*around, at - 1, *place[depth + 1 :])
        kept[place] = position
    return kept
