"""An HTTP/1.1 server over plain sockets: it does what a test wants, and keeps account of it.

    with serve(lambda request: Response(json={"path": request.path})) as server:
        httpx2.get(server.url("/books"))

A function gets each request and returns a `Response`, or bytes to send as they are, or a script: a
function of a `Peer`, which sends, drips, resets or waits as it likes.
"""

from __future__ import annotations

import json
import re
import socket
import ssl
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Literal, TypeAlias
from urllib.parse import parse_qsl, urlsplit

__all__ = ["Peer", "Request", "Respond", "Response", "Script", "Server", "hold", "reset", "serve"]

LONGEST = 30.0  # seconds that a script may wait


@dataclass(frozen=True)
class Request:
    """A request as it came.

    Attributes:
        head: the bytes of the request line and the header fields.
        body: the body, without the framing of chunks; empty if it was not read.
    """

    head: bytes
    body: bytes = b""

    @property
    def method(self) -> str:
        return self.head.partition(b" ")[0].decode("latin-1")

    @property
    def target(self) -> str:
        return self.head.split(b" ", 2)[1].decode("latin-1")

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))

    @property
    def fields(self) -> list[tuple[str, str]]:
        """All header fields in order, names in lower case."""
        lines = self.head.decode("latin-1").split("\r\n")[1:]
        pairs = (line.partition(":") for line in lines if line)
        return [(name.lower(), value.strip()) for name, _, value in pairs]

    @property
    def headers(self) -> dict[str, str]:
        """The header fields by name; of one that came twice, the last."""
        return dict(self.fields)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Response:
    """What a request gets: a JSON value, or the bytes of a body."""

    status: int = 200
    json: Any = None
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    def __bytes__(self) -> bytes:
        body = self.body or (b"" if self.json is None else json.dumps(self.json).encode())
        fields = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        if self.status == 204:
            fields = {}
        given = {name.lower() for name in self.headers}
        kept = {name: value for name, value in fields.items() if name.lower() not in given}
        lines = [f"{name}: {value}" for name, value in {**kept, **self.headers}.items()]
        head = "\r\n".join([f"HTTP/1.1 {self.status} -", *lines, "", ""])
        return head.encode("latin-1") + body


class Peer:
    """The other end of a connection, as a script sees it."""

    def __init__(self, connection: socket.socket, stopped: Event) -> None:
        self._connection = connection
        self._stopped = stopped
        self._buffer = b""
        self.gone = False

    def send(self, data: bytes) -> None:
        """Send all of it."""
        self._connection.sendall(data)

    def receive(self, size: int = 1 << 16) -> bytes:
        """Read what comes next, of at most this size; empty at the end."""
        data, self._buffer = self._buffer[:size], self._buffer[size:]
        return data or self._connection.recv(size)

    def drip(self, data: bytes, pause: float = 0.03) -> None:
        """Send it byte by byte, over and over, as long as somebody listens, for 12 s at most."""
        until = monotonic() + 12
        while monotonic() < until:
            for byte in data:
                self.send(bytes([byte]))
                if self._stopped.wait(pause):
                    return

    def wait(self, seconds: float = LONGEST) -> None:
        """Send nothing until the other side is gone or the time is over."""
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

    def leave(self) -> None:
        """Close the connection at once; if something was not read, that breaks it."""
        self.gone = True
        self._connection.close()

    def reset(self) -> None:
        """Break the connection (RST)."""
        self.gone = True
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._connection.close()

    def read_head(self) -> bytes:
        """Read a request line and its header fields; empty if the connection has ended."""
        return self._until(b"\r\n\r\n")

    def read_body(self, head: bytes) -> bytes:
        """Read the body to its end."""
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        if length:
            return self._exactly(int(length[1]))
        if re.search(rb"(?i)\r\ntransfer-encoding: *chunked", head):
            return b"".join(self._chunks())
        return b""

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self._until(b"\r\n") or b"0", 16):
            yield self._exactly(size)
            self._until(b"\r\n")
        self._until(b"\r\n")

    def _until(self, end: bytes) -> bytes:
        while end not in self._buffer:
            if not self._more():
                return b""
        found, _, self._buffer = self._buffer.partition(end)
        return found + end

    def _exactly(self, size: int) -> bytes:
        data = bytearray(self._buffer[:size])
        self._buffer = self._buffer[size:]
        while len(data) < size:
            more = self._connection.recv(min(1 << 20, size - len(data)))
            if not more:
                raise ConnectionError("the request broke off")
            data += more
        return bytes(data)

    def _more(self) -> bool:
        data = self._connection.recv(1 << 16)
        self._buffer += data
        return bool(data)


Script: TypeAlias = Callable[[Peer], None]
Respond: TypeAlias = Callable[[Request], "Response | bytes | Script"]


def hold(peer: Peer) -> None:
    """Never respond: wait until the other side is gone."""
    peer.wait(60)
    peer.gone = True


def reset(peer: Peer) -> None:
    """Break the connection instead of responding."""
    peer.reset()


class Server:
    """The server, on a free port of 127.0.0.1.

    Attributes:
        respond: gets each request, and returns what it gets.
        at: when a request gets it: upon a new connection, after its head, or after its body.
        delay: seconds before every response.
        requests: what came in, in order.
        opened: how many connections there were; `open` are those that are there now.
        under_way: requests without a response yet; `most` is the highest number of them.
        broken: connections that ended within a request, or before its response.
    """

    def __init__(
        self,
        respond: Respond,
        *,
        at: Literal["accept", "head", "body"] = "body",
        delay: float = 0.0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._tls = tls
        self.respond = respond
        self.at = at
        self.delay = delay
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port: int = self._listener.getsockname()[1]
        self.origin = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        self._stopped = Event()
        self._lock = Lock()
        self._connections: set[socket.socket] = set()
        self.forget()

    def forget(self) -> None:
        """Begin all accounts anew, over new connections."""
        with self._lock:
            self.requests: list[Request] = []
            self.opened = self.open = self.under_way = self.most = self.broken = 0
        self.hang_up()

    def play(
        self, *scripts: Script | bytes, at: Literal["accept", "head", "body"] = "body"
    ) -> None:
        """Begin anew with these: one for each request, the last for all that follow."""
        self.at = at
        self.respond = lambda _: scripts[min(len(self.requests), len(scripts)) - 1]
        self.forget()

    def url(self, path: str = "") -> str:
        """The address of a path here."""
        return self.origin + path

    def wait_for(self, condition: Callable[[Server], object], seconds: float = 5.0) -> None:
        """Wait until something is true of this server."""
        pause = Event()
        until = monotonic() + LONGEST
        while not condition(self):
            assert monotonic() < until, f"never: {self.__dict__ | {'requests': len(self.requests)}}"
            pause.wait(0.005)

    def hang_up(self) -> None:
        """End all connections."""
        for connection in list(self._connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def start(self) -> None:
        """Take connections, in threads."""
        Thread(target=self._accept, daemon=True).start()

    def stop(self) -> None:
        """Take no more connections, and end those that there are."""
        self._stopped.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.hang_up()

    def _accept(self) -> None:
        with suppress(OSError):
            while not self._stopped.is_set():
                connection, _ = self._listener.accept()
                Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(30)
        with self._lock:
            self._connections.add(connection)
            self.opened += 1
            self.open += 1
        try:
            with suppress(OSError), self._secured(connection) as secured:
                peer = Peer(secured, self._stopped)
                while not peer.gone and self._one(peer):
                    pass
        finally:
            with self._lock:
                self._connections.discard(connection)
                self.open -= 1

    def _secured(self, connection: socket.socket) -> socket.socket:
        if self._tls is None:
            return connection
        with connection:
            return self._tls.wrap_socket(connection, server_side=True)

    def _one(self, peer: Peer) -> bool:
        """Serve one request; False if none came."""
        at, head, body = self.at, b"", b""
        if at != "accept" and not (head := peer.read_head()):
            return False
        done = False
        with self._lock:
            self.under_way += 1
            self.most = max(self.most, self.under_way)
        try:
            if at == "body":
                body = peer.read_body(head)
            request = Request(head, body)
            with self._lock:
                self.requests.append(request)
            found = self.respond(request)
            if self.delay:
                self._stopped.wait(self.delay)
            if callable(found):
                found(peer)
                done = found is not hold
            else:
                self._ended()
                done = True
                peer.send(bytes(found))
        finally:
            if not done or callable(found):
                self._ended()
            if not done:
                with self._lock:
                    self.broken += 1
        peer.gone |= at == "accept"
        return True

    def _ended(self) -> None:
        with self._lock:
            self.under_way -= 1


@contextmanager
def serve(respond: Respond, **options: Any) -> Iterator[Server]:
    """Run a server; `options` are those of `Server`."""
    server = Server(respond, **options)
    server.start()
    try:
        yield server
    finally:
        server.stop()
