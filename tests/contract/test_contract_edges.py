"""Requests and answers at every edge that the documents have: no chance, and few cases.

Schemathesis has no eye for some of them: see `harness.edges`.
"""

from __future__ import annotations

import pytest

from harness import coverage, edges
from harness.documents import operations
from harness.requests import judged
from harness.response_checks import check_answer, check_refusal

OPERATIONS = operations()
every_operation = pytest.mark.parametrize("identifier", OPERATIONS)


@every_operation
def test_a_request_at_an_edge_leaves_or_does_not_as_the_documents_say(identifier: str) -> None:
    operation = OPERATIONS[identifier]
    for values in edges.requests(operation):
        judged(operation, values)


@every_operation
def test_an_answer_full_of_edges_is_read_as_documented(identifier: str) -> None:
    operation = OPERATIONS[identifier]
    for response in edges.responses(operation):
        check = check_answer if response.status < 300 else check_refusal
        for case in edges.answers(operation, response):
            check(operation, response, case)
            coverage.answered(operation, response, case.get("body"), case["headers"])
