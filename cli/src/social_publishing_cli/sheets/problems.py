"""The problems of a sheet, each with its row and column, reported together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Problem(NamedTuple):
    """One problem of a sheet.

    Attributes:
        row: The row number (the header is row 1); None for the file.
        column: The header of the column; None for the whole row.
        reason: The problem, and what to do.
    """

    row: int | None
    column: str | None
    reason: str

    def __str__(self) -> str:
        place = [f"row {self.row}"] if self.row else []
        place += [" ".join(self.column.split())[:60]] if self.column else []
        return ", ".join(place) + (": " if place else "") + self.reason


class SheetError(Exception):
    """A sheet cannot be used. Nothing was sent.

    Attributes:
        source: The name of the file.
        problems: All problems, in the order of the rows.
    """

    documentation = "docs/month-from-a-spreadsheet.md#plan"

    def __init__(self, source: str, problems: Sequence[Problem]) -> None:
        super().__init__(source, tuple(problems))
        self.source = source
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "\n".join(f"{self.source}: {problem}" for problem in self.problems)
