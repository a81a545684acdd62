"""A run of the pipeline beside the stock generator, and how its cost grows with the operations."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks import peers
from benchmarks.figures import SECONDS, Figure, Samples
from benchmarks.measuring import ROOT, Command, Process, processes
from benchmarks.projects import write_project

TITLE: Final = "Generating"

ROUNDS: Final = 7
_SMALL, _MIDDLE, _LARGE = _SIZES = (25, 250, 1000)  # operations
_WHY: Final = (
    "For each operation the same functions are called as often at every size: a test counts them. "
    "What is left is noise of two differences, and memory: a larger run uses pages for the first "
    "time that a smaller one never needs."
)


def measure() -> Iterator[Figure]:
    """Measure `generate` and `check` of this project, and `generate` of larger ones.

    The stock generator runs its ruff hooks. It refuses the `x-` members of a Responses Object,
    which OpenAPI allows, so it reads copies without these. Only `generate` and `check` also read,
    bundle, overlay and lint the documents.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("spec", "overlays"):
            shutil.copytree(ROOT / name, root / name)
        shutil.copy(ROOT / "LICENSE", root)
        configuration = shutil.copy(ROOT / "pyproject.toml", root)
        clear = partial(_remove, root / "generated", root / "sandbox")
        cases = {
            "generate": _pipeline("generate", configuration, clear),
            "check": _pipeline("check", configuration),
            "stock": _stock(root / "others", peers.effective()),
        }
        times = processes(cases, ROUNDS)
    stock = times.pop("stock")
    for command, ours in times.items():
        yield Figure(command, ours, "openapi-python-client, twice", stock, 1)
    yield from _growing()


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
            made = configuration.parent / "generated"
            cases[str(size)] = _pipeline("generate", configuration, partial(_remove, made))
        processes({"": cases[str(_MIDDLE)]}, 0)
        effective = root / str(_MIDDLE) / "generated" / "openapi" / "main.json"
        cases["stock"] = _stock(root / "others", [effective])
        times = processes(cases, ROUNDS)
    yield Figure(
        f"generate: an operation more, between {_MIDDLE} and {_LARGE:,}",
        _one_more(times, _MIDDLE, _LARGE),
        f"between {_SMALL} and {_MIDDLE}",
        _one_more(times, _SMALL, _MIDDLE),
        1.2,
        _WHY,
    )
    what, against = f"generate: {_MIDDLE} operations", "openapi-python-client"
    yield Figure(what, times[str(_MIDDLE)], against, times["stock"], 1)
    yield Figure(f"generate: {_LARGE:,} operations", times[str(_LARGE)])


def _pipeline(
    command: str, configuration: str | Path, before: partial[None] | None = None
) -> Process:
    return Process([["-m", "pipeline", command, "--config", configuration]], before)


def _stock(folder: Path, documents: Sequence[Path]) -> Process:
    """Return one run of the stock generator for each of the documents."""
    folder.mkdir()
    commands = []
    for document in documents:
        copy, made = folder / document.name, folder / document.stem
        copy.write_text(peers.readable(document), encoding="utf-8")
        command: Command = ["-m", "openapi_python_client", "generate", "--path", copy]
        commands.append([*command, "--output-path", made])
    return Process(commands, partial(_remove, *(folder / each.stem for each in documents)))


def _one_more(times: Mapping[str, Samples], small: int, large: int) -> Samples:
    """Return what an operation costs, by the difference of two sizes."""
    more = times[str(large)].above(times[str(small)])

    def each(taken: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(seconds / (large - small) for seconds in taken)

    return Samples(each(more.values), SECONDS, each(more.wall))


def _remove(*folders: Path) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
