"""Connections for many requests at a time: every request under way has a pool to itself.

For each request the HTTP library goes through all connections of its pool, and asks the system
about every one that is idle. With many at a time it would spend most of its time on that.
"""

from __future__ import annotations

import ssl
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial
from time import monotonic
from typing import Any

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
        handshake = _Handshake(request)
        try:
            response = await lane.handle_async_request(request)
        except BaseException:
            await handshake.abandon()
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


class _Handshake:
    """The connection that is made for a request, as long as TLS has not begun on it.

    A pool forgets a connection whose handshake is cancelled, and leaves it open.
    """

    def __init__(self, request: httpx2.Request) -> None:
        self._stream: Any = None
        self._further = request.extensions.get("trace")
        if request.url.scheme == "https":
            request.extensions = {**request.extensions, "trace": self._note}

    async def _note(self, event: str, info: Mapping[str, Any]) -> None:
        if event.endswith("connect_tcp.complete"):
            self._stream = info["return_value"]
        elif event.endswith("start_tls.complete"):
            self._stream = None
        if self._further is not None:
            await self._further(event, info)

    async def abandon(self) -> None:
        """Close it."""
        if self._stream is not None:
            from anyio import CancelScope

            with CancelScope(shield=True):
                await self._stream.aclose()


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
