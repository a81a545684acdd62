"""Findings: what is wrong with a file, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeVar

from pipeline.openapi.wording import on_one_line, visible

A = TypeVar("A")
B = TypeVar("B")

_FILES: Final = 8  # so many files that use something are shown,
_LINES: Final = 8  # and so many lines of each


@dataclass(frozen=True, order=True, slots=True)
class Position:
    """A place in a file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


Lines = tuple[tuple[str, tuple[int, ...]], ...]
"""Files, each with numbers of its lines."""


@dataclass(frozen=True)
class Uses:
    """The lines that name something.

    Attributes:
        all: all of them.
        first: those to look at first, where there are many.
        command: what finds all of them, and perhaps others.
    """

    all: Lines
    first: Lines
    command: str

    def lines(self, every: bool = False) -> Iterator[str]:
        """Yield the files, each on a line: a few, and how many follow; or `every` one."""
        left = {file: len(numbers) for file, numbers in self.all}
        is_short = len(left) <= _FILES and max(left.values()) <= _LINES
        shown = dict(self.all)
        if not (every or is_short):
            ordered = {**dict(self.first), **shown, **dict(self.first)}
            shown = {file: ordered[file][:_LINES] for file in [*ordered][:_FILES]}
        for file, numbers in shown.items():
            yield f"{file}:{', '.join(map(str, numbers))}"
            left[file] -= len(numbers)
        if more := sum(left.values()):
            places = sum(map(bool, left.values()))
            where = f"{places:,} files" if places > 1 else "1 file"
            yield f"and {more:,} more in {where}: {self.command}"


@dataclass(frozen=True)
class Finding:
    """One thing worth reporting: what it is, where it stands, and the rule it goes against.

    An `error` stops a run, or leaves out what it belongs to; a `note` only informs.

    Attributes:
        pointer: where it stands in the document; None where it stands in none.
        follows: what is wrong only since this is.
        cause: why, where that is an error of another file.
        update: what an overlay is to write there, to mend it.
        label: the `x-assumption` that goes with it.
        loses: an operation, a parameter or a type is not carried because of it.
        own: it stands in a document of ours, of which no overlay takes anything away.
        drop: the gap of which `--drop-assumed` drops what is assumed.
        uses: the lines that it concerns, written by hand.
    """

    message: str
    position: Position | None = None
    rule: str = ""
    severity: Literal["error", "note", "left out"] = "error"
    pointer: tuple[str | int, ...] | None = None
    follows: tuple[Finding, ...] = field(default=(), compare=False)
    cause: Finding | None = field(default=None, compare=False)
    update: Any = field(default=None, compare=False)
    label: Any = field(default=None, compare=False)
    own: bool = field(default=False, compare=False)
    loses: bool = field(default=False, compare=False)
    drop: str | None = field(default=None, compare=False)
    uses: Uses | None = None

    def __str__(self) -> str:
        place = f"{self.position}: " if self.position else ""
        rule = f" [{self.rule}]" if self.rule else ""
        number = len(self.follows)
        more = (
            f"; {number} error{'s follow' if number > 1 else ' follows'} from it" if number else ""
        )
        # What another program said, in no document, keeps its lines.
        shown = on_one_line if place or rule else visible
        return shown(f"{place}{self.message}{rule}{more}")

    def seen_as(self, file: str) -> Finding:
        """Return the same with another name of its file."""
        return replace(self, position=self.position and replace(self.position, file=file))


MALFORMED: Final = ("openapi", "schema", "parameter", "ref", "path", "operation-id")
"""The rules of what is wrong with a document before any overlay."""

NOWHERE: Final = Position("", 0, 0)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings by their places, those without one first, and by their messages."""
    return sorted(findings, key=lambda found: (found.position or NOWHERE, found.message))


class PipelineError(Exception):
    """One or more findings that stop a run; its text is the findings, one a line."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__(*findings)
        self.findings: tuple[Finding, ...] = findings

    def __str__(self) -> str:
        return "\n".join(str(finding) for finding in self.findings)


def made_of_each(items: Iterable[A], make: Callable[[A], B]) -> list[B]:
    """Make something of each; raises PipelineError with the findings of all."""
    result = []
    findings: list[Finding] = []
    for item in items:
        try:
            result.append(make(item))
        except PipelineError as error:
            findings += error.findings
    if findings:
        raise PipelineError(*findings)
    return result
