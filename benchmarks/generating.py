"""A run of the pipeline beside the stock generator."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks import peers
from benchmarks.figures import Figure
from benchmarks.measuring import ROOT, Command, Process, processes

ROUNDS: Final = 7


_WHY: Final = (
    "Both read with openapi-python-client; what else a run does comes on top: it bundles, overlays,"
    " lints, reads once more, and writes more."
)


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
        yield Figure(name, times[name], "openapi-python-client, twice", times["stock"], 0.9, _WHY)


def _remove(*folders: str | Path) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
