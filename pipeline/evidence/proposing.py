"""Overlays that write what traffic confirmed, for people to review."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from pipeline.evidence.revising import Unknown, nullable, revised
from pipeline.evidence.verdicts import Traffic, Verdict
from pipeline.gaps import Use
from pipeline.gaps.uses import actions
from pipeline.openapi.overlay.model import CONFIRMED, MISSING, Action
from pipeline.openapi.wording import either
from pipeline.openapi.yamls import dump

FILE: Final = "traffic.yaml"
_LISTED: Final = 3  # things that were seen, of one gap, that stand in its evidence

Proposals: TypeAlias = dict[str, dict[str, list[dict[str, Any]]]]
"""Actions of overlays, by document and gap."""


def propose(
    verdicts: Sequence[Verdict], used: Mapping[str, Use], traffic: Traffic
) -> tuple[Proposals, dict[str, str]]:
    """Return overlays for what traffic shows, and the gaps for which it shows too little, with why.

    What agrees is proposed as it is assumed, what is refuted as it was seen.
    """
    proposals: Proposals = {}
    lacking: dict[str, str] = {}
    for verdict in verdicts:
        known = {CONFIRMED: {"gap": verdict.gap.id, "evidence": _evidence(verdict)}}
        try:
            for name, own in [*_actions(verdict, used, traffic)]:
                proposals.setdefault(name, {})[verdict.gap.id] = [{**each, **known} for each in own]
        except Unknown as reason:
            lacking[verdict.gap.id] = str(reason)
    return proposals, lacking


def _actions(
    verdict: Verdict, used: Mapping[str, Use], traffic: Traffic
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the actions for a gap in each document."""
    gap = verdict.gap
    for name, use in used.items():
        changes = use.filled.get(gap.id, ())
        assumed = actions(changes)
        if known := next((each for each in assumed if CONFIRMED in each.words), None):
            if verdict.state in ("refuted", "contradictory"):
                raise Unknown(f"{known.position} is wrong: correct it")
        elif gap.shown_by == "nulls":
            document = traffic.effective[name]
            nodes = dict.fromkeys(
                one.part.node for one in verdict.observed if one.part.document == name
            )
            if nodes and not assumed:
                yield name, [action for node in nodes for action in nullable(document, node)]
        elif assumed and verdict.state == "confirmed":
            yield name, [_written(action) for action in assumed]
        elif assumed and any(
            one.part.document == name and one.outcome in ("against", "new")
            for one in verdict.observed
        ):
            new = revised(verdict, changes, name, traffic)
            yield name, [_written(replace(action, update=update)) for action, update in new]


def _written(action: Action) -> dict[str, Any]:
    words: dict[str, Any] = {"target": action.target}
    if action.description:
        words["description"] = action.description
    if action.remove:
        words["remove"] = True
    elif action.copy is not None:
        words["copy"] = action.copy
    elif action.update is not MISSING:
        words["update"] = action.update
    return words


def _evidence(verdict: Verdict) -> str:
    """Return what was seen, in words that hold nothing personal, and where it was first."""
    if not verdict.seen:
        return ""
    listed = [f"{seen.text} ({times(seen.count)})" for seen in verdict.seen[:_LISTED]]
    more = len(verdict.seen) - _LISTED
    first = min(seen.first for seen in verdict.seen)
    place = f"{Path(first.file).name}, {first.number}: {first.request}"
    others = f" and {more} more" if more > 0 else ""
    return f"In recorded traffic: {'; '.join(listed)}{others}; first in {place}."


def times(count: int) -> str:
    """Return how often, in words."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def texts(proposals: Proposals, files: Iterable[str] = (), width: int = 100) -> dict[str, str]:
    """Return the overlay of each document, as a file; it says from which files it is."""
    head = ""
    if names := sorted({Path(file).name for file in files}):
        heading = "Proposed by `python -m pipeline gaps --evidence` from "
        heading += f"{either(names).replace(' or ', ' and ')}. Review it and drop what you"
        heading += " doubt. It is only as good as the server that responded; a test server proves"
        heading += " nothing."
        lines = textwrap.wrap(heading, 96, break_long_words=False, break_on_hyphens=False)
        head = "".join(f"# {line}\n" for line in lines)
    head += dump({"overlay": "1.1.0", "info": {"title": "What traffic shows", "version": "1"}})
    return {name: f"{head}actions:\n{_listed(by_gap, width)}" for name, by_gap in proposals.items()}


def _listed(by_gap: Mapping[str, Sequence[dict[str, Any]]], width: int) -> str:
    text = ""
    for action in (action for own in by_gap.values() for action in own):
        text += "\n" + textwrap.indent(
            dump([action], width - 2), "  ", lambda line: bool(line.strip())
        )
    return text
