"""Results as values that can be kept: what the tables, the charts and the documentation show."""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.figures import Figure, LeftOut, Quartiles, Samples, Target, quartiles
from release.tree import place

FILE: Final = "results.json"


@dataclass(frozen=True)
class Side:
    """What one side cost: the quartiles of its samples, in a unit."""

    cost: Quartiles
    unit: str


@dataclass(frozen=True)
class Line:
    """A figure without its samples."""

    what: str
    ours: Side
    against: str
    other: Side | None
    value: Quartiles
    wall: float | None
    target: Target | None
    met: bool | None
    why: str


@dataclass(frozen=True)
class Result:
    """What one benchmark gave on one machine."""

    title: str
    machine: str
    lines: tuple[Line, ...]
    left_out: tuple[LeftOut, ...]


def result(title: str, found: Iterable[Figure | LeftOut]) -> Result:
    """Measure, and keep what comes out."""
    everything = list(found)
    return Result(
        title,
        machine(),
        tuple(_line(each) for each in everything if isinstance(each, Figure)),
        tuple(each for each in everything if isinstance(each, LeftOut)),
    )


def machine() -> str:
    """The machine in one line: processor, cores, system, Python."""
    cpus = Path("/proc/cpuinfo")
    models = re.findall(r"model name\s*: (.*)", cpus.read_text()) if cpus.exists() else []
    processor = models[0] if models else platform.processor() or platform.machine()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{processor}, {cores} cores, {platform.system()}, {python}"


def load(folder: Path) -> dict[str, Result]:
    """The results in a folder, by the names of their benchmarks; none where there is no file."""
    file = folder / FILE
    if not file.exists():
        return {}
    data = json.loads(file.read_text(encoding="utf-8"))
    return {name: _result(each) for name, each in data.items()}


def save(folder: Path, results: Mapping[str, Result]) -> None:
    """Write the results into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    data = {name: asdict(each) for name, each in results.items()}
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    place(folder / FILE, text.encode())


def _line(figure: Figure) -> Line:
    return Line(
        figure.what,
        _side(figure.ours),
        figure.against,
        _side(figure.other) if figure.other else None,
        _rounded(figure.spread),
        None if figure.wall is None else _round(figure.wall),
        figure.target,
        figure.met,
        figure.why,
    )


def _side(samples: Samples) -> Side:
    return Side(_rounded(quartiles(samples.values)), samples.unit)


def _rounded(found: Quartiles) -> Quartiles:
    return Quartiles(_round(found.low), _round(found.middle), _round(found.high))


def _round(value: float) -> float:
    return float(f"{value:.4g}")


def _result(data: Mapping[str, Any]) -> Result:
    lines = tuple(
        Line(
            **{
                **each,
                "ours": _read_side(each["ours"]),
                "other": each["other"] and _read_side(each["other"]),
                "value": Quartiles(**each["value"]),
                "target": each["target"] and Target(**each["target"]),
            }
        )
        for each in data["lines"]
    )
    left_out = tuple(LeftOut(**each) for each in data["left_out"])
    return Result(data["title"], data["machine"], lines, left_out)


def _read_side(data: Mapping[str, Any]) -> Side:
    return Side(Quartiles(**data["cost"]), data["unit"])
