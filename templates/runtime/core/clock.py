"""The clock that everything waits by. Tests put one in whose time is not real."""

from __future__ import annotations

import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    import anyio

LONGEST_TIME = 1_000_000  # seconds; what every operating system still takes as one wait


class Clock:
    """A clock, and ways to wait."""

    _ahead = 0.0  # seconds that were waited for while the machine's clock stood still

    def now(self) -> float:
        """Return the seconds of a clock that never goes back; only differences matter."""
        return time.monotonic() + self._ahead

    def wall(self) -> float:
        """Return the Unix seconds of this machine's clock."""
        return time.time() + self._ahead

    def sleep(self, seconds: float) -> None:
        """Let the thread sleep."""
        before = time.monotonic()
        time.sleep(min(seconds, LONGEST_TIME))
        self._passed(seconds, before)

    async def sleep_async(self, seconds: float) -> None:
        """Let the task sleep."""
        import anyio

        before = time.monotonic()
        await anyio.sleep(seconds)
        self._passed(seconds, before)

    def wait(self, event: threading.Event, seconds: float | None) -> None:
        """Let the thread wait until the event is set, and at most so many seconds."""
        before = time.monotonic()
        if not event.wait(None if seconds is None else min(seconds, LONGEST_TIME)):
            self._passed(seconds, before)

    async def wait_async(self, event: anyio.Event, seconds: float | None) -> None:
        """Let the task wait until the event is set, and at most so many seconds."""
        import anyio

        before = time.monotonic()
        with anyio.move_on_after(seconds) as scope:
            await event.wait()
        if scope.cancelled_caught:
            self._passed(seconds, before)

    def _passed(self, seconds: float | None, before: float) -> None:
        """Go on by a wait that the machine's clock did not see: tests freeze it."""
        if seconds and time.monotonic() == before:
            self._ahead += seconds


def running_loop() -> Any:
    """Return what stands for the running event loop, of asyncio or of trio."""
    import asyncio

    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return import_module("trio").lowlevel.current_trio_token()


def from_other_threads() -> Callable[[Callable[[], object]], object]:
    """Return a function by which other threads run something in this event loop."""
    loop = running_loop()
    soon: Callable[[Callable[[], object]], object]
    soon = getattr(loop, "call_soon_threadsafe", None) or loop.run_sync_soon
    return soon
