"""The request rate: a budget for each user, over both APIs, in windows of real time (§8)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple


class Budget(NamedTuple):
    """The budget of a user, as a request finds it.

    Attributes:
        limit: requests in a window.
        remaining: requests that are left in this window, this one already taken.
        reset: Unix time in seconds at which the window ends.
        wait: whole seconds until then; 0 for a request that is within the budget.
    """

    limit: int
    remaining: int
    reset: int
    wait: int


@dataclass(slots=True)
class _Window:
    ends: int
    used: int


class RateLimit:
    """Counts requests by user.

    A window begins with the first request of a user after the last window, on a whole second, so
    that its end is exactly what the header says.

    Args:
        limit: requests in a window, or None for no limit (the headers then show `shown`).
        window: seconds of a window.
        shown: the limit in the headers where there is none.
        by_server: each API counts by itself; else both count together.
        by_clock: windows begin with the clock, such as with every minute.
        real: the seconds of the machine's clock; the sandbox's own clock plays no part here.

    Attributes:
        limit: requests in a window, or None for no limit.
        window: seconds of the windows that begin from now on.
    """

    def __init__(
        self,
        limit: int | None,
        window: int = 60,
        shown: int = 60,
        *,
        by_server: bool = False,
        by_clock: bool = False,
        real: Callable[[], float] = time.time,
    ) -> None:
        self.limit = limit
        self.window = self.usual_window = window
        self._shown = shown
        self._real = real
        self._by_server, self._by_clock = by_server, by_clock
        self._windows: dict[tuple[str, str], _Window] = {}

    @property
    def period(self) -> str:
        """The window in words, as in `60 requests a minute`."""
        some = f"in {self.window} second{'s' * (self.window > 1)}"
        return "a minute" if self.window == 60 else some

    def take(self, user: str, server: str = "main") -> Budget:
        """Count one request of this user to one of the APIs."""
        now = int(self._real())
        whose = self._whose(user, server)
        window = self._windows[whose] = self._window(whose, now)
        if self.limit is None:
            return Budget(self._shown, self._shown, window.ends, 0)
        if window.used >= self.limit:
            return Budget(self.limit, 0, window.ends, window.ends - now)
        window.used += 1
        return Budget(self.limit, self.limit - window.used, window.ends, 0)

    def look(self, user: str, server: str = "main") -> Budget:
        """Return the budget of this user as it is; nothing is counted, and no window begins."""
        window = self._window(self._whose(user, server), int(self._real()))
        limit = self._shown if self.limit is None else self.limit
        used = 0 if self.limit is None else window.used
        return Budget(limit, max(limit - used, 0), window.ends, 0)

    def clear(self) -> None:
        """Give every user a fresh window."""
        self._windows.clear()

    def _whose(self, user: str, server: str) -> tuple[str, str]:
        return user, server if self._by_server else ""

    def _window(self, whose: tuple[str, str], now: int) -> _Window:
        """Return the user's window; where it has ended, one that would begin now."""
        window = self._windows.get(whose)
        if window is None or window.ends <= now:
            began = now - now % self.window if self._by_clock else now
            return _Window(began + self.window, 0)
        return window
