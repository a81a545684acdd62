"""Reads a sheet of posts, row by row: CSV with any separator, or an Excel workbook."""

from __future__ import annotations

import csv
import difflib
import re
from collections import deque
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TextIO
from zoneinfo import ZoneInfo

from ..files import is_stream
from ..names import Names
from .cells import (
    READERS,
    Value,
    as_text,
    guarded,
    identifier,
    moment,
    moment_formats,
    on_clocks_of,
    rounded,
    unguarded,
    zone_named,
)
from .columns import COLUMNS, EDITABLE, ID, INSTEAD, TEXTUAL, WEEKDAY, ZONE, documented
from .encodings import advice, encoding_of, lost_letters
from .memory import MEMORY, Memory, digest, normal, rounds_to, still_has, without_mark
from .problems import Problem, SheetError
from .times import weekdays
from .workbook import MOST_TEXT, Cell, Workbook, WorkbookError, other_program

_MOST = 1000  # problems that are told of one sheet
_MOST_ROWS = 100_000
_MOST_COLUMNS = 200
_BINARY = re.compile(rb"[\0-\x08\x0e-\x1f]")  # what no text has, and pictures begin with
_LONGEST_LINE = 2**22  # characters of a line of CSV
_KNOWN = {**{column.name: column for column in COLUMNS}, MEMORY: None}
_SEPARATOR = re.compile(r"\s*\"?sep=([,;|\t])\"?[,;\t]*\r?\n?", re.IGNORECASE)
_MOMENT = "publication_date"
_Cells = list["str | Problem"]
_NAMED = {"selected_account_ids": "account", "label_ids": "label", "assignee_ids": "user"}


class Row(NamedTuple):
    """The edits of one row.

    Attributes:
        number: The row number; the header is row 1.
        zone: The time zone of the row; None if it has none.
        cells: The texts of editable columns, by name.
        values: The edited values, by name; all editable values if the row has no memory. Times are
            ISO 8601 in UTC.
        memory: The exported values of the row; None without the column exported.
        group: The group of the post; None if the sheet does not have it.
        hidden: Whether the sheet does not show the row, as one that a filter leaves out.
    """

    number: int
    id: str
    zone: ZoneInfo | None
    cells: Mapping[str, str]
    values: Mapping[str, Value]
    memory: Memory | None = None
    group: str | None = None
    hidden: bool = False


class _Record(NamedTuple):
    """A row of a sheet, as it is in the file."""

    number: int
    cells: _Cells
    hidden: bool = False


@dataclass(frozen=True)
class Sheet:
    """A sheet without problems. Each iteration reads its rows again.

    Attributes:
        encoding: The encoding of a CSV file.
        formats: The formats of its times, besides ISO 8601.
        zone: The time zone of rows that name none.
        header: The row number of the header.
        names: What stands for the identifiers of accounts, besides themselves.
        is_rest: Whether what is wrong in it is left out, instead of being an error.
        has_rows: Whether people see its rows and columns.
    """

    has_rows: ClassVar[bool] = True

    path: Path
    worksheet: str | None
    encoding: str | None
    formats: tuple[str, ...]
    zone: ZoneInfo | None
    columns: tuple[str, ...]
    header: int = 1
    names: Names | None = None
    is_rest: bool = False

    def places(self, rows: Collection[int]) -> str:
        """Return what people find rows by, such as `rows 2, 3`."""
        return rows_named(rows)

    def rows(self) -> Iterator[Row]:
        """Read the rows one by one, in constant memory."""
        for _, row, problems in self._read():
            if problems and not self.is_rest:  # the file changed since it was looked through
                raise SheetError(self.path.name, problems)
            if row:
                yield row

    def _read(self) -> Iterator[tuple[int, Row | None, list[Problem]]]:
        for record in _records(self):
            if record.number > self.header and any(record.cells):
                yield (record.number, *_RowReader(self, record).read())


def rows_named(rows: Collection[int]) -> str:
    """Return rows for people, such as `rows 2, 3`."""
    return f"row{'s' * (len(rows) > 1)} {', '.join(map(str, sorted(rows)))}"


class _RowReader:
    """Reads one row, and collects what is wrong in it."""

    def __init__(self, sheet: Sheet, record: _Record) -> None:
        self._sheet = sheet
        self._number, cells, self._is_hidden = record
        self._problems: list[Problem] = []
        if any(cells[len(sheet.columns) :]):
            advice = "quote a text that has the separator in it, or name the column"
            self._refuse(None, f"has more cells than the header: {advice}")
        self._named = {
            name: cell if name in EDITABLE and EDITABLE[name].kind in TEXTUAL else _stripped(cell)
            for name, cell in zip(sheet.columns, cells, strict=False)
            if _is_known(name)
        }

    def read(self) -> tuple[Row | None, list[Problem]]:
        """Return the row, as far as it is right, and its problems."""
        if self._problems:
            return None, self._problems  # its cells may stand in wrong columns
        memory = self._memory()
        post = self._post(memory)
        if not post and not memory and self._named.get(ID, "") == "":
            return None, self._problems  # nothing else matters of a row that is of no post
        zone = self._zone(memory)
        cells: dict[str, str] = {}
        values: dict[str, Value] = {}
        for name, cell in self._named.items():
            if isinstance(cell, Problem):
                self._problems.append(cell)
            elif name in EDITABLE:
                if memory and EDITABLE[name].kind in TEXTUAL:
                    cell = without_mark(cell, name, memory.value(name))
                if memory and self._is_unedited(name, cell, memory):
                    continue
                cells[name] = cell
                values[name] = self._value(name, cell, zone)
                exported = memory.value(name) if memory else None
                if isinstance(exported, str) and lost_letters(unguarded(cell), exported):
                    self._refuse(name, "has letters replaced by ?: export again")
                if memory and name in memory.marked:
                    self._refuse(name, "cannot be edited here: a sheet cannot hold its text")
            elif memory and name in memory.texts and name not in (ZONE, ID):
                text = memory.texts[name]
                if normal(unguarded(cell)) != normal(text).strip() and not rounds_to(cell, text):
                    instead = f": {INSTEAD[name]}" if name in INSTEAD else ""
                    self._refuse(
                        name, f"cannot be changed in a sheet: restore {text[:40]!r}{instead}"
                    )
        if memory:
            self._check_weekday(memory, values.get(_MOMENT), zone)
        wrong = {each.column or "" for each in self._problems}
        if wrong & {ID, MEMORY, ZONE}:
            return None, self._problems
        for name in wrong.intersection(values):
            del cells[name], values[name]
        group = memory.texts.get("group_id") if memory else self._group()
        return Row(
            self._number, post, zone, cells, values, memory, group or None, self._is_hidden
        ), self._problems

    def _check_weekday(self, memory: Memory, now: Value, zone: ZoneInfo | None) -> None:
        """Refuse a weekday that fits neither the exported nor the edited date."""
        cell = self._text(WEEKDAY)
        moments = (
            on_clocks_of(of, each)
            for each, of in (
                (now, zone),
                (memory.values.get(_MOMENT), zone_named(memory.zone) if memory.zone else zone),
            )
            if isinstance(each, str)
        )
        days = {each.weekday(): f"{each:%Y-%m-%d} is a {each:%A}" for each in moments if each}
        named = weekdays(cell)
        if days and named and not days.keys() & named:
            which = next(iter(days.values()))
            self._refuse(WEEKDAY, f"is {cell}, but {which}: to move the post, edit {_MOMENT}")

    def _refuse(self, name: str | None, reason: str) -> None:
        self._problems.append(Problem(self._number, name, reason))

    def _text(self, name: str) -> str:
        cell = self._named.get(name, "")
        return cell if isinstance(cell, str) else ""

    def _tried(self, name: str, function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except ValueError as error:
            self._refuse(name, str(error))

    def _memory(self) -> Memory | None:
        text = self._text(MEMORY)
        memory: Memory | None = self._tried(MEMORY, Memory.read, text) if text else None
        return memory

    def _post(self, memory: Memory | None) -> str:
        cell = self._named.get(ID, "")
        if isinstance(cell, Problem):
            return ""
        if not cell:
            self._refuse(
                ID, "has no identifier: this command changes posts, and cannot create them"
            )
        elif memory and (cell == memory.id or rounds_to(cell, memory.id)):
            return memory.id
        elif memory and cell.isdecimal():
            reason = f"{cell} and what the column {MEMORY} says do not match: was only "
            self._refuse(ID, f"{reason}a part of the sheet sorted, or the row copied?")
        else:
            return self._tried(ID, identifier, cell) or ""
        return ""

    def _zone(self, memory: Memory | None) -> ZoneInfo | None:
        name = self._text(ZONE) or (memory.zone if memory else "")
        zone: ZoneInfo | None = self._tried(ZONE, zone_named, name) if name else None
        return zone or self._sheet.zone

    def _group(self) -> str:
        """Return the group of the post, which a name may stand for."""
        cell = self._text("group_id")
        with suppress(ValueError):  # it only serves warnings
            return self._sheet.names.resolve("group", cell) if cell and self._sheet.names else cell
        return ""

    def _is_unedited(self, name: str, cell: str, memory: Memory) -> bool:
        value = memory.value(name)
        if name in memory.marked:
            return digest(unguarded(cell)) == memory.marked[name]
        zone = zone_named(memory.zone) if memory.zone else None
        if EDITABLE[name].kind == "moment" and self._text(ZONE) not in ("", memory.zone):
            return not cell and value is None  # the same time on other clocks is another time
        return still_has(cell, name, value, zone, self._sheet.formats)

    def _value(self, name: str, cell: str, zone: ZoneInfo | None) -> Value:
        kind = EDITABLE[name].kind
        if kind != "moment":
            named = _NAMED.get(name)
            names = self._sheet.names if named else None
            is_named = re.search(r"[^\W\d_]", cell) and not any(map(rounded, cell.split()))
            value: Value = (
                self._tried(name, names.several, named, cell, self._text("group_id"))
                if names and is_named
                else self._tried(name, READERS[kind], cell)
            )
            if isinstance(value, int) and value < 0:
                self._refuse(name, f"is {value}: it must be 0 or more")
            return value
        if not cell or (zone is None and any(each.column == ZONE for each in self._problems)):
            return None
        time: Value = self._tried(name, moment, cell, zone, self._sheet.formats)
        return time


def _stripped(cell: str | Problem) -> str | Problem:
    return cell.strip() if isinstance(cell, str) else cell


def read_sheet(
    path: str | Path,
    *,
    timezone: str | None = None,
    date_format: str | None = None,
    encoding: str | None = None,
    worksheet: str | None = None,
    extra_columns: bool = False,
    names: Names | None = None,
) -> Sheet:
    """Check a sheet of posts, and report all of its problems.

    In a row that an export wrote, only edited cells count.

    Args:
        path: An .xlsx file, or CSV with commas, semicolons or tabs in UTF-8 (or marked UTF-16).
        timezone: The time zone of rows that name none.
        date_format: The format of times, as for `strftime`. Default: detected.
        encoding: The encoding of a CSV file that is not UTF-8, such as cp1252.
        worksheet: The sheet of a workbook. Default: the only one with posts.
        extra_columns: Whether to ignore columns that are not fields of a post, instead of refusing
            them.
        names: Names that may stand for identifiers of accounts.

    Returns:
        The sheet, to read row by row.

    Raises:
        SheetError: The sheet has problems. Names all of them, with row and column.
    """
    path = Path(path)
    try:
        zone = zone_named(timezone) if timezone else None
    except ValueError as error:
        raise SheetError.of(path.name, error, column="--timezone") from None
    sheet, problems = _opened(path, worksheet, encoding, zone, extra_columns)
    sheet = replace(sheet, names=names)
    unread = set[str | None]()  # columns that say nothing as long as nobody knows how they do
    try:
        sheet = replace(sheet, formats=moment_formats(_times(sheet), date_format))
    except ValueError as error:
        problems.append(Problem(None, "--date-format", str(error)))
        unread = {WEEKDAY, *(name for name in EDITABLE if EDITABLE[name].kind == "moment")}
    rows = 0
    first: dict[str, int] = {}  # the row in which each post stands
    for number, row, wrong in sheet._read():
        rows += 1
        if row and (earlier := first.setdefault(row.id, number)) != number:
            wrong.append(Problem(number, ID, f"{row.id} is also in row {earlier}"))
        problems += [each for each in wrong if each.column not in unread]
        if rows > _MOST_ROWS:
            problems.append(Problem(number, None, f"has more than {_MOST_ROWS:,} rows"))
            raise SheetError(path.name, problems)
        if len(problems) > _MOST:
            problems = [*problems[:_MOST], Problem(None, None, f"more than {_MOST} problems")]
            raise SheetError(path.name, problems)
    if not rows:
        problems.append(Problem(None, None, "has no rows below its header"))
    if problems:
        raise SheetError(path.name, problems, replace(sheet, is_rest=True))
    return sheet


def _times(sheet: Sheet) -> Iterator[tuple[str, datetime | None]]:
    """Yield the times of a sheet as they are written, with those that the export remembers."""
    places = {name: at for at, name in enumerate(sheet.columns)}
    times = [name for name in places if name in EDITABLE and EDITABLE[name].kind == "moment"]
    for record in _records(sheet) if times else ():
        if record.number > sheet.header:
            row = {n: str(c).strip() for n, at in places.items() for c in record.cells[at : at + 1]}
            for name in filter(row.get, times):
                yield row[name], _remembered(row, name)


def _remembered(row: Mapping[str, str], name: str) -> datetime | None:
    """Return the time of a cell when it was exported, on the clocks of its row."""
    try:
        memory = Memory.read(row.get(MEMORY, ""))
        is_moved = row.get(ZONE) not in (None, "", memory.zone)
        value = memory.values.get(name)
        zone = zone_named(memory.zone) if memory.zone else UTC
        if is_moved or not isinstance(value, str):
            return None
        local = on_clocks_of(zone, value)
        return local and local.replace(tzinfo=None)
    except ValueError:
        return None


def _opened(
    path: Path, worksheet: str | None, encoding: str | None, zone: ZoneInfo | None, extra: bool
) -> tuple[Sheet, list[Problem]]:
    """Find the header; return with it the columns that are none of posts."""
    if _is_workbook(path):
        worksheet = _worksheet(path, worksheet)
    sheet = Sheet(path, worksheet, encoding, (), zone, ())
    with closing(_records(sheet)) as records:
        number, cells, _ = next((each for each in records if any(each.cells)), _Record(0, []))
    if not number:
        raise SheetError.of(path.name, "is empty: start with an export")
    names = [str(cell).strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    others = (name for name in names if not _is_known(name))
    spelt = {name: known for name in others if _is_known(known := _plain(name))}
    if not spelt and not any(map(_is_known, names)):
        reason = "is no header: it names no column of posts, such as id. Is the first row missing?"
        raise SheetError.of(path.name, reason, number)
    extras = [
        Problem(number, name or "(no name)", f"is not a column of posts{_instead(name, names)}")
        for name in (() if extra else names)
        if not _is_known(name)
    ]
    if spelt and not {*spelt.values()} & {*names}:
        pairs = ", ".join(f"{known} for {name}" for name, known in [*spelt.items()][:3])
        more = f", and {len(spelt) - 3} more" if len(spelt) > 3 else ""
        extras = [each for each in extras if each.column not in spelt]
        reason = f"names columns in other letters: write {pairs}{more}"
        extras.insert(0, Problem(number, None, reason))
        names = [spelt.get(name, name) for name in names]
    problems = [
        Problem(number, name, "is in the header twice")
        for name in dict.fromkeys(names)
        if names.count(name) > 1 and _is_known(name)
    ]
    if ID not in names:
        reason = "is missing: every row needs the identifier of its post"
        problems.append(Problem(number, ID, reason))
    if problems:
        raise SheetError(path.name, [*extras, *problems])
    return replace(sheet, columns=tuple(names), header=number), extras


def _is_known(name: str) -> bool:
    return name in _KNOWN or name in EDITABLE


def _plain(name: str) -> str:
    """Return the name of a column in the letters of those that are known."""
    return name.lower().replace(" ", "_")


def _instead(name: str, names: Sequence[str]) -> str:
    """Return what to do about a column that is not one of posts."""
    own = documented()
    left = [known for known in (*_KNOWN, *own) if known not in names]
    near = difflib.get_close_matches(_plain(name), left, 1)
    hint = f": did you mean {near[0]}?" if near else "."
    return f"{hint} --extra-columns passes over those of your own"


def _records(sheet: Sheet) -> Generator[_Record]:
    if _is_workbook(sheet.path):
        return _workbook(sheet)
    return _csv_rows(sheet.path, sheet.encoding or encoding_of(_start(sheet.path)))


def _is_workbook(path: Path) -> bool:
    start, reason = _start(path), ""
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        reason = "is an old .xls workbook, or has a password: save it as .xlsx or CSV"
    elif start.startswith(b"PK") and (program := other_program(path)):
        reason = f"is a sheet of {program}: save it as .xlsx or CSV there"
    elif re.match(rb"(\xef\xbb\xbf)?\s*<[?!a-zA-Z]", start):
        reason = "is XML or HTML, as .fods, .xml and some .xls files are: save it as .xlsx or CSV"
    elif start.lstrip().startswith(b"{"):
        reason = (
            "is a plan, and no sheet: look at it with social-publishing show, or carry it out with "
            "social-publishing apply"
            if b'"format"' in start
            else "is JSON, and no sheet: a sheet is CSV or an .xlsx file"
        )
    if reason:
        raise SheetError.of(path.name, reason)
    return start.startswith(b"PK")


def _start(path: Path) -> bytes:
    if is_stream(path):
        reason = "is no file, and a sheet is read twice: save it as a file first"
        raise SheetError.of(path.name, reason)
    try:
        with path.open("rb") as file:
            return file.read(64)
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        raise SheetError.of(path.name, reason) from None


def _csv_rows(path: Path, encoding: str) -> Generator[_Record]:
    number = 0
    csv.field_size_limit(MOST_TEXT)
    try:
        with path.open(encoding=encoding, newline="") as file:
            first = next((line for line in _lines(file) if line.strip(" ,;\t\r\n")), "")
            named = _SEPARATOR.fullmatch(first)
            if not named:
                file.seek(0)
            separator = named[1] if named else max(",;\t", key=first.count)
            rows = csv.reader(_lines(file), delimiter=separator, strict=True)
            for number, cells in enumerate(rows, 1):
                if any("\0" in cell for cell in cells):
                    raise SheetError.of(path.name, "has zero bytes: is it a CSV file?", number)
                yield _Record(number, list(cells))
    except LookupError:
        reason = f"there is no encoding {encoding!r}: --encoding takes utf-8, cp1252, and the like"
        raise SheetError.of(path.name, reason) from None
    except UnicodeError:
        is_text = not _BINARY.search(_start(path))
        reason = (
            "is neither a workbook nor text: a sheet is CSV or an .xlsx file"
            if path.suffix.lower() == ".xlsx" or not (is_text or encoding.startswith("utf-16"))
            else f"is not {encoding.removesuffix('-sig').upper()}"
            f"{f' after row {number}' * bool(number)}: {advice(path)}"
        )
        raise SheetError.of(path.name, reason) from None
    except csv.Error as error:
        raise SheetError.of(path.name, f"is not CSV: {error}", number + 1) from None


def _lines(file: TextIO) -> Iterator[str]:
    while line := file.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE and not line.endswith("\n"):
            raise csv.Error(f"a line has more than {_LONGEST_LINE:,} characters")
        yield line


def _workbook(sheet: Sheet) -> Generator[_Record]:
    header: list[str] = []
    try:
        with Workbook(sheet.path) as book:
            name = sheet.worksheet or ""
            merged = _Merged(book.merged(name))
            for number, cells, hidden in book.rows(name):
                row: _Cells = []
                for cell in cells:
                    if cell.column >= _MOST_COLUMNS:
                        reason = f"has more than {_MOST_COLUMNS} columns"
                        raise SheetError.of(sheet.path.name, reason, number)
                    row += [""] * (cell.column - len(row))
                    named = header[cell.column] if cell.column < len(header) else None
                    row[cell.column :] = [_cell(number, named, cell)]
                if header and any(row):
                    row += [""] * (len(header) - len(row))
                    for at, reason in merged.covered(number, len(header)):
                        row[at] = Problem(number, header[at], reason)
                header = header or [str(cell).strip() for cell in row]
                yield _Record(number, row, hidden)
    except WorkbookError as error:
        raise SheetError.of(sheet.path.name, error) from None


class _Merged:
    """The merged cells of a sheet, of which only the first has a value."""

    def __init__(self, ranges: Sequence[tuple[int, int, int, int]]) -> None:
        self._left = deque(ranges)
        self._open: list[tuple[int, int, int, int]] = []

    def covered(self, row: int, columns: int) -> Iterator[tuple[int, str]]:
        """Yield the columns of a row whose cells are part of another one, and why that is wrong."""
        while self._left and self._left[0][0] <= row:
            self._open.append(self._left.popleft())
        self._open = [each for each in self._open if each[2] >= row]
        for top, left, _, right in self._open:
            for at in range(left, min(right + 1, columns)):
                if (top, left) != (row, at):
                    yield at, f"is merged with a cell of row {top}: split the merged cells"


def _worksheet(path: Path, name: str | None) -> str:
    """Return the sheet with posts: the named one, or the only one that has identifiers."""
    try:
        with Workbook(path) as book:
            if name and name not in book.sheets:
                reason = f"has no sheet {name!r}; it has {', '.join(book.sheets)}"
                raise SheetError.of(path.name, reason)
            headers = {} if name else {sheet: next(book.rows(sheet), None) for sheet in book.sheets}
            posts = [
                sheet
                for sheet, line in headers.items()
                if line and any(str(cell.value).strip() == ID for cell in line.cells)
            ]
            if len(posts) > 1:
                reason = f"has posts in the sheets {', '.join(posts)}: pass one with --worksheet"
                raise SheetError.of(path.name, reason)
            return name or (posts or [*book.sheets])[0]
    except WorkbookError as error:
        raise SheetError.of(path.name, error) from None


def _cell(number: int, name: str | None, cell: Cell) -> str | Problem:
    if cell.kind == "formula":
        return Problem(number, name, "is a formula: paste its value instead")
    if cell.kind == "error":
        return Problem(number, name, f"is the error {cell.value}")
    kind = EDITABLE[name].kind if name and name in EDITABLE else ""
    try:
        text = as_text(cell.value, kind, cell.layout)
    except ValueError as error:
        return Problem(number, name, str(error))
    # Of a workbook's own text nothing is a formula.
    return guarded(text) if kind in TEXTUAL else text
