"""Writes posts as CSV, an Excel workbook, JSON, or a calendar."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from ..files import replacing
from .columns import COLUMNS, EDITABLE, value_of
from .exporting import record, sheet_row
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


def _json(path: Path, posts: Found) -> int:
    rows = [record(*each) for each in posts]
    content = json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
    path.write_text(content, encoding="utf-8", errors="backslashreplace")  # as JSON escapes it
    return len(rows)


def _ics(path: Path, posts: Found) -> int:
    """Write a calendar: one event a post, known by the post, at its moment in UTC."""
    from icalendar import Calendar, Event

    calendar = Calendar()
    calendar.add("prodid", "-//social-publishing-cli//EN")
    calendar.add("version", "2.0")
    count = 0
    for _, _, post in posts:
        if post.publication_date is None:
            continue
        start = post.publication_date.astimezone(UTC)
        event = Event()
        event.add("uid", f"post-{post.id}@social-publishing")
        event.add("dtstamp", (post.updated_at or post.created_at or start).astimezone(UTC))
        event.add("dtstart", start)
        event.add("dtend", start + timedelta(minutes=15))
        event.add("summary", post.name or " ".join((post.content or "").split())[:60] or post.id)
        event.add("description", post.content or "")
        event.add("status", "CONFIRMED" if post.status in (25, 30, 40) else "TENTATIVE")
        calendar.add_component(event)
        count += 1
    path.write_bytes(calendar.to_ical())
    return count


def _parquet(path: Path, posts: Found) -> int:
    """Write a table whose columns have types: times in UTC, lists of identifiers."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise OSError("needs pyarrow: pip install 'social-publishing-cli[parquet]'") from None
    types = {
        "moment": pyarrow.timestamp("s", "UTC"),
        "number": pyarrow.int64(),
        "flag": pyarrow.bool_(),
        "ids": pyarrow.list_(pyarrow.string()),
    }
    schema = pyarrow.schema([(c.name, types.get(c.kind, pyarrow.string())) for c in COLUMNS])
    rows = []
    for group, zone, post in posts:
        row: dict[str, Any] = dict(record(group, zone, post))
        for name, column in EDITABLE.items():
            value = value_of(post, name)
            row[name] = column.of(post) if column.kind == "moment" else value
        rows.append(row)
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema), path)
    return len(rows)


WRITERS: dict[str, Callable[[Path, Found], int]] = {
    ".csv": _csv,
    ".xlsx": _xlsx,
    ".json": _json,
    ".ics": _ics,
    ".parquet": _parquet,
}
"""By the ending of the file."""


def write_sheet(path: Path, posts: Found) -> int:
    """Write posts into a file, whole or not at all, and return how many."""
    with replacing(path) as new:
        return WRITERS[path.suffix.lower()](new, posts)
