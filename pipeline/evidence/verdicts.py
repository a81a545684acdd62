"""Verdicts: every gap, and what was seen with and without the overlays that fill it.

What an action writes, and where, decides what can show it. What only widens a document, such as
null beside a type, is shown by what would not fit without it; what narrows it, by anything that
fits. What does not fit although it is assumed speaks against it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from pipeline.evidence.documented import Documented
from pipeline.evidence.naming import named_in_refusal
from pipeline.evidence.refused import always_refused
from pipeline.evidence.routes import Call, Spot
from pipeline.evidence.sightings import (
    LIMITS,
    MILD,
    UNIT,
    Sighting,
    brief_path,
    parameter_node,
    sightings,
)  # fmt: skip
from pipeline.evidence.values import is_code
from pipeline.gaps import Gap, Register, Use
from pipeline.gaps.uses import actions
from pipeline.openapi.documents import Pointer
from pipeline.openapi.model import Operation
from pipeline.openapi.objects import as_dict
from pipeline.openapi.overlay.model import MISSING, Action
from pipeline.openapi.problems import Position
from pipeline.openapi.wording import either, type_of

State = Literal["refuted", "contradictory", "confirmed", "answered", "consistent", "not seen"]
STATES: Final[tuple[State, ...]] = (
    "refuted", "contradictory", "confirmed", "answered", "consistent", "not seen"
)  # fmt: skip
Outcome: TypeAlias = Literal["shows", "fits", "against", "new"]
Operations: TypeAlias = Mapping[str, Sequence[Operation]]
Place: TypeAlias = tuple[str, Pointer]
"""The name of a document, and a node in it."""

_MOST_CODES: Final = 40  # a set with more values is no set of codes
_OPEN: Final = "left open, and no value in the traffic answers it"
_UNREAD: Final = "behaviour or text, which no single exchange can show"
_NO_CALL: Final = "no traffic on its operations"
SHAPE: Final = frozenset(
    ("$ref", "type", "format", "items", "additionalProperties", "properties", "enum", "const")
)


@dataclass(frozen=True)
class Seen:
    """One thing that was seen: how often, and the first time.

    `against` is true for what contradicts an assumption; `operations` are those that showed it.
    """

    text: str
    count: int
    first: Spot
    against: bool
    operations: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Verdict:
    """Verdict of traffic on a gap.

    What is against it comes first in `seen`, then the most frequent. `why` says what stands in the
    way of more, `lacking` which parts were not seen, where others were; `places` where the
    documents leave it open, and what fills it; `marked` the nodes that carry it.
    """

    gap: Gap
    state: State
    assumed: str
    seen: tuple[Seen, ...] = ()
    why: str = ""
    lacking: tuple[str, ...] = ()
    places: tuple[Position, ...] = ()
    observed: tuple[Observation, ...] = ()
    marked: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Observation:
    """Evidence of one exchange for a part of an assumption: for it, or against it."""

    outcome: Outcome
    sighting: Sighting
    part: Part

    @property
    def call(self) -> Call:
        """The exchange that it comes from."""
        return self.sighting.call

    @property
    def text(self) -> str:
        """What was seen, in words; of a request, whether it was accepted, too."""
        return _text(self.sighting)


@dataclass(frozen=True)
class Part:
    """A part of what is assumed for a gap.

    Attributes:
        node: the node at which traffic shows it.
        name: what it is called; several with one name are shown by one. Without a name it only
            says what would be against the others.
        widens: whether what shows it would not fit without it.
        is_open: whether new values are no argument against those that are known.
        is_deep: whether what stands inside the node belongs to it.
        action: what assumes it.
    """

    document: str
    node: Pointer
    name: str
    widens: bool = False
    is_open: bool = False
    is_deep: bool = False
    action: Action | None = None

    @property
    def place(self) -> Place:
        """The name of the document, and the node in it."""
        return self.document, self.node

    @property
    def argument(self) -> str:
        """The name that a refusal has for it."""
        pairs = list(zip(self.node, self.node[1:], strict=False))
        names = [name for key, name in pairs if key in ("parameters", "properties", "required")]
        return str(names[-1]) if names else ""


class Traffic:
    """All calls, and what stood in them by the documents with and without overlays."""

    def __init__(
        self,
        calls: Sequence[Call],
        effective: Mapping[str, Documented],
        bare: Mapping[str, Documented],
    ) -> None:
        self.calls = sorted(calls, key=lambda call: call.spot)
        self.effective = effective
        self.bare = bare
        self.with_overlays: list[Sighting] = []
        self.without_overlays: list[Sighting] = []
        own = {
            (name, operation.pointer): operation
            for name, document in bare.items()
            for operation in document.model.operations
        }
        for call in self.calls:
            name = call.document
            self.with_overlays += sightings(effective[name], call.operation, call)
            if operation := own.get((name, call.operation.pointer)):
                self.without_overlays += sightings(bare[name], operation, call)
        self.always_refused = always_refused(self.calls, effective, self.with_overlays)


def verdicts(register: Register, used: Mapping[str, Use], traffic: Traffic) -> list[Verdict]:
    """Return the verdict on every gap, in the order of the register."""
    operations = {name: each.model.operations for name, each in traffic.effective.items()}
    parts = {gap.id: _parts(gap.id, operations, used) for gap in register.gaps}
    marked = {gap.id: _marked(gap.id, operations, used) for gap in register.gaps}
    wanted = {part.place for own in (*parts.values(), *marked.values()) for part in own}
    after = _by_place(traffic.with_overlays, wanted)
    before = _by_place(traffic.without_overlays, wanted)
    doubtful = {(one.call, one.nodes[0]) for one in traffic.always_refused}
    judged = []
    for gap in register.gaps:
        filling = [
            action for use in used.values() for action in actions(use.filled.get(gap.id, ()))
        ]
        words = (_in_words(action.update) for action in filling if action.update is not MISSING)
        assumed = "; ".join(dict.fromkeys(filter(None, words)))
        places = _places(parts[gap.id] or marked[gap.id], filling, traffic)
        own = tuple(marked[gap.id])
        verdict = Verdict(gap, "not seen", assumed, places=places, marked=own)
        if gap.shown_by == "nulls":
            judged.append(_nulls(replace(verdict, why=_OPEN), traffic))
        elif shown := parts[gap.id]:
            observed = [one for part in shown for one in _observe(part, after, before, doubtful)]
            judged.append(_judged(verdict, shown, observed, traffic))
        else:
            why = _UNREAD if filling else _OPEN
            judged.append(_answered(replace(verdict, why=why), marked[gap.id], after, traffic))
    return judged


def _by_place(seen: Iterable[Sighting], wanted: set[Place]) -> dict[Place, list[Sighting]]:
    """Return sightings by the wanted nodes at which, or inside which, they stood."""
    by_place: dict[Place, list[Sighting]] = {}
    for sighting in seen:
        document = sighting.call.document
        around = {node[:end] for node in sighting.nodes for end in range(1, len(node) + 1)}
        for node in around:
            if (document, node) in wanted:
                by_place.setdefault((document, node), []).append(sighting)
    return by_place


# What is assumed


def _parts(gap: str, operations: Operations, used: Mapping[str, Use]) -> list[Part]:
    """Return the parts of what is assumed that traffic can show."""
    parts = []
    for document, use in used.items():
        changes = [change for change in use.filled.get(gap, ()) if change.kind == "update"]
        for change in changes:
            is_single = sum(one.action is change.action for one in changes) == 1
            updated = _of_update(
                change.pointer, change.action.update, operations[document], is_single
            )
            parts += [replace(part, document=document, action=change.action) for part in updated]
    return parts


def _of_update(
    at: Pointer, update: Any, operations: Sequence[Operation], is_single: bool
) -> Iterator[Part]:
    last = at[-1] if at else ""
    fields = update if isinstance(update, dict) else {}
    names = [update] if isinstance(update, str) else update if isinstance(update, list) else []
    if last == "responses":
        codes = [code for code in fields if not code.startswith("x-")]
        for code in codes:
            yield Part("", (*at, code), code)
        for kind in {code[0] for code in codes} if is_single else ():
            if f"{kind}XX" not in codes:
                yield Part("", (*at, f"{kind}??"), "")
    elif last == "parameters":
        added = {node.get("name") for node in names if isinstance(node, dict)}
        for operation in operations:
            for name, parameter in operation.sent_in("query").items():
                if parameter.pointer[: len(at)] == at and name in added:
                    yield Part("", parameter_node(operation, name), operation.title, widens=True)
    elif around := _parameters_around(at, operations):
        for operation, called, pointer in around:
            node = parameter_node(operation, called)
            if at != pointer:
                name, is_open = f"{called} of {operation.title}", "x-extensible-enum" in fields
                limits = ("limits",) if LIMITS & set(fields) else ()
                yield Part("", (*node, "schema", *limits), name, is_open=is_open)
            elif "name" in fields:
                yield Part("", node, operation.title, widens=True)
            elif {"style", "explode"} & set(fields):
                yield Part("", (*node, "style"), operation.title)
    elif "x-extensible-enum" in fields:
        yield Part("", at, brief_path(at), is_open=True)
    elif "format" in as_dict(fields.get(UNIT[0])):
        yield Part("", UNIT, str(fields[UNIT[0]]["format"]))
    elif last == "properties":
        for name in fields:
            yield Part("", (*at, name), f"property {name}", widens=True)
    elif last == "type":
        yield Part("", at[:-1], brief_path(at[:-1]), widens=True)
    elif at[-2:] == ("propertyNames", "enum"):
        yield from (Part("", (*at, name), f"key {name}", widens=True) for name in names)
    else:
        for name in fields.get("required", ()):
            yield Part("", (*at, "required", name), str(name))
        if SHAPE & set(fields):
            yield Part("", at, brief_path(at), is_deep=True)


def _parameters_around(
    at: Pointer, operations: Sequence[Operation]
) -> list[tuple[Operation, str, Pointer]]:
    return [
        (operation, name, parameter.pointer)
        for operation in operations
        for name, parameter in operation.sent_in("query").items()
        if at[: len(parameter.pointer)] == parameter.pointer
    ]


def _marked(gap: str, operations: Operations, used: Mapping[str, Use]) -> list[Part]:
    """Return the places of values that the documents mark with a gap."""
    parts = []
    for document, use in used.items():
        for at in use.marked.get(gap, ()):
            around = _parameters_around(at, operations[document])
            parts += [
                Part(document, (*parameter_node(operation, name), "schema"), "")
                for operation, name, pointer in around
                if at == (*pointer, "schema")
            ]
            if not around:
                parts.append(Part(document, at, ""))
    return parts


def _in_words(value: Any) -> str:
    """Return what an action writes, in a few words."""
    if isinstance(value, list):
        return either(map(_in_words, value))
    if not isinstance(value, dict):
        return {None: "null", True: "yes", False: "no"}.get(value, str(value).rstrip("."))
    for key in ("name", "x-extensible-enum"):
        if key in value:
            return _in_words(value[key])
    if "$ref" in value:
        return str(value["$ref"]).rpartition("/")[2]
    value = value.get("x-assume", value)
    while isinstance(value, dict) and len(value) == 1:
        ((key, inner),) = value.items()
        if key[:1].isdigit() or "description" in as_dict(inner):
            return str(key)
        value = inner
    if not isinstance(value, dict):
        return _in_words(value)
    keys = [key for key in value if key[:2] != "x-" and key != "description"]
    return ", ".join(
        key if isinstance(value[key], dict) else f"{key} {_in_words(value[key])}" for key in keys
    )


# What is seen


def _observe(
    part: Part,
    after: Mapping[Place, list[Sighting]],
    before: Mapping[Place, list[Sighting]],
    doubtful: Collection[tuple[Call, Pointer]],
) -> Iterator[Observation]:
    """Yield what each exchange shows of a part of an assumption.

    A refusal that names an argument knows it; but not of a `doubtful` one, which never succeeded.
    """
    refuted = set()
    for sighting in _at(part, after):
        if sighting.problem:
            refuted.add(sighting.call)
            outcome = _outcome_of_mismatch(part, sighting)
        elif part.widens or (part.is_deep and sighting.value in (None, [], {})):
            continue
        else:
            is_refused = sighting.sent and not sighting.call.ok
            outcome = None if is_refused else _outcome_of_match(part, sighting)
        if outcome is not None:
            yield Observation(outcome, sighting, part)
    for sighting in _at(part, before) if part.widens else ():
        if sighting.problem and sighting.call not in refuted:
            is_name = sighting.problem == "query parameter"
            if not sighting.sent or sighting.call.ok:
                yield Observation(_outcome_of_match(part, sighting), sighting, part)
            elif part.argument in named_in_refusal(sighting.call):
                is_doubtful = (sighting.call, part.node) in doubtful
                outcome = "against" if not is_name else "fits" if is_doubtful else "shows"
                yield Observation(outcome, sighting, part)


def _at(part: Part, places: Mapping[Place, list[Sighting]]) -> list[Sighting]:
    nearby = places.get(part.place, [])
    return nearby if part.is_deep else [one for one in nearby if part.node in one.nodes]


def _outcome_of_match(part: Part, sighting: Sighting) -> Outcome:
    """Return the outcome of a value that is as assumed. Sent by a client of these documents, it
    proves little.
    """
    proves = sighting.call.foreign if sighting.sent else not sighting.weak
    return "shows" if proves and not part.is_open else "fits"


def _outcome_of_mismatch(part: Part, sighting: Sighting) -> Outcome | None:
    """Return the outcome of a value that is not as assumed; None where it proves nothing."""
    if sighting.problem == "name":
        return "against"
    if sighting.sent and not sighting.call.ok:
        if sighting.problem != "form":
            return None
        if part.argument in named_in_refusal(sighting.call):
            return "shows"
        return "fits" if sighting.call.exchange.status in (400, 413, 414, 422) else None
    if part.is_open and sighting.problem == "value":
        return "new"
    return None if sighting.problem in MILD else "against"


def _text(sighting: Sighting) -> str:
    if not sighting.sent or sighting.problem in ("query parameter", "name"):
        return sighting.text
    verb = "accepted" if sighting.call.ok else f"refused: {sighting.call.exchange.status}"
    return sighting.text if "accepted" in sighting.text else f"{sighting.text}, {verb}"


def _judged(
    verdict: Verdict, parts: Sequence[Part], observed: Sequence[Observation], traffic: Traffic
) -> Verdict:
    outcomes = {one.outcome for one in observed}
    shown = {one.part.name for one in observed if one.outcome == "shows"}
    names = [name for name in dict.fromkeys(part.name for part in parts) if name]
    state: State = "not seen"
    why, lacking = "", tuple[str, ...]()
    if "against" in outcomes:
        state = "contradictory" if {"shows", "fits"} & outcomes else "refuted"
    elif "new" in outcomes:
        state = "answered"
    elif shown >= set(names):
        state = "confirmed"
    elif observed:
        state = "consistent"
        seen = {one.part.name for one in observed}
        lacking = tuple(name for name in names if name not in seen)
        why = "the traffic agrees, but would agree without the assumption, too"
        if any(part.is_open for part in parts):
            why, lacking = "the set of values is open, so known values confirm nothing", ()
        elif lacking:
            why = "partly seen; the parts in brackets are missing"
    else:
        why = "no exchange has a value there" if _is_called(parts, traffic) else _NO_CALL
    seen_once = [(one.text, one.outcome == "against", one.call) for one in observed]
    return replace(
        verdict, state=state, seen=seen_of(seen_once), why=why, lacking=lacking,
        observed=tuple(observed),
    )  # fmt: skip


def _answered(
    verdict: Verdict, places: Sequence[Part], after: Mapping[Place, list[Sighting]],
    traffic: Traffic,
) -> Verdict:  # fmt: skip
    """Return a verdict on what no schema can check: the codes, or the types, that stood there."""
    observed = []
    for part in places:
        kinds = traffic.effective[part.document].types(part.node) or frozenset()
        has_kinds = len(kinds - {"null"}) > 1
        for sighting in _at(part, after):
            is_plain = is_code(sighting.value) or isinstance(sighting.value, bool | float)
            is_plain |= has_kinds and sighting.value not in ([], {})
            is_plain &= sighting.problem != "type"
            if is_plain and (sighting.call.ok or not sighting.sent):
                # A type that is assumed in words, of several that a schema takes.
                is_other = has_kinds and type_of(sighting.value) != verdict.assumed in kinds
                observed.append(Observation("against" if is_other else "fits", sighting, part))
    values = [*in_ranges((one.sighting, one.outcome == "against") for one in observed)]
    if not 0 < len({text for text, *_ in values}) <= _MOST_CODES:
        return verdict
    outcomes = {one.outcome for one in observed}
    state: State = "answered"
    if "against" in outcomes:
        state = "contradictory" if "fits" in outcomes else "refuted"
    return replace(verdict, state=state, seen=seen_of(values), why="", observed=tuple(observed))


def in_ranges(seen: Iterable[tuple[Sighting, bool]]) -> Iterator[tuple[str, bool, Call]]:
    """Yield what was seen, as `seen_of` takes it; where fractions stood, their range.

    Where a unit is open, the range tells it: rates from 0.004 to 0.08 are no percents.
    """
    listed = [*seen]
    by_place: dict[tuple[Pointer, bool], set[float]] = {}
    for one, against in listed:
        if (number := _number(one.value)) is not None:
            by_place.setdefault((one.nodes[0], against), set()).add(number)
    for one, against in listed:
        text, numbers = one.text, by_place.get((one.nodes[0], against), set())
        has_fractions = any(isinstance(number, float) for number in numbers)
        if has_fractions and _number(one.value) is not None:
            what, at, place = text.rpartition(" at ")
            text = "".join((span(numbers), *what.partition(", ")[1:], at, place))
        yield text, against, one.call


def _number(value: Any) -> float | None:
    """Return a number that may be shown: a fraction, or an integer that is no identifier."""
    is_number = isinstance(value, float) or (isinstance(value, int) and is_code(value))
    return value if is_number else None


def span(numbers: Collection[float]) -> str:
    """Return the range of numbers, each with three digits."""
    ends = [f"{end:.3g}" if isinstance(end, float) else f"{end}" for end in sorted(numbers)]
    ends = [ends[0], ends[-1]]
    return " to ".join(dict.fromkeys(ends))


def _nulls(verdict: Verdict, traffic: Traffic) -> Verdict:
    """Return a verdict on nulls where no type takes them: the fields, each as often as it came."""
    own = verdict.gap.documents
    nulls = [
        Observation("new", one, Part(one.call.document, one.nodes[0], ""))
        for one in traffic.with_overlays
        if one.problem == "null" and not one.sent and (not own or one.call.document in own)
    ]
    if not nulls:
        return verdict
    seen = seen_of((one.text.rpartition(" at ")[2], False, one.call) for one in nulls)
    places = _places((one.part for one in nulls), (), traffic)
    return replace(
        verdict, state="answered", seen=seen, why="", places=places, observed=tuple(nulls)
    )


def _places(
    parts: Iterable[Part], filling: Iterable[Action], traffic: Traffic
) -> tuple[Position, ...]:
    """Return where the documents leave something open, and the actions that fill it."""
    first = next(iter(parts), None)
    places = [action.position for action in filling][:1]
    if first is not None:
        # A parameter without a name has its place by the one that is assumed.
        of = traffic.effective if "parameters" in first.node else traffic.bare
        places.insert(0, of[first.document].position(first.node))
    return tuple(places)


def _is_called(parts: Sequence[Part], traffic: Traffic) -> bool:
    """Return whether an operation was called in whose messages parts can stand."""
    called = {(call.document, call.operation.pointer) for call in traffic.calls}
    return any(
        part.node[: len(pointer)] == pointer
        or part.node[:3] in traffic.effective[document].components(pointer)
        for part in parts
        for document, pointer in called
        if document == part.document
    )


def seen_of(values: Iterable[tuple[str, bool, Call]]) -> tuple[Seen, ...]:
    """Return what was seen, each once."""
    by_text: dict[tuple[str, bool], list[Call]] = {}
    for text, against, call in values:
        by_text.setdefault((text, against), []).append(call)
    seen = [
        Seen(
            text, len(calls), min(call.spot for call in calls), against,
            frozenset(call.operation.title for call in calls),
        )
        for (text, against), calls in by_text.items()
    ]  # fmt: skip
    return tuple(sorted(seen, key=lambda one: (not one.against, -one.count, one.text)))
