"""A service that counts requests in windows, and callers that send as fast as a budget lets them.

Knows nothing of the runtime, so that the benchmarks can use it with the generated one.
"""

from __future__ import annotations

import math
import random
import threading
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import Any, NamedTuple

import anyio

from .clock import EPOCH, Killed, VirtualClock, World

HEADERS = ("x-rate-limit", "x-rate-left", "x-rate-reset")


@dataclass
class Service:
    """Counts requests in windows that last `seconds`.

    Attributes:
        aligned: windows follow the clock; else one begins with the first request after the last.
        reset: how Reset is written: "floor", "ceil", "milliseconds", "delta" or "none".
        date: whether answers have a Date.
        silent: no rate headers at all.
        phase: seconds by which the service's clock runs ahead of the world.
    """

    world: World
    limit: int = 60
    seconds: float = 60.0
    aligned: bool = True
    reset: str = "floor"
    date: bool = True
    silent: bool = False
    phase: float = 0.0
    retry_after: bool = False
    accepted: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    _ends: float = -math.inf
    _used: int = 0

    def __post_init__(self) -> None:
        self._lock = threading.Lock()

    def answer(self) -> tuple[int, dict[str, str]]:
        """Count a request; the status and the headers of its answer."""
        with self._lock:
            fits = self.count()
            (self.accepted if fits else self.refused).append(self.world.time)
            return 200 if fits else 429, self._headers(fits)

    def count(self) -> bool:
        """Count a request, ours or another's; whether there was room for it."""
        now = self.world.time + self.phase + EPOCH
        if now >= self._ends:
            begin = now - now % self.seconds if self.aligned else now
            self._ends, self._used = begin + self.seconds, 0
        self._used += 1
        return self._used <= self.limit

    def _headers(self, fits: bool) -> dict[str, str]:
        now = self.world.time + self.phase + EPOCH
        headers: dict[str, str] = {}
        if self.date:
            headers["date"] = formatdate(math.floor(now), usegmt=True)
        if self.retry_after and not fits:
            headers["retry-after"] = str(math.ceil(self._ends - now))
        if self.silent:
            return headers
        left = max(0, self.limit - self._used)
        headers |= {HEADERS[0]: str(self.limit), HEADERS[1]: str(left)}
        written = {
            "floor": lambda: str(math.floor(self._ends)),
            "ceil": lambda: str(math.ceil(self._ends)),
            "milliseconds": lambda: str(math.ceil(self._ends * 1000)),
            "delta": lambda: str(math.floor(self._ends - now)),
        }
        if self.reset in written:
            headers[HEADERS[2]] = written[self.reset]()
        return headers

    def used_share(self, began: float, ended: float) -> float:
        """The share of the whole windows between two moments that was used."""
        windows = math.floor((ended - began) / self.seconds)
        until = began + windows * self.seconds
        used = sum(1 for each in self.accepted if each < until)
        return used / (windows * self.limit) if windows else 1.0


Hosts = Mapping[str, tuple[float, float]]  # each with the shortest and the longest way there


class Way(NamedTuple):
    """How the next call of a caller goes: by which budget and clock, and the seconds both ways."""

    budget: Any
    clock: Any
    there: float
    back: float


@dataclass
class _Callers:
    service: Service
    pacing: Any
    left: Iterator[int]
    way: Callable[[int], Way]
    done: Counter[int] = field(default_factory=Counter)

    def thread(self, caller: int) -> None:
        with suppress(Killed):
            for _ in self.left:
                budget, clock, there, back = self.way(caller)
                permit = budget.take("books.list", self.pacing, None, clock)
                clock.sleep(there)
                status, headers = self.service.answer()
                clock.sleep(back)
                budget.settle(permit, headers, status, clock)
                self.done[caller] += 1

    async def task(self, caller: int) -> None:
        with suppress(Killed):
            for _ in self.left:
                budget, clock, there, back = self.way(caller)
                permit = await budget.take_async("books.list", self.pacing, None, clock)
                await anyio.sleep(there)
                status, headers = self.service.answer()
                await anyio.sleep(back)
                budget.settle(permit, headers, status, clock)
                self.done[caller] += 1

    async def tasks(self, callers: Iterable[int]) -> None:
        async with anyio.create_task_group() as group:
            for caller in callers:
                group.start_soon(self.task, caller)


def drive(
    world: World,
    service: Service,
    budgets: Callable[[str], Any],
    pacing: Any,
    clock: VirtualClock,
    *,
    calls: int,
    tasks: int,
    hosts: Hosts | None = None,
    seed: int = 0,
    others: Sequence[Callable[[], Coroutine[Any, Any, None]]] = (),
) -> Counter[int]:
    """Have callers send so many requests as fast as the budget lets them; the calls of each.

    Args:
        budgets: gives the budget that a host's client uses.
        others: what else goes on meanwhile, in the first event loop.
    """
    ways = dict(hosts or {"main": (0.01, 0.2)})
    draw = random.Random(seed)

    def way(caller: int) -> Way:
        host = list(ways)[(caller + callers.done[caller]) % len(ways)]
        return Way(budgets(host), clock, draw.uniform(*ways[host]), draw.uniform(*ways[host]))

    callers = _Callers(service, pacing, iter(range(calls)), way)

    async def loop(first: int, number: int) -> None:
        async with anyio.create_task_group() as background:
            for other in () if first else others:
                background.start_soon(other)
            await callers.tasks(range(first, first + number))
            background.cancel_scope.cancel()

    actors: list[Callable[[], object]] = []
    for first, number in ((0, tasks - tasks // 2), (tasks - tasks // 2, tasks // 2)):
        if number:
            actors.append(lambda f=first, n=number: world.run_tasks(lambda: loop(f, n)))  # type: ignore[misc]
    with suppress(KeyboardInterrupt):
        world.run(*actors)
    return callers.done


def drive_processes(
    world: World,
    service: Service,
    budgets: Sequence[Any],
    pacing: Any,
    clocks: Sequence[VirtualClock],
    *,
    calls: int,
    callers_each: int,
    leave: Callable[[int], object] = lambda process: None,
    others: Sequence[Callable[[], object]] = (),
) -> list[int]:
    """Have processes send so many requests together; the calls of each.

    Every other process has threads, the rest have one event loop each.

    Args:
        budgets: that of each process.
        clocks: what the processes wait by, in turn.
        callers_each: how many send at a time in one process.
        leave: called as a process ends, unless it is killed.
        others: what else goes on meanwhile, each in a thread.
    """
    draw = random.Random(0)

    def way(caller: int) -> Way:
        process = caller // callers_each
        clock = clocks[process % len(clocks)]
        return Way(budgets[process], clock, draw.uniform(0.01, 0.2), draw.uniform(0.01, 0.2))

    callers = _Callers(service, pacing, iter(range(calls)), way)
    at_work = Counter({process: callers_each for process in range(len(budgets))})

    def thread(process: int, caller: int) -> None:
        callers.thread(caller)
        at_work[process] -= 1
        if not at_work[process]:
            end(process)

    def loop(process: int, own: Iterable[int]) -> None:
        world.run_tasks(lambda: callers.tasks(own))
        end(process)

    def end(process: int) -> None:
        with suppress(Killed):
            clocks[process % len(clocks)].now()
            leave(process)

    actors: list[Callable[[], object]] = list(others)
    for process in range(len(budgets)):
        own = range(process * callers_each, (process + 1) * callers_each)
        if process % 2:
            actors += [lambda p=process, c=c: thread(p, c) for c in own]  # type: ignore[misc]
        else:
            actors.append(lambda p=process, own=own: loop(p, own))  # type: ignore[misc]
    world.run(*actors)
    calls_each = [0] * len(budgets)
    for caller, number in callers.done.items():
        calls_each[caller // callers_each] += number
    return calls_each
