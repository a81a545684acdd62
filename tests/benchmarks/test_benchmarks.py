"""The harness of the benchmarks: what it measures, and what it shows."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks import __main__ as commands
from benchmarks.figures import Figure, Samples, bar, table
from benchmarks.measuring import ROOT, Process, Worker, processes, reported, turns, workers

MISSED = Figure("a | b", Samples((2.0, 2.0)), "c", Samples((1.0, 1.0)), 1.5, "It is slow.")


def test_above_an_empty_process_times_of_both_kinds_are_less() -> None:
    base = Samples((1.0, 3.0, 2.0), wall=(4.0, 5.0, 6.0))
    assert Samples((5.0,), wall=(9.0,)).above(base) == Samples((3.0,), wall=(4.0,))


def test_sides_take_turns_and_the_first_round_is_thrown_away() -> None:
    count = itertools.count()
    taken = turns({"a": lambda: next(count), "b": lambda: next(count)}, 3)
    assert taken == {"a": [3, 4, 7], "b": [2, 5, 6]}


def test_a_process_is_measured_with_its_children(tmp_path: Path) -> None:
    spin = "import time\nwhile time.process_time() < 0.2: pass"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {spin!r}])"
    log = tmp_path / "log"
    cases = {
        "outer": Process([["-c", outer]], before=lambda: log.write_text("before")),
        "idle": Process([["-c", "import time; time.sleep(0.2)"]]),
    }
    times = processes(cases, 2)
    assert min(times["outer"].values) >= 0.2
    assert max(times["idle"].values) < min(times["idle"].wall)
    assert log.read_text() == "before"


def test_the_number_that_a_process_prints_last_is_its_sample() -> None:
    case = Process([["-c", "print('a line'); print(7.5)"], ["-c", "print(1)"]])
    assert reported({"a": case}, 2, "MB")["a"] == Samples((8.5, 8.5), "MB")


def test_the_error_has_what_a_process_or_a_worker_printed() -> None:
    with pytest.raises(RuntimeError, match="not today"):
        processes({"a": Process([["-c", "import sys; sys.exit('not today')"]])}, 1)
    with pytest.raises(RuntimeError, match="not today"):
        workers({"a": Worker("def run():\n    raise ValueError('not today')")}, 1, 1)


def test_a_worker_stays_and_may_take_its_samples_itself() -> None:
    counted = "calls = 0\ndef sample(number):\n    global calls\n    calls += number\n"
    cases = {
        "itself": Worker(counted + "    return calls, 0.0"),
        "measured": Worker("def run():\n    pass"),
    }
    times = workers(cases, 3, 2)
    assert times["itself"].values == (4, 6, 8)
    assert all(value >= 0 for value in times["measured"].values)


def test_a_missed_target_is_explained() -> None:
    shown = table([MISSED, "Prism was left out: npm is not on the PATH"])
    assert r"| a \| b | 2 s | c | 1 s | 2 | ██████████▓▓▓▓▓▓▓▓▓▓ | ≤ 1.5 | MISSED |  |" in shown
    assert "against c: It is slow." in shown
    assert "Prism was left out: npm is not on the PATH." in shown


@pytest.mark.parametrize(
    ("ratio", "shown"),
    [
        (0.001, "█░░░░░░░░░"),
        (0.52, "█████░░░░░"),
        (1, "██████████"),
        (1.3, "██████████▓▓▓"),
        (7, "██████████▓▓▓▓▓▓▓▓▓▓…"),
    ],
)
def test_a_bar_is_our_part_of_what_the_others_need(ratio: float, shown: str) -> None:
    assert bar(ratio) == shown


def test_an_unknown_name_is_reported_with_those_that_are_known() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "codign"],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 2
    assert "no benchmark is called codign; there are importing, " in done.stderr


def test_every_benchmark_has_its_place_in_the_documentation() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert re.findall(r"^\(bench-(\w+)\)=$", page, re.M) == list(commands.NAMES)
    assert {path.stem for path in commands.DOCS.iterdir()} == set(commands.NAMES)
    for name in commands.NAMES:
        assert f"{{include}} benchmarks/{name}.md" in page
        assert callable(import_module(f"benchmarks.{name}").measure)
        table = (commands.DOCS / f"{name}.md").read_text(encoding="utf-8")
        assert "not explained" not in table and "was left out" not in table
