"""An upload over the loopback: the two clients beside curl and other clients.

The file is sparse, so that no disk is measured, and the other end throws everything away. Each
program is warm: it has sent a small file before.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks import peers, server
from benchmarks.figures import Figure, Samples
from benchmarks.measuring import TOKEN, Process, Worker, reported, workers

ROUNDS: Final = 7
LARGE: Final = 2 << 30  # bytes, the most that the service takes
MIDDLE: Final = 256 << 20  # bytes; for clients that hold all of a file, some of them several times
_STATUS: Final = Path("/proc/self/status")

_OURS: Final = """
import asyncio
from social_publishing import AsyncSocialPublishing, SocialPublishing
PLACES = {"api_token": TOKEN, "base_url": BASE, "media_url": BASE.replace("/v1", "/api/v1")}
"""
_SYNC: Final = """
client = SocialPublishing(**PLACES)
def upload(path):
    client.media.upload(file=path)
"""
_ASYNC: Final = """
loop = asyncio.new_event_loop()
client = AsyncSocialPublishing(**PLACES)
def upload(path):
    loop.run_until_complete(client.media.upload(file=path))
"""
# A process for each file: its small upload is subtracted.
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
def memory():
    found = re.search(r"VmHWM:\\s*(\\d+) kB", open("/proc/self/status").read())
    return int(found[1]) * 1024 / 1e6
before = memory()
run()
print(memory() - before)
"""


def measure() -> Iterator[Figure | str]:
    """Measure processor time and memory of both clients, beside curl and other clients."""
    others, missing = peers.present(
        {
            peers.stock: _STOCK,
            peers.openapi_generator: _GENERATED,
            partial(peers.installed, "requests==2.34.2"): _REQUESTS,
        }
    )
    yield from missing
    with tempfile.TemporaryDirectory() as folder, server.running() as base:
        small, middle, large = (_sparse(Path(folder), size) for size in (1, MIDDLE, LARGE))

        def program(upload: str, file: str) -> str:
            known = {"TOKEN": TOKEN, "BASE": base, "FILE": file, "SMALL": small}
            values = "".join(f"{name} = {value!r}\n" for name, value in known.items())
            return values + upload + _READY

        ours = {"the client that waits": _OURS + _SYNC, "asynchronous": _OURS + _ASYNC}
        cases = {name: Worker(program(upload, large)) for name, upload in ours.items()}
        if shutil.which("curl"):
            times = workers({"curl": Worker(program(_CURL, large)), **cases}, ROUNDS, number=1)
            for name, target in zip(ours, (1.15, 1.5), strict=True):
                yield Figure(f"2 GiB, {name}", times[name], "curl", times["curl"], target)
        else:
            yield "curl was left out: it is not on the path"
        if _STATUS.exists():
            for name, grown in _grown(cases).items():
                yield Figure(f"2 GiB, {name}: memory grows", grown, target=8)
        else:
            yield f"memory was left out: it is read from {_STATUS}"

        mine = "256 MiB, the client that waits"
        cases = {mine: Worker(program(_OURS + _SYNC, middle))}
        for peer, upload in others.items():
            cases[peer.name] = Worker(program(upload, middle), peer.python, peer.paths)
        times = workers(cases, ROUNDS, number=1)
        memory = _grown(cases) if _STATUS.exists() else {}
        for peer in others:
            yield Figure(mine, times[mine], peer.name, times[peer.name])
            if memory:
                what = "256 MiB: memory grows"
                yield Figure(what, memory[mine], peer.name, memory[peer.name])


def _sparse(folder: Path, size: int) -> str:
    """Write a file of so many bytes that takes no room."""
    path = folder / f"{size}.mp4"
    with path.open("wb") as file:
        file.truncate(size)
    return str(path)


def _grown(cases: dict[str, Worker]) -> dict[str, Samples]:
    """Return by how much the memory of each program grows, at its highest."""
    commands = {
        name: Process([["-c", case.program + _GROWN]], python=case.python, paths=case.paths)
        for name, case in cases.items()
    }
    return reported(commands, 1, "MB")
