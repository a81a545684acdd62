"""What the client sends is what the documents allow, and what it was given; nothing else leaves.

Every case is made by schemathesis out of the effective documents, valid or not. A valid one becomes
a call of both clients; what leaves below the HTTP library is read by the documents and equals the
case. An invalid one is refused before anything is sent. §1, §2.1, §4, §5 and §8.
"""

from __future__ import annotations

import pytest

from harness.generation import explore_requests
from harness.options import Plan
from harness.request_checks import check_allowed, check_request
from tests.support.documents import Values, operations

OPERATIONS = operations()
every_operation = pytest.mark.parametrize("identifier", OPERATIONS)


@every_operation
def test_an_allowed_request_leaves_as_it_was_given(identifier: str, plan: Plan) -> None:
    def check(values: Values) -> None:
        check_allowed(OPERATIONS[identifier], values)

    explore_requests(OPERATIONS[identifier], "positive", plan, check)


@every_operation
def test_a_request_that_the_documents_forbid_does_not_leave(identifier: str, plan: Plan) -> None:
    def check(values: Values) -> None:
        check_request(OPERATIONS[identifier], values)

    explore_requests(OPERATIONS[identifier], "negative", plan, check)
