"""Base classes of the models, and the words that their fields are written with."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cache
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    TypeAlias,
    TypeVar,
    Union,
    get_origin,
)

import msgspec
from msgspec import UNSET, Meta, UnsetType

from .type_guards import is_list, is_object

__all__ = [
    "MISSING",
    "UNSET",
    "Alternatives",
    "AwareDatetime",
    "ExtensibleModel",
    "Meta",
    "OneOf",
    "Present",
    "RequestModel",
    "ResponseModel",
    "UnsetType",
    "one_of",
    "stored",
    "written_as",
]

_T = TypeVar("_T")

# The default of every field that is read: UNSET, which reads as None. Typed as any, so that a model
# can be built of some of its fields, whatever the types of the others are.
MISSING: Final[Any] = UNSET

# A field of a response that always comes, and may be null. (Without null, its type says as much.)
Present: TypeAlias = Annotated[_T, Meta(extra={"present": True})]

# A date-time of a response. One that comes without a zone is taken as UTC, and is drift.
AwareDatetime: TypeAlias = Annotated[datetime, Meta(tz=True)]


class Alternatives(type):
    """What `OneOf[…]` is for msgspec: a class that it does not know, whose values it asks for.

    Attributes:
        types: the types, the more exact ones first.
    """

    types: tuple[Any, ...]

    def __instancecheck__(cls, instance: object) -> bool:
        return True


if TYPE_CHECKING:
    # One of several types that JSON does not tell apart: `OneOf[Cat | Dog]` is `Cat | Dog`. Of a
    # single one: a model that keeps what none of its fields names.
    OneOf: TypeAlias = Annotated[_T, "one of"]
else:
    from typing import get_args  # which a type checker does not see in use

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
    """Reads a slot of a model: None where nothing is stored.

    msgspec decodes and encodes by slot and never comes here.

    Attributes:
        stored: reads what is stored, UNSET where nothing is.
    """

    def __init__(self, slot: Any) -> None:
        stored = slot.__get__

        def read(model: ResponseModel) -> Any:
            value = stored(model)
            return None if value is UNSET else value

        super().__init__(read, slot.__set__)
        self.stored: Callable[[msgspec.Struct], Any] = stored


# What a response holds is a tree: no object of it leads back to itself. The garbage collector looks
# for circles alone, and going through a large page time and again costs it more than decoding does.
# Where the documents allow a class in itself, the class says `gc=True`.
class ResponseModel(msgspec.Struct, kw_only=True, repr_omit_defaults=True, gc=False):
    """Something that the service returns. A field that did not come reads as None."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name in cls.__dict__["__slots__"]:
            setattr(cls, name, _Attribute(cls.__dict__[name]))

    def stored(self, name: str) -> Any:
        """Return the value of a field: None where null came, UNSET where nothing did."""
        return getattr(type(self), name).stored(self)

    def to_dict(self, *, wire: bool = False) -> dict[str, Any]:
        """Return all fields by their names, as values that JSON and tables take.

        Date-times are texts (ISO 8601), codes are their numbers or texts, models are dictionaries.

        Args:
            wire: give the JSON object as it came, under the service's names and without the fields
                that did not come.
        """
        result: dict[str, Any] = _wire(self) if wire else _plain(self)
        return result

    def to_json(self) -> bytes:
        """Return the JSON object as it came, in UTF-8."""
        return msgspec.json.encode(_wire(self) if ExtensibleModel.in_use else self)


class ExtensibleModel(ResponseModel):
    """A model whose field without a name in JSON has the members that no other field names.

    Attributes:
        in_use: whether there is any such model.
    """

    in_use: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        ExtensibleModel.in_use = True


def _wire(value: Any) -> Any:
    """Return a value as it came: what no field names stands among the fields."""
    if not ExtensibleModel.in_use:
        return msgspec.to_builtins(value)
    if isinstance(value, ResponseModel):
        result: dict[str, Any] = {}
        names = zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
        for name, wire_name in names:
            item = value.stored(name)
            if item is not UNSET and wire_name:
                result[wire_name] = _wire(item)
            elif item is not UNSET:
                result |= _wire(item)
        return result
    if is_list(value):
        return [_wire(item) for item in value]
    if is_object(value):
        return {_wire(key): _wire(item) for key, item in value.items()}
    return msgspec.to_builtins(value)


def _plain(value: Any) -> Any:
    if isinstance(value, ResponseModel):
        return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    if is_list(value):
        return [_plain(item) for item in value]
    if is_object(value):
        return {_plain(key): _plain(item) for key, item in value.items()}
    return msgspec.to_builtins(value)


def stored(model: msgspec.Struct, name: str) -> Any:
    """Return the value of a field of any model; UNSET where it has none, or no such field."""
    found = getattr(type(model), name, None)
    return found.stored(model) if isinstance(found, _Attribute) else getattr(model, name, UNSET)


class RequestModel(msgspec.Struct, kw_only=True, repr_omit_defaults=True):
    """Something that is sent to the service. UNSET fields are left out; None is sent as null.

    A model may be built with any values: they are checked when a request is made of them.
    """


def written_as(datetime_format: str, timezone: str | None = None) -> Meta:
    """Mark a date-time field that is sent as a text of its own format.

    Args:
        datetime_format: the format in the language of `strftime`.
        timezone: the name of the zone in which the text is written; UTC when it is not said.
    """
    return Meta(extra={"datetime_format": datetime_format, "timezone": timezone})
