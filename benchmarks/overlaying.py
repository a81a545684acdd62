"""The overlay engine beside others that apply OpenAPI Overlays."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from benchmarks import peers
from benchmarks.figures import Figure, LeftOut, at_most
from benchmarks.measuring import ROOT, Process, Worker, processes, workers
from benchmarks.projects import write_project
from pipeline.config import load_config
from pipeline.openapi.bundle import bundle
from pipeline.openapi.documents import load
from pipeline.openapi.yamls import dump

TITLE = "Overlays"

ROUNDS: Final = 7
_OPERATIONS: Final = 110  # a document of 7,000 lines
_OAS_PATCH: Final = "oas-patch==0.6.0"
_REDOCLY: Final = "@redocly/cli@2.77.0"
_OURS: Final = "pipeline overlay"

_APPLY: Final = """
from pathlib import Path
from pipeline.openapi.documents import load
from pipeline.openapi.overlay import apply, parse_overlay
from pipeline.openapi.overlay.query import compile_query

document, overlay = load(Path({document!r})), load(Path({overlay!r}))

def run():
    compile_query.cache_clear()  # oas-patch reads the paths each time, too
    apply(document, [parse_overlay(overlay)])
"""
# It changes both, so each call has copies that were made before.
_APPLY_OAS_PATCH: Final = """
import copy, gc, time, yaml
from oas_patch.overlay import apply_overlay

with open({document!r}) as document, open({overlay!r}) as overlay:
    document, overlay = (yaml.load(each, yaml.CSafeLoader) for each in (document, overlay))

def sample(number):
    copies = [copy.deepcopy((document, overlay)) for _ in range(number)]
    gc.collect()
    gc.disable()
    cpu, wall = time.process_time(), time.perf_counter()
    for each in copies:
        apply_overlay(*each)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    gc.enable()
    return cpu / number, wall / number
"""


@dataclass(frozen=True)
class _Case:
    """A document and one overlay with all its actions, as files."""

    name: str
    document: Path
    overlay: Path

    def made(self, by: str) -> Path:
        """Where the result of an engine goes."""
        return self.document.with_name(f"{by.split()[0].strip('@').replace('/', '-')}.yaml")


def measure() -> Iterator[Figure | LeftOut]:
    """Whole commands, from their start to a written file; and the applying alone, in a process.

    All engines read the same two files and must make the same data; who does not is left out. The
    overlay has no words of ours, and no target that oas-patch 0.6 stops at: items of arrays that
    are selected by a filter.
    """
    with tempfile.TemporaryDirectory() as folder:
        for case in (_own(Path(folder, "own")), _grown(Path(folder, "grown"))):
            yield from _commands(case)
            yield from _applying(case)


def _commands(case: _Case) -> Iterator[Figure | LeftOut]:
    ours: list[str | Path] = [
        "-m",
        "pipeline",
        "overlay",
        case.document,
        case.overlay,
        "-o",
        case.made(_OURS),
    ]
    cases = {_OURS: Process([ours])}
    for make in (_oas_patch, _redocly):
        try:
            name, process = make(case)
            processes({name: process}, 0)
        except (peers.Missing, RuntimeError) as reason:
            yield LeftOut(make.__name__.strip("_"), str(reason).splitlines()[0])
        else:
            cases[name] = process
    processes({_OURS: cases[_OURS]}, 0)
    right = _data(case.made(_OURS))
    for name in [each for each in cases if _data(case.made(each)) != right]:
        yield LeftOut(name, f"{case.name}: its result is not the same data")
        del cases[name]
    times = processes(cases, ROUNDS)
    for name in cases:
        if name != _OURS:
            what = f"{case.name}: from start to file"
            yield Figure(what, times[_OURS], name, times[name], at_most(1.0))


def _applying(case: _Case) -> Iterator[Figure | LeftOut]:
    try:
        peer = peers.installed(_OAS_PATCH)
    except peers.Missing:
        return  # said above
    files = {"document": str(case.document), "overlay": str(case.overlay)}
    times = workers(
        {
            "ours": Worker(_APPLY.format(**files), paths=(ROOT,)),
            peer.name: Worker(_APPLY_OAS_PATCH.format(**files), peer.python, ()),
        },
        ROUNDS,
        5,
    )
    what = f"{case.name}: applying alone"
    yield Figure(what, times["ours"], peer.name, times[peer.name], at_most(1.0))


def _oas_patch(case: _Case) -> tuple[str, Process]:
    peer = peers.installed(_OAS_PATCH)
    start = "from oas_patch.oas_patcher_cli import cli; cli()"
    command: list[str | Path] = [
        "-c",
        start,
        "overlay",
        case.document,
        case.overlay,
        "-o",
        case.made(peer.name),
    ]
    return peer.name, Process([command], python=peer.python, paths=())


def _redocly(case: _Case) -> tuple[str, Process]:
    name = _REDOCLY.replace("cli@", "cli ")
    command: list[str | Path] = [
        "env", "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true",
        peers.npm(_REDOCLY, "redocly"), "bundle", case.document, "--overlay", case.overlay,
        "-o", case.made(name),
    ]  # fmt: skip
    return name, Process([command], python=None, paths=())


def _own(folder: Path) -> _Case:
    """The main document with all its overlays."""
    source = next(
        each for each in load_config(ROOT / "pyproject.toml").sources if each.name == "main"
    )
    return _case(folder, bundle(source.path).data, source.overlay_files())


def _grown(folder: Path) -> _Case:
    """A made-up document of many operations."""
    source = load_config(write_project(folder / "project", _OPERATIONS)).sources[0]
    return _case(folder, bundle(source.path).data, source.overlay_files())


def _case(folder: Path, document: Any, overlays: list[Path]) -> _Case:
    loaded = [load(file).data for file in overlays]
    able = [
        {key: value for key, value in action.items() if not key.startswith("x-")}
        for each in loaded
        for action in each["actions"]
        if _simple(action["target"])
    ]
    files = {
        "document.yaml": dump(document),
        "overlay.yaml": dump({**loaded[0], "actions": able}),
    }
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    lines = files["document.yaml"].count("\n")
    return _Case(
        f"{lines:,} lines, {len(able)} actions", folder / "document.yaml", folder / "overlay.yaml"
    )


def _simple(target: str) -> bool:
    """Whether a target selects anything but items of arrays by a filter."""
    return not ("[?" in target and target.endswith("]"))


def _data(made: Path) -> Any:
    return yaml.load(made.read_text(encoding="utf-8"), yaml.CSafeLoader)
