"""Connections for many requests at a time: every request under way has a pool to itself.

For each request the HTTP library goes through all connections of its pool, and asks the system
about every one that is idle. With many at a time it would spend most of its time on that.
"""

from __future__ import annotations

import ssl
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from time import monotonic

import httpx2

__all__ = ["Lanes"]

IDLE_SECONDS = 5.0  # after them the library uses an idle connection no more


class Lanes(httpx2.AsyncBaseTransport):
    """Pools of connections, of which the one used last is taken first.

    Args:
        tls: the TLS context of all connections.
    """

    def __init__(self, tls: ssl.SSLContext) -> None:
        self._tls = tls
        self._busy: set[httpx2.AsyncHTTPTransport] = set()
        self._idle: deque[tuple[httpx2.AsyncHTTPTransport, float]] = deque()  # and since when
        self._closed = False

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        lane = self._idle.pop()[0] if self._idle else httpx2.AsyncHTTPTransport(verify=self._tls)
        self._busy.add(lane)
        try:
            response = await lane.handle_async_request(request)
        except BaseException:
            await self._leave(lane)
            raise
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Body(response.stream, partial(self._leave, lane))
        return response

    async def _leave(self, lane: httpx2.AsyncHTTPTransport) -> None:
        """What the lane was taken for has ended."""
        if lane not in self._busy:
            return
        self._busy.discard(lane)
        now = monotonic()
        self._idle.append((lane, now))
        if self._closed:
            await self.aclose()
        elif self._idle[0][1] + IDLE_SECONDS < now:
            await self._idle.popleft()[0].aclose()

    async def aclose(self) -> None:
        """Close all connections, and those of requests under way with their end."""
        self._closed = True
        lanes = [*self._busy, *(lane for lane, _ in self._idle)]
        self._idle.clear()
        for lane in lanes:
            await lane.aclose()


class _Body(httpx2.AsyncByteStream):
    """The body of an answer, whose end is told."""

    def __init__(self, body: httpx2.AsyncByteStream, ended: Callable[[], Awaitable[None]]) -> None:
        self._body = body
        self._ended = ended

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._body.__aiter__()

    async def aclose(self) -> None:
        try:
            await self._body.aclose()
        finally:
            await self._ended()
