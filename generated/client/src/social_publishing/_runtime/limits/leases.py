"""Where processes that share a user's rate limit keep the count: the protocol of a rate store.

A store is a ledger: of each user it keeps what the service last reported, and how many permits
each process holds. It grants permits, puts processes that ask in vain into a queue, and says when
to ask again. All the rest is done by the client: the waiting, the choice between waiting and
raising, the reading of headers.

Whatever a process says is the whole truth about it, never a difference. So a message that was
lost, or that arrived although its response did not, does no harm: the next one puts it right.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Literal

from ..core.errors import ConfigurationError
from ..core.named_tuples import NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

OnLost: TypeAlias = 'Literal["small", "closed", "open"]'


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
    """What a process holds, and what it knows.

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
    """What a store replies.

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


class RateStore(ABC):
    """Keeps the count of a user's requests for several processes.

    Each of the three primitives is atomic, and goes by the clock of the store. Any of them may
    raise any exception: then the store counts as lost, `on_lost` applies, and it is asked again
    after a while. None of them waits for permits.

    Args:
        on_lost: what a process may send while the store cannot be reached: "small", its share of
            the limit, by the number of processes last heard of; "closed", nothing; "open", as
            much as if it were alone.

    Raises:
        ConfigurationError: `on_lost` is none of these.
    """

    def __init__(self, on_lost: OnLost = "small") -> None:
        if on_lost not in ("small", "closed", "open"):
            raise ConfigurationError(
                f"on_lost must be 'small', 'closed' or 'open', got {on_lost!r}"
            )
        self.on_lost: OnLost = on_lost

    @abstractmethod
    def reserve(self, key: str, lease: RateLease, permits: int) -> RateGrant:
        """Take in a lease, and grant permits beyond those that it says are held.

        Args:
            key: names the user by a digest; never a token.
            lease: what the process holds and knows.
            permits: how many more it would like. If there are fewer, the rest waits in a queue.
        """

    def report(self, key: str, lease: RateLease) -> RateGrant:
        """Take in a lease without asking for permits, and give up the place in the queue."""
        return self.reserve(key, lease, 0)

    @abstractmethod
    def peek(self, key: str) -> RateGrant | None:
        """Return how a user's budget stands, and change nothing; None if nobody has used it."""

    async def reserve_async(self, key: str, lease: RateLease, permits: int) -> RateGrant:
        """Do the same as `reserve`, in a thread, so that no event loop waits."""
        from anyio import to_thread

        return await to_thread.run_sync(self.reserve, key, lease, permits, abandon_on_cancel=True)

    async def report_async(self, key: str, lease: RateLease) -> RateGrant:
        """Do the same as `report`, in a thread."""
        return await self.reserve_async(key, lease, 0)

    async def peek_async(self, key: str) -> RateGrant | None:
        """Do the same as `peek`, in a thread."""
        from anyio import to_thread

        return await to_thread.run_sync(self.peek, key, abandon_on_cancel=True)
