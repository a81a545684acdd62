"""Media types in capitals, ranges and lists of them: what is sent, and what is noted."""

from __future__ import annotations

from datetime import date
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from generate_support import call, on_path, operation, operations, project, write_package

from pipeline.lint import lint
from pipeline.openapi.documents import Document
from pipeline.steps import generate

S = {"type": "string"}
FORM = "multipart/form-data"
FILES = {"type": "object", "properties": {"a": S, "f": {"type": "string", "format": "binary"}}}
INNER = {"type": "object", "properties": {"o": {"type": "object", "properties": {"a": S}}}}


def sent(
    folder: Path, content: dict[str, Any], response: dict[str, Any] | None = None, **given: Any
) -> tuple[Any, str, str, str]:
    """What a call returns, the media type and the body that it sends, and what is noted."""
    made = operation("send", requestBody={"required": True, "content": content})
    if response is not None:
        made["responses"]["200"]["content"] = response
    files, notes = generate(project(folder, operations({"/a": {"post": made}})))
    write_package(files, folder)
    with on_path(folder, "sample"):
        result, request = call(import_module("sample"), '{"a": "b"}', "send", **given)
        text = request.read().decode()
        noted = " ".join(each.message for each in notes)
        return result, request.headers["Content-Type"], text, noted


@pytest.mark.parametrize(
    ("name", "leaves"),
    [("multipart/*", FORM), ("Multipart/Form-Data", FORM), ("MULTIPART/Mixed", "multipart/mixed")],
)
def test_a_form_in_capitals_or_of_any_parts_has_files(
    tmp_path: Path, name: str, leaves: str
) -> None:
    _, type_, body, noted = sent(tmp_path, {name: {"schema": FILES}}, a="x", f=b"abc")
    assert type_.startswith(f"{leaves}; boundary=")
    assert 'name="f"; filename="f"' in body and "\r\n\r\nabc\r\n" in body
    assert f"content: {name} means {leaves}; read as this" in noted


def test_json_in_capitals_is_json(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"a": S}}
    content = {"Application/JSON; charset=UTF-8": {"schema": schema}}
    result, type_, body, noted = sent(tmp_path, content, content, a="x")
    assert (type_, body, result.a) == ("application/json", '{"a":"x"}', "b")
    assert noted.count("means application/json; charset=UTF-8; read as this") == 2


def test_one_of_two_that_are_the_same_is_left_out(tmp_path: Path) -> None:
    number = {"type": "object", "properties": {"a": {"type": "integer"}}}
    text = {"type": "object", "properties": {"a": S}}
    content = {"Application/Json": {"schema": number}, "application/json": {"schema": text}}
    _, _, body, noted = sent(tmp_path, content, a="x")
    assert body == '{"a":"x"}'
    assert "Application/Json means application/json; which is there, too; left out" in noted


def test_a_document_that_is_never_mended_is_told_of_capitals() -> None:
    content = {name: {"schema": FILES} for name in ("Multipart/Mixed", "multipart/*", FORM)}
    made = operation("send", requestBody={"content": content})
    found = lint(Document("a", operations({"/a": {"post": made}}), {}))
    said = [
        each.message for each in found if "small letters" in each.message or FORM in each.message
    ]
    assert said == [
        "content: Multipart/Mixed is multipart/mixed; write media types in small letters",
        f"content: multipart/* of an object is sent as {FORM}; write this",
    ]


@pytest.mark.parametrize(
    ("said", "leaves"),
    [
        ("text/html", "text/html"),
        ("text/plain, text/html", "text/plain"),
        ("image/*, text/html", "text/html"),
        ("", ""),
        ("*/*", ""),
        ("a\r\nb", ""),
    ],
)
def test_a_text_has_the_first_of_the_types_that_it_may_have(
    tmp_path: Path, said: str, leaves: str
) -> None:
    content = {FORM: {"schema": FILES, "encoding": {"a": {"contentType": said}}}}
    _, _, body, noted = sent(tmp_path, content, a="x")
    head = f"\r\nContent-Type: {leaves}" if leaves else ""
    assert f'form-data; name="a"{head}\r\n\r\nx\r\n' in body
    assert ("is no media type; not sent" in noted) == (said in ("", "a\r\nb"))


@pytest.mark.parametrize("said", [None, "", "*/*", "application/xml, application/json"])
def test_an_object_in_a_form_is_json(tmp_path: Path, said: str | None) -> None:
    encoding = {} if said is None else {"encoding": {"o": {"contentType": said}}}
    _, _, body, _ = sent(tmp_path, {FORM: {"schema": INNER} | encoding}, o={"a": "x"})
    assert 'name="o"\r\nContent-Type: application/json\r\n\r\n{"a":"x"}' in body


@pytest.mark.parametrize("said", ["application/json", "application/vnd.a+json, text/plain"])
@pytest.mark.parametrize(
    ("schema", "value", "text"),
    [
        ({"type": "array", "items": S}, ["a", "b"], '["a","b"]'),
        ({"type": "array", "items": S}, [], "[]"),
        ({"type": "array", "items": INNER}, [{"o": {"a": "x"}}], '[{"o":{"a":"x"}}]'),
        (S, "x", '"x"'),
        ({**S, "format": "date"}, date(2020, 1, 2), '"2020-01-02"'),
        ({"type": ["string", "null"]}, None, "null"),
        ({"oneOf": [S, {"type": "integer"}]}, 5, "5"),
        ({"type": "boolean"}, True, "true"),
        (INNER, {"o": {}}, '{"o":{}}'),
    ],
)
def test_what_is_said_to_be_json_is_json(
    tmp_path: Path, said: str, schema: dict[str, Any], value: Any, text: str
) -> None:
    members = {"v": schema, "f": {"type": "string", "format": "binary"}}
    media = {"schema": {"type": "object", "properties": members}}
    media["encoding"] = {"v": {"contentType": said}}
    _, _, body, _ = sent(tmp_path, {FORM: media}, v=value)
    assert f'name="v"\r\nContent-Type: {said.partition(",")[0]}\r\n\r\n{text}\r\n' in body
    assert body.count('name="v"') == 1
    _, _, body, _ = sent(tmp_path, {"application/x-www-form-urlencoded": media}, v=value)
    assert parse_qsl(body) == [("v", text)]


@pytest.mark.parametrize("media", [{}, {"schema": {"type": "object"}}, {"schema": True}])
def test_a_form_without_named_fields_takes_files(tmp_path: Path, media: dict[str, Any]) -> None:
    path = tmp_path / "p.png"
    path.write_bytes(b"PNG")
    given = {"a": b"abc", "p": path, "f": BytesIO(b"open"), "t": "text", "l": ["x", "y"]}
    _, type_, body, _ = sent(tmp_path, {FORM: media}, body=given)
    assert type_.startswith(f"{FORM}; boundary=")
    for name, file, content in (("a", "a", "abc"), ("p", "p.png", "PNG"), ("f", "f", "open")):
        assert f'name="{name}"; filename="{file}"' in body and f"\r\n\r\n{content}\r\n" in body
    assert 'name="t"\r\n\r\ntext\r\n' in body and body.count('name="l"') == 2


@pytest.mark.parametrize(
    ("said", "is_noted"),
    [
        ("application/xml", True),
        ("text/csv, application/xml", True),
        ("application/xml, application/json", False),
        ("application/*", False),
        ("application/vnd.a+json", False),
    ],
)
@pytest.mark.parametrize("form", [FORM, "application/x-www-form-urlencoded"])
def test_an_object_that_is_to_be_no_json_is_noted(
    tmp_path: Path, form: str, said: str, is_noted: bool
) -> None:
    inner = INNER["properties"]["o"]
    members = {"o": inner, "l": {"type": "array", "items": inner}, "n": S, "m": {**inner}}
    schema = {"type": "object", "properties": members}
    encoding = {name: {"contentType": said} for name in "oln"}
    _, _, body, noted = sent(tmp_path, {form: {"schema": schema, "encoding": encoding}}, n="x")
    assert "x" in body
    text = f'contentType: "{said}" of an object is not supported, it is sent as JSON'
    assert noted.count(text) == 2 * is_noted and noted.count("contentType:") == 2 * is_noted


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"style": "form", "explode": False}, ["explode"]),
        ({"style": "pipeDelimited", "explode": False}, ["style", "explode"]),
        ({"style": "form", "explode": True}, []),
        ({"contentType": "text/plain"}, []),
    ],
)
def test_a_style_of_a_part_is_noted(tmp_path: Path, said: dict[str, Any], words: list[str]) -> None:
    members = {"a": {"type": "array", "items": S}}
    media = {"schema": {"type": "object", "properties": members}, "encoding": {"a": said}}
    _, _, body, noted = sent(tmp_path, {FORM: media}, a=["x", "y"])
    assert body.count('name="a"') == 2
    assert noted.count("is not used of a part") == len(words)
    _, _, _, noted = sent(tmp_path, {"application/x-www-form-urlencoded": media}, a=["x", "y"])
    assert "is not used of a part" not in noted


@pytest.mark.parametrize("brackets", [{}, {"x-array-brackets": True}])
def test_lists_in_the_style_of_deep_objects_are_noted_in_forms_too(
    tmp_path: Path, brackets: dict[str, Any]
) -> None:
    texts = {"type": "array", "items": S}
    members = {"l": texts, "o": {"type": "object", "properties": {"k": texts}}, "t": S}
    media = {"schema": {"type": "object", "properties": members}}
    media["encoding"] = {
        name: {"style": "deepObject", "explode": True} | brackets for name in members
    }
    given = {"l": ["a", "b"], "o": {"k": ["c", "d"]}}
    form = {"application/x-www-form-urlencoded": media}
    _, _, body, noted = sent(tmp_path, form, **given)
    end = "[]" if brackets else ""
    assert parse_qsl(body) == [
        (f"l{end}", "a"),
        (f"l{end}", "b"),
        (f"o[k]{end}", "c"),
        (f"o[k]{end}", "d"),
    ]
    for name in members:
        text = f"field {name}: OpenAPI does not say how deepObject writes an array"
        assert (text in noted) == (name != "t" and not brackets)


def test_what_is_said_of_no_property_is_noted(tmp_path: Path) -> None:
    more = {"type": "object", "properties": {"other": S}}
    schema = {"allOf": [FILES, {"anyOf": [more, INNER]}]}
    encoding = {name: {"contentType": "text/html"} for name in ("a", "other", "othr", "zz")}
    content = {FORM: {"schema": schema, "encoding": encoding}}
    content["multipart/mixed"] = {"schema": FILES, "encoding": {"zz": {}}}
    *_, noted = sent(tmp_path, content, a="x")
    assert noted.count("encoding: the schema has no property zz; not used") == 2
    assert "has no property othr; not used; did you mean other?" in noted
    assert noted.count("encoding: ") == 3


def test_a_media_type_of_success_that_is_never_read_is_noted(tmp_path: Path) -> None:
    number = {"type": "object", "properties": {"n": {"type": "integer"}}}
    offered = {"application/json": INNER, "application/vnd.n+json": number, "text/json": INNER}
    responses = {
        status: {
            "description": "Good.",
            "content": {name: {"schema": schema} for name, schema in content.items()},
        }
        for status, content in (("200", offered), ("201", {"application/json": number}))
    }
    paths = {
        "/a": {"get": operation("readA", responses=responses)},
        "/b": {"get": operation("readB", responses={"200": responses["200"]})},
    }
    _, notes = generate(project(tmp_path, operations(paths)))
    (note,) = [each for each in notes if "is not read" in each.message]
    assert "application/vnd.n+json is not read, only application/json" in note.message
    assert note.pointer is not None and note.pointer[1:5] == ("/a", "get", "responses", "200")


def test_a_stream_that_is_never_asked_for_is_noted(tmp_path: Path) -> None:
    streams = {f"application/{name}": {"schema": INNER} for name in ("x-ndjson", "json-seq")}
    for number, content in enumerate((streams, {"application/json": {"schema": S}, **streams})):
        responses = {"200": {"description": "Good.", "content": content}}
        folder = tmp_path / str(number)
        folder.mkdir()
        paths = {"/a": {"get": operation("readA", responses=responses)}}
        _, notes = generate(project(folder, operations(paths)))
        (note,) = [each for each in notes if "never asked for" in each.message]
        text = "application/json-seq is never asked for, only application/x-ndjson is read"
        assert text in note.message


def test_a_file_wins_over_another_member_of_its_name(tmp_path: Path) -> None:
    content = {FORM: {"schema": {**FILES, "additionalProperties": S}}}
    others = {"a": "y", "f": "z", "n": "m"}
    _, _, body, _ = sent(tmp_path, content, a="x", f=b"abc", additional_properties=others)
    assert [body.count(f'; name="{name}"') for name in "afn"] == [1, 1, 1]
    assert "\r\n\r\nx\r\n" in body and "\r\n\r\nabc\r\n" in body


def test_without_a_file_the_other_member_is_sent(tmp_path: Path) -> None:
    content = {FORM: {"schema": {**FILES, "additionalProperties": S}}}
    _, _, body, _ = sent(tmp_path, content, a="x", additional_properties={"f": "z"})
    assert body.count('; name="f"') == 1 and "\r\n\r\nz\r\n" in body
