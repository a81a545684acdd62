"""The tools that change something after a person's approval, and their plans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import plans, rehearsals
from ..changes import compared
from ..characters import one_line
from ..files import make_folder
from ..names import Names
from ..output import counted
from ..plans import rehearsing
from ..plans.applying import QUIET
from ..plans.journal import JournalError, check_not_taken_back, undone
from ..plans.making import there, zone_of
from ..sheets.cells import Value, moment
from ..sheets.columns import EDITABLE, read_by_people, shown
from .calls import CALL
from .results import Problem, Result, cut
from .service import GroupFacts, Service, room_at

if TYPE_CHECKING:
    from social_publishing import Wait

MOST_CHANGES = 200  # posts of one plan: what one request reads
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

    asked: tuple[plans.Row, ...] = ()

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
    if shift_posts:
        wanted |= _shifted(service, group, shift_posts, shift_days, shift_minutes)
    if not 0 < len(wanted) <= MOST_CHANGES:
        raise Problem(f"A plan takes 1 to {MOST_CHANGES} posts; this one has {len(wanted)}.")
    rows, problems = [], []
    for number, change in enumerate(wanted.values(), 1):
        try:
            rows.append(_row(number, change, group))
        except ValueError as error:
            problems.append(plans.Problem(number, "publication_date", str(error)))
    sheet = _Asked(Path("assistant"), None, None, (), group.zone, (), 0, asked=tuple(rows))
    try:
        if problems:
            raise plans.SheetError(sheet.path.name, problems)
        plan = plans.make(
            service.client,
            sheet,
            against_now=True,
            service_time=service.session.service_time,
            life=LIFE,
            folder=service.options.journals,
            by=service.session.writer,
        )
    except plans.SheetError as error:
        told = [
            {"post": [*wanted][row - 1] if row else "", "field": column, "problem": reason}
            for row, column, reason in error.problems
        ]
        raise Problem("No plan was made. Correct these:", told) from None
    if not plan.changes:
        return Result("Nothing to change: the posts already have these values. No plan was made.")
    make_folder(service.folder)
    plan.save(plans.plan_path(plan.id, service.options.journals))
    rows_of_posts = [*plan_rows(plan, service.session.names)]
    text = _described(service, plan, group)
    if rehearse:
        scope = rehearsing.Scope((group.id,), None, {})
        now = service.session.service_time
        found = rehearsing.rehearse(service.client, plan, scope, service_time=now)
        text = f"{text} {rehearsals.summary(found)}."
        rows_of_posts = [*_with_findings(rows_of_posts, found)]
    return Result(text, rows_of_posts)


def _with_findings(
    changes: Sequence[Mapping[str, Any]], found: rehearsing.Rehearsal
) -> Iterator[dict[str, Any]]:
    """Yield a row per post, with what was found of it; posts that the plan changes come first."""
    told: dict[str, list[str]] = {}
    names = {finding.id: finding.name for finding in found.findings}
    for finding in found.findings:
        told.setdefault(finding.id, []).append(rehearsals.in_words(finding))
    for row in changes:
        yield {**row, "rehearsal": told.pop(row["id"], [])}
    for post, findings in told.items():
        yield {"id": post, "name": names[post], "rehearsal": findings}


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
        raise Problem(f"Not found, or without a date to move: {', '.join(wrong)}.")
    wanted = {}
    for post_id in posts:
        then = by_id[post_id].publication_date
        assert then is not None
        local = then.astimezone(group.zone).replace(tzinfo=None) + timedelta(days=days)
        if minutes:
            exact = local.replace(tzinfo=group.zone).astimezone(UTC) + timedelta(minutes=minutes)
            text = exact.isoformat(" ", "minutes")
        else:
            text = local.isoformat(" ", "minutes")
        wanted[post_id] = {"post_id": post_id, "publication_date": text}
    return wanted


def _row(number: int, change: Mapping[str, Any], group: GroupFacts) -> plans.Row:
    values: dict[str, Value] = {}
    for name, value in change.items():
        if name in EDITABLE:
            is_time = EDITABLE[name].kind == "moment" and value not in ("", None)
            values[name] = moment(str(value).strip(), group.zone, ()) if is_time else value
            if value == "":
                values[name] = None
    cells = {name: shown(v, EDITABLE[name].kind, group.zone) for name, v in values.items()}
    return plans.Row(number, str(change["post_id"]), group.zone, cells, values, None, group.id)


def plan_rows(plan: plans.Plan, names: Names) -> Iterator[dict[str, Any]]:
    """Yield the changes of a plan, one row per post; of long texts the beginning and the end."""
    for change in plan.changes:
        yield {
            "id": change.id,
            "name": change.name,
            **dict(_fields(change, names)),
            "warnings": [*change.warnings],
        }


def _fields(change: plans.Change, names: Names) -> Iterator[tuple[str, str]]:
    for name, step in change.fields.items():
        kind, zone = EDITABLE[name].kind, zone_of(change)
        values = [step.before, step.after]
        if name == "selected_account_ids":
            values = [names.labels(value) for value in values]
        before, after = compared(*(read_by_people(value, kind, zone) for value in values))
        yield name, f"{before.plain} → {after.plain}"


def plan_question(service: Service, plan_id: str) -> Question | Result:
    """Return the question to ask before a plan is applied, or its result if it was applied."""
    plan = _kept(service, plan_id)
    report = _report(service, plan)
    check_not_taken_back(plan, service.options.journals)
    if report and report.finished:
        return _told(report, "This plan was applied before; nothing was sent again.")
    lines = [f"warning: {change.id}: {text}" for change in plan.changes for text in change.warnings]
    lines += [
        f"{change.id} {change.name}, {name}: {text}"
        for change in plan.changes
        for name, text in _fields(change, service.session.names)
    ]
    if len(lines) > _MOST_LINES or sum(map(len, lines)) > _MOST_CHARACTERS:
        size = f"{counted(len(plan.changes), 'post')} in {counted(len(lines), 'line')}"
        raise Problem(
            f"Nothing was changed. This plan is too long for one question: {size}. Make plans of "
            "fewer posts, or tell the person to run in a terminal, which shows all of it: "
            f"{service.apply_step(plan.short_id)}"
        )
    zones = " ".join(sorted({change.zone or "UTC" for change in plan.changes}))
    changes = f"It changes {counted(len(plan.changes), 'post')} (times: {zones})."
    warned = sum(len(change.warnings) for change in plan.changes)
    warnings = f" {counted(warned, 'warning')}." * bool(warned)
    head = f"Apply plan {plan.short_id}? {changes}{warnings}"
    return Question("\n".join([head, *map(one_line, lines)]), plan.id)


def apply_plan(service: Service, agreed: str, plan_id: str) -> Result:
    """Apply a plan that a person has approved."""
    plan = _kept(service, plan_id)
    if plan.id != agreed:
        raise Problem("This is not the plan that the person approved. Nothing was changed.")
    call, total = CALL.get(), len(plan.changes)
    done = 0

    def progress(entry: plans.Entry) -> None:
        nonlocal done
        done += 1
        call.report(done, total, f"{entry.change.id} {entry.state}")

    def waits(wait: Wait) -> None:
        call.progress(done, total, f"waiting for the {wait.reason}, {wait.seconds:.0f} s")

    with _journal(service, plan) as journal:
        check_not_taken_back(plan, service.options.journals)
        client = service.client.with_options(pacing="wait", on_wait=waits)
        report = plans.apply(client, plan, journal, settles=False, on_progress=progress)
    return _told(report, "Applied.")


def was_it_done(service: Service, plan_id: str) -> Result:
    """Find out what became of a plan. Only reads."""
    plan = _kept(service, plan_id, stale=True)
    report = _report(service, plan)
    if report is None:
        return Result("No: this plan was not applied on this machine. No request was sent.")
    try:
        with _journal(service, plan) as journal:
            report, wait = plans.settle(service.client, plan, journal, QUIET)
    except JournalError:
        return _told(report, "It is being applied right now.")
    later = f"Some requests were lost. Ask again {room_at(wait)} to check them." if wait else ""
    if back := undone(plan, [*plans.reports(service.options.journals)]):
        later = f"{back} of {counted(len(report.entries), 'change')} undone since. {later}".strip()
    return _told(report, later)


def _told(report: plans.Report, words: str) -> Result:
    counts = {
        "done": report.count("done"),
        "in conflict": report.count("conflict"),
        "failed": report.count("failed"),
        "not done": report.count("waiting"),
        "unknown": report.count("sending", "unknown"),
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
    return Result(f"{words} {told} of {len(report.entries)}.{unknown}".strip(), rows)


def _kept(service: Service, plan_id: str, stale: bool = False) -> plans.Plan:
    """Return a plan that may be applied; one that has expired only where that is asked for."""
    plan = plans.kept_plan(plan_id, service.options.journals)
    if not stale:
        plan.check(datetime.now(UTC), {})
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
