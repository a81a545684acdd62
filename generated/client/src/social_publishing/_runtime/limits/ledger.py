"""The ledger of a user's permits: what a rate store keeps, and how it decides.

How many may be granted is worked out as a process does it for itself (see `budget`):

    (the smallest Remaining reported in this window, or the limit if none was yet)
    - permits that are held: those requests may be counted in what was reported, or not

`reserve` is a function of a ledger, a moment and a lease. A store that can change bytes atomically
is a `LedgerRates`, and needs no more; one that decides elsewhere has to decide the same.
"""

from __future__ import annotations

from abc import abstractmethod
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct, field, json

from .leases import RateGrant, RateLease, RateReport, RateStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from .leases import OnLost

SCOUT_SECONDS = 1.0  # how long the others wait for what the first request of a window reports
SCOUT_PART = 20  # and at most this part of the window
GRACE_SECONDS = 3.0  # how much later than it was told to a holder may ask, and keep its place
LONGEST_HOLD = 5  # windows for which one response may hold everybody


class Holder(Struct, array_like=True):
    """A process that takes part.

    Attributes:
        held: permits that it has, by its own account.
        until: when they are forgotten, by the clock of the store, as all moments here.
        ticket: its place in the queue; 0 if it is not in it.
        wants: permits that it waits for.
        due: when it was told to ask again.
        number: of its last message.
    """

    held: int = 0
    until: float = 0.0
    ticket: int = 0
    wants: int = 0
    due: float = 0.0
    number: int = 0


class Ledger(Struct):
    """What is kept of a user.

    Attributes:
        limit: requests in a window; 0 until the first lease.
        window: names the window that was reported last.
        remaining: the smallest Remaining that was reported in it; None after its end.
        ends: when it has ended at the latest.
        scout: when the first permit of the present window was granted; 0 before.
        held_until: until when the service has asked everybody to pause.
        tickets: the last one that was given out.
        seen: when the ledger was last changed.
        holders: the processes, by name.
    """

    limit: int = 0
    window: float = 0.0
    remaining: int | None = None
    ends: float = 0.0
    scout: float = 0.0
    held_until: float = 0.0
    tickets: int = 0
    seen: float = 0.0
    holders: dict[str, Holder] = field(default_factory=dict[str, Holder])


def reserve(ledger: Ledger, now: float, lease: RateLease, permits: int) -> RateGrant:
    """Take in a lease, and grant permits; see `RateStore.reserve`."""
    now = _turn(ledger, now)
    me = ledger.holders.get(lease.holder, Holder())
    if lease.number < me.number:
        return _grant(ledger, now, 0, 0.0)
    ledger.limit = ledger.limit or lease.limit
    if lease.report is not None:
        _take_in(ledger, now, lease.report)
    if lease.silent and ledger.scout:  # nobody needs to wait for it
        ledger.scout = min(ledger.scout, now - SCOUT_SECONDS)
    if lease.hold > 0:
        hold = now + min(lease.hold, LONGEST_HOLD * lease.window)
        ledger.held_until = max(ledger.held_until, hold)
    if lease.seconds <= 0:
        ledger.holders.pop(lease.holder, None)
        return _grant(ledger, now, 0, 0.0)
    ledger.holders[lease.holder] = me
    me.held, me.number = lease.held, lease.number
    # Their requests were sent in this window at the latest, if nothing is heard of them.
    me.until = max(now + lease.seconds, ledger.ends if ledger.remaining is not None else 0.0)
    if permits <= 0:
        me.ticket = me.wants = 0
        return _grant(ledger, now, 0, 0.0)
    if not me.ticket:
        ledger.tickets += 1
        me.ticket = ledger.tickets
    me.wants = min(permits, ceil(ledger.limit / len(ledger.holders)))  # its share of a window
    queue = [each for each in ledger.holders.values() if 0 < each.ticket < me.ticket]
    ahead = sum(each.wants for each in queue)
    # Who was told to come in a later window needs nothing of this one.
    sooner = sum(each.wants for each in queue if each.due < max(ledger.ends, now))
    scouting = min(SCOUT_SECONDS, lease.window / SCOUT_PART)
    granted, me.due = 0, now + lease.window * max(1 / 12, ahead / ledger.limit)
    if now < ledger.held_until:
        me.due = ledger.held_until
    elif ledger.remaining is not None:
        granted = max(0, min(me.wants, _free(ledger) - sooner))
        short = ahead - max(0, _free(ledger) - granted)
        windows = max(0, short) // ledger.limit
        last = max(queue, key=lambda each: each.ticket).wants if queue else 0
        is_first = not queue or (short - last) // ledger.limit < windows
        # Windows to come may begin later than they should. The first of each finds out what it is
        # like, so the others come a little later.
        me.due = ledger.ends + windows * (lease.window + scouting / 2)
        me.due += 0.0 if is_first else 2 * scouting
    elif _free(ledger) <= 0:
        pass
    elif not ledger.scout:
        granted, ledger.scout, me.due = 1, now, now + scouting
    elif now < ledger.scout + scouting:
        me.due = ledger.scout + scouting
    else:
        granted = max(0, min(me.wants, _free(ledger) - sooner))
    me.held += granted
    me.wants -= granted
    if me.wants <= granted:  # it is another one's turn: for a few, a way back would be too long
        me.ticket = me.wants = 0
        me.due = now
    return _grant(ledger, now, granted, me.due - now)


def peek(ledger: Ledger, now: float) -> RateGrant:
    """Return how a ledger stands; see `RateStore.peek`."""
    return _grant(ledger, _turn(ledger, now), 0, 0.0)


def _turn(ledger: Ledger, now: float) -> float:
    """Forget what is over; return the moment, by a clock that never goes back."""
    if now < ledger.seen - SCOUT_SECONDS:  # it was set back: nothing here means anything now
        ledger.remaining, ledger.scout, ledger.held_until = None, 0.0, 0.0
        ledger.holders, ledger.seen = {}, now
    now = ledger.seen = max(now, ledger.seen)
    for holder in ledger.holders.values():
        if holder.until <= now:
            holder.held = 0
        if holder.due + GRACE_SECONDS <= now:
            holder.ticket = holder.wants = 0
    ledger.holders = {
        name: each for name, each in ledger.holders.items() if each.ticket or each.until > now
    }
    if ledger.remaining is not None and now >= ledger.ends:
        ledger.remaining, ledger.scout = None, 0.0
    return now


def _take_in(ledger: Ledger, now: float, report: RateReport) -> None:
    ledger.limit = report.limit
    later = report.window - ledger.window
    if ledger.remaining is None or later > report.tolerance:
        ledger.window, ledger.remaining = report.window, report.remaining
        ledger.ends = now + report.ends
    elif later >= -report.tolerance:
        ledger.remaining = min(ledger.remaining, report.remaining)
        ledger.ends = min(ledger.ends, now + report.ends)


def _free(ledger: Ledger) -> int:
    base = ledger.limit if ledger.remaining is None else ledger.remaining
    return base - sum(each.held for each in ledger.holders.values())


def _grant(ledger: Ledger, now: float, permits: int, wait: float) -> RateGrant:
    report = None
    if ledger.remaining is not None:
        report = RateReport(
            ledger.window, SCOUT_SECONDS, ledger.limit, ledger.remaining, ledger.ends - now
        )
    waiting = sum(1 for each in ledger.holders.values() if each.ticket)
    left = 0 if now < ledger.held_until else max(0, _free(ledger))
    return RateGrant(permits, wait, left, len(ledger.holders), waiting, report)


class LedgerRates(RateStore):
    """Base of a rate store that keeps bytes for each user, and can change them atomically.

    Args:
        on_lost: what a process may send while the store cannot be used; see `RateStore`.
        now: tells the seconds, by a clock that all processes have in common.
    """

    def __init__(self, on_lost: OnLost = "small", now: Callable[[], float] = monotonic) -> None:
        super().__init__(on_lost)
        self.now = now

    @abstractmethod
    def read(self, key: str) -> bytes | None:
        """Return what is kept of a user; None if that is nothing."""

    @abstractmethod
    def change(self, key: str, change: Callable[[bytes | None], bytes]) -> None:
        """Replace what is kept by what a function makes of it, while nobody else changes it."""

    def reserve(self, key: str, lease: RateLease, permits: int) -> RateGrant:
        """Take in a lease, and grant permits; see `RateStore.reserve`."""
        grants: list[RateGrant] = []

        def decide(kept: bytes | None) -> bytes:
            ledger = Ledger() if kept is None else json.decode(kept, type=Ledger)
            grants.append(reserve(ledger, self.now(), lease, permits))
            return json.encode(ledger)

        self.change(key, decide)
        return grants[-1]

    def peek(self, key: str) -> RateGrant | None:
        """Return how a user's budget stands; see `RateStore.peek`."""
        kept = self.read(key)
        return None if kept is None else peek(json.decode(kept, type=Ledger), self.now())
