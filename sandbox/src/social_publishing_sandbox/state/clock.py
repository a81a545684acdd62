"""The sandbox's clock: real, frozen, or running faster; moved forward at will, never back."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from social_publishing_sandbox.state import times

FROZEN_AT: Final = times.parse("2026-12-01T09:00:00Z")
"""Where a frozen clock starts by default: a Tuesday morning."""


class Clock:
    """A clock in milliseconds since 1970.

    Args:
        mode: `real`, `frozen`, or `x60` (any whole number): so many seconds pass in one.
        start: where it starts; the present, or `FROZEN_AT` for a frozen clock, if None.
        real: the seconds of the machine's clock.
    """

    def __init__(
        self, mode: str = "real", start: int | None = None, real: Callable[[], float] = time.time
    ) -> None:
        self._real = real
        self.mode = mode
        speed = _speed(mode)
        if start is None:
            start = FROZEN_AT if mode == "frozen" else int(real() * 1000)
        self.start = start
        self._go_on(start, speed)

    def now(self) -> int:
        """Return the moment, in milliseconds since 1970."""
        moment, since, speed = self._going
        return moment + int((self._real() - since) * 1000 * speed) if speed else moment

    def reach(self, ms: int) -> None:
        """Move forward to this moment, unless it has passed."""
        self.restore(max(ms, self.now()))

    def run(self, mode: str) -> None:
        """Change the mode; the moment stays."""
        speed, now = _speed(mode), self.now()
        self.mode = mode
        self._go_on(now, speed)

    def restore(self, ms: int) -> None:
        """Put the clock where a saved state left it, forwards or backwards."""
        _, _, speed = self._going
        self._go_on(ms, speed)

    def _go_on(self, ms: int, speed: int) -> None:
        # One assignment, because readers of the clock do not take the store's lock.
        self._going = ms, self._real(), speed

    @contextmanager
    def undone_on_error(self) -> Iterator[None]:
        """Go on as before if what is inside fails."""
        mode, going = self.mode, self._going
        try:
            yield
        except BaseException:
            self.mode, self._going = mode, going
            raise


def _speed(mode: str) -> int:
    if mode == "real":
        return 1
    if mode == "frozen":
        return 0
    if match := re.fullmatch("x([1-9][0-9]{0,6})", mode):
        return int(match[1])
    raise ValueError(f"no such clock: {mode!r}; it is real, frozen, or x and a number such as x60")
