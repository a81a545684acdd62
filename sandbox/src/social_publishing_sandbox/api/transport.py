"""The body of a request as it comes, and breaking its connection, for which ASGI has no word.

The connection stands among the extensions of the ASGI scope, where `protocol` puts it and `drop`
finds it. An application that is called without a socket, through `httpx2.ASGITransport`, has
no connection to break; there `drop` raises the error that a client would see over a socket.
"""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any, Final, cast

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

EXTENSION: Final = "social_publishing_sandbox.connection"
"""Where the connection stands in `scope["extensions"]`."""

FLUSH_SECONDS: Final = 10.0
"""How long a client may take to read what was sent before its connection was closed."""

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
        """Whether nobody has closed it."""
        return not self._transport.is_closing()

    def lost(self) -> None:
        """Note that the connection is gone."""
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
