"""An OpenAPI document as it was published: operations, and schemas for either direction.

`Side` has the schemas as JSON Schema 2020-12: words of OpenAPI 3.0 are translated, and properties
that the other direction alone has (`readOnly`, `writeOnly`) are gone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urljoin, urlsplit

import jsonschema_rs
from schemathesis.core.deserialization import deserialize_yaml

Json = Any
Pointer = tuple[str | int, ...]
Direction = Literal["request", "response"]

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_ADDRESS = "urn:document"
_OTHERS: Mapping[Direction, str] = {"request": "readOnly", "response": "writeOnly"}
# Header parameters that OpenAPI leaves to other words of it.
_NOT_PARAMETERS = ("accept", "content-type", "authorization")


def bare(media_type: str) -> str:
    """Return a media type without its parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


def is_json(media_type: str) -> bool:
    """Return whether a body of a media type is JSON."""
    name = bare(media_type)
    return name == "application/json" or name.endswith(("+json", "/json"))


@dataclass(frozen=True)
class Parameter:
    """A parameter, with the rules by which it is written.

    Attributes:
        schema: where its schema stands; None where it has none.
        as_json: whether it is written as JSON (`content`).
        reserved: whether reserved characters, and what is escaped already, stay as they are.
    """

    name: str
    place: str
    required: bool
    style: str
    explode: bool
    schema: Pointer | None
    as_json: bool = False
    reserved: bool = False

    @property
    def key(self) -> str:
        return f"{self.place}.{self.name}"


@dataclass(frozen=True)
class Content:
    """A body of one media type."""

    media_type: str
    pointer: Pointer
    node: Mapping[str, Json] = field(repr=False)

    @property
    def schema(self) -> Pointer | None:
        return (*self.pointer, "schema") if "schema" in self.node else None


@dataclass(frozen=True)
class Operation:
    """One operation.

    Attributes:
        addresses: the servers that it may be sent to; empty where the document names none.
        security: the sets of schemes, one of which is needed; None where nothing is said.
        responses: the bodies of each documented status; a status without a body has none.
    """

    method: str
    path: str
    id: str
    parameters: tuple[Parameter, ...]
    body: tuple[Content, ...]
    body_required: bool
    responses: Mapping[str, tuple[Content, ...]]
    security: tuple[frozenset[str], ...] | None
    addresses: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def successes(self) -> list[str]:
        """The statuses of success; `default` where nothing else says what success is."""
        found = [each for each in self.responses if each[:1] == "2"]
        others = [each for each in self.responses if each[:1] == "3"]
        return found or ([] if others else [each for each in self.responses if each == "default"])


class Described:
    """A document.

    Attributes:
        data: what it says, as it was published.
        operations: its operations, in its order.
    """

    def __init__(self, data: Json) -> None:
        self.data = data
        self.operations = tuple(self._operations())

    @classmethod
    def of_file(cls, path: Path) -> Described:
        """Read a file of JSON or YAML (1.2)."""
        text = path.read_text(encoding="utf-8")
        return cls(json.loads(text) if path.suffix == ".json" else deserialize_yaml(text))

    @cached_property
    def request(self) -> Side:
        return Side(self.data, "request")

    @cached_property
    def response(self) -> Side:
        return Side(self.data, "response")

    def at(self, pointer: Pointer) -> Json:
        """Return what stands at a pointer."""
        return _at(self.data, pointer)

    def follow(self, pointer: Pointer, node: Json) -> tuple[Pointer, Json]:
        """Return a node, or what it refers to, with its place."""
        return follow(self.data, pointer, node)

    @property
    def schemes(self) -> dict[str, dict[str, Json]]:
        """The security schemes by their names."""
        found = self.data.get("components", {}).get("securitySchemes", {})
        return {name: self.follow((), node)[1] for name, node in found.items()}

    def _operations(self) -> Iterator[Operation]:
        for path, given in self.data.get("paths", {}).items():
            if path.startswith("x-"):
                continue
            place, item = self.follow(("paths", path), given)
            for method in METHODS:
                if isinstance(item.get(method), dict):
                    yield self._operation((*place, method), path, item, method)

    def _operation(
        self, place: Pointer, path: str, item: Mapping[str, Json], method: str
    ) -> Operation:
        node = item[method]
        found: dict[str, Parameter] = {}
        for at, parameters in (
            ((*place[:-1], "parameters"), item.get("parameters", [])),
            ((*place, "parameters"), node.get("parameters", [])),
        ):
            for index, given in enumerate(parameters):
                parameter = self._parameter(*self.follow((*at, index), given))
                if parameter is not None:
                    found[parameter.key] = parameter
        for name in re.findall(r"\{([^{}]+)\}", path):
            found.setdefault(f"path.{name}", Parameter(name, "path", True, "simple", False, None))
        body = self.follow((*place, "requestBody"), node.get("requestBody"))
        responses = {}
        for status, given in node.get("responses", {}).items():
            if not str(status).startswith("x-"):
                responses[str(status)] = self._contents(
                    *self.follow((*place, "responses", status), given)
                )
        security = node.get("security", self.data.get("security"))
        return Operation(
            method=method.upper(),
            path=path,
            id=str(node.get("operationId", "")),
            parameters=tuple(found.values()),
            body=self._contents(*body),
            body_required=bool((body[1] or {}).get("required")),
            responses=responses,
            security=None
            if security is None
            else tuple(frozenset(each) for each in security) or (frozenset(),),
            addresses=self._addresses(
                node.get("servers") or item.get("servers") or self.data.get("servers") or []
            ),
        )

    def _parameter(self, pointer: Pointer, node: Mapping[str, Json]) -> Parameter | None:
        name, place = node["name"], node["in"]
        if place == "header" and name.lower() in _NOT_PARAMETERS:
            return None
        style = node.get("style", "form" if place in ("query", "cookie") else "simple")
        schema: Pointer | None = (*pointer, "schema") if "schema" in node else None
        for media_type in node.get("content", {}):
            schema = (*pointer, "content", media_type, "schema")
        return Parameter(
            name=name,
            place=place,
            required=place == "path" or bool(node.get("required")),
            style=style,
            explode=bool(node.get("explode", style in ("form", "deepObject"))),
            schema=schema,
            as_json=any(map(is_json, node.get("content", {}))),
            reserved=bool(node.get("allowReserved")),
        )

    def _contents(self, pointer: Pointer, node: Json) -> tuple[Content, ...]:
        content = (node or {}).get("content", {})
        return tuple(
            Content(name, (*pointer, "content", name), media or {})
            for name, media in content.items()
        )

    def _addresses(self, servers: list[Json]) -> tuple[str, ...]:
        base = ""
        found = []
        general = self.data.get("servers", [])[:1]
        shared = general[0].get("variables", {}) if general else {}
        for index, server in enumerate([*general, *servers]):
            url = server.get("url", "")
            for name, variable in {**shared, **server.get("variables", {})}.items():
                url = url.replace(f"{{{name}}}", str(variable.get("default", "")))
            url = urljoin(base, url)
            base = base or url
            if index or len(servers) == 0:
                found.append(url.rstrip("/"))
        return tuple(each for each in found if urlsplit(each).hostname)


class Side:
    """The schemas of a document as one direction has them."""

    def __init__(self, data: Json, direction: Direction) -> None:
        self.data = _translated(data, data, _OTHERS[direction], str(data.get("openapi"))[:3])
        self._registry = jsonschema_rs.Registry([(_ADDRESS, self.data)])
        self._validators: dict[Pointer, jsonschema_rs.Validator] = {}

    def at(self, pointer: Pointer) -> Json:
        """Return what stands at a pointer."""
        return _at(self.data, pointer)

    def problems(self, pointer: Pointer, value: Json) -> list[str]:
        """Return why a value does not fit the schema at a pointer."""
        if pointer not in self._validators:
            steps = "/".join(
                str(step).replace("~", "~0").replace("/", "~1").replace("%", "%25")
                for step in pointer
            )
            steps = re.sub(r"[^!$&-;=@-Z_a-z~%]", lambda c: _percent(c[0]), steps)
            self._validators[pointer] = jsonschema_rs.Draft202012Validator(
                {"$ref": f"{_ADDRESS}#/{steps}"}, registry=self._registry, validate_formats=True
            )
        errors = self._validators[pointer].iter_errors(value)
        return [f"{'.'.join(map(str, each.instance_path))}: {each.message}" for each in errors]


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())


def pointer_of(reference: str) -> Pointer:
    """Return the pointer of a reference inside the document."""
    if not reference.startswith("#"):
        raise LookupError(f"{reference}: references to other files are not read here")
    from urllib.parse import unquote

    steps = unquote(reference).removeprefix("#").removeprefix("/").split("/")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in steps if step)


def follow(data: Json, pointer: Pointer, node: Json) -> tuple[Pointer, Json]:
    """Return a node of a document, or what it refers to, with its place."""
    while isinstance(node, dict) and isinstance(node.get("$ref"), str):
        pointer = pointer_of(node["$ref"])
        node = _at(data, pointer)
    return pointer, node


def _at(data: Json, pointer: Pointer) -> Json:
    for step in pointer:
        data = data[int(step) if isinstance(data, list) else step]
    return data


def _translated(node: Json, root: Json, other: str, version: str) -> Json:
    """Return a document with words of OpenAPI 3.0 in those of JSON Schema 2020-12."""
    if isinstance(node, list):
        return [_translated(each, root, other, version) for each in node]
    if not isinstance(node, dict):
        return node
    if version == "3.0" and isinstance(node.get("$ref"), str):
        node = {name: node[name] for name in node if name in ("$ref", "nullable")}
    made = {name: _translated(each, root, other, version) for name, each in node.items()}
    for bound, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if made.get(bound) is True and limit in made:
            made[bound] = made.pop(limit)
        elif isinstance(made.get(bound), bool):
            del made[bound]
    if isinstance(made.get("required"), bool):
        del made["required"]  # of an earlier JSON Schema; what holds the property says it
    if isinstance(made.get("properties"), dict) and "allOf" not in made["properties"]:
        hidden = {
            name for name in made["properties"] if _has(node["properties"][name], root, other)
        }
        made["properties"] = {n: each for n, each in made["properties"].items() if n not in hidden}
        if isinstance(made.get("required"), list):
            made["required"] = [name for name in made["required"] if name not in hidden]
    return _nullable(made) if made.pop("nullable", None) is True else made


def _has(schema: Json, root: Json, word: str, depth: int = 0) -> bool:
    """Return whether a property belongs to one direction alone."""
    if not isinstance(schema, dict) or depth > 9:
        return False
    if schema.get(word) is True:
        return True
    parts = [part for part in schema.get("allOf", []) if isinstance(part, dict)]
    if isinstance(schema.get("$ref"), str):
        parts.append(_at(root, pointer_of(schema["$ref"])))
    return any(_has(part, root, word, depth + 1) for part in parts)


def _nullable(schema: dict[str, Json]) -> dict[str, Json]:
    """Return a schema that allows null as well."""
    if isinstance(schema.get("enum"), list) and None not in schema["enum"]:
        schema = {**schema, "enum": [*schema["enum"], None]}
    if isinstance(schema.get("type"), str):
        return {**schema, "type": [schema["type"], "null"]}
    if set(schema) & {"$ref", "allOf", "anyOf", "oneOf"}:
        return {"anyOf": [schema, {"type": "null"}]}
    return schema
