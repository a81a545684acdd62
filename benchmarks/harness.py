"""Measuring by turns: A B A B …, processor time first, medians with their spread."""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLIENT = ROOT / "generated" / "client" / "src"
TOKEN = "benchmark"


@dataclass(frozen=True)
class Times:
    """The samples of one thing, in the order in which they were taken.

    Attributes:
        cpu: user and system time of each sample, seconds.
        wall: time on the clock of each sample, seconds.
    """

    cpu: tuple[float, ...]
    wall: tuple[float, ...]

    def above(self, base: Times) -> Times:
        """These samples less the median of others, such as those of an empty process."""
        cpu, wall = statistics.median(base.cpu), statistics.median(base.wall)
        return Times(tuple(t - cpu for t in self.cpu), tuple(t - wall for t in self.wall))


@dataclass(frozen=True)
class Row:
    """One line of the table: a thing, and what it is measured against.

    Attributes:
        what: what was done.
        ours: how long it took us.
        against: the name of the other way to do it.
        other: how long that took; None where there is nothing to compare with.
        target: the highest ratio that is meant; None where none is set.
    """

    what: str
    ours: Times
    against: str = ""
    other: Times | None = None
    target: float | None = None


class Skipped(Exception):
    """A measurement cannot be made here; the text says why."""


@dataclass(frozen=True)
class Process:
    """Something to run as processes of their own, one after the other.

    Attributes:
        commands: arguments of the Python interpreter that runs the benchmarks.
        before: what to do before each run, outside the measured time.
    """

    commands: Sequence[Sequence[str]]
    before: Callable[[], None] | None = None


def processes(cases: Mapping[str, Process], rounds: int) -> dict[str, Times]:
    """Run each case once a round, after one round that only warms the caches.

    Raises:
        RuntimeError: a process ended with another status than 0; with what it printed.
    """
    samples: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
    with tempfile.TemporaryDirectory() as caches:
        for number in range(rounds + 1):
            for name, case in cases.items():
                if case.before is not None:
                    case.before()
                taken = [_process(command, caches) for command in case.commands]
                if number:
                    cpu, wall = (sum(parts) for parts in zip(*taken, strict=True))
                    samples[name].append((cpu, wall))
    return {name: _times(taken) for name, taken in samples.items()}


def loops(cases: Mapping[str, Callable[[], object]], rounds: int, number: int) -> dict[str, Times]:
    """Call each function `number` times a round, in this process; a sample is the time of one call.

    The garbage collector is off meanwhile, and runs between the samples.
    """
    samples: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
    for turn in range(rounds + 1):
        for name, call in cases.items():
            gc.collect()
            gc.disable()
            cpu, wall = time.process_time(), time.perf_counter()
            for _ in range(number):
                call()
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            gc.enable()
            if turn:
                samples[name].append((cpu / number, wall / number))
    return {name: _times(taken) for name, taken in samples.items()}


def table(rows: Sequence[Row]) -> str:
    """The rows as people read them: medians, and in brackets the quartiles of the ratios."""
    head = ("what", "ours, ms CPU", "against", "ms CPU", "ratio", "target", "", "ratio of wall")
    lines = [head, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    lines.insert(1, tuple("-" * width for width in widths))
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def _process(arguments: Sequence[str], caches: str) -> tuple[float, float]:
    # All modules, ours and installed ones, come from one cache of bytecode, whatever the caller's
    # environment says: a process that compiles its own sources would be measured for that.
    variables = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        "PYTHONPATH": str(CLIENT),
        "PYTHONPYCACHEPREFIX": caches,
        # The tools beside the interpreter, such as ruff, are those that the processes find.
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
    }
    start = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert child.stderr is not None
    said = child.stderr.read()
    # wait4, not Popen.wait: it gives the times of this process and of those that it waited for.
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.stderr.close()
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{' '.join(arguments)[:200]}\n{said.decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime, wall


def _times(taken: Sequence[tuple[float, float]]) -> Times:
    return Times(tuple(cpu for cpu, _ in taken), tuple(wall for _, wall in taken))


def _cells(row: Row) -> tuple[str, ...]:
    if row.other is None:
        return (row.what, _milliseconds(row.ours.cpu), "", "", "", "", "", "")
    ratio, spread = _ratio(row.ours.cpu, row.other.cpu)
    wall, _ = _ratio(row.ours.wall, row.other.wall)
    target = f"<= {row.target:g}" if row.target is not None else ""
    verdict = "" if row.target is None else "met" if ratio <= row.target else "MISSED"
    return (
        row.what,
        _milliseconds(row.ours.cpu),
        row.against,
        _milliseconds(row.other.cpu),
        f"{ratio:.2f} ({spread})",
        target,
        verdict,
        f"{wall:.2f}",
    )


def _ratio(ours: Sequence[float], other: Sequence[float]) -> tuple[float, str]:
    """The ratio of the medians, and the quartiles of the ratios of the single rounds."""
    low, _, high = statistics.quantiles((a / b for a, b in zip(ours, other, strict=True)), n=4)
    return statistics.median(ours) / statistics.median(other), f"{low:.2f}-{high:.2f}"


def _milliseconds(seconds: Sequence[float]) -> str:
    """The median and the distance between the quartiles."""
    low, middle, high = (1000 * quartile for quartile in statistics.quantiles(seconds, n=4))
    return f"{middle:.3g} ±{(high - low) / 2:.2g}"
