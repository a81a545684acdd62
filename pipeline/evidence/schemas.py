"""Claims about values: their shape, their type, null, the values of open sets, members, zones."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

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
from pipeline.evidence.traffic import Traffic, Value, named_in_refusal, sent
from pipeline.evidence.values import (
    a,
    fits_alone,
    form_of,
    inferred,
    is_code,
    shown,
    takes,
    type_of,
)
from pipeline.openapi.documents import Pointer
from pipeline.openapi.overlay import Action
from pipeline.openapi.wording import either


class _OfValues(Claim):
    """A claim about what stands at nodes of messages, each of them a part of it."""

    action: Action

    def __init__(
        self, sources: Sources, action: Action, assumed: str, places: Sequence[Place]
    ) -> None:
        super().__init__(sources, action, assumed, places)
        self.parts = tuple(dict.fromkeys(brief_path(pointer) for _, pointer in self.nodes))

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            found = self.look(value)
            if found is not None:
                yield found

    def look(self, value: Value) -> Observation | None:
        """Return what one value shows; None where it has nothing to do with the claim."""
        raise NotImplementedError

    def saw(self, outcome: Outcome, text: str, value: Value) -> Observation:
        return Observation(outcome, text, value.call, brief_path(value.pointer), value)


class Shape(_OfValues):
    """Values there have this shape, of which the document itself has less."""

    def __init__(self, sources: Sources, action: Action, places: Sequence[Place]) -> None:
        super().__init__(sources, action, described_shape(action.update), places)
        self.refers = "$ref" in action.update

    def look(self, value: Value) -> Observation | None:
        if value.side == "header" or (value.side == "request" and not value.call.ok):
            return None
        # Null is for the gaps that ask what may be null.
        if value.value is None:
            return None
        problem = self.says(value.call).mismatch(value.pointer, value.value)
        if not problem and not self.refers:
            claimed = {key: part for key, part in self.action.update.items() if key[:2] != "x-"}
            if not fits_alone(claimed, value.value):
                problem = _inner_shape(value.value)
        if problem:
            return self.saw("against", f"{problem} at {value.path}", value)
        if value.value in ([], {}):
            return None
        outcome: Outcome = "shows" if value.side == "response" else "fits"
        return self.saw(outcome, f"{a(type_of(value.value))} at {value.path}", value)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        found: list[Update] = []
        for document, pointer in self.nodes:
            own = [each for each in seen if each.part == brief_path(pointer)]
            if not own:
                return None
            if all(each.outcome == "shows" for each in own):
                found.append(Update(path_of(pointer), self.action.update))
                continue
            values = [each.data.value for each in own]
            update = self._instead(document, pointer, values)
            if update is None:
                return None
            found.append(Update(path_of(pointer), update))
        if len({str(each.update) for each in found}) == 1:
            return self.instead(found[0].update)
        return found

    def _instead(self, document: str, pointer: Pointer, values: Sequence[Any]) -> Any:
        own = self.sources.bare[document].node(pointer) or {}
        made = self.sources.effective[document].schema_like(values)
        if "additionalProperties" in self.action.update:
            inner = [item for value in values if isinstance(value, dict) for item in value.values()]
            if not all(isinstance(value, dict) for value in values) or not inner:
                return None  # by the document itself it is an object
            made = {"additionalProperties": inferred(inner)}
        known = {key for key in made if key in own and key != "description"}
        return None if known or not made else made


class Types(_OfValues):
    """Values there may have more types than in the document itself, such as null."""

    def __init__(self, sources: Sources, action: Action, places: Sequence[Place]) -> None:
        update = action.update
        self.added = {update} if isinstance(update, str) else set(update)
        added = either(map(a, sorted(self.added)))
        super().__init__(sources, action, f"may be {added}", places)
        self.before: dict[Place, frozenset[str]] = {
            (document, pointer): sources.bare[document].types(pointer) or frozenset()
            for document, pointer in self.nodes
        }
        self.unseen = f"never {added} there"
        if self.added == {"number"} and all("integer" in old for old in self.before.values()):
            self.unseen = "only whole numbers stood there"

    def look(self, value: Value) -> Observation | None:
        place = value.call.operation.document, value.pointer
        kind, path = type_of(value.value), value.path
        if takes(self.before[place], value.value):
            return None
        if not takes(self.added, value.value):
            if value.side == "request" and not value.call.ok:
                return None
            return self.saw("against", f"{a(kind)} at {path}", value)
        if value.side == "response":
            return self.saw("shows", f"{a(kind)} at {path}", value)
        return self._sent(value, kind, path)

    def _sent(self, value: Value, kind: str, path: str) -> Observation | None:
        """Return what a request shows, by what its response makes of it."""
        name = str(value.pointer[-1])
        body = value.call.exchange.response.value
        text = f"{a(kind)} sent as {path}"
        if value.call.ok:
            if not isinstance(body, dict) or name not in body or "." in path:
                return self.saw("fits", f"{text} was accepted", value)
            if takes(self.added, body[name]):
                return self.saw("shows", f"{text} came back", value)
            return self.saw("against", f"{text} was not stored", value)
        if name in named_in_refusal(value.call):
            status = value.call.exchange.status
            return self.saw("against", f"{text} was refused: {status}", value)
        return None

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        """Return the types that were seen; a note where the added one is refused."""
        found = []
        for document, pointer in self.nodes:
            part = brief_path(pointer)
            own = [each for each in seen if each.part == part]
            if not own or any(each.outcome == "fits" for each in own):
                return None
            against = [each for each in own if each.outcome == "against"]
            if not against:
                found.append(Update(path_of((*pointer, "type")), self.action.update))
            elif len(against) < len(own):
                return None
            elif all(each.data.side == "request" for each in against):
                node = self.sources.bare[document].node(pointer) or {}
                text = f"{node.get('description', '')} Never {either(sorted(self.added))}."
                found.append(Update(path_of(pointer), {"description": text.strip()}))
            else:
                kinds = sorted({type_of(each.data.value) for each in against})
                old = self.sources.bare[document].node((*pointer, "type"))
                if isinstance(old, str) and len(kinds) > 1:
                    return None
                new: Any = kinds[0] if isinstance(old, str) else kinds
                found.append(Update(path_of((*pointer, "type")), new))
        return found


class OpenSet(_OfValues):
    """Values there are of a set whose known values are these."""

    is_open_set = True

    def __init__(self, sources: Sources, action: Action, places: Sequence[Place]) -> None:
        self.known: list[Any] = list(action.update["x-extensible-enum"])
        super().__init__(sources, action, ", ".join(map(str, self.known)), places)
        self.parameters = sources.parameters_around(self.nodes)

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        yield from super().observe(traffic)
        for call, parameter in (
            (call, parameter)
            for operation, parameter in self.parameters
            for call in traffic.of(operation)
        ):
            for text in sent(call, parameter):
                if text in self.known:
                    yield Observation("fits", text, call, parameter.name)
                elif call.ok and text:
                    seen = f"{shown(text)} accepted as {parameter.name}"
                    yield Observation("against", seen, call, parameter.name, text)

    def look(self, value: Value) -> Observation | None:
        if value.side == "request" and not value.call.ok:
            return None
        one = value.value
        if one is None or isinstance(one, dict | list):
            return None
        return self.saw("fits" if one in self.known else "against", shown(one), value)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        against = [each.data for each in seen if each.outcome == "against"]
        new = {each.value if isinstance(each, Value) else each for each in against}
        if not all(map(is_code, new)) or len(new) > MOST_CODES:
            return None
        if len({type(each) for each in (*new, *self.known)}) > 1:
            return None
        codes = [*self.known, *sorted(new)]
        return self.instead({**self.action.update, "x-extensible-enum": codes})


class Members(_OfValues):
    """Objects there may have these members, too: keys of a map, or properties."""

    def __init__(
        self,
        sources: Sources,
        action: Action,
        kind: str,
        names: Sequence[str],
        places: Sequence[Place],
    ) -> None:
        super().__init__(sources, action, f"{kind} {either(names)}", places)
        self.kind = kind
        self.parts = tuple(names)
        self.unseen = f"never a {kind} {either(names)}"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            for name in self.parts if isinstance(value.value, dict) else ():
                if name in value.value:
                    yield from self._member(value, name)

    def _member(self, value: Value, name: str) -> Iterator[Observation]:
        text = f"{self.kind} {name}"
        if value.side == "response":
            at = (*value.pointer, "properties", name)
            mismatch = self.says(value.call).mismatch(at, value.value[name])
            if self.kind == "property" and mismatch:
                yield Observation("against", f"{text}: {mismatch}", value.call, name)
            else:
                yield Observation("shows", f"{text} at {value.path}", value.call, name)
        elif value.call.ok:
            yield Observation("fits", f"{text} accepted in {value.path}", value.call, name)


class Presence(_OfValues):
    """Objects that are read always have these members, with a value."""

    def __init__(self, sources: Sources, action: Action, places: Sequence[Place]) -> None:
        names = list(map(str, action.update["required"]))
        super().__init__(sources, action, f"always {', '.join(names)}", places)
        self.parts = tuple(names)

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            document = self.sources.bare[value.call.operation.document]
            is_one = not document.mismatch(value.pointer, value.value)
            if is_one and value.side == "response" and isinstance(value.value, dict):
                for name in self.parts:
                    yield self._member(value, name)

    def _member(self, value: Value, name: str) -> Observation:
        place = value.path or "the body"
        if value.value.get(name) is not None:
            return Observation("shows", f"{name} in {place}", value.call, name)
        text = f"{name} null" if name in value.value else f"no {name}"
        return Observation("against", f"{text} in {place}", value.call, name)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        refuted = {each.part for each in seen if each.outcome == "against"}
        names = [name for name in self.parts if name not in refuted]
        return self.instead({"required": names}) if names else None


class Zone(_OfValues):
    """A date without a zone is meant in this one: the response has the same moment with a zone.

    In one half of the year many zones have the same offset: London has that of UTC in winter.
    """

    def __init__(self, sources: Sources, action: Action, places: Sequence[Place]) -> None:
        self.zone = str(action.update["x-timezone"])
        super().__init__(sources, action, self.zone, places)
        self.parts = tuple(
            f"{part} in {half}" for part in self.parts for half in ("winter", "summer")
        )

    def look(self, value: Value) -> Observation | None:
        if value.side != "request" or not value.call.ok or not isinstance(value.value, str):
            return None
        node = self.says(value.call).node(value.pointer)
        body, name = value.call.exchange.response.value, str(value.pointer[-1])
        back = body.get(name) if isinstance(body, dict) else None
        if not isinstance(back, str) or form_of(back) != "date-time":
            return self.saw("fits", f"{value.path} accepted, and not given back", value)
        try:
            sent = datetime.datetime.strptime(value.value, node.get("x-datetime-format", ""))
            received = datetime.datetime.fromisoformat(back).astimezone(datetime.UTC)
        except (ValueError, OverflowError):
            return None
        ahead = sent.replace(tzinfo=datetime.UTC) - received
        quarters = ahead / datetime.timedelta(minutes=15)
        if abs(quarters) > 56 or quarters != int(quarters):
            return None  # another moment
        offset = _offset(sent, self.zone)
        if offset is None:
            return None
        text = f"{value.path} is {_hours(ahead)} UTC in the response"
        part = f"{brief_path(value.pointer)} in {_half(sent)}"
        outcome: Outcome = "shows" if ahead == offset else "against"
        return Observation(outcome, text, value.call, part, value)


def described_shape(update: Mapping[str, Any]) -> str:
    """Return what a schema demands, in a few words."""
    if "$ref" in update:
        return str(update["$ref"]).rpartition("/")[2]
    if isinstance(update.get("additionalProperties"), dict):
        return f"members that are {_shapes(update['additionalProperties'])}"
    if "format" in update:
        return str(update["format"])
    kind = update.get("type")
    if kind == "array" and isinstance(update.get("items"), dict):
        return f"an array of {_shapes(update['items'])}"
    if isinstance(kind, str):
        return a(kind)
    if isinstance(kind, list):
        return either(map(a, kind))
    words = [f"{key} {value}" for key, value in update.items() if isinstance(value, int | str)]
    return ", ".join(words) or "another shape"


def _shapes(schema: Mapping[str, Any]) -> str:
    """Return the same for several of them."""
    kind = schema.get("type")
    if kind == "array" and isinstance(schema.get("items"), dict):
        return f"arrays of {_shapes(schema['items'])}"
    return f"{kind}s" if isinstance(kind, str) and kind != "null" else described_shape(schema)


def _inner_shape(value: Any) -> str:
    if isinstance(value, dict) and value:
        kinds = sorted({type_of(inner) for inner in value.values()})
        return f"an object whose members are of type {either(kinds)}"
    return a(form_of(value)) if isinstance(value, str) else a(type_of(value))


def _half(moment: datetime.datetime) -> str:
    """Return the half of the year, by the months in which no clocks are changed."""
    month = moment.month
    return "summer" if 5 <= month <= 8 else "winter" if month in (12, 1, 2) else "between"


def _offset(moment: datetime.datetime, zone: str) -> datetime.timedelta | None:
    try:
        return moment.replace(tzinfo=zoneinfo.ZoneInfo(zone)).utcoffset()
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return datetime.timedelta(0) if zone == "UTC" else None


def _hours(ahead: datetime.timedelta) -> str:
    minutes = int(ahead.total_seconds() // 60)
    if not minutes:
        return "the same in"
    sign = "ahead of" if minutes > 0 else "behind"
    hours, rest = divmod(abs(minutes), 60)
    return f"{hours}:{rest:02} {sign}"
