"""The work of a call, which may take longer than a host waits: it goes on in its own thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import anyio

from .calls import CALL, Call

LONGEST = 45.0  # seconds that a call waits for its work; hosts cut calls after 60
BEAT = 5.0  # seconds after which a host hears that it still goes on
_FIRST_LOOK, _LAST_LOOK = 0.002, 0.05

Report = Callable[[float, float | None, str], Awaitable[object]]
"""Reports progress to a host: done, total, and the current step."""


class Work:
    """The work of a call.

    Attributes:
        id: The identifier by which a later call, or a task, finds it.
        begun: When it began, UTC.
        reply: What it came to; None while it is under way.
    """

    reply: Any = None

    def __init__(self, id: str, call: Call, do: Callable[[], Any]) -> None:
        self.id, self.call = id, call
        self.begun = datetime.now(UTC)
        self._do, self._ended = do, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        CALL.set(self.call)
        try:
            self.reply = self._do()
        finally:
            self._ended.set()

    async def wait(self, seconds: float, report: Report) -> bool:
        """Wait for its end, and report progress; return whether it has ended."""
        start = last = time.monotonic()
        look, shown, call = _FIRST_LOOK, 0.0, self.call
        while not self._ended.is_set():
            await anyio.sleep(look)
            look, now = min(_LAST_LOOK, 1.5 * look), time.monotonic()
            if now - start > seconds:
                return self._ended.is_set()
            if call.done > shown or now - last > BEAT:
                last, shown = now, max(call.done, shown + 0.001)  # which has to grow
                await report(shown, call.total, call.step)
        return True

    @property
    def is_kept(self) -> bool:
        """Whether it is found after a restart, or need not be: a plan is in the journal by then."""
        return not self.call.writes or bool(self.call.step)

    def stop(self, seconds: float = 0) -> None:
        """Let it end before its next request, and wait for that."""
        self.call.stopped = True
        self._thread.join(seconds)
