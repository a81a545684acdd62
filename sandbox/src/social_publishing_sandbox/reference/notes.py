"""Gaps of the service's documents, and a document whose descriptions say what was decided there."""

from __future__ import annotations

import enum
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


# Their members have names of somebody's choice, which are no words of OpenAPI or JSON Schema.
_MAPS: Final = frozenset(
    {
        *("properties", "patternProperties", "dependentSchemas", "$defs"),
        *("schemas", "responses", "parameters", "requestBodies", "headers", "links"),
        *("securitySchemes", "callbacks", "pathItems"),
        *("paths", "webhooks", "content", "encoding", "variables"),
    }
)
# What they hold is data, and no part of the document.
_DATA: Final = frozenset({"example", "examples", "default", "enum", "const"})


def annotated(data: Json) -> Json:
    """Return a copy of a document in which every node that fills a gap says so in its description.

    The nodes are those that `x-assumed` and `x-confirmed` name, and those whose `x-gap` is left
    open; the texts come from `x-gaps`. Where OpenAPI has no description, as in the responses of an
    operation and in the components, the note stands in the one around it. The document itself gets
    a summary.
    """
    gaps = {gap.id: gap for gap in of(data)}
    copied = {name: _below(name, value, gaps) for name, value in data.items()}
    if gaps:
        notes = [_note(gap) for gap in _named(data.get("components"), gaps)]
        copied["info"] = _described(copied["info"], [_summary(gaps), *notes])
    return copied


def _summary(gaps: Mapping[str, Gap]) -> str:
    counts = Counter(gap.state.value.lower() for gap in gaps.values())
    listed = ", ".join(f"{count} {state}" for state, count in counts.items())
    return (
        f"**What is not documented.** The service leaves gaps in this API ({listed}). Notes say "
        f"where one matters; [the list]({GAPS}) has all {len(gaps)}."
    )


def _node(node: Any, known: Mapping[str, Gap], *, described: bool = True) -> Any:
    """Return a copy of a node; one that cannot be `described` gets no note of its own."""
    if isinstance(node, list):
        return [_node(each, known) for each in node]
    if not isinstance(node, dict):
        return node
    copied = {name: _below(name, value, known) for name, value in node.items()}
    if not described:
        return copied
    gaps = _named(node, known)
    if isinstance(responses := node.get("responses"), dict):
        gaps += _named(responses, known)
    if isinstance(content := node.get("content"), dict):
        gaps += [gap for each in content.values() for gap in _named(each, known)]
    return _described(copied, [_note(gap) for gap in dict.fromkeys(gaps)])


def _below(name: str, value: Any, known: Mapping[str, Gap]) -> Any:
    """Return a copy of what a node has under a name."""
    if name.startswith("x-"):
        return value
    if name in _MAPS and isinstance(value, dict):
        described = name != "content"
        return {
            key: member if key.startswith("x-") else _node(member, known, described=described)
            for key, member in value.items()
        }
    return value if name in _DATA else _node(value, known, described=name != "components")


def _named(node: Any, known: Mapping[str, Gap]) -> list[Gap]:
    """Return the gaps that a node fills, and those that it leaves open."""
    if not isinstance(node, dict):
        return []
    marked = node.get("x-gap", [])
    filled = [*node.get("x-assumed", []), *node.get("x-confirmed", [])]
    left = [marked] if isinstance(marked, str) else marked
    return [
        *(known[name] for name in filled if name in known),
        *(known[name] for name in left if name in known and known[name].state is State.OPEN),
    ]


def _note(gap: Gap) -> str:
    why = {State.ASSUMED: gap.basis.capitalize(), State.CONFIRMED: "Evidence"}.get(gap.state, "Why")
    return (
        f"> **{gap.state.value}:** {gap.missing} *{why}:* {gap.reason} [{gap.id}]({GAPS}#{gap.id})"
    )


def _described(node: Json, notes: list[str]) -> Json:
    if not notes:
        return node
    texts = [text for text in (node.get("description", ""), *notes) if text]
    return {**node, "description": "\n\n".join(texts)}
