"""Effective documents for other tools: without any word of ours, as OpenAPI 3.1 and as 3.0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.openapi.documents import copied, pointer_text, resolved
from pipeline.openapi.objects import as_dict, as_list, walk

# Of JSON Schema 2020-12, and unknown to OpenAPI 3.0: what they demand is left out.
_UNKNOWN = (
    "$comment", "$id", "$schema", "contains", "contentEncoding", "contentMediaType",
    "contentSchema", "dependentRequired", "dependentSchemas", "else", "if", "maxContains",
    "minContains", "patternProperties", "propertyNames", "then", "unevaluatedItems",
    "unevaluatedProperties",
)  # fmt: skip
_LEFT_OUT = "What OpenAPI 3.0 cannot say is left out in this document:"


def plain(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document without its `x-` words."""
    made: dict[str, Any] = copied(document)
    for node in [*walk("document", (), made)]:
        if isinstance(node.value, dict):
            for word in [name for name in node.value if name.startswith("x-")]:
                del node.value[word]
    return made


def lowered(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document of OpenAPI 3.1 as one of 3.0 that accepts the same, or more.

    What 3.0 has no word for is left out, such as rules about the names of properties; the
    description of the document lists it.
    """
    made: dict[str, Any] = copied(document)
    made["openapi"] = "3.0.3"
    info, components = as_dict(made.get("info")), as_dict(made.get("components"))
    lost: list[str] = []
    for holder, at, names in (
        (made, "#", ("webhooks", "jsonSchemaDialect", "$self")),
        (info, "#/info", ("summary",)),
        (as_dict(info.get("license")), "#/info/license", ("identifier",)),
        (components, "#/components", ("pathItems",)),
    ):
        lost += [f"`{name}` of `{at}`" for name in names if holder.pop(name, None) is not None]
    _replace_references(made)
    # The innermost first: what is around a schema looks at what has become of it.
    for node in reversed([*walk("document", (), made)]):
        if node.kind == "schema" and isinstance(node.value, dict):
            lost += [f"`{each}` of `{pointer_text(node.pointer)}`" for each in _lower(node.value)]
    if lost and info:
        texts = [info.get("description"), f"{_LEFT_OUT} {', '.join(sorted(lost))}."]
        info["description"] = "\n\n".join(text for text in texts if text)
    return made


def _replace_references(document: dict[str, Any]) -> None:
    """Put what a reference leads to in its place where it has words of its own, such as another
    description: 3.0 does not look at them.
    """
    for node in [*walk("document", (), document)]:
        if node.kind in ("schema", "path item") or not isinstance(node.value, dict):
            continue
        value: dict[str, Any] = node.value
        if len(value) > 1 and str(value.get("$ref", "")).startswith("#"):
            own = {name: each for name, each in value.items() if name != "$ref"}
            value |= {**copied(resolved(document, value)), **own}
            del value["$ref"]


def _lower(schema: dict[str, Any]) -> list[str]:
    """Make a schema of 3.1 one of 3.0, in its place, and return the words that are left out."""
    lost = [name for name in _UNKNOWN if name in schema and name not in ("$comment", "$schema")]
    for name in ("items", "not"):
        if name in schema:
            schema[name] = _schema(schema[name])
    for name in ("allOf", "anyOf", "oneOf"):
        if name in schema:
            schema[name] = [_schema(each) for each in as_list(schema[name])]
    for name, part in as_dict(schema.get("properties")).items():
        schema["properties"][name] = _schema(part)
    if "const" in schema:
        schema["enum"] = [schema.pop("const")]
    if examples := schema.pop("examples", None):
        schema.setdefault("example", as_list(examples)[0])
        lost += ["examples"] if len(examples) > 1 else []
    _lower_binary(schema)
    for limit, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if exclusive in schema:
            schema[limit] = schema[exclusive]
            schema[exclusive] = True
    if "prefixItems" in schema:
        lost.append("prefixItems")
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
    return lost


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
    if types in ("null", ["null"]) or schema.get("enum") == [None]:
        schema |= _NULL
    elif isinstance(types, list):
        others = [each for each in types if each != "null"]
        if len(others) < len(types):
            schema["nullable"] = True
        if len(others) == 1:
            schema["type"] = others[0]
        else:
            del schema["type"]
            null = {"nullable": True} if schema.pop("nullable", False) else {}
            choice = {"anyOf": [{"type": each, **null} for each in others]}
            schema["allOf"] = [*as_list(schema.get("allOf")), choice]
    if schema.get("nullable") and "enum" in schema and None not in schema["enum"]:
        del schema["nullable"]  # its values say that null is none of them


# `nullable` counts only beside a `type`: null alone is a text that is none of any value but null.
_NULL = {"type": "string", "enum": [None], "nullable": True}


def _lower_null(schema: dict[str, Any]) -> None:
    """Make of a choice between one type and null that type, which may be null."""
    for name in ("anyOf", "oneOf"):
        branches = as_list(schema.get(name))
        others = [each for each in branches if each != _NULL]
        if len(branches) != 2 or len(others) != 1 or not isinstance(others[0], dict):
            continue
        [other] = others
        if "type" in other and "enum" not in other and not schema.keys() & other.keys():
            del schema[name]
            schema |= {**other, "nullable": True}
