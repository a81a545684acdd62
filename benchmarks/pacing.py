"""The rate governor: what it costs where there is room, and what it makes of a minute's budget."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from benchmarks import server
from benchmarks.figures import Figure, Samples, at_most
from benchmarks.measuring import loops

if TYPE_CHECKING:
    from tests.runtime.virtual_time import Service

TITLE = "The rate governor"

ROUNDS = 21
CALLS = 200
RUNS = 3


def measure() -> list[Figure]:
    """Taking and settling a permit beside a bare call, and 10,000 calls in virtual time."""
    return [_beside_a_call(), *_ten_thousand()]


def _beside_a_call() -> Figure:
    import httpx2
    from social_publishing._runtime.clock import Clock
    from social_publishing._runtime.pacing import InProcessRates, Pacing, RateRule

    limit = 10**9
    budget = InProcessRates().budget("user", RateRule(limit, 60.0, *_headers()))
    pacing, clock = Pacing(), Clock()
    told = dict(zip(_headers(), (str(limit), str(limit), f"{time.time() + 3600:.0f}"), strict=True))
    told["date"] = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime())

    def pace() -> None:
        permit = budget.take("books.list", pacing, None, clock)
        budget.settle(permit, told, 200, clock)

    with server.running() as base, httpx2.Client(base_url=base) as bare:
        cases: dict[str, Callable[[], object]] = {
            "paced": pace,
            "call": lambda: bare.get("/groups/2"),
        }
        times = loops(cases, ROUNDS, CALLS)
    return Figure(
        "a permit taken and settled", times["paced"], "a bare call", times["call"], at_most(0.02)
    )


def _ten_thousand() -> list[Figure]:
    from tests.runtime.virtual_time import Service, World

    rows: list[Figure] = []
    for aligned in (True, False):
        samples: list[tuple[float, float]] = []
        for _ in range(RUNS):
            world = World()
            service = Service(world, aligned=aligned, phase=17.4)
            cpu, wall = time.process_time(), time.perf_counter()
            _run(service)
            samples.append((time.process_time() - cpu, time.perf_counter() - wall))
        share = service.used_share(service.accepted[0], world.time)
        kind = "by the clock" if aligned else "from the first request"
        print(
            f"10,000 calls, windows {kind}: {len(service.refused)} refused, "
            f"{share:.1%} of the whole windows used",
            file=sys.stderr,
        )
        cpus, walls = zip(*samples, strict=True)
        rows.append(Figure(f"10,000 calls, windows {kind}", Samples(cpus, walls)))
    return rows


def _run(service: Service) -> None:
    """8 threads and 64 tasks of two loops send to two hosts as fast as they may."""
    from social_publishing._runtime.pacing import InProcessRates, Pacing, RateRule

    from tests.runtime.virtual_time import VirtualClock, drive

    store, rule = InProcessRates(), RateRule(60, 60.0, *_headers())

    def budget(_: str) -> Any:
        return store.budget("user", rule)

    drive(
        service.world,
        service,
        budget,
        Pacing(),
        VirtualClock(service.world),
        calls=10_000,
        threads=8,
        tasks=64,
        hosts={"main": (0.01, 0.2), "media": (0.02, 0.4)},
    )


def _headers() -> tuple[str, str, str]:
    from tests.runtime.virtual_time import HEADERS

    return HEADERS
