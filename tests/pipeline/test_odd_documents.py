"""Documents that are wrong in odd ways: each has a finding with its place; the rest is carried."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from generate_support import operation, operations, project, refused

from pipeline.carrying import SupportedApi, select_supported
from pipeline.causes import causes, remedy
from pipeline.config import Operations
from pipeline.openapi.problems import Finding
from pipeline.steps import Effective, effective, generate

THING = {"type": "object", "description": "A thing.", "properties": {
    "a": {"type": "string", "description": "A."}}}  # fmt: skip


def document(**more: Any) -> dict[str, Any]:
    """A document with an operation that needs nothing else, and one that needs a component."""
    answer = {"$ref": "#/components/schemas/Thing"}
    paths = {
        "/plain": {"get": operation("readPlain", answer={"type": "string"})},
        "/thing": {"get": operation("readThing", answer=answer)},
    }
    return {**operations(paths, Thing=THING), **more}


def selected(folder: Path, data: dict[str, Any], **more: object) -> tuple[Effective, SupportedApi]:
    """What is read of a document, and what of it a client carries."""
    config = replace(project(folder, data, **more), on_uncarried="skip")
    made = effective(config)
    (name,) = made.documents
    result = select_supported(config, config.sources[0], made.documents[name], made.found[name])
    return made, result


def carried(folder: Path, data: dict[str, Any], **more: object) -> tuple[list[str], list[Finding]]:
    """What a client carries of a document, and everything that is said about it."""
    made, result = selected(folder, data, **more)
    said = [*made.findings, *result.notes, *(e for o in result.left_out for e in o.reasons)]
    return [each.raw["operationId"] for each in result.api.operations], said


WRONG = (None, 5, "x", True)


@pytest.mark.parametrize(
    "member", ["info", "servers", "components", "security", "tags", "webhooks", "externalDocs"]
)
def test_a_member_of_a_wrong_type_is_named(tmp_path: Path, member: str) -> None:
    other = {} if member in ("servers", "security", "tags") else []
    for value in (*WRONG, other):
        done, said = carried(tmp_path, document(**{member: value}))
        assert done == ["readPlain"] + ["readThing"] * (member != "components")
        assert any(each.pointer == (member,) and member in each.message for each in said), value
        assert all(each.position for each in said)


@pytest.mark.parametrize("section", ["schemas", "parameters", "securitySchemes"])
def test_a_section_of_another_type_is_named(tmp_path: Path, section: str) -> None:
    data = document()
    for value in (*WRONG, []):
        data["components"][section] = value
        done, said = carried(tmp_path, data)
        assert done == ["readPlain"] + ["readThing"] * (section != "schemas")
        assert any(f"components.{section} must be an object" in each.message for each in said)


def test_a_reference_into_what_holds_nothing(tmp_path: Path) -> None:
    data = document(components=[])
    data["paths"]["/thing"]["get"] = operation("readThing", answer={"$ref": "thing.json"})
    (tmp_path / "thing.json").write_text(json.dumps(THING))
    done, said = carried(tmp_path, data)
    assert done == ["readPlain"]
    assert any("components.schemas of this document is not an object" in e.message for e in said)


@pytest.mark.parametrize("value", [*WRONG, []])
def test_paths_of_another_type_end_the_run(tmp_path: Path, value: object) -> None:
    said = refused(project(tmp_path, document(paths=value)))
    assert "document.yaml:" in said and "paths must be an object" in said


def test_words_of_somebody_else_that_are_called_as_ours(tmp_path: Path) -> None:
    for value in (5, {"a": 5}, {"a": {"missing": "It."}}):
        done, said = carried(tmp_path, document(**{"x-gaps": value}))
        assert len(done) == 2
        assert any("x-gaps" in each.message and each.severity == "note" for each in said)


@pytest.mark.parametrize(
    "name", ["circle.json", "a\0b.json", "a" * 300, ".", "https://a.invalid/b"]
)
def test_a_reference_to_what_is_no_file(tmp_path: Path, name: str) -> None:
    os.symlink("circle.json", tmp_path / "circle.json")
    data = document()
    data["components"]["schemas"]["Thing"] = {"$ref": name}
    (found,) = effective(project(tmp_path, data)).found.values()
    assert any("cannot be followed" in each.message and each.position for each in found)


@pytest.mark.parametrize("is_shared", [True, False])
@pytest.mark.parametrize("value", [*WRONG, []])
def test_a_method_that_is_no_operation_takes_no_other_with_it(
    tmp_path: Path, value: object, is_shared: bool
) -> None:
    data = document()
    item = data["paths"]["/plain"]
    item["delete"] = value
    if is_shared:
        data["components"]["pathItems"] = {"Plain": item}
        data["paths"]["/plain"] = {"$ref": "#/components/pathItems/Plain"}
    done, said = carried(tmp_path, data)
    assert done == ["readPlain", "readThing"]
    assert any(
        "delete of /plain must be an object" in each.message and each.position for each in said
    )


def test_a_wrong_path_item_leaves_out_its_operations(tmp_path: Path) -> None:
    """Also where it is a component, to which no operation refers by itself."""
    data = document()
    nowhere = {"$ref": "#/components/schemas/Nowhere"}
    parameter = {"name": "a", "in": "query", "required": True, "schema": nowhere}
    data["components"]["pathItems"] = {
        "Plain": {**data["paths"]["/plain"], "parameters": [parameter]}
    }
    data["paths"]["/plain"] = {"$ref": "#/components/pathItems/Plain"}
    done, said = carried(tmp_path, data)
    assert done == ["readThing"]
    assert any("leads nowhere" in each.message for each in said)


def test_a_reference_beside_everything_hides_nothing(tmp_path: Path) -> None:
    data = document(**{"$ref": "#/nowhere"})
    data["paths"]["/plain"]["get"] |= {"$ref": [], "x-retry-safety": "never"}
    done, said = carried(tmp_path, data)
    assert done == ["readPlain", "readThing"]
    assert any("x-retry-safety" in each.message for each in said)


def test_a_required_name_without_a_property_is_kept(tmp_path: Path) -> None:
    data = document()
    schema = {**THING, "required": ["A", "a b"], "properties": {"a": {}, "a'b": {}}}
    data["components"]["schemas"]["Thing"] = schema
    assert not refused(project(tmp_path, data))


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        ({"type": "string", "properties": {"a": {"description": "A."}}}, "properties"),
        ({"type": ["string", "null"], "items": {"type": "string"}}, "items"),
    ],
)
def test_words_of_other_types_mean_nothing(
    tmp_path: Path, schema: dict[str, Any], word: str
) -> None:
    data = document()
    data["components"]["schemas"]["Thing"] = {"type": "object", "properties": {"a": schema}}
    done, said = carried(tmp_path, data)
    assert done == ["readPlain", "readThing"]
    assert any(f"{word}: means nothing beside type: string" in each.message for each in said)


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_one_defect_costs_what_it_touches_and_no_more(tmp_path: Path, version: str) -> None:
    """Each of these left out an operation, or stopped the whole document."""
    data = document(openapi=version, components={})
    data["paths"] = {"/plain": data["paths"]["/plain"]}
    read = data["paths"]["/plain"]["get"]
    read["responses"] |= {"4xx": {"description": "Bad."}, "5Xx": {"description": "Worse."}}
    text = {"type": "string"}
    properties = {"dryRun": {"type": "boolean"}, 'a"b': text, "": text, "5": {"type": "file"},
                  "c": {"pattern": r"^[\x]\-}$"}}  # fmt: skip
    schema = {"type": "object", "required": [5], "properties": properties}
    read["requestBody"] = {"content": {"*/*": {"schema": schema}}}
    read["parameters"] = [
        {"name": name, "in": place, "required": True, "schema": {"type": "string"}}
        for name, place in (("dryRun", "query"), ("ACCEPT", "header"), ("Content-Type", "header"),
                            ("authorization", "header"))
    ] + [{"name": "plain", "in": "query"}]  # fmt: skip
    made, result = selected(tmp_path, data)
    (found,) = result.api.operations
    assert sorted(found.responses) == ["200", "4XX", "5XX"]
    assert [each.wire for each in found.parameters] == ["dryRun", "plain"]
    assert found.parameters[0].words.python_name == "query_dry_run"
    (model,) = result.api.models.values()
    assert [(each.wire, each.required) for each in model.fields] == [
        ("dryRun", False), ("5", True), ("c", False)]  # fmt: skip
    assert model.fields[1].type.is_files
    said = " ".join(each.message for each in (*made.findings, *result.notes))
    for text in ("4xx: a range of statuses", "parameter ACCEPT is ignored", "property is left out"):
        assert text in said


def test_a_client_without_operations_is_noted(tmp_path: Path) -> None:
    hook = {"post": operation("hook", body=THING)}
    lost = {"post": operation("lost", body={"$ref": "#/components/schemas/Nowhere"})}
    for data, why in (
        (document(paths={}), "write them under `paths`"),
        (document(paths={"/a": {"summary": "None."}}), "write them under `paths`"),
        (document(), "`include` and `exclude` select none of 2 operations"),
        (document(paths={}, webhooks={"hook": hook}), ""),
        (document(paths={}, webhooks={"hook": hook, "lost": lost}), ""),
        (document(paths={"/a": lost}, webhooks={"hook": hook}), "all 1 operations are left out"),
    ):
        config = replace(project(tmp_path, data), on_uncarried="skip")
        if data["paths"].keys() == {"/plain", "/thing"}:
            (source,) = config.sources
            config = replace(config, sources=(replace(source, exclude=Operations(paths=("*",))),))
        _, notes = generate(config)
        found = [each for each in notes if "would have no method" in each.message]
        assert len(found) == bool(why)
        assert all(why in each.message and each.position for each in found)


def test_an_undefined_scheme_has_one_remedy(tmp_path: Path) -> None:
    data = document(security=[{"missing": []}])
    config = replace(project(tmp_path, data), on_uncarried="skip")
    files, notes = generate(config)  # still a package, which says that it has no method
    assert any("the client would have no method: all 2 operations" in str(each) for each in notes)
    assert any(path.endswith("client.py") for path in files)
    (cause,) = causes(each for each in notes if each.severity == "left out")
    assert "does not define missing" in cause.text
    action = remedy(cause.findings[0])
    assert action is not None and "missing" in action["update"]["components"]["securitySchemes"]
    data["components"]["securitySchemes"] = action["update"]["components"]["securitySchemes"]
    assert carried(tmp_path, data)[0] == ["readPlain", "readThing"]


def test_a_part_that_says_nothing_of_its_type_is_a_file(tmp_path: Path) -> None:
    data = document()
    data["paths"]["/plain"]["get"]["requestBody"] = {"content": {"multipart/form-data": {
        "schema": {"type": "object", "properties": {
            "a": {}, "b": {"type": "array", "items": {}}, "c": {"contentMediaType": "image/png"},
            "d": {"type": "array", "items": {"contentMediaType": "image/png"}},
            "text": {"contentMediaType": "text/plain"}, "said": {}, "title": {"type": "string"}}},
        "encoding": {"said": {"contentType": "application/json"}}}}}  # fmt: skip
    _, result = selected(tmp_path, data)
    models = [each for each in result.api.models.values() if each.name != "Thing"]
    assert [each.wire for each in models[0].fields if each.type.is_files] == ["a", "b", "c", "d"]


def test_what_a_request_lacks_has_an_action_to_copy(tmp_path: Path) -> None:
    properties = {"id": {"type": "string", "readOnly": True}, "n": {"type": "string"}}
    thing = {"type": "object", "required": ["id", "n"], "properties": properties}
    data = operations({"/a": {"put": operation(body={"$ref": "#/components/schemas/A"})}}, A=thing)
    notes = [each for each in generate(project(tmp_path, data))[1] if each.rule == "read-only"]
    assert "property id of A is required and readOnly" in notes[0].message and notes[0].position
    assert remedy(notes[0]) == {
        "target": "$.components.schemas.A.properties.id", "update": {"readOnly": False}
    }  # fmt: skip


def test_a_part_that_is_a_file_or_a_text_takes_files(tmp_path: Path) -> None:
    part = {"oneOf": [{"type": "string", "format": "binary"}, {"type": "string"}]}
    one = operation("send")
    one["requestBody"] = {"content": {"multipart/form-data": {"schema": {
        "type": "object", "properties": {"part": part}}}}}  # fmt: skip
    files, _ = generate(project(tmp_path, operations({"/a": {"put": one}})))
    assert "part: FileInput" in files["client/src/sample/resources/things.py"]


def test_branches_are_called_by_what_they_alone_have(tmp_path: Path) -> None:
    """Not by their order, which may change."""
    branches = [{"type": "object", "properties": {name: {}, "n": {}}} for name in ("card", "iban")]
    for each in (branches, branches[::-1]):
        data = operations({"/a": {"get": operation(answer={"oneOf": each})}})
        module = generate(project(tmp_path, data))[0]["client/src/sample/models/things.py"]
        for name in ("card", "iban"):
            head, _, body = module.partition(f"class ListThingsResponse{name.capitalize()}(")
            assert head and f"    {name}: " in body.partition("\nclass ")[0]


ROOTS = [
    "common.yaml",  # as a whole, in which OpenAPI knows no component
    "common.yaml#/components",
    "common.yaml#/components/schemas/A",
    "common.yaml#/components/schemas/A/properties/z",
]


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize(
    ("reference", "why"),
    [
        ("", "is empty; write where it leads"),
        ("#/Nope", "leads to nothing in"),
        ("nope.yaml", "cannot be followed"),
        ("https://a.invalid/b.yaml", "addresses are not fetched"),
    ],
)
def test_a_wrong_reference_in_another_file_has_its_line(
    tmp_path: Path, root: str, reference: str, why: str
) -> None:
    data = document()
    data["components"]["schemas"]["Thing"] = {"$ref": root}
    common = (
        "# Of others.\ncomponents:\n  schemas:\n    B: {type: string}\n    A:\n"
        f"      type: object\n      properties:\n        z:\n          $ref: '{reference}'\n"
    )
    done, said = carried(tmp_path, data, common=common)
    is_whole = root.endswith("/z")  # a part, and what nobody needs, cost no more than themselves
    assert done == ["readPlain"] + ["readThing"] * (not is_whole)
    found = [str(each) for each in said if why in each.message]
    assert root.endswith("/A") is any("; read as any value" in each for each in found)
    assert found and all("common.yaml:9:11: " in each for each in found)


@pytest.mark.parametrize("section", ["schemas", "responses"])
def test_a_component_that_leads_nowhere_has_the_line_of_its_reference(
    tmp_path: Path, section: str
) -> None:
    data = document(components={section: {"Thing": {"$ref": "common.yaml#/Nope"}}})
    _, said = carried(tmp_path, data, common="A: {}\n")
    (place,) = {each.position for each in said if "leads to nothing" in each.message}
    assert place is not None
    lines = (tmp_path / "document.yaml").read_text().splitlines()
    assert '"$ref": "common.yaml#/Nope"' in lines[place.line - 1]


@pytest.mark.parametrize("reference", ["", "#/Nope", "nope.yaml"])
@pytest.mark.parametrize("section", [(), ("schemas",)])
def test_components_that_lead_nowhere_are_named(
    tmp_path: Path, section: tuple[str, ...], reference: str
) -> None:
    parts: dict[str, Any] = {"$ref": "common.yaml#/parts"}
    data = document(components={section[0]: parts} if section else parts)
    common = f"# Of others.\nparts:\n  $ref: '{reference}'\n"
    done, said = carried(tmp_path, data, common=common)
    assert done == ["readPlain"]
    found = [str(each) for each in said if f"`$ref: {reference}`" in each.message]
    assert found and all("common.yaml:3:3: " in each for each in found)


@pytest.mark.parametrize("kind", ["schema", "response", "request body", "parameter", "path item"])
def test_an_empty_reference_is_said_to_be_empty(tmp_path: Path, kind: str) -> None:
    empty = {"$ref": ""}
    made = operation("readOther")
    made |= {
        "schema": operation("readOther", answer=empty),
        "response": {"responses": {"200": empty}},
        "request body": {"requestBody": empty},
        "parameter": {"parameters": [empty]},
    }.get(kind, {})
    data = document()
    data["paths"]["/other"] = empty if kind == "path item" else {"post": made}
    done, said = carried(tmp_path, data)
    assert done == ["readPlain", "readThing"]
    (found,) = {each for each in said if "is empty; write where it leads" in each.message}
    assert found.position is not None
    lines = (tmp_path / "document.yaml").read_text().splitlines()
    assert '"$ref": ""' in lines[found.position.line - 1]


def test_a_mapping_that_means_nothing_is_noted(tmp_path: Path) -> None:
    def pet(name: str) -> dict[str, Any]:
        return {"type": "object", "properties": {"kind": {"type": "string"}, name: THING}}

    schemas = {name: pet(name.lower()) for name in ("Cat", "Dog", "Bird", "Fox")}
    schemas["Wolf"] = {"allOf": [{"$ref": "#/components/schemas/Base"}, pet("wolf")]}
    wild = {"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("Fox", "Wolf")]}
    mapping = {
        "cat": "Cat", "dog": "#/components/schemas/Dog", "fox": "Fox", "bird": "Bird",
        "birdie": "#/components/schemas/Bird", "none": "", "unknown": "Birt",
    }  # fmt: skip
    cases = [{"$ref": f"#/components/schemas/{name}"} for name in ("Cat", "Dog", "Wild")]
    schemas["Pet"] = {
        "oneOf": cases,
        "discriminator": {"propertyName": "kind", "mapping": mapping},
    }
    extended = {"propertyName": "kind", "mapping": {"wolf": "Wolf", "cat": "Cat"}}
    schemas["Base"] = {**pet("base"), "discriminator": extended}
    answers = [{"$ref": f"#/components/schemas/{name}"} for name in ("Pet", "Base")]
    data = operations(
        {f"/{i}": {"get": operation(f"read{i}", answer=each)} for i, each in enumerate(answers)},
        **schemas,
        Wild=wild,
    )
    done, said = carried(tmp_path, data)
    assert done == ["read0", "read1"]
    noted = {
        (each.pointer[-1], each.message)
        for each in said
        if "mapping: " in each.message and each.pointer
    }
    assert noted == {
        ("bird", "mapping: bird leads to schema Bird, which is none of the alternatives; not used"),
        (
            "birdie",
            "mapping: birdie leads to schema Bird, which is none of the alternatives; not used",
        ),
        ("none", 'mapping: none is "", which names no schema; not used'),
        (
            "unknown",
            'mapping: unknown is "Birt", which names no schema; not used; did you mean Bird?',
        ),
        ("cat", "mapping: cat leads to schema Cat, which does not extend this one; not used"),
    }
    lines = (tmp_path / "document.yaml").read_text().splitlines()
    for each in said:
        if each.message.startswith("mapping: ") and each.position and each.pointer:
            assert f'"{each.pointer[-1]}": ' in lines[each.position.line - 1]
