"""The planted faults, as the project is now, and what runs them; see CONTRIBUTING.md."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from faults.catalogue import PROJECT, Fault, Misplaced, faults, planted
from faults.command import main
from faults.processes import Processes

FAULT = Fault("a-fault", "subject", "what", "file", "", "", (), False, "subject.yaml:3:5")
CODE = "def f():\n    if a:\n        b()\n\n        c()\n    return 1\n"


def test_every_fault_can_be_planted() -> None:
    problems = []
    for fault in faults().values():
        try:
            planted(fault, (PROJECT / fault.file).read_text(encoding="utf-8"))
        except (Misplaced, OSError) as problem:
            problems.append(
                f"{problem}\n  The code has changed: change the entry with it, then "
                f"`python tests/contract/faults {fault.id}` tells whether it is still caught."
            )
    assert not problems, "\n" + "\n".join(problems)


def test_lines_are_planted_with_their_indentation() -> None:
    fault = FAULT._replace(find="if a:\n    b()\n\n    c()", replace="while a:\n    c()")
    assert planted(fault, CODE) == "def f():\n    while a:\n        c()\n    return 1\n"


@pytest.mark.parametrize(
    ("find", "replace", "said"),
    [
        ("d()", "e()", "stands no times in file"),
        ("()", "", "stands 3 times in file"),
        ("if a", "if a", "changes nothing"),
    ],
)
def test_what_cannot_be_planted_is_told(find: str, replace: str, said: str) -> None:
    with pytest.raises(Misplaced, match=f"^subject.yaml:3:5: a-fault .*{said}"):
        planted(FAULT._replace(find=find, replace=replace), CODE)


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
    ("arguments", "said"),
    [
        (["no-such-fault"], "no fault is called no-such-fault"),
        (["--subject", "weather"], "no subject is called weather: there are client-answers, "),
        (["--tests", "tests/nowhere"], "there are no tests tests/nowhere"),
    ],
)
def test_a_mistake_on_the_command_line_is_told(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err
