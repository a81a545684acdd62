"""Responses that no document foresees, made by schemathesis so that they do not fit.

Nothing else than a `SocialPublishingError` is raised by either client, no token is shown, and of a
response that can be read everything that is as documented is there (§2, §5, §7, §8). Responses of
any bytes are tested in tests/runtime/test_decode.py, and by hostile servers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from harness.generation import explore_responses
from harness.options import Plan
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
every_operation = pytest.mark.parametrize("identifier", OPERATIONS)


def success(operation: Operation) -> Response:
    """Return the documented response with success."""
    return next(each for each in operation.responses.values() if each.status < 300)


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
