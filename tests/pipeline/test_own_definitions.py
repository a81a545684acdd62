"""Definitions that stand where OpenAPI knows none: what refers to them has them, and no other."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from generate_support import operation, operations, project
from test_degrading import client_of

from pipeline.steps import generate

JSON = "application/json"
PET = {"$ref": "#/definitions/Pet"}
OK = {"description": "Ok.", "content": {JSON: {"schema": PET}}}
GET = {"operationId": "readA", "tags": ["things"], "responses": {"200": OK}}
FILES: dict[str, dict[str, Any]] = {
    "path item": {"get": GET},
    "operation": GET,
    "responses": {"200": OK},
    "response": OK,
    "media type": {"schema": PET},
    "schema": {"allOf": [PET]},
    "main": {},
}
NEXT: dict[str, dict[str, Any]] = {
    "itself": {"Pet": {"properties": {"n": {"type": "integer"}, "next": PET}}},
    "one another": {
        "Pet": {"properties": {"n": {"type": "integer"}, "next": {"$ref": "#/definitions/Other"}}},
        "Other": {"properties": {"n": {"type": "integer"}, "next": PET}},
    },
    "a file": {"Pet": {"properties": {"n": {"type": "integer"}, "next": {"$ref": "user.json"}}}},
    "by way of files": {"Pet": {"$ref": "pet.json"}},
    "a file and back": {"Pet": {"properties": {"n": {"type": "integer"},
                                               "next": {"$ref": "back.json"}}}},
}  # fmt: skip


def document_of(kind: str, reference: str) -> dict[str, Any]:
    """A document of which an object of this kind is in another file."""
    told = {"$ref": reference}
    media = told if kind == "media type" else {"schema": told}
    answer = told if kind == "response" else {"description": "Ok.", "content": {JSON: media}}
    responses = told if kind == "responses" else {"200": answer}
    get = told if kind == "operation" else {**GET, "responses": responses}
    item = told if kind == "path item" else {"get": get}
    document = operations({"/a": item})
    if kind == "main":
        document["paths"] = {"/a": {"get": GET}}
    return document


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("way", NEXT)
def test_definitions_may_lead_to_themselves(tmp_path: Path, kind: str, way: str) -> None:
    own = {**FILES[kind], "definitions": NEXT[way]}
    document = document_of(kind, "own.json")
    if kind == "main":
        document |= own
    holder = "document.yaml" if kind == "main" else "own.json"
    n = {"type": "integer"}
    files = {
        "own": own,
        "user": {"properties": {"n": n, "next": {"$ref": "user.json"}}},
        "pet": {"properties": {"n": n, "next": {"$ref": "user.json"}}},
        "back": {"properties": {"n": n, "next": {"$ref": f"{holder}#/definitions/Pet"}}},
    }
    for name, data in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(data))
    answer = httpx2.Response(200, json={"n": 1, "next": {"n": 2, "next": {"n": 3}}})
    with client_of(tmp_path, document, answer) as (client, _, notes):
        read = client.things.read_a()
        assert (read.n, read.next.n, read.next.next.n) == (1, 2, 3)
        assert type(read.next.next).__module__.startswith("degraded.models")
        assert "leads" not in notes and "definitions: not a" in notes


@pytest.mark.parametrize("kind", ["path item", "main"])
def test_what_leads_nowhere_in_definitions_that_nobody_needs_has_a_note(
    tmp_path: Path, kind: str
) -> None:
    """And many that lead to one another by their files take no time."""
    many = {f"D{at}": {"$ref": f"defs.json#/D{at}"} for at in range(30)}
    each = {"properties": {name: {"$ref": f"defs.json#/{name}"} for name in many}}
    odd = {"Lost": {"$ref": "gone.json"}, "Inner": {"properties": {"a": {"$ref": "#/nowhere"}}}}
    own = {**FILES[kind], "definitions": {**NEXT["itself"], **many, **odd}}
    document = document_of(kind, "own.json") | (own if kind == "main" else {})
    (tmp_path / "own.json").write_text(json.dumps(own))
    (tmp_path / "defs.json").write_text(json.dumps(dict.fromkeys(many, each)))
    answer = httpx2.Response(200, json={"n": 1})
    with client_of(tmp_path, document, answer) as (client, _, notes):
        assert client.things.read_a().n == 1
        assert "`$ref: gone.json` cannot be followed" in notes
        assert "`$ref: #/nowhere` leads to nothing" in notes


@pytest.mark.parametrize("place", ["definitions", "x-schemas", "schemas"])
def test_a_union_of_definitions_is_told_apart_by_their_mapping(tmp_path: Path, place: str) -> None:
    """A reference leads to any place of a document (RFC 6901), also from a mapping."""
    parts = {
        name: {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}}
        for name in ("Cat", "Dog")
    }
    mapping = {name[0].lower(): f"#/{place}/{name}" for name in parts}
    either = {
        "oneOf": [{"$ref": each} for each in mapping.values()],
        "discriminator": {"propertyName": "kind", "mapping": mapping},
    }
    document = operations({"/a": {"get": operation("readA", answer=either)}}) | {place: parts}
    answers = [httpx2.Response(200, json={"kind": kind}) for kind in "cd"]
    with client_of(tmp_path, document, answers) as (client, _, _):
        assert [type(client.things.read_a()).__name__ for _ in answers] == ["Cat", "Dog"]


@pytest.mark.parametrize("place", ["#/info", "#/components/securitySchemes/k", "#/servers/0",
                                   "#/components/examples/E/value"])  # fmt: skip
def test_what_is_something_else_is_no_schema(tmp_path: Path, place: str) -> None:
    document = operations({
        "/a": {"get": operation("readA", answer={"$ref": place})},
        "/b": {"get": operation("readB")},
    })  # fmt: skip
    document["components"] |= {
        "securitySchemes": {"k": {"type": "http", "scheme": "basic"}},
        "examples": {"E": {"value": {"type": "string"}}},
    }
    notes = generate(replace(project(tmp_path, document), on_uncarried="skip"))[1]
    (left,) = [each.message for each in notes if each.severity == "left out"]
    assert left.startswith("GET /a: $ref") and "not to a schema" in left
