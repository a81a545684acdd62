"""Responses that are not quite as documented: looked at, and read as far as they can be.

A number, a text or a truth value that came as another kind of JSON is turned into what the
documents say, as long as nothing of it is lost. Whatever else does not fit into a field is kept
beside it, and the field reads as None; in a list of models, a model without fields stands for it. A
field that does not come costs no other. Only where the response itself is something else, it cannot
be read.

Two ways lead to the same values. To report every difference, all of a response is looked at. To
repair one that cannot be decoded at once, it is taken apart only where it is broken: a piece that
can be decoded is, and of any other each member is looked at.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import cache, cached_property
from typing import Any, Final, TypeAlias
from uuid import UUID

import msgspec
from msgspec import NODEFAULT, UNSET, inspect

from ..core.drift import Difference, Place, Unreadable
from ..core.models import Alternatives
from ..core.sources import Kept, load_json
from ..core.times import parsed_datetime
from ..core.type_guards import is_list, is_object


class Number:
    """A JSON number with a point or an exponent, as it is written: a float would lose digits."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def read(type_: Any, body: bytes) -> tuple[Any, list[Difference]]:
    """Return the response as the type says, as far as it can be, and where it differs.

    Raises:
        Unreadable: something does not fit where the type demands it.
        msgspec.DecodeError: it is not JSON.
        RecursionError: it is nested too deeply.
    """
    differences: list[Difference] = []
    return _top(type_).read(_value(body), None, differences), differences


def repaired(type_: Any, body: bytes) -> Any:
    """Return the response as the type says, where it cannot be decoded at once."""
    try:
        top = _top(type_)
        return top.read(top.opened(_WELL_FORMED.decode(_decodable(body))), None, [])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return read(type_, body)[0]


def _value(text: bytes | msgspec.Raw) -> Any:
    """Return JSON as Python values; numbers that are no integers as they are written."""
    try:
        return _VALUES.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        try:
            return load_json(
                bytes(text), parse_float=Number, parse_constant=Number, parse_int=_integer
            )
        except ValueError:
            raise error from None


def _integer(text: str) -> int | Number:
    return int(text) if len(text) <= _MOST_DIGITS else Number(text)


def _opened(text: msgspec.Raw) -> Any:
    """Return a piece of JSON as a value, its members or items as pieces."""
    match bytes(memoryview(text)[:1]):
        case b"{":
            return _MEMBERS.decode(text)
        case b"[":
            return _ITEMS.decode(text)
        case _:
            return _value(text)


_VALUES = msgspec.json.Decoder(float_hook=Number)
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ITEMS = msgspec.json.Decoder(list[msgspec.Raw])
_WELL_FORMED = msgspec.json.Decoder(msgspec.Raw)

# Half an emoji is an escape that no other half follows, NaN a number that msgspec cannot hold.
_ESCAPE = re.compile(rb"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u[dD][89a-fA-F]..|.)", re.DOTALL)
_STAND_INS = {b"NaN": b"-77e77777", b"Infinity": b"78e77777", b"-Infinity": b"-78e77777"}
_STAND_FOR = {text.decode(): name.decode() for name, text in _STAND_INS.items()}
_CONSTANT = re.compile(rb"NaN|-?Infinity")
_FEW = 16  # constants of a body, of which each costs a passage through it


def _decodable(body: bytes) -> bytes:
    """Return JSON in which nothing but values keeps msgspec from going through it."""
    for _ in range(_FEW):
        try:
            _WELL_FORMED.decode(body)
            break
        except msgspec.DecodeError as error:
            place = re.search(r"\(byte (\d+)\)", str(error))
            start = int(place[1]) if place else 0
            start -= body[start - 1 : start] == b"-"
            if match := _CONSTANT.match(body, start):
                body = body[:start] + _STAND_INS[match[0]] + body[match.end() :]
            elif (mended := _ESCAPE.sub(_complete_escape, body)) != body:
                body = mended
            else:
                break
    return body


def _complete_escape(match: re.Match[bytes]) -> bytes:
    is_half = len(match[0]) == 6 and match[0][2:3] in b"dD"
    return rb"\ufffd" if is_half else match[0]


def chosen(type_: Any, value: Any) -> Any:
    """Return a JSON value as that one of several types, a `OneOf`, from which it differs least.

    Raises:
        ValueError: it fits none of them.
    """
    kind = _choice(type_)
    result = kind.read(value, None, [])
    if result is MISMATCH:
        raise ValueError(f"Expected `{kind.name}`")
    return result


def required(model: type[msgspec.Struct]) -> list[str]:
    """Return the names in JSON of the fields of a model that always come."""
    return _object(model).required


def mismatch(model: type[msgspec.Struct], name: str, value: Any) -> str:
    """Return why `value` does not fit the field of a model whose JSON name is `name`."""
    return _object(model).fields[name][1].mismatch(value)


def json_text(value: Any) -> str:
    """Return the JSON text of what was found, for people; of nothing, none."""
    if value is UNSET:
        return ""
    try:
        return msgspec.json.encode(value, enc_hook=lambda number: msgspec.Raw(number.text)).decode()
    except UnicodeEncodeError:  # half an emoji
        return json.dumps(to_python(value))


def to_python(value: Any) -> Any:
    """Return JSON as Python values; a number that no float can hold as the text that it is."""
    if isinstance(value, Number):
        number = float(value.text)
        return number if math.isfinite(number) else _STAND_FOR.get(value.text, value.text)
    if is_list(value):
        return [to_python(item) for item in value]
    if is_object(value):
        return {name: to_python(item) for name, item in value.items()}
    if isinstance(value, str) and not value.isascii():
        return _HALF.sub("\ufffd", value)
    return to_python(_value(value)) if isinstance(value, msgspec.Raw) else value


# Kinds of values. Each takes some types of JSON as they are, and may turn others into one of these.

MISMATCH: Final[Any] = object()
_LOST = "a float has lost digits: the text is read instead"

_NAMES: dict[type, str] = {
    str: "str",
    int: "int",
    Number: "float",
    float: "float",
    bool: "bool",
    type(None): "null",
    list: "array",
    dict: "object",
}

_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")
_ZONE = re.compile(r"[Zz]$|[Tt ].*[+-]")
_HALF = re.compile("[\ud800-\udfff]")
_MOST_DIGITS = 400  # of an integer that is written with a point or an exponent, or as a text


class _Kind:
    name: str
    takes: tuple[type, ...]
    looks_inside = False  # it needs a value decoded in depth, and not as raw pieces

    def read(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        """Return the value that stands for one of the types that are taken; or MISMATCH."""
        return value

    def convert(self, value: Any) -> Any:
        """Return a value of one of the types that are taken, with nothing lost; or MISMATCH."""
        return MISMATCH

    def allows_integers(self) -> bool:
        """Return whether an integer is one of its values."""
        return int in self.takes


class _Null(_Kind):
    name = "null"
    takes = (type(None),)


class _Anything(_Kind):
    name = "any"
    takes = tuple(_NAMES)
    looks_inside = True

    def read(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        return to_python(value)


class _Text(_Kind):
    name = "str"
    takes = (str,)

    def read(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        if value.isascii() or (repaired := _HALF.sub("\ufffd", value)) == value:
            return value
        differences.append(Difference(place, "type", value, "str without half of a character"))
        return repaired

    def convert(self, value: Any) -> Any:
        if isinstance(value, Number):
            return value.text
        return str(value) if type(value) is int else MISMATCH


class _Boolean(_Kind):
    name = "bool"
    takes = (bool,)

    def convert(self, value: Any) -> Any:
        # A flag that is kept as the text "0" would count as true.
        if type(value) is int or isinstance(value, str):
            return {"0": False, "1": True, "false": False, "true": True}.get(str(value), MISMATCH)
        return MISMATCH


class _Integer(_Kind):
    name = "int"
    takes = (int,)

    def convert(self, value: Any) -> Any:
        text = value.text if isinstance(value, Number) else value
        match = _NUMBER.fullmatch(text) if isinstance(text, str) else None
        return _exact_integer(*match.groups("")) if match else MISMATCH


class _Float(_Kind):
    name = "float"
    takes = (Number, float, int)

    def read(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        try:
            number = float(value.text if isinstance(value, Number) else value)
        except OverflowError:
            return MISMATCH
        return number if math.isfinite(number) else MISMATCH

    def convert(self, value: Any) -> Any:
        return Number(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else MISMATCH


class _Parsed(_Kind):
    """A text that stands for something else."""

    takes = (str,)

    def __init__(self, type_: type[date | UUID]) -> None:
        self.type = type_
        self.name = type_.__name__.lower()

    def read(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        try:
            return msgspec.convert(value, self.type)
        except msgspec.ValidationError:
            return MISMATCH


class _Decimal(_Kind):
    """An exact number, which the documents have as a text or as a number of JSON."""

    name = "decimal"

    def __init__(self, is_text: bool) -> None:
        self.takes = (str,) if is_text else (Number, int)

    def read(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        try:
            return msgspec.convert(value.text if isinstance(value, Number) else value, Decimal)
        except msgspec.ValidationError:
            return MISMATCH

    def convert(self, value: Any) -> Any:
        return value if type(value) in (str, int, Number) else MISMATCH


class _Datetime(_Kind):
    """A text that stands for an instant."""

    name = "datetime"
    takes = (str,)

    def read(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        result = parsed_datetime(value)
        if result is None:
            return MISMATCH
        if not _ZONE.search(value):
            differences.append(Difference(place, "type", value, "datetime with a time zone"))
        return result


class _Code(_Kind):
    """One of a set of codes."""

    def __init__(self, codes: type[Enum]) -> None:
        self.codes = codes
        self.members = {member.value: member for member in codes}
        self.base = _Integer() if issubclass(codes, int) else _Text()
        self.name = self.base.name
        self.takes = self.base.takes

    def convert(self, value: Any) -> Any:
        return self.base.convert(value)

    def read(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        member = self.members.get(value)
        if member is not None:
            return member
        try:
            code = self.codes(value)
        except ValueError:  # the set is closed
            return MISMATCH
        if not getattr(self.codes, "_open_set", False):
            expected = "one of " + ", ".join(str(known) for known in self.members)
            differences.append(Difference(place, "unknown value", value, expected))
        return code


class _Constant(_Kind):
    """One of a few values."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = values
        kinds: set[type[Any]] = {type(value) for value in values}
        self.takes = tuple(kinds)
        self.name = " | ".join(_NAMES[kind] for kind in self.takes)

    def convert(self, value: Any) -> Any:
        # 1.0 is the same number as 1 in JSON; a text is another constant.
        return _Integer().convert(value) if isinstance(value, Number) else MISMATCH

    def read(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        if value not in self.values:
            expected = "one of " + ", ".join(str(known) for known in self.values)
            differences.append(Difference(place, "unknown value", value, expected, True))
        return value


class _List(_Kind):
    name = "array"
    takes = (list,)

    def __init__(self, item: _Type) -> None:
        self.item = item

    def read(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        read_item = self.item.read
        return [
            read_item(item, (place, index, False), differences) for index, item in enumerate(value)
        ]

    def convert(self, value: Any) -> Any:
        # Some languages write a list as an object of its indexes. Other keys may mean something.
        if is_object(value) and [*value] == [*map(str, range(len(value)))]:
            return [*value.values()]
        return MISMATCH


class _Map(_Kind):
    name = "object"
    takes = (dict,)

    def __init__(self, key: _Type, item: _Type) -> None:
        self.key = key
        self.item = item

    def read(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        result: dict[Any, Any] = {}
        for name, item in value.items():
            here = (place, name, False)
            result[self.key.read_key(name, here, differences)] = self.item.read(
                item, here, differences
            )
        return result

    def convert(self, value: Any) -> Any:
        return {} if value == [] else MISMATCH  # some languages write an empty map as a list


class _Object(_Kind):
    """A model."""

    name = "object"
    takes = (dict,)

    def __init__(self, node: inspect.StructType) -> None:
        self.node = node

    def decoded(self, text: msgspec.Raw) -> Any:
        """Return an object that can be decoded at once; or MISMATCH."""
        try:
            return self.decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return MISMATCH

    @cached_property  # not at once: models may hold themselves
    def fields(self) -> dict[str, tuple[str, _Type]]:
        """The name in Python and the type of each field, by the name in JSON."""
        return {
            field.encode_name: (field.name, _type(field.type, _in_field))
            for field in self.node.fields
        }

    @cached_property
    def decoder(self) -> msgspec.json.Decoder[Any]:
        """What reads an object at once, where all of it fits."""
        return msgspec.json.Decoder(self.node.cls, dec_hook=chosen)

    @cached_property
    def required(self) -> list[str]:
        """The names in JSON of the fields that always come."""
        return [field.encode_name for field in self.node.fields if _is_required(field)]

    def read(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        fields = self.fields
        members: dict[str, Any] = {}
        others = {}
        for name, item in value.items():
            here = (place, name, True)
            if "" in fields and (name not in fields or name == ""):
                others[name] = item
            elif name in fields:
                attribute, type_ = fields[name]
                members[attribute] = type_.read(item, here, differences)
            else:
                differences.append(Difference(here, "unknown field", item, "no such field"))
        if "" in fields:
            attribute, type_ = fields[""]
            members[attribute] = type_.read(others, place, differences)
        for name in self.required:
            if name and name not in value:
                here, expected = (place, name, True), fields[name][1].name
                differences.append(Difference(here, "missing field", UNSET, expected))
        return self.node.cls(**members)


class _Choice(_Kind):
    """One of several types: the one from which a value differs least, of equal ones the first."""

    takes = tuple(_NAMES)
    looks_inside = True

    def __init__(self, types: Sequence[Any]) -> None:
        self.nodes = [inspect.type_info(each) for each in types]

    @cached_property  # not at once: models may hold themselves
    def types(self) -> list[_Type]:
        return [_type(node, None, None) for node in self.nodes]

    @cached_property
    def name(self) -> str:  # type: ignore[override]
        return " | ".join(type_.name for type_ in self.types)

    @cached_property
    def tags(self) -> list[dict[str, Sequence[Any]]]:
        """For each type, the values of those members that have a few alone."""
        return [_tags(node) for node in self.nodes]

    def read(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        best: Any = MISMATCH
        least: list[Difference] | None = None
        likely = self._likely(value)
        for type_ in likely:
            own: list[Difference] = []
            try:
                result = type_.read(value, place, own)
            except Unreadable:
                continue
            if least is None or len(own) < len(least):
                best, least = result, own
            if not own:
                break
        unknown = self._unknown_tag(value, place)
        if least is not None and unknown:
            least = [*(each for each in least if each.place != unknown.place), unknown]
        if least:  # a member that another of them has is one that the documents name
            named = {(place, n, True) for each in likely if each.model for n in each.model.fields}
            differences += [
                each if place is None else each._replace(is_constant=False)  # a new kind of a part
                for each in least
                if each.kind != "unknown field" or each.place not in named
            ]
        return best

    def allows_integers(self) -> bool:
        return any(kind.allows_integers() for type_ in self.types for kind in type_.kinds)

    def _unknown_tag(self, value: Any, place: Place) -> Difference | None:
        """Return the difference where no type has the value of the union's discriminator."""
        for node in self.nodes if is_object(value) else ():
            wire, *_ = _tag(node) or ("",)
            pairs = zip(self.types, self.tags, strict=True)
            is_closed = all(wire in tags for type_, tags in pairs if type_.model)
            if wire and wire in value and is_closed:
                known = [each for tags in self.tags for each in tags.get(wire, ())]
                expected = "one of " + ", ".join(map(str, known))
                if not _is_one_of(value[wire], known):
                    at = (place, wire, True)
                    return Difference(at, "unknown value", value[wire], expected, True)
        return None

    def _likely(self, value: Any) -> list[_Type]:
        """Return the types that the tags of an object name, or else allow; or else all of them.

        One that demands a tag which is not there allows no object that has a tag of another one.
        """
        if not is_object(value):
            return self.types
        is_tagged = any(name in value for tags in self.tags for name in tags)
        named: list[_Type] = []
        allowed: list[_Type] = []
        for type_, tags in zip(self.types, self.tags, strict=True):
            there = tags.keys() & value.keys()
            if all(_is_one_of(value[name], tags[name]) for name in there):
                if there:
                    named.append(type_)
                demanded = type_.model.required if type_.model and is_tagged else ()
                if (tags.keys() - there).isdisjoint(demanded):
                    allowed.append(type_)
        return named or allowed or self.types


_Keep: TypeAlias = Callable[["_Type", Any], Any]
"""Returns what stands for a value that does not fit."""


def _in_field(type_: _Type, value: Any) -> Any:
    if value is None:
        return None
    result = to_python(value)
    # A rate of 2.61 where the documents have integers is a number all the same.
    is_rate = isinstance(result, float) and any(kind.allows_integers() for kind in type_.kinds)
    return result if is_rate else Kept(result)


def _in_list(type_: _Type, value: Any) -> Any:
    """An item of a list, or of a map: of a model, one without fields; the text is beside it."""
    return to_python(value) if type_.model is None else type_.model.node.cls()


class _Type:
    """A documented type: the kinds of values that it allows, and what keeps those of others."""

    def __init__(self, kinds: Sequence[_Kind], keep: _Keep | None) -> None:
        # The kind that takes less knows better: an integer before a float.
        self.kinds = sorted(kinds, key=lambda kind: len(kind.takes))
        self.taken = {type_: kind for kind in reversed(self.kinds) for type_ in kind.takes}
        self.name = " | ".join(kind.name for kind in kinds)
        self.keep = keep
        self.model = next((kind for kind in kinds if isinstance(kind, _Object)), None)
        self.looks_inside = any(kind.looks_inside for kind in kinds)

    def read(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        """Return the value of this type that stands for one of JSON."""
        if value.__class__ is msgspec.Raw:
            if self.model is not None and len(self.kinds) <= 2:
                decoded = self.model.decoded(value)
                if decoded is not MISMATCH:
                    return decoded
            value = self.opened(value)
        kind = self.taken.get(value.__class__)
        result = (
            self._converted(value, place, differences)
            if kind is None
            else kind.read(value, place, differences)
        )
        return result if result is not MISMATCH else self._kept(value, place, differences)

    def opened(self, text: msgspec.Raw) -> Any:
        """Return a piece of JSON as a value, in pieces where that will do."""
        return _value(text) if self.looks_inside else _opened(text)

    def read_key(self, key: str, place: Place, differences: list[Difference]) -> Any:
        """Read a key of a map, where JSON has texts alone: 5 is written "5"."""
        kind = self.kinds[0]
        taken: Any = key if str in kind.takes else kind.convert(key)
        # Two keys must not become one: "1.0" is not 1 here.
        result = kind.read(taken, place, differences) if str(taken) == key else MISMATCH
        if result is MISMATCH:
            self._kept(key, place, differences)
            return key
        return result

    def mismatch(self, value: Any) -> str:
        """Return why `value` does not fit this type."""
        return f"Expected `{self.name}`, got `{_NAMES[type(value)]}`"

    def _converted(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        if isinstance(value, float):
            raise ValueError(_LOST)
        for kind in self.kinds:
            converted = kind.convert(value)
            result = MISMATCH if converted is MISMATCH else kind.read(converted, place, differences)
            if result is not MISMATCH:
                differences.append(Difference(place, "type", value, self.name))
                return result
        return MISMATCH

    def _kept(self, value: Any, place: Place, differences: list[Difference]) -> Any:
        if self.keep is None:
            raise Unreadable(place, self.mismatch(value))
        differences.append(Difference(place, "type", value, self.name))
        return self.keep(self, value)


def _exact_integer(digits: str, fraction: str, exponent: str) -> Any:
    """Return the integer that a number is; or MISMATCH. The digits are never made a float."""
    if len(digits) + len(fraction) + len(exponent) > _MOST_DIGITS:
        return MISMATCH
    shift = int(exponent or "0") - len(fraction)
    if shift >= 0:
        return int(digits + fraction) * 10**shift if shift < _MOST_DIGITS else MISMATCH
    integer, rest = divmod(int(digits + fraction), 10 ** min(-shift, _MOST_DIGITS))
    return MISMATCH if rest else integer


# From what msgspec knows of a type to the kinds of values.

_SIMPLE: dict[type[inspect.Type], _Kind] = {
    inspect.AnyType: _Anything(),
    inspect.NoneType: _Null(),
    inspect.BoolType: _Boolean(),
    inspect.IntType: _Integer(),
    inspect.FloatType: _Float(),
    inspect.StrType: _Text(),
    inspect.DecimalType: _Decimal(is_text=False),
    inspect.DateTimeType: _Datetime(),
    inspect.DateType: _Parsed(date),
    inspect.UUIDType: _Parsed(UUID),
}


@cache
def _top(type_: Any) -> _Type:
    return _type(inspect.type_info(type_), None)


@cache
def _object(model: type[msgspec.Struct]) -> _Object:
    node = inspect.type_info(model)
    assert isinstance(node, inspect.StructType)
    return _Object(node)


@cache
def _choice(type_: Alternatives) -> _Choice:
    return _Choice(type_.types)


def _tags(node: inspect.Type) -> dict[str, Sequence[Any]]:
    """Return the values of the members of a model that have a few alone, or in a union."""
    if isinstance(node, inspect.Metadata):
        tags = _tags(node.type)
        if tag := _tag(node):
            tags[tag[0]] = tag[1:]
        return tags
    if not isinstance(node, inspect.StructType):
        return {}
    return {
        field.encode_name: values for field in node.fields if (values := _constants(field.type))
    }


def _tag(node: inspect.Type) -> list[str] | None:
    """Return the member by which a union tells a type apart, and its values."""
    extra: Any = getattr(node, "extra", None) or {}
    return extra.get("tag") if isinstance(node, inspect.Metadata) else None


def _constants(node: inspect.Type) -> Sequence[Any]:
    values: list[Any] = []
    for each in node.types if isinstance(node, inspect.UnionType) else (node,):
        match each:
            case inspect.LiteralType():
                values += each.values
            case inspect.Metadata():
                extra: Any = getattr(each, "extra", None) or {}
                inner = [extra["constant"]] if "constant" in extra else _constants(each.type)
                if not inner:
                    return ()
                values += inner
            case inspect.NoneType():
                values.append(None)
            case _:
                return ()
    return values


def _is_one_of(value: Any, known: Sequence[Any]) -> bool:
    """Return whether a value is one of a few: True is not 1, and 1.0 is."""
    if isinstance(value, float):
        raise ValueError(_LOST)
    if isinstance(value, Number):
        value = _Integer().convert(value)
    return any(type(each) is type(value) and each == value for each in known)


def _type(node: inspect.Type, keep: _Keep | None, items: _Keep | None = _in_list) -> _Type:
    """Return the kinds of a type.

    What does not fit is kept by `keep`, and by `items` in lists and maps.
    """
    if isinstance(node, inspect.Metadata) and _marked(node) is None:
        return _type(node.type, keep, items)
    nodes = node.types if isinstance(node, inspect.UnionType) else (node,)
    return _Type([_kind(each, items) for each in nodes], keep)


def _marked(node: inspect.Metadata) -> _Kind | None:
    """Return what a text stands for by the mark of its type."""
    extra: Any = getattr(node, "extra", None) or {}
    if "constant" in extra:
        return _Constant((extra["constant"],))
    text = _Decimal(is_text=True) if extra.get("is_text") else None
    return _Datetime() if extra.get("is_datetime") else text


def _is_required(field: inspect.Field) -> bool:
    """Return whether a field of a response always comes: it says so, or cannot be null."""
    node = field.type
    if isinstance(node, inspect.Metadata):
        extra: Any = getattr(node, "extra", None)
        if extra and extra.get("present"):
            return True
    nodes = node.types if isinstance(node, inspect.UnionType) else (node,)
    may_be_none = any(isinstance(each, inspect.NoneType | inspect.AnyType) for each in nodes)
    return not may_be_none and field.default is NODEFAULT


def _kind(node: inspect.Type, items: _Keep | None) -> _Kind:
    match node:
        case inspect.Metadata():
            return _marked(node) or _kind(node.type, items)
        case inspect.StructType():
            return _object(node.cls)
        case inspect.ListType():
            return _List(_type(node.item_type, items, items))
        case inspect.DictType():
            keys = _type(node.key_type, items, items)
            return _Map(keys, _type(node.value_type, items, items))
        case inspect.EnumType():
            return _Code(node.cls)
        case inspect.LiteralType():
            return _Constant(node.values)
        case inspect.CustomType(cls=Alternatives() as cls):
            return _choice(cls)
        case _ if type(node) in _SIMPLE:
            return _SIMPLE[type(node)]
        case _:
            raise TypeError(f"no response is known to hold {node}")
