"""The one decision about the rate: a ledger for each user, and where processes share it.

How much may go is worked out so that it errs to the safe side only:

    (the smallest Remaining reported in this window, or the limit if none was yet)
    - permits that are out: those requests may be counted in what was reported, or not
    - requests that ended in the last window's length without reporting anything of this window

A window ends for us when it must have ended there. It lasts `seconds`, and had begun when its first
response came; and its Reset, held against the Date of the same response, needs no clock of ours.
No response holds everybody for longer than a few windows: then one request finds out.

One process keeps its ledger in memory. Several keep it in a store, as bytes that change atomically:
each takes its permits there, and reports on the same trip how its requests ended. The report is the
whole truth about it, never a difference. So a message that was lost, or that arrived although its
reply did not, does no harm: the next one puts it right.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, insort
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Literal

from ..core.errors import ConfigurationError
from ..core.named_tuples import NamedTuple
from .rates import NEVER, ROUNDING, Timed, Window

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from .rates import Known, RateHeaders

OnLost: TypeAlias = 'Literal["small", "closed", "open"]'

SCOUT_SECONDS = 1.0  # how long the others wait for what the first request of a window reports
SCOUT_PART = 20  # and at most this part of the window
LONGEST_HOLD = 5  # windows for which one response may hold everybody
LATE_SECONDS = 0.5  # how much later than it was told to a process most likely asks
GRACE_SECONDS = 3.0  # how much later than it was told to a process may ask, and keep its place
CLOSEST = 0.001  # seconds; rounding makes no greater difference between moments of two clocks
PERMIT_SECONDS = 80.0  # how long the permits of a process last that is not heard of any more


class Ended(NamedTuple):
    """How a request ended.

    Attributes:
        number: grows with every one of a process.
        scout: number of the scout that it was; 0 if it was none.
        sent: when it left.
        at: when it ended.
        left: whether any of it has left.
        reported: the rate headers of its response; None where none came.
        refused: whether that says that there were too many requests.
        retry_after: seconds that it asks to wait.
    """

    number: int
    scout: int
    sent: float
    at: float
    left: bool = True
    reported: RateHeaders | None = None
    refused: bool = False
    retry_after: float | None = None


class Process(Timed):
    """A process that takes part.

    Attributes:
        held: permits that it has, by its own account.
        used: permits that it was granted in this window.
        since: when it began to wait for one; None if it does not.
        due: when it was told to ask again.
        gives_up: when the last of those who wait there does.
        until: when it is forgotten, if it is not heard of any more.
        number: of its last message.
        ended: the number of the last ended request that it has reported.
    """

    moments: ClassVar[tuple[str, ...]] = ("since", "due", "gives_up", "until")

    def __init__(self, until: float = NEVER) -> None:
        self.held: int = 0
        self.used: int = 0
        self.since: float | None = None
        self.due: float = 0.0
        self.gives_up: float = NEVER
        self.until: float = until
        self.number: int = 0
        self.ended: int = 0


class Ledger(Window):
    """What is kept of a user. All moments are by one clock.

    Attributes:
        scout: when the first request of a window left that is not known yet; NEVER if none has,
            -NEVER if it came back with nothing.
        scouts: how many there have been.
        doubted: since when `remaining` is unconfirmed by a response to a later request; -NEVER if
            it is confirmed.
        held_until: until when the service has asked everybody to pause.
        held_at: when it did.
        spread_at: when the last request left of those that are spread evenly.
        counts_until: until when `Process.used` counts, while the window is not known.
        lost: when requests ended that reported nothing of this window; the oldest first.
        seen: when it was last changed.
        processes: by a name of each.
    """

    limit: int
    ends: float
    moments: ClassVar[tuple[str, ...]] = (
        *Window.moments,
        *("scout", "doubted", "held_until", "held_at", "spread_at", "counts_until", "seen"),
    )

    def __init__(self, requests: int, seconds: float) -> None:
        super().__init__(requests, seconds)
        self.scout: float = NEVER
        self.scouts: int = 0
        self.doubted: float = -NEVER
        self.held_until: float = -NEVER
        self.held_at: float = -NEVER
        self.spread_at: float = -NEVER
        self.counts_until: float = -NEVER
        self.lost: list[float] = []
        self.seen: float = -NEVER
        self.processes: dict[str, Process] = {}

    @property
    def left(self) -> int:
        """How many requests are left, as far as responses have reported."""
        return (self.limit if self.remaining is None else self.remaining) - len(self.lost)

    @property
    def free(self) -> int:
        """How many requests may leave; negative where too many have."""
        held = 0
        for each in self.processes.values():
            held += each.held
        return self.left - held

    def turn(self, now: float) -> bool:
        """Forget what is over; return whether the window is."""
        if self.lost and self.lost[0] + self.seconds <= now:
            self.lost = [each for each in self.lost if each + self.seconds > now]
        is_over = super().turn(now)
        if is_over:
            self.scout, self.doubted = NEVER, -NEVER
        if is_over or (self.remaining is None and now >= self.counts_until):
            self.counts_until = now + self.seconds
            for each in self.processes.values():
                each.used = 0
        return is_over

    def expire(self, now: float) -> None:
        """Forget permits and places of processes that are not heard of any more."""
        for name, each in [*self.processes.items()]:
            if each.since is not None and min(each.due + GRACE_SECONDS, each.gives_up) <= now:
                each.since = None
            if each.until <= now:
                each.held = 0
                if each.since is None:
                    del self.processes[name]

    def owed(self, name: str, *, anew: bool = False) -> int:
        """Return how many permits are for other processes that wait, before one gets another.

        Each gets as many of a window as the others; of those who have as many, the one that has
        waited longest comes first.

        Args:
            anew: in a window to come, of which nobody has any.
        """
        return sum(self._owed(name, anew).values())

    def _owed(self, name: str, anew: bool) -> dict[Process, int]:
        if len(self.processes) == 1:
            return {}
        me = self.processes[name]
        owed = {
            each: (0 if anew else me.used - each.used) + (me.since is None or each.since < me.since)
            for each in self.processes.values()
            if each is not me
            and each.since is not None
            and (anew or each.due <= self.ends - CLOSEST)
        }
        return {each: number for each, number in owed.items() if number > 0}

    def opens(self, name: str, now: float, ahead: int = 0, spread: bool = False) -> float:
        """Return when a process may send, with so many of its own ahead, if all goes well."""
        opens, free, owed = max(now, self.held_until), self.free, self._owed(name, anew=False)
        if ahead < free <= ahead + sum(owed.values()):  # who comes first may leave some
            comes = min(min(each.due, each.gives_up) for each in owed)
            opens = max(opens, min(self.ends, max(comes, now + CLOSEST)))
        elif ahead >= free:
            lacking = max(1, ahead + 1 + self.owed(name, anew=True) - free)
            freed = self.ends if self.ends < NEVER else now + self.seconds
            if lacking <= len(self.lost):
                freed = min(freed, self.lost[lacking - 1] + self.seconds)
            opens = max(opens, freed + (lacking - 1) // self.limit * self.seconds)
        elif spread:
            distance = self._distance()
            opens = max(opens, self.spread_at + distance + (ahead + sum(owed.values())) * distance)
        return opens

    @property
    def is_known(self) -> bool:
        """Whether a response has reported what is left."""
        return self.remaining is not None and self.doubted == -NEVER

    def doubt(self, now: float) -> None:
        """Let one request find out what is left, before all of it is spent."""
        if self.is_known:
            self.scout, self.doubted = NEVER, now

    def scouted(self) -> float:
        """Return until when others wait for the first response of this window."""
        if self.is_known or self.scout == NEVER:
            return -NEVER
        return self.scout + self._scouting

    def when(self, name: str, now: float, spread: bool = False) -> float:
        """Return when a process may take a permit, or is to ask again; until `now`, it may."""
        at = self.opens(name, now, 0, spread)
        if at <= now:
            return self.scouted()
        if len(self.processes) > 1 and self.held_until <= now and self.free <= self.owed(name):
            if self.left > 0:  # what others hold, or do not come for, is free then
                at = min(at if at == self.ends else at + LATE_SECONDS, now + GRACE_SECONDS)
            elif at == self.ends and self.owed(name, anew=True):
                at += self._scouting  # another one finds out what the next window is like
        return at

    def take(self, name: str, now: float, spread: bool = False) -> int:
        """Give a process a permit; return the number of the scout that it is for, 0 for none."""
        me = self.processes[name]
        me.held += 1
        me.used += 1
        if spread:
            self.spread_at = now
        if self.is_known or self.scout != NEVER:
            return 0
        self.scout = now
        self.scouts += 1
        return self.scouts

    def settle(self, ended: Ended, later: float = 0.0) -> None:
        """Take in how a request ended.

        Args:
            later: seconds by which the clock of the ledger is ahead of that of the process.
        """
        sent, at, reported = ended.sent + later, ended.at + later, ended.reported
        is_scout = ended.scout == self.scouts and ended.scout > 0
        if is_scout:
            self.scout = NEVER
        if reported is None or (reported.remaining is None and not ended.refused):
            if reported is not None:
                self.limit = reported.limit or self.limit
                self.scout = -NEVER if is_scout else self.scout
            if ended.left:
                insort(self.lost, at)
            return
        if not self.note(reported, sent, at, ended.refused):
            if reported.end is None and not ended.refused:
                insort(self.lost, at)  # in which window it was counted, nothing says
            return
        if sent >= self.doubted:
            self.doubted = -NEVER
        # What was counted before this request left is in what its response reported.
        self.lost = self.lost[bisect_left(self.lost, sent) :]
        latest = at + LONGEST_HOLD * self.seconds
        if ended.retry_after is not None and at >= self.held_at:
            self.held_until, self.held_at = min(at + ended.retry_after, latest), at
            if reported.end is None or reported.end.own_clock or self.ends < self.held_until:
                self.ends = self.held_until
        self.ends = min(self.ends, latest)

    def move(self, by: float) -> None:
        super().move(by)
        for each in self.processes.values():
            each.move(by)
        self.lost = [each + by for each in self.lost]

    @property
    def _scouting(self) -> float:
        return min(SCOUT_SECONDS, self.seconds / SCOUT_PART)

    def _distance(self) -> float:
        """Return the seconds between requests that are to be spread evenly."""
        if self.ends == NEVER or self.spread_at == -NEVER:
            return self.seconds / self.limit
        return max(0.0, self.ends - self.spread_at) / (max(0, self.free) + 1)


class Message(NamedTuple):
    """What a process reports to the ledger of a user, and asks of it.

    Attributes:
        process: names the process, or one of several in it.
        number: grows with every message; one that a later one overtook is out of date.
        at: when it is sent, by the clock of the process, as the moments of `ended`.
        held: permits that it has.
        ended: requests that have ended, in their order.
        asks: a permit for each of these callers, if there is one; whether they are spread evenly.
        waits: seconds for which it waits at the most for those that it does not get.
        leaves: whether it ends.
        alone: whether it has decided by itself since the last reply.
        window: what it knows of the window, in case that the store has lost it.
        limit: requests in a window, by the documents.
        seconds: how long a window lasts, by the documents.
    """

    process: str
    number: int
    at: float
    held: int
    limit: int
    seconds: float
    ended: Sequence[Ended] = ()
    asks: Sequence[bool] = ()
    waits: float = NEVER
    leaves: bool = False
    alone: bool = False
    window: Known | None = None


class Reply(NamedTuple):
    """What comes back.

    Attributes:
        scouts: for each permit that was granted, what `Ledger.take` returned.
        ledger: all that is known now.
        now: the moment, by the clock of the ledger.
    """

    scouts: Sequence[int]
    ledger: Ledger
    now: float


def exchange(ledger: Ledger, now: float, message: Message) -> Reply:
    """Take in what a process reports, and grant what it asks for."""
    if now < ledger.seen - ROUNDING:  # the clock was set back: nothing here means anything now
        ledger = Ledger(ledger.limit, ledger.seconds)
    now = ledger.seen = max(now, ledger.seen)
    me = ledger.processes.setdefault(message.process, Process())
    if message.number < me.number:
        return Reply((), ledger, now)
    me.number, me.until, ledger.seconds = message.number, NEVER, message.seconds
    ledger.limit = ledger.limit or message.limit
    is_unconfirmed = message.alone or (message.window is not None and ledger.first == -NEVER)
    if message.window is not None:
        ledger.recall(message.window, now - message.at)
    for ended in message.ended:
        if ended.number > me.ended:
            ledger.settle(ended, now - message.at)
            me.ended = ended.number
    ledger.turn(now)
    ledger.expire(now)
    if is_unconfirmed:  # others may have spent what is left, and have not said so yet
        ledger.doubt(now)
    # The requests were sent in this window at the latest, if nothing is heard of them.
    me.until = max(now + PERMIT_SECONDS, 0.0 if ledger.remaining is None else ledger.ends)
    me.held = message.held
    if message.asks:
        me.gives_up = min(now + message.waits, NEVER)
    scouts: list[int] = []
    for spread in message.asks:
        me.due = ledger.when(message.process, now, spread)
        if me.due > now:
            me.since = now if me.since is None or scouts else me.since
            break
        scouts.append(ledger.take(message.process, now, spread))
    has_all = len(scouts) == len(message.asks)
    if message.leaves or (message.asks and (has_all or me.gives_up <= now)):
        me.since = None
    if message.leaves and not me.held:
        del ledger.processes[message.process]
    return Reply(scouts, ledger, now)


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

    def reserve(self, key: str, message: Message) -> Reply:
        """Take in what a process of a user says, and grant it permits; see `exchange`."""
        replies: list[Reply] = []

        def decide(kept: bytes | None) -> bytes:
            replies.append(exchange(_decoded(kept), self.now(), message))
            return _encoded(replies[-1].ledger)

        self.change(key, decide)
        return replies[-1]

    async def reserve_async(self, key: str, message: Message) -> Reply:
        """Do the same in a thread, so that no event loop waits."""
        from anyio import to_thread

        return await to_thread.run_sync(self.reserve, key, message, abandon_on_cancel=True)


def _encoded(ledger: Ledger) -> bytes:
    import msgspec  # seldom used, and not free to load

    processes = {name: vars(each) for name, each in ledger.processes.items()}
    return msgspec.json.encode({**vars(ledger), "processes": processes})


def _decoded(kept: bytes | None) -> Ledger:
    """Read a ledger. What another version of the client has kept beside is passed over."""
    ledger = Ledger(0, 0.0)
    if kept is not None:
        import msgspec

        found = msgspec.json.decode(kept)
        processes = found.pop("processes", {})
        vars(ledger).update({name: found[name] for name in vars(ledger) if name in found})
        for name, each in processes.items():
            process = ledger.processes[name] = Process()
            vars(process).update(each)
    return ledger
