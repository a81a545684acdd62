"""Verdicts: the claims of every gap, and all that was observed about them, brought together."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pipeline.evidence.claims import Claim, Observation, Place, Sources, Unshown, Use, lie_in
from pipeline.evidence.hints import HINTS
from pipeline.evidence.parameters import Added, Name, Sent, Style
from pipeline.evidence.routes import Call
from pipeline.evidence.schemas import Members, OpenSet, Presence, Shape, Types, Zone
from pipeline.evidence.statuses import Statuses
from pipeline.evidence.traffic import Traffic
from pipeline.gaps import Gap, Register, uses
from pipeline.openapi.overlay import MISSING, Action

State = Literal["refuted", "contradictory", "confirmed", "answered", "consistent", "not seen"]
STATES: Final[tuple[State, ...]] = (
    "refuted", "contradictory", "confirmed", "answered", "consistent", "not seen"
)  # fmt: skip

_OPEN: Final = "left open, and no single value would answer it"
_BEHAVIOUR: Final = "behaviour, which one exchange does not show"
_WORDS: Final = "a word for people, such as a unit"
_LIMIT: Final = "a limit, which shows only where it is passed"
_OTHER: Final = "there is no way to read it from traffic"
_SHAPE: Final = frozenset(
    ("$ref", "type", "format", "items", "additionalProperties", "properties", "enum", "const")
)


@dataclass(frozen=True)
class Seen:
    """One thing that was seen: how often, and the first time.

    `against` is true for what contradicts an assumption.
    """

    text: str
    count: int
    call: Call
    against: bool


@dataclass(frozen=True)
class Verdict:
    """Verdict of traffic on a gap.

    Attributes:
        state: the verdict in a word.
        assumed: what is assumed, in a few words.
        seen: what was seen, the most frequent first.
        why: what stands in the way of more.
        lacking: the parts that were not seen, where others were.
        claims: the claims, each with what was observed.
    """

    gap: Gap
    state: State
    assumed: str
    seen: tuple[Seen, ...]
    why: str
    lacking: tuple[str, ...]
    claims: tuple[tuple[Claim, tuple[Observation, ...]], ...]


def verdicts(
    register: Register, claims: Mapping[str, Sequence[Claim]], traffic: Traffic
) -> list[Verdict]:
    """Return the verdict on every gap, in the order of the register."""
    return [_verdict(gap, claims[gap.id], traffic) for gap in register.gaps]


def _verdict(gap: Gap, claims: Sequence[Claim], traffic: Traffic) -> Verdict:
    observed = tuple((claim, tuple(claim.observe(traffic))) for claim in claims)
    states = [_state(claim, found) for claim, found in observed]
    every = [each for _, found in observed for each in found]
    assumed = "; ".join(dict.fromkeys(claim.assumed for claim in claims if claim.assumed))
    state: State
    why = ""
    lacking: tuple[str, ...] = ()
    if "contradictory" in states:
        state = "contradictory"
    elif "refuted" in states:
        state = "refuted"
    elif "answered" in states:
        state = "answered"
    elif all(each == "confirmed" for each in states):
        state = "confirmed"
    elif {"confirmed", "consistent"} & set(states):
        state = "consistent"
        why, lacking = _lack(observed, len(gap.documents) > 1)
    else:
        state, why = "not seen", _reason(claims, traffic)
    return Verdict(gap, state, assumed, _seen(every), why, lacking, observed)


def _state(claim: Claim, found: Sequence[Observation]) -> State:
    against = any(each.outcome == "against" for each in found)
    shown = {each.part for each in found if each.outcome == "shows"}
    fits = any(each.outcome == "fits" for each in found)
    if claim.is_question:
        return "answered" if shown else "consistent" if fits else "not seen"
    if claim.is_open_set:
        return "answered" if against else "consistent" if fits else "not seen"
    if against:
        return "contradictory" if shown or fits else "refuted"
    if shown and set(claim.parts) <= shown:
        return "confirmed"
    return "consistent" if shown or fits else "not seen"


def _lack(
    observed: Sequence[tuple[Claim, Sequence[Observation]]], several: bool
) -> tuple[str, tuple[str, ...]]:
    """Return why a gap is not confirmed, and the parts of it that nothing was seen of."""
    lacking = []
    for claim, found in observed:
        if claim.is_open_set:
            return "the set is open, and known values alone confirm nothing", ()
        seen = {each.part for each in found if each.outcome in ("shows", "fits")}
        place = f" of {claim.documents[0]}" if several and len(claim.documents) == 1 else ""
        lacking += [f"{part}{place}" for part in claim.parts if part and part not in seen]
    if not lacking:
        return "accepted or in keeping with it, which would be so anyway", ()
    return "seen in part; missing are those in brackets", tuple(dict.fromkeys(lacking))


def _reason(claims: Sequence[Claim], traffic: Traffic) -> str:
    """Return why nothing is seen of a gap."""
    first = claims[0]
    if isinstance(first, Unshown):
        return first.why
    concerned = [operation for claim in claims for operation in claim.concerned]
    if not any(traffic.of(operation) for operation in concerned):
        return "no traffic on its operations"
    return first.unseen


def _seen(every: Sequence[Observation]) -> tuple[Seen, ...]:
    """Return what was seen, each once."""
    found: dict[tuple[str, bool], list[Call]] = {}
    for each in every:
        found.setdefault((each.text, each.outcome == "against"), []).append(each.call)
    seen = [
        Seen(text, len(calls), min(calls, key=lambda call: call.order), against)
        for (text, against), calls in found.items()
    ]
    return tuple(sorted(seen, key=lambda each: (not each.against, -each.count, each.text)))


# Claims


def claims(
    register: Register, sources: Sources, used: Mapping[str, uses.Use]
) -> dict[str, list[Claim]]:
    """Return the claims of each gap, by its id; at least one each.

    What an action writes, and where, decides what traffic can show.
    """
    # Names that an overlay gives are names that may be others.
    named = {each.name for _, each in sources.parameters if "x-gap" in each.node}
    return {gap.id: _Builder(gap, sources, used, named).claims() for gap in register.gaps}


class _Builder:
    def __init__(
        self, gap: Gap, sources: Sources, used: Mapping[str, uses.Use], named: set[str]
    ) -> None:
        self.gap, self.sources, self.named = gap, sources, named
        self.marked: list[Place] = [
            (name, pointer) for name, use in used.items() for pointer in use.marked.get(gap.id, ())
        ]
        # An action with its places; the same one in two documents is one claim.
        self.actions: dict[str, tuple[Action, list[Place]]] = {}
        for name, use in used.items():
            for change in use.filled.get(gap.id, ()):
                action = change.action
                update = None if action.update is MISSING else action.update
                key = json.dumps([action.target, action.kind, update], sort_keys=True)
                self.actions.setdefault(key, (action, []))[1].append((name, change.pointer))

    def claims(self) -> list[Claim]:
        found: list[Claim] = []
        for action, places in self.actions.values():
            for claim in self._of_action(action, places):
                claim.documents = _documents(places)
                found.append(claim)
        judged = [claim for claim in found if not isinstance(claim, Unshown)]
        if judged:
            return judged  # words for people and servers that say the same once more go along
        hint = HINTS.get(self.gap.traffic)
        if hint is not None:
            first, filled = next(iter(self.actions.values()), (None, self.marked))
            claim = hint(self.sources, first, self.marked)
            claim.documents = _documents(filled)
            return [claim]
        return found[:1] or [Unshown(self.sources, None, _OPEN)]

    def _of_action(self, action: Action, places: list[Place]) -> Iterator[Claim]:
        sources, update = self.sources, action.update
        if action.kind != "update":
            yield Unshown(sources, action, _OTHER)
        elif all(not pointer for _, pointer in places):
            yield Unshown(sources, action, _BEHAVIOUR)
        elif isinstance(update, dict) and _are_members(places, "responses"):
            yield Statuses(sources, action, places)
        elif isinstance(update, list) and _are_members(places, "parameters"):
            yield from self._added(action, places)
        elif found := sources.parameters_around(places):
            if any((operation.document, each.pointer) in places for operation, each in found):
                yield self._of_parameter(action, found)
            elif not isinstance(update, dict):
                yield Unshown(sources, action, _OTHER)
            elif "x-extensible-enum" in update:
                yield OpenSet(sources, action, places)
            else:
                yield Sent(sources, action, found)
        else:
            yield self._of_schema(action, places)

    def _of_schema(self, action: Action, places: list[Place]) -> Claim:
        sources, update = self.sources, action.update
        if isinstance(update, dict):
            if "x-extensible-enum" in update:
                return OpenSet(sources, action, places)
            if "x-timezone" in update:
                return Zone(sources, action, places)
            if _all_end(places, "properties"):
                names = [name for name in update if not name.startswith("x-")]
                return Members(sources, action, "property", names, _above(places, 1))
            if "required" in update and self._are_read(places):
                return Presence(sources, action, places)
            if _SHAPE & set(update):
                return Shape(sources, action, places)
            if set(update) <= {"description", "title", "examples", "example"}:
                return Unshown(sources, action, _WORDS)
            return Unshown(sources, action, _LIMIT)
        if _all_end(places, "type"):
            return Types(sources, action, _above(places, 1))
        if _all_end(places, "propertyNames", "enum"):
            names = update if isinstance(update, list) else [update]
            return Members(sources, action, "key", list(map(str, names)), _above(places, 2))
        return Unshown(sources, action, _OTHER)

    def _are_read(self, places: list[Place]) -> bool:
        """Return whether responses hold objects of these schemas."""
        return any(
            (operation.document, component) in places
            for operation in self.sources.operations
            for component in self.sources.effective[operation.document].components(
                (*operation.pointer, "responses")
            )
        )

    def _of_parameter(self, action: Action, found: list[Use]) -> Claim:
        update = action.update
        if isinstance(update, dict) and "name" in update:
            return Name(self.sources, action, found, self.named)
        if isinstance(update, dict) and {"style", "explode"} & set(update):
            return Style(self.sources, action, found)
        return Unshown(self.sources, action, _WORDS if isinstance(update, dict) else _OTHER)

    def _added(self, action: Action, places: list[Place]) -> Iterator[Claim]:
        for node in action.update:
            name = node.get("name") if isinstance(node, dict) else None
            found = [
                (operation, parameter)
                for place in places
                for operation, parameter in self.sources.parameters
                if lie_in((operation.document, parameter.pointer), place) and parameter.name == name
            ]
            if found:
                yield Added(self.sources, action, found, self.named)
            else:
                yield Unshown(self.sources, action, _OTHER)


def _documents(places: Sequence[Place]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name, _ in places))


def _are_members(places: Sequence[Place], member: str) -> bool:
    """Return whether all of these are this member of an operation."""
    return all(
        len(pointer) == 4 and pointer[0] == "paths" and pointer[3] == member
        for _, pointer in places
    )


def _above(places: Sequence[Place], levels: int) -> list[Place]:
    """Return the schemas around places that lie so many levels inside them."""
    return [(document, pointer[:-levels]) for document, pointer in places]


def _all_end(places: Sequence[Place], *end: Any) -> bool:
    return all(pointer[-len(end) :] == end for _, pointer in places)
