"""How documents are read: what every value is, and what is noted."""

from __future__ import annotations

import copy
import operator
from typing import Annotated, Any

import msgspec
import pytest
from generate_support import documented, operation, operations
from generate_support import parsed as read
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.codegen.type_writer import checks
from pipeline.openapi.documents import Document
from pipeline.openapi.problems import PipelineError


def parsed(data: dict[str, Any]) -> Any:
    return read(Document("sample", data, {}), "sample")[0]


def kinds(**schemas: object) -> list[str]:
    model = parsed(documented(**schemas)).models["Thing"]
    return [_kind(each.type) for each in model.fields]


def _kind(type_: Any) -> str:
    if type_.kind == "class":
        return str(type_.node.component)
    inner = ", ".join(map(_kind, type_.items))
    return f"{type_.kind}({inner})" if inner else str(type_.kind)


# What comes out


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "str"),
        ({"type": ["string", "null"]}, "union(str, null)"),
        ({"type": ["string", "integer"]}, "union(str, int)"),
        ({"type": "string", "nullable": True}, "union(str, null)"),
        ({"type": "string", "format": "uuid"}, "uuid"),
        ({"type": "string", "format": "email"}, "str"),
        ({"type": "string", "x-datetime-format": "%Y"}, "datetime"),
        ({"type": ["string", "null"], "enum": ["a", "b", None]}, "union(Thing_, null)"),
        ({"oneOf": [{"const": "a"}, {"const": "b", "title": "B"}]}, "Thing_"),
        ({"enum": ["a", "b"]}, "Thing_"),
        ({"enum": [None]}, "null"),
        ({"const": {}}, "any"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "union(str, null)"),
        ({"oneOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "string"}, "str"),
        ({"allOf": [{"type": "string"}]}, "str"),
        ({"allOf": [{"type": ["string", "null"]}, {"maxLength": 3}]}, "union(str, null)"),
        ({"anyOf": [{"type": ["string", "null"]}, {"type": ["null", "integer"]}]},
         "union(str, null, int)"),
        ({"anyOf": [{"items": {"type": "string"}}, {"type": "array", "items": {"type": "string"}},
                    {"type": "null"}]}, "union(list(str), null)"),
        ({"allOf": [{"$ref": "#/components/schemas/Thing"}]}, "Thing"),
        ({"allOf": [{"allOf": [{"type": "integer"}]}, {"minimum": 1}]}, "int"),
        ({"$ref": "#/components/schemas/Thing", "maxProperties": 3}, "Thing"),
        ({"type": "array"}, "list(any)"),
        ({"items": {"type": "integer"}}, "list(int)"),
        ({"type": "object"}, "map(any)"),
        ({"type": "object", "additionalProperties": False}, "map(any)"),
        ({"additionalProperties": {"type": "integer"}}, "map(int)"),
        ({"type": "object", "properties": {}}, "Thing_"),
        ({"enum": [1.5, 2.5], "type": "number"}, "union(const, const)"),
        ({"enum": ["auto", 1, 0.5, True]}, "union(const, const, const, const)"),
        ({"enum": [2**63], "type": "integer"}, "int"),
        ({"not": {"type": "string"}}, "any"),
        ({}, "any"),
        (True, "any"),
    ],
)  # fmt: skip
def test_a_schema_is_read_as_its_kind(schema: Any, kind: str) -> None:
    assert [found.replace("ThingX", "Thing_") for found in kinds(x=schema)] == [kind]


def test_a_component_that_is_only_an_alias_of_another() -> None:
    data = documented(x={"$ref": "#/components/schemas/Other"})
    data["components"]["schemas"] |= {
        "Other": {"$ref": "#/components/schemas/Real"},
        "Real": {"type": "object", "properties": {"a": {"type": "string"}}},
    }
    assert _kind(parsed(data).models["Thing"].fields[0].type) == "Real"


def test_a_schema_that_is_nothing_but_itself() -> None:
    data = documented(x={"$ref": "#/components/schemas/Loop"})
    data["components"]["schemas"]["Loop"] = {"anyOf": [
        {"type": "string"}, {"$ref": "#/components/schemas/Loop"}]}  # fmt: skip
    assert _kind(parsed(data).models["Thing"].fields[0].type) in ("union(str, any)", "any")


@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
@pytest.mark.parametrize("turned", [False, True])
def test_branches_that_become_one_have_the_limits_of_none(word: str, turned: bool) -> None:
    """What the other branch allows must not be refused."""
    branches: list[Any] = [
        {"type": "string", "maxLength": 3},
        {"type": "integer", "minimum": 1},
        {"type": "string", "pattern": "^a+$"},
        {"type": "integer", "maximum": 9},
    ]
    data = documented(x={word: branches[::-1] if turned else branches})
    found = parsed(data).models["Thing"].fields[0].type
    text = [_kind(each) for each in found.items].index("str")
    assert [each.node.schema for each in (found.items[text], found.items[1 - text])] == [
        {"type": "string"},
        {"type": "integer"},
    ]


def test_limits_of_every_branch_are_carried_or_noted() -> None:
    data = documented(
        x={"allOf": [{"type": "string"}, {"maxLength": 3}]},
        y={"allOf": [{"$ref": "#/components/schemas/Kind"}, {"maxLength": 3}]},
    )
    data["components"]["schemas"]["Kind"] = {"enum": ["a"]}
    api, found = read(Document("d", data, {}), "d")
    x, y = (each.type for each in api.models["Thing"].fields)
    assert (x.kind, x.node.schema["maxLength"]) == ("str", 3)
    assert (y.kind, y.node.component) == ("class", "Kind")
    assert ["`allOf` narrows Kind" in note.message for note in found] == [True]


def test_properties_of_parents_come_once() -> None:
    data = documented(x={"allOf": [{"$ref": "#/components/schemas/B"}], "properties": {"c": {}}})
    ref = {"$ref": "#/components/schemas/A"}
    data["components"]["schemas"] |= {
        "A": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}},
        "B": {"allOf": [ref, {"allOf": [ref, {"properties": {"b": True}}]}]},
    }
    found = parsed(data).models["ThingX"].fields
    assert [(each.wire, each.required) for each in found] == [
        ("a", True), ("b", False), ("c", False)
    ]  # fmt: skip


def test_an_object_in_two_parents_has_all_members() -> None:
    def with_page(*members: str, **more: object) -> dict[str, Any]:
        page = {"properties": {name: {"type": "integer"} for name in members}, **more}
        return {"type": "object", "properties": {"page": {"type": "object", **page}}}

    data = documented(x={"allOf": [with_page("a"), with_page("b", description="A page.")]})
    models = parsed(data).models
    (page,) = models["ThingX"].fields
    assert [each.wire for each in models[_kind(page.type)].fields] == ["a", "b"]
    assert page.node.schema["description"] == "A page."


def test_a_parent_with_the_same_property_changes_nothing() -> None:
    base, sub = ({"$ref": f"#/components/schemas/{name}"} for name in ("Base", "Sub"))
    parents = [{"properties": {"page": each}} for each in (base, sub)]
    data = documented(x={"allOf": parents})
    data["components"]["schemas"] |= {
        "Base": {"type": "object", "properties": {"a": {"type": "string"}}},
        "Sub": {"allOf": [base, {"properties": {"b": {"type": "string"}}}]},
    }
    assert [_kind(each.type) for each in parsed(data).models["ThingX"].fields] == ["Sub"]


def test_a_property_that_may_not_be_there_is_none() -> None:
    data = documented(x=False, y={"type": "string"})
    api, notes = read(Document("d", data, {}), "d")
    assert [each.wire for each in api.models["Thing"].fields] == ["y"]
    assert any("the property is left out" in note.message for note in notes)


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ({"prefixItems": [{"type": "string"}, {"type": "string"}], "items": False}, ["str"]),
        ({"prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
         ["str", "int"]),
        ({"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}, ["str", "int"]),
        ({"prefixItems": [{"type": "string"}]}, ["str", "any"]),
        ({"items": False}, ["any"]),
    ],
)  # fmt: skip
def test_the_first_items_of_an_array(words: dict[str, Any], kinds: list[str]) -> None:
    (field,) = parsed(documented(x={"type": "array", **words})).models["Thing"].fields
    (item,) = field.type.items
    assert [each.kind for each in item.items or (item,)] == kinds


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"anyOf": [{"type": "string"}, False]}, "allows no value"),
        ({"$ref": "#/components/schemas/Nothing"}, "does not lead to a schema"),
        ({"$ref": "#/paths"}, "does not lead to a schema"),
    ],
)
def test_what_cannot_be_carried_is_refused_with_its_place(schema: Any, message: str) -> None:
    with pytest.raises(PipelineError, match=message) as caught:
        parsed(documented(x=schema))
    assert "#/components/schemas/Thing/properties/x" in str(caught.value)


def test_the_success_is_the_first_documented_body() -> None:
    one = operation(answer={"type": "integer"})
    one["responses"]["2XX"] = {"description": "Else."}
    one["responses"]["204"] = {"description": "Nothing."}
    api = parsed(operations({"/a": {"get": one}, "/b": {"get": operation("noBody")}}))
    assert [each.success.type and each.success.type.kind for each in api.operations] == [
        "int",
        None,
    ]


@pytest.mark.parametrize(
    ("media_type", "kind"),
    [
        ("application/json; charset=utf-8", "list"),
        ("application/vnd.thing+json", "list"),
        ("text/json", "list"),
        ("text/plain", "str"),
        ("image/png", "file"),
    ],
)
def test_what_an_answer_of_a_media_type_is_read_as(media_type: str, kind: str) -> None:
    content = {media_type: {"schema": {"type": "array", "items": {"type": "integer"}}}}
    one = operation()
    one["responses"] = {"200": {"description": "Things.", "content": content}}
    (found,) = parsed(operations({"/a": {"get": one}})).operations
    assert (found.success.accept, found.success.type.kind) == (media_type, kind)


def test_the_original_is_left_alone() -> None:
    data = documented(x={"type": ["string", "null"], "enum": ["a", None]})
    before = copy.deepcopy(data)
    parsed(data)
    assert data == before


def test_the_media_type_that_is_best_made() -> None:
    one = operation()
    text = {"schema": {"type": "string"}}
    one["requestBody"] = {
        "content": {"multipart/form-data": text, "application/vnd.a+json; charset=utf-8": text}
    }
    (found,) = parsed(operations({"/a": {"post": one}})).operations
    assert found.body.media_type == "application/vnd.a+json; charset=utf-8"


def test_parameters_of_an_operation_replace_those_of_its_path() -> None:
    def parameter(place: str, kind: str) -> dict[str, Any]:
        return {"name": "a", "in": place, "schema": {"type": kind}}

    item = {
        "parameters": [parameter("query", "string"), parameter("header", "string")],
        "get": operation(parameters=[parameter("query", "integer")]),
    }
    (found,) = parsed(operations({"/a": item})).operations
    places = [(each.place, each.type.kind) for each in found.parameters]
    assert places == [("query", "int"), ("header", "str")]


# What is noted


def notes(data: dict[str, Any]) -> list[str]:
    return [each.message.split(": ", 1)[1] for each in read(Document("d", data, {}), "d")[1]]


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"const": [1]}, "a constant that is not a text"),
        ({"const": 1.5}, "`const` is not checked"),
        ({"type": "integer", "enum": [2**63]}, "`enum` is not checked"),
        ({"type": "integer", "maximum": 2**63}, f"`maximum: {2**63}` cannot be checked"),
        ({"type": "string", "pattern": "(?<n>a)"}, "`pattern: (?<n>a)` cannot be checked"),
        ({"anyOf": [{"required": ["a"]}]}, "`anyOf` without a type"),
        ({"oneOf": [{"type": "string"}, {"const": "b"}]}, "`oneOf` of several strings"),
        ({"$ref": "#/components/schemas/Thing", "maxProperties": 1}, "beside `$ref`"),
        ({"allOf": [{"type": "string", "maxLength": 3}, {"maxLength": 4, "type": "string"}]},
         "`allOf` has `maxLength` twice"),
        ({"properties": {"a": {}}, "oneOf": [{"required": ["a"]}]}, "beside properties"),
        ({"allOf": [{"properties": {"a": {"type": "string"}}}],
          "properties": {"a": {"type": "integer"}}}, "this definition is used"),
    ],
)  # fmt: skip
def test_what_is_not_carried_is_noted(schema: dict[str, Any], said: str) -> None:
    found = notes(documented(x=schema))
    assert any(said in note for note in found), found


def test_what_is_required_but_no_property_is_kept_if_it_comes() -> None:
    thing = {"properties": {"a": {"type": "string"}}, "required": ["a", "b"]}
    fields = parsed(documented(x=thing)).models["ThingX"].fields
    assert [(each.wire, each.required) for each in fields] == [("a", True), ("b", False)]
    more = {**thing, "additionalProperties": {"type": "integer"}}
    assert [each.wire for each in parsed(documented(x=more)).models["ThingX"].fields] == ["a", ""]


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


HOLDS = {
    "minimum": operator.ge,
    "exclusiveMinimum": operator.gt,
    "maximum": operator.le,
    "exclusiveMaximum": operator.lt,
}


def takes(kind: type, limits: dict[str, Any], value: int) -> bool:
    """Whether msgspec takes a value within limits; also whether it takes the limits themselves."""
    decoder = msgspec.json.Decoder(Annotated[kind, msgspec.Meta(**limits)])
    try:
        decoder.decode(str(value))
    except msgspec.ValidationError:
        return False
    return True


@given(
    st.dictionaries(st.sampled_from([*HOLDS]), st.integers(-2, 2)),
    st.sampled_from([int, float]),
    st.integers(-4, 4),
)
@example({"minimum": 0, "exclusiveMinimum": 0}, int, 0)
@example({"maximum": 0, "exclusiveMaximum": 0}, float, 0)
def test_of_several_limits_each_is_kept(words: dict[str, int], kind: type, value: int) -> None:
    limits, unchecked = checks(kind.__name__, words)
    assert unchecked == []
    wanted = all(HOLDS[word](value, limit) for word, limit in words.items())
    assert takes(kind, limits, value) is wanted


@pytest.mark.parametrize("word", HOLDS)
@pytest.mark.parametrize("limit", [end + by for end in (-(2**63), 2**63) for by in (-2, -1, 0, 1)])
def test_a_limit_that_no_check_can_hold_is_said_to_be_unchecked(word: str, limit: int) -> None:
    """It is kept to the last number that 64 bits hold; a module with another could not be read."""
    limits, unchecked = checks("int", {word: limit})
    assert bool(limits) is not bool(unchecked)
    for value in (limit - 1, limit, limit + 1):
        if -(2**63) <= value < 2**63:
            assert takes(int, limits, value) is (bool(unchecked) or HOLDS[word](value, limit))
    assert bool(unchecked) is not (-(2**63) + ("ex" in word) <= limit < 2**63 - ("ex" in word))
