"""The ratios of a benchmark as a picture; on its scale, half and twice are equally far from 1."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import jinja2

from benchmarks.figures import Series
from benchmarks.results import Line, Result

_LEFT: Final = 3.0  # of the scale, in hundredths of the picture's width
_WIDTH: Final = 94.0
_TOP: Final = 26.0  # in pixels, as all that is measured downwards
_ROW: Final = 54.0
_STEPS: Final = (1, 2, 5)
_PANEL: Final = 130.0  # in pixels, from one panel to the next


@dataclass(frozen=True)
class Mark:
    """One ratio: its words, and where it stands.

    Attributes:
        label, against: a line of words each.
        y: of its line.
        x, low, high: of the ratio, and of the ends of its middle half.
        target: of what is aimed at; None where nothing is.
        state: `met`, `missed`, or empty where nothing is aimed at.
    """

    label: str
    against: str
    value: str
    y: float
    x: float
    low: float
    high: float
    target: float | None
    state: str


@dataclass(frozen=True)
class Tick:
    """A place on the scale."""

    x: float
    label: str


def chart(result: Result) -> str | None:
    """Return an SVG picture of the figures that are ratios; None where there are none."""
    lines = [line for line in result.lines if line.other and line.value.low > 0]
    return _drawn(result.title, lines) if lines else None


def overview(lines: Mapping[str, Line]) -> str | None:
    """Return a picture of one ratio of each benchmark, by its title; None for none at all."""
    named = [replace(line, what=f"{title}: {line.what}") for title, line in lines.items()]
    return _drawn("At a glance", named) if named else None


@dataclass(frozen=True)
class Panel:
    """The course of one number.

    Attributes:
        top, base: in pixels.
        most: the largest number.
        points: of the line, as SVG has them.
        ticks: every minute.
        marks: of moments.
    """

    label: str
    top: float
    base: float
    most: str
    points: str
    ticks: Sequence[Tick]
    marks: Sequence[float]


def course(result: Result) -> str | None:
    """Return an SVG picture of numbers over time, one below the other; None without any."""
    if not result.series:
        return None
    panels = [_panel(each, 28 + number * _PANEL) for number, each in enumerate(result.series)]
    bottom = 28 + len(panels) * _PANEL - 20
    return _template("over_time").render(title=result.title, panels=panels, bottom=bottom)


def _panel(series: Series, top: float) -> Panel:
    base = top + _PANEL - 50
    begin, end = series.points[0][0], series.points[-1][0]
    most = max(number for _, number in series.points)

    def x(moment: float) -> float:
        return round(40 + 670 * (moment - begin) / (end - begin), 1)

    steps: list[str] = []
    before = series.points[0][1]
    for moment, number in series.points:
        steps += [f"{x(moment)},{_y(each, most, top, base)}" for each in (before, number)]
        before = number
    minutes = range(math.ceil(begin / 60), math.floor(end / 60) + 1)
    ticks = [Tick(x(60 * each), f"{each} min") for each in minutes]
    marks = [x(each) for each in series.marks]
    return Panel(series.what, top, base, f"{most:g}", " ".join(steps), ticks, marks)


def _y(number: float, most: float, top: float, base: float) -> float:
    return round(base - (base - top) * number / most, 1)


def _drawn(title: str, lines: Sequence[Line]) -> str:
    ends = [1.0]
    for line in lines:
        # The ratio of the medians need not lie between the quartiles of the single ratios.
        ends += [line.value.low, line.value.middle, line.value.high]
        ends += [] if line.target is None else [line.target]
    ticks = _ticks(min(ends), max(ends))
    first, last = math.log(ticks[0]), math.log(ticks[-1])

    def x(ratio: float) -> float:
        return round(_LEFT + _WIDTH * (math.log(ratio) - first) / (last - first), 2)

    marks = [_mark(line, _TOP + number * _ROW, x) for number, line in enumerate(lines)]
    return _template("chart").render(
        title=title,
        marks=marks,
        ticks=[Tick(x(each), f"{each:g}") for each in ticks],
        one=x(1.0),
        bottom=_TOP + len(lines) * _ROW,
    )


def _mark(line: Line, y: float, x: Callable[[float], float]) -> Mark:
    return Mark(
        label=line.what,
        against=f"/ {line.against}",
        value=f"{line.value.middle:.3g}",
        y=y,
        x=x(line.value.middle),
        low=x(line.value.low),
        high=x(line.value.high),
        target=None if line.target is None else x(line.target),
        state={True: "met", False: "missed", None: ""}[line.met],
    )


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers around a range: 0.5, 1, 2, 5 …; powers of ten for a wide one."""
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    steps = _STEPS if high / low < 200 else (1,)
    every = [float(f"{step}e{power}") for power in powers for step in steps]
    first = max(number for number, each in enumerate(every) if each <= low)
    last = min(number for number, each in enumerate(every) if each >= high)
    return every[first : max(last, first + 1) + 1]


@cache
def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(f"{name}.svg.jinja")
