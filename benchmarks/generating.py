"""A run of the pipeline beside other generators, and how its cost grows with the operations."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks import peers
from benchmarks.figures import SECONDS, Figure, LeftOut, Samples
from benchmarks.measuring import ROOT, Command, Process, processes
from benchmarks.projects import write_project

TITLE: Final = "Generating"

ROUNDS: Final = 7
_SLOW_ROUNDS: Final = 2  # of a generator that takes ten times as long
_SMALL, _MIDDLE, _LARGE = _SIZES = (25, 250, 1000)  # operations
_WHY: Final = (
    "For each operation the same functions are called as often at every size: a test counts them. "
    "What is left is noise of two differences, and memory: a larger run uses pages for the first "
    "time that a smaller one never needs."
)


def measure() -> Iterator[Figure | LeftOut]:
    """Measure `generate` into an empty folder, and `check`, beside other generators.

    The stock generator runs its ruff hooks. It refuses the `x-` members of a Responses Object,
    which OpenAPI allows, so both others read copies without these. Only `generate` and `check` also
    read, bundle, overlay and lint the documents. Then how both grow with the operations.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("spec", "overlays"):
            shutil.copytree(ROOT / name, root / name)
        shutil.copy(ROOT / "LICENSE", root)
        configuration = shutil.copy(ROOT / "pyproject.toml", root)
        documents = []
        for document in peers.effective():
            documents.append(root / document.name)
            documents[-1].write_text(peers.readable(document), encoding="utf-8")
        clear = partial(_clear, root)
        cases = {
            command: Process([["-m", "pipeline", command, "--config", configuration]], before)
            for command, before in (("generate", clear), ("check", None))
        }
        stock = {"openapi-python-client": _stock(documents, root / "others", clear)}
        yield from _beside(cases, stock, ROUNDS)
        try:
            other = _openapi_generator(documents, root / "others", clear)
        except peers.Missing as reason:
            yield LeftOut("openapi-generator", str(reason))
        else:
            yield from _beside({"generate": cases["generate"]}, other, _SLOW_ROUNDS)
    yield from _growing()


def _beside(cases: dict[str, Process], other: dict[str, Process], rounds: int) -> Iterator[Figure]:
    times = processes({**other, **cases}, rounds)
    for name in other:
        for command in cases:
            yield Figure(command, times[command], f"{name}, twice", times[name], 1)


def _stock(documents: list[Path], made: Path, clear: partial[None]) -> Process:
    command = ["-m", "openapi_python_client", "generate"]
    return Process(
        [[*command, "--path", each, "--output-path", made / each.stem] for each in documents],
        clear,
    )


def _openapi_generator(
    documents: list[Path], made: Path, clear: partial[None]
) -> dict[str, Process]:
    """Raises Missing where it cannot be had."""
    peer = peers.openapi_generator()
    start = "from openapi_generator_cli import cli; cli()"
    command = ["-c", start, "generate", "--generator-name", "python", "--skip-validate-spec"]
    return {
        peer.name: Process(
            [[*command, "--input-spec", each, "--output", made / each.stem] for each in documents],
            clear, peer.python, (),
        )
    }  # fmt: skip


def _clear(root: Path) -> None:
    for made in ("generated", "sandbox", "others"):
        shutil.rmtree(root / made, ignore_errors=True)
    (root / "others").mkdir()


def _growing() -> Iterator[Figure]:
    """Measure `generate` for made-up projects with 25, 250 and 1,000 operations.

    What one more operation costs is the difference of two sizes, divided by the operations between
    them: what every run costs is in none of it. The stock generator reads the effective document
    of the project with 250 operations.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        cases = {}
        for size in _SIZES:
            configuration = write_project(root / str(size), size)
            arguments: Command = ["-m", "pipeline", "generate", "--config", configuration]
            cases[str(size)] = Process(
                [arguments], partial(_remove, root / str(size) / "generated")
            )
        processes({"": cases[str(_MIDDLE)]}, 0)
        document = root / "stock.json"
        document.write_text(
            peers.readable(root / str(_MIDDLE) / "generated" / "openapi" / "main.json")
        )
        stock = root / "stock"
        command = ["-m", "openapi_python_client", "generate"]
        cases["stock"] = Process(
            [[*command, "--path", document, "--output-path", stock]], partial(_remove, stock)
        )
        times = processes(cases, ROUNDS)
    yield Figure(
        f"generate: an operation more, between {_MIDDLE} and {_LARGE:,}",
        _one_more(times, _MIDDLE, _LARGE),
        f"between {_SMALL} and {_MIDDLE}",
        _one_more(times, _SMALL, _MIDDLE),
        1.2,
        _WHY,
    )
    middle, stock_times = times[str(_MIDDLE)], times["stock"]
    yield Figure(f"generate: {_MIDDLE} operations", middle, "openapi-python-client", stock_times, 1)
    yield Figure(f"generate: {_LARGE:,} operations", times[str(_LARGE)])


def _one_more(times: Mapping[str, Samples], small: int, large: int) -> Samples:
    """Return what an operation costs, by the difference of two sizes."""
    more = times[str(large)].above(times[str(small)])

    def each(taken: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(seconds / (large - small) for seconds in taken)

    return Samples(each(more.values), SECONDS, each(more.wall))


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
