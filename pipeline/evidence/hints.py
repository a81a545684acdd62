"""Claims that the register explains: `traffic` names how exchanges answer a gap.

For a gap with an assumption under `x-assume`, the one value that is written there is compared with
traffic; for an open gap, what is seen is the answer.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from pipeline.evidence.claims import (
    MOST_CODES,
    Claim,
    Observation,
    Outcome,
    Place,
    Sources,
    Update,
    brief_path,
    path_of,
)
from pipeline.evidence.routes import Call
from pipeline.evidence.traffic import Traffic, Value, at_path, sent
from pipeline.evidence.values import a, is_code, shown, takes, type_of, whole
from pipeline.openapi import extensions
from pipeline.openapi.extensions import DocumentWords
from pipeline.openapi.objects import as_dict, as_list
from pipeline.openapi.overlay import Action


class _Hinted(Claim):
    """A claim about what stands where the documents have `x-gap`."""

    of_map: ClassVar[bool] = False  # whether the assumed value is a map as a whole

    def __init__(self, sources: Sources, action: Action | None, places: Sequence[Place]) -> None:
        self.assumed_value = None if action is None else _leaf(action.update, as_map=self.of_map)
        super().__init__(sources, action, _in_words(self.assumed_value), places)
        self.is_question = action is None

    def compared(self, value: Any, text: str, call: Call) -> Observation:
        """Return what was seen, compared with what is assumed."""
        fits = self.is_question or value == self.assumed_value
        return Observation("shows" if fits else "against", text, call, "", value)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        """Return the action with the value that was seen instead of the assumed one."""
        values = {str(each.data): each.data for each in seen}
        if self.action is None or len(values) != 1:
            return None
        (value,) = values.values()
        return self.instead(_replaced(self.action.update, self.assumed_value, value))


class _Question(_Hinted):
    """A hint whose answer no action can write."""

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        return None


class JsonType(_Hinted):
    """The JSON type of what stands there."""

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            # Some servers write an empty object as an empty array.
            if value.side == "response" and value.value not in ([], {}, None):
                kind = type_of(value.value)
                yield self.compared(kind, a(kind), value.call)


class TimeUnit(_Hinted):
    """The unit of a moment or a span that stands there as a number."""

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            number, name = value.value, value.path.rpartition(".")[2]
            if isinstance(number, str) and number:
                yield self.compared("text", f"a text as {name}", value.call)
            if isinstance(number, int | float) and not isinstance(number, bool):
                unit, digits = _unit(number), len(str(abs(int(number))))
                text = f"{unit}: {name} has {digits} digit{'s' if digits > 1 else ''}"
                yield self.compared(unit, text, value.call)


class DaysAfter(_Hinted):
    """A date so many days after another member of the same object: `{from, addDays}`."""

    of_map = True

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        assumed = self.assumed_value if isinstance(self.assumed_value, Mapping) else {}
        member = str(assumed.get("from"))
        for value in self.values(traffic):
            one, other = _moment(value.value), _moment((value.holder or {}).get(member))
            # A moment with a zone and one without cannot be compared.
            if one is None or other is None or (one.tzinfo is None) != (other.tzinfo is None):
                continue
            if value.side == "response":
                days = (one - other) / datetime.timedelta(days=1)
                number = int(days) if days == int(days) else days
                text = f"{number:g} day{'' if number == 1 else 's'} after {member}"
                yield self.compared({**assumed, "addDays": number}, text, value.call)


class BytesSent(_Hinted):
    """A number of bytes: as many as the one file in the request had."""

    unseen = "never the size of a file that was sent"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            files = [each for each in value.call.exchange.request.fields if each.size is not None]
            if value.side == "response" and [each.size for each in files] == [value.value]:
                yield Observation("shows", "as many as bytes were sent", value.call)


class OneBudget(_Hinted):
    """Whether all documents count against one limit: no number that is left comes twice."""

    unseen = "never several documents in one window, by one user"

    def __init__(self, sources: Sources, action: Action | None, places: Sequence[Place]) -> None:
        super().__init__(sources, action, ())
        self.concerned = tuple(sources.operations)

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for counts in self._windows(traffic):
            calls = [call for found in counts.values() for call in found]
            if len({call.operation.document for call in calls}) < 2:
                continue
            there = {
                left: [call.operation.document for call in found]
                for left, found in counts.items()
                if left  # refused ones all have 0 left
            }
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

    def _windows(self, traffic: Traffic) -> list[dict[int, list[Call]]]:
        """Return for each window and user the calls by the number of requests that are left."""
        rates = {
            name: extensions.read(DocumentWords, document.data).rate_limit
            for name, document in self.sources.effective.items()
        }
        windows: dict[Any, dict[int, list[Call]]] = {}
        for call in traffic.calls:
            rate, headers = rates[call.operation.document], call.exchange.headers
            if rate is not None and call.exchange.user:
                reset = headers.get(str(rate.reset).lower())
                left = whole(headers.get(str(rate.remaining).lower(), ""))
                if reset and left is not None:
                    key = call.exchange.file, call.exchange.user, reset
                    windows.setdefault(key, {}).setdefault(left, []).append(call)
        return list(windows.values())


class Codes(_Hinted):
    """The values that stand there, of a set of codes."""

    unseen = "no value stood at that place"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            code = value.value
            if code is None or isinstance(code, dict | list | float):
                continue
            if value.side == "response" or value.call.ok:
                name = f"{value.path.rpartition('.')[2]} " if len(self.nodes) > 1 else ""
                part, data = brief_path(value.pointer), (value.pointer, code)
                yield Observation("shows", f"{name}{shown(code)}", value.call, part, data)
        for operation, parameter in self.sources.parameters:
            if (operation.document, parameter.schema) in self.nodes:
                for call in traffic.of(operation):
                    for text in filter(None, sent(call, parameter) if call.ok else ()):
                        outcome: Outcome = "shows" if call.foreign else "fits"
                        seen, data = f"{parameter.name} {shown(text)}", ((), text)
                        yield Observation(outcome, seen, call, parameter.name, data)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        found: dict[Any, set[Any]] = {}
        for each in seen:
            pointer, value = each.data
            if pointer and each.outcome == "shows":
                found.setdefault((each.call.operation.document, pointer), set()).add(value)
        updates = []
        for (document, pointer), values in sorted(found.items(), key=lambda item: str(item[0])):
            codes = sorted(values, key=lambda value: (str(type(value)), value))
            if len({type(value) for value in codes}) > 1 or not all(map(is_code, codes)):
                return None
            if len(codes) > MOST_CODES or isinstance(codes[0], bool):
                return None
            updates.append(Update(path_of(pointer), {"x-extensible-enum": codes}, document))
        return updates or None


class Nulls(_Question):
    """Which members of an object, or which parts of a value, are null.

    An action cannot put null beside a type that is written as one word.
    """

    unseen = "never null there"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            if value.side != "response":
                continue
            name = brief_path(value.pointer)
            if isinstance(value.value, dict):
                yield from self._members(value, name)
            elif value.value is None:
                yield Observation("shows", f"{name} null", value.call, name)
            elif isinstance(value.value, list) and None in value.value:
                yield Observation("shows", f"{name} with null in it", value.call, name)

    def _members(self, value: Value, name: str) -> Iterator[Observation]:
        says = self.says(value.call)
        for member, pointer in says.members(value.pointer)[0].items():
            if value.value.get(member, "") is None and not takes(says.types(pointer), None):
                part = f"{name}.{member}"
                yield Observation("shows", f"{member} null", value.call, part, pointer)


class Required(_Question):
    """Which members the body of a request must have: none that was left out with success."""

    unseen = "no accepted body without a required member, no two without one in common"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        bodies = [
            (value.call, set(value.value))
            for value in self.values(traffic)
            if value.side == "request" and value.call.ok and isinstance(value.value, dict)
        ]
        for call, names in bodies:
            if missing := [name for name in self._required() if name not in names]:
                yield Observation("shows", f"an accepted body without {', '.join(missing)}", call)
        if bodies and not set.intersection(*(names for _, names in bodies)):
            for call, _ in bodies:
                text = "accepted bodies: no member is in all of them"
                yield Observation("shows", text, call)

    def _required(self) -> list[str]:
        """Return the members that the documents require."""
        nodes = (self.sources.effective[name].node(pointer) for name, pointer in self.nodes)
        return [name for node in nodes for name in as_list(as_dict(node).get("required"))]


class AsAsked(_Question):
    """Whether a list comes in the order of the values that were asked for."""

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for operation in self.concerned:
            batch = operation.words.batch
            for parameter in operation.parameters:
                if batch is not None and parameter.name == batch.of:
                    for call in traffic.of(operation):
                        items = call.exchange.response.value
                        if call.ok and isinstance(items, list):
                            got = [str(at_path(item, batch.key)) for item in items]
                            yield from self._order(call, sent(call, parameter), got)

    def _order(self, call: Call, asked: list[str], got: list[str]) -> Iterator[Observation]:
        order = [value for value in dict.fromkeys(asked) if value in got]
        if len(order) < 2 or sorted(got) != sorted(order):
            return
        if order != got:
            yield Observation("against", "another order", call)
        elif _is_sorted(order):
            yield Observation("fits", "as asked, which is sorted", call)
        else:
            yield Observation("shows", "as asked", call)


def _unit(number: float) -> str:
    for limit, unit in ((1e8, "seconds from now"), (1e11, "seconds"), (1e14, "milliseconds")):
        if abs(number) < limit:
            return unit
    return "microseconds"


def _is_sorted(texts: list[str]) -> bool:
    """Return whether texts are sorted, either way, as texts or as numbers."""
    keys: tuple[Callable[[str], Any], ...] = (str, lambda text: (len(text), text))
    orders = [sorted(texts, key=key) for key in keys]
    return texts in orders or texts[::-1] in orders


def _moment(value: Any) -> datetime.datetime | None:
    try:
        return datetime.datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _leaf(update: Any, *, as_map: bool) -> Any:
    """Return the one value that an update writes, or the innermost map of it."""
    while isinstance(update, dict) and len(update) == 1:
        (inner,) = update.values()
        if as_map and not isinstance(inner, dict):
            break
        update = inner
    return update


def _in_words(value: Any) -> str:
    if isinstance(value, str):
        return value.rstrip(".")
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {inner}" for key, inner in value.items())
    return {None: "", True: "yes", False: "no"}.get(value, str(value))


def _replaced(update: Any, old: Any, new: Any) -> Any:
    """Return an update with the value that it writes replaced."""
    if update is old:
        return new
    if isinstance(update, dict):
        return {key: _replaced(inner, old, new) for key, inner in update.items()}
    return new if update == old else update


HINTS: Final[Mapping[str, Callable[[Sources, Action | None, Sequence[Place]], Claim]]] = {
    "as-asked": AsAsked,
    "bytes-sent": BytesSent,
    "codes": Codes,
    "days-after": DaysAfter,
    "json-type": JsonType,
    "nulls": Nulls,
    "one-budget": OneBudget,
    "required": Required,
    "time-unit": TimeUnit,
}
