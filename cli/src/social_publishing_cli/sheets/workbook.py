"""Reads the cells of an .xlsx file one by one, and trusts nothing that the file claims.

openpyxl believes the stated size of a sheet, pads every row to its last column, and misreads an
escaped `_xHHHH_`. So this module reads the cells, and openpyxl interprets number formats.
"""

from __future__ import annotations

import zipfile
from array import array
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from posixpath import normpath
from string import ascii_letters as _LETTERS
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple
from xml.parsers import expat

from .memory import unescaped

MOST_BYTES = 512 * 2**20  # of one part of the file, unpacked
MOST_TEXT = 2**20  # characters of one cell
_MOST_MERGED = 10_000
_STEP = 1 << 16

_Attributes = dict[str, str]


class WorkbookError(Exception):
    """A file cannot be read as a workbook; the text says why."""


class Line(NamedTuple):
    """A row that is not empty.

    Attributes:
        number: Its number, counted from 1.
        hidden: Whether it is not shown, as by a filter.
    """

    number: int
    cells: list[Cell]
    hidden: bool


class Cell(NamedTuple):
    """A cell that is not empty.

    Attributes:
        column: Its column, counted from 0.
        value: str, bool, int, float, datetime, time, or timedelta.
        kind: "value", "formula", or "error".
        layout: The number format of a date, such as "yyyy-mm-dd hh:mm".
    """

    column: int
    value: Any
    kind: str = "value"
    layout: str = ""


def other_program(path: Path) -> str:
    """Return whose format a packed file has, if it is a sheet, and not a workbook of Excel's."""
    try:
        with zipfile.ZipFile(path) as file:
            names = {*map(_plain, file.namelist())}
            kind = file.read("mimetype")[:80] if "mimetype" in names else b""
    except (zipfile.BadZipFile, OSError, EOFError, RuntimeError, NotImplementedError, ValueError):
        return ""
    if b"opendocument" in kind:
        return "LibreOffice or OpenOffice (.ods)"
    if any(name.startswith("index/") and name.endswith(".iwa") for name in names):
        return "Numbers"
    return "Excel's binary format (.xlsb)" if "xl/workbook.bin" in names else ""


class Workbook:
    """An open workbook."""

    def __init__(self, path: Path) -> None:
        self._stack = ExitStack()
        try:
            self._zip = self._stack.enter_context(zipfile.ZipFile(path))
            # Some programs write names with backslashes, or in other case than they refer to them.
            self._parts = {_plain(name): name for name in self._zip.namelist()}
            self._strings: _Strings | None = None
            self._relations = self._targets()
            self.sheets = self._sheets()
            self._formats = self._dates()
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
            self.close()
            raise WorkbookError(f"is damaged, or not a workbook: {error}") from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._stack.close()

    def __enter__(self) -> Workbook:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def rows(self, name: str) -> Iterator[Line]:
        """Yield the non-empty rows of a sheet."""
        if self._strings is None:
            self._strings = self._stack.enter_context(_Strings())
            if part := self._part("/sharedStrings"):
                self._read(part, _StringReader(self._strings.add), lambda: ())
        reader = _RowReader(self._strings, self._formats, self._is_1904)
        yield from self._parsed(self.sheets[name], reader, reader.taken)

    def merged(self, name: str) -> list[tuple[int, int, int, int]]:
        """Return the merged cells of a sheet: first row, first column, last row, last column.

        Columns are counted from 0. Sorted by the first row.
        """
        ranges = []

        def start(tag: str, attributes: _Attributes) -> None:
            if tag == "mergeCell":
                ends = attributes.get("ref", "").replace("$", "").partition(":")
                (top, left), (bottom, right) = (
                    _place(each) for each in (ends[0], ends[2] or ends[0])
                )
                ranges.append((top, left, bottom, right))
                if len(ranges) > _MOST_MERGED:
                    raise WorkbookError(f"has more than {_MOST_MERGED:,} merged cells")

        self._read(self.sheets[name], start, lambda: ())
        return sorted(ranges)

    def _sheets(self) -> dict[str, str]:
        by_name: dict[str, str] = {}
        self._is_1904 = False

        def start(tag: str, attributes: _Attributes) -> None:
            if tag == "workbookPr":
                self._is_1904 = _is_true(attributes.get("date1904", ""))
            target, kind = self._relations.get(attributes.get("r:id", ""), ("", ""))
            if tag == "sheet" and kind.endswith("/worksheet"):
                by_name[attributes.get("name", "")] = target

        self._read(self._part("/workbook") or "xl/workbook.xml", start, lambda: ())
        if not by_name:
            raise WorkbookError("has no sheet with cells")
        return by_name

    def _targets(self) -> dict[str, tuple[str, str]]:
        """Return where each relation of the workbook leads to, and of which kind it is."""
        targets: dict[str, tuple[str, str]] = {}

        def start(tag: str, attributes: _Attributes) -> None:
            if tag == "Relationship":
                target = attributes.get("Target", "").replace("\\", "/")
                path = normpath(f"/{target}" if target.startswith("/") else f"/xl/{target}")
                targets[attributes.get("Id", "")] = path, attributes.get("Type", "")

        self._read("xl/_rels/workbook.xml.rels", start, lambda: ())
        return targets

    def _part(self, kind: str) -> str | None:
        return next((path for path, type in self._relations.values() if type.endswith(kind)), None)

    def _dates(self) -> list[str]:
        """Return the format of each style of a cell that shows a number as a date; else ""."""
        from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format

        codes: dict[str, str] = {str(number): code for number, code in BUILTIN_FORMATS.items()}
        styles: list[str] = []
        inside: list[str] = []

        def start(tag: str, attributes: _Attributes) -> None:
            if tag == "numFmt":
                codes[attributes.get("numFmtId", "")] = attributes.get("formatCode", "")
            elif tag in ("cellXfs", "cellStyleXfs", "dxfs"):
                inside[:] = [tag]
            elif tag == "xf" and inside == ["cellXfs"]:
                code = codes.get(attributes.get("numFmtId", "0"), "")
                styles.append(code if is_date_format(code) else "")

        if part := self._part("/styles"):
            self._read(part, start, lambda: ())
        return styles

    def _read(self, part: str, handler: Any, taken: Callable[[], Any]) -> None:
        for _ in self._parsed(part, handler, taken):
            pass

    def _parsed(self, part: str, handler: Any, taken: Callable[[], Any]) -> Iterator[Any]:
        """Parse a part, and yield what `taken` has after each piece of it."""
        parser = expat.ParserCreate()
        parser.buffer_text = True
        start = getattr(handler, "start", handler)
        parser.StartElementHandler = lambda tag, a: start(tag.rpartition(":")[2], a)
        if hasattr(handler, "end"):
            parser.EndElementHandler = lambda tag: handler.end(tag.rpartition(":")[2])
            parser.CharacterDataHandler = handler.text
        parser.StartDoctypeDeclHandler = _no_doctype
        try:
            part = self._parts[_plain(part)]
            if self._zip.getinfo(part).file_size > MOST_BYTES:
                raise WorkbookError(f"is too large: more than {MOST_BYTES // 2**20} MB unpacked")
            with self._zip.open(part) as file:
                while piece := file.read(_STEP):
                    parser.Parse(piece)
                    yield from taken()
                parser.Parse(b"", True)
                yield from taken()
        except KeyError:
            raise WorkbookError("is damaged, or is no workbook: a part of it is missing") from None
        except (expat.ExpatError, zipfile.BadZipFile, OSError, EOFError) as error:
            raise WorkbookError(f"is damaged: {error}") from None
        except (RuntimeError, NotImplementedError) as error:  # a password, an unknown compression
            raise WorkbookError(f"cannot be unpacked: {error}") from None


def _plain(part: str) -> str:
    """Return the name of a part in the form in which names are compared."""
    return part.replace("\\", "/").lstrip("/").lower()


def _place(reference: str) -> tuple[int, int]:
    """Return the row and the column of a reference such as AB12; a part that is missing is 0."""
    digits = reference.lstrip(_LETTERS)
    return int(digits) if digits.isdecimal() else 0, _column(reference, 0)


def _no_doctype(*_: object) -> None:
    raise WorkbookError("contains a document type declaration, which is not allowed")


class _Strings:
    """The texts of a workbook by their numbers; in a file, so that memory does not grow."""

    def __init__(self) -> None:
        self._file: IO[bytes] = TemporaryFile()  # noqa: SIM115
        self._ends = array("Q", [0])

    def add(self, text: str) -> None:
        self._ends.append(self._ends[-1] + self._file.write(text.encode("utf-8", "surrogatepass")))

    def __getitem__(self, number: int) -> str:
        if not 0 <= number < len(self._ends) - 1:
            raise WorkbookError("is damaged: a cell has a text that is not there")
        start, end = self._ends[number : number + 2]
        self._file.seek(start)
        return self._file.read(end - start).decode("utf-8", "surrogatepass")

    def __enter__(self) -> _Strings:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


class _StringReader:
    """Puts the runs of each shared text together, without what is only read aloud (`rPh`)."""

    def __init__(self, add: Callable[[str], None]) -> None:
        self._add = add
        self._runs: list[str] = []
        self._open: list[str] = []
        self._length = 0

    def start(self, tag: str, attributes: _Attributes) -> None:
        self._open.append(tag)
        if tag == "si":
            self._runs, self._length = [], 0

    def text(self, text: str) -> None:
        if self._open[-1:] == ["t"] and "rPh" not in self._open:
            self._runs.append(text)
            self._length += len(text)
            if self._length > MOST_TEXT:
                raise WorkbookError(f"has a text of more than {MOST_TEXT:,} characters")

    def end(self, tag: str) -> None:
        self._open.pop()
        if tag == "si":
            self._add(unescaped("".join(self._runs)))


class _RowReader:
    """Makes rows of the elements of a sheet."""

    def __init__(self, strings: _Strings, formats: list[str], is_1904: bool) -> None:
        self._strings, self._formats, self._is_1904 = strings, formats, is_1904
        self._rows: list[Line] = []
        self._cells: list[Cell] = []
        self._open: list[str] = []
        self._row = 0
        self._is_hidden = False
        self._column = -1
        self._type, self._style = "n", 0
        self._value: list[str] = []
        self._length = 0
        self._is_formula = False

    def taken(self) -> list[Line]:
        """Return the completed rows, each once."""
        rows, self._rows = self._rows, []
        return rows

    def start(self, tag: str, attributes: _Attributes) -> None:
        self._open.append(tag)
        if tag == "row":
            number = attributes.get("r", "")
            self._row = int(number) if number.isdecimal() else self._row + 1
            self._cells, self._column = [], -1
            self._is_hidden = _is_true(attributes.get("hidden", ""))
        elif tag == "c":
            self._column = _column(attributes.get("r", ""), self._column + 1)
            self._type = attributes.get("t", "n")
            style = attributes.get("s", "0")
            self._style = int(style) if style.isdecimal() else 0
            self._value, self._length, self._is_formula = [], 0, False
        elif tag == "f":
            self._is_formula = True

    def text(self, text: str) -> None:
        if self._open[-1:] in (["v"], ["t"]) and "rPh" not in self._open:
            self._value.append(text)
            self._length += len(text)
            if self._length > MOST_TEXT:
                raise WorkbookError(
                    f"row {self._row} has a text of more than {MOST_TEXT:,} characters"
                )

    def end(self, tag: str) -> None:
        self._open.pop()
        if tag == "c" and (self._value or self._is_formula):
            self._cells.append(self._cell("".join(self._value)))
        elif tag == "row" and self._cells:
            self._rows.append(Line(self._row, self._cells, self._is_hidden))

    def _cell(self, text: str) -> Cell:
        column = self._column
        if self._is_formula:
            return Cell(column, text, "formula")
        try:
            if self._type == "s":
                return Cell(column, self._strings[int(text)])
            if self._type in ("str", "inlineStr"):
                return Cell(column, unescaped(text))
            if self._type == "b":
                return Cell(column, _is_true(text))
            if self._type == "e":
                return Cell(column, text, "error")
            if self._type == "d":
                layout = "yyyy-mm-dd hh:mm" if "T" in text else "yyyy-mm-dd"
                return Cell(column, datetime.fromisoformat(text), layout=layout)
            return self._number(column, float(text))
        except (ValueError, OverflowError):
            raise WorkbookError(f"row {self._row} has the cell {text[:40]!r}: is damaged") from None

    def _number(self, column: int, number: float) -> Cell:
        from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel

        layout = self._formats[self._style] if self._style < len(self._formats) else ""
        if not layout:
            return Cell(column, int(number) if number.is_integer() else number)
        epoch = CALENDAR_MAC_1904 if self._is_1904 else CALENDAR_WINDOWS_1900
        return Cell(column, from_excel(number, epoch), layout=layout)


def _is_true(text: str) -> bool:
    return text.strip().lower() in ("1", "true")


def _column(reference: str, next_one: int) -> int:
    """Return the number of the column in a reference such as AB12, counted from 0."""
    letters = reference.rstrip("0123456789")
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter.upper()) - 64
    return number - 1 if letters.isascii() and letters.isalpha() and len(letters) < 4 else next_one
