"""The frozen corpus: in seconds, what thousands of generated cases became when they were frozen."""

from __future__ import annotations

import difflib
import json

import pytest

from harness.calls import call_of
from harness.corpus import UPDATE, Unsayable, again, frozen, load
from tests.support.documents import Json, Operation, operations


@pytest.mark.parametrize("identifier", operations())
def test_what_was_frozen_is_still_so(identifier: str) -> None:
    operation, cases = operations()[identifier], load(identifier)
    assert cases
    for case in cases:
        try:
            now = json.loads(json.dumps(again(operation, case)))
        except Unsayable as error:
            given = json.dumps(case["given"])[:500]
            text = f"{identifier}: what was frozen cannot be asked for any more ({error}): {given}"
            pytest.fail(f"{text}\nIf it is right now: {UPDATE}", pytrace=False)
        if now != case:
            pytest.fail(_report(operation, case, now), pytrace=False)


@pytest.mark.parametrize("identifier", sorted(frozen() | set(operations())))
def test_every_operation_is_frozen_with_each_of_its_responses(identifier: str) -> None:
    operation, cases = operations().get(identifier), load(identifier)
    found = {str(case.get("status", "sent" if "sent" in case else "refused")) for case in cases}
    wanted = {"sent", "refused", *operation.responses} if operation else set()
    assert found == wanted, f"{identifier}: freeze it again: {UPDATE}"


def _report(operation: Operation, case: Json, now: Json) -> str:
    shown = [json.dumps(each, indent=1, sort_keys=True).splitlines() for each in (case, now)]
    lines = difflib.unified_diff(*shown, "frozen", "now", lineterm="", n=2)
    return (
        f"{operation.id}: a frozen case became something else.\n"
        f"given: {json.dumps(case['given'])[:500]}\n"
        f"in Python: {call_of(operation, case['given']).python()}\n" + "\n".join(lines) + "\n"
        f"If it is right now: {UPDATE}"
    )
