"""Reads a month of a group: its posts, as each network gets them, and its notes, day by day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from ..catalogues import catalogue
from ..characters import cut
from ..names import Names
from ..plans.model import week_start
from ..plans.networks import Cut, cuts
from ..sheets.cells import on_clocks_of
from ..sheets.columns import COLUMNS, is_deleted, part, status_of
from ..sheets.exporting import Month, zone_of

if TYPE_CHECKING:
    from social_publishing import SocialPublishing
    from social_publishing.models import CalendarNote, Post


_LABEL = 60  # characters
_LINK = next(each.read for each in COLUMNS if each.name == "link")


class Entry(NamedTuple):
    """A post on its day.

    Attributes:
        moment: When it is published, on the clocks of the group.
        status: What its state is called, such as "scheduled".
        cuts: Its text for each account, as far as the account's network takes it.
        files: The addresses of its files, or of their thumbnails.
        link: Where it was published, if it was.
    """

    id: str
    moment: datetime
    status: str
    name: str
    cuts: tuple[Cut, ...]
    files: tuple[str, ...]
    note: str
    link: str

    @property
    def networks(self) -> tuple[str, ...]:
        """The networks of its accounts, each once, in the order of their identifiers."""
        return tuple(sorted({each.network for each in self.cuts}))

    @property
    def label(self) -> str:
        """The name of the post, or the beginning of its text."""
        texts = (each.text.strip() for each in self.cuts)
        return cut(self.name.strip() or next(filter(None, texts), self.id), _LABEL)


class Note(NamedTuple):
    """A calendar note, with its first and its last day."""

    id: str
    title: str
    content: str
    first: date
    last: date


class GroupMonth(NamedTuple):
    """A month of a group.

    Attributes:
        group: The name of the group.
        first: The first day.
        end: The day after the last one.
        starts: The first day of a week; 0 is Monday.
        deleted: How many deleted posts of the month are left out, where the service lists them.
    """

    group: str
    zone: ZoneInfo
    first: date
    end: date
    starts: int
    entries: tuple[Entry, ...]
    notes: tuple[Note, ...]
    deleted: int = 0

    @property
    def days(self) -> list[date]:
        """All days of the month."""
        return [self.first + timedelta(day) for day in range((self.end - self.first).days)]

    @property
    def weeks(self) -> Iterator[list[date]]:
        """The weeks that the month touches, with all their days."""
        return weeks_of(self.first, self.end, self.starts)

    @property
    def free(self) -> list[date]:
        """The days without a post."""
        taken = {each.moment.date() for each in self.entries}
        return [day for day in self.days if day not in taken]

    @property
    def networks(self) -> tuple[str, ...]:
        """The networks of its posts, each once, likewise."""
        return tuple(sorted({name for each in self.entries for name in each.networks}))

    def on(self, day: date) -> list[Entry]:
        """Return the posts of a day, by time."""
        return [each for each in self.entries if each.moment.date() == day]

    def notes_on(self, day: date) -> list[Note]:
        """Return the notes that touch a day."""
        return [each for each in self.notes if each.first <= day <= each.last]


def weeks_of(first: date, end: date, starts: int) -> Iterator[list[date]]:
    """Yield the weeks that a range of days touches; 0 is Monday."""
    start = first - timedelta((first.weekday() - starts) % 7)
    while start < end:
        yield [start + timedelta(day) for day in range(7)]
        start += timedelta(7)


def read_month(
    client: SocialPublishing,
    group: str,
    month: Month | datetime,
    names: Names,
    show: Callable[[str, float, float], object] = lambda text, done, total: None,
) -> GroupMonth:
    """Read a month of a group.

    Args:
        month: The month, or a moment in it: on the group's clocks it may be another one than here.
        show: Called with what is read, how many parts are done, and how many there are.

    Raises:
        SocialPublishingError: The service could not be read.
        SheetError: The group has a time zone that nobody knows.
    """
    show("Reading the group", 0, 3)
    one = client.groups.get(group, include=["socialAccounts"])
    zone = zone_of(group, one.timezone)
    if isinstance(month, datetime):
        month = Month(f"{month.astimezone(zone):%Y-%m}")
    accounts = {each.id: each.to_dict(wire=True) for each in one.social_accounts or () if each.id}
    show("Reading its posts", 1, 3)
    posts = [
        post
        for post in client.posts.list(group_id=group, include=["media"])
        if month.has(post.publication_date, zone)
    ]
    alive = [post for post in posts if not is_deleted(post)]
    show("Reading its notes", 2, 3)
    noted = (_note(note, zone) for note in notes_of(client, group, month, zone))
    found = [each for each in noted if each]
    touching = [each for each in found if each.first < month.end and each.last >= month.first]
    return GroupMonth(
        one.name or names.label(group),
        zone,
        month.first,
        month.end,
        week_start(one),
        # Local times of one zone compare as clocks show them: an hour may come twice.
        tuple(_entry(post, accounts, zone) for post in sorted(alive, key=_moment)),
        tuple(sorted(touching, key=lambda note: (note.first, note.title))),
        len(posts) - len(alive),
    )


def notes_of(
    client: SocialPublishing, group: str, month: Month, zone: ZoneInfo
) -> list[CalendarNote]:
    """Return the notes of a month that a group sees, by moments or by days, as the notes take it.

    Where they cannot be asked for by group, those of other groups are left out here.
    """
    arguments = catalogue()["calendar_notes"]["commands"]["list"]["arguments"]
    given: dict[str, Any] = {"start": month.first, "end": month.end - timedelta(1)}
    if any(each["kind"] == "moment" for each in arguments):
        start, end = (datetime.combine(day, time(), zone) for day in (month.first, month.end))
        given = {"start": start, "end": end}
    if any(each["name"] == "group_id" for each in arguments):
        return client.calendar_notes.list(**given, group_id=group)
    return [e for e in client.calendar_notes.list(**given) if e.group_id in (None, group)]


def _note(note: CalendarNote, zone: ZoneInfo) -> Note | None:
    """Return a note with its days; None where it has none."""
    start = note.start_date or note.end_date
    if not start:
        return None
    # What is beyond the calendar of a zone is on its first or its last day.
    first, last = (on_clocks_of(zone, e) or e for e in (start, note.end_date or start))
    ends_before = last.time() == time() and last.date() > first.date()  # at midnight
    days = first.date(), last.date() - timedelta(ends_before)
    return Note(note.id or "", note.title or "", note.content or "", *days)


def _moment(post: Post) -> datetime:
    assert post.publication_date is not None  # which is in the month
    return post.publication_date


def _entry(post: Post, accounts: Mapping[str, Mapping[str, Any]], zone: ZoneInfo) -> Entry:
    return Entry(
        post.id,
        _moment(post).astimezone(zone),
        status_of(post),
        post.name or "",
        tuple(cuts(post.to_dict(wire=True), accounts)),
        tuple(
            str(part(each, "thumbnail") or part(each, "url"))
            for each in post.media or ()
            if part(each, "url")
        ),
        post.note or "",
        str(_LINK(post) or "").partition(" ")[0],
    )
