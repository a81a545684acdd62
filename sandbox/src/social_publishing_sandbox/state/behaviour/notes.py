"""Dates of calendar notes (§2.9, §4.4). All moments are milliseconds since 1970, UTC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from social_publishing_sandbox.state.times import DAY


def touches(note_start: int, note_end: int, start: int, end: int) -> bool:
    """Return whether a note has a moment in common with a range; both ends belong to both."""
    return note_start <= end and note_end >= start


def days_between(start: int, end: int) -> float:
    """Days from start to end; negative when the end comes first.

    A range of notes has to stay under a number of days, so exactly that many are too many.
    """
    return (end - start) / DAY


def extra_day(start: int, end: int, rule: Mapping[str, Any]) -> int:
    """Return the moment of `end_date_extra_day`.

    Args:
        start, end: the note's dates.
        rule: `noteExtraDay` of the documents' `x-assume`: `addDays` days after the date that `from`
            names.
    """
    dates = {"start_date": start, "end_date": end}
    moment: int = dates[rule["from"]] + rule["addDays"] * DAY
    return moment
