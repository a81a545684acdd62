"""Links between operations drive a state machine through the client, against the sandbox.

Both clients call it over real connections, with and without faults of the service; a model that
knows the specification alone says what must be true after each step. §2, §3, §4 and §8.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random

import pytest
from social_publishing import SocialPublishingError

from harness import links, state_machine
from harness.drawing import OPERATIONS, Step
from harness.failures import ContractFailure
from harness.generation import Plan
from harness.options import Options
from harness.stage import Stage
from harness.state_machine import (
    END,
    Action,
    Broken,
    Machine,
    explore,
    on,
    seen_by_schemathesis,
    shrink,
)
from social_publishing_sandbox import Sandbox
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
    runs = options.examples if with_faults else options.examples * 3 // 5
    plan = Plan(max(runs, 1), options.seed)
    explore(stage, plan, options.command, with_faults=with_faults)


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
    machine, random = on(stage)(), Random(0)
    waiting = [each for each in links.every() if each not in CARRY_NOTHING]
    for with_deletion in (False,) * 6 + (True,) * 6:
        machine.arrive()
        for name in ("listCalendarNotes", "uploadMedia", "createLabel"):
            machine.call(name, None, random)
        machine.make_a_post(random)
        for link in list(waiting):
            to_source = [
                e for e in links.every() if e.target == link.source and machine.carried.get(e)
            ]
            if to_source and not machine.carried.get(link):
                is_followed(machine, random.choice(to_source), random)
            deletes = OPERATIONS[link.target].method == "DELETE"
            if (with_deletion or not deletes) and is_followed(machine, link, random):
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


def is_followed(machine: Machine, link: links.Link, random: Random) -> bool:
    """Follow a link with nothing but what its operation needs."""
    operation = OPERATIONS[link.target]
    needed = {k for k, each in operation.arguments.items() if each.required} | {link.key}
    for _ in range(5 if machine.carried.get(link) else 0):
        drawn = machine.drawing(random).step(operation, link, with_faults=False).values
        values = {key: value for key, value in drawn.items() if key in needed}
        machine.do(("perform", Step(operation, values)))
        if machine.outcome.error is None:
            return True
    return False


# What a failure is told with


@pytest.mark.filterwarnings("ignore")
def test_the_way_to_a_failure_is_a_program(stage: Stage) -> None:
    """It can be pasted, and finds the same: the identifiers in it are those of the same world."""
    machine, random = on(stage)(), Random(1)
    machine.arrive()
    for _ in range(12):
        machine.follow_a_link(random)
    machine.do(("perform", Step(OPERATIONS["createLabel"], {"body.name": "Spring"})))
    label = machine.outcome.result["id"]
    words: dict[str, object] = {}
    try:
        for statement in ast.parse("\n".join(machine.program.lines)).body:
            with suppress(SocialPublishingError):  # as it came, when it was done
                exec(compile(ast.Module([statement], []), "program", "exec"), words)
        sandbox = words["sandbox"]
        assert isinstance(sandbox, Sandbox)
        assert [each["id"] for each in sandbox.find("labels", name="Spring")] == [label]
    finally:
        words["sandbox"].close()  # type: ignore[attr-defined]


def test_a_failure_is_reported_with_what_leads_to_it_alone() -> None:
    found = Broken("odd", ContractFailure("long"), [("do", number) for number in range(30)])
    short = shrink(_Odd, found)
    assert short.done == [("do", 7), ("do", 21), END]
    assert str(short.failure) == "short"


class _Odd:
    """Breaks in the end when it was given 7 and 21."""

    def __init__(self) -> None:
        self.done: list[Action] = []

    def do(self, action: Action) -> None:
        self.done.append(action)
        if action == END and {("do", 7), ("do", 21)} <= set(self.done):
            raise Broken("odd", ContractFailure("short"), self.done)


def test_a_failure_of_the_service_names_what_was_expected(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sandbox that forgets what it is told: the text is short, and says all there is to know."""

    def forget(*_: Sequence[object]) -> None:
        pass

    monkeypatch.setattr(stage.sandbox.service.store.labels, "put", forget)
    monkeypatch.setattr(state_machine, "SECONDS", 4.0)
    with pytest.raises(ContractFailure) as caught:
        explore(stage, Plan(20, 1), "nox -s contract", with_faults=False)
    text = str(caught.value)
    assert "createLabel: what is read is not what was written." in text
    assert text.count("client.labels.create") == 1
    assert "is not there any more" in text
    assert "again:  nox -s contract" in text
