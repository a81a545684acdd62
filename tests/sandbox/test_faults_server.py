"""Each kind of fault, seen by a client over a real socket."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import orjson
import pytest
import uvicorn

from social_publishing_sandbox.api import transport
from social_publishing_sandbox.api.faults import (
    Fault,
    Faults,
    before,
    drop_unread,
    send_with_fault,
)
from social_publishing_sandbox.api.transport import Receive, Scope, Send
from social_publishing_sandbox.state.documents import Json

BODY = {"id": "18446744073709551615", "status": 40, "name": "Brot – süß"}
SCHEMA: Json = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "status": {"enum": [1, 5, 40]}},
}


class App:
    """A service of one operation that counts how often it was carried out."""

    def __init__(self) -> None:
        self.faults = Faults(seed=1)
        self.carried_out = 0
        self.running = 0
        self.body = orjson.dumps(BODY)
        self.status = 200

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.running += 1
        try:
            await self._answer(scope, send)
        finally:
            self.running -= 1

    async def _answer(self, scope: Scope, send: Send) -> None:
        headers = [(b"content-type", b"application/json"), (b"x-kept", b"yes")]
        action = self.faults.pick("op", "ada")
        if action is not None and not await before(action):
            return await drop_unread(action, scope)
        if action is not None and action.refusal:
            status, body = action.refusal.status, b'{"message": "refused"}'
        else:
            self.carried_out += 1
            status, body = self.status, self.body
        await send_with_fault(action, scope, send, status, headers, body, SCHEMA, lambda s: s)


class Served:
    def __init__(self, app: App, port: int) -> None:
        self.app, self.port, self.url = app, port, f"http://127.0.0.1:{port}/"
        # A connection of its own for every request.
        limits = httpx2.Limits(max_keepalive_connections=0)
        self.client = httpx2.Client(timeout=5, trust_env=False, limits=limits)

    def fault(self, **members: Any) -> None:
        self.app.faults.add(Fault.from_json(members))

    def idle(self) -> None:
        """Wait until no request is being answered."""
        deadline = time.monotonic() + 10
        while self.app.running and time.monotonic() < deadline:
            time.sleep(0.01)
        assert self.app.running == 0

    def get(self, **options: Any) -> httpx2.Response:
        return self.client.get(self.url, **options)

    def raw(self, request: bytes = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n") -> tuple[bytes, bool]:
        """All bytes until the end of the connection, and whether it ended with a reset."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            connection.sendall(request)
            received = bytearray()
            while True:
                try:
                    chunk = connection.recv(65536)
                except ConnectionResetError:
                    return bytes(received), True
                if not chunk:
                    return bytes(received), False
                received += chunk


@contextlib.contextmanager
def serving(protocol: Any, loop: str) -> Iterator[Served]:
    app = App()
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app,
        http=protocol,
        loop=loop,
        lifespan="off",
        log_config=None,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.005)
    try:
        served = Served(app, listener.getsockname()[1])
        with served.client:
            yield served
    finally:
        server.should_exit = True
        thread.join(5)
        assert not thread.is_alive()


@pytest.fixture(
    scope="module",
    params=[(transport.PROTOCOL, "auto"), (transport.ReachableH11, "asyncio")],
    ids=["fast", "h11"],
)
def server(request: pytest.FixtureRequest) -> Iterator[Served]:
    with serving(*request.param) as served:
        yield served


@pytest.fixture
def served(server: Served, caplog: pytest.LogCaptureFixture) -> Iterator[Served]:
    """The server without a fault; whatever happens, uvicorn has nothing to complain about."""
    server.app.faults.clear()
    server.idle()
    server.app.carried_out = 0
    server.app.body, server.app.status = orjson.dumps(BODY), 200
    yield server
    assert not [each for each in caplog.get_records("call") if each.levelno >= logging.WARNING]


def test_without_a_fault(served: Served) -> None:
    response = served.get()
    assert (response.status_code, response.json()) == (200, BODY)
    assert response.headers["x-kept"] == "yes"
    assert response.headers["content-length"] == str(len(response.content))


@pytest.mark.parametrize("when", ["before", "after"])
def test_latency(served: Served, when: str) -> None:
    served.fault(kind="latency", ms=150, when=when)
    started = time.monotonic()
    assert served.get().json() == BODY
    assert 0.15 <= time.monotonic() - started < 2


def test_whoever_gives_up_waiting_afterwards_has_changed_something(served: Served) -> None:
    served.fault(kind="latency", ms=400, when="after")
    with pytest.raises(httpx2.ReadTimeout):
        served.get(timeout=httpx2.Timeout(5, read=0.1))
    assert served.app.carried_out == 1


def test_status(served: Served) -> None:
    served.fault(kind="status", status=503)
    assert served.get().status_code == 503
    assert served.app.carried_out == 0


def test_rate_limited(served: Served) -> None:
    served.fault(kind="rate-limited", retry_after=7)
    assert served.get().status_code == 429
    assert served.app.carried_out == 0


@pytest.mark.parametrize(("kind", "carried_out"), [("drop-before", 0), ("drop-after", 1)])
def test_a_drop_sends_nothing_at_all(served: Served, kind: str, carried_out: int) -> None:
    served.fault(kind=kind)
    assert served.raw() == (b"", False)
    assert served.app.carried_out == carried_out
    with pytest.raises(httpx2.RemoteProtocolError, match="without sending a response"):
        served.get()


@pytest.mark.parametrize(("kind", "carried_out"), [("drop-before", 0), ("drop-after", 1)])
def test_a_drop_can_be_a_reset(served: Served, kind: str, carried_out: int) -> None:
    served.fault(kind=kind, reset=True)
    assert served.raw() == (b"", True)
    assert served.app.carried_out == carried_out
    with pytest.raises(httpx2.ReadError):
        served.get()


def test_what_was_answered_before_a_drop_arrives(served: Served) -> None:
    served.fault(script=["pass", "drop-after"])
    request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    received, reset = served.raw(request * 2)
    assert received.count(b"HTTP/1.1 200") == 1 and received.endswith(served.app.body)
    assert not reset
    assert served.app.carried_out == 2


def test_a_drop_does_not_wait_for_what_is_still_being_uploaded(served: Served) -> None:
    served.fault(kind="drop-before")
    with pytest.raises(httpx2.TransportError):
        served.client.post(served.url, content=b"1" * 20_000_000)
    served.idle()


def test_a_connection_that_was_kept_open_drops(served: Served) -> None:
    served.fault(kind="drop-after", after=1, times=1)
    with httpx2.Client(timeout=5, trust_env=False) as client:
        assert client.get(served.url).status_code == 200
        with pytest.raises(httpx2.RemoteProtocolError):
            client.get(served.url)
        assert client.get(served.url).status_code == 200


@pytest.mark.parametrize("keep", [0, 0.5, 1])
def test_truncated(served: Served, keep: float) -> None:
    served.fault(kind="truncated", keep=keep)
    received, _ = served.raw()
    head, _, part = received.partition(b"\r\n\r\n")
    whole = served.app.body
    assert f"content-length: {len(whole)}".encode() in head.lower()
    assert part == whole[: min(int(len(whole) * keep), len(whole) - 1)]
    with pytest.raises(httpx2.RemoteProtocolError, match="without sending complete"):
        served.get()


def test_a_long_body_is_cut_where_it_should_be(served: Served) -> None:
    served.app.body = b"1" * 30_000_000  # more than fits between the two of them
    served.fault(kind="truncated", keep=0.9)
    received, reset = served.raw()
    assert not reset
    assert len(received.partition(b"\r\n\r\n")[2]) == int(len(served.app.body) * 0.9)


@pytest.mark.parametrize("keep", [0.5, 1])
def test_nothing_to_truncate(served: Served, keep: float) -> None:
    served.app.body, served.app.status = b"", 204
    served.fault(kind="truncated", keep=keep)
    assert served.raw() == (b"", False)


@pytest.mark.parametrize("body", [b"", b"1", b"[]", b'"abc"', b"12345", orjson.dumps(BODY)])
def test_malformed_json(served: Served, body: bytes) -> None:
    served.app.body, served.app.status = body, 200 if body else 204
    served.fault(kind="malformed-json")
    response = served.get()
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    with pytest.raises(orjson.JSONDecodeError):
        orjson.loads(response.content)


@pytest.mark.parametrize("status", [200, 204, 422])
def test_wrong_content_type(served: Served, status: int) -> None:
    served.app.body, served.app.status = (b"" if status == 204 else served.app.body), status
    served.fault(kind="wrong-content-type")
    response = served.get()
    assert response.status_code == (200 if status == 204 else status)
    assert response.headers.get_list("content-type") == ["text/html; charset=utf-8"]
    assert response.text.startswith("<!doctype html>")


def test_only_the_content_type_is_wrong(served: Served) -> None:
    served.fault(kind="wrong-content-type", keep_body=True)
    response = served.get()
    assert response.headers["content-type"].startswith("text/html")
    assert response.json() == BODY


def test_slow_body(served: Served) -> None:
    served.fault(kind="slow-body", chunk=10, delay=10)
    started = time.monotonic()
    with served.client.stream("GET", served.url) as response:
        chunks = list(response.iter_raw())
    assert b"".join(chunks) == served.app.body
    assert len(chunks) > 3
    assert time.monotonic() - started >= 0.01 * (len(served.app.body) // 10)


def test_nobody_waits_for_the_rest_of_a_slow_body(served: Served) -> None:
    served.app.body = b"1" * 100_000
    served.fault(kind="slow-body", chunk=1, delay=20)
    with served.client.stream("GET", served.url) as response:
        next(response.iter_raw())
        assert served.app.running == 1
    served.idle()


@pytest.mark.parametrize("kind", ["drop-before", "drop-after", "truncated"])
def test_a_request_ends_with_its_connection(served: Served, kind: str) -> None:
    served.fault(kind=kind)
    served.raw()
    served.idle()


def test_a_client_that_does_not_read_holds_nothing_up_for_ever(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "FLUSH_SECONDS", 0.1)
    served.app.body = b"1" * 20_000_000
    served.fault(kind="truncated", keep=0.9)
    with socket.create_connection(("127.0.0.1", served.port)) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        served.idle()


def test_empty_body(served: Served) -> None:
    served.fault(kind="empty-body")
    response = served.get()
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-length"] == "0"


def test_unknown_values(served: Served) -> None:
    served.fault(kind="unknown-values")
    assert served.get().json() == BODY | {"status": 41}


def test_unknown_fields(served: Served) -> None:
    served.fault(kind="unknown-fields", count=2)
    assert served.get().json() == BODY | {"undocumented_1": "text", "undocumented_2": 1}


@pytest.mark.parametrize("kind", ["unknown-values", "unknown-fields", "empty-body", "slow-body"])
def test_a_response_without_a_body_has_nothing_to_change(served: Served, kind: str) -> None:
    served.app.body, served.app.status = b"", 204
    served.fault(kind=kind)
    response = served.get()
    assert (response.status_code, response.content) == (204, b"")
    assert "content-length" not in response.headers


def test_a_script_happens_in_its_order(served: Served) -> None:
    served.fault(script=["pass", {"status": 503}, "drop-after", "pass"])
    seen: list[object] = []
    for _ in range(5):
        try:
            seen.append(served.get().status_code)
        except httpx2.RemoteProtocolError:
            seen.append("dropped")
    assert seen == [200, 503, "dropped", 200, 200]
    assert served.app.carried_out == 4


def test_counts_are_exact_under_parallel_requests(served: Served) -> None:
    served.fault(id="late", kind="latency", ms=20)
    served.fault(id="some", kind="drop-before", after=5, times=20)

    def one(_: int) -> object:
        try:
            return served.get().status_code
        except httpx2.RemoteProtocolError:
            return "dropped"

    with ThreadPoolExecutor(50) as pool:
        seen = list(pool.map(one, range(50)))
    assert (seen.count("dropped"), seen.count(200)) == (20, 30)
    assert served.app.carried_out == 30
    some = served.app.faults.get("some")
    assert (some.matched, some.applied, some.ended) == (25, 20, True)
    assert served.app.faults.get("late").applied == 50


def test_without_a_socket_the_caller_sees_the_same_error() -> None:
    app = App()
    app.faults.add(Fault.from_json({"script": ["drop-before", "drop-after", "truncated", "pass"]}))

    async def calls() -> None:
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app)) as client:
            for _ in range(3):
                with pytest.raises(httpx2.RemoteProtocolError) as caught:
                    await client.get("http://sandbox/")
                assert isinstance(caught.value, ConnectionError)
                assert caught.value.request.url == "http://sandbox/"
            assert (await client.get("http://sandbox/")).json() == BODY

    asyncio.run(calls())
    assert app.carried_out == 3
