"""Claims that the register explains: `traffic` says how exchanges answer a gap.

For a gap with an assumption under `x-assume`, the one value that is written there is what is held
against traffic; for an open gap, what is seen is the answer.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pipeline.evidence.claims import (
    Claim,
    Observation,
    Outcome,
    Place,
    Sources,
    Update,
    brief_path,
    path_of,
    reached,
)
from pipeline.evidence.documented import Documented
from pipeline.evidence.index import Traffic, Value, at_path, links, names, sent
from pipeline.evidence.matching import Call, Operation, Parameter
from pipeline.evidence.shapes import (
    a,
    is_code,
    shown,
    takes,
    type_of,
    whole,
)
from pipeline.openapi.overlay import Action

_MOST_CODES: Final = 40


class _Hinted(Claim):
    """A claim about what stands where the documents say `x-gap`."""

    def __init__(
        self, sources: Sources, action: Action | None, places: Sequence[Place], leaf: Any
    ) -> None:
        super().__init__(action, "" if leaf is None else _told(leaf), places)
        self.sources = sources
        self.leaf = leaf
        self.is_question = action is None
        self.concerned = reached(sources, self.nodes)

    def values(self, traffic: Traffic) -> Iterator[Value]:
        for document, pointer in self.nodes:
            yield from traffic.at(document, pointer)

    def compared(self, value: Any, said: str, call: Call) -> Observation:
        """What was seen, held against what is assumed."""
        outcome: Any = "shows" if value == self.leaf or self.is_question else "against"
        return Observation(outcome, said, call, "", value)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        """The assumed value replaced by the one that was seen."""
        if self.action is None:
            return None
        values = {str(each.data): each.data for each in seen if each.outcome != "silent"}
        if len(values) != 1:
            return None
        (value,) = values.values()
        return self.instead(_replaced(self.action.update, self.leaf, value))


class JsonType(_Hinted):
    """The JSON type of what stands there."""

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            if value.side != "answer":
                continue
            kind = type_of(value.value)
            # Some servers write an empty object as an empty array.
            if value.value in ([], {}) or value.value is None:
                yield Observation("silent", f"empty: {a(kind)}", value.call)
            else:
                yield self.compared(kind, a(kind), value.call)


class TimeUnit(_Hinted):
    """The unit of a moment or a span that stands there as a number."""

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            number = value.value
            if isinstance(number, str) and number:
                yield self.compared("text", f"a text as {_last(value)}", value.call)
            if isinstance(number, int | float) and not isinstance(number, bool):
                unit = _unit(number)
                yield self.compared(
                    unit, f"{unit}: {_last(value)} has {_digits(number)}", value.call
                )


class Codes(_Hinted):
    """The values that stand there, of a set of codes."""

    @property
    def unseen(self) -> str:
        return "no value stood at that place"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            one = value.value
            if one is None or isinstance(one, dict | list | float):
                continue
            if value.side == "answer" or value.call.ok:
                part = brief_path(value.pointer)
                text = f"{_last(value)} {shown(one)}" if len(self.nodes) > 1 else shown(one)
                yield Observation("shows", text, value.call, part, (value.pointer, one))
        for operation, parameter in self.sources.parameters:
            if (operation.document, parameter.schema) in self.nodes:
                yield from self._sent(traffic.of(operation), parameter)

    def _sent(self, calls: Sequence[Call], parameter: Parameter) -> Iterator[Observation]:
        for call in calls:
            for text in sent(call, parameter):
                if call.ok and text:
                    said = f"{parameter.name} {shown(text)}"
                    outcome: Outcome = "shows" if call.foreign else "fits"
                    yield Observation(outcome, said, call, parameter.name, (None, text))

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        found: dict[Any, set[Any]] = {}
        for each in seen:
            pointer, value = each.data
            if pointer is None or each.outcome != "shows":
                continue
            found.setdefault((each.call.operation.document, pointer), set()).add(value)
        updates = []
        for (document, pointer), values in sorted(found.items(), key=lambda item: str(item[0])):
            codes = sorted(values, key=lambda value: (str(type(value)), value))
            if len({type(value) for value in codes}) > 1 or not all(map(is_code, codes)):
                return None
            if len(codes) > _MOST_CODES or isinstance(codes[0], bool):
                return None
            updates.append(Update(path_of(pointer), {"x-extensible-enum": codes}, document))
        return updates or None


class Nulls(_Hinted):
    """Which members of an object, or which parts of a value, are null."""

    @property
    def unseen(self) -> str:
        return "never null there"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            if value.side != "answer":
                continue
            says = self.sources.effective[value.call.operation.document]
            name = brief_path(value.pointer)
            if isinstance(value.value, dict):
                yield from self._members(says, value, name)
            elif value.value is None:
                yield Observation("shows", f"{name} null", value.call, name)
            elif isinstance(value.value, list) and None in value.value:
                yield Observation("shows", f"{name} with null in it", value.call, name)
            else:
                yield Observation("silent", "no null", value.call, name)

    def _members(self, says: Documented, value: Value, name: str) -> Iterator[Observation]:
        known, _ = says.members(value.pointer)
        for member, pointer in known.items():
            if value.value.get(member, "") is None and not takes(says.types(pointer), None):
                text = f"{member} null"
                yield Observation("shows", text, value.call, f"{name}.{member}", pointer)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        return None  # an action cannot put null beside a type that is written as one word


class Required(_Hinted):
    """Which members the body of a request must have: none that was left out with success."""

    @property
    def unseen(self) -> str:
        return "no two accepted bodies without a member in common"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        bodies = [
            (value.call, set(value.value))
            for value in self.values(traffic)
            if value.side == "request" and value.call.ok and isinstance(value.value, dict)
        ]
        always = set.intersection(*(keys for _, keys in bodies)) if bodies else set()
        for call, keys in bodies:
            if not keys - always or not always:
                least = "no member is in all of them" if not always else ", ".join(sorted(always))
                outcome: Any = "shows" if not always else "silent"
                yield Observation(outcome, f"accepted bodies: {least}", call)


class Parameters(_Hinted):
    """Which other parameters an operation has: those that other clients send, or links have."""

    @property
    def unseen(self) -> str:
        return "none was sent"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for operation in self.concerned:
            known = {each.name for each in operation.parameters}
            for call in traffic.of(operation):
                # What addresses of pages have is what asks for a page.
                pages = "x-paging" in operation.node
                written = set() if pages else {name for name, _ in links(call)} - known
                strange = set(names(call)) - known if call.ok else set()
                for name in sorted(filter(is_code, strange | written)):
                    outcome: Any = "shows" if call.foreign or name in written else "fits"
                    yield Observation(outcome, name, call, operation.id, (operation, name))

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        found: dict[Operation, set[str]] = {}
        for each in seen:
            if each.outcome == "shows":
                operation, name = each.data
                found.setdefault(operation, set()).add(name)
        updates = []
        for operation, added in found.items():
            nodes = [
                {
                    "name": name,
                    "in": "query",
                    "description": "Seen in traffic; what it does is not documented.",
                    "schema": {"type": "string"},
                }
                for name in sorted(added)
            ]
            has = "parameters" in operation.node
            pointer = (*operation.pointer, "parameters") if has else operation.pointer
            update = nodes if has else {"parameters": nodes}
            updates.append(Update(path_of(pointer), update, operation.document))
        return updates or None


class AsAsked(_Hinted):
    """Whether a list comes in the order of the values that were asked for."""

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for operation in self.concerned:
            chunks = operation.node.get("x-batch")
            if not isinstance(chunks, Mapping):
                continue
            of, key = str(chunks.get("of")), str(chunks.get("key"))
            parameter = next((each for each in operation.parameters if each.name == of), None)
            for call in traffic.of(operation) if parameter else ():
                answered = call.exchange.answered.value
                if not call.ok or not isinstance(answered, list):
                    continue
                assert parameter is not None
                asked = sent(call, parameter)
                came = [str(at_path(item, key)) for item in answered]
                order = [value for value in dict.fromkeys(asked) if value in came]
                if len(order) < 2 or sorted(came) != sorted(order):
                    yield Observation("silent", "fewer than two", call)
                elif order == came:
                    sorted_anyway = _is_sorted(order)
                    outcome: Outcome = "fits" if sorted_anyway else "shows"
                    said = "as asked, which is sorted" if sorted_anyway else "as asked"
                    yield Observation(outcome, said, call, "", self.leaf)
                else:
                    yield Observation("against", "another order", call, "", "another")

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        return None


class DaysAfter(_Hinted):
    """A date so many days after another member of the same object: `{from, addDays}`."""

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        member = str(self.leaf.get("from")) if isinstance(self.leaf, Mapping) else ""
        for value in self.values(traffic):
            one, other = _moment(value.value), _moment((value.holder or {}).get(member))
            # A moment with a zone and one without cannot be compared.
            if one is None or other is None or (one.tzinfo is None) != (other.tzinfo is None):
                continue
            if value.side == "answer":
                days = (one - other) / datetime.timedelta(days=1)
                number = int(days) if days == int(days) else days
                said = f"{number:g} day{'' if number == 1 else 's'} after {member}"
                yield self.compared({**self.leaf, "addDays": number}, said, value.call)


class BytesSent(_Hinted):
    """A number of bytes: as many as the one file in the request had."""

    @property
    def unseen(self) -> str:
        return "never the size of a file that was sent"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            files = [each for each in value.call.exchange.asked.fields if each.size is not None]
            if value.side != "answer" or len(files) != 1 or not isinstance(value.value, int):
                continue
            fits = value.value == files[0].size
            said = "as many as bytes were sent" if fits else "another number than bytes were sent"
            yield Observation("shows" if fits else "silent", said, value.call)


class OneBudget(_Hinted):
    """Whether all documents count against one limit: no number that is left comes twice."""

    def __init__(
        self, sources: Sources, action: Action | None, places: Sequence[Place], leaf: Any
    ) -> None:
        super().__init__(sources, action, (), leaf)
        self.concerned = tuple(sources.operations)

    @property
    def unseen(self) -> str:
        return "never several documents in one window, by one user"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        windows: dict[Any, dict[int, list[Call]]] = {}
        for call in traffic.calls:
            rate = traffic.documents[call.operation.document].data.get("x-rate-limit")
            if not isinstance(rate, Mapping) or not call.exchange.user:
                continue
            headers = call.exchange.headers
            reset = headers.get(str(rate.get("reset")).lower())
            left = whole(headers.get(str(rate.get("remaining")).lower(), ""))
            if reset and left is not None:
                key = call.exchange.file, call.exchange.user, reset
                windows.setdefault(key, {}).setdefault(left, []).append(call)
        for counts in windows.values():
            calls = [call for found in counts.values() for call in found]
            there = {
                left: [call.operation.document for call in found]
                for left, found in counts.items()
                if left  # refused ones all have 0 left
            }
            if len({call.operation.document for call in calls}) < 2:
                continue
            if any(len(set(each)) < len(each) for each in there.values()):
                continue  # one document has a number twice: nothing is counted down
            first = min(calls, key=lambda call: call.order)
            if any(len(each) > 1 for each in there.values()):
                yield self.compared(False, "a number left twice in one window", first)
            elif any(there.get(left + 1, each) != each for left, each in there.items()):
                yield self.compared(True, "one count over all documents", first)
            else:
                # Two counts that stand far apart have no number in common, either.
                yield Observation("fits", "no number of one document follows another's", first)


def _unit(number: float) -> str:
    for limit, unit in ((1e8, "seconds from now"), (1e11, "seconds"), (1e14, "milliseconds")):
        if abs(number) < limit:
            return unit
    return "microseconds"


def _digits(number: float) -> str:
    count = len(str(abs(int(number))))
    return f"{count} digit{'s' if count > 1 else ''}"


def _is_sorted(texts: list[str]) -> bool:
    """Whether texts are in an order of their own, either way, as texts or as numbers."""
    keys: tuple[Callable[[str], Any], ...] = (str, lambda text: (len(text), text))
    orders = [sorted(texts, key=key) for key in keys]
    return texts in orders or texts[::-1] in orders


def _last(value: Value) -> str:
    return value.path.rpartition(".")[2]


def _moment(value: Any) -> datetime.datetime | None:
    try:
        return datetime.datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _told(leaf: Any) -> str:
    if isinstance(leaf, str):
        return leaf.rstrip(".")
    if isinstance(leaf, Mapping):
        return ", ".join(f"{key} {value}" for key, value in leaf.items())
    return {True: "yes", False: "no"}.get(leaf, str(leaf))


def _replaced(update: Any, leaf: Any, value: Any) -> Any:
    """An update with the value that it writes replaced."""
    if update is leaf:
        return value
    if isinstance(update, dict):
        return {key: _replaced(inner, leaf, value) for key, inner in update.items()}
    return value if update == leaf else update


@dataclass(frozen=True)
class Hint:
    """How traffic answers a gap: the claim, and whether the assumed value is a map as a whole."""

    make: Callable[[Sources, Action | None, Sequence[Place], Any], Claim]
    of_map: bool = False


HINTS: Final[Mapping[str, Hint]] = {
    "as-asked": Hint(AsAsked),
    "bytes-sent": Hint(BytesSent),
    "codes": Hint(Codes),
    "days-after": Hint(DaysAfter, of_map=True),
    "json-type": Hint(JsonType),
    "nulls": Hint(Nulls),
    "one-budget": Hint(OneBudget),
    "parameters": Hint(Parameters),
    "required": Hint(Required),
    "time-unit": Hint(TimeUnit),
}
