"""Instants: how far apart they are, and in the zone and the format that the service wants."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Final, TypeGuard

_ISO_8601 = re.compile(r"[0-9W-]{7,}[Tt ][0-9:]+(?:[.,][0-9]+)?(?:[Zz]|[+-][0-9:]+)?", re.ASCII)


def parsed_datetime(text: str) -> datetime | None:
    """Return the date-time of an ISO 8601 text, or None. Without a zone it is taken as UTC.

    Digits beyond microseconds are cut: to round would lead into the next second, or year.
    """
    if not _ISO_8601.fullmatch(text):
        return None
    try:
        result = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    return result if result.tzinfo is not None else result.replace(tzinfo=UTC)


def is_aware(value: object) -> TypeGuard[datetime]:
    """Return whether a value is a date-time that stands for one instant."""
    return isinstance(value, datetime) and value.utcoffset() is not None


def elapsed(start: Any, end: Any) -> timedelta:
    """Return how much later the end is. A day on which the clock changes has not 24 hours.

    Args:
        start, end: both date-times, aware or not, or both dates.

    Raises:
        TypeError: they are neither, or not alike.
    """
    difference: timedelta = end - start
    # In one zone, Python returns the difference of what the clocks show.
    if is_aware(start) and is_aware(end) and start.tzinfo is end.tzinfo:
        difference -= (end.utcoffset() or timedelta()) - (start.utcoffset() or timedelta())
    return difference


def wire_datetime(
    value: datetime, datetime_format: str | None = None, zone: str | None = None
) -> str:
    """Return the text that stands for an instant.

    Of a local time that comes twice, because clocks go back, `fold` says which is meant: 0, as it
    is unless it is said, is the first. A text that comes twice in `zone` stands for none.

    Args:
        datetime_format: the format in the language of `strftime`; RFC 3339 when it is not said.
        zone: the name of the zone in which the text is written; UTC when it is not said.

    Raises:
        ValueError: the value is naive, does not exist because clocks go forward, the format would
            lose a part of it, or its text would stand for two instants.
    """
    try:
        aware = is_aware(value)
    except Exception as error:  # of a zone that the caller has written
        raise ValueError(f"its time zone cannot be used: {error!r}") from error
    if not aware:
        raise ValueError(
            "a naive date-time has no time zone: pass an aware one, such as "
            "datetime(2026, 12, 1, 9, 0, tzinfo=timezone.utc)"
        )
    try:
        local = value.astimezone(_zone(zone))
        _check_exists(value)
    except OverflowError:
        raise ValueError(f"{value} does not fit the calendar in {zone or 'UTC'}") from None
    if datetime_format is None:
        text = local.isoformat()
        return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text
    # glibc's %Y does not pad years below 1000, and strptime wants four digits.
    text = local.strftime(datetime_format.replace("%Y", f"{local.year:04d}"))
    read = datetime.strptime(text, datetime_format)
    if read.replace(tzinfo=None) != local.replace(tzinfo=None):
        kept = "%S" in datetime_format
        lost, zeros = ("microseconds", "") if kept else ("seconds", "second=0, ")
        raise ValueError(
            f"{value.isoformat()} would lose its {lost}, since only {text!r} can be sent: "
            f"use .replace({zeros}microsecond=0)"
        )
    if read.tzinfo is None and len({local.replace(fold=at).utcoffset() for at in (0, 1)}) > 1:
        raise ValueError(f"{value.isoformat()} is ambiguous: {zone} has {text!r} twice")
    return text


def _check_exists(value: datetime) -> None:
    """Raise a ValueError about a local time that clocks leap over."""
    try:
        back = value.astimezone(UTC).astimezone(value.tzinfo)
    except (ValueError, NotImplementedError):  # a zone that knows no way back from UTC
        return
    leap = back.replace(tzinfo=None) - value.replace(tzinfo=None)
    # As its text, a zone of dateutil has a path of the machine.
    zone = getattr(value.tzinfo, "key", getattr(value.tzinfo, "zone", None)) or value.tzname()
    if leap and back.tzinfo is not value.tzinfo:  # one for each offset, as in pytz
        raise ValueError(
            f"{value.isoformat()} has an offset that {zone} does not have then: pass the same "
            f"moment, {back.isoformat()}, or what localize() of the zone gives"
        )
    if leap:
        before, after = sorted([back, value - leap], key=lambda each: each.replace(tzinfo=None))
        raise ValueError(
            f"{value.replace(tzinfo=None).isoformat()} does not exist in {zone}, where "
            f"clocks go forward: use {before.isoformat()} or {after.isoformat()}"
        )


_OF_THE_MACHINE: Final = frozenset({"localtime", "posixrules"})
"""Names in a system's folder of zones that mean another one on each machine."""


def is_zone(name: str) -> bool:
    """Return whether this machine, or the package tzdata, knows a time zone of this name.

    Where neither knows any, every name counts as known.
    """
    from zoneinfo import ZoneInfo  # rarely needed, and not free to load

    for known in (name, "Etc/UTC"):
        try:
            ZoneInfo(known)
        except (LookupError, OSError, ValueError):
            continue
        return known == name and name not in _OF_THE_MACHINE
    return True


def _zone(name: str | None) -> tzinfo:
    if name is None or name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo  # rarely needed, and not free to load

    return ZoneInfo(name)
