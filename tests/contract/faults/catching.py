"""Whether the tests catch a fault, and which of them does it first."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Container, Iterable, Sequence
from functools import cache
from itertools import chain
from math import log
from pathlib import Path
from typing import Literal, NamedTuple

from faults import naming
from faults.catalogue import FOLDER, PROJECT, Fault, Misplaced, place_of
from faults.copies import Broken, Copy

__all__ = [
    "GATE",
    "SUITE",
    "Verdict",
    "judge",
    "nearest",
    "remember",
    "remembered",
    "sound",
    "tests_for",
]

SUITE = "tests/contract"
GATE = f"{SUITE}/test_corpus.py"
# One fails wherever a fault was planted; the other asks other tests, in a copy of the copy.
_NOT_ASKED = ("test_faults.py", "test_growth.py")
# It fails wherever a document changes, for better or for worse: to fail is no merit.
_NO_MERIT = f"{SUITE}/test_recordings.py::test_the_documents_say_what_they_said"
_FIRST = 4.0  # what the word of the catalogue counts beside the words of the tests
_NO_TESTS = 5  # pytest's status where none of a module is for this target

CAUGHT = FOLDER / "caught.json"
"""The test that caught each fault the last time, empty where none did: it is asked first."""

Outcome = Literal["caught", "survived", "hung", "wrong"]


class Verdict(NamedTuple):
    """What became of a fault.

    Attributes:
        by: the test that caught it; or why it was not caught.
        seconds: how long it took.
    """

    fault: Fault
    outcome: Outcome
    by: str
    seconds: float

    @property
    def is_good(self) -> bool:
        """Whether the tests are strong enough for it."""
        return self.outcome == "caught"


def remembered() -> dict[str, str]:
    """Return the test that caught each fault the last time; empty where none did."""
    known: dict[str, str] = json.loads(CAUGHT.read_text(encoding="utf-8"))
    return known


def remember(verdict: Verdict, known: Iterable[str]) -> None:
    """Keep which test caught a fault, and forget faults that are not in the catalogue."""
    kept = {**remembered(), verdict.fault.id: verdict.by if verdict.is_good else ""}
    lines = {name: kept[name] for name in sorted(kept) if name in set(known)}
    text = json.dumps(lines, indent=1, ensure_ascii=False)
    CAUGHT.write_text(f"{text}\n", encoding="utf-8")


def sound(tests: Sequence[str], copy: Copy, seconds: float) -> set[str]:
    """Return the tests that are there, and pass without a fault."""
    if not tests or ask(copy, tests, seconds).status == 0:
        return set(tests)
    half = len(tests) // 2
    parts = (tests[:half], tests[half:]) if half else ()
    return {test for part in parts for test in sound(part, copy, seconds)}


def tests_for(fault: Fault) -> list[str]:
    """Return the modules that a fault is shown to: of its rooms and the contract tests."""
    first = [PROJECT / (name if "/" in name else f"{SUITE}/{name}") for name in fault.first]
    found = (sorted((PROJECT / room).glob("test_*.py")) for room in (*fault.also, SUITE))
    rest = (each for each in chain(*found) if each.name not in _NOT_ASKED)
    return nearest(fault, [*dict.fromkeys([*first, *rest])])


def nearest(fault: Fault, modules: Sequence[Path]) -> list[str]:
    """Return modules of tests, those first that have most rare words in common with a fault."""
    named = f"{fault.within} {place_of(fault)[0]} {fault.id} {fault.what} {fault.find}"
    holders = {each: [m for m in modules if each in _words_of(m)] for each in _words(named)}
    rarity = {each: log(len(modules) / len(found)) for each, found in holders.items() if found}

    def likeness(module: Path) -> float:
        is_first = any(module.match(name) for name in fault.first)
        return _FIRST * is_first + sum(rarity[each] for each in rarity if module in holders[each])

    return [
        each.relative_to(PROJECT).as_posix() for each in sorted(modules, key=likeness, reverse=True)
    ]


@cache
def _words_of(module: Path) -> frozenset[str]:
    return _words(f"{module.stem} {module.read_text(encoding='utf-8')}")


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall("[a-z]+", re.sub("([a-z])([A-Z])", r"\1 \2", text).lower()))


def judge(
    fault: Fault,
    copy: Copy,
    tests: Iterable[str],
    seconds: float,
    flawed: tuple[str, ...] = (),
    *,
    passing: Container[str] = (),
) -> Verdict:
    """Plant a fault, ask tests until one fails, take it out again, and see that the test passes.

    Args:
        tests: what is asked, one after the other.
        seconds: how long each may take.
        flawed: tests that fail without the fault, too.
        passing: tests that are known to pass without it.
    """
    began = time.monotonic()

    def verdict(outcome: Outcome, by: str) -> Verdict:
        return Verdict(fault, outcome, by, time.monotonic() - began)

    by, hung = "", ""
    tests = [*dict.fromkeys(tests)]
    try:
        copy.plant(fault, seconds)
        for test in tests:
            asked = ask(copy, [test], seconds, flawed)
            while asked.failed and not ask(copy, [asked.failed], seconds).failed:
                flawed = (*flawed, asked.failed)  # it failed by chance
                asked = ask(copy, [test], seconds, flawed)
            if by := asked.failed or (asked.running if fault.by_timeout else ""):
                break
            if asked.status not in (0, None, _NO_TESTS):
                return verdict("wrong", f"pytest ended with {asked.status}: {asked.output}")
            # A test that does not end is no evidence; another one may be.
            hung = hung or asked.running
    except (Broken, Misplaced) as error:
        return verdict("wrong", str(error))
    finally:
        copy.take_out()
    if by and by not in passing and not sound([by], copy, seconds):
        return judge(fault, copy, tests, seconds, (*flawed, by), passing=passing)
    if by:
        return verdict("caught", by)
    return verdict("hung", f"{hung} did not end") if hung else verdict("survived", "nothing")


class Asked(NamedTuple):
    """What tests said.

    Attributes:
        status: the exit status of pytest; None where it had to be ended.
        failed: the first test that failed, if any did.
        running: the test that had to be ended, if one had.
        output: all that pytest said.
    """

    status: int | None
    failed: str
    running: str
    output: str


def ask(copy: Copy, tests: Sequence[str], seconds: float, flawed: Sequence[str] = ()) -> Asked:
    """Run tests in a copy until the first one fails."""
    shutil.rmtree(copy.notes, ignore_errors=True)
    copy.notes.mkdir()
    plugins = ["-p", "no:cacheprovider", "-p", "faults.naming"]
    options = ["-x", "-q", "--tb=no", *plugins, f"--hypothesis-profile={naming.PROFILE}"]
    options.append(f"--basetemp={copy.notes}/tmp")  # else each run removes folders of others
    options += ["--examples", "20"]  # as `nox -s contract`
    deselected = [word for test in (_NO_MERIT, *flawed) for word in ("--deselect", test)]
    run = copy.processes.run(["pytest", *options, *deselected, *tests], seconds)
    running = naming.running(copy.notes) if run.status is None else ""
    return Asked(run.status, naming.failed(copy.notes), running, run.output)
