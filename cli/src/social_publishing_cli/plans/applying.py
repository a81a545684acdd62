"""Applies a plan: reads, compares, writes what is still to be written, and settles what got lost.

Each change is written in the journal before its request leaves and after its response came. A
request whose response was lost, or that was under way when the program was killed, is never sent
again before a read has shown that it was not carried out, and before it is too old to be still on
its way. That holds for the requests of all plans: none writes to a post while the outcome of
another plan's request to it is not known.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from ..characters import one_line, shortened
from ..post_statuses import DRAFT, SKIPPED
from ..sheets.cells import Value
from ..sheets.columns import EDITABLE, is_never_empty, is_shown, read_by_people
from .journal import IN_DOUBT, Entry, Journal, JournalError, Report
from .making import (
    FINAL,
    HIDDEN,
    READ,
    UNREAD,
    arguments,
    chunks,
    current,
    there,
    unread,
)
from .model import CHUNK, Change, Plan, PlanError, StalePlanError, Step, check_single_fields

if TYPE_CHECKING:
    from social_publishing import SocialPublishing
    from social_publishing.models import Post

Conflicts = Literal["skip", "ours", "abort"]
"""What to do if somebody else changed a field in the meantime."""

FRESH = 5.0  # seconds, after which a post is read again before it is written
AGAIN = 3  # times that a post is read again because its write had to wait; then it is written
QUIET = 60.0  # seconds after which a lost request can no longer arrive
SINCE = (
    "the post was edited since the plan was made, perhaps by this plan on another machine: the "
    "service does not show this value, and it is not written a second time"
)
# Posts of these go out only after somebody takes that back.
_APART = {DRAFT: "a draft", SKIPPED: "skipped"}
_FLAGS = {DRAFT: "is_draft", SKIPPED: "should_skip"}
_MOVES = {*_FLAGS.values()}
SENDS = 3  # requests for one change in one run, at the most


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

    Reads the posts again, 50 at a time, right before it writes them: what was read longer than five
    seconds ago is read once more, also where a write has to wait for the rate limit. A post that
    already has the new values is left alone; a field that somebody else has changed is a conflict.
    The API documents no conditional writes (§4.1), so a change that somebody makes between the read
    and the write is overwritten.

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
    is_new = all(entry.state == "waiting" and not entry.sends for entry in journal.entries())
    try:
        check_single_fields()
        if is_new:
            plan.check(now or datetime.now(UTC), {})
        check_choice(plan, on_conflict)
        wait = _left(journal.lost, quiet)
        if wait and not settles:
            reason = "requests of a journal that was damaged may still be on their way"
            raise PlanError(f"{reason}: try again in {wait:.0f} s")
        _wait(wait, on_wait)
        journal.find_killed()
        run = _Run(client, plan, journal, on_conflict or "skip", quiet, on_progress)
        run.write([entry for entry in journal.entries() if entry.state == "waiting"], is_new)
    except PlanError as error:
        if is_new and not isinstance(error, JournalError):
            journal.forget_unsent()
        raise
    for left in reversed(range(SENDS)):
        journal.find_killed()  # where a clock was set right meanwhile, a send counts as of now
        lost = [entry for entry in journal.entries() if entry.state == "unknown"]
        if not (lost or run.blocked) or run.aborted or not settles:
            break
        in_the_way = [each for entry in run.blocked for each in run.in_the_way(entry)]
        _wait(max((_left(each.at, quiet) for each in [*lost, *in_the_way]), default=0), on_wait)
        # One whose own request was lost may be blocked, too: it is looked at once.
        left_open = {each.change.id: each for each in [*lost, *run.blocked]}
        run.blocked = []
        run.write([*left_open.values()], again=left > 0)
    return Report(plan, journal.entries())


def check_choice(plan: Plan, on_conflict: Conflicts | None) -> None:
    """See that somebody said what is to become of conflicts that the plan has already.

    Raises:
        PlanError: Nobody did.
    """
    if plan.conflicts and not on_conflict:
        fields = "fields have" if plan.conflicts > 1 else "field has"
        raise PlanError(
            f"conflict: {plan.conflicts} edited {fields} changed on the service since the export. "
            "Pass --on-conflict skip to leave these posts alone, or --on-conflict ours to write "
            "the sheet's values"
        )


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
    journal.find_killed()
    lost = [each for each in journal.entries() if each.state == "unknown"]
    run = _Run(client, plan, journal, "skip", quiet)
    run.write([entry for entry in lost if not _left(entry.at, quiet)], again=False)
    young = [_left(entry.at, quiet) for entry in lost]
    return Report(plan, journal.entries()), max(young, default=0.0)


def reversed_plan(
    report: Report, now: datetime | None = None, taken: Collection[tuple[str, str]] = ()
) -> Plan:
    """Return a plan that undoes what a plan has changed.

    It restores only fields that the plan has written, and only if nothing has changed them again
    since.

    Args:
        report: What became of the plan.
        now: When the plan is made. Default: the current time.
        taken: The posts and fields that were taken back before.
    """
    now = now or datetime.now(UTC)
    changes = tuple(
        Change(
            entry.change.row,
            entry.change.id,
            entry.change.name,
            entry.change.zone,
            entry.change.status,
            steps,
        )
        for entry in report.entries
        if (steps := _steps_back(entry, taken))
    )
    plan = report.plan
    life = plan.expires - plan.made
    return Plan(now, now + life, plan.account, plan.source, plan.rows, changes, undoes=plan.id)


def _steps_back(entry: Entry, taken: Collection[tuple[str, str]]) -> dict[str, Step]:
    """Return what undoes a change: what was a draft, or skipped, is so again, and not due."""
    steps = {
        name: Step(value, entry.replaced[name])
        for name, value in entry.written.items()
        if (entry.change.id, name) not in taken
    }
    if "should_skip" in steps and entry.change.status == DRAFT:
        steps.setdefault("is_draft", Step(False, True))
    if "is_draft" in steps and entry.change.status == SKIPPED:
        del steps["is_draft"]
        steps["should_skip"] = Step(False, True)
    return steps


def still_there(
    client: SocialPublishing,
    back: Plan,
    on_progress: Callable[[int, int], object] = lambda done, total: None,
) -> tuple[Plan, list[str]]:
    """Read the posts of an undo, and leave out of it what is not there any more.

    Args:
        client: A client of the account that the plan is for.
        back: What `reversed_plan` returned.
        on_progress: Called with how many posts are read, and how many there are.

    Returns:
        The plan without the fields that were changed or taken back since, and a sentence for each
        field that somebody changed.

    Raises:
        SocialPublishingError: The service could not be read.
    """
    changes, stays = [], []
    for change, post in _with_posts(client, back.changes, on_progress):
        if post is None:
            stays.append(f"{change.place}: the post no longer exists")
            continue
        now = current(post, change.fields)
        fields = {}
        for name, step in change.fields.items():
            is_hidden = not is_shown(post, name)
            if is_hidden and step.after in (None, []) and not EDITABLE[name].field:
                stays.append(f"{change.place}: {name}: {HIDDEN}")
            elif is_hidden or agree(now[name], step.before):
                fields[name] = step
            elif not agree(now[name], step.after):
                stays.append(f"{change.place}: {_conflict(change, [name], now)}")
        if fields:
            changes.append(msgspec.structs.replace(change, fields=fields))
    return msgspec.structs.replace(back, changes=tuple(changes)), stays


def edited_unseen(client: SocialPublishing, plan: Plan) -> list[str]:
    """Return a sentence for each post that was edited since, and gets a value that nobody sees.

    Args:
        client: A client of the account that the plan is for.

    Raises:
        SocialPublishingError: The service could not be read.
    """
    changes = [c for c in plan.changes if not all(EDITABLE[n].always_shown for n in c.fields)]
    found = []
    for change, post in _with_posts(client, changes):
        unseen = [n for n in change.fields if post and not is_shown(post, n)]
        if post and unseen and _is_edited(change, post):
            found.append(f"{change.place}: {', '.join(unseen)}: {SINCE}")
    return found


def _with_posts(
    client: SocialPublishing,
    changes: Sequence[Change],
    on_progress: Callable[[int, int], object] = lambda done, total: None,
) -> Iterator[tuple[Change, Post | None]]:
    """Yield changes with their posts as they are now; None for one that is not there."""
    for number, chunk in enumerate(chunks(changes, READ)):
        on_progress(number * READ, len(changes))
        posts = there(client, [each.id for each in chunk])
        yield from ((change, posts.get(change.id)) for change in chunk)


def _is_edited(change: Change, post: Post) -> bool:
    """Return whether the service has changed a post since the plan was made, where it says so."""
    return change.updated is not msgspec.UNSET and post.updated_at not in (None, change.updated)


def _left(sent: datetime | None, quiet: float, now: datetime | None = None) -> float:
    """Return for how many seconds a request may still arrive that left by then.

    A clock that was set back counts as no time at all.
    """
    now = now or datetime.now(UTC)
    age = (now - sent).total_seconds() if sent else quiet
    return max(0.0, quiet - max(0.0, age))


def _wait(seconds: float, on_wait: Callable[[float], object] | None) -> None:
    if seconds > 0:
        if on_wait:
            on_wait(seconds)
        time.sleep(seconds)


class _StaleError(Exception):
    """A write has to wait for the rate limit: what was read is older then. Nothing was sent."""


class _Run:
    """One application of a plan.

    Attributes:
        writer: The client that writes: soon after the read, or not at all.
        blocked: Changes of posts that a request of another plan may still be on its way to.
        aborted: Whether a conflict has ended it.
        seen: Whether one of the plan's posts is there.
    """

    def __init__(
        self,
        client: SocialPublishing,
        plan: Plan,
        journal: Journal,
        on_conflict: Conflicts,
        quiet: float,
        on_progress: Callable[[Entry], object] | None = None,
    ) -> None:
        self.client = client
        self.plan = plan
        self.journal = journal
        self.on_conflict = on_conflict
        self.quiet = quiet
        self.on_progress = on_progress or (lambda entry: None)
        self.writer = client
        self.blocked: list[Entry] = []
        self.aborted = False
        self.seen = False

    def write(self, entries: Sequence[Entry], is_new: bool = False, again: bool = True) -> None:
        """Read these changes' posts again, and write what is to be written.

        Args:
            is_new: Whether nothing is known yet of the plan: if none of its posts is there, it is
                for another account.
            again: Whether requests are still sent; else it is only settled what became of them.

        Raises:
            StalePlanError: None of the posts to write is there.
        """
        missing = self._read_and_write(entries, again)
        unsent = [each for each in missing if each.state == "waiting"]
        if unsent and not self.seen:
            what = "plan's posts" if is_new else "posts that are left"
            why = "it is for another account" if is_new else "deleted, or of another account"
            raise StalePlanError(f"none of the {what} is there: {why}")
        # An answer may lack a post that is there. Of a lost request only its post can tell.
        for entry in self._read_and_write(unsent, again) if unsent else ():
            self._end(entry, "conflict", "the post no longer exists")

    def _read_and_write(self, entries: Sequence[Entry], again: bool) -> list[Entry]:
        """Read posts and write their changes; return the changes of posts that are not there."""
        missing: list[Entry] = []
        end, since = 0, 0.0  # which entries are read, and when
        left = deque(enumerate(entries))
        waited = 0
        while left and not self.aborted:
            at, entry = left.popleft()
            if at >= end or time.monotonic() - since > FRESH:
                chunk = entries[at : at + CHUNK]
                read_at, turn = datetime.now(UTC), self.journal.turn()
                posts = there(self.client, [each.change.id for each in chunk])
                since = time.monotonic()
                end = at + len(chunk)
            post = posts.get(entry.change.id)
            if not post:
                missing.append(entry)
                continue
            self.seen = True
            age = time.monotonic() - since
            self.writer = self.client if waited == AGAIN else _prompt(self.client, FRESH - age)
            try:
                self._one(entry, post, read_at, turn, again)
                waited = 0
            except _StaleError:  # the read waits, as the write would have
                waited, end = waited + 1, at
                left.appendleft((at, self.journal.entry(entry)))
        return missing

    def in_the_way(self, entry: Entry) -> list[Entry]:
        """Return the requests of other plans to the same post whose outcome is not known."""
        return self.journal.unsettled(entry.change.id)

    def _one(self, entry: Entry, post: Post, read_at: datetime, turn: int, again: bool) -> None:
        if post.organization_id:
            self.plan.check(self.plan.made, {"organization_id": post.organization_id})
        entry = self.journal.entry(entry)  # another plan's run may have found out what became of it
        if entry.state not in ("waiting", "unknown"):
            self.on_progress(entry)
            return
        others = self.in_the_way(entry)
        if any(e.state == "sending" or _left(e.at, self.quiet, read_at) for e in others):
            self._block(entry)
            return
        for other in others:
            self._decide(other, post, turn, again=False)
        self._decide(entry, post, turn, again)

    def _block(self, entry: Entry) -> None:
        self.blocked.append(entry)
        if entry.state == "waiting":
            self._end(entry, "waiting", "another plan's request to the post may still arrive")
        else:  # its own request is no younger for that
            self.on_progress(entry)

    def _decide(self, entry: Entry, post: Post, turn: int, again: bool) -> None:
        change = entry.change
        now = current(post, change.fields)
        hidden = {name for name in change.fields if not is_shown(post, name)}
        supposed, unknown = _supposed(entry, now, hidden)
        now = {**now, **supposed}
        ours = _carried_out(entry, now)
        if unknown:
            written = f"{', '.join(ours)} written; " if ours else ""
            reason = f"{written}{IN_DOUBT}: {', '.join(unknown)}: {HIDDEN}"
            self._end(entry, "failed", reason, wrote=bool(ours), replaced=ours)
            return
        open_fields = {
            name: step.after
            for name, step in change.fields.items()
            if not agree(now[name], step.after)
        }
        if not open_fields:
            # What was sent and is there now is taken for carried out.
            self._end(entry, "done", "" if ours else "unchanged", wrote=bool(ours))
            return
        foreign = self._foreign(entry, open_fields, now)
        foreign += [name for name in _taken_back(entry, ours) if name not in foreign]
        wrote = True if ours else None
        if late := _too_late(post, change):
            what = f"the post is now {FINAL[int(post.status or 0)]}"
            self._end(entry, "conflict", f"{what}: {late} can no longer change", wrote=wrote)
        elif became := "" if ours else self._became(change, post, open_fields):
            advice = "" if self.plan.undoes else ": make a new plan"
            self._end(entry, "conflict", f"{became}{advice}", wrote=wrote)
        elif foreign and (self.on_conflict != "ours" or entry.plan != self.plan.id):
            self.aborted |= self.on_conflict == "abort" and entry.plan == self.plan.id
            lost = f"; {IN_DOUBT}" if entry.state == "unknown" and not ours else ""
            self._end(entry, "conflict", _conflict(change, foreign, now) + lost, wrote=wrote)
        elif (
            again
            and (unseen := sorted(hidden & open_fields.keys()))
            and self.on_conflict != "ours"
            and self._is_by_others(entry, post)
        ):
            self.aborted |= self.on_conflict == "abort"
            self._end(entry, "conflict", f"{', '.join(unseen)}: {SINCE}", wrote=wrote)
        elif not again:
            # It was not carried out, so that the next run may try it anew.
            what = (
                f"{', '.join(ours)} written; the rest" if ours else "its requests were lost; none"
            )
            lost = f"{what} was {'not ' * bool(ours)}carried out"
            reason = lost if entry.sends else entry.reason
            self._end(entry, "waiting", reason, wrote=wrote, replaced=ours)
        elif impossible := [
            name for name, value in open_fields.items() if value is None and is_never_empty(name)
        ]:
            reason = f"{', '.join(impossible)} cannot be emptied"
            self._end(entry, "failed", reason, wrote=wrote)
        elif any(unread(post, name) for name in open_fields):
            self._end(entry, "failed", UNREAD, wrote=wrote)
        else:
            replaced = {**ours, **{name: now[name] for name in open_fields}}
            first = {**ours, **{name: now[name] for name in _requests(open_fields)[0]}}
            if self.journal.sending(change.id, first, turn):
                self._send(entry, post, open_fields, replaced)
            else:
                self._block(entry)

    def _foreign(self, entry: Entry, names: Iterable[str], now: Mapping[str, Value]) -> list[str]:
        """Return the fields that somebody else changed since the plan was made.

        What an earlier plan of this machine wrote is no foreign change; for an undo it is one.
        """
        plan = self.plan
        fields = [each for each in names if not agree(now[each], entry.change.fields[each].before)]
        written = self.journal.written(entry.change.id) if fields and not plan.undoes else {}
        return [
            name
            for name in fields
            if not (
                (last := written.get(name))
                and last.made < plan.made <= datetime.now(UTC)  # by clocks that agree
                and last.value == now[name]
            )
        ]

    def _became(self, change: Change, post: Post, names: Collection[str]) -> str:
        """Say that others made a post a draft, or skipped it, or took that back since the plan.

        What the plan makes of it would be another thing, and an undo would bring back what it was
        when the plan was made.
        """
        was, now = change.status, post.status
        if not {*names} & _MOVES or was is None or now is None or was == now:
            return ""
        if self.plan.undoes:  # what the plan itself made of it may be there
            ours = {_FLAGS.get(now)} & change.fields.keys() or (was, now) == (SKIPPED, DRAFT)
            others = now in _APART and not ours
            return f"the post is now {_APART[now]}" if others else ""
        if now in _APART:
            return f"the post is now {_APART[now]}"
        return f"the post is no longer {_APART[was]}" if was in _APART else ""

    def _is_by_others(self, entry: Entry, post: Post) -> bool:
        """Return whether others edited a post since the plan was made, before anything was sent."""
        if not _is_edited(entry.change, post) or entry.replaced:
            return False
        return not self.journal.written(entry.change.id)

    def _send(
        self, entry: Entry, there: Post, fields: dict[str, Value], replaced: dict[str, Value]
    ) -> None:
        from social_publishing import errors

        refused = errors.AuthenticationError, errors.PermissionDeniedError

        post = entry.change.id
        is_edited = self._is_by_others(entry, there)
        # What requests wrote over that were carried out; some of them were sent before.
        done = {name: value for name, value in replaced.items() if name not in fields}
        told = ""

        def end(state: str, error: Exception, reason: str = "") -> None:
            so_far: dict[str, Any] = {} if state == "unknown" else {"replaced": done}
            so_far |= {"wrote": True} if done and so_far else {}
            first = f"{', '.join(done)} written; " if done else ""
            self._end(entry, state, first + (reason or str(error)), **so_far)

        try:
            answer = there
            for number, together in enumerate(_requests(fields)):
                over = {**done, **{name: replaced[name] for name in together}}
                sent = {name: fields[name] for name in together}
                if number:  # that the first one leaves is noted already
                    self.journal.note(entry, "sending", replaced=over)
                    # A post has one status (§3): skipped, it is no draft any more.
                    is_told = together == ["is_draft"] and is_shown(answer, "is_draft")
                    if is_told and _shows(answer, post, sent):
                        done = over
                        continue
                answer, told = self._write(there, post, sent)
                done = over
        except errors.OutcomeUnknown as error:
            end("unknown", error, f"the response was lost: {error.reason}")
        except errors.DecodeError as error:  # it was a success
            end("unknown", error, f"the response cannot be read: {error.reason}")
        except (errors.RateLimitReached, errors.RateLimitError) as error:
            if self.writer is self.client or error.may_be_done:
                end("unknown" if error.may_be_done else "waiting", error)
                raise
            wrote = True if done else None
            self.journal.note(entry, "waiting", wrote=wrote, replaced=done)
            raise _StaleError from None
        except refused as error:
            # No other change would fare better: the rest stays as it is.
            end("unknown" if error.may_be_done else "waiting", error)
            raise
        except errors.StatusError as error:
            reason = f"the service {str(error).removeprefix(f'{error.exchange}: ')}"
            end("unknown" if error.may_be_done else "failed", error, reason)
        except errors.ArgumentError as error:
            end("failed", error)
        except errors.SocialPublishingError as error:
            end("unknown" if error.may_be_done else "waiting", error)
            raise
        else:
            # A request may take back what another one did, or what was there before it.
            wanted = {name: step.after for name, step in entry.change.fields.items()}
            if _shows(answer, post, wanted):
                reason = (
                    "the post was edited since the plan was made: in other fields, or this plan "
                    "was undone on another machine"
                )
                reason = reason * is_edited or self._other_status(entry.change, answer)
                self._end(entry, "done", reason, wrote=True)
            else:
                self._look(entry, wanted, replaced, told)

    def _write(self, there: Post, post: str, fields: Mapping[str, Value]) -> tuple[Post, str]:
        """Send what one request writes.

        Returns:
            What shows the post, and why it was skipped.
        """
        from social_publishing import errors

        if "is_draft" not in fields:
            answer = self.writer.posts.update(post, **arguments(there, fields))
            return answer or there, ""  # one without a body (`success.updatePost`) shows nothing
        try:
            is_draft = bool(fields["is_draft"])
            result = self.writer.posts.set_draft(is_draft=is_draft, post_ids=[post])
        except errors.PartialFailure as error:
            raise error.failed[0].error or error from None
        lacks = post in (result.skipped_no_assignee or ())
        return there, "no assignee can approve the post (§3)" * lacks  # `there` is older: look

    def _look(
        self,
        entry: Entry,
        fields: Mapping[str, Value],
        replaced: Mapping[str, Value],
        reason: str = "",
    ) -> None:
        """Find out what a write did whose response does not show it."""
        # Until it is known: what the response says cannot be believed.
        self.journal.note(entry, "unknown", "the response does not show what was sent")
        read = self.client.posts.get_many(ids=[entry.change.id])
        post = next((each for each in read if each.id == entry.change.id), None)
        if post is None:  # which a later answer may have
            self._end(entry, "unknown", "the response does not show what was sent, nor is it there")
            return
        now = current(post, fields)
        other = {
            name: now[name]
            for name in fields
            if is_shown(post, name) and not agree(now[name], fields[name])
        }
        stayed = [n for n in other if n not in replaced or agree(other[n], replaced[n])]
        kept = {name: value for name, value in other.items() if name not in stayed}
        done = {name: value for name, value in replaced.items() if name not in stayed}
        reason = reason or self._other_status(entry.change, post)
        told = [reason] * bool(reason)
        told += [f"{_shown(entry.change, name, now[name])} stayed" for name in stayed]
        told += [f"the service made it {_shown(entry.change, name, kept[name])}" for name in kept]
        self._end(
            entry,
            "failed" if stayed else "done",
            "; ".join(told),
            wrote=bool(done),
            replaced=done,
            kept=kept,
        )

    def _other_status(self, change: Change, post: Post) -> str:
        """Say that an undo did not bring the status back that a post had."""
        if not (
            self.plan.undoes and change.fields.keys() & _MOVES and post.status
        ) or change.status in (None, post.status):
            return ""
        was = type(post.status)(change.status).name
        words = (name.replace("_", " ").capitalize() for name in (was, post.status.name))
        return "its status was {} and is {}".format(*words)

    def _end(self, entry: Entry, state: str, reason: str, **more: Any) -> None:
        """Note how a change stands now, and tell of it if it is one of this plan."""
        self.journal.note(entry, state, reason, **more)
        if entry.plan == self.plan.id:
            wrote = bool(more.get("wrote"))
            self.on_progress(entry._replace(state=state, reason=reason, wrote=wrote))


def _prompt(client: SocialPublishing, most: float) -> SocialPublishing:
    """Return a client whose requests wait for so many seconds at most, where they may wait."""
    from social_publishing import Pacing, Retries

    options = getattr(client, "options", None)  # what stands for a client may never wait
    if not options or options.pacing.mode != "wait":
        return client
    pacing, retries = options.pacing, options.retries
    most = max(0.0, min(most, most if pacing.max_wait is None else pacing.max_wait))
    attempts, first, longest, wait = retries
    soon = Retries(attempts, first, longest, min(most, wait))
    return client.with_options(pacing=Pacing("wait", most, pacing.spread), retries=soon)


def agree(there: Value, wanted: Value) -> bool:
    """Return whether a field has a value; a flag that the service leaves out reads as no."""
    return there == wanted or (there, wanted) in ((None, False), (False, None))


def _shows(answer: Post, post: str, fields: Mapping[str, Value]) -> bool:
    """Return whether a response shows that a write was carried out as it was sent."""
    there = current(answer, fields)
    seen = [name for name in fields if is_shown(answer, name)]
    return answer.id == post and all(agree(there[name], fields[name]) for name in seen)


def _requests(fields: Mapping[str, Value]) -> list[list[str]]:
    """Return which fields each request writes, in their order: all of its fields, or none.

    Whether a post is a draft has a request of its own (§3): the first one where it becomes a draft,
    else the last one, so that nothing is due while only a part of it is written.
    """
    others = [name for name in fields if name != "is_draft"]
    both = [["is_draft"] * ("is_draft" in fields), others]
    return [each for each in (both if fields.get("is_draft") else both[::-1]) if each]


def _supposed(
    entry: Entry, now: Mapping[str, Value], hidden: Collection[str]
) -> tuple[dict[str, Value], list[str]]:
    """Return what the fields have that the service does not show, and those that nobody can know.

    A request writes all of its fields or none. It left after the one before it was carried out.
    """
    fields = entry.change.fields
    sent = entry.replaced if entry.sends else {}
    in_order = _requests({name: step.after for name, step in fields.items()})
    last = max(
        (at for at, together in enumerate(in_order) if sent.keys() & {*together}), default=-1
    )
    supposed: dict[str, Value] = {}
    unknown: list[str] = []
    for at, together in enumerate(in_order):
        told = [name for name in together if name in sent and name not in hidden]
        has_arrived = at < last or (
            bool(told) and all(agree(now[name], fields[name].after) for name in told)
        )
        for name in (each for each in together if each in hidden):
            is_sent = name in sent
            supposed[name] = fields[name].after if is_sent and has_arrived else fields[name].before
            if is_sent and at == last and not told and entry.state == "unknown":
                unknown.append(name)
    return supposed, unknown


def _carried_out(entry: Entry, now: Mapping[str, Value]) -> dict[str, Value]:
    """Return what requests whose outcome was unknown wrote over; nothing where none arrived."""
    fields = entry.change.fields
    return {n: v for n, v in entry.replaced.items() if agree(now[n], fields[n].after)}


def _taken_back(entry: Entry, ours: Mapping[str, Value]) -> list[str]:
    """Return fields that are not as they were sent, though their request was carried out.

    It was where that is noted, or where another one of its fields is as it was sent.
    """
    is_known = entry.wrote and entry.state == "waiting"
    return [
        name
        for together in _requests(entry.replaced)
        if is_known or ours.keys() & {*together}
        for name in together
        if name not in ours
    ]


def _too_late(post: Post, change: Change) -> str:
    """Return the fields that no longer matter, as the post went out meanwhile."""
    status = int(post.status) if post.status is not None else None
    if status not in FINAL or status == change.status:
        return ""
    return " and ".join(each for each in ("publication_date", "is_draft") if each in change.fields)


def _shown(change: Change, name: str, value: Value) -> str:
    text = shortened(read_by_people(value, EDITABLE[name].kind, change.clocks))
    return f"{name} {text or 'empty'!r}"


def _conflict(change: Change, names: Iterable[str], now: Mapping[str, Value]) -> str:
    zone = change.clocks
    parts = []
    for name in sorted(names):
        step, kind = change.fields[name], EDITABLE[name].kind
        values = (step.before, now[name], step.after)
        was, there, wanted = (
            one_line(shortened(read_by_people(value, kind, zone))) or "empty" for value in values
        )
        where = f" ({change.zone or 'UTC'})" if kind == "moment" else ""
        parts.append(f"{name}{where}: was {was}, is {there}, wanted {wanted}")
    return "; ".join(parts)
