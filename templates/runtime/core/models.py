"""Base classes of the models, and the words that their fields are written with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from functools import cache
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

import msgspec
from msgspec import UNSET as UNSET
from msgspec import Meta as Meta
from msgspec import UnsetType as UnsetType

from .sources import Kept, Source, Sourced, load_json, place, set_source
from .times import parsed_datetime
from .type_guards import is_list, is_object

_T = TypeVar("_T")

# The default of every field that is read: UNSET, which reads as None. Typed as any, so that a model
# can be built of some of its fields, whatever the types of the others are.
MISSING: Final[Any] = UNSET

# A field of a response that always comes, and may be null. (Without null, its type says as much.)
Present: TypeAlias = Annotated[_T, Meta(extra={"present": True})]

# A decimal number that JSON has as a text.
DecimalText: TypeAlias = Annotated[Decimal, Meta(extra={"is_text": True})]


class Alternatives(type):
    """What `OneOf[…]` is for msgspec: a class that it does not know, whose values it asks for.

    The more exact types come first.
    """

    types: tuple[Any, ...]

    def __instancecheck__(cls, instance: object) -> bool:
        return True


if TYPE_CHECKING:
    # A date-time of a response. One that comes without a zone is taken as UTC, and is drift.
    AwareDatetime: TypeAlias = datetime
    # One of several types that JSON does not tell apart: `OneOf[Cat | Dog]` is `Cat | Dog`. Of a
    # single one: a model that keeps what none of its fields names.
    OneOf: TypeAlias = Annotated[_T, "one of"]
    # Flags that have one value alone.
    AlwaysTrue: TypeAlias = Literal[True]
    AlwaysFalse: TypeAlias = Literal[False]
else:
    # A model keeps the text, and its attribute makes a date-time of it: msgspec would round.
    AwareDatetime = Annotated[str, Meta(extra={"is_datetime": True})]
    # msgspec knows no literal flags.
    AlwaysTrue = Annotated[bool, Meta(extra={"constant": True})]
    AlwaysFalse = Annotated[bool, Meta(extra={"constant": False})]

    class OneOf:
        def __class_getitem__(cls, union):
            is_union = get_origin(union) in (Union, UnionType)
            return _alternatives(get_args(union) if is_union else (union,))


# The same as a value: `one_of[Cat | Dog]`. Type checkers take no alias there.
one_of: Final[Any] = OneOf


@cache
def _alternatives(types: tuple[Any, ...]) -> Alternatives:
    return Alternatives("OneOf", (), {"types": types})


class _Attribute(property):
    """Reads a slot of a model: None where nothing is stored, or a value of another type.

    msgspec decodes and encodes by slot and never comes here.

    Attributes:
        stored: reads what is stored, UNSET where nothing is.
        is_text: whether JSON has its decimal numbers as texts.
    """

    is_text = False

    def __init__(self, slot: Any) -> None:
        get, set_, name = slot.__get__, slot.__set__, slot.__name__

        def read(model: ResponseModel) -> Any:
            value = get(model)
            if value is UNSET:
                return None
            if value.__class__ in _LEAVES:
                return value
            return None if value.__class__ is Kept else _linked(model, name, value)

        def stored(model: Any) -> Any:
            value = get(model)
            return _linked(model, name, value.value if value.__class__ is Kept else value)

        def write(model: ResponseModel, value: Any) -> None:
            set_(model, value)
            if (source := _source(model)) is not None:
                source.given[name] = None

        super().__init__(read, write)
        self.slot: Callable[[msgspec.Struct], Any] = get
        self.stored: Callable[[msgspec.Struct], Any] = stored


class _DatetimeAttribute(_Attribute):
    """Reads a slot with the text of a date-time; a text that is none is hidden."""

    def __init__(self, slot: Any) -> None:
        super().__init__(slot)
        get, name = slot.__get__, slot.__name__

        def read(model: ResponseModel) -> Any:
            value = get(model)
            if value.__class__ is str:
                return parsed_datetime(value)
            if value is UNSET or value.__class__ is Kept:
                return None
            return _linked(model, name, parsed_datetimes(value))

        def stored(model: Any) -> Any:
            value = get(model)
            value = value.value if value.__class__ is Kept else parsed_datetimes(value)
            return _linked(model, name, value)

        property.__init__(self, read, self.fset)
        self.stored = stored


def _holds(annotation: Any, name: str, type_: Any) -> bool:
    """Return whether a field has values of a type; those of a `OneOf` are parsed already."""
    if isinstance(annotation, str):
        return name in annotation and "OneOf[" not in annotation
    # Equal, not the same: `typing` keeps one union for those of all clients of a process.
    return bool(annotation == type_) or any(
        _holds(inner, name, type_) for inner in get_args(annotation)
    )


def parsed_datetimes(value: Any) -> Any:
    """Return a value with date-times in the place of their texts; any other text stays."""
    if isinstance(value, str):
        return parsed_datetime(value) or value
    if is_list(value):
        value[:] = map(parsed_datetimes, value)
    elif is_object(value):
        value.update({key: parsed_datetimes(item) for key, item in value.items()})
    return value


# Classes of values that no model is inside of; those of codes are added when they are met.
_LEAVES: set[type] = {str, int, float, bool, type(None), datetime}


def _source(model: ResponseModel) -> Source | None:
    source: Any = getattr(model, "_source", None)
    if source.__class__ is tuple:
        source = Source(*source)
        set_source(model, source)
    return source  # type: ignore[no-any-return]


def _linked(model: ResponseModel, name: str, value: Any) -> Any:
    """Return the value of a field; from now on, models in it know their own source."""
    if not (is_list(value) or is_object(value) or isinstance(value, ResponseModel)):
        _LEAVES.add(value.__class__)
    elif (source := _source(model)) is not None and name not in source.given:
        link(value, source, _wire_names(type(model))[name])
        source.given[name] = _places(value) if _are_models(value) else _encoded(value)
    return value


def link(value: Any, origin: Any, key: Any) -> None:
    """Let models know what they were read from.

    Args:
        origin, key: the source of what is around them, and their place in it; or the text of a
            response, and what reads it.
    """
    if isinstance(value, ResponseModel):
        if not hasattr(value, "_source"):
            set_source(value, (origin, key))
    elif is_list(value):
        source = Source(origin, key)
        for index, item in enumerate(value):
            if item.__class__ not in _LEAVES:
                link(item, source, index)
    elif is_object(value):
        source = origin if key == "" else Source(origin, key)  # "": its members are those around
        for name, item in value.items():
            if item.__class__ not in _LEAVES:
                link(item, source, str(getattr(name, "value", name)))


@cache
def _wire_names(model: type[msgspec.Struct]) -> dict[str, str]:
    return dict(zip(model.__struct_fields__, model.__struct_encode_fields__, strict=True))


# What a response holds is a tree: no object of it leads back to itself. The garbage collector looks
# for circles alone, and going through a large page time and again costs it more than decoding does.
# Where the documents allow a class in itself, the class says `gc=True`.
class ResponseModel(msgspec.Struct, Sourced, kw_only=True, repr_omit_defaults=True, gc=False):
    """An object that the service returns. A missing field reads as None."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name in cls.__dict__["__slots__"]:
            annotation = cls.__annotations__.get(name)
            is_datetime = _holds(annotation, "AwareDatetime", AwareDatetime)
            attribute = (_DatetimeAttribute if is_datetime else _Attribute)(cls.__dict__[name])
            attribute.is_text = _holds(annotation, "DecimalText", DecimalText)
            setattr(cls, name, attribute)

    def __copy__(self) -> Any:
        for name in self.__struct_fields__:
            self.stored(name)  # whatever is changed through a copy is seen here, too
        return msgspec.structs.replace(self)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return super().__eq__(other) or all(  # date-times may be texts here, and values there
            self.stored(name) == other.stored(name) for name in self.__struct_fields__
        )

    def __repr__(self) -> str:
        values = {name: self.stored(name) for name in self.__struct_fields__}
        shown = (f"{name}={value!r}" for name, value in values.items() if value is not UNSET)
        return f"{type(self).__name__}({', '.join(shown)})"

    def _repr_html_(self) -> str:
        from .notebooks import model_as_html

        return model_as_html(self)

    @property
    def additional_properties(self) -> dict[str, Any]:
        """Members that no document names; empty for a copy."""
        source, known = _source(self), self.__struct_encode_fields__
        members = {} if source is None else source.members
        return {name: load_json(text) for name, text in members.items() if name not in known}

    def stored(self, name: str) -> Any:
        """Return the value of a field as it came: UNSET if missing, None for null.

        Includes a value of a wrong type, which the attribute hides.
        """
        return getattr(type(self), name).stored(self)

    def to_dict(self, *, wire: bool = False) -> dict[str, Any]:
        """Return all fields by their names, as values that JSON and tables take.

        Date-times are texts (ISO 8601), codes are their numbers or texts, models are dictionaries.

        Args:
            wire: give the JSON object as it came: every member, in its order, its value unchanged.
                What you have set since stands in the place of what came.
        """
        result: dict[str, Any] = load_json(self.to_json()) if wire else _to_builtins(self)
        return result

    def to_json(self) -> bytes:
        """Return the text of the JSON object as it came, in UTF-8, on one line.

        What you have set since stands in the place of what came.
        """
        return _one_line(msgspec.json.encode(_wire(self)))


class ExtensibleModel(ResponseModel):
    """A model whose field without a name in JSON has the members that no other field names."""

    if TYPE_CHECKING:
        # Each such model has a field of this name, of the type that the document names.
        additional_properties: Any  # pyright: ignore[reportIncompatibleMethodOverride]


def _one_line(text: bytes) -> bytes:
    text = text.strip()
    if b"\n" not in text and b"\r" not in text:  # a text in JSON has neither
        return text
    try:
        return msgspec.json.format(text, indent=-1)
    except msgspec.DecodeError:  # it holds NaN, or half an emoji
        return b" ".join(text.split())


def _wire(value: Any, is_text: bool = False) -> Any:
    """Return a value as it came, for msgspec to encode; decimal numbers as texts if they are."""
    if isinstance(value, ResponseModel):
        return _members(value)
    if is_list(value):
        return [_wire(item, is_text) for item in value]
    if is_object(value):
        return {key: _wire(item, is_text) for key, item in value.items()}
    if isinstance(value, Decimal) and not is_text:
        return msgspec.Raw(str(value).encode())
    return value


def _members(model: ResponseModel) -> Any:
    """Return the text that came; where something is another since, the members."""
    source, names = _source(model), _wire_names(type(model))
    if source is not None and not source.text:
        source = None
    changed = names if source is None else [*_changed(model, source)]
    if source is not None and not changed:
        return msgspec.Raw(source.text)
    members: dict[str, Any] = {}
    if source is not None and is_object(source.pieces):
        members.update(source.pieces)
    came: Any = None  # the model once more, untouched
    for name in changed:
        value, attribute, wire_name = model.stored(name), _attribute(model, name), names[name]
        if source is not None and not _are_models(value):
            is_same = _says(members.get(wire_name), value)
            if is_same is None:
                came = came or source.read(type(model))
                is_same = came.stored(name) == value
            if is_same:
                continue
        if not wire_name:  # what no field names
            members = {name: text for name, text in members.items() if name in names.values()}
            members |= {} if value is UNSET else _wire(value, attribute.is_text)
        elif value is UNSET or value == ():  # of a result, not of a response
            members.pop(wire_name, None)
        else:
            text = attribute.slot(model)  # of a date-time, with all its digits
            members[wire_name] = text if isinstance(text, str) else _wire(value, attribute.is_text)
    return members


def _says(text: Any, value: Any) -> bool | None:
    """Return whether the text of a member says a value; None where its field has to be asked."""
    if not (value is None or isinstance(value, (str, int))):
        return None
    if text is None:
        return False
    try:
        came = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    # A field may read a number as a text, or a text as a truth value.
    is_asked = came is not None and value is not None and not isinstance(value, type(came))
    return None if is_asked else bool(came == value)


def _is_as_it_came(model: ResponseModel) -> bool:
    """Return whether nothing was set in a model, or in a value that it gave out."""
    source: Any = getattr(model, "_source", None)
    if source.__class__ is not Source:
        return source is not None  # nobody has asked for anything in it
    return not source.given or next(_changed(model, source), None) is None


def _changed(model: ResponseModel, source: Source) -> Iterator[str]:
    """Yield the names of the fields that were set, or gave out a value that was changed."""
    slots = _slots(type(model))
    for name, before in source.given.items():
        value = slots[name](model)
        if value.__class__ is Kept:
            value = value.value
        if before is None:
            is_same = False
        elif before.__class__ is bytes:
            is_same = _encoded(value) == before
        else:
            is_same = _places(value) == before and all(map(_is_as_it_came, _items(value)))
        if not is_same:
            yield name


@cache
def _slots(model: type[ResponseModel]) -> dict[str, Callable[[msgspec.Struct], Any]]:
    return {name: getattr(model, name).slot for name in model.__struct_fields__}


def _places(value: Any) -> Any:
    """Return where the items of a list or a map, or a model, were read, in the same form."""
    if is_object(value):
        return {key: place(item) for key, item in value.items()}
    return [place(item) for item in value] if is_list(value) else place(value)


def _items(value: Any) -> Collection[Any]:
    """Return the items of a list or a map, or a model as the only one."""
    if is_object(value):
        return value.values()
    return value if is_list(value) else (value,)


def _are_models(value: Any) -> bool:
    """Return whether there is nothing but models, each of which knows what it was read from."""
    items = _items(value)
    return bool(items) and all(isinstance(item, ResponseModel) for item in items)


def _encoded(value: Any) -> bytes | None:
    try:
        return msgspec.json.encode(value)
    except (OverflowError, TypeError, ValueError):
        return None


def _to_builtins(value: Any) -> Any:
    if isinstance(value, ResponseModel):
        return {name: _to_builtins(getattr(value, name)) for name in value.__struct_fields__}
    if is_list(value):
        return [_to_builtins(item) for item in value]
    if is_object(value):
        return {_to_builtins(key): _to_builtins(item) for key, item in value.items()}
    return msgspec.to_builtins(value)


def stored(model: msgspec.Struct, name: str) -> Any:
    """Return the value of a field of any model; UNSET where it has none, or no such field."""
    named = _attribute(model, name)
    return named.stored(model) if isinstance(named, _Attribute) else getattr(model, name, UNSET)


def slotted(model: ResponseModel, name: str) -> Any:
    """Return what is in the slot of a field, for a look: models in it do not know their source."""
    return getattr(type(model), name).slot(model)


def is_stored(model: ResponseModel, name: str) -> bool:
    """Return whether something came for a field, or was set."""
    return slotted(model, name) is not UNSET


def _attribute(model: msgspec.Struct, name: str) -> Any:
    return getattr(type(model), name, None)


class Keyed(dict[str, _T]):
    """Items by one of their fields, whichever way they came: as an object, or as an array.

    Attributes:
        others: those of an array that have no key, or one that an item before them has.
    """

    def __init__(self, items: Mapping[str, _T] | None = None) -> None:
        super().__init__(items or {})
        self.others: list[_T] = []

    def __repr__(self) -> str:
        others = f" and others: {self.others!r}" if self.others else ""
        return super().__repr__() + others

    def _repr_html_(self) -> str:
        from .notebooks import items_as_html

        return items_as_html([*self.values(), *self.others], names=[*self])


class RequestModel(msgspec.Struct, kw_only=True, repr_omit_defaults=True):
    """An object to send to the service. UNSET fields are left out; None is sent as null.

    A model may be built with any values: they are checked when a request is made of them.
    """


def as_field(value: Any) -> Any:
    """Return an argument that may hold dicts in the place of models, for a field of models.

    A model may be built with any values, and a request takes both; type checkers know the models.
    """
    return value


def written_as(datetime_format: str, timezone: str | None = None) -> Meta:
    """Mark a date-time field that is sent as a text of its own format.

    Args:
        datetime_format: the format in the language of `strftime`.
        timezone: the name of the zone in which the text is written; UTC when it is not said.
    """
    return Meta(extra={"datetime_format": datetime_format, "timezone": timezone})
