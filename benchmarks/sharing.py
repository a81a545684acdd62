"""One rate limit for twenty processes: refusals, what is left unused, and trips to the store.

The processes are budgets of their own in one program, and their time is simulated, so that three
hours take seconds; the stores are real ones, which get that time.
"""

from __future__ import annotations

import logging
import math
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from benchmarks.figures import Figure, LeftOut, Samples, Series
from benchmarks.measuring import Worker, workers
from tests.support.clock import JumpingClock, MortalClock, VirtualClock, World
from tests.support.rate_service import HEADERS, Service, drive_processes
from tests.support.rate_stores import watched
from tests.support.valkey import PROGRAM, ValkeyServer, valkey_server

TITLE: Final = "Sharing the rate limit"

PROCESSES: Final = 20
CALLERS: Final = 8  # in each
CALLS: Final = 10_000
LIMIT: Final = 60  # in a minute
PHASE: Final = 17.4  # seconds by which a window has begun before the first call
SKEWS: Final = (0.0, 200.0, -180.0, 600.0)  # seconds by which clocks are off
EVERY: Final = 997.0  # seconds from one trouble to the next
SHOWN: Final = (20, 25)  # minutes of the picture
UNUSED, TRIPS = 5.0, 0.2  # targets: per cent of the limit; trips to the store a call

Stores = Callable[[str, Callable[[], float]], Any]


@dataclass
class Run:
    """What became of the calls of twenty processes.

    Attributes:
        service: what counted their requests.
        seconds: that they took.
        trips: to the store.
    """

    service: Service
    seconds: float
    trips: int

    @property
    def refused(self) -> Samples:
        """Return how many were refused."""
        return Samples((len(self.service.refused),), "refused")

    @property
    def unused(self) -> Samples:
        """Return how much of the limit was not used, in per cent."""
        windows = math.ceil((self.seconds + PHASE) / 60)
        used = len(self.service.accepted) / (windows * LIMIT)
        return Samples((100 * (1 - used),), "%")


def measure() -> Iterator[Figure | LeftOut | Series]:
    """Let twenty processes share a limit, in peace and in trouble."""
    logging.getLogger("social_publishing").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        yield from _with_store("FileRates", _files(Path(folder)), lambda: _forget(Path(folder)))
        missing = "redis" if find_spec("redis") is None else "" if PROGRAM else "redis-server"
        if missing:
            yield LeftOut("ValkeyRates", f"{missing} is not installed")
        else:
            with valkey_server(Path(folder)) as server:
                stores = _on_server(server)
                yield from _with_store("ValkeyRates", stores, lambda: _restart(server))
                yield from _trips(Path(folder), server)
        yield from _pictures(_files(Path(folder)))


def _with_store(name: str, stores: Stores, forget: Callable[[], object]) -> Iterator[Figure]:
    alone = run(None)
    for trouble in ("", "partition", "restart", "killed", "clocks"):
        found = run(stores, trouble, forget)
        what = f"{name}{TROUBLES[trouble]}"
        if trouble:
            yield Figure(f"{what}: refused", found.refused, target=0)
        else:
            others = f"{PROCESSES} processes without a store"
            yield Figure(f"{what}: refused", found.refused, others, alone.refused, 0)
        yield Figure(f"{what}: of the limit unused", found.unused, target=UNUSED)
        trips = Samples((found.trips / CALLS,), "trips a call")
        yield Figure(f"{what}: to the store", trips, target=TRIPS)


TROUBLES: Final = {
    "": "",
    "partition": ", which cannot be reached for 30 s now and then",
    "restart": ", which forgets everything now and then",
    "killed": ", and half of the processes are killed",
    "clocks": ", and clocks are set forward and back by minutes",
}


def run(
    stores: Stores | None,
    trouble: str = "",
    forget: Callable[[], object] = lambda: None,
    *,
    processes: int = PROCESSES,
    calls: int = CALLS,
) -> Run:
    """Send calls by many processes, as fast as they may.

    Args:
        stores: makes the store by a name and a clock; None for no store at all.
        trouble: what happens meanwhile.
        forget: makes the store forget everything.
    """
    from social_publishing import Pacing, RateStore
    from social_publishing._runtime.limits.budget import InProcessRates, RateRule
    from social_publishing._runtime.limits.shared import SharedRates

    world = World()
    service = Service(world, LIMIT, phase=PHASE)
    store: Any = None
    if stores is not None:
        name = f"{trouble} {processes}"
        store = watched(RateStore, stores(name, lambda: 1e6 + world.time))
    rates: list[Any] = [
        InProcessRates() if store is None else SharedRates(store) for _ in range(processes)
    ]
    draw = random.Random(1)
    clocks: Sequence[VirtualClock] = [VirtualClock(world, SKEWS[n % 4]) for n in range(processes)]
    if trouble == "clocks":
        clocks = [JumpingClock(world, SKEWS[n % 4]) for n in range(processes)]
    elif trouble == "killed":
        dies = [draw.uniform(0, 5000) if n % 4 < 2 else math.inf for n in range(processes)]
        clocks = [MortalClock(world, SKEWS[n % 4], dies[n]) for n in range(processes)]

    def disturb() -> None:
        clock = VirtualClock(world)
        for _ in range(8):
            clock.sleep(EVERY)
            store.fails = OSError("no way there")
            clock.sleep(30 if trouble == "partition" else 2)
            store.fails = None
            if trouble == "restart":
                forget()

    drive_processes(
        world,
        service,
        [each.budget("user", RateRule(LIMIT, 60.0, *HEADERS)) for each in rates],
        Pacing(),
        clocks,
        calls=calls,
        callers_each=CALLERS,
        leave=lambda process: rates[process].leave() if store is not None else None,
        others=[disturb] if trouble in ("partition", "restart") else [],
    )
    return Run(service, max(service.accepted), 0 if store is None else store.trips)


def _files(folder: Path) -> Stores:
    from social_publishing import FileRates

    return lambda name, now: FileRates(folder / f"{name}.db", now=now)


def _forget(folder: Path) -> None:
    for each in folder.glob("*.db*"):
        each.unlink()


def _on_server(server: ValkeyServer) -> Stores:
    from social_publishing import ValkeyRates

    return lambda name, now: ValkeyRates(_address(server), prefix=name, now=now)


def _restart(server: ValkeyServer) -> None:
    server.stop()
    server.start()


def _address(server: ValkeyServer) -> str:
    return f"valkey://127.0.0.1:{server.port}"


def _trips(folder: Path, server: ValkeyServer) -> Iterator[Figure]:
    setup = (
        "from social_publishing import {0}, RateLease\n"
        "store = {0}({1!r})\n"
        "lease = RateLease('a', 0, 80.0, 60, 60.0)\n"
        "def run():\n    store.reserve('user', lease, 1)\n"
    )
    cases = {
        "FileRates": Worker(setup.format("FileRates", str(folder / "trips.db"))),
        "ValkeyRates": Worker(setup.format("ValkeyRates", _address(server))),
    }
    taken = workers(cases, 9, 300)
    yield Figure("a trip to FileRates", taken["FileRates"], "ValkeyRates", taken["ValkeyRates"])


def _pictures(stores: Stores) -> Iterator[Series]:
    calls = LIMIT * (SHOWN[1] + 10)
    for what, found in {
        "1 process": run(stores, processes=1, calls=calls),
        f"{PROCESSES} processes that share the limit": run(stores, calls=calls),
        # Of theirs, about half are refused.
        f"{PROCESSES} processes that do not": run(None, calls=2 * calls),
    }.items():
        yield _left(what, found.service)


def _left(what: str, service: Service) -> Series:
    """Return what was left of the limit, second by second."""
    begin, end = (60 * each for each in SHOWN)
    points: list[tuple[float, float]] = []
    for second in range(begin, end + 1):
        opened = math.floor((second + PHASE) / 60) * 60 - PHASE
        left = LIMIT - sum(opened <= each < second for each in service.accepted)
        if not points or left != points[-1][1] or second == end:
            points.append((second, left))
    refused = [each for each in service.refused if begin <= each <= end]
    what = f"{what}: requests left in the window; {len(refused)} refused"
    return Series(what, tuple(points), tuple(sorted({round(each) for each in refused})))
