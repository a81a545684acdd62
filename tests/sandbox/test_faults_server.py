"""Each kind of fault, seen by a client over a real socket."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import orjson
import pytest

from social_publishing_sandbox.api import transport
from social_publishing_sandbox.api.faults.fault import Fault
from social_publishing_sandbox.api.faults.registry import Faults
from social_publishing_sandbox.api.faults.sending import before, drop_unread, send_with_fault
from social_publishing_sandbox.api.transport import Receive, Scope, Send
from social_publishing_sandbox.serving import Server
from social_publishing_sandbox.state.documents import Json

BODY = {"id": "18446744073709551615", "status": 40, "name": "Brot – süß"}
SCHEMA: Json = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "status": {"enum": [1, 5, 40]}},
}


class App:
    """A service of one operation that counts how often it was carried out."""

    def __init__(self) -> None:
        self.faults = Faults(lambda: 1)
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
        if action is not None and action.refuses:
            status, body = action.parameters["status"], b'{"message": "refused"}'
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
        deadline = time.monotonic() + 600
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


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    app = App()
    server = Server(app)
    server.start()
    served = Served(app, server.port)
    with served.client:
        yield served
    server.stop()


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


def test_who_gives_up_after_the_operation_has_changed_something(served: Served) -> None:
    served.fault(kind="latency", ms=400, when="after")
    with pytest.raises(httpx2.ReadTimeout):
        served.get(timeout=httpx2.Timeout(5, read=0.1))
    assert served.app.carried_out == 1


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


def test_a_drop_does_not_wait_for_what_is_still_being_uploaded(served: Served) -> None:
    served.fault(kind="drop-before")
    with pytest.raises(httpx2.TransportError):
        served.client.post(served.url, content=b"1" * 20_000_000)
    served.idle()


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


@pytest.mark.parametrize("kind", ["unknown-values", "unknown-fields", "empty-body", "slow-body"])
def test_a_response_without_a_body_has_nothing_to_change(served: Served, kind: str) -> None:
    served.app.body, served.app.status = b"", 204
    served.fault(kind=kind)
    response = served.get()
    assert (response.status_code, response.content) == (204, b"")
    assert "content-length" not in response.headers


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


def test_unknown_values(served: Served) -> None:
    served.fault(kind="unknown-values")
    assert served.get().json() == BODY | {"status": 41}


def test_unknown_fields(served: Served) -> None:
    served.fault(kind="unknown-fields", count=2)
    assert served.get().json() == BODY | {"undocumented_1": "text", "undocumented_2": 1}
