"""Reads the cells of an .xlsx file by openpyxl, row after row, whatever the file says of itself."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple
from xml.etree.ElementTree import iterparse
from xml.parsers import expat

from .memory import unescaped

MOST_BYTES = 512 * 2**20  # of one part of the file, unpacked
MOST_ELEMENTS = 2_000_000  # of one part: openpyxl keeps something of each in memory
MOST_TEXT = 2**20  # characters of one cell


class WorkbookError(Exception):
    """A file is no workbook that can be read, and why."""


class Cell(NamedTuple):
    """A cell that is not empty.

    Attributes:
        column: Its column, counted from 0.
        value: str, bool, int, float, date, datetime, time, or timedelta.
        kind: "value", "formula", or "error".
        layout: The number format of a date, such as "yyyy-mm-dd hh:mm".
    """

    column: int
    value: Any
    kind: str = "value"
    layout: str = ""


class Workbook:
    """An open workbook."""

    def __init__(self, path: Path) -> None:
        with _refusing():
            self._file = path.open("rb")
        try:
            with _refusing():
                self._reader = _reader(self._file)
            self.sheets = {sheet.title: sheet for sheet in self._reader.wb.worksheets}
            if not self.sheets:
                raise WorkbookError("has no sheet with cells")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Workbook:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def rows(self, name: str) -> Iterator[tuple[int, list[Cell]]]:
        """Yield the rows of a sheet that have cells, with their numbers, counted from 1."""
        from openpyxl.cell.read_only import ReadOnlyCell
        from openpyxl.worksheet._reader import WorkSheetParser

        # Not the rows of the sheet itself, which are as many and as wide as the file says.
        sheet: Any = self.sheets[name]
        book = sheet.parent
        with sheet._get_source() as source:
            parser = WorkSheetParser(
                source,
                self._reader.shared_strings,
                epoch=book.epoch,
                date_formats=book._date_formats,
                timedelta_formats=book._timedelta_formats,
            )
            rows = parser.parse()
            while True:
                with _refusing():
                    number, found = next(rows, (0, []))
                    cells = [
                        _cell(ReadOnlyCell(sheet, **cell))
                        for cell in found
                        if cell["value"] is not None
                    ]
                if not number:
                    return
                if cells:
                    yield number, cells


def _cell(cell: Any) -> Cell:
    value = cell.value
    kind = {"f": "formula", "e": "error"}.get(cell.data_type, "value")
    if isinstance(value, str) and kind == "value":
        if len(value) > MOST_TEXT:
            reason = f"row {cell.row} has a text of more than {MOST_TEXT:,} characters"
            raise WorkbookError(reason)
        value = unescaped(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    layout = cell.number_format if cell.data_type == "d" else ""
    return Cell(cell.column - 1, value, kind, layout)


def _reader(file: IO[bytes]) -> Any:
    """Open a workbook without reading its sheets.

    Its texts are read here, since openpyxl takes an escaped `_xHHHH_` for another text.
    """
    from openpyxl.cell.text import Text
    from openpyxl.reader.excel import ExcelReader
    from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS

    class Reader(ExcelReader):
        def read_strings(self) -> None:
            package: Any = self.package
            if part := package.find(SHARED_STRINGS):
                with self.archive.open(part.PartName[1:]) as source:
                    node: Any
                    for _, node in iterparse(source):
                        if node.tag == f"{{{SHEET_MAIN_NS}}}si":
                            text: Any = Text.from_tree(node)
                            self.shared_strings.append(text.content)
                            node.clear()

    reader = Reader(file, read_only=True, keep_links=False)
    for part in reader.archive.infolist():
        if part.file_size > MOST_BYTES:
            raise WorkbookError(f"is too large: more than {MOST_BYTES // 2**20} MB unpacked")
        if part.filename.endswith((".xml", ".rels")):
            with reader.archive.open(part) as content:
                _check(content)
    reader.read()
    return reader


def _check(content: IO[bytes]) -> None:
    """See that XML is not too large for memory, and defines no entities."""
    count = 0

    def start(_: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count == 1 and any("purl.oclc.org/ooxml" in value for value in attributes.values()):
            raise WorkbookError("is a Strict Open XML workbook: save it as an ordinary .xlsx")
        if count > MOST_ELEMENTS:
            raise WorkbookError(f"is too large: more than {MOST_ELEMENTS:,} elements in one part")

    def doctype(*_: object) -> None:
        raise WorkbookError("has a document type of its own, which no workbook needs")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = doctype
    parser.ParseFile(content)


@contextmanager
def _refusing() -> Iterator[None]:
    """Make one error of whatever a file does to openpyxl; leave its warnings out."""
    with warnings.catch_warnings(action="ignore"):
        try:
            yield
        except WorkbookError:
            raise
        except Exception as error:
            hint = "save it anew with a spreadsheet program, or as CSV"
            raise WorkbookError(f"is damaged, or is no workbook ({error}): {hint}") from None
