"""A corner of a document that is broken costs this corner alone, and has a note with its line."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from generate_support import operation, operations, project, sample
from test_degrading import client_of
from test_servers import address

from pipeline.openapi.documents import Document
from pipeline.openapi.problems import Finding
from pipeline.preparing import prepare
from pipeline.steps import generate

JSON = "application/json"
S = {"type": "string"}
N = {"type": "integer"}
NOWHERE = {"$ref": "#/components/schemas/Nowhere"}
BROKEN = [NOWHERE, {"$ref": "gone.yaml#/a"}, {"type": "strng"}, {"type": ["string", 5]},
          {"type": "array", "items": NOWHERE}, {"type": "array", "items": {"type": "strng"}},
          {"oneOf": [NOWHERE, N]}, {"oneOf": {"a": 1}}, {"additionalProperties": NOWHERE},
          {"allOf": 7}, {"properties": [1]}, {"$ref": "#/components/schemas/Broken"}]  # fmt: skip


def lost(folder: Path, document: dict[str, Any]) -> tuple[list[Finding], list[Finding]]:
    """What is left out of the client of a document, and all notes."""
    notes = generate(replace(project(folder, document), on_uncarried="skip"))[1]
    return [each for each in notes if each.severity == "left out"], notes


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_part_of_a_body_or_a_success_is_any_value(tmp_path: Path, broken: Any) -> None:
    whole = {"type": "object", "required": ["b"], "properties": {"a": broken, "b": N}}
    paths = {
        "/read": {"get": operation("readA", answer={"$ref": "#/components/schemas/Whole"})},
        "/list": {"get": operation("listA", answer={"type": "array", "items": whole})},
        "/write": {"post": operation("writeA", body=whole)},
    }
    document = operations(paths, Whole=whole, Broken={"type": "strng"})
    given: list[Any] = [{"x": 1}, {}] if "additionalProperties" in broken else ["x", {"n": [1]}, 5]
    if broken.get("type") == "array":
        given = [["x", {"n": 1}], []]
    for value in given:
        (folder := tmp_path / str(len([*tmp_path.iterdir()]))).mkdir()
        answers = [httpx2.Response(200, json=each)
                   for each in ({"a": value, "b": 2}, [{"a": value, "b": 3}], {})]  # fmt: skip
        with client_of(folder, document, answers) as (client, sent, notes):
            read, (item,) = client.things.read_a(), client.things.list_a()
            assert (read.b, item.b) == (2, 3)
            assert read.to_dict(wire=True)["a"] == item.to_dict(wire=True)["a"] == value
            client.things.write_a(a=value, b=1)
            assert json.loads(sent[-1].content) == {"a": value, "b": 1}
            assert "read as any value" in notes or "left out" in notes
            assert ("gone.yaml" in str(broken)) == ("cannot read the file" in notes)


@pytest.mark.parametrize("is_inner", [True, False])
@pytest.mark.parametrize(
    ("word", "value"),
    [("enum", [{"x": 1}, "x"]), ("enum", [[1]]), ("additionalProperties", "false"),
     ("additionalProperties", "perhaps"), ("additionalProperties", None),
     ("additionalProperties", [1]), ("unevaluatedProperties", "false"),
     ("patternProperties", {"[": S}), ("patternProperties", 5)],
)  # fmt: skip
def test_a_word_that_only_checks_costs_its_check(
    tmp_path: Path, word: str, value: Any, is_inner: bool
) -> None:
    broken = {"type": "object", "properties": {"n": N}, word: value}
    whole = {"type": "object", "properties": {"inner": broken}} if is_inner else broken
    paths = {
        "/a": {"get": operation("readA", answer=whole), "post": operation("writeA", body=whole)}
    }
    given = {"inner": {"n": 1}} if is_inner else {"n": 1}
    answer = httpx2.Response(200, json=given)
    with client_of(tmp_path, operations(paths), answer) as (client, sent, notes):
        read = client.things.read_a()
        assert (read.inner if is_inner else read).n == 1
        client.things.write_a(**given)
        assert json.loads(sent[-1].content) == given
        assert word in notes or "enumeration of objects" in notes


@pytest.mark.parametrize("name", ["x y", "plain"])
@pytest.mark.parametrize("value", ["x", 5, None, []])
def test_an_encoding_that_is_none_costs_itself(tmp_path: Path, name: str, value: Any) -> None:
    write = operation("writeA", body={"type": "object", "properties": {name: N, "n": N}})
    write["requestBody"]["content"][JSON]["encoding"] = {name: value}
    paths = {"/a": {"post": write}}
    with client_of(tmp_path, operations(paths), httpx2.Response(204)) as (client, sent, notes):
        client.things.write_a(n=1)
        assert json.loads(sent[-1].content) == {"n": 1}
        assert f"encoding of {name} must be an object" in notes


@pytest.mark.parametrize("broken", [NOWHERE, {"type": "strng"}])
def test_what_a_call_needs_as_a_whole_costs_its_operation(tmp_path: Path, broken: Any) -> None:
    """A parameter is written by its types; of what a request extends, no field could be given."""
    query = {"name": "q", "in": "query", "required": True}
    base = {"type": "object", "properties": {"x": S}}
    paths = {
        "/a": {"get": operation("readA", answer=broken)},
        "/b": {"post": operation("writeB", body=broken)},
        "/c": {"get": operation("readC", parameters=[{**query, "schema": broken}])},
        "/d": {"post": operation("writeD", body={"allOf": [base, broken]})},
        "/e": {"get": operation("readE", answer=base)},
    }
    left, _ = lost(tmp_path, operations(paths))
    assert [each.message[:7].strip(": ") for each in left] == [
        "GET /a", "POST /b", "GET /c", "POST /d"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "is_required"),
    [("true", True), ("yes", True), (1, True), ("false", False), ("maybe", False), ([], False),
     (None, False)],
)  # fmt: skip
def test_a_parameter_can_be_sent_whatever_is_said_of_its_need(
    tmp_path: Path, given: Any, is_required: bool
) -> None:
    query = {"name": "q", "in": "query", "required": given, "schema": S}
    paths = {"/a": {"get": operation("readA", parameters=[query])}}
    with client_of(tmp_path, operations(paths), httpx2.Response(204)) as (client, sent, notes):
        client.things.read_a(q="x")
        assert sent[0].url.query == b"q=x"
        (parameter,) = inspect.signature(client.things.read_a).parameters.values()
        assert (parameter.default is parameter.empty) is is_required
        assert "required must be a boolean" in notes or "required says nothing" in notes


@pytest.mark.parametrize(
    ("meant", "given"),
    [*((True, each) for each in ("true", " Yes ", "ON", "1", 1)),
     *((False, each) for each in ("false", "no", "Off", "0", 0))],
)  # fmt: skip
def test_a_flag_that_is_a_text_is_read_as_it_is_meant(given: Any, meant: bool) -> None:
    def document(flag: Any) -> dict[str, Any]:
        flags = {"explode": flag, "allowReserved": flag}
        schema = {"type": "object", "properties": {"a": S}, "additionalProperties": flag}
        media = {"schema": schema, "encoding": {"a": flags}}
        body = {"required": flag, "content": {"application/x-www-form-urlencoded": media}}
        query = {"name": "q", "in": "query", "schema": S, "required": flag, **flags}
        return operations({"/a": {"post": operation(parameters=[query], requestBody=body)}})

    prepared, _ = prepare(Document("d", document(given), {}))
    assert json.dumps(prepared.data["paths"]) == json.dumps(document(meant)["paths"])


@pytest.mark.parametrize(
    ("place", "word", "value"),
    [
        ("operation", "requestBody", None), ("operation", "parameters", None),
        ("operation", "servers", 7), ("operation", "servers", None),
        ("operation", "respones", {}), ("operation", "paramters", []),
        ("operation", "sumary", "It"), ("operation", "operationid", "x"),
        ("path", "gett", {"operationId": "other", "responses": {}}), ("path", "servers", 7),
        ("path", "pust", 5), ("path", "parameters", None),
    ],
)  # fmt: skip
def test_a_member_that_is_broken_costs_itself(
    tmp_path: Path, place: str, word: str, value: Any
) -> None:
    one = operation("writeA", answer={"type": "object", "properties": {"n": N}}, parameters=[])
    item: dict[str, Any] = {"put": one}
    (one if place == "operation" else item)[word] = value
    answer = httpx2.Response(200, json={"n": 2})
    with client_of(tmp_path, operations({"/a": item}), answer) as (client, sent, notes):
        assert client.things.write_a().n == 2
        assert str(sent[0].url) == "https://degraded.test/a"
        assert re.search(rf"{word}:? (not a member|says nothing|must be)", notes)


@pytest.mark.parametrize("word", ["paramters", "requestBdy", "respones", "securty"])
def test_a_member_that_is_spelt_wrong_and_decides_the_call_costs_it(
    tmp_path: Path, word: str
) -> None:
    one = operation("writeA") | {word: {}}
    if word == "respones":
        del one["responses"]
    (left,), _ = lost(tmp_path, operations({"/a": {"put": one}, "/b": {"get": operation("b")}}))
    assert f"{word}: not a member of an operation; did you mean" in left.message


@pytest.mark.parametrize("broken", [5, None, {"schema": NOWHERE}, {"schema": {"type": "strng"}}])
@pytest.mark.parametrize("other", ["text/csv", "application/xml"])
def test_a_broken_media_type_beside_json_costs_itself(
    tmp_path: Path, broken: Any, other: str
) -> None:
    thing = {"type": "object", "properties": {"n": N}}
    one = operation("writeA", answer=thing, body=thing)
    for each in (one["requestBody"], one["responses"]["200"]):
        each["content"][other] = broken
    document = operations({"/a": {"put": one}})
    answer = httpx2.Response(200, json={"n": 2})
    with client_of(tmp_path, document, answer) as (client, sent, notes):
        assert client.things.write_a(n=1).n == 2
        assert json.loads(sent[0].content) == {"n": 1} and other in notes
    (tmp_path / "alone").mkdir()
    if broken and broken != 5:
        del one["requestBody"]["content"][JSON]
        left, _ = lost(tmp_path / "alone", document)
        assert "PUT /a: " in left[0].message


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize(
    ("url", "variables", "why"),
    [
        ("https://{zone}.x.dev/{ver}", {"ver": {"default": "v1"}}, "declare zone among"),
        ("https://{a}.x.dev/{b}", {}, "declare a and b among"),
        ("/sandbox", {}, "write it with https and its host"),
    ],
)
def test_a_server_that_cannot_be_chosen_has_a_note(
    tmp_path: Path, url: str, variables: Any, why: str, is_first: bool
) -> None:
    fine = {"url": "https://fine.x.dev"}
    servers = [{"url": url, "variables": variables}, fine][:: 1 if is_first else -1]
    document = operations({"/a": {"get": operation("readA")}}) | {"servers": servers}
    said = [each for each in lost(tmp_path, document)[1] if "cannot be chosen" in each.message]
    if is_first and url == "/sandbox":
        assert not said  # the client says that its base address has to be given
        return
    (note,) = said
    assert note.message.startswith(f"servers[{0 if is_first else 1}]: ") and why in note.message
    text = (tmp_path / "document.yaml").read_text().splitlines()
    assert note.position and f'"url": "{url}"' in text[note.position.line - 1]


def test_a_parameter_of_two_forms_is_named(tmp_path: Path) -> None:
    two = {"name": "q", "in": "query", "required": True, "schema": S, "content": {JSON: {}}}
    left, _ = lost(tmp_path, operations({"/a": {"get": operation("a", parameters=[two])}}))
    assert "parameter q has both schema and content; only one is allowed" in left[0].message


@pytest.mark.parametrize(
    ("hosts", "named"),
    [
        (["[::1]:8080", "127.0.0.1"], ["::1", "127.0.0.1"]),
        (["10.0.0.1", "10.0.0.2:81"], ["10.0.0.1", "10.0.0.2"]),
        (["10.0.0.1:82", "10.0.0.1:81"], ["10.0.0.1", "10.0.0.1_2"]),
        (["1.shop.dev", "eu1.shop.dev"], ["1.shop.dev", "eu1"]),
    ],
)
@pytest.mark.parametrize("described", ["", "2", "東京"])
def test_a_server_that_only_numbers_tell_has_its_host_as_its_name(
    tmp_path: Path, hosts: list[str], named: list[str], described: str
) -> None:
    servers = [{"url": f"http://{host}/v1", "description": described} for host in hosts]
    document = operations({"/a": {"get": operation("readA")}}) | {"servers": servers}
    with sample(project(tmp_path, document)) as made:
        for host, name in zip(hosts, named, strict=True):
            assert address(made, server=name) == f"http://{host}/v1/a"


def _parameter(name: str, kind: str, place: str = "header") -> dict[str, Any]:
    return {"name": name, "in": place, "required": True, "schema": {"type": kind}}


def _paths_beside(item: dict[str, str]) -> dict[str, Any]:
    """Paths that refer to a path item, or to one that does, and have more beside that."""
    own = operation("ownGet") | {"servers": [{"url": "https://own.test"}]}
    more = [_parameter("id", "integer", "path"), _parameter("x-both", "integer")]
    return {
        "/a/{id}": {
            "$ref": item["$ref"], "summary": "More", "parameters": more,
            "servers": [{"url": "https://two.test"}],
        },
        "/b": {"$ref": item["$ref"], "post": operation("writeB"), "summary": "Two"},
        "/c": {"$ref": item["$ref"], "get": own},
        "/d/{id}": {"$ref": "#/components/pathItems/Way", "put": operation("putD")},
    }  # fmt: skip


@pytest.mark.parametrize("where", ["#/components/pathItems/Item", "item.json", "parts/item.yaml"])
def test_what_stands_beside_a_reference_of_a_path_is_joined_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    for name in ("two", "own"):
        monkeypatch.setenv(f"DEGRADED_{name.upper()}_URL", f"https://{name}.test")
    both = _parameter("x-both", "string")
    item = {"summary": "It", "parameters": [both], "get": operation("getIt")}
    way = {"$ref": where, "parameters": [_parameter("id", "integer", "path")]}
    document = operations(_paths_beside({"$ref": where}))
    document["components"] = {"pathItems": {"Way": way}}
    if where.startswith("#"):
        document["components"]["pathItems"]["Item"] = item
    else:
        (tmp_path / where).parent.mkdir(exist_ok=True)
        (tmp_path / where).write_text(json.dumps(item))
    with client_of(tmp_path, document, httpx2.Response(204)) as (client, sent, notes):
        things = client.things
        things.get_it(id=5, x_both=7)
        things.get_b(x_both="7")
        things.write_b(x_both="7")
        things.own_get(x_both="7")
        things.get_d_by_id(id=5, x_both="7")
        things.put_d(id=5, x_both="7")
        assert {each.headers["x-both"] for each in sent} == {"7"}
        assert [f"{each.method} {each.url}" for each in sent] == [
            "GET https://two.test/a/5", "GET https://degraded.test/b",
            "POST https://degraded.test/b", "GET https://own.test/c",
            "GET https://degraded.test/d/5", "PUT https://degraded.test/d/5",
        ]  # fmt: skip
        assert "not a member" not in notes
        assert notes.count("; this one is used") == 2
        for which in ("parameter x-both", "get"):
            assert f"{which}: stands here and where `$ref` leads" in notes


def _kept(place: str, broken: Any, needed: bool = False) -> dict[str, Any]:
    """A document with a broken component `Corner`, on which its two operations hang."""
    reference = {"$ref": f"#/components/{place.partition(' ')[0]}/Corner"}
    query = {"name": "q", "in": "query", "required": needed}
    bad = {"description": "Bad.", "content": {JSON: {"schema": reference}}}
    corner, error, more = broken, None, {}
    one = operation("readA", answer={"type": "object", "properties": {"n": N}})
    two = operation("writeB", body={"type": "object", "properties": {"n": N}})
    match place:
        case "parameters":
            corner, parameter = query | {"schema": broken}, reference
        case "schemas of a parameter":
            parameter = query | {"schema": reference}
        case "schemas in those of a parameter":
            more = {"List": {"type": "array", "items": reference}}
            parameter = query | {"schema": {"$ref": "#/components/schemas/List"}}
        case "responses":
            corner = {"description": "Bad.", "content": {JSON: {"schema": broken}}}
            error = reference
        case "schemas of an error":
            error = bad
        case "headers":
            corner = {"schema": broken}
        case _:
            reference = {"schema": reference}
    for each in (one, two):
        if "parameter" in place:
            each["parameters"] = [{"name": "r", "in": "query", "schema": S}, parameter]
        elif error:
            each["responses"]["400" if each is one else "default"] = error
        else:
            each["responses"][min(each["responses"])]["headers"] = {"X-Corner": reference}
    document = operations({"/a": {"get": one, "post": two}})
    components = document.setdefault("components", {})
    components.setdefault("schemas", {}).update(more)
    components.setdefault(place.partition(" ")[0], {})["Corner"] = corner
    return document


KEPT = ["parameters", "schemas of a parameter", "schemas in those of a parameter", "responses",
        "schemas of an error", "headers", "schemas of a header"]  # fmt: skip


@pytest.mark.parametrize("place", KEPT)
@pytest.mark.parametrize("broken", BROKEN[:-1])
def test_what_is_broken_among_components_costs_no_operation(
    tmp_path: Path, place: str, broken: Any
) -> None:
    left, notes = lost(tmp_path, _kept(place, broken))
    said = [each for each in notes if re.search("left out|read as any value", each.message)]
    assert not left and len(said) == 1
    lines = (tmp_path / "document.yaml").read_text(encoding="utf-8").splitlines()
    assert said[0].position and any('"Corner"' in each for each in lines[: said[0].position.line])


@pytest.mark.parametrize("place", KEPT)
def test_operations_whose_components_are_broken_are_called_without_these(
    tmp_path: Path, place: str
) -> None:
    document = _kept(place, {"type": "strng"})
    answer = httpx2.Response(200, json={"n": 2})
    with client_of(tmp_path, document, answer) as (client, sent, _):
        assert client.things.read_a().n == 2
        client.things.write_b(n=1)
        assert json.loads(sent[1].content) == {"n": 1}
        for method in (client.things.read_a, client.things.write_b):
            taken = inspect.signature(method).parameters
            assert ("r" in taken) is ("parameter" in place) and "q" not in taken


@pytest.mark.parametrize("place", KEPT[:3])
def test_a_parameter_that_is_needed_and_broken_among_components_costs_its_operations(
    tmp_path: Path, place: str
) -> None:
    left, _ = lost(tmp_path, _kept(place, {"type": "strng"}, needed=True))
    assert [each.message.partition(":")[0] for each in left] == ["GET /a", "POST /a"]


def test_the_address_of_a_server_of_numbers_has_a_telling_argument(tmp_path: Path) -> None:
    urls = {"a": "http://10.0.0.1/v1", "b": "http://10.0.0.2/v1", "c": "http://[::1]:81/v1"}
    paths = {
        f"/{name}": {"get": operation(f"read_{name}", servers=[{"url": url}])}
        for name, url in urls.items()
    }
    with client_of(tmp_path, operations(paths), httpx2.Response(204)) as (client, sent, _):
        for name in urls:
            getattr(client.things, f"read_{name}")()
        given = inspect.signature(type(client)).parameters
        assert {"host_10_0_0_1_url", "host_10_0_0_2_url", "host_1_url"} <= given.keys()
    assert [str(each.url) for each in sent] == [f"{url}/{name}" for name, url in urls.items()]


SCHEMES = [
    {"type": "apikey", "in": "header", "name": "K"}, {"type": "apiKey", "in": "header"},
    {"type": "apiKey", "in": "body", "name": "K"}, {"type": "http"}, {"type": 5}, {}, 5, None,
    {"$ref": "#/components/securitySchemes/Nowhere"}, {"type": "oauth2"},
    {"type": "openIdConnect"}, {"type": "oauth2", "flows": {"clientCredentials": {"scopes": {}}}},
]  # fmt: skip


def _secured(scheme: Any, listed: list[Any], is_of_each: bool) -> dict[str, Any]:
    one, two = operation("readA"), operation("readB")
    document = operations({"/a": {"get": one}, "/b": {"get": two}})
    for holder in (one, two) if is_of_each else (document,):
        holder["security"] = listed
    fine = {"type": "apiKey", "in": "header", "name": "X-Fine"}
    document.setdefault("components", {})["securitySchemes"] = {"k": scheme, "fine": fine}
    return document


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("is_of_each", [True, False])
def test_a_broken_security_scheme_costs_its_credential(
    tmp_path: Path, scheme: Any, is_of_each: bool
) -> None:
    left, notes = lost(tmp_path, _secured(scheme, [{"k": []}], is_of_each))
    said = [each for each in notes if re.search("is not sent|as a bearer", each.message)]
    assert not left and len(said) == 1 and not [each for each in notes if each.rule == "security"]
    assert said[0].pointer and said[0].pointer[:3] == ("components", "securitySchemes", "k")
    text = (tmp_path / "document.yaml").read_text().splitlines()
    assert said[0].position and said[0].position.line >= next(
        number for number, line in enumerate(text, 1) if '"k": ' in line and "[" not in line
    )


@pytest.mark.parametrize(
    ("listed", "sends"),
    [
        ([{"k": []}], False), ([{"k": []}, {"fine": []}], True),
        ([{"k": [], "fine": []}], True), ([{"fine": []}, {"fine": [], "k": []}], True),
    ],
)  # fmt: skip
@pytest.mark.parametrize("scheme", [SCHEMES[0], SCHEMES[1]])
def test_the_credentials_that_are_whole_are_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: Any, listed: Any, sends: bool
) -> None:
    monkeypatch.setenv("DEGRADED_FINE", "secret")
    document = _secured(scheme, listed, is_of_each=False)
    with client_of(tmp_path, document, httpx2.Response(204)) as (client, sent, _):
        client.things.read_a()
        assert sent[0].headers.get("x-fine") == ("secret" if sends else None)
        assert "authorization" not in sent[0].headers


@pytest.mark.parametrize("broken", BROKEN[:4])
def test_an_optional_parameter_is_named_also_where_its_schema_costs_an_operation(
    tmp_path: Path, broken: Any
) -> None:
    schema = {"schema": {"$ref": "#/components/schemas/Wrong"}}
    optional = [{"name": name, "in": "query", **schema} for name in "bc"]
    paths = {
        "/a": {"get": operation("readA") | {"parameters": optional}},
        "/d/{e}": {
            "get": operation("readD") | {"parameters": [{"name": "e", "in": "path", **schema}]}
        },
    }
    left, notes = lost(tmp_path, operations(paths, Wrong=broken))
    assert ["GET /d/{e}" in str(each) for each in left] == [True]
    (note,) = [str(each) for each in notes if "parameters b, c are left out" in str(each)]
    assert ("gone.yaml" in str(broken)) == ("cannot read the file" in note)
