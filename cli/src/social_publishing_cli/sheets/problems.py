"""The problems of a sheet, each with its row and column, reported together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


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
        rest: The `Sheet` without what is wrong in it; None where it cannot be read at all.
    """

    documentation = "docs/month-from-a-spreadsheet.md#plan"

    def __init__(self, source: str, problems: Sequence[Problem], rest: Any = None) -> None:
        super().__init__(source, tuple(problems))
        self.source = source
        self.problems = tuple(problems)
        self.rest = rest

    @classmethod
    def of(cls, source: str, reason: object, row: int = 0, column: str = "") -> SheetError:
        """Return the error of one problem."""
        return cls(source, [Problem(row or None, column or None, str(reason))])

    def __str__(self) -> str:
        return "\n".join(f"{self.source}: {problem}" for problem in self.problems)

    def with_others(self, others: Iterable[Problem]) -> SheetError:
        """Return the error with more problems, in the order of the rows."""
        every = dict.fromkeys([*self.problems, *others])
        return SheetError(self.source, sorted(every, key=lambda each: each.row or 0))
