"""What an upload costs, in calls and bytes that can be counted: nothing here is timed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import server
from benchmarks.measuring import CLIENT

# Every call of every thread is counted, of Python's functions and of C's, by the thread. A large
# file less a small one, in calls for each MiB between them.
PROGRAM = """
import asyncio, gc, sys, threading, tracemalloc
from collections import Counter
from social_publishing import AsyncSocialPublishing, SocialPublishing

KIND, BASE, WARM, SMALL, LARGE = sys.argv[1:]
MEDIA = BASE.replace("/v1", "/api/v1")
MAIN = threading.get_ident()
places = {"api_token": "t", "base_url": BASE, "media_url": MEDIA, "pacing": "off"}
calls = Counter()

def count(frame, event, argument):
    if event in ("call", "c_call"):
        calls["here" if threading.get_ident() == MAIN else "elsewhere"] += 1
        if event == "c_call" and argument.__name__ in ("read", "send"):
            calls[argument.__name__] += 1

async def upload_async(client, path):
    await client.media.upload(file=path)

def counted(upload, path):
    gc.collect()
    gc.disable()  # it would run in either thread
    calls.clear()
    threading.setprofile(count)
    sys.setprofile(count)
    upload(path)
    sys.setprofile(None)
    threading.setprofile(None)
    gc.enable()
    return Counter(calls)

def measure(upload):
    for _ in range(2):  # what is loaded and made once is there then, and found again
        counted(upload, WARM)
    small, large = counted(upload, SMALL), counted(upload, LARGE)
    tracemalloc.start()
    upload(LARGE)
    peak = tracemalloc.get_traced_memory()[1]
    for name in ("here", "elsewhere", "read", "send"):
        print(name, (large[name] - small[name]) / 32)
    print("peak", peak / 2**20)

if KIND == "sync":
    with SocialPublishing(**places) as client:
        measure(lambda path: client.media.upload(file=path))
else:
    runner = asyncio.Runner()
    client = AsyncSocialPublishing(**places)
    measure(lambda path: runner.run(upload_async(client, path)))
    runner.run(client.close())
    runner.close()
"""


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with server.running() as address:
        yield address


def costs(kind: str, base: str, folder: Path) -> dict[str, float]:
    """What one MiB costs: calls of the thread that asks and of others, reads, sends; the peak.

    All three files are long enough for a thread of their own.
    """
    paths = []
    for mebibytes in (16, 32, 64):
        paths.append(folder / f"{mebibytes}.mp4")
        with paths[-1].open("wb") as file:
            file.truncate(mebibytes << 20)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, kind, base, *map(str, paths)],
        env={**os.environ, "PYTHONPATH": str(CLIENT)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return {name: float(value) for name, value in map(str.split, done.stdout.splitlines())}


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_mebibyte_is_read_once_and_costs_few_calls(kind: str, base: str, tmp_path: Path) -> None:
    each = costs(kind, base, tmp_path)
    assert each["read"] <= 1.1
    assert each["send"] <= 8  # one, where the system takes it whole
    assert each["here"] + each["elsewhere"] <= 65, each  # 52
    assert each["peak"] <= 3  # MiB: the chunk that is sent, and the next one


def test_the_event_loop_has_no_part_in_a_long_upload(base: str, tmp_path: Path) -> None:
    each = costs("async", base, tmp_path)
    assert abs(each["here"]) < 1, each
