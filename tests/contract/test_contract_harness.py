"""What the contract tests stand on: were one of these wrong, the others would prove nothing.

Schemathesis is asked for cases through doors that it does not promise to keep; what comes through
them is pinned here. Requests that other libraries have written are read as what they are, and
whatever is wrong with one is told.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import httpx2
import jsonschema_rs
import pytest
from schemathesis.generation.drivers import CoverageGenerator

from harness import edge_cases
from harness.calls import Unsayable, call_of
from harness.generation import Kind, Mirror, Plan, bodies, request_bodies, whole
from tests.support.documents import Json, Operation, Values, operations
from tests.support.wire import (
    ADDRESSES,
    TOKEN,
    Sent,
    comparable,
    difference,
    forbidden,
    form,
    read,
    same,
)

OPERATIONS = operations()
every_operation = pytest.mark.parametrize("identifier", OPERATIONS)

# Schemathesis


def test_the_generator_of_covering_cases_takes_what_it_took() -> None:
    parameters = inspect.signature(CoverageGenerator).parameters
    assert {
        "operation",
        "generation_modes",
        "generation_config",
        "auth_storage",
        "override",
        "feedback",
    } <= set(parameters)


SHELF = {
    "type": "object",
    "required": ["title"],
    "additionalProperties": False,
    "properties": {
        "title": {"type": "string", "minLength": 2, "maxLength": 5},
        "count": {"type": "integer", "minimum": 1, "maximum": 9},
        "kind": {"enum": ["novel", "poems", "plays"], "type": "string"},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
        "lent": {"type": "boolean"},
    },
}


@pytest.fixture(scope="module")
def shelf() -> Mirror:
    operation = {
        "requestBody": {"required": True, "content": {"application/json": {"schema": SHELF}}},
        "responses": {"200": {"description": "Any."}},
    }
    head = {"openapi": "3.1.0", "info": {"title": "Shelf", "version": "1"}}
    return Mirror({**head, "paths": {"/shelf": {"post": operation}}})


def _problems(body: Json) -> set[str]:
    """Return the properties of a shelf that do not fit; "" for the shelf itself."""
    found = jsonschema_rs.Draft202012Validator(SHELF).iter_errors(whole(body))
    return {str([*each.instance_path, ""][0]) for each in found}


def test_positive_cases_fit_and_reach_null_every_code_and_both_ends(shelf: Mirror) -> None:
    found = shelf.covering("shelf", "positive")
    assert all(not _problems(each) for each in found)

    def seen(name: str, of: Callable[[Any], Any] = lambda value: value) -> set[Any]:
        return {of(each[name]) for each in found if each.get(name) is not None}

    assert None in [each.get("note", "absent") for each in found]
    assert {"novel", "poems", "plays"} <= seen("kind")
    assert {2, 5} <= seen("title", len)
    assert {1, 9} <= seen("count")
    assert {1, 3} <= seen("tags", len)
    assert seen("lent") == {True, False}
    assert any(set(each) == {"title"} for each in found)
    assert any(set(each) == set(SHELF["properties"]) for each in found)


def test_negative_cases_break_each_property_alone(shelf: Mirror) -> None:
    found = [each for each in shelf.covering("shelf", "negative") if isinstance(each, dict)]
    # In some it is a header field that is wrong: whoever asks for such cases judges each himself.
    assert sum(not _problems(each) for each in found) < len(found) / 10
    alone = [names.pop() for each in found if len(names := _problems(each)) == 1]
    assert set(SHELF["properties"]) <= set(alone)
    assert any("title" not in each for each in found)
    assert any(set(each) - set(SHELF["properties"]) for each in found)


KINDS: tuple[Kind, ...] = ("positive", "negative")


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_makes_the_same_cases_and_another_seed_others(
    shelf: Mirror, kind: Kind
) -> None:
    first, again, other = ([*bodies(shelf, "shelf", kind, Plan(30, seed))] for seed in (7, 7, 8))
    assert first == again != other
    assert len(first) == len({json.dumps(each, sort_keys=True) for each in first})


@every_operation
def test_every_operation_has_cases_of_both_kinds(identifier: str) -> None:
    operation = OPERATIONS[identifier]
    good = [each for each in request_bodies(operation, "positive", Plan(0)) if each is not None]
    bad = [*request_bodies(operation, "negative", Plan(0))]
    assert any(not forbidden(operation, each) for each in good)
    assert bad


# Reading what left


def _by_httpx2(method: str, url: str, headers: dict[str, str], body: dict[str, Any]) -> Sent:
    request = httpx2.Request(method, url, headers=headers, **body)
    items = [(name.lower(), value) for name, value in request.headers.multi_items()]
    return Sent(request.method, str(request.url), items, request.read())


def written(operation: Operation, values: Values) -> Sent:
    """Return a request of these values, as it is written by hand and by another library."""
    path, query, body = operation.path, [], {}
    files = {}
    for key, value in values.items():
        name = operation.arguments[key].name
        match operation.arguments[key].location:
            case "path":
                path = path.replace(f"{{{name}}}", _quoted(value))
            case "query" if value != []:
                texts = value if isinstance(value, list) else [value]
                query.append(f"{name}={','.join(map(_quoted, texts))}")
            case "body":
                body[name] = value
            case "form":
                files[name] = (value["name"], value["content"].encode("latin-1"))
    url = f"{ADDRESSES[operation.document.name]}{path}{'?' if query else ''}{'&'.join(query)}"
    content = {"files": files} if files else {"json": body} if operation.media_type else {}
    headers = {"Accept": "application/json", "Authorization": f"Bearer {TOKEN}"}
    return _by_httpx2(operation.method, url, headers, content)


def _quoted(value: Json) -> str:
    return quote(value if isinstance(value, str) else json.dumps(value), safe="")


@every_operation
def test_what_another_library_writes_is_read_as_it_was_given(identifier: str) -> None:
    operation = OPERATIONS[identifier]
    cases = [each for each in edge_cases.requests(operation) if not forbidden(operation, each)]
    assert cases
    for values in cases:
        seen = read(written(operation, values))
        assert (seen.operation, seen.problems) == (operation, []), values
        expected, found = comparable(operation, values), comparable(operation, seen.values)
        assert difference(expected, found) == []


@every_operation
def test_what_is_forbidden_is_reported_when_it_is_read(identifier: str) -> None:
    """Or it has become something else on its way: the texts of a query have no types."""
    operation, told = OPERATIONS[identifier], 0
    for values in edge_cases.requests(operation):
        if forbidden(operation, values) and _can_be_written(operation, values):
            seen = read(written(operation, values))
            same_as_given = same(values, seen.values)
            assert seen.problems or not same_as_given, values
            told += bool(seen.problems)
    assert told


def _can_be_written(operation: Operation, values: Values) -> bool:
    required = {key for key, each in operation.arguments.items() if each.required}
    return required <= set(values) and not any(
        value in ("", None) for key, value in values.items() if key.startswith("path.")
    )


LIST = OPERATIONS["listPosts"]
UPDATE = OPERATIONS["updatePost"]
UPLOAD = OPERATIONS["uploadMedia"]
GOOD = {
    "list": written(LIST, {"query.groupId": "1", "query.include": ["media", "labels"]}),
    "update": written(UPDATE, {"path.post": "1", "body.content": "Hi", "body.isDraft": False}),
    "upload": written(UPLOAD, edge_cases.plain_request(UPLOAD)),
}


def _url(old: str, new: str) -> Callable[[Sent], Sent]:
    return lambda sent: replace(sent, url=sent.url.replace(old, new))


def _body(old: str, new: str) -> Callable[[Sent], Sent]:
    def change(sent: Sent) -> Sent:
        body = sent.body.replace(old.encode(), new.encode())
        assert body != sent.body
        return _header("content-length", str(len(body)))(replace(sent, body=body))

    return change


def _header(name: str, value: str | None) -> Callable[[Sent], Sent]:
    def change(sent: Sent) -> Sent:
        kept = [pair for pair in sent.headers if pair[0] != name]
        return replace(sent, headers=[*kept, *([(name, value)] if value is not None else [])])

    return change


BROKEN: list[tuple[str, Callable[[Sent], Sent], str]] = [
    ("list", lambda sent: replace(sent, method="POST"), "no operation is POST /posts"),
    ("list", _url("/v1/", "/v2/"), "at neither"),
    ("list", _url("/posts?", "//posts?"), "no operation is GET //posts"),
    ("list", _url("groupId=1", "groupId=1&groupId=2"), "query.groupId: is there 2 times"),
    ("list", _url("media,labels", "media&include=labels"), "query.include: is there 2 times"),
    ("list", _url("groupId", "groupid"), "query.groupid: is not documented"),
    ("list", _url("groupId=1", "groupId=one"), "query.groupId"),
    ("list", _url("groupId=1&", ""), "groupId or socialAccountIds: at least one must be given"),
    ("list", lambda sent: replace(sent, url=f"{sent.url}&page=0"), "query.page"),
    ("list", lambda sent: replace(sent, url=f"{sent.url}&page=01"), "query.page"),
    ("list", lambda sent: replace(sent, body=b"{}"), "body: none is documented"),
    ("list", _header("accept", None), "header accept"),
    ("list", _header("authorization", None), "header authorization"),
    ("list", _header("authorization", f"bearer {TOKEN}"), "header authorization"),
    ("list", _header("x-request-id", "7"), "header x-request-id: is not documented"),
    (
        "list",
        lambda sent: replace(sent, headers=[*sent.headers, ("accept", "application/json")]),
        "header accept: is there 2 times",
    ),
    ("update", _url("/posts/1", "/posts/"), "path.post"),
    ("update", _url("/posts/1", "/posts/%31%2F"), "path.post"),
    ("update", _url("/posts/1", "/posts/1?page=1"), "query.page: is not documented"),
    ("update", _header("content-type", None), "header content-type"),
    ("update", _header("content-type", "application/json; charset=utf-8"), "header content-type"),
    ("update", _header("content-length", "3"), "header content-length"),
    ("update", _body('"Hi"', "7"), "body.content"),
    ("update", _body('"Hi"', "NaN"), "NaN is no JSON"),
    ("update", _body("content", "contents"), "body.contents: is not documented"),
    ("update", _body("false", '"false"'), "body.isDraft"),
    ("update", _body("}", ',"content":null}'), "a name is there twice"),
    ("update", _body("}", ""), "body: "),
    ("update", lambda sent: _header("content-length", "2")(replace(sent, body=b"[]")), "no object"),
    ("update", lambda sent: _header("content-length", "0")(replace(sent, body=b"")), "body: "),
    ("upload", _header("content-type", "multipart/form-data"), "no form with a boundary"),
    ("upload", _body('name="file"', 'name="files"'), "form.files: is not documented"),
    ("upload", _body(".heic", ".exe"), "form.file: 'exe' is none of"),
]


@pytest.mark.parametrize(("name", "change", "told"), BROKEN)
def test_whatever_is_wrong_with_a_request_is_reported(
    name: str, change: Callable[[Sent], Sent], told: str
) -> None:
    assert read(GOOD[name]).problems == []
    broken = change(GOOD[name])
    assert broken != GOOD[name]
    assert any(told in each for each in read(broken).problems), read(broken).problems


def test_a_form_has_each_part_once() -> None:
    once = GOOD["upload"]
    end = once.body.rindex(b"--" + once.body.split(b"\r\n")[0][2:] + b"--")
    twice = replace(once, body=once.body[:end] + once.body)
    with pytest.raises(ValueError, match="the part 'file' is there twice"):
        form(_header("content-length", str(len(twice.body)))(twice))


@pytest.mark.parametrize(
    ("expected", "came", "told"),
    [
        ({"a": 1}, {}, ["a: did not leave"]),
        ({}, {"a": None}, ["a: null, where nothing was given"]),
        ({"a": 1}, {"a": True}, ["a: true"]),
        ({"a": [1, 2]}, {"a": [2, 1]}, ["a: [2, 1]"]),
        ({"a": {"b": None}}, {"a": {}}, ["a: {}"]),
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 2, "b": 1}}, []),
    ],
)
def test_what_two_requests_do_not_share_is_reported(
    expected: Values, came: Values, told: list[str]
) -> None:
    assert difference(expected, came) == told


# Judging requests


@pytest.mark.parametrize(
    ("identifier", "values", "reasons"),
    [
        # x-required-any
        ("listPosts", {}, ["at least one must be given"]),
        ("listPosts", {"query.socialAccountIds": []}, ["at least one must be given"]),
        ("listPosts", {"query.socialAccountIds": ["1"]}, []),
        ("listPosts", {"query.groupId": "1"}, []),
        # x-extensible-enum
        ("listPosts", {"query.groupId": "1", "query.include": ["neverHeardOf"]}, []),
        # x-datetime-format
        ("updatePost", {"path.post": "1", "body.publication_date": "2028-02-29T23:59"}, []),
        *(
            ("updatePost", {"path.post": "1", "body.publication_date": text}, ["publication_date"])
            for text in (
                "2027-02-29T23:59",
                "2028-02-29T24:00",
                "2028-02-29 23:59",
                "2028-02-29T23:59:00",
                "2028-02-29T23:59Z",
                "2028-2-29T23:59",
                None,
                0,
            )
        ),
        ("updatePost", {"path.post": "1", "body.gb_start_date": "2028-02-29 23:59:59"}, []),
        ("updatePost", {"path.post": "1", "body.gb_start_date": "2028-02-29 23:59"}, ["gb_start"]),
        # What is not documented, and what is missing
        ("updatePost", {"path.post": "1", "body.status": 5}, ["body.status: is not documented"]),
        ("setPostsDraft", {"body.is_draft": True}, ["body.post_ids: is missing"]),
        # An enumeration as names
        ("updatePost", {"path.post": "1", "body.customized": {"linkedin_page": {}}}, []),
        ("updatePost", {"path.post": "1", "body.customized": {"myspace": {}}}, ["body.customized"]),
        # Limits, at both ends
        ("getPosts", {"query.ids": ["1"] * 200}, []),
        ("getPosts", {"query.ids": ["1"] * 201}, ["query.ids"]),
        ("getPosts", {"query.ids": []}, ["query.ids: is missing"]),
        ("getPosts", {"query.ids": ["1" * 21]}, ["query.ids"]),
        ("getPosts", {"query.ids": ["٣"]}, ["query.ids"]),
    ],
)
def test_the_words_of_the_documents_are_judged(
    identifier: str, values: Values, reasons: list[str]
) -> None:
    found = forbidden(OPERATIONS[identifier], values)
    assert bool(found) == bool(reasons)
    assert all(any(reason in each for each in found) for reason in reasons), found


@pytest.mark.parametrize(
    ("end", "allowed"),
    [
        ("2028-03-01T23:59:59.999Z", True),
        ("2028-03-02T00:00:00Z", False),
        ("2028-03-02T01:59:59+02:00", True),
        ("2028-03-02T02:00:00+02:00", False),
        ("2028-01-01T00:00:00Z", True),
        ("2027-12-31T00:00:00Z", True),
        ("2029-01-01T00:00:00Z", False),
    ],
)
def test_a_window_is_shorter_than_its_limit(end: str, allowed: bool) -> None:
    values = {"query.start_date": "2028-01-02T00:00:00Z", "query.end_date": end}
    assert (forbidden(OPERATIONS["listCalendarNotes"], values) == []) == allowed


# Calls


def _call(identifier: str, **values: Json) -> Any:
    keys = {key.partition(".")[2]: key for key in OPERATIONS[identifier].arguments}
    return call_of(OPERATIONS[identifier], {keys[name]: value for name, value in values.items()})


@pytest.mark.parametrize(
    ("identifier", "values"),
    [
        ("getGroup", {}),
        ("getGroup", {"path.group": "1", "query.page": 1}),
        ("getGroup", None),
        ("updatePost", {"path.post": "1", "body.li_poll": {"unknown": 1}}),
        ("uploadMedia", {"form.file": "a.png"}),
        ("uploadMedia", {"form.file": {"name": "a.png"}}),
        ("uploadMedia", {"form.file": {"name": "a.png", "content": "日"}}),
        ("uploadMedia", {"form.file": {"name": None, "content": ""}}),
    ],
)
def test_what_python_has_no_words_for_is_no_call(identifier: str, values: Values) -> None:
    with pytest.raises(Unsayable):
        call_of(OPERATIONS[identifier], values)
