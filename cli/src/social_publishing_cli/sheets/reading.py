"""Reads a sheet of posts, row by row: CSV with any separator, or an Excel workbook."""

from __future__ import annotations

import csv
import difflib
import io
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from .cells import (
    READERS,
    Value,
    guarded,
    identifier,
    moment,
    moment_formats,
    plain,
    zone_named,
)
from .columns import COLUMNS, EDITABLE, ID, ZONE
from .problems import Problem, SheetError

__all__ = ["Row", "Sheet", "read_sheet"]

_MOST = 1000  # problems that are told of one sheet
_KNOWN = {column.name: column for column in COLUMNS}
_Raw = Generator[tuple[int, list[str | Problem]]]


class Row(NamedTuple):
    """What one row of a sheet wants.

    Attributes:
        number: The row as a spreadsheet program counts it; the header is row 1.
        id: The post.
        zone: The time zone of the row; None where none is named.
        cells: The texts of the columns that can be edited, by name.
        values: What they mean, by name. Times are ISO 8601 in UTC.
        group: The group of the post; None where the sheet does not have it.
    """

    number: int
    id: str
    zone: ZoneInfo | None
    cells: Mapping[str, str]
    values: Mapping[str, Value]
    group: str | None = None


@dataclass(frozen=True)
class Sheet:
    """A sheet whose every cell can be read. Its rows are read anew each time they are asked for."""

    path: Path
    worksheet: str | None
    encoding: str | None
    formats: tuple[str, ...]
    zone: ZoneInfo | None
    columns: tuple[str, ...]

    def rows(self) -> Iterator[Row]:
        """Read the rows, one after the other, however many there are."""
        for number, row, problems in self._read():
            if problems:  # the file changed since it was looked through
                raise SheetError(self.path.name, problems)
            assert row is not None, number
            yield row

    def _read(self) -> Iterator[tuple[int, Row | None, list[Problem]]]:
        for number, cells in _records(self.path, self.worksheet, self.encoding):
            if number == 1 or not any(cells):
                continue
            yield (number, *self._row(number, cells))

    def _row(self, number: int, cells: list[str | Problem]) -> tuple[Row | None, list[Problem]]:
        problems = [each for each in cells if isinstance(each, Problem)]
        if len(cells) > len(self.columns) and any(cells[len(self.columns) :]):
            problems.append(Problem(number, None, "has more cells than the header"))
        named = dict(zip(self.columns, (c for c in cells), strict=False))
        texts = {
            name: cell.strip() if name not in EDITABLE or EDITABLE[name].kind != "text" else cell
            for name, cell in named.items()
            if isinstance(cell, str)
        }
        found: dict[str, Value] = {}
        zone, post = self.zone, ""

        def tried(name: str, function: Any, *arguments: Any) -> Any:
            try:
                return function(*arguments)
            except ValueError as error:
                problems.append(Problem(number, name, str(error)))

        if texts.get(ID):
            post = tried(ID, identifier, texts[ID])
        elif not isinstance(named.get(ID), Problem):
            reason = "has no identifier: posts cannot be created here, only changed"
            problems.append(Problem(number, ID, reason))
        if texts.get(ZONE):
            zone = tried(ZONE, zone_named, texts[ZONE]) or zone
        for name, cell in texts.items():
            kind = EDITABLE[name].kind if name in EDITABLE else ""
            if kind == "moment" and cell:
                found[name] = tried(name, moment, cell, zone, self.formats)
            elif kind == "moment":
                found[name] = None
            elif kind:
                found[name] = tried(name, READERS[kind], cell)
        if problems:
            return None, problems
        edited = {name: texts[name] for name in found}
        group = texts.get("group_id") or None
        return Row(number, post, zone, edited, found, group), []


def read_sheet(
    path: str | Path,
    *,
    timezone: str | None = None,
    date_format: str | None = None,
    encoding: str | None = None,
    worksheet: str | None = None,
) -> Sheet:
    """Look through a sheet of posts, and report all that is wrong in it.

    Args:
        path: An .xlsx file, or CSV with commas, semicolons or tabs in UTF-8 (or marked UTF-16).
        timezone: The zone of times in rows that name none.
        date_format: How times are written, as `strftime` says it; found out where it is left out.
        encoding: The encoding of a CSV file that is not UTF-8, such as cp1252.
        worksheet: The sheet of a workbook; its first where it is left out.

    Returns:
        The sheet, to be read row by row.

    Raises:
        SheetError: Something in it cannot be used. All problems are told, with row and column.
    """
    path = Path(path)
    try:
        zone = zone_named(timezone) if timezone else None
    except ValueError as error:
        raise SheetError(path.name, [Problem(None, "--timezone", str(error))]) from None
    header = _header(path, worksheet, encoding)
    times = [at for at, name in enumerate(header) if name in EDITABLE and _is_time(name)]

    def column() -> Iterator[str]:
        for number, cells in _records(path, worksheet, encoding):
            for at in times:
                if number > 1 and at < len(cells) and isinstance(cells[at], str):
                    yield str(cells[at]).strip()

    formats = moment_formats(column() if times else (), date_format)
    sheet = Sheet(path, worksheet, encoding, formats, zone, header)
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    empty = True
    for number, row, wrong in sheet._read():
        empty = False
        if row and row.id in seen:
            wrong.append(Problem(number, ID, f"{row.id} stands in row {seen[row.id]}, too"))
        elif row:
            seen[row.id] = number
        problems += wrong
        if len(problems) >= _MOST:
            problems = [*problems[:_MOST], Problem(None, None, f"more than {_MOST} problems")]
            break
    if empty:
        problems.append(Problem(None, None, "has no rows besides its header"))
    if problems:
        raise SheetError(path.name, problems)
    return sheet


def _is_time(name: str) -> bool:
    return EDITABLE[name].kind == "moment"


def _header(path: Path, worksheet: str | None, encoding: str | None) -> tuple[str, ...]:
    with closing(_records(path, worksheet, encoding)) as records:
        number, cells = next(records, (0, []))
    if number != 1 or not any(cells):
        raise SheetError(path.name, [Problem(None, None, "is empty; export one to begin with")])
    names = tuple(str(cell).strip() for cell in cells)
    while names and not names[-1]:
        names = names[:-1]
    problems = []
    for name in names:
        if name not in _KNOWN:
            near = difflib.get_close_matches(name.lower().replace(" ", "_"), _KNOWN, 1)
            hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(_KNOWN)}"
            problems.append(Problem(1, name or "(no name)", f"is not a column of posts{hint}"))
    problems += [
        Problem(1, name, "stands in the header twice")
        for name in dict.fromkeys(names)
        if names.count(name) > 1 and name
    ]
    if ID not in names:
        problems.append(Problem(1, ID, "is missing: every row needs the identifier of its post"))
    if problems:
        raise SheetError(path.name, problems)
    return names


def _records(path: Path, worksheet: str | None, encoding: str | None) -> _Raw:
    try:
        with path.open("rb") as file:
            start = file.read(4)
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        raise SheetError(path.name, [Problem(None, None, reason)]) from None
    if start.startswith(b"PK"):
        return _workbook(path, worksheet)
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        reason = "is a workbook of an old Excel, or has a password: save it as .xlsx or CSV"
        raise SheetError(path.name, [Problem(None, None, reason)])
    if not encoding:
        is_utf16 = start.startswith((b"\xff\xfe", b"\xfe\xff"))
        encoding = "utf-16" if is_utf16 else "utf-8-sig"
    return _text(path, encoding)


def _text(path: Path, encoding: str) -> _Raw:
    number = 0
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        with path.open(encoding=encoding, newline="") as file:
            first = file.readline(1 << 20)
            file.seek(0)
            separator = max(",;\t", key=first.count)
            for number, cells in enumerate(csv.reader(file, delimiter=separator, strict=True), 1):
                if any("\0" in cell for cell in cells):
                    raise SheetError(
                        path.name, [Problem(number, None, "has zero bytes: is it a CSV file?")]
                    )
                yield number, list(cells)
    except LookupError:
        problem = Problem(None, None, f"there is no encoding {encoding!r}")
        raise SheetError(path.name, [problem]) from None
    except UnicodeError:
        reason = (
            f"is not {encoding.removesuffix('-sig').upper()} after row {number}: "
            "save it as CSV UTF-8, or say its encoding (--encoding cp1252)"
        )
        raise SheetError(path.name, [Problem(None, None, reason)]) from None
    except csv.Error as error:
        raise SheetError(path.name, [Problem(number + 1, None, f"is not CSV: {error}")]) from None


def _workbook(path: Path, worksheet: str | None) -> _Raw:
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        # Read as written, and not what a program calculated: a formula is no value.
        book = openpyxl.load_workbook(path, read_only=True, data_only=False)
    except (InvalidFileException, KeyError, ValueError, OSError, io.UnsupportedOperation) as error:
        problem = Problem(None, None, f"is not a workbook that can be read: {error}")
        raise SheetError(path.name, [problem]) from None
    except Exception as error:  # whatever a damaged archive or its XML makes of the library
        problem = Problem(None, None, f"is damaged: {type(error).__name__}")
        raise SheetError(path.name, [problem]) from None
    with closing(book):
        if worksheet and worksheet not in book.sheetnames:
            found = ", ".join(book.sheetnames)
            problem = Problem(None, None, f"has no sheet {worksheet!r}; it has {found}")
            raise SheetError(path.name, [problem])
        sheet = book[worksheet or book.sheetnames[0]]
        header: list[str] = []
        for number, cells in enumerate(sheet.iter_rows(), 1):
            read = [_cell(number, header, at, cell) for at, cell in enumerate(cells)]
            while read and read[-1] == "":
                read.pop()
            header = header or [str(each) for each in read]
            yield number, read


def _cell(number: int, header: list[str], at: int, cell: Any) -> str | Problem:
    name = header[at] if at < len(header) else None
    if cell.data_type == "f":
        return Problem(number, name, "is a formula: paste its value instead")
    if cell.data_type == "e":
        return Problem(number, name, f"is the error {cell.value}")
    kind = EDITABLE[name].kind if name in EDITABLE else ""
    try:
        text = plain(cell.value, kind, cell.number_format)
    except ValueError as error:
        return Problem(number, name, str(error))
    # Of a workbook's own text nothing is a formula.
    return guarded(text) if kind == "text" else text
