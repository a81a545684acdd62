"""Whatever comes back is a result or an error of ours, and the same of both clients.

Responses that no document foresees: made by schemathesis so that they do not fit, and by hand, of
any bytes, with any status and any header fields. Nothing else than a `SocialPublishingError` is
raised, no token is shown, nothing waits, and of a response that can be read everything that is as
documented is there (§2, §5, §7, §8).
"""

from __future__ import annotations

import gzip
import itertools
import json
import zlib
from collections.abc import Iterable, Iterator
from typing import TypeVar

import httpx2
import pytest
from hypothesis import strategies as st
from social_publishing import ConnectionFailed, DecodeError, OutcomeUnknown, StatusError

from harness.generation import THOROUGH, Plan, at_random, covering_responses, explore_responses
from harness.response_checks import (
    CLASSES,
    Raw,
    Streamed,
    check_error,
    check_response,
    class_of,
    note,
    one_of_ours,
    outcome,
    plain_call,
    reply_of,
    variant,
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


def is_read(operation: Operation) -> bool:
    """Return whether anything is made of the body of its response."""
    return success(operation).schema is not None


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


def test_what_stands_in_the_place_of_a_date_is_kept_as_it_came() -> None:
    operation, text = OPERATIONS["getGroup"], "2026-12-01T09:00:00Z"
    for odd in ([text], {"at": text}):
        body = {"id": "1", "created_at": odd}
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


@every_operation
def test_a_body_that_is_cut_off(identifier: str, plan: Plan) -> None:
    """Cut between any two bytes, by a server that thinks it whole, or with the connection."""
    operation = OPERATIONS[identifier]
    body = full(operation)
    every = max(1, len(body) // (plan.examples or 1))
    for at in range(plan.seed % every, len(body), every):

        def is_no_json(exchange: Exchange) -> Iterator[str]:
            if is_read(operation) and not isinstance(exchange.error, DecodeError):
                yield f"{outcome(exchange)}, no DecodeError"

        def is_broken(exchange: Exchange) -> Iterator[str]:
            error = exchange.error
            error = error.__cause__ if isinstance(error, OutcomeUnknown) else error
            if not isinstance(error, ConnectionFailed):
                yield f"{outcome(exchange)}, no ConnectionFailed"

        call = plain_call(operation)
        one_of_ours(operation, call, Reply(200, JSON, body[:at]), also=is_no_json)
        for status in (200, 404, 500):
            cut = Reply(status, JSON, body[:at], broken=True)
            one_of_ours(operation, call, cut, also=is_broken)
    for kind in (Raw, Streamed):
        cut = Reply(200, JSON, body[:5], broken=True)
        one_of_ours(operation, variant(kind, plain_call(operation)), cut, also=is_broken)


# What the header fields say of the body

KINDS: dict[str, dict[str, str]] = {
    "none": {},
    "HTML": {"Content-Type": "text/html; charset=utf-8"},
    "problem": {"Content-Type": "application/problem+json"},
    "Latin 1": {"Content-Type": "application/json; charset=latin-1"},
    "no such charset": {"Content-Type": 'application/json; charset="no such"'},
    "nonsense": {"Content-Type": ";;=,"},
    "a file": {"Content-Type": "application/octet-stream", "Content-Disposition": "attachment"},
    "a length too small": {**JSON, "Content-Length": "3"},
    "a length too large": {**JSON, "Content-Length": "999"},
    "no length": {**JSON, "Content-Length": "many"},
    "a negative length": {**JSON, "Content-Length": "-5"},
    "the identity": {**JSON, "Content-Encoding": "identity"},
    "no such encoding": {**JSON, "Content-Encoding": "no-such"},
}
SQUEEZED = {"gzip": gzip.compress, "deflate": zlib.compress}


@every_operation
def test_json_is_read_whatever_is_said_of_it(identifier: str, plan: Plan) -> None:
    operation = OPERATIONS[identifier]
    expected = outcome(anything(operation, Reply(200, JSON, full(operation))))

    def the_same(exchange: Exchange) -> Iterator[str]:
        if outcome(exchange) != expected:
            yield f"{outcome(exchange)}, not {expected}"

    call = plain_call(operation)
    for name, headers in shared(identifier, KINDS.items(), plan, among=3):
        one_of_ours(operation, call, Reply(200, headers, full(operation)), also=the_same)
        for status, body in ((404, b'{"message": "m"}'), (404, b"\xff"), (500, b"<p>No")):
            found = one_of_ours(operation, call, Reply(status, headers, body))
            assert isinstance(found.error, StatusError | OutcomeUnknown), name


@every_operation
@pytest.mark.parametrize("encoding", SQUEEZED)
def test_a_body_that_is_compressed(identifier: str, encoding: str) -> None:
    """It is read as if it were not; one that says so, and is not, is no complete response."""
    operation, squeeze = OPERATIONS[identifier], SQUEEZED[encoding]
    body, headers = full(operation), {**JSON, "Content-Encoding": encoding}
    expected = outcome(anything(operation, Reply(200, JSON, body)))
    assert outcome(anything(operation, Reply(200, headers, squeeze(body)))) == expected
    for wrong in (body, squeeze(body)[:9], squeeze(body)[:-9], squeeze(body) + b"more", b""):
        anything(operation, Reply(200, headers, wrong))
        one_of_ours(operation, plain_call(operation), Reply(404, headers, wrong))


# Any status


@every_operation
def test_any_status(identifier: str, plan: Plan) -> None:
    """200 to 299 is a success; anything else is the exception of its status."""
    operation = OPERATIONS[identifier]
    statuses = [*range(200, 600), 100, 102, 199, 600, 799, 999]
    named = [*CLASSES, 200, 204, 302, 404, 500, 599]
    for status in sorted({*named, *shared(identifier, statuses, plan, among=len(OPERATIONS))}):
        for body in (b"", b'{"message": "m", "id": "1"}'):
            _a_status(operation, Reply(status, JSON, body))


def _a_status(operation: Operation, served: Reply) -> None:
    def raised(exchange: Exchange) -> Iterator[str]:
        error = exchange.error
        if 200 <= served.status <= 299:
            if isinstance(error, StatusError | OutcomeUnknown):
                yield f"{outcome(exchange)} of a success"
            return
        if isinstance(error, OutcomeUnknown):  # tests/runtime/test_retries.py has which
            error = error.__cause__
        wanted = class_of(served.status)
        if type(error) is not wanted or getattr(error, "status", None) != served.status:
            yield f"{outcome(exchange)}, no {wanted.__name__} of {served.status}"

    one_of_ours(operation, plain_call(operation), served, also=raised)


LOCATIONS = ("", "/posts", "https://elsewhere.invalid/x", "//[", "?page=2", "\t", "javascript:x")


@every_operation
def test_nothing_is_redirected(identifier: str) -> None:
    """§5: the token goes nowhere else; an error says where it would have gone."""

    def stays(exchange: Exchange) -> Iterator[str]:
        error = exchange.error
        if isinstance(error, OutcomeUnknown):
            error = error.__cause__
        if type(error) is not StatusError or len(exchange.sent) != 1:
            yield f"{len(exchange.sent)} requests, {outcome(exchange)}"

    operation = OPERATIONS[identifier]
    for status in (300, 301, 302, 303, 304, 307, 308, 399):
        some = LOCATIONS[status % 2 :: 2]
        for headers in ({}, *({"Location": each} for each in some)):
            one_of_ours(operation, plain_call(operation), Reply(status, headers), also=stays)


# Odd words about the rate

RATES = (
    *("", " ", "x", "-1", "0", "1e9", "1.5", "٣", "9" * 400, "NaN", "60, 60", "60;w=60", "0x10"),
    *("Tue, 01 Dec 2026 09:00:00 GMT", "Tue, 99 Dec 2026", "1796115660000", "+5", "5\x00"),
)


@every_operation
def test_odd_words_about_the_rate_are_no_reason_to_fail(identifier: str, plan: Plan) -> None:
    operation = OPERATIONS[identifier]
    names = (
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
        "Retry-After",
        "Date",
    )
    found = [[(name, each)] for name in names for each in RATES]
    found += [[(name, each) for name in names] for each in RATES]
    found += [[(name, "5"), (name, "x"), (name, "7")] for name in names]
    call = plain_call(operation)
    for pairs, status in itertools.product(shared(identifier, found, plan, among=5), (200, 429)):
        encoded = [(name, value.encode("utf-8")) for name, value in pairs]
        served = Reply(status, httpx2.Headers(encoded), b"{}")
        one_of_ours(operation, call, served)
