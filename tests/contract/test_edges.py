"""Requests and responses at every edge that the documents have: no chance, and few cases.

Schemathesis has no eye for some of them: see `harness.edge_cases`.
"""

from __future__ import annotations

import pytest

from harness import edge_cases
from harness.request_checks import check_request
from harness.response_checks import check_error, check_response
from tests.support.documents import operations

OPERATIONS = operations()
every_operation = pytest.mark.parametrize("identifier", OPERATIONS)


@every_operation
def test_a_request_at_an_edge_leaves_as_documented(identifier: str) -> None:
    operation = OPERATIONS[identifier]
    cases = [*edge_cases.requests(operation)]
    assert cases
    for values in cases:
        check_request(operation, values)


@every_operation
def test_a_response_full_of_edges_is_read_as_documented(identifier: str) -> None:
    operation = OPERATIONS[identifier]
    responses = [*edge_cases.responses(operation)]
    assert responses
    for response in responses:
        check = check_response if response.status < 300 else check_error
        cases = [*edge_cases.response_cases(operation, response)]
        assert cases
        for case in cases:
            check(operation, response, case)
