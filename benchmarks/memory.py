"""What many posts take once they are read."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks import coding
from benchmarks.figures import Figure, LeftOut, at_most
from benchmarks.measuring import CLIENT, Process, told

TITLE = "Memory"

ROUNDS: Final = 2  # memory hardly differs between them
POSTS: Final = 10_000
FEWER: Final = "half of the fields"

WHY: Final = (
    "The texts take as much on both sides. A dictionary has room for the fields that it has; an "
    "object of the client has a place for every documented field."
)

# How much the memory of the process grows, which is what it has of the machine's, in MB.
_HOLD: Final = f"""
import os
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
read()
before = resident()
pages = [read() for _ in range({POSTS // coding.POSTS})]
print(resident() - before)
"""


def measure() -> Iterator[Figure | LeftOut]:
    """How much a process grows when it reads 10,000 posts and keeps them all."""
    if not Path("/proc/self/statm").exists():
        yield LeftOut("memory", "this system does not tell a process how much it has")
        return
    ways, missing = coding.found()
    yield from missing
    dicts = {name: way for name, way in ways.items() if way[0] == coding.DICTS}
    with tempfile.TemporaryDirectory() as folder:
        yield from _kept(coding.FULL, coding.bodies(Path(folder), coding.FULL), ways)
        yield from _kept(FEWER, coding.bodies(Path(folder), FEWER), dicts)


def _kept(shape: str, body: str, ways: coding.Ways) -> Iterator[Figure]:
    cases = {"": Process([["-c", body + coding.OURS + _HOLD]], paths=(CLIENT,))}
    for name, (program, peer) in ways.items():
        command = ["-c", body + program + _HOLD]
        cases[name] = Process([command], python=peer.python, paths=peer.paths)
    taken = told(cases, ROUNDS, "MB")
    for name, (program, _) in ways.items():
        target = at_most(0.6) if program == coding.DICTS else None
        yield Figure(f"{POSTS:,} posts, {shape}", taken[""], name, taken[name], target, WHY)
