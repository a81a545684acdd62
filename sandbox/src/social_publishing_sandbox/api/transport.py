"""The body of a request as it comes, and breaking its connection, for which ASGI has no word.

uvicorn's protocol, extended: the connection stands among the extensions of the ASGI scope, where
`drop` finds it. An application that is called without a socket, through `httpx2.ASGITransport`, has
no connection to break; there `drop` raises the error that a client would see over a socket.
"""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any, Final, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

EXTENSION: Final = "social_publishing_sandbox.connection"
"""Where the connection stands in `scope["extensions"]`."""

FLUSH_SECONDS: Final = 10.0
"""How long a client may take to read what was sent before its connection was closed."""

MAX_HEAD: Final = 1 << 17
"""Bytes that a request may have before its body: its first line and its headers."""

MAX_TARGET: Final = 0xFFFF
"""Bytes that the target of a request may have; httptools knows no longer ones."""


def _refusal(status: str, sentence: str) -> bytes:
    """Return a response to a request that never gets to the application."""
    return (
        f"HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\n"
        f"content-length: {len(sentence)}\r\nconnection: close\r\n\r\n{sentence}"
    ).encode("ascii")


_LINGER: Final = 1.0  # seconds that a refused head is still read, and forgotten
_HEAD_TOO_LARGE: Final = _refusal(
    "431 Request Header Fields Too Large", f"A request's head has at most {MAX_HEAD:,} bytes."
)
_TARGET_TOO_LONG: Final = _refusal(
    "414 URI Too Long", f"A request's target has at most {MAX_TARGET:,} bytes."
)

# Linger for no time: closing then discards what is unsent and sends a reset (RST).
_NO_LINGER: Final = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)


class Disconnected(Exception):
    """The client went away before its request was there."""


async def chunks(receive: Receive) -> AsyncIterator[bytes]:
    """Return the body of a request as it comes."""
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        more = message.get("more_body", False)
        if chunk := message.get("body", b""):
            yield chunk


class Connection:
    """The network connection of a request."""

    __slots__ = ("_lost", "_transport")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._lost = asyncio.Event()

    @property
    def is_open(self) -> bool:
        """Nobody has closed it."""
        return not self._transport.is_closing()

    def lost(self) -> None:
        """The protocol says so when the connection is gone."""
        self._lost.set()

    async def drop(self, *, reset: bool) -> None:
        """End it, and return when it is gone.

        The wait is for uvicorn: an application that returns without a response while the connection
        is there gets the status 500 sent for it.
        """
        if reset:
            peer: socket.socket | None = self._transport.get_extra_info("socket")
            if peer is not None:
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
            self._transport.abort()
        else:
            self._transport.close()
        try:
            await asyncio.wait_for(self._lost.wait(), FLUSH_SECONDS)
        except TimeoutError:
            self._transport.abort()
            await self._lost.wait()


async def drop(scope: Scope, *, reset: bool = False) -> None:
    """End the connection of a request; nothing that is sent after this reaches the client.

    Args:
        reset: send a reset (RST), which also discards what was not sent yet, instead of an orderly
            end (FIN) after it.
    """
    connection = _connection(scope)
    if connection is None:
        from social_publishing_sandbox.api.dropped import ConnectionDropped

        raise ConnectionDropped("Server disconnected without sending a complete response.")
    await connection.drop(reset=reset)


def is_open(scope: Scope) -> bool:
    """Return whether somebody can still read a response, as far as this side knows."""
    connection = _connection(scope)
    return connection is None or connection.is_open


def _connection(scope: Scope) -> Connection | None:
    return cast("Connection | None", scope.get("extensions", {}).get(EXTENSION))


class Reachable(HttpToolsProtocol):
    """uvicorn's protocol, which puts the connection into the scope of each of its requests, and has
    a limit for the head of a request.
    """

    url: bytes = b""
    _head: int | None = None  # bytes since the head began; None outside of it

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._heard = self.loop.time()
        connection = self._connection = Connection(transport)
        app: Any = self.app

        def reachable(scope: Any, receive: Any, send: Any) -> Awaitable[None]:
            scope.setdefault("extensions", {})[EXTENSION] = connection
            answered: Awaitable[None] = app(scope, receive, send)
            return answered

        self.app = reachable

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._connection.lost()

    def data_received(self, data: bytes) -> None:
        self._heard = self.loop.time()
        if self._head is not None and self._head > MAX_HEAD:
            return  # refused; closed with this unread, the client might never see the response
        super().data_received(data)
        if self._head is not None:
            self._head += len(data)
            if self._head > MAX_HEAD and not self.transport.is_closing():
                self.transport.write(_HEAD_TOO_LARGE)
                self.loop.call_later(_LINGER, self.transport.close)

    def silence(self) -> float:
        """Return seconds for which the client has not gone on with the request that it began."""
        between_requests = self.cycle is None or self.cycle.response_complete
        if between_requests:  # after a response, the keep-alive timer runs until something comes
            waiting = self.timeout_keep_alive_task is None
        else:
            waiting = self.cycle.more_body and not self.flow.read_paused
        return self.loop.time() - self._heard if waiting else 0.0

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head = 0

    def on_headers_complete(self) -> None:
        self._head = None
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        if len(self.url) > MAX_TARGET:
            self.transport.write(_TARGET_TOO_LONG)
            self.transport.close()
        else:
            super().send_400_response(msg)

    def _unsupported_upgrade_warning(self) -> None:
        """An offer of another protocol is passed over, as HTTP wants it; nothing is missing."""
