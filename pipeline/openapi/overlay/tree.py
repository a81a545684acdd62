"""A document that can be changed, in which every node keeps the place where it was written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.openapi.documents import Pointer, pointer_text
from pipeline.openapi.objects import members
from pipeline.openapi.overlay.model import MISSING, STAMPS, Edit
from pipeline.openapi.problems import Position
from pipeline.openapi.wording import typed


@dataclass(slots=True)
class Mark:
    """The position of a node and, keyed as its value is, the marks of what it holds."""

    position: Position | None
    inner: Any = field(default=None)


Marked = tuple[Any, Mark]
"""A value with its mark."""


class Refused(Exception):
    """An action that cannot be applied, with its place in the overlay."""

    def __init__(self, message: str, position: Position | None) -> None:
        super().__init__(message)
        self.position = position


class Mismatch(Refused):
    """A value that is not of the kind of the one into which it is merged."""


def fresh(value: Any, positions: Mapping[Pointer, Position], at: Pointer = ()) -> Marked:
    """Return a copy of a value, with its mark."""
    mark = Mark(positions.get(at))
    if isinstance(value, dict):
        data: Any = {}
        mark.inner = {}
        for key, member in value.items():
            data[key], mark.inner[key] = fresh(member, positions, (*at, key))
        return data, mark
    if isinstance(value, list):
        pairs = [fresh(member, positions, (*at, index)) for index, member in enumerate(value)]
        mark.inner = [inner for _, inner in pairs]
        return [member for member, _ in pairs], mark
    return value, mark


class Tree:
    """The working copy of a document; `edits` are the values that are not what they were."""

    def __init__(self, data: Any, positions: Mapping[Pointer, Position]) -> None:
        self.data, self.mark = fresh(data, positions)
        self.edits: list[Edit] = []

    def positions(self) -> dict[Pointer, Position]:
        """Return where each node was written."""
        positions: dict[Pointer, Position] = {}

        def flatten(mark: Mark, at: Pointer) -> None:
            if mark.position is not None:
                positions[at] = mark.position
            for key, inner in members(mark.inner):
                flatten(inner, (*at, key))

        flatten(self.mark, ())
        return positions

    def node(self, pointer: Pointer) -> Marked:
        """Return the node that a pointer leads to."""
        data, mark = self.data, self.mark
        for key in pointer:
            data, mark = data[key], mark.inner[key]
        return data, mark

    def standing(self, pointers: Iterable[Pointer]) -> list[Pointer]:
        """Return the pointers, each once, that still lead to a node."""
        standing = []
        for pointer in dict.fromkeys(pointers):
            try:
                self.node(pointer)
            except (KeyError, IndexError, TypeError):
                continue
            standing.append(pointer)
        return standing

    def remove(self, pointers: Iterable[Pointer]) -> None:
        """Remove nodes, none of them the root."""
        # Inner nodes before those around them, later items before earlier ones.
        for pointer in sorted(
            pointers,
            key=lambda path: (len(path), path[-1] if isinstance(path[-1], int) else 0),
            reverse=True,
        ):
            data, mark = self.node(pointer[:-1])
            self.edits.append(Edit(pointer, data[pointer[-1]], MISSING, None))
            del data[pointer[-1]], mark.inner[pointer[-1]]

    def replace(self, pointer: Pointer, value: Marked) -> None:
        """Put a value in the place of a node, which is not the root."""
        data, mark = self.node(pointer[:-1])
        self._edited(pointer, data[pointer[-1]], value)
        data[pointer[-1]], mark.inner[pointer[-1]] = value

    def _edited(self, pointer: Pointer, old: Any, new: Marked) -> None:
        value, mark = new
        if (typed(old), old) != (typed(value), value):  # in Python, True equals 1
            self.edits.append(Edit(pointer, old, value, mark.position))

    def append(self, pointer: Pointer, values: Sequence[Marked]) -> list[Pointer]:
        """Add values to an array, and return their pointers."""
        data, mark = self.node(pointer)
        before = list(data)
        data += [value for value, _ in values]
        mark.inner += [inner for _, inner in values]
        if values:
            self.edits.append(Edit(pointer, before, list(data), values[0][1].position))
        return [(*pointer, index) for index in range(len(before), len(data))]

    def merge(self, pointer: Pointer, value: Marked) -> None:
        """Merge an object, which is used up, into the one at a pointer.

        Arrays are put one after the other; any other new value takes the place of the old. Raises
        Refused for values of different kinds.
        """
        data, mark = self.node(pointer)
        for key, new in value[0].items():
            new_mark, at = value[1].inner[key], (*pointer, key)
            old = data.get(key)
            if isinstance(old, dict) and isinstance(new, dict):
                self.merge(at, (new, new_mark))
            elif key not in data:
                data[key], mark.inner[key] = new, new_mark
            elif isinstance(old, list) and isinstance(new, list):
                self.append(at, list(zip(new, new_mark.inner, strict=True)))
                if key in STAMPS.values():
                    self._settle(at)
            elif isinstance(old, dict | list) or isinstance(new, dict | list):
                raise mismatch(at, old, (new, new_mark))
            else:
                self._edited(at, old, (new, new_mark))
                data[key], mark.inner[key] = new, new_mark

    def _settle(self, pointer: Pointer) -> None:
        """Keep a stamp sorted, each gap once, when a copied one is added to it."""
        stamp, mark = self.node(pointer)
        places = dict(zip(stamp, mark.inner, strict=True))
        stamp[:] = sorted(places)
        mark.inner[:] = [places[gap] for gap in stamp]


def mismatch(pointer: Pointer, old: Any, new: Marked) -> Mismatch:
    """Return the error that two values are not of one kind."""
    value, mark = new
    text = f"{typed(value)} cannot be merged into {typed(old)} at {pointer_text(pointer)}"
    return Mismatch(text, mark.position)
