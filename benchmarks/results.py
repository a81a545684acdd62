"""Results as values that can be kept: what the tables, the charts and the documentation show."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from benchmarks.figures import Figure, LeftOut, Quartiles, Samples, Series, quartiles
from release.tree import place

FILE: Final = "results.json"


@dataclass(frozen=True)
class Side:
    """Cost of one side: the quartiles of its samples, in a unit."""

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
    target: float | None
    met: bool | None
    why: str


@dataclass(frozen=True)
class Result:
    """Results of one benchmark on one machine."""

    title: str
    machine: str
    lines: tuple[Line, ...]
    left_out: tuple[LeftOut, ...]
    series: tuple[Series, ...] = ()


def result(title: str, found: Iterable[Figure | LeftOut | Series]) -> Result:
    """Measure, and keep what comes out."""
    everything = list(found)
    return Result(
        title,
        machine(),
        tuple(_line(each) for each in everything if isinstance(each, Figure)),
        tuple(each for each in everything if isinstance(each, LeftOut)),
        tuple(each for each in everything if isinstance(each, Series)),
    )


def machine() -> str:
    """Describe the machine in one line: processor, cores, system, Python."""
    cpus = Path("/proc/cpuinfo")
    models = re.findall(r"model name\s*: (.*)", cpus.read_text()) if cpus.exists() else []
    processor = models[0] if models else platform.processor() or platform.machine()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{processor}, {cores} cores, {platform.system()}, {python}"


def load(folder: Path) -> dict[str, Result]:
    """Read the results in a folder, by the names of their benchmarks; none without a file."""
    file = folder / FILE
    if not file.exists():
        return {}
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Result])


def save(folder: Path, results: Mapping[str, Result]) -> None:
    """Write the results into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    place(folder / FILE, msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")


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
