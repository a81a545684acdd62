"""Whether the tests catch a fault, and which of them does it first."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from faults import naming
from faults.catalogue import Fault, Misplaced
from faults.copies import Broken, Copy
from faults.processes import Processes

__all__ = ["GATE", "SUITE", "Plan", "Verdict", "judge", "suite_of"]

SUITE = "tests/contract"
GATE = f"{SUITE}/test_contract_corpus.py"
# One fails wherever a fault was planted; the other asks other tests, in a copy of the copy.
_NOT_ASKED = (f"{SUITE}/test_contract_faults.py", f"{SUITE}/test_contract_growth.py")
# It fails wherever a document changes, for better or for worse: to fail is no merit.
_NO_MERIT = f"{SUITE}/test_contract_recordings.py::test_the_documents_say_what_they_said"

Outcome = Literal["caught", "survived", "hung", "wrong"]


class Plan(NamedTuple):
    """The tests that faults are shown to.

    Attributes:
        gate: the quick ones, which come first.
        suite: the modules of the others.
        seconds: how long the gate, and how long the suite may take.
        with_others: whether the tests of other rooms are tried, too.
    """

    gate: tuple[str, ...]
    suite: tuple[str, ...]
    seconds: tuple[float, float]
    with_others: bool


class Verdict(NamedTuple):
    """What became of a fault.

    Attributes:
        by: the test that caught it; or why it was not caught.
        place: `gate` or `suite`; empty where nothing caught it.
        seconds: how long it took.
        said: what the test said.
    """

    fault: Fault
    outcome: Outcome
    by: str
    place: str
    seconds: float
    said: str = ""

    @property
    def is_good(self) -> bool:
        """Whether the tests are strong enough for it."""
        return self.outcome == "caught"


def suite_of(project: Path, tests: Sequence[str]) -> Iterator[str]:
    """Yield the tests that are asked, in their order: those that are named, or all of the suite."""
    if tests:
        yield from tests
        return
    for path in sorted((project / SUITE).glob("test_*.py")):
        name = path.relative_to(project).as_posix()
        if name not in (GATE, *_NOT_ASKED):
            yield name


def judge(fault: Fault, copy: Copy, plan: Plan, processes: Processes) -> Verdict:
    """Plant a fault, ask the tests, and take it out again."""
    began = time.monotonic()

    def verdict(outcome: Outcome, by: str, place: str = "", said: str = "") -> Verdict:
        return Verdict(fault, outcome, by, place, time.monotonic() - began, said)

    try:
        copy.plant(fault, plan.seconds[0])
        hung = False
        for tests, seconds in (
            (plan.gate, plan.seconds[0]),
            (first := _first(plan, fault), plan.seconds[1]),
            ([name for name in plan.suite if name not in first], plan.seconds[1]),
            (fault.also if plan.with_others else (), plan.seconds[1]),
        ):
            if not tests:
                continue
            asked = ask(copy, tests, processes, seconds)
            if asked.failure:
                test = asked.failure["test"]
                place = "gate" if test.startswith(GATE) else "suite"
                return verdict("caught", test, place, asked.failure["said"])
            if asked.status is None and fault.by_timeout:
                return verdict("caught", "the end of the time", "suite")
            if asked.status:
                return verdict("wrong", f"pytest ended with {asked.status}", "", asked.output)
            # A gate that does not end is no evidence; a test of the suite may be.
            hung |= asked.status is None
        if hung:
            return verdict("hung", "not all tests ended in their time")
        return verdict("survived", "nothing")
    except (Broken, Misplaced) as error:
        return verdict("wrong", str(error))
    finally:
        copy.take_out()


class Asked(NamedTuple):
    """What tests said.

    Attributes:
        status: the exit status of pytest; None where it had to be ended.
        failure: the first test that failed, if any did.
        seconds: how long each module took.
        output: all that pytest said.
    """

    status: int | None
    failure: naming.Failure | None
    seconds: Mapping[str, float]
    output: str


def ask(copy: Copy, tests: Sequence[str], processes: Processes, seconds: float) -> Asked:
    """Run tests in a copy until the first one fails."""
    pytest = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "faults.naming"]
    command = [sys.executable, *pytest, "--deselect", _NO_MERIT, *tests]
    with tempfile.TemporaryDirectory() as notes:
        environment = {**copy.environment, naming.FOLDER: notes}
        run = processes.run(command, copy.folder, environment, seconds)
        found = Path(notes)
        return Asked(run.status, naming.failure(found), naming.seconds(found), run.output)


def _first(plan: Plan, fault: Fault) -> list[str]:
    """Return the modules that find a fault soonest: of the suite, or by their paths of any room."""
    names = {name.rpartition("/")[2]: name for name in plan.suite}
    there = [names.get(name, name) for name in fault.first]
    return [name for name in there if name in plan.suite or (plan.with_others and "/" in name)]
