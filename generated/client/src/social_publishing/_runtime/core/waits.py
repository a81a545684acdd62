"""Waits: what a program hears of them, and the line that shows them in a terminal."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, TypeAlias

from .clock import Clock
from .named_tuples import NamedTuple

if TYPE_CHECKING:
    import datetime as dt
    import threading
    from typing import TextIO

    import anyio

WaitReason = Literal["rate limit", "retry", "not ready"]

PATIENCE = 2.0  # seconds; a terminal shows longer waits
TICK = 1.0  # seconds between two figures of the countdown
SAME = 1.0  # seconds by which the end of a wait may move without being reported again


class Wait(NamedTuple):
    """The start of a wait. Its text is such as "books.lend: rate limit, 41 s".

    Attributes:
        operation: the method that was called, such as `books.lend`.
        reason: "rate limit" for room in it, or for the pause after too many requests; "retry"
            before another attempt after a failure; "not ready" before asking again for what the
            service is still working on.
        seconds: expected duration in seconds.
        until: expected end, in UTC.
    """

    operation: str
    reason: WaitReason
    seconds: float
    until: dt.datetime

    def __str__(self) -> str:
        return _text(self.operation, self.reason, self.seconds)


OnWait: TypeAlias = "Callable[[Wait], object] | Literal['terminal'] | None"
"""A function that is called with every wait; "terminal" for a line in a terminal; None."""


def _text(operation: str, reason: WaitReason, seconds: float) -> str:
    return f"{operation}: {reason}, {max(1, math.ceil(seconds))} s"


class WatchedClock(Clock):
    """A clock for one wait of a call, which it reports or shows."""

    def __init__(self, clock: Clock, on_wait: OnWait, operation: str, reason: WaitReason) -> None:
        self._clock = clock
        self._on_wait = on_wait
        self._operation = operation
        self._reason: WaitReason = reason
        self._until = -math.inf

    def now(self) -> float:
        return self._clock.now()

    def wall(self) -> float:
        return self._clock.wall()

    def expect(self, seconds: float) -> None:
        """Report a wait that will most likely last so long, unless that was reported before."""
        until = self.now() + seconds
        if seconds <= 0 or until <= self._until + SAME:
            return
        self._until = until
        if callable(self._on_wait):
            import datetime as dt

            end = dt.datetime.fromtimestamp(self.wall() + seconds, dt.UTC)
            self._on_wait(Wait(self._operation, self._reason, seconds, end))

    def sleep(self, seconds: float) -> None:
        self.expect(seconds)
        with self._shown():
            self._clock.sleep(seconds)

    async def sleep_async(self, seconds: float) -> None:
        self.expect(seconds)
        with self._shown():
            await self._clock.sleep_async(seconds)

    def wait(self, event: threading.Event, seconds: float | None) -> None:
        with self._shown():
            self._clock.wait(event, seconds)

    async def wait_async(self, event: anyio.Event, seconds: float | None) -> None:
        with self._shown():
            await self._clock.wait_async(event, seconds)

    @contextmanager
    def _shown(self) -> Generator[None]:
        """Show in a terminal what is waited for, and count the seconds down."""
        left = self._until - self.now()
        stream = _terminal() if self._on_wait == "terminal" and left > PATIENCE else None
        if stream is None:
            yield
            return
        import threading

        over = threading.Event()
        counting = threading.Thread(target=self._count_down, args=(stream, over), daemon=True)
        _write(stream, _text(self._operation, self._reason, left))
        counting.start()
        try:
            yield
        finally:
            over.set()
            counting.join()
            _write(stream, "", end="\r")

    def _count_down(self, stream: TextIO, over: threading.Event) -> None:
        while not over.wait(TICK):
            _write(stream, _text(self._operation, self._reason, self._until - self.now()))


def _write(stream: TextIO, text: str, end: str = "") -> None:
    """Write a text over the line that is there. Where two threads do, the last one shows."""
    try:
        # All of the line, since a progress bar may be there; and no more, since what goes on in
        # the next line could not be written over.
        columns = os.get_terminal_size(stream.fileno()).columns or 80  # 0: it does not know
        stream.write(f"\r{text[: columns - 1].ljust(columns - 1)}{end}")
        stream.flush()
    except (OSError, ValueError):  # closed, or no terminal any more
        return


def _terminal() -> TextIO | None:
    """Return the standard error if it is a terminal, and nobody has put something in its place."""
    stream = sys.stderr
    try:
        return (
            stream if stream is sys.__stderr__ and stream is not None and stream.isatty() else None
        )
    except ValueError:  # closed
        return None
