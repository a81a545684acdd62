"""Budgets of a rate store that a program gave: where one fails, the process's own goes on.

A count of requests is no reason to lose a result: not that of a write that was carried out, and
not the news that nobody knows whether it was.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..core.errors import RateLimitReached
from ..core.logs import log_store_failure
from ..core.waits import WatchedClock
from .budget import PROCESS_RATES, Budget, Permit, Room

if TYPE_CHECKING:
    from ..core.clock import Clock
    from .budget import Pacing, RateRule, RateStore

__all__ = ["StoredBudget"]


class _Held(Permit):
    """A permit, and the budget that gave it."""

    __slots__ = ("budget", "permit")

    def __init__(self, permit: Permit, budget: Budget, sent: float) -> None:
        super().__init__(sent)
        self.permit = permit
        self.budget = budget


class StoredBudget(Budget):
    """The budget of a user in a store that may fail.

    After a failure, which is logged once, the budget of the process is used for the length of a
    window. Then the store is tried again.

    Args:
        store: keeps the count.
        key: what names the user.
        rule: what the documents say.
    """

    def __init__(self, store: RateStore, key: str, rule: RateRule) -> None:
        self._store = store
        self._key = key
        self._rule = rule
        self._theirs: Budget | None = None
        self._own = PROCESS_RATES.budget(key, rule)
        self._away_until = -math.inf
        self._is_logged = False

    def take(self, operation: str, pacing: Pacing, timeout: float | None, clock: Clock) -> Permit:
        begun = clock.now()
        if begun >= self._away_until:
            with self._guarded(clock):
                theirs = self._found()
                return _Held(theirs.take(operation, pacing, timeout, clock), theirs, clock.now())
        left = _left(timeout, begun, clock)
        permit = self._own.take(operation, pacing, left, clock)
        return _Held(permit, self._own, permit.sent)

    async def take_async(
        self, operation: str, pacing: Pacing, timeout: float | None, clock: Clock
    ) -> Permit:
        begun = clock.now()
        if begun >= self._away_until:
            with self._guarded(clock):
                theirs = self._found()
                permit = await theirs.take_async(operation, pacing, timeout, clock)
                return _Held(permit, theirs, clock.now())
        left = _left(timeout, begun, clock)
        permit = await self._own.take_async(operation, pacing, left, clock)
        return _Held(permit, self._own, permit.sent)

    def settle(
        self,
        permit: Permit,
        headers: Mapping[str, str] | None,
        status: int | None,
        clock: Clock,
    ) -> None:
        assert isinstance(permit, _Held)
        with self._guarded(clock):
            permit.budget.settle(permit.permit, headers, status, clock)
            self._is_logged &= permit.budget is self._own

    def give_back(self, permit: Permit, clock: Clock) -> None:
        assert isinstance(permit, _Held)
        with self._guarded(clock):
            permit.budget.give_back(permit.permit, clock)

    def room(self, clock: Clock) -> Room:
        if clock.now() >= self._away_until:
            with self._guarded(clock):
                found = self._found().room(clock)
                if isinstance(found, Room):  # pyright: ignore[reportUnnecessaryIsInstance]
                    return found
                raise TypeError(f"room must return a Room, got {type(found).__name__}")
        return self._own.room(clock)

    def _found(self) -> Budget:
        if self._theirs is None:
            self._theirs = self._store.budget(self._key, self._rule)
        return self._theirs

    @contextmanager
    def _guarded(self, clock: Clock) -> Generator[None]:
        """Catch a failure of the store, and leave the store alone for a while.

        Raises:
            RateLimitReached: that is no failure.
            Exception: it is of the function that hears of waits.
        """
        try:
            yield
        except RateLimitReached:
            raise
        except Exception as error:
            if isinstance(clock, WatchedClock) and clock.error is error:
                raise
            self._away_until = clock.now() + self._rule.seconds
            if not self._is_logged:
                self._is_logged = True
                log_store_failure(error, self._rule.seconds)


def _left(timeout: float | None, begun: float, clock: Clock) -> float | None:
    """Return what is left of a timeout after what the store has taken."""
    return None if timeout is None else max(0.0, timeout - (clock.now() - begun))
