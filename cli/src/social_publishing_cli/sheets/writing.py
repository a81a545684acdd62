"""Writes posts as CSV or an Excel workbook."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from ..files import replacing
from .columns import COLUMNS, EDITABLE
from .exporting import sheet_row
from .memory import MEMORY, escaped

if TYPE_CHECKING:
    from social_publishing.models import Post

Found = Iterable[tuple[str, ZoneInfo, "Post"]]

_SHEET = [*(column.name for column in COLUMNS), MEMORY]
_WIDTHS = {"content": 60, "name": 30, "id": 22, "publication_date": 18, "link": 30}


def _csv(path: Path, posts: Found) -> int:
    rows = [sheet_row(*each, ".csv") for each in posts]
    # With the mark, Excel reads it as UTF-8.
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, _SHEET)
        writer.writeheader()
        writer.writerows(rows)
    return len(rows)


def _xlsx(path: Path, posts: Found) -> int:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    sheet = book.create_sheet("posts")
    sheet.freeze_panes = "B2"
    for at, name in enumerate(_SHEET, 1):
        sheet.column_dimensions[get_column_letter(at)].width = _WIDTHS.get(name, 14)
        sheet.column_dimensions[get_column_letter(at)].hidden = name == MEMORY

    def cell(value: Any, form: str = "@", **style: Any) -> Any:
        made = WriteOnlyCell(sheet, value=escaped(value) if isinstance(value, str) else value)
        made.number_format = form
        if isinstance(value, str):
            made.data_type = "s"  # a text, also where it begins with =
        for name, setting in style.items():
            setattr(made, name, setting)
        return made

    bold, wrapped = Font(bold=True), Alignment(wrap_text=True, vertical="top")
    sheet.append([cell(name, font=bold) for name in _SHEET])
    rows = [sheet_row(*each, ".xlsx") for each in posts]
    for row in rows:
        cells = []
        for name, text in row.items():
            kind = EDITABLE[name].kind if name in EDITABLE else ""
            # A workbook has no number for days before 1900, and no offset.
            moment = datetime.fromisoformat(text) if kind == "moment" and text else None
            if moment and moment.year > 1900 and not moment.tzinfo:
                cells.append(cell(moment, "yyyy-mm-dd hh:mm"))
            elif kind == "number" and text:
                cells.append(cell(int(text), "0"))
            else:
                cells.append(cell(text, alignment=wrapped) if name == "content" else cell(text))
        sheet.append(cells)
    book.save(path)
    return len(rows)


WRITERS: dict[str, Callable[[Path, Found], int]] = {
    ".csv": _csv,
    ".xlsx": _xlsx,
}
"""Writers by file extension."""


def write_sheet(path: Path, posts: Found) -> int:
    """Write posts to a file, atomically, and return how many."""
    with replacing(path) as new:
        return WRITERS[path.suffix.lower()](new, posts)
