"""What the effective documents say of each operation.

Nothing here looks at the client: names in Python are made of the documents and their `x-` words.
"""

from __future__ import annotations

import json
import re
import zoneinfo
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs

from pipeline.openapi.references import resolved

Json = Any
Schema = dict[str, Any]
Values = dict[str, Json]
"""A request in flat form: `path.post`, `query.ids`, `body.name`, `form.file`; absent is no key."""

FOLDER = Path(__file__).parents[2] / "generated" / "openapi"
NAMES = ("main", "media")
SAID = ("type", "format", "x-datetime-format", "x-timezone", "maxLength", "maxItems", "minimum")
METHODS = ("get", "put", "post", "patch", "delete")


def snake(name: str) -> str:
    """Return the usual name in Python of a name on the wire: `selected_ids` for `selectedIds`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|\W+", "_", name).lower()


@dataclass(frozen=True)
class Argument:
    """One value that an operation takes.

    Attributes:
        key: its name in the flat form of a request.
        name: its name on the wire.
        location: `path`, `query`, `header`, `body` (a property of a JSON body) or `form`.
        python: the name of the client's argument.
        explode: whether each item of a list is a parameter of its own.
        node: what stands in the document, with its `x-` words.
        positional: whether the client takes it by position: what is in the path, and else the one
            that has to be given.
    """

    key: str
    name: str
    location: str
    python: str
    schema: Schema
    required: bool
    explode: bool
    node: Schema
    positional: bool = False


@dataclass(frozen=True)
class Response:
    """One documented response; without a schema it has no body."""

    status: int
    schema: Schema | None
    headers: Mapping[str, Schema]
    place: str


@dataclass(frozen=True)
class Operation:
    """One operation of a document; `resource` and `name` lead to the method of the client."""

    document: Document = field(repr=False, compare=False)
    id: str
    method: str
    path: str
    node: Schema = field(repr=False, compare=False)

    @property
    def place(self) -> str:
        """Where it stands, for people."""
        return (
            f"generated/openapi/{self.document.name}.json: paths.{self.path}.{self.method.lower()}"
        )

    def place_of(self, key: str) -> str:
        """Return where one of its arguments stands and what is said there, for people."""
        argument = self.arguments[key]
        schema = self.document.resolve(argument.schema)
        words = {name: schema[name] for name in SAID if name in schema}
        said = f"\n  {argument.node.get('description', '')} {json.dumps(words) if words else ''}"
        return self._place_of(argument) + said.rstrip()

    def _place_of(self, argument: Argument) -> str:
        if argument.location in ("path", "query", "header"):
            return f"{self.place}.parameters, {argument.name}"
        content = self.document.resolve(self.node["requestBody"])["content"]
        component = self.document.named(content[self.media_type]["schema"])
        file = self.place.partition(":")[0]
        return f"{file}: components.schemas.{component}.properties.{argument.name}"

    @property
    def resource(self) -> str:
        return str(self.node.get("x-python-resource") or snake(self.node["tags"][0]))

    @property
    def name(self) -> str:
        return str(self.node.get("x-python-name") or snake(self.id))

    @cached_property
    def changes(self) -> list[str]:
        """The keys of its arguments of which an update needs at least one."""
        keys = [key for key, each in self.arguments.items() if each.location == "body"]
        return keys if "x-refuse-empty" in self.node else []

    @cached_property
    def media_type(self) -> str | None:
        """The media type of its body; None where it has none."""
        return next(iter(self.node.get("requestBody", {}).get("content", {})), None)

    @cached_property
    def arguments(self) -> dict[str, Argument]:
        """What it takes, by key, in the order of the document."""
        found = list(self._arguments())
        needed = [each for each in found if each.required and each.location != "path"]
        return {
            each.key: replace(
                each, positional=each.location == "path" or (len(needed) == 1 and each in needed)
            )
            for each in found
        }

    def _arguments(self) -> Iterator[Argument]:
        for node in map(self.document.resolve, self.node.get("parameters", [])):
            name, location = node["name"], node["in"]
            yield Argument(
                f"{location}.{name}",
                name,
                location,
                node.get("x-python-name") or snake(name),
                node["schema"],
                bool(node.get("required")),
                bool(node.get("explode", node.get("style", "form") == "form")),
                node,
            )
        if self.media_type is None:
            return
        location = "body" if self.media_type == "application/json" else "form"
        body = self.document.resolve(self.node["requestBody"])["content"][self.media_type]["schema"]
        body = self.document.resolve(body)
        for name, schema in body["properties"].items():
            yield Argument(
                f"{location}.{name}",
                name,
                location,
                schema.get("x-python-name") or snake(name),
                schema,
                name in body.get("required", []),
                True,
                schema,
            )

    @cached_property
    def responses(self) -> dict[str, Response]:
        """Its documented responses with a status of their own, by status."""
        return {
            status: self._response(status, int(status))
            for status in self.node["responses"]
            if status.isdigit()
        }

    def response(self, status: int) -> Response | None:
        """Return what documents a status: a response of its own, of its range, or `default`."""
        for key in (str(status), f"{status // 100}XX", "default"):
            if key in self.node["responses"]:
                return self._response(key, status)
        return None

    @cached_property
    def success(self) -> Response:
        """Its first response with success; of `2XX`, it is 200, or 204 where it has no body."""
        if own := [each for each in self.responses.values() if each.status < 300]:
            return min(own, key=lambda each: each.status)
        ranged = self._response("2XX", 200)
        return ranged if ranged.schema else replace(ranged, status=204)

    def refused_as(self, usual: int) -> set[int]:
        """Return what may stand for the usual status of an error: others, where it has not that."""
        errors = {each.status for each in self.responses.values() if each.status >= 400}
        return {usual} if usual in errors else errors - {401, 429} or {usual}

    def _response(self, key: str, status: int) -> Response:
        node = self.document.resolve(self.node["responses"].get(key, {}))
        content = node.get("content", {}).get("application/json")
        headers = {
            name: self.document.resolve(header)["schema"]
            for name, header in node.get("headers", {}).items()
        }
        place = f"{self.place}.responses.{key}"
        return Response(status, content and content["schema"], headers, place)

    def __str__(self) -> str:
        return f"{self.id} ({self.method} {self.path})"


class Document:
    """One effective document."""

    def __init__(self, name: str, data: Schema) -> None:
        self.name = name
        self.data = data
        self.base = urlsplit(data["servers"][0]["url"].replace("{", "").replace("}", "")).path
        self.operations = {
            node["operationId"]: Operation(self, node["operationId"], method.upper(), path, node)
            for path, item in data["paths"].items()
            for method, node in item.items()
            if method in METHODS
        }
        self._validators: dict[str, jsonschema_rs.Validator] = {}

    def resolve(self, node: Schema) -> Schema:
        """Return the node, or what it refers to; siblings of the reference win."""
        return resolved(self.data, node) if "$ref" in node else node

    def named(self, node: Schema) -> str | None:
        """Return the name of the component that a node refers to."""
        return str(node["$ref"].rpartition("/")[2]) if "$ref" in node else None

    def problems(self, schema: Schema, value: Json, place: str = "") -> list[str]:
        """Why a value does not fit a schema, one text each, led by the place in the value."""
        errors = self._validator(schema).iter_errors(value)
        return [f"{'.'.join([place, *map(str, e.instance_path)])}: {e.message}" for e in errors]

    def fits(self, schema: Schema, value: Json) -> bool:
        return bool(self._validator(schema).is_valid(value))

    def _validator(self, schema: Schema) -> jsonschema_rs.Validator:
        text = json.dumps(schema)
        if text not in self._validators:
            root = {**schema, "components": self.data["components"]}
            self._validators[text] = jsonschema_rs.Draft202012Validator(
                root,
                validate_formats=True,
                formats={"uint64": _is_uint64, "iana-timezone": _is_zone},
            )
        return self._validators[text]


def _is_uint64(text: str) -> bool:
    return text.isdecimal() and int(text) < 2**64


def _is_zone(text: str) -> bool:
    return text in _zones()


@lru_cache(maxsize=1)
def _zones() -> set[str]:
    return zoneinfo.available_timezones()


def documents(changed: Mapping[str, Schema] | None = None) -> dict[str, Document]:
    """Return the documents by name, some of them with other contents than their files have."""
    return {
        **_documents(),
        **{name: Document(name, data) for name, data in (changed or {}).items()},
    }


@lru_cache(maxsize=1)
def _documents() -> dict[str, Document]:
    return {
        name: Document(name, json.loads((FOLDER / f"{name}.json").read_bytes())) for name in NAMES
    }


def operations(changed: Mapping[str, Schema] | None = None) -> dict[str, Operation]:
    """Return all operations by their identifiers."""
    found: dict[str, Operation] = {}
    for document in documents(changed).values():
        found |= document.operations
    return found


def sent_as(operation: str, argument: str) -> str:
    """Return what an argument of the client is called on the wire; it may be assumed, or known."""
    arguments = operations()[operation].arguments.values()
    return next(each.name for each in arguments if each.python == argument)


def limit_of(operation: str, argument: str, word: str = "maxLength") -> int:
    """Return a limit of an argument of the client; the service may document another one."""
    found = operations()[operation]
    (schema,) = (each.schema for each in found.arguments.values() if each.python == argument)
    return int(found.document.resolve(schema)[word])
