"""Links between operations drive a state machine through the client, against the sandbox.

Both clients call it over real connections, with and without faults of the service; what a call says
is held against what is stored before and after it. §2, §3, §4 and §8.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from harness import links
from harness.drawing import OPERATIONS, Step
from harness.options import Options, Plan
from harness.stage import Stage
from harness.walks import Walk, explore, seen_by_schemathesis
from tests.support.documents import documents, operations


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with Stage() as made:
        yield made


@pytest.mark.parametrize("with_faults", [False, True], ids=["calm", "with faults"])
def test_the_service_does_what_its_specification_says(
    stage: Stage, options: Options, with_faults: bool
) -> None:
    # A run has thirty steps, each of several requests; there is more to go wrong with faults.
    runs = options.examples // (2 if with_faults else 5)
    plan = Plan(max(runs, 1), options.seed)
    explore(stage, plan, with_faults=with_faults)


# The links


@pytest.mark.parametrize("document", documents().values(), ids=lambda each: each.name)
def test_schemathesis_reads_the_same_links(document: object) -> None:
    labels = {each.id: f"{each.method} {each.path}" for each in operations().values()}
    ours = {
        (labels[link.source], link.name, labels[link.target])
        for link in links.documented()
        if operations()[link.source].document is document
    }
    assert seen_by_schemathesis(document) == ours  # type: ignore[arg-type]


def test_from_a_group_on_links_lead_to_every_operation() -> None:
    assert links.reachable(["getGroup"]) == set(operations())


def test_every_link_leads_to_a_call_that_is_answered(stage: Stage) -> None:
    """One after the other, and what takes something away in the end."""
    walk, random = Walk(stage, Random(0)), Random(0)
    waiting = [each for each in links.every() if each not in CARRY_NOTHING]
    for with_deletion in (False,) * 6 + (True,) * 6:
        for name in ("listCalendarNotes", "uploadMedia", "createLabel"):
            walk.call(name)
        walk.make_a_post()
        for link in list(waiting):
            to_source = [
                e for e in links.every() if e.target == link.source and walk.carried.get(e)
            ]
            deletes = OPERATIONS[link.target].method == "DELETE"
            if to_source and (deletes or not walk.carried.get(link)):  # what is there is not gone
                is_followed(walk, random.choice(to_source))
            if (with_deletion or not deletes) and is_followed(walk, link):
                waiting.remove(link)
        if not waiting:
            break
    assert not waiting, "\n".join(map(str, waiting))


CARRY_NOTHING = [
    link
    for link in links.every()
    # Nothing is uploaded from an address here, and a group that was written comes without accounts.
    if link.source == "uploadMediaFromUrl"
    or (link.source == "replaceGroup" and "socialAccounts" in link.path)
]


def is_followed(walk: Walk, link: links.Link) -> bool:
    """Follow a link with nothing but what its operation needs."""
    operation = OPERATIONS[link.target]
    needed = {k for k, each in operation.arguments.items() if each.required} | {link.key}
    for _ in range(10 if walk.carried.get(link) else 0):
        drawn = walk.drawing().step(operation, link, with_faults=False).values
        values = {key: value for key, value in drawn.items() if key in needed}
        if operation.id == "updatePost":  # a change of nothing is refused
            values.setdefault("body.content", "Hello")
        walk.perform(Step(operation, values))
        if walk.outcome.error is None:
            return True
    return False
