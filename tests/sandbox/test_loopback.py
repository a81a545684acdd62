"""Without sockets, httpx2 of the same process reaches a sandbox, for both clients."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from types import ModuleType

import httpx2
import pytest
from social_publishing import ConnectionFailed, SocialPublishing
from social_publishing._runtime.transport import connections

from social_publishing_sandbox import loopback
from social_publishing_sandbox import sandbox as module
from social_publishing_sandbox.running import client_variables
from social_publishing_sandbox.sandbox import Sandbox


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """A sandbox as in a browser; what it changes of httpx2 ends with the test."""
    for owner, name in (
        (httpx2.HTTPTransport, "handle_request"),
        (httpx2.AsyncHTTPTransport, "handle_async_request"),
    ):
        monkeypatch.setattr(owner, name, getattr(owner, name))
    monkeypatch.setattr(module, "Server", loopback.Server)
    monkeypatch.setattr(connections, "IN_BROWSER", True)
    with Sandbox(clock="frozen", rate_limit=None) as made:
        yield made


def test_both_clients_reach_it(sandbox: Sandbox) -> None:
    with sandbox.client() as client:
        group = client.groups.get("9032915132417572866")
        label = client.labels.create(name="Spring")
        posts = list(client.posts.list(group_id=group.id))

    async def again() -> list[str]:
        async with sandbox.async_client() as client:
            assert await client.groups.get(group.id) == group
            return [post.id async for post in client.posts.list(group_id=group.id)]

    assert asyncio.run(again()) == [post.id for post in posts]
    assert len(posts) > 7
    assert label.name == "Spring"
    assert len(sandbox.requests()) >= 5


def test_addresses_are_apart_and_end(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in client_variables(sandbox).items():
        monkeypatch.setenv(name, value)
    with SocialPublishing(retries=0) as client, Sandbox() as other:
        assert sandbox.base_url not in (other.base_url, sandbox.media_url)
        client.labels.create(name="Only here")
        names = [label["name"] for label in other.world()["labels"]]
        assert "Only here" in [label["name"] for label in sandbox.world()["labels"]]
        assert "Only here" not in names
        sandbox.stop()
        with pytest.raises(ConnectionFailed):  # nobody listens there, nor on a real port
            client.labels.create(name="Too late")
        sandbox.start()
        client.labels.create(name="Again")


def test_a_port_that_is_taken(sandbox: Sandbox) -> None:
    port = int(sandbox.base_url.split(":")[2].partition("/")[0])
    other = Sandbox(port=port)
    with pytest.raises(OSError, match=f"port {port} of 127.0.0.1 is not available"):
        other.start()
    other.close()
    with sandbox.client() as client:
        assert client.groups.get("9032915132417572866").name, "it is the first one's still"


def test_faults_reach_both_clients(sandbox: Sandbox) -> None:
    with (
        sandbox.client(retries=0) as client,
        sandbox.fault("drop-after", times=1),
        pytest.raises(ConnectionFailed),
    ):
        client.groups.get("9032915132417572866")

    async def slowly() -> str:
        async with sandbox.async_client(retries=0) as client:
            with sandbox.fault("latency", ms=20, times=1):
                return (await client.groups.get("9032915132417572866")).name

    assert asyncio.run(slowly()) == "Kornblume Bakery"


@pytest.mark.parametrize("can_wait", [True, False])
def test_a_wait_inside_of_a_call(monkeypatch: pytest.MonkeyPatch, can_wait: bool) -> None:
    """Where the browser can let a call wait, it does; where not, an error says what to do."""
    loop = asyncio.new_event_loop()
    ffi = ModuleType("pyodide.ffi")
    vars(ffi).update(can_run_sync=lambda: can_wait, run_sync=loop.run_until_complete)
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", ffi)

    async def work() -> str:
        future: asyncio.Future[str] = loop.create_future()
        loop.call_later(0.01, future.set_result, "done")
        return await future

    try:
        if can_wait:
            assert loopback.completed(work()) == "done"
        else:
            with pytest.raises(RuntimeError, match="use the asynchronous client"):
                loopback.completed(work())
    finally:
        loop.close()
