"""Defects of a document that cost what they touch, and what several branches of a schema allow."""

from __future__ import annotations

import time
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx2
import pytest
from generate_support import call, on_path, operation, operations, project, write_package

from pipeline.causes import causes
from pipeline.steps import generate

S = {"type": "string"}


def made(
    folder: Path, paths: dict[str, Any], write: bool = False, /, **schemas: Any
) -> tuple[dict[str, str], list[Any]]:
    config = project(folder, operations(paths, **schemas))
    files, notes = generate(replace(config, on_uncarried="skip"))
    if write:
        write_package(files, folder)
    return files, notes


def said(notes: list[Any], severity: str) -> str:
    return " ".join(str(each) for each in notes if each.severity == severity)


def test_a_name_that_two_have_late_leaves_out_one_operation(tmp_path: Path) -> None:
    """Members of a branch and of what is around it meet only in the class that has both."""
    branches = [{"type": "object", "properties": {name: S, "x": S}} for name in ("a_b", "c")]
    schema = {"type": "object", "properties": {"a-b": S}, "oneOf": branches}
    paths = {"/a": {"get": operation("readA", answer=schema)}, "/b": {"get": operation("readB")}}
    files, notes = made(tmp_path, paths)
    resource = files["client/src/sample/resources/things.py"]
    assert "def read_b(" in resource and "def read_a(" not in resource
    assert "two of the name a_b" in said(notes, "left out")


def test_what_is_no_status_is_left_out_of_its_operation(tmp_path: Path) -> None:
    one = operation("readA", answer=S)
    one["responses"] |= {"600": {"description": "Odd."}, "ok": {"description": "Odd."}}
    two = operation("readB") | {"responses": {}}
    files, notes = made(tmp_path, {"/a": {"get": one}, "/b": {"get": two}})
    resource = files["client/src/sample/resources/things.py"]
    assert "def read_a(self) -> str" in resource and "def read_b(" in resource
    assert "600: not a status" in said(notes, "note") and not said(notes, "left out")


def test_an_impossible_required_name_makes_a_mapping(
    tmp_path: Path,
) -> None:
    thing = {"required": ["", 'a"b'], "properties": {"": S, 'a"b': S, "n": S}}
    files, notes = made(
        tmp_path, {"/a": {"put": operation("putA", answer=thing, body={"type": "object", **thing})}}
    )
    assert "body: Mapping[str, Any]" in files["client/src/sample/resources/things.py"]
    assert "no field can have" in said(notes, "note") and not said(notes, "left out")


def test_one_action_mends_all_of_a_cause(tmp_path: Path) -> None:
    paths = {
        f"/a{n}": {"get": operation(f"a{n}", security=[{name: [] for name in names}])}
        for n, names in enumerate((["one"], ["one", "two"], ["two"]))
    }
    paths |= {
        f"/b{n}": {"get": operation(f"b{n}", answer={"$ref": f"#/components/schemas/No{n % 2}"})}
        for n in range(4)
    }
    paths["/c"] = {"post": operation("c", requestBody={"$ref": "#/components/requestBodies/B~1C"})}
    paths["/d"] = {"get": operation("d", responses={"200": {"$ref": "#/components/responses/R"}})}
    left_out = [each for each in made(tmp_path, paths)[1] if each.severity == "left out"]
    missing, undefined = causes(left_out)
    assert len(missing.findings) == 6 and len(undefined.findings) == 3
    assert undefined.text.endswith("does not define one or two")
    actions = [each.action for each in (missing, undefined)]
    added = [action["update"]["components"] for action in actions if action]
    assert {kind: [*names] for kind, names in added[0].items()} == {
        "schemas": ["No0", "No1"], "requestBodies": ["B/C"], "responses": ["R"]
    }  # fmt: skip
    assert added[1]["securitySchemes"].keys() == {"one", "two"}


@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_a_member_of_another_branch_is_kept_without_drift(tmp_path: Path, word: str) -> None:
    branches = [
        {"type": "object", "required": [name], "properties": {name: kind}}
        for name, kind in (("colour", S), ("weight", {"type": "integer"}))
    ]
    made(tmp_path, {"/a": {"get": operation("readA", answer={word: branches})}}, True)
    with on_path(tmp_path, "sample"):
        package = import_module("sample")

        def read(body: str) -> Any:
            return call(package, body, "read_a", {"drift": "raise"})[0]

        found = read('{"colour": "red", "weight": 2}')
        assert found.to_dict(wire=True) == {"colour": "red", "weight": 2}
        assert found.colour == "red" and found.additional_properties == {"weight": 2}
        with pytest.raises(package.DriftError, match="strange: unknown field"):
            read('{"colour": "red", "strange": 2}')


def test_a_tag_of_a_union_of_requests_is_not_required_of_readers(tmp_path: Path) -> None:
    cat, dog = ({"type": "object", "properties": {"kind": S, name: S}} for name in "nm")
    mapping = {name.lower(): f"#/components/schemas/{name}" for name in ("Cat", "Dog")}
    union = {
        "oneOf": [{"$ref": at} for at in mapping.values()],
        "discriminator": {"propertyName": "kind", "mapping": mapping},
    }
    of_cat = {"$ref": mapping["cat"]}
    item = {"get": operation("readA", answer=of_cat), "put": operation("putA", body=union)}
    models = made(tmp_path, {"/a": item}, Cat=cat, Dog=dog)[0]["client/src/sample/models/things.py"]
    assert "kind: str | None = MISSING" in models  # it stands outside of the union, too
    assert 'kind: str | UnsetType = "cat"' in models
    item["post"] = operation("addA", answer=union)
    models = made(tmp_path, {"/a": item}, Cat=cat, Dog=dog)[0]["client/src/sample/models/things.py"]
    assert "kind: str | None = MISSING" in models
    del item["get"]
    models = made(tmp_path, {"/a": item}, Cat=cat, Dog=dog)[0]["client/src/sample/models/things.py"]
    assert 'kind: Literal["cat"] = MISSING' in models
    assert 'kind: Literal["cat"] = "cat"' in models


def test_two_credentials_of_one_name_are_both_sent(tmp_path: Path) -> None:
    paths = {
        f"/{name}": {"get": operation(f"read{name}", security=[{scheme: []}])}
        for name, scheme in (("A", "api_key"), ("B", "apiKey"))
    }
    data = operations(paths) | {"x-sections": {"1": "One"}}
    key = {"type": "apiKey", "name": "X-A", "in": "header"}
    data["components"]["securitySchemes"] = {"api_key": key, "apiKey": {**key, "in": "query"}}
    for held in (True, False):
        data = data if held else {word: data[word] for word in data if word != "x-sections"}
        folder = tmp_path / str(held)
        folder.mkdir()
        files, notes = generate(project(folder, data))
        assert "two credentials of the name api_key: document_api_key" in said(notes, "note")
        write_package(files, folder)
        with on_path(folder, "sample"):
            given = {"api_key": "a", "document_api_key": "b"}
            package, done = import_module("sample"), httpx2.Response(204)
            assert call(package, done, "read_a", given)[1].headers["x-a"] == "a"
            assert call(package, done, "read_b", given)[1].url.query == b"X-A=b"


@pytest.mark.parametrize(
    ("media_type", "value"), [("text/plain", "a"), ("application/json", "a"), ("image/png", b"a")]
)
def test_nothing_beside_a_text_is_none(tmp_path: Path, media_type: str, value: Any) -> None:
    one = operation("readA")
    one["responses"] = {
        "200": {"description": "It.", "content": {media_type: {"schema": S}}},
        "204": {"description": "Nothing."},
    }
    made(tmp_path, {"/a": {"get": one}}, True)
    with on_path(tmp_path, "sample"):
        package = import_module("sample")
        text = '"a"' if media_type.endswith("json") else "a"
        assert call(package, text, "read_a")[0] == value
        for drift in ("ignore", "raise"):
            assert call(package, httpx2.Response(204), "read_a", {"drift": drift})[0] is None
        if media_type.endswith("json"):
            with pytest.raises(package.DecodeError, match="is empty, expected str"):
                call(package, httpx2.Response(200), "read_a")


def test_what_only_limits_costs_its_check(tmp_path: Path) -> None:
    odd = {"type": "string", "minLength": -1, "format": None, "anyOf": []}
    files, notes = made(tmp_path, {"/a": {"get": operation("readA", answer=odd)}})
    assert "def read_a(self) -> str" in files["client/src/sample/resources/things.py"]
    for text in ("minLength must be at least 0", "format must be a string", "anyOf: is empty"):
        assert text in said(notes, "note")
    assert not said(notes, "left out")


FORM = "multipart/form-data"
FILE = {"type": "string", "format": "binary"}


def sent_as(media_type: str, schema: Any) -> dict[str, Any]:
    content = {media_type: {"schema": schema}}
    return {"post": operation("sendA", requestBody={"required": True, "content": content})}


def test_references_and_patterns_are_read_as_they_are_meant(tmp_path: Path) -> None:
    properties = {"a": {**S, "pattern": "/^a$/"}, "b": {**S, "pattern": "/^b$/i"}}
    page = {"type": "object", "properties": properties}
    paths = {"/a": sent_as("application/json", {"$ref": "#/components/schemas/Page<A Thing>[]"})}
    files, notes = made(tmp_path, paths, **{"Page<A Thing>[]": page})
    models = files["client/src/sample/models/things.py"]
    assert 'pattern="^a$"' in models and "^b$" not in models
    for text in (
        "is not a URI; read as #/components/schemas/Page%3CA%20Thing%3E%5B%5D",
        "a literal of JavaScript; read as ^a$",
        "/^b$/i is a literal of JavaScript; not",
    ):
        assert text in said(notes, "note")  # fmt: skip
    assert not said(notes, "left out")


def test_an_integer_may_have_64_bits_without_a_sign(tmp_path: Path) -> None:
    schema = {"type": "integer", "minimum": 0, "maximum": 2**64 - 1}
    files, _ = made(tmp_path, {"/a": sent_as("application/json", schema)})
    resource = files["client/src/sample/resources/things.py"]
    assert '"format": "uint64"' in resource.replace("'", '"')


@pytest.mark.parametrize(
    ("media_type", "schema", "signature", "note"),
    [
        (FORM, {"oneOf": [{"type": "object", "required": [name], "properties": {name: kind}}
                          for name, kind in (("file", FILE), ("url", S))]},
         "file: FileInput | UnsetType = UNSET, url: str", "branches of a form are merged"),
        (FORM, {"type": "object", "additionalProperties": FILE},
         "body: Mapping[str, FileInput]", ""),
        (FORM, {"type": "object", "properties": {"a": S, "b": {"type": "file"}},
                "additionalProperties": FILE},
         "additional_properties: Mapping[str, FileInput]", "type: file is a word of Swagger 2"),
        ("multipart/mixed", {"type": "object", "properties": {"a": S, "b": {}}},
         "a: str | UnsetType = UNSET, b: FileInput | UnsetType", "part b has no type; read as a"),
        ("multipart/mixed", {"type": "array", "items": FILE},
         "body: ContentInput, content_type: str", "is given as bytes, not as array"),
        ("application/xml", {"type": "object"}, "body: str", "is given as text, not as object"),
    ],
)  # fmt: skip
def test_a_body_of_parts_is_carried_or_noted(
    tmp_path: Path, media_type: str, schema: Any, signature: str, note: str
) -> None:
    files, notes = made(tmp_path, {"/a": sent_as(media_type, schema)})
    resource = " ".join(files["client/src/sample/resources/things.py"].split())
    assert signature in resource.replace("( ", "(").replace("*, ", "")
    assert note in said(notes, "note")


def test_a_body_without_content_is_none(tmp_path: Path) -> None:
    files, notes = made(tmp_path, {"/a": {"post": operation("sendA", requestBody={"content": {}})}})
    assert "def send_a(self) -> None" in files["client/src/sample/resources/things.py"]
    assert "has no content, so none is sent" in said(notes, "note")


def test_a_form_that_comes_is_bytes(tmp_path: Path) -> None:
    one = operation("readA")
    one["responses"]["200"]["content"] = {"application/x-www-form-urlencoded": {}}
    made(tmp_path, {"/a": {"get": one}}, True)
    with on_path(tmp_path, "sample"):
        package = import_module("sample")
        assert call(package, "a=1", "read_a")[0] == b"a=1"


def test_a_media_type_that_several_bodies_share_is_followed(tmp_path: Path) -> None:
    one = operation("sendA", requestBody={"content": {}})
    one["requestBody"]["content"]["application/json"] = {"$ref": "#/components/mediaTypes/M"}
    data = operations({"/a": {"post": one}}) | {"openapi": "3.2.0"}
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    data["components"]["mediaTypes"] = {"M": {"schema": schema}}
    files, _ = generate(project(tmp_path, data))
    assert "n: int | UnsetType" in files["client/src/sample/resources/things.py"]


@pytest.mark.parametrize("kind", ["references", "all of", "lists", "alternatives", "inline"])
def test_however_deep_schemas_are_nested_the_run_ends(tmp_path: Path, kind: str) -> None:
    def ref(number: int) -> dict[str, str]:
        return {"$ref": f"#/components/schemas/S{number}"}

    deep: dict[str, Any] = {
        "references": ref,
        "all of": lambda number: {"allOf": [ref(number)]},
        "lists": lambda number: {"type": "array", "items": ref(number)},
    }
    last = {"references": 400, "all of": 40, "lists": 100, "alternatives": 16, "inline": 0}[kind]
    either = lambda one: {"oneOf": [one, {"type": "array", "items": one}]}  # noqa: E731
    make = deep.get(kind, lambda number: either(ref(number)))
    schemas: dict[str, Any] = {"S0": {"type": "object", "properties": {"n": S}}}
    schemas |= {f"S{number + 1}": make(number) for number in range(last)}
    used: Any = ref(last)
    for _ in range(7 if kind == "inline" else 0):
        used = either(used)
    paths = {"/a": {"get": operation("readA", answer=used), "put": operation("putA", body=used)}}
    start = time.process_time()
    files, notes = made(tmp_path, paths, **schemas)
    assert time.process_time() - start < 8
    resource = files["client/src/sample/resources/things.py"]
    assert "def read_a(" in resource and "def put_a(" in resource and len(resource) < 200_000
    if kind in ("references", "all of"):
        assert "typed as any value" not in said(notes, "note")
    else:
        assert "typed as any value" in said(notes, "note")
