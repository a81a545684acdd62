"""Applies a plan: reads, compares, writes what is still to be written, and settles what got lost.

Each change is written in the journal before its request leaves and after its response came. A
request whose response was lost, or that was under way when the program was killed, is never sent
again before a read has shown that it was not carried out, and before it is too old to be still on
its way.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from ..sheets.cells import Value
from ..sheets.columns import EDITABLE, read_by_people
from .journal import Entry, Journal
from .making import FINAL, argument, chunks, current, zone_of
from .model import Change, Plan, PlanError, Step

if TYPE_CHECKING:
    from social_publishing import SocialPublishing
    from social_publishing.models import Post

Conflicts = Literal["skip", "ours", "abort"]
"""What to do if somebody else changed a field in the meantime."""

CHUNK = 50  # posts that are read again right before they are written
QUIET = 60.0  # seconds after which a lost request can no longer arrive
SENDS = 3  # requests for one change in one run, at the most


@dataclass(frozen=True)
class Report:
    """What became of a plan.

    Attributes:
        entries: The result of each change, in the order of the sheet.
    """

    plan: Plan
    entries: Sequence[Entry]

    def count(self, *states: str) -> int:
        """Return how many changes are in these states."""
        return sum(entry.state in states for entry in self.entries)

    @property
    def complete(self) -> bool:
        """Whether every change of the plan is done."""
        return self.count("done") == len(self.entries)


def apply(
    client: SocialPublishing,
    plan: Plan,
    journal: Journal,
    *,
    on_conflict: Conflicts | None = None,
    now: datetime | None = None,
    quiet: float = QUIET,
    settles: bool = True,
    on_progress: Callable[[Entry], object] | None = None,
    on_wait: Callable[[float], object] | None = None,
) -> Report:
    """Apply the changes of a plan that are not applied yet.

    Reads the posts again, 50 at a time, right before it writes them. A post that already has the
    new values is left alone; a field that somebody else has changed is a conflict. The API
    documents no conditional writes (§4.1), so a change that somebody makes between the read and the
    write is overwritten.

    You can call it again at any time: it continues where it ended.

    Args:
        client: A client of the account that the plan is for.
        on_conflict: "skip" leaves the post alone and reports it; "ours" writes anyway; "abort"
            stops. Default: "skip", but a plan that has conflicts is refused.
        now: The time to compare with the plan's expiry. Default: the current time.
        quiet: Seconds after which a request whose response was lost can no longer arrive.
        settles: Whether to wait that long, and find out what became of lost requests.
        on_progress: Called with each change that is finished in this run.
        on_wait: Called with the seconds until lost requests can be settled.

    Returns:
        What became of each change.

    Raises:
        PlanError: The plan has conflicts, and `on_conflict` is missing. Nothing was sent.
        StalePlanError: The plan has expired, or is for another account. Nothing was sent.
        JournalError: The journal cannot be written. Nothing more was sent.
        SocialPublishingError: The service could not be read, or the user may not write. The
            journal knows how far it came.
    """
    if not any(entry.state != "waiting" for entry in journal.entries()):
        plan.check(now or datetime.now(UTC), {})
    if plan.conflicts and not on_conflict:
        raise PlanError(
            f"{plan.conflicts} edited fields have changed on the service since the export. Pass "
            "--on-conflict skip to leave these posts alone, or --on-conflict ours to write the "
            "sheet's values"
        )
    progress = on_progress or (lambda entry: None)
    for entry in journal.entries():
        if entry.state == "sending":  # whoever sent it was killed, and nobody knows when it left
            journal.note(entry.change.id, "unknown", "the program ended before the response came")
    run = _Run(client, plan, journal, on_conflict or "skip", progress)
    run.write(entry for entry in journal.entries() if entry.state == "waiting")
    for left in reversed(range(SENDS)):
        lost = [entry for entry in journal.entries() if entry.state == "unknown"]
        if not lost or run.aborted or not settles:
            break
        wait = quiet - min(_age(entry) for entry in lost)
        if wait > 0:
            if on_wait:
                on_wait(wait)
            time.sleep(wait)
        run.write(lost, again=left > 0)
    return Report(plan, journal.entries())


def settle(
    client: SocialPublishing, plan: Plan, journal: Journal, quiet: float = QUIET
) -> tuple[Report, float]:
    """Find out what became of lost requests that can no longer arrive. Only reads.

    Args:
        client: A client of the account that the plan is for.
        quiet: Seconds after which a lost request can no longer arrive.

    Returns:
        What became of each change, and the seconds until the rest can be found out.

    Raises:
        JournalError: The journal cannot be written.
        SocialPublishingError: The service could not be read.
    """
    lost = [each for each in journal.entries() if each.state in ("sending", "unknown")]
    run = _Run(client, plan, journal, "skip", lambda entry: None)
    run.write((entry for entry in lost if _age(entry) >= quiet), again=False)
    young = [quiet - _age(entry) for entry in lost if _age(entry) < quiet]
    return Report(plan, journal.entries()), max(young, default=0.0)


def reversed_plan(report: Report, now: datetime | None = None) -> Plan:
    """Return a plan that undoes what a plan has changed.

    It restores only fields that the plan has written, and only if nothing has changed them again
    since.

    Args:
        report: What became of the plan.
        now: When the plan is made. Default: the current time.
    """
    now = now or datetime.now(UTC)
    changes = tuple(
        Change(
            entry.change.row,
            entry.change.id,
            entry.change.name,
            entry.change.zone,
            entry.change.status,
            {
                name: Step(entry.change.fields[name].after, there)
                for name, there in entry.replaced.items()
            },
        )
        for entry in report.entries
        if entry.wrote and entry.replaced
    )
    plan = report.plan
    life = plan.expires - plan.made
    return Plan(now, now + life, plan.account, plan.source, plan.rows, changes, undoes=plan.id)


def _age(entry: Entry) -> float:
    """Seconds since a request can have left; a clock that was set back counts as none."""
    sent = entry.at or datetime.now(UTC)
    return max(0.0, (datetime.now(UTC) - sent).total_seconds())


class _Run:
    """One application of a plan."""

    def __init__(
        self,
        client: SocialPublishing,
        plan: Plan,
        journal: Journal,
        on_conflict: Conflicts,
        on_progress: Callable[[Entry], object],
    ) -> None:
        self.client = client
        self.plan = plan
        self.journal = journal
        self.on_conflict = on_conflict
        self.on_progress = on_progress
        self.aborted = False

    def write(self, entries: Iterable[Entry], again: bool = True) -> None:
        """Read the posts of these changes again, and write them.

        Args:
            again: Whether to send requests; if not, only find out what became of earlier ones.
        """
        for chunk in chunks(entries, CHUNK):
            read = self.client.posts.get_many(ids=[entry.change.id for entry in chunk])
            posts = {post.id: post for post in read}
            for entry in chunk:
                if self.aborted:
                    return
                self._one(entry, posts.get(entry.change.id), again)

    def _one(self, entry: Entry, post: Post | None, again: bool) -> None:
        change = entry.change
        if post is None:
            self._end(entry, "conflict", "the post no longer exists")
            return
        self.plan.check(self.plan.made, {"organization_id": post.organization_id or ""})
        now = current(post, change.fields)
        ours = _carried_out(entry, now)
        open_fields = {name: s.after for name, s in change.fields.items() if now[name] != s.after}
        if not open_fields:
            # What was sent and is there now is taken for carried out.
            self._end(entry, "done", "" if ours else "unchanged", bool(ours))
            return
        foreign = {name for name in open_fields if now[name] != change.fields[name].before}
        wrote = True if ours else None
        if _is_final(post, change):
            status = FINAL[int(post.status or 0)]
            self._end(entry, "conflict", f"the post is now {status}", wrote)
        elif foreign and self.on_conflict != "ours":
            self.aborted = self.on_conflict == "abort"
            self._end(entry, "conflict", _conflict(change, foreign, now), wrote)
        elif not again:
            # It was not carried out, so that the next run may try it anew.
            self._end(entry, "waiting", "its requests were lost; none was carried out", wrote)
        elif impossible := [
            name
            for name, value in open_fields.items()
            if value is None and EDITABLE[name].kind in ("moment", "number", "flag")
        ]:
            reason = f"{', '.join(impossible)} cannot be emptied"
            self._end(entry, "failed", reason, wrote)
        else:
            self._send(entry, open_fields, {**ours, **{name: now[name] for name in open_fields}})

    def _send(self, entry: Entry, fields: dict[str, Value], replaced: dict[str, Value]) -> None:
        from social_publishing import errors

        refused = errors.AuthenticationError, errors.PermissionDeniedError, errors.RateLimitError

        post = entry.change.id
        arguments = {name: argument(name, value) for name, value in fields.items()}
        self.journal.sending(post, replaced)
        try:
            self.client.posts.update(post, **arguments)
        except errors.OutcomeUnknown as error:
            self._end(entry, "unknown", f"the response was lost: {error.reason}")
        except errors.DecodeError as error:  # it was a success
            self._end(entry, "unknown", f"the response cannot be read: {error.reason}")
        except refused as error:
            # No other change would fare better: the rest stays as it is.
            self.journal.note(post, "unknown" if error.may_be_done else "waiting")
            raise
        except (errors.ArgumentError, errors.StatusError) as error:
            if error.may_be_done:
                self._end(entry, "unknown", str(error))
            else:
                self._end(entry, "failed", str(error))
        except errors.SocialPublishingError as error:
            self.journal.note(post, "unknown" if error.may_be_done else "waiting")
            raise
        else:
            self._end(entry, "done", "", True)

    def _end(self, entry: Entry, state: str, reason: str, wrote: bool | None = None) -> None:
        self.journal.note(entry.change.id, state, reason, wrote=wrote)
        self.on_progress(entry._replace(state=state, reason=reason, wrote=bool(wrote)))


def _carried_out(entry: Entry, now: dict[str, Value]) -> dict[str, Value]:
    """Return what requests whose outcome was unknown wrote over; nothing where none arrived.

    A request writes all of its fields or none. So none arrived where one is as it was.
    """
    fields = entry.change.fields
    written = {n: v for n, v in entry.replaced.items() if now[n] == fields[n].after}
    is_as_it_was = any(now[n] == v != fields[n].after for n, v in entry.replaced.items())
    return {} if is_as_it_was else written


def _is_final(post: Post, change: Change) -> bool:
    """Whether the post went out meanwhile, and a new time would come too late."""
    status = int(post.status) if post.status is not None else None
    moves = any(EDITABLE[name].kind == "moment" for name in change.fields)
    return moves and status in FINAL and status != change.status


def _conflict(change: Change, names: Iterable[str], now: dict[str, Value]) -> str:
    zone = zone_of(change)
    parts = []
    for name in sorted(names):
        step, kind = change.fields[name], EDITABLE[name].kind
        values = (step.before, now[name], step.after)
        was, there, wanted = (read_by_people(value, kind, zone) for value in values)
        where = f" ({change.zone or 'UTC'})" if kind == "moment" else ""
        parts.append(f"{name}{where}: was {was or 'empty'}, is {there or 'empty'}, wanted {wanted}")
    return "; ".join(parts)
