"""The clock that everything waits by. Tests put one in whose time is not real."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import threading

    import anyio

LONGEST_TIME = 1_000_000  # seconds; what every operating system still takes as one wait


class Clock:
    """The time, and the ways to let it pass."""

    def now(self) -> float:
        """Seconds on a clock that never goes back; its zero means nothing."""
        return time.monotonic()

    def wall(self) -> float:
        """Unix seconds, as this machine believes them to be."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Let the thread sleep."""
        time.sleep(min(seconds, LONGEST_TIME))

    async def sleep_async(self, seconds: float) -> None:
        """Let the task sleep."""
        import anyio

        await anyio.sleep(seconds)

    def wait(self, event: threading.Event, seconds: float | None) -> None:
        """Let the thread wait until the event is set, and at most so many seconds."""
        event.wait(None if seconds is None else min(seconds, LONGEST_TIME))

    async def wait_async(self, event: anyio.Event, seconds: float | None) -> None:
        """Let the task wait until the event is set, and at most so many seconds."""
        import anyio

        with anyio.move_on_after(seconds):
            await event.wait()
