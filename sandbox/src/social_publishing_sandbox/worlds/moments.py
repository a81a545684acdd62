"""Moments that a world counts from its own: `-3d`, `-12m`, `+1d 06:30 Europe/Berlin`.

- `-3.5d`: so many days from the world's moment
- `-12m`: so many minutes from it, cut to the full minute
- `+1d 06:30 Europe/Berlin`: on that day at this hour there; without a zone in UTC
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from social_publishing_sandbox.state import times

_DAYS: Final = re.compile(r"[+-]\d{1,5}(?:\.\d{1,3})?d", re.ASCII)
_MINUTES: Final = re.compile(r"[+-]\d{1,6}m", re.ASCII)
_CLOCK: Final = re.compile(r"([+-]\d{1,5})d ([01]\d|2[0-3]):([0-5]\d)(?: ([\w/+-]+))?", re.ASCII)


def absolute(value: str, now: int) -> str:
    """Return a moment as the service writes it (§2.1); what is no moment stays as it is.

    Args:
        now: the world's moment, in milliseconds since 1970. Nothing is earlier than 1970.
    """
    if _DAYS.fullmatch(value):
        return times.text(max(0, now + int(float(value[:-1]) * times.DAY)))
    if _MINUTES.fullmatch(value):
        return times.text(max(0, now - now % times.MINUTE + int(value[:-1]) * times.MINUTE))
    if match := _CLOCK.fullmatch(value):
        day, hour, minute, zone = match.groups()
        try:
            return times.text(max(0, at(now, int(day), int(hour), int(minute), zone)))
        except (ZoneInfoNotFoundError, OSError, ValueError):
            return value
    return times.text(times.parse(value)) if is_kept(value) else value


def at(now: int, day: int, hour: int, minute: int, zone: str | None) -> int:
    """Return the moment of this hour, so many days after the day of `now` in the zone."""
    there = _midnight(now, zone) + timedelta(day, hours=hour, minutes=minute)
    return int(there.timestamp()) * times.SECOND


@lru_cache(maxsize=64)
def _midnight(now: int, zone: str | None) -> datetime:
    today = datetime.fromtimestamp(now // times.SECOND, ZoneInfo(zone) if zone else UTC)
    return today.replace(hour=0, minute=0, second=0)


def is_kept(value: str) -> bool:
    """Return whether it is a date-time with its offset, of a time that the sandbox can keep."""
    try:
        times.kept(times.parse(value))
    except (ValueError, OverflowError):
        return False
    return times.is_moment(value)
