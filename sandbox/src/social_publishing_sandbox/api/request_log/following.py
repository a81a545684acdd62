"""Follow a request log: subscribers get what is added."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from social_publishing_sandbox.api.request_log.entry import Entry


@dataclass(frozen=True, slots=True)
class Lost:
    """So many entries did not reach a subscriber that was too slow for them."""

    count: int


class Subscription:
    """The entries that are added from now on, for one reader in one event loop.

    `async for` gives each `Entry`, and a `Lost` in the place of those that did not fit.
    """

    def __init__(self, leave: Callable[[Subscription], None], capacity: int) -> None:
        self._leave = leave
        self._capacity = capacity
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._waiting: deque[Entry] = deque()
        self._lost = 0
        self._reader: asyncio.Future[None] | None = None
        self._closed = False

    def offer(self, entry: Entry) -> bool:
        """Take an entry, from any thread; the oldest gives way when there is no room.

        Returns:
            Whether there can still be somebody who reads.
        """
        with self._lock:
            if len(self._waiting) >= self._capacity:
                self._waiting.popleft()
                self._lost += 1
            self._waiting.append(entry)
            self._wake()
            return not (self._closed or self._loop.is_closed())

    def close(self) -> None:
        """Get no more; whoever waits for an entry gets the end."""
        self._leave(self)
        with self._lock:
            self._closed = True
            self._wake()

    def __aiter__(self) -> AsyncIterator[Entry | Lost]:
        return self

    async def __anext__(self) -> Entry | Lost:
        while True:
            with self._lock:
                if self._lost:
                    lost, self._lost = self._lost, 0
                    return Lost(lost)
                if self._waiting:
                    return self._waiting.popleft()
                if self._closed:
                    raise StopAsyncIteration
                self._reader = reader = self._loop.create_future()
            await reader

    async def __aenter__(self) -> Subscription:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def _wake(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and the reader with it
                self._loop.call_soon_threadsafe(_finish, reader)


def _finish(reader: asyncio.Future[None]) -> None:
    if not reader.done():  # whoever waited may have given up
        reader.set_result(None)
