"""Effective documents for other tools: without any word of ours, as OpenAPI 3.1 and as 3.0."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pipeline.openapi.objects import as_dict, as_list, walk

__all__ = ["lowered", "plain"]

# Of JSON Schema 2020-12, and unknown to OpenAPI 3.0: what they demand is left out.
_UNKNOWN = (
    "$comment", "$id", "$schema", "contains", "contentEncoding", "contentMediaType",
    "contentSchema", "dependentRequired", "dependentSchemas", "else", "if", "maxContains",
    "minContains", "patternProperties", "propertyNames", "then", "unevaluatedItems",
    "unevaluatedProperties",
)  # fmt: skip


def plain(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document without its `x-` words."""
    made = _copied(document)
    for node in [*walk("document", (), made)]:
        if isinstance(node.value, dict):
            for word in [name for name in node.value if name.startswith("x-")]:
                del node.value[word]
    return made


def lowered(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document of OpenAPI 3.1 as one of 3.0 that accepts the same, or more.

    What 3.0 has no word for is left out: rules about the names of properties, for example.
    """
    made = _copied(document)
    made["openapi"] = "3.0.3"
    for member in ("webhooks", "jsonSchemaDialect", "$self"):
        made.pop(member, None)
    as_dict(made.get("info")).pop("summary", None)
    as_dict(as_dict(made.get("info")).get("license")).pop("identifier", None)
    as_dict(made.get("components")).pop("pathItems", None)
    # The innermost first: what is around a schema looks at what has become of it.
    for node in reversed([*walk("document", (), made)]):
        if node.kind == "schema" and isinstance(node.value, dict):
            _lower(node.value)
        elif node.kind != "path item" and isinstance(node.value, dict) and "$ref" in node.value:
            for name in [name for name in node.value if name != "$ref"]:
                del node.value[name]
    return made


def _copied(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a document, which is JSON; this is the quickest way."""
    made: dict[str, Any] = json.loads(json.dumps(document))
    return made


def _lower(schema: dict[str, Any]) -> None:
    """Make a schema of 3.1 one of 3.0, in its place."""
    for name in ("items", "not", "additionalProperties"):
        if isinstance(schema.get(name), bool) and name != "additionalProperties":
            schema[name] = {} if schema[name] else {"not": {}}
    for name in ("allOf", "anyOf", "oneOf"):
        if name in schema:
            schema[name] = [_schema(each) for each in as_list(schema[name])]
    for name, each in as_dict(schema.get("properties")).items():
        schema["properties"][name] = _schema(each)
    if "const" in schema:
        schema["enum"] = [schema.pop("const")]
    if examples := schema.pop("examples", None):
        schema.setdefault("example", as_list(examples)[0])
    _lower_binary(schema)
    for limit, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if exclusive in schema:
            schema[limit] = schema[exclusive]
            schema[exclusive] = True
    if "prefixItems" in schema:
        items = [_schema(each) for each in as_list(schema.pop("prefixItems"))]
        rest = schema.get("items")
        schema["items"] = {"anyOf": [*items, *([rest] if rest not in (None, {"not": {}}) else [])]}
    for name in _UNKNOWN:
        schema.pop(name, None)
    _lower_types(schema)
    _lower_null(schema)
    if schema.get("type") == "array":
        schema.setdefault("items", {})
    if "$ref" in schema and len(schema) > 1:
        schema["allOf"] = [{"$ref": schema.pop("$ref")}, *as_list(schema.get("allOf"))]


def _schema(value: Any) -> Any:
    if value is True:
        return {}
    return {"not": {}} if value is False else value


def _lower_binary(schema: dict[str, Any]) -> None:
    if schema.get("contentEncoding") == "base64":
        schema["format"] = "byte"
    elif "contentMediaType" in schema and schema.get("type", "string") == "string":
        schema |= {"type": "string", "format": "binary"}


def _lower_types(schema: dict[str, Any]) -> None:
    types = schema.get("type")
    if isinstance(types, list):
        others = [each for each in types if each != "null"]
        if len(others) < len(types):
            schema["nullable"] = True
        if len(others) == 1:
            schema["type"] = others[0]
        else:
            del schema["type"]
            null = {"nullable": True} if schema.pop("nullable", False) else {}
            choice = {"anyOf": [{"type": each, **null} for each in others]}
            schema["allOf"] = [*as_list(schema.get("allOf")), *([choice] if others else [])]
    elif types == "null":
        del schema["type"]
        schema |= {"enum": [None], "nullable": True}
    if schema.get("nullable") and "enum" in schema and None not in schema["enum"]:
        del schema["nullable"]  # its values say that null is none of them


_NULLABLE = {"nullable": True}
_NULL = {"enum": [None], **_NULLABLE}


def _lower_null(schema: dict[str, Any]) -> None:
    """Say of a choice that has null that it may be null."""
    for name in ("anyOf", "oneOf"):
        branches = as_list(schema.get(name))
        others = [each for each in branches if each != _NULL]
        if len(others) == len(branches) or not all(isinstance(each, dict) for each in others):
            continue
        del schema[name]
        schema["nullable"] = True
        if len(others) == 1 and "$ref" not in others[0] and not schema.keys() & others[0].keys():
            schema |= others[0]
        elif len(others) == 1:
            schema["allOf"] = [*as_list(schema.get("allOf")), *others]
        else:
            schema[name] = [{**each, **_NULLABLE} if "type" in each else each for each in others]
