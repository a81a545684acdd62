"""Claims about values: their shape, their type, null, the values of open sets, keys, zones."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.documents import Pointer
from pipeline.evidence.claims import (
    Claim,
    Observation,
    Place,
    Sources,
    Update,
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
)
from pipeline.lint.wording import either
from pipeline.overlay import Action

_MOST_CODES: Final = 40  # a set with more values is no set of codes
_LIMITS: Final = frozenset(
    f"{end}{what}" for end in ("min", "max") for what in ("Items", "Length", "Properties", "imum")
)


class _OfValues(Claim):
    """A claim about what stands at some nodes of messages, each of them a part of it."""

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

    def saw(self, outcome: Any, said: str, value: Value, data: Any = None) -> Observation:
        return Observation(outcome, said, value.call, brief_path(value.pointer), data or value)


class Shape(_OfValues):
    """What stands there has this shape; the document itself says less."""

    def __init__(self, sources: Sources, action: Action, places: Sequence[Place]) -> None:
        super().__init__(sources, action, _shape(action.update), places)
        self.refers = "$ref" in action.update

    def look(self, value: Value) -> Observation | None:
        if value.side == "header" or (value.side == "request" and not value.call.ok):
            return None
        says = self.sources.effective[value.call.operation.document]
        problem = says.mismatch(value.pointer, value.value)
        if not problem and not self.refers:
            claimed = {key: part for key, part in self.action_update.items() if key[:2] != "x-"}
            if not fits_alone(claimed, value.value):
                problem = _inner_shape(value.value)
        if problem:
            return self.saw("against", f"{problem} at {value.path}", value)
        if value.value in ([], {}):
            return self.saw("silent", "empty", value)
        outcome = "shows" if value.side == "answer" else "fits"
        return self.saw(outcome, f"{_seen(value.value)} at {value.path}", value)

    @property
    def action_update(self) -> Mapping[str, Any]:
        assert self.action is not None
        update: Mapping[str, Any] = self.action.update
        return update

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        assert self.action is not None
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
            return [Update(self.action.target, found[0].update)]
        return found

    def _instead(self, document: str, pointer: Pointer, values: Sequence[Any]) -> Any:
        own = self.sources.bare[document].node(pointer) or {}
        like = self.sources.effective[document].component_like(values)
        made = inferred(values) if like is None else {"$ref": f"#/components/schemas/{like}"}
        if "additionalProperties" in self.action_update:
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
        if value.call.ok:
            if isinstance(answered, dict) and name in answered and "." not in path:
                echoed = takes(self.added, answered[name])
                if echoed:
                    text = f"{a(kind)} sent as {path} came back"
                    return self.saw("shows", text, value)
                return self.saw("against", f"{a(kind)} sent as {path} was not stored", value)
            return self.saw("fits", f"{a(kind)} sent as {path} was accepted", value)
        if name in named_in_refusal(value.call, ()):
            status = value.call.exchange.status
            return self.saw("against", f"{a(kind)} sent as {path} was refused: {status}", value)
        return None

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        """The types that were seen; where the added one is refused, a word about it."""
        assert self.action is not None
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
                node = self.sources.bare[document].node(pointer)
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
        self.parameters = _parameters_with(sources, self.nodes)

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        yield from super().observe(traffic)
        for call, parameter in _calls_with(traffic, self.parameters):
            for text in sent(call, parameter):
                if text in self.known:
                    yield Observation("fits", text, call, parameter.name, text)
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
            return self.saw("fits", shown(one), value, one)
        return self.saw("against", shown(one), value, one)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        assert self.action is not None
        new = {each.data for each in seen if each.outcome == "against"}
        if not all(map(is_code, new)) or len(new) > _MOST_CODES:
            return None
        if len({type(each) for each in (*new, *self.known)}) > 1:
            return None
        update = {**self.action.update, "x-extensible-enum": [*self.known, *sorted(new)]}
        return [Update(self.action.target, update)]


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
    """A date without a zone is meant in this one: the answer has the same moment with its zone."""

    def __init__(self, sources: Sources, action: Action, places: Sequence[Place]) -> None:
        self.zone = str(action.update["x-timezone"])
        super().__init__(sources, action, self.zone, places)

    def look(self, value: Value) -> Observation | None:
        if value.side != "request" or not value.call.ok or not isinstance(value.value, str):
            return None
        node = self.sources.effective[value.call.operation.document].node(value.pointer)
        answered, name = value.call.exchange.answered.value, str(value.pointer[-1])
        back = answered.get(name) if isinstance(answered, dict) else None
        if not isinstance(back, str) or form_of(back) != "date-time":
            return self.saw("fits", f"{value.path} accepted, and not given back", value)
        try:
            asked = datetime.datetime.strptime(value.value, node["x-datetime-format"])
        except ValueError:
            return None
        came = datetime.datetime.fromisoformat(back).astimezone(datetime.UTC)
        ahead = asked.replace(tzinfo=datetime.UTC) - came
        quarters = ahead / datetime.timedelta(minutes=15)
        if abs(quarters) > 56 or quarters != int(quarters):
            return self.saw("silent", "another moment", value)
        offset = _offset(asked, self.zone)
        if offset is None:
            return None
        said = f"{value.path} is {_hours(ahead)} UTC in the answer"
        return self.saw("shows" if ahead == offset else "against", said, value, ahead)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        assert self.action is not None
        # An offset is no zone, UTC excepted; which one it is cannot be read from a few moments.
        is_utc = all(not each.data for each in seen if each.outcome == "against")
        if is_utc and {each.part for each in seen} == set(self.parts):
            return [Update(self.action.target, {"x-timezone": "UTC"})]
        return None


class Sent(Claim):
    """The value of a parameter is written in this form, or keeps this limit."""

    def __init__(
        self, sources: Sources, action: Action, parameters: Sequence[tuple[str, Parameter]]
    ) -> None:
        self.update: Mapping[str, Any] = action.update
        super().__init__(action, _shape(action.update))
        self.sources = sources
        self.parameters = _with_operations(sources, parameters)
        self.concerned = tuple(dict.fromkeys(operation for operation, _ in self.parameters))
        self.is_limit = any(key in _LIMITS for key in action.update)
        self.parts = tuple(dict.fromkeys(f"{each.name} of {op.id}" for op, each in self.parameters))
        self.base = {(op.document, each.schema): each for op, each in self.parameters}

    @property
    def unseen(self) -> str:
        return "no request went beyond it" if self.is_limit else "never sent"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for operation, parameter in self.parameters:
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
        array = "array" in str(parameter.node["schema"].get("type", ""))
        if fits_alone(self.update, texts if array else (texts or [""])[0]):
            return
        count = f"{len(texts)} values" if array else "such a value"
        status = call.exchange.status
        if call.ok:
            yield Observation("against", f"{count} accepted", call, part)
        elif call.refused:
            yield Observation("shows", f"{count} refused: {status}", call, part)

    def _form(
        self, call: Call, parameter: Parameter, part: str, text: str
    ) -> Iterator[Observation]:
        if not call.ok:
            return
        form = form_of(text)
        said = f"{a(form) if form != 'string' else 'another text'} as {parameter.name}"
        if not fits_alone(self.update, text):
            yield Observation("against", said, call, part, form)
        elif call.foreign:
            yield Observation("shows", said, call, part, form)
        else:
            yield Observation("fits", said, call, part, form)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        assert self.action is not None
        if self.is_limit or set(self.update) != {"format"}:
            return None
        forms = {each.data for each in seen}
        parts = {each.part for each in seen if each.outcome == "against"}
        if len(forms) == 1 and (form := forms.pop()) in ("date", "date-time"):
            return (
                [Update(self.action.target, {"format": form})] if parts == set(self.parts) else None
            )
        return None


def _with_operations(sources: Sources, parameters: Sequence[tuple[str, Parameter]]) -> Any:
    wanted = {(document, parameter.pointer) for document, parameter in parameters}
    return [
        (operation, parameter)
        for operation in sources.operations
        for parameter in operation.parameters
        if (operation.document, parameter.pointer) in wanted
    ]


def _parameters_with(sources: Sources, places: Sequence[Place]) -> Any:
    """The parameters in whose schemas nodes lie, with their operations."""
    return [
        (operation, parameter)
        for operation in sources.operations
        for parameter in operation.parameters
        if any(
            document == operation.document and pointer[: len(parameter.schema)] == parameter.schema
            for document, pointer in places
        )
    ]


def _calls_with(traffic: Traffic, parameters: Any) -> Iterator[tuple[Call, Parameter]]:
    for operation, parameter in parameters:
        for call in traffic.of(operation):
            yield call, parameter


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


def _seen(value: Any) -> str:
    return a(type_of(value))


def _inner_shape(value: Any) -> str:
    if isinstance(value, dict) and value:
        kinds = sorted({type_of(inner) for inner in value.values()})
        return f"an object whose members are of type {either(kinds)}"
    return a(form_of(value)) if isinstance(value, str) else a(type_of(value))


def _offset(moment: datetime.datetime, zone: str) -> datetime.timedelta | None:
    import zoneinfo

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
