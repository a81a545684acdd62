"""The document that the parser is given, and the notes about what it cannot carry."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from generate_support import documented, operation, operations

from pipeline.codegen.normalize import normalize
from pipeline.openapi.documents import Document


def notes(data: dict[str, Any]) -> list[str]:
    return [note.message.split(": ", 1)[1] for note in normalize(Document("d", data, {})).notes]


def test_the_original_is_left_alone() -> None:
    data = documented(x={"type": ["string", "null"], "enum": ["a", None]})
    before = copy.deepcopy(data)
    normalize(Document("d", data, {}))
    assert data == before


def test_names_and_texts_of_the_document_do_not_reach_the_parser() -> None:
    data = documented(**{"évil name": {"type": "string", "description": "evil"}})
    text = str(normalize(Document("d", data, {})).document)
    assert "vil" not in text and "things" not in text


def test_one_token_for_a_name() -> None:
    data = documented(a={"type": "object", "properties": {"a": {"type": "string"}}})
    found = normalize(Document("d", data, {}))
    assert sorted(found.wires.values()) == ["a"]
    assert set(found.classes) == {"Model0", "Model1"}


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"not": {"type": "string"}}, "`not` is not carried"),
        ({"type": "array", "prefixItems": [{}]}, "`prefixItems` is not carried"),
        ({"const": [1]}, "a constant that is no text"),
        ({"const": 1.5}, "`const` is not checked"),
        ({"type": "integer", "enum": [2**63]}, "`enum` is not checked"),
        ({"type": "integer", "maximum": 2**63}, f"`maximum: {2**63}` cannot be checked"),
        ({"type": "string", "pattern": "(?<n>a)"}, "`pattern: (?<n>a)` cannot be checked"),
        ({"anyOf": [{"required": ["a"]}]}, "`anyOf` of bare constraints"),
        ({"oneOf": [{"type": "array"}, {"items": {"type": "null"}}]}, "`oneOf` of several arrays"),
        ({"oneOf": [{"const": "a"}, {"const": "b"}]}, "`oneOf` of several strings"),
        ({"$ref": "#/components/schemas/Thing", "maxProperties": 1}, "beside `$ref`"),
        ({"allOf": [{"type": "string", "maxLength": 3}, {"maxLength": 4, "type": "string"}]},
         "`allOf` says `maxLength` twice"),
        ({"properties": {"a": {}}, "oneOf": [{"required": ["a"]}]}, "beside properties"),
        ({"properties": {"a": {}}, "required": ["b"]}, "`b` is required, but no property"),
        ({"properties": {"a": {}}, "additionalProperties": {"type": "string"}}, "are not kept"),
        ({"allOf": [{"properties": {"a": {"type": "string"}}}],
          "properties": {"a": {"type": "integer"}}}, "this one counts"),
    ],
)  # fmt: skip
def test_what_is_not_carried_is_noted(schema: dict[str, Any], said: str) -> None:
    found = notes(documented(x=schema))
    assert any(said in note for note in found), found


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^a$", "maxLength": 3},
        {"type": "integer", "minimum": 0.5},
        {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
        {"anyOf": [{"type": "array", "items": {}}, {"type": "object"}]},
        {"properties": {"a": {}}, "additionalProperties": True},
    ],
)
def test_what_is_carried_is_not_noted(schema: dict[str, Any]) -> None:
    assert notes(documented(x=schema)) == []


def test_the_media_type_that_is_best_made() -> None:
    one = operation()
    text = {"schema": {"type": "string"}}
    one["requestBody"] = {
        "content": {"multipart/form-data": text, "application/vnd.a+json; charset=utf-8": text}
    }
    found = normalize(Document("d", operations({"/a": {"post": one}}), {}))
    assert [body[1] for body in found.bodies.values()] == ["application/vnd.a+json; charset=utf-8"]


def test_parameters_of_an_operation_replace_those_of_its_path() -> None:
    def parameter(place: str, kind: str) -> dict[str, Any]:
        return {"name": "a", "in": place, "schema": {"type": kind}}

    item = {
        "parameters": [parameter("query", "string"), parameter("header", "string")],
        "get": operation(parameters=[parameter("query", "integer")]),
    }
    found = normalize(Document("d", operations({"/a": item}), {}))
    (parameters,) = found.parameters.values()
    assert [(raw["in"], raw["schema"]["type"]) for _, raw in parameters] == [
        ("query", "integer"),
        ("header", "string"),
    ]
