"""What a program sees of the client before it calls anything, held to the documents.

Arguments and their types, models and their fields, codes and their names, the errors that the
documentation of a method lists, and where the base addresses end.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import cache
from importlib import import_module
from inspect import Parameter, getdoc, signature
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import msgspec
from social_publishing import AsyncSocialPublishing, Keyed, SocialPublishing, StatusError

from harness.edge_cases import window
from harness.failures import failure
from tests.support.documents import Argument, Document, Json, Operation, Schema, snake
from tests.support.wire import ADDRESSES

_PLACES = ("path", "query", "header", "body", "form")
PLAIN = {"string": str, "integer": int, "number": float, "boolean": bool}
UNSET = msgspec.UnsetType


def check_surface(operation: Operation) -> None:
    """Fail where what a program sees of an operation is not what the documents say."""
    for title, problems in (
        ("The client has no way to write this request.", _unwritable(operation)),
        ("The client has other addresses than the documents.", _address(operation)),
        ("The method has other arguments than the documents.", _arguments(operation)),
        ("An argument has another type than in the documents.", _types(operation)),
        ("The response has another type than in the documents.", _response(operation)),
        ("The errors are not those of the documents.", _errors(operation)),
        ("Other header fields are read than the documents have.", _headers(operation)),
    ):
        if found := list(problems):
            raise failure(
                operation,
                title=title,
                call=f"help(client.{operation.resource}.{operation.name})",
                expected="what the documents say",
                came=found,
            )


def _address(operation: Operation) -> Iterator[str]:
    """Report where the base addresses end, and how a request is authorised."""
    document = operation.document
    argument = {"main": "base_url", "media": "media_url"}[document.name]
    for client in (SocialPublishing, AsyncSocialPublishing):
        told = re.search(rf"{argument}: [^`]*ending in `([^`]*)`", getdoc(client) or "")
        if {told and told[1], urlsplit(ADDRESSES[document.name]).path} != {document.base}:
            yield f"servers: {client.__name__} has {argument} end in {told and told[1]}"
    schemes = document.data["components"]["securitySchemes"]
    ways = [(each.get("type"), each.get("scheme")) for each in schemes.values()]
    if ways != [("http", "bearer")]:
        yield f"securitySchemes: a bearer token is sent, not {ways}"


@cache
def _function(resource: str, name: str) -> Any:
    return getattr(import_module(f"social_publishing.resources.{resource}"), f"build_{name}")


def _text(operation: Operation) -> str:
    """Return the documentation of a method."""
    client = SocialPublishing(api_token="t", base_url="http://a/v1", media_url="http://b/api/v1")
    resource = getattr(client, operation.resource)
    return getdoc(getattr(resource, operation.name)) or ""


@cache
def _hints(thing: Any) -> dict[str, Any]:
    return {n: _seen(hint) for n, hint in get_type_hints(thing, include_extras=True).items()}


def _seen(hint: Any) -> Any:
    """Return a type as who reads an attribute sees it: a kept text may be shown as a date-time."""
    if hasattr(hint, "__metadata__"):
        kept = [getattr(each, "extra", None) or {} for each in hint.__metadata__]
        return datetime if any("is_datetime" in each for each in kept) else _seen(hint.__origin__)
    origin, items = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return Union[tuple(map(_seen, items))]  # noqa: UP007
    if origin is None or origin is Literal or not items:
        return hint
    return origin[
        tuple([*map(_seen, each)] if isinstance(each, list) else _seen(each) for each in items)
    ]


def _hint(operation: Operation, name: str) -> Any:
    """Return the type of one argument; those of files are made for type checkers alone."""
    function = _function(operation.resource, operation.name)
    return eval(function.__annotations__[name], function.__globals__)


def _unwritable(operation: Operation) -> Iterator[str]:
    """Report what no client that was generated can do, whatever is given to it."""
    if operation.media_type not in (None, "application/json", "multipart/form-data"):
        yield f"body: the content-type {operation.media_type}"
    for key, argument in operation.arguments.items():
        schema = operation.document.resolve(argument.schema)
        if argument.location not in _PLACES:
            yield f"{key}: is neither in the path, the query or the header, nor in the body"
        if (argument.location == "form") != (schema.get("format") == "binary"):
            yield f"{key}: {schema} in a body of {operation.media_type}"
    ends = [a.node["x-window"] for a in operation.arguments.values() if "x-window" in a.node]
    if "x-window-under-days" in operation.node and sorted(ends) != ["end", "start"]:
        yield f"{', '.join(window(operation).values())}: a range with the ends {ends}"


def _arguments(operation: Operation) -> Iterator[str]:
    found = {
        name: _call_of(each.kind is not Parameter.KEYWORD_ONLY, each.default is Parameter.empty)
        for name, each in signature(
            _function(operation.resource, operation.name)
        ).parameters.items()
        if name != "progress"
    }
    wanted = {
        each.python: _call_of(each.positional, each.required)
        for each in sorted(operation.arguments.values(), key=_in_order)
    }
    keys = {each.python: each.key for each in operation.arguments.values()}
    for name in {**wanted, **found}:
        came, expected = found.get(name, "is not there"), wanted.get(name, "is not there")
        if came != expected:
            yield f"{keys.get(name, name)}: {name} {came}; in the documents it {expected}"
    if [*found] != [*wanted] and found == wanted:
        yield f"their order is {[*found]}; in the documents it is {[*wanted]}"


def _in_order(argument: Argument) -> tuple[bool, int]:
    place = _PLACES.index(argument.location) if argument.location in _PLACES else len(_PLACES)
    return not argument.positional, place


def _call_of(positional: bool, required: bool) -> str:
    way = "given by position" if positional else "given by name"
    return f"is {way} and {'required' if required else 'optional'}"


def _types(operation: Operation) -> Iterator[str]:
    for key, argument in operation.arguments.items():
        if argument.location == "form":
            yield from _file(operation, key, argument.schema)
        else:
            yield from _form(operation, key, argument.schema)
            walk, hint = _Walk(operation.document, "sent"), _hint(operation, argument.python)
            yield from walk.member(key, argument.schema, hint, not argument.required)


def _file(operation: Operation, key: str, schema: Schema) -> Iterator[str]:
    if schema.get("type") != "string":
        yield f"{key}: a file, not {schema.get('type')}"
    yield from _undocumented(operation, key, f"At most {schema['x-max-bytes']:,} bytes")
    endings = ", ".join(schema["x-file-extensions"])
    yield from _undocumented(operation, key, f"extension one of {endings}.")


def _form(operation: Operation, key: str, schema: Schema) -> Iterator[str]:
    if form := schema.get("x-datetime-format"):
        unit = "second" if "%S" in form else "minute"
        yield from _undocumented(operation, key, f"Sent to the {unit}, in {schema['x-timezone']}.")


def _undocumented(operation: Operation, key: str, words: str) -> Iterator[str]:
    """Report what the documentation of a method has to tell, for nothing else in it does."""
    text = " ".join(_text(operation).split())
    if words not in text:
        yield f"{key}: its documentation does not say {words!r}"


def _response(operation: Operation) -> Iterator[str]:
    [hint] = get_args(_hint(operation, "return"))
    if not any(status.startswith("2") for status in operation.node["responses"]):
        yield "200: no success is documented"
    for status, node in operation.node["responses"].items():
        if not status.startswith("2"):
            continue
        content = operation.document.resolve(node).get("content", {})
        if [*content] not in ([], ["application/json"]):
            yield f"{status}: the content-type {[*content]}"
        elif not content and hint not in (None, NoneType):
            yield f"{status}: {_names({hint})} for no body"
        elif content:
            walk, schema = _Walk(operation.document, "read"), content["application/json"]["schema"]
            yield from walk.member(status, schema, hint, False)


def _errors(operation: Operation) -> Iterator[str]:
    raised = _text(operation).partition("Raises:\n")[2].partition("\n\n")[0]
    found = {
        int(status[1])
        for each in re.split(r"\n(?=    \w)", raised)
        if ": While it waits:" not in each and (status := re.search(r"\((\d{3})\)", each))
    }
    wanted = {each.status for each in operation.responses.values() if each.status >= 400}
    for status in sorted(found ^ wanted):
        yield f"{status}: is {'not ' * (status in wanted)}listed"
    for status, node in operation.node["responses"].items():
        if not status.startswith(("2", "x-")):
            yield from _error(operation.document, status, operation.document.resolve(node))


def _error(document: Document, status: str, node: Schema) -> Iterator[str]:
    """Report properties of an error's body for which the exceptions have no attribute."""
    content = node.get("content", {})
    if [*content] != ["application/json"]:
        yield f"{status}: a body of {[*content] or 'no content-type'}, not of JSON"
        return
    for schema in _choices(document, content["application/json"]["schema"]):
        if "properties" not in schema:
            yield f"{status}: a body that is no object with properties"
        for name, inner in schema.get("properties", {}).items():
            attribute = inner.get("x-error-field") or snake(name)
            found = getattr(StatusError, attribute, None)
            hint = get_type_hints(found.fget)["return"] if isinstance(found, property) else None
            came = {get_origin(each) or each for each in _kinds(hint) - {NoneType}}
            wanted = {_of_error(each) for each in _choices(document, inner)} - {NoneType}
            if came != wanted:
                yield f"{status}: {name}: StatusError.{attribute} is {hint}, not {_names(wanted)}"


def _of_error(schema: Schema) -> Any:
    """Return the type of an attribute of an exception; texts stay texts."""
    if schema.get("type") == "string" and "format" not in schema:
        return str
    return {"object": Mapping, "null": NoneType}.get(str(schema.get("type")), Any)


def _headers(operation: Operation) -> Iterator[str]:
    """Report what of the header fields the client reads; it keeps the others as they came."""
    limit = operation.document.data["x-rate-limit"]
    everywhere = {limit["limit"], limit["remaining"], limit["reset"]}
    for status, node in operation.node["responses"].items():
        if status.startswith("x-"):
            continue
        headers = operation.document.resolve(node).get("headers", {})
        read = everywhere | ({"Retry-After"} if status == "429" else set())
        for name in sorted(read ^ set(headers)):
            yield f"{status}: header {name} is {'not ' * (name in read)}documented here"
        for name in sorted(read & set(headers)):
            kind = operation.document.resolve(headers[name])["schema"].get("type")
            if kind != "integer":
                yield f"{status}: header {name} is read as an integer, and is a {kind}"


class _Walk:
    """A schema and a type side by side."""

    def __init__(self, document: Document, direction: Literal["sent", "read"]) -> None:
        self._document = document
        self._direction = direction
        self._seen: set[type] = set()

    def member(self, place: str, node: Schema, hint: Any, optional: bool) -> Iterator[str]:
        """Report what is wrong with the type of an argument, a field, or a whole response."""
        kinds = _kinds(hint)
        schemas = list(_choices(self._document, node))
        null = any(each.get("type") == "null" for each in schemas)
        may = {UNSET} if optional else set()
        may |= {NoneType} if null else set()
        if self._direction == "read":
            may = {NoneType} if optional or null else set()
        if (found := kinds & {UNSET, NoneType}) != may:
            words = {UNSET: "absent", NoneType: "null"}
            yield f"{place}: may be {[words[k] for k in found]}, not {[words[k] for k in may]}"
        yield from self._value(place, node, kinds - {UNSET, NoneType})

    def _inner(self, place: str, node: Schema, hint: Any) -> Iterator[str]:
        """Report what is wrong with the type of an item."""
        kinds, null = (
            _kinds(hint),
            {"null"} <= {each.get("type") for each in _choices(self._document, node)},
        )
        if (NoneType in kinds) != null:
            yield f"{place}: is {'not ' * null}null in the type"
        yield from self._value(place, node, kinds - {NoneType})

    def _value(self, place: str, node: Schema, kinds: set[Any]) -> Iterator[str]:
        schemas = [each for each in _choices(self._document, node) if each.get("type") != "null"]
        if by := self._document.resolve(node).get("x-keyed-by"):
            # A list or a map on the wire, always items by their key in Python.
            if sorted(str(each.get("type")) for each in schemas) != ["array", "object"]:
                yield f"{place}: is no list or map"
            schemas = [each for each in schemas if each.get("type") == "object"]
            if schemas and by not in self._item(schemas[0]).get("properties", {}):
                yield f"{place}: keyed by {by}, which is no property"
            if {get_origin(each) for each in kinds} != {Keyed}:
                yield f"{place}: {_names(kinds)}, not items by {by}"
                return
            kinds = {dict[str, get_args(each)[0]] for each in kinds}
        if len(schemas) != 1 or len(kinds) > 2:
            yield f"{place}: {_names(kinds)} for {len(schemas)} schemas"
            return
        [schema] = schemas
        if self._direction == "sent" and any(hasattr(each, "__struct_fields__") for each in kinds):
            kinds = kinds - {Mapping[str, Any]}  # a mapping of JSON is taken in a model's place
        codes = [each for each in kinds if isinstance(each, type) and issubclass(each, Enum)]
        if "enum" in schema or "x-extensible-enum" in schema:
            yield from _codes(place, schema, codes, kinds)
        elif len(kinds) != 1:
            yield f"{place}: {_names(kinds)} for one schema"
        else:
            yield from self._one(place, schema, *kinds)

    def _one(self, place: str, schema: Schema, kind: Any) -> Iterator[str]:
        wanted = schema.get("type")
        if wanted == "array" and get_origin(kind) in (list, Sequence):
            yield from self._inner(f"{place}[]", schema["items"], get_args(kind)[0])
        elif wanted == "object" and "properties" in schema and hasattr(kind, "__struct_fields__"):
            yield from self._struct(schema, kind)
        elif (
            wanted == "object"
            and "properties" not in schema
            and get_origin(kind) in (dict, Mapping)
        ):
            yield from self._map(place, schema, *get_args(kind))
        elif _is_date(schema):
            if kind is not datetime:
                yield f"{place}: {kind}, not a date-time"
        elif kind is not PLAIN.get(str(wanted), Any):
            yield f"{place}: {_names({kind})}, not {wanted}"

    def _map(self, place: str, schema: Schema, key: Any, item: Any) -> Iterator[str]:
        names, others = schema.get("propertyNames"), schema.get("additionalProperties")
        yield from self._inner(f"{place} (names)", names or {"type": "string"}, key)
        yield from self._inner(f"{place}.*", others if isinstance(others, dict) else {}, item)

    def _struct(self, schema: Schema, model: Any) -> Iterator[str]:
        if model in self._seen:
            return
        self._seen.add(model)
        found = {each.encode_name: each for each in msgspec.structs.fields(model)}
        hints = _hints(model)
        for name in {**schema["properties"], **found}:
            place = f"{model.__name__}.{name}"
            if name not in found or name not in schema["properties"]:
                yield f"{place}: is in the {'model' if name in found else 'documents'} alone"
                continue
            node = schema["properties"][name]
            python = node.get("x-python-name") or snake(name) + "_" * keyword.iskeyword(name)
            if found[name].name != python:
                yield f"{place}: is {found[name].name} in Python, not {python}"
            optional = name not in schema.get("required", [])
            yield from self.member(place, node, hints[found[name].name], optional)

    def _item(self, schema: Schema) -> Schema:
        others = schema.get("additionalProperties")
        return self._document.resolve(others) if isinstance(others, dict) else {}


def _choices(document: Document, node: Schema) -> Iterator[Schema]:
    """Report the schemas of one type each that a node allows."""
    if "$ref" in node:
        # What stands beside a reference narrows it, and is no type of its own.
        node = {"$ref": node["$ref"]}
    schema = document.resolve(node)
    if "anyOf" in schema:
        for each in schema["anyOf"]:
            yield from _choices(document, each)
    elif isinstance(schema.get("type"), list):
        yield from ({**schema, "type": each} for each in schema["type"])
    else:
        yield schema


def _kinds(hint: Any) -> set[Any]:
    if get_origin(hint) in (Union, UnionType):
        return {kind for each in get_args(hint) for kind in _kinds(each)}
    return {hint}


def _names(kinds: set[Any]) -> str:
    return " | ".join(sorted(getattr(each, "__name__", str(each)) for each in kinds))


def _is_date(schema: Schema) -> bool:
    return schema.get("format") == "date-time" or "x-datetime-format" in schema


def _codes(place: str, schema: Schema, codes: list[type[Enum]], kinds: set[Any]) -> Iterator[str]:
    """Report an open set of codes also takes values that it does not know."""
    values: list[Json] = schema.get("enum", schema.get("x-extensible-enum"))
    if len(codes) != 1 or kinds - set(codes) - {PLAIN[schema["type"]]}:
        yield f"{place}: {_names(kinds)} for codes"
        return
    found = {each.value: each.name for each in codes[0]}
    names = schema.get("x-enum-varnames", [found.get(each) for each in values])
    wanted = dict(zip(values, names, strict=True))
    if found != wanted:
        yield f"{place}: {codes[0].__name__} has {found}, the documents have {wanted}"
