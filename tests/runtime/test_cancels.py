"""Cancels at any moment: threads, descriptors, tasks and permits are soon as they were before."""

from __future__ import annotations

import gc
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
from runtime.core.errors import ClientError
from runtime.transport import connections
from test_upload_thread import Sink, client, upload, uploading

from tests.support import tls
from tests.support.both import BACKENDS
from tests.support.server import Peer, Response, hold, reset, serve

SIZE = 1 << 20
POINTS = 24  # of each way in which a server behaves, from 0.2 to 28 ms: later, nothing changes
SOON = 5.0  # seconds: a thread that still connects ends after one


def early(peer: Peer) -> None:
    peer.send(b"HTTP/1.1 413 -\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
    peer.leave()


def slow(peer: Peer) -> None:
    with suppress(OSError):
        for _ in range(50):
            if not peer.receive(1 << 14):
                return
            time.sleep(0.001)
    peer.gone = True


@contextmanager
def unreachable() -> Iterator[str]:
    """An address that takes no more connections, and refuses none."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(listener.getsockname())
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        for each in waiting:
            each.close()


@contextmanager
def served(way: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Callable[[], object]]]:
    """The address of a server that behaves in some way, and what waits until it is idle."""
    if way == "unreachable":
        with unreachable() as url:
            yield url, lambda: None
        return
    secured = tls.for_server() if way.startswith("https") else None
    monkeypatch.setattr(connections, "_tls", lambda _: tls.for_client())
    scripts = {"early": early, "slow": slow, "silent": hold, "reset": reset}
    behaviour = way.partition(" ")[2]
    script: Any = scripts.get(behaviour, Response(body=b"1"))
    at: Any = {"early": "head", "slow": "head", "deaf": "accept"}.get(behaviour, "body")
    with serve(lambda _: hold if behaviour == "deaf" else script, at=at, tls=secured) as server:
        yield server.url("/v1"), lambda: server.wait_for(lambda it: it.open == 0)


def state() -> tuple[int, int]:
    """How many threads of uploads, and how many descriptors, there are."""
    gc.collect()
    return len(uploading()), len(os.listdir("/proc/self/fd"))


async def settled(idle: Callable[[], object], most: int = 1 << 20) -> tuple[int, int]:
    """Wait until no thread uploads and so many descriptors are open, but not for ever."""
    idle()
    until = time.monotonic() + SOON
    while uploading() and time.monotonic() < until:  # collecting costs more than all else here
        await anyio.sleep(0.005)
    while (found := state()) > (0, most) and time.monotonic() < until:
        await anyio.sleep(0.005)
    return found


WAYS = [
    *("http", "http early", "http slow", "http silent", "http reset", "https"),
    *("https early", "https slow", "https silent", "https deaf", "unreachable"),
]


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="descriptors cannot be counted")
@pytest.mark.parametrize("way", WAYS)
def test_a_cancelled_upload_leaves_nothing(
    way: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Some 280 points in all, close to each other at the beginning."""
    path = tmp_path / "a.mp4"
    path.write_bytes(bytes(SIZE))
    backends = BACKENDS if way == "https" else ["asyncio"]

    async def main(url: str, idle: Callable[[], object]) -> None:
        sink = Sink()
        sink.url = url
        async with client(sink) as awaited:
            with suppress(ClientError), anyio.move_on_after(0.1):
                await awaited.send(upload(path))  # whatever is loaded or kept, is
            _, counted = await settled(idle)
            before = len(anyio.get_running_tasks())
            for point in range(POINTS):
                with suppress(ClientError), anyio.move_on_after(0.0002 * 1.24**point):
                    await awaited.send(upload(path))
            threads, descriptors = await settled(idle, counted)
            assert threads == 0
            assert descriptors <= counted
            assert len(anyio.get_running_tasks()) == before

    with served(way, monkeypatch) as (url, idle):
        for backend in backends:
            anyio.run(main, url, idle, backend=backend)
