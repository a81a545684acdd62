"""Long uploads of the asynchronous client: a thread sends them, and nobody needs to know."""

from __future__ import annotations

import asyncio
import hashlib
import io
import os
import random
import signal
import socket
import ssl
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from runtime.engine.client import AsyncClient, Client
from runtime.request.multipart import File, FilePart
from runtime.request.outcome import OutcomeUnknown
from runtime.transport import connections, upload_thread
from runtime_support import at, options, request

from tests.support import tls
from tests.support.both import BACKENDS
from tests.support.server import Peer, Request, Response, Script, Server, serve

HERE = Path(__file__).parent
SIZE = (1 << 24) + 12345


class Sink:
    """Reads requests, and responds to each with 1.

    Attributes:
        stop_after: how many bytes of a body it reads before it waits for `go_on`.
        heads: what each request began with; `whole` are digests of those that came to their end.
        stopped: it has read so many, or has no body to wait for.
    """

    def __init__(self) -> None:
        self.stop_after: int | None = None
        self.go_on = threading.Event()
        self.stopped = threading.Event()
        self.heads: list[bytes] = []
        self.whole: list[str] = []
        self.url = ""
        self.server: Server

    def respond(self, request: Request) -> Script:
        """Take a body as it comes."""
        self.heads.append(request.head)
        left = int(request.headers["content-length"])

        def script(peer: Peer) -> None:
            digest, read = hashlib.sha256(), 0
            while read < left:
                if self.stop_after is not None and read >= self.stop_after:
                    self.stopped.set()
                    self.go_on.wait(20)
                data = peer.receive(min(1 << 16, left - read))
                if not data:
                    raise ConnectionError
                read += len(data)
                digest.update(data)
            self.whole.append(digest.hexdigest())
            peer.send(bytes(Response(body=b"1")))

        return script


@contextmanager
def sinking(secured: ssl.SSLContext | None = None) -> Iterator[Sink]:
    sink = Sink()
    with serve(sink.respond, at="head", tls=secured) as server:
        sink.server, sink.url = server, server.url("/v1")
        try:
            yield sink
        finally:
            sink.go_on.set()


@pytest.fixture(params=["http", "https"])
def sink(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sink]:
    if request.param == "http":
        with sinking() as plain:
            yield plain
        return
    monkeypatch.setattr(connections, "_tls", lambda _: tls.for_client())
    with sinking(tls.for_server()) as secret:
        yield secret


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "a.mp4"
    with path.open("wb") as file:
        file.truncate(SIZE)
    return path


def upload(content: Any, progress: Any = None) -> Any:
    part = FilePart("file", content, "file", progress=progress)
    return request("POST", "/pets", files=[part], returns=int, retry_safety="unsafe")


def client(sink: Sink, http: Any = None, **changes: Any) -> AsyncClient:
    return AsyncClient(at(sink.url), options(timeout=20, **changes), http)


def run(backend: str, main: Callable[[], Any]) -> None:
    """Run it, and see that no thread is left."""
    anyio.run(main, backend=backend)
    assert left() == []


both = pytest.mark.parametrize("backend", BACKENDS)


def uploading() -> list[threading.Thread]:
    """The threads that send."""
    return [each for each in threading.enumerate() if each.name == upload_thread.NAME]


def left() -> list[threading.Thread]:
    """The threads that send, but for those that have told their task and are about to end."""
    for thread in uploading():
        thread.join(0.2)
    return uploading()


def open_files(path: Path) -> list[str]:
    def target(fd: str) -> str:
        with suppress(OSError):
            return os.readlink(f"/proc/self/fd/{fd}")
        return ""

    fds = os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd") else []
    return [fd for fd in fds if str(path) in target(fd)]


@both
def test_the_response_to_an_upload_can_be_read_piece_by_piece(
    sink: Sink, backend: str, large: Path
) -> None:
    async def main() -> None:
        async with client(sink) as awaited, awaited.stream(upload(large)) as response:
            assert b"".join([piece async for piece in response.iter_bytes()]) == b"1"
        assert len(sink.whole) == 1

    run(backend, main)


@both
@pytest.mark.parametrize("kind", ["path", "bytes", "file"])
def test_a_thread_sends_the_same_bytes_as_the_sync_client(
    sink: Sink, backend: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda _: "boundary")
    data = random.Random(1).randbytes(SIZE)
    (tmp_path / "a.mp4").write_bytes(data)

    def content() -> Any:
        file = io.BytesIO(b"before" + data)
        file.seek(len(b"before"))
        kinds = {"path": tmp_path / "a.mp4", "bytes": data, "file": file}
        return File(kinds[kind], "a.mp4")

    seen: list[Any] = []

    def progress(sent: int, total: int | None) -> None:
        seen.append((sent, total, len(uploading())))

    async def main() -> None:
        async with client(sink) as awaited:
            assert await awaited.send(upload(content(), progress)) == 1

    run(backend, main)
    by_thread, seen[:] = list(seen), []
    with Client(at(sink.url), options(), None) as waiting:
        waiting.send(upload(content(), progress))
    assert sink.whole[0] == sink.whole[1]
    # Fewer, where the connection is fast; but in order, and from the beginning to the end.
    told, told_here = ([each[:2] for each in every] for every in (by_thread, seen))
    assert told == [each for each in told_here if each in told]
    assert (told[0], told[-1]) == (told_here[0], told_here[-1])
    assert [{each[2] for each in every} for every in (by_thread, seen)] == [{1}, {0}]


@both
@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="descriptors cannot be counted")
def test_a_finished_upload_leaves_no_descriptor(sink: Sink, backend: str, large: Path) -> None:
    """Nor one that is closed only because it is garbage."""

    def descriptors() -> int:
        sink.server.wait_for(lambda it: it.open == 0)
        return len(os.listdir("/proc/self/fd"))

    async def main() -> None:
        async with client(sink) as awaited:
            await awaited.send(upload(large))
            before = descriptors()
            with warnings.catch_warnings(record=True) as unclosed:
                warnings.simplefilter("always", ResourceWarning)
                for _ in range(3):
                    await awaited.send(upload(large))
            assert descriptors() <= before
            assert [str(each.message) for each in unclosed] == []

    run(backend, main)


@both
def test_progress_is_told_by_the_task(sink: Sink, backend: str, large: Path) -> None:
    here: set[Any] = set()

    def progress(sent: int, total: int | None) -> None:
        here.add((threading.get_ident(), anyio.get_current_task().id))

    async def main() -> None:
        async with client(sink) as awaited:
            await awaited.send(upload(large, progress))
        assert here == {(threading.get_ident(), anyio.get_current_task().id)}

    run(backend, main)


@both
@pytest.mark.parametrize("error", [OSError("mine"), httpx2.ConnectError("x"), SystemExit(3)])
def test_what_a_callback_raises_ends_the_upload_as_it_is(
    sink: Sink, backend: str, large: Path, error: BaseException
) -> None:
    def progress(sent: int, total: int | None) -> None:
        if sent:
            raise error

    async def main() -> None:
        async with client(sink) as awaited:
            with pytest.raises(type(error)) as caught:
                await awaited.send(upload(large, progress))
            assert caught.value is error
            assert [*open_files(large), *left()] == []

    run(backend, main)
    assert sink.whole == []


async def stopped(sink: Sink) -> None:
    """Wait until the server reads no more, and what lies between is full."""
    with anyio.fail_after(20):
        while not sink.stopped.is_set():
            await anyio.sleep(0.005)
    await anyio.sleep(0.05)


@both
@pytest.mark.parametrize("way", ["scope", "task", "close", "progress"])
def test_a_cancel_ends_it_at_once_and_leaves_nothing(
    sink: Sink, backend: str, large: Path, way: str
) -> None:
    """While the thread waits for the socket; `progress`: while it waits for the task."""
    if way == "task" and backend == "trio":
        pytest.skip("trio has no cancel of a task")
    sink.stop_after = 1 << 16
    if way == "progress":
        sink.go_on.set()
    with large.open("ab") as file:
        file.truncate(4 * SIZE)  # more than the system takes by itself

    async def main() -> None:
        awaited = client(sink)
        group = anyio.create_task_group()
        errors: list[BaseException] = []

        def progress(sent: int, total: int | None) -> None:
            if sent and way == "progress":
                group.cancel_scope.cancel()

        async def send() -> None:
            try:
                await awaited.send(upload(large, progress))
            except OutcomeUnknown as error:
                errors.append(error)

        async with group:
            if way == "task":
                task = asyncio.create_task(send())
            else:
                group.start_soon(send)
            await stopped(sink)
            began = time.monotonic()
            if way == "scope":
                group.cancel_scope.cancel()
            elif way == "close":
                await awaited.close()
            elif way == "task":
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
        assert way == "progress" or time.monotonic() - began < 1
        assert [*open_files(large), *left()] == []
        assert ["was closed" in str(error) for error in errors] == [True] * (way == "close")
        await awaited.close()

    run(backend, main)
    sink.go_on.set()
    sink.server.wait_for(lambda it: it.open == 0)
    assert (len(sink.heads), sink.whole) == (1, [])


@both
@pytest.mark.parametrize("comes", [True, False], ids=["connected late", "never connected"])
def test_a_cancel_while_connecting_sends_nothing(
    backend: str, comes: bool, large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread ends soon, whatever becomes of the connection."""
    proceed, connect = threading.Event(), socket.create_connection

    def slow(address: Any, timeout: float, **options: Any) -> socket.socket:
        if not proceed.wait(timeout):
            raise TimeoutError
        return connect(address, timeout, **options)

    monkeypatch.setattr(socket, "create_connection", slow)

    async def main(sink: Sink) -> None:
        async with client(sink) as awaited:
            with anyio.move_on_after(0.05) as scope:
                await awaited.send(upload(large))
            assert scope.cancelled_caught
            [thread] = uploading()
            assert thread.daemon
            if comes:
                proceed.set()
            thread.join(600)
            assert not thread.is_alive()

    with sinking() as sink:
        anyio.run(main, sink, backend=backend)
    assert (sink.heads, sink.whole) == ([], [])


@pytest.mark.skipif(not hasattr(signal, "SIGINT") or os.name == "nt", reason="POSIX signals")
@both
def test_an_interrupt_from_the_keyboard_ends_the_program(backend: str, large: Path) -> None:
    code = """
        import anyio, sys
        from runtime.engine.client import AsyncClient
        from runtime_support import wake_often
        from test_upload_thread import *
        wake_often()
        URL, BACKEND, FILE = sys.argv[1:]
        async def main():
            async with AsyncClient(at(URL), options(timeout=20), None) as client:
                await client.send(upload(FILE, lambda *_: print(flush=True)))
        try:
            anyio.run(main, backend=BACKEND)
        except KeyboardInterrupt:
            print("interrupted", len(left()), open_files(FILE))
    """
    path = os.pathsep.join([str(HERE), str(HERE.parents[1] / "templates")])
    with large.open("ab") as file:
        file.truncate(4 * SIZE)
    with sinking() as sink:
        sink.stop_after = 1 << 16
        with subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code), sink.url, backend, str(large)],
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            text=True,
        ) as child:
            assert sink.stopped.wait(600)
            began = time.monotonic()
            child.send_signal(signal.SIGINT)
            assert child.stdout is not None
            assert child.stdout.read().split("\n")[-2] == "interrupted 0 []"
            assert child.wait(600) == 0
            assert time.monotonic() - began < 10, "and not the 20 seconds that it is patient"
        assert (len(sink.heads), sink.whole) == (1, [])
