"""Overlays that write what traffic showed, for people to review."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pipeline.evidence.claims import Claim, Observation, Update
from pipeline.evidence.statuses import Statuses
from pipeline.evidence.verdicts import Verdict
from pipeline.gaps import Use
from pipeline.gaps.uses import actions
from pipeline.openapi.documents import loads
from pipeline.openapi.overlay import CONFIRMED, MISSING, Action, Overlay, parse_overlay
from pipeline.openapi.problems import PipelineError
from pipeline.openapi.wording import either
from pipeline.openapi.yamls import dump

FILE: Final = "traffic.yaml"
_LISTED: Final = 3  # things that were seen, of one gap, that stand in its evidence

Try = Callable[[Mapping[str, Sequence[Overlay]]], None]
"""Generates with these confirmed overlays by document; raises PipelineError if it cannot."""


@dataclass(frozen=True)
class Entry:
    """An action of a proposed overlay, with a note for its reviewer."""

    action: Mapping[str, Any]
    note: str = ""


@dataclass
class Proposals:
    """Proposed overlays.

    Attributes:
        entries: by document and gap.
        refused: why nothing is proposed for a gap that traffic shows something of.
    """

    entries: dict[str, dict[str, list[Entry]]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def gaps(self) -> set[str]:
        return {gap for found in self.entries.values() for gap in found}

    def texts(self, files: Iterable[str]) -> dict[str, str]:
        """Return the overlay of each document, as a file."""
        names = sorted({Path(file).name for file in files})
        return {name: _overlay(found, names) for name, found in self.entries.items() if found}


def propose(verdicts: Sequence[Verdict], uses: Mapping[str, Use], trial: Try) -> Proposals:
    """Return everything that an overlay can write, and that generates."""
    made = Proposals({name: {} for name in uses})
    for verdict in verdicts:
        if verdict.state in ("consistent", "not seen"):
            continue
        known = _confirmed_by(verdict.gap.id, uses)
        if known:
            agrees = verdict.state == "confirmed"
            text = "as confirmed" if agrees else f"it is confirmed otherwise by {known}: see there"
            made.refused[verdict.gap.id] = text
            continue
        found = _entries(verdict, uses)
        if not found:
            made.refused[verdict.gap.id] = _why_not(verdict)
        for name, entries in found.items():
            made.entries[name][verdict.gap.id] = entries
    _keep_what_generates(made, trial)
    return made


def _why_not(verdict: Verdict) -> str:
    if verdict.state == "contradictory":
        return "both were seen: decide which one holds when"
    return "traffic does not show the whole of it"


def _confirmed_by(gap: str, uses: Mapping[str, Use]) -> str:
    for use in uses.values():
        for change in use.filled.get(gap, ()):
            if CONFIRMED in change.action.words:
                return change.action.overlay
    return ""


def _entries(verdict: Verdict, uses: Mapping[str, Use]) -> dict[str, list[Entry]]:
    """Return the actions of a gap, by document; none if they would not be complete."""
    evidence = _evidence(verdict)
    filling = {name: actions(use.filled.get(verdict.gap.id, ())) for name, use in uses.items()}
    filling = {name: found for name, found in filling.items() if found}
    if verdict.state == "confirmed":
        return {
            name: [Entry(_confirmed(action, verdict, evidence)) for action in found]
            for name, found in filling.items()
        }
    result: dict[str, list[Entry]] = {}
    judged: list[Action] = []
    for claim, observed in verdict.claims:
        updates = _updates(claim, observed)
        if updates is None:
            return {}
        if claim.action is not None:
            judged.append(claim.action)
        note = _note(claim, observed)
        for update in updates:
            for name in [update.document] if update.document else claim.documents:
                words = {"target": update.target, "update": update.update}
                words[CONFIRMED] = {"gap": verdict.gap.id, "evidence": evidence}
                result.setdefault(name, []).append(Entry(words, note))
    # An action that writes the same in other words would have to change with it.
    done = [(action.target, action.update) for action in judged]
    if any((each.target, each.update) not in done for found in filling.values() for each in found):
        return {}
    return result


def _updates(claim: Claim, observed: Sequence[Observation]) -> list[Update] | None:
    if claim.is_question or any(each.outcome == "against" for each in observed):
        return claim.truth(observed)
    shown = {each.part for each in observed if each.outcome == "shows"}
    if shown and set(claim.parts) <= shown and claim.action is not None:
        return [Update(claim.action.target, claim.action.update)]
    # The known values of an open set are no less known for not having been seen.
    return claim.truth(observed) if claim.is_open_set else None


def _confirmed(action: Action, verdict: Verdict, evidence: str) -> dict[str, Any]:
    words: dict[str, Any] = {"target": action.target}
    if action.description:
        words["description"] = action.description
    if action.remove:
        words["remove"] = True
    elif action.copy is not None:
        words["copy"] = action.copy
    elif action.update is not MISSING:
        words["update"] = action.update
    return {**words, CONFIRMED: {"gap": verdict.gap.id, "evidence": evidence}}


def _note(claim: Claim, observed: Sequence[Observation]) -> str:
    """Return a note on codes that were assumed and not seen."""
    if not isinstance(claim, Statuses):
        return ""
    seen = {str(each.call.exchange.status) for each in observed}
    missing = [code for code in claim.codes if code not in seen]
    if not missing:
        return ""
    text = f"Assumed so far and not seen, so left out here: {', '.join(missing)}."
    return f"{text} Add what you know."


def _evidence(verdict: Verdict) -> str:
    """Return what was seen, in words that hold nothing personal, and where it was first."""
    against = [each for each in verdict.seen if each.against]
    seen = list(verdict.seen) if verdict.state == "contradictory" or not against else against
    listed = [f"{each.text} ({times(each.count)})" for each in seen[:_LISTED]]
    more = len(seen) - _LISTED
    first = min((each.call for each in seen), key=lambda call: call.order)
    place = f"{Path(first.exchange.file).name}, {first.exchange.number}: {first.line}"
    others = f" and {more} more" if more > 0 else ""
    return f"In recorded traffic: {'; '.join(listed)}{others}; first in {place}."


def times(count: int) -> str:
    """Return how often, in words."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _overlay(found: Mapping[str, Sequence[Entry]], files: Sequence[str]) -> str:
    heading = "Proposed by `python -m pipeline gaps --evidence` from "
    heading += f"{either(files).replace(' or ', ' and ')}. Read it through and drop what you doubt:"
    heading += " it is worth as much as the server that responded; one for tests proves nothing."
    lines = textwrap.wrap(heading, 96, break_long_words=False, break_on_hyphens=False)
    text = "".join(f"# {line}\n" for line in lines)
    text += dump({"overlay": "1.1.0", "info": {"title": "What traffic shows", "version": "1"}})
    text += "actions:\n"
    for entries in found.values():
        for entry in entries:
            text += "\n"
            for line in textwrap.wrap(entry.note, 92, break_on_hyphens=False):
                text += f"  # {line}\n"
            text += textwrap.indent(dump([entry.action]), "  ", lambda line: bool(line.strip()))
    return text


def overlays(entries: Mapping[str, Mapping[str, Sequence[Entry]]]) -> dict[str, list[Overlay]]:
    """Return proposed actions as overlays."""
    return {
        name: [parse_overlay(loads(_overlay(found, ["traffic"]), f"{name}/{FILE}"))]
        for name, found in entries.items()
        if found
    }


def _keep_what_generates(made: Proposals, trial: Try) -> None:
    """Leave out what cannot be generated, and keep the reason."""

    def only(gaps: Sequence[str]) -> dict[str, dict[str, list[Entry]]]:
        return {
            name: {gap: found[gap] for gap in found if gap in gaps}
            for name, found in made.entries.items()
        }

    def fitting(gaps: list[str], kept: list[str]) -> list[str]:
        if not gaps:
            return []
        try:
            trial(overlays(only([*kept, *gaps])))
            return gaps
        except PipelineError as error:
            if not kept and len(gaps) == len(made.gaps):
                trial({})  # what is wrong without them is not theirs
            if len(gaps) == 1:
                first = error.findings[0].message
                made.refused[gaps[0]] = f"what was seen cannot be generated: {first}"
                return []
        half = len(gaps) // 2
        fits = fitting(gaps[:half], kept)
        return fits + fitting(gaps[half:], [*kept, *fits])

    made.entries = only(fitting(sorted(made.gaps), []))
