"""Responses that drip: they end with the call's deadline, and without one in a reasonable time.

The server is a real one, with and without TLS, since it is the socket that has to be held.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from runtime.core.deadline import Deadline
from runtime.core.errors import DeadlineExceeded, RequestTimedOut
from runtime.engine.client import AsyncClient, Client
from runtime.request.multipart import File, FilePart
from runtime.request.outcome import OutcomeUnknown
from runtime.transport import connections, http
from runtime.transport.send_state import SendState
from runtime_support import at, options, request

from tests.support import tls
from tests.support.both import BACKENDS, EVERYWHERE, awaited, each, now, run
from tests.support.clock import StillClock
from tests.support.server import Peer, Request, Response, Script, Server, serve

SOON = 10.0  # seconds within which it is given up, even where the machine is busy
everywhere = pytest.mark.parametrize("backend", EVERYWHERE)


@pytest.fixture(params=["http", "https"])
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(connections, "_tls", lambda _: tls.for_client())
    context = tls.for_server() if request.param == "https" else None
    with serve(lambda _: Response(body=b"1"), tls=context) as server:
        yield server


def head_drips(peer: Peer) -> None:
    peer.send(b"HTTP/1.1 200 OK\r\n")
    peer.drip(b"X-More: 1\r\n")


def body_drips(peer: Peer) -> None:
    peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    peer.drip(b" ")


def slowly(peer: Peer) -> None:
    """Respond within a fifth of a second, a byte at a time."""
    for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n7":
        peer.send(bytes([byte]))
        time.sleep(0.005)


def on(backend: str, server: Server, use: Any, **changes: Any) -> Any:
    """Return what `use(client)` gives, whose calls it awaits by `client.send`."""
    using, made = at(server.url("/v1")), options(**{"timeout": 20, **changes})

    async def main() -> Any:
        kind = Client if backend == "sync" else AsyncClient
        async with awaited(kind(using, made, None)) as client:
            return await use(client)

    return run(backend, main)


@pytest.mark.parametrize("is_awaited", [False, True])
def test_what_is_written_after_a_reading_has_the_time_of_a_request(is_awaited: bool) -> None:
    """As by a proxy, which is read from before the request itself leaves."""

    class Stream:
        def read(self, *_: Any) -> bytes:
            return b"x"

        def write(self, *_: Any) -> None: ...

    class AwaitedStream:
        async def read(self, *_: Any) -> bytes:
            return b"x"

        async def write(self, *_: Any) -> None: ...

    stream: Any = AwaitedStream() if is_awaited else Stream()
    hook: Any = http.AsyncGuard() if is_awaited else http.guard

    async def main() -> None:
        guard = http.DeadlineGuard(Deadline(None, StillClock()), SendState(), 5.0)
        with guard:
            await now(hook("connection.connect_tcp.complete", {"return_value": stream}))
            for _ in range(2):
                await now(stream.read(1))
                assert guard.deadline.left == 5.0
                await now(stream.write(b"x"))
                assert guard.deadline.left is None

    run("asyncio" if is_awaited else "sync", main)


@everywhere
@pytest.mark.parametrize("script", [head_drips, body_drips], ids=["head", "body"])
@pytest.mark.parametrize(("safety", "longest"), [("safe", 3600), ("unsafe", None)])
def test_a_deadline_ends_a_response_that_drips(
    server: Server, backend: str, script: Script, safety: str, longest: float | None
) -> None:
    """However long a response may take by itself."""
    server.play(script)
    begun = time.monotonic()
    with pytest.raises(DeadlineExceeded if safety == "safe" else OutcomeUnknown):
        on(
            backend,
            server,
            lambda it: it.send(request(retry_safety=safety)),
            deadline=0.2,
            max_response_seconds=longest,
        )
    assert time.monotonic() - begun < SOON


@everywhere
@pytest.mark.parametrize("script", [head_drips, body_drips], ids=["head", "body"])
@pytest.mark.parametrize("safety", ["safe", "unsafe"])
def test_without_a_deadline_a_response_that_drips_is_given_up(
    server: Server, backend: str, script: Script, safety: str
) -> None:
    server.play(script)
    begun = time.monotonic()
    with pytest.raises(RequestTimedOut if safety == "safe" else OutcomeUnknown) as caught:
        on(
            backend,
            server,
            lambda it: it.send(request(retry_safety=safety)),
            max_response_seconds=0.2,
        )
    assert "the response took longer than 0.2 s (max_response_seconds)" in str(caught.value)
    assert time.monotonic() - begun < SOON


@everywhere
@pytest.mark.parametrize("deadline", [None, 60])
def test_a_request_goes_out_whole_however_long_it_may_take(
    server: Server, backend: str, deadline: float | None
) -> None:
    """Of any size: under a deadline it is written piece by piece."""
    for size in (0, 1, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 3 << 18):
        content = random.Random(size).randbytes(size)
        made = request("POST", content=content, content_type="application/octet-stream")
        on(backend, server, lambda it, made=made: it.send(made), deadline=deadline)
        assert server.requests[-1].body == content and server.requests[-1].method == "POST"


@everywhere
@pytest.mark.parametrize("longest", [10, None])
def test_a_slow_response_is_waited_for(server: Server, backend: str, longest: Any) -> None:
    server.play(slowly)
    made = request(returns=int)
    assert on(backend, server, lambda it: it.send(made), max_response_seconds=longest) == 7


@pytest.mark.parametrize(
    ("backend", "at_hand"), [("sync", False), *product(BACKENDS, [True, False])]
)
def test_the_time_of_an_upload_does_not_count(server: Server, backend: str, at_hand: bool) -> None:
    """More than sockets hold, so that it is still being sent while the server rests.

    What is at hand a thread sends, else the task does.
    """
    chunks = [bytes(1 << 20)] * 16

    def respond(sent: Request) -> Script:
        def script(peer: Peer) -> None:
            time.sleep(1.2)
            peer.read_body(sent.head)
            peer.send(bytes(Response(body=b"7")))

        return script

    server.at, server.respond = "head", respond
    file = File(b"".join(chunks) if at_hand else iter(chunks), "a.bin", size=len(chunks) << 20)
    part = FilePart("file", file, "file")
    made = request("POST", files=[part], returns=int, retry_safety="unsafe")
    assert on(backend, server, lambda it: it.send(made), max_response_seconds=1) == 7


@everywhere
def test_each_response_over_one_connection_has_its_own_time(server: Server, backend: str) -> None:
    server.delay = 0.2
    made = request(returns=int)

    async def use(client: Any) -> list[int]:
        return [await client.send(made) for _ in range(4)]

    assert on(backend, server, use, max_response_seconds=0.6) == [1] * 4
    assert server.opened == 1


@everywhere
def test_a_body_that_is_read_piece_by_piece_may_take_its_time(server: Server, backend: str) -> None:
    def whole(peer: Peer) -> None:
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n")
        for _ in range(20):
            peer.send(b"x")
            time.sleep(0.03)

    async def use(client: Any) -> bytes:
        async with client.stream(request()) as response:
            return b"".join([chunk async for chunk in each(response.iter_bytes())])

    server.play(whole)
    assert on(backend, server, use, max_response_seconds=0.3) == b"x" * 20
    server.play(head_drips)
    with pytest.raises(RequestTimedOut):
        on(backend, server, use, max_response_seconds=0.3)
