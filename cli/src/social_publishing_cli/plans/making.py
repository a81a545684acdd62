"""Makes a plan: compares a sheet with what the service has."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from ..catalogues import catalogue
from ..characters import cut
from ..post_statuses import IN_PROGRESS, PUBLISHED
from ..sheets.cells import Value, zone_named
from ..sheets.columns import (
    EDITABLE,
    TEXTUAL,
    is_deleted,
    is_never_empty,
    is_shown,
    joined,
    networks_of,
    part,
    shown,
    value_of,
)
from ..sheets.memory import MEMORY, digest, is_placeholder, same, still_has, unheld
from ..sheets.problems import Problem, SheetError
from ..sheets.reading import Row, Sheet, rows_named
from ..sheets.times import became_date
from . import networks
from .journal import written
from .model import Change, Plan, Step, adds, check_single_fields, week_start
from .refusals import refusal, risk

if TYPE_CHECKING:
    from social_publishing import SocialPublishing
    from social_publishing.models import Post, SocialAccount

T = TypeVar("T")

READ = 200  # posts that one request can read
LIFE = timedelta(days=1)
HOUR, DAY = 3600, 86_400  # seconds
FINAL = {IN_PROGRESS: "being published", PUBLISHED: "published"}
"""Statuses in which a post's date no longer matters (§3)."""
UNREAD = "cannot be written: the service did not send what belongs to it"
HIDDEN = (
    "the service does not show the value that a post has, so nobody sees whether somebody else "
    "changed it, or what became of it"
)
_NOW = "what the service has now (--against-now)"
_FAR = timedelta(days=366)  # after which a new time is likely to have a wrong year
_WHEN = {"publication_date", "selected_account_ids", "publication_delay_between"}


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Split any iterable into lists of at most `size`."""
    left = iter(items)
    while chunk := list(islice(left, size)):
        yield chunk


def there(client: SocialPublishing, ids: Sequence[str]) -> dict[str, Post]:
    """Return the posts that are there, by id; a deleted one is not, if the service shows it."""
    return {post.id: post for post in client.posts.get_many(ids=[*ids]) if not is_deleted(post)}


def current(post: Post, names: Iterable[str]) -> dict[str, Value]:
    """Return a post's values, by the names of editable columns."""
    return {name: value_of(post, name) for name in names}


def unread(post: Post, name: str) -> bool:
    """Return whether a field cannot be written alone, and what belongs to it was not read."""
    from social_publishing import UNSET

    column = EDITABLE[name]
    return bool(column.argument and column.field) and post.stored(column.field) is UNSET


def arguments(post: Post, values: Mapping[str, Value]) -> dict[str, Any]:
    """Return values of a plan as `posts.update` takes them.

    Args:
        post: The post as it is now. What else belongs to an argument is sent along, because what is
            left out is assumed to lose its value (`updatePost.nested`); and so is what every update
            must have (`updatePost.required`).
    """
    from social_publishing.resources.posts import PostsResource

    parts = {name: value for name, value in values.items() if EDITABLE[name].argument}
    others = {n: _argument(n, value) for n, value in values.items() if n not in parts}
    others |= {n: _added(post, n, each) for n, each in others.items() if isinstance(each, list)}
    given = {**others, **joined(post, parts)}
    update = catalogue()["posts"]["commands"]["update"]["arguments"]
    if missing := [e["name"] for e in update if e.get("required") and e["name"] not in given]:
        there = PostsResource.update_arguments(post)
        given |= {name: there[name] for name in missing if name in there}
    return given


def _added(post: Post, name: str, wanted: list[str]) -> list[str]:
    """Return what is sent of a list: what is new, where the service keeps the rest."""
    there = value_of(post, name) if adds(name) else None
    return [each for each in wanted if each not in (there if isinstance(there, list) else ())]


def _argument(name: str, value: Value) -> Any:
    if value is None and EDITABLE[name].kind != "text":
        return None
    if EDITABLE[name].kind == "moment":
        return datetime.fromisoformat(str(value))
    if EDITABLE[name].kind == "json":
        return json.loads(str(value))
    return "" if value is None and EDITABLE[name].kind == "text" else value


def make(
    client: SocialPublishing,
    sheet: Sheet,
    *,
    against_now: bool = False,
    strict: bool = False,
    now: datetime | None = None,
    service_time: datetime | None = None,
    life: timedelta = LIFE,
    folder: Path | None = None,
    by: str = "",
    on_progress: Callable[[int], object] | None = None,
) -> Plan:
    """Compare a sheet with the service, and make a plan of its edits.

    An export remembers the value of each cell. A cell that still has this value is no change. An
    edited cell is a change, or a conflict if the value has also changed on the service. Reads only
    edited posts, 200 per request, their groups, and the files for which networks have limits.
    Warns of what a network would refuse. Changes nothing.

    Args:
        client: A client of the account that the posts are in.
        sheet: What `read_sheet` returned.
        against_now: Whether to compare rows without the column exported with the service, and treat
            every cell that differs as an edit.
        strict: Whether a post that a network would refuse is a problem instead of a warning.
        now: When the plan is made. Default: the current time.
        service_time: The time that separates past and future, where the service has a clock of its
            own, as a sandbox has. Default: `now`.
        life: How long the plan is valid.
        folder: The folder of journals. Default: a folder of the user account. A value that the same
            person wrote on this machine is no conflict.
        by: The person who makes it, as `writers.writer` says it. Default: the user of this system.
        on_progress: Called with the number of rows compared so far.

    Returns:
        The plan; without edits, its `changes` are empty.

    Raises:
        SheetError: Rows have no column exported, are for posts that do not exist or are published,
        or have values that `posts.update` refuses, or, with `strict`, a network. Names all of them.
        PlanError: The service would empty what an update does not send.
        SocialPublishingError: The service could not be read.
    """
    check_single_fields()
    now = now or datetime.now(UTC)
    making = _Making(client, sheet, now, service_time or now, folder, by)
    with closing(making.calendar):
        return making.plan(against_now, strict, life, on_progress or (lambda rows: None))


class _Making:
    """One comparison of a sheet with the service."""

    def __init__(
        self,
        client: SocialPublishing,
        sheet: Sheet,
        now: datetime,
        service_time: datetime,
        folder: Path | None,
        by: str,
    ) -> None:
        self.client, self.sheet, self.now = client, sheet, now
        self.service_time, self.folder, self.by = service_time, folder, by
        self.calendar = Calendar(sheet.places)
        self.changes: list[Change] = []
        self.problems: list[Problem] = []
        self.account: dict[str, str] = {}
        self.groups: dict[int, str] = {}
        self.wanted: dict[int, networks.Json] = {}
        self.homes: dict[int, Value] = {}  # the accounts of posts whose group somebody else named
        self.behind: dict[str, tuple[dict[str, str], Value]] = {}  # with the accounts of the post
        self.rows = 0

    def plan(
        self,
        against_now: bool,
        strict: bool,
        life: timedelta,
        on_progress: Callable[[int], object],
    ) -> Plan:
        """Read the rows, and return the plan."""
        if MEMORY not in self.sheet.columns and not against_now:
            reason = "has no column exported, so nobody knows what was edited"
            reason += f": use an export, or compare the sheet with {_NOW}"
            raise SheetError.of(self.sheet.path.name, reason)
        for chunk in chunks(self._edited(against_now, on_progress), READ):
            posts = there(self.client, [row.id for row in chunk])
            ours = written((row.id for row in chunk), self.folder, self.by)
            for row in chunk:
                self._compare(row, posts.get(row.id), ours)
        on_progress(self.rows)
        groups = [
            self.client.groups.get(each, include=["socialAccounts"])
            for each in sorted({*self.groups.values()} if self.changes else ())
        ]
        accounts = {
            each.id: each for one in groups for each in one.social_accounts or () if each.id
        }
        for number, home in self.homes.items():
            if isinstance(home, list) and home and accounts and not accounts.keys() & {*home}:
                reason = "no account of the post is in this group, on whose clocks its times are"
                self.problems.append(Problem(number, "id", f"{reason}: plan it with its own group"))
        self._find_accounts(accounts)
        refused = self._refusals(accounts) if strict or not self.problems else {}
        if strict:
            self.problems += [
                Problem(row, refusal.field, str(refusal))
                for row, all_of_row in refused.items()
                for refusal in all_of_row
            ]
        if self.problems:
            self.problems.sort(key=lambda problem: problem.row or 0)
            raise SheetError(self.sheet.path.name, self.problems)
        moved = _sorted_alone(self.changes) if self.sheet.has_rows else {}
        changes = tuple(
            msgspec.structs.replace(
                change,
                warnings=(
                    *self._warnings(change, accounts, moved),
                    *map(str, refused.get(change.row, ())),
                ),
            )
            for change in self.changes
        )
        source = self.sheet.path.name
        plan = Plan(self.now, self.now + life, self.account, source, self.rows, changes)
        starts = {week_start(one) for one in groups}
        return plan if len(starts) != 1 else msgspec.structs.replace(plan, starts=starts.pop())

    def _warnings(
        self,
        change: Change,
        accounts: Mapping[str, SocialAccount],
        moved: Mapping[str, set[int]],
    ) -> Iterator[str]:
        """Return everything to check of a change."""
        yield from change.warnings
        yield from self._strangers(change, accounts)
        yield from self.calendar.warnings(change)
        stays, selected = self.behind[change.id]
        targets = {*selected} if isinstance(selected, list) else set()
        known = {str(accounts[each].social_network) for each in targets if each in accounts}
        for network, what in stays.items():
            if network in known or not accounts.keys() >= targets:
                yield what
        yield from (text for text, rows in moved.items() if change.row in rows)

    def _strangers(self, change: Change, accounts: Mapping[str, SocialAccount]) -> Iterator[str]:
        """Return a warning for each new account that is not of the group of its post."""
        step, home = change.fields.get("selected_account_ids"), self.groups.get(change.row)
        if not step or not isinstance(step.after, list):
            return
        before = step.before if isinstance(step.before, list) else []
        for account in (each for each in step.after if each not in before):
            one = accounts.get(account)
            if one and home and one.group_id and one.group_id != home:
                name = networks.account_name(one.to_dict())
                yield (
                    f"selected_account_ids: {name} ({one.social_network}, {account}) is an account "
                    f"of another group, {self._group_name(one.group_id)}"
                )

    def _group_name(self, group: str) -> str:
        """Return the name of a group, with its id; the id alone where no name is known."""
        known = self.sheet.names.get(group) if self.sheet.names else None
        return f"{known.label} ({group})" if known else group

    def _edited(self, against_now: bool, on_progress: Callable[[int], object]) -> Iterator[Row]:
        """Yield the rows in which something was edited; note when the others go out."""
        for row in self.sheet.rows():
            self.rows += 1
            if row.memory is None and not against_now:
                reason = f"has an empty column exported: compare the sheet with {_NOW}"
                self.problems.append(Problem(row.number, MEMORY, reason))
            elif row.values or row.memory is None:
                yield row
            elif row.memory.texts.get("status") != "deleted":
                self.calendar.add(row.number, row.memory.values)
            if self.rows % READ == 0:
                on_progress(self.rows)

    def _compare(self, row: Row, post: Post | None, ours: Mapping[tuple[str, str], Value]) -> None:
        if post is None:
            reason = f"there is no post {row.id} any more, or not for this account"
            advice = ": delete the row" * self.sheet.has_rows
            self.problems.append(Problem(row.number, "id", reason + advice))
            return
        if post.organization_id:
            self.account["organization_id"] = post.organization_id
        fields = _steps(row, post, self.sheet.formats, ours)
        change = self._checked(row, post, fields) if fields else None
        there = current(post, (*_WHEN, "content"))
        wanted = there | _afters(fields)
        is_ahead = bool(change) and int(post.status or 0) not in FINAL
        self.calendar.add(row.number, wanted, changed=is_ahead)
        if is_ahead:
            self.wanted[row.number] = networks.changed(post.to_dict(wire=True), _afters(fields))
        if change:
            self.changes.append(change)
            targets = wanted["selected_account_ids"]
            place = "the column " * self.sheet.has_rows
            self.behind[row.id] = _stays_behind(post, change, place), targets
            if row.group:
                self.groups[row.number] = row.group
            if not self.sheet.has_rows:
                self.homes[row.number] = there["selected_account_ids"]

    def _refusals(self, accounts: Mapping[str, SocialAccount]) -> dict[int, list[networks.Refusal]]:
        """Return why networks would refuse the changed posts, by row."""
        known = {each: account.to_dict(wire=True) for each, account in accounts.items()}
        needed = set[str]()
        for post in self.wanted.values():
            needed |= networks.needs_files(post, known)
        groups = sorted({*self.groups.values()})
        files = networks.files_of(self.client, sorted(needed), groups)
        return {row: [*networks.refusals(post, known, files)] for row, post in self.wanted.items()}

    def _checked(self, row: Row, post: Post, fields: dict[str, Step]) -> Change:
        """Return the change of a post; note what `apply` would refuse."""
        from social_publishing import ArgumentError
        from social_publishing.resources.posts import build_update

        refused: dict[str, str] = {}
        warnings = ["the sheet hides this row"] if row.hidden else []
        status = int(post.status) if post.status is not None else None
        for name, step in fields.items():
            kind, after = EDITABLE[name].kind, step.after
            is_date = name == "publication_date"
            if not is_shown(post, name):
                warnings.append(f"{name}: {HIDDEN}")
            if name == "content" and after is None and status not in FINAL:
                warnings.append("content becomes empty: the post goes out without a text")
            if name == "selected_account_ids" and not after and status not in FINAL:
                warnings.append(f"{name} becomes empty: the post has no account to go out on")
            if warning := risk(post, name):
                warnings.append(warning)
            if unread(post, name):
                refused[name] = UNREAD
            elif after is None and is_never_empty(name):
                why = "a post cannot be unscheduled here" if is_date else "it must have a value"
                refused[name] = f"is empty: {why}"
            elif isinstance(after, str) and is_placeholder(after):
                refused[name] = "stands for a text that the sheet could not hold: write the text"
            elif isinstance(after, list) and self._takes_away(post, name, after):
                refused[name] = "takes away or moves an entry: the service only adds to this list"
            elif kind == "number" and isinstance(after, int) and after < 0:
                refused[name] = f"is {after}: it must be 0 or more"
            elif (is_date or name == "is_draft") and status in FINAL:
                refused[name] = f"the post is {FINAL[status]}"
            elif sentence := refusal(post, name, after):
                refused[name] = sentence
            elif is_date and after is None:
                warnings.append(f"{name} becomes empty: the post goes out at no time")
            elif is_date and datetime.fromisoformat(str(after)).second:
                whole = datetime.fromisoformat(str(after)).replace(second=0).isoformat()
                minute = shown(whole, kind, row.zone)
                refused[name] = f"has seconds, the documented form has none: write {minute}"
            elif is_date and (slips := self._unlikely(row, datetime.fromisoformat(str(after)))):
                warnings += slips
            elif _became_date(kind, step):
                warnings.append(f"{name}: did the spreadsheet program make a date of the text?")
            elif reason := isinstance(step.before, str) and unheld(step.before, ""):
                refused[name] = f"cannot be planned: its text has {reason}"
        if all(name in fields and fields[name].after for name in ("is_draft", "should_skip")):
            warnings.append("is_draft and should_skip: a post has one status (§3)")
        try:
            wanted = {name: step.after for name, step in fields.items() if name not in refused}
            if wanted:
                build_update(row.id, **arguments(post, wanted))
        except ArgumentError as error:
            refused |= {p.argument.partition("[")[0]: p.reason for p in error.problems}
        self.problems += [Problem(row.number, *problem) for problem in refused.items()]
        name = cut(post.name or post.content)
        zone = row.zone.key if row.zone else ""
        return Change(
            row.number,
            row.id,
            name,
            zone,
            status,
            fields,
            tuple(warnings),
            post.updated_at if isinstance(post.updated_at, datetime) else msgspec.UNSET,
            post.publication_date or msgspec.UNSET,
            networks_of(post) or (row.memory.networks if row.memory else ()),
        )

    def _takes_away(self, post: Post, name: str, wanted: list[str]) -> bool:
        """Return whether a list can only be added to, and more than that is wanted."""
        if EDITABLE[name].argument or not adds(name):
            return False
        there = value_of(post, name)
        return not isinstance(there, list) or there + _added(post, name, wanted) != wanted

    def _unlikely(self, row: Row, moment: datetime) -> list[str]:
        """Return what may be a slip in a new time."""
        found = []
        if moment <= self.service_time:
            found.append("publication_date is in the past")
        elif moment - self.service_time > _FAR:
            found.append(f"publication_date is in {moment.year}, more than a year away")
        there = row.memory.zone if row.memory else ""
        if row.zone and there not in ("", row.zone.key):
            local = shown(moment.isoformat(), "moment", zone_named(there))
            found.append(f"timezone was {there} when exported: this is {local} there")
        return found

    def _find_accounts(self, accounts: dict[str, SocialAccount]) -> None:
        """See that the accounts that a sheet names are there; those of the groups are known."""
        from social_publishing import NotFoundError

        missing: set[str] = set()

        def read(account: str) -> SocialAccount | None:
            if account not in accounts and account not in missing:
                try:
                    accounts[account] = self.client.social_accounts.get(account)
                except NotFoundError:
                    missing.add(account)
            return accounts.get(account)

        for change in self.changes:
            step = change.fields.get("selected_account_ids")
            if not step or not isinstance(step.after, list):
                continue
            known = step.before if isinstance(step.before, list) else []
            added = [each for each in step.after if each not in known]
            for account in added:
                if not read(account):
                    reason = f"there is no account {account}"
                    self.problems.append(Problem(change.row, "selected_account_ids", reason))
            if added and change.row not in self.groups:
                found = [one for each in known if (one := read(each))]
                if group := next((each.group_id for each in found if each.group_id), None):
                    self.groups[change.row] = group


def _afters(fields: Mapping[str, Step]) -> dict[str, Value]:
    return {name: step.after for name, step in fields.items()}


def _steps(
    row: Row,
    post: Post,
    formats: tuple[str, ...],
    ours: Mapping[tuple[str, str], Value],
) -> dict[str, Step]:
    """Return what a row changes: what was edited, and is not so already."""
    steps = {}
    memory = row.memory
    for name, after in row.values.items():
        now = value_of(post, name)
        if memory is None:
            # What nobody can see did not change; a flag that the service leaves out reads as no.
            is_so = now == after or (now, after) == (None, False) or not is_shown(post, name)
            if not is_so and not still_has(row.cells[name], name, now, row.zone, formats):
                steps[name] = Step(now, after)
            continue
        before = memory.value(name)
        now = now if is_shown(post, name) else before
        after = _with_line_ends_of(before, after)
        if after in (now, before) or (now, after) == (None, False):
            continue
        is_empty_still = name not in memory.values and not now
        is_known = same(before, now) or is_empty_still
        is_known |= ours.get((row.id, name), msgspec.UNSET) == now
        steps[name] = Step(now, after) if is_known else Step(before, after, now)
    return steps


def _stays_behind(post: Post, change: Change, place: str) -> dict[str, str]:
    """Return what a network keeps although a post gets another text or other files."""
    fields = change.fields
    stays: dict[str, list[str]] = {}
    for network, own in (post.customized or {}).items():
        column = f"content[{network}]"
        if "content" in fields and part(own, "content") is not None and column not in fields:
            stays.setdefault(str(network), []).append(f"its own text ({place}{column})")
        if "selected_media_ids" in fields and part(own, "media_ids") is not None:
            stays.setdefault(str(network), []).append("its own files")
    return {network: f"{network} keeps {' and '.join(what)}" for network, what in stays.items()}


def _sorted_alone(changes: Iterable[Change]) -> dict[str, set[int]]:
    """Return a warning for each column in which rows have one another's values, and these rows.

    Values are compared as cells show them: rows of several time zones show the same time.
    """
    found = {}
    moves: dict[str, dict[int, tuple[str, str]]] = {}
    for change in changes:
        for name, step in change.fields.items():
            kind, zone = EDITABLE[name].kind, change.clocks
            if kind in TEXTUAL | {"moment", "ids"}:
                cells = shown(step.before, kind, zone), shown(step.after, kind, zone)
                moves.setdefault(name, {})[change.row] = cells
    for name, left in moves.items():
        while True:  # who gives no value to another row, or has none of one, is not among them
            befores = {before for before, _ in left.values()}
            afters = {after for _, after in left.values()}
            kept = {row: at for row, at in left.items() if at[0] in afters and at[1] in befores}
            if len(kept) == len(left):
                break
            left = kept
        if left:
            text = f"{len(left)} rows have one another's {name}: was only this column sorted?"
            found[text] = {*left}
    return found


def _became_date(kind: str, step: Step) -> bool:
    before, after = step.before, step.after
    is_text = kind == "text" and isinstance(before, str) and isinstance(after, str)
    return is_text and became_date(str(before), str(after))


def _with_line_ends_of(before: Value, after: Value) -> Value:
    """Return an edited text with the line ends that the text had: programs write LF."""
    if not isinstance(before, str) or not isinstance(after, str):
        return after
    rest = before.replace("\r\n", "")
    end = "\r\n" if rest != before and "\n" not in rest else "\r" if "\r" in rest else ""
    is_mixed = "\r" in rest and ("\n" in rest or rest != before)
    normalized = after.replace("\r\n", "\n").replace("\r", "\n")
    return normalized.replace("\n", end) if end and not is_mixed else after


class Calendar:
    """When each account publishes what, by the sheet. Kept in a file: sheets can be long."""

    def __init__(self, places: Callable[[Collection[int]], str] = rows_named) -> None:
        """Begin one; `places` names rows for people."""
        self._places = places
        self._base = sqlite3.connect("", isolation_level=None)
        self._base.executescript(
            "PRAGMA journal_mode = OFF; CREATE TABLE slot (account TEXT, at REAL, row INTEGER, "
            "text TEXT); CREATE INDEX by_time ON slot (account, at);"
        )
        self._of_row: dict[int, list[tuple[str, float, str]]] = {}

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def add(self, row: int, values: Mapping[str, Value], changed: bool = False) -> None:
        """Remember when the accounts of a post publish it."""
        moment, accounts = values.get("publication_date"), values.get("selected_account_ids")
        if not isinstance(moment, str) or not isinstance(accounts, list):
            return
        delay, content = values.get("publication_delay_between"), str(values.get("content") or "")
        start = datetime.fromisoformat(moment).timestamp() // 60 * 60  # as clocks show it
        every = 60 * delay if isinstance(delay, int) else 0
        text = digest(content) if content.strip() else content
        slots = [(account, start + every * at, text) for at, account in enumerate(accounts)]
        self._base.executemany(
            "INSERT INTO slot VALUES (?, ?, ?, ?)",
            [(account, at, row, text) for account, at, text in slots],
        )
        if changed:
            self._of_row[row] = slots

    def warnings(self, change: Change) -> Iterator[str]:
        """Return the warnings of a change."""
        if not change.fields.keys() & {*_WHEN, "content"}:
            return
        slots = self._of_row.get(change.row, ())
        close: set[int] = set()
        alike: set[int] = set()
        for account, at, text in slots:
            for when, row, other in self._base.execute(
                "SELECT at, row, text FROM slot "
                "WHERE account = ? AND at > ? AND at < ? AND row != ?",
                (account, at - DAY, at + DAY, change.row),
            ):
                close |= {row} if abs(when - at) < HOUR else set()
                alike |= {row} if text and text == other else set()
        if close and change.fields.keys() & _WHEN:
            yield f"an account has another post within the hour ({self._places(close)})"
        if alike:
            yield f"an account has the same text within a day ({self._places(alike)})"
