"""How states and networks are shown where there is little room."""

from __future__ import annotations

from typing import Final

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


def spoken(status: str) -> str:
    """Return a state in words."""
    return status.replace("_", " ")
