"""Measurements: samples of two sides, their ratio, and a target."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

SECONDS: Final = "s"


@dataclass(frozen=True)
class Samples:
    """The samples of one thing, in the order in which they were taken.

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


@dataclass(frozen=True)
class Quartiles:
    """The middle half of some values: its ends, and the median in it."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True)
class Figure:
    """One line of a table: a thing, and what it is measured against.

    Attributes:
        what: what was done.
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
    def spread(self) -> Quartiles:
        """Return the value, between the quartiles of the single rounds."""
        found = self.ours.values
        if self.other:
            found = tuple(a / b for a, b in zip(found, self.other.values, strict=True))
        singles = quartiles(found)
        return Quartiles(singles.low, self.value, singles.high)

    @property
    def wall(self) -> float | None:
        """Return the ratio of the medians of the time on the clock, where both sides have it."""
        if self.other is None or not self.ours.wall or not self.other.wall:
            return None
        return statistics.median(self.ours.wall) / statistics.median(self.other.wall)

    @property
    def met(self) -> bool | None:
        """Return whether the target is met; None where there is none."""
        return None if self.target is None else self.value <= self.target


@dataclass(frozen=True)
class Series:
    """Course of a number.

    Attributes:
        what: it is a number of.
        points: seconds, and the number from then on.
        marks: seconds at which something happened that should not.
    """

    what: str
    points: tuple[tuple[float, float], ...]
    marks: tuple[float, ...] = ()


@dataclass(frozen=True)
class LeftOut:
    """Something that could not be measured here, such as a peer whose tools are missing."""

    what: str
    reason: str


def quartiles(values: Sequence[float]) -> Quartiles:
    """Return the quartiles of some values; of one value, that value."""
    if len(values) == 1:
        return Quartiles(values[0], values[0], values[0])
    # Inclusive: of few values, the other way goes beyond the lowest and the highest of them.
    return Quartiles(*statistics.quantiles(values, n=4, method="inclusive"))
