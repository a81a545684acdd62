"""Freeze cases that schemathesis makes of the documents: `python tests/contract/freezing.py`.

The corpus is what the client does now. Run it when the documents change, and read the difference.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from harness import edge_cases
from harness.corpus import (
    FOLDER,
    Novelty,
    Unsayable,
    frozen,
    request_case,
    response_case,
    save,
)
from harness.generation import Kind, Mirror, bodies, request_bodies, response_mirror
from harness.options import Plan
from tests.support.documents import Json, Operation, Values, operations
from tests.support.wire import forbidden

RANDOM = 20
SEED = 1
KINDS: tuple[Kind, ...] = ("positive", "negative")


def requests(operation: Operation) -> Iterator[Json]:
    """Freeze the requests of an operation in which something is new."""
    novelty = Novelty(pruned=False)
    for kind in KINDS:
        cases = [
            *edge_cases.requests(operation),
            *request_bodies(operation, kind, Plan(RANDOM, SEED)),
        ]
        for values in novelty.of(_reduced(operation, each) for each in cases):
            try:
                yield request_case(operation, values)
            except Unsayable:
                continue


def _reduced(operation: Operation, values: Values) -> Values:
    """Return a request that is forbidden, without what has nothing to do with it."""
    if not isinstance(values, dict):
        return {}
    reasons = forbidden(operation, values)
    if not any(reason.startswith(tuple(values)) for reason in reasons):
        return values
    return {
        key: value
        for key, value in values.items()
        if key in operation.arguments
        and (operation.arguments[key].required or any(each.startswith(key) for each in reasons))
    }


def responses(operation: Operation) -> Iterator[Json]:
    """Freeze every documented status of an operation, and what is new in the cases of each."""
    pairs = [(operation, each) for each in operation.responses.values()]
    mirror, novelty = Mirror(response_mirror(pairs)), Novelty(pruned=True)
    for _, response in pairs:
        path = f"{operation.id}/{response.status}"
        cases = [
            *edge_cases.response_cases(operation, response),
            *bodies(mirror, path, "positive", Plan(RANDOM, SEED)),
        ]
        given = edge_cases.plain_request(operation)
        for case in novelty.of(cases) or cases[-1:]:
            yield response_case(operation, given, response.status, case)


def main() -> None:
    """Write the corpus of every operation, and remove that of operations that are gone."""
    argparse.ArgumentParser(
        prog="python tests/contract/freezing.py",
        description="Freeze cases of the effective documents, with what the client makes of them "
        "now. It takes half a minute and writes tests/contract/corpus.",
    ).parse_args()
    count = 0
    for name, operation in operations().items():
        cases = [*requests(operation), *responses(operation)]
        save(name, cases)
        count += len(cases)
    for name in frozen() - set(operations()):
        (FOLDER / f"{name}.jsonl").unlink()
    print(f"{count} cases of {len(operations())} operations in tests/contract/corpus")


if __name__ == "__main__":
    main()
