"""A whole run of the pipeline against the stock generator on the same two effective documents."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from benchmarks import peers
from benchmarks.figures import Figure, at_most
from benchmarks.measuring import ROOT, Process, processes

TITLE = "Generating"

ROUNDS = 11


def measure() -> list[Figure]:
    """`generate` into an empty folder, and `check`, against `openapi-python-client generate`.

    The stock generator runs its ruff hooks, once for each document. It refuses the `x-` members of
    a Responses Object, which OpenAPI allows, so it reads copies without these.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("spec", "overlays"):
            shutil.copytree(ROOT / name, root / name)
        configuration = str(shutil.copy(ROOT / "pyproject.toml", root))
        stock = []
        for document in peers.effective():
            readable = root / document.name
            readable.write_text(peers.readable(document), encoding="utf-8")
            made = str(root / "stock" / document.stem)
            stock.append(
                ["-m", "openapi_python_client", "generate",
                 "--path", str(readable), "--output-path", made]
            )  # fmt: skip

        def clear() -> None:
            for made in ("generated", "stock"):
                shutil.rmtree(root / made, ignore_errors=True)
            (root / "stock").mkdir()

        pipeline = ["-m", "pipeline"]
        cases = {
            "stock": Process(stock, clear),
            "generate": Process([[*pipeline, "generate", "--config", configuration]], clear),
            "check": Process([[*pipeline, "check", "--config", configuration]]),
        }
        times = processes(cases, ROUNDS)
    against = "openapi-python-client, twice"
    return [
        Figure("generate", times["generate"], against, times["stock"], at_most(1.0)),
        Figure("check", times["check"], against, times["stock"]),
    ]
