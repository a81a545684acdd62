"""The rate governor: callers wait for room instead of running into a refusal.

A budget belongs to a user. All clients, threads, tasks and event loops of the process share it.
A request takes a permit before it leaves and settles it with what the response reports; one that
never left gives it back.

How much may go is worked out so that it errs to the safe side only:

    (the smallest Remaining reported in this window, or the limit if none was yet)
    - permits that are out: those requests may be counted in what was reported, or not
    - requests that ended in the last window's length without reporting anything

A window ends for us when it must have ended there. It lasts `seconds`, and had begun when its first
response came; and its Reset, held against the Date of the same response, needs no clock of ours.
No response holds everybody for longer than a few windows: then one request finds out.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakSet, WeakValueDictionary

from ..core.clock import from_other_threads
from ..core.errors import ConfigurationError, RateLimitReached
from ..core.forks import restart_after_fork
from ..core.logs import log_long_hold, log_wait
from ..core.named_tuples import NamedTuple
from ..core.type_guards import is_seconds
from ..core.waits import WatchedClock
from .rates import RateRule, Window, read_rate, read_retry_after

if TYPE_CHECKING:
    from typing import Self

    from ..core.clock import Clock

MAX_CACHED = 64  # budgets, from which on idle ones are let go
LONGEST_HOLD = 5  # windows for which one response may hold everybody
SCOUT_SECONDS = 1.0  # how long the others wait for the first response of a window


class _Pacing(NamedTuple):
    mode: Literal["wait", "raise", "off"]
    max_wait: float | None
    spread: bool


class Pacing(_Pacing):
    """How the client keeps to the rate limit.

    Attributes:
        mode: "wait" for room; "raise" `RateLimitReached` instead; or "off": send at once, even if
            the service may refuse.
        max_wait: maximum seconds that one request waits for room; None for no limit. If the wait
            will clearly be longer, raises `RateLimitReached` at once.
        spread: spread requests evenly over the window, instead of sending at once.

    Raises:
        ConfigurationError: one of them is no such value.
    """

    __slots__ = ()

    def __new__(
        cls,
        mode: Literal["wait", "raise", "off"] = "wait",
        max_wait: float | None = None,
        spread: bool = False,
    ) -> Self:
        problems: list[str] = []
        if mode not in ("wait", "raise", "off"):
            problems.append(f"mode must be 'wait', 'raise' or 'off', got {mode!r}")
        if max_wait is not None and not is_seconds(max_wait):
            problems.append(f"max_wait must be 0 or more seconds, or None, got {max_wait!r}")
        if not isinstance(spread, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            problems.append(f"spread must be True or False, got {spread!r}")
        if problems:
            raise ConfigurationError("pacing: " + "; ".join(problems))
        return super().__new__(cls, mode, max_wait, spread)


class Room(NamedTuple):
    """State of a user's rate budget at a moment.

    Attributes:
        limit: requests in a window.
        remaining: requests that may leave now, as far as this process knows.
        resets_in: seconds until the window ends; None where the service has not reported.
        waiting: callers that wait for room.
    """

    limit: int
    remaining: int
    resets_in: float | None
    waiting: int


class Permit:
    """The right to send one request, which leaves when `sent` says, by `now` of its clock."""

    __slots__ = ("__weakref__", "sent")

    def __init__(self, sent: float) -> None:
        self.sent: float = sent


class Waiter:
    """A caller in the queue."""

    def __init__(self, operation: str, pacing: Pacing, timeout: float | None) -> None:
        self.operation = operation
        self.pacing = pacing
        self.timeout = min(
            math.inf if timeout is None else max(0.0, timeout),
            math.inf if pacing.max_wait is None else pacing.max_wait,
        )
        self.deadline: float | None = None  # set on joining the queue
        self.wait = 0.0  # seconds that were expected then
        self.is_logged = False
        self.expected = -math.inf  # when its turn most likely comes
        self.alarm = -math.inf  # until when it sleeps; it is awake while this is in the past
        self.permit: Permit | None = None
        self.event: Any = None

    def arm(self) -> None:
        """Get ready to sleep."""
        raise NotImplementedError

    def wake(self) -> bool:
        """End the sleep, from any thread; False where nobody is left to wake."""
        raise NotImplementedError


class _Thread(Waiter):
    def arm(self) -> None:
        self.event = threading.Event()

    def wake(self) -> bool:
        self.event.set()
        return True


class _Task(Waiter):
    def arm(self) -> None:
        import anyio

        self.event = anyio.Event()
        self._soon = from_other_threads()

    def wake(self) -> bool:
        try:
            self._soon(self.event.set)
        except RuntimeError:  # the event loop is closed
            return False
        return True


class Budget:
    """The requests that a user may send, as far as this process knows."""

    def __init__(self, rule: RateRule) -> None:
        self._rule = rule
        self.start()

    def start(self) -> None:
        """Begin anew, knowing nothing: at first, and in a process that was forked."""
        self._lock = threading.Lock()
        self._clock: Clock | None = None  # the last one that was used
        # What settle and leave have to say. They never wait for the lock: the garbage collector
        # may end an abandoned call at any moment, in a thread that holds the lock.
        self._changes: deque[Callable[[float], None]] = deque()
        self._window = Window(self._rule)
        self._out: WeakSet[Permit] = WeakSet()  # one that its holder lost is gone by itself
        self._unseen: deque[float] = deque()  # when requests ended that reported nothing
        self._probe: Permit | None = None  # the first request of a window
        self._scouted = False  # it has come back without reporting
        self._held_until = -math.inf
        self._is_hold_logged = False
        self._last_spread = -math.inf
        self._waiters: OrderedDict[Waiter, None] = OrderedDict()

    @property
    def idle(self) -> bool:
        """Whether nothing would be lost with it."""
        if self._waiters or self._out:
            return False
        unseen_until = self._unseen[-1] + self._window.seconds if self._unseen else -math.inf
        ends = self._window.ends if self._window.remaining is not None else -math.inf
        until = max(ends, unseen_until, self._held_until)
        return self._clock is None or self._clock.now() >= until

    # The methods of a budget.

    def take(self, operation: str, pacing: Pacing, timeout: float | None, clock: Clock) -> Permit:
        """Take the right to send one request; wait for it where `pacing` says so.

        Args:
            timeout: seconds that the caller has left; None for no end.

        Raises:
            RateLimitReached: there is no room, or not in the time that the caller has.
        """
        waiter = _Thread(operation, pacing, timeout)
        try:
            while (permit := self._look(waiter, clock)) is None:
                if not self._ask(waiter, clock):
                    clock.wait(waiter.event, self._pause(waiter, clock))
        except BaseException:
            self._change(partial(self._leave, waiter), clock)
            raise
        return permit

    async def take_async(
        self, operation: str, pacing: Pacing, timeout: float | None, clock: Clock
    ) -> Permit:
        """Do the same, awaited."""
        waiter = _Task(operation, pacing, timeout)
        try:
            while (permit := self._look(waiter, clock)) is None:
                if not await self._ask_async(waiter, clock):
                    await clock.wait_async(waiter.event, self._pause(waiter, clock))
        except BaseException:
            self._change(partial(self._leave, waiter), clock)
            raise
        return permit

    def settle(
        self,
        permit: Permit,
        headers: Mapping[str, str] | None,
        status: int | None,
        clock: Clock,
    ) -> None:
        """Say how the request ended.

        Every permit is settled or given back once; a second time does nothing.

        Args:
            headers: the headers of the response, names in lower case; None where no response came.
            status: the HTTP status; None where no response came.
        """
        wall = clock.wall()
        retry_after = None
        if self._rule.refused(status) and headers is not None:
            retry_after = read_retry_after(headers, wall)
            longest = LONGEST_HOLD * self._rule.seconds
            if retry_after is not None and retry_after > longest and not self._is_hold_logged:
                self._is_hold_logged = True
                log_long_hold(longest)
        settle = partial(self._settle, permit, headers, status, retry_after, wall)
        self._change(settle, clock)

    def give_back(self, permit: Permit, clock: Clock) -> None:
        """Say that nothing of the request has left: its room is free again."""
        self._change(partial(self._take_back, permit), clock)

    def room(self, clock: Clock) -> Room:
        """Return what the budget looks like now."""
        with self._locked(clock) as now:
            window, held = self._window, self._held_until > now
            ends = self._held_until if held and window.remaining is None else window.ends
            return Room(
                limit=window.limit,
                remaining=0 if held else max(0, self._available()),
                resets_in=None if ends == math.inf else ends - now,
                waiting=len(self._waiters),
            )

    def tell_store(self, clock: Clock, *, leaving: bool = False) -> None:
        """Let other processes know what responses have reported: here there are none.

        Args:
            leaving: give them back what nobody here waits for, too.
        """

    async def tell_store_async(self, clock: Clock, *, leaving: bool = False) -> None:
        """Do the same, awaited."""

    # Taking.

    def _ask(self, waiter: Waiter, clock: Clock) -> bool:
        """Ask others for permits, if it makes sense; return whether there is news."""
        return False

    async def _ask_async(self, waiter: Waiter, clock: Clock) -> bool:
        return False

    def _look(self, waiter: Waiter, clock: Clock) -> Permit | None:
        """Return the permit of a caller, who joins the queue if there is none yet."""
        waiter.arm()
        with self._locked(clock) as now:
            if waiter.permit is None:
                self._consider(waiter, now)
            if waiter.permit is None:
                waiter.alarm = self._alarm(waiter, now)
                closed = self._closed_until(now)
                if waiter.expected < closed < math.inf:  # what responses reported since then
                    waiter.expected = closed
            expected = waiter.expected - now
        # Outside of the lock: nobody knows what a handler does with a message.
        if waiter.wait > 0 and not waiter.is_logged:
            waiter.is_logged = True
            log_wait(waiter.operation, waiter.wait)
        if waiter.permit is None and isinstance(clock, WatchedClock):
            clock.expect(expected)
        return waiter.permit

    def _consider(self, waiter: Waiter, now: float) -> None:
        if waiter.deadline is None:
            self._arrive(waiter, now)
        elif now >= waiter.deadline:
            self._expire(waiter, now)

    def _arrive(self, waiter: Waiter, now: float) -> None:
        pacing, ahead = waiter.pacing, len(self._waiters)
        if pacing.mode == "off":
            waiter.permit = self._issue(now)
            return
        if not ahead and self._next_permit_at(waiter, now) <= now:
            waiter.permit = self._issue(now, pacing.spread)
            return
        wait = self._predict(pacing, ahead, now)
        if pacing.mode == "raise" and wait <= 0:
            waiter.permit = self._issue(now, pacing.spread)
        elif pacing.mode == "raise" or wait > waiter.timeout:
            raise RateLimitReached(waiter.operation, wait)
        else:
            waiter.deadline, waiter.wait = now + waiter.timeout, wait
            waiter.expected = now + wait
            self._waiters[waiter] = None

    def _expire(self, waiter: Waiter, now: float) -> None:
        """End the wait of a caller. If only the scout is still out, it need not have waited."""
        ahead = next(n for n, other in enumerate(self._waiters) if other is waiter)
        wait = self._predict(waiter.pacing, ahead, now)
        if wait > 0:
            raise RateLimitReached(waiter.operation, wait)
        del self._waiters[waiter]
        waiter.permit = self._issue(now, waiter.pacing.spread)

    def _alarm(self, waiter: Waiter, now: float) -> float:
        """Return until when a caller sleeps. The first in the queue keeps the time for all."""
        assert waiter.deadline is not None
        opens = self._next_wake_at(waiter, now)
        if waiter is not next(iter(self._waiters)):
            opens += SCOUT_SECONDS  # in case that the first one's event loop has stopped
        return min(waiter.deadline, opens)

    def _pause(self, waiter: Waiter, clock: Clock) -> float | None:
        return None if waiter.alarm == math.inf else max(0.0, waiter.alarm - clock.now())

    # What changes the budget, under the lock.

    @contextmanager
    def _locked(self, clock: Clock) -> Generator[float]:
        try:
            with self._lock:
                self._carry_out(clock)
                yield clock.now()
        finally:
            self._work(clock)

    def _change(self, change: Callable[[float], None], clock: Clock) -> None:
        self._changes.append(change)
        self._work(clock)

    def _work(self, clock: Clock) -> None:
        """Carry out what has to be changed, unless somebody else will, who has the lock."""
        while self._changes and self._lock.acquire(blocking=False):
            try:
                self._carry_out(clock)
            finally:
                self._lock.release()

    def _carry_out(self, clock: Clock) -> None:
        now = clock.now()
        while self._changes:
            self._changes.popleft()(now)
        self._dispatch(now)
        self._clock = clock

    def _settle(
        self,
        permit: Permit,
        headers: Mapping[str, str] | None,
        status: int | None,
        retry_after: float | None,
        wall: float,
        now: float,
    ) -> None:
        if permit not in self._out:
            return
        scout = permit is self._probe
        self._forget(permit)
        if headers is None:
            self._unseen.append(now)
            return
        reported = read_rate(self._rule, headers, wall, now - permit.sent)
        refused = self._rule.refused(status)
        if reported.remaining is None and not refused:
            self._scouted |= scout
            self._unseen.append(now)
            if reported.limit is not None:
                self._window.limit = reported.limit
            return
        window = self._window
        if not window.note(reported, permit.sent, now, refused):
            return
        # What was counted before this request left is in what its response reported.
        while self._unseen and self._unseen[0] < permit.sent:
            self._unseen.popleft()
        latest = now + LONGEST_HOLD * window.seconds
        if retry_after is not None:
            self._held_until = min(now + retry_after, latest)
            if reported.end is None or reported.end.own_clock or window.ends < self._held_until:
                window.ends = self._held_until
        window.ends = min(window.ends, latest)

    def _leave(self, waiter: Waiter, now: float) -> None:
        self._waiters.pop(waiter, None)
        if waiter.permit is not None:
            self._take_back(waiter.permit, now)

    def _take_back(self, permit: Permit, now: float) -> None:
        self._forget(permit)

    def _forget(self, permit: Permit) -> None:
        self._out.discard(permit)
        if permit is self._probe:
            self._probe = None

    # What may go, under the lock.

    def _available(self) -> int:
        window = self._window
        base = window.limit if window.remaining is None else window.remaining
        return base - len(self._out) - len(self._unseen)

    def _next_permit_at(self, waiter: Waiter, now: float) -> float:
        """Return when the first in the queue may go; infinity where only a response can say."""
        closed = self._closed_until(now)
        if closed > now:
            return closed
        window = self._window
        if window.remaining is None and self._probe is not None:
            back = self._probe.sent + SCOUT_SECONDS
            if now < back:
                return back
        return self._due() if waiter.pacing.spread else now

    def _next_wake_at(self, waiter: Waiter, now: float) -> float:
        """Return when the first in the queue has to wake up."""
        return self._next_permit_at(waiter, now)

    def _closed_until(self, now: float) -> float:
        """Until when nobody may go; for ever, if only a response can say."""
        if now < self._held_until:
            return self._held_until
        if self._available() > 0:
            return now
        freed = self._unseen[0] + self._window.seconds if self._unseen else math.inf
        return min(self._window.ends, freed)

    def _due(self) -> float:
        return self._last_spread + self._distance()

    def _distance(self) -> float:
        """Seconds between requests that are to be spread evenly."""
        window = self._window
        if window.ends == math.inf or self._last_spread == -math.inf:
            return window.seconds / window.limit
        return max(0.0, window.ends - self._last_spread) / (max(0, self._available()) + 1)

    def _predict(self, pacing: Pacing, ahead: int, now: float) -> float:
        """Return the seconds until a caller with so many ahead may go, if all goes well."""
        window = self._window
        lacking = ahead + 1 - self._available()
        opens = max(now, self._held_until)
        if lacking > 0:
            freed = window.ends if window.ends < math.inf else now + window.seconds
            if lacking <= len(self._unseen):
                freed = min(freed, self._unseen[lacking - 1] + window.seconds)
            opens = max(opens, freed + (lacking - 1) // window.limit * window.seconds)
        elif pacing.spread:
            opens = max(opens, self._due() + ahead * self._distance())
        return opens - now

    def _issue(self, now: float, spread: bool = False) -> Permit:
        permit = Permit(now)
        self._out.add(permit)
        if self._window.remaining is None and self._probe is None and not self._scouted:
            self._probe = permit
        if spread:
            self._last_spread = now
        return permit

    def _turn(self, now: float) -> None:
        while self._unseen and self._unseen[0] + self._window.seconds <= now:
            self._unseen.popleft()
        if self._window.turn(now):
            self._probe, self._scouted = None, False

    def _dispatch(self, now: float) -> None:
        """Hand out what there is, in order, and see to it that the first one keeps the time."""
        self._turn(now)
        while self._waiters:
            first = next(iter(self._waiters))
            opens = self._next_permit_at(first, now)
            if opens <= now:
                del self._waiters[first]
                first.permit = self._issue(now, first.pacing.spread)
                if not first.wake():
                    self._take_back(first.permit, now)
            elif first.alarm <= self._next_wake_at(first, now):
                return
            else:
                first.alarm = -math.inf
                if first.wake():
                    return
                del self._waiters[first]


class InProcessRates:
    """The budgets of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, Budget] = {}
        # A budget that was let go is found here as long as a client holds it.
        self._known: WeakValueDictionary[str, Budget] = WeakValueDictionary()
        restart_after_fork(self)

    def budget(self, key: str, rule: RateRule) -> Budget:
        """Return the budget of a user; the same one for the same key.

        Args:
            key: what names the user; never a token.
        """
        with self._lock:
            budget = self._known.get(key)
            if budget is None:
                budget = self._known[key] = self._made(key, rule)
            if key not in self._kept and len(self._kept) >= MAX_CACHED:
                self._kept = {key: each for key, each in self._kept.items() if not each.idle}
            self._kept[key] = budget
            return budget

    def _made(self, key: str, rule: RateRule) -> Budget:
        return Budget(rule)

    def restart(self) -> None:
        """Begin anew after a fork: what other threads held or waited for is not in this process."""
        self._lock = threading.Lock()
        for budget in list(self._known.values()):
            budget.start()


PROCESS_RATES = InProcessRates()
