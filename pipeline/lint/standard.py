"""The standard: the schemas of OpenAPI 3.1 and 3.2, and JSON Schema 2020-12."""

from __future__ import annotations

import functools
import importlib.util
import json
from pathlib import Path
from typing import Any, Final

import jsonschema_rs

from pipeline.lint.run import Rule, Run, Severity
from pipeline.openapi.documents import Pointer
from pipeline.openapi.objects import METHODS, SHAPES, as_dict, as_list
from pipeline.openapi.validation import DIALECT, keys, problems
from pipeline.openapi.wording import (
    TYPES,
    brief,
    close,
    either,
    named_type,
    near,
    near_member,
    takes,
    typed,
    with_article,
)

_KEYWORDS: Final = frozenset(SHAPES["schema"]) | {
    "$id", "$schema", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary",
    "$comment", "type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum",
    "exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems",
    "maxContains", "minContains", "maxProperties", "minProperties", "required",
    "dependentRequired", "title", "description", "default", "deprecated", "readOnly", "writeOnly",
    "examples", "example", "format", "contentEncoding", "contentMediaType",
}  # fmt: skip

_FORMATS: Final = (
    *("date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname"),
    *("ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference", "uri-template", "uuid"),
    *("json-pointer", "relative-json-pointer", "regex", "int8", "int16", "int32", "int64", "uint8"),
    *("uint16", "uint32", "uint64", "float", "double", "decimal", "byte", "binary", "password"),
    "iana-timezone",
)


_TEXT: Final = {"type": "string"}
_FLAG: Final = {"type": "boolean"}
_OBJECTS: Final[dict[str, Any]] = {
    "discriminator": {
        "type": "object",
        "properties": {
            "propertyName": _TEXT,
            "mapping": {"type": "object", "additionalProperties": _TEXT},
        },
        "required": ["propertyName"],
    },
    "xml": {
        "type": "object",
        "properties": {
            **dict.fromkeys(("name", "namespace", "prefix", "nodeType"), _TEXT),
            **dict.fromkeys(("attribute", "wrapped"), _FLAG),
        },
    },
    "externalDocs": {
        "type": "object",
        "properties": {"url": _TEXT, "description": _TEXT},
        "required": ["url"],
    },
}


# What is spelt like one of these costs no other call, or nothing of its own.
_MINOR: Final = frozenset(METHODS) | {
    "summary", "description", "externalDocs", "deprecated", "tags", "callbacks", "operationId",
    "required", "allowEmptyValue", "example", "examples", "headers", "links",
}  # fmt: skip


def _openapi(run: Run) -> None:
    """The document is valid by the schema of its version of OpenAPI."""
    for error in _openapi_schema(_version(run))[1].iter_errors(run.data):
        place = keys(run.data, error.instance_path)
        if error.kind.name == "unevaluatedProperties":
            _unknown_members(run, place, error)
            continue
        if error.kind.name in ("not", "oneOf") and not isinstance(run.get(place), dict):
            continue  # what asks for members means nothing to what has none
        for path, problem in problems([error]):
            pointer = keys(run.data, path)
            if error.kind.name == "oneOf" and problem.startswith("matches more"):
                problem = "has both schema and content; only one is allowed"
            severity = run.house if _is_cosmetic(error) else "error"
            run.report(pointer, f"{run.title(pointer)} {problem}", "openapi", severity)


def _is_cosmetic(error: jsonschema_rs.ValidationError) -> bool:
    """Return whether nothing that a client does depends on an error."""
    if error.kind.name == "required":
        return error.kind.as_dict()["property"] in ("description", "info", "title", "version")
    return error.kind.name == "propertyNames"


def _version(run: Run) -> str:
    """Return the version by whose schema a document is judged."""
    return "v3.2" if str(as_dict(run.data).get("openapi")).startswith("3.2.") else "v3.1"


def _unknown_members(run: Run, place: Pointer, error: jsonschema_rs.ValidationError) -> None:
    """Say which members an object may not have, and which were meant."""
    kind = run.kinds.get(place, "object")
    known = _known_members(_version(run), error.schema_path)
    for name in error.kind.as_dict()["unexpected"]:
        severity = run.house
        if place[-1:] == ("responses",):
            text, severity = f"{name}: not a status; write 200, 2XX or default", "error"
        elif place == ("paths",):
            text, severity = f"{name}: a path must begin with a slash", "error"
        elif name in known:
            text = f"{name}: is not allowed on this {kind}"
        else:
            meant = close(name, known)
            # An object of components costs nothing by itself: what refers to it is looked at.
            is_minor = kind == "components" or meant in _MINOR or meant in as_dict(run.get(place))
            severity = severity if is_minor or not meant else "error"
            text = f"{name}: not a member of {with_article(kind)}{near_member(name, known)}"
        loses = kind == "path item" and not name.startswith("x-")
        run.report((*place, name), text, "openapi", severity, loses=loses)


def _known_members(version: str, path: list[Any]) -> set[str]:
    """Return the members that the part of OpenAPI's schema knows in which a validator's path is."""
    schema, _ = _openapi_schema(version)
    part = schema["$defs"][path[1]] if path[0] == "$defs" else schema["properties"]
    return _members(part) | _members(schema["$defs"]["examples"])


def _members(schema: Any) -> set[str]:
    """Return the names of all properties that a schema or one inside it names."""
    names = set()
    if isinstance(schema, dict):
        names |= set(as_dict(schema.get("properties")))
        for value in schema.values():
            names |= _members(value)
    elif isinstance(schema, list):
        for value in schema:
            names |= _members(value)
    return names


@functools.cache
def _openapi_schema(version: str) -> tuple[dict[str, Any], jsonschema_rs.Validator]:
    """Return the schema of a version of OpenAPI, and its validator."""
    spec = importlib.util.find_spec("openapi_spec_validator")
    places = (spec and spec.submodule_search_locations) or ["."]
    path = Path(next(iter(places)), "resources", "schemas", version, "schema.json")
    schema = json.loads(path.read_text(encoding="utf-8"))
    return schema, jsonschema_rs.validator_for(schema, offline=True)


@functools.cache
def _metaschema() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(
        {"$schema": DIALECT, "$ref": DIALECT}, validate_formats=True, offline=True
    )


def _schemas(run: Run) -> None:
    """Each schema is valid by JSON Schema 2020-12."""
    validator = _metaschema()
    for node in run.nodes:
        around = {run.kinds.get(node.pointer[:-1]), run.kinds.get(node.pointer[:-2])}
        if node.kind == "schema" and "schema" not in around:
            for path, problem in problems(validator.iter_errors(node.value)):
                pointer = (*node.pointer, *keys(node.value, path))
                severity: Severity = "error"
                if pointer[-1] == "pattern" and problem.startswith("must have the format regex"):
                    severity = run.house  # without the flag u it may be valid
                run.report(pointer, f"{run.title(pointer)} {problem}", "schema", severity)


def _objects_of_schemas(run: Run) -> None:
    """What OpenAPI adds to schemas is valid."""
    validator = _validator_of_objects()
    for node in run.of("schema"):
        if not node.value.keys().isdisjoint(_OBJECTS):
            for path, problem in problems(validator.iter_errors(node.value)):
                pointer = (*node.pointer, *keys(node.value, path))
                run.report(pointer, f"{run.title(pointer)} {problem}", "schema")


@functools.cache
def _validator_of_objects() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for({"$schema": DIALECT, "properties": _OBJECTS}, offline=True)


def _keywords(run: Run) -> None:
    """The keywords of schemas are known, and formats are spelt right."""
    for node in run.of("schema"):
        for key in node.value:
            if key == "nullable":
                text = "nullable: not a keyword of OpenAPI 3.1; write null into the type"
            elif key not in _KEYWORDS and not key.startswith("x-"):
                text = f"{key}: not a keyword of JSON Schema{near_member(key, _KEYWORDS)}"
            else:
                continue
            run.report((*node.pointer, key), text, "schema", run.house)
        form = node.value.get("format")
        meant = near(form, _FORMATS) if isinstance(form, str) else ""
        is_own = run.house == "error"  # of others it may be one of their own
        if isinstance(form, str) and form not in _FORMATS and (meant or is_own):
            text = f"format: {form} is not known{meant or '; a client makes nothing of it'}"
            run.report((*node.pointer, "format"), text, "schema", run.house)


def _values(run: Run) -> None:
    """The values that a schema names are of its type."""
    for node in run.of("schema"):
        word = node.value.get("type")
        kinds = word if isinstance(word, list) else [word]
        if not all(isinstance(each, str) and each in TYPES for each in kinds):
            continue  # there is none, or that is told of it
        if node.value.get("nullable") is True:
            kinds = [*kinds, "null"]
        named: list[tuple[Pointer, Any]] = []
        named += [(("const",), node.value["const"])] if "const" in node.value else []
        named += [(("enum", at), one) for at, one in enumerate(as_list(node.value.get("enum")))]
        wrong = [(place, value) for place, value in named if not takes(kinds, value)]
        wanted = either(named_type(each) for each in kinds)
        its = run.document.at((*node.pointer, "type"))
        for place, value in wrong:
            here = run.document.at((*node.pointer, *place))
            if its and here and its.file != here.file:
                text = (
                    f"type: is {wanted}, and {place[0]} has {brief(value)}, which is {typed(value)}"
                )
                run.report((*node.pointer, "type"), text, "schema", run.house)
                break  # an overlay that changes the type changes the values, too
            text = f"{place[0]}: {brief(value)} is {typed(value)}, and the type is {wanted}"
            run.report((*node.pointer, *place), text, "schema", run.house)


RULES: Final[tuple[Rule, ...]] = (_openapi, _schemas, _objects_of_schemas, _keywords, _values)
