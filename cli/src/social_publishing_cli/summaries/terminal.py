"""What published posts did, as bars in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from ..catalogues import network_title
from ..characters import one_line
from ..output import cells_of, console_of, line_of
from .summing import Number, Row, Summary, change, figures, longest, number

if TYPE_CHECKING:
    from rich.text import Text

_LABEL = 24  # columns of what a bar is about, at the most, where no more is a quarter


def write_summary(summary: Summary, to: TextIO) -> None:
    """Write totals and bars, as wide as the terminal."""
    console = console_of(to)
    console.print(line_of(one_line(summary.title), "bold", wraps=True))
    for note in summary.notes:
        console.print(line_of(note, "dim", wraps=True))
    if not summary.rows:
        return
    console.print()
    console.print(_totals(summary))
    for name in summary.charted:
        console.print()
        console.print(line_of(summary.heading(name), "bold", wraps=True))
        console.print(_bars(summary, name, console.width))
    if summary.previous:
        console.print(line_of(f"█ {summary.period}  ░ {summary.previous}", "dim", wraps=True))
    for title, rows in (("Best", summary.best), ("Worst", summary.worst)):
        if rows:
            console.print()
            console.print(line_of(f"{title} by {summary.ranked_by}", "bold"))
            _publications(rows, console)


def _totals(summary: Summary) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    heads = [summary.period, summary.previous, "change"] if summary.previous else [summary.period]
    for head in (each.replace(" ", "\n") for each in heads):
        table.add_column(head, justify="right", no_wrap=True)
    for name, now, before in figures(summary.total):
        compared = [number(before), change(now, before)] if summary.previous else []
        table.add_row(name, number(now), *compared)
    return table


def _bars(summary: Summary, name: str, width: int) -> Any:
    from rich.table import Table

    bars = summary.bars(name)
    most = longest(bars)
    titles = [cells_of(one_line(bar.part.title)) for bar in bars]
    label = min(max(_LABEL, width // 4), width // 3, max(titles, default=0))
    room = max(4, width - label - 2 - max((len(number(b)) for _, *x in bars for b in x), default=0))
    table = Table.grid(padding=(0, 1))
    table.add_column(width=label)
    table.add_column(no_wrap=True)
    for part, now, before in bars:
        # Names may differ at their end alone.
        table.add_row(line_of(one_line(part.title), wraps=True), _bar("█", now, most, room))
        if before is not None:
            table.add_row("", _bar("░", before, most, room, "dim"))
    return table


def _bar(mark: str, value: Number, most: float, room: int, style: str = "") -> Text:
    from rich.text import Text

    length = round(room * max(0, value or 0) / most) if most else 0
    bar = mark * max(length, 1 if value else 0)
    return Text.assemble((bar, style or "blue"), " " * bool(bar), (number(value), style))


def _publications(rows: Sequence[Row], console: Any) -> None:
    from rich.padding import Padding

    for row in rows:
        account = one_line(row["account_name"])
        network = "" if row["network"] in account else network_title(row["network"])
        numbers = (f"{name} {number(row[name])}" for name in ("score", "views", "engagements"))
        text = "  ".join(filter(None, (row["published"], network, account, *numbers)))
        console.print(line_of(f"  {one_line(row['name'])}"), no_wrap=True, overflow="ellipsis")
        console.print(Padding(line_of(text, "dim", wraps=True), (0, 0, 0, 4), expand=False))
