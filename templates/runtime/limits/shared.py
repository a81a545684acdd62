"""Budgets that processes share through a rate store.

A process leases a block of permits and hands them to its callers as any budget does: queue, modes,
predictions and headers are those of `budget`. The store is asked where the block is used up, and
hears on the same trip what responses have reported. It never comes between a call and its result:
where it fails, that is logged once, `on_lost` applies, and it is tried again by and by.
"""

from __future__ import annotations

import math
import threading
from atexit import register
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from ..core.errors import RateLimitReached
from ..core.logs import log_store_failure
from ..core.named_tuples import NamedTuple
from .budget import SCOUT_SECONDS, Budget, InProcessRates, Room
from .ledger import RateGrant, RateLease, RateReport

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from ..core.clock import Clock
    from .budget import Pacing, Permit, Waiter
    from .ledger import RateStore
    from .rates import RateRule

UNUSED_SECONDS = 15.0  # how long a process may keep a permit before it sends
LEASE_SECONDS = UNUSED_SECONDS + 60.0 + 5.0  # and the timeout of a request, and a margin
TRIP_SECONDS = 10.0  # after which a trip to the store counts as lost
RETRY_SECONDS, LONGEST_RETRY = 1.0, 16.0  # between attempts to reach a store that is lost
LEAST_WAIT = 0.05  # seconds; a shorter time is not measured, and not promised
UNHEARD = 10  # part of the limit that is a small share where nobody knows how many share it


class _Trip(NamedTuple):
    """A question to the store that is under way."""

    number: int
    lease: RateLease
    permits: int


class SharedBudget(Budget):
    """A user's budget in this process, fed with permits of a rate store."""

    def __init__(self, rule: RateRule, store: RateStore, key: str) -> None:
        self._store = store
        self._key = key
        super().__init__(rule)

    def start(self) -> None:
        from secrets import token_hex

        super().start()
        self._holder = token_hex(8)
        self._grant: RateGrant | None = None  # the last one
        self._unused = 0  # permits that were granted, and that nobody has taken
        self._unused_until = -math.inf
        self._next = -math.inf  # the store is not asked before
        self._trips = 0
        self._trip_until = -math.inf  # while one is under way
        self._granted = 0  # permits, the last time that there were any
        self._is_scout = False  # the store may wait for what its requests report
        self._is_partial = False  # the last grant was not all that was asked for
        self._block = 1  # permits that will be used, by the last grant
        self._pace = math.inf  # permits that were used in a second, the last time
        self._granted_at = -math.inf
        self._issued_at = -math.inf
        self._failures = 0  # in a row
        self._share = 0  # permits without the store, in this window
        self._share_ends = math.inf

    def room(self, clock: Clock) -> Room:
        room = super().room(clock)
        with self._locked(clock) as now:
            grant = self._grant
            if grant is None or self._failures or self._held_until > now:
                return room
            left = self._unused + grant.left if self._next <= now else self._unused
            return room._replace(remaining=max(0, min(room.remaining, left)))

    def tell_store(self, clock: Clock, *, leaving: bool = False) -> None:
        self._travel(self._told(clock, leaving), clock)

    async def tell_store_async(self, clock: Clock, *, leaving: bool = False) -> None:
        await self._travel_async(self._told(clock, leaving), clock)

    def _told(self, clock: Clock, leaving: bool) -> _Trip | None:
        with self._locked(clock) as now:
            if leaving and (self._grant is None or self._failures or self._waiters):
                return None
            trip = self._begin(0, now)
            if trip is not None and leaving:
                self._unused = 0
                trip = trip._replace(lease=_last(self._lease(now)))
        return trip

    def leave(self) -> None:
        """Tell the store, as far as it can be reached, that the process ends."""
        if self._grant is None or self._clock is None or self._failures:
            return
        with self._locked(self._clock) as now:
            self._unused = 0
            lease = _last(self._lease(now))
        try:
            self._store.reserve(self._key, lease, 0)
        except Exception:
            return  # its lease ends by itself

    # Asking the store.

    def _ask(self, waiter: Waiter, clock: Clock) -> bool:
        return self._travel(self._wanted(waiter, clock), clock)

    async def _ask_async(self, waiter: Waiter, clock: Clock) -> bool:
        return await self._travel_async(self._wanted(waiter, clock), clock)

    def _wanted(self, waiter: Waiter, clock: Clock) -> _Trip | None:
        with self._locked(clock) as now:
            if waiter.permit is not None or self._asks_at(now) > now:
                return None
            return self._begin(self._needed(now), now)

    def _travel(self, trip: _Trip | None, clock: Clock) -> bool:
        """Ask, where there is something to ask; return whether there was."""
        if trip is not None:
            with self._under_way(trip, clock) as land:
                land(self._store.reserve(self._key, trip.lease, trip.permits))
        return trip is not None

    async def _travel_async(self, trip: _Trip | None, clock: Clock) -> bool:
        if trip is not None:
            with self._under_way(trip, clock) as land:
                land(await self._store.reserve_async(self._key, trip.lease, trip.permits))
        return trip is not None

    @contextmanager
    def _under_way(self, trip: _Trip, clock: Clock) -> Generator[Callable[[RateGrant], None]]:
        """Take in what the store replies to a question, or that it does not."""
        try:
            yield lambda grant: self._change(partial(self._land, trip, grant), clock)
        except Exception as error:
            self._lose(trip, error, clock)
        except BaseException:
            self._change(partial(self._give_up, trip), clock)
            raise

    def _lose(self, trip: _Trip, error: Exception, clock: Clock) -> None:
        with self._locked(clock):
            is_first = not self._failures
        self._change(partial(self._fail, trip), clock)
        if is_first:
            log_store_failure(error, self._store.on_lost)

    def _begin(self, permits: int, now: float) -> _Trip | None:
        if now < self._trip_until:
            return None
        self._trips += 1
        self._trip_until = now + TRIP_SECONDS
        return _Trip(self._trips, self._lease(now), permits)

    def _lease(self, now: float) -> RateLease:
        self._unused = max(0, min(self._unused, super()._available()))
        window, report = self._window, None
        if window.remaining is not None:
            name = 0.0 if window.name == -math.inf else window.name
            report = RateReport(
                name, window.tolerance, window.limit, window.remaining, window.ends - now
            )
        return RateLease(
            self._holder,
            len(self._out) + len(self._unseen) + self._unused,
            LEASE_SECONDS,
            self._rule.requests,
            self._rule.seconds,
            report,
            max(0.0, self._held_until - now),
            self._trips,
            self._is_silent(),
        )

    def _is_silent(self) -> bool:
        """Return True if this process probed the window and the response had no rate headers."""
        return self._is_scout and not self._out and self._window.remaining is None

    def _needed(self, now: float) -> int:
        """Return how many permits to ask for: one for each caller, and some for those to come.

        That is as many as the last block suggests; near the end of the window as many as it lasts
        for; and where nobody waits, only a part of what the other processes leave.
        """
        if self._first_spreads():
            return 1
        ahead: float = self._block
        window, grant = self._window, self._grant
        if window.remaining is not None:
            ahead = min(ahead, self._pace * (window.ends - now))
        if grant is None or not grant.waiting:
            ahead = min(ahead, 0 if grant is None else grant.left / max(1, 2 * (grant.holders - 1)))
        return max(1, len(self._waiters), int(ahead))

    # What comes back; under the lock.

    def _land(self, trip: _Trip, grant: RateGrant, now: float) -> None:
        if trip.number != self._trips:
            return  # it took so long that another one has said something else since
        self._trip_until = -math.inf
        self._failures = self._share = 0
        self._grant = grant
        if trip.permits:
            self._next = now + grant.wait
        if grant.permits:
            self._unused += grant.permits
            self._unused_until = now + UNUSED_SECONDS
            self._granted, self._granted_at = grant.permits, now
            self._is_partial = grant.wait > 0
            self._is_scout = grant.report is None
        if grant.report is not None:
            known = grant.report
            self._window.limit = known.limit
            name = known.window or -math.inf
            self._window.adopt(name, known.tolerance, known.remaining, now + known.ends, now)
        self._decide()

    def _fail(self, trip: _Trip, now: float) -> None:
        if trip.number != self._trips:
            return
        self._trip_until = -math.inf
        if not self._failures and self._window.remaining is None:
            self._share, self._share_ends = self._small(), now + self._window.seconds
        self._failures += 1
        pause = min(RETRY_SECONDS * 2.0 ** (self._failures - 1), LONGEST_RETRY)
        self._next = now + pause
        self._decide()

    def _give_up(self, trip: _Trip, now: float) -> None:
        if trip.number == self._trips:
            self._trip_until = -math.inf

    def _decide(self) -> None:
        """Let those who came meanwhile see whether they have to wait at all."""
        for waiter in self._waiters:
            if waiter.wait < 0:
                waiter.alarm = -math.inf
                waiter.wake()

    def _small(self) -> int:
        holders = UNHEARD if self._grant is None else max(1, self._grant.holders)
        return max(1, self._window.limit // holders)

    # What a budget does; under the lock.

    def _arrive(self, waiter: Waiter, now: float) -> None:
        lacks = bool(self._waiters) or self._available() <= 0
        if waiter.pacing.mode != "off" and lacks and self._is_asked(now):
            # What the store says decides: see `_consider`.
            waiter.deadline, waiter.wait = now + waiter.timeout, -1.0
            self._waiters[waiter] = None
            return
        super()._arrive(waiter, now)

    def _consider(self, waiter: Waiter, now: float) -> None:
        if waiter.wait < 0 and not self._is_asked(now) and not self._is_scouting():
            ahead = next(n for n, other in enumerate(self._waiters) if other is waiter)
            wait = self._predict(waiter.pacing, ahead, now)
            if waiter.pacing.mode == "raise" or now + wait > (waiter.deadline or 0.0):
                raise RateLimitReached(waiter.operation, wait)
            waiter.wait, waiter.expected = wait, now + wait
        super()._consider(waiter, now)

    def _asks_at(self, now: float) -> float:
        """When the store is to be asked for more."""
        if now < self._trip_until:
            return self._trip_until
        if self._permits() > 0:
            return math.inf
        at = max(self._next, self._held_until)
        if self._first_spreads():
            at = max(at, self._due())
        if self._out and self._grant is not None and self._grant.waiting:
            # What is under way says more when it is back, and others need not count with it.
            at = max(at, self._issued_at + SCOUT_SECONDS)
        return at

    def _is_asked(self, now: float) -> bool:
        """Return whether the store is asked for permits, or about to be."""
        return now < self._trip_until or self._asks_at(now) <= now

    def _is_scouting(self) -> bool:
        """Return whether another process is about to find out if there is room."""
        grant = self._grant
        if grant is None or self._failures or grant.report is not None:
            return False
        return grant.left > 0 and 0 < grant.wait <= SCOUT_SECONDS

    def _first_spreads(self) -> bool:
        first = next(iter(self._waiters), None)
        return first is not None and first.pacing.spread

    def _permits(self) -> float:
        """Return how many may go without asking the store."""
        if not self._failures or self._store.on_lost == "closed":
            return self._unused
        return math.inf if self._store.on_lost == "open" else self._unused + self._share

    def _available(self) -> int:
        own = super()._available()
        return int(min(own, self._permits()))

    def _closed_until(self, now: float) -> float:
        return super()._closed_until(now) if self._permits() > 0 else self._fallback_opens_at()

    def _fallback_opens_at(self) -> float:
        """Return when requests may go without the store, which is lost."""
        if not self._failures or self._store.on_lost != "small":
            return math.inf
        return self._share_ends if self._window.remaining is None else self._window.ends

    def _next_wake_at(self, waiter: Waiter, now: float) -> float:
        return min(self._next_permit_at(waiter, now), self._asks_at(now))

    def _distance(self) -> float:
        """The processes share what is left, so each sends less often."""
        window, holders = self._window, 1 if self._grant is None else max(1, self._grant.holders)
        if window.ends == math.inf or self._last_spread == -math.inf:
            return window.seconds / window.limit * holders
        part = max(0, super()._available()) / holders
        return max(0.0, window.ends - self._last_spread) / (part + 1)

    def _predict(self, pacing: Pacing, ahead: int, now: float) -> float:
        lacking = ahead + 1 - self._available()
        if lacking <= 0 or super()._available() < self._permits():
            return super()._predict(pacing, ahead, now)
        window = self._window
        opens = max(min(self._asks_at(now), self._fallback_opens_at()), self._held_until)
        return max(opens - now, LEAST_WAIT) + (lacking - 1) // window.limit * window.seconds

    def _issue(self, now: float, spread: bool = False) -> Permit:
        self._issued_at = now
        if self._unused:
            self._unused -= 1
            if not self._unused and not self._is_partial:
                self._block = 2 * self._granted
                self._pace = self._granted / max(now - self._granted_at, LEAST_WAIT)
        elif self._share:
            self._share -= 1
        return super()._issue(now, spread)

    def _take_back(self, permit: Permit, now: float) -> None:
        if permit in self._out and now < self._unused_until:
            self._unused += 1
        super()._take_back(permit, now)

    def _settle(
        self,
        permit: Permit,
        headers: Mapping[str, str] | None,
        status: int | None,
        retry_after: float | None,
        wall: float,
        now: float,
    ) -> None:
        was_unknown = self._window.remaining is None
        super()._settle(permit, headers, status, retry_after, wall, now)
        is_known = was_unknown and self._window.remaining is not None
        awaited = not self._failures and self._grant is not None and self._grant.report is None
        if awaited and (is_known or self._is_silent()):
            self._next = min(self._next, now)  # the store waits for that

    def _turn(self, now: float) -> None:
        has_ended = now >= self._window.ends
        super()._turn(now)
        is_unknown = self._window.remaining is None
        if self._failures and (has_ended or (is_unknown and now >= self._share_ends)):
            self._share, self._share_ends = self._small(), now + self._window.seconds
        if self._unused and now >= self._unused_until:
            self._block = max(1, self._granted - self._unused)
            self._unused = 0


class SharedRates(InProcessRates):
    """The budgets of this process whose permits come from a rate store."""

    def __init__(self, store: RateStore) -> None:
        super().__init__()
        self._store = store

    def _made(self, key: str, rule: RateRule) -> Budget:
        return SharedBudget(rule, self._store, key)

    def leave(self) -> None:
        """Give back what is not used, when the process ends."""
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


def _last(lease: RateLease) -> RateLease:
    """Return a lease that ends now, unless requests are under way or ended without a response."""
    return lease._replace(seconds=lease.seconds if lease.held else 0.0)


def _leave_all() -> None:
    for rates in list(_RATES.values()):
        rates.leave()


_LOCK = threading.Lock()
_RATES: WeakValueDictionary[int, SharedRates] = WeakValueDictionary()
register(_leave_all)
