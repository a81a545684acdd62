"""Overlays, their actions, and the changes that they make."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pipeline.openapi.documents import Pointer, pointer_text
from pipeline.openapi.problems import Position
from pipeline.openapi.wording import as_typed, on_one_line

Kind = Literal["update", "remove", "copy"]
BASES: Final = ("seen", "analogy", "convention")
ASSUMPTION: Final = "x-assumption"
CONFIRMED: Final = "x-confirmed"
STAMPS: Final = {ASSUMPTION: "x-assumed", CONFIRMED: "x-confirmed"}
MARKS: Final = (*STAMPS.values(), "x-gap")  # the words by which a node names its gaps


def drops(*gaps: str | None) -> str:
    """Return which command drops what is assumed of gaps."""
    options = "".join(f" --drop-assumed {gap}" for gap in gaps)
    return f"`{as_typed('generate', options)}` does so"


class _Missing(enum.Enum):
    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing.MISSING
"""The `update` of an action that has none; an `update` of null is None."""


@dataclass(frozen=True)
class Action:
    """One change; a reference to a reusable action is already resolved.

    `words` are its `x-` members. `positions` says where the value of `update` (of `copy`) and the
    nodes inside it are written, by their pointers from that value.
    """

    target: str
    update: Any
    remove: bool
    copy: str | None
    description: str
    words: Mapping[str, Any]
    position: Position
    overlay: str
    positions: Mapping[Pointer, Position]
    version: tuple[int, int]

    @property
    def kind(self) -> Kind | None:
        """Return what the action does; None if it does nothing."""
        if self.remove:
            return "remove"
        if self.copy is not None:
            return "copy"
        return None if self.update is MISSING else "update"

    @property
    def gap(self) -> str | None:
        """Return the gap that the action fills, by assumption or by knowledge."""
        word = self.words.get(ASSUMPTION) or self.words.get(CONFIRMED)
        return word["gap"] if word else None


@dataclass(frozen=True)
class Overlay:
    """A checked overlay file.

    `extends` is the URI of the document that the overlay is for, resolved against `$self` or the
    file's own place.
    """

    name: str
    actions: tuple[Action, ...]
    extends: str | None = None
    extends_position: Position | None = None


@dataclass(frozen=True)
class Edit:
    """A value that took the place of another; of a list that has grown, both are whole.

    `new` is MISSING where the value was removed. `position` is where the new one is written.
    """

    pointer: Pointer
    old: Any
    new: Any
    position: Position | None


@dataclass(frozen=True)
class Change:
    """One node changed by one action; `pointer` is where the node stood before the action.

    `edits` are the values in it that are not what they were; what was only added is none.
    """

    action: Action
    pointer: Pointer
    kind: Kind
    edits: tuple[Edit, ...] = ()


def log_lines(changes: Iterable[Change]) -> list[str]:
    """Return one line a change: the action's place, kind and target, and the changed node."""
    return [
        on_one_line(
            f"{change.action.position} {change.kind} {change.action.target}"
            f" → {pointer_text(change.pointer)}"
        )
        for change in changes
    ]
