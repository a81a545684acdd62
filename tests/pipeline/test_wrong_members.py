"""A document that has everything, of which one member is gone or of a wrong type.

It is read without a traceback: what is wrong is named, and costs no more than what needs it.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from generate_support import operation, operations, project

from pipeline.lint import lint
from pipeline.openapi.documents import Document, Pointer, found, load, loads
from pipeline.openapi.objects import members
from pipeline.preparing import prepare
from pipeline.steps import generate
from tests.pipeline import fuzzing

S = {"type": "string"}
EVERYTHING = Path(__file__).with_name("everything.yaml")
GONE: Any = object()
WRONG: tuple[Any, ...] = (GONE, None, "", "a", 7, True, [], ["a"], {}, {"a": {}})
PARTS = 120


def places(value: Any, at: Pointer = ()) -> Iterator[Pointer]:
    for key, inner in members(value):
        yield (*at, key)
        yield from places(inner, (*at, key))


def changed(data: Any, place: Pointer, value: Any) -> Any:
    """A copy of a document with another value at a place, or without it."""
    made = copy.deepcopy(data)
    holder = found(made, place[:-1])
    if value is GONE:
        del holder[place[-1]]
    else:
        holder[place[-1]] = copy.deepcopy(value)
    return made


def older(data: Any) -> Any:
    """The document in OpenAPI 3.0, without what is newer."""
    made = copy.deepcopy(data)
    made["openapi"] = "3.0.3"
    del made["webhooks"], made["components"]["pathItems"], made["paths"]["/shared"]
    properties = made["components"]["schemas"]["Thing"]["properties"]
    properties["n"] = {"type": "integer", "nullable": True, "minimum": 0, "exclusiveMinimum": True}
    for name in ("pair", "const", "cond"):
        del properties[name]
    return made


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(each, marks=pytest.mark.nightly) for each in range(1, PARTS))]
)
@pytest.mark.parametrize("version", ["3.0", "3.1"])
def test_a_wrong_member_costs_no_more_than_what_needs_it(version: str, first: int) -> None:
    data = load(EVERYTHING).data
    data = older(data) if version == "3.0" else data
    assert fuzzing.check(data) == ""
    tried = [(place, value) for place in places(data) for value in WRONG][first::PARTS]
    assert tried
    wrong = {repr(each): text for each in tried if (text := fuzzing.check(changed(data, *each)))}
    assert not wrong


@pytest.mark.parametrize("name", [GONE, None, "", 7, [], {}])
def test_a_parameter_without_a_name_is_left_out(tmp_path: Path, name: Any) -> None:
    named = {"name": "q", "in": "query", "schema": S}
    given = {**named, "name": name}
    if name is GONE:
        del given["name"]
    document = operations({"/a": {"get": operation("readA", parameters=[given, named])}})
    assert [each for each in lint(Document("a", document, {})) if each.severity == "error"]
    files, notes = generate(project(tmp_path, document))
    (said,) = [each for each in notes if "parameters[0]" in each.message]
    assert "name must be a text" in said.message
    assert said.position and said.position.line
    assert "build_read_a(q=q)" in files["client/src/sample/resources/things.py"]


@pytest.mark.parametrize("status", ["'201'", '"201"', " 201 "])
def test_a_status_in_quotes_is_read_as_it_is_meant(status: str) -> None:
    made = operation("readA")
    made["responses"][status] = {"description": "Made."}
    document = Document("a", operations({"/a": {"get": made}}), {})
    (said,) = [each for each in lint(document) if "not a status" in each.message]
    assert said.severity == "error"
    prepared, notes = prepare(document)
    assert [*prepared.data["paths"]["/a"]["get"]["responses"]] == ["200", "201"]
    assert [each.message for each in notes] == [f"{status}: not a status; read as 201"]


@pytest.mark.parametrize(
    "value", [{"$ref": "#/nowhere"}, {"$ref": "other.yaml"}, {"description": "x"}, [], "a", None]
)
@pytest.mark.parametrize("field", ["responses", "paths"])
def test_what_an_extension_says_beside_others_is_none_of_them(
    tmp_path: Path, field: str, value: Any
) -> None:
    def made(name: str, *, is_extended: bool) -> dict[str, str]:
        data = operations({"/a": {"get": operation("readA")}})
        around = data if field == "paths" else data["paths"]["/a"]["get"]
        if is_extended:
            around.setdefault(field, {})["x-note"] = value
        (tmp_path / name).mkdir()
        files, notes = generate(project(tmp_path / name, data))
        assert notes == []
        return {path: text for path, text in files.items() if path.startswith("client/src/")}

    assert made("extended", is_extended=True) == made("plain", is_extended=False)


def lone(**members: Any) -> dict[str, Any]:
    """A document of one operation, and other members."""
    return {**operations({"/a": {"get": operation("readA")}}), **members}


def prepared(data: Any) -> tuple[Any, list[str]]:
    """What is read of a document, and what is noted, each with its line."""
    text = json.dumps(data, indent=0)
    document, notes = prepare(loads(text, "d.yaml"))
    found = [*notes, *lint(document)]
    lines = text.splitlines()
    return document.data, [
        f"{lines[each.position.line - 1] if each.position else ''} {each.message}" for each in found
    ]


GOOD = {"url": "https://b.test"}
# A list or a map whose members describe: its place, a wrong member, and what else it has.
LISTS: tuple[tuple[Pointer, Any, Any], ...] = (
    (("servers",), {"url": 7}, [GOOD, {"url": "https://c.test"}]),
    (("servers",), {"url": "https://[b"}, [GOOD, {"url": "https://c.test"}]),
    (("servers",), 7, [GOOD]),
    (("paths", "/a", "servers"), {"url": 7}, [GOOD, {"url": "https://c.test"}]),
    (("paths", "/a", "get", "servers"), 7, [GOOD]),
    (("tags",), {"name": 7}, [{"name": "a"}, {"name": "b"}]),
    (("tags",), 7, [{"name": "a"}]),
    (("paths", "/a", "get", "tags"), 7, ["a", "b"]),
    (("security",), 7, [{"token": []}]),
    (("paths", "/a", "get", "security"), "token", [{}, {"token": []}]),
    (("components", "schemas", "Any", "examples"), {}, ["a", "b"]),
    (("paths", "/a", "get", "parameters"), 7, [{"name": "q", "in": "query", "schema": S}]),
    (
        ("paths", "/a", "get", "parameters"),
        {"name": "r", "in": "query", "schema": 7},
        [{"name": "q", "in": "query", "schema": S}],
    ),
    (("paths", "/a", "get", "responses"), 7, {"200": {"description": "d"}}),
    (("paths", "/a", "get", "responses", "200", "headers"), 7, {"X-A": {"schema": S}}),
    (("paths", "/a", "get", "responses", "200", "links"), 7, {"b": {"operationId": "readA"}}),
    (("components", "examples"), {"value": 1, "summary": 7}, {"b": {"value": 1}}),
)


@pytest.mark.parametrize(("place", "wrong", "others"), LISTS)
def test_a_wrong_member_of_a_list_costs_its_neighbours_nothing(
    place: Pointer, wrong: Any, others: Any
) -> None:
    data = lone(
        components={
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Any": {"type": "string"}},
            "examples": {},
        }
    )
    holder = found(data, place[:-1])
    places = [0, len(others)] if isinstance(others, list) else ["404"]
    for at in places:
        if isinstance(others, list):
            holder[place[-1]] = [*others[:at], wrong, *others[at:]]
        else:
            holder[place[-1]] = {at: wrong, **others}
        made, said = prepared(data)
        left = found(made, place)
        kept = left if isinstance(left, list) else {key: left[key] for key in others}
        assert kept == others
        assert any("left out" in each for each in said)
        # Nothing that is left is wrong, so no operation goes.
        assert not [each for each in lint(Document("d", made, {})) if each.severity == "error"]


def test_what_stands_behind_a_wrong_item_keeps_its_line() -> None:
    servers = [{"url": 7}, GOOD, {"url": "https://c.test", "description": 8}]
    made, said = prepared(lone(servers=servers))
    assert made["servers"] == [GOOD, {"url": "https://c.test"}]
    assert any("servers[0]: url 7 must be a text; left out" in each for each in said)
    assert any(each.startswith('"description": 8 description must be') for each in said)


@pytest.mark.parametrize("servers", [[{"url": 7}], [7]])
def test_an_operation_whose_only_server_is_wrong_is_sent_nowhere_else(servers: Any) -> None:
    data = lone()
    data["paths"]["/a"]["get"]["servers"] = servers
    document, _ = prepare(Document("d", data, {}))
    assert [each for each in lint(document) if each.severity == "error"]


def test_the_values_of_a_variable_are_texts() -> None:
    variables = {"port": {"default": 8443, "enum": [8443, "9", True]}}
    made, said = prepared(lone(servers=[{"url": "https://b.test:{port}", "variables": variables}]))
    assert made["servers"][0]["variables"]["port"] == {
        "default": "8443",
        "enum": ["8443", "9", "true"],
    }
    assert next(e for e in said if "is no text; read as one" in e).startswith('"default": 8443')


WRONG_WORDS = [
    *[
        (("components", "schemas", "Any", word), value)
        for word in ("externalDocs", "xml", "discriminator")
        for value in (7, "a", [], None)
    ],
    *[(("components", "schemas", "Any", "xml"), {word: 7}) for word in ("name", "wrapped")],
    (("components", "schemas", "Any", "externalDocs"), {"url": 7}),
    (("components", "schemas", "Any", "externalDocs"), {}),
    (("components", "schemas", "Any", "discriminator"), {"propertyName": "a", "mapping": 7}),
    (
        ("components", "schemas", "Any", "discriminator"),
        {"propertyName": "a", "mapping": {"b": 7, "c": "Any"}},
    ),
    (("externalDocs",), 7),
    (("info", "contact"), 7),
    (("info", "contact"), {"name": 7}),
    (("tags",), 7),
    (("security",), 7),
    (("security",), {"token": []}),
    (("security",), [{"token": 7}]),
]


@pytest.mark.parametrize(("place", "value"), WRONG_WORDS)
def test_a_describing_word_of_another_type_is_reported_and_mended(
    place: Pointer, value: Any
) -> None:
    data = lone(
        components={
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Any": {"type": "object"}},
        }
    )
    found(data, place[:-1])[place[-1]] = value
    before = {each.message for each in prepare(Document("d", lone(), {}))[1]}
    text = json.dumps(data, indent=0)
    assert [each for each in lint(loads(text, "d.yaml")) if each.severity == "error"]
    document, notes = prepare(loads(text, "d.yaml"))
    new = [each for each in notes if each.message not in before]
    assert new and all(each.position and each.position.line > 1 for each in new)
    assert not [each for each in lint(document) if each.severity == "error"]


@pytest.mark.parametrize("is_own", [True, False])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("undefined", "components.securitySchemes does not define undefined; not used: define it"),
        ("digest", "no request can carry digest; not used: one of the others will do"),
        ("tls", "the certificate is that of your http_client"),
    ],
)
def test_an_alternative_that_is_not_used_is_named(name: str, said: str, is_own: bool) -> None:
    schemes = {
        "token": {"type": "http", "scheme": "bearer"},
        "digest": {"type": "http", "scheme": "digest"},
        "tls": {"type": "mutualTLS"},
    }
    data = lone(components={"securitySchemes": schemes})
    holder = data["paths"]["/a"]["get"] if is_own else data
    holder["security"] = [{"token": []}, {name: []}]
    text = json.dumps(data, indent=0)
    document, notes = prepare(loads(text, "d.yaml"))
    (found,) = [e for e in [*notes, *lint(document)] if e.message.startswith("security[1]: ")]
    assert said in found.message and found.severity == "note"
    line = text.splitlines().index(f'"{name}": []')
    assert found.position and found.position.line == line


@pytest.mark.parametrize("wrong", [7, None, ["a"]])
@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("allOf", [{"type": "object"}]),
        ("anyOf", [S, {"type": "integer"}]),
        ("oneOf", [S, {"type": "integer"}]),
        ("prefixItems", [S]),
        ("properties", {"b": S}),
        ("patternProperties", {"^x": S}),
        ("dependentSchemas", {"b": {"minProperties": 1}}),
        ("dependentRequired", {"b": ["c"]}),
        ("required", ["b"]),
    ],
)
def test_what_is_no_schema_among_schemas_costs_no_more_than_itself(
    word: str, others: Any, wrong: Any
) -> None:
    if word == "dependentRequired" and isinstance(wrong, list):
        wrong = [7]
    if isinstance(others, list):
        held: Any = [others[0], wrong, *others[1:]]
    else:
        held = {"b": others.get("b"), "a": wrong} if "b" in others else {"a": wrong, **others}
    around = {"properties": {"b": S, "c": S, "7": S}} if word in ("required", "allOf") else {}
    schema = {**around, word: held}
    made, said = prepared(lone(components={"schemas": {"Any": schema}}))
    left = made["components"]["schemas"]["Any"][word]
    if word == "required" and wrong == 7:
        others = ["b", "7"]
    elif word == "prefixItems":
        others = [S, {}]
    elif word == "properties":
        others = {"b": S, "a": {}}
    elif word == "dependentRequired" and wrong == [7]:
        others = {**others, "a": []}
    assert left == others
    assert any(word in each or "a must be" in each or "a[0]" in each for each in said)
    assert not [each for each in lint(Document("d", made, {})) if each.severity == "error"]


def test_a_media_type_that_says_nothing_is_any_value() -> None:
    data = lone()
    response = data["paths"]["/a"]["get"]["responses"]["200"]
    response["content"] = {"application/json": None, "text/plain": 7, "a\x1b/b": {"schema": S}}
    made, said = prepared(data)
    content = made["paths"]["/a"]["get"]["responses"]["200"]["content"]
    assert content == {"application/json": {}, "*/*": {"schema": S}}
    for each in (
        "application/json says nothing",
        "text/plain must be an object",
        "no header holds",
    ):
        assert any(f"content: {each}" in text for text in said)


@pytest.mark.parametrize("reference", ["#/components/schemas/A#b", "#/components/schemas/%zz"])
def test_a_reference_that_is_no_uri_costs_no_run(reference: str) -> None:
    content = {"schema": {"$ref": reference}, "example": {"x": "a"}}
    thing = {"type": "object", "properties": {"x": S}, "example": {"x": 7}}
    data = lone(components={"schemas": {"A#b": thing, "%zz": thing}})
    data["paths"]["/a"]["get"]["responses"]["200"]["content"] = {"application/json": content}
    assert lint(Document("d", data, {}))  # as it stands, too
    made, said = prepared(data)
    assert any("is not a URI; read as" in each for each in said)
    assert any("x must be a string" in each or "example must be" in each for each in said)
    assert not [each for each in lint(Document("d", made, {})) if each.severity == "error"]


@pytest.mark.parametrize("wrong", [7, "a", ["a"], {"schemas": 7}, {"schemas": ["a"]}])
def test_a_document_of_our_manner_is_refused_without_a_traceback(wrong: Any) -> None:
    assert fuzzing.check(lone(components=wrong, **{"x-sections": {}})) == ""


@pytest.mark.parametrize(
    ("given", "left"),
    [(["a", {"k": []}, 7], [{"k": []}]), ([7, "a", {"k": []}, {}], [{"k": []}, {}]), (["a"], None)],
)
def test_alternatives_of_security_that_are_none_cost_no_other(given: Any, left: Any) -> None:
    data = operations({"/a": {"get": operation(security=given)}})
    data["components"]["securitySchemes"] = {"k": {"type": "apiKey", "in": "header", "name": "K"}}
    prepared, notes = prepare(Document("a", data, {}))
    assert prepared.data["paths"]["/a"]["get"].get("security") == left
    assert len(notes) == sum(not isinstance(each, dict) for each in given)
