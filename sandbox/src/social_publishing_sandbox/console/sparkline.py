"""A row of numbers as a small line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 96
HEIGHT: Final = 24
_MARGIN: Final = 2  # so that the line's own width is not cut off


@dataclass(frozen=True, slots=True)
class Sparkline:
    """The points of a line, and of the area below it, for SVG's `polyline` and `polygon`."""

    line: str
    area: str
    last: tuple[float, float]


def draw(values: Sequence[float]) -> Sparkline | None:
    """Return the line through these values, from zero up; None for less than two of them."""
    if len(values) < 2:
        return None
    top = max(values) or 1
    across, down = WIDTH - 2 * _MARGIN, HEIGHT - 2 * _MARGIN
    points = [
        (
            round(_MARGIN + across * index / (len(values) - 1), 1),
            round(HEIGHT - _MARGIN - down * value / top, 1),
        )
        for index, value in enumerate(values)
    ]
    line = " ".join(f"{x},{y}" for x, y in points)
    base = HEIGHT - _MARGIN
    area = f"{_MARGIN},{base} {line} {WIDTH - _MARGIN},{base}"
    return Sparkline(line, area, points[-1])
