"""Time that passes only while everybody waits, and a service that counts requests by it.

Knows nothing of the runtime, so that the benchmarks can use it with the generated one.
"""

from __future__ import annotations

import asyncio
import math
import random
import selectors
import threading
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import Any

import anyio

EPOCH = 1_800_000_000.0  # Unix seconds at the beginning of the virtual time; begins a minute
HEADERS = ("x-rate-limit", "x-rate-left", "x-rate-reset")


class Stuck(Exception):
    """Everybody waits, and nothing will ever happen."""


@dataclass
class _Sleeper:
    ready: Callable[[], bool]
    until: float
    released: threading.Event = field(default_factory=threading.Event)


class World:
    """Virtual time for threads and event loops. It moves when all of them wait."""

    def __init__(self) -> None:
        self.time = 0.0
        self.errors: list[BaseException] = []
        self._lock = threading.Lock()
        self._awake = 0
        self._sleepers: list[_Sleeper] = []
        self._stuck = False

    def run(self, *actors: Callable[[], object]) -> None:
        """Run each function in a thread of its own until all are done."""
        self._awake = len(actors)
        threads = [threading.Thread(target=self._act, args=(each,), daemon=True) for each in actors]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
            assert not thread.is_alive(), "a thread never ended"
        if self.errors:
            raise self.errors[0]

    def run_tasks(self, main: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Run a coroutine in an event loop of this world, in the thread of an actor."""
        with asyncio.Runner(loop_factory=lambda: _Loop(self)) as runner:
            runner.run(main())

    def block(self, ready: Callable[[], bool], until: float) -> None:
        """Let the actor wait until something is ready, or until a moment."""
        sleeper = _Sleeper(ready, until)
        with self._lock:
            self._sleepers.append(sleeper)
            self._awake -= 1
            self._advance()
        sleeper.released.wait()
        if self._stuck:
            raise Stuck

    def _act(self, actor: Callable[[], object]) -> None:
        try:
            actor()
        except BaseException as error:
            self.errors.append(error)
        finally:
            with self._lock:
                self._awake -= 1
                self._advance()

    def _advance(self) -> None:
        if self._awake or not self._sleepers:
            return
        released = [each for each in self._sleepers if each.ready()]
        if not released:
            moment = min(each.until for each in self._sleepers)
            if moment == math.inf:
                self._stuck = True
                released = self._sleepers
            else:
                self.time = max(self.time, moment)
                released = [each for each in self._sleepers if each.until <= self.time]
        gone = {id(each) for each in released}
        self._sleepers = [each for each in self._sleepers if id(each) not in gone]
        self._awake = len(released)
        for each in released:
            each.released.set()


class _Selector(selectors.DefaultSelector):
    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world

    def select(self, timeout: float | None = None) -> Any:
        found = super().select(0)
        if found or (timeout is not None and timeout <= 0):
            return found
        until = math.inf if timeout is None else self._world.time + timeout
        self._world.block(lambda: bool(super(_Selector, self).select(0)), until)
        return super().select(0)


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self, world: World) -> None:
        super().__init__(_Selector(world))
        self._world = world

    def time(self) -> float:
        return self._world.time


class VirtualClock:
    """A clock of the runtime's kind. Its wall may be off by `skew` seconds."""

    def __init__(self, world: World, skew: float = 0.0) -> None:
        self._world = world
        self._skew = skew

    def now(self) -> float:
        return self._world.time

    def wall(self) -> float:
        return self._world.time + EPOCH + self._skew

    def sleep(self, seconds: float) -> None:
        self._world.block(lambda: False, self._world.time + seconds)

    async def sleep_async(self, seconds: float) -> None:
        await anyio.sleep(seconds)

    def wait(self, event: threading.Event, seconds: float | None) -> None:
        if not event.is_set():
            until = math.inf if seconds is None else self._world.time + seconds
            self._world.block(event.is_set, until)

    async def wait_async(self, event: anyio.Event, seconds: float | None) -> None:
        with anyio.move_on_after(seconds):
            await event.wait()


@dataclass
class Service:
    """Counts requests in windows that last `seconds`.

    Attributes:
        aligned: windows follow the clock; else one begins with the first request after the last.
        reset: how Reset is written: "floor", "ceil", "exact", "milliseconds", "delta" or "none".
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
            "exact": lambda: f"{self._ends:.6f}",
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


def drive(
    world: World,
    service: Service,
    budgets: Callable[[str], Any],
    pacing: Any,
    clock: VirtualClock,
    *,
    calls: int,
    threads: int = 0,
    tasks: int = 0,
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
    done: Counter[int] = Counter()
    left = iter(range(calls))
    draw = random.Random(seed)

    def way(caller: int) -> tuple[Any, float, float]:
        host = list(ways)[(caller + done[caller]) % len(ways)]
        return budgets(host), draw.uniform(*ways[host]), draw.uniform(*ways[host])

    def thread(caller: int) -> None:
        for _ in left:
            budget, there, back = way(caller)
            permit = budget.take("books.list", pacing, None, clock)
            clock.sleep(there)
            status, headers = service.answer()
            clock.sleep(back)
            budget.settle(permit, headers, status, clock)
            done[caller] += 1

    async def task(caller: int) -> None:
        for _ in left:
            budget, there, back = way(caller)
            permit = await budget.take_async("books.list", pacing, None, clock)
            await anyio.sleep(there)
            status, headers = service.answer()
            await anyio.sleep(back)
            budget.settle(permit, headers, status, clock)
            done[caller] += 1

    async def loop(first: int, number: int) -> None:
        async with anyio.create_task_group() as background:
            for other in others if first == threads else ():
                background.start_soon(other)
            async with anyio.create_task_group() as group:
                for caller in range(first, first + number):
                    group.start_soon(task, caller)
            background.cancel_scope.cancel()

    actors: list[Callable[[], object]] = [lambda c=c: thread(c) for c in range(threads)]  # type: ignore[misc]
    halves = [(threads, tasks - tasks // 2), (threads + tasks - tasks // 2, tasks // 2)]
    for first, number in halves:
        if number:
            actors.append(lambda f=first, n=number: world.run_tasks(lambda: loop(f, n)))  # type: ignore[misc]
    with suppress(KeyboardInterrupt):
        world.run(*actors)
    return done
