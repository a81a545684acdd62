"""Gaps of the service's documents, and the decisions about them, as a document reports them."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final

from social_publishing_sandbox.state.documents import Json

GAPS: Final = "/docs/gaps"
"""The address of the list."""


class State(enum.Enum):
    """Decisions about a gap; the value is how people read it."""

    ASSUMED = "Assumed"
    CONFIRMED = "Confirmed"
    OPEN = "Left open"


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that is not documented.

    Attributes:
        section: the section of the service's specification that leaves it out.
        missing: what it leaves out, in Markdown.
        basis: what an assumption rests on: `seen`, `analogy`, `convention`; else empty.
        reason: why it was decided so, or how it is known, in Markdown.
    """

    id: str
    section: str
    missing: str
    state: State
    basis: str
    reason: str


def of(data: Json) -> list[Gap]:
    """Return the gaps of a document, in its order."""
    return [_gap(name, entry) for name, entry in data.get("x-gaps", {}).items()]


def _gap(name: str, entry: Json) -> Gap:
    basis: str = entry.get("basis", "")
    if evidence := entry.get("evidence"):
        state, reason = State.CONFIRMED, evidence
    else:
        state, reason = State.ASSUMED if basis else State.OPEN, entry.get("because", "")
    return Gap(name, entry.get("section", ""), entry.get("missing", ""), state, basis, reason)
