"""Virtual time for threads and event loops of which one runs at a time; a seed decides which."""

from __future__ import annotations

import heapq
import math
import random
import threading
from collections.abc import Callable
from contextvars import ContextVar

from tests.support.clock import Killed, Stuck, World, _Sleeper

__all__ = ["LIFE", "Life", "Over", "Scheduler"]

_MOST_STEPS = 100_000  # after which a world ends


class Over(BaseException):
    """Ends a node after a failure, so that nothing more happens."""


class Life:
    """A process that is killed when it goes on for the nth time; with None it is not.

    Attributes:
        left: how often it goes on before.
    """

    def __init__(self, left: int | None = None) -> None:
        self.left = left

    def go_on(self) -> None:
        """Go on.

        Raises:
            Killed: it was killed meanwhile.
        """
        if self.left is not None:
            self.left -= 1
            if self.left <= 0:
                self.left = 0
                raise Killed


LIFE: ContextVar[Life | None] = ContextVar("life", default=None)


class Scheduler(World):
    """A world in which one node runs at a time. It takes a step when none runs.

    Args:
        seed: decides who goes on where several can.

    Attributes:
        steps: how often somebody went on, or something arrived.
        failure: the first error; what comes after it means nothing.
    """

    def __init__(self, seed: str) -> None:
        super().__init__()
        self.steps = 0
        self.failure: BaseException | None = None
        self._is_over = False
        self._draw = random.Random(seed)
        self._due: list[tuple[float, int, Callable[[], object]]] = []
        self._made = 0

    def at(self, moment: float, act: Callable[[], object]) -> None:
        """Let something happen that waits for nothing."""
        self._made += 1
        heapq.heappush(self._due, (moment, self._made, act))

    def run(self, *actors: Callable[[], object]) -> None:
        """Run each function in a thread of its own until all are done and nothing is due.

        Raises:
            BaseException: the first failure.
        """
        self._sleepers = [_Sleeper(lambda: True, math.inf) for _ in actors]
        threads = [
            threading.Thread(target=self._begin, args=pair, daemon=True)
            for pair in zip(actors, self._sleepers, strict=True)
        ]
        for thread in threads:
            thread.start()
        with self._lock:
            self._advance()
        for thread in threads:
            thread.join(600)  # a busy machine is no failure
            assert not thread.is_alive(), "a thread never ended"
        self._is_over = True
        if self.failure is not None:
            raise self.failure

    def block(self, ready: Callable[[], bool], until: float) -> None:
        """Let the node wait until something is ready, or until a moment."""
        if self._is_over:  # what a process does at its exit
            return
        if self.failure is not None:
            raise Over
        super().block(ready, until)
        if self.failure is not None:
            raise Over
        life = LIFE.get()
        if life is not None:
            life.go_on()

    def fail(self, error: BaseException) -> None:
        """End everything."""
        self.failure = self.failure or error

    def _begin(self, actor: Callable[[], object], sleeper: _Sleeper) -> None:
        sleeper.released.wait()
        try:
            if self.failure is None:
                actor()
        except Over:
            pass
        except BaseException as error:
            self.fail(error)
        with self._lock:
            self._awake -= 1
            self._advance()

    def _advance(self) -> None:
        while not self._awake and self.failure is None:
            ready = [other for other in self._sleepers if self._can_go_on(other)]
            is_due = bool(self._due) and self._due[0][0] <= self.time
            if not ready and not is_due:
                moments = [other.until for other in self._sleepers]
                moments += [self._due[0][0]] if self._due else []
                if not moments:
                    return
                if min(moments) == math.inf:
                    self.fail(Stuck("everybody waits, and nothing will ever happen"))
                self.time = min(moments)
                continue
            self.steps += 1
            if self.steps > _MOST_STEPS:
                self.fail(Stuck(f"it has not ended after {_MOST_STEPS} steps"))
            chosen = self._draw.randrange(len(ready) + is_due)
            if chosen < len(ready):
                self._sleepers.remove(ready[chosen])
                self._awake = 1
                ready[chosen].released.set()
                return
            try:
                heapq.heappop(self._due)[2]()
            except BaseException as error:
                self.fail(error)
        if self.failure is not None:
            for sleeper in self._sleepers:
                sleeper.released.set()

    def _can_go_on(self, sleeper: _Sleeper) -> bool:
        return sleeper.until <= self.time or sleeper.ready()
