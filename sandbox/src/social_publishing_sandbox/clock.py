"""The sandbox's clock: real, frozen, or running faster; moved forward at will, never back."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Final

from social_publishing_sandbox import times

FROZEN_AT: Final = times.parse("2026-12-01T09:00:00Z")
"""Where a frozen clock starts unless told otherwise: a Tuesday morning."""


class Clock:
    """A clock in milliseconds since 1970.

    Args:
        mode: `real`, `frozen`, or `x60` (any whole number): so many seconds pass in one.
        start: where it starts; the present, or `FROZEN_AT` for a frozen clock, if None.
        real: the seconds of the machine's clock.

    Attributes:
        start: where it started.

    Raises:
        ValueError: there is no such mode.
    """

    def __init__(
        self, mode: str = "real", start: int | None = None, real: Callable[[], float] = time.time
    ) -> None:
        self._real = real
        self._speed = _speed(mode)
        self.mode = mode
        if start is None:
            start = FROZEN_AT if mode == "frozen" else int(real() * 1000)
        self.start = start
        self._set(start)

    def now(self) -> int:
        """The moment, in milliseconds since 1970."""
        if self._speed == 0:
            return self._from
        return self._from + int((self._real() - self._since) * 1000 * self._speed)

    def advance(self, ms: int) -> int:
        """Move forward by so many milliseconds, and say the new moment.

        Raises:
            ValueError: the step is backwards.
        """
        if ms < 0:
            raise ValueError("the clock moves forward only")
        self._set(self.now() + ms)
        return self._from

    def set(self, ms: int) -> int:
        """Move forward to this moment, and say it.

        Raises:
            ValueError: the moment has passed.
        """
        now = self.now()
        if ms < now:
            raise ValueError(
                f"the clock moves forward only: it is {times.text(now)}, after {times.text(ms)}"
            )
        self._set(ms)
        return ms

    def run(self, mode: str) -> None:
        """Change the mode; the moment stays.

        Raises:
            ValueError: there is no such mode.
        """
        speed, now = _speed(mode), self.now()
        self.mode, self._speed = mode, speed
        self._set(now)

    def restore(self, ms: int) -> None:
        """Put the clock where a saved state left it, forwards or backwards."""
        self._set(ms)

    def _set(self, ms: int) -> None:
        self._from = ms
        self._since = self._real()


def _speed(mode: str) -> int:
    if mode == "real":
        return 1
    if mode == "frozen":
        return 0
    if found := re.fullmatch("x([1-9][0-9]{0,6})", mode):
        return int(found[1])
    raise ValueError(f"no such clock: {mode!r}; it is real, frozen, or x and a number such as x60")
