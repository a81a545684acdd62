"""Real ports: they open and close when they should, and requests get to end."""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from social_publishing_sandbox.api.protocol import Reachable
from social_publishing_sandbox.serving import Server

REQUEST = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


class App:
    """Responds after a while with the name of the thread that it runs in."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.began = threading.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.began.set()
        await asyncio.sleep(self.seconds)
        body = f"{threading.current_thread().name} of {os.getpid()}".encode()
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def test_only_who_sends_nothing_more_is_silent(app: App) -> None:
    config = uvicorn.Config(app)
    config.load()
    loop: Any = SimpleNamespace(now=0.0, time=lambda: loop.now)
    protocol = Reachable(config, ServerState(), {}, _loop=loop)
    protocol.connection_made(SimpleNamespace(get_extra_info=lambda name: None))
    for piece in (b"GET / HTTP/1.1\r\n", b"Host: a\r\n", b"Accept: "):
        loop.now += 50
        protocol.data_received(piece)
        assert protocol.silence() == 0
    loop.now += 50
    assert protocol.silence() == 50


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
def server(app: App) -> Iterator[Server]:
    server = Server(app)
    server.start()
    yield server
    server.stop()


def opened(server: Server, host: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection((host, server.port), 5)


def asked(connection: socket.socket) -> bytes:
    connection.sendall(REQUEST)
    return connection.recv(65536).partition(b"\r\n\r\n")[2]


def test_every_server_runs_in_the_same_thread(app: App, server: Server) -> None:
    other = Server(app)
    other.start()
    try:
        with opened(server) as one, opened(other) as two:
            assert asked(one) == asked(two) != b""
    finally:
        other.stop()


def test_it_stops_at_once_and_can_start_again_where_it_was(app: App, server: Server) -> None:
    port = server.port
    with opened(server) as idle:
        assert asked(idle)
        began = time.perf_counter()
        server.stop()
        assert time.perf_counter() - began < 1, "nobody waits for a connection without a request"
        assert idle.recv(1) == b""
    with pytest.raises(ConnectionRefusedError):
        opened(server)
    server.stop()
    server.start()
    assert server.port == port
    with opened(server) as again:
        assert asked(again)


def test_a_request_gets_to_end_when_it_stops(app: App, server: Server) -> None:
    app.seconds = 0.3
    with opened(server) as running:
        running.sendall(REQUEST)
        assert app.began.wait(600)
        server.stop()
        assert running.recv(65536).startswith(b"HTTP/1.1 200 ")


def test_a_request_that_does_not_end_is_cut_off(
    app: App, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("social_publishing_sandbox.serving._GRACE", 0.2)
    app.seconds = 60
    with opened(server) as running:
        running.sendall(REQUEST)
        assert app.began.wait(600)
        began = time.perf_counter()
        server.stop()
        assert time.perf_counter() - began < 2


@pytest.mark.skipif(not socket.has_ipv6, reason="there is no IPv6")
def test_an_address_of_version_6(app: App) -> None:
    server = Server(app, host="::1")
    try:
        server.start()
    except OSError:
        pytest.skip("there is no IPv6 on this machine")
    with opened(server, "::1") as connection:
        assert asked(connection)
    server.stop()


def test_something_is_done_again_and_again_though_it_fails(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    done = threading.Semaphore(0)
    server = Server(app)

    def fail() -> None:
        done.release()
        raise sqlite3.OperationalError("database or disk is full")

    server.start(fail, 0.01)
    assert all(done.acquire(timeout=600) for _ in range(3))
    server.stop()
    while done.acquire(blocking=False):
        pass
    assert not done.acquire(timeout=0.05), "it ends with the server"
    assert "database or disk is full" in caplog.text


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")
def test_a_forked_process_has_servers_of_its_own(app: App, server: Server) -> None:
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            own = Server(app)
            own.start()
            with opened(own) as connection:
                os.write(writer, asked(connection))
        finally:
            os._exit(0)
    os.close(writer)
    said = b""
    waiter = threading.Timer(10, os.kill, (child, 9))
    waiter.start()
    while piece := os.read(reader, 1000):
        said += piece
    waiter.cancel()
    os.waitpid(child, 0)
    os.close(reader)
    assert said.endswith(f" of {child}".encode())
