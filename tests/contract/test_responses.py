"""What the service responds arrives as the documents say, of both clients.

Every response is made by schemathesis of the effective documents: each documented status of each
operation, body and header fields, with null where a field may be left out, and codes that no
document names. What a reader is to make of it is worked out by `harness.response_reader`, which
knows the documents and the README of the client, and nothing of its code. §2, §4, §5, §7 and §8.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from social_publishing import DecodeError

from harness.calls import Call
from harness.generation import covering_responses, explore_responses, strict
from harness.options import Plan
from harness.response_checks import (
    Streamed,
    check_error,
    check_response,
    class_of,
    one_of_ours,
    outcome,
    plain_call,
    secrets,
    variant,
)
from harness.response_reader import read, shapes
from harness.service import SIDES, Exchange, Reply, Side, captured, reply
from tests.support.documents import Document, Json, Operation, Response, Schema, operations
from tests.support.wire import TOKEN

OPERATIONS = operations()
PAIRS = [(each, served) for each in OPERATIONS.values() for served in each.responses.values()]


def _named(value: object) -> str:
    return value.id if isinstance(value, Operation) else str(getattr(value, "status", value))


def _pairs(low: int, high: int) -> Any:
    found = [pair for pair in PAIRS if low <= pair[1].status <= high]
    return pytest.mark.parametrize(("operation", "response"), found, ids=_named)


every_response, every_refusal = _pairs(200, 299), _pairs(400, 599)


@every_response
def test_a_response_is_read_as_documented(
    operation: Operation, response: Response, plan: Plan
) -> None:
    """Absent, null and a value; every type; codes of tomorrow; drift told if and only if it is."""

    def check(case: Json) -> None:
        second_opinion(operation, response, case.get("body"))
        check_response(operation, response, case)

    explore_responses(operation, response, "positive", plan, check)


@every_refusal
def test_a_refusal_is_raised_as_documented(
    operation: Operation, response: Response, plan: Plan
) -> None:
    """The class of its status, with all that the body and the header fields say."""

    def check(case: Json) -> None:
        check_error(operation, response, case)

    explore_responses(operation, response, "positive", plan, check)


@every_response
def test_a_field_of_tomorrow_costs_nothing_wherever_it_is(
    operation: Operation, response: Response
) -> None:
    if response.schema is None:
        return
    asked = 0
    for case in _telling(operation, response):
        for body in _with_a_field_of_tomorrow(operation.document, response.schema, case["body"]):
            check_response(operation, response, {**case, "body": body})
            asked += 1
    assert asked


def _with_a_field_of_tomorrow(document: Document, schema: Schema, value: Json) -> Iterator[Json]:
    """Yield the value with another field in each of its objects in turn."""
    whole = copy.deepcopy(value)
    for model in _models(document, schema, whole):
        for item in (None, 2**70, {"any": [1.5, None]}):
            model["of tomorrow"] = item
            yield copy.deepcopy(whole)
        del model["of tomorrow"]


def _models(document: Document, node: Schema, value: Json) -> Iterator[dict[str, Json]]:
    """Yield all objects in a value whose fields the documents name."""
    shape = next((each for each in shapes(document, node) if each.fits(value)), None)
    if shape is None:
        return
    if isinstance(value, dict) and shape.properties is not None:
        yield value
        for name, (_, inner, _) in shape.properties.items():
            if name in value:
                yield from _models(document, inner, value[name])
    elif isinstance(value, dict):
        for item in value.values():
            yield from _models(document, shape.node.get("additionalProperties") or {}, item)
    elif isinstance(value, list):
        for item in value:
            yield from _models(document, shape.node.get("items", {}), item)


def _telling(operation: Operation, response: Response) -> list[Json]:
    """Return the response that says least, and the one that says most."""
    found = covering_responses(operation, response)
    return [found[0], found[-1]]


@every_response
def test_a_success_without_a_body(operation: Operation, response: Response) -> None:
    """Where no body is documented it is the response; of anything else it is none."""

    def problems(exchange: Exchange) -> Iterator[str]:
        if response.schema is None:
            if exchange.error or exchange.result is not None:
                yield f"{outcome(exchange)}, not None"
        elif type(exchange.error) is not DecodeError or "empty" not in str(exchange.error):
            yield f"{outcome(exchange)}, not DecodeError of an empty body"

    bodies = [b"", b" \r\n"] if response.schema else [b"", b" ", b"{}", b"null", b"<p>Gone</p>"]
    for status, body in itertools.product((200, 202, 204, 205), bodies):
        one_of_ours(operation, plain_call(operation), Reply(status, {}, body), also=problems)


@pytest.mark.parametrize("side", SIDES)
def test_what_a_response_says_twice_comes_once(side: Side) -> None:
    """Of a list that may be read in several windows, which share their ends."""
    operation = OPERATIONS["listCalendarNotes"]
    body = [{"id": "1", "title": "one"}, {"id": "2"}, {"id": "1", "title": "other"}]
    found = captured(plain_call(operation), side, reply(200, body)).result
    assert [(each.id, each.title or None) for each in found] == [("1", "one"), ("2", None)]


@every_refusal
def test_a_refusal_that_repeats_the_token_does_not_show_it(
    operation: Operation, response: Response
) -> None:
    """§5: the token is shown to nobody, whatever the service makes of it."""
    text = f"{TOKEN} is not allowed to do this"
    names = [name for each in operation.document.data["components"]["schemas"].values()
             for name in each.get("properties", {})]  # fmt: skip
    body = {**dict.fromkeys(names, text), "errors": {TOKEN: [text]}, "message": text}
    headers = {"X-Token": TOKEN, "Location": f"https://main.invalid/{TOKEN}"}
    for kind in (Call, Streamed):
        call = variant(kind, plain_call(operation))
        exchange = one_of_ours(operation, call, reply(response.status, body, headers))
        assert type(exchange.error) is class_of(response.status)
        assert not secrets(exchange.error)
        assert "is not allowed to do this" in str(exchange.error)


# The reading itself


def second_opinion(operation: Operation, response: Response, body: Json) -> None:
    """A validator finds the same responses as documented as the reading does."""
    if response.schema is None:
        return
    document = _strict(operation.document)
    reading = read(operation, response, body)
    problems = document.problems(strict(response.schema), body)
    others = [each for each in reading.mismatches if each.kind not in ("key",)]
    assert bool(problems) == bool(others), (
        f"{response.place}: the validator says {problems}, the reading {others}"
    )


@cache
def _strict(document: Document) -> Document:
    data = document.data
    schemas = {name: strict(each) for name, each in data["components"]["schemas"].items()}
    return Document(
        document.name, {**data, "components": {**data["components"], "schemas": schemas}}
    )
