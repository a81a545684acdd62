"""Budgets that processes share through a rate store.

A budget decides by a copy of the ledger when it makes sense to ask the store, which grants the
permits, and hears on the same trip how requests have ended. Queue, modes and predictions are those
of `budget`. The store never comes between a call and its result: where it fails, that is logged
once, `on_lost` applies, the copy decides, and the store is tried again by and by.
"""

from __future__ import annotations

import threading
from atexit import register
from collections import deque
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from ..core.logs import log_store_failure
from .budget import Budget, InProcessRates, Permit
from .ledger import CLOSEST, Message, Process
from .rates import NEVER

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ..core.clock import Clock
    from .budget import Room, Waiter
    from .ledger import Ended, RateStore, Reply
    from .rates import RateRule

TRIP_SECONDS = 10.0  # after which a trip to the store counts as lost
RETRY_SECONDS, LONGEST_RETRY = 1.0, 16.0  # between attempts to reach a store that is lost
STILL_SECONDS = 10.0  # after which a store's clock that shows the same moment stands still
LEAST_WAIT = 0.05  # seconds; a shorter time is not measured, and not promised
UNHEARD = 10  # part of the limit that is a small share where nobody knows how many share it
MOST_UNREPORTED = 1000  # ended requests that are reported when a lost store is back


class SharedBudget(Budget):
    """A user's budget in this process, whose permits come from a rate store."""

    def __init__(self, rule: RateRule, store: RateStore, key: str) -> None:
        self._store = store
        self._key = key
        super().__init__(rule)

    def start(self) -> None:
        from secrets import token_hex

        super().start()
        self._name = token_hex(8)
        self._ledger.processes = {self._name: self._me}
        self._unreported: deque[Ended] = deque(maxlen=MOST_UNREPORTED)
        self._ended = 0  # requests
        self._trips = 0
        self._trip_until = -NEVER  # while one is under way, or none makes sense yet
        self._moved = -NEVER, -NEVER  # when the store's clock last moved, by ours, and to where
        self._failures = 0  # in a row
        self._retry_at = -NEVER
        self._share = 0  # permits without the store, in a window

    def room(self, clock: Clock) -> Room:
        room = super().room(clock)
        if not self._failures or self._store.on_lost == "open":
            return room
        return room._replace(remaining=max(0, min(room.remaining, self._share - self._me.used)))

    def report(self, clock: Clock, *, leaving: bool = False) -> None:
        self._travel(self._report(clock, leaving), clock)

    async def report_async(self, clock: Clock, *, leaving: bool = False) -> None:
        await self._travel_async(self._report(clock, leaving), clock)

    def _report(self, clock: Clock, leaving: bool) -> Message | None:
        with self._locked(clock) as now:
            if leaving and (not self._trips or self._failures or self._waiters):
                return None
            return None if now < self._trip_until else self._message(now, leaves=leaving)

    def leave(self) -> None:
        """Tell the store, as far as it can be reached, that the process ends."""
        if not self._trips or self._clock is None or self._failures:
            return
        with self._locked(self._clock) as now:
            message = self._message(now, leaves=True)
        try:
            self._store.reserve(self._key, message)
        except Exception:
            return  # its permits end by themselves

    # Asking the store.

    def _ask(self, waiter: Waiter, clock: Clock) -> bool:
        return self._travel(self._wanted(waiter, clock), clock)

    async def _ask_async(self, waiter: Waiter, clock: Clock) -> bool:
        return await self._travel_async(self._wanted(waiter, clock), clock)

    def _wanted(self, waiter: Waiter, clock: Clock) -> Message | None:
        with self._locked(clock) as now:
            if waiter.permit is not None or self._is_answered(now) or now < self._trip_until:
                return None
            asking = [*islice(self._waiters, self._ledger.limit)]
            for each in asking:
                each.is_asked = True
            return self._message(
                now,
                asks=[each.pacing.spread for each in asking],
                waits=max(
                    0.0 if each.pacing.mode == "raise" else (each.deadline or 0.0) - now
                    for each in asking
                ),
            )

    def _message(
        self, now: float, asks: list[bool] | None = None, waits: float = NEVER, leaves: bool = False
    ) -> Message:
        self._trips += 1
        self._trip_until = now + TRIP_SECONDS
        rule, held, ended = self._rule, len(self._out), tuple(self._unreported)
        known = self._name, self._trips, now, held, rule.requests, rule.seconds
        alone, window = self._failures > 0, self._ledger.known
        return Message(*known, ended, asks or (), waits, leaves, alone, window)

    def _travel(self, trip: Message | None, clock: Clock) -> bool:
        """Ask, where there is something to ask; return whether there was."""
        if trip is not None:
            with self._under_way(trip, clock) as land:
                land(self._store.reserve(self._key, trip))
        return trip is not None

    async def _travel_async(self, trip: Message | None, clock: Clock) -> bool:
        if trip is not None:
            with self._under_way(trip, clock) as land:
                land(await self._store.reserve_async(self._key, trip))
        return trip is not None

    @contextmanager
    def _under_way(self, trip: Message, clock: Clock) -> Generator[Callable[[Reply], None]]:
        """Take in what the store replies to a message, or that it does not."""
        try:
            yield lambda reply: self._change(
                partial(self._land, trip, self._timely(trip, reply)), clock
            )
        except Exception as error:
            with self._locked(clock):
                is_first = not self._failures
            self._change(partial(self._fail, trip), clock)
            if is_first:
                log_store_failure(error, self._store.on_lost)
        except BaseException:
            self._change(partial(self._give_up, trip), clock)
            raise

    def _timely(self, trip: Message, reply: Reply) -> Reply:
        """Return a reply, unless the store's clock stands still: no window would ever end by it."""
        moved_at, moment = self._moved
        if reply.now != moment:
            self._moved = trip.at, reply.now
        elif trip.at > moved_at + STILL_SECONDS:
            raise RuntimeError(f"the clock of the rate_store stands still, at {moment}")
        return reply

    # What comes back; under the lock.

    def _land(self, trip: Message, reply: Reply, now: float) -> None:
        if trip.number != self._trips:
            return  # it took so long that another one has said something else since
        self._trip_until = -NEVER
        self._failures = 0
        self._ledger = reply.ledger
        self._ledger.move(now - reply.now)
        self._me = self._ledger.processes.setdefault(self._name, Process())
        self._me.until = NEVER
        if len(reply.scouts) < len(trip.asks) and self._me.due <= now:
            self._trip_until = now + CLOSEST  # by our clock it is time already, by the store's not
        last = trip.ended[-1].number if trip.ended else 0
        while self._unreported and self._unreported[0].number <= last:
            self._unreported.popleft()
        for ended in self._unreported:
            self._ledger.settle(ended)
        for scout in reply.scouts:
            permit = Permit(now, scout)
            self._out.add(permit)
            if self._waiters:
                self._hand_over(permit, now)
            else:
                self._take_back(permit, now)
        self._decide()

    def _fail(self, trip: Message, now: float) -> None:
        if trip.number != self._trips:
            return
        self._trip_until = -NEVER
        if not self._failures:
            self._begin_alone(now)
        self._failures += 1
        self._retry_at = now + min(RETRY_SECONDS * 2.0 ** (self._failures - 1), LONGEST_RETRY)
        self._decide()

    def _give_up(self, trip: Message, now: float) -> None:
        if trip.number == self._trips:
            self._trip_until = -NEVER

    def _decide(self) -> None:
        """Let those who came meanwhile see whether they have to wait at all."""
        for waiter in self._waiters:
            if waiter.wait < 0:
                waiter.rouse()

    def _begin_alone(self, now: float) -> None:
        """Let the copy decide from here on; others have their shares, from the next window on."""
        ledger, on_lost = self._ledger, self._store.on_lost
        known = len(ledger.processes) if ledger.seen > -NEVER else UNHEARD
        shares = {"closed": 0, "open": ledger.limit, "small": max(1, ledger.limit // known)}
        self._share = shares[on_lost]
        ledger.processes = {self._name: self._me}
        ledger.counts_until = now + ledger.seconds
        is_known = ledger.remaining is not None
        self._me.used = self._share if is_known and on_lost == "small" else 0

    # What a budget does; under the lock.

    def _is_alone(self, now: float) -> bool:
        return self._failures > 0 and now < self._retry_at

    def _is_answered(self, now: float) -> bool:
        if self._is_alone(now):
            return True
        return now >= self._trip_until and self._when(next(iter(self._waiters)), now) > now

    def _is_late(self, waiter: Waiter, now: float) -> bool:
        # Even a caller who has no time left waits a moment for a reply.
        deadline = NEVER if waiter.deadline is None else waiter.deadline
        return deadline + LEAST_WAIT <= now < self._trip_until

    def _doze(self, waiter: Waiter, now: float) -> None:
        super()._doze(waiter, now)
        if waiter.alarm <= now < self._trip_until:
            waiter.alarm = min(waiter.alarm + LEAST_WAIT, self._trip_until)

    def _when(self, first: Waiter, now: float) -> float:
        if self._is_alone(now):
            return min(max(super()._when(first, now), self._alone_at()), self._retry_at)
        if now < self._trip_until:
            return self._trip_until
        if self._failures or (self._me.since is None and not first.is_asked):
            return now
        at = super()._when(first, now)
        assert first.deadline is not None
        if self._ledger.seen + CLOSEST < first.deadline:  # it asks once more before it gives up
            latest = max(now, first.deadline)
            if self._ledger.opens(self._name, now) <= latest + CLOSEST:
                at = min(at, latest)
        return at if self._me.since is None else min(at, self._me.due)

    def _alone_at(self) -> float:
        """Return when requests may go without the store, as far as `on_lost` says."""
        if self._me.used < self._share or self._store.on_lost == "open":
            return -NEVER
        if self._store.on_lost == "closed":
            return NEVER
        ledger = self._ledger
        return ledger.counts_until if ledger.remaining is None else ledger.ends

    def _predict(self, waiter: Waiter, now: float) -> float:
        wait = super()._predict(waiter, now)
        if self._is_alone(now):
            return max(wait, min(self._alone_at(), self._retry_at) - now)
        return max(wait, self._ledger.scouted() - now, LEAST_WAIT)

    def _judge(self, waiter: Waiter, now: float) -> None:
        is_scouting = waiter.wait < 0 and now < self._ledger.scouted() <= (waiter.deadline or 0.0)
        if is_scouting and not self._is_alone(now) and super()._predict(waiter, now) <= 0:
            return  # another process is about to find out if there is room
        super()._judge(waiter, now)

    def _issue(self, now: float, spread: bool = False) -> Permit:
        permit = super()._issue(now, spread)
        permit.scout = 0  # the store has not heard of it
        return permit

    def _end(self, permit: Permit, ended: Ended, now: float) -> None:
        if permit in self._out:
            self._ended += 1
            ended = ended._replace(number=self._ended)
            self._unreported.append(ended)
        super()._end(permit, ended, now)

    def _dispatch(self, now: float) -> None:
        self._ledger.expire(now)
        super()._dispatch(now)


class SharedRates(InProcessRates):
    """The budgets of this process whose permits come from a rate store."""

    def __init__(self, store: RateStore) -> None:
        super().__init__()
        self._store = store

    def _made(self, key: str, rule: RateRule) -> Budget:
        return SharedBudget(rule, self._store, key)

    def leave(self) -> None:
        """Say how the last requests ended, when the process ends."""
        for budget in list(self._known.values()):
            if isinstance(budget, SharedBudget):
                budget.leave()


def shared_rates(store: RateStore) -> SharedRates:
    """Return the budgets of this process that a store feeds; the same ones for the same store."""
    with _LOCK:
        rates = _RATES.get(id(store))
        if rates is None:
            rates = _RATES[id(store)] = SharedRates(store)
        return rates


def _leave_all() -> None:
    for rates in list(_RATES.values()):
        rates.leave()


_LOCK = threading.Lock()
_RATES: WeakValueDictionary[int, SharedRates] = WeakValueDictionary()
register(_leave_all)
