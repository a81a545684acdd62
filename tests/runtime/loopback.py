"""A server on the loopback for many connections, which keeps account of all of them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Loopback:
    """Answers `/…/12` with the number 12 after a moment, `/…/reset` with a reset, `/…/hold` never.

    Attributes:
        delay: seconds until an answer.
        body: what is answered, from the last part of the path.
        paths: the requests, in the order in which they came.
        under_way: how many have not been answered; `most` is the highest number of them.
        opened: how many connections there were; `open` are those that are there now.
        broken: connections that ended while a request was under way, or within one.
    """

    delay: float = 0.005
    body: Callable[[str], str] = str
    url: str = ""
    paths: list[str] = field(default_factory=list)
    under_way: int = 0
    most: int = 0
    opened: int = 0
    open: int = 0
    broken: int = 0

    def wait_for(self, condition: str, seconds: float = 5.0) -> None:
        """Wait until an expression about this server is true."""
        pause = threading.Event()
        for _ in range(int(seconds * 200)):
            if eval(condition, {}, vars(self)):
                return
            pause.wait(0.005)
        raise AssertionError(f"never: {condition}, {vars(self) | {'paths': len(self.paths)}}")


class _Talk(asyncio.Protocol):
    def __init__(self, server: Loopback) -> None:
        self._server = server
        self._read = b""
        self._answering = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._server.opened += 1
        self._server.open += 1

    def connection_lost(self, error: Exception | None) -> None:
        self._server.open -= 1
        if self._answering or self._read:
            self._server.broken += 1
        if self._answering:
            self._server.under_way -= 1

    def data_received(self, data: bytes) -> None:
        self._read += data
        head, end, rest = self._read.partition(b"\r\n\r\n")
        if not end:
            return
        length = next(
            (
                int(line.partition(b":")[2])
                for line in head.split(b"\r\n")
                if line.lower().startswith(b"content-length:")
            ),
            0,
        )
        if len(rest) < length:
            return
        # Requests that come before the last one was answered are nothing that a client does.
        assert len(rest) == length and not self._answering
        self._read = b""
        path = head.split(b" ")[1].decode()
        server = self._server
        server.paths.append(path)
        server.under_way += 1
        server.most = max(server.most, server.under_way)
        self._answering = True
        what = path.rpartition("/")[2]
        if what != "hold":
            asyncio.get_running_loop().call_later(server.delay, self._answer, what)

    def _answer(self, what: str) -> None:
        if self._transport.is_closing():
            return
        if what == "reset":
            self._transport.abort()
            return
        self._answering = False
        self._server.under_way -= 1
        body = self._server.body(what).encode()
        self._transport.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        )


@contextmanager
def serving(delay: float = 0.005) -> Iterator[Loopback]:
    """The server in a thread of its own."""
    server = Loopback(delay)
    ready = threading.Event()
    loop = asyncio.new_event_loop()

    async def run() -> None:
        listening = await loop.create_server(lambda: _Talk(server), "127.0.0.1", backlog=1024)
        server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
        ready.set()
        await ended.wait()
        listening.close()

    ended = asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), daemon=True)
    thread.start()
    assert ready.wait(5)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(5)
        loop.close()
