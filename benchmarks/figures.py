"""Figures of a benchmark: samples of two sides, their ratio, a target; and the table of them."""

from __future__ import annotations

import os
import platform
import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SECONDS: Final = "s"
_HEAD: Final = (
    *("what", "ours", "against", "theirs", "ratio", "bar"),
    *("target", "result", "on the clock"),
)
_BAR: Final = 10  # characters that stand for what the other side costs
_SCALES: Final = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


@dataclass(frozen=True)
class Samples:
    """The samples of one side, in the order in which they were taken.

    Attributes:
        values: processor time (user and system) in seconds, or whatever else the unit says.
        unit: of the values: `s`, `MB`, `modules`, ...
        wall: time on the clock of each sample, seconds; empty where it is not asked for.
    """

    values: tuple[float, ...]
    unit: str = SECONDS
    wall: tuple[float, ...] = ()

    @property
    def median(self) -> float:
        """Return the median of the values."""
        return statistics.median(self.values)

    def above(self, base: Samples) -> Samples:
        """Return these samples less the median of others, such as those of an empty process."""
        wall = statistics.median(base.wall) if base.wall else 0.0
        return Samples(
            tuple(value - base.median for value in self.values),
            self.unit,
            tuple(value - wall for value in self.wall),
        )

    def __str__(self) -> str:
        """Return the median with its unit, and half the distance between the quartiles."""
        low, _, high = quartiles(self.values)
        size, unit = 1.0, self.unit
        if unit == SECONDS:
            size, unit = next((s for s in _SCALES if abs(self.median) >= s[0]), _SCALES[-1])
        half = (high - low) / 2 / size
        return f"{_number(self.median / size)} {unit}{f' ±{half:.2g}' if half else ''}"


@dataclass(frozen=True)
class Figure:
    """One line of a table: what was done, and what it is measured against.

    Attributes:
        ours: what it cost us.
        against: the name of the other way to do it.
        other: what that cost, in the same unit; None where there is nothing to compare with.
        target: what `value` should be at most; None where nothing is aimed at.
        why: what keeps the value from its target, and what was tried; shown where it is missed.
    """

    what: str
    ours: Samples
    against: str = ""
    other: Samples | None = None
    target: float | None = None
    why: str = ""

    @property
    def value(self) -> float:
        """Return the ratio of the medians, or the median alone where there is nothing beside it."""
        return self.ours.median / self.other.median if self.other else self.ours.median

    @property
    def met(self) -> bool | None:
        """Return whether the target is met; None where there is none."""
        return None if self.target is None else self.value <= self.target

    @property
    def ratio(self) -> str:
        """Return the ratio of the medians, and between which the middle half of the rounds lies."""
        if self.other is None:
            return ""
        pairs = zip(self.ours.values, self.other.values, strict=True)
        low, _, high = map(_number, quartiles([ours / other for ours, other in pairs]))
        return _number(self.value) + ("" if low == high else f" ({low}–{high})")

    @property
    def wall(self) -> str:
        """Return the ratio of the medians of the time on the clock, where both sides have it."""
        if self.other is None or not self.ours.wall or not self.other.wall:
            return ""
        return f"{statistics.median(self.ours.wall) / statistics.median(self.other.wall):.2f}"


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the quartiles of some values; of one value, that value."""
    if len(values) == 1:
        return (values[0],) * 3
    # Inclusive: of few values, the other way goes beyond the lowest and the highest of them.
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def table(results: Iterable[Figure | str]) -> str:
    """Return a Markdown table; below it why targets are missed, and what was left out and why."""
    rows, below = [_HEAD, ("---",) * len(_HEAD)], []
    for line in results:
        if isinstance(line, str):
            below.append(f"- {line}.")
            continue
        rows.append(_cells(line))
        if line.met is False:
            name = f"{line.what}, against {line.against}" if line.other else line.what
            below.append(f"- {name}: {line.why or 'missed, and not explained.'}")
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([*lines, "", *below, *([""] if below else []), f"On {machine()}.", ""])


def machine() -> str:
    """Describe the machine in one line: processor, cores, system, Python."""
    cpus = Path("/proc/cpuinfo")
    models = re.findall(r"model name\s*: (.*)", cpus.read_text()) if cpus.exists() else []
    processor = models[0] if models else platform.processor() or platform.machine()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{processor}, {cores} cores, {platform.system()}, {python}"


def _cells(figure: Figure) -> tuple[str, ...]:
    return (
        figure.what,
        str(figure.ours),
        figure.against,
        str(figure.other or ""),
        figure.ratio,
        bar(figure.value) if figure.other else "",
        "" if figure.target is None else f"≤ {figure.target:g}",
        {True: "met", False: "MISSED", None: ""}[figure.met],
        figure.wall,
    )


def bar(ratio: float) -> str:
    """Return our cost as a part of theirs, or what is more than theirs, up to twice as much."""
    length = max(1, min(2 * _BAR, round(_BAR * ratio)))
    less, more = min(length, _BAR), max(0, length - _BAR)
    end = "…" if ratio > 2 else ""
    return f"{'█' * less}{'░' * (_BAR - less)}{'▓' * more}{end}"


def _number(value: float) -> str:
    """Three digits, and no exponent."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{float(f'{value:.3g}'):g}"
