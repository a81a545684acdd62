"""The public methods of a generated client, and arguments for them made of JSON."""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Literal
from uuid import UUID

import msgspec

from generality.described import METHODS, Json, follow
from generality.judging import FileGiven

_ROUTE = re.compile(rf"\b({'|'.join(METHODS).upper()})\s+(/\S*)\.\s*\Z")


class Unsayable(Exception):
    """The types of a client have no word for a value that its document allows."""


@dataclass(frozen=True)
class Method:
    """A method of a client.

    Attributes:
        resource, name: where it is.
        hints: the types of its arguments.
        names: names in Python that the effective document gives, by `place.name`.
    """

    resource: str
    name: str
    hints: Mapping[str, Any]
    parameters: Mapping[str, inspect.Parameter]
    names: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.resource}.{self.name}"

    def argument(self, place: str, wire: str) -> str:
        """Return the argument for a parameter, or for a property of the body.

        Raises:
            Unsayable: there is none.
        """
        given = self.names.get(f"{place}.{wire}", wire)
        for name in self.parameters:
            if name == given or (given == wire and self._means(name, wire)):
                return name
        raise Unsayable(f"{self} has no argument for {place} {wire}")

    def has(self, place: str, wires: Iterable[str]) -> bool:
        """Return whether there is an argument for each of some names."""
        try:
            return all([self.argument(place, wire) for wire in wires])
        except Unsayable:
            return False

    def _means(self, name: str, wire: str) -> bool:
        """Return whether an argument has a name that is made of one on the wire."""
        made = (_plain(wire), f"field{_plain(wire)}")  # no name in Python begins with a digit
        return _plain(name) in made and name not in self.names.values()

    def call(self, client: Any, values: Mapping[str, Any]) -> Any:
        """Call it with arguments by their names."""
        first = [n for n, p in self.parameters.items() if p.kind is p.POSITIONAL_OR_KEYWORD]
        positional = [values[name] for name in first if name in values]
        rest = {name: value for name, value in values.items() if name not in first}
        return getattr(getattr(client, self.resource), self.name)(*positional, **rest)


class Methods:
    """The methods of a package's client, found by the routes that their docstrings end with.

    Args:
        names: the names in Python that the effective documents give, by route.
    """

    def __init__(self, package: str, names: Mapping[str, Mapping[str, str]]) -> None:
        self._names = names
        self._found: dict[str, list[Method]] = {}
        home = import_module(f"{package}.resources")
        for each in iter_modules(home.__path__):
            module = import_module(f"{package}.resources.{each.name}")
            for owner in _resources(module):
                for name, function in inspect.getmembers(owner, inspect.isfunction):
                    route = _ROUTE.search(inspect.getdoc(function) or "")
                    if route and not name.startswith("_"):
                        self._add(" ".join(route.groups()), each.name, name, function)

    def _add(self, route: str, resource: str, name: str, function: Any) -> None:
        parameters = dict(inspect.signature(function).parameters)
        parameters.pop("self", None)
        hints = typing.get_type_hints(function, include_extras=True)
        given = self._names.get(route, {})
        self._found.setdefault(route, []).append(Method(resource, name, hints, parameters, given))

    def of(self, route: str, operation_id: str) -> Method | None:
        """Return the method of an operation; None where the client does not carry it.

        Of several with one route, such as another one that streams, it is that with the name of
        the operation.
        """
        known = self._found.get(route.partition("#")[0], [])
        wanted = _plain(self._names.get(route, {}).get("operation", operation_id))
        named = [each for each in known if _plain(each.name) == wanted]
        return next(iter([*named, *known]), None)


def _resources(module: types.ModuleType) -> Iterator[type]:
    for name in module.__all__:
        value = getattr(module, name)
        is_other = name.startswith("Async") or "WithRawResponse" in name
        if isinstance(value, type) and "Resource" in name and not is_other:
            yield value


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


# Values


def typed(value: Json, kind: Any) -> Any:
    """Return a JSON value as a value of an annotation, as a caller would write it.

    Raises:
        Unsayable: the annotation has no such value.
    """
    found = _typed(value, kind, "")
    if isinstance(found, Unsayable):
        raise found
    return found


def _typed(value: Json, kind: Any, place: str) -> Any:
    """Return the value, or why there is none: unions try many."""
    kinds = _alternatives(kind)
    if kinds is not None:
        reasons = []
        for each in sorted(kinds, key=lambda each: typing.get_origin(each) is Mapping):
            found = _typed(value, each, place)
            if not isinstance(found, Unsayable):
                return found
            reasons.append(found)
        return max(reasons, key=lambda reason: len(str(reason).partition(":")[0]))
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return _typed(value, arguments[0], place)
    if kind is Any or kind is object:
        return value
    if origin is Literal:
        same = (each for each in arguments if type(each) is type(value) and each == value)
        found = list(same)
        return found[0] if found else _no(value, kind, place)
    if origin is not None and isinstance(value, list) and _is_list(origin):
        return _all([_typed(e, arguments[0], f"{place}[{i}]") for i, e in enumerate(value)])
    if origin is not None and isinstance(value, dict) and not _is_list(origin):
        keys = _all([_typed(key, arguments[0], f"{place}.{key}") for key in value])
        items = _all([_typed(each, arguments[1], f"{place}.{n}") for n, each in value.items()])
        for each in (keys, items):
            if isinstance(each, Unsayable):
                return each
        return dict(zip(keys, items, strict=True))
    if isinstance(kind, type):
        return _of_class(value, kind, place)
    return _no(value, kind, place)


def _is_list(origin: Any) -> bool:
    return "sequence" in origin.__name__.lower() or origin in (list, tuple)


def _alternatives(kind: Any) -> tuple[Any, ...] | None:
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        return typing.get_args(kind)
    if type(kind).__name__ == "Alternatives":  # what `OneOf[A | B]` is at run time
        found: tuple[Any, ...] = kind.types
        return found
    return None


def _all(found: list[Any]) -> Any:
    return next((each for each in found if isinstance(each, Unsayable)), found)


def _no(value: Json, kind: Any, place: str) -> Unsayable:
    return Unsayable(f"{place}: {value!r:.80} is no {getattr(kind, '__name__', kind)}")


def _of_class(value: Json, kind: type, place: str) -> Any:
    if isinstance(value, FileGiven):
        fits = kind.__name__ == "File"
        return kind(value.content, name=value.name) if fits else _no(value, kind, place)
    if issubclass(kind, msgspec.Struct):
        return _model(value, kind, place)
    if issubclass(kind, Enum):
        known = {each.value: each for each in kind}
        fits = isinstance(value, str | int) and not isinstance(value, bool) and value in known
        return known[value] if fits else _no(value, kind, place)
    read = _READERS.get(kind)
    if read is not None and isinstance(value, str):
        try:
            return read(value)
        except ValueError:
            return _no(value, kind, place)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return value
    if kind is types.NoneType and value is None:
        return None
    return value if type(value) is kind else _no(value, kind, place)


_READERS: dict[Any, Callable[[str], Any]] = {
    datetime: datetime.fromisoformat,
    date: date.fromisoformat,
    UUID: UUID,
}


def _model(value: Json, kind: Any, place: str) -> Any:
    if not isinstance(value, dict) or kind.__name__ == "File":
        return _no(value, kind, place)
    hints = typing.get_type_hints(kind, include_extras=True)
    names = dict(zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True))
    given: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for wire, item in value.items():
        if wire in names and wire:
            given[names[wire]] = _typed(item, hints[names[wire]], f"{place}.{wire}")
        else:
            others[wire] = item
    if others and "" in names:
        given[names[""]] = _typed(others, hints[names[""]], place)
    elif others:
        return Unsayable(f"{place}: {kind.__name__} has no {', '.join(others)}")
    wrong = next((each for each in given.values() if isinstance(each, Unsayable)), None)
    if wrong is not None:
        return wrong
    try:
        return kind(**given)
    except TypeError as error:
        return Unsayable(f"{place}: {error}")


def plain(value: Any) -> Json:
    """Return what a client returned as JSON, as it came."""
    if hasattr(value, "to_dict"):
        return value.to_dict(wire=True)
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {plain(key): plain(each) for key, each in value.items()}
    return msgspec.to_builtins(value) if not isinstance(value, bytes) else value


def effective_names(file: Path) -> dict[str, dict[str, str]]:
    """Return the names in Python that an effective document gives, by route and `place.name`."""
    data = msgspec.json.decode(file.read_bytes())

    def followed(node: Json) -> Json:
        return follow(data, (), node)[1]

    def properties(schema: Json, depth: int = 0) -> Iterator[tuple[str, Json]]:
        schema = followed(schema)
        if isinstance(schema, dict) and depth < 20:
            yield from schema.get("properties", {}).items()
            for part in schema.get("allOf", []):
                yield from properties(part, depth + 1)

    found = {}
    for path, item in data.get("paths", {}).items():
        item = followed(item)
        for method in METHODS:
            node = item.get(method)
            if not isinstance(node, dict):
                continue
            names = found[f"{method.upper()} {path}"] = {}
            names["operation"] = node.get("x-python-name") or node.get("operationId", "")
            parameters = [*item.get("parameters", []), *node.get("parameters", [])]
            for each in map(followed, parameters):
                if name := each.get("x-python-name"):
                    names[f"{each['in']}.{each['name']}"] = name
            for media in followed(node.get("requestBody", {})).get("content", {}).values():
                for wire, each in properties(media.get("schema")):
                    if name := isinstance(each, dict) and each.get("x-python-name"):
                        names[f"body.{wire}"] = name
    return found
