"""Documents made so that schemathesis generates what it has no generator for.

It makes request bodies with their JSON types, but parameters as wire text, and no answers at all.
In a mirror everything is a request body: the flat form of a request, or the answer to one.
"""

from __future__ import annotations

import copy
import zlib
from collections.abc import Iterable
from typing import Any

from harness.documents import Document, Json, Operation, Response, Schema

NAME = r"^[A-Za-z0-9 _.-]{1,20}\.(%s)$"


def request_mirror(operations: Iterable[Operation]) -> Schema:
    """A document whose bodies are the flat forms of these operations' requests."""
    operations = list(operations)
    document = operations[0].document
    return _mirror(
        document,
        {each.id: request_schema(each) for each in operations},
        {"schemas": {name: _closed(each) for name, each in _schemas(document).items()}},
    )


def request_schema(operation: Operation) -> Schema:
    """The flat form of an operation's requests."""
    return {
        "type": "object",
        "properties": {
            key: file_schema(each.schema) if each.location == "form" else each.schema
            for key, each in operation.arguments.items()
        },
        "required": [key for key, each in operation.arguments.items() if each.required],
        "additionalProperties": False,
    }


def file_schema(schema: Schema) -> Schema:
    """A file: its name, and its content as text that is encoded as Latin 1."""
    endings = "|".join(schema["x-file-extensions"])
    return {
        "type": "object",
        "properties": {
            "name": {"type": "string", "pattern": NAME % endings},
            "content": {"type": "string", "pattern": "^[\\u0000-\\u00ff]*$", "maxLength": 200},
        },
        "required": ["name", "content"],
        "additionalProperties": False,
    }


def response_mirror(responses: Iterable[tuple[Operation, Response]]) -> Schema:
    """A document whose bodies are answers: `{"headers": …, "body": …}`.

    Its paths are `/<operation>/<status>`. Where the documents let a property be left out, it may be
    null as well, as the client promises; sets of values are open.
    """
    responses = list(responses)
    document = responses[0][0].document
    return _mirror(
        document,
        {f"{each.id}/{answer.status}": response_schema(each, answer) for each, answer in responses},
        {"schemas": {name: tolerant(document, node) for name, node in _schemas(document).items()}},
    )


def response_schema(operation: Operation, response: Response) -> Schema:
    """An answer with its headers; a header's value has its type, and is written as text."""
    properties: Schema = {
        "headers": {
            "type": "object",
            "properties": dict(response.headers),
            "required": sorted(response.headers),
            "additionalProperties": False,
        }
    }
    if response.schema is not None:
        properties["body"] = tolerant(operation.document, response.schema)
    return {
        "type": "object",
        "properties": properties,
        "required": sorted(properties),
        "additionalProperties": False,
    }


def tolerant(document: Document, schema: Any) -> Any:
    """The schema as a reader takes it: optional properties may be null, sets of values are open.

    Every property has an example that no other has, for schemathesis begins with examples: of two
    fields that are both "", nobody sees that one is taken for the other.
    """
    if isinstance(schema, list):
        return [tolerant(document, each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: tolerant(document, each) for name, each in schema.items()}
    required = schema.get("required", [])
    for name, inner in schema.get("properties", {}).items():
        property_ = found["properties"][name]
        if name not in required:
            property_ = nullable(property_)
        if examples := _examples(document, name, inner):
            property_ = {**property_, "examples": examples}
        found["properties"][name] = property_
    found.pop("enum", None)
    return found


def _examples(document: Document, name: str, node: Schema) -> list[Json]:
    """Values of a property that tell it from all others; none for an object."""
    schema = document.resolve(node)
    if "anyOf" in schema:
        return _examples(document, name, schema["anyOf"][0])
    number = zlib.crc32(name.encode())
    if known := schema.get("enum", schema.get("x-extensible-enum")):
        return [known[number % len(known)], *known, _unheard_of(schema, name)]
    if isinstance(schema.get("additionalProperties"), dict):
        return _map_examples(document, name, schema)
    if "pattern" in schema:
        return [str(number * 2**32 + 1)]
    if schema.get("format") == "date-time":
        day = f"2{number % 1000:03}-0{number % 9 + 1}-{number % 28 + 1:02}"
        return [f"{day}T0{number % 10}:59:5{number % 7}.{number % 1000:03}+0{number % 8 + 1}:30"]
    match schema.get("type"):
        case "string" | ["string", *_]:
            return [f"{name} ü"]
        case "integer" | ["integer", *_]:
            return [] if "maximum" in schema else [number + 2**53]
        case "number" | ["number", *_]:
            return [number + 0.5]
        case "boolean" | ["boolean", *_]:
            return [True]
        case "array" | ["array", *_] if "items" in schema:
            return [[each] for each in _examples(document, name, schema["items"])]
    return []


def _unheard_of(schema: Schema, name: str) -> Json:
    """A code that no document names."""
    return 1000 if schema.get("type") == "integer" else f"{name} of tomorrow"


def _map_examples(document: Document, name: str, schema: Schema) -> list[Json]:
    """A map with a key of each kind, its values as full as examples make them."""
    names = document.resolve(schema.get("propertyNames", {}))
    keys = [names["enum"][0], f"{name} of tomorrow"] if "enum" in names else [name]
    inner = document.resolve(schema["additionalProperties"])
    value: Json = {
        each: examples[0]
        for each, node in inner.get("properties", {}).items()
        if (examples := _examples(document, each, node))
    }
    if "properties" not in inner:
        value = next(iter(_examples(document, name, inner)), None)
    return [{each: value} for each in keys]


def strict(schema: Any) -> Any:
    """The schema of what is no drift: sets of values closed, no other fields.

    What may be null may be absent as well, and the other way round. Ranges and patterns are rules
    for what is sent.
    """
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: strict(each) for name, each in schema.items() if name not in _RULES}
    if "properties" in schema:
        required = schema.get("required", [])
        for name, each in found["properties"].items():
            found["properties"][name] = each if name in required else nullable(each)
        found["additionalProperties"] = False
        found["required"] = [n for n in required if not _may_be_null(schema["properties"][n])]
    if "$ref" in schema:
        found.pop("enum", None)  # what one set of codes names, another of the same kind knows
    if "x-extensible-enum" in schema:
        found["enum"] = schema["x-extensible-enum"]
    return found


def _may_be_null(schema: Schema) -> bool:
    return "null" in schema.get("type", ()) or {"type": "null"} in schema.get("anyOf", ())


_RULES = ("pattern", "minimum", "maximum", "minLength", "maxLength", "examples")


def nullable(schema: Schema) -> Schema:
    """The schema, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def _schemas(document: Document) -> Schema:
    return dict(document.data["components"]["schemas"])


def _closed(schema: Any) -> Any:
    """The schema without properties that it does not name: a model has no attribute for them."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _closed(each) for name, each in schema.items()}
    if "properties" in schema and "type" in schema and "additionalProperties" not in schema:
        found["additionalProperties"] = False
    return found


def _mirror(document: Document, bodies: dict[str, Schema], components: Schema) -> Schema:
    made = {
        "openapi": "3.1.0",
        "info": {"title": f"Mirror of {document.name}", "version": "1"},
        "paths": {
            f"/{path}": {
                "post": {
                    "operationId": path,
                    "requestBody": {
                        "required": True,
                        "content": {"application/json": {"schema": schema}},
                    },
                    "responses": {"200": {"description": "Any."}},
                }
            }
            for path, schema in bodies.items()
        },
        "components": components,
    }
    return copy.deepcopy(made)
