"""Conversion of a read model into the arguments of a write.

A service often takes other shapes than it gives: a list is read and an object is written, an
identifier is written for what is read whole, some fields can be read alone. `WriteBack` is how
the arguments of one write are made of one read model; `arguments` makes them and names all that
gets lost on the way; `compare` reports whether what is read holds what was sent, and
`changed_fields` what has changed between two reads.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import UNSET, inspect

from ..core.errors import ArgumentError, ArgumentProblem
from ..core.models import RequestModel, ResponseModel, stored
from ..core.named_tuples import NamedTuple
from ..core.times import wire_datetime
from ..core.type_guards import is_list, is_object
from .validation import Checker


class From(msgspec.Struct, frozen=True):
    """How an argument is made of what is read. Without a rule it is made of the same name.

    Attributes:
        field: the field of the read model.
        pick: of a list of objects, the member of each that is written in its place.
        values: of an object by keys, whether the list of its values is written.
        loses: what gets lost although there is an argument, in words that follow "loses".
        equals: the argument is true where the field has this value, and false where it has another.
    """

    field: str
    pick: str | None = None
    values: bool = False
    loses: str = ""
    equals: str | bool | int | None = None


class Unmappable(msgspec.Struct, frozen=True):
    """An argument that cannot be made of what is read, and why.

    With a field of the read model, it is lost when there is something in that; else always.
    """

    because: str
    field: str | None = None


class WriteBack(msgspec.Struct, frozen=True):
    """How the arguments of a write are made of a read model.

    Attributes:
        written: the model of the body; its fields are the arguments.
        rules: the arguments that are not made of the read field of the same name. Those inside
            others are named by their path, without keys and positions: `binding.colours`.
        ignored: read fields that no write is about, such as the time of the last change: nothing
            is lost when they are not written. Those inside others are named by their path.
    """

    written: type[RequestModel]
    rules: Mapping[str, From | Unmappable] = {}
    ignored: frozenset[str] = frozenset()


NO_ARGUMENT: Final = "no argument takes it"


class LostField(NamedTuple):
    """A value that was read and is not among the arguments.

    Attributes:
        field: the argument, or the read field that no argument takes, with the path inside it:
            `cover.marks['x'].colour`.
        reason: why it is lost.
    """

    field: str
    reason: str

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}"


class Arguments(dict[str, Any]):
    """Arguments that write an object back: `client.books.update(id, **arguments)`.

    The method accepts all of them. Absent values stay absent.

    Attributes:
        lost: the values that are left out, each with the reason.
    """

    def __init__(self, values: Mapping[str, Any], lost: Iterable[LostField]) -> None:
        super().__init__(values)
        self.lost: tuple[LostField, ...] = tuple(lost)


class Comparison(NamedTuple):
    """Which of the sent arguments are read back as they were, with another value, or not at all."""

    same: tuple[str, ...]
    different: tuple[str, ...]
    unknown: tuple[str, ...]

    def without(self, argument: str | None) -> Comparison:
        """Return the same without an argument."""
        return Comparison(*(tuple(name for name in names if name != argument) for names in self))

    def unread(self, arguments: Collection[str]) -> Comparison:
        """Return the same where these arguments, however they are read, are not known."""
        same, different = (tuple(e for e in names if e not in arguments) for names in self[:2])
        others = (name for name in (*self.same, *self.different) if name in arguments)
        return Comparison(same, different, (*self.unknown, *others))


def arguments(back: WriteBack, model: ResponseModel) -> Arguments:
    """Return the arguments that write what was read.

    Null is kept where null may be sent. What the method would refuse is left out: a single field,
    a single entry of an object by keys, but never a part of a list. Everything that is left out
    is named in `lost`; an argument that is required may be among it.

    Raises:
        ArgumentError: the model is none that the service responds with.
    """
    if not isinstance(model, ResponseModel):  # pyright: ignore[reportUnnecessaryIsInstance]
        problem = ArgumentProblem("model", f"expected what was read, got {type(model).__name__}")
        raise ArgumentError(f"arguments of {back.written.__name__}", (problem,))
    conversion = _Conversion(back)
    written = conversion.model(model, back.written, _Place())
    accepted = _accepted(written, _Place(), conversion.lost)
    return Arguments(accepted, conversion.lost)


def compare(back: WriteBack, model: ResponseModel, sent: bytes) -> Comparison:
    """Return whether what is read holds what was sent.

    Only what was sent is looked at. Date-times are compared as instants. The order of a list
    counts, unless a rule makes it of another shape that has none. It is unknown, and no difference,
    where a field is absent, cannot be made of what is read, or comes as another JSON type; where
    one side is null and the other empty; where an object by keys has more keys than were sent.
    """
    written = _Conversion(back).model(model, back.written, _Place())
    comparator, fields = _Comparator(back), _by_wire_name(back.written)
    by_outcome: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    body = msgspec.json.decode(sent)
    for name, value in body.items() if is_object(body) else ():
        field = fields.get(name)
        outcome = comparator.member(written, field, value, _Place())
        by_outcome[outcome].append(field.name if field else name)
    return Comparison(tuple(by_outcome[True]), tuple(by_outcome[False]), tuple(by_outcome[None]))


def changed_fields(
    back: WriteBack, before: ResponseModel, now: ResponseModel, names: Iterable[str]
) -> tuple[str, ...]:
    """Return which of these arguments are read with another value than before."""
    one, two = (_Conversion(back).model(each, back.written, _Place()) for each in (before, now))
    return tuple(name for name in names if getattr(one, name, None) != getattr(two, name, None))


class _Place(NamedTuple):
    """Where in the arguments: as rules name it, and as people do."""

    path: str = ""
    shown: str = ""

    def member(self, name: str) -> _Place:
        dot = "." if self.path else ""
        return _Place(f"{self.path}{dot}{name}", f"{self.shown}{dot}{name}")

    def item(self, key: object) -> _Place:
        return _Place(self.path, f"{self.shown}[{json_key(key)!r}]")


class _Conversion:
    """From read models to written ones. The values are not checked yet."""

    def __init__(self, back: WriteBack) -> None:
        self._back = back
        self.lost: list[LostField] = []

    def model(
        self, model: msgspec.Struct, kind: type[msgspec.Struct], place: _Place
    ) -> msgspec.Struct:
        made: dict[str, Any] = {}
        taken: set[str | None] = set()
        for field in _fields(kind):
            at = place.member(field.name)
            rule = self._back.rules.get(at.path) or From(field.name)
            taken.add(rule.field)
            read = UNSET if rule.field is None else stored(model, rule.field)
            if isinstance(rule, Unmappable):
                if rule.field is None or _is_non_empty(read):
                    self._lose(at, rule.because)
            elif read is not UNSET:
                made[field.name] = self._by_rule(read, rule, field.type, at)
        for name in model.__struct_fields__:
            at = place.member(name)
            ignored = name in taken or at.path in self._back.ignored
            if not ignored and _is_non_empty(getattr(model, name)):
                self._lose(at, NO_ARGUMENT)
        return _build(kind, made)

    def _by_rule(self, value: Any, rule: From, node: inspect.Type, place: _Place) -> Any:
        if rule.loses and _is_non_empty(value):
            self._lose(place, f"loses {rule.loses}")
        if rule.equals is not None:
            return UNSET if value is None else value == rule.equals
        if rule.values and is_object(value):
            value = [*value.values()]
        if rule.pick is not None and is_list(value):
            return self._picked(value, rule.pick, node, place)
        return self._value(value, node, place)

    def _picked(self, items: list[Any], member: str, node: inspect.Type, place: _Place) -> Any:
        picked = [getattr(item, member, None) for item in items]
        for index, value in enumerate(picked):
            if value is None or value is UNSET:
                self._lose(place, f"item {index} of what is read has no {member}")
                return UNSET
        return self._value(picked, node, place)

    def _value(self, value: Any, node: inspect.Type, place: _Place) -> Any:
        """Return the value as this type wants it; one of another shape is left for the check."""
        match _fitting(value, node):
            case inspect.StructType() as kind:
                came = _came(value)
                return self.model(value, kind.cls, place) if is_object(came) else came
            case inspect.ListType() as kind:
                return [
                    self._value(item, kind.item_type, place.item(index))
                    for index, item in enumerate(value)
                ]
            case inspect.DictType() as kind:
                return {
                    key: self._value(item, kind.value_type, place.item(key))
                    for key, item in value.items()
                }
            case inspect.EnumType():
                return value
            case _:
                return value.value if isinstance(value, Enum) else value

    def _lose(self, place: _Place, reason: str) -> None:
        self.lost.append(LostField(place.shown, reason))


def _came(model: msgspec.Struct) -> Any:
    """Return an object, or what came in its place: in lists, an empty model stands for that."""
    is_empty = all(stored(model, name) is UNSET for name in model.__struct_fields__)
    return model.to_dict(wire=True) if is_empty and isinstance(model, ResponseModel) else {}


def _accepted(model: msgspec.Struct, place: _Place, lost: list[LostField]) -> dict[str, Any]:
    """Return the fields of a model that can be sent; the others are named."""
    kind = type(model)
    kept = {
        name: _without_refused(value, place.member(name), lost)
        for name in model.__struct_fields__
        if (value := getattr(model, name)) is not UNSET
    }
    for name, reason in _refusals(kind, kept).items():
        at, value = place.member(name), kept.pop(name, UNSET)
        if value is UNSET:
            reason = "is required, and was not read"
        elif value is None:
            reason = "null cannot be sent here"
        elif is_object(value):
            bad = _refused_entries(kind, name, value)
            entries = {key: item for key, item in value.items() if key not in bad}
            if entries and name not in _refusals(kind, {name: entries}):
                kept[name] = entries
                lost.extend(LostField(at.item(key).shown, why) for key, why in bad.items())
                continue
        lost.append(LostField(at.shown, reason))
    return kept


def _without_refused(value: Any, place: _Place, lost: list[LostField]) -> Any:
    """Return the value, and in the models inside it only the fields that can be sent."""
    if isinstance(value, msgspec.Struct):
        return _build(type(value), _accepted(value, place, lost))
    if is_list(value):
        return [_without_refused(item, place.item(index), lost) for index, item in enumerate(value)]
    if is_object(value):
        return {key: _without_refused(item, place.item(key), lost) for key, item in value.items()}
    return value


def _refused_entries(
    kind: type[msgspec.Struct], name: str, entries: dict[Any, Any]
) -> dict[Any, str]:
    """Return the keys of the entries that cannot be sent, and why."""
    alone = {key: _refusals(kind, {name: {key: value}}) for key, value in entries.items()}
    return {key: reasons[name] for key, reasons in alone.items() if name in reasons}


def _refusals(kind: type[msgspec.Struct], values: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields that cannot be sent with these values, and the first reason of each."""
    checker = Checker()
    checker.fields(_build(kind, values))
    reasons: dict[str, str] = {}
    for problem in checker.problems:
        name = re.split(r"\W", problem.argument, maxsplit=1)[0]
        reasons.setdefault(name, problem.reason if problem.argument == name else str(problem))
    return reasons


class _Comparator:
    """Comparison of a converted value with what was sent: True, False, or None if unknown."""

    def __init__(self, back: WriteBack) -> None:
        self._back = back

    def member(
        self, model: msgspec.Struct, field: inspect.Field | None, sent: Any, place: _Place
    ) -> bool | None:
        if field is None:
            return None
        return self.of(getattr(model, field.name), sent, field.type, place.member(field.name))

    def of(self, value: Any, sent: Any, node: inspect.Type, place: _Place) -> bool | None:
        if value is UNSET:
            return None
        if value is None or sent is None:
            other = sent if value is None else value
            return True if other is None else False if _is_non_empty(other) else None
        match _fitting(value, node):
            case inspect.StructType() as kind if is_object(sent):
                return self._models(value, sent, kind.cls, place)
            case inspect.ListType() as kind if is_list(sent):
                return self._lists(value, sent, kind.item_type, place)
            case inspect.DictType() as kind if is_object(sent):
                return self._objects(value, sent, kind.value_type, place)
            case inspect.DateTimeType() if isinstance(sent, str):
                return _same_instant(value, sent, _words(node))
            case _:
                return _same_json(msgspec.to_builtins(value), sent)

    def _models(
        self, value: msgspec.Struct, sent: dict[str, Any], kind: type[msgspec.Struct], place: _Place
    ) -> bool | None:
        fields = _by_wire_name(kind)
        outcomes = [
            self.member(value, fields.get(name), item, place) for name, item in sent.items()
        ]
        if not sent:
            others = [getattr(value, fields[name].name) for name in fields.keys() - sent.keys()]
            outcomes += [None for other in others if _is_non_empty(other)]
        return _all(outcomes)

    def _objects(
        self, value: dict[Any, Any], sent: dict[str, Any], node: inspect.Type, place: _Place
    ) -> bool | None:
        read = {json_key(key): item for key, item in value.items()}
        outcomes = [
            self.of(read[key], item, node, place.item(key)) if key in read else False
            for key, item in sent.items()
        ]
        outcomes += [None for key, item in read.items() if key not in sent and _is_non_empty(item)]
        return _all(outcomes)

    def _lists(
        self, value: list[Any], sent: list[Any], node: inspect.Type, place: _Place
    ) -> bool | None:
        rule = self._back.rules.get(place.path)
        if isinstance(rule, From) and (rule.values or rule.pick is not None):
            read = (_any(self.of(item, other, node, place) for other in sent) for item in value)
            wanted = (_any(self.of(item, other, node, place) for item in value) for other in sent)
            return _all([*read, *wanted])
        if len(value) != len(sent):
            return False
        return _all(
            self.of(item, other, node, place) for item, other in zip(value, sent, strict=True)
        )


def _all(outcomes: Iterable[bool | None]) -> bool | None:
    distinct = {*outcomes}
    return False if False in distinct else None if None in distinct else True


def _any(outcomes: Iterable[bool | None]) -> bool | None:
    distinct = {*outcomes}
    return True if True in distinct else None if None in distinct else False


def _same_instant(value: datetime, sent: str, words: Mapping[str, Any]) -> bool | None:
    if value.tzinfo is None:
        return None
    try:
        return wire_datetime(value, words.get("datetime_format"), words.get("timezone")) == sent
    except ValueError:  # what cannot be sent is not what was sent
        return False


def _same_json(value: Any, sent: Any) -> bool | None:
    """Return whether two JSON values are equal; values of different JSON types do not compare."""
    kinds: set[type[Any]] = {float if type(each) is int else type(each) for each in (value, sent)}
    return value == sent if len(kinds) == 1 else None


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    node = inspect.type_info(kind)
    assert isinstance(node, inspect.StructType)
    return node.fields


@cache
def _by_wire_name(kind: type[msgspec.Struct]) -> dict[str, inspect.Field]:
    return {field.encode_name: field for field in _fields(kind)}


def _build(kind: type[msgspec.Struct], values: Mapping[str, Any]) -> msgspec.Struct:
    """Return a model of these fields alone, also where others are required."""
    return kind(**{**dict.fromkeys(kind.__struct_fields__, UNSET), **values})


def _kinds(node: inspect.Type) -> Iterator[inspect.Type]:
    """Return the types that a type is made of, one after the other."""
    match node:
        case inspect.Metadata():
            yield from _kinds(node.type)
        case inspect.UnionType():
            for type_ in node.types:
                yield from _kinds(type_)
        case _:
            yield node


def _words(node: inspect.Type) -> Mapping[str, Any]:
    """Return what `Meta` says about a type, or about one of those that it is made of."""
    match node:
        case inspect.Metadata():
            extra = getattr(node, "extra", None)  # typed as a bare `dict`, so taken as any
            return extra if is_object(extra) else _words(node.type)
        case inspect.UnionType():
            for type_ in node.types:
                if words := _words(type_):
                    return words
        case _:
            pass
    return {}


def _fitting(value: Any, node: inspect.Type) -> inspect.Type | None:
    """Return the first of the types that has the shape of this value; None for plain values."""
    return next((kind for kind in _kinds(node) if _fits(value, kind)), None)


_CLASSES: dict[type[inspect.Type], type] = {
    inspect.StructType: msgspec.Struct,
    inspect.ListType: list,
    inspect.DictType: dict,
    inspect.DateTimeType: datetime,
}


def _fits(value: Any, kind: inspect.Type) -> bool:
    if isinstance(kind, inspect.EnumType):
        return isinstance(value, kind.cls)
    return isinstance(value, _CLASSES.get(type(kind), ()))


def _is_non_empty(value: Any) -> bool:
    """Return whether there is something in a value; false and zero are something."""
    if isinstance(value, msgspec.Struct):
        return any(_is_non_empty(getattr(value, name)) for name in value.__struct_fields__)
    return value is not UNSET and value is not None and value not in ("", [], {})


def json_key(key: Any) -> Any:
    """Return the key of a mapping as it is written in JSON, and shown in paths."""
    return key.value if isinstance(key, Enum) else key
