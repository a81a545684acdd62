"""What published posts did, as a page to send or to print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..catalogues import network_title
from ..characters import cut
from ..html import rendered
from .summing import DIMENSIONS, Bar, Number, Summary, change, figures, longest, number, words

_NAME = 80  # characters of a post


def page_of(summary: Summary) -> bytes:
    """Return a page with a table beside each chart."""
    others = [name for name in ("views", "engagements", "score") if name != summary.measure]
    return rendered(
        "report.html.jinja",
        {
            "number": number,
            "words": words,
            "network": network_title,
            "called": lambda text: cut(text, _NAME),
        },
        summary=summary,
        figures=figures(summary.total),
        change=change,
        shown=[summary.measure, *others],
        charts=[_chart(summary, name, others) for name in summary.charted],
    )


def _chart(summary: Summary, name: str, others: Sequence[str]) -> dict[str, Any]:
    """Return a chart and its table, which has the numbers of the bars before all others."""
    bars, is_mean = summary.bars(name), DIMENSIONS[name].is_mean
    earlier = [f"in {summary.previous}"] if summary.previous else []
    of = "mean " * is_mean
    heads = ["publications", of + words(summary.measure), *earlier]
    rows = [
        [
            number(bar.part.now.publications),
            *map(number, (bar.now, bar.before)[: 1 + len(earlier)]),
            *(number(bar.part.now.of(each, is_mean)) for each in others),
        ]
        for bar in bars
    ]
    return {
        "heading": summary.heading(name),
        "bars": [*_drawn(bars)],
        "heads": [name.capitalize(), *heads, *(of + words(each) for each in others)],
        "rows": [(bar.part.title, row) for bar, row in zip(bars, rows, strict=True)],
    }


def _drawn(bars: Sequence[Bar]) -> Iterator[dict[str, Any]]:
    most = longest(bars)

    def width(value: Number) -> float:
        return round(100 * max(0, value or 0) / most, 1) if most else 0

    for part, now, before in bars:
        yield {
            "title": part.title,
            "now": now,
            "before": before,
            "width": width(now),
            "width_before": width(before),
        }
