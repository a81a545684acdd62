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
from typing import Final, TypeVar

from benchmarks.figures import SECONDS, Samples

ROOT: Final = Path(__file__).resolve().parent.parent
CLIENT: Final = ROOT / "generated" / "client" / "src"
TOKEN: Final = "benchmark"
Command = list[str | Path]


@dataclass(frozen=True)
class Process:
    """Something to run as processes of their own, one after the other.

    Attributes:
        commands: arguments of the interpreter, or whole commands where `python` is None.
        before: what to do before each run, outside the measured time.
        python: the interpreter, by default the one that runs the benchmarks.
        paths: folders of modules beside those that are installed.
    """

    commands: Sequence[Sequence[str | Path]]
    before: Callable[[], None] | None = None
    python: Path | None = Path(sys.executable)
    paths: Sequence[Path] = (CLIENT,)


@dataclass(frozen=True)
class Worker:
    """A program that stays, and repeats the same calls whenever it is asked to.

    Attributes:
        program: Python that defines `run()`, which is one call; or `sample(number)`, which makes
            that many calls and gives the processor time and the time on the clock of one, seconds.
        python: the interpreter, by default the one that runs the benchmarks.
        paths: folders of modules beside those that are installed.
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

_K = TypeVar("_K")
_T = TypeVar("_T")


def turns(cases: Mapping[_K, Callable[[], _T]], rounds: int) -> dict[_K, list[_T]]:
    """Call each case once a round, after one round that is thrown away: it only warms things."""
    taken: dict[_K, list[_T]] = {name: [] for name in cases}
    for turn in range(rounds + 1):
        for name, take in cases.items():
            sample = take()
            if turn:
                taken[name].append(sample)
    return taken


def samples(taken: Sequence[tuple[float, float]]) -> Samples:
    """Samples of processor time and time on the clock, seconds."""
    return Samples(tuple(cpu for cpu, _ in taken), SECONDS, tuple(wall for _, wall in taken))


def processes(cases: Mapping[str, Process], rounds: int) -> dict[str, Samples]:
    """Run the processes of each case once a round.

    Raises:
        RuntimeError: a process ended with another status than 0; with what it printed.
    """
    with tempfile.TemporaryDirectory() as caches:
        costs = {name: partial(_cost, case, caches) for name, case in cases.items()}
        return {name: samples(taken) for name, taken in turns(costs, rounds).items()}


def reported(cases: Mapping[str, Process], rounds: int, unit: str) -> dict[str, Samples]:
    """Run each case once a round; a sample is the number on the last line that its process prints.

    Raises:
        RuntimeError: a process ended with another status than 0; with what it printed.
    """
    with tempfile.TemporaryDirectory() as caches:
        numbers = {name: partial(_number, case, caches) for name, case in cases.items()}
        return {name: Samples(tuple(taken), unit) for name, taken in turns(numbers, rounds).items()}


def workers(cases: Mapping[str, Worker], rounds: int, number: int) -> dict[str, Samples]:
    """Let each program make `number` calls a round; a sample is one call.

    All programs are there for the whole time, and only one of them works.

    Raises:
        RuntimeError: a program ended; with what it printed.
    """
    with ExitStack() as stack:
        started = {
            name: partial(stack.enter_context(_worker(case)), number)
            for name, case in cases.items()
        }
        return {name: samples(taken) for name, taken in turns(started, rounds).items()}


@dataclass(frozen=True)
class _Run:
    """A process that has ended: its times in seconds, and what it printed."""

    cpu: float
    wall: float
    printed: str


def _cost(case: Process, caches: str) -> tuple[float, float]:
    done = _done(case, caches)
    return sum(each.cpu for each in done), sum(each.wall for each in done)


def _number(case: Process, caches: str) -> float:
    return sum(float(each.printed.split()[-1]) for each in _done(case, caches))


def _done(case: Process, caches: str) -> list[_Run]:
    if case.before is not None:
        case.before()
    return [_process(command, case, caches) for command in case.commands]


def _process(command: Sequence[str | Path], case: Process, caches: str) -> _Run:
    arguments = [str(each) for each in ([case.python] if case.python else []) + list(command)]
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        child = subprocess.Popen(
            arguments, cwd=ROOT, env=_variables(case.paths, caches), stdin=subprocess.DEVNULL,
            stdout=said, stderr=errors,
        )  # fmt: skip
        # wait4, not Popen.wait: it gives the times of this process and of those it waited for.
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        errors.seek(0)
        if child.returncode:
            reason = errors.read().decode(errors="replace")
            raise RuntimeError(f"{' '.join(arguments)[:200]}\n{reason}")
        text = said.read().decode(errors="replace")
    return _Run(usage.ru_utime + usage.ru_stime, wall, text)


@contextmanager
def _worker(case: Worker) -> Iterator[Callable[[int], tuple[float, float]]]:
    with (
        tempfile.TemporaryDirectory() as caches,
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            [case.python, "-c", case.program + _WORK], cwd=ROOT,
            env=_variables(case.paths, caches), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=errors, text=True,
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
