"""The rate governor: what it costs where there is room, and what it makes of a minute's budget."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks import server
from benchmarks.figures import Figure, Samples, at_least, at_most
from benchmarks.measuring import loops

if TYPE_CHECKING:
    from tests.support.clock import World

TITLE = "The rate governor"

ROUNDS = 21
CALLS = 200
RUNS = 3


def measure() -> Iterator[Figure]:
    """Taking and settling a permit beside a bare call; and 10,000 calls in virtual time, of 8
    threads and 64 tasks in two event loops, to two hosts that share 60 requests a minute.
    """
    yield _beside_a_call()
    yield from _ten_thousand(aligned=True)
    yield from _ten_thousand(aligned=False)


def _beside_a_call() -> Figure:
    import httpx2
    from social_publishing._runtime.core.clock import Clock
    from social_publishing._runtime.limits.budget import InProcessRates, Pacing, RateRule

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
    why = "A permit takes some 5 µs, of which reading the rate headers of the answer is the half."
    what, against = "a permit taken and settled", "a bare call"
    return Figure(what, times["paced"], against, times["call"], at_most(0.02), why)


@dataclass(frozen=True)
class _Run:
    """What came of 10,000 calls.

    Attributes:
        cpu, wall: seconds that they took here.
        refused: calls that the service refused.
        share: of the budget of all whole windows that was used.
        calls: of each caller.
        waits: virtual seconds from asking for a permit to having it.
    """

    cpu: float
    wall: float
    refused: int
    share: float
    calls: list[int]
    waits: list[float]


def _ten_thousand(*, aligned: bool) -> Iterator[Figure]:
    runs = [_run(seed, aligned=aligned) for seed in range(RUNS)]
    what = f"10,000 calls, windows {'by the clock' if aligned else 'from the first request'}"

    def of(unit: str, value: Callable[[_Run], float]) -> Samples:
        return Samples(tuple(value(each) for each in runs), unit)

    mean = of("calls", lambda run: statistics.mean(run.calls))
    lowest = of("calls", lambda run: min(run.calls))
    highest = of("calls", lambda run: max(run.calls))
    wait = of("seconds", lambda run: max(run.waits))
    window = of("seconds", lambda _: 60.0)
    refused = of("calls", lambda run: run.refused)
    share = of("%", lambda run: 100 * run.share)
    against = "the mean of the 72 callers"
    yield Figure(f"{what}: refused with 429", refused, target=at_most(0))
    yield Figure(f"{what}: of the budget used", share, target=at_least(98))
    yield Figure(f"{what}: of the caller with the fewest", lowest, against, mean, at_least(0.9))
    yield Figure(f"{what}: of the caller with the most", highest, against, mean, at_most(1.1))
    # 72 callers and 60 permits in a window: whoever comes last waits for the second one.
    yield Figure(f"{what}: the longest wait", wait, "a window", window, at_most(2.1))
    times = Samples(tuple(run.cpu for run in runs), wall=tuple(run.wall for run in runs))
    yield Figure(f"{what}: all of it", times)


def _run(seed: int, *, aligned: bool) -> _Run:
    """8 threads and 64 tasks of two loops send to two hosts as fast as they may."""
    from social_publishing._runtime.limits.budget import InProcessRates, Pacing, RateRule

    from tests.support.clock import VirtualClock, World
    from tests.support.rate_service import Service, drive

    world = World()
    service = Service(world, aligned=aligned, phase=17.4)
    budget = _Timed(InProcessRates().budget("user", RateRule(60, 60.0, *_headers())), world)
    cpu, wall = time.process_time(), time.perf_counter()
    calls = drive(
        world,
        service,
        lambda _: budget,
        Pacing(),
        VirtualClock(world),
        calls=10_000,
        threads=8,
        tasks=64,
        hosts={"main": (0.01, 0.2), "media": (0.02, 0.4)},
        seed=seed,
    )
    return _Run(
        time.process_time() - cpu,
        time.perf_counter() - wall,
        len(service.refused),
        service.used_share(service.accepted[0], world.time),
        list(calls.values()),
        budget.waits,
    )


class _Timed:
    """A budget, and how long each of its permits was waited for."""

    def __init__(self, budget: Any, world: World) -> None:
        self.settle = budget.settle
        self.waits: list[float] = []
        self._budget = budget
        self._world = world

    def take(self, *arguments: Any) -> Any:
        began = self._world.time
        permit = self._budget.take(*arguments)
        self.waits.append(self._world.time - began)
        return permit

    async def take_async(self, *arguments: Any) -> Any:
        began = self._world.time
        permit = await self._budget.take_async(*arguments)
        self.waits.append(self._world.time - began)
        return permit


def _headers() -> tuple[str, str, str]:
    from tests.support.rate_service import HEADERS

    return HEADERS
