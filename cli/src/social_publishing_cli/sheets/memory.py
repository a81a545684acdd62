"""The memory of an export: a column with the exported values of its row.

It moves with its row: through sorting, deleting, other programs, and into another sheet. It shows
which cells were edited, whatever the service has now.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import unicodedata
import zlib
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from decimal import Context, Decimal, InvalidOperation
from typing import NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from .cells import (
    READERS,
    Value,
    kept,
    on_clocks_of,
    unguarded,
    wall_clock,
    zone_named,
)
from .columns import EDITABLE, TEXTUAL, ZONE, shown

MEMORY = "exported"
"""The header of the column."""

_MARK = "m1:"
_LONGEST = 30_000  # characters; a cell of a workbook holds 32,767
_SHORT = 200  # texts that are kept as they are in a row that would become too long
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_DIGEST = re.compile(r"sha256:[0-9a-f]{32} \([0-9,]+ characters\)")


_Content = tuple[str, dict[str, Value], dict[str, str], dict[str, str]]


class Memory(NamedTuple):
    """The exported values of one row.

    Attributes:
        values: Values of editable columns, by name; for a text too long for a cell, its digest.
        texts: Texts of the other columns, by name.
        marked: Columns whose text the format cannot hold, with a digest of the text in the cell.
    """

    id: str
    values: Mapping[str, Value]
    texts: Mapping[str, str]
    marked: Mapping[str, str] = {}

    @property
    def zone(self) -> str:
        """The name of the time zone of the row's times."""
        return self.texts.get(ZONE, "")

    @property
    def networks(self) -> tuple[str, ...]:
        """The networks of the post."""
        return tuple(filter(None, self.texts.get("networks", "").split(", ")))

    def value(self, name: str) -> Value:
        """Return the exported value of a column; one that no post used was left out, and empty."""
        return self.values.get(name, [] if EDITABLE[name].kind in ("ids", "texts") else None)

    def written(self) -> str:
        """Return it as the text of a cell."""
        cell = self._packed(dict(self.values))
        if len(cell) > _LONGEST:
            short = {
                name: digest(value) if isinstance(value, str) and len(value) > _SHORT else value
                for name, value in self.values.items()
            }
            cell = self._packed(short)
        return cell

    def _packed(self, values: dict[str, Value]) -> str:
        content = json.dumps([self.id, values, dict(self.texts), dict(self.marked)]).encode()
        return _MARK + base64.urlsafe_b64encode(zlib.compress(content, 9)).decode().rstrip("=")

    @classmethod
    def read(cls, cell: str) -> Memory:
        """Read the text of a cell."""
        try:
            packed = cell.removeprefix(_MARK)
            content = zlib.decompressobj().decompress(
                base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), 16_000_000
            )
            memory = cls(*msgspec.convert(json.loads(content), _Content))
            zone_named(memory.zone or "UTC")
            for name, value in memory.values.items():
                if value and name in EDITABLE and EDITABLE[name].kind == "moment":
                    datetime.fromisoformat(str(value))
            return memory
        except (ValueError, TypeError, RecursionError, zlib.error):
            raise ValueError(
                "is damaged, so nobody knows what was edited: copy the cell from the export"
            ) from None


def digest(text: str) -> str:
    """Return the digest of a text that is too long; a digest is its own."""
    if _DIGEST.fullmatch(text):
        return text
    text = normal(text)
    content = text.encode("utf-8", "surrogatepass")
    return f"sha256:{hashlib.sha256(content).hexdigest()[:32]} ({len(text):,} characters)"


def same(remembered: Value, other: Value) -> bool:
    """Return whether a value is the remembered one, of which there may be only the digest."""
    return remembered == other or (isinstance(other, str) and remembered == digest(other))


def normal(text: str) -> str:
    """Return a text without details that programs change when they save a sheet.

    Line ends become LF, the `_xHHHH_` of Excel the character that it stands for; characters that
    have no shape and no width of their own, besides tab and line feed, are left out.
    """
    while (read := _without_details(text)) != text:
        text = read
    return text


def _without_details(text: str) -> str:
    text = unescaped(text.replace("x005F_", ""))  # as openpyxl does
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c for c in text if c in "\t\n" or not _is_fragile(c))


def _is_fragile(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs") or character in "\ufffe\uffff"


def unheld(text: str, ending: str) -> str | None:
    """Return why a file format cannot hold a text; None if it can."""
    for character in text:
        if character == "\0" or "\ud800" <= character <= "\udfff":
            return f"U+{ord(character):04X}"
    if ending == ".xlsx" and len(escaped(text).encode("utf-16-le")) > 2 * 32_767:
        return f"{len(text):,} characters"
    return None


def escaped(text: str) -> str:
    """Return a text as a workbook holds it: control characters as Excel writes them."""
    text = re.sub(r"_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", text)
    return "".join(
        f"_x{ord(c):04X}_" if c not in "\t\n" and (c < " " or c in "\ufffe\uffff") else c
        for c in text
    )


def unescaped(text: str) -> str:
    """Return the text shown by a cell of a workbook."""
    return _ESCAPE.sub(lambda code: chr(int(code[1], 16)), text)


def still_has(
    cell: str, name: str, value: Value, zone: ZoneInfo | None, formats: tuple[str, ...]
) -> bool:
    """Return whether a cell still has a value, however a program has rewritten it."""
    kind = EDITABLE[name].kind
    if kind in TEXTUAL:
        text = unguarded(cell)
        expected = shown(value, kind, zone)
        # A CSV file that was saved from a workbook has texts without marks.
        forms = {text, cell}
        if expected in forms or normal(expected) in map(normal, forms):
            return True
        # LibreOffice and OpenOffice lose the tabs of a text in their own format.
        is_without = "\t" in expected and not any("\t" in each for each in forms)
        is_without = is_without and normal(expected).replace("\t", "") in map(normal, forms)
        return is_without or value in [*map(digest, forms)] or _reads_as(cell, kind, value)
    expected = shown(value, kind, zone)
    if cell.strip().lower() == expected.strip().lower() or rounds_to(cell, expected):
        return True
    if kind == "moment" and isinstance(value, str) and cell:
        try:
            read = wall_clock(cell.strip(), formats)
        except ValueError:
            return False
        local = on_clocks_of(read.tzinfo or zone, value)
        there = local and local.replace(tzinfo=None)
        # Programs leave out seconds where the format of the cell has none.
        return there is not None and read.replace(tzinfo=None) in (there, there.replace(second=0))
    return _reads_as(cell, kind, value)


def _reads_as(cell: str, kind: str, value: Value) -> bool:
    """Return whether a cell has a value in other words, as `FALSE` for `no`; a text has none."""
    with suppress(KeyError, ValueError):
        return kind != "text" and bool(READERS[kind](cell.strip()) == value)
    return False


def without_mark(cell: str, name: str, value: Value) -> str:
    """Return the cell of a workbook without the mark that it had in a CSV file, if it came of one.

    A program keeps the mark of a text such as "- rye" when it saves a CSV file as a workbook.
    """
    written = unguarded(cell)
    if value is None or not written.startswith("'"):
        return cell
    text, expected = written[1:], shown(value, EDITABLE[name].kind, None)
    is_marked = digest(text) == value or (
        kept(expected) != expected
        and _apostrophes(normal(text)) == _apostrophes(normal(expected))
        and normal(text)[:1] == normal(expected)[:1]
    )
    return kept(text) if is_marked else cell


def _apostrophes(text: str) -> int:
    return len(text) - len(text.lstrip("'"))


def rounds_to(cell: str, identifier: str) -> bool:
    """Return whether a cell is a long identifier that a program has rounded to its first digits."""
    if not identifier.isdecimal() or len(identifier) < 16 or len(cell) > 40:
        return False
    try:
        number = Decimal(cell.strip().replace(",", ".")).normalize()
    except InvalidOperation:
        return False
    digits = len(number.as_tuple().digits)
    return digits >= 4 and number == Context(prec=digits).create_decimal(identifier).normalize()


_PLACEHOLDER = re.compile(r"\s*⟦not editable here: ([\d,]+ characters|U\+[0-9A-F]{4,6})⟧ ")


def is_placeholder(text: str) -> bool:
    """Return whether a text is what `marked` writes in the place of another one."""
    return _PLACEHOLDER.match(text) is not None


def marked(text: str, reason: str) -> str:
    """Return the placeholder for a text that a sheet cannot hold."""
    return f"⟦not editable here: {reason}⟧ {normal(text)[:1000]}"
