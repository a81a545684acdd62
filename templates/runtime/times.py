"""Date-times on their way out: one instant, in the zone and the format that the service wants."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

__all__ = ["wire_datetime"]


def wire_datetime(
    value: datetime, datetime_format: str | None = None, zone: str | None = None
) -> str:
    """The text that stands for an instant.

    Args:
        value: an aware date-time.
        datetime_format: the format in the language of `strftime`; RFC 3339 when it is not said.
        zone: the name of the zone in which the text is written; UTC when it is not said.

    Raises:
        ValueError: the value is naive, or the format would lose a part of it.
    """
    if value.tzinfo is None or value.utcoffset() is None:
        raise ValueError(
            "a naive date-time has no time zone: give an aware one, such as "
            "datetime(2026, 12, 1, 9, 0, tzinfo=timezone.utc)"
        )
    try:
        local = value.astimezone(_zone(zone))
    except OverflowError:
        raise ValueError(f"{value} does not fit the calendar in {zone or 'UTC'}") from None
    if datetime_format is None:
        text = local.isoformat()
        return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text
    # glibc's %Y does not pad years below 1000, and strptime wants four digits.
    text = local.strftime(datetime_format.replace("%Y", f"{local.year:04d}"))
    read = datetime.strptime(text, datetime_format)
    if read.replace(tzinfo=None) != local.replace(tzinfo=None):
        lost = "microseconds" if "%S" in datetime_format else "seconds"
        raise ValueError(f"{value.isoformat()} would lose its {lost}: it is sent as {text!r}")
    if read.tzinfo is None and local.replace(fold=0).utcoffset() != local.utcoffset():
        raise ValueError(f"{value.isoformat()} would be mistaken: {zone} has {text!r} twice")
    return text


def _zone(name: str | None) -> tzinfo:
    if name is None or name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo  # rarely needed, and not free to load

    return ZoneInfo(name)
