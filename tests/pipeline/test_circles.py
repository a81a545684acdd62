"""Schemas whose alternatives extend them: each of these is a class, and reading them ends."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from generate_support import call, on_path, operation, operations, parsed, project, write_package

from pipeline.lint import lint
from pipeline.openapi.documents import Document
from pipeline.steps import generate

S = {"type": "string"}
Schemas = dict[str, Any]


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def has(*names: str) -> dict[str, Any]:
    """An object that demands some texts."""
    return {"type": "object", "required": [*names], "properties": dict.fromkeys(names, S)}


def two(word: str) -> Schemas:
    return {"A": {word: [ref("B"), ref("C")]}, "B": {"allOf": [ref("A"), has("b")]}, "C": has("c")}


def with_a_base(word: str) -> Schemas:
    """What all alternatives extend has members of its own."""
    extended = {name.upper(): {"allOf": [ref("A"), has(name)]} for name in "bc"}
    return {"A": has("a") | {word: [ref("B"), ref("C")]}} | extended


def with_tags(word: str) -> Schemas:
    schemas = with_a_base(word)
    mapping = {name: f"#/components/schemas/{name.upper()}" for name in "bc"}
    schemas["A"]["discriminator"] = {"propertyName": "kind", "mapping": mapping}
    return schemas


def inside(word: str) -> Schemas:
    """Alternatives that stand inside what they extend."""
    return {"A": has("a") | {word: [{"allOf": [ref("A"), has(name)]} for name in "bc"]}}


def beside(word: str) -> Schemas:
    """Alternatives that extend by words beside the reference."""
    return {"A": {word: [ref("B"), ref("C")]}, "B": ref("A") | has("b"), "C": has("c")}


def three(word: str) -> Schemas:
    """A circle of three, in which two have alternatives."""
    return {
        "A": {word: [ref("B"), ref("C")]},
        "B": {"allOf": [ref("D"), has("b")]},
        "D": {"anyOf": [ref("A"), has("d")]},
        "C": has("c"),
    }


_ALL = [two, with_a_base, with_tags, inside, beside, three]


@pytest.mark.parametrize("word", ["oneOf", "anyOf"])
@pytest.mark.parametrize("made", _ALL)
def test_each_alternative_is_a_class(tmp_path: Path, made: Any, word: str) -> None:
    more = {"a": "1"} if made in (with_a_base, with_tags, inside) else {}
    tags = [{"kind": "b"}, {"kind": "c"}] if made is with_tags else [{}, {}]
    answer = {"type": "array", "items": ref("A")}
    document = operations({"/a": {"get": operation("readAll", answer=answer)}}, **made(word))
    files, notes = generate(project(tmp_path, document))
    said = [each for each in notes if "lead back here" in each.message]
    assert said
    assert all(each.position and each.position.line for each in said)
    assert not [each for each in notes if "any value" in each.message]
    write_package(files, tmp_path)
    values = [{"b": "1"} | more | tags[0], {"c": "2"} | more | tags[1]]
    with on_path(tmp_path, "sample"):
        package = import_module("sample")
        result, _ = call(package, json.dumps(values), "read_all")
        assert [each.to_dict() for each in result] == values
        assert len({type(each) for each in result}) == 2


def test_what_extends_such_a_schema_is_any_of_its_alternatives(tmp_path: Path) -> None:
    schemas = with_a_base("oneOf") | {"E": {"allOf": [ref("A"), has("e")]}}
    document = operations({"/a": {"get": operation("readAll", answer=ref("E"))}}, **schemas)
    files, _ = generate(project(tmp_path, document))
    module = files["client/src/sample/models/things.py"]
    made = {part.split("(")[0]: part for part in module.split("\nclass ")[1:]}
    assert made.keys() == {"EB", "EC"}
    for name, part in made.items():
        for field in ("a", "e", name[1].lower()):
            assert f"    {field}: str = MISSING\n" in part


@pytest.mark.parametrize("made", _ALL)
def test_a_document_that_is_never_mended_is_read_too(made: Any) -> None:
    data = operations({"/a": {"get": operation("readA", answer=ref("A"))}}, **made("oneOf"))
    document = Document("a.yaml", data, {})
    assert [each for each in lint(document) if "lead back here" in each.message]
    api, _ = parsed(document, "sample")
    (read,) = api.operations
    assert read.success.type is not None
    assert {each.kind for each in read.success.type.items} == {"class"}


def test_alternatives_of_one_another_have_no_end(tmp_path: Path) -> None:
    """What extends names that stand for nothing but each other is any value."""
    schemas = {
        "A": {"oneOf": [ref("B"), has("c")]},
        "B": {"oneOf": [ref("A"), has("d")]},
        "E": {"allOf": [ref("A"), has("e")]},
    }
    document = operations({"/a": {"get": operation("readA", answer=ref("E"))}}, **schemas)
    _, notes = generate(project(tmp_path, document))
    assert [each for each in notes if "E: the object is one of more than 500" in each.message]


def alternatives(levels: int) -> Schemas:
    """Objects of which each extends one of two others, or adds nothing: twice as many each time."""
    made = {"A0": has("x")}
    for level in range(1, levels + 1):
        inner = [has(f"{side}{level}") for side in "lr"]
        made[f"A{level}"] = {"allOf": [ref(f"A{level - 1}")], "oneOf": inner}
    return made


@pytest.mark.parametrize(("levels", "classes"), [(8, 256), (9, 0)])
def test_cases_are_counted(tmp_path: Path, levels: int, classes: int) -> None:
    read = operation("readA", answer=ref(f"A{levels}"))
    document = operations({"/a": {"get": read}}, **alternatives(levels))
    files, notes = generate(project(tmp_path, document))
    said = [each for each in notes if "one of more than 500 cases" in each.message]
    assert len(said) == (0 if classes else 1)
    made = files["client/src/sample/models/things.py"] if classes else ""
    assert made.count("    x: str = MISSING\n") == classes


@pytest.mark.parametrize("name", [None, 5, [], ["kind"], {}])
def test_a_discriminator_that_names_no_property_is_left_out(tmp_path: Path, name: Any) -> None:
    schemas = with_tags("oneOf")
    schemas["A"]["discriminator"]["propertyName"] = name
    document = operations({"/a": {"get": operation("readA", answer=ref("A"))}}, **schemas)
    files, notes = generate(project(tmp_path, document))
    (said,) = [each for each in notes if "propertyName" in each.message]
    assert "propertyName must be a text" in said.message
    assert said.position and said.position.line
    module = files["client/src/sample/models/things.py"]
    assert "\nclass B(" in module and "\nclass C(" in module


NULL = {"type": "null"}


@pytest.mark.parametrize(
    ("version", "node"),
    [
        ("3.0.3", has("a") | {"nullable": True}),
        ("3.1.0", has("a") | {"type": ["object", "null"]}),
        ("3.1.0", {"anyOf": [has("a"), NULL]}),
        ("3.1.0", {"oneOf": [NULL, {"allOf": [has("a"), {"type": "object"}]}]}),
    ],
)
def test_what_may_be_null_and_holds_itself_is_a_class(
    tmp_path: Path, version: str, node: dict[str, Any]
) -> None:
    """Also by way of another one, in lists and in maps."""
    node = json.loads(json.dumps(node))
    (inner,) = [
        part
        for part in (node, *node.get("anyOf", ()), *node.get("oneOf", ()))
        for part in (part, *part.get("allOf", ()))
        if "properties" in part
    ]
    inner["properties"] |= {
        "next": ref("Node"),
        "kids": {"type": "array", "items": ref("Node")},
        "named": {"type": "object", "additionalProperties": ref("Node")},
        "other": ref("Other"),
    }
    other = {"properties": {"node": ref("Node"), "b": S}, "type": "object"}
    other |= {"nullable": True} if version == "3.0.3" else {"type": ["object", "null"]}
    document = operations(
        {"/a": {"post": operation("sendA", answer=ref("Node"), body=ref("Node"))}},
        Node=node,
        Other=other,
    )
    files, notes = generate(project(tmp_path, {**document, "openapi": version}))
    assert [str(each) for each in notes if "itself" in str(each) or "any value" in str(each)] == []
    write_package(files, tmp_path)
    leaf = {"a": "2", "next": None}
    value = {"a": "1", "next": leaf, "kids": [None, leaf], "named": {"x": leaf, "y": None}}
    value["other"] = {"b": "3", "node": leaf}
    with on_path(tmp_path, "sample"):
        package = import_module("sample")
        read, request = call(package, json.dumps(value), "send_a", body=value)
        kind = type(read)
        assert kind is type(read.next) is type(read.kids[1]) is type(read.named["x"])
        assert kind is type(read.other.node) and read.other.b == "3"
        assert read.kids[0] is read.named["y"] is read.next.next is None
        assert json.loads(request.content) == value


def test_many_that_may_be_null_stand_in_one_another(tmp_path: Path) -> None:
    """However many there are, each is its class."""
    schemas = {
        f"N{number}": {
            "type": ["object", "null"],
            "properties": {"n": ref(f"N{(number + 1) % 100}"), "a": S},
        }
        for number in range(100)
    }
    document = operations({"/a": {"get": operation("readA", answer=ref("N0"))}}, **schemas)
    files, notes = generate(project(tmp_path, document))
    assert [str(each) for each in notes if "any value" in str(each)] == []
    write_package(files, tmp_path)
    value: dict[str, Any] = {"a": "last"}
    for _ in range(250):
        value = {"n": value}
    with on_path(tmp_path, "sample"):
        read, _ = call(import_module("sample"), json.dumps(value), "read_a")
        for _ in range(250):
            read = read.n
        assert read.a == "last"
