"""Makes a plan: compares a sheet with what the service has."""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, TypeVar
from zoneinfo import ZoneInfo

from ..sheets.cells import Value
from ..sheets.columns import EDITABLE, shown, value_of
from ..sheets.problems import Problem, SheetError
from ..sheets.reading import Row, Sheet
from .model import Change, Plan, Step

if TYPE_CHECKING:
    from social_publishing import SocialPublishing
    from social_publishing.models import Post, SocialAccount

__all__ = ["FINAL", "SETTLED", "chunks", "current", "make"]

T = TypeVar("T")

READ = 200  # posts that one request can read
LIFE = timedelta(days=1)
CLOSE = timedelta(hours=1)
FINAL = {30: "being published", 40: "published", 50: "deleted"}
"""Statuses in which a post does not go out any more at the time that a sheet says (§3)."""
SETTLED = frozenset(FINAL)


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Cut anything into lists of at most `size`."""
    left = iter(items)
    while chunk := list(islice(left, size)):
        yield chunk


def current(post: Post, names: Iterable[str]) -> dict[str, Value]:
    """Return what a post has, by the names of columns that can be edited."""
    return {name: value_of(post, name) for name in names}


def make(
    client: SocialPublishing,
    sheet: Sheet,
    *,
    now: datetime | None = None,
    life: timedelta = LIFE,
    on_progress: Callable[[int], object] | None = None,
) -> Plan:
    """Compare a sheet with the service, and plan what it takes to make the service like the sheet.

    It reads 200 posts a request and each group of the sheet once; it changes nothing.

    Args:
        client: A client of the account that the posts are in.
        sheet: What `read_sheet` returned.
        now: The moment from which on times are in the future; the clock's where it is left out.
        life: How long the plan may be applied.
        on_progress: Called with the number of rows that have been compared.

    Returns:
        The plan; its `changes` are empty where nothing differs.

    Raises:
        SheetError: Rows are for posts that are not there or are published; all of them are told.
        SocialPublishingError: The service could not be read.
    """
    now = (now or datetime.now(UTC)).replace(microsecond=0)
    changes: list[Change] = []
    problems: list[Problem] = []
    calendar = _Calendar()
    account: dict[str, str] = {}
    groups: set[str] = set()
    rows = 0
    for chunk in chunks(sheet.rows(), READ):
        found = client.posts.get_many(ids=[row.id for row in chunk])
        posts = {post.id: post for post in found}
        for row in chunk:
            post = posts.get(row.id)
            if post is None:
                problems.append(Problem(row.number, "id", f"there is no post {row.id}"))
                continue
            if post.organization_id:
                account["organization_id"] = post.organization_id
            change = _compared(row, post, now, problems)
            calendar.add(row, post, change)
            if change:
                changes.append(change)
                groups |= {row.group} if row.group else set()
        rows += len(chunk)
        if on_progress:
            on_progress(rows)
    if problems:
        raise SheetError(sheet.path.name, problems)
    accounts = _accounts(client, groups) if changes else {}
    warned = tuple(
        Change(
            each.row,
            each.id,
            each.name,
            each.zone,
            each.status,
            each.fields,
            (*each.warnings, *calendar.warnings(each, accounts)),
        )
        for each in changes
    )
    return Plan(now, now + life, account, sheet.path.name, rows, warned)


def _compared(row: Row, post: Post, now: datetime, problems: list[Problem]) -> Change | None:
    """Return what a row changes; None where it changes nothing."""
    before = current(post, row.values)
    fields = {
        name: Step(before[name], after)
        for name, after in row.values.items()
        if before[name] != after
        and shown(before[name], EDITABLE[name].kind, row.zone) != row.cells[name]
        and not (before[name] is None and after is False)
    }
    if not fields:
        return None
    status = int(post.status) if post.status is not None else None
    warnings = []
    for name in fields:
        if EDITABLE[name].kind != "moment":
            continue
        after = fields[name].after
        if after is None:
            problems.append(Problem(row.number, name, "is empty: a time cannot be taken back"))
        elif status in FINAL:
            problems.append(Problem(row.number, name, f"the post is {FINAL[status]}"))
        elif datetime.fromisoformat(str(after)) <= now:
            warnings.append(f"{name} is in the past")
    for name, step in fields.items():
        if step.after is None and EDITABLE[name].kind in ("number", "flag"):
            problems.append(Problem(row.number, name, "is empty, and must have a value"))
    title = " ".join((post.name or post.content or "").split())
    zone = row.zone.key if row.zone else ""
    name = title if len(title) <= 40 else title[:39] + "…"
    return Change(row.number, row.id, name, zone, status, fields, tuple(warnings))


class _Calendar:
    """When each account publishes what, as far as the sheet knows."""

    def __init__(self) -> None:
        self._accounts: dict[str, list[tuple[datetime, int]]] = defaultdict(list)
        self._of_row: dict[int, list[tuple[str, datetime]]] = {}

    def add(self, row: Row, post: Post, change: Change | None) -> None:
        """Note when the accounts of a post publish it."""
        values = current(post, ("publication_date", "selected_account_ids"))
        delay = value_of(post, "publication_delay_between")
        for name in values:
            if change and name in change.fields:
                values[name] = change.fields[name].after
        if change and "publication_delay_between" in change.fields:
            delay = change.fields["publication_delay_between"].after
        moment, accounts = values["publication_date"], values["selected_account_ids"]
        if moment is None or not isinstance(accounts, list) or int(post.status or 0) in FINAL:
            return
        start = datetime.fromisoformat(str(moment))
        every = timedelta(minutes=delay if isinstance(delay, int) else 0)
        slots = [(account, start + every * place) for place, account in enumerate(accounts)]
        for account, at in slots:
            insort(self._accounts[account], (at, row.number))
        if change:
            self._of_row[row.number] = slots

    def warnings(self, change: Change, accounts: dict[str, SocialAccount]) -> Iterator[str]:
        """Say what stands in the way of a change."""
        near: dict[int, None] = {}
        expired: dict[str, None] = {}
        for account, at in self._of_row.get(change.row, ()):
            if change.fields.keys() & {"publication_date", "selected_account_ids"}:
                others = self._accounts[account]
                near |= {row: None for when, row in others if abs(when - at) < CLOSE}
            known = accounts.get(account)
            if known and known.connection_expired_at:
                expired[known.name or account] = None
        near.pop(change.row, None)
        if near:
            rows = ", ".join(map(str, sorted(near)))
            yield f"an account has another post within the hour (row {rows})"
        for name in expired:
            yield f"the connection of {name} has expired"


def _accounts(client: SocialPublishing, groups: set[str]) -> dict[str, SocialAccount]:
    """Return the accounts of groups by identifier: one request a group."""
    found = {}
    for group in sorted(groups):
        for account in client.groups.get(group, include=["socialAccounts"]).social_accounts or ():
            if account.id:
                found[account.id] = account
    return found


def zone_of(change: Change) -> ZoneInfo | None:
    """Return the time zone in which a change is shown."""
    return ZoneInfo(change.zone) if change.zone else None
