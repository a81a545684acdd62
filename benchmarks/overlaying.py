"""The overlay engine beside others that apply OpenAPI Overlays."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from benchmarks import peers
from benchmarks.figures import Figure, LeftOut
from benchmarks.measuring import Command, Process, processes
from benchmarks.projects import write_project
from pipeline.config import load_config
from pipeline.openapi.documents import load
from pipeline.openapi.yamls import dump

TITLE: Final = "Overlays"

ROUNDS: Final = 7
_OPERATIONS: Final = 110  # a document of 7,000 lines
_OAS_PATCH: Final = "oas-patch==0.6.0"
_REDOCLY: Final = "@redocly/cli@2.77.0"
_OURS: Final = "pipeline overlay"


@dataclass(frozen=True)
class _Case:
    """A document and one overlay with all its actions, as files."""

    name: str
    document: Path
    overlay: Path

    def made(self, by: str) -> Path:
        """Return where the result of an engine goes."""
        return self.document.with_name(f"{by.split()[0].strip('@').replace('/', '-')}.yaml")


def measure() -> Iterator[Figure | LeftOut]:
    """Measure whole commands, from their start to a written file.

    All engines read the same two files and must make the same data; one that does not is left out.
    The overlay has no words of ours, and no target that oas-patch 0.6 stops at: items of arrays
    that are selected by a filter.
    """
    with tempfile.TemporaryDirectory() as folder:
        case = _case(Path(folder))
        command: Command = ["-m", "pipeline", "overlay", case.document, case.overlay]
        cases = {_OURS: Process([[*command, "-o", case.made(_OURS)]])}
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
        ours = times.pop(_OURS)
        for name, other in times.items():
            yield Figure(f"{case.name}: from start to file", ours, name, other, 1)


def _oas_patch(case: _Case) -> tuple[str, Process]:
    peer = peers.installed(_OAS_PATCH)
    command: Command = ["-c", "from oas_patch.oas_patcher_cli import cli; cli()", "overlay"]
    files: Command = [case.document, case.overlay, "-o", case.made(peer.name)]
    return peer.name, Process([[*command, *files]], python=peer.python, paths=())


def _redocly(case: _Case) -> tuple[str, Process]:
    name = _REDOCLY.replace("cli@", "cli ")
    quiet = ["env", "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true"]
    command: Command = [*quiet, peers.npm(_REDOCLY, "redocly"), "bundle"]
    files: Command = [case.document, "--overlay", case.overlay, "-o", case.made(name)]
    return name, Process([[*command, *files]], python=None, paths=())


def _case(folder: Path) -> _Case:
    """Write a made-up document of many operations, and its overlays as one."""
    source = load_config(write_project(folder / "project", _OPERATIONS)).sources[0]
    overlays = [load(file).data for file in source.overlay_files()]
    able = [
        {key: value for key, value in action.items() if not key.startswith("x-")}
        for each in overlays
        for action in each["actions"]
        if _simple(action["target"])
    ]
    overlay = folder / "overlay.yaml"
    overlay.write_text(dump({**overlays[0], "actions": able}), encoding="utf-8")
    lines = source.path.read_text(encoding="utf-8").count("\n")
    return _Case(f"{lines:,} lines, {len(able)} actions", source.path, overlay)


def _simple(target: str) -> bool:
    """Return whether a target selects anything but items of arrays by a filter."""
    return not ("[?" in target and target.endswith("]"))


def _data(made: Path) -> Any:
    return yaml.load(made.read_text(encoding="utf-8"), yaml.CSafeLoader)
