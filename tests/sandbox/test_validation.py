"""Values held against the documents, and what people are told about those that do not fit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from wire import NETWORKS, NOTE, Wire, at_fault

from social_publishing_sandbox.api import validation
from social_publishing_sandbox.state import documents as contract
from social_publishing_sandbox.state.given import Unread
from social_publishing_sandbox.state.refusals import Reason, Refusal
from social_publishing_sandbox.state.service import Call
from tests.support.documents import limit_of

IDENTIFIER = "an identifier: a whole number of 64 bits, without leading zeros"
OPERATIONS = contract.load().operations
LONGEST, MOST = limit_of("replaceGroup", "name"), limit_of("getPosts", "ids", "maxItems")
Errors = dict[str, list[str]]


def refused(work: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        work()
    return caught.value


def body_errors(operation: str, value: object) -> Errors:
    content = value if isinstance(value, bytes) else orjson.dumps(value)
    refusal = refused(lambda: validation.body(OPERATIONS[operation], "application/json", content))
    assert refusal.reason is Reason.INVALID
    return refusal.errors


def query_errors(operation: str, query: str) -> Errors:
    path = {"post": "1", "group": "1", "calendarNote": "1"}
    return refused(
        lambda: validation.parameters(OPERATIONS[operation], path, query.encode(), {})
    ).errors


def group(**fields: object) -> dict[str, object]:
    return {"name": "n", "timezone": "UTC", **fields}


@pytest.mark.parametrize(
    ("operation", "value", "field", "sentence"),
    [
        ("createLabel", {}, "name", "The field name is required."),
        ("createLabel", {"name": 5}, "name", "The field name must be text."),
        ("createLabel", [], "body", "The body must be an object."),
        ("updatePost", {"content": 5}, "content", "The field content must be text or null."),
        (
            "updatePost",
            {"customized": {"twitter": {"media_ids": ["1", 2]}}},
            "customized.twitter.media_ids.1",
            "Entry 2 of the field media_ids must be text.",
        ),
        (
            "updatePost",
            {"pi_boards": {"a": {}}},
            "pi_boards",
            f"The field pi_boards has the name 'a', which must be {IDENTIFIER}.",
        ),
        (
            "updatePost",
            {"labelIds": ["x"]},
            "labelIds.0",
            f"Entry 1 of the field labelIds must be {IDENTIFIER}.",
        ),
        (
            "replaceGroup",
            group(name="x" * (LONGEST + 1)),
            "name",
            f"The field name may have at most {LONGEST} characters.",
        ),
        (
            "replaceGroup",
            group(week_start_day=7),
            "week_start_day",
            "The field week_start_day must be one of 0, 1, 2, 3, 4, 5, 6.",
        ),
        (
            "replaceGroup",
            group(max_social_accounts=0),
            "max_social_accounts",
            "The field max_social_accounts must be at least 1.",
        ),
    ],
)
def test_what_people_are_told_of_a_field(
    operation: str, value: object, field: str, sentence: str
) -> None:
    assert body_errors(operation, value)[field] == [sentence]


@pytest.mark.parametrize(
    ("operation", "query", "field", "sentence"),
    [
        ("getPosts", "", "ids", "The parameter ids is required."),
        ("getPosts", "ids=", "ids", "The parameter ids must have at least 1 entry."),
        (
            "getPosts",
            "ids=1,b",
            "ids.1",
            f"Entry 2 of the parameter ids must be {IDENTIFIER}.",
        ),
        (
            "getPosts",
            "ids=" + ",".join("1" * (MOST + 1)),
            "ids",
            f"The parameter ids may have at most {MOST} entries.",
        ),
        ("listPosts", "groupId=1&page=x", "page", "The parameter page must be a whole number."),
        (
            "listPosts",
            "groupId=1&page=%D9%A1",
            "page",
            "The parameter page must be a whole number.",
        ),
        ("listPosts", "groupId=1&page=0", "page", "The parameter page must be at least 1."),
        ("listPosts", f"groupId=1&page={'9' * 19}", "page", "The parameter page is too large."),
        ("listPosts", "groupId=1&groupId=2", "groupId", "The parameter groupId is given 2 times."),
        (
            "listPosts",
            "page=1",
            "socialAccountIds",
            "One of groupId or socialAccountIds is required.",
        ),
        (
            "deletePosts",
            f"ids=1&{NETWORKS}=yes",
            NETWORKS,
            f"The parameter {NETWORKS} must be true or false.",
        ),
    ],
)
def test_what_people_are_told_of_a_parameter(
    operation: str, query: str, field: str, sentence: str
) -> None:
    assert query_errors(operation, query)[field] == [sentence]


# Bodies that are no JSON


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "The request needs a JSON body."),
        (b"{", "unexpected end of data"),
        (b'{"name": NaN}', "unexpected character"),
        (b'{"name": Infinity}', "unexpected character"),
        (b'{"name": 1e999}', "infinity"),
        (b'{"name": "\\ud800"}', "surrogate"),
        (b'{"name": "a\x00b"}', "control character"),
        (b'\xef\xbb\xbf{"name": "a"}', "byte order mark"),
        (b'{"name": "\xe4"}', "byte 11 is not valid UTF-8"),
        ('{"name": "a"}'.encode("utf-16"), "byte 1 is not valid UTF-8"),
        (b"{'name': 'a'}", "line 1 column 2"),
        (b'{"name": "a",}', "line 1 column"),
        (b'{"name": "a"} x', "line 1 column 15"),
        (b"[" * 100_000, "depth"),
        (b'{"name": ' + b"[" * 100 + b"]" * 100 + b"}", "more than 64 levels deep"),
    ],
)
def test_what_is_no_json(content: bytes, reason: str) -> None:
    assert reason in body_errors("createLabel", content)["body"][0]


TYPES = (
    *("application/json", "Application/JSON ; Charset=UTF-8", 'application/json; charset="utf-8"'),
    *("application/json;charset=us-ascii", "application/json; v=1; charset=utf8", ""),
    *("application/json; charset=latin-1", "text/json", "text/plain; charset=utf-8"),
)
BODIES = (
    *("", " ", "{", '{"is_draft": 1}', '{"is_draft": true, "post_ids": ["1", 2]}', "[]", "null"),
    *('"\xff"', '{"is_draft": true, "post_ids": [9007199254740991.0]}'),
    *('{"is_draft": true, "post_ids": [9007199254740992.0]}', "1.0", "[1, 2.0, -0.0]"),
    *(f"{'[' * depth}{']' * depth}" for depth in (64, 65, 66)),
    '{"is_draft": true, "post_ids": [], "more": {"1": 1}}',
)


def test_what_is_said_of_a_body_and_on_what_it_rests(golden: Any) -> None:
    operation, lines = OPERATIONS["setPostsDraft"], []
    asked = [(kind, '{"is_draft": true, "post_ids": ["1"]}') for kind in TYPES]
    for kind, content in [*asked, *(("application/json", each) for each in BODIES)]:
        try:
            said = json.dumps(validation.body(operation, kind, content.encode("latin-1")))
        except Refusal as refusal:
            said = f"{json.dumps(refusal.errors)} {' '.join(refusal.cites)}"
            said = re.sub(r"(is not JSON: )(?!byte)[^\"]*", r"\1…", said)  # as the library says it
        lines.append(f"{kind} {json.dumps(content)} {said}\n")
    assert validation.body(OPERATIONS["deleteLabel"], "text/plain", b"{") == {}
    golden(Path(__file__).parent / "sessions" / "bodies.lines", "".join(lines))


@pytest.mark.parametrize(
    ("sent", "kept"),
    [(b"5", 5), (b"5.0", 5), (b"-0.0", 0), (b"5e2", 500), (b"9007199254740991.0", 2**53 - 1)],
)
def test_a_whole_number_is_one_however_it_is_written(sent: bytes, kept: int) -> None:
    content = b'{"publication_delay_between": ' + sent + b"}"
    found = validation.body(OPERATIONS["updatePost"], "application/json", content)
    assert found == {"publication_delay_between": kept}
    assert type(found["publication_delay_between"]) is int


@given(st.integers())
@example(2**63 - 1)
@example(2**63)
@example(-(2**63) - 2**12)
@example(10**30)
def test_an_integer_of_more_than_64_bits_is_refused(
    number: int,
) -> None:
    content = json.dumps({"publication_delay_between": number}).encode()
    fits = -(2**63) <= number < 2**63
    try:
        found = validation.body(OPERATIONS["updatePost"], "application/json", content)
    except Refusal as refusal:
        assert not fits
        assert list(refusal.errors) == ["publication_delay_between"]
        assert refusal.cites == ("limits.integers",)
    else:
        assert fits
        assert found == {"publication_delay_between": number}


# Moments


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("2026-12-01T09:00:00Z", True),
        ("2026-12-01t09:00:00z", True),
        ("2026-12-01T09:00:00.5+01:00", True),
        ("2026-12-01T09:00:00.123456789Z", True),
        ("9999-12-31T23:59:59-23:59", True),
        ("2026-12-01T09:00:00", False),
        ("2026-12-01 09:00:00Z", False),
        ("2026-12-01T09:00:00Z\n", False),
        ("2026-12-01T23:59:60Z", False),
        ("2026-12-01T09:00:00+24:00", False),
        ("2026-02-30T09:00:00Z", False),
        ("0000-01-01T00:00:00Z", False),
        ("20261201T090000Z", False),
    ],
)
def test_moments(text: str, fits: bool) -> None:
    content = orjson.dumps({**NOTE, "start_date": text})
    operation = OPERATIONS["replaceCalendarNote"]
    if fits:
        found = validation.body(operation, "application/json", content)
        assert found == {**NOTE, "start_date": text}
    else:
        assert "start_date" in body_errors("replaceCalendarNote", content)


# Very much that is wrong


def test_of_very_much_that_is_wrong_some_is_said() -> None:
    value = {"is_draft": True, "post_ids": ["a"] * 100_000}
    assert 200 < len(body_errors("setPostsDraft", value)) < 400


# Identifiers

BEYOND = (
    "18446744073709551616",
    "9" * 20,
    "9" * 21,
    "007",
    "00",
    "-1",
    "1.0",
    "1e3",
    "٣",
    " 1",
    "",
)


@pytest.mark.parametrize("identifier", BEYOND)
def test_an_identifier_has_64_bits_and_one_spelling(wire: Wire, identifier: str) -> None:
    for query in ("ids", "groupId"):
        path = f"/posts{'-bulk' * (query == 'ids')}?{query}={quote(identifier)}"
        assert query in at_fault(wire.get(path, 422))[0]
    body = {"is_draft": True, "post_ids": ["1", identifier]}
    refused = wire.post("/posts-bulk/draft", body, 422)
    assert at_fault(refused) == ["post_ids.1"]
    assert refused["message"] == f"Entry 2 of the field post_ids must be {IDENTIFIER}."


# Queries


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=4))
def test_parameters_that_nobody_knows_are_passed_over(given: dict[str, str]) -> None:
    from urllib.parse import urlencode

    unknown = {f"x{name}": value for name, value in given.items()}
    query = urlencode({"ids": "1,2", **unknown}).encode()
    assert validation.parameters(OPERATIONS["getPosts"], {}, query, {}) == {"ids": ["1", "2"]}


# Responses


def problems(status: int, value: object) -> list[str]:
    content = b"" if value is None else orjson.dumps(value)
    check = validation.ResponseCheck(contract.load().documents)
    return check.problems(OPERATIONS["createLabel"], status, content)


LABEL: dict[str, Any] = {
    "id": "1",
    "organization_id": "2",
    "group_id": None,
    "name": "a",
    "color": 3,
}


def test_responses() -> None:
    assert problems(200, LABEL) == []
    assert problems(422, {"message": "a", "errors": {"name": ["b"]}}) == []
    assert problems(418, LABEL) == ["createLabel documents no response with status 418"]
    assert problems(200, {**LABEL, "id": 1})[0].startswith("id: 1 is not of type")
    assert "the body is not JSON" in problems(200, None)[0]
    delete = OPERATIONS["deleteLabel"]
    check = validation.ResponseCheck(contract.load().documents)
    assert check.problems(delete, 204, b"") == []
    assert check.problems(delete, 204, b"{}") == ["status 204 documents no body"]


def test_so_many_problems_of_a_response_are_told() -> None:
    check = validation.ResponseCheck(contract.load().documents)
    operation = OPERATIONS["getPostsOverview"]
    counts = sorted(contract.load().main.schema("PostsOverview")["properties"])
    wrong = {"posts": 5}
    assert len(counts) == 6
    for number in (1, 6):
        value = {name: "x" if name in counts[:number] else 1 for name in counts}
        told = check.problems(operation, 200, orjson.dumps(value))
        assert told == [f'{name}: "x" is not of type "integer"' for name in counts[:number]]
    listed = OPERATIONS["listPostActivities"]
    empty = {"data": [], "links": [], "meta": {}}
    least = len(check.problems(listed, 200, orjson.dumps(empty)))
    for number in (10, 11, 12, 500):
        value = {**empty, "data": [1] * (number - least)}
        told = check.problems(listed, 200, orjson.dumps(value))
        assert len(told) == min(number, 11)
        assert number == 10 or told[10] == f"{number - 10} more"
    assert check.problems(listed, 404, orjson.dumps({"message": "No."})) == []
    assert check.problems(listed, 200, orjson.dumps(wrong)) != []
    with_default = replace(listed, responses={}, default={"type": "string"})
    check = validation.ResponseCheck(contract.load().documents)
    for status, said in ((399, f"{listed.id} documents no response with status 399"), (400, "")):
        assert check.problems(with_default, status, b'"a"') == [said] * bool(said)
    assert check.problems(with_default, 400, b"1")[0].startswith("body: 1 is not of type")


def test_with_nulls_what_is_optional_may_be_null() -> None:
    documents = contract.load().documents
    operation = contract.load().operations["getMediaStatus"]
    content = orjson.dumps({"media_id": "1", "status": "processing", "data": None, "error": None})
    strict = validation.ResponseCheck(documents).problems(operation, 200, content)
    open_ = validation.ResponseCheck(documents, nulls=True).problems(operation, 200, content)
    assert len(strict) == 2 and open_ == []


def test_what_is_wrong_far_behind_is_said_too() -> None:
    value = {"is_draft": True, "post_ids": [*["1"] * 10_000, "a"]}
    assert body_errors("setPostsDraft", value) == {
        "post_ids.10000": [f"Entry 10001 of the field post_ids must be {IDENTIFIER}."]
    }


KINDS: dict[str, Any] = {
    **{kind: {"type": kind} for kind in ("string", "integer", "number", "boolean", "object")},
    "flag": {"type": "boolean", "x-boolean-format": "yes/no"},
    "null or integer": {"type": ["null", "integer"]},
    "integer or text": {"type": ["integer", "string"]},
    "1 to 3": {"type": "integer", "minimum": 1, "maximum": 3},
    "texts": {"type": "array", "items": {"type": "string"}},
    "integers": {"type": "array", "items": {"type": "integer"}, "maxItems": 2},
    "numbers": {"type": "array", "items": {"type": ["null", "number"]}},
    "flags": {"type": "array", "items": {"type": "boolean", "x-boolean-format": "1/0"}},
}
TEXTS = {
    "string": ["", "1", " a+b%2Cc", "p=1"],
    "integer": ["", "-7", "+7", "7.0", f"{2**63 - 1}", f"{2**63}", f"-{2**63}", f"-{2**63 + 1}"],
    "number": ["", "-1", "1.25", "+1", ".5", "1e3", "nan", "9" * 18, "9" * 19, "0." + "1" * 18],
    "boolean": ["", "true", "false", "1", "True"],
    "object": ["", "a&p=b"],
    "flag": ["yes", "no", "true"],
    "null or integer": ["null", "5"],
    "integer or text": ["5"],
    "1 to 3": ["0", "1", "3", "4"],
    "texts": ["", "a,,b", "a b|c", "a&p=b"],
    "integers": ["1", "1,2", "1 2", "1|2", "1,2,3", "1,x", "1&p=2"],
    "numbers": ["1.5,2", "1.5,x"],
    "flags": ["1,0", "1&p=0", "true"],
}
STYLES: dict[str, Any] = {
    "": {},
    "form, not explode": {"style": "form", "explode": False},
    "spaceDelimited": {"style": "spaceDelimited"},
    "pipeDelimited": {"style": "pipeDelimited"},
    "pipeDelimited, explode": {"style": "pipeDelimited", "explode": True},
    "deepObject": {"style": "deepObject"},
}


def test_every_parameter_is_read_by_its_type_and_its_style(golden: Any) -> None:
    lines = []

    def ask(schema: Any, place: str, words: Any, **sent: Any) -> str:
        probe = {"name": "p", "in": place, "schema": schema, "x-section": "2.1", **words}
        data = {
            "servers": [{"url": "http://main.example/v1"}],
            "paths": {"/a": {"get": {
                **{"operationId": "probe", "x-section": "4.1", "parameters": [probe]},
                "responses": {"200": {"description": "Yes."}},
            }}},
        }  # fmt: skip
        operation = contract.Document("main", data).operations["probe"]
        try:
            values = validation.parameters(operation, {}, *sent.values())
        except Refusal as refusal:
            return f"{json.dumps(refusal.errors)} {' '.join(refusal.cites)}"
        return json.dumps(values)

    for kind, schema in KINDS.items():
        styles = STYLES if kind == "texts" else [*STYLES][:2] if schema["type"] == "array" else [""]
        for style in styles:
            for text in TEXTS[kind]:
                name = "p[x][]" if style == "deepObject" or kind == "object" else "p"
                query = f"{name}={text.replace('&p=', f'&{name}=')}"
                said = ask(schema, "query", STYLES[style], query=query.encode(), headers={})
                lines.append(f"{kind}{f' ({style})' * bool(style)} ?{query} {said}\n")
        for text in TEXTS[kind][1:2]:
            for place, headers in (("header", {b"p": text}), ("cookie", {b"cookie": f"p={text}"})):
                sent = {key: each.encode() for key, each in headers.items()}
                said = ask(schema, place, {}, query=b"", headers=sent)
                lines.append(f"{kind} in a {place}: {text} {said}\n")
    golden(Path(__file__).parent / "sessions" / "parameters.lines", "".join(lines))


@pytest.mark.parametrize(
    ("place", "query", "headers"),
    [
        ("query", b"X-Probe=3", {}),
        ("header", b"", {b"x-probe": b"3"}),
        ("cookie", b"", {b"cookie": b"other=1; X-Probe=3"}),
    ],
)
def test_a_parameter_in_any_place_is_read_or_named(
    place: str, query: bytes, headers: dict[bytes, bytes]
) -> None:
    of_query = next(each for each in OPERATIONS["listPosts"].parameters if each.name == "page")
    probe = replace(of_query, name="X-Probe", place=place)
    operation = replace(OPERATIONS["getPosts"], parameters=(probe,))
    values = validation.parameters(operation, {}, query, headers)
    assert (values.unread(), dict(values)) == (["X-Probe"], {"X-Probe": 3})
    call = Call(operation, {}, values, None, "", "")
    with pytest.raises(Unread, match="does not read X-Probe of getPosts"):
        call.check_read()
    assert values["X-Probe"] == 3
    call.check_read()
