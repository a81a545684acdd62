"""What never left spends nothing of the rate limit, and is not said to be perhaps carried out."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import anyio
import pytest
from runtime.core.errors import ConnectionFailed
from runtime.engine.client import AsyncClient, Client
from runtime.limits.budget import InProcessRates
from runtime.limits.rates import RateRule
from runtime.transport import connections, http
from runtime.transport.connections import IN_FLIGHT
from runtime.transport.middleware import Attempt
from runtime_support import at, options, request

from tests.support import tls
from tests.support.both import BACKENDS, EVERYWHERE, awaited, run
from tests.support.server import Response, Server, hold, reset, serve

LIMIT = 200
RULE = RateRule(LIMIT, 60.0, "l", "r", "s")
WRITE = request("POST", retry_safety="unsafe")


@pytest.fixture(params=["http", "https"])
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that never responds."""
    monkeypatch.setattr(connections, "_tls", lambda _: tls.for_client())
    context = tls.for_server() if request.param == "https" else None
    with serve(lambda _: hold, tls=context) as server:
        yield server


@pytest.fixture(params=["http", "https"])
def nobody(request: pytest.FixtureRequest) -> str:
    """An address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"{request.param}://127.0.0.1:{listener.getsockname()[1]}/v1"


def made(backend: str, url: str, **changes: Any) -> Any:
    kind = Client if backend == "sync" else AsyncClient
    using = at(url, rate=RULE, rates=InProcessRates())
    return awaited(kind(using, options(**{"timeout": 20, "pacing": "wait", **changes}), None))


def left(client: Any) -> int:
    room = client.rate_limit
    assert room is not None
    remaining: int = room.remaining
    return remaining


@pytest.mark.parametrize("backend", EVERYWHERE)
def test_connections_that_are_refused_spend_nothing(nobody: str, backend: str) -> None:
    async def main() -> None:
        async with made(backend, nobody) as client:
            for _ in range(60):
                with pytest.raises(ConnectionFailed):
                    await client.send(WRITE)
            assert left(client) == LIMIT

    run(backend, main)


@pytest.mark.parametrize("backend", EVERYWHERE)
def test_what_a_proxy_does_not_let_through_spends_nothing(
    monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    monkeypatch.setattr(connections, "_tls", lambda _: tls.for_client())
    for name in ("NO_PROXY", "no_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)

    async def main() -> None:
        async with made(backend, "https://main.test/v1") as client:
            with pytest.raises(ConnectionFailed) as caught:
                await client.send(WRITE)
            assert not caught.value.sent
            assert left(client) == LIMIT

    with serve(lambda _: Response(403)) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.origin)
        run(backend, main)
    assert [each.method for each in proxy.requests] == ["CONNECT"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_tasks_cancelled_before_sending_spend_nothing(server: Server, backend: str) -> None:
    """Those that were sent do: nobody knows what the service has counted."""

    async def main() -> None:
        async with made(backend, server.url("/v1")) as client:
            async with anyio.create_task_group() as group:
                # The first one is a scout, for which the others wait a second.
                for _ in range(LIMIT):
                    group.start_soon(partial(client.send, WRITE))
                with anyio.fail_after(20):
                    while server.under_way < IN_FLIGHT:
                        await anyio.sleep(0.05)
                group.cancel_scope.cancel()
            assert left(client) == LIMIT - IN_FLIGHT

    anyio.run(main, backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("place", ["handshake", "response"])
def test_a_cancelled_call_has_left_once_its_connection_is_there(
    monkeypatch: pytest.MonkeyPatch, backend: str, place: str
) -> None:
    monkeypatch.setattr(connections, "_tls", lambda _: tls.for_client())
    secret = place == "handshake"

    async def main() -> None:
        url = server.url("/v1").replace("http:", "https:" if secret else "http:")
        async with made(backend, url) as client:
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as group:
                    group.start_soon(partial(client.send, WRITE))
                    with anyio.fail_after(10):
                        while not server.requests:
                            await anyio.sleep(0.01)
                    scope.cancel()
            assert left(client) == LIMIT - (not secret)
            await anyio.to_thread.run_sync(server.wait_for, lambda each: not each.open)

    # Asked for TLS, it takes the greeting for the beginning of a request that never ends.
    with serve(lambda _: hold, at="accept" if secret else "body") as server:
        anyio.run(main, backend=backend)


@pytest.mark.parametrize("place", ["connecting", "reading"])
def test_an_interruption_while_connecting_spends_nothing(
    monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    if place == "connecting":
        monkeypatch.setattr(socket, "create_connection", interrupted)
    else:
        monkeypatch.setattr(http, "_record_received", interrupted)
    with serve(lambda _: Response(204)) as server:
        client = made("sync", server.url("/v1"))
        with pytest.raises(KeyboardInterrupt) as caught:
            run("sync", client.send, WRITE)
    assert left(client) == LIMIT - (place == "reading")
    assert bool(getattr(caught.value, "__notes__", [])) is (place == "reading")


def test_an_earlier_sending_by_a_middleware_counts() -> None:
    """A middleware that sends twice: the first was sent and lost, the second never connected."""
    ports: list[int] = []

    def twice(attempt: Attempt, send: Any) -> Any:
        with suppress(ConnectionFailed):
            send(attempt)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            ports.append(listener.getsockname()[1])
        return send(attempt._replace(url=f"http://127.0.0.1:{ports[-1]}/v1/pets"))

    with serve(lambda _: reset) as server:
        client = made("sync", server.url("/v1"), middleware=[twice])
        with pytest.raises(ConnectionFailed) as caught:
            run("sync", client.send, request())
    assert caught.value.sent
    assert left(client) == LIMIT - 1


@pytest.mark.parametrize("backend", EVERYWHERE)
def test_a_middleware_that_sends_nothing_spends_nothing(backend: str) -> None:
    def refuses(attempt: Attempt, send: Any) -> Any:
        raise LookupError("closed for today")

    async def main() -> None:
        async with made(backend, "http://127.0.0.1:1/v1", middleware=[refuses]) as client:
            with pytest.raises(LookupError):
                await client.send(WRITE)
            assert left(client) == LIMIT

    run(backend, main)
