"""Clocks for tests, of the kind that a client takes: time passes only while somebody waits.

`StillClock` is for one caller at a time. A `World` moves many threads and event loops together: its
time goes on when all of them wait.
"""

from __future__ import annotations

import asyncio
import math
import selectors
import threading
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import anyio

LONGEST = 600
"""Seconds of the machine for a thread that never ends; a busy one takes minutes for what ends."""
EPOCH = 1_800_000_000.0  # Unix seconds at which every clock begins; a minute begins there, too


class StillClock:
    """Time that passes while somebody waits, and not otherwise.

    Attributes:
        time: the seconds that have passed.
        pauses: how long was waited, each time.
    """

    def __init__(self, time: float = 0.0) -> None:
        self.time = time
        self.pauses: list[float] = []

    def now(self) -> float:
        return self.time

    def wall(self) -> float:
        return EPOCH + self.time

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.time += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)

    def wait(self, event: threading.Event | anyio.Event, seconds: float | None) -> None:
        if not event.is_set():
            assert seconds is not None, "somebody waits for ever"
            self.sleep(seconds)

    async def wait_async(self, event: anyio.Event, seconds: float | None) -> None:
        await anyio.sleep(0)
        self.wait(event, seconds)


class SkippingClock:
    """The machine's time, set forward by each sleep, and by each wait of more than some seconds."""

    def __init__(self, patience: float = 0.0) -> None:
        self._patience = patience
        self._skipped = 0.0

    def now(self) -> float:
        return time.monotonic() + self._skipped

    def wall(self) -> float:
        return time.time() + self._skipped

    def sleep(self, seconds: float) -> None:
        self._skipped += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)

    def wait(self, event: threading.Event, seconds: float | None) -> None:
        if event.is_set() or seconds is None or seconds <= self._patience:
            event.wait(seconds)
        else:
            self.sleep(seconds)

    async def wait_async(self, event: anyio.Event, seconds: float | None) -> None:
        if event.is_set() or seconds is None or seconds <= self._patience:
            with anyio.move_on_after(seconds):
                await event.wait()
        else:
            self.sleep(seconds)


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
            thread.join(LONGEST)
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


class Killed(BaseException):
    """Ends a process of a world, which then does nothing more."""


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


class MortalClock(VirtualClock):
    """The clock of a process that is killed at a moment of its world; nothing goes on after it."""

    def __init__(self, world: World, skew: float, dies: float) -> None:
        super().__init__(world, skew)
        self._dies = dies

    def now(self) -> float:
        if self._world.time >= self._dies:
            raise Killed
        return super().now()

    def wall(self) -> float:
        self.now()
        return super().wall()


class JumpingClock(VirtualClock):
    """A clock whose wall time is set forward by minutes, or back, every so many seconds."""

    def wall(self) -> float:
        return super().wall() + (self._world.time // 100 % 3 - 1) * self._skew
