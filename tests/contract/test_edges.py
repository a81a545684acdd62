"""Requests and responses at every edge that the documents have: no chance, and few cases.

Schemathesis has no eye for some of them: see `harness.edge_cases`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from harness import edge_cases
from harness.request_checks import check_request
from harness.response_checks import check_error, check_response
from tests.support.documents import Document, operations

OPERATIONS = operations()
every_operation = pytest.mark.parametrize("identifier", OPERATIONS)


@every_operation
def test_a_request_at_an_edge_leaves_as_documented(identifier: str) -> None:
    operation = OPERATIONS[identifier]
    for values in edge_cases.requests(operation):
        check_request(operation, values)


@every_operation
def test_a_response_full_of_edges_is_read_as_documented(identifier: str) -> None:
    operation = OPERATIONS[identifier]
    for response in edge_cases.responses(operation):
        check = check_response if response.status < 300 else check_error
        for case in edge_cases.response_cases(operation, response):
            check(operation, response, case)


@every_operation
def test_the_cases_reach_every_documented_value(identifier: str) -> None:
    """Every status, argument and property; with it, and without where it is optional."""
    operation = OPERATIONS[identifier]
    document, missing = operation.document, list[str]()
    requests = [*edge_cases.requests(operation)]
    for key, argument in operation.arguments.items():
        given = [values[key] for values in requests if key in values]
        if argument.location != "form":  # a file is no JSON
            missing += _missing(document, argument.schema, given, key)
        missing += [f"no {key}"] if not argument.required and len(given) == len(requests) else []
    responses = [*edge_cases.responses(operation)]
    statuses = {"2XX": 299, "default": 418}
    missing += {
        status
        for status in operation.node["responses"]
        if int(statuses.get(status, status)) not in {response.status for response in responses}
    }
    for response in responses:
        if response.schema is not None:
            bodies = [case["body"] for case in edge_cases.response_cases(operation, response)]
            missing += _missing(document, response.schema, bodies, str(response.status))
    assert not missing


def _missing(
    document: Document, node: Any, values: list[Any], place: str, inside: tuple[str, ...] = ()
) -> Iterator[str]:
    """Yield what is documented of a place and comes in none of its values."""
    schema, name = document.resolve(node), document.named(node)
    if name in inside:
        return
    inside = (*inside, name) if name else inside
    if "type" in schema:  # some of them have an edge elsewhere that does not fit
        values = [value for value in values if document.fits({"type": schema["type"]}, value)]
    for choice in schema.get("anyOf", ()):
        yield from _missing(document, choice, values, place, inside)
    types = schema.get("type", [])
    for type_ in [types] if isinstance(types, str) else types:
        if not any(document.fits({"type": type_}, value) for value in values):
            yield f"{place}: {type_}"
    for code in schema.get("enum", schema.get("x-extensible-enum", ())):
        yield from [] if code in values else [f"{place}: {code}"]
    objects = [value for value in values if isinstance(value, dict)]
    for wire, inner in schema.get("properties", {}).items():
        given = [value[wire] for value in objects if wire in value]
        if wire not in schema.get("required", ()) and len(given) == len(objects):
            yield f"{place}: no {wire}"
        yield from _missing(document, inner, given, f"{place}.{wire}", inside)
    if isinstance(items := schema.get("items"), dict):
        held = [item for value in values if isinstance(value, list) for item in value]
        yield from _missing(document, items, held, f"{place}[]", inside)
