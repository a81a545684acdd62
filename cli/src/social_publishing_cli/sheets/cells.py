"""Reads the cells of a sheet: identifiers, local times, numbers, flags, lists."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from decimal import Decimal
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

from .times import forms_of, is_day, names_other_day, why_none, written

Value = str | int | bool | list[str] | None
"""A value in a plan; times are ISO 8601 in UTC."""

MOST = 10**15
"""The first number of which a spreadsheet program does not keep every digit."""

_MOST_DIGITS = 300
_DIGITS = re.compile(r"[0-9]{1,20}")
_ROUNDED = re.compile(r"[0-9]+([.,][0-9]+)?[eE]\+?[0-9]+|[0-9]{16,20}[.,]0+")
_GROUPED = re.compile(r"(-?[1-9][0-9]{0,2})[.,]([0-9]{3})")
_SERIAL = re.compile(r"[0-9]{4,5}([.,][0-9]+)?")
_FLAGS = {
    **dict.fromkeys(("yes", "true", "1", "x", "y"), True),
    **dict.fromkeys(("no", "false", "0", "n"), False),
    # TRUE and FALSE, as programs write them in other languages.
    **dict.fromkeys(("wahr", "vrai", "verdadero", "vero", "waar", "verdadeiro", "sant"), True),
    **dict.fromkeys(("falsch", "faux", "falso", "onwaar", "falskt", "hamis", "fałsz"), False),
    **dict.fromkeys(("igaz", "prawda", "tosi", "sand", "pravda", "истина"), True),
    **dict.fromkeys(("epätosi", "falsk", "nepravda", "ложь"), False),
}
_LISTED = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^",;\n]+))\s*(?:[,;\n]|$)')
_TEXT_MARK = "'"  # before a text that a spreadsheet program would take for a formula
_NUMERIC = re.compile(r"[\s.,:/%€$£+-]*[0-9][0-9\s.,:/%€$£+eETZ-]*|true|false", re.IGNORECASE)
_WEEKDAY = re.compile(r"^[^\W\d_]+[.,]{0,2}\s+(?=[0-9])")  # what a workbook's format shows
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_ERRORS = frozenset(
    ["#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#N/A", "#NULL!", "#NUM!", "#SPILL!", "#CALC!"]
)


def guarded(text: str) -> str:
    """Return a text that no spreadsheet program reads as a formula or an error."""
    return _TEXT_MARK + text if _is_reserved(text) or _is_guarded(text) else text


def kept(text: str) -> str:
    """Return a text that a spreadsheet program reads as text, not as a formula, number or flag."""
    return _TEXT_MARK + text if _NUMERIC.fullmatch(text) else guarded(text)


def _is_guarded(text: str) -> bool:
    rest = text[1:]
    return text.startswith(_TEXT_MARK) and (
        rest.startswith(_TEXT_MARK) or _is_reserved(rest) or bool(_NUMERIC.fullmatch(rest))
    )


def _is_reserved(text: str) -> bool:
    return text.startswith(_FORMULA) or text.strip() in _ERRORS


def unguarded(cell: str) -> str:
    """Return a text without the mark that keeps it text."""
    return cell[1:] if _is_guarded(cell) else cell


def text(cell: str) -> str | None:
    """Read a text; an empty cell is None.

    Raises:
        ValueError: It is a formula, or the error of one.
    """
    if cell.startswith("="):
        raise ValueError("is a formula: write its value, or put ' before it to make it text")
    if cell.strip() in _ERRORS:
        raise ValueError(f"is the error {cell.strip()}: write the text, or put ' before it")
    return unguarded(cell) or None


def rounded(cell: str) -> bool:
    """Return whether a cell is an identifier whose last digits a spreadsheet program has lost."""
    return bool(_ROUNDED.fullmatch(cell))


def identifier(cell: str) -> str:
    """Read an identifier.

    Raises:
        ValueError: It is none, or was rounded.
    """
    if rounded(cell):
        raise ValueError(
            f"{cell} is an identifier that the spreadsheet program has rounded: its last digits "
            "are lost. Export again, and import the column as text, or use an .xlsx export"
        )
    if not is_identifier(cell):
        raise ValueError(f"{cell[:40]!r} is not an identifier: digits only")
    return cell


def is_identifier(text: str | None) -> bool:
    """Return whether a text is an identifier of the service."""
    if not text or not _DIGITS.fullmatch(text):
        return False
    return int(text) < 2**64 and (text[0] != "0" or text == "0")


def _identifiers(cell: str) -> list[str]:
    return [identifier(each) for each in re.split(r"[\s,;|]+", cell) if each]


def _number(cell: str) -> int | None:
    if not cell:
        return None
    if match := _GROUPED.fullmatch(cell):
        fraction = match[2].rstrip("0")
        small = f"{match[1]}.{fraction}" if fraction else match[1]
        raise ValueError(
            f"{cell} is ambiguous: {match[1]}{match[2]} or {small}? Write it without a separator"
        )
    # Of a large one, a program shows the power of ten: 1E+30.
    if re.fullmatch(r"-?[0-9]+([.,][0-9]+)?([eE]\+?[0-9]{1,2})?", cell):
        if len(cell) > _MOST_DIGITS:
            raise ValueError(f"{cell[:40]}… is too large")
        number = Decimal(cell.replace(",", "."))
        if number == (whole := int(number)):
            return whole
    raise ValueError(f"{cell[:40]!r} is not a whole number")


def _flag(cell: str) -> bool | None:
    if not cell:
        return None
    try:
        return _FLAGS[cell.lower()]
    except KeyError:
        raise ValueError(f"{cell[:40]!r} is neither yes nor no") from None


def _texts(cell: str) -> list[str]:
    """Read texts with commas between them; one in quotes may have commas of its own."""
    left, found = unguarded(cell).strip(), []
    while left:
        match = _LISTED.match(left)
        if not match:
            raise ValueError(f'{left[:40]!r} is no list: write it as one, two, "three, or more"')
        quoted, plain = match[1], match[2]
        found.append(plain.strip() if quoted is None else quoted.replace('""', '"'))
        left = left[match.end() :].strip()
    return [text for text in found if text]


def _json(cell: str) -> str | None:
    if not cell:
        return None
    try:
        value = json.loads(unguarded(cell))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"is not JSON: {error}") from None
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else None


READERS: dict[str, Callable[[str], Value]] = {
    "text": text,
    "number": _number,
    "flag": _flag,
    "ids": _identifiers,
    "texts": _texts,
    "json": _json,
}
"""Converts the text of a cell to a value, by the kind of its column."""


def zone_named(name: str) -> ZoneInfo:
    """Return a time zone."""
    try:
        if name in ("localtime", "posixrules"):  # another one on each machine
            raise ValueError
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(
            f"there is no time zone {name[:60]!r}; write it as Europe/Berlin"
        ) from None


def on_clocks_of(zone: tzinfo | None, moment: datetime | str | None) -> datetime | None:
    """Return a moment, or its text, on the clocks of a zone; of UTC where none is given.

    None where the calendar there does not have it: it begins in the year 1, and ends in 9999.
    """
    try:
        read = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
        return read and read.astimezone(zone or UTC)
    except OverflowError:
        return None


def moment_formats(
    cells: Iterable[tuple[str, datetime | None]], given: str | None
) -> tuple[str, ...]:
    """Return the formats of a column's times.

    Args:
        cells: Each cell, with the time that it had on its clocks when it was exported, if known.
        given: A format as for `strftime`, which then is the only one.

    Raises:
        ValueError: It is no format.
    """
    if given and "%" not in given:
        raise ValueError(f"{given!r} has no %: write it as '%d.%m.%Y %H:%M'")
    return (given,) if given else forms_of(each for each in cells if not _iso(each[0]))


def moment(cell: str, zone: ZoneInfo | None, formats: tuple[str, ...] | None) -> str:
    """Read a time: local in `zone`, unless it has its own offset.

    Args:
        formats: In which it may be, besides ISO 8601; None where there is no sheet.

    Returns:
        ISO 8601 in UTC.

    Raises:
        ValueError: It is no time, or its year or its day of the week cannot be meant.
    """
    read = wall_clock(cell, formats)
    if read.year < 1000:
        raise ValueError(f"{cell} is in the year {read.year}: write all four digits of the year")
    if names_other_day(cell, read):
        raise ValueError(f"{cell}: {read:%Y-%m-%d} is a {read:%A}; correct the day or the date")
    try:
        local = read if read.tzinfo else _on_clocks(cell, read, zone)
        return as_stored(local.astimezone(UTC))
    except OverflowError:
        raise ValueError(f"{cell} is not a valid time: years go from 1 to 9999") from None


def wall_clock(cell: str, formats: tuple[str, ...] | None) -> datetime:
    """Read a time as written, with or without an offset."""
    has_column, formats = formats is not None, formats or ()
    if _SERIAL.fullmatch(cell):
        advice = "give the column a date format, or " * has_column
        raise ValueError(f"{cell} is a date as a number: {advice}write 2026-12-24 09:00")
    read = _iso(cell)
    if not read:
        given = next((each for each in formats if "%" in each), None)
        readings = [*filter(None, [_by(given, cell)])] if given else [*written(cell, formats)]
        if not readings:
            if is_day(cell, formats) or (given and _by(given.partition(" ")[0], cell)):
                raise ValueError(f"{cell} has no time of day: write {cell} 09:00")
            order = given.partition(" ")[0].replace("%", "").lower() if given else ""
            if reason := why_none(cell, [order] if given else formats):
                raise ValueError(f"{cell[:40]!r} is not a time: {reason}")
            if given:
                raise ValueError(f"{cell[:40]!r} does not have the form {given!r} of --date-format")
            others = ", or say how all are written, as --date-format '%d.%m.%Y %H:%M'" * has_column
            raise ValueError(f"{cell[:40]!r} is not a time: write it as 2026-12-24 09:00{others}")
        if len(readings) > 1:
            choices = " or ".join(sorted(f"{each:%Y-%m-%d %H:%M}" for each in readings))
            advice = "Pass --date-format" if has_column else "Write it as 2026-12-24 09:00"
            raise ValueError(f"{cell} is ambiguous: {choices}? {advice}")
        read = readings.pop()
    return read


def _on_clocks(cell: str, read: datetime, zone: ZoneInfo | None) -> datetime:
    """Return the one moment at which the clocks of a zone show a time."""
    if not zone:
        raise ValueError("has no time zone: fill the column timezone, or use --timezone")
    local = read.replace(tzinfo=zone)
    other = local.replace(fold=1)
    if local.utcoffset() == other.utcoffset():
        return local
    back = local.astimezone(UTC).astimezone(zone)
    if back.replace(tzinfo=None) != read:
        earlier, later = sorted([other.astimezone(UTC).astimezone(zone), back])
        raise ValueError(
            f"{cell} does not exist in {zone.key}, where clocks go forward: "
            f"use {earlier:%H:%M} or {later:%H:%M}"
        )
    first = local.isoformat(timespec="minutes")
    offset = other.isoformat(timespec="minutes")[-6:]
    raise ValueError(
        f"{cell} comes twice in {zone.key}, because clocks go back: write {first} or {offset}"
    )


def as_stored(moment: datetime) -> str:
    """Return a moment as plans store it: in UTC, unless the calendar there does not have it."""
    there = on_clocks_of(UTC, moment) or moment
    return there.isoformat(timespec="seconds").replace("+00:00", "Z")


def _iso(cell: str) -> datetime | None:
    cell = _WEEKDAY.sub("", cell)
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)[ T]([01]?\d|2[0-3])(:\d\d.*)", cell)
    if not match:
        return None
    try:
        return datetime.fromisoformat(f"{match[1]}T{match[2]:0>2}{match[3]}")
    except ValueError:
        return None


def _by(layout: str, cell: str) -> datetime | None:
    layouts = [layout] if "%S" in layout else [layout, layout.replace("%M", "%M:%S")]
    for form, text in product(layouts, (cell, _WEEKDAY.sub("", cell))):
        try:
            return datetime.strptime(text, form)
        except ValueError:
            pass
    return None


def as_text(cell: Any, kind: str, layout: str = "") -> str:
    """Return the value of a workbook's cell as the text of a CSV file."""
    if cell is None:
        return ""
    if isinstance(cell, date | time | timedelta) and kind in ("text", "texts", "json"):
        raise ValueError(
            "became a date in the spreadsheet program: format the cell as text, and write it again"
        )
    if isinstance(cell, datetime):
        try:
            cell = cell + timedelta(microseconds=500_000)  # days are counted in fractions
        except OverflowError:
            raise ValueError("is not a valid time") from None
        if layout and "h" not in layout.lower() and cell.time() < time(0, 0, 1):
            return str(cell.date().isoformat())
        return str(cell.isoformat(" ", "seconds").removesuffix(":00"))
    if isinstance(cell, bool) and kind in ("text", "texts", "json"):
        return str(cell).upper()
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int | float) and cell >= MOST:
        if kind in ("text", "texts", "json"):
            raise ValueError(
                "is a number that the spreadsheet program has rounded: its last digits are lost. "
                "Export again, and leave the column as text"
            )
        return f"{cell:.5E}"  # as a CSV file has it: the column `exported` knows the identifier
    if isinstance(cell, float):
        return repr(int(cell)) if cell.is_integer() else repr(cell)
    return str(cell)
