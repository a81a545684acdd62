"""Read OpenAPI 3.0 as 3.1: what says the same in other words there."""

from __future__ import annotations

import re
from typing import Any

from pipeline.openapi.documents import Pointer, copied
from pipeline.openapi.objects import as_list
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.openapi.wording import brief
from pipeline.preparing.revision import Revision

_ANNOTATIONS = {
    "title", "description", "default", "example", "deprecated", "readOnly", "writeOnly",
    "externalDocs", "xml", "discriminator",
}  # fmt: skip
_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def lift(revision: Revision) -> None:
    """Make OpenAPI 3.1 of 3.0; read words of 3.0 in later ones as they are meant.

    Raises:
        PipelineError: it is no OpenAPI document, or one of another version.
    """
    version = _version(revision)
    for node in revision.run.of("media type"):
        target = revision.run.follow(node.pointer, node.value)[1]
        if "$ref" in node.value and isinstance(target, dict) and "$ref" not in target:
            del node.value["$ref"]  # of 3.2, to one that several bodies share
            node.value.update(copied(target))
            revision.changed()
    if not revision.document.is_native:
        for node in revision.run.of("schema"):
            _schema(revision, node.pointer, node.value, noted=version != "0")
    if version == "0":
        revision.changed()
        revision.data["openapi"] = "3.1.0"
    elif not re.fullmatch(r"3\.[12]\.\d+(-.+)?", str(revision.data["openapi"])):
        revision.note(("openapi",), f"openapi: read as 3.{version}.0", "openapi")
        revision.data["openapi"] = f"3.{version}.0"


def _version(revision: Revision) -> str:
    """Return the minor version."""
    data = revision.data if isinstance(revision.data, dict) else {}
    match = re.fullmatch(r"3\.([012])(\..*)?", str(data.get("openapi")))
    if match:
        return match[1]
    if "swagger" in data:
        text = (
            f"this is Swagger {data['swagger']}, not OpenAPI 3: convert it first, for example by"
            " `npx swagger2openapi FILE -o openapi.yaml`, then use the result"
        )
    elif "openapi" in data:
        text = f"openapi: must be 3.0, 3.1 or 3.2, is {brief(data['openapi'])}"
    else:
        text = "not an OpenAPI document: `openapi: 3.1.0` is missing"
    place = ("openapi",) if "openapi" in data else ("swagger",)
    raise PipelineError(Finding(text, revision.document.at(place), "openapi"))


def _schema(revision: Revision, pointer: Pointer, schema: dict[str, Any], *, noted: bool) -> None:
    """Put words of 3.0 into those of 3.1; `noted` in a document that should not have them."""
    kinds = schema.get("type", "")
    if kinds is None or None in as_list(kinds):
        revision.note((*pointer, "type"), "type: null without quotes; read as 'null'", "schema")
        named = ["null" if each is None else each for each in as_list(kinds)]
        schema["type"] = named or "null"
    if "$ref" in schema and not noted:
        for key in [key for key in schema if key not in {"$ref", "nullable", *_ANNOTATIONS}]:
            if not key.startswith("x-"):
                revision.note((*pointer, key), f"{key}: ignored beside $ref, as in 3.0", "openapi")
                del schema[key]
    old_words = [word for word in (*_BOUNDS, "nullable") if isinstance(schema.get(word), bool)]
    for word in old_words:
        if noted:
            text = f"{word}: a word of OpenAPI 3.0; read as it is meant there"
            revision.note((*pointer, word), text, "schema")
        meant = schema.pop(word)
        if meant and word == "nullable":
            _nullable(schema)
        elif meant and _BOUNDS[word] in schema:
            schema[word] = schema.pop(_BOUNDS[word])


def _nullable(schema: dict[str, Any]) -> None:
    """Let a schema allow null."""
    values = schema.get("enum")
    if isinstance(values, list) and None not in values:
        values.append(None)
        names = schema.get("x-enum-varnames")
        if isinstance(names, list) and len(names) == len(values) - 1:
            names.append("NULL")
    if isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]
        return
    constraints = {
        key: schema[key] for key in schema if key not in _ANNOTATIONS and not key.startswith("x-")
    }
    only = next(iter(constraints), "")
    if only in ("anyOf", "oneOf") and len(constraints) == 1:
        schema[only] = [*as_list(schema[only]), {"type": "null"}]
    elif constraints and only != "enum":
        for key in constraints:
            del schema[key]
        schema["anyOf"] = [constraints, {"type": "null"}]
