"""Says in a terminal which stage a run is in, where the run takes longer than two seconds."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from threading import Event, Thread
from time import monotonic
from typing import Final, TextIO

_DEEPEST: Final = 20_000  # calls in one another
PATIENCE: Final = 2.0  # seconds, before which nothing is shown
_TICK: Final = 1.0  # seconds


class _Line:
    """A line at the foot of a terminal, which tells the stage and how long the run has taken."""

    def __init__(self, stages: int, to: TextIO, done: int) -> None:
        self._stages, self._to = stages, to
        self._text, self._at = "", done
        self._since = monotonic()
        self._ended = Event()
        self._thread = Thread(target=self._tell, name="stages", daemon=True)

    def next(self, text: str) -> None:
        self._text, self._at = text, self._at + 1

    def __enter__(self) -> _Line:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _tell(self) -> None:
        width = 0
        wait = PATIENCE
        while not self._ended.wait(wait):
            wait = _TICK
            seconds = monotonic() - self._since
            number = f"[{min(self._at, self._stages)}/{self._stages}] " if self._stages else ""
            text = f"{number}{self._text}, {seconds:.0f} s"
            text = text[: shutil.get_terminal_size((80, 24)).columns - 1]
            width = max(width, len(text))
            self._write(f"\r{text.ljust(width)}")
        if width:
            self._write(f"\r{' ' * width}\r")

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # a terminal that is gone
            self._to.write(text)
            self._to.flush()


_LINE: ContextVar[_Line | None] = ContextVar("line", default=None)


def stage(text: str) -> None:
    """Say what begins now, such as "reading main"."""
    if line := _LINE.get():
        line.next(text)


@contextmanager
def shown(stages: int = 0, done: int = 0) -> Generator[None]:
    """Show the stages in the block on standard error, if that is a terminal.

    Args:
        stages: How many there are; 0 where nobody knows.
        done: How many are over before the block.
    """
    if not sys.stderr.isatty():
        yield
        return
    with _Line(stages, sys.stderr, done) as line:
        token = _LINE.set(line)
        try:
            yield
        finally:
            _LINE.reset(token)


@contextmanager
def step(text: str) -> Generator[None]:
    """Print that a step begins; in a terminal, a line at its foot shows how long it takes."""
    print(f"{text} …", flush=True)
    with shown():
        stage(text)
        yield


@contextmanager
def deep() -> Generator[None]:
    """Allow many calls in one another: schemas extend one another more often than functions do."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
