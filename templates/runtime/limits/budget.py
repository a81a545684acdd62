"""The rate governor: callers wait for room instead of running into a refusal.

A budget belongs to a user. All clients, threads, tasks and event loops of the process share it.
A request takes a permit before it leaves and settles it with what the response reports; one that
never left gives it back. How much may go is decided by the ledger (see `ledger`); here is the
queue of those who wait for it.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
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
from .ledger import LONGEST_HOLD, SCOUT_SECONDS, Ended, Ledger, Process
from .rates import NEVER, read_rate, read_retry_after

if TYPE_CHECKING:
    from typing import Self

    from ..core.clock import Clock
    from .rates import RateRule

MAX_CACHED = 64  # budgets, from which on idle ones are let go


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

    __slots__ = ("__weakref__", "scout", "sent")

    def __init__(self, sent: float, scout: int = 0) -> None:
        self.sent: float = sent
        self.scout: int = scout  # its number, if it is the first request of a window


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
        self.wait = -1.0  # seconds that were expected then; negative until that is known
        self.is_asked = False  # the store has heard of it
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

    def rouse(self) -> bool:
        """Wake it if it sleeps, so that it looks at what has changed."""
        is_asleep, self.alarm = self.alarm > -math.inf, -math.inf
        return not is_asleep or self.wake()


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
        self._ledger = Ledger(self._rule.requests, self._rule.seconds)
        self._name = ""
        self._me = self._ledger.processes[self._name] = Process()
        self._out: WeakSet[Permit] = WeakSet()  # one that its holder lost is gone by itself
        self._is_hold_logged = False
        self._waiters: OrderedDict[Waiter, None] = OrderedDict()

    @property
    def idle(self) -> bool:
        """Whether nothing would be lost with it."""
        if self._waiters or self._out:
            return False
        ledger = self._ledger
        lost_until = ledger.lost[-1] + ledger.seconds if ledger.lost else -NEVER
        ends = ledger.ends if ledger.remaining is not None else -NEVER
        until = max(ends, lost_until, ledger.held_until)
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
        self,
        operation: str,
        pacing: Pacing,
        timeout: float | None,
        clock: Clock,
        waiting: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> Permit:
        """Do the same, awaited; where there is a wait, it is in a block of `waiting`."""
        waiter = _Task(operation, pacing, timeout)
        try:
            if (permit := self._look(waiter, clock)) is not None:
                return permit
            with waiting():
                while permit is None:
                    if not await self._ask_async(waiter, clock):
                        await clock.wait_async(waiter.event, self._pause(waiter, clock))
                    permit = self._look(waiter, clock)
                return permit
        except BaseException:
            self._change(partial(self._leave, waiter), clock)
            raise

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
        now, reported, retry_after = clock.now(), None, None
        refused = self._rule.refused(status)
        if headers is not None:
            wall = clock.wall()
            reported = read_rate(self._rule, headers, wall, now - permit.sent)
            if refused:
                retry_after = read_retry_after(self._rule, headers, wall)
                longest = LONGEST_HOLD * self._rule.seconds
                if retry_after is not None and retry_after > longest and not self._is_hold_logged:
                    self._is_hold_logged = True
                    log_long_hold(longest)
        ended = Ended(0, permit.scout, permit.sent, now, True, reported, refused, retry_after)
        self._change(partial(self._end, permit, ended), clock)

    def give_back(self, permit: Permit, clock: Clock) -> None:
        """Say that nothing of the request has left: its room is free again."""
        self._change(partial(self._take_back, permit), clock)

    def room(self, clock: Clock) -> Room:
        """Return what the budget looks like now."""
        with self._locked(clock) as now:
            ledger, held = self._ledger, self._ledger.held_until > now
            ends = ledger.held_until if held and ledger.remaining is None else ledger.ends
            return Room(
                limit=ledger.limit,
                remaining=0 if held else max(0, ledger.free - ledger.owed(self._name)),
                resets_in=None if ends == NEVER else ends - now,
                waiting=len(self._waiters),
            )

    def report(self, clock: Clock, *, leaving: bool = False) -> None:
        """Let other processes know what responses have reported: here there are none.

        Args:
            leaving: tell them, too, that nobody here waits any more.
        """

    async def report_async(self, clock: Clock, *, leaving: bool = False) -> None:
        """Do the same, awaited."""

    # Taking.

    def _ask(self, waiter: Waiter, clock: Clock) -> bool:
        """Ask others for permits, if it makes sense; return whether there is news."""
        return False

    async def _ask_async(self, waiter: Waiter, clock: Clock) -> bool:
        return False

    def _look(self, waiter: Waiter, clock: Clock) -> Permit | None:
        """Return the permit of a caller, who joins the queue if there is none yet."""
        with self._locked(clock) as now:
            waiter.alarm = -math.inf
            if waiter.deadline is None:
                self._arrive(waiter, now)
            if waiter.permit is None and (self._is_answered(now) or self._is_late(waiter, now)):
                self._judge(waiter, now)
            if waiter.permit is None:
                self._doze(waiter, now)
            expected = waiter.expected - now
        # Outside of the lock: nobody knows what a handler does with a message.
        if waiter.wait > 0 and not waiter.is_logged:
            waiter.is_logged = True
            log_wait(waiter.operation, waiter.wait)
        if waiter.permit is None and isinstance(clock, WatchedClock):
            clock.expect(expected)
        return waiter.permit

    def _arrive(self, waiter: Waiter, now: float) -> None:
        is_first = not self._waiters and self._is_alone(now)
        if waiter.pacing.mode == "off" or (is_first and self._when(waiter, now) <= now):
            waiter.permit = self._issue(now, waiter.pacing.spread)
            return
        waiter.deadline = now + waiter.timeout
        self._waiters[waiter] = None
        self._dispatch(now)

    def _judge(self, waiter: Waiter, now: float) -> None:
        """Decide whether a caller waits at all, and whether it goes on.

        If only the scout is still out, it need not wait.
        """
        assert waiter.deadline is not None
        if waiter.wait >= 0 and now < waiter.deadline:
            return
        wait = self._predict(waiter, now)
        if wait <= 0 and (waiter.wait >= 0 or waiter.pacing.mode == "raise"):
            del self._waiters[waiter]
            waiter.permit = self._issue(now, waiter.pacing.spread)
        elif waiter.wait >= 0 or waiter.pacing.mode == "raise" or wait > waiter.timeout:
            raise RateLimitReached(waiter.operation, wait)
        else:
            waiter.wait, waiter.expected = wait, now + wait

    def _doze(self, waiter: Waiter, now: float) -> None:
        """Set until when a caller sleeps. The first in the queue keeps the time for all."""
        assert waiter.deadline is not None
        first = next(iter(self._waiters))
        at = self._when(first, now)
        if waiter is not first:
            at += SCOUT_SECONDS  # in case that the first one's event loop has stopped
        waiter.arm()
        waiter.alarm = min(waiter.deadline, at)
        if waiter.wait >= 0:  # what responses reported since then
            waiter.expected = max(waiter.expected, self._ledger.opens(self._name, now))

    def _pause(self, waiter: Waiter, clock: Clock) -> float | None:
        return None if waiter.alarm >= NEVER else max(0.0, waiter.alarm - clock.now())

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

    def _leave(self, waiter: Waiter, now: float) -> None:
        self._waiters.pop(waiter, None)
        if waiter.permit is not None:
            self._take_back(waiter.permit, now)

    def _take_back(self, permit: Permit, now: float) -> None:
        self._end(permit, Ended(0, permit.scout, permit.sent, now, left=False), now)

    def _end(self, permit: Permit, ended: Ended, now: float) -> None:
        if permit in self._out:
            self._out.discard(permit)
            self._ledger.settle(ended)

    # What may go, under the lock.

    def _is_alone(self, now: float) -> bool:
        """Return whether this process decides for itself."""
        return True

    def _is_answered(self, now: float) -> bool:
        """Return whether all is known that can be known now."""
        return True

    def _is_late(self, waiter: Waiter, now: float) -> bool:
        """Return whether it is too late for a caller to wait for an answer."""
        return False

    def _when(self, first: Waiter, now: float) -> float:
        """Return when the first in the queue may go, or has to do something for it."""
        return self._ledger.when(self._name, now, first.pacing.spread)

    def _predict(self, waiter: Waiter, now: float) -> float:
        """Return the seconds until a caller may go, if all goes well."""
        ahead = next(n for n, other in enumerate(self._waiters) if other is waiter)
        return self._ledger.opens(self._name, now, ahead, waiter.pacing.spread) - now

    def _issue(self, now: float, spread: bool = False) -> Permit:
        permit = Permit(now, self._ledger.take(self._name, now, spread))
        self._out.add(permit)
        return permit

    def _hand_over(self, permit: Permit, now: float) -> None:
        """Give a permit to the first in the queue, unless that is gone."""
        first, _ = self._waiters.popitem(last=False)
        first.permit = permit
        if not first.rouse():
            self._take_back(permit, now)

    def _dispatch(self, now: float) -> None:
        """Hand out what there is, in order, and see to it that the first one keeps the time."""
        self._me.held = len(self._out)
        self._ledger.turn(now)
        while self._waiters:
            first = next(iter(self._waiters))
            at = self._when(first, now)
            if at <= now and self._is_alone(now):
                self._hand_over(self._issue(now, first.pacing.spread), now)
            elif now < first.alarm <= at or first.rouse():
                return
            else:
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
