"""Tests of both clients that are written once: they await, and need no event loop for the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Any

import anyio
import httpx2

__all__ = ["BACKENDS", "EVERYWHERE", "Stream", "awaited", "each", "now", "run"]

BACKENDS = ["asyncio", *(["trio"] if find_spec("trio") else [])]
EVERYWHERE = ["sync", *BACKENDS]  # "sync" is the client that waits


def run(backend: str, main: Callable[..., Coroutine[Any, Any, Any]], *given: Any) -> Any:
    """Return what a coroutine function gives under an event loop, or without one for "sync"."""
    if backend != "sync":
        return anyio.run(main, *given, backend=backend)
    try:
        main(*given).send(None)
    except StopIteration as ended:
        return ended.value
    raise AssertionError("the client that waits was awaited")


def awaited(client: Any) -> Any:
    """Return a client that is awaited: one that waits is it in name only."""
    return client if hasattr(client, "__aenter__") else _Waiting(client)


async def now(found: Any) -> Any:
    """Return what a method gives, which one of the clients has to await."""
    return await found if hasattr(found, "__await__") else found


async def each(found: Any) -> AsyncIterator[Any]:
    """Yield each of the items that either client gives."""
    if hasattr(found, "__aiter__"):
        async for item in found:
            yield item
    else:
        for item in found:
            yield item


class Stream(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """The body of an answer, in pieces; a piece may be an error to raise, or a function to call.

    Attributes:
        closed: how often it was closed.
    """

    def __init__(self, *pieces: Any) -> None:
        self.pieces: Iterable[Any] = pieces
        self.closed = 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            if isinstance(piece, BaseException):
                raise piece
            yield piece() if callable(piece) else piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece

    def close(self) -> None:
        self.closed += 1

    async def aclose(self) -> None:
        self.close()


class _Waiting:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    async def __aenter__(self) -> Any:
        self._client.__enter__()
        return self

    async def __aexit__(self, *raised: Any) -> Any:
        return self._client.__exit__(*raised)

    async def send(self, call: Any) -> Any:
        return self._client.send(call)

    async def close(self) -> None:
        self._client.close()

    @asynccontextmanager
    async def stream(self, call: Any) -> AsyncIterator[Any]:
        with self._client.stream(call) as response:
            yield response
