"""Every small change of the documents is noticed, with the client held fixed.

A sample for each operation, from the seed; `--examples 200` and more takes all of them. What is
ruled to be invisible has to be so, too: a rule that hides more than it says is found.
"""

from __future__ import annotations

import random
from collections import defaultdict
from functools import cache

import pytest

from harness.document_changes import RULES, Change, changes, detected, put
from harness.generation import Plan
from tests.support.documents import documents, operations

ALL = 200
"""So many examples, and no change is left out."""


@cache
def _changes() -> dict[str, list[Change]]:
    found = defaultdict(list)
    for document in documents().values():
        for change in changes(document):
            found[change.use.operation].append(change)
    return found


def _chosen(identifier: str, plan: Plan) -> list[Change]:
    """As many of the request as of the responses, though those of responses are far more."""
    if plan.examples >= ALL:
        return _changes()[identifier]
    chance = random.Random(f"{plan.seed} {identifier}")
    by_side = defaultdict(list)
    for change in _changes()[identifier]:
        by_side[change.use.side].append(change)
    return [
        each
        for side in by_side.values()
        for each in chance.sample(side, min(len(side), plan.examples))
    ]


@pytest.mark.parametrize("identifier", operations())
def test_a_change_of_the_documents_is_noticed(identifier: str, plan: Plan) -> None:
    document = operations()[identifier].document
    wrong = []
    for change in _chosen(identifier, plan):
        told = detected(document, change)
        if (told is None) != (change.unseen is not None):
            why = "nobody notices" if told is None else f"seen in spite of a rule:\n{told}"
            wrong.append(f"{change}: {why}")
        elif told is not None and not (_is_named(change, told) and identifier in told):
            wrong.append(f"{change}: is not what the failure is about:\n{told}")
    assert not wrong, "\n".join(wrong)


def _is_named(change: Change, told: str) -> bool:
    return not change.names or any(name in told for name in change.names)


def test_an_unchanged_document_is_held() -> None:
    for identifier, found in _changes().items():
        document = operations()[identifier].document
        for use in {change.use.side: change.use for change in found}.values():
            same = Change(document.name, use, "nothing", "none", (), put((), document.data))
            assert detected(document, same) is None


def test_every_rule_is_about_something() -> None:
    every = [change for found in _changes().values() for change in found]
    idle = [rule for rule in RULES if not any(rule.applies(change) for change in every)]
    assert not idle


def test_most_changes_can_be_seen() -> None:
    """Were a rule ever too broad, the figures would tell."""
    every = [change for found in _changes().values() for change in found]
    requests = [change for change in every if change.use.side == "request"]
    assert sum(change.unseen is not None for change in requests) < len(requests) / 20
    assert sum(change.unseen is not None for change in every) < len(every) / 2
