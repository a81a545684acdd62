"""Measuring by turns: A B A B …, so that whatever else the machine does falls on both."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from benchmarks.figures import SECONDS, Samples

ROOT: Final = Path(__file__).resolve().parent.parent
CLIENT: Final = ROOT / "generated" / "client" / "src"
TOKEN: Final = "benchmark"
Command = list[str | Path]


@dataclass(frozen=True)
class Process:
    """Something to run as processes of their own, one after the other.

    Attributes:
        commands: arguments of the interpreter.
        before: what to do before each run, outside the measured time.
        python: the interpreter, by default the one that runs the benchmarks.
        paths: folders of modules beside those that are installed.
    """

    commands: Sequence[Sequence[str | Path]]
    before: Callable[[], object] = lambda: None
    python: Path = Path(sys.executable)
    paths: Sequence[Path] = (CLIENT,)


class Cost(NamedTuple):
    """What processes took: processor and clock (seconds); and what they printed."""

    cpu: float
    wall: float
    printed: tuple[str, ...]


@dataclass(frozen=True)
class Worker:
    """A program that stays, and repeats the same calls whenever it is asked to.

    Attributes:
        program: Python that defines `run()`, which is one call; or `sample(number)`, which makes
            that many calls and gives the processor time and the time on the clock of one, seconds.
        python, paths: as those of a process.
    """

    program: str
    python: Path = Path(sys.executable)
    paths: Sequence[Path] = (CLIENT,)


# Goes on from a worker's program. The collector runs between samples, never in them.
_WORK: Final = """
if "sample" not in globals():
    def sample(number):
        import gc, time
        gc.collect()
        gc.disable()
        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(number):
            run()
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        gc.enable()
        return cpu / number, wall / number
for line in __import__("sys").stdin:
    print(*sample(int(line)), flush=True)
"""

_T = TypeVar("_T")


def turns(cases: Mapping[str, Callable[[], _T]], rounds: int) -> dict[str, list[_T]]:
    """Call each case once a round, after one round that is thrown away: it only warms things.

    Every other round goes backwards, so that no case always comes after the same one: what the one
    before left in the processor's caches costs the next.
    """
    taken: dict[str, list[_T]] = {name: [] for name in cases}
    for turn in range(rounds + 1):
        for name in (list, reversed)[turn % 2](taken):
            sample = cases[name]()
            if turn:
                taken[name].append(sample)
    return taken


def processes(cases: Mapping[str, Process], rounds: int) -> dict[str, Samples]:
    """Run the processes of each case once a round; RuntimeError where one fails."""
    with tempfile.TemporaryDirectory() as caches:
        return _timed({name: partial(cost, case, caches) for name, case in cases.items()}, rounds)


def reported(cases: Mapping[str, Process], rounds: int, unit: str) -> dict[str, Samples]:
    """Run each case once a round; a sample is the sum of what its processes print last."""

    def number(taken: Cost) -> float:
        return sum(float(each.split()[-1]) for each in taken.printed)

    with tempfile.TemporaryDirectory() as caches:
        costs = turns({name: partial(cost, case, caches) for name, case in cases.items()}, rounds)
    return {name: Samples(tuple(map(number, taken)), unit) for name, taken in costs.items()}


def workers(cases: Mapping[str, Worker], rounds: int, number: int) -> dict[str, Samples]:
    """Let each program make `number` calls a round; a sample is one call.

    All programs are there for the whole time, and only one of them works. RuntimeError where one
    ends, with what it printed.
    """
    with ExitStack() as stack:
        started = {name: stack.enter_context(_worker(case)) for name, case in cases.items()}
        return _timed({name: partial(ask, number) for name, ask in started.items()}, rounds)


def _timed(cases: Mapping[str, Callable[[], Sequence[Any]]], rounds: int) -> dict[str, Samples]:
    measured = {}
    for name, taken in turns(cases, rounds).items():
        cpu, wall, *_ = zip(*taken, strict=True)
        measured[name] = Samples(cpu, SECONDS, wall)
    return measured


def cost(case: Process, caches: str) -> Cost:
    """Run a case once.

    Raises:
        RuntimeError: on Windows, where nothing tells what a process and its own have cost.
    """
    if sys.platform == "win32":
        raise RuntimeError("the benchmarks need os.wait4, which Windows lacks: run them on Linux")
    case.before()
    done = []
    for command in case.commands:
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            start = time.perf_counter()
            child = subprocess.Popen(
                [case.python, *command], cwd=ROOT, env=_variables(case.paths, caches),
                stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
            )  # fmt: skip
            # wait4, not Popen.wait: it gives the times of this process and of those it waited for.
            _, status, usage = os.wait4(child.pid, 0)
            wall = time.perf_counter() - start
            child.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            errors.seek(0)
            if child.returncode:
                raise RuntimeError(f"{command!s:.200}\n{errors.read().decode(errors='replace')}")
            printed = output.read().decode(errors="replace")
            done.append((usage.ru_utime + usage.ru_stime, wall, printed))
    cpus, walls, texts = zip(*done, strict=True)
    return Cost(sum(cpus), sum(walls), texts)


@contextmanager
def _worker(case: Worker) -> Iterator[Callable[[int], tuple[float, float]]]:
    with (
        tempfile.TemporaryDirectory() as caches,
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            [case.python, "-c", case.program + _WORK], cwd=ROOT,
            env=_variables(case.paths, caches), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=errors, text=True, encoding="utf-8",
        ) as child,
    ):  # fmt: skip
        assert child.stdin is not None and child.stdout is not None

        def sample(number: int) -> tuple[float, float]:
            assert child.stdin is not None and child.stdout is not None
            try:
                child.stdin.write(f"{number}\n")
                child.stdin.flush()
                cpu, wall = map(float, child.stdout.readline().split())
            except (OSError, ValueError):
                child.kill()
                child.wait()
                errors.seek(0)
                raise RuntimeError(errors.read().decode(errors="replace")) from None
            return cpu, wall

        try:
            yield sample
        finally:
            child.kill()


def _variables(paths: Sequence[Path], caches: str) -> dict[str, str]:
    # All modules, ours and installed ones, come from one cache of bytecode, whatever the caller's
    # environment says: a process that compiles its own sources would be measured for that.
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "PYTHONPYCACHEPREFIX": caches,
        # The tools beside the interpreter, such as ruff, are those that the processes find.
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
    }
