"""The frozen corpus: in seconds, what thousands of generated cases became when they were frozen."""

from __future__ import annotations

import difflib
import json
from itertools import groupby

import pytest

from harness.calls import call_of
from harness.corpus import UPDATE, again, load
from harness.documents import Json, operations

CASES = {name: load(name) for name in ("requests", "answers")}
GROUPS = [
    (name, identifier)
    for name, cases in CASES.items()
    for identifier, _ in groupby(cases, key=lambda case: case["of"])
]


@pytest.mark.parametrize(("name", "identifier"), GROUPS)
def test_what_was_frozen_is_still_so(name: str, identifier: str) -> None:
    for case in CASES[name]:
        if case["of"] == identifier:
            now = json.loads(json.dumps(again(case)))
            if now != case:
                pytest.fail(_told(case, now), pytrace=False)


def test_every_operation_and_every_answer_is_frozen() -> None:
    pairs = {(case["of"], str(case["status"])) for case in CASES["answers"]}
    wanted = {(each.id, status) for each in operations().values() for status in each.responses}
    assert pairs == wanted, f"freeze it again: {UPDATE}"
    sent = {case["of"] for case in CASES["requests"] if "sent" in case}
    refused = {case["of"] for case in CASES["requests"] if "refused" in case}
    assert sent == refused == set(operations()), f"freeze it again: {UPDATE}"


def _told(case: Json, now: Json) -> str:
    shown = [json.dumps(each, indent=1, sort_keys=True).splitlines() for each in (case, now)]
    lines = difflib.unified_diff(*shown, "frozen", "now", lineterm="", n=2)
    return (
        f"{case['of']}: a frozen case became something else.\n"
        f"given: {json.dumps(case['given'])[:500]}\n"
        f"in Python: {call_of(operations()[case['of']], case['given']).python()}\n"
        + "\n".join(lines)
        + "\n"
        f"If it is right now: {UPDATE}"
    )
