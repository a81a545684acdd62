"""Requests and answers at every edge that the documents have: no chance, and few cases.

Schemathesis has no eye for some of them: see `harness.edges`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from harness import coverage, edges
from harness.answering import check_answer, check_refusal
from harness.documents import Operation, Response, operations
from harness.requests import judged

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
    for response in (*operation.responses.values(), *ranges(operation)):
        check = check_answer if response.status < 300 else check_refusal
        for case in edges.answers(operation, response):
            check(operation, response, case)
            coverage.answered(operation, response, case.get("body"), case["headers"])


def ranges(operation: Operation) -> Iterator[Response]:
    """Answers with a status that only a range of statuses, or the rest, describes."""
    documented = operation.node["responses"]
    for word, status in (("2XX", "299"), ("default", "418")):
        if word in documented:
            alone = replace(
                operation, node={**operation.node, "responses": {status: documented[word]}}
            )
            yield replace(alone.responses[status], place=f"{operation.place}.responses.{word}")
