"""What reads requests for the contract tests: were it blind, the others would prove nothing.

Requests that another library has written are read as what they are, and whatever is wrong with one
is told.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import httpx2
import pytest

from harness import edge_cases
from tests.support.documents import Json, Operation, Values, operations
from tests.support.wire import (
    ADDRESSES,
    TOKEN,
    Sent,
    comparable,
    difference,
    forbidden,
    read,
)

OPERATIONS = operations()
every_operation = pytest.mark.parametrize("identifier", OPERATIONS)

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
    ("list", _url("/posts?", "//posts?"), "no operation is GET //posts"),
    ("list", _url("groupId=1", "groupId=1&groupId=2"), "query.groupId: is there 2 times"),
    ("list", _url("groupId", "groupid"), "query.groupid: is not documented"),
    ("list", _url("groupId=1&", ""), "groupId or socialAccountIds: at least one must be given"),
    ("list", lambda sent: replace(sent, body=b"{}"), "body: none is documented"),
    ("list", _header("accept", None), "header accept"),
    ("list", _header("authorization", None), "header authorization"),
    ("list", _header("authorization", f"bearer {TOKEN}"), "header authorization"),
    (
        "list",
        lambda sent: replace(sent, headers=[*sent.headers, ("accept", "application/json")]),
        "header accept: is there 2 times",
    ),
    ("update", _url("/posts/1", "/posts/%31%2F"), "path.post"),
    ("update", _header("content-type", "application/json; charset=utf-8"), "header content-type"),
    ("update", _body('"Hi"', "7"), "body.content"),
    ("update", _body('"Hi"', "NaN"), "NaN is no JSON"),
    ("update", _body("false", '"false"'), "body.isDraft"),
    ("update", _body("}", ""), "body: "),
    ("upload", _header("content-type", "multipart/form-data"), "no form with a boundary"),
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


# Judging requests


@pytest.mark.parametrize(
    ("identifier", "values", "reasons"),
    [
        # x-required-any
        ("listPosts", {}, ["at least one must be given"]),
        ("listPosts", {"query.socialAccountIds": ["1"]}, []),
        # x-extensible-enum
        ("listPosts", {"query.groupId": "1", "query.include": ["neverHeardOf"]}, []),
        # x-datetime-format
        ("updatePost", {"path.post": "1"}, ["nothing is to change"]),
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
        ("updatePost", {"path.post": "1", "body.gb_start_date": "2028-02-29 23:59"}, ["gb_start"]),
        # What is not documented, and what is missing
        ("updatePost", {"path.post": "1", "body.status": 5}, ["body.status: is not documented"]),
        ("setPostsDraft", {"body.is_draft": True}, ["body.post_ids: is missing"]),
        # An enumeration as names
        ("updatePost", {"path.post": "1", "body.customized": {"myspace": {}}}, ["body.customized"]),
        # Limits, at both ends
        ("getPosts", {"query.ids": ["1"] * 200}, []),
        ("getPosts", {"query.ids": ["1"] * 201}, ["query.ids"]),
    ],
)
def test_the_words_of_the_documents_are_judged(
    identifier: str, values: Values, reasons: list[str]
) -> None:
    found = forbidden(OPERATIONS[identifier], values)
    assert bool(found) == bool(reasons)
    assert all(any(reason in each for each in found) for reason in reasons), found
