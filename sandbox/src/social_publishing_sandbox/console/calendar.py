"""The calendar: posts and notes on their days, by month, week or day."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, Final

from starlette.requests import Request

from social_publishing_sandbox.console import listing, wording
from social_publishing_sandbox.console.base import Console
from social_publishing_sandbox.console.listing import Row
from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.service import Service

VIEWS: Final = ("month", "week", "day")

_SHOWN: Final = {"month": 4, "week": 12, "day": 500}  # posts of one day
_MONDAY: Final = 1  # weekday codes count from Sunday (§2.1)
_FIRST, _LAST = date(1971, 1, 1), date(9998, 12, 1)


@dataclass(frozen=True, slots=True)
class Noted:
    """A calendar note on one of its days.

    Attributes:
        last: its last day.
        goes_on: an earlier day of the same week has it, too.
        over: how many days of the week it reaches over from here.
    """

    note: Json
    last: date
    goes_on: bool
    over: int

    @property
    def until(self) -> str:
        """Its last day in words."""
        return wording.day(self.last)


@dataclass(slots=True)
class Day:
    """A day of the calendar.

    Attributes:
        rows: its posts, as many as are shown.
        more: how many more there are.
        lanes: the calendar notes that touch it, from the top; a note has the same lane on all days
            of a week, and None is a lane that is free on this day.
        outside: it belongs to another month than the one that is shown.
    """

    date: date
    today: bool
    outside: bool
    rows: list[Row] = field(default_factory=list)
    more: int = 0
    lanes: list[Noted | None] = field(default_factory=list)

    @property
    def notes(self) -> list[Noted]:
        """The calendar notes that touch it."""
        return [each for each in self.lanes if each]

    @property
    def title(self) -> str:
        """The day in words."""
        return wording.long_day(self.date)

    @property
    def weekday(self) -> str:
        """The weekday's name."""
        return f"{self.date:%A}"


def read(console: Console, request: Request) -> dict[str, Any]:
    """Return the days that the address asks for."""
    service = console.service
    asked = request.query_params
    view = asked.get("view", "month") if asked.get("view") in VIEWS else "month"
    group = service.store.groups.get(asked.get("group", ""))
    zone = wording.zone_of(group.get("timezone") if group else None)
    now = service.now()
    today = wording.local(now, zone).date()
    anchor = date_of(asked.get("date"), today)
    first, last = _span(view, anchor, group.get("week_start_day", _MONDAY) if group else _MONDAY)
    days = [
        Day(day, day == today, view == "month" and day.month != anchor.month)
        for day in (first + timedelta(days=n) for n in range((last - first).days))
    ]
    _put_posts(service, days, group, zone, _SHOWN[view])
    _put_notes(service, days, group, zone)
    users = {each["id"]: each["name"] for each in service.store.users.where()}
    return {
        "view": view,
        "views": VIEWS,
        "anchor": anchor,
        "title": _title(view, anchor, first, last),
        "days": days,
        "weekdays": [each.weekday for each in days[:7]],
        "previous": _move(view, anchor, -1),
        "next": _move(view, anchor, 1),
        "today": today,
        "group": group,
        "groups": listing.groups(service),
        "zone": zone,
        "zone_name": group.get("timezone", "UTC") if group else "UTC",
        "authors": users,
        "shown": sorted({row.post["status"] for each in days for row in each.rows}),
    }


def date_of(asked: str | None, otherwise: date) -> date:
    """Return the day that an address asks for, within what can be shown; another one for none."""
    try:
        day = date.fromisoformat(asked or "")
    except ValueError:
        day = otherwise
    return min(max(day, _FIRST), _LAST)


def _span(view: str, anchor: date, week_start: int) -> tuple[date, date]:
    """Return the first day that is shown, and the day after the last."""
    if view == "day":
        return anchor, anchor + timedelta(days=1)
    if view == "week":
        first = _week_of(anchor, week_start)
        return first, first + timedelta(days=7)
    first = _week_of(anchor.replace(day=1), week_start)
    last = _week_of(_move("month", anchor, 1) - timedelta(days=1), week_start)
    return first, last + timedelta(days=7)


def _week_of(day: date, week_start: int) -> date:
    return day - timedelta(days=(day.isoweekday() - week_start) % 7)


def _move(view: str, anchor: date, step: int) -> date:
    if view == "month":
        months = anchor.year * 12 + anchor.month - 1 + step
        return date(months // 12, months % 12 + 1, 1)
    return anchor + timedelta(days=step * (7 if view == "week" else 1))


def _title(view: str, anchor: date, first: date, last: date) -> str:
    if view == "month":
        return wording.month(anchor)
    if view == "day":
        return wording.long_day(anchor)
    end = last - timedelta(days=1)
    if first.month == end.month:
        return f"{first.day} – {end.day} {wording.month(end)}"
    begin = f"{first.day} {first:%b}"
    year = f" {first.year}" if first.year != end.year else ""
    return f"{begin}{year} – {end.day} {end:%b %Y}"


def _midnight(day: date, zone: tzinfo) -> int:
    moment = datetime(day.year, day.month, day.day, tzinfo=zone)
    return times.parse(moment.isoformat())


def _put_posts(
    service: Service, days: list[Day], group: Json | None, zone: tzinfo, shown: int
) -> None:
    condition, values = listing.of_group(group)
    start = _midnight(days[0].date, zone)
    end = _midnight(days[-1].date + timedelta(days=1), zone)
    posts = service.store.posts.where(
        f"at >= ? AND at < ? AND status <> ? AND {condition} ORDER BY at, key",
        [start, end, service.codes["DELETED"], *values],
    )
    by_date: dict[date, list[Json]] = {}
    for post in posts:
        there = wording.local(post["publication_timestamp"], zone).date()
        by_date.setdefault(there, []).append(post)
    for day in days:
        posts_of_day = by_date.get(day.date, [])
        # One post more takes no more room than the line that says so.
        kept = posts_of_day if len(posts_of_day) <= shown + 1 else posts_of_day[:shown]
        day.more = len(posts_of_day) - len(kept)
        day.rows = listing.rows(service, kept)


def _put_notes(service: Service, days: list[Day], group: Json | None, zone: tzinfo) -> None:
    start = _midnight(days[0].date, zone)
    end = _midnight(days[-1].date + timedelta(days=1), zone)
    for note in service.store.notes.where("starts < ? AND ends >= ? ORDER BY starts", [end, start]):
        if group and note.get("group_id") not in (None, group["id"]):
            continue
        begins, ends = times.parse(note["start_date"]), times.parse(note["end_date"])
        first = wording.local(begins, zone).date()
        # A note that ends at midnight does not reach into the day that begins then.
        last = wording.local(max(begins, ends - 1), zone).date()
        for position in range(0, len(days), 7):
            week = days[position : position + 7]
            _put_note(note, last, [each for each in week if first <= each.date <= last])


def _put_note(note: Json, last: date, days: list[Day]) -> None:
    """Put a note into the first lane that is free on all of these days of one week."""
    lane = 0
    while any(lane < len(each.lanes) and each.lanes[lane] for each in days):
        lane += 1
    for position, day in enumerate(days):
        day.lanes += [None] * (lane + 1 - len(day.lanes))
        day.lanes[lane] = Noted(note, last, position > 0, len(days) - position)
