"""Reads the posts of groups, and makes the rows of a sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import msgspec

from ..names import Names
from ..readings import Readings
from .cells import kept, on_clocks_of, zone_named
from .columns import (
    ACCOUNTS,
    COLUMNS,
    EDITABLE,
    GROUP,
    ID,
    TEXTUAL,
    WEEKDAY,
    ZONE,
    is_deleted,
    shown,
    value_of,
)
from .memory import MEMORY, Memory, digest, marked, normal, unheld
from .problems import SheetError
from .times import why_none

if TYPE_CHECKING:
    from social_publishing import SocialPublishing
    from social_publishing.models import Post


_SHOWN = {column.name: column for column in COLUMNS if not column.kind}
_TEXTS = {"networks", "labels", "link", ACCOUNTS, GROUP}


ENDS = {"0001-01": "early: no day comes before it", "9999-12": "late: no day comes after it"}
"""The first and the last month, which are none here, and why."""


class Month:
    """A month of a calendar."""

    def __init__(self, text: str) -> None:
        try:
            self.first = datetime.strptime(text, "%Y-%m").date()
        except ValueError:
            reason = why_none(f"{text}-01") or "write it as 2026-12"
            raise ValueError(f"{text!r} is not a month: {reason}") from None
        if end := ENDS.get(f"{self.first}"[:7]):
            raise ValueError(f"{text!r} is too {end}")
        year, month = divmod(self.first.year * 12 + self.first.month, 12)
        self.end = date(year, month + 1, 1)

    @property
    def before(self) -> Month | None:
        """The month before; None where that is none here."""
        try:
            return Month((self.first - timedelta(1)).strftime("%Y-%m").zfill(7))
        except ValueError:
            return None

    def with_one_before(self) -> Month:
        """Return a range that begins a month earlier; the first month stays as it is."""
        both = self.before or self
        both.end = self.end
        return both

    def has(self, moment: datetime | None, zone: ZoneInfo) -> bool:
        """Return whether a moment is in the month, in a time zone."""
        local = on_clocks_of(zone, moment)
        return local is not None and self.first <= local.date() < self.end


def posts_of(
    client: SocialPublishing,
    groups: Sequence[str],
    month: Month | None,
    undated: bool = False,
    readings: Readings | None = None,
    show: Callable[[str, float, float], object] = lambda text, done, total: None,
    deleted: set[str] | None = None,
) -> Iterator[tuple[str, ZoneInfo, Post]]:
    """Yield the posts of groups with their time zones, by publication date.

    A post of several groups comes once, with the first of them; a deleted one is left out.

    Args:
        readings: What an interrupted run has read; what this run reads is kept there.
        show: Called with what is read, how many groups are done, and how many there are.
        deleted: Gets the deleted posts of the month that the service still lists.
    """
    seen: set[str | None] = set()
    for number, group in enumerate(groups):
        known = _kept(group, readings.get("group", group)) if readings is not None else None
        if known is not None:
            yield from (each for each in known if each[2].id not in seen)
            seen |= {post.id for _, _, post in known}
            continue
        text = f"Reading group {number + 1} of {len(groups)}"
        show(text, number, len(groups))
        one = client.groups.get(group)
        zone = zone_of(group, one.timezone)
        posts = []
        for count, post in enumerate(client.posts.list(group_id=group, include=["labels"]), 1):
            if count % 100 == 0:
                show(f"{text}: {one.name or group}, {count:,} posts", number, len(groups))
            if (
                month is None
                or month.has(post.publication_date, zone)
                or (undated and post.publication_date is None)
            ):
                if not is_deleted(post):
                    posts.append(post)
                elif deleted is not None:
                    deleted.add(post.id)
        posts.sort(key=lambda post: (post.publication_date is None, str(post.publication_date)))
        if readings is not None:
            kept = [post.to_dict(wire=True) for post in posts]
            readings.keep("group", group, [zone.key, kept])
        yield from ((group, zone, post) for post in posts if post.id not in seen)
        seen |= {post.id for post in posts}


def _kept(group: str, known: Any) -> list[tuple[str, ZoneInfo, Post]] | None:
    """Return what an interrupted run has read of a group; None if that has to be read again."""
    from social_publishing.models import Post

    try:
        zone, posts = known
        return [(group, zone_of(group, zone), msgspec.convert(each, Post)) for each in posts]
    except (TypeError, ValueError, SheetError):
        return None


def zone_of(group: str, name: str | None) -> ZoneInfo:
    """Return the time zone of a group.

    Raises:
        SheetError: Nobody knows it.
    """
    try:
        return zone_named(name or "UTC")
    except ValueError as error:
        raise SheetError.of(f"group {group}", error, column="timezone") from None


def record(
    group: str, zone: ZoneInfo, post: Post, names: Names, columns: Iterable[str]
) -> dict[str, str]:
    """Return a post as the texts of a row: times on the clocks of the zone, names beside ids."""
    texts = {
        name: shown(value_of(post, name), EDITABLE[name].kind, zone)
        if name in EDITABLE
        else str(_SHOWN[name].read(post) or "")
        for name in columns
    }
    local = on_clocks_of(zone, post.publication_date)
    accounts = value_of(post, "selected_account_ids")
    return {
        **texts,
        WEEKDAY: f"{local:%a}" if local else "",
        ZONE: zone.key,
        ACCOUNTS: ", ".join(map(names.label, accounts if isinstance(accounts, list) else ())),
        GROUP: known.name if (known := names.get(group)) else "",
        "group_id": group,
    }


def sheet_row(
    group: str, zone: ZoneInfo, post: Post, names: Names, columns: Sequence[str], ending: str
) -> dict[str, str]:
    """Return a post as the texts of a row that `plan` reads again, with what it was made from.

    A text that the file format cannot hold is marked as not editable. In CSV, no text is one that a
    spreadsheet program reads as a formula.
    """
    cells = record(group, zone, post, names, columns)
    editable = {name for name in columns if name in EDITABLE}
    marks: dict[str, str] = {}
    for name, text in cells.items():
        if reason := unheld(text, ending):
            if name in editable:
                cells[name] = marked(text, reason)
                marks[name] = digest(cells[name])
            else:
                cells[name] = normal(text)
    memory = Memory(
        post.id or "",
        {name: value_of(post, name) for name in columns if name in editable},
        {name: text for name, text in cells.items() if name not in {*editable, ID, WEEKDAY}},
        marks,
    )
    if ending == ".csv":
        texts = _TEXTS | {name for name in editable if EDITABLE[name].kind in TEXTUAL}
        cells = {name: kept(cell) if name in texts else cell for name, cell in cells.items()}
    return {**cells, MEMORY: memory.written()}
