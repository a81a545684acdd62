"""Freeze cases that schemathesis makes of the documents: `python tests/contract/freezing.py`.

The corpus is what the client does now. Run it when the documents change, and read the difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from harness.corpus import Novelty, Unsayable, answer_case, request_case, save
from harness.documents import Json, Operation, Values, documents, operations
from harness.generating import Kind, Mirror, Plan, bodies, request_bodies
from harness.judging import forbidden
from harness.mirrors import response_mirror

RANDOM = 20
SEED = 1
KINDS: tuple[Kind, ...] = ("positive", "negative")


def frozen_requests() -> Iterator[Json]:
    for operation in operations().values():
        for kind in KINDS:
            cases = request_bodies(operation, kind, Plan(RANDOM, SEED))
            reduced = (_reduced(operation, each) for each in cases)
            for values in Novelty(pruned=False).of(reduced):
                try:
                    yield request_case(operation, values)
                except Unsayable:
                    continue


def _reduced(operation: Operation, values: Values) -> Values:
    """A request that is forbidden, without what has nothing to do with it."""
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


def frozen_answers() -> Iterator[Json]:
    """Every answer of every operation, and what is new in the cases of each."""
    for document in documents().values():
        pairs = [(o, r) for o in document.operations.values() for r in o.responses.values()]
        mirror, novelty = Mirror(response_mirror(pairs)), Novelty(pruned=True)
        for operation, response in pairs:
            cases = [
                *bodies(mirror, f"{operation.id}/{response.status}", "positive", Plan(RANDOM, SEED))
            ]
            found = novelty.of(cases) or cases[-1:]
            for answer in found:
                yield answer_case(operation, _allowed(operation), response.status, answer)


@cache
def _allowed(operation: Operation) -> Values:
    """The smallest request that the documents allow."""
    cases = request_bodies(operation, "positive", Plan(0))
    found = [each for each in cases if not forbidden(operation, each) and each]
    return min(found, key=lambda each: len(str(each)))


def main() -> None:
    save("requests", frozen_requests())
    save("answers", frozen_answers())


if __name__ == "__main__":
    main()
