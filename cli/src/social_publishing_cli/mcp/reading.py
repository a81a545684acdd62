"""The tools that only read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from ..characters import cut
from ..metrics import COUNTS, collect
from ..months.reading import notes_of
from ..output import counted, left_out
from ..plans.networks import is_expired
from ..post_statuses import PUBLISHED
from ..sheets.cells import as_stored, on_clocks_of
from ..sheets.columns import COLUMNS, EDITABLE, is_deleted, shown, status_of, texts_of, value_of
from ..sheets.exporting import Month
from ..sheets.times import why_none
from ..summaries.summing import sums
from .calls import CALL
from .results import Problem, Result
from .service import Service, room_at

if TYPE_CHECKING:
    from social_publishing.models import CalendarNote, Post

_OTHERS = {column.name: column.read for column in COLUMNS if not column.kind}
MOST_POSTS = 20  # that one call reads: their history costs a request a post
_LONGEST = 2000  # characters of a text of one of several posts


def find_posts(
    service: Service,
    group_id: str | None = None,
    month: str | None = None,
    since: str | None = None,
    until: str | None = None,
    status: Sequence[str] = (),
    text: str = "",
) -> Result:
    """Find posts of a group by time, status and words."""
    group = service.group(group_id)
    is_wanted = _in_range(group.zone, month, since, until)
    words = text.casefold()
    found = [
        post
        for post in service.posts(group)
        if is_wanted(post.publication_date)
        and (not status or status_of(post) in status)
        and words in _words_of(post)
    ]
    posts, told = (found, "") if "deleted" in status else _alive(found)
    rows = [_brief(post, group.zone) for post in posts]
    return Result(f"{counted(len(rows), 'post')}; times in {group.zone}.{told}", rows)


def read_posts(
    service: Service, post_ids: Sequence[str], group_id: str | None = None, history: bool = False
) -> Result:
    """Read posts in full, as they are now."""
    group = service.group(group_id) if group_id or service.options.group else None
    posts = {post.id: post for post in service.client.posts.get_many(ids=[*post_ids])}
    wanted = dict.fromkeys(post_ids)
    found = [*filter(None, map(posts.get, wanted))]
    homes = [group or service.home(post) for post in found]
    zones = [home.zone if home else ZoneInfo("UTC") for home in homes]
    rows = []
    for post, zone in zip(found, zones, strict=True):
        row = _row(post, zone, _LONGEST if len(wanted) > 1 else None)
        if history:
            events = service.client.posts.activities(post.id)
            row["history"] = [
                f"{_when(event.created_at, zone)} {event.event or ''} "
                f"{cut(str(event.data or ''), 100)}"
                for event, _ in zip(events, range(20), strict=False)
            ]
        rows.append({**row, "timezone": zone.key} if len({*zones}) > 1 else row)
    missing = [post for post in wanted if post not in posts]
    told = f" Not found, or no access: {', '.join(missing)}." if missing else ""
    clocks = "; times in the timezone of each" if len({*zones}) > 1 else ""
    clocks = clocks or "".join(f"; times in {zone}" for zone in {*zones})
    return Result(f"{counted(len(rows), 'post')}{clocks}.{told}", rows)


def calendar(service: Service, month: str, group_id: str | None = None) -> Result:
    """Show a month day by day: posts, notes, and days without a post."""
    group = service.group(group_id)
    asked = _month(month)
    days: dict[date, list[Post]] = {}
    posts, told = _alive(
        each for each in service.posts(group) if asked.has(each.publication_date, group.zone)
    )
    for post in posts:
        assert post.publication_date is not None  # which is in the month
        days.setdefault(post.publication_date.astimezone(group.zone).date(), []).append(post)
    rows: list[dict[str, Any]] = [
        {
            "day": f"{day:%a %Y-%m-%d}",
            "posts": [
                f"{_when(post.publication_date, group.zone)[11:]} {post.id} {status_of(post)} "
                f"{cut(post.name or post.content, 40)}"
                for post in posts
            ],
        }
        for day, posts in days.items()
    ]
    notes = notes_of(service.client, group.id, asked, group.zone)
    rows += [_note(note, group.zone) for note in notes]
    every = [asked.first + timedelta(day) for day in range((asked.end - asked.first).days)]
    free = " ".join(f"{day.day}" for day in every if day not in days)
    count = sum(map(len, days.values()))
    return Result(
        f"{counted(count, 'post')} and {counted(len(notes), 'note')} in {month}; times in "
        f"{group.zone}. Days without a post: {free or 'none'}.{told}",
        rows,
    )


def metrics(
    service: Service,
    group_id: str | None = None,
    month: str | None = None,
    post_ids: Sequence[str] = (),
) -> Result:
    """Read the metrics of published posts, with one request per post."""
    group = service.group(group_id)
    is_wanted = _in_range(group.zone, month, None, None)
    posts = {post.id: post for post in service.posts(group)}
    known = [posts[each] for each in dict.fromkeys(post_ids or posts) if each in posts]
    published = [post for post in known if post.status == PUBLISHED]
    todo = [(group.id, group.zone, each) for each in published if is_wanted(each.publication_date)]
    left = {
        "Not in this group": [each for each in dict.fromkeys(post_ids) if each not in posts],
        "Not published": [each.id for each in known if each not in published],
        f"Not in {month}": [each.id for each in published if not is_wanted(each.publication_date)],
    }
    named = left.items() if post_ids else ()
    told = [f" {why}: {cut(', '.join(ids), 1000)}." for why, ids in named if ids]
    return _measured(service, todo, [], 0, "".join(told))


def _measured(
    service: Service, todo: list[Any], rows: list[Any], done: int, told: str = ""
) -> Result:
    """Read the metrics that are left, as far as the rate allows; a cursor goes on."""
    from social_publishing import RateLimitReached

    count = len(todo)
    for at in range(done, count):
        CALL.get().report(at, count, "posts read")
        try:
            rows = [*rows, *map(_measure, collect(service.client, [todo[at]]))]
        except RateLimitReached as error:
            return Result(
                f"The rate limit: {at} of {counted(count, 'post')} read. Call again "
                f"{room_at(error.wait)}; the results so far are kept.",
                read_more=partial(_measured, service, todo, rows, at, told),
            )
    rows.sort(key=lambda row: -(row["engagements"] or 0))
    every = []
    for network in sorted({row["network"] for row in rows}):
        counts = sums(row for row in rows if row["network"] == network).counts
        known = {name: counts[name] for name in COUNTS if counts[name] is not None}
        every.append({"network": network, "all": known})
    clocks = f" Times on the clocks of {todo[0][1]}." if todo else ""
    words = f"Metrics of {counted(count, 'published post')}: sums, then most engagements first."
    return Result(words + clocks + told, [*every, *rows])


def _measure(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of metrics without what is the same in all of them."""
    left = {name: value for name, value in row.items() if name not in ("timezone", "status")}
    return {**left, "name": cut(row["name"], 60)}


def account_health(service: Service, group_id: str | None = None) -> Result:
    """Check the accounts of a group, and count the posts that wait for somebody."""
    group = service.group(group_id, fresh=True)
    waiting = service.client.widgets.posts_overview(group.id)
    rows = [
        {
            "id": account.id,
            "network": str(account.social_network or ""),
            "name": cut(account.custom_name or account.name, 60),
            "username": account.username,
            "followers": account.followers_count,
            "connection": f"expired {_when(account.connection_expired_at, group.zone)}: connect it "
            "again in the service"
            if is_expired(account.connection_expired_at)
            else "ok",
        }
        for account in group.accounts.values()
    ]
    expired = sum(row["connection"] != "ok" for row in rows)
    said = f"{counted(len(rows), 'account')}, {expired} to connect again."
    if waiting:  # a response may be empty
        said += (
            f" Scheduled posts in this group: {waiting.scheduled_posts or 0}. In the organization: "
            f"{waiting.needs_approval or 0} to approve, {waiting.rejected or 0} rejected, "
            f"{waiting.missed_review or 0} with a missed review."
        )
    return Result(said, rows)


def budget(service: Service) -> Result:
    """Return how many requests the rate limit allows now. Sends none."""
    room = service.room
    ends = f" The minute ends {room_at(room.seconds)}." if room.seconds else ""
    return Result(f"{room.left} of {room.limit} requests a minute are left now.{ends}")


def _row(post: Post, zone: ZoneInfo, longest: int | None) -> dict[str, Any]:
    """Return what a reader needs of a post; texts are cut after so many characters."""
    row: dict[str, Any] = {"id": post.id, "status": status_of(post)}
    for name, column in EDITABLE.items():
        value = value_of(post, name)
        row[name] = shown(value, "moment", zone) if column.kind == "moment" else value
        if longest and isinstance(value, str) and len(value) > longest:
            row[name] = f"{value[:longest]}… ({len(value)} characters: read this post alone)"
    if post.has_customized_content and post.customized:
        texts = {str(network): each.content for network, each in post.customized.items() if each}
        row["customized"] = {name: (text or "")[:longest] for name, text in texts.items()}
    row["changed"] = _when(post.updated_at, zone)
    return row


def _brief(post: Post, zone: ZoneInfo) -> dict[str, Any]:
    failures = texts_of(post.details, "user_error_message")
    return {
        "id": post.id,
        "when": _when(post.publication_date, zone),
        "status": status_of(post),
        "networks": _OTHERS["networks"](post),
        "name": cut(post.name, 60),
        "text": cut(post.content, 80),
        "labels": _OTHERS["labels"](post),
        "failure": cut("; ".join(failures), 200),
    }


def _note(note: CalendarNote, zone: ZoneInfo) -> dict[str, Any]:
    return {
        "note": note.id,
        "from": _when(note.start_date, zone),
        "to": _when(note.end_date, zone),
        "title": cut(note.title, 80),
        "content": cut(note.content, 200),
    }


def _alive(posts: Iterable[Post]) -> tuple[list[Post], str]:
    """Return posts without those that are deleted, and what to say of these."""
    every = [*posts]
    alive = [post for post in every if not is_deleted(post)]
    told = left_out(len(every) - len(alive))
    return alive, told and f" {told}."


def _words_of(post: Post) -> str:
    labels = str(_OTHERS["labels"](post))
    texts = (post.name, post.content, post.note, labels)
    return "\n".join(filter(None, texts)).casefold()


def _when(moment: datetime | None, zone: ZoneInfo) -> str:
    if not isinstance(moment, datetime):  # confirmed in another form (`post.updatedAt`)
        return str(moment or "")
    return shown(as_stored(moment.replace(second=0, microsecond=0)), "moment", zone)


def _month(text: str) -> Month:
    try:
        return Month(text)
    except ValueError as error:
        raise Problem(f"month: {error}") from None


def _day(name: str, text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        reason = why_none(text or "") or "write a day as 2026-12-24"
        raise Problem(f"{name}: {reason}.") from None


def _in_range(
    zone: ZoneInfo, month: str | None, since: str | None, until: str | None
) -> Callable[[datetime | None], bool]:
    """Return whether a moment is wanted, on the clocks of a zone; `until` is the last day of it."""
    asked = _month(month) if month else None
    first, last = _day("since", since), _day("until", until)
    for begins, name, ends, other in (
        (first, "since", last, "until"),
        (first, "since", asked and asked.end - timedelta(1), "month"),
        (asked and asked.first, "month", last, "until"),
    ):
        if begins and ends and begins > ends:
            raise Problem(f"{name} ({begins}) is after {other} ({ends}): no day is in both.")

    def is_wanted(moment: datetime | None) -> bool:
        if asked and not asked.has(moment, zone):
            return False
        local = on_clocks_of(zone, moment)
        day = local and local.date()
        return (not first or bool(day and first <= day)) and (not last or bool(day and day <= last))

    return is_wanted
