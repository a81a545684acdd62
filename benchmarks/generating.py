"""A run of the pipeline beside the stock generator."""

from __future__ import annotations

import os
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks import peers
from benchmarks.figures import Figure, Samples
from benchmarks.measuring import ROOT, Command, Cost, Process, cost, processes
from pipeline.fetching import fetch
from pipeline.openapi.problems import PipelineError

ROUNDS: Final = 7
LIST: Final = ROOT / "tests" / "contract" / "generality" / "documents.toml"
MATERIAL: Final = "BENCH_DOCUMENTS"
"""A folder that has the public documents by their names, which are fetched otherwise."""


def measure() -> Iterator[Figure | str]:
    """Measure `generate` into an empty folder, and `check`, on the same two documents.

    The stock generator runs its ruff hooks. Only `generate` and `check` also read, bundle, overlay
    and lint the documents.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("spec", "overlays"):
            shutil.copytree(ROOT / name, root / name)
        shutil.copy(ROOT / "LICENSE", root)
        configuration = shutil.copy(ROOT / "pyproject.toml", root)
        others = root / "others"
        others.mkdir()
        stock: list[Command] = []
        for document in peers.documents(others):
            command: Command = ["-m", "openapi_python_client", "generate", "--path", document]
            stock.append([*command, "--output-path", others / document.stem])
        ours = ["-m", "pipeline"]
        cases = {
            "generate": Process(
                [[*ours, "generate", "--config", configuration]],
                partial(_remove, root / "generated", root / "sandbox"),
            ),
            "check": Process([[*ours, "check", "--config", configuration]]),
            "stock": Process(stock, partial(_remove, *(each[-1] for each in stock))),
        }
        times = processes(cases, ROUNDS)
    for name in ("generate", "check"):
        yield Figure(name, times[name], "openapi-python-client, twice", times["stock"], 1)
    yield from _public()


def _public() -> Iterator[Figure | str]:
    """Measure `generate` of public documents: what it costs, as a part of what stock costs.

    Documents that the stock generator refuses are left out.
    """
    processor, memory, missing = [], [], []
    listed = tomllib.loads(LIST.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as caches:
        for turn, name in enumerate((next(iter(listed)), *listed)):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    ours, stock = _beside_stock(name, listed[name]["url"], Path(folder), caches)
                except (OSError, PipelineError, RuntimeError):
                    missing += [name] if turn else []
                    continue
            if turn:  # the first only warms things
                processor.append(ours.cpu / stock.cpu)
                memory.append(ours.memory / stock.memory)
    if missing:
        what = ", ".join(missing)
        yield f"{what} was left out: it could not be had, or stock does not generate it"
    if processor:
        title = f"{len(processor)} public documents, of what openapi-python-client needs:"
        yield Figure(f"{title} processor time", Samples(tuple(processor), "×"), target=0.9)
        yield Figure(f"{title} memory", Samples(tuple(memory), "×"), target=1.2)


def _beside_stock(name: str, url: str, folder: Path, caches: str) -> tuple[Cost, Cost]:
    """Return what our run of a document costs, and what the stock one does."""
    given = sorted(Path(os.environ.get(MATERIAL, folder)).glob(f"{name}.*"))
    document = given[0] if given else folder / Path(url).name
    if not given:
        document.write_bytes(fetch(url, folder))
    project = folder / "ours"
    cost(Process([["-m", "pipeline", "init", document, "-o", project]]), caches)
    ours: Command = ["-m", "pipeline", "generate", "--config", project / "pyproject.toml"]
    stock: Command = ["-m", "openapi_python_client", "generate", "--path", document]
    stock += ["--output-path", folder / "stock"]
    return cost(Process([ours]), caches), cost(Process([stock]), caches)


def _remove(*folders: str | Path) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
