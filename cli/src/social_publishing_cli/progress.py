"""One line at the foot of a terminal: what a command does, how far it is, what it waits for."""

from __future__ import annotations

import math
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .characters import visible
from .output import console_of

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

PATIENCE = 2.0
"""Seconds; shorter waits are not shown."""

_NARROW = 60  # columns; a narrower terminal has no room for a bar
_WIDE = 100  # from which a bar may take more room
_REASONS = {
    "rate limit": "for the rate limit",
    "retry": "to try again",
    "not ready": "for the file to be ready",
}


class Progress:
    """Shows one step at a time on standard error; the next one takes its place.

    A wait counts down beside the step during which it happens. Nothing is written where standard
    error is no terminal.
    """

    def __init__(self) -> None:
        self._bar: Bar | None = None
        self._text = ""
        self._reason = ""
        self._until = 0.0

    def step(self, text: str, done: float | None = None, total: float | None = None) -> None:
        """Show a step; with `done` and `total`, a bar and the time left as well."""
        self._text = text
        self._draw(text, done, total)

    def wait(self, seconds: float, reason: str) -> None:
        """Count down a wait for a reason of the client's, or in other words."""
        if seconds <= PATIENCE:
            return
        self._until, self._reason = time.monotonic() + seconds, _REASONS.get(reason, reason)
        self._draw(self._text or "Waiting", None, None)

    def resume(self) -> None:
        """End the wait; without a step, show nothing any more."""
        self._until = 0.0
        if not self._text:
            self.clear()

    def clear(self) -> None:
        """Remove the line."""
        self._text, self._until = "", 0.0
        bar, self._bar = self._bar, None
        if bar:
            with suppress(OSError, ValueError):  # a terminal that is gone
                bar.stop()

    def _draw(self, text: str, done: float | None, total: float | None) -> None:
        with suppress(OSError, ValueError):
            bar = self._bar = self._bar or self._made()
            if not bar.tasks:
                bar.add_task(visible(text), total=total)
                bar.start()
            [task] = bar.tasks
            if done is not None and task.total != total:
                bar.reset(task.id)
            bar.update(
                task.id, description=visible(text), completed=done, total=total, refresh=True
            )

    def _made(self) -> Bar:
        from rich import progress
        from rich.table import Column
        from rich.text import Text

        waiting = self._waiting

        class Left(progress.ProgressColumn):
            """The wait, or else the time left."""

            max_refresh = None

            def render(self, task: progress.Task) -> Text:
                left = task.time_remaining
                return Text(waiting(console.width) or (_left(left) if left else ""))

        console = console_of(sys.stderr)
        text = progress.TextColumn(
            "{task.description}", markup=False, table_column=Column(ratio=1, no_wrap=True)
        )
        bar = progress.BarColumn(bar_width=20 if console.width >= _WIDE else 10)
        bars = [bar] if console.width >= _NARROW else []
        columns: list[Any] = [text, *bars, Left(table_column=Column(no_wrap=True))]
        return progress.Progress(
            *columns,
            console=console,
            transient=True,
            expand=True,
            redirect_stdout=False,
            redirect_stderr=False,
            speed_estimate_period=600,
        )

    def _waiting(self, width: int) -> str:
        """Return what is waited for, and how long still; nothing after the end."""
        seconds = math.ceil(self._until - time.monotonic())
        if seconds <= 0:
            return ""
        reason = f" {self._reason}" if width >= _NARROW or not self._text else ""
        return f"waiting {seconds} s{reason}" if self._text else f"{seconds} s{reason}"


def _left(seconds: float) -> str:
    if seconds < 60:
        return f"{max(1, math.ceil(seconds))} s left"
    minutes = math.ceil(seconds / 60)
    return f"{minutes} min left" if minutes < 60 else f"{minutes / 60:.1f} h left"
