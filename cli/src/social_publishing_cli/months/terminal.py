"""A month in a terminal: weeks as rows, or a list where there is no room for them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, TextIO

from ..characters import visible
from ..output import console_of, counted, line_of
from .reading import GroupMonth
from .words import MARKS, UNKNOWN, clock, legend, short, spans, spoken

if TYPE_CHECKING:
    from rich.text import Text

_ROOM = 72  # columns; a narrower terminal gets a list


def write_month(month: GroupMonth, to: TextIO) -> None:
    """Write a month for people, as wide as the terminal."""
    console = console_of(to)
    if console.width < _ROOM:
        _list(month, console)
    else:
        console.print(_table(month, (console.width - 8) // 7))
    for line in _legend(month):
        console.print(line)


def _table(month: GroupMonth, width: int) -> Any:
    from rich import box
    from rich.console import Group
    from rich.table import Table

    title = f"{month.group}, {month.first:%B %Y} ({month.zone.key})"
    table = Table(box=box.SQUARE, title=visible(title), show_lines=True, padding=0, expand=True)
    weeks = [*month.weeks]
    for day in weeks[0]:
        table.add_column(f"{day:%a}", ratio=1, no_wrap=True)
    for week in weeks:
        table.add_row(*(Group(*_cell(month, day, width)) for day in week))
    return table


def _cell(month: GroupMonth, day: date, width: int) -> list[Text]:
    if not month.first <= day < month.end:
        return [line_of("")]
    lines = [line_of(f"{day.day}", "bold" if month.on(day) else "dim")]
    lines += [line_of(f"▪ {note.title}", "magenta") for note in month.notes_on(day)]
    for entry in month.on(day):
        mark, style = MARKS.get(entry.status, UNKNOWN)
        time, networks = clock(entry.moment), " ".join(map(short, entry.networks))
        if len(f"{time} {mark}") > width:  # with its distance from UTC
            time, networks = time[:5], f"{time[5:]} {networks}"
        head = f"{time} {mark}"
        if len(f"{head} {networks}") <= width:
            lines.append(line_of(f"{head} {networks}", style))
        else:
            lines += [line_of(head, style), line_of(networks, wraps=True)]
        lines.append(line_of(entry.label))
    return lines


def _list(month: GroupMonth, console: Any) -> None:
    console.print(line_of(f"{month.group}, {month.first:%B %Y}", "bold"))
    console.print(line_of(f"times in {month.zone.key}", "dim"))
    for day in month.days:
        notes, entries = month.notes_on(day), month.on(day)
        if not notes and not entries:
            continue
        console.print()
        console.print(line_of(f"{day:%a %Y-%m-%d}", "bold"))
        for note in notes:
            title = line_of(f"  ▪ {note.title}", "magenta")
            console.print(title, no_wrap=True, overflow="ellipsis")
        for entry in entries:
            mark, style = MARKS.get(entry.status, UNKNOWN)
            networks = " ".join(map(short, entry.networks))
            console.print(line_of(f"  {clock(entry.moment)} {mark} {networks}", style))
            console.print(line_of(f"    {entry.label}"), no_wrap=True, overflow="ellipsis")


def _legend(month: GroupMonth) -> list[Text]:
    states = dict.fromkeys(each.status for each in month.entries)
    marks = [f"{MARKS.get(each, UNKNOWN)[0]} {spoken(each)}" for each in states]
    lines = [
        "  ".join(marks),
        legend(month.networks),
        f"{counted(len(month.entries), 'post')}, {counted(len(month.notes), 'note')}; "
        f"days without a post: {spans(month.free) or 'none'}",
    ]
    return [line_of(line, "dim", wraps=True) for line in lines if line]
