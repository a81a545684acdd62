"""Verdicts: all that was observed about a gap, brought together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pipeline.evidence.claims import Claim, Observation, Unshown
from pipeline.evidence.index import Traffic
from pipeline.evidence.matching import Call
from pipeline.gaps import Gap, Register

State = Literal["refuted", "contradictory", "confirmed", "answered", "consistent", "not seen"]
STATES: Final[tuple[State, ...]] = (
    "refuted", "contradictory", "confirmed", "answered", "consistent", "not seen"
)  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """One thing that was seen: how often, and the first time.

    `against` tells what speaks against an assumption from what speaks for it.
    """

    said: str
    count: int
    call: Call
    against: bool


@dataclass(frozen=True)
class Verdict:
    """What traffic says about a gap.

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
    """The verdict on every gap, in the order of the register."""
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
        state, why = "not seen", _reason(claims, every, traffic)
    return Verdict(gap, state, assumed, _told(every), why, lacking, observed)


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
    """Why a gap is not confirmed, and the parts of it that nothing was seen of."""
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


def _reason(claims: Sequence[Claim], every: Sequence[Observation], traffic: Traffic) -> str:
    """Why nothing is seen of a gap."""
    first = claims[0]
    if isinstance(first, Unshown):
        return first.why
    concerned = [operation for claim in claims for operation in claim.concerned]
    if not any(traffic.of(operation) for operation in concerned):
        return "no traffic on its operations"
    return first.unseen


def _told(every: Sequence[Observation]) -> tuple[Seen, ...]:
    """What was seen, each once; silence is not told."""
    found: dict[tuple[str, bool], list[Observation]] = {}
    for each in every:
        if each.outcome != "silent":
            found.setdefault((each.said, each.outcome == "against"), []).append(each)
    seen = [
        Seen(said, len(own), min((each.call for each in own), key=lambda call: call.order), against)
        for (said, against), own in found.items()
    ]
    return tuple(sorted(seen, key=lambda each: (not each.against, -each.count, each.said)))
