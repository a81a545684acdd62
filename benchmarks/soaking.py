"""Soak test: ten minutes of both clients against a sandbox with all its faults.

`SOAKING_SHARE` in the environment makes it shorter: 0.01 is a hundredth of the time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.enduring import Held, judge
from benchmarks.figures import Figure, LeftOut, Samples
from benchmarks.measuring import CLIENT, ROOT

TITLE: Final = "Over time"

SANDBOX: Final = ROOT / "sandbox" / "src"
SECONDS: Final = 600.0
UNDER_WAY: Final = 5.0  # MB: what 72 callers have at once differs by as much


def measure() -> Iterator[Figure | LeftOut]:
    """Measure what clients leave behind, and what they believe of their writes, under faults."""
    if Path("/proc/self/statm").exists():
        yield from soak(max(5.0, SECONDS * float(os.environ.get("SOAKING_SHARE", "1"))))
    else:
        yield LeftOut("what a process holds", "it is read from /proc")


def soak(seconds: float) -> Iterator[Figure]:
    """Run both clients against a sandbox with all its faults; its request log and posts judge."""
    with tempfile.TemporaryDirectory() as folder:
        outcomes, carried_out = Path(folder, "outcomes"), Path(folder, "carried-out")
        with subprocess.Popen(
            _command("serve", carried_out), cwd=ROOT, env=_variables(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        ) as sandbox:  # fmt: skip
            assert sandbox.stdin is not None and sandbox.stdout is not None
            place = sandbox.stdout.readline()
            clients = subprocess.run(
                _command("soak", place, seconds, outcomes), cwd=ROOT, env=_variables(),
                stdout=subprocess.PIPE, check=True,
            )  # fmt: skip
            known = json.loads(sandbox.communicate("end\n")[0])
        found = judge(outcomes, carried_out, known["contents"])
    lines = clients.stdout.splitlines()
    before, early, late, closed = (Held(**json.loads(line)) for line in lines)
    name = f"{seconds / 60:.3g} minutes of faults"
    yield Figure(f"{name}: writes", Samples((found["writes"],), "writes"))
    yield Figure(f"{name}: writes whose outcome is unknown", Samples((found["unknown"],), "writes"))
    for what, number in {
        "writes carried out twice": found["twice"] + len(known["duplicates"]),
        "writes reported as done that were not": found["lost"],
        "writes reported as not done that were": found["denied"],
        "posts that are not as the last change left them": found["other"],
        "requests beyond the rate": known["refused"],
    }.items():
        yield Figure(f"{name}: {what}", Samples((number,), what.partition(" ")[0]), target=0)
    grown = Samples((late.memory - early.memory,), "MB")
    what = "both clients in it, from a fifth of it to its end: memory more"
    yield Figure(what, grown, target=UNDER_WAY)
    for what in ("handles", "threads"):
        more = Samples((getattr(closed, what) - getattr(before, what),), what)
        yield Figure(f"both clients, closed after it: {what} more", more, target=0)


def _command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "benchmarks.enduring", *map(str, arguments)]


def _variables() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, CLIENT, SANDBOX)))}
