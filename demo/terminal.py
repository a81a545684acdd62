"""Terminal output: headings, facts, tables and a calendar, in colour where supported."""

from __future__ import annotations

import calendar
import os
import textwrap
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Literal, TextIO

Tone = Literal["plain", "bold", "dim", "good", "bad", "note"]

WIDTH: Final = 88
_NAME: Final = 12  # columns of the name of a fact
_CELL: Final = 12  # columns of a day
_CODES: Final[Mapping[Tone, str]] = {
    "bold": "1",
    "dim": "2",
    "good": "32",
    "bad": "31",
    "note": "33",
}


class Terminal:
    """Writes headings, facts, tables and a calendar.

    Args:
        out: the stream.
        colour: whether to use colours; if None, where `out` is a terminal and NO_COLOR is not set.
    """

    def __init__(self, out: TextIO, *, colour: bool | None = None) -> None:
        self._out = out
        self._colour = out.isatty() and not os.environ.get("NO_COLOR") if colour is None else colour
        self._headings = 0

    def heading(self, title: str, when: datetime | None = None) -> None:
        """Write a numbered heading, with a moment on its right."""
        self._headings += 1
        number = f"{self._headings:>2}  "
        right = f"{when:%a %d %b %H:%M}" if when else ""
        space = " " * (WIDTH - len(number) - len(title) - len(right))
        self.line()
        self.line(self.tone("bold", f"{number}{title}") + space + self.tone("dim", right))

    def fact(self, name: str, text: str, tone: Tone = "plain") -> None:
        """Write a name and a text, which goes on in the next line where it has no room."""
        lines = textwrap.wrap(
            text, WIDTH - 4 - _NAME, break_long_words=False, break_on_hyphens=False
        )
        for number, line in enumerate(lines):
            shown = self.tone("dim", f"{'' if number else name:<{_NAME}}")
            self.line(f"    {shown}{self.tone(tone, line)}")

    def table(
        self,
        rows: Sequence[Sequence[str]],
        *,
        right: Sequence[int] = (),
        tones: Mapping[int, Tone] | None = None,
    ) -> None:
        """Write aligned columns.

        Args:
            rows: the cells; rows are equally long.
            right: the columns that are aligned to the right.
            tones: of whole rows, by their number; the others are plain.
        """
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for number, row in enumerate(rows):
            cells = (
                cell.rjust(width) if column in right else cell.ljust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            tone = (tones or {}).get(number, "plain")
            self.line("    " + self.tone(tone, "  ".join(cells).rstrip()))

    def columns(self, entries: Sequence[tuple[Tone, str]]) -> None:
        """Write short entries in two columns, to be read line by line."""
        width = (WIDTH - 4) // 2
        cells = [self.tone(tone, f"{text:<{width}}") for tone, text in entries]
        for first in range(0, len(cells), 2):
            self.line("    " + "".join(cells[first : first + 2]).rstrip())

    def month(self, year: int, month: int, entries: Mapping[int, str]) -> None:
        """Write a calendar; `entries` are short texts by the day of the month."""
        days = "".join(f"{name:<{_CELL}}" for name in ("Mon", "Tue", "Wed", "Thu", "Fri"))
        self.line("    " + self.tone("dim", f"{days}{'Sat':<{_CELL}}Sun"))
        for week in calendar.Calendar().monthdayscalendar(year, month):
            cells = (self._day(day, entries.get(day, "")) for day in week)
            self.line("    " + "".join(cells).rstrip())

    def _day(self, day: int, text: str) -> str:
        number = self.tone("plain" if text else "dim", f"{day or '':>2}")
        return f"{number} {self.tone('bold', f'{text:<{_CELL - 3}}')}"

    def line(self, text: str = "") -> None:
        """Write a line as it is."""
        print(text, file=self._out, flush=True)

    def tone(self, tone: Tone, text: str) -> str:
        """Return the text in a colour, where there are colours."""
        if not self._colour or tone == "plain" or not text:
            return text
        return f"\x1b[{_CODES[tone]}m{text}\x1b[0m"


def seconds(value: float) -> str:
    """Return a duration for people."""
    return f"{value:.1f} s"


def amount(number: int, thing: str) -> str:
    """Return a number of things: `1 post`, `2 posts`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
