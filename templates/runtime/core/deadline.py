"""Deadlines: when a call has to be over, with all its attempts, pauses and requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import DeadlineExceeded

if TYPE_CHECKING:
    from .clock import Clock


class Deadline:
    """When a call has to be over.

    Args:
        seconds: how long the whole call may take; None for as long as it takes.
    """

    __slots__ = ("_clock", "_ends", "seconds")

    def __init__(self, seconds: float | None, clock: Clock) -> None:
        self.seconds: float | None = seconds
        self._clock = clock
        self._ends = None if seconds is None else clock.now() + seconds

    @property
    def left(self) -> float | None:
        """The seconds that are left, never less than zero; None without an end."""
        return None if self._ends is None else max(0.0, self._ends - self._clock.now())

    @property
    def is_over(self) -> bool:
        """Return whether the time is over."""
        return self._ends is not None and self._clock.now() >= self._ends

    def allows(self, seconds: float) -> bool:
        """Return whether a pause of so many seconds ends in time."""
        left = self.left
        return left is None or seconds < left

    def or_else(self, seconds: float) -> Deadline:
        """Return this deadline, or one of so many seconds from now where there is none."""
        return self if self._ends is not None else Deadline(seconds, self._clock)

    def sooner(self, seconds: float | None) -> Deadline:
        """Return this deadline, or one of so many seconds from now where that ends before."""
        left = self.left
        if seconds is None or (left is not None and left <= seconds):
            return self
        return Deadline(seconds, self._clock)

    def exceeded(self, operation: str, doing: str, last: Any = None) -> DeadlineExceeded:
        """Return the error for a call that did not end in time."""
        return DeadlineExceeded(operation, self.seconds or 0.0, doing, last)
