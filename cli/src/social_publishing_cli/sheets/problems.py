"""What is wrong in a sheet: every problem with its row and its column, all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Problem(NamedTuple):
    """One thing that is wrong in a sheet.

    Attributes:
        row: The row as a spreadsheet program counts it (the header is row 1); None for the file.
        column: The header of the column; None for the whole row.
        reason: What is wrong, and what to do about it.
    """

    row: int | None
    column: str | None
    reason: str

    def __str__(self) -> str:
        place = [f"row {self.row}"] if self.row else []
        place += [self.column] if self.column else []
        return ", ".join(place) + (": " if place else "") + self.reason


class SheetError(Exception):
    """A sheet cannot be used. Nothing was sent.

    Attributes:
        source: The name of the file.
        problems: All that is wrong, in the order of the rows.
    """

    documentation = "docs/month-from-a-spreadsheet.md#plan"

    def __init__(self, source: str, problems: Sequence[Problem]) -> None:
        super().__init__(source, tuple(problems))
        self.source = source
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "\n".join(f"{self.source}: {problem}" for problem in self.problems)
