"""Documented facts that traffic contradicts: what no gap explains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pipeline.evidence.documented import Documented
from pipeline.evidence.naming import likeness
from pipeline.evidence.refused import codes_of, never_given
from pipeline.evidence.routes import shown_name
from pipeline.evidence.sightings import LIMITS, Sighting, brief_path, walk
from pipeline.evidence.values import date_form
from pipeline.evidence.verdicts import SHAPE, Seen, Traffic, Verdict, in_ranges, seen_of
from pipeline.openapi.documents import Pointer, found
from pipeline.openapi.objects import as_dict
from pipeline.openapi.problems import Position
from pipeline.openapi.wording import brief, either, named_type

_FEW: Final = 2
_FORMS: Final = ("format", "pattern", *sorted(LIMITS))
_OF_VALUE: Final = frozenset((*SHAPE, *_FORMS, "x-unit", "x-extensible-enum", "x-assume"))
"""Words of a schema about the value at its own place; not about those inside it."""
_OF_VALUES: Final = frozenset({"form", "type"})
_SILENT: Final = frozenset({"", "field", "query parameter"})
"""What speaks against no document: it may have more than it is said to have."""


@dataclass(frozen=True)
class Fact:
    """A documented fact that traffic contradicts.

    Attributes:
        name: what it is about, such as `Book.shelf`.
        section: the number of the section of the service's specification that has it.
        documented: what the document says, in a few words.
        position: where it says so.
        gaps: what the documents leave open at its place, such as a unit.
        sightings: what contradicts it, each once it was seen.
        is_local: whether it is only so at its own place, and not wherever its schema is used.
    """

    name: str
    section: str
    documented: str
    seen: tuple[Seen, ...]
    position: Position
    gaps: tuple[Verdict, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    is_local: bool = False

    @property
    def operations(self) -> frozenset[str]:
        """The operations that showed it."""
        return frozenset().union(*(each.operations for each in self.seen))

    @property
    def written(self) -> str:
        """The form of the dates that came, as for `strftime`; empty where they are none."""
        values = {date_form(each.value) for each in self.sightings if each.problem == "form"}
        return next(iter(values)) if len(values) == 1 else ""

    @property
    def node(self) -> Pointer:
        """The node of the document that marks the gaps; its own where only that one is wrong."""
        first = self.sightings[0]
        if self.is_local:
            return first.nodes[0]
        marks = (part.node for each in self.gaps for part in each.marked)
        return next(node for node in marks if node in first.nodes)


def contradicted(traffic: Traffic, verdicts: Iterable[Verdict]) -> list[Fact]:
    """Return the documented facts that traffic contradicts, and what never succeeded."""
    verdicts = list(verdicts)
    explained = {
        one.sighting
        for verdict in verdicts
        for one in verdict.observed
        if one.outcome in ("against", "new")
    }
    coded = {one.call for one in explained if one.problem == "status"}
    by_place: dict[tuple[Position, Pointer, str], list[Sighting]] = {}
    never = never_given(traffic.calls, traffic.effective, traffic.with_overlays)
    others = [*_renamed(traffic), *traffic.always_refused, *never]
    for one in (*traffic.with_overlays, *others):
        is_body = "responses" in one.nodes[0][-2:-1] and one.call in coded
        if one in explained or is_body:
            continue
        document = traffic.effective[one.call.document]
        if _speaks(document, one):
            place = document.position(one.nodes[0])
            by_place.setdefault((place, one.nodes[0], one.problem), []).append(one)
    facts = []
    for (position, node, problem), sightings in by_place.items():
        first = sightings[0]
        document = traffic.effective[first.call.document]
        facts.append(
            Fact(
                brief_path(_known(first)),
                _section(document, node),
                _documented(document, first),
                seen_of(in_ranges((one, True) for one in sightings)),
                position,
                tuple(_left_open(first, verdicts)) if problem in _OF_VALUES else (),
                tuple(sightings),
                _is_local(first, traffic),
            )
        )
    return sorted(facts, key=lambda fact: (fact.name, fact.documented))


def _is_local(one: Sighting, traffic: Traffic) -> bool:
    """Return whether a member alone is not what the schema that it refers to says: that schema is
    right of another one, or no other was seen.
    """
    member = one.nodes[0]
    if member[-2:-1] != ("properties",) and member[-1:] != ("items",):
        return False
    others = [
        each
        for each in traffic.with_overlays
        if each.call.document == one.call.document
        and not each.sent
        and each.nodes[0] != member
        and {*each.nodes[1:]} & {*one.nodes[1:]}
    ]
    return len(one.nodes) > 1 and (not others or any(not each.problem for each in others))


def _left_open(one: Sighting, verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    """Yield the gaps that a document marks at the place of a value, and that are about values."""
    here = {(one.call.document, node) for node in one.nodes}
    for verdict in verdicts:
        fills = verdict.gap.fills
        is_about = not fills or any(word in _OF_VALUE for word in fills)
        if is_about and any(part.place in here for part in verdict.marked):
            yield verdict


def _known(one: Sighting) -> Pointer:
    """Return the node by which people know what a sighting is about: a component, of a body."""
    first = one.nodes[0]
    if first[-2:-1] == ("required",):
        return (*first[:-2], "properties", first[-1])
    return one.nodes[1] if first[-1] == "schema" and len(one.nodes) > 1 else first


def _speaks(document: Documented, one: Sighting) -> bool:
    """Return whether a sighting that no gap explains is against the document."""
    if one.problem in _SILENT or (one.sent and not one.call.ok and one.problem != "name"):
        return False
    if one.problem == "value":  # an open set of values is no statement
        return any("enum" in as_dict(found(document.data, node)) for node in one.nodes)
    return not (one.weak and one.problem in ("status", "media type"))


def _section(document: Documented, node: Pointer) -> str:
    around = (as_dict(found(document.data, node[:end])) for end in range(len(node), 0, -1))
    return next((str(each["x-section"]) for each in around if "x-section" in each), "")


def _documented(document: Documented, one: Sighting) -> str:
    """Return what a document says at a node, in a few words."""
    match one.problem:
        case "missing":
            return f"{one.nodes[0][-1]} is always there"
        case "header":
            return f"{one.text.rpartition(' ')[2]} comes with every response"
        case "shape":
            return f"an object of {either(document.members(one.nodes[0])[0])}"
        case "success":
            return "a request that the documents allow"
        case "absent":
            return f"{one.nodes[0][-1]}={one.value} gives {one.value}"
        case "refused":
            return codes_of(document, one.call.operation, one)
        case "status":
            return f"one of {', '.join(map(str, as_dict(found(document.data, one.nodes[0][:-1]))))}"
        case "media type" if one.nodes[0][-1] == "responses":
            names = document.media_types(one.nodes[0])
            return f"a body of {either(names)}" if names else "no body"
    if one.nodes[0][-2:-1] == ("responses",):
        node = one.nodes[0]
        at, response = document.model.follow(node, as_dict(found(document.data, node)))
        content = as_dict(response.get("content"))
        kinds = sorted(
            {k for name in content for k in document.types((*at, "content", name, "schema")) or ()}
        )
        which = f", {either(map(named_type, kinds))}" if kinds else ""
        return f"a body of {either(content)}{which}" if content else "no body"
    places = [(*at, "schema") if "headers" in at[-2:-1] else at for at in one.nodes]
    nodes = [as_dict(found(document.data, node)) for node in places]
    codes = next((node["enum"] for node in nodes if "enum" in node), None)
    if codes is not None:
        return f"one of {either(map(brief, codes))}"
    words = either(map(named_type, sorted(document.types(places[0]) or ())))
    forms = [f"{key} {node[key]}" for node in nodes for key in _FORMS if key in node]
    units = [f"in {node['x-unit']}" for node in nodes if "x-unit" in node]
    return ", ".join(filter(None, [words, *units, *forms])) or "nothing of it"


# What never came, and what came in its place


def _renamed(traffic: Traffic) -> Iterator[Sighting]:
    """Yield fields that never came, in all objects of which another, unknown one stood instead."""
    strange: dict[tuple[str, Pointer], list[Sighting]] = {}
    for one in traffic.with_overlays:
        if one.problem == "field" and not one.sent and one.call.ok:
            strange.setdefault((one.call.document, one.nodes[0][:-2]), []).append(one)
    for (name, node), fields in strange.items():
        document = traffic.effective[name]
        known = document.members(node)[0]
        objects = {id(one.value[1]): one.value[1] for one in fields}.values()
        never = [field for field in known if not any(field in each for each in objects)]
        often = Counter(one.value[0] for one in fields)
        for other in (other for other in often if often[other] == len(objects)):
            here = [one for one in fields if one.value[0] == other]
            fitting = [
                field
                for field in never
                if not any(
                    sighting.problem
                    for one in here
                    for sighting in walk(document, one.call, known[field], one.value[1][other])
                )
            ]
            values = [one.value[1] for one in here]
            close = [
                field
                for field in fitting
                if likeness(field, other) > 0
                or all(
                    _before(each, other, known) == _before(known, field, each) for each in values
                )
            ]
            alike = [field for field in close if likeness(field, other) > 0]
            chosen = alike or (close if len(values) > 1 else [])
            if (
                0 < len(chosen) <= _FEW
            ):  # of more, it is a new field beside those that may be absent
                text = f"{shown_name(other)} came each time, {either(chosen)} never did"
                at = (known[chosen[0]],)
                yield from (Sighting(one.call, at, text, "renamed") for one in here)


def _before(value: Iterable[str], name: str, known: Iterable[str]) -> str:
    """Return the known name before a name, as an object or a schema has them in order."""
    last = ""
    for each in value:
        if each == name:
            break
        last = each if each in known else last
    return last
