"""Overlays that write what traffic confirmed, for people to review."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from pipeline.evidence.verdicts import Verdict
from pipeline.gaps import Use
from pipeline.gaps.uses import actions
from pipeline.openapi.overlay.model import CONFIRMED, MISSING, Action
from pipeline.openapi.wording import either
from pipeline.openapi.yamls import dump

FILE: Final = "traffic.yaml"
_LISTED: Final = 3  # things that were seen, of one gap, that stand in its evidence

Proposals: TypeAlias = dict[str, dict[str, list[dict[str, Any]]]]
"""Actions of overlays, by document and gap."""


def propose(verdicts: Sequence[Verdict], used: Mapping[str, Use]) -> Proposals:
    """Return the assumptions that traffic confirmed, as what is known."""
    proposals: Proposals = {}
    for verdict in verdicts:
        if verdict.state == "confirmed":
            known = {CONFIRMED: {"gap": verdict.gap.id, "evidence": _evidence(verdict)}}
            for name, use in used.items():
                assumed = actions(use.filled.get(verdict.gap.id, ()))
                if assumed and not any(CONFIRMED in action.words for action in assumed):
                    own = [{**_written(action), **known} for action in assumed]
                    proposals.setdefault(name, {})[verdict.gap.id] = own
    return proposals


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
    listed = [f"{seen.text} ({times(seen.count)})" for seen in verdict.seen[:_LISTED]]
    more = len(verdict.seen) - _LISTED
    first = min(seen.first for seen in verdict.seen)
    place = f"{Path(first.file).name}, {first.number}: {first.request}"
    others = f" and {more} more" if more > 0 else ""
    return f"In recorded traffic: {'; '.join(listed)}{others}; first in {place}."


def times(count: int) -> str:
    """Return how often, in words."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def texts(proposals: Proposals, files: Iterable[str]) -> dict[str, str]:
    """Return the overlay of each document, as a file."""
    names = sorted({Path(file).name for file in files})
    heading = "Proposed by `python -m pipeline gaps --evidence` from "
    heading += f"{either(names).replace(' or ', ' and ')}. Read it through and drop what you doubt:"
    heading += " it is worth as much as the server that responded; one for tests proves nothing."
    lines = textwrap.wrap(heading, 96, break_long_words=False, break_on_hyphens=False)
    head = "".join(f"# {line}\n" for line in lines)
    head += dump({"overlay": "1.1.0", "info": {"title": "What traffic shows", "version": "1"}})
    return {name: f"{head}actions:\n{_listed(by_gap)}" for name, by_gap in proposals.items()}


def _listed(by_gap: Mapping[str, Sequence[dict[str, Any]]]) -> str:
    text = ""
    for action in (action for own in by_gap.values() for action in own):
        text += "\n" + textwrap.indent(dump([action]), "  ", lambda line: bool(line.strip()))
    return text
