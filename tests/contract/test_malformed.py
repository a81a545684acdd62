"""Whatever comes back is a result or an error of ours, and the same of both clients.

Responses that no document foresees: made by schemathesis so that they do not fit, and by hand, of
any bytes, with any status and any header fields. Nothing else than a `SocialPublishingError` is
raised, no token is shown, nothing waits, and of a response that can be read everything that is as
documented is there (§2, §5, §7, §8).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TypeVar

import pytest
from hypothesis import strategies as st

from harness.generation import THOROUGH, Plan, at_random, covering_responses, explore_responses
from harness.response_checks import (
    check_error,
    check_response,
    note,
    one_of_ours,
    outcome,
    plain_call,
    reply_of,
)
from harness.service import Exchange, Reply
from tests.support.documents import Json, Operation, Response, operations

OPERATIONS = operations()
T = TypeVar("T")
JSON = {"Content-Type": "application/json"}
every_operation = pytest.mark.parametrize("identifier", OPERATIONS)


def success(operation: Operation) -> Response:
    """Return the documented response with success."""
    return next(each for each in operation.responses.values() if each.status < 300)


def full(operation: Operation) -> bytes:
    """Return the body of a response that says as much as it can."""
    body = covering_responses(operation, success(operation))[-1].get("body", {})
    return json.dumps(body, ensure_ascii=False).encode()


def shared(identifier: str, values: Iterable[T], plan: Plan, among: int) -> list[T]:
    """Return the part of some values that one of so many operations tries; thoroughly, all."""
    share = 1 if plan.examples >= THOROUGH else among
    return list(values)[list(OPERATIONS).index(identifier) % share :: share]


# Made not to fit


@every_operation
def test_what_does_not_fit_costs_nothing_else(identifier: str, plan: Plan) -> None:
    """Wrong types, missing fields: what is as documented elsewhere is there, all else is told."""
    operation = OPERATIONS[identifier]
    response = success(operation)

    def check(case: Json) -> None:
        if isinstance(case, dict) and set(case) == {"headers", "body"}:
            check_response(operation, response, case)
        else:
            anything(operation, reply_of(response.status, case), case)

    explore_responses(operation, response, "negative", plan, check)


@pytest.mark.parametrize("identifier", [i for i, o in OPERATIONS.items() if "x-paging" in o.node])
def test_a_page_without_a_list_is_no_empty_page(identifier: str) -> None:
    operation = OPERATIONS[identifier]
    for items in (5, "x", True, 1.5, {"1": {"id": "1"}}, {"id": "1"}, [5], [[]]):
        body = {operation.node["x-paging"]["items"]: items, "meta": {"current_page": 1}}
        check_response(operation, success(operation), {"headers": {}, "body": body})


@every_operation
def test_a_refusal_that_does_not_fit_is_one_all_the_same(identifier: str, plan: Plan) -> None:
    operation = OPERATIONS[identifier]
    for response in operation.responses.values():
        if response.status >= 400:

            def check(case: Json, response: Response = response) -> None:
                check_error(operation, response, case)

            explore_responses(operation, response, "negative", plan, check)


def anything(operation: Operation, served: Reply, case: Json = None) -> Exchange:
    """Return what comes of a response, and if it is JSON the same, whoever looks at it."""
    call = plain_call(operation)
    plain = one_of_ours(operation, call, served, case)

    def the_same(exchange: Exchange) -> Iterator[str]:
        if outcome(exchange) != outcome(plain) and is_json(served.body):
            yield f"with on_drift it is {outcome(exchange)}, without it {outcome(plain)}"

    one_of_ours(operation, call, served, case, also=the_same, on_drift=note)
    return plain


def is_json(body: bytes) -> bool:
    """Of what is none, the client may read the fields that it knows, and pass over the others."""
    try:
        json.loads(body.decode())
    except (ValueError, RecursionError):
        return False
    return True


# Any bytes

DEEP = 20_000
BODIES = {
    "nothing": b"",
    "white space": b" \t\r\n",
    "HTML": b"<!DOCTYPE html><title>502 Bad Gateway</title>",
    "a text": b'"OK"',
    "null": b"null",
    "true": b"true",
    "a number": b"5",
    "an empty list": b"[]",
    "a list of null": b"[null]",
    "an empty object": b"{}",
    "not a number": b"NaN",
    "infinity": b'{"id": "1", "x": [Infinity, -Infinity]}',
    "a huge number": b'{"id": 1e999}',
    "a huge integer": b'{"id": ' + b"9" * 5000 + b"}",
    "a long fraction": b'{"id": 0.' + b"1" * 5000 + b"}",
    "a huge exponent": b'[{"id": 1e99999999999999999999}]',
    "half of a surrogate": rb'{"id": "\ud800"}',
    "half of a surrogate as a name": rb'{"id": "1", "\udfff": 1}',
    "bytes of a surrogate": b'{"id": "\xed\xa0\x80"}',
    "no UTF-8": b'{"id": "\xff\xfe"}',
    "Latin 1": '{"id": "ü"}'.encode("latin-1"),
    "UTF-16": '{"id": "ü"}'.encode("utf-16"),
    "UTF-32": '{"id": "ü"}'.encode("utf-32"),
    "a byte order mark": b'\xef\xbb\xbf{"id": "1"}',
    "NUL": b'{"id": "1"}\x00',
    "a name twice": b'{"id": "1", "id": "2", "name": 1, "name": "n"}',
    "two values": b'{"id": "1"}{"id": "2"}',
    "a comma too many": b'{"id": "1",}',
    "single quotes": b"{'id': '1'}",
    "a comment": b'{"id": "1"} // one',
    "lists in lists": b"[" * DEEP + b"]" * DEEP,
    "lists without an end": b"[" * DEEP,
    "objects in objects": b'{"id":' * DEEP + b"1" + b"}" * DEEP,
    "a deep field": b'{"id": "1", "user": ' + b'{"x":' * DEEP + b"1" + b"}" * DEEP + b"}",
}


@every_operation
def test_a_body_that_is_no_documented_one(identifier: str, plan: Plan) -> None:
    operation = OPERATIONS[identifier]
    for name, body in shared(identifier, BODIES.items(), plan, among=3):
        anything(operation, Reply(200, JSON, body))
        for status in (400, 503):
            found = one_of_ours(operation, plain_call(operation), Reply(status, JSON, body))
            assert found.error is not None, name


@every_operation
def test_any_bytes_at_all(identifier: str, plan: Plan) -> None:
    operation = OPERATIONS[identifier]
    body = full(operation)
    bytes_ = st.binary(max_size=40)
    within = st.builds(
        lambda at, cut, some: body[: at % len(body)] + some + body[at % len(body) + cut :],
        st.integers(0, len(body)),
        st.integers(0, 3),
        st.binary(max_size=3),
    )
    replies = st.builds(
        Reply,
        st.sampled_from((200, 201, 204, 400, 401, 404, 429, 500)),
        st.just(JSON),
        bytes_ | within,
    )
    at_random(replies, plan, lambda served: anything(operation, served))
