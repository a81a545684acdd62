"""How states and networks are shown where there is little room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Final

from ..catalogues import network_title
from ..sheets.columns import on_clocks

MARKS: Final = {
    "not_schedule": ("○", "dim"),
    "draft": ("○", "dim"),
    "in_review": ("?", "yellow"),
    "review_rejected": ("!", "red"),
    "review_missed": ("!", "red"),
    "scheduled": ("●", "blue"),
    "in_progress": ("»", "cyan"),
    "failed": ("✗", "red"),
    "skipped": ("–", "dim"),
    "published": ("✓", "green"),
    "deleted": ("–", "dim"),
}
"""A mark, and a style of rich, for each state; a new one has `UNKNOWN`."""

UNKNOWN: Final = ("·", "")

_SHORT: Final = {
    "facebook": "fb",
    "instagram": "ig",
    "tiktok": "tt",
    "twitter": "x",
    "youtube": "yt",
    "linkedin_page": "lp",
    "google_business_profile": "gb",
    "bluesky": "bs",
}


def short(network: str) -> str:
    """Return a network in two letters."""
    return _SHORT.get(network, network[:2])


def legend(networks: Iterable[str]) -> str:
    """Return what the two letters of networks mean, each once, as posts have them in order."""
    return ", ".join(f"{short(each)} {network_title(each)}" for each in sorted({*networks}))


def spans(days: Sequence[date]) -> str:
    """Return days of a month as people write them, runs with a dash."""
    runs: list[list[int]] = []
    for day in days:
        if runs and day.day == runs[-1][-1] + 1:
            runs[-1].append(day.day)
        else:
            runs.append([day.day])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def clock(moment: datetime) -> str:
    """Return a local time of the day, such as 09:30; one that comes twice has its offset."""
    return on_clocks(moment.replace(second=0, microsecond=0))[11:]


def spoken(status: str) -> str:
    """Return a state in words."""
    return status.replace("_", " ")
