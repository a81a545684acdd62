"""Moments: inside, milliseconds since 1970 in UTC; on the wire, ISO 8601 with `Z` (§2.1)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from importlib import resources
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

LONGEST_DELAY = 7 * 24 * 60
"""The most minutes from one account of a world's post to the next (§2.2)."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DATE_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,30})?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})",
    re.ASCII,
)
_LAST = (datetime(2080, 1, 1, tzinfo=UTC) - _EPOCH) // timedelta(milliseconds=1)


@lru_cache(maxsize=4096)
def text(ms: int) -> str:
    """Return a moment as the service writes it, `2026-12-01T09:00:00Z`, cut to whole seconds."""
    return f"{(_EPOCH + timedelta(seconds=ms // SECOND)).isoformat()[:19]}Z"


@lru_cache(maxsize=4096)
def parse(value: str, zone: str | None = None) -> int:
    """Return milliseconds of an ISO 8601 date-time; one without an offset is in UTC unless `zone`
    says otherwise.
    """
    moment = datetime.fromisoformat(value.upper())
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=_zone(zone))
    return (moment - _EPOCH) // timedelta(milliseconds=1)


def milliseconds(moment: datetime | str) -> int:
    """Return milliseconds of a datetime with a time zone, or of an ISO 8601 date-time."""
    if isinstance(moment, str):
        return parse(moment)
    return (moment - _EPOCH) // timedelta(milliseconds=1)


@lru_cache(maxsize=4096)
def parse_format(value: str, form: str, zone: str | None = None) -> int:
    """Return milliseconds of a text in a `strftime` format without offset, read in `zone` (else
    UTC).
    """
    moment = datetime.strptime(value, form).replace(tzinfo=_zone(zone))
    return (moment - _EPOCH) // timedelta(milliseconds=1)


def is_moment(value: str) -> bool:
    """Return whether a text is a date-time with its offset (RFC 3339), and no leap second."""
    if not _DATE_TIME.fullmatch(value):
        return False
    try:
        parse(value)
    except ValueError:
        return False
    return True


def kept(ms: int) -> int:
    """Return the same moment, if the sandbox can keep it: from 1970 until the end of 2079.

    Identifiers know later moments only up to 2090, and what follows from a date lies after it.
    """
    if not 0 <= ms < _LAST:
        raise ValueError("the moment is before 1970 or after 2079")
    return ms


@lru_cache(maxsize=1)
def zones() -> frozenset[str]:
    """Return the names of the time zones, as the package tzdata lists them; machines differ."""
    listed = resources.files("tzdata").joinpath("zones").read_text(encoding="utf-8")
    return frozenset(listed.split()) - {"Factory"}  # which says that no zone is set


def is_zone(text: str) -> bool:
    """Return whether a text is the name of a time zone."""
    return text in zones()


def year(ms: int) -> int:
    """Return the year of a moment in UTC."""
    try:
        return (_EPOCH + timedelta(milliseconds=ms)).year
    except OverflowError:  # just outside of what Python's dates can be
        return 0 if ms < 0 else 10_000


def _zone(name: str | None) -> ZoneInfo | timezone:
    if name is None or name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(f"no such time zone: {name}") from error
