"""Numbers, moments and codes as people read them."""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo
from typing import Any, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.wording import counted

COLORS: Final = {
    **{1: "red", 2: "green", 3: "blue", 4: "yellow", 5: "orange", 6: "pink"},
    **{7: "purple", 8: "sky", 9: "gray"},
}
"""Colour codes (§2.1)."""

SOURCES: Final = {
    **{1: "web", 2: "API", 3: "MCP", 4: "task integration", 5: "CSV import", 6: "external sync"},
}
"""How a post was created (§2.2)."""

_NBSP: Final = "\N{NO-BREAK SPACE}"


# Moments


def zone_of(name: str | None) -> tzinfo:
    """Return a time zone by its name; UTC for none."""
    return ZoneInfo(name) if name and name != "UTC" else UTC


def local(ms: int, zone: tzinfo = UTC) -> datetime:
    """Return a moment in a zone."""
    return datetime.fromtimestamp(ms / 1_000, zone)


def day(moment: date) -> str:
    """Return a day as `Tue 1 Dec 2026`."""
    return f"{moment:%a} {moment.day} {moment:%b %Y}".replace(" ", _NBSP)


def long_day(moment: date) -> str:
    """Return a day as `Tuesday, 1 December 2026`."""
    return f"{moment:%A}, {moment.day} {moment:%B %Y}"


def month(moment: date) -> str:
    """Return a month as `December 2026`."""
    return f"{moment:%B %Y}"


def hour(ms: int, zone: tzinfo = UTC) -> str:
    """Return the time of a moment as `09:00`."""
    return local(ms, zone).strftime("%H:%M")


def moment(ms: int, zone: tzinfo = UTC, seconds: bool = False) -> str:
    """Return a moment as `Tue 1 Dec 2026, 09:00`."""
    there = local(ms, zone)
    return f"{day(there)}, {there.strftime('%H:%M:%S' if seconds else '%H:%M')}"


def time_of(ms: int) -> str:
    """Return the time of a moment as `09:00:00`, in UTC."""
    return f"{local(ms):%H:%M:%S}"


def parsed(text: str | None) -> int | None:
    """Return milliseconds of a stored moment; None for none, or for a text that is no moment."""
    if not text:
        return None
    try:
        return times.parse(text)
    except ValueError:
        return None


_STEPS: Final = (
    (365 * times.DAY, "year"),
    (30 * times.DAY, "month"),
    (times.DAY, "day"),
    (times.HOUR, "hour"),
    (times.MINUTE, "minute"),
    (times.SECOND, "second"),
)


def ago(ms: int, now: int) -> str:
    """Return the distance of a moment as `in 3 days`, `2 hours ago` or `now`."""
    distance = abs(ms - now)
    for size, name in _STEPS:
        if distance >= size:
            count = distance // size
            words = f"{count} {name}{'s' if count > 1 else ''}"
            return f"in {words}" if ms > now else f"{words} ago"
    return "now"


# Numbers


def number(value: float) -> str:
    """Return a number as `18,814`."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


def field_text(value: Any) -> str:
    """Return a value for a field of a form; `1` for 1.0."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def size(count: int) -> str:
    """Return a number of bytes as `1.4 MB`."""
    if count < 1_000:
        return f"{count}{_NBSP}B"
    for power, unit in ((3, "GB"), (2, "MB")):
        if count >= 1_000**power * 0.9995:
            return f"{count / 1_000**power:.1f}{_NBSP}{unit}"
    return f"{count / 1_000:.0f}{_NBSP}kB"


def took(us: int) -> str:
    """Return a duration from microseconds, `1.2 ms`."""
    if us >= 1_000_000:
        return f"{us / 1_000_000:.2f}{_NBSP}s"
    return f"{us / 1_000:.1f}{_NBSP}ms"


# Codes and texts


def words(name: str) -> str:
    """Return a name as words: `REVIEW_MISSED` and `reviewMissed` give `Review missed`."""
    if name == "NOT_SCHEDULE":
        return "Not scheduled"
    if not name.isupper():
        name = "".join(f" {each.lower()}" if each.isupper() else each for each in name)
    return name.replace("_", " ").strip().capitalize()


def excerpt(text: str | None, limit: int = 120) -> str:
    """Return the beginning of a text, on one line."""
    line = " ".join((text or "")[: limit * 4].split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def cut(text: str, limit: int) -> str:
    """Return the beginning of a text that keeps its lines."""
    more = len(text) - limit
    return text if more <= 0 else f"{text[:limit]}\n… {counted(more, 'more character')}"


def json(value: Any) -> str:
    """Return a value as JSON, a text without its quotes."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def link(url: Any) -> str | None:
    """Return an address that may be linked to; None for one that is not of the web."""
    if not isinstance(url, str):
        return None
    try:
        address = urlsplit(url)
    except ValueError:
        return None
    return url if address.scheme in ("http", "https") and address.netloc else None
