"""Documents for other tools: nothing of ours in them, and they accept what ours accept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openapi_schema_validator import OAS30Validator, OAS31Validator
from openapi_spec_validator import OpenAPIV30SpecValidator, OpenAPIV31SpecValidator

from pipeline.openapi.plain import lowered, plain

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
    {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
    {"const": 2},
    {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 5},
    {"type": ["integer", "null"], "enum": [1, 2, None]},
    {"type": ["integer", "null"], "enum": [1, 2]},
    {"type": "array", "items": {"type": ["integer", "null"]}},
    {"type": "object", "properties": {"a": {"const": "a"}, "b": False}, "required": ["a"]},
    {"type": "object", "additionalProperties": {"type": ["boolean", "null"]}},
]


@given(st.sampled_from(SCHEMAS), VALUES)
def test_a_lowered_schema_accepts_the_same(schema: Any, value: Any) -> None:
    document = {"openapi": "3.1.0", "components": {"schemas": {"S": schema}}}
    [low] = lowered(document)["components"]["schemas"].values()
    assert OAS31Validator(schema).is_valid(value) == OAS30Validator(low).is_valid(value), low


WIDER: list[Any] = [
    {"type": "object", "propertyNames": {"enum": ["a"]}},
    {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}},
    {"type": "array", "prefixItems": [{"type": "integer"}], "items": False},
    {"if": {"type": "string"}, "then": {"minLength": 1}},
    {"type": "object", "dependentRequired": {"a": ["b"]}},
]


@given(st.sampled_from(WIDER), VALUES)
def test_what_has_no_word_is_left_out_and_nothing_is_refused_for_it(
    schema: Any, value: Any
) -> None:
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
