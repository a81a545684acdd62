"""How the cost of a run grows with the number of operations."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks import peers
from benchmarks.figures import SECONDS, Figure, Samples, at_most
from benchmarks.measuring import Process, processes
from benchmarks.projects import write_project

ROUNDS: Final = 7
_SIZES: Final = (25, 250, 1000)  # operations
_SMALL, _MIDDLE, _LARGE = _SIZES
_WHY: Final = (
    "For each operation the same functions are called as often at every size: a test counts them. "
    "What is left is noise of two differences, and memory: a larger run uses pages for the first "
    "time that a smaller one never needs."
)


def measure() -> Iterator[Figure]:
    """`generate` and `check` of made-up projects with 25, 250 and 1,000 operations.

    What one more operation costs is the difference of two sizes, divided by the operations between
    them: what every run costs is in none of it. The stock generator reads the effective document
    of the project with 250 operations.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        cases = {}
        for size in _SIZES:
            configuration = write_project(root / str(size), size)
            for command in ("generate", "check"):
                arguments = ["-m", "pipeline", command, "--config", configuration]
                made = root / str(size) / "generated"
                before = partial(_remove, made) if command == "generate" else None
                cases[f"{command} {size}"] = Process([arguments], before)
        processes({"": cases[f"generate {_MIDDLE}"]}, 0)
        document = root / "stock.json"
        document.write_text(
            peers.readable(root / str(_MIDDLE) / "generated" / "openapi" / "main.json")
        )
        stock = root / "stock"
        cases["stock"] = Process(
            [["-m", "openapi_python_client", "generate", "--path", document,
              "--output-path", stock]], partial(_remove, stock),
        )  # fmt: skip
        times = processes(cases, ROUNDS)
    for command in ("generate", "check"):
        yield Figure(
            f"{command}: an operation more, between {_MIDDLE} and {_LARGE:,}",
            _one_more(times, command, _MIDDLE, _LARGE),
            f"between {_SMALL} and {_MIDDLE}",
            _one_more(times, command, _SMALL, _MIDDLE),
            at_most(1.2),
            _WHY,
        )
        yield Figure(
            f"{command}: {_MIDDLE} operations",
            times[f"{command} {_MIDDLE}"],
            "openapi-python-client",
            times["stock"],
            at_most(1.0),
        )
        yield Figure(f"{command}: {_LARGE:,} operations", times[f"{command} {_LARGE}"])


def _one_more(times: Mapping[str, Samples], command: str, small: int, large: int) -> Samples:
    """What an operation costs, by the difference of two sizes."""
    more = times[f"{command} {large}"].above(times[f"{command} {small}"])

    def each(taken: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(seconds / (large - small) for seconds in taken)

    return Samples(each(more.values), SECONDS, each(more.wall))


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
