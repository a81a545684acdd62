"""uvicorn's protocol, extended: it gives requests their connection, and limits their heads."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from social_publishing_sandbox.api.transport import EXTENSION, Connection

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


class Reachable(HttpToolsProtocol):
    """uvicorn's protocol, which puts the connection into the scope of each of its requests, and has
    a limit for the head of a request.
    """

    url: bytes = b""
    _head: int | None = None  # bytes since the head began; None outside of it

    def connection_made(self, transport: Any) -> None:
        """Put the connection into the scope of each request that comes on it."""
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
        """Wake those that wait for its end."""
        super().connection_lost(exc)
        self._connection.lost()

    def data_received(self, data: bytes) -> None:
        """Refuse a head that is too large."""
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
        """Begin to count the bytes of a head."""
        super().on_message_begin()
        self._head = 0

    def on_headers_complete(self) -> None:
        """End the count."""
        self._head = None
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Respond to what is no request; 414 if its target is too long."""
        if len(self.url) > MAX_TARGET:
            self.transport.write(_TARGET_TOO_LONG)
            self.transport.close()
        else:
            super().send_400_response(msg)

    def _unsupported_upgrade_warning(self) -> None:
        """Pass over an offer of another protocol, as HTTP wants it; nothing is missing."""
