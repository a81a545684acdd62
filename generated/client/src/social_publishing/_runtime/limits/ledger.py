"""Where processes that share a user's rate limit keep the count: a ledger, and how it decides.

Of each user a ledger keeps what the service last reported, and how many permits each process holds.
It grants permits, puts processes that ask in vain into a queue, and says when to ask again. All the
rest is done by the budget: the waiting, the choice between waiting and raising, the reading of
headers. How many may be granted is worked out as a process does it for itself (see `budget`):

    (the smallest Remaining reported in this window, or the limit if none was yet)
    - permits that are held: those requests may be counted in what was reported, or not

Whatever a process says is the whole truth about it, never a difference. So a message that was
lost, or that arrived although its response did not, does no harm: the next one puts it right.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field, json

from ..core.errors import ConfigurationError
from ..core.named_tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

OnLost: TypeAlias = 'Literal["small", "closed", "open"]'

SCOUT_SECONDS = 1.0  # how long the others wait for what the first request of a window reports
SCOUT_PART = 20  # and at most this part of the window
GRACE_SECONDS = 3.0  # how much later than it was told to a holder may ask, and keep its place
LONGEST_HOLD = 5  # windows for which one response may hold everybody


class RateReport(NamedTuple):
    """The window that the service counts in, as its responses reported it.

    Attributes:
        window: Unix seconds of its Reset, by the clock of the service: they name it. 0 where
            responses have none.
        tolerance: seconds by which `window` may differ between responses of one window.
        limit: requests in a window.
        remaining: the smallest Remaining that was reported in it.
        ends: seconds from now until it has ended at the latest.
    """

    window: float
    tolerance: float
    limit: int
    remaining: int
    ends: float


class RateLease(NamedTuple):
    """One process's report to the store: its permits and the last rate headers it saw.

    Attributes:
        holder: names the process, or one of several in it.
        held: permits that it has: not used yet, under way, or lost without a response.
        seconds: for how long the store keeps them if it hears no more of the holder; 0 if there
            is nothing to keep, because the process ends.
        limit: requests in a window, by the documents.
        window: seconds that a window lasts, by the documents.
        report: what its responses reported about the current window; None if nothing.
        hold: seconds for which the service has asked everybody to pause.
        number: grows with every message of the holder; one that was overtaken on its way by a
            later one is out of date.
        silent: whether its first requests of the window have ended, and reported nothing.
    """

    holder: str
    held: int
    seconds: float
    limit: int
    window: float
    report: RateReport | None = None
    hold: float = 0.0
    number: int = 0
    silent: bool = False


class RateGrant(NamedTuple):
    """What the ledger replies.

    Attributes:
        permits: how many it grants, besides those that the lease said are held.
        wait: seconds until the holder is to ask for the rest; 0 if it has got all.
        left: permits that nobody holds after this.
        holders: processes that the store has heard of lately.
        waiting: those of them that wait for permits.
        report: the current window, as all holders together know it; None if nothing is known.
    """

    permits: int
    wait: float
    left: int
    holders: int
    waiting: int
    report: RateReport | None = None


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
    """Take in a lease, and grant permits beyond those that it says are held.

    Args:
        permits: how many more the holder would like. If there are fewer, the rest waits in a queue;
            with 0, it gives up its place there.
    """
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


class RateStore(ABC):
    """A store that shares a user's rate limit between processes: bytes that change atomically.

    If it raises any exception, it counts as lost: `on_lost` applies, and the client tries again
    later.

    Args:
        on_lost: what a process may send while the store cannot be used: "small", its share of the
            limit, by the number of processes last heard of; "closed", nothing; "open", as much as
            if it were alone.
        now: returns seconds of a clock that all processes share.

    Raises:
        ConfigurationError: `on_lost` is none of these.
    """

    def __init__(self, on_lost: OnLost = "small", now: Callable[[], float] = monotonic) -> None:
        if on_lost not in ("small", "closed", "open"):
            raise ConfigurationError(
                f"on_lost must be 'small', 'closed' or 'open', got {on_lost!r}"
            )
        self.on_lost: OnLost = on_lost
        self.now = now

    @abstractmethod
    def change(self, key: str, change: Callable[[bytes | None], bytes]) -> None:
        """Replace what is kept of a user by what a function makes of it, while nobody else does.

        Args:
            key: names the user by a digest; never a token.
            change: gets what is kept, or None. It may be called again, and the last time counts.
        """

    def reserve(self, key: str, lease: RateLease, permits: int) -> RateGrant:
        """Take in what a process of a user holds, and grant it permits; see `reserve`."""
        grants: list[RateGrant] = []

        def decide(kept: bytes | None) -> bytes:
            ledger = Ledger() if kept is None else json.decode(kept, type=Ledger)
            grants.append(reserve(ledger, self.now(), lease, permits))
            return json.encode(ledger)

        self.change(key, decide)
        return grants[-1]

    async def reserve_async(self, key: str, lease: RateLease, permits: int) -> RateGrant:
        """Do the same in a thread, so that no event loop waits."""
        from anyio import to_thread

        return await to_thread.run_sync(self.reserve, key, lease, permits, abandon_on_cancel=True)
