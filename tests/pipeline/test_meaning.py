"""What is read of a document: writings that mean the same are read alike, in any order."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from generate_support import documented, operation, operations, parsed, project, refused

from pipeline.carrying import first_reading
from pipeline.codegen.ir import Api, Codes, Model, Type
from pipeline.codegen.joining import disambiguate
from pipeline.codegen.reader import read
from pipeline.following import each_once
from pipeline.openapi.documents import Document
from pipeline.openapi.problems import Finding, Position
from pipeline.steps import generate

A = {"type": "string", "description": "A."}
B = {"type": "integer", "description": "B."}
THING = {"type": "object", "description": "A thing.", "properties": {"a": A}}
JSON = {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}


def api_of(document: dict[str, Any]) -> Api:
    return parsed(Document("sample", document, {}), "sample")[0]


def kind_of(type_: Type | None) -> Any:
    """A type in plain values: what it is, and what is in it."""
    if type_ is None:
        return None
    inner = [kind_of(each) for each in type_.items]
    return (type_.kind, *inner) if inner else type_.kind


def members(document: dict[str, Any], name: str = "Thing") -> dict[str, Any]:
    """The properties of a schema: what each is, and whether it is required."""
    model = api_of(document).models[name]
    return {each.wire: (kind_of(each.type), each.required) for each in model.fields}


@pytest.mark.parametrize("at", [0, 1, 2, 3])
@pytest.mark.parametrize("kind", [["integer", "null"], ["null", "integer"], "nullable"])
def test_the_names_of_values_stay_with_them_wherever_null_stands(at: int, kind: Any) -> None:
    values, names = [0, 1, 2], ["CALM", "LIGHT", "STORM"]
    values.insert(at, None)  # type: ignore[arg-type]
    names.insert(at, "UNKNOWN")
    force = {"enum": values, "x-enum-varnames": names, "description": "Force."}
    force |= {"type": "integer", "nullable": True} if kind == "nullable" else {"type": kind}
    for document in (
        documented(force=force),
        documented(force={"$ref": "#/components/schemas/Force"}),
    ):
        document["components"]["schemas"]["Force"] = force
        made = api_of(document)
        for codes in made.codes.values():
            assert dict(zip(codes.names, codes.values, strict=True)) == {
                "CALM": 0,
                "LIGHT": 1,
                "STORM": 2,
            }
        [field] = made.models["Thing"].fields
        assert sorted(each.kind for each in field.type.items) == ["class", "null"]


def test_a_shorter_list_of_names_is_one_without_null() -> None:
    force = {
        "type": ["integer", "null"],
        "enum": [None, 0, 1],
        "x-enum-varnames": ["CALM", "LIGHT"],
    }
    [codes] = api_of(documented(force=force | {"description": "Force."})).codes.values()
    assert (codes.names, codes.values) == (("CALM", "LIGHT"), (0, 1))


BASE = {"$ref": "#/components/schemas/Base"}
REF_B = {"$ref": "#/components/schemas/B"}
REQUIRED = {
    "beside": {"allOf": [BASE], "required": ["b"]},
    "in a part": {"allOf": [BASE, {"required": ["b"]}]},
    "in the first part": {"allOf": [{"required": ["b"]}, BASE]},
    "in a part of a part": {"allOf": [{"allOf": [{"required": ["b"]}]}, BASE]},
    "with another property": {"allOf": [BASE], "properties": {"c": A}, "required": ["b"]},
}


@pytest.mark.parametrize("where", REQUIRED)
def test_what_is_required_may_be_said_anywhere(where: str) -> None:
    base = {"type": "object", "description": "Base.", "properties": {"a": A, "b": B}}
    body = {"$ref": "#/components/schemas/Thing"}
    thing = {"description": "A thing.", **REQUIRED[where]}
    document = operations(
        {"/things": {"post": operation("addThing", body=body, answer=body)}}, Base=base, Thing=thing
    )
    found = members(document)
    assert (found.pop("a"), found.pop("b")) == (("str", False), ("int", True))
    assert found == ({"c": ("str", False)} if "properties" in thing else {})


@pytest.mark.parametrize("demanded", [True, False])
@pytest.mark.parametrize("form", ["application/json", "application/octet-stream", "text/plain"])
def test_a_body_is_required_where_the_document_says_so(demanded: bool, form: str) -> None:
    sent = operation("addThing", answer={"$ref": "#/components/schemas/Thing"})
    schema = THING if form == "application/json" else {"type": "string"}
    sent["requestBody"] = {"required": demanded, "content": {form: {"schema": schema}}}
    [read] = api_of(operations({"/things": {"post": sent}}, Thing=THING)).operations
    assert [each.required for each in read.bodies] == [demanded]


@pytest.mark.parametrize("statuses", [*permutations(["200", "201", "204"], 2)])
def test_what_has_a_body_is_returned_first(statuses: tuple[str, str]) -> None:
    """In whatever order, and with whatever status, it stands in the document."""
    empty, full = statuses
    responses = {empty: {"description": "Done."}, full: {"description": "Yes.", "content": JSON}}
    if full == "204":  # which has no body, whatever a document says
        return
    for order in (statuses, statuses[::-1]):
        made = operation("addThing")
        made["responses"] = {each: responses[each] for each in order}
        [read] = api_of(operations({"/things": {"post": made}}, Thing=THING)).operations
        assert (read.success.statuses, read.success.form) == ((full,), "json")
        assert [(each.statuses, each.form) for each in read.success.others] == [((empty,), "none")]


def test_only_what_every_success_offers_can_be_asked_for() -> None:
    for everywhere in (True, False):
        made, csv = operation(), {"text/csv": {"schema": {"type": "string"}}}
        made["responses"] = {
            "200": {"description": "All.", "content": {**JSON, **csv}},
            "203": {"description": "Some.", "content": {**JSON, **(csv if everywhere else {})}},
        }
        [read] = api_of(operations({"/things": {"get": made}}, Thing=THING)).operations
        assert read.success.statuses == ("200", "203")
        assert [each.media_type for each in read.success.alternatives] == ["text/csv"] * everywhere


def test_stamps_make_no_difference_between_components() -> None:
    """Of two documents, one of which assumes a part of a list."""

    def of(path: str, more: dict[str, Any]) -> Document:
        several = {"description": "A.", "anyOf": [{"type": "string"}, {"type": "integer", **more}]}
        thing = {"type": "object", "description": "A thing.", "properties": {"a": several}}
        called = operation(f"get{path[1:].title()}", answer={"$ref": "#/components/schemas/Thing"})
        return Document(path, operations({path: {"get": called}}, Thing=thing), {})

    for more, names in (({"x-assumed": ["gap.one"]}, {"Thing"}), ({"minimum": 3}, {"Thing2"})):
        documents = {"main": of("/things", more), "other": of("/others", {})}
        read = [parsed(each, name)[0] for name, each in documents.items()]
        made, notes = disambiguate(read, documents)
        assert [set(each.models) for each in made] == [{"Thing"}, names]
        assert len(notes) == (names != {"Thing"})


@pytest.mark.parametrize("narrow", [{"minLength": 2}, {"pattern": "^a"}, {"description": "Other."}])
def test_a_narrower_use_of_a_component_changes_no_other_use(narrow: dict[str, Any]) -> None:
    colour = {"$ref": "#/components/schemas/Colour"}
    document = documented(
        first={"allOf": [colour, narrow]}, second=colour, third={"allOf": [colour, narrow]}
    )
    document["components"]["schemas"]["Colour"] = {"type": "string", "maxLength": 9}
    assert members(document) == dict.fromkeys(["first", "second", "third"], ("str", False))


@pytest.mark.parametrize("closed", [True, False])
def test_values_that_may_become_more_are_open(closed: bool) -> None:
    """`enum` says more than `x-extensible-enum` beside it."""
    schema: dict[str, Any] = {"type": "string", "x-extensible-enum": ["new", "used", "worn"]}
    schema |= {"enum": ["new", "used"]} if closed else {}
    document = documented(state={"$ref": "#/components/schemas/State"})
    document["components"]["schemas"]["State"] = {"description": "A state.", **schema}
    [codes] = api_of(document).codes.values()
    assert codes == Codes(
        codes.name, codes.node, ("new", "used", *["worn"] * (not closed)), codes.names, not closed
    )


def test_a_name_for_another_schema_with_more_properties_is_a_class_of_its_own() -> None:
    wider = {"allOf": [{"$ref": "#/components/schemas/Base"}], "properties": {"b": B}}
    document = documented(one={"$ref": "#/components/schemas/Wider"})
    base = {"type": "object", "description": "Base.", "properties": {"a": A}}
    document["components"]["schemas"] |= {"Base": base, "Wider": {"description": "W.", **wider}}
    assert members(document, "Wider") == {"a": ("str", False), "b": ("int", False)}
    made: Model = api_of(document).models["Thing"]
    assert made.fields[0].type.node.component == "Wider"


@pytest.mark.parametrize("odd", [{"type": "object"}, {}, {"not": {"type": "string"}}])
@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_a_union_with_a_member_of_any_kind_keeps_the_others(word: str, odd: dict[str, Any]) -> None:
    """None of its members is lost in silence: it is a union of all, or any value."""
    found = members(documented(a={word: [{"type": "string"}, {"type": "integer"}, odd]}))["a"][0]
    assert found == "any" or {"str", "int"} < {*map(str, found)}


def pets(mapping: dict[str, str]) -> dict[str, Any]:
    """A union of a cat and a dog, told apart by their kind."""
    kinds = {
        name: {
            "type": "object",
            "description": "A pet.",
            "required": ["kind"],
            "properties": {"kind": {"type": "string"}, own: A},
        }
        for name, own in (("Cat", "purrs"), ("Dog", "barks"))
    }
    several = [{"$ref": f"#/components/schemas/{name}"} for name in kinds]
    places = {tag: f"#/components/schemas/{name}" for tag, name in mapping.items()}
    document = documented(
        pet={"oneOf": several, "discriminator": {"propertyName": "kind", "mapping": places}}
    )
    document["components"]["schemas"] |= kinds
    return document


def test_a_class_has_a_constant_only_where_one_tag_names_it() -> None:
    for mapping, tags in (
        ({"cat": "Cat", "dog": "Dog"}, {"Cat": "cat", "Dog": "dog"}),
        ({"cat": "Cat", "kitten": "Cat", "dog": "Dog"}, {"Cat": None, "Dog": "dog"}),
        ({"dog": "Dog", "cat": "Cat", "puppy": "Dog"}, {"Cat": "cat", "Dog": None}),
    ):
        models = api_of(pets(mapping)).models
        for name, tag in tags.items():
            kind = models[name].fields[0]
            assert (kind.wire, kind.type.kind) == ("kind", "str" if tag is None else "const")
            assert kind.type.value == tag


@pytest.mark.parametrize("kind", [{"enum": ["meow"]}, {"const": "meow"}, {"type": "string"}])
def test_a_discriminator_gives_no_value_that_its_property_cannot_have(kind: dict[str, Any]) -> None:
    """Without a mapping it would be the name of the schema, which few documents mean."""
    document = pets({})
    schemas = document["components"]["schemas"]
    schemas["Cat"]["properties"]["kind"] = kind
    schemas["Thing"]["properties"]["alone"] = {"$ref": "#/components/schemas/Cat"}
    del schemas["Thing"]["properties"]["pet"]["discriminator"]["mapping"]
    fields = {each.wire: each.type for each in api_of(document).models["Thing"].fields}
    tags = {each.node.component: each.tag for each in fields["pet"].items}
    assert tags["Cat"] == (("kind", ("Cat",)) if kind == {"type": "string"} else None)


@pytest.mark.parametrize(
    ("data", "read"),
    [
        ({"type": "string"}, None),
        ({"type": ["string", "null"]}, None),
        ({"type": "integer"}, "int"),
        ({"type": ["string", "integer"]}, ("union", "str", "int")),
        ({"type": "string", "contentMediaType": "application/json", "contentSchema": B}, "int"),
    ],
)
def test_the_data_of_an_event_is_text_unless_it_is_more(data: dict[str, Any], read: Any) -> None:
    event = {"type": "object", "properties": {"event": {"type": "string"}, "data": data}}
    made = operation()
    made["responses"]["200"]["content"] = {"text/event-stream": {"itemSchema": event}}
    document = operations({"/things": {"get": made}}) | {"openapi": "3.2.0"}
    [found] = api_of(document).operations
    assert found.success.stream and kind_of(found.success.stream.type) == read


@pytest.mark.parametrize("at_once", ["text/plain", "application/xml", "application/json"])
def test_what_can_be_had_at_once_is_waited_for(at_once: str) -> None:
    made = operation()
    stream = {"text/event-stream": {"schema": {"type": "string"}}}
    for content in (stream, {at_once: {"schema": {"type": "string"}}}):
        made["responses"]["200"].setdefault("content", {}).update(content)
    [found] = api_of(operations({"/things": {"get": made}})).operations
    assert found.success.media_type == at_once
    assert found.success.stream and not found.success.stream.is_alone


@pytest.mark.parametrize("name", ["additional_properties", "other"])
def test_a_property_may_be_called_what_others_are(tmp_path: Path, name: str) -> None:
    box = {
        "type": "object",
        "description": "A box.",
        "properties": {"extra": {"type": "integer", "x-python-name": name}},
        "additionalProperties": {"type": "string"},
    }
    assert refused(project(tmp_path, documented(box=box))) == ""
    [*fields] = api_of(documented(box=box)).models["ThingBox"].fields
    assert [each.wire for each in fields] == ["extra", *[""] * (name == "other")]


def test_whoever_holds_a_class_that_differs_has_a_name_of_its_own() -> None:
    """At every depth: else two documents would share a class whose insides differ."""

    def of(name: str, kind: str) -> Document:
        schemas = {
            holder: {"type": "object", "description": "H.", "properties": {"it": ref}}
            for holder, ref in (("A", REF_B), ("B", {"$ref": "#/components/schemas/C"}))
        }
        inner = {"type": "object", "description": "C.", "properties": {"c": {"type": kind}}}
        called = operation(f"get{name}", answer={"$ref": "#/components/schemas/A"})
        return Document(name, operations({f"/{name}": {"get": called}}, **schemas, C=inner), {})

    for kind, names in (("integer", {"A2", "B2", "C2"}), ("string", {"A", "B", "C"})):
        documents = {"one": of("one", "string"), "two": of("two", kind)}
        read = [parsed(each, name)[0] for name, each in documents.items()]
        made, _ = disambiguate(read, documents)
        assert set(made[1].models) == names


def test_both_readers_take_a_demand_for_a_class_of_its_own() -> None:
    document = documented(one={"$ref": "#/components/schemas/Strict"})
    pet = {"type": "object", "description": "P.", "properties": {"name": A}}
    strict = {
        "description": "S.",
        "allOf": [{"$ref": "#/components/schemas/Pet"}],
        "required": ["name"],
    }
    document["components"]["schemas"] |= {"Pet": pet, "Strict": strict}
    whole = Document("sample", document, {})
    agreement = read(whole, "sample", first_reading(whole)[0])[2]
    assert agreement.differences == () and agreement.silent == 0


def test_what_follows_in_several_documents_is_counted_together() -> None:
    def broken(file: str) -> Finding:
        follows = Finding(f"of {file}", Position(file, 1, 1), "schema")
        return Finding("leads nowhere", Position("common.yaml", 3, 5), "ref", follows=(follows,))

    [one] = each_once([broken("a.yaml"), broken("b.yaml")])
    assert [each.message for each in one.follows] == ["of a.yaml", "of b.yaml"]
    assert "2 errors follow from it" in str(one)


@pytest.mark.parametrize("has_null", [False, True])
def test_names_of_values_outlive_a_nullable_of_version_3_0(tmp_path: Path, has_null: bool) -> None:
    color: dict[str, Any] = {"type": "integer", "nullable": True, "enum": [1, 2]}
    color["x-enum-varnames"] = ["RED", "BLUE"]
    if has_null:
        color["enum"].append(None)
        color["x-enum-varnames"].append("NONE")
    read = operation(answer={"type": "object", "properties": {"color": color}})
    document = operations({"/a": {"get": read}}) | {"openapi": "3.0.3"}
    files, notes = generate(project(tmp_path, document))
    made = "\n".join(files.values())
    assert re.search(r"\bRED = 1\b", made) and re.search(r"\bBLUE = 2\b", made)
    assert not [each for each in notes if "varnames" in str(each)]


def test_each_fact_that_both_readers_know_is_counted_once() -> None:
    """Of a property, its type and whether it has to be there."""

    def agreed(number: int) -> int:
        fields = {f"field_{n}": {"type": "integer", "description": "F."} for n in range(number)}
        document = documented(**fields)
        whole = Document("sample", document, {})
        return read(whole, "sample", first_reading(whole)[0])[2].counts["agree"]

    counts = [agreed(number) for number in (1, 2, 5)]
    assert [each - counts[0] for each in counts] == [0, 2, 8]
