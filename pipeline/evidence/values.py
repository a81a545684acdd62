"""Types and forms of values, and how they may be shown without anything personal."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from itertools import product
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import jsonschema_rs

from pipeline.openapi.validation import DIALECT
from pipeline.openapi.wording import typed

_CODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.:-]{0,47}")
# Digits, identifiers and tokens: they belong to a person, whatever else they look like.
_PERSONAL: Final = re.compile(
    r"\d{5}|[0-9a-f]{8}-[0-9a-f]{4}-|(?=[A-Z]*\d[A-Z]*\d)[A-Z0-9]{16}|([A-Z]+\d+){3}",
    re.IGNORECASE,
)


def is_code(value: Any) -> bool:
    """Return whether a value is a name or a code, and nothing that a person wrote."""
    if isinstance(value, str):
        return _CODE.fullmatch(value) is not None and not _PERSONAL.search(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 100_000


def shown_type(name: str) -> str:
    """Return a media type, or `…` where it may be personal."""
    return "…" if _PERSONAL.search(name) else name


_DAYS: Final = ("%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y")
_TIMES: Final = (
    "T%H:%M:%S",
    "T%H:%M:%S%z",
    "T%H:%M:%S.%f",
    "T%H:%M:%S.%f%z",
    "T%H:%M",
    " %H:%M:%S",
    " %H:%M:%S.%f",
    " %H:%M",
    "",
)
_DATES: Final = (*map("".join, product(_DAYS, _TIMES)), "%a, %d %b %Y %H:%M:%S GMT", "%d %b %Y")
_EXAMPLE: Final = datetime.datetime(2026, 11, 30, 8, 15, tzinfo=datetime.UTC)


def date_form(value: Any) -> str:
    """Return the form of a date, as for `strftime`; empty for what is none."""
    for form in _DATES if isinstance(value, str) and 8 <= len(value) <= 32 else ():
        try:
            datetime.datetime.strptime(value, form)
        except ValueError:
            continue
        return form
    return ""


def dated_like(form: str) -> str:
    """Return a date in a form, the same for all dates, which belong to somebody."""
    return _EXAMPLE.strftime(form)


def offset_of(text: Any, zone: str | None) -> str:
    """Return the offset of a moment, such as `+02:00`, that is not that of a zone; else nothing."""
    if zone is None or not isinstance(text, str) or not is_moment(text):
        return ""
    moment = datetime.datetime.fromisoformat(text)
    try:
        expected = moment.astimezone(ZoneInfo(zone)).utcoffset()
    except (ZoneInfoNotFoundError, OverflowError):
        return ""
    return moment.isoformat()[-6:] if moment.utcoffset() != expected else ""


def is_moment(text: str) -> bool:
    """Return whether a text is a date and a time with a zone."""
    if len(text) < 17 or text[10] not in "Tt ":
        return False
    try:
        return datetime.datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def shown(value: Any) -> str:
    """Return codes, flags and null as they are, and of other values their kind alone."""
    if isinstance(value, str):
        if is_code(value):
            return value
        return "a date-time" if is_moment(value) else "digits" if value.isdigit() else "a text"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return str(value) if is_code(value) else typed(value)


def fits_alone(schema: Mapping[str, Any], value: Any) -> bool:
    """Return whether a value fits a schema that refers to nothing."""
    if not schema:
        return True
    try:
        return bool(
            jsonschema_rs.is_valid({"$schema": DIALECT, **schema}, value, validate_formats=True)
        )
    except (ValueError, OverflowError):
        return False


def number_or_text(text: str) -> int | str:
    """Return the value of a header or a parameter: the whole number that it is, or the text."""
    text = text.strip()
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else text
