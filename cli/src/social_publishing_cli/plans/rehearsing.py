"""Rehearses a plan: lets its month pass in a sandbox, and finds what would not go as planned.

What networks refuse, and what the clock does to posts, is assumed (gaps `networks.text`,
`publishing.failures`, `transitions.clock` and the like) until it is confirmed, as in any sandbox.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from ..catalogues import assumed
from ..characters import cut
from ..installed import why_no_sandbox
from ..post_statuses import (
    DRAFT,
    FAILED,
    IN_REVIEW,
    NOT_SCHEDULE,
    PUBLISHED,
    REVIEW_MISSED,
    REVIEW_REJECTED,
    SKIPPED,
)
from ..sheets.cells import on_clocks_of, zone_named
from ..sheets.columns import is_deleted
from ..sheets.reading import Sheet
from . import networks
from .applying import apply
from .journal import Entry, Journal, journal_path
from .making import DAY, HOUR, READ, chunks, there
from .model import Change, Plan, PlanError

if TYPE_CHECKING:
    from social_publishing import SocialPublishing

    from social_publishing_sandbox import Sandbox

Json = Mapping[str, Any]

_STAYS = {
    NOT_SCHEDULE: "it is not scheduled",
    DRAFT: "it is still a draft",
    IN_REVIEW: "it still waits for its review",
    REVIEW_REJECTED: "its review was rejected",
}
_KINDS = {FAILED: "fails", SKIPPED: "is skipped", REVIEW_MISSED: "misses its review"}
_FINISHING = timedelta(seconds=5)  # after the last account is served
_MOST_DAYS = 366  # that pass one by one
_ATTEMPTS = 8  # to leave out what a sandbox does not hold
_RELATIONS = ("user", "socialAccounts", "media", "labels", "comments", "tasks", "approvals")
_IMAGE = 1  # §2.11


class Finding(NamedTuple):
    """A post that would not go out as planned on one account.

    Attributes:
        network: The network identifier; empty where it is about the post on all of its accounts.
        account: The account's name, for people; empty likewise.
        row: The row of the sheet; None where the post is not in it.
        when: When it would go out there, UTC; None where it has no date.
        timezone: The time zone of the post's group.
        kind: "fails", "is skipped", "misses its review", "does not go out", "collides", or "stays
            as it is", where a change of the plan is not made.
        gap: The gap, as long as the reason is assumed; empty if it is confirmed or documented.
    """

    network: str
    account: str
    account_id: str
    row: int | None
    id: str
    name: str
    when: datetime | None
    timezone: str
    kind: str
    reason: str
    gap: str = ""


class RehearsalError(PlanError):
    """A rehearsal found something, and `--strict` makes that an error."""

    documentation = "docs/reference/sheets.md#rehearsal"


class Rehearsal(NamedTuple):
    """What a rehearsal found.

    Attributes:
        since: The moment at which it began, UTC.
        until: The moment at which it ended, UTC.
        planned: Publications that are due between: of each post, one for each account.
        published: Of these, those that go out.
        findings: By network and time.
        notes: What a sandbox could not hold, and so was left out.
    """

    since: datetime
    until: datetime
    planned: int
    published: int
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()


class Scope(NamedTuple):
    """What a sheet is about: its groups, the last date in it, and the rows of its posts.

    Attributes:
        last: A date in the last month, on the clocks of its group.
    """

    groups: tuple[str, ...]
    last: datetime | None
    rows: Mapping[str, int]


def scope_of(sheet: Sheet) -> Scope:
    """Read what a sheet is about."""
    groups: dict[str, None] = {}
    rows: dict[str, int] = {}
    last: datetime | None = None
    for row in sheet.rows():
        rows[row.id] = row.number
        groups |= {row.group: None} if row.group else {}
        remembered = row.memory.values.get("publication_date") if row.memory else None
        for value in (remembered, row.values.get("publication_date")):
            moment = on_clocks_of(row.zone, value) if isinstance(value, str) else None
            if moment:
                last = max(last or moment, moment, key=_month)
    return Scope(tuple(groups), last, rows)


def check_possible() -> None:
    """See that a rehearsal can be held here.

    Raises:
        PlanError: The package of the sandbox is not installed.
    """
    try:
        import social_publishing_sandbox  # noqa: F401
    except ImportError as error:
        raise PlanError(f"a rehearsal {why_no_sandbox(error)}") from None


def rehearse(
    client: SocialPublishing,
    plan: Plan,
    scope: Scope,
    *,
    service_time: datetime | None = None,
    on_progress: Callable[..., object] = lambda *how_far: None,
) -> Rehearsal:
    """Apply a plan in a sandbox that has the month as it is now, and let the month pass there.

    Reads the groups with their accounts, and all of their posts. Changes nothing. What cannot be
    read counts in favour of the plan: the approval workflow of the organization is taken for None,
    an assignee for somebody who can approve, and an unknown file for one that every network takes.

    Args:
        client: A client of the account that the posts are in.
        scope: What the plan is about. The rehearsal ends with the month of the last date in it, or
            of the last post that the plan changes.
        service_time: The present. Default: the current time.
        on_progress: Called with what is done and, where there are several of it, with how many
            are done and how many there are.

    Returns:
        What would fail, be skipped, miss its review, stay behind or collide; nothing that goes out
        as planned, but for what collides.

    Raises:
        PlanError: The package of the sandbox is missing, or it cannot hold the month.
        SocialPublishingError: The service could not be read.
    """
    check_possible()
    since = (service_time or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)
    month = _Month(client, plan, scope, since, on_progress)
    month.read()
    return month.rehearsed()


class _Month:
    """The month of a plan, as it is read from the service."""

    def __init__(
        self,
        client: SocialPublishing,
        plan: Plan,
        scope: Scope,
        since: datetime,
        on_progress: Callable[..., object],
    ) -> None:
        self.client, self.plan, self.scope, self.since = client, plan, scope, since
        self.on_progress = on_progress
        self.changes = {change.id: change for change in plan.changes}
        rows = {id: change.row for id, change in self.changes.items() if change.row}
        self.rows = {**scope.rows, **rows}
        self.groups: dict[str, Json] = {}
        self.accounts: dict[str, Json] = {}
        self.posts: dict[str, Json] = {}
        self.home: dict[str, str] = {}  # the group under which a post was read
        self.files: dict[str, Json] = {}
        self.added: set[str] = set()  # the files that the plan wants for its posts
        self.until = since
        self._done = 0  # changes

    def read(self) -> None:
        """Read groups, accounts and posts."""
        groups = dict.fromkeys(self.scope.groups)
        for chunk in chunks(self.changes, READ) if not groups else ():
            for post in there(self.client, chunk).values():
                for account in islice(post.selected_account_ids or (), 1):
                    groups[str(self.client.social_accounts.get(account).group_id or "")] = None
        for number, group in enumerate(filter(None, groups), 1):
            self.on_progress(f"Reading group {number} of {len(groups)}", number - 1, len(groups))
            one = self.client.groups.get(group, include=["socialAccounts"]).to_dict(wire=True)
            self.groups[group] = one
            self._know(one.get("socialAccounts"))
        read: dict[str, tuple[Json, str]] = {
            str(each.id): (each.to_dict(wire=True), group)
            for group in self.groups
            for each in self.client.posts.list(group_id=group, include=["media", "labels"])
            if not is_deleted(each)
        }
        for chunk in chunks([each for each in self.changes if each not in read], READ):
            for each in there(self.client, chunk).values():
                read[str(each.id)] = each.to_dict(wire=True), ""
        self.until = self._end({id: post for id, (post, _) in read.items()})
        for content, group in read.values():
            self._add(content, group)
        for change in self.plan.changes:
            after = change.fields.get("selected_media_ids")
            self.added |= {*after.after} if after and isinstance(after.after, list) else set()
        left = self.added - self.files.keys()
        self.files |= networks.files_of(self.client, left, ()) if left else {}

    def _end(self, changed: Mapping[str, Json]) -> datetime:
        """Return when the last month of the plan is over everywhere.

        Which month a post is in is read on the clocks of its group.
        """
        zones = {_zone(group) for group in self.groups.values()} or {ZoneInfo("UTC")}
        moments = [self.since.astimezone(zone) for zone in zones]
        moments += [self.scope.last] if self.scope.last else []
        for change in self.plan.changes:
            step = change.fields.get("publication_date")
            after = step.after if step and isinstance(step.after, str) else None
            before = changed.get(change.id)
            found = (_moment(before) if before else None, after)
            moments += filter(None, (on_clocks_of(change.clocks, each) for each in found))
        month = max(map(_month, moments))
        return max(_end_of_month(*month, zone) for zone in zones)

    def _know(self, accounts: Any) -> None:
        for account in accounts or ():
            if isinstance(account, Mapping) and account.get("id"):
                self.accounts.setdefault(account["id"], account)

    def _add(self, post: Json, group: str) -> None:
        """Keep a post if it bears on the month."""
        moment, status = _moment(post), post.get("status")
        is_near = moment is not None and self.since - timedelta(seconds=DAY) <= moment < self.until
        is_out = status == PUBLISHED
        if post["id"] not in self.changes and not (
            is_near or (moment is not None and moment < self.until and not is_out)
        ):
            return
        self.posts.setdefault(post["id"], post)
        self.home.setdefault(post["id"], group)
        self._know(post.get("socialAccounts"))
        for file in post.get("media") or ():
            if isinstance(file, Mapping) and file.get("id") and "type" in file:
                self.files.setdefault(file["id"], file)

    # The sandbox

    def rehearsed(self) -> Rehearsal:
        """Let the month pass in a sandbox."""
        from social_publishing_sandbox import BadWorld, ControlError, Sandbox

        self.on_progress("Preparing the rehearsal")
        world, notes = self._world(), dict[str, None]()
        for _ in range(_ATTEMPTS):
            try:
                sandbox = Sandbox(world, clock="frozen", rate_limit=None, check=False, processing=0)
                break
            except BadWorld as error:
                notes |= dict.fromkeys(_leave_out(world, error.problems))
        else:
            raise PlanError("a sandbox cannot hold this month: " + "; ".join(islice(notes, 3)))
        with sandbox, tempfile.TemporaryDirectory(prefix="social-publishing-") as folder:
            stays = [*self._applied(sandbox, Path(folder))]
            before = _posts(sandbox)
            due = (post for post in before.values() if self._is_due(_moment(post)))
            dates = (when for post in due for when in _dates(post))
            until = max([self.until, *dates])
            try:
                self._pass(sandbox, until + _FINISHING)
            except ControlError as error:
                last = max(self.plan.changes, key=_wanted, default=None)
                is_ours = last and _wanted(last)[:4] == f"{until:%Y}"
                place = f"{last.place}, publication_date: " if last and is_ours else ""
                raise PlanError(
                    f"{place}a rehearsal cannot last until {until:%Y-%m-%d}: {error}"
                ) from None
            after = _posts(sandbox)
        return self._compared(before, after, stays, tuple(notes))

    def _pass(self, sandbox: Sandbox, until: datetime) -> None:
        """Let the clock run to the end, day by day where it is not far."""
        days = min((until - self.since).days, _MOST_DAYS)
        for day in range(days):
            self.on_progress(f"Rehearsing day {day + 1} of {days}", day, days)
            sandbox.set_clock(self.since + timedelta(day))
        sandbox.set_clock(until)

    def _applied(self, sandbox: Sandbox, folder: Path) -> Iterator[Finding]:
        """Apply the plan; yield the changes that are not made."""
        if not self.plan.changes:
            return
        with (
            sandbox.client(pacing="off") as client,
            Journal(journal_path(self.plan, folder), self.plan, durable=False) as journal,
        ):
            report = apply(
                client,
                self.plan,
                journal,
                on_conflict="skip",
                now=self.plan.made,
                quiet=0,
                on_progress=self._applying,
            )
        for entry in report.entries:
            if entry.state != "done":
                yield self._finding(
                    self.posts.get(entry.change.id) or {"id": entry.change.id},
                    None,
                    "stays as it is",
                    entry.reason or entry.state,
                )

    def _applying(self, entry: Entry) -> None:
        self._done += 1
        total = len(self.changes)
        self.on_progress(f"Rehearsing change {self._done:,} of {total:,}", self._done, total)

    def _world(self) -> dict[str, Any]:
        """Return the month in the world format of the sandbox."""
        organizations = [post.get("organization_id") for post in self.posts.values()]
        organization = next(filter(None, organizations), None)
        wanted = [*self._chosen()]
        files = self.added | {name for post in wanted for name in _files_of(post)}
        labels: dict[str, Json] = {}
        users: dict[str, dict[str, Any]] = {}
        for post in wanted:
            found = [each for each in post.get("labels") or () if isinstance(each, Mapping)]
            labels |= {each["id"]: each for each in found if each.get("id")}
            labels |= {id: {"id": id} for id in post["labelIds"] if id not in labels}
            creators = [post.get("user"), *(each.get("user") for each in self.accounts.values())]
            for user in (each for each in creators if isinstance(each, Mapping)):
                users.setdefault(
                    str(user.get("id")), {"can_approve": user.get("can_approve", True)}
                )
        for post in wanted:
            for user in (post.get("user_id"), *(post.get("assigneesIds") or ())):
                users.setdefault(str(user or ""), {"can_approve": True})
        users.pop("", None)
        users.pop("None", None)
        accounts = self._all_accounts(wanted)
        homes = {account.get("group_id") for account in accounts.values()}
        groups = {id: {"id": id} for id in homes if id} | {
            id: {key: group[key] for key in ("id", "timezone", "approval_workflow") if key in group}
            for id, group in self.groups.items()
        }
        return {
            "format": 1,
            "now": self.since.isoformat().replace("+00:00", "Z"),
            "organization": {"id": organization} if organization else {},
            "users": [
                {"role": "owner", "token": secrets.token_urlsafe(12)},
                *(
                    {"id": id, "token": secrets.token_urlsafe(12), "role": "member", **known}
                    for id, known in users.items()
                ),
            ],
            "groups": [*groups.values()],
            "social_accounts": [
                {**{k: v for k, v in each.items() if k != "user"}, "user_id": None}
                for each in accounts.values()
            ],
            "labels": [{"id": id, "name": each.get("name")} for id, each in labels.items()],
            "media": [
                {**self.files.get(id, {"id": id, "type": _IMAGE}), "user_id": None} for id in files
            ],
            "posts": [
                {key: value for key, value in post.items() if key not in _RELATIONS}
                for post in wanted
            ],
        }

    def _chosen(self) -> Iterator[dict[str, Any]]:
        """Yield the posts, with what a sandbox has to know of them."""
        for post in self.posts.values():
            chosen = [*dict.fromkeys(post.get("selectedAccountIds") or ())]
            details = [each for each in post.get("details") or () if isinstance(each, Mapping)]
            order = [each.get("social_account_id") for each in details]
            kept = {} if order == chosen else {"details": None}
            labels = [each["id"] for each in post.get("labels") or () if isinstance(each, Mapping)]
            yield {**post, "selectedAccountIds": chosen, "labelIds": labels, **kept}

    def _all_accounts(self, posts: Iterable[Json]) -> dict[str, Json]:
        """Return the accounts; of one that was not read, what the posts tell of it."""
        accounts = dict(self.accounts)
        for post in posts:
            for detail in post.get("details") or ():
                id, network = detail.get("social_account_id"), detail.get("social_network")
                if id and network:
                    accounts.setdefault(id, {"id": id, "socialNetwork": network})
        wanted = {
            each
            for change in self.plan.changes
            if (step := change.fields.get("selected_account_ids")) and isinstance(step.after, list)
            for each in step.after
        }
        for id in wanted - accounts.keys():
            accounts[id] = self.client.social_accounts.get(id).to_dict(wire=True)
        self.accounts |= accounts
        return accounts

    def _is_due(self, moment: datetime | None) -> bool:
        return moment is not None and self.since <= moment < self.until

    # What came of it

    def _compared(
        self, before: dict[str, Json], after: dict[str, Json], stays: list[Finding], notes: Any
    ) -> Rehearsal:
        findings, planned, published = stays, 0, 0
        for id, post in after.items():
            start = before[id]
            is_over = start["status"] == PUBLISHED
            is_due = self._is_due(_moment(post)) or start["status"] != post["status"]
            is_due |= id in self.changes and bool(_wanted(self.changes[id]))
            if is_over or not is_due:
                continue
            refused = {
                each.account_id: each
                for each in networks.refusals(start, self.accounts, self.files)
            }
            for detail in post.get("details") or ():
                planned += 1
                if detail["status"] == PUBLISHED:
                    published += 1
                elif finding := self._not_out(post, detail, refused):
                    findings.append(finding)
        findings += self._collisions(after)
        findings.sort(key=lambda each: (each.network, each.when or self.until, each.id))
        return Rehearsal(self.since, self.until, planned, published, tuple(findings), notes)

    def _not_out(
        self, post: Json, detail: Json, refused: Mapping[str, networks.Refusal]
    ) -> Finding | None:
        status = detail["status"]
        if status == FAILED and detail.get("user_error_message"):
            known = refused.get(detail["social_account_id"])
            if not known and not _files_of(post) <= self.files.keys():
                return None  # it may be that the file that nobody knows is one that is taken
            gap = known.gap if known else assumed("publishing.failures")
            return self._finding(post, detail, "fails", detail["user_error_message"], gap)
        if kind := _KINDS.get(status):
            reasons = {
                SKIPPED: "should_skip is yes",
                REVIEW_MISSED: "nobody has approved it by then",
                FAILED: "it has failed before, and nobody has scheduled it again",
            }
            gap = "" if status == SKIPPED else assumed("transitions.clock")
            return self._finding(post, detail, kind, reasons[status], gap)
        reason = _STAYS.get(status, "it is on its way and not out in time")
        return self._finding(post, detail, "does not go out", reason)

    def _collisions(self, after: dict[str, Json]) -> Iterator[Finding]:
        """Yield the posts that an account publishes close to another one, or alike."""
        out: dict[str, list[tuple[datetime, Json, Json]]] = {}
        for post in after.values():
            for detail in post.get("details") or ():
                if detail["status"] == PUBLISHED and detail.get("published_at"):
                    when = datetime.fromisoformat(detail["published_at"])
                    out.setdefault(detail["social_account_id"], []).append((when, post, detail))
        for all_of_account in out.values():
            all_of_account.sort(key=lambda each: (each[0], each[1]["id"]))
            for at, (when, post, detail) in enumerate(all_of_account):
                if when < self.since:
                    continue
                for earlier, other, its in reversed(all_of_account[:at]):
                    apart = (_minute(when) - _minute(earlier)).total_seconds()
                    if apart >= DAY:
                        break
                    name = self._called(other)
                    if detail.get("content") and detail["content"] == its.get("content"):
                        reason = f"has the same text as {name}, {_apart(apart)} before"
                    elif apart < HOUR:
                        reason = f"goes out {_apart(apart)} after {name}"
                    else:
                        continue
                    found = self._finding(post, detail, "collides", reason)
                    yield _told_late(
                        found, when, _is_late(post, detail), name * _is_late(other, its)
                    )
                    break

    def _called(self, post: Json) -> str:
        """Return what a post is called where another one is told of."""
        row = self.rows.get(post["id"])
        return f"row {row}" if row else f"{_name(post)!r} ({post['id']})"

    def _finding(
        self, post: Json, detail: Json | None, kind: str, reason: str, gap: str = ""
    ) -> Finding:
        account = self.accounts.get(detail["social_account_id"], {}) if detail else {}
        position = post["details"].index(detail) if detail else 0
        dates = [*_dates(post)] if post.get("publication_date") else []
        group = self.groups.get(self.home.get(post["id"], ""), {})
        change: Change | None = self.changes.get(post["id"])
        zone = _zone(group).key if group else (change.zone if change else "") or "UTC"
        return Finding(
            str(detail["social_network"]) if detail else "",
            networks.account_name(account),
            str(detail["social_account_id"]) if detail else "",
            self.rows.get(post["id"]),
            post["id"],
            _name(post),
            dates[min(position, len(dates) - 1)] if dates else None,
            zone,
            kind,
            reason,
            gap,
        )


def _told_late(found: Finding, when: datetime, is_late: bool, other: str) -> Finding:
    """Return a collision with when it is, and why that is not when the dates say.

    Args:
        other: What the other post is called, if it is late, too.
    """
    if not (is_late or other):
        return found
    one = "its date is" if is_late else f"the date of {other} is"
    past = "both dates are" if is_late and other else one
    return found._replace(
        when=_minute(when) if is_late else found.when,
        reason=f"{found.reason}: {past} past, and a rehearsal publishes that at once",
    )


def _is_late(post: Json, detail: Json) -> bool:
    """Return whether a post went out after its time, because that was over."""
    planned: datetime = [*_dates(post)][post["details"].index(detail)]
    when = datetime.fromisoformat(detail["published_at"])
    return _minute(when) > planned


def _leave_out(world: dict[str, Any], problems: Iterable[Any]) -> Iterator[str]:
    """Take out of a world what a sandbox does not hold; yield what is of consequence."""
    doomed: set[tuple[str, int]] = set()
    for problem in problems:
        kind: Any
        rest: list[Any]
        kind, *rest = problem.path or ("",)
        if not rest or not isinstance(world.get(kind), list):
            world.pop(kind, None)
            continue
        item, name = world[kind][rest[0]], rest[1] if rest[1:] else ""
        if name in item and name not in ("id", "status", "publication_date"):
            item.pop(name)
        else:
            doomed.add((kind, rest[0]))
            called = _name(item) if kind == "posts" else str(item.get("name") or item.get("id"))
            what = kind.removesuffix("s").replace("_", " ")
            yield f"left out of the rehearsal: {what} {called!r}: {problem.reason}"
    for kind, at in sorted(doomed, reverse=True):
        del world[kind][at]


def _posts(sandbox: Sandbox) -> dict[str, Json]:
    return {post["id"]: post for post in sandbox.world()["posts"]}


def _wanted(change: Change) -> str:
    """Return the new time of a post; empty where it has none."""
    step = change.fields.get("publication_date")
    return step.after if step and isinstance(step.after, str) else ""


def _month(moment: datetime) -> tuple[int, int]:
    return moment.year, moment.month


def _end_of_month(year: int, month: int, zone: ZoneInfo) -> datetime:
    """Return when a month ends on the clocks of a zone, in UTC."""
    first = datetime(year, month, 1, tzinfo=zone)
    try:
        return (first + timedelta(days=32)).replace(day=1).astimezone(UTC)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC) - _FINISHING


def _moment(post: Json) -> datetime | None:
    date = post.get("publication_date")
    with suppress(ValueError):
        moment = datetime.fromisoformat(date) if isinstance(date, str) else None
        return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)
    return None


def _dates(post: Json) -> Iterator[datetime]:
    """Yield when a post goes out on each of its accounts (§2.2)."""
    first, delay = _moment(post), int(post.get("publication_delay_between") or 0)
    with suppress(OverflowError):  # after the year 9999
        for position in range(len(post.get("details") or ()) if first else 0):
            assert first is not None
            yield first + timedelta(minutes=delay * position)


def _files_of(post: Json) -> set[str]:
    own = post.get("customized") or {}
    files = {*(post.get("selected_media_ids") or ())}
    for each in own.values() if isinstance(own, Mapping) else ():
        files |= {*((each or {}).get("media_ids") or ())}
    return files


def _name(post: Json) -> str:
    return cut(post.get("name") or post.get("content"))


def _minute(moment: datetime) -> datetime:
    """Return a moment as clocks without seconds show it."""
    return moment.replace(second=0, microsecond=0)


def _apart(seconds: float) -> str:
    hours, left = divmod(round(seconds / 60), 60)
    words = [f"{hours} h"] * bool(hours) + [f"{left} min"] * bool(left or not hours)
    return " ".join(words)


def _zone(group: Json) -> ZoneInfo:
    try:
        return zone_named(group.get("timezone") or "UTC")
    except ValueError:
        return ZoneInfo("UTC")
