"""Overlays that write what traffic confirmed, for people to review."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from pipeline.evidence.documented import Documented
from pipeline.evidence.facts import Fact
from pipeline.evidence.revising import Unknown, nullable, retyped, revised
from pipeline.evidence.verdicts import Seen, Traffic, Verdict
from pipeline.gaps import Use
from pipeline.gaps.uses import actions
from pipeline.openapi.documents import Pointer
from pipeline.openapi.objects import as_dict
from pipeline.openapi.overlay.model import CONFIRMED, MISSING, Action
from pipeline.openapi.overlay.query import select
from pipeline.openapi.wording import either
from pipeline.openapi.yamls import dump

FILE: Final = "traffic.yaml"
_LISTED: Final = 3  # things that were seen, of one gap, that stand in its evidence

Proposals: TypeAlias = dict[str, dict[str, list[dict[str, Any]]]]
"""Actions of overlays, by document and gap."""


def propose(
    verdicts: Sequence[Verdict], facts: Sequence[Fact], used: Mapping[str, Use], traffic: Traffic
) -> tuple[Proposals, dict[str, str]]:
    """Return overlays for what traffic shows, and the gaps for which it shows too little, with why.

    What agrees is proposed as it is assumed, what is refuted as it was seen; and so is a value
    where the documents leave something of it open, such as its unit, and state another type.
    """
    proposals: Proposals = {}
    lacking: dict[str, str] = {}
    retyped_nodes = {fact.node for fact in facts if fact.gaps}
    for verdict in verdicts:
        gap = verdict.gap.id
        own = [fact for fact in facts if gap in [each.gap.id for each in fact.gaps[:1]]]
        evidence = _evidence([seen for fact in own for seen in fact.seen] or verdict.seen)
        known = {CONFIRMED: {"gap": gap, "evidence": evidence}}
        try:
            made = [*_actions(verdict, used, traffic, retyped_nodes)]
            made = [*_of_values(verdict, own, used, traffic)] if own and not made else made
            if made and (wrong := _contradicted(verdict, facts, traffic)):
                raise Unknown(f"what it assumes holds {wrong}, which is contradicted")
            if made and verdict.state != "confirmed" and _is_assumed(made, gap, used):
                raise Unknown("what is assumed is not what is wrong")
            for name, actions in _shared(gap, made, used, traffic):
                proposals.setdefault(name, {})[gap] = [{**each, **known} for each in actions]
        except Unknown as reason:
            lacking[gap] = str(reason)
    return proposals, lacking


def _contradicted(verdict: Verdict, facts: Sequence[Fact], traffic: Traffic) -> str:
    """Return the fact that the same responses contradict within an error's body that is assumed."""
    if verdict.state != "confirmed":
        return ""
    parts = {
        id(one.call): one.part
        for one in verdict.observed
        if not one.call.ok and one.outcome in ("shows", "fits")
    }
    for fact in facts if parts else ():
        for each in fact.sightings:
            part = parts.get(id(each.call))
            within = traffic.effective[part.document].components(part.node) if part else ()
            if {at[:3] for at in each.nodes} & {*within}:
                return fact.name
    return ""


def _is_assumed(
    made: Iterable[tuple[str, list[dict[str, Any]]]], gap: str, used: Mapping[str, Use]
) -> bool:
    """Return whether actions only say again what is assumed."""
    return all(
        own == [_written(action) for action in actions(used[name].filled.get(gap, ()))]
        for name, own in made
    )


def _of_values(
    verdict: Verdict, facts: Sequence[Fact], used: Mapping[str, Use], traffic: Traffic
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the actions after which the values at the places of a gap have the types that came.

    What else is assumed of the gap stays, but for words: such as a unit, which is in doubt.
    """
    nodes = dict.fromkeys(fact.node for fact in facts)
    for name in dict.fromkeys(one.call.document for fact in facts for one in fact.sightings):
        changes = used[name].filled.get(verdict.gap.id, ())
        if known := [each.action for each in changes if CONFIRMED in each.action.words]:
            raise Unknown(f"{known[0].position} is wrong: correct it")
        rest = (
            each
            for each in changes
            if each.pointer not in nodes
            and {*as_dict(each.action.update)} - {"description", "x-unit"}
        )
        marked = {part.node for part in verdict.marked}
        new = []
        for node in nodes:
            made = [*retyped(name, node, traffic)]
            if made and node not in marked:  # it referred to what is marked
                made[-1]["update"]["x-gap"] = verdict.gap.id
            new += made
        yield name, [*new, *(_written(action) for action in actions(rest))]


def _shared(
    gap: str,
    made: Sequence[tuple[str, list[dict[str, Any]]]],
    used: Mapping[str, Use],
    traffic: Traffic,
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield actions by document; those on a schema that documents share, for each of them."""
    yield from made
    for name in used.keys() - {name for name, _ in made}:
        for other, own in made:
            documents = traffic.bare[name], traffic.bare[other]
            common = [each for each in own if _is_shared(each["target"], *documents)]
            if common:
                assumed = actions(used[name].filled.get(gap, ()))
                alone = (each for each in assumed if not _is_shared(each.target, *documents))
                yield name, [*common, *map(_written, alone)]
                break


def _is_shared(target: str, one: Documented, other: Documented) -> bool:
    """Return whether a target selects the same schemas, written once, of two documents."""
    selected = [select(target, each.data) for each in (one, other)]
    return (
        bool(selected[0])
        and selected[0] == selected[1]
        and all(
            at[:2] == ("components", "schemas") and one.position(at) == other.position(at)
            for at in selected[0]
        )
    )


def _actions(
    verdict: Verdict, used: Mapping[str, Use], traffic: Traffic, retyped_nodes: Collection[Pointer]
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
                one.part.node
                for one in verdict.observed
                if one.part.document == name and one.part.node not in retyped_nodes
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


def _evidence(values: Sequence[Seen]) -> str:
    """Return what was seen, in words that hold nothing personal, and where it was first."""
    if not values:
        return ""
    listed = [f"{seen.text} ({times(seen.count)})" for seen in values[:_LISTED]]
    more = len(values) - _LISTED
    first = min(seen.first for seen in values)
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
