"""Numbers and times of header fields, read by their grammar: a text of any other form is none."""

from __future__ import annotations

import re
from functools import lru_cache

DELAY = "seconds or an HTTP-date"
RESET = {
    "seconds": "seconds, or Unix seconds",
    "milliseconds": "milliseconds, or Unix milliseconds",
    "duration": "a duration, such as 6m0s or 500ms",
}
"""What a time of reset is, by the format that the documents name for it."""

_DIGITS = {"seconds": 11, "milliseconds": 14}  # more lie beyond the year 5000: of another unit
_SECONDS = {
    "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9,
}  # fmt: skip
_TERM = r"(\d+(?:\.\d*)?|\.\d+)(h|ms|m|s|us|µs|μs|ns)"  # as `time.ParseDuration` of Go has it
_POLICY = r'(?:[ \t]*[;,][ \t]*(?:[\w.*-]+(?:=(?:[\w.*-]+|"[^"]*"))?))*'  # 60, 60;w=60

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTH = f"(?P<month>{'|'.join(_MONTHS)})"
_TIME = r"(?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d):(?P<second>[0-5]\d|60)"
_DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_DATES = (  # RFC 9110, 5.6.7: the one that is sent, and two that are read
    rf"{_DAY}, (?P<day>\d\d) {_MONTH} (?P<year>\d{{4}}) {_TIME} GMT",
    rf"{_LONG_DAY}, (?P<day>\d\d)-{_MONTH}-(?P<year>\d\d) {_TIME} GMT",
    rf"{_DAY} {_MONTH} (?P<day>\d\d| \d) {_TIME} (?P<year>\d{{4}})",
)


@lru_cache(maxsize=256)  # the numbers of a minute's responses come again and again
def read_count(text: str) -> int | None:
    """Return a number of requests; what follows it may say how they are counted: `60;w=60`."""
    # `int` takes no more than 4,300 digits.
    match = re.fullmatch(rf"(-?\d{{1,999}}){_POLICY}", text.strip(" \t"), re.ASCII)
    return None if match is None else int(match[1])


@lru_cache(maxsize=256)
def read_seconds(text: str) -> float | None:
    """Return whole seconds, as Retry-After counts them."""
    text = text.strip(" \t")
    return float(text) if text.isascii() and text.isdigit() else None


@lru_cache(maxsize=256)
def read_reset(text: str, form: str) -> float | None:
    """Return the seconds of a time of reset, from now on or from 1970 on.

    Args:
        form: how it is written; a key of `RESET`.
    """
    text = text.strip(" \t")
    if form != "duration":
        fits = text.isascii() and text.isdigit() and len(text) <= _DIGITS[form]
        return int(text) / (1000 if form == "milliseconds" else 1) if fits else None
    if re.fullmatch(rf"(?:{_TERM})+", text, re.ASCII):
        terms = re.findall(_TERM, text, re.ASCII)
        return sum(float(number) * _SECONDS[unit] for number, unit in terms)
    return 0.0 if text == "0" else None


@lru_cache(maxsize=32)  # most responses of a second bear the same date
def read_date(text: str) -> float | None:
    """Return the Unix seconds of an HTTP-date; a leap second is that after it."""
    from datetime import UTC, datetime  # only where there is a date to read

    text = text.strip(" \t")
    match = next(filter(None, (re.fullmatch(form, text, re.ASCII) for form in _DATES)), None)
    if match is None:
        return None
    year, month = int(match["year"]), _MONTHS.index(match["month"]) + 1
    if len(match["year"]) == 2:
        now = datetime.now(UTC).year
        year += now // 100 * 100
        year -= 100 if year > now + 50 else 0
    try:
        start = datetime(
            year, month, int(match["day"]), int(match["hour"]), int(match["minute"]), tzinfo=UTC
        )
    except ValueError:  # such as 31 February
        return None
    return start.timestamp() + int(match["second"])
