"""Cancels at any moment: threads, descriptors, tasks and permits are soon as they were before."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
from runtime.core.errors import ClientError
from runtime.transport import connections
from test_upload_thread import BACKENDS, HERE, Sink, client, left, sinking, upload

from tests.support import tls
from tests.support.server import Peer, Response, hold, reset, serve

SIZE = 1 << 20
POINTS = 54  # of each way in which a server behaves
SOON = 1.0  # seconds
both = pytest.mark.parametrize("backend", BACKENDS)


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
    named = [each for each in threading.enumerate() if each.name == "upload"]
    return len(named), len(os.listdir("/proc/self/fd"))


WAYS = [
    *("http", "http early", "http slow", "http silent", "http reset", "https"),
    *("https early", "https slow", "https silent", "https deaf", "unreachable"),
]


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="descriptors cannot be counted")
@pytest.mark.parametrize("way", WAYS)
def test_a_cancelled_upload_leaves_nothing(
    way: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Some 600 points in all, close to each other at the beginning; each is over after a second."""
    path = tmp_path / "a.mp4"
    path.write_bytes(bytes(SIZE))
    backends = BACKENDS if way == "https" else ["asyncio"]

    async def main(url: str, idle: Callable[[], object]) -> None:
        sink = Sink()
        sink.url = url
        async with client(sink) as awaited:
            with suppress(ClientError), anyio.move_on_after(0.3):
                await awaited.send(upload(path))  # whatever is loaded or kept, is
            await anyio.sleep(SOON)
            idle()
            before, counted = len(anyio.get_running_tasks()), state()
            for point in range(POINTS // len(backends)):
                with suppress(ClientError), anyio.move_on_after(0.0002 * 1.12**point):
                    await awaited.send(upload(path))
            idle()
            until = time.monotonic() + SOON
            while state() > counted and time.monotonic() < until:
                await anyio.sleep(0.02)
            threads, descriptors = state()
            assert threads == 0
            assert descriptors <= counted[1]
            assert len(anyio.get_running_tasks()) == before

    with served(way, monkeypatch) as (url, idle):
        for backend in backends:
            anyio.run(main, url, idle, backend=backend)


@both
@pytest.mark.parametrize("how", ["sibling", "timeout", "scope"])
def test_an_upload_ends_with_what_it_is_part_of(
    how: str, backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A group of which another task fails, `asyncio.timeout`, a cancel scope of trio or anyio."""
    path = tmp_path / "a.mp4"
    path.write_bytes(bytes(1 << 24))

    async def main(sink: Sink) -> None:
        async with client(sink) as awaited:
            sending = awaited.send(upload(path))
            if how == "scope":
                with anyio.move_on_after(0.2) as scope:
                    await sending
                assert scope.cancelled_caught
            elif backend == "trio":
                sending.close()
                pytest.skip("these are of asyncio")
            elif how == "timeout":
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.2):
                        await sending
            else:

                async def fail() -> None:
                    await asyncio.sleep(0.2)
                    raise LookupError

                with pytest.raises(ExceptionGroup) as caught:
                    async with asyncio.TaskGroup() as group:
                        group.create_task(sending)
                        group.create_task(fail())
                assert [type(each) for each in caught.value.exceptions] == [LookupError]
            assert left() == []

    with sinking() as sink:
        sink.stop_after = 1 << 16
        anyio.run(main, sink, backend=backend)
        assert sink.whole == []


@both
@pytest.mark.parametrize("way", ["reading", "connecting"])
@pytest.mark.parametrize("end", ["raise SystemExit(3)", "raise LookupError", "os._exit(3)"])
def test_a_program_that_ends_meanwhile_ends_at_once(
    end: str, way: str, backend: str, tmp_path: Path
) -> None:
    """Whatever the upload is doing, and without a word of its thread."""
    path = tmp_path / "a.mp4"
    path.write_bytes(bytes(1 << 24))
    code = f"""
        import anyio, os, sys
        from test_cancels import *
        async def main():
            sink = Sink()
            sink.url = sys.argv[1]
            awaited = client(sink)
            async with anyio.create_task_group() as group:
                group.start_soon(awaited.send, upload({str(path)!r}))
                await anyio.sleep(0.3)
                {end}
        try:
            anyio.run(main, backend={backend!r})
        except BaseException:
            sys.exit(3)
    """
    paths = [str(HERE), str(HERE.parents[1] / "templates"), str(HERE.parents[1])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}

    def ends(url: str) -> None:
        began = time.monotonic()
        program = [sys.executable, "-c", textwrap.dedent(code), url]
        done = subprocess.run(program, capture_output=True, env=environment, timeout=50, text=True)
        assert (done.returncode, done.stderr) == (3, "")
        assert time.monotonic() - began < 25

    if way == "connecting":
        with unreachable() as url:
            ends(url)
    else:
        with sinking() as sink:
            sink.stop_after = 1 << 16
            ends(sink.url)
