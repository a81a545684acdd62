"""Rings of numbered items that several readers follow, each in its own event loop."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from social_publishing_sandbox.state.documents import Json


class Numbered(Protocol):
    """An item of a feed."""

    @property
    def number(self) -> int:
        """Its place in the feed; the first is 1."""
        ...


T = TypeVar("T", bound=Numbered)


class Feed(Generic[T]):
    """The last items, the oldest first. Safe to use from several threads.

    Attributes:
        last_number: the number of the newest item; 0 before the first.
        ended: followers are to stop.
    """

    def __init__(self, limit: int) -> None:
        self._lock = threading.Lock()
        self._items: deque[T] = deque(maxlen=limit)
        self.last_number = 0
        self._bells: tuple[Callable[[], None], ...] = ()
        self.ended = False

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        """Iterate over the items as they are now, the oldest first."""
        with self._lock:
            return iter(list(self._items))

    def since(self, number: int) -> list[T]:
        """Return the items after this number that are still kept, the oldest first."""
        with self._lock:
            newest: list[T] = []
            for item in reversed(self._items):
                if item.number <= number:
                    break
                newest.append(item)
            return newest[::-1]

    @contextlib.contextmanager
    def bell(self, bell: asyncio.Event) -> Iterator[None]:
        """Set an event of the running loop with every new item, whichever thread adds it."""
        loop = asyncio.get_running_loop()

        def ring() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and the reader with it
                loop.call_soon_threadsafe(bell.set)

        with self._lock:
            self._bells = (*self._bells, ring)
        try:
            yield
        finally:
            with self._lock:
                self._bells = tuple(each for each in self._bells if each is not ring)

    def end(self) -> None:
        """Stop all followers."""
        with self._lock:
            self.ended = True
            self._ring()

    def _ring(self) -> None:
        for ring in self._bells:
            ring()


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


class Events(Feed[Change]):
    """The last changes."""

    def __init__(self) -> None:
        super().__init__(_KEPT)

    def add(self, kind: str, facts: Json) -> None:
        """Write down a change, and wake the followers."""
        with self._lock:
            self.last_number += 1
            self._items.append(Change(self.last_number, kind, facts))
            self._ring()
