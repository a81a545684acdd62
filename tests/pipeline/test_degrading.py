"""What is broken in a corner of a document costs that corner, and what clashes is decided."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx2
import pytest
from generate_support import on_path, operation, operations, project, write_package

from pipeline.codegen.write import MANIFEST
from pipeline.steps import generate

S = {"type": "string"}
NOWHERE = ["#/components/schemas/Nowhere", "./nowhere.yaml", "nowhere.yaml#/a/b"]
JSON = "application/json"
ID = {"name": "id", "in": "path", "required": True, "schema": S}


@contextmanager
def client_of(
    folder: Path, document: dict[str, Any], answer: httpx2.Response | list[httpx2.Response]
) -> Iterator[tuple[Any, list[httpx2.Request], str]]:
    """A client of a document of which nothing is left out; what it has sent, and its notes."""
    config = replace(project(folder, document, package="degraded"), on_uncarried="skip")
    files, notes = generate(config)
    assert [str(each) for each in notes if each.severity == "left out"] == []
    write_package(files, folder)
    sent: list[httpx2.Request] = []

    def respond(request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        return answer[len(sent) - 1] if isinstance(answer, list) else answer

    with on_path(folder, "degraded"):
        module = import_module("degraded")
        transport = httpx2.MockTransport(respond)
        client = module.Degraded(
            base_url="https://degraded.test", http_client=httpx2.Client(transport=transport)
        )
        yield client, sent, " ".join(map(str, notes))


@pytest.mark.parametrize("nowhere", NOWHERE)
def test_a_reference_to_nowhere_in_an_error_is_any_value(tmp_path: Path, nowhere: str) -> None:
    body = {"type": "object", "properties": {"meta": {"$ref": nowhere}, "n": {"type": "integer"}}}
    fine = {"type": "object", "properties": {"n": {"type": "integer"}}}
    one = operation("readA", answer=fine, body=fine)
    one["responses"] |= {
        status: {"description": "Bad.", "content": {JSON: {"schema": schema}}}
        for status, schema in (("400", body), ("5XX", {"$ref": "#/components/schemas/Problem"}))
    }
    pets = {
        name: {"type": "object", "required": ["kind"], "properties": {"kind": S, name: S}}
        for name in ("cat", "dog")
    }
    mapping = {name: f"#/components/schemas/{name}" for name in (*pets, "fox")}
    pet = {"oneOf": [{"$ref": mapping[name]} for name in pets]}
    pet["discriminator"] = {"propertyName": "kind", "mapping": mapping}  # type: ignore[assignment]
    paths = {"/a": {"post": one}, "/pet": {"get": operation("readPet", answer=pet)}}
    answer = httpx2.Response(200, json={"n": 2})
    document = operations(paths, Problem=body, **pets)
    document["components"]["parameterGroups"] = {"g": {"description": "Of no OpenAPI."}}
    with client_of(tmp_path, document, answer) as (client, sent, notes):
        result = client.things.read_a(n=1)
        assert result.n == 2
        assert json.loads(sent[0].content) == {"n": 1}
        assert notes.count("read as any value") == 2
        assert "schemas/fox leads nowhere; left out" in notes and "parameterGroups" in notes


@pytest.mark.parametrize("kind", [{}, {"type": "string"}, {"type": "integer"}])
@pytest.mark.parametrize("constant", [{"a": 0}, [0]])
def test_what_is_typed_as_any_value_keeps_what_is_said_of_it(
    tmp_path: Path, constant: Any, kind: dict[str, Any]
) -> None:
    """A constant that no type of Python stands for is sent as it is given, whatever it is."""
    marker = {"const": constant, **kind, "description": "How it is marked.", "example": constant}
    body = {"type": "object", "properties": {"n": {"$ref": "#/components/schemas/Marker"}}}
    document = operations({"/a": {"post": operation("writeA", body=body)}}, Marker=marker)
    with client_of(tmp_path, document, httpx2.Response(204)) as (client, sent, notes):
        assert "constant that is not a text, number or boolean: typed as any value" in notes
        assert "n: How it is marked." in inspect.getdoc(client.things.write_a)
        given: list[Any] = [constant, "other", 0, False]
        for each in given:
            client.things.write_a(n=each)
        assert [json.loads(each.content) for each in sent] == [{"n": each} for each in given]


def test_what_has_no_body_is_none(tmp_path: Path) -> None:
    """RFC 9110 §9.3.2, §15.3.5: whatever `content` says."""
    content = {JSON: {"schema": {"type": "object", "properties": {"n": S}}}}
    said = {"$ref": "#/components/responses/Gone"}
    ok = {"description": "Ok.", "content": content}
    paths = {
        "/a": {"delete": operation("dropA", responses={"204": said})},
        "/b": {"head": operation("headB", responses={"200": ok})},
        "/c": {"get": operation("readC", responses={"200": said})},
    }
    document = operations(paths)
    document["components"]["responses"] = {"Gone": {"description": "Gone.", "content": content}}
    with client_of(tmp_path, document, httpx2.Response(204)) as (client, _, notes):
        methods = {name: getattr(client.things, name) for name in ("drop_a", "head_b", "read_c")}
        returned = {
            name: inspect.signature(each).return_annotation for name, each in methods.items()
        }
        assert returned["drop_a"] == returned["head_b"] == "None" != returned["read_c"]
        assert methods["drop_a"]() is None and methods["head_b"]() is None
        assert "204 has no body" in notes and "HEAD has no body" in notes


def test_clashes_are_decided(tmp_path: Path) -> None:
    """A member of the only branch of a body, and values of an enumeration."""
    note = {"type": "object", "properties": {"id": S, "text": S}}
    by = {"type": "string", "enum": ["refresh.time", "refresh_time", "refresh_time"]}
    paths = {
        "/a/{id}": {"patch": operation("putA", parameters=[ID], body={"anyOf": [note]})},
        "/b": {"get": operation("readB", parameters=[{"name": "by", "in": "query", "schema": by}])},
    }
    with client_of(tmp_path, operations(paths), httpx2.Response(204)) as (client, sent, notes):
        client.things.put_a(path_id="1", id="2", text="x")
        assert sent[0].url.path == "/a/1" and json.loads(sent[0].content) == {
            "id": "2",
            "text": "x",
        }
        client.things.read_b(by="refresh_time")
        assert sent[1].url.query == b"by=refresh_time" and "is listed twice" in notes


@pytest.mark.parametrize(
    ("values", "word", "members", "said"),
    [
        (["None", "x", None], None, {"NONE": "None", "X": "x"}, ""),
        (["null", "x", None], None, {"NULL": "null", "X": "x"}, ""),
        ([None, "x", "y"], ["X", "X", "Y"], {"X": "x", "Y": "y"}, ""),
        ([1, 2, None], ["ONE", "TWO", "2nd"], {"ONE": 1, "TWO": 2}, ""),
        (["", "NULL", "null", None], None, {"VALUE_": "", "NULL": "NULL", "NULL_2": "null"}, ""),
        (["a", "A", 1.5], None, None, ""),
        ([1, "1"], None, None, ""),
        ([1, "1"], ["ONE", "TEXT"], None, "texts alone, or integers alone, have names"),
    ],
)
def test_only_members_of_an_enumeration_need_names(
    tmp_path: Path, values: list[Any], word: Any, members: dict[str, Any] | None, said: str
) -> None:
    """Null is none, nor are values of several types."""
    kind = {"enum": values, **({"x-enum-varnames": word} if word else {})}
    answer = {"type": "object", "properties": {"kind": kind}}
    document = operations({"/a": {"get": operation("readA", answer=answer)}})
    answers = [httpx2.Response(200, json={"kind": each}) for each in values]
    with client_of(tmp_path, document, answers) as (client, _, notes):
        read = [client.with_options(drift="raise").things.read_a().kind for _ in values]
        assert read == values
        if members is not None:
            shown = {each.name: each.value for each in type(read[-1] or read[0])}
            assert shown == members
        assert said in notes and (said or "varnames" not in notes or members)


def test_what_is_required_and_only_read_can_be_sent(tmp_path: Path) -> None:
    read_only = {"type": "string", "readOnly": True}
    reference = {
        "type": "object",
        "required": ["id", "type"],
        "properties": {"id": read_only, "type": S, "seen": read_only},
    }
    body = {"type": "object", "required": ["service"], "properties": {"service": reference}}
    paths = {"/a": {"post": operation("addA", body=body)}}
    with client_of(tmp_path, operations(paths), httpx2.Response(204)) as (client, sent, notes):
        for given in ({"type": "t"}, {"id": "1", "type": "t"}):
            client.things.add_a(service=given)
            assert json.loads(sent[-1].content) == {"service": given}
        with pytest.raises(ValueError, match="seen"):
            client.things.add_a(service={"type": "t", "seen": "now"})
        assert "id of AddABodyService is required and readOnly" in notes


def test_a_tag_counts_where_its_discriminator_stands(tmp_path: Path) -> None:
    """And where it does, a union says so, though its objects stand elsewhere with other values."""
    parts = {
        name: {"type": "object", "properties": {"kind": S, name.lower(): S}}
        for name in ("Flat", "Deep", "Odd")
    }
    refs = {name: {"$ref": f"#/components/schemas/{name}"} for name in parts}
    mapping = {"f": refs["Flat"]["$ref"], "d": refs["Deep"]["$ref"], "e": refs["Deep"]["$ref"]}
    told = {"propertyName": "kind", "mapping": mapping}
    either = {"oneOf": [*refs.values()], "discriminator": told}
    other = {"oneOf": [refs["Deep"], refs["Odd"]]}
    body = {"type": "object", "required": ["it"], "properties": {"it": either}}
    paths = {
        "/deep": {"get": operation("readDeep", answer=refs["Deep"])},
        "/either": {"get": operation("readEither", answer=either, body=body)},
        "/other": {"get": operation("readOther", answer=other)},
    }
    cases = [
        ("read_deep", {"kind": "x", "deep": "a"}, "Deep", 0),
        ("read_either", {"kind": "d"}, "Deep", 0),
        ("read_either", {"kind": "e"}, "Deep", 0),
        ("read_either", {"kind": "f"}, "Flat", 0),
        ("read_either", {"kind": "Odd"}, "Odd", 0),
        ("read_either", {"kind": "x", "deep": "a"}, "Deep", 1),
        ("read_other", {"kind": "x", "odd": "a"}, "Odd", 0),
    ]
    answers = [httpx2.Response(200, json=each) for _, each, _, _ in cases]
    with client_of(tmp_path, operations(paths, **parts), answers) as (client, sent, _):
        package = import_module("degraded")
        given = {"it": package.models.FlatInput(flat="x")}
        for method, value, name, drifts in cases:
            reported: list[object] = []
            options = client.with_options(drift="ignore", on_drift=reported.append)
            call = getattr(options.things, method)
            read = call(**given) if method == "read_either" else call()
            assert (type(read).__name__, read.kind, len(reported)) == (name, value["kind"], drifts)
        assert json.loads(sent[1].content) == {"it": {"kind": "f", "flat": "x"}}


_TOLD_APART = [{"v": {"const": 1}, "a": S}, {"v": {"const": True}, "b": S}, {"v": {"const": None}}]
_OF_TWO_NAMES = [{"car": {"const": "vw"}, "n": S}, {"pet": {"const": "cat"}, "n": S}]


@pytest.mark.parametrize(
    ("branches", "value", "read", "found"),
    [
        (_TOLD_APART, {"v": 1, "a": "x"}, 0, []),
        (_TOLD_APART, {"v": True, "b": "x"}, 1, []),
        (_TOLD_APART, {"v": None}, 2, []),
        (_TOLD_APART, {"v": 1.0, "a": "x"}, 0, [("$.v", "type")]),
        (_TOLD_APART, {"v": 7, "a": "x"}, 0, [("$.v", "unknown value")]),
        (_TOLD_APART, {"v": False, "b": "x"}, 1, [("$.v", "unknown value")]),
        (_OF_TWO_NAMES, {"car": "vw"}, 0, []),
        (_OF_TWO_NAMES, {"pet": "cat", "n": "x"}, 1, []),
        (_OF_TWO_NAMES, {"car": "opel"}, 0, [("$.car", "unknown value")]),
        (_OF_TWO_NAMES, {"pet": "cow", "n": "x"}, 1, [("$.pet", "unknown value")]),
        ([*_OF_TWO_NAMES, {"b": S}], {"car": "opel", "b": "x"}, 2, []),
        (_TOLD_APART[1:2], {"v": False}, 0, [("$.v", "unknown value")]),
        (_TOLD_APART[2:], {"v": 0}, 0, [("$.v", "type")]),
    ],
)
def test_constants_of_each_type_and_name_tell_a_union_apart(
    tmp_path: Path,
    branches: list[dict[str, Any]],
    value: dict[str, Any],
    read: int,
    found: list[tuple[str, str]],
) -> None:
    """True is not 1; a value of none is of the branch from which it differs least."""
    parts = {
        f"Part{index}": {"type": "object", "required": [next(iter(each))], "properties": each}
        for index, each in enumerate(branches)
    }
    union = {"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in parts]}
    document = operations({"/a": {"get": operation("readA", answer=union)}}, **parts)
    with client_of(tmp_path, document, httpx2.Response(200, json=value)) as (client, _, _):
        reported: list[Any] = []
        options = client.with_options(drift="ignore", on_drift=reported.append)
        result = options.things.read_a()
        assert type(result).__name__ == f"Part{read}"
        known = [each for each in reported if each.kind != "unknown field"]
        assert [(each.path, each.kind) for each in known] == found
        assert {name: result.stored(name) for name in value if hasattr(result, name)} == {
            name: each for name, each in value.items() if name in branches[read]
        }


@pytest.mark.parametrize("properties", [{}, {"properties": {"n": S}}])
@pytest.mark.parametrize(
    ("patterns", "others", "value"),
    [
        ({"^a": {"type": "integer"}}, {"additionalProperties": False}, {"aa": 2, "ab": 3}),
        ({"^a": {"type": "integer"}}, {}, {"aa": 2, "b": "x"}),
        ({"^a": {"type": "integer"}, "^b": S}, {"additionalProperties": False}, {"a": 2, "b": "x"}),
        ({"^a": True}, {"additionalProperties": False}, {"a": None}),
    ],
)
def test_members_by_a_pattern_are_documented(
    tmp_path: Path,
    properties: dict[str, Any],
    patterns: dict[str, Any],
    others: dict[str, Any],
    value: dict[str, Any],
) -> None:
    answer = {"type": "object", "patternProperties": patterns, **properties, **others}
    document = operations({"/a": {"get": operation("readA", answer=answer)}})
    came = {**dict.fromkeys(properties and ["n"], "x"), **value}
    with client_of(tmp_path, document, httpx2.Response(200, json=came)) as (client, _, _):
        read = client.with_options(drift="raise").things.read_a()
        assert (read.additional_properties if properties else read) == value
        if properties:
            assert read.n == "x" and read.to_dict(wire=True) == came


_TOO_MUCH = [
    ({"default": "ten", "type": "integer"}, "default must be an integer"),
    ({"default": "up", "enum": ["asc"]}, 'default must be "asc"'),
    ({"enum": "red", "type": "string"}, "enum must be an array"),
    ({"minimum": "x", "type": "integer"}, "minimum must be a number"),
]


@pytest.mark.parametrize(("schema", "said"), _TOO_MUCH)
@pytest.mark.parametrize("required", [False, True])
def test_what_only_limits_a_parameter_costs_no_more_than_itself(
    tmp_path: Path, schema: dict[str, Any], said: str, required: bool
) -> None:
    parameter = {"name": "q", "in": "query", "required": required, "schema": schema}
    document = operations({"/a": {"get": operation("readA", parameters=[parameter])}})
    with client_of(tmp_path, document, httpx2.Response(204)) as (client, sent, notes):
        value = 5 if schema.get("type") == "integer" else "asc"
        client.things.read_a(q=value)
        assert sent[0].url.params["q"] == str(value) and f"{said}" in notes


def test_a_choice_inside_of_a_branch_keeps_its_members(tmp_path: Path) -> None:
    def thing(**properties: Any) -> dict[str, Any]:
        return {"type": "object", "required": [*properties], "properties": properties}

    inner = {"oneOf": [thing(web={"type": "boolean"}), thing(phone=S, org=S)]}
    outer = {"oneOf": [{"allOf": [thing(kind={"const": "a"}), inner]}, thing(kind={"const": "b"})]}
    app = {"allOf": [thing(id=S), outer]}
    paths = {"/a": {"get": operation("readApp", answer=app)}}
    values = [{"web": True, "kind": "a"}, {"phone": "1", "org": "o", "kind": "a"}, {"kind": "b"}]
    answers = [httpx2.Response(200, json={"id": "1", **each}) for each in values]
    with client_of(tmp_path, operations(paths), answers) as (client, _, notes):
        for value in values:
            read = client.with_options(drift="raise").things.read_app()
            assert {name: getattr(read, name) for name in value} == value and read.id == "1"
        assert "is not checked" not in notes


def test_a_body_of_bytes_is_read_while_it_is_sent(tmp_path: Path) -> None:
    """From a path, a file or an iterator, as uploads are; nothing else is taken for one."""
    one = operation("send")
    binary = {"schema": {"type": "string", "format": "binary"}}
    one["requestBody"] = {"required": True, "content": {"application/octet-stream": binary}}
    path = tmp_path / "a.bin"
    path.write_bytes(b"abc" * 1_000_000)
    document = operations({"/a": {"put": one}})
    with client_of(tmp_path, document, httpx2.Response(204)) as (client, sent, _):
        progress: list[tuple[int, int | None]] = []
        with path.open("rb") as file:
            for body in (path.read_bytes(), path, str(path), file):
                client.things.send(body, progress=lambda *seen: progress.append(seen))
                assert sent[-1].read() == path.read_bytes() and progress[-1] == (3_000_000,) * 2
                assert sent[-1].headers["content-length"] == "3000000"
        client.things.send(each for each in (b"a", b"bc"))
        assert sent[-1].read() == b"abc" and "content-length" not in sent[-1].headers
        assert sent[-1].headers["content-type"] == "application/octet-stream"
        for wrong in ({"a": 1}, [1], 5, None, "nowhere.bin"):
            with pytest.raises(ValueError, match=r"body: (expected bytes|'nowhere.bin' can)"):
                client.things.send(wrong)


def test_arrays_of_a_query_say_where_they_end(tmp_path: Path) -> None:
    """Names with brackets where a word asks for them; commas of an item are percent-encoded."""
    lists = {"type": "array", "items": S}
    deep = {"name": "f", "in": "query", "style": "deepObject", "explode": True}
    both = {"type": "object", "properties": {"ids": lists, "n": S}}
    bare = {"name": "a", "in": "query", "explode": False, "schema": lists}
    shown = {**deep, "schema": both, "x-array-brackets": True}
    paths = {
        "/a": {"get": operation("readA", parameters=[{**deep, "schema": both}, bare])},
        "/b": {"get": operation("readB", parameters=[shown])},
    }
    with client_of(tmp_path, operations(paths), httpx2.Response(204)) as (client, sent, notes):
        client.things.read_a(f={"ids": ["1", "2"], "n": "x"}, a=["x,y", "z"])
        assert sent[-1].url.query == b"f%5Bids%5D=1&f%5Bids%5D=2&f%5Bn%5D=x&a=x%2Cy,z"
        client.things.read_b(f={"ids": ["1", "2"], "n": "x"})
        assert sent[-1].url.query.startswith(b"f%5Bids%5D%5B%5D=1&f%5Bids%5D%5B%5D=2&f%5Bn")
        assert notes.count("add x-array-brackets: true") == 1


def test_constants_are_sent_by_themselves(tmp_path: Path) -> None:
    """Where they are required, or their own default: a service chooses a branch by them."""
    web = {"type": "string", "const": "web"}
    known = {**web, "default": "web"}
    inner = {"type": "object", "required": ["must"], "properties": {"must": web, "usual": known}}
    properties = {"must": web, "usual": known, "one": {"enum": [3], "default": 3}, "may": web,
                  "odd": {**web, "default": "x"}, "n": S, "inner": inner}  # fmt: skip
    body = {"type": "object", "required": ["must", "n"], "properties": properties}
    either = operation("sendEither", body=body)
    either["requestBody"]["content"]["text/plain"] = {"schema": S}
    paths = {"/a": {"put": operation("sendA", body=body)}, "/b": {"put": either}}
    with client_of(tmp_path, operations(paths), httpx2.Response(204)) as (client, sent, _):
        module = import_module("degraded")
        by_itself = {"must": "web", "usual": "web", "one": 3}
        for given, held in (({}, {}), ({"inner": {}}, {"inner": {"must": "web", "usual": "web"}})):
            client.things.send_a("x", **given)
            assert json.loads(sent[-1].content) == {"n": "x", **by_itself, **held}
        client.things.send_a("x", usual=module.UNSET, one=module.UNSET, may="web")
        assert json.loads(sent[-1].content) == {"n": "x", "must": "web", "may": "web"}
        client.things.send_either(body="text")  # a constant chooses no body
        assert sent[-1].content == b"text"


@pytest.mark.parametrize("place", ["query", "header", "cookie"])
@pytest.mark.parametrize("kind", [{"const": "v1"}, {"enum": [2]}, {"const": True}])
def test_a_required_parameter_of_one_value_is_sent_by_itself(
    tmp_path: Path, place: str, kind: dict[str, Any]
) -> None:
    """One that may be missing is not; a path has it where it is given."""
    (value,) = (json.dumps(each).strip('"') for each in kind.get("enum", [*kind.values()][:1]))
    one = {"name": "X-One", "in": place, "required": True, "schema": kind}
    may = {"name": "X-May", "in": place, "schema": kind}
    other = {"name": "other", "in": "query", "required": True, "schema": S}
    document = operations({"/a": {"get": operation("readA", parameters=[one, may, other])}})
    with client_of(tmp_path, document, httpx2.Response(204)) as (client, sent, _):
        given = kind.get("const", 2)
        client.things.read_a("x")
        client.things.read_a("x", x_one=given, x_may=given)
        for request, names in zip(sent, (["X-One"], ["X-One", "X-May"]), strict=True):
            held = request.url.params if place == "query" else request.headers
            if place == "cookie":
                assert held["cookie"].split("; ") == [f"{name}={value}" for name in names]
                continue
            assert [held.get(name) for name in ("X-One", "X-May")[: len(names)]] == [
                value for _ in names
            ]
            assert ("X-May" in held) == ("X-May" in names)
        with pytest.raises(ValueError, match="x_one"):
            client.things.read_a("x", x_one="other")


@pytest.mark.parametrize("is_named", [False, True])
def test_a_key_makes_a_write_repeatable(tmp_path: Path, is_named: bool) -> None:
    """One for each call, the same for its retries; or that of the caller."""
    key = {"name": "Idempotency-Key", "in": "header", "required": True, "schema": S}
    small = {**key, "schema": {"type": "string", "maxLength": 10}}
    body = {"type": "object", "properties": {"n": S, "idempotency_key": S}}
    paid = operation("pay", body=body, parameters=[] if is_named else [key])
    if is_named:
        paid["x-idempotency-key"] = "Idempotency-Key"
    others = {"post": operation("payShort", parameters=[small]), "get": operation("readA")}
    broken_pattern = {**key, "schema": {"type": "string", "pattern": "[a-f"}}
    others["patch"] = operation("payOdd", parameters=[broken_pattern])
    broken, fine = httpx2.Response(503), httpx2.Response(204)
    answers = [broken, broken, fine, broken, fine, fine, broken]
    document = operations({"/a": {"post": paid}, "/b": others})
    with client_of(tmp_path, document, answers) as (client, sent, notes):
        module = import_module("degraded")
        quick = client.with_options(retries=module.Retries(first_pause=0))
        quick.things.pay(n="x")
        quick.things.pay(n="x")
        name = "header_idempotency_key"
        quick.things.pay(n="x", **{name: "mine"})
        keys = [each.headers["idempotency-key"] for each in sent]
        assert len({*keys[:3]}) == len({*keys[3:5]}) == 1 and len({*keys}) == 3
        assert keys[5] == "mine" and all(len(each) == 36 for each in keys[:5])
        with pytest.raises(module.OutcomeUnknown):
            quick.things.pay_short(idempotency_key="short")
        assert is_named or "Idempotency-Key is made for each call" in notes
        assert notes.count("Idempotency-Key takes no UUID") == 2


def test_the_body_of_an_error_is_its_documented_model(tmp_path: Path) -> None:
    """By operation and status, by range, or by `default`; None, and the bytes, of any other."""

    def bad(**properties: Any) -> dict[str, Any]:
        schema = {"type": "object", "required": [*properties], "properties": properties}
        return {"description": "Bad.", "content": {JSON: {"schema": schema}}}

    paths = {
        "/a": {"get": operation("readA", responses={"200": {"description": "Ok."},
               "404": bad(code=S), "4XX": bad(range={"type": "integer"}), "default": bad(any=S)})},
        "/b": {"get": operation("readB", responses={"200": {"description": "Ok."},
               "404": {"$ref": "#/components/responses/Gone"}})},
    }  # fmt: skip
    cases = [
        ("read_a", 404, {"code": "x"}, "NotFoundError", {"code": "x"}),
        ("read_a", 409, {"range": 5}, "ConflictError", {"range": 5}),
        ("read_a", 501, {"any": "z", "new": 1}, "ServerError", {"any": "z"}),
        ("read_b", 404, {"gone": "since"}, "NotFoundError", {"gone": "since"}),
        ("read_b", 404, "<html>", "NotFoundError", None),
        ("read_b", 400, {"gone": "x"}, "BadRequestError", None),
    ]
    document = operations(paths)
    document["components"]["responses"] = {"Gone": bad(gone=S)}
    answers = [httpx2.Response(status, json=value) for _, status, value, _, _ in cases]
    read = []
    with client_of(tmp_path, document, answers) as (client, _, _):
        module = import_module("degraded")
        for method, status, value, name, members in cases:
            with pytest.raises(getattr(module, name)) as caught:
                getattr(client.things, method)()
            body = caught.value.body
            read.append(type(body).__name__)
            assert caught.value.status == status
            assert json.loads(caught.value.exchange.body) == value
            if members is None:
                assert body is None
            else:
                assert {each: getattr(body, each) for each in members} == members
                assert body.to_dict(wire=True) == value
    of_a = ["ReadAError404", "ReadAError4XX", "ReadAErrorDefault"]
    assert read == [*of_a, "GoneBody", "NoneType", "NoneType"]


@pytest.mark.parametrize(
    ("path", "sent", "note"),
    [
        ("/a\nb", "/v1/a%0Ab", "a path has a character that no address holds: /a%0Ab is sent"),
        ("/a\r\nX-Y: 1", "/v1/a%0D%0AX-Y:%201", "/a%0D%0AX-Y: 1 is sent"),
        ("/a\x00\x1b?b=\x7f", "/v1/a%00%1B?b=%7F", "/a%00%1B?b=%7F is sent"),
        ("/a\u2028b\\c", "/v1/a%E2%80%A8b%5Cc", "/a%E2%80%A8b%5Cc is sent"),
        ("/a%zz/%2f%", "/v1/a%25zz/%2f%25", "/a%25zz/%2f%25 is sent"),
        ("/%2e%2E/b", "/v1/%2e%2E/b", "/%2e%2E/b: its encoded dots are sent as they are"),
        ("/a/.%2e", "/v1/a/.%2e", "its encoded dots are sent as they are"),
        ("/a/../b", "/v1/b", "/a/../b: its segments of dots are resolved when it is sent"),
        ("/a/./%2E?c=/../", "/v1/a/%2E?c=/../", "its segments of dots are resolved"),
        ("/../b", "/b", "/../b: its dots lead out of the base address when it is sent"),
        ("/a/../../b", "/b", "/a/../../b: its dots lead out of the base address"),
        ("/a b/é..", "/v1/a%20b/%C3%A9..", ""),
        ("/a//b?c=..", "/v1/a//b?c=..", ""),
    ],
)
def test_what_no_address_holds_is_encoded_and_named(
    tmp_path: Path, path: str, sent: str, note: str
) -> None:
    paths = {path: {"get": operation("readA", responses={"200": {"description": "Ok."}})}}
    config = replace(project(tmp_path, operations(paths), package="degraded"), on_uncarried="skip")
    files, notes = generate(config)
    said = [each for each in notes if each.rule != "description"]
    assert [note in each.message for each in said] == [True] * bool(note)
    assert not note or (said[0].position and said[0].position.line == 13)
    write_package(files, tmp_path)
    requests: list[httpx2.Request] = []

    def respond(request: httpx2.Request) -> httpx2.Response:
        requests.append(request)
        return httpx2.Response(200)

    with on_path(tmp_path, "degraded"):
        http = httpx2.Client(transport=httpx2.MockTransport(respond))
        module = import_module("degraded")
        module.Degraded(base_url="https://a.test/v1", http_client=http).things.read_a()
    assert [each.url.raw_path.decode() for each in requests] == [sent]


_PROBLEM = {"type": "object", "required": ["code"], "properties": {"code": S}}
_BODIES: list[tuple[dict[str, Any], str, object, object]] = [
    ({JSON: {"type": "array", "items": S}}, "list[str]", ["a"], {"a": 1}),
    ({JSON: {"type": "array", "items": {"type": "integer"}}}, "list[int]", [1], "x"),
    ({JSON: S}, "str", "gone", ["gone"]),
    ({JSON: {"type": "object", "additionalProperties": {"type": "integer"}}},
     "dict[str, int]", {"a": 1}, [1]),
    ({JSON: {"oneOf": [S, {"type": "array", "items": S}]}}, "list[str] | str", ["a"], {"a": "b"}),
    ({JSON: {"type": ["array", "null"], "items": S}}, "list[str]", ["a"], 5),
    ({"*/*": {"type": "array", "items": S}}, "list[str]", ["a"], {"a": 1}),
    ({"application/problem+json": {"type": "integer"}}, "int", 5, {"a": 1}),
]  # fmt: skip


def _errors(*contents: dict[str, Any]) -> dict[str, Any]:
    """Operations with an error each."""
    paths = {}
    for number, content in enumerate(contents):
        bad = {"description": "Bad.", "content": {n: {"schema": s} for n, s in content.items()}}
        answers = {"200": {"description": "Ok."}, "404": bad}
        paths[f"/p{number}"] = {"get": operation(f"read{number}", responses=answers)}
    return operations(paths)


@pytest.mark.parametrize(("content", "annotation", "value", "other"), _BODIES)
def test_the_body_of_an_error_need_not_be_an_object(
    tmp_path: Path, content: dict[str, Any], annotation: str, value: object, other: object
) -> None:
    answers = [httpx2.Response(404, json=each) for each in (value, other)]
    with client_of(tmp_path, _errors(content), answers) as (client, _, notes):
        module, read = import_module("degraded"), []
        for _ in answers:
            with pytest.raises(module.NotFoundError) as caught:
                client.things.read0()
            read.append(caught.value.body)
        assert read == [value, None]
        assert "read here as" not in notes
        assert f"def body(self) -> {annotation} | None:" in inspect.getsource(module.errors)


def test_the_body_of_an_error_may_be_text_or_a_list_of_models(tmp_path: Path) -> None:
    """Text is as it came, whatever it says; bytes and any value have no type."""
    contents = [
        {"text/plain": S},
        {JSON: {"type": "array", "items": _PROBLEM}, "text/plain": S},
        {"application/pdf": {"type": "string", "format": "binary"}},
        {JSON: {}},
    ]
    answers = [
        httpx2.Response(404, text='"gone"'),
        httpx2.Response(404, json=[{"code": "a"}, {"code": "b"}]),
        httpx2.Response(404, content=b"%PDF"),
        httpx2.Response(404, json=[1]),
    ]
    with client_of(tmp_path, _errors(*contents), answers) as (client, _, notes):
        bodies = []
        module = import_module("degraded")
        for number in range(len(contents)):
            with pytest.raises(module.NotFoundError) as caught:
                getattr(client.things, f"read{number}")()
            bodies.append(caught.value.body)
        text, problems, *others = bodies
        assert text == '"gone"' and others == [None, None]
        assert [(type(each).__name__, each.code) for each in problems] == [
            ("Read1Error404Item", "a"), ("Read1Error404Item", "b")
        ]  # fmt: skip
        assert "read here as" not in notes
        source = inspect.getsource(module.errors)
        assert "def body(self) -> list[Read1Error404Item] | str | None:" in source


def test_schemas_that_contain_themselves_have_the_members_of_all(tmp_path: Path) -> None:
    """By `allOf`, directly or by others: what contains itself adds nothing, and loses nothing."""
    a, b, c, own = (f"#/components/schemas/{name}" for name in ("A", "B", "C", "Own"))
    schemas = {
        "A": {"allOf": [{"$ref": b}], "type": "object", "properties": {"a": S}},
        "B": {
            "allOf": [{"$ref": c}, {"type": "object", "required": ["b"], "properties": {"b": S}}]
        },
        "C": {"allOf": [{"$ref": a}, {"$ref": c}, {"type": "object", "properties": {"c": S}}]},
        "Own": {"allOf": [{"$ref": own}, {"type": "object", "properties": {"n": S}}]},
    }
    paths = {
        "/a": {"post": operation("putA", answer={"$ref": a}, body={"$ref": c})},
        "/own": {"get": operation("readOwn", answer={"$ref": own})},
    }
    answers = [httpx2.Response(200, json=each) for each in ({"a": "1", "b": "2"}, {"n": "3"})]
    with client_of(tmp_path, operations(paths, **schemas), answers) as (client, sent, notes):
        result = client.things.put_a(a="1", b="2", c="3")
        assert json.loads(sent[0].content) == {"a": "1", "b": "2", "c": "3"}
        assert (result.a, result.b) == ("1", "2") and client.things.read_own().n == "3"
        assert notes.count("contains itself, which adds nothing") == 4


def test_lists_of_schemas_under_items_are_those_of_each_place(tmp_path: Path) -> None:
    one = {"type": "object", "properties": {"n": {"type": "integer"}}}
    pair = {"type": "array", "items": [S, one], "additionalItems": False}
    paths = {"/a": {"get": operation("readA", answer=pair)}}
    answer = httpx2.Response(200, json=["x", {"n": 1}])
    with client_of(tmp_path, operations(paths), answer) as (client, _, notes):
        text, item = client.things.read_a()
        assert text == "x" and item.n == 1 and "read as prefixItems" in notes


def test_references_from_the_root_of_a_schema_are_followed(tmp_path: Path) -> None:
    """As the schemas of other programs have them, with an `$id` and without."""
    inner = {"type": "object", "properties": {"n": S, "again": {"$ref": "#/$defs/Inner"}}}
    page = {
        "type": "object",
        "properties": {"inner": {"$ref": "#/$defs/Inner"}},
        "$defs": {"Inner": inner},
    }
    listed = {"type": "array", "items": {"$ref": "#/$defs/Inner"}, "$defs": {"Inner": inner}}
    named = {"$id": "https://named.invalid/page", **page}
    paths = {
        f"/{name}": {"get": operation(f"read{name}", answer=schema)}
        for name, schema in (("Page", page), ("Listed", listed), ("Named", named))
    }
    body = {"inner": {"n": "1", "again": {"n": "2"}}}
    answers = [httpx2.Response(200, json=each) for each in (body, [body["inner"]], body)]
    with client_of(tmp_path, operations(paths), answers) as (client, _, notes):
        assert client.things.read_page().inner.again.n == "2"
        assert client.things.read_listed()[0].again.n == "2"
        assert client.things.read_named().inner.again.n == "2"
        assert "leads nowhere" not in notes


def test_header_fields_that_cannot_be_sent_are_no_arguments(tmp_path: Path) -> None:
    names = ("X Y", "Content-Length", "transfer-encoding", "X-Fine")
    given = [{"name": name, "in": "header", "schema": S} for name in names]
    form: dict[str, Any] = operation("putB", answer={"type": "object"})
    schema = {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}
    headers = {"X-Part": {"$ref": "#/components/headers/Nowhere"}}
    encoding = {"file": {"headers": headers}}
    form["requestBody"] = {
        "content": {"multipart/form-data": {"schema": schema, "encoding": encoding}}
    }
    paths = {
        "/a": {"get": operation("readA", parameters=given, answer={"type": "object"})},
        "/b": {"post": form},
    }
    answer = httpx2.Response(200, json={})
    with client_of(tmp_path, operations(paths), answer) as (client, sent, notes):
        client.things.read_a(x_fine="1")
        assert sent[0].headers["x-fine"] == "1"
        parameters = inspect.signature(client.things.read_a).parameters
        assert list(parameters) == ["x_fine"]
        client.things.put_b(file=b"x")
        assert b"X-Part" not in sent[1].content
        assert "no header can have this name" in notes
        assert notes.count("the client sets this header") == 2
        assert "headers/Nowhere leads nowhere; left out" in notes


def test_a_form_without_fields_is_no_body(tmp_path: Path) -> None:
    """Beside another type it is left out; alone, its operation is; any value must be a mapping."""
    urlencoded, multipart = "application/x-www-form-urlencoded", "multipart/form-data"
    fields = {"type": "object", "properties": {"n": S}}
    bodies: dict[str, dict[str, Any]] = {
        "beside": {JSON: {"schema": fields}, urlencoded: {"schema": S}},
        "any": {urlencoded: {}},
        "parts": {multipart: {"schema": {}}},
        "text": {urlencoded: {"schema": S}},
        "files": {multipart: {"schema": {"type": "array", "items": S}}},
    }
    paths: dict[str, Any] = {}
    for name, content in bodies.items():
        one = operation(f"put_{name}", responses={"204": {"description": "Ok."}})
        paths[f"/{name}"] = {"post": one | {"requestBody": {"content": content}}}
    left = {name: paths.pop(f"/{name}") for name in ("text", "files")}
    answer = httpx2.Response(204)
    with client_of(tmp_path, operations(paths), answer) as (client, sent, notes):
        client.things.put_beside(n="x")
        assert json.loads(sent[0].content) == {"n": "x"} and "string none; left out" in notes
        client.things.put_any(body={"n": "x"})
        assert sent[1].content == b"n=x"
        for method in (client.things.put_any, client.things.put_parts):
            for wrong in ("n", ["n"], None, 5):
                with pytest.raises(ValueError, match="body: expected a mapping, the fields"):
                    method(body=wrong)
        assert len(sent) == 2
    (tmp_path / "left").mkdir()
    config = replace(
        project(tmp_path / "left", operations({f"/{n}": each for n, each in left.items()})),
        on_uncarried="skip",
    )
    reasons = [str(each) for each in generate(config)[1] if each.severity == "left out"]
    assert len(reasons) == 2 and all("a form has fields" in each for each in reasons)


def test_what_is_said_of_the_others_stays_where_an_operation_is_left_out(tmp_path: Path) -> None:
    """What was mended, above all: nobody else would say it."""
    broken: dict[str, Any] = {
        "type": "object", "properties": {"n": {"$ref": "#/components/schemas/Nowhere"}}
    }  # fmt: skip
    fine = operation("readA", answer={"type": "array", "items": [S]})
    fine["responses"]["400"] = {"description": "Bad.", "content": {JSON: {"schema": broken}}}
    nowhere = broken["properties"]["n"]
    paths = {"/a": {"get": fine}, "/b": {"get": operation("readB", answer=nowhere)}}
    config = replace(project(tmp_path, operations(paths)), on_uncarried="skip")
    notes = generate(config)[1]
    said = " ".join(map(str, notes))
    assert [each.severity for each in notes].count("left out") == 1
    assert "read as any value" in said and "read as prefixItems" in said
    lines = [str(each) for each in notes]
    assert len(lines) == len({*lines})


@pytest.mark.parametrize("number", ["1e400", "-1E+999", ".inf", "-.Inf", ".NaN", "9" * 5000])
@pytest.mark.parametrize("word", ["maximum", "minimum", "example", "default"])
def test_a_number_that_json_cannot_hold_costs_no_more(
    tmp_path: Path, word: str, number: str
) -> None:
    body = {"type": "object", "properties": {"n": {"type": "number", word: 25}}}
    document = operations({"/a": {"post": operation("writeA", body=body, answer=body)}})
    config = replace(project(tmp_path, document), on_uncarried="skip")
    text = config.sources[0].path.read_text()
    config.sources[0].path.write_text(text.replace(": 25", f": {number}", 1))
    files, notes = generate(config)
    assert "def write_a" in files["client/src/sample/resources/things.py"]
    (said,) = [each for each in notes if each.rule == "number"]
    assert said.severity == "note" and said.position and number[:20] in said.message
    assert "read as the nearest value" in said.message


def swagger_parameters(*parameters: dict[str, Any], **words: Any) -> dict[str, Any]:
    one = {**operation("writeA"), "parameters": [*parameters], **words}
    document = operations({"/a": {"post": one}})
    document["components"]["parameters"] = {"Held": {**BODY, "name": "held"}}
    return document


BODY = {"in": "body", "name": "b", "required": True, "schema": {"type": "array", "items": S}}
FIELD = {"in": "formData", "name": "f", "type": "integer"}
QUERY = {"in": "query", "name": "q", "schema": S}


@pytest.mark.parametrize(
    ("parameters", "given", "sent_as", "sent"),
    [
        ([BODY, QUERY], {"body": ["x"], "q": "y"}, JSON, b'["x"]'),
        ([QUERY, {"$ref": "#/components/parameters/Held"}], {"body": ["x"]}, JSON, b'["x"]'),
        ([FIELD], {"f": 3}, "application/x-www-form-urlencoded", b"f=3"),
    ],
)
def test_a_body_among_parameters_is_the_body(
    tmp_path: Path, parameters: list[Any], given: dict[str, Any], sent_as: str, sent: bytes
) -> None:
    document = swagger_parameters(*parameters)
    with client_of(tmp_path, document, httpx2.Response(200)) as (client, requests, notes):
        client.things.write_a(**given)
    assert requests[0].content == sent and requests[0].headers["Content-Type"] == sent_as
    assert "is a word of Swagger 2; read as requestBody" in notes


def test_a_body_among_the_parameters_of_a_path_is_that_of_its_writes(tmp_path: Path) -> None:
    """One that an operation has itself counts there; reading has none."""
    own = {"put": {"requestBody": {"content": {JSON: {"schema": {"type": "integer"}}}}},
           "patch": {"parameters": [{**BODY, "schema": S}]}}  # fmt: skip
    item: dict[str, Any] = {"parameters": [QUERY, BODY]}
    for method in ("get", "post", "put", "patch", "delete"):
        item[method] = {**operation(f"{method}A"), **own.get(method, {})}
    with client_of(tmp_path, operations({"/a": item}), httpx2.Response(200)) as made:
        client, requests, notes = made
        for method, body in {"post": ["x"], "put": 3, "patch": "y"}.items():
            getattr(client.things, f"{method}_a")(body=body, q="z")
        client.things.get_a(q="z")
        client.things.delete_a(q="z")
    sent = [each.content for each in requests]
    assert sent == [b'["x"]', b"3", b'"y"', b"", b""]
    assert {str(each.url.query, "ascii") for each in requests} == {"q=z"}
    assert "the body of a path is that of its post, put or patch" in notes


@pytest.mark.parametrize("is_shared", [True, False])
def test_a_parameter_whose_place_is_not_known_costs_no_more_than_itself(
    tmp_path: Path, is_shared: bool
) -> None:
    """Others are spelt otherwise; the first reader is shown none that it would refuse."""
    odd: list[Any] = [{**QUERY, "in": place, "name": f"x{index}"}
                      for index, place in enumerate(("querry", 7, None, "form"))]  # fmt: skip
    listed = [{"name": "id", "schema": S}, {**QUERY, "in": "Query"}, *odd, "q", None,
              {"$ref": "#/components/parameters/Odd"}]  # fmt: skip
    item: dict[str, Any] = {"get": operation("readA")}
    (item if is_shared else item["get"])["parameters"] = listed
    document = operations({"/a/{id}": item})
    document["components"]["parameters"] = {
        name: {**QUERY, "in": "nowhere", "name": name} for name in ("Odd", "Unused")
    }
    with client_of(tmp_path, document, httpx2.Response(200)) as (client, requests, notes):
        client.things.read_a("i", q="z")
        assert [*inspect.signature(client.things.read_a).parameters] == ["id", "q"]
    assert str(requests[0].url).endswith("/a/i?q=z")
    assert notes.count("left out") == 9
    assert 'in is "Query"; read as query' in notes and "refuses the document" not in notes


def test_a_required_parameter_whose_place_is_not_known_costs_its_operation(tmp_path: Path) -> None:
    odd = {**QUERY, "in": "matrix", "required": True}
    paths = {"/a": {"get": {**operation("readA"), "parameters": [odd]}},
             "/b": {"get": operation("readB")}}  # fmt: skip
    _, notes = generate(replace(project(tmp_path, operations(paths)), on_uncarried="skip"))
    (lost,) = [each for each in notes if each.severity == "left out"]
    assert lost.message.startswith('GET /a: in must be "query"')
    assert "refuses the document" not in " ".join(map(str, notes))


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ([BODY, {**BODY, "name": "c"}], {}),
        ([BODY, FIELD], {}),
        ([BODY], {"requestBody": {"content": {JSON: {"schema": S}}}}),
    ],
)
def test_a_body_that_may_be_either_is_not_chosen(
    tmp_path: Path, parameters: list[Any], words: dict[str, Any]
) -> None:
    document = swagger_parameters(*parameters, **words)
    _, notes = generate(replace(project(tmp_path, document), on_uncarried="skip"))
    (lost,) = [each for each in notes if each.severity == "left out" and each.rule != "empty"]
    assert lost.message.startswith("POST /a: in must be")


def test_what_no_request_can_carry_by_itself_is_up_to_the_caller(tmp_path: Path) -> None:
    """Where something else is offered, that is asked for."""
    needs: dict[str, list[Any]] = {
        "dropA": [{"digest": []}],
        "dropB": [{"digest": []}, {"key": []}],
    }
    paths = {f"/{name}": {"delete": {**operation(name), "security": need}}
             for name, need in needs.items()}  # fmt: skip
    document = operations(paths)
    document["components"]["securitySchemes"] = {
        "digest": {"type": "http", "scheme": "digest"},
        "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
    }
    sent: list[Any] = []

    def signed(attempt: Any, send: Any) -> Any:
        sent.append(attempt._replace(headers={**attempt.headers, "Authorization": "Digest x"}))
        return send(sent[-1])

    with client_of(tmp_path, document, httpx2.Response(200)) as (client, _, notes):

        def other(**given: Any) -> Any:
            http = httpx2.Client(transport=httpx2.MockTransport(lambda _: httpx2.Response(200)))
            address = "https://degraded.test"
            return type(client)(base_url=address, http_client=http, middleware=[signed], **given)

        other().things.drop_a()
        with pytest.raises(import_module("degraded").ConfigurationError, match="key"):
            other().things.drop_b()
        other(key="k").things.drop_b()
    assert [each.headers.get("X-Key") for each in sent] == [None, "k"]
    assert "no request can carry digest; a middleware can add it" in notes


@pytest.mark.parametrize("kind", ["mixed", "related"])
@pytest.mark.parametrize(
    "words",
    [
        {"itemSchema": {"type": "object"}, "itemEncoding": {"contentType": JSON}},
        {"schema": {"type": "array", "items": {}}, "prefixEncoding": [{"contentType": JSON}]},
        {"schema": {"type": "object"}},
    ],
)
def test_parts_without_fields_are_written_by_hand(
    tmp_path: Path, kind: str, words: dict[str, Any]
) -> None:
    media = f"multipart/{kind}"
    one = {**operation("writeA"), "requestBody": {"required": True, "content": {media: words}}}
    other = operation("readA")
    other["responses"]["200"] = {"description": "Parts.", "content": {media: words}}
    document = operations({"/a": {"post": one, "get": other}}) | {"openapi": "3.2.0"}
    given, told = b"--x\r\n\r\n{}\r\n--x--\r\n", f"{media}; boundary=x"
    answer = httpx2.Response(200, content=given, headers={"Content-Type": told})
    with client_of(tmp_path, document, answer) as (client, requests, notes):
        client.things.write_a(body=given, content_type=told)
        assert client.things.read_a() == given
    assert requests[0].headers["Content-Type"] == told and requests[0].content == given
    assert f"write its parts, and give content_type='{media}; boundary=…'" in notes
    assert "the boundary is in the header Content-Type, of with_raw_response" in notes


def test_alternatives_beside_a_reference_have_its_members(tmp_path: Path) -> None:
    """OpenAPI 3.1; in 3.0 they are ignored, and so are those that only limit, with a note each."""
    base = {"type": "object", "required": ["x"], "properties": {"x": S}}
    reference = {"$ref": "#/components/schemas/Base"}
    kinds = {name: {"const": name} for name in ("a", "b")}
    branches = [{"required": ["k"], "properties": {"k": kind}} for kind in kinds.values()]
    branches[1]["properties"] |= {"m": S}
    one = {**reference, "oneOf": branches, "minProperties": 2}
    limits = {**reference, "anyOf": [{"required": ["x"]}, {"required": ["y"]}]}
    paths = {
        "/a": {"get": operation("readA", answer=one)},
        "/b": {"get": operation("readB", answer=limits)},
    }
    for version, read, said in (
        ("3.1.0", ["ReadAResponseOption1", "ReadAResponseM"], "keywords beside `$ref`"),
        ("3.0.3", ["Base", "Base"], "oneOf: ignored beside $ref, as in 3.0"),
    ):
        (folder := tmp_path / version).mkdir()
        answers = [
            httpx2.Response(200, json=each)
            for each in ({"x": "1", "k": "a"}, {"x": "2", "k": "b", "m": "3"}, {"x": "4"})
        ]
        document = operations(paths, Base=base) | {"openapi": version}
        with client_of(folder, document, answers) as (client, _, notes):
            things = [client.things.read_a(), client.things.read_a(), client.things.read_b()]
            assert [type(each).__name__ for each in things] == [*read, "Base"]
            assert [each.x for each in things] == ["1", "2", "4"]
            assert things[1].to_dict(wire=True) == {"x": "2", "k": "b", "m": "3"}
            assert said in notes and "allOf/1" not in notes
            assert "by openapi-python-client as" not in notes or "beside `$ref`" in notes


def test_encodings_of_parts_without_names_are_named_where_they_say_nothing(tmp_path: Path) -> None:
    """Parts of a form have names; what is inside of a part is up to the caller."""
    schema = {"type": "object", "properties": {"n": S, "parts": S}}
    nested = {"parts": {"contentType": "multipart/mixed", "itemEncoding": {"contentType": JSON}}}
    paths = {}
    for name, words in (
        ("A", {"prefixEncoding": [{"contentType": JSON}]}),
        ("B", {"encoding": nested}),
    ):
        one = operation(f"send{name}", responses={"204": {"description": "Done."}})
        content = {"multipart/form-data": {"schema": schema, **words}}
        one["requestBody"] = {"required": True, "content": content}
        paths[f"/{name}"] = {"post": one}
    document = operations(paths) | {"openapi": "3.2.0"}
    with client_of(tmp_path, document, httpx2.Response(204)) as (client, sent, notes):
        client.things.send_a(n="x")
        client.things.send_b(n="y")
        assert [b'name="n"' in each.content for each in sent] == [True, True]
        assert "prefixEncoding: not used, since the parts have names: write it as encoding" in notes
        assert "itemEncoding: parts inside of a part are not written: give the part as" in notes


_HOOK = {"required": True, "content": {JSON: {"schema": {"type": "q"}}}}


@pytest.mark.parametrize(
    ("word", "entry", "reason"),
    [
        ("paths", None, "/bad must be an object, is null"),
        ("paths", [], "/bad must be an object, is an array"),
        ("paths", {"$ref": "gone.yaml"}, "cannot read the file"),
        ("paths", {"$ref": "#/components/pathItems/Gone"}, "leads nowhere"),
        ("webhooks", {"post": {"requestBody": _HOOK, "responses": {}}}, 'is "q"'),
        ("webhooks", {"$ref": "gone.yaml"}, "cannot read the file"),
        ("webhooks", None, "must be an object, is null"),
    ],
)
def test_what_goes_as_a_whole_is_listed(
    tmp_path: Path, word: str, entry: object, reason: str
) -> None:
    """On the terminal, in the README and in the manifest, as operations are."""
    ok = operation("readA", responses={"200": {"description": "Ok."}})
    document = operations({"/a": {"get": ok}})
    document.setdefault(word, {})["/bad" if word == "paths" else "bad"] = entry
    files, notes = generate(replace(project(tmp_path, document), on_uncarried="skip"))
    name = "/bad" if word == "paths" else "webhook bad"
    (gone,) = [each for each in notes if each.severity == "left out"]
    assert gone.message.startswith(f"{name}: ") and reason in gone.message
    assert gone.position and gone.pointer and gone.pointer[:1] == (word,)
    (row,) = [row for row in files["client/README.md"].splitlines() if f"| `{name}` |" in row]
    assert reason in row
    (reasons,) = json.loads(files[MANIFEST])["left_out"].values()
    assert reason in reasons[0]
    assert "def read_a(" in files["client/src/sample/resources/things.py"]


BINARY, PNG, JPEG = {"type": "string", "format": "binary"}, "image/png", "image/jpeg"
OCTETS = "application/octet-stream"


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize(
    ("schema", "said", "given", "sent_as"),
    [
        (BINARY, PNG, b"x", PNG),
        ({"type": "string", "contentMediaType": PNG}, None, b"x", PNG),
        ({"type": "string", "contentMediaType": PNG}, JPEG, b"x", JPEG),
        (BINARY, "text/csv; charset=utf-16", b"x", "text/csv; charset=utf-16"),
        (BINARY, None, b"x", OCTETS),
        (BINARY, f"{PNG}, {JPEG}", b"x", OCTETS),
        (BINARY, "image/*", b"x", OCTETS),
        (BINARY, PNG, ("a.jpg", b"x"), PNG),
        (BINARY, None, ("a.jpg", b"x"), JPEG),
        (BINARY, f"{PNG}, {JPEG}", ("a.jpg", b"x"), JPEG),
        (BINARY, PNG, ("a.none", b"x"), PNG),
        (BINARY, PNG, ("a.jpg", b"x", "image/gif"), "image/gif"),
    ],
)
def test_a_file_has_the_media_type_that_the_document_names(
    tmp_path: Path, schema: Any, said: str | None, given: Any, sent_as: str, many: bool
) -> None:
    """Unless the caller says which; where the document names none, or several, its name tells."""
    of_form = {"type": "array", "items": schema} if many else schema
    form = {"type": "object", "required": ["f"], "properties": {"f": of_form}}
    media = {"schema": form, **({"encoding": {"f": {"contentType": said}}} if said else {})}
    document = operations({"/a": {"post": operation("sendA")}})
    document["paths"]["/a"]["post"]["requestBody"] = {
        "required": True,
        "content": {"multipart/form-data": media},
    }
    with client_of(tmp_path, document, httpx2.Response(200)) as (client, sent, _):
        if isinstance(given, tuple):
            name, content, *kind = given
            given = import_module("degraded").File(content, name, content_type=(kind or [None])[0])
        client.things.send_a(f=[given, given] if many else given)
    parts = sent[0].content.split(b"\r\n")
    types = [each.decode() for each in parts if each.startswith(b"Content-Type: ")]
    assert types == [f"Content-Type: {sent_as}"] * (2 if many else 1)


def test_a_webhook_of_several_methods_is_read_by_all_without_a_note(tmp_path: Path) -> None:
    document = operations({"/a": {"get": operation("readA")}})
    body = {"content": {JSON: {"schema": {"type": "object", "properties": {"a": S}}}}}
    each = {"requestBody": body, "responses": {"200": {"description": "Ok."}}}
    document["webhooks"] = {"two": {"post": each, "put": each}, "one": {"put": each}}
    with client_of(tmp_path, document, httpx2.Response(200)) as (_, _, notes):
        webhooks = import_module("degraded.webhooks")
        for parse in (webhooks.parse_two, webhooks.parse_one, webhooks.parse):
            assert parse(b'{"a": "x"}', {}, verify=None).a == "x"
        assert "of the webhook" not in notes


@pytest.mark.parametrize(
    ("target", "beside", "read", "said"),
    [
        ("Text", "string", "str", ""),
        ("Text", "integer", "str", "`type` beside `$ref` is another than there, which leaves no"),
        ("Text", ["string", "null"], "str", ""),
        ("Number", "number", "float", ""),
        ("List", "object", "list[str]", "that of the reference is used"),
        ("Thing", "object", "Thing", ""),
        ("Thing", "string", "Thing", "keywords beside `$ref` are not checked: type"),
        ("Color", "string", "Color", ""),
    ],
)
def test_a_type_beside_a_reference_is_read_as_its_version_has_it(
    tmp_path: Path, target: str, beside: Any, read: str, said: str
) -> None:
    """In OpenAPI 3.1, both hold; in 3.0, it is ignored, and so the note says."""
    schemas: dict[str, Any] = {
        "Text": S,
        "Number": {"type": "number"},
        "List": {"type": "array", "items": S},
        "Thing": {"type": "object", "properties": {"x": S}},
        "Color": {**S, "enum": ["red", "blue"]},
    }
    member = {"$ref": f"#/components/schemas/{target}", "type": beside}
    answer = {"type": "object", "properties": {"a": member}}
    document = operations({"/a": {"get": operation("readA", answer=answer)}}, **schemas)

    for version, told in (
        ("3.1.0", said),
        ("3.0.3", "type: ignored beside $ref, as in 3.0"),
    ):
        (folder := tmp_path / version).mkdir()
        files, notes = generate(project(folder, document | {"openapi": version}))
        models = files["client/src/sample/models/things.py"]
        assert f"    a: {read} | None = MISSING" in models
        about = [each.message for each in notes if "beside" in each.message]
        assert len(about) == bool(told)
        assert not told or told in about[0]
