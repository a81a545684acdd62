"""Projects of any size: a document, overlays, a register of gaps, all grown by resources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

Data = dict[str, Any]

OPERATIONS: Final = 5  # of one resource
_CONFIGURATION: Final = """\
[tool.pipeline]
gaps = "spec/gaps.yaml"
output = "generated"

[tool.pipeline.documents.main]
path = "spec/main.yaml"
overlays = ["overlays/main", "overlays/client.yaml"]

[tool.pipeline.client]
distribution = "growing"
package = "growing"
class_name = "Growing"
version = "1.0.0"
title = "Growing Service"
summary = "A service of many operations."
license = "MIT"
environment = "GROWING"
"""
# Properties of models: each shape in turn.
_SHAPES: Final[tuple[Data, ...]] = (
    {"type": "string"},
    {"type": "integer", "minimum": 0, "maximum": 1000},
    {"type": ["number", "null"]},
    {"type": "boolean", "default": False},
    {"type": "string", "format": "date"},
    {"type": "array", "items": {"type": "string"}},
    {"type": "object", "additionalProperties": {"type": "integer"}},
)


def write_project(folder: Path, operations: int) -> Path:
    """Write a project with so many operations, five a resource, and return its configuration.

    A resource has a model of 9 to 18 properties with references to others, a kind as an
    enumeration, bodies to create and to change it, a page of it, actions in the overlays and two
    gaps; all of this grows in step. One action more goes to every operation. Every 25 operations
    have a tag of their own.
    """
    count = operations // OPERATIONS
    document: Data = {
        "openapi": "3.1.0",
        "x-gap": "limit",
        "info": {"title": "Growing Service", "version": "1"},
        "servers": [{"url": "https://growing.example/api"}],
        "security": [{"Bearer": []}],
        "tags": [{"name": f"area {number}"} for number in range((count + 4) // 5)],
        "paths": {},
        "components": {
            "schemas": {"Problem": _object({"title": {"type": "string"}})},
            "responses": {"Problem": _response("Problem")},
            "securitySchemes": {"Bearer": {"type": "http", "scheme": "bearer"}},
        },
    }
    assumed = [
        _assumed("$.paths.*.*.responses", "limit", {"429": _reference("Problem", "responses")})
    ]
    named, gaps = [], [_gap("limit")]
    for number in range(count):
        name, path = f"Thing{number}", f"/thing{number}s"
        document["components"]["schemas"] |= _schemas(number, count)
        document["paths"] |= _paths(name, path, f"area {number // 5}")
        place, parameter = f"$.paths['{path}']", "get.parameters[?@.name == 'ids'].schema"
        created = f"$.components.schemas.{name}.properties.createdAt"
        assumed.append(_assumed(created, f"{name}.createdAt", {"type": ["null"]}))
        assumed.append(_assumed(f"{place}.{parameter}", f"{name}.ids", {"maxItems": 50}))
        for target, update in (
            (f"{place}.get", {"x-python-name": f"find_thing{number}s"}),
            (f"{place}.post", {"x-python-name": f"make_thing{number}"}),
            (f"$.components.schemas.{name}Change", {"x-python-name": f"Changed{name}"}),
        ):
            named.append({"target": target, "update": update})
        gaps += [_gap(f"{name}.createdAt"), _gap(f"{name}.ids")]
    files = {
        "spec/main.yaml": document,
        "spec/gaps.yaml": {"gaps": gaps},
        "overlays/main/assumed.yaml": _overlay(assumed),
        "overlays/client.yaml": _overlay(named),
    }
    for path, data in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(data, indent=1), encoding="utf-8")
    configuration = folder / "pyproject.toml"
    configuration.write_text(_CONFIGURATION, encoding="utf-8")
    return configuration


def _schemas(number: int, count: int) -> Data:
    name, kind = f"Thing{number}", _reference(f"Thing{number}Kind")
    others = [f"Thing{(number + step) % count}" for step in (1, 2)]
    sent = {f"field{step}": _SHAPES[step % 7] for step in range(5 + number * 7 % 10)}
    read = {
        "id": {"type": "string", "examples": [str(number)]},
        "kind": kind,
        "createdAt": {"type": ["string"], "format": "date-time", "x-gap": f"{name}.createdAt"},
        "other": _reference(others[0]),
        "others": {"type": "array", "items": _reference(others[1])},
        **sent,
    }
    page = {"items": {"type": "array", "items": _reference(name)}, "next": _SHAPES[0]}
    return {
        name: _object(read, "id", "kind"),
        f"{name}Kind": {"type": "string", "enum": [f"basic-{number}", f"large-{number}"]},
        f"{name}Creation": _object({"kind": kind, **sent}, "kind"),
        f"{name}Change": _object(dict(list(sent.items())[: len(sent) // 2 + 1])),
        f"{name}Page": _object(page, "items"),
    }


def _paths(name: str, path: str, tag: str) -> Data:
    def operation(verb: str, response: str = "", body: str = "", *parameters: Data) -> Data:
        made: Data = {"operationId": f"{verb}{name}", "tags": [tag], "summary": f"{verb} {name}."}
        if parameters:
            made["parameters"] = list(parameters)
        if body:
            made["requestBody"] = {"required": True, "content": _content(body)}
        done = {"200": _response(response)} if response else {"204": {"description": "Done."}}
        return {**made, "responses": {**done, "4XX": _reference("Problem", "responses")}}

    def query(parameter: str, schema: Data) -> Data:
        return {"name": parameter, "in": "query", "schema": schema}

    id_ = {"name": "thingId", "in": "path", "required": True, "schema": {"type": "string"}}
    queries = [
        query("search", {"type": "string", "maxLength": 100}),
        query("limit", {"type": "integer", "minimum": 1, "maximum": 100}),
        query("kind", _reference(f"{name}Kind")),
        query("ids", {"type": "array", "items": {"type": "string"}, "x-gap": f"{name}.ids"}),
    ]
    return {
        path: {
            "get": operation("list", f"{name}Page", "", *queries),
            "post": operation("create", name, f"{name}Creation"),
        },
        f"{path}/{{thingId}}": {
            "get": operation("get", name, "", id_),
            "patch": operation("update", name, f"{name}Change", id_),
            "delete": operation("delete", "", "", id_),
        },
    }


def _reference(name: str, kind: str = "schemas") -> Data:
    return {"$ref": f"#/components/{kind}/{name}"}


def _content(schema: str) -> Data:
    return {"application/json": {"schema": _reference(schema)}}


def _response(schema: str) -> Data:
    return {"description": "A response.", "content": _content(schema)}


def _object(properties: Data, *required: str) -> Data:
    made: Data = {"type": "object", "properties": properties}
    return {**made, "required": list(required)} if required else made


def _assumed(target: str, gap: str, update: Data) -> Data:
    because = {"gap": gap, "basis": "convention", "because": "It is usual."}
    return {"target": target, "update": update, "x-assumption": because}


def _gap(id_: str) -> Data:
    return {"id": id_, "section": "1", "missing": f"What is true of {id_}.", "decision": "overlay"}


def _overlay(actions: list[Data]) -> Data:
    info = {"title": "Overlay", "version": "1"}
    return {"overlay": "1.1.0", "info": info, "actions": actions}
