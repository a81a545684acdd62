"""An upload of 2 GiB over the loopback: the two clients beside curl and other clients.

The file is sparse, so that no disk is measured, and the other end throws everything away.
"""

from __future__ import annotations

import shutil
import socket
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Final

from benchmarks import peers, server
from benchmarks.figures import Figure, LeftOut, Samples
from benchmarks.measuring import TOKEN, Process, Worker, reported, workers

TITLE: Final = "Uploads"

ROUNDS: Final = 7
LARGE: Final = 2 << 30  # bytes, the most that the service takes
MIDDLE: Final = 256 << 20  # bytes; for clients that hold all of a file, some of them several times
_STATUS: Final = Path("/proc/self/status")

# Each program defines `upload(path)`, and has sent a small file before it is measured.
_OURS: Final = """
from social_publishing import AsyncSocialPublishing, SocialPublishing
PLACES = {"api_token": TOKEN, "base_url": BASE, "media_url": BASE.replace("/v1", "/api/v1")}
"""
_SYNC: Final = (
    _OURS
    + """
client = SocialPublishing(**PLACES)
def upload(path):
    client.media.upload(file=path)
"""
)
_ASYNC: Final = (
    _OURS
    + """
import asyncio
loop = asyncio.new_event_loop()
client = AsyncSocialPublishing(**PLACES)
def upload(path):
    loop.run_until_complete(client.media.upload(file=path))
"""
)

_CURL: Final = """
import resource, subprocess, time
def upload(path):
    form = ["-H", "Expect:", "-F", "file=@" + path]
    command = ["curl", "-sS", "--fail", *form, BASE + "/upload"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
def times():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime, time.perf_counter()
def timed(path):
    before = times()
    upload(path)
    return [after - was for after, was in zip(times(), before)]
def sample(number):
    return [large - small for large, small in zip(timed(FILE), timed(SMALL))]
"""

_REQUESTS: Final = """
import requests
session = requests.Session()
def upload(path):
    with open(path, "rb") as file:
        session.post(BASE + "/upload", files={"file": file}).raise_for_status()
"""

_STOCK: Final = """
import os
from stock_media import Client
from stock_media.api.media import upload_media
from stock_media.models import MediaUpload
from stock_media.types import File
client = Client(base_url=BASE)
def upload(path):
    with open(path, "rb") as file:
        body = MediaUpload(file=File(payload=file, file_name=os.path.basename(path)))
        arguments = upload_media._get_kwargs(body=body)
        client.get_httpx_client().request(**arguments).raise_for_status()
"""

_GENERATED: Final = """
from generated_media import ApiClient, Configuration, MediaApi
api = MediaApi(ApiClient(Configuration(host=BASE)))
def upload(path):
    api.upload_media_without_preload_content(file=path).read()
"""

# After `upload` is defined.
_READY: Final = """
upload(SMALL)
def run():
    upload(FILE)
"""
_GROWN: Final = """
import re
from pathlib import Path
def memory():
    found = re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) * 1024 / 1e6
before = memory()
run()
print(memory() - before)
"""

_RESPONSE: Final = (
    b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"id":"1"}'
)


@dataclass(frozen=True)
class _Place:
    """The folder that files are sent from, and the address that they go to."""

    folder: Path
    base: str

    @property
    def small(self) -> str:
        """Write a file of one byte."""
        return str(self.file(1))

    def file(self, size: int) -> Path:
        """Write a file of so many bytes that takes no room."""
        path = self.folder / f"{size}.mp4"
        with path.open("wb") as file:
            file.truncate(size)
        return path

    def program(self, upload: str, file: Path) -> str:
        """Return a program that defines `run()`, one upload of this file."""
        known = {"TOKEN": TOKEN, "BASE": self.base, "FILE": str(file), "SMALL": self.small}
        lines = [f"{name} = {value!r}" for name, value in known.items()]
        return "\n".join([*lines, upload, _READY])


def measure() -> Iterator[Figure | LeftOut]:
    """Measure processor time and memory of both clients, beside curl and other clients."""
    with (
        tempfile.TemporaryDirectory() as folder,
        server.running("benchmarks.uploading") as base,
    ):
        place = _Place(Path(folder), base)
        if not _STATUS.exists():
            yield LeftOut("memory", f"it is read from {_STATUS}")
        yield from _large(place)
        yield from _beside_peers(place)


def _large(place: _Place) -> Iterator[Figure | LeftOut]:
    """Measure the largest file."""
    ours = {"the client that waits": (_SYNC, 1.15), "asynchronous": (_ASYNC, 1.5)}
    file = place.file(LARGE)
    if shutil.which("curl") is None:
        yield LeftOut("curl", "it is not on the path")
    else:
        programs = {"curl": _CURL, **{name: program for name, (program, _) in ours.items()}}
        cases = {name: Worker(place.program(each, file)) for name, each in programs.items()}
        times = workers(cases, ROUNDS, number=1)
        for name, (_, target) in ours.items():
            yield Figure(f"2 GiB, {name}", times[name], "curl", times["curl"], target)
    grown = _grown({name: Worker(place.program(each, file)) for name, (each, _) in ours.items()})
    for name, samples in grown.items():
        yield Figure(f"2 GiB, {name}: memory grows", samples, target=8)


def _beside_peers(place: _Place) -> Iterator[Figure | LeftOut]:
    """Measure a smaller file, beside clients that may hold all of it."""
    makers = {
        _STOCK: peers.stock,
        _GENERATED: peers.openapi_generator,
        _REQUESTS: lambda: peers.installed("requests==2.34.2"),
    }
    file = place.file(MIDDLE)
    mine = "256 MiB, the client that waits"
    cases = {mine: Worker(place.program(_SYNC, file))}
    for upload, maker in makers.items():
        found, left_out = peers.present(maker)
        yield from left_out
        for peer in found:
            program = place.program(upload, file)
            cases[peer.name] = Worker(program, peer.python, peer.paths)
    times = workers(cases, ROUNDS, number=1)
    grown = _grown(cases)
    for name in cases:
        if name != mine:
            yield Figure(mine, times[mine], name, times[name])
            if grown:
                yield Figure("256 MiB: memory grows", grown[mine], name, grown[name])


def _grown(cases: Mapping[str, Worker]) -> dict[str, Samples]:
    """Return by how much the memory of each program grew, at its highest; nothing without /proc."""
    if not _STATUS.exists():
        return {}
    commands = {
        name: Process([["-c", case.program + _GROWN]], python=case.python, paths=case.paths)
        for name, case in cases.items()
    }
    return reported(commands, 1, "MB")


def serve() -> None:
    """Print the port, then take what comes until the process is ended."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        while True:
            connection, _ = listener.accept()
            Thread(target=_take, args=(connection,), daemon=True).start()


def _take(connection: socket.socket) -> None:
    buffer = memoryview(bytearray(1 << 20))
    with connection, suppress(ConnectionResetError):  # the other side may be killed
        while head := _head(connection):
            fields = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:-2])
            left = int(fields[b"content-length"])
            while left:
                left -= connection.recv_into(buffer, min(left, len(buffer))) or left
            connection.sendall(_RESPONSE)


def _head(connection: socket.socket) -> bytes:
    """Read the request line and the header fields; empty at the end of the connection."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = connection.recv(1)
        if not byte:
            return b""
        head += byte
    return head


if __name__ == "__main__":
    serve()
