"""Claims about values: their shape, their type, null, the values of open sets, keys, zones."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.evidence.claims import (
    Claim,
    Observation,
    OfParameters,
    Outcome,
    Place,
    Sources,
    Update,
    Use,
    brief_path,
    path_of,
    reached,
)
from pipeline.evidence.index import Traffic, Value, named_in_refusal, sent
from pipeline.evidence.matching import Call, Parameter
from pipeline.evidence.shapes import (
    a,
    fits_alone,
    form_of,
    inferred,
    is_code,
    shown,
    takes,
    type_of,
    whole,
)
from pipeline.openapi.documents import Pointer
from pipeline.openapi.overlay import Action
from pipeline.openapi.wording import either

_MOST_CODES: Final = 40  # a set with more values is no set of codes
_LIMITS: Final = frozenset(
    f"{end}{what}" for end in ("min", "max") for what in ("Items", "Length", "Properties", "imum")
)


class _OfValues(Claim):
    """A claim about what stands at some nodes of messages, each of them a part of it."""

    action: Action

    def __init__(
        self, sources: Sources, action: Action, assumed: str, places: Sequence[Place]
    ) -> None:
        super().__init__(action, assumed, places)
        self.sources = sources
        self.parts = tuple(dict.fromkeys(brief_path(pointer) for _, pointer in self.nodes))
        self.concerned = reached(sources, self.nodes)

    def values(self, traffic: Traffic) -> Iterator[Value]:
        for document, pointer in self.nodes:
            yield from traffic.at(document, pointer)

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            found = self.look(value)
            if found is not None:
                yield found

    def look(self, value: Value) -> Observation | None:
        raise NotImplementedError

    def saw(self, outcome: Outcome, said: str, value: Value) -> Observation:
        return Observation(outcome, said, value.call, brief_path(value.pointer), value)


class Shape(_OfValues):
    """What stands there has this shape; the document itself says less."""

    def __init__(self, sources: Sources, action: Action, places: Sequence[Place]) -> None:
        super().__init__(sources, action, _shape(action.update), places)
        self.refers = "$ref" in action.update

    def look(self, value: Value) -> Observation | None:
        if value.side == "header" or (value.side == "request" and not value.call.ok):
            return None
        # Null is for the gaps that ask what may be null.
        if value.value is None:
            return self.saw("silent", "null", value)
        says = self.sources.effective[value.call.operation.document]
        problem = says.mismatch(value.pointer, value.value)
        if not problem and not self.refers:
            claimed = {key: part for key, part in self.action.update.items() if key[:2] != "x-"}
            if not fits_alone(claimed, value.value):
                problem = _inner_shape(value.value)
        if problem:
            return self.saw("against", f"{problem} at {value.path}", value)
        if value.value in ([], {}):
            return self.saw("silent", "empty", value)
        outcome: Outcome = "shows" if value.side == "answer" else "fits"
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
                return None  # the document itself says that it is an object
            made = {"additionalProperties": inferred(inner)}
        told = {key for key in made if key in own and key != "description"}
        return None if told or not made else made


class Types(_OfValues):
    """More types may stand there than the document itself says, such as null."""

    def __init__(self, sources: Sources, action: Action, places: Sequence[Place]) -> None:
        # The action writes the word `type`; the schema is around it.
        around = [(document, pointer[:-1]) for document, pointer in places]
        super().__init__(sources, action, "", around)
        self.before: dict[Place, frozenset[str]] = {}
        for document, pointer in self.nodes:
            old = sources.bare[document].types(pointer)
            self.before[document, pointer] = old or frozenset()
        update = action.update
        self.added = {update} if isinstance(update, str) else set(update)
        self.assumed = f"may be {either(map(a, sorted(self.added)))}"

    @property
    def unseen(self) -> str:
        if self.added == {"number"} and all("integer" in old for old in self.before.values()):
            return "only whole numbers stood there"
        return f"never {either(map(a, sorted(self.added)))} there"

    def look(self, value: Value) -> Observation | None:
        place = value.call.operation.document, value.pointer
        kind, path = type_of(value.value), value.path
        if takes(self.before[place], value.value):
            return self.saw("silent", kind, value)
        if not takes(self.added, value.value):
            if value.side == "request" and not value.call.ok:
                return None
            return self.saw("against", f"{a(kind)} at {path}", value)
        if value.side == "answer":
            return self.saw("shows", f"{a(kind)} at {path}", value)
        return self._sent(value, kind, path)

    def _sent(self, value: Value, kind: str, path: str) -> Observation | None:
        """What a request shows: what the answer makes of it."""
        name = str(value.pointer[-1])
        answered = value.call.exchange.answered.value
        status = value.call.exchange.status
        if value.call.ok:
            if isinstance(answered, dict) and name in answered and "." not in path:
                echoed = takes(self.added, answered[name])
                if echoed:
                    text = f"{a(kind)} sent as {path} came back"
                    return self.saw("shows", text, value)
                return self.saw("against", f"{a(kind)} sent as {path} was not stored", value)
            return self.saw("fits", f"{a(kind)} sent as {path} was accepted", value)
        if name in named_in_refusal(value.call):
            return self.saw("against", f"{a(kind)} sent as {path} was refused: {status}", value)
        return None

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        """The types that were seen; where the added one is refused, a word about it."""
        found = []
        for document, pointer in self.nodes:
            part = brief_path(pointer)
            own = [each for each in seen if each.part == part and each.outcome != "silent"]
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
    """These are the known values of a set that may have others."""

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
                    said = f"{shown(text)} accepted as {parameter.name}"
                    yield Observation("against", said, call, parameter.name, text)

    def look(self, value: Value) -> Observation | None:
        if value.side == "request" and not value.call.ok:
            return None
        one = value.value
        if one is None or isinstance(one, dict | list):
            return None
        if one in self.known:
            return self.saw("fits", shown(one), value)
        return self.saw("against", shown(one), value)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        against = [each.data for each in seen if each.outcome == "against"]
        new = {each.value if isinstance(each, Value) else each for each in against}
        if not all(map(is_code, new)) or len(new) > _MOST_CODES:
            return None
        if len({type(each) for each in (*new, *self.known)}) > 1:
            return None
        codes = [*self.known, *sorted(new)]
        return self.instead({**self.action.update, "x-extensible-enum": codes})


class Keys(_OfValues):
    """Objects there may have these keys, too."""

    def __init__(self, sources: Sources, action: Action, places: Sequence[Place]) -> None:
        around = [(document, pointer[:-2]) for document, pointer in places]
        added = action.update if isinstance(action.update, list) else [action.update]
        super().__init__(sources, action, f"key {either(map(str, added))}", around)
        self.added = added
        self.parts = tuple(map(str, added))

    @property
    def unseen(self) -> str:
        return f"never a key {either(map(str, self.added))}"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            for key in self.added if isinstance(value.value, dict) else ():
                if key in value.value and value.side == "answer":
                    yield Observation("shows", f"key {key} at {value.path}", value.call, str(key))
                elif key in value.value and value.call.ok:
                    text = f"key {key} accepted in {value.path}"
                    yield Observation("fits", text, value.call, str(key))


class Properties(_OfValues):
    """Objects there have these properties, too."""

    def __init__(self, sources: Sources, action: Action, places: Sequence[Place]) -> None:
        around = [(document, pointer[:-1]) for document, pointer in places]
        names = [name for name in action.update if not name.startswith("x-")]
        super().__init__(sources, action, f"property {either(names)}", around)
        self.names = names
        self.parts = tuple(names)

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for value in self.values(traffic):
            if not isinstance(value.value, dict) or value.side != "answer":
                continue
            says = self.sources.effective[value.call.operation.document]
            for name in self.names:
                if name not in value.value:
                    yield Observation("silent", f"no {name}", value.call, name)
                    continue
                at = (*value.pointer, "properties", name)
                problem = says.mismatch(at, value.value[name])
                said = f"{name}: {problem}" if problem else name
                yield Observation("against" if problem else "shows", said, value.call, name)


class Zone(_OfValues):
    """A date without a zone is meant in this one: the answer has the same moment with its zone.

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
        node = self.sources.effective[value.call.operation.document].node(value.pointer)
        answered, name = value.call.exchange.answered.value, str(value.pointer[-1])
        back = answered.get(name) if isinstance(answered, dict) else None
        if not isinstance(back, str) or form_of(back) != "date-time":
            return self.saw("fits", f"{value.path} accepted, and not given back", value)
        try:
            asked = datetime.datetime.strptime(value.value, node.get("x-datetime-format", ""))
            came = datetime.datetime.fromisoformat(back).astimezone(datetime.UTC)
        except (ValueError, OverflowError):
            return None
        ahead = asked.replace(tzinfo=datetime.UTC) - came
        quarters = ahead / datetime.timedelta(minutes=15)
        if abs(quarters) > 56 or quarters != int(quarters):
            return self.saw("silent", "another moment", value)
        offset = _offset(asked, self.zone)
        if offset is None:
            return None
        said = f"{value.path} is {_hours(ahead)} UTC in the answer"
        part = f"{brief_path(value.pointer)} in {_half(asked)}"
        outcome: Outcome = "shows" if ahead == offset else "against"
        return Observation(outcome, said, value.call, part, value)


class Sent(OfParameters):
    """The value of a parameter is written in this form, or keeps this limit."""

    def __init__(self, action: Action, uses: Sequence[Use]) -> None:
        super().__init__(action, _shape(action.update), uses)
        self.update: Mapping[str, Any] = action.update
        self.is_limit = any(key in _LIMITS for key in action.update)
        self.parts = tuple(dict.fromkeys(f"{each.name} of {op.id}" for op, each in uses))

    @property
    def unseen(self) -> str:
        return "no request went beyond it" if self.is_limit else "never sent"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for operation, parameter in self.uses:
            part = f"{parameter.name} of {operation.id}"
            for call in traffic.of(operation):
                if parameter.name not in dict(call.exchange.query):
                    continue
                texts = [text for text in sent(call, parameter) if text]
                if self.is_limit:
                    yield from self._limit(call, parameter, part, texts)
                    continue
                for text in texts:
                    yield from self._form(call, parameter, part, text)

    def _limit(
        self, call: Call, parameter: Parameter, part: str, texts: list[str]
    ) -> Iterator[Observation]:
        text = texts[0] if texts else ""
        value = texts if parameter.is_array else text if whole(text) is None else whole(text)
        if fits_alone(self.update, value):
            return
        count = f"{len(texts)} values" if parameter.is_array else "such a value"
        said = f"{count} refused: {call.exchange.status}"
        if call.ok:
            yield Observation("against", f"{count} accepted", call, part)
        elif parameter.name in named_in_refusal(call):
            yield Observation("shows", said, call, part)
        elif call.exchange.status in (400, 413, 414, 422):
            yield Observation("fits", f"{said}, for whatever reason", call, part)

    def _form(
        self, call: Call, parameter: Parameter, part: str, text: str
    ) -> Iterator[Observation]:
        if call.ok:
            form = form_of(text)
            said = f"{a(form) if form != 'string' else 'another text'} as {parameter.name}"
            fitting: Outcome = "shows" if call.foreign else "fits"
            outcome = fitting if fits_alone(self.update, text) else "against"
            yield Observation(outcome, said, call, part, form)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        forms = {each.data for each in seen}
        parts = {each.part for each in seen if each.outcome == "against"}
        if set(self.update) != {"format"} or len(forms) != 1 or parts != set(self.parts):
            return None
        form = forms.pop()
        return self.instead({"format": form}) if form in ("date", "date-time") else None


def _shape(update: Mapping[str, Any]) -> str:
    """What a schema says, in a few words."""
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
    told = [f"{key} {value}" for key, value in update.items() if isinstance(value, int | str)]
    return ", ".join(told) or "another shape"


def _shapes(schema: Mapping[str, Any]) -> str:
    """The same for several of them."""
    kind = schema.get("type")
    if kind == "array" and isinstance(schema.get("items"), dict):
        return f"arrays of {_shapes(schema['items'])}"
    return f"{kind}s" if isinstance(kind, str) and kind != "null" else _shape(schema)


def _inner_shape(value: Any) -> str:
    if isinstance(value, dict) and value:
        kinds = sorted({type_of(inner) for inner in value.values()})
        return f"an object whose members are of type {either(kinds)}"
    return a(form_of(value)) if isinstance(value, str) else a(type_of(value))


def _half(moment: datetime.datetime) -> str:
    """The half of the year, by the months in which no clocks are changed."""
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
