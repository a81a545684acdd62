"""Documented responses, made of the schemas of the effective documents alone."""

from __future__ import annotations

import re
from zlib import crc32

from tests.support.documents import Document, Json, Operation, Schema
from tests.support.server import Response


def success(operation: Operation) -> Response:
    """Return the documented success of an operation, with an example as its body."""
    document, found = operation.document, operation.success
    headers = {name: str(example(document, schema)) for name, schema in found.headers.items()}
    body = None if found.schema is None else example(document, found.schema)
    return Response(found.status, body, headers=headers)


def example(
    document: Document, schema: Schema, place: str = "$", above: tuple[str, ...] = ()
) -> Json:
    """Return a value that fits the schema, always the same one for the same place.

    Identifiers have 20 digits and pass 2^63; what may be null is null in every second place or so.
    """
    if reference := schema.get("$ref"):
        if reference in above:
            return {}
        return example(document, document.resolve(schema), place, (*above, reference))
    name, number = place.rpartition(".")[2], crc32(place.encode())
    if "examples" in schema:
        return schema["examples"][0]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return example(document, schema["anyOf"][0], place, above)
    kinds = schema.get("type", "object")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if "null" in kinds and number % 2:
        return None
    match kinds[0]:
        case "object":
            inner = schema.get("additionalProperties")
            if isinstance(inner, dict):
                keys = document.resolve(schema.get("propertyNames", {}))
                key = keys.get("enum", [str(10**19 + number)])[0]
                return {key: example(document, inner, f"{place}.{key}", above)}
            return {
                key: example(document, value, f"{place}.{key}", above)
                for key, value in schema.get("properties", {}).items()
            }
        case "array":
            looped = schema["items"].get("$ref") in above
            return [] if looped else [example(document, schema["items"], place, above)]
        case "boolean":
            return number % 3 > 0
        case "integer":
            return max(schema.get("minimum", 0), number % (schema.get("maximum", 999) + 1))
        case "number":
            return number % 1000 / 8
    if schema.get("format") == "date-time":
        return f"2026-12-{number % 28 + 1:02}T09:00:00Z"
    if schema.get("format") == "iana-timezone" or name == "timezone":
        return "Europe/Berlin"
    if "pattern" in schema or re.search(r"(^|_)ids?$|Ids$", name):
        return str(10**19 + number)
    if re.search(r"url|link|avatar|thumbnail|preview", name):
        return f"https://files.invalid/{name}/{number % 1000}"
    return f"{name} {number % 1000}"
