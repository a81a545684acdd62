"""Documents for other tools: nothing of ours in them, and they accept what ours accept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openapi_schema_validator import OAS30Validator, OAS31Validator
from openapi_spec_validator import OpenAPIV30SpecValidator, OpenAPIV31SpecValidator

from pipeline.openapi.plain import lowered, plain
from tests.support.openapi_linters import lint, needs_linters

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "generated/openapi"


def read(path: str) -> Any:
    return json.loads((FOLDER / path).read_text(encoding="utf-8"))


def words(value: Any) -> set[str]:
    """Every member that begins with x-, wherever it stands."""
    if isinstance(value, list):
        return {word for each in value for word in words(each)}
    if not isinstance(value, dict):
        return set()
    own = {name for name in value if name.startswith("x-")}
    return own.union(*map(words, value.values()))


@pytest.mark.parametrize("name", ["main", "media"])
def test_other_tools_find_no_word_of_ours(name: str) -> None:
    for path in (f"plain/{name}.json", f"plain/{name}-3.0.json"):
        assert words(read(path)) == {"x-codeSamples"}
    # Nor do statuses stand among words in the document itself, where many tools trip over them.
    for item in read(f"{name}.json")["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and "responses" in operation:
                assert not [each for each in operation["responses"] if each.startswith("x-")]


@pytest.mark.parametrize("name", ["main", "media"])
def test_they_are_what_they_say(name: str) -> None:
    OpenAPIV31SpecValidator(read(f"plain/{name}.json")).validate()
    OpenAPIV30SpecValidator(read(f"plain/{name}-3.0.json")).validate()


@needs_linters
def test_other_linters_find_no_error() -> None:
    assert lint(*FOLDER.rglob("*.json")) == {}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 7) | st.sampled_from(["", "a", "2", 1.5]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=6,
)
SCHEMAS: list[Any] = [
    {"type": ["string", "null"]},
    {"type": ["string", "integer"]},
    {"type": ["string", "integer", "null"]},
    {"type": "null"},
    {"type": ["null"]},
    {"const": None},
    {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    {"oneOf": [{"type": "integer", "enum": [1]}, {"type": "null"}]},
    {"minimum": 0, "anyOf": [{"type": "integer", "minimum": 2}, {"type": "null"}]},
    {"anyOf": [{"type": ["integer", "null"]}, {"type": "null"}]},
    {"anyOf": [{"$ref": "#/components/schemas/T"}, {"type": "null"}]},
    {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
    {"const": 2},
    {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 5},
    {"type": ["integer", "null"], "enum": [1, 2, None]},
    {"type": ["integer", "null"], "enum": [1, 2]},
    {"type": "array", "items": {"type": ["integer", "null"]}},
    {"type": "object", "properties": {"a": {"const": "a"}, "b": False}, "required": ["a"]},
    {"type": "object", "additionalProperties": {"type": ["boolean", "null"]}},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=json.dumps)
@given(VALUES)
@example(None)
@settings(max_examples=20)
def test_a_lowered_schema_accepts_the_same(schema: Any, value: Any) -> None:
    document = {"openapi": "3.1.0", "components": {"schemas": {"S": schema, "T": OTHER}}}
    [low, _] = lowered(document)["components"]["schemas"].values()
    expected = OAS31Validator(_inlined(schema)).is_valid(value)
    assert expected == OAS30Validator(_inlined(low)).is_valid(value), low


OTHER: Any = {"type": "integer", "enum": [1, 2]}


def _inlined(schema: Any) -> Any:
    """The same without a reference, which these validators do not follow."""
    reference = '{"$ref": "#/components/schemas/T"}'
    return json.loads(json.dumps(schema).replace(reference, json.dumps(OTHER)))


@pytest.mark.parametrize("name", ["main", "media"])
def test_null_is_said_where_it_counts(name: str) -> None:
    """In 3.0, `nullable` without a `type` beside it has no effect."""

    def silent(value: Any) -> list[Any]:
        inner = (
            value
            if isinstance(value, list)
            else [*value.values()]
            if isinstance(value, dict)
            else []
        )
        own = (
            [value]
            if isinstance(value, dict) and value.get("nullable") and "type" not in value
            else []
        )
        return own + [found for each in inner for found in silent(each)]

    assert silent(read(f"plain/{name}-3.0.json")) == []


def test_what_is_left_out_is_listed() -> None:
    schema = {"type": "object", "propertyNames": {"enum": ["a"]}, "examples": [{}, {"a": 1}]}
    made = lowered(
        {
            "openapi": "3.1.0",
            "info": {"title": "T", "version": "1", "summary": "S.", "description": "D."},
            "components": {
                "schemas": {"S": schema},
                "responses": {
                    "R": {"$ref": "#/components/responses/Q", "description": "Own."},
                    "Q": {"description": "Q.", "headers": {"H": {"schema": {"const": 1}}}},
                },
            },
        }
    )
    headers = {"H": {"schema": {"enum": [1]}}}
    assert made["components"]["responses"]["R"] == {"description": "Own.", "headers": headers}
    assert made["info"]["description"] == (
        "D.\n\nWhat OpenAPI 3.0 cannot say is left out in this document:"
        " `examples` of `#/components/schemas/S`, `propertyNames` of `#/components/schemas/S`,"
        " `summary` of `#/info`."
    )


WIDER: list[Any] = [
    {"type": "object", "propertyNames": {"enum": ["a"]}},
    {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}},
    {"type": "array", "prefixItems": [{"type": "integer"}], "items": False},
    {"if": {"type": "string"}, "then": {"minLength": 1}},
    {"type": "object", "dependentRequired": {"a": ["b"]}},
]


@given(st.sampled_from(WIDER), VALUES)
def test_a_construct_without_a_word_is_left_out(schema: Any, value: Any) -> None:
    document = {"openapi": "3.1.0", "components": {"schemas": {"S": schema}}}
    [low] = lowered(document)["components"]["schemas"].values()
    assert not OAS31Validator(schema).is_valid(value) or OAS30Validator(low).is_valid(value), low


def test_names_that_begin_like_words_stay() -> None:
    document = {
        "x-ours": 1,
        "components": {
            "schemas": {"x-s": {"properties": {"x-p": {"x-q": 1, "example": {"x-e": 1}}}}},
            "headers": {"x-rate": {"schema": {"type": "integer"}, "x-gap": "g"}},
        },
    }
    assert plain(document) == {
        "components": {
            "schemas": {"x-s": {"properties": {"x-p": {"example": {"x-e": 1}}}}},
            "headers": {"x-rate": {"schema": {"type": "integer"}}},
        },
    }
    assert "x-ours" in document
