"""The tools that change something after a person's approval, and their plans."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import msgspec

from .. import plans, rehearsals
from ..changes import in_words, lines_of
from ..characters import cut, one_line
from ..files import make_folder
from ..months.planned import page_of
from ..names import Names
from ..output import counted
from ..plans import rehearsing
from ..plans.applying import QUIET
from ..plans.journal import JournalError, check_not_taken_back, taken_back
from ..plans.making import there
from ..sheets.cells import Value, moment
from ..sheets.columns import EDITABLE, shown
from .calls import CALL
from .results import Problem, Result
from .service import GroupFacts, Service, room_at

if TYPE_CHECKING:
    from social_publishing import Wait

MOST_CHANGES = 500  # posts of one plan
LIFE = timedelta(hours=1)
_MOST_LINES, _MOST_CHARACTERS = 60, 12_000  # of what a person is asked in one question


class Question(NamedTuple):
    """A question to a person before something is changed.

    Attributes:
        about: What the approval covers; nothing else is done.
    """

    text: str
    about: str


@dataclass(frozen=True)
class _Asked(plans.Sheet):
    """Changes that were asked for in words, as a sheet that has no file."""

    has_rows: ClassVar[bool] = False

    asked: tuple[plans.Row, ...] = ()

    def places(self, rows: Collection[int]) -> str:
        ids = [each.id for each in self.asked if each.number in rows]
        return f"post{'s' * (len(ids) > 1)} {', '.join(ids)}"

    def rows(self) -> Iterator[plans.Row]:
        yield from self.asked


def plan_changes(
    service: Service,
    changes: Sequence[Mapping[str, Any]] = (),
    group_id: str | None = None,
    shift_posts: Sequence[str] = (),
    shift_days: int = 0,
    shift_minutes: int = 0,
    rehearse: bool = False,
) -> Result:
    """Make a plan; with `rehearse`, let its month pass in a sandbox. Changes nothing."""
    if rehearse:
        rehearsing.check_possible()
    group = service.group(group_id)
    wanted = {str(change["post_id"]): dict(change) for change in changes}
    if len(wanted) < len(changes) or wanted.keys() & {*shift_posts}:
        raise Problem("A post is named twice: combine its changes.")
    count = len(wanted.keys() | {*shift_posts})
    if not count:
        raise Problem("No post is named: pass changes, or shift_posts.")
    if count > MOST_CHANGES:
        raise Problem(
            f"A plan takes {MOST_CHANGES} posts at most; this one has {count}: make several."
        )
    if shift_posts:
        wanted |= _shifted(service, group, shift_posts, shift_days, shift_minutes)
    problems: list[plans.Problem] = []
    rows = [_row(at, change, group, problems) for at, change in enumerate(wanted.values(), 1)]
    sheet = _Asked(Path("assistant"), None, None, (), group.zone, (), 0, asked=tuple(rows))
    try:
        plan = plans.make(
            service.client,
            sheet,
            against_now=True,
            service_time=service.session.service_time,
            life=LIFE,
            folder=service.options.journals,
            by=service.session.writer,
        )
        if problems:
            raise plans.SheetError(sheet.path.name, problems)
    except plans.SheetError as error:
        fields = {"id": "post_id"}
        told = [
            {
                "post": [*wanted][row - 1] if row else "",
                "field": fields.get(column or "", column),
                "problem": reason,
            }
            for row, column, reason in error.with_others(problems).problems
        ]
        raise Problem("No plan was made. Correct these:", told) from None
    if not plan.changes:
        return Result("Nothing to change: the posts already have these values. No plan was made.")
    changed = tuple(msgspec.structs.replace(each, row=0) for each in plan.changes)
    plan = msgspec.structs.replace(plan, rows=0, changes=changed)
    if rehearse:
        scope = rehearsing.Scope((group.id,), None, {})
        now = service.session.service_time
        found = rehearsing.rehearse(service.client, plan, scope, service_time=now)
        plan = rehearsals.with_findings(plan, found)
    make_folder(service.folder)
    service.own(plan.short_id)
    plan.save(plans.plan_path(plan.id, service.options.journals))
    text = _described(service, plan, group)
    text += f" {plan.rehearsal.summary}." if plan.rehearsal else ""
    return Result(text, [*_with_findings(plan, service.session.names)], plan=plan)


def page_of_plan(service: Service, result: Result) -> bytes:
    """Return the page of a plan that was made, with what its rehearsal found."""
    assert result.plan is not None
    return page_of(result.plan, lines_of(result.plan, service.session.names), in_host=True)


def _with_findings(plan: plans.Plan, names: Names) -> Iterator[dict[str, Any]]:
    """Yield a row per post, with what was found of it; posts that the plan changes come first.

    Of long texts, they have the beginning and the end.
    """
    told: dict[tuple[str, str], list[str]] = {}
    found = plan.rehearsal.found if plan.rehearsal else ()
    for each in found:
        told.setdefault((each.id, each.name), []).append(each.text)
    of_posts = {post: texts for (post, _), texts in told.items()}
    fields: dict[str, dict[str, str]] = {}
    for line in lines_of(plan, names):
        fields.setdefault(line["id"], {})[line["field"]] = in_words(line)
    for change in plan.changes:
        yield {
            "id": change.id,
            "name": change.name,
            **fields[change.id],
            "warnings": [*change.warnings],
            "rehearsal": of_posts.get(change.id),
        }
    changed = {change.id for change in plan.changes}
    for (post, name), texts in told.items():
        if post not in changed:
            yield {"id": post, "name": name, "rehearsal": texts}
    if plan.rehearsal and plan.rehearsal.notes:
        yield {"rehearsal": plan.rehearsal.notes}


def _described(service: Service, plan: plans.Plan, group: GroupFacts) -> str:
    room = service.room
    cost = plan.cost(room.limit, left=room.left)
    is_full = room.left < cost.requests and room.seconds
    waits = f", and waits {room_at(room.seconds or 0)}" if is_full else ""
    terminal = f"a person can apply it in a terminal: {service.apply_step(plan.short_id)}"
    how = f"apply_plan asks the person for approval; or {terminal}"
    return (
        f"plan_id: {plan.short_id}\n{counted(len(plan.changes), 'post')} would change, nothing has "
        f"yet. Applying takes {cost}{waits}. It can be applied until "
        f"{plan.expires.astimezone(group.zone):%Y-%m-%d %H:%M}; times are in {group.zone}. Next: "
        f"{how if service.options.allow_writes else terminal}."
    )


def _shifted(
    service: Service, group: GroupFacts, posts: Sequence[str], days: int, minutes: int
) -> dict[str, dict[str, Any]]:
    """Return changes that move posts; by days the clocks of the group show the same time."""
    by_id = there(service.client, posts)
    wrong = [post for post in posts if post not in by_id or not by_id[post].publication_date]
    if wrong:
        raise Problem(f"Not found, or without a date to move: {cut(', '.join(wrong), 1000)}.")
    wanted = {}
    for post_id in posts:
        then = by_id[post_id].publication_date
        assert then is not None
        try:
            local = then.astimezone(group.zone).replace(tzinfo=None) + timedelta(days=days)
            exact = local.replace(tzinfo=group.zone).astimezone(UTC) + timedelta(minutes=minutes)
        except OverflowError:
            raise Problem(
                "shift_days, shift_minutes: no calendar has the day to which they lead."
            ) from None
        text = (exact if minutes else local).isoformat(" ", "minutes")
        wanted[post_id] = {"post_id": post_id, "publication_date": text}
    return wanted


def _row(
    number: int, change: Mapping[str, Any], group: GroupFacts, problems: list[plans.Problem]
) -> plans.Row:
    """Return what is asked for of a post; note the times that are none."""
    values: dict[str, Value] = {}
    for name, value in change.items():
        if name in EDITABLE:
            is_time = EDITABLE[name].kind == "moment" and value not in ("", None)
            try:
                given = moment(str(value).strip(), group.zone, None) if is_time else value
            except ValueError as error:
                problems.append(plans.Problem(number, name, str(error)))
            else:
                values[name] = None if value == "" else given
    cells = {name: shown(v, EDITABLE[name].kind, group.zone) for name, v in values.items()}
    return plans.Row(number, str(change["post_id"]), group.zone, cells, values, None, group.id)


def plan_question(service: Service, plan_id: str) -> Question | Result:
    """Return the question to ask before a plan is applied, or its result if it was applied."""
    plan = kept(service, plan_id)
    report = _report(service, plan)
    try:
        check_not_taken_back(plan, service.options.journals)
    except plans.StalePlanError as error:
        raise Problem(f"Nothing was changed: {error}.") from None
    if report and report.finished:
        return _ended(report, is_repeated=True)
    if report is None:  # what was begun may be finished later
        plan.check(datetime.now(UTC), {})
    changed = {change.id for change in plan.changes}
    lines = [plan.rehearsal.summary] if plan.rehearsal else []
    lines += [
        f"warning: {change.id}: {each}" for change in plan.changes for each in change.warnings
    ]
    lines += rehearsals.kept_lines(plan, changed)
    lines += [
        f"{line['id']} {line['name']}, {line['field']}: {in_words(line, whole=True)}"
        for line in lines_of(plan, service.session.names)
    ]
    if not _has_room(lines):
        size = f"{counted(len(plan.changes), 'post')} in {counted(len(lines), 'line')}"
        shown = "approve it on the page of the plan, or to " * CALL.get().shows_pages
        raise Problem(
            f"Nothing was changed. This plan is too long for one question: {size}. Make plans of "
            f"fewer posts, or tell the person to {shown}run in a terminal, which shows all of it: "
            f"{service.apply_step(plan.short_id)}"
        )
    zones = " ".join(sorted({change.zone or "UTC" for change in plan.changes}))
    changes = f"It changes {counted(len(plan.changes), 'post')} (times: {zones})."
    warned = sum(len(change.warnings) for change in plan.changes)
    warnings = f" {counted(warned, 'warning')}." * bool(warned)
    head = f"Apply plan {plan.short_id}? {changes}{warnings}"
    lines = _with_others(plan, changed, lines)
    return Question("\n".join([head, *map(one_line, lines)]), plan.id)


def _has_room(lines: Sequence[str]) -> bool:
    """Return whether one question has room for these lines."""
    return len(lines) <= _MOST_LINES and sum(map(len, lines)) <= _MOST_CHARACTERS


def _with_others(plan: plans.Plan, changed: Collection[str], lines: list[str]) -> list[str]:
    """Return lines with what a rehearsal found of posts that a plan does not change, if any.

    What there is no room for is counted.
    """
    if not plan.rehearsal:
        return lines
    others = {each.id for each in plan.rehearsal.found} - {*changed}
    found = [*plan.rehearsal.notes, *rehearsals.kept_lines(plan, others)]
    shown = next((n for n in range(len(found), 0, -1) if _has_room([*lines, *found[:n]])), 0)
    left = len(found) - shown
    more = [f"rehearsal: and {left:,} more of posts that stay as they are"] * bool(left)
    return [*lines, *found[:shown], *more]


def apply_plan(service: Service, agreed: str, plan_id: str, stop: bool = False) -> Result:
    """Apply a plan that a person has approved; the server stops it."""
    plan = kept(service, plan_id)
    if plan.id != agreed:
        raise Problem("This is not the plan that the person approved. Nothing was changed.")
    call, total = CALL.get(), len(plan.changes)
    report = _report(service, plan)
    done = total - report.count("waiting", "sending", "unknown") if report else 0

    def progress(entry: plans.Entry) -> None:
        nonlocal done
        done += 1
        call.report(done, total, f"{entry.change.id} {entry.state}")

    def waits(wait: Wait) -> None:
        call.report(done, total, f"waiting for the {wait.reason}, {wait.seconds:.0f} s")

    with _journal(service, plan) as journal:
        check_not_taken_back(plan, service.options.journals)
        client = service.client.with_options(pacing="wait", on_wait=waits)
        try:
            call.report(done, total, "reading the posts")
            report = plans.apply(client, plan, journal, settles=False, on_progress=progress)
        except Exception:
            if not call.stopped:
                raise
            report = plans.Report(plan, journal.entries())
    words = "Stopped: nothing more is sent. apply_plan goes on, after a new yes."
    return _told(report, words) if call.stopped else _ended(report)


def _ended(report: plans.Report, is_repeated: bool = False) -> Result:
    """Return what became of a plan that was carried out; where nothing was applied, it failed."""
    done, left = report.count("done"), report.count("sending", "unknown")
    words = "Nothing was applied." if not left else "It is not known whether anything was applied."
    if done:
        words = "Applied." if done == len(report.entries) else "Applied in part."
    if is_repeated:
        before = "This plan was {} before; nothing was sent again."
        words = before.format("applied") if done else f"{before.format('tried')} {words}"
    result = _told(report, words)
    result.has_failed = not (done or left)
    return result


def was_it_done(service: Service, plan_id: str) -> Result:
    """Find out what became of a plan, and whether it is still so. Only reads."""
    plan = kept(service, plan_id)
    report = _report(service, plan)
    if report is None:
        return Result("No: this plan was not applied on this machine. No request was sent.")
    try:
        with _journal(service, plan) as journal:
            report, wait = plans.settle(service.client, plan, journal, QUIET)
    except JournalError:
        told = _told(report, "It is being applied right now.", is_under_way=True)
        return told
    later = [f"Some requests were lost. Ask again {room_at(wait)} to check them."] if wait else []
    return _told(report, "", [*_since(service, report), *later])


def _since(service: Service, report: plans.Report) -> Iterator[str]:
    """Yield what happened to the changes of a plan after it was applied."""
    plan, folder = report.plan, service.options.journals
    wrote = sum(entry.wrote for entry in report.entries)
    taken = taken_back(plan, folder)
    if back := len({post for post, _ in taken}):
        yield (
            f"Taken back: {back} of {counted(wrote, 'change')} undone since, so "
            f"{'the old values are' if back == wrote else 'old values are'} there again."
        )
    try:
        check_not_taken_back(plan, folder)
    except plans.StalePlanError as error:
        if "interrupted" in str(error):
            yield f"Then {error}."
    back_again = plans.reversed_plan(report, taken=taken)
    if not back_again.changes:
        return
    from social_publishing import SocialPublishingError

    try:
        still, _ = plans.still_there(service.client, back_again)
    except SocialPublishingError as error:
        if CALL.get().stopped:
            raise
        yield f"Whether it is still so could not be read ({type(error).__name__})."
        return
    kept_fields = {change.id: change.fields.keys() for change in still.changes}
    other = [
        f"{change.id} ({', '.join(gone)})"
        for change in back_again.changes
        if (gone := sorted(change.fields.keys() - kept_fields.get(change.id, {*()})))
    ]
    if other:
        yield f"Changed again since, by somebody else: {cut('; '.join(other), 1000)}."


def _told(
    report: plans.Report, words: str, since: Sequence[str] = (), is_under_way: bool = False
) -> Result:
    lost = ("unknown",) if is_under_way else ("sending", "unknown")
    counts = {
        "done": report.count("done"),
        "in conflict": report.count("conflict"),
        "failed": report.count("failed"),
        "not done": report.count("waiting"),
        "on its way": report.count("sending") if is_under_way else 0,
        "unknown": report.count(*lost),
    }
    told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    unknown = (
        f" Unknown: the response was lost. Do not repeat it; call was_it_done after {QUIET:.0f} s."
        if counts["unknown"]
        else ""
    )
    rows = [
        {"id": entry.change.id, "state": entry.state, "reason": cut(entry.reason, 300)}
        for entry in report.entries
        if entry.state != "done"
    ]
    text = f"{words} {told} of {len(report.entries)}.{unknown}".strip()
    return Result(" ".join([text, *since]), rows, plan=report.plan, is_under_way=is_under_way)


def kept(service: Service, plan_id: str) -> plans.Plan:
    """Return a plan that this person has made."""
    plan = plans.kept_plan(plan_id, service.options.journals)
    if not service.is_own(plan.short_id):
        raise Problem(f"There is no plan {plan.short_id}.")
    return plan


def _journal(service: Service, plan: plans.Plan) -> plans.Journal:
    path = plans.journal_path(plan, service.options.journals)
    return plans.Journal(path, plan, by=service.session.writer)


def _report(service: Service, plan: plans.Plan) -> plans.Report | None:
    """Return what became of a plan; None if it was never applied on this machine.

    Raises:
        JournalError: A journal that may know of it cannot be read.
    """
    notes: list[str] = []
    report = next(plans.reports(service.options.journals, notes.append, plan_id=plan.id), None)
    if notes and not report:
        raise JournalError(notes[0])
    return report
