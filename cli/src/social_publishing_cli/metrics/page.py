"""One page with charts and tables that needs nothing from elsewhere, to send on."""

from __future__ import annotations

import html
import io
import warnings
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from operator import attrgetter
from pathlib import Path
from typing import Any

from ..files import replacing
from .collecting import Row, totals

try:
    import matplotlib
except ImportError:
    raise ImportError("needs matplotlib: pip install 'social-publishing-cli[charts]'") from None

_MOST = 15  # posts in the chart of the best ones
_SHOWN = ("views", "reach", "engagements", "likes", "replies", "shares", "saves")
_COLOURS = ("#3366cc", "#dc7633", "#2e8b57")

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff;
        margin: 2rem auto; max-width: 62rem; padding: 0 1rem; }}
h1 {{ font-size: 1.5rem; }} h2 {{ font-size: 1.15rem; margin-top: 2rem; }}
div {{ overflow-x: auto; }} svg {{ width: 100%; height: auto; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ padding: .35rem .6rem; border-bottom: 1px solid #ddd; text-align: right; }}
.text {{ text-align: left; }}
@media print {{ body {{ margin: 0; }} h2 {{ break-after: avoid; }} }}
</style>
<h1>{title}</h1>
<p>{summary}</p>
<h2>Views and engagements by day</h2>
<div>{days}</div>
<h2>Posts with the most engagements</h2>
<div>{best}</div>
<h2>By network</h2>
<div>{networks}</div>
<h2>Every post on every account</h2>
<div>{posts}</div>
</html>
"""


def page(title: str, rows: Sequence[Row]) -> str:
    """Return the page."""
    every = totals(rows, lambda row: "all").get("all", {})
    sums = ", ".join(
        f"{every[name]:,} {name}" for name in ("views", "engagements") if name in every
    )
    posts = len({row.post for row in rows})
    named = attrgetter("name", "published", "network", "score")
    ordered = sorted(rows, key=lambda row: -(row.counts["engagements"] or 0))
    return _PAGE.format(
        title=html.escape(title),
        summary=html.escape(f"{posts} posts. {sums or 'The service has no metrics yet.'}"),
        days=_days(totals(rows, lambda row: row.published[:10])),
        best=_best(totals(rows, lambda row: f"{row.published[:10]}  {row.name}")),
        networks=_table(
            ("network", *_SHOWN),
            (
                (name, *(sums.get(each) for each in _SHOWN))
                for name, sums in totals(rows, lambda row: row.network).items()
            ),
        ),
        posts=_table(
            ("post", "published", "network", "score", *_SHOWN[:5]),
            ((*named(row), *(row.counts[name] for name in _SHOWN[:5])) for row in ordered),
        ),
    )


def write_page(path: Path, title: str, rows: Sequence[Row]) -> None:
    """Write the page, whole or not at all."""
    text = page(title, rows)
    with replacing(path) as new:
        new.write_text(text, encoding="utf-8")


def _table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    def cell(value: Any) -> str:
        if value is None:
            return "<td>–</td>"
        if isinstance(value, int):
            return f"<td>{value:,}</td>"
        return f'<td class="text">{html.escape(str(value))}</td>'

    texts = ("network", "post", "published")
    names = "".join(
        f'<th class="text">{name}</th>' if name in texts else f"<th>{name}</th>" for name in head
    )
    body = "\n".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{names}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _figure(height: float) -> Any:
    from matplotlib.figure import Figure

    return Figure(figsize=(9, height), layout="constrained")


def _svg(figure: Any) -> str:
    """Return a drawing as SVG whose bytes depend on the data alone."""
    to = io.StringIO()
    with (
        matplotlib.rc_context({"svg.hashsalt": "metrics", "svg.fonttype": "none"}),
        warnings.catch_warnings(action="ignore"),  # of glyphs: whoever looks has their own fonts
    ):
        figure.savefig(to, format="svg", metadata={"Date": None, "Creator": None})
    return "<svg" + to.getvalue().split("<svg", 1)[1]


def _days(days: Mapping[str, Mapping[str, int]]) -> str:
    names = [day for day in days if day]
    moments = [date.fromisoformat(day) for day in names]
    if not names:
        return "<p>Nothing was published.</p>"
    from matplotlib.dates import DateFormatter

    by_day: Any = DateFormatter

    figure = _figure(3)
    axes = figure.subplots()
    for name, colour in zip(("views", "engagements"), _COLOURS, strict=False):
        values = [days[day].get(name, 0) for day in names]
        axes.plot(moments, values, marker="o", label=name, color=colour)
    axes.xaxis.set_major_formatter(by_day("%d %b"))
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return _svg(figure)


def _best(posts: Mapping[str, Mapping[str, int]]) -> str:
    ordered = sorted(posts, key=lambda name: -posts[name].get("engagements", 0))[:_MOST]
    if not ordered:
        return "<p>Nothing was published.</p>"
    figure = _figure(0.8 + 0.3 * len(ordered))
    axes = figure.subplots()
    values = [posts[name].get("engagements", 0) for name in ordered]
    # A dollar sign would begin a formula.
    labels = [name.replace("$", r"\$") for name in ordered]
    bars = axes.barh(range(len(ordered)), values, color=_COLOURS[0])
    axes.set_yticks(range(len(ordered)), labels)
    axes.bar_label(bars, fmt="{:,.0f}", padding=3)
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    return _svg(figure)
