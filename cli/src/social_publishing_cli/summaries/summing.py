"""Adds up metrics: all of them, by network, account, weekday and hour, beside the month before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, NamedTuple

from ..catalogues import network_title
from ..metrics import COUNTS
from ..output import counted
from ..sheets.cells import zone_named
from ..sheets.exporting import Month

Row = Mapping[str, Any]
Number = float | None
"""None where the service does not say."""

MEASURES: Final = (*COUNTS, "score")
"""What bars can show."""

_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MOST: Final = 5  # of the best, and of the worst


class Dimension(NamedTuple):
    """How publications are put together.

    Attributes:
        key: What a publication belongs to; "" where that is not known.
        title: What this is called.
        is_mean: Whether bars show the mean of a publication, so that days and hours with many of
            them can be compared with those that have few; else the sum.
    """

    key: Callable[[Row], str]
    title: Callable[[Row], str]
    is_mean: bool = False


DIMENSIONS: Final[Mapping[str, Dimension]] = {
    "network": Dimension(lambda row: row["network"], lambda row: network_title(row["network"])),
    "account": Dimension(lambda row: row["account"], lambda row: row["account_name"]),
    "weekday": Dimension(lambda row: row["weekday"], lambda row: row["weekday"], True),
    "hour": Dimension(
        lambda row: row["published"][11:13], lambda row: f"{row['published'][11:13]}:00", True
    ),
}


class Sums(NamedTuple):
    """Publications added up.

    Attributes:
        publications: How many there are: of each post, one for each account.
        counts: The sum of each count over the publications that have it, and the mean of `score`.
        means: Of each of these, the mean over the publications that have it.
    """

    publications: int
    counts: Mapping[str, Number]
    means: Mapping[str, Number]

    def of(self, measure: str, is_mean: bool) -> Number:
        """Return the sum of a measure, or its mean; of `score` always the mean."""
        return (self.means if is_mean else self.counts)[measure]


class Part(NamedTuple):
    """The publications of one network, account, weekday or hour; `before`: of the month before."""

    key: str
    title: str
    now: Sums
    before: Sums | None


class Bar(NamedTuple):
    """What the bars of a part show."""

    part: Part
    now: Number
    before: Number


class Summary(NamedTuple):
    """What the publications of a month did.

    Attributes:
        groups: What the groups are called.
        period: The month, such as "December 2026"; "all months" without one.
        rows: The metrics of each publication (`metrics.FIELDS`).
        previous: The month before; "" where it is not compared with.
        rows_before: Those of the month before.
        measure: What the bars show, one of `MEASURES`.
        so_far: A sentence about a month that is not over; "" if it is.
    """

    groups: str
    period: str
    rows: Sequence[Row]
    previous: str
    rows_before: Sequence[Row]
    measure: str
    so_far: str

    @property
    def title(self) -> str:
        """What it is about."""
        return f"{self.groups}, {self.period}"

    @property
    def notes(self) -> list[str]:
        """What to know before the numbers are read."""
        zones = ", ".join(dict.fromkeys(row["timezone"] for row in self.rows))
        posts = len({row["post"] for row in self.rows})
        size = f"{counted(posts, 'published post')}, {counted(len(self.rows), 'publication')}"
        about = f"{size}: one for each account of a post. Times in {zones}."
        notes = [about if self.rows else "No post was published."]
        if self.so_far:
            notes.append(self.so_far)
        return notes

    @property
    def total(self) -> Part:
        """All publications."""
        before = sums(self.rows_before) if self.previous else None
        return Part("all", self.period, sums(self.rows), before)

    def parts(self, name: str) -> list[Part]:
        """Return the publications by a dimension: days and hours in order, others most first."""
        dimension = DIMENSIONS[name]
        now, before = (_split(rows, dimension.key) for rows in (self.rows, self.rows_before))
        titles = {key: dimension.title(rows[0]) for key, rows in {**now, **before}.items()}
        shared = Counter(titles.values())
        found = [
            Part(
                key,
                title if shared[title] == 1 else f"{title} {key}",
                sums(now.get(key, ())),
                sums(before.get(key, ())) if self.previous else None,
            )
            for key, title in titles.items()
        ]
        orders: dict[str, Callable[[Part], Any]] = {
            "weekday": lambda part: _DAYS.index(part.key),
            "hour": lambda part: part.key,
        }
        return sorted(found, key=orders.get(name, self._by_size))

    @property
    def charted(self) -> list[str]:
        """The dimensions that are drawn: accounts only where a network has several."""
        several = len(self.parts("account")) > len(self.parts("network"))
        return [name for name in DIMENSIONS if self.rows and (several or name != "account")]

    def bars(self, name: str) -> list[Bar]:
        """Return the bars of a dimension."""

        def shown(sums: Sums | None) -> Number:
            return sums.of(self.measure, DIMENSIONS[name].is_mean) if sums else None

        return [Bar(each, shown(each.now), shown(each.before)) for each in self.parts(name)]

    def heading(self, name: str) -> str:
        """Say what the bars of a dimension show."""
        of = " of a publication" if DIMENSIONS[name].is_mean or self.measure == "score" else ""
        what = f"{'mean ' * bool(of)}{words(self.measure)}{of} by {name}"
        return what[:1].upper() + what[1:]

    @property
    def best(self) -> list[Row]:
        """The better half of the publications, or the first of it, the best first."""
        ranked = self._ranked
        return ranked[: min(_MOST, -(-len(ranked) // 2))]

    @property
    def worst(self) -> list[Row]:
        """The other half, or the last of it, the worst first."""
        ranked = self._ranked
        return ranked[::-1][: min(_MOST, len(ranked) // 2)]

    @property
    def ranked_by(self) -> str:
        """What decides which publications are the best: the score (§2.4), where there is one."""
        has_scores = any(row["score"] is not None for row in self.rows)
        return "score" if has_scores else self.measure

    def _by_size(self, part: Part) -> tuple[float, str]:
        return -(part.now.counts[self.measure] or 0), part.title

    @property
    def _ranked(self) -> list[Row]:
        by = self.ranked_by
        known = [row for row in self.rows if row[by] is not None]
        return sorted(known, key=lambda row: (-row[by], -(row["engagements"] or 0)))


def sums(rows: Iterable[Row]) -> Sums:
    """Add publications up."""
    rows = [*rows]
    known = {name: [row[name] for row in rows if row[name] is not None] for name in MEASURES}
    means = {name: sum(values) / len(values) if values else None for name, values in known.items()}
    counts = {name: sum(values) if values else None for name, values in known.items()}
    return Sums(len(rows), {**counts, "score": means["score"]}, means)


def longest(bars: Iterable[Bar]) -> float:
    """Return what the longest bar shows, of a month or the one before."""
    return max((value or 0 for bar in bars for value in (bar.now, bar.before)), default=0)


def figures(part: Part) -> list[tuple[str, Number, Number]]:
    """Return the numbers of a part, by name, with those of the month before."""
    before = part.before or Sums(0, dict.fromkeys(MEASURES), {})
    names = [("publications", part.now.publications, before.publications)]
    every = [*names, *((each, part.now.counts[each], before.counts[each]) for each in MEASURES)]
    return [(words(name), now, was) for name, now, was in every if (now, was) != (None, None)]


def record(name: str, part: Part) -> dict[str, Any]:
    """Return a part for programs."""
    score = part.now.counts["score"]
    named = {"account_name": part.title} if name == "account" else {}
    return {
        name: part.key,
        **named,
        "publications": part.now.publications,
        **part.now.counts,
        "score": score if score is None else round(score, 2),
    }


def words(name: str) -> str:
    """Return a name of a metric in words."""
    return name.replace("_", " ")


def so_far(month: Month | None, now: datetime, zones: Iterable[str]) -> str:
    """Return a sentence about a month that is not over on the clocks of every group; else ""."""
    today = {now.astimezone(zone_named(each)).date() for each in zones} or {now.date()}
    if not month or min(today) >= month.end:
        return ""
    state = "has not begun" if max(today) < month.first else "is not over"
    return f"The month {state}: it is {now.astimezone(UTC):%Y-%m-%d %H:%M} UTC."


def number(value: Number) -> str:
    """Return a number for people; an en dash where there is none."""
    if value is None:
        return "–"
    places = 0 if value == int(value) or abs(value) >= 100 else 1
    exact = Decimal(str(value)).quantize(Decimal(10) ** -places, ROUND_HALF_UP)
    return f"{exact:,}"


def change(now: Number, before: Number) -> str:
    """Return by how much a number has changed, in percent; empty where that cannot be said."""
    if now is None or not before:
        return ""
    percent = round(100 * (now - before) / abs(before))
    return f"{percent:+,} %" if percent else "0 %"


def _split(rows: Iterable[Row], key: Callable[[Row], str]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        if name := key(row):
            found.setdefault(name, []).append(row)
    return found
