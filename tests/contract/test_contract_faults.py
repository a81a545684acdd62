"""The planted faults, as the project is now, and what runs them; see CONTRIBUTING.md."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from faults.catalogue import Fault, Misplaced, faults, place_of
from faults.command import main
from faults.places import planted
from faults.processes import Processes

CODE = '''
class Budget:
    unit: int = 60

    def settle(self, used):
        """Of a request."""
        if self.open and used:  # seen
            self.left -= used
            note("ü",
                 self.left + 1)
        return self.left + 1


def settle(used): return used
'''


@pytest.mark.parametrize("fault", faults().values(), ids=lambda each: each.id)
def test_every_fault_has_a_place(fault: Fault) -> None:
    try:
        place_of(fault)
    except Misplaced as problem:
        pytest.fail(
            f"{problem}\nThe code has changed: change the entry with it, then "
            f"`python tests/contract/faults {fault.id}` shows whether it is still caught.",
            pytrace=False,
        )


@pytest.mark.parametrize(
    ("within", "find", "replace", "old", "new"),
    [
        ("Budget.settle", "self.left -= used", "pass", "self.left -= used", "pass"),
        ("Budget.settle", "note('ü', self.left + 1)", "", 'note("ü",\n{}self.left + 1)', "pass"),
        ("Budget.settle", "self.open and used", "used", "self.open and used", "(used)"),
        ("Budget.settle", "if self.open and used:", "if used:", "self.open and used", "(used)"),
        (
            "Budget",
            "self.left -= used\nnote('ü', self.left + 1)",
            "a()\nb()",
            'self.left -= used\n            note("ü",\n{}self.left + 1)',
            "a()\n            b()",
        ),
        ("settle", "return used", "return 1", "def settle(used): return used", None),
        ("Budget.unit", "unit: int = 60", "unit = 61", "unit: int = 60", "unit = 61"),
    ],
)
def test_a_place_is_found_by_what_stands_there(
    within: str, find: str, replace: str, old: str, new: str | None
) -> None:
    new = "def settle(used): return 1" if new is None else new
    assert planted(".py", CODE, within, find, replace) == [CODE.replace(old.format(" " * 17), new)]


def test_all_places_of_a_name_are_found_and_none_elsewhere() -> None:
    assert len(planted(".py", CODE, "Budget.settle", "self.left + 1", "0")) == 2
    assert planted(".py", CODE, "settle", "self.left + 1", "0") == []
    assert planted(".py", CODE, "Budget.settle", "self.left + 1", "self.left + 1") == []


def test_a_place_in_an_overlay_is_in_the_action_of_a_target() -> None:
    text = (
        "actions:\n  - target: $.a\n    update:\n      x: 1\n  - target: $.b\n    update: {x: 1}\n"
    )
    assert planted(".yaml", text, "$.a", "x: 1", "x: 2\ny: 3") == [
        text.replace("      x: 1", "      x: 2\n      y: 3")
    ]
    assert planted(".yaml", text, "$.c", "x: 1", "x: 2") == []


def test_a_process_ends_in_its_time_with_all_that_it_started(tmp_path: Path) -> None:
    child = f"import time; open('pid', 'w').write(str({os.getpid.__name__}())); time.sleep(60)"
    program = (
        "import subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-c', {('from os import getpid; ' + child)!r}])\n"
        "time.sleep(60)"
    )
    began = time.monotonic()
    run = Processes().run([sys.executable, "-c", program], tmp_path, dict(os.environ), 2)
    assert run.status is None
    assert time.monotonic() - began < 20
    pid = int((tmp_path / "pid").read_text())
    for _ in range(100):  # until the system has taken it away
        if not _runs(pid):
            return
        time.sleep(0.05)
    pytest.fail("what it had started goes on")


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["no-such-fault"], "no fault is called no-such-fault"),
        (["--subject", "weather"], "no subject is called weather: there are cli-plans, "),
        (["--tests", "tests/none.py"], "there are no tests tests/none.py"),
    ],
)
def test_what_is_not_there_is_refused(
    arguments: list[str], reported: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert reported in capsys.readouterr().err
