"""Gaps of the service's documents, and a document whose descriptions say what was decided there."""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

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
    """A fact that is not documented.

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


def annotated(data: Json) -> Json:
    """Return a document in which every operation says what is not documented of it.

    These are the gaps that `x-assumed` and `x-confirmed` name anywhere in it, and those whose
    `x-gap` is left open; the texts come from `x-gaps`. The document itself gets a summary. What a
    description calls assumed leads to its gap.
    """
    gaps = {gap.id: gap for gap in of(data)}
    if not gaps:
        return data
    data = _linked(data, gaps)
    counts = Counter(gap.state.value.lower() for gap in gaps.values())
    listed = ", ".join(f"{count} {state}" for state, count in counts.items())
    summary = (
        f"**What is not documented.** The service leaves gaps in this API ({listed}). Notes at the "
        f"operations say where one matters; [the list]({GAPS}) has all {len(gaps)}."
    )
    paths = {
        path: {
            name: _described(node, [_note(gap) for gap in _within(node, gaps)])
            if isinstance(node, dict) and "responses" in node
            else node
            for name, node in item.items()
        }
        for path, item in data["paths"].items()
    }
    return {**data, "info": _described(data["info"], [summary]), "paths": paths}


def _within(node: Any, known: Mapping[str, Gap]) -> list[Gap]:
    """Return the gaps that a node fills or leaves open, and those of all that is in it."""
    if isinstance(node, list):
        return list(dict.fromkeys(gap for each in node for gap in _within(each, known)))
    if not isinstance(node, dict):
        return []
    marked = node.get("x-gap", [])
    filled = [*node.get("x-assumed", []), *node.get("x-confirmed", [])]
    left = [marked] if isinstance(marked, str) else marked
    own = [
        *(known[name] for name in filled if name in known),
        *(known[name] for name in left if name in known and known[name].state is State.OPEN),
    ]
    inner = [value for name, value in node.items() if not name.startswith("x-")]
    return list(dict.fromkeys([*own, *_within(inner, known)]))


def _linked(node: Any, known: Mapping[str, Gap]) -> Any:
    """Return a node whose descriptions have links where they name a gap: "is assumed (a.gap)." """

    def link(named: re.Match[str]) -> str:
        return f"assumed ([{named[1]}]({GAPS}#{named[1]}))." if named[1] in known else named[0]

    if isinstance(node, list):
        return [_linked(each, known) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        name: re.sub(r"assumed \(([\w.-]+)\)\.", link, value)
        if name == "description" and isinstance(value, str)
        else value
        if name.startswith("x-")
        else _linked(value, known)
        for name, value in node.items()
    }


def _note(gap: Gap) -> str:
    why = {State.ASSUMED: gap.basis.capitalize(), State.CONFIRMED: "Evidence"}.get(gap.state, "Why")
    return (
        f"> **{gap.state.value}:** {gap.missing} *{why}:* {gap.reason} [{gap.id}]({GAPS}#{gap.id})"
    )


def _described(node: Json, notes: list[str]) -> Json:
    texts = [text for text in (node.get("description", ""), *notes) if text]
    return {**node, "description": "\n\n".join(texts)} if notes else node
