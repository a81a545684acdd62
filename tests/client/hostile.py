"""A server over raw sockets that answers with whatever bytes a test gives it, or not at all.

    with Hostile() as server:
        server.play(b"HTTP/1.1 200 OK\\r\\n")   # for every request: half an answer, then silence
        server.play(script, another)            # for the first request, and for those after it

A script is called with a `Peer` when a request has come in: it sends, drips, resets or waits.
"""

from __future__ import annotations

import re
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread
from time import monotonic
from typing import Literal, TypeAlias

__all__ = ["Hostile", "Peer", "Script"]

LONGEST = 3.0  # seconds that anything here may wait


class Peer:
    """A request that came in, and the connection that it came by.

    Attributes:
        head: the request line and the header fields.
        body: the body, as it went over the wire; empty where it was not read.
    """

    def __init__(self, connection: socket.socket, stopped: Event) -> None:
        self._connection = connection
        self._stopped = stopped
        self._buffer = b""
        self.head = self.body = b""
        self.gone = False

    def send(self, data: bytes) -> None:
        """Send all of it, as one piece."""
        self._connection.sendall(data)

    def drip(self, data: bytes, pause: float = 0.03) -> None:
        """Send it byte by byte, and then again from its beginning, as long as somebody listens."""
        until = monotonic() + LONGEST
        while monotonic() < until:
            for byte in data:
                self.send(bytes([byte]))
                if self._stopped.wait(pause):
                    return

    def wait(self, seconds: float = LONGEST) -> None:
        """Say nothing, until the other side is gone or the time is over."""
        self._connection.settimeout(seconds)
        with suppress(OSError):
            while self._connection.recv(1 << 16):
                pass

    def rest(self) -> None:
        """Read nothing more."""
        self._stopped.wait(LONGEST)

    def sip(self) -> None:
        """Read on, a little at a time."""
        while self._connection.recv(1 << 18):
            if self._stopped.wait(0.02):
                return

    def close(self) -> None:
        """End the connection in order (FIN), whatever is still to be read."""
        self.gone = True
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)
        self.wait(0.2)

    def reset(self) -> None:
        """Break the connection (RST)."""
        self.gone = True
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._connection.close()

    def read_head(self) -> bool:
        """Read a request line and its header fields; False where the connection has ended."""
        found = self._until(b"\r\n\r\n")
        self.head, self.body = found, b""
        return bool(found)

    def read_body(self) -> None:
        """Read the body to its end."""
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", self.head)
        if length:
            self.body = self._exactly(int(length[1]))
        elif re.search(rb"(?i)\r\ntransfer-encoding: *chunked", self.head):
            self.body = self._until(b"0\r\n\r\n")

    def _until(self, end: bytes) -> bytes:
        while end not in self._buffer:
            if not self._more():
                return b""
        found, _, self._buffer = self._buffer.partition(end)
        return found + end

    def _exactly(self, size: int) -> bytes:
        while len(self._buffer) < size and self._more():
            pass
        found, self._buffer = self._buffer[:size], self._buffer[size:]
        return found

    def _more(self) -> bool:
        data = self._connection.recv(1 << 16)
        self._buffer += data
        return bool(data)


Script: TypeAlias = Callable[[Peer], None]


class Hostile:
    """The server, on a free port of 127.0.0.1.

    Attributes:
        heads: of every request that came in, its request line and header fields; empty for a
            connection that was given up before anything was read.
        bodies: of every request whose body was read, that body.
        connections: how many connections were made.
    """

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listener.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self._stopped = Event()
        self._lock = Lock()
        self._open: set[socket.socket] = set()
        self.play(b"")

    def play(
        self, *scripts: Script | bytes, at: Literal["accept", "head", "body"] = "body"
    ) -> None:
        """Begin anew, with these answers: one for each request, the last for all that follow.

        Args:
            at: when they are given: to a new connection, after the head, or after the body.
        """
        with self._lock:
            self._scripts = scripts
            self._at = at
            self.heads: list[bytes] = []
            self.bodies: list[bytes] = []
            self.connections = 0
        self.hang_up()

    def stop(self) -> None:
        """Take no more connections, and end those that there are."""
        self._stopped.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.hang_up()

    def hang_up(self) -> None:
        """End all connections."""
        for connection in list(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Hostile:
        Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _accept(self) -> None:
        with suppress(OSError):
            while not self._stopped.is_set():
                connection, _ = self._listener.accept()
                Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.settimeout(LONGEST)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._open.add(connection)
            peer = Peer(connection, self._stopped)
            with self._lock:
                self.connections += 1
                at = self._at
            try:
                while not peer.gone and (at == "accept" or peer.read_head()):
                    with self._lock:
                        self.heads.append(peer.head)
                        script = self._scripts[min(len(self.heads), len(self._scripts)) - 1]
                    if at == "body":
                        peer.read_body()
                        self.bodies.append(peer.body)
                    if isinstance(script, bytes):
                        peer.send(script)
                    else:
                        script(peer)
                    peer.gone |= at == "accept"
            finally:
                self._open.discard(connection)
