"""What shows only over time: memory, handles and threads after many calls; ten minutes of faults.

`SOAKING_SHARE` in the environment makes all of it shorter: 0.01 is a hundredth of the calls and of
the time, at least so many that everything happens.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks import server
from benchmarks.enduring import Held, There, asked, wrong
from benchmarks.figures import Figure, LeftOut, Samples, Target, at_most
from benchmarks.measuring import CLIENT, ROOT

TITLE: Final = "Over time"

SANDBOX: Final = ROOT / "sandbox" / "src"
SECONDS: Final = 600.0

_MEMORY: Final = at_most(1.0)  # MB
_UNDER_WAY: Final = at_most(5.0)  # MB: what 72 callers have at once differs by as much
_NONE: Final = at_most(0)


@dataclass(frozen=True)
class Span:
    """How many calls: those after which everything is warm, and all of them."""

    early: int
    late: int

    def times(self, share: float, least: int = 200) -> Span:
        """The same for a part of the work; `least` calls make everything warm."""
        early = max(least, round(self.early * share))
        return Span(early, max(2 * early, round(self.late * share)))

    def __str__(self) -> str:
        return f"between call {self.early:,} and call {self.late:,}"


CALLS: Final = Span(100_000, 1_000_000)
AWAITED: Final = Span(30_000, 300_000)
CLIENTS: Final = Span(100, 1_000)
REQUESTS: Final = Span(100_000, 1_000_000)
WRITES: Final = Span(10_000, 110_000)
_REQUEST_LOG: Final = 12_000  # requests until it is full


def measure() -> Iterator[Figure | LeftOut]:
    """Memory, handles and threads that calls, clients and requests leave behind; and what clients
    believe of their writes after ten minutes against a sandbox with all its faults.
    """
    if not Path("/proc/self/statm").exists():
        yield LeftOut("what a process holds", "it is read from /proc")
        return
    share = float(os.environ.get("SOAKING_SHARE", "1"))
    parts: tuple[Callable[[], Iterator[Figure]], ...] = (
        lambda: _clients(share),
        lambda: _sandbox(share),
        lambda: soaked(max(5.0, SECONDS * share)),
    )
    with ThreadPoolExecutor() as pool:  # side by side: no time is measured here
        for figures in pool.map(lambda part: list(part()), parts):
            yield from figures


def _clients(share: float) -> Iterator[Figure]:
    for what, program, calls in (
        ("a client that waits", "called", CALLS.times(share)),
        ("a client that is awaited, 64 tasks", "awaited", AWAITED.times(share)),
    ):
        early, late = _run(program, calls.early, calls.late)
        yield from _left(f"{what}, {calls}", early, late)
    clients = CLIENTS.times(share)
    with server.running() as base:
        for what, program in (
            (f"{clients.late:,} clients, each closed after a call", "opened"),
            (f"{clients.late:,} clients that are awaited, likewise", "opened_async"),
        ):
            early, late = _run(program, base, clients.early, clients.late)
            yield from _left(what, early, late)


def _sandbox(share: float) -> Iterator[Figure]:
    requests, writes = REQUESTS.times(share, _REQUEST_LOG), WRITES.times(share)
    with _serving() as (there, ask):
        held = []
        for kind, numbers in (
            ("read", range(requests.early)),
            ("read", range(requests.early, requests.late)),
            ("write", range(writes.early)),
            ("write", range(writes.early, writes.late)),
        ):
            asked(there, kind, numbers)
            held.append(Held(**ask("held")))
        yield from _left(f"a sandbox, reads and refusals, {requests}", *held[:2])
        grown = (held[3].memory - held[2].memory) / (writes.late - writes.early) * 10_000
        what = "a sandbox, kept of 10,000 changes: an activity each, part of the state"
        yield Figure(what, Samples((grown,), "MB"))


def soaked(seconds: float) -> Iterator[Figure]:
    """Both clients against a sandbox with all its faults; its request log and its posts judge."""
    with tempfile.TemporaryDirectory() as folder:
        outcomes, carried_out = Path(folder, "outcomes"), Path(folder, "carried-out")
        with _serving(carried_out) as (there, ask):
            told = json.dumps(vars(there))
            before, early, late, closed = _run("soak", told, seconds, outcomes)
            service = ask("end")
        found = wrong(outcomes, carried_out, service["contents"])
    yield from _judged(found, service, f"{seconds / 60:.3g} minutes of faults")
    yield _figure(
        "both clients in it, from a fifth of it to its end", "MB", late, early, _UNDER_WAY
    )
    for what in ("handles", "threads"):
        yield _figure("both clients, closed after it", what, closed, before, _NONE)


def _judged(found: Counter[str], service: dict[str, Any], soak: str) -> Iterator[Figure]:
    counts = {
        "writes carried out twice": found["twice"] + len(service["duplicates"]),
        "writes said to be done that were not": found["lost"],
        "writes said not to be done that were": found["denied"],
        "posts that are not as the last change left them": found["other"],
        "requests beyond the rate": service["refused"],
    }
    yield Figure(f"{soak}: writes", Samples((found["writes"],), "writes"))
    yield Figure(f"{soak}: writes whose outcome is unknown", Samples((found["unknown"],), "writes"))
    for what, number in counts.items():
        unit = what.partition(" ")[0]
        yield Figure(f"{soak}: {what}", Samples((number,), unit), target=_NONE)


def _left(what: str, early: Held, late: Held) -> Iterator[Figure]:
    yield _figure(what, "MB", late, early, _MEMORY)
    yield _figure(what, "handles", late, early, _NONE)
    yield _figure(what, "threads", late, early, _NONE)


def _figure(what: str, unit: str, late: Held, early: Held, target: Target) -> Figure:
    name = {"MB": "memory"}.get(unit, unit)
    grown = getattr(late, name) - getattr(early, name)
    return Figure(f"{what}: {name} more", Samples((grown,), unit), target=target)


# Processes


def _run(*arguments: object) -> list[Held]:
    """Run a program of `enduring` to its end; what it said that it holds."""
    done = subprocess.run(
        _command(arguments), cwd=ROOT, env=_variables(), stdout=subprocess.PIPE, check=True
    )
    return [Held(**json.loads(line)) for line in done.stdout.splitlines()]


@contextmanager
def _serving(carried_out: Path | None = None) -> Iterator[tuple[There, Callable[[str], Any]]]:
    """A sandbox in a process of its own, and what asks that process.

    Args:
        carried_out: where it writes what was carried out; then all its faults are on.
    """
    arguments = ["serve", *([carried_out] if carried_out else [])]
    with subprocess.Popen(
        _command(arguments), cwd=ROOT, env=_variables(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None and process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        def ask(what: str) -> Any:
            stdin.write(f"{what}\n")
            stdin.flush()
            return json.loads(stdout.readline())

        try:
            yield There(**json.loads(stdout.readline())), ask
        finally:
            stdin.close()  # it ends with its input


def _command(arguments: Sequence[object]) -> list[str]:
    return [sys.executable, "-m", "benchmarks.enduring", *map(str, arguments)]


def _variables() -> dict[str, str]:
    paths = os.pathsep.join(map(str, (ROOT, CLIENT, SANDBOX)))
    return {**os.environ, "PYTHONPATH": paths}
