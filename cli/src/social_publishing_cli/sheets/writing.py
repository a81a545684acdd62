"""Writes posts, and other tables, as CSV that Excel reads or as an Excel workbook."""

from __future__ import annotations

import csv
import io
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from ..files import replacing
from ..names import Names
from .cells import kept
from .columns import ACCOUNTS, EDITABLE, WEEKDAY, columns_of
from .exporting import sheet_row
from .memory import MEMORY, escaped

if TYPE_CHECKING:
    from social_publishing.models import Post

Found = Iterable[tuple[str, ZoneInfo, "Post"]]

_WIDTHS = {
    **{"id": 22, "publication_date": 22, "timezone": 15, "networks": 26, "name": 28, "content": 60},
    **{"note": 30, "publication_delay_between": 18, ACCOUNTS: 32, "selected_account_ids": 22},
    **{"selected_media_ids": 22, "labels": 18, "group": 22, "group_id": 22, "link": 32},
    **{"published": 22, "network": 26, "account_name": 32, "account": 22, "post": 22, "status": 14},
}  # characters; 12 for all others
_MOMENT = "ddd yyyy-mm-dd hh:mm"  # programs write the weekday in the language of whoever looks
_LINE_HEIGHT, _MOST_LINES = 15, 12  # points of a line of text; lines of the highest row
_PAGE = 180  # characters that can still be read across a page
_ROWS = 5000  # for which there are lists to choose from, at the least

# What can be edited is dark on white below a coloured head; the rest is grey.
_EDITABLE_HEAD, _SHOWN_HEAD, _SHOWN = "1F5C99", "8A8F98", "F3F4F6"
_FONT = "Calibri"
_ON_HEAD, _ON_SHOWN, _LINE = "FFFFFF", "5F6670", "D5D9DF"


class Column(NamedTuple):
    """A column of a workbook.

    Attributes:
        kind: "text", "moment", "number", or "flag", for which there is a list of yes and no.
        editable: Whether it may be edited; None where nothing in the workbook may.
        hint: What a person reads who stands on a cell.
        one_line: Whether its texts take one line, however long they are.
    """

    name: str
    kind: str = "text"
    editable: bool | None = None
    hint: str = ""
    hidden: bool = False
    one_line: bool = False


_HINTS = {
    "publication_date": "When the post goes out, on the clocks of the column timezone.",
    "selected_account_ids": "Ids, or names as in the column accounts with a comma between them.",
    "publication_delay_between": "Minutes between one account and the next.",
    "should_skip": "yes: the post is not published, and becomes Skipped.",
    "visible_for_client": "yes: clients see the post.",
}


_OWN_HINT = "The text for this network alone. Empty: it gets the text of the column content."


def _hint(name: str) -> str:
    if name in _HINTS or name not in EDITABLE:
        return _HINTS.get(name, "")
    column = EDITABLE[name]
    is_text = column.network and column.member == "content"
    hidden = "The service does not show this value: what is written here takes its place. "
    if is_text:
        return _OWN_HINT
    doc = column.doc if column.always_shown or column.field else hidden + column.doc
    if column.kind == "flag":
        doc = re.sub(r"\b[Tt]rue\b", "yes", re.sub(r"\b[Ff]alse\b", "no", doc))
    return textwrap.shorten(doc, 255, placeholder="…")


def _columns(names: Sequence[str]) -> Sequence[Column]:
    shown = [name for name in names if name != WEEKDAY]  # the date has it
    return [
        Column(
            name,
            EDITABLE[name].kind if name in EDITABLE else "text",
            name in EDITABLE,
            _hint(name),
            hidden=name == MEMORY,
            one_line=name == MEMORY,
        )
        for name in shown
    ]


def _csv(path: Path, posts: Found, names: Names, every: bool) -> int:
    columns, rows = _rows(posts, names, ".csv", every)
    write_csv(path, columns, rows)
    return len(rows)


def _rows(
    posts: Found, names: Names, ending: str, every: bool
) -> tuple[list[str], list[dict[str, str]]]:
    """Return the columns that the posts need, or every one, and their rows."""
    found = [*posts]
    columns = columns_of((post for _, _, post in found), every)
    return [*columns, MEMORY], [sheet_row(*each, names, columns, ending) for each in found]


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as CSV. With the mark at its beginning, Excel reads it as UTF-8."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)


def _xlsx(path: Path, posts: Found, names: Names, every: bool) -> int:
    columns, rows = _rows(posts, names, ".xlsx", every)
    write_workbook(path, "posts", _columns(columns), rows)
    return len(rows)


def write_workbook(
    path: Path,
    title: str,
    columns: Sequence[Column],
    rows: Sequence[Mapping[str, Any]],
    add_sheets: Callable[[Any], object] = lambda book: None,
) -> None:
    """Write rows as a sheet of a workbook: its head stays in sight, and every id is text.

    Args:
        add_sheets: Called with the workbook, to add others.
    """
    from openpyxl import Workbook
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    sheet = book.create_sheet(title)
    sheet.freeze_panes = "C2"
    for at, column in enumerate(columns, 1):
        dimension = sheet.column_dimensions[get_column_letter(at)]
        dimension.width = _width(column.name)
        dimension.hidden = column.hidden
    last = f"{get_column_letter(len(columns))}{len(rows) + 1}"
    sheet.auto_filter.ref = f"A1:{last}"  # with what is hidden, so that sorting keeps rows together
    _lay_out(sheet, columns)
    _offer_choices(sheet, columns, len(rows))
    cells = _Cells(sheet)
    sheet.row_dimensions[1].height = 2 * _LINE_HEIGHT
    sheet.append([cells.head(column) for column in columns])
    for number, row in enumerate(rows, 2):
        lines = min(_MOST_LINES, _lines(columns, row))
        sheet.row_dimensions[number].height = 3 + _LINE_HEIGHT * lines
        sheet.append([cells.cell(column, row[column.name]) for column in columns])
    add_sheets(book)
    whole = io.BytesIO()  # an archive that cannot be written on is not closed in silence
    book.save(whole)
    path.write_bytes(whole.getvalue())


def _width(name: str) -> int:
    """Return how many characters wide a column is: no word of its head is broken."""
    return max(_WIDTHS.get(name.partition("[")[0], 12), len(name) + 4)


def _lines(columns: Sequence[Column], row: Mapping[str, Any]) -> int:
    """Return how many lines the longest text of a row takes: programs do not work it out."""
    shown = (
        (str(row[each.name]), _width(each.name) - 2)
        for each in columns
        if each.kind == "text" and not each.one_line
    )
    return max(
        sum(_wrapped(line, width) for line in text.splitlines() or [""]) for text, width in shown
    )


def _wrapped(line: str, width: int) -> int:
    """Return over how many lines the words of a line go; a word that is too wide is broken."""
    from rich.cells import cell_len

    lines, used = 1, 0
    for word in line.split(" "):
        size = cell_len(word)
        if used and used + 1 + size > width:
            lines, used = lines + 1, 0
        more, used = divmod(used + bool(used) + size, width)
        lines += more
    return lines


def _lay_out(sheet: Any, columns: Sequence[Column]) -> None:
    """Let its pages lie across when it is printed, with the head and the first columns on each."""
    from openpyxl.worksheet.properties import PageSetupProperties

    sheet.page_setup.orientation = "landscape"
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    width = sum(_width(each.name) for each in columns if not each.hidden)
    sheet.page_setup.fitToWidth = math.ceil(width / _PAGE)
    sheet.page_setup.fitToHeight = 0  # as many as it takes
    sheet.print_title_rows, sheet.print_title_cols = "1:1", "A:B"


def _offer_choices(sheet: Any, columns: Sequence[Column], rows: int) -> None:
    """Give the cells of a flag a list of yes and no, and others that may be edited a hint."""
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    for at, column in enumerate(columns, 1):
        is_flag = column.kind == "flag"
        if not column.editable or not (is_flag or column.hint):
            continue
        choice = DataValidation(
            type="list" if is_flag else None,
            formula1='"yes,no"' if is_flag else None,
            allow_blank=True,
            showErrorMessage=is_flag,
            errorTitle=column.name,
            error="yes or no",
            showInputMessage=bool(column.hint),
            promptTitle=column.name[:32],
            prompt=column.hint,
        )
        letter = get_column_letter(at)
        choice.add(f"{letter}2:{letter}{max(rows + 1, _ROWS)}")
        sheet.data_validations.append(choice)


class _Cells:
    """Makes the cells of a sheet; styles are made once."""

    def __init__(self, sheet: Any) -> None:
        from openpyxl.styles import Alignment, Border, Font, PatternFill, Side

        self._sheet = sheet
        self._wrapped = Alignment("left", "top", wrap_text=True)
        self._plain = Alignment("left", "top")
        self._number = Alignment("right", "top")
        self._line = Border(bottom=Side("thin", _LINE), right=Side("thin", _LINE))
        self._heads = {
            editable: (Font(_FONT, 11, bold=True, color=_ON_HEAD), PatternFill("solid", color))
            for editable, color in (
                (True, _EDITABLE_HEAD),
                (None, _EDITABLE_HEAD),
                (False, _SHOWN_HEAD),
            )
        }
        self._shown = Font(_FONT, 11, color=_ON_SHOWN), PatternFill("solid", _SHOWN)

    def head(self, column: Column) -> Any:
        """Return the cell of the head."""
        cell = self._made(column.name)
        cell.font, cell.fill = self._heads[column.editable]
        cell.alignment = self._wrapped
        return cell

    def cell(self, column: Column, value: Any) -> Any:
        """Return the cell of a value, which is a text where the column has no kind of its own."""
        # A workbook has no number for days before 1900, and no offset.
        moment = datetime.fromisoformat(value) if column.kind == "moment" and value else None
        if moment and moment.year > 1900 and not moment.tzinfo:
            cell = self._made(moment, _MOMENT)
        elif column.kind == "number" and _is_number(value):
            cell = self._made(int(value), "0")
        else:
            cell = self._made(value)
        cell.alignment = (
            self._number
            if column.kind == "number"
            else self._plain
            if column.one_line
            else self._wrapped
        )
        cell.border = self._line
        if column.editable is False:
            cell.font, cell.fill = self._shown
        return cell

    def _made(self, value: Any, form: str = "@") -> Any:
        cell = new_cell(self._sheet, value)
        cell.number_format = form
        return cell


def _is_number(value: Any) -> bool:
    """Return whether a cell holds a value as a number; any other is a text."""
    return bool(re.fullmatch(r"-?[0-9]{1,15}", str(value)))


def new_cell(sheet: Any, value: Any) -> Any:
    """Return a cell to be written: a text is one, also where it begins with =."""
    from openpyxl.cell import WriteOnlyCell

    if not isinstance(value, str):
        return WriteOnlyCell(sheet, value=value)
    cell = WriteOnlyCell(sheet, value=escaped(value))
    cell.data_type = "s"
    return cell


def write_table(
    path: Path,
    title: str,
    columns: Sequence[Column],
    rows: Sequence[Mapping[str, Any]],
    add_sheets: Callable[[Any], object] = lambda book: None,
) -> None:
    """Write a table that is only read, by the ending of its file, whole or not at all.

    In CSV, texts that a spreadsheet program would take for a number or a formula have a ' before
    them: it rounds long numbers.

    Args:
        add_sheets: Called with a workbook, to add other sheets.
    """
    with replacing(path) as new:
        if path.suffix.lower() == ".xlsx":
            write_workbook(new, title, columns, rows, add_sheets)
            return
        texts = {each.name for each in columns if each.kind == "text"}
        guarded = (
            {name: kept(str(value)) if name in texts else value for name, value in row.items()}
            for row in rows
        )
        write_csv(new, [each.name for each in columns], guarded)


WRITERS: dict[str, Callable[[Path, Found, Names, bool], int]] = {
    ".csv": _csv,
    ".xlsx": _xlsx,
}
"""Writers by file extension."""


def write_sheet(path: Path, posts: Found, names: Names | None = None, every: bool = False) -> int:
    """Write posts to a file, atomically, and return how many.

    Args:
        names: The names that stand beside the ids of groups and accounts.
        every: Whether it has every column that can be edited, used or not.
    """
    names = Names() if names is None else names
    with replacing(path) as new:
        return WRITERS[path.suffix.lower()](new, posts, names, every)
