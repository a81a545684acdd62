"""JSON objects with attributes: what the generated classes in documents/objects.py inherit."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from types import UnionType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, get_args, get_origin, get_type_hints
from uuid import UUID

AwareDatetime = dt.datetime
"""A date-time with its time zone."""


class Object(Mapping[str, Any]):
    """A JSON object that was read, with its members as attributes.

    A member that is absent is None. As a mapping it has the names of the JSON, and the values as
    they are there: `book["lent_at"]` is a text where `book.lent_at` is a datetime.
    """

    _names: ClassVar[Mapping[str, str]] = {}

    def __init__(self, members: Mapping[str, Any]) -> None:
        self.__dict__["_members"] = members

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __repr__(self) -> str:
        values = ((name, getattr(self, name)) for name in attributes(type(self)))
        shown = (f"{name}={value!r}" for name, value in values if value not in (None, [], {}))
        return f"{type(self).__name__}({', '.join(shown)})"

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *attributes(type(self))]

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name}: what was read cannot be changed")

    if TYPE_CHECKING:
        _members: Mapping[str, Any]
    else:  # for a type checker, it has what its class names and nothing else

        def __getattr__(self, name: str) -> Any:
            type_ = attributes(type(self)).get(name)
            if type_ is None:
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
            return _read(type_, self._members.get(wire_name(type(self), name)))


def wire_name(kind: type[Object], name: str) -> str:
    """Return the name that JSON has for an attribute of a class; any other name as it is."""
    return kind._names.get(name, name)


@functools.cache
def attributes(kind: type[Object]) -> dict[str, Any]:
    """Return the attributes of a class with their types."""
    return {name: type_ for name, type_ in get_type_hints(kind).items() if name[0] != "_"}


_OF_TEXT: dict[Any, Callable[[str], Any]] = {
    dt.datetime: dt.datetime.fromisoformat,
    dt.date: dt.date.fromisoformat,
    UUID: UUID,
}


def _read(type_: Any, value: Any) -> Any:
    """Convert a JSON value to a type; return it unchanged if it does not fit."""
    kind, of = get_origin(type_) or type_, get_args(type_)
    if kind is UnionType:
        readings = (_read(each, value) for each in of)
        return next((each for each in readings if each is not value), value)
    if isinstance(value, str) and kind in _OF_TEXT:
        with suppress(ValueError):
            return _OF_TEXT[kind](value)
    if isinstance(value, list) and kind is list:
        return [_read(of[0], each) for each in value]
    if isinstance(value, dict) and kind is dict:
        return {name: _read(of[1], each) for name, each in value.items()}
    if isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, Object):
        return kind(value)
    return value
