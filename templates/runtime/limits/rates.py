"""The rate headers of responses, and what follows from them for the window they were counted in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Literal

from ..core.named_tuples import NamedTuple
from .header_values import DELAY, RESET, read_count, read_date, read_reset, read_seconds

DAY = 86_400.0  # seconds; nothing that a service reports about the rate holds for longer
NEVER = 1e15  # a moment, in seconds; a number that can be kept as JSON, as infinity cannot
ROUNDING = 1.0  # seconds that a time in whole seconds may be off, and that Date is behind
_RETRY_AFTER = "retry-after"
_DELTA = 1e6  # a smaller Reset counts the seconds that are left


class RateRule(NamedTuple):
    """The rate limit, as documented.

    Attributes:
        requests: requests that a user may send in a window, until the service reports otherwise.
        seconds: how long a window lasts.
        limit: the header with the requests of a window; in lower case, as the other three.
        remaining: the header with those that are left in this window.
        reset: the header with the end of this window.
        format: how that is written: in whole seconds or milliseconds, from now on or from 1970
            on, or as a duration from now on (`6m0s`).
        status: the status of the response to a request that is over it.
        counts: whose requests are counted together: those of a user, or of a user to one server.
        wait: the header that asks to wait, besides Retry-After, and in its forms.
    """

    requests: int
    seconds: float
    limit: str
    remaining: str
    reset: str
    format: Literal["seconds", "milliseconds", "duration"] = "seconds"
    status: int = 429
    counts: Literal["user", "server"] = "user"
    wait: str = _RETRY_AFTER

    def refused(self, status: int | None) -> bool:
        """Return whether a response says that there were too many requests."""
        return status in (self.status, 429)


class End(NamedTuple):
    """When the window of a response ends.

    Attributes:
        at: Unix seconds by the clock of the service. They name the window.
        left: seconds from the receipt of the response by which it has ended at the latest.
        own_clock: whether `left` leans on the clock of this machine, which may be wrong.
        tolerance: seconds by which `at` may differ between responses of one window.
    """

    at: float
    left: float
    own_clock: bool = False
    tolerance: float = ROUNDING


class RateHeaders(NamedTuple):
    """The rate headers of a response, a limit at least 1; None where they hold nothing usable."""

    limit: int | None
    remaining: int | None
    end: End | None


def read_rate(
    rule: RateRule, headers: Mapping[str, str], wall: float, latency: float
) -> RateHeaders:
    """Read the rate headers of a response.

    Args:
        headers: the headers, names in lower case.
        wall: Unix seconds at the receipt, by the clock of this machine.
        latency: seconds from the sending of the request to the receipt.
    """
    limit = read_count(headers.get(rule.limit, ""))
    remaining = read_count(headers.get(rule.remaining, ""))
    return RateHeaders(
        limit=limit if limit is not None and limit >= 1 else None,
        remaining=None if remaining is None else max(0, remaining),
        end=_end(rule, headers, wall, latency),
    )


def _end(rule: RateRule, headers: Mapping[str, str], wall: float, latency: float) -> End | None:
    reset = read_reset(headers.get(rule.reset, ""), rule.format)
    if reset is None:
        return None
    # Whole seconds may have been cut off or rounded up, so that the window ends up to a second
    # later than they say.
    rounding = 0.0 if rule.format == "milliseconds" or reset % 1 else ROUNDING
    date = read_date(headers.get("date", ""))
    here = wall if date is None else date
    half = rule.seconds / 2  # what is further off may be the next window
    if reset < _DELTA or rule.format == "duration":
        if reset > DAY:
            return None
        # Each response counts anew, from a moment that is known no better than its latency.
        tolerance = min(3 * ROUNDING + latency, half)
        return End(here + reset, reset + rounding, tolerance=tolerance)
    left = reset + rounding - here
    earliest = -ROUNDING if date is not None else -DAY
    if not earliest < left <= DAY:
        return None
    return End(reset, left, own_clock=date is None, tolerance=min(ROUNDING, half))


def read_retry_after(
    rule: RateRule | None, headers: Mapping[str, str], wall: float
) -> float | None:
    """Return the seconds that a response asks to wait, at most a day; None if it does not.

    Args:
        headers: the headers, names in lower case.
        wall: Unix seconds at the receipt, by the clock of this machine.
    """
    text = next((headers[name] for name in _waits(rule) if name in headers), "")
    seconds = read_seconds(text)
    if seconds is None:
        until = read_date(text)
        if until is None:
            return None
        date = read_date(headers.get("date", ""))
        seconds = until - (wall if date is None else date)
    return min(seconds, DAY) if seconds > 0 else None


def _waits(rule: RateRule | None) -> Iterable[str]:
    """Return the headers that ask to wait, the one that is documented first."""
    return dict.fromkeys((_RETRY_AFTER if rule is None else rule.wait, _RETRY_AFTER))


def unreadable_headers(
    rule: RateRule | None, headers: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """Yield the names of headers that have none of their forms, what they hold, and the forms."""
    for name in _waits(rule):
        text = headers.get(name)
        if text is not None and read_seconds(text) is None and read_date(text) is None:
            yield name, text, DELAY
    if rule is None:
        return
    for name in (rule.limit, rule.remaining):
        if name in headers and read_count(headers[name]) is None:
            yield name, headers[name], "a number of requests"
    text = headers.get(rule.reset)
    if text is not None and read_reset(text, rule.format) is None and read_count(text) is None:
        yield rule.reset, text, RESET[rule.format]  # another integer only means nothing


class Known(NamedTuple):
    """What a process knows of a window; the attributes are those of `Window`."""

    name: float
    remaining: int
    first: float
    ends: float


class Timed:
    """State with moments by one clock.

    Attributes:
        moments: the names of the attributes that are such.
    """

    moments: ClassVar[tuple[str, ...]]

    def move(self, by: float) -> None:
        """Let all moments be by another clock, which is so many seconds ahead."""
        for name in self.moments:
            moment = getattr(self, name)
            if moment is not None and -NEVER < moment < NEVER:
                setattr(self, name, moment + by)


class Window(Timed):
    """Known state of the window that the service counts in.

    Attributes:
        seconds: how long it lasts, by the documents.
        limit: requests in it.
        remaining: the smallest Remaining that was reported in it; None before its first response.
        ends: the moment by which it has ended, on a clock that never goes back; NEVER before its
            first response.
        name: Reset of this window, or of the last one that had any.
        first: receipt of its first response.
        reported_at: receipt of the response that reported what remains.
        turned: when the window before it was over.
        longer: whether windows last longer than the documents say.
        clock_off: whether the clock of a machine has proved wrong.
        refusals: rounds of them in a row that did not say until when.
        refused_at: when the last of those rounds began.
    """

    moments: ClassVar[tuple[str, ...]] = ("ends", "first", "reported_at", "turned", "refused_at")

    def __init__(self, requests: int, seconds: float) -> None:
        self.seconds: float = seconds
        self.limit: int = requests
        self.remaining: int | None = None
        self.ends: float = NEVER
        self.name: float = -NEVER
        self.first: float = -NEVER
        self.reported_at: float = -NEVER
        self.turned: float = -NEVER
        self.longer: bool = False
        self.clock_off: bool = False
        self.refusals: int = 0
        self.refused_at: float = -NEVER

    def turn(self, now: float) -> bool:
        """Forget what was reported if the window is over; return whether it is."""
        if now < self.ends:
            return False
        self.remaining, self.ends, self.turned = None, NEVER, self.ends
        return True

    @property
    def known(self) -> Known | None:
        """What responses have reported about it; None if nothing yet."""
        if self.remaining is None:
            return None
        return Known(self.name, self.remaining, self.first, self.ends)

    def recall(self, known: Known, later: float) -> None:
        """Take in what a process knows, in case that nothing is kept of the window any more.

        Args:
            later: seconds by which the clock of this window is ahead of that of the process.
        """
        if self.first == -NEVER:
            self.name, self.remaining, self.ends = known.name, known.remaining, known.ends + later
            self.first = self.reported_at = known.first + later
        elif self.remaining is not None and self.name == known.name > -NEVER:
            self.remaining = min(self.remaining, known.remaining)

    def note(self, reported: RateHeaders, sent: float, now: float, refused: bool) -> bool:
        """Take in what a response reports; return whether it was about this window."""
        if reported.limit is not None:
            self.limit = reported.limit
        remaining = 0 if refused else min(reported.remaining or 0, self.limit)
        if not refused:
            self.refusals = 0
        if reported.end is None:
            return self._note_without_reset(remaining, sent, now, refused)
        return self._note_named(reported.end, remaining, sent, now)

    def _note_named(self, end: End, remaining: int, sent: float, now: float) -> bool:
        later = end.at - self.name
        if later > end.tolerance:
            self._begin(end, remaining, now)
        elif later < -end.tolerance:
            if sent < self.first:
                return False  # it was counted in a window that is over
            self._begin(end, remaining, now)  # the service has changed its mind
        elif self.remaining is not None:
            self._lower(remaining, now)
            latest = self._latest(end, now)
            if latest > now:  # else it has proved wrong already
                self.ends = min(self.ends, latest)
        elif sent < self.turned:
            return False
        else:
            self._resume(end, remaining, now)
        return True

    def _note_without_reset(self, remaining: int, sent: float, now: float, refused: bool) -> bool:
        if refused:
            return self._note_refusal(sent, now)
        if self.remaining is None and sent < self.turned:
            return False
        if self.remaining is None or (remaining >= self.remaining and sent >= self.reported_at):
            # What was sent after the last response came has less left, but in a new window.
            self.first, self.ends = now, now + self.seconds
            self._set(remaining, now)
        else:
            self._lower(remaining, now)
        return True

    def _note_refusal(self, sent: float, now: float) -> bool:
        """Nothing says until when: ask again soon, and less and less often."""
        if sent >= self.refused_at:
            self.first = self.refused_at = now
            self._set(0, now)
            self.ends = now + min(ROUNDING * 2.0**self.refusals, self.seconds)
            self.refusals = min(self.refusals + 1, 30)
        elif self.remaining is None:
            return False  # it left together with one that was refused before
        else:
            self._set(0, now)
        return True

    def _lower(self, remaining: int, now: float) -> None:
        if self.remaining is None or remaining < self.remaining:
            self._set(remaining, now)

    def _set(self, remaining: int, now: float) -> None:
        self.remaining, self.reported_at = remaining, now

    def _begin(self, end: End, remaining: int, now: float) -> None:
        self.name, self.first = end.at, now
        self._set(remaining, now)
        self.ends = self._latest(end, now)

    def _resume(self, end: End, remaining: int, now: float) -> None:
        """The window that we thought over is not: find out better when it ends."""
        if end.left > 0:  # the clocks agree that it is not
            self.longer = True
        else:
            self.clock_off = True
        self._set(remaining, now)
        self.ends = self._latest(end, now)
        if self.ends <= now:
            overdue = now - self.first - self.seconds
            self.ends = now + min(max(ROUNDING, overdue), self.seconds)

    def _latest(self, end: End, now: float) -> float:
        """By when the window has ended at the latest."""
        by_length, by_clock = self.first + self.seconds, now + end.left
        if end.own_clock and (self.clock_off or end.left <= 0):
            return by_length
        if self.longer:
            return by_clock
        if end.left <= self.seconds + 3 * ROUNDING:  # Reset up, Date down, and in `left`
            return min(by_clock, by_length)
        return by_length if end.own_clock else by_clock
