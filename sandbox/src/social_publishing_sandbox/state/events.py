"""What has changed in a sandbox, numbered, to follow."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final, NamedTuple

from social_publishing_sandbox.state.documents import Json

_KEPT: Final = 1_000


class Change(NamedTuple):
    """Something has changed.

    Attributes:
        number: counts the changes from 1.
        kind: what: `post`, `media`, `clock`, `reset` and the like.
        facts: which one, and how.
    """

    number: int
    kind: str
    facts: Json


class Events:
    """The last changes. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._changes: deque[Change] = deque(maxlen=_KEPT)
        self._number = 0
        self._bells: tuple[Callable[[], None], ...] = ()
        self._ended = False

    @property
    def last_number(self) -> int:
        """The number of the newest change; 0 before the first."""
        return self._number

    @property
    def ended(self) -> bool:
        """Whoever follows is to come to an end."""
        return self._ended

    def add(self, kind: str, facts: Json) -> None:
        """Write down a change, and wake who follows."""
        with self._lock:
            self._number += 1
            self._changes.append(Change(self._number, kind, facts))
            self._ring()

    def since(self, number: int) -> list[Change]:
        """Return the changes after this number that are still known, the oldest first."""
        with self._lock:
            newest_first = reversed(self._changes)
            found = []
            for each in newest_first:
                if each.number <= number:
                    break
                found.append(each)
            return found[::-1]

    def open(self) -> None:
        """Let people follow, again."""
        self._ended = False

    def end(self) -> None:
        """Let everybody who follows come to an end."""
        with self._lock:
            self._ended = True
            self._ring()

    async def follow(self, after: int) -> AsyncIterator[Change]:
        """Return the changes after this number, as they come, until the end; one that is very slow
        misses some of them.
        """
        with self._bell() as bell:
            while not self._ended:
                bell.clear()
                for change in self.since(after):
                    after = change.number
                    yield change
                await bell.wait()

    @contextlib.contextmanager
    def _bell(self) -> Iterator[asyncio.Event]:
        """An event of the running loop that every change sets, whichever thread it comes from."""
        bell, loop = asyncio.Event(), asyncio.get_running_loop()

        def ring() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and who followed with it
                loop.call_soon_threadsafe(bell.set)

        with self._lock:
            self._bells = (*self._bells, ring)
        try:
            yield bell
        finally:
            with self._lock:
                self._bells = tuple(each for each in self._bells if each is not ring)

    def _ring(self) -> None:
        for ring in self._bells:
            ring()
