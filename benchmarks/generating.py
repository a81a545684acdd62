"""A whole run of the pipeline beside other generators, on the same two effective documents."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks import growing, peers
from benchmarks.figures import Figure, LeftOut, at_most
from benchmarks.measuring import ROOT, Process, processes

TITLE = "Generating"

ROUNDS: Final = 7
_SLOW_ROUNDS: Final = 2  # of a generator that takes ten times as long


def measure() -> Iterator[Figure | LeftOut]:
    """`generate` into an empty folder, and `check`, against other generators, one run a document.

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
    yield from growing.measure()


def _beside(cases: dict[str, Process], other: dict[str, Process], rounds: int) -> Iterator[Figure]:
    times = processes({**other, **cases}, rounds)
    for name in other:
        for command in cases:
            yield Figure(command, times[command], f"{name}, twice", times[name], at_most(1.0))


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
