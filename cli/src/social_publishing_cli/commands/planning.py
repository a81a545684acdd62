"""`plan`, `apply`, `resume`, `status`, `undo`: a month of posts from a spreadsheet."""

from __future__ import annotations

import hashlib
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from .. import output, rehearsals, statuses
from ..changes import changes_shown, lines_of, write_changes
from ..characters import one_line
from ..command import Folder, force_option, options, pass_session, session_options
from ..files import is_stream, replacing
from ..months.planned import Place, others_of, page_of
from ..names import Names
from ..output import counted
from ..plans import (
    Entry,
    Journal,
    JournalError,
    Plan,
    PlanError,
    Problem,
    Report,
    Sheet,
    SheetError,
    journal_path,
    kept_plan,
    make,
    read_sheet,
    rehearsing,
    reports,
    reversed_plan,
    settle,
    still_there,
)
from ..plans import apply as apply_plan
from ..plans.applying import check_choice, edited_unseen
from ..plans.journal import FINISHED, check_not_taken_back, set_aside, taken_back, undone
from ..plans.making import LIFE
from ..plans.reporting import dumped, save
from ..plans.writers import named
from ..profiles import PREFIX, ProfileError, SignInError
from ..rehearsals import kept_shown, write_kept, write_rehearsal
from ..session import Session
from .export import check_ending

_BECAME = ("row", "id", "name", "state", "reason")
_MOST_HOURS = 24 * 365 * 10  # for which a plan can be kept
_SUMMARY = ("plan", "source", "made", "result")
_FILE = click.Path(path_type=Path, dir_okay=False)


class _Seconds(click.FloatRange):
    """A number of seconds, which click lets be none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        return self.fail("nan is no number of seconds", param, ctx) if isnan(seconds) else seconds


def _identifier(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return the identifier of a plan; a file of one stands for it."""
    path = Path(value or "")
    return Plan.load(path).id if value and path.is_file() and _is_plan(path) else value


_plan_argument = click.argument("plan_id", metavar="[PLAN]", required=False, callback=_identifier)
_sheet_options = options(
    click.option(
        "--worksheet", metavar="NAME", help="Sheet of a workbook. Default: the only one with posts."
    ),
    click.option(
        "--encoding",
        metavar="NAME",
        help="Encoding of a CSV file that is not UTF-8, such as cp1252.",
    ),
    click.option(
        "--date-format",
        metavar="FORMAT",
        help="Format of times, such as '%d.%m.%Y %H:%M'.",
    ),
    click.option(
        "--timezone",
        metavar="ZONE",
        help="Time zone of rows that name none, such as Europe/Berlin.",
    ),
    click.option(
        "--extra-columns", is_flag=True, help="Ignore columns that are not fields of a post."
    ),
    click.option(
        "--against-now",
        is_flag=True,
        help="In a sheet without the column exported: treat every cell that differs from the "
        "service as an edit.",
    ),
    click.option(
        "--strict",
        is_flag=True,
        help="Refuse posts that a network would refuse, instead of warning.",
    ),
)


_SHARED = ("folder", "report", "on_conflict", "settle_after")  # with what goes on from a command
_SHEET_OPTIONS = (
    *("worksheet", "encoding", "date_format", "timezone", "extra_columns", "against_now"),
)


journal_option = click.option(
    "--journals",
    "folder",
    type=Folder(),
    envvar=f"{PREFIX}JOURNALS",
    help="Folder for journals. Default: a folder of your user account.",
)


def _page(ctx: click.Context, parameter: click.Parameter, value: Path | None) -> Path | None:
    check_ending(value, [".html"], "--page")
    return value


_page_option = click.option(
    "--page",
    type=_FILE,
    callback=_page,
    help="Write a page to look at (.html): the calendar and every change, before and after.",
)


_apply_options = options(
    click.option(
        "--on-conflict",
        type=click.Choice(["skip", "ours", "abort"]),
        help="If somebody else changed the same field in the meantime: skip the post (the "
        "default), write anyway (ours), or stop (abort). Required for a plan that has "
        "conflicts.",
    ),
    click.option(
        "--settle-after",
        type=_Seconds(min=0, max=86_400),
        default=60.0,
        metavar="SECONDS",
        show_default=True,
        help="How long to wait before checking what became of a lost request.",
    ),
    click.option("--report", type=_FILE, help="Write the result of each row to a CSV file."),
    force_option,
    journal_option,
)


@click.command()
@click.argument("sheet", type=_FILE)
@click.option(
    "-o", "--save", "target", type=_FILE, help="Save the plan to this file, to apply it later."
)
@click.option(
    "--expires",
    type=click.IntRange(min=1, max=_MOST_HOURS),
    default=24,
    metavar="HOURS",
    show_default=True,
    help="Hours until the plan expires.",
)
@click.option("--exit-code", is_flag=True, help="Exit with 2 if there are changes.")
@click.option(
    "--rehearse",
    is_flag=True,
    help="Apply the plan in a sandbox, let the month pass there, and report what would fail, be "
    "skipped, miss its review or collide. Reads all posts of the groups. With --strict, a finding "
    "is an error (exit status 1).",
)
@_page_option
@force_option
@_sheet_options
@journal_option
@session_options
@pass_session
def plan(
    session: Session,
    /,
    sheet: Path,
    target: Path | None,
    expires: int,
    exit_code: bool,
    rehearse: bool,
    page: Path | None,
    force: bool,
    folder: Path | None,
    **how: Any,
) -> int:
    """Compare a sheet with the service. Changes nothing.

    Shows each field before and after, in the group's time zone. With -o, saves the plan.
    A saved plan is your yes: apply carries it out without asking again. --page writes a calendar
    with every change, before and after, to look at first.

    With --rehearse, JSON and CSV have the findings of the rehearsal instead of the changed fields.
    What networks refuse, and when posts go out, is assumed until it is confirmed.
    """
    if target and page and target.resolve() == page.resolve():
        raise click.UsageError("-o and --page name the same file: the plan and its page are two")
    for each in (target, page):
        output.check_target(each, force, source=sheet)
    if rehearse:
        rehearsing.check_possible()
    wanted, made = _planned(session, sheet, how, folder, timedelta(hours=expires))
    found = _rehearsed(session, made, wanted) if rehearse else None
    made = rehearsals.with_findings(made, found) if found else made
    is_refused = bool(found and found.findings and how["strict"])
    if target and not is_refused:
        made.save(target)
    if page:
        is_saved = bool(target) and not is_refused
        _write_page(session, page, made, others_of(wanted, made), saved=is_saved)
    if not found or session.is_for_people:
        _show(session, made)
    if found:
        _show_rehearsal(session, found)
    if is_refused:
        not_saved = "; the plan was not saved" * bool(target)
        raise rehearsing.RehearsalError(f"the rehearsal has findings (--strict){not_saved}")
    step = _next_step(session, "apply", target or sheet, of_sheet=not target)
    if conflicting := sum(bool(change.conflicts) for change in made.changes):
        session.note(
            f"{counted(conflicting, 'conflict')}. Leave these posts as they are: {step} "
            "--on-conflict skip"
        )
        session.note("write what the sheet says: the same with --on-conflict ours")
    elif target:
        session.note(f"plan {made.short_id} saved. To apply it: {step}")
    elif made.changes:
        session.note(f"to apply it: {step}")
    return statuses.USAGE if exit_code and made.changes else statuses.DONE


@click.command()
@click.argument("source", type=_FILE, metavar="PLAN")
@click.option("--whole", is_flag=True, help="Show long texts whole.")
@_page_option
@force_option
@journal_option
@session_options
@pass_session
def show(
    session: Session,
    /,
    source: Path,
    whole: bool,
    page: Path | None,
    force: bool,
    folder: Path | None,
) -> None:
    """Show what a saved plan changes, and when it expires. Needs no account.

    PLAN is a file, or the identifier of a plan that an assistant made.
    """
    output.check_target(page, force, source=source)
    saved = _kept(source, folder) or Plan.load(source)
    if page:
        _write_page(session, page, saved)
    if session.is_for_people:
        write_kept(saved, sys.stdout)
    elif saved.rehearsal:
        session.note(saved.rehearsal.summary)
    _show(session, saved, whole)
    expires = saved.expires.astimezone(UTC)
    is_over = saved.is_over(datetime.now(UTC))
    state = f"has expired: {saved.again}. It expired" if is_over else "expires"
    session.note(f"plan {saved.short_id} {state} at {expires:%Y-%m-%d %H:%M} UTC")


@click.command()
@click.argument("source", type=_FILE, metavar="PLAN-OR-SHEET-OR-ID")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
@_sheet_options
@_apply_options
@session_options
@pass_session
def apply(
    session: Session,
    /,
    source: Path,
    yes: bool,
    **how: Any,
) -> int:
    """Apply a plan. For a sheet, or an assistant's plan, show the changes and ask first.

    ID is the identifier of a plan that an assistant made.

    Reads each post again before writing it, five seconds before at most. If somebody else has
    changed the same field in the meantime, the post is skipped and reported. If apply is
    interrupted, run it again: nothing is sent twice.

    The API documents no conditional writes (§4.1): a change that somebody makes between that read
    and the write is overwritten.
    """
    applied = _Applied.of(how, source)
    kept = _kept(source, applied.folder)
    if not kept and _is_plan(source):
        saved = Plan.load(source)
        output.check_target(applied.report, True, source=source.with_name(saved.source))
        return _apply(session, saved, applied)
    sheet = None if kept else hashlib.sha256(source.read_bytes()).hexdigest()
    begun = sheet and next(
        (each for each in reports(applied.folder, session.note, sheet=sheet) if not each.finished),
        None,
    )
    if begun:
        session.note(f"{_how_far(begun)}; continuing")
    todo = kept or (begun and begun.plan)
    todo = todo or _planned(session, source, how, applied.folder)[1]
    check_choice(todo, applied.on_conflict)
    if kept and not yes:
        for each in edited_unseen(session.client, todo):
            session.note(f"stays as it is: {each}")
    left = len(todo.changes) - (begun.count(*FINISHED) if begun else 0)
    instead = (
        f"look at it ({session.next_step('show', todo.short_id)}) and see --help"
        if kept
        else f"save a plan ({session.next_step('plan')} SHEET -o FILE), look at it, and apply that "
        "file"
    )
    if not _agreed(session, todo, yes, f"Apply {_these(left)}?", instead):
        return statuses.FAILED
    return _apply(session, todo, applied, sheet)


@click.command()
@_plan_argument
@_apply_options
@session_options
@pass_session
def resume(session: Session, /, plan_id: str | None, **how: Any) -> int:
    """Continue an interrupted plan. Default: the newest plan.

    PLAN is a saved plan, or the identifier that `status` shows, or its beginning.
    """
    applied = _Applied.of(how)
    known, is_whole = _read_reports(session, applied.folder, plan_id)
    own = known if plan_id else _own(session, known)
    left = [each for each in own if not each.finished]
    report = _chosen(session, plan_id, left or own, is_whole)
    return _apply(session, report.plan, applied, advice="run it again to continue")


@click.command()
@_plan_argument
@journal_option
@session_options
@pass_session
def status(session: Session, /, plan_id: str | None, folder: Path | None) -> int:
    """Show the result of a plan, row by row. Without PLAN, list all plans."""
    known, is_whole = _read_reports(session, folder)
    if plan_id:
        report = _chosen(
            session, plan_id, [each for each in known if each.plan.is_named(plan_id)], is_whole
        )
        session.write(map(dumped, report.entries), *_BECAME, uncut=("reason",))
        if back := undone(report.plan, known):
            session.note(f"{back} of {counted(len(report.entries), 'change')} undone since")
        return statuses.DONE
    session.write(_summaries(known), *_SUMMARY, uncut=("result",))
    if not known:
        session.note(_no_plan(is_whole))
    return statuses.DONE if known or is_whole else statuses.FAILED


@click.command()
@_plan_argument
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
@_apply_options
@session_options
@pass_session
def undo(session: Session, /, plan_id: str | None, yes: bool, **how: Any) -> int:
    """Undo the changes of a plan. Default: the newest plan that wrote something.

    Writes the earlier values back. A field that has been changed again since is left alone.
    """
    applied = _Applied.of(how)
    session.show("Reading the journal")
    known, is_whole = _read_reports(session, applied.folder, plan_id)
    session.show("")
    found = known if plan_id else _own(session, [e for e in known if not e.plan.undoes])
    wrote = found if plan_id else [each for each in found if _may_have_written(each)]
    chosen = _chosen(session, plan_id, wrote or found, is_whole)
    done = _settled(session, chosen, applied)
    plan = done.plan
    begun = next(
        (each for each in reports(applied.folder, undoes=plan.id) if not each.finished), None
    )
    if begun:
        back = begun.plan
        session.note(f"{_how_far(begun)}; continuing")
    else:
        reading = partial(session.show, "Reading the posts")
        reverse = reversed_plan(done, taken=taken_back(plan, applied.folder))
        back, stays = still_there(session.client, reverse, reading)
        session.show("")
        for each in stays:
            session.note(f"stays as it is: {each}")
    named = f"plan {plan.short_id} of {one_line(plan.source)}"
    if newer := ", ".join(each.plan.short_id for each in found[: found.index(chosen)]):
        session.note(f"wrote nothing: {newer}; the newest that did is {named}")
    doubtful = [each for each in done.entries if each.in_doubt or each.state == "unknown"]
    for entry in doubtful:
        session.note(f"{entry.change.place}: may have been written; it is not undone")
    if not back.changes:
        damaged = set_aside(plan, applied.folder)
        for path in damaged:
            session.note(f"{path}: is damaged; what only this journal knew of is not undone")
        session.note(f"nothing {'else ' * bool(doubtful)}is left to undo of {named}")
        if not plan_id and any(_can_be_undone(each, known) for each in known):
            step = session.next_step("undo", "PLAN")
            lists = session.next_step("status")
            session.note(f"to undo an earlier plan: {step} ({lists} lists them)")
        return statuses.UNKNOWN if doubtful or damaged else statuses.DONE
    if yes:
        session.note(f"undoing {counted(len(back.changes), 'change')} of {named}")
    step = session.next_step("status", plan.short_id)
    instead = f"look at what the plan did ({step}) and see --help"
    if not _agreed(session, back, yes, f"Undo {_these(len(back.changes))} of {named}?", instead):
        return statuses.FAILED
    ended = _apply(session, back, applied)
    return statuses.UNKNOWN if doubtful and ended == statuses.DONE else ended


def _next_step(session: Session, command: str, about: str | Path, of_sheet: bool = False) -> str:
    """Return the command line that goes on, with the options that it shares with this one.

    Args:
        of_sheet: Whether it reads the sheet again, so that how to read it belongs to it.
    """
    here = click.get_current_context()
    shared: list[str] = []
    for each in here.command.params:
        name = str(each.name)
        if name not in (*_SHARED, *(_SHEET_OPTIONS if of_sheet else ())):
            continue
        if here.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            value = here.params[name]
            shared += [each.opts[0]] if value is True else [each.opts[0], str(value)]
    named = f"./{about}" if str(about).startswith("-") else about
    return session.next_step(command, named, *shared)


def _settled(session: Session, report: Report, how: _Applied) -> Report:
    """Find out what became of the lost requests of a plan, and wait for it."""
    wait = 0.0
    while report.count("sending", "unknown"):
        if wait:
            session.wait(wait, "to check lost requests")
            time.sleep(wait)
        plan = report.plan
        path = journal_path(plan, how.folder)
        with Journal(path, plan, note=session.note, by=session.writer) as journal:
            report, wait = settle(session.client, plan, journal, how.settle_after)
        if not wait and (left := report.count("unknown")):
            session.note(f"{counted(left, 'lost request')} cannot be checked: no post is there")
            break
    return report


def _read(session: Session, path: Path, how: Mapping[str, Any]) -> Sheet:
    reading = {n: value for n, value in how.items() if n not in ("against_now", "strict")}
    return read_sheet(path, names=session.names, **reading)


def _rehearsed(session: Session, made: Plan, sheet: Sheet) -> rehearsing.Rehearsal:
    found = rehearsing.rehearse(
        session.client,
        made,
        rehearsing.scope_of(sheet),
        service_time=session.service_time,
        on_progress=session.show,
    )
    session.show("")
    return found


def _show_rehearsal(session: Session, found: rehearsing.Rehearsal) -> None:
    if session.is_for_people:
        write_rehearsal(found, sys.stdout)
    else:
        session.write(rehearsals.rows(found), *rehearsals.COLUMNS, uncut=("reason",))
    for each in found.notes:
        session.note(each)
    session.note(rehearsals.summary(found))


def _planned(
    session: Session,
    path: Path,
    how: Mapping[str, Any],
    folder: Path | None,
    life: timedelta = LIFE,
) -> tuple[Sheet, Plan]:
    """Read a sheet, and make a plan of it.

    Raises:
        SheetError: With all problems, whether the sheet or the service tells of them.
    """
    try:
        wanted = _read(session, path, how)
    except SheetError as error:
        if error.rest is None:
            raise
        more: Sequence[Problem] = ()
        try:
            _made(session, error.rest, how, folder)
        except SheetError as others:
            more = others.problems
        except Exception:  # the sheet is to be corrected in any case
            session.show("")
        raise error.with_others(more) from None
    return wanted, _made(session, wanted, how, folder, life)


def _made(
    session: Session,
    wanted: Sheet,
    how: Mapping[str, Any],
    folder: Path | None,
    life: timedelta = LIFE,
) -> Plan:
    def progress(rows: int) -> None:
        session.show(f"Comparing: {counted(rows, 'row')}")

    client = session.client
    made = make(
        client,
        wanted,
        against_now=how["against_now"],
        strict=how["strict"],
        service_time=session.service_time,
        life=life,
        folder=folder,
        by=session.writer,
        on_progress=progress,
    )
    session.show("")
    return made


class _Applied(NamedTuple):
    """How to apply a plan: the options shared by the commands that apply one."""

    folder: Path | None
    on_conflict: Any
    settle_after: float
    report: Path | None

    @classmethod
    def of(cls, how: dict[str, Any], source: Path | None = None) -> _Applied:
        """Take these options out of all options, and check first that the report can be written.

        Args:
            source: The file that is applied, which no report replaces.
        """
        applied = cls(*(how.pop(name) for name in cls._fields))
        if applied.report and applied.report.suffix.lower() != ".csv":
            reason = f"{applied.report.name}: a report is a .csv file; use --output json for JSON"
            raise click.BadParameter(reason, param_hint="--report")
        output.check_target(applied.report, how.pop("force"), source=source)
        return applied


def _apply(
    session: Session, todo: Plan, how: _Applied, sheet: str | None = None, advice: str = ""
) -> int:
    if not todo.changes:
        session.note("nothing to do")
        return statuses.DONE
    path = journal_path(todo, how.folder)
    with Journal(path, todo, sheet=sheet, note=session.note, by=session.writer) as journal:
        before = Report(todo, journal.entries())
        check_not_taken_back(todo, how.folder)
        if before.finished:
            what = f"the undo of plan {todo.undoes[7:19]}" if todo.undoes else "this plan"
            was = "applied" if before.count("done") else "tried"
            session.note(f"{what} was {was} before; nothing was sent again")
            if before.count("conflict") and how.on_conflict == "ours":
                session.note(
                    "to write what is in conflict, make a new plan of the sheet, and apply that "
                    "with --on-conflict ours"
                )
            report = before
        else:
            report = _sent(session, todo, journal, how, advice)
    _tell(session, report, how.report)
    done, conflicts = report.count("done"), report.count("conflict")
    earlier = before.count("done")
    already = sum(
        is_new.state == "done" and not is_new.wrote and was.state != "done"
        for was, is_new in zip(before.entries, report.entries, strict=True)
    )
    session.note(
        f"{done - already - earlier} done, {f'{already} unchanged, ' * bool(already)}"
        f"{f'{earlier} done before, ' * bool(earlier)}"
        f"{conflicts} in conflict, {report.count('failed')} failed, "
        f"{report.count('waiting', 'sending', 'unknown')} left"
    )
    if report.complete:
        return statuses.DONE
    if report.count("unknown", "sending") or any(each.in_doubt for each in report.entries):
        return statuses.UNKNOWN
    return statuses.PARTLY if done else statuses.FAILED


def _tell(session: Session, report: Report, file: Path | None) -> None:
    """Write the results. That they cannot be told does not undo what was done."""
    try:
        if file:
            save(report, file)
    except PlanError as error:
        session.note(f"cannot write the results: {error}")
    try:
        session.write(map(dumped, report.entries), *_BECAME, uncut=("reason",))
        sys.stdout.flush()
    except (OSError, output.FormatError) as error:
        output.abandon(sys.stdout)
        session.note(f"cannot write the results: {error}")


def _sent(session: Session, todo: Plan, journal: Journal, how: _Applied, advice: str) -> Report:
    """Apply what is left of a plan."""
    try:
        client = session.client
    except BaseException:
        journal.forget_unsent()
        raise
    known = Report(todo, journal.entries())
    progress = _Progress(session, len(todo.changes), known.count(*FINISHED))
    try:
        report = apply_plan(
            client,
            todo,
            journal,
            on_conflict=how.on_conflict,
            quiet=how.settle_after,
            on_progress=progress,
            on_wait=progress.wait,
        )
    except BaseException as error:
        if isinstance(error, PlanError) and not isinstance(error, JournalError):
            raise
        so_far = Report(todo, journal.entries())
        if isinstance(error, JournalError):
            sent = so_far.count("done") - known.count("done") + so_far.count("sending", "unknown")
            if not sent:
                raise
            error.may_be_done = True
        step = _next_step(session, "resume", todo.short_id)
        advice = advice or f"continue with: {step}"
        how_far = f"{so_far.count('done')} of {len(so_far.entries)} changes are done"
        session.note(f"{how_far}; {advice}")
        raise
    session.show("")
    return report


class _Progress:
    """How far an apply is, in the line of the session."""

    def __init__(self, session: Session, total: int, done: int) -> None:
        self.session, self.total, self.done = session, total, done
        self._show("")

    def __call__(self, entry: Entry) -> None:
        self.done += entry.state in FINISHED
        self._show(entry.change.name)

    def wait(self, seconds: float) -> None:
        self._show("")
        self.session.wait(seconds, "to check lost requests")

    def _show(self, name: str) -> None:
        self.session.show(f"Change {self.done} of {self.total}  {name}", self.done, self.total)


def _agreed(session: Session, made: Plan, yes: bool, question: str, instead: str) -> bool:
    """Show a plan, and ask whether to carry it out unless that was said already.

    Args:
        instead: What to do where there is no terminal to ask in.
    """
    if yes or not made.changes:
        if not session.quiet:
            write_kept(made, sys.stderr)
            write_changes(lines_of(made, _names(session)), sys.stderr)
            _summarize(session, made)
        return True
    session.check_can_ask(instead)
    changes = changes_shown(lines_of(made, _names(session)), sys.stderr)
    if not session.paged([*kept_shown(made, sys.stderr), *changes]):
        return False
    _summarize(session, made)
    return session.confirmed(question)


def _these(changes: int) -> str:
    return "this change" if changes == 1 else f"these {changes:,} changes"


def _show(session: Session, made: Plan, whole: bool = False) -> None:
    """Write what a plan changes, a line a field."""
    if session.is_for_people:
        write_changes(lines_of(made, _names(session)), sys.stdout, whole)
    else:
        names = ("row", "id", "name", "field", "before", "after", "warning")
        session.write(lines_of(made), *names)
    _summarize(session, made)


def _write_page(
    session: Session,
    page: Path,
    made: Plan,
    others: Iterable[Place] | None = None,
    saved: bool = True,
) -> None:
    """Write a plan as a page, with what a rehearsal of it found."""
    session.show("Writing the page")
    try:
        content = page_of(made, lines_of(made, _names(session)), others=others, saved=saved)
    except ValueError as error:  # a month that no calendar has
        raise PlanError(f"--page: {error}") from None
    with replacing(page) as new:
        new.write_bytes(content)
    session.show("")
    session.note(f"the plan can be looked at in {page}")


def _summarize(session: Session, made: Plan) -> None:
    if not made.changes:
        session.note(f"{counted(made.rows, 'row')}, nothing to change")
        return
    warnings = sum(len(change.warnings) for change in made.changes)
    limit, left = session.rate
    cost = made.cost(limit, left=left)
    rows = f"{counted(made.rows, 'row')}, " * bool(made.rows)
    session.note(
        f"{rows}{counted(len(made.changes), 'post')} to change, "
        f"{counted(warnings, 'warning')}; {cost}"
    )


def _names(session: Session) -> Names:
    """Return the names to show beside ids; none where no account can be read."""
    try:
        return session.names
    except (ProfileError, SignInError):
        return Names()


def _kept(source: Path, folder: Path | None) -> Plan | None:
    """Return the plan of an identifier; None where a file is named."""
    is_id = re.fullmatch("(sha256:)?[0-9a-f]{12,64}", str(source)) and not source.exists()
    return kept_plan(str(source), folder) if is_id else None


def _is_plan(path: Path) -> bool:
    if is_stream(path):
        raise PlanError(f"{path.name}: is no file: save it as one first")
    try:
        with path.open("rb") as file:
            start = file.read(64)
    except OSError as error:
        raise PlanError(f"{path.name}: cannot be read: {error.strerror or error}") from None

    if not start and path.suffix == ".plan":
        raise PlanError(f"{path.name}: is empty: make the plan again")
    return start.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \r\n\t").startswith(b"{")


def _read_reports(
    session: Session, folder: Path | None, plan_id: str | None = None
) -> tuple[list[Report], bool]:
    """Return what became of plans, and whether all journals could be read."""
    unread: list[str] = []
    known = [*reports(folder, unread.append, plan_id=plan_id or "")]
    for each in unread:
        session.note(each)
    return known, not unread


def _no_plan(is_whole: bool) -> str:
    return f"no plan {'has been applied on this machine yet' if is_whole else 'can be read'}"


def _own(session: Session, known: Sequence[Report]) -> list[Report]:
    """Return the plans that no other user of the system has applied, of those who share a journal.

    Raises:
        PlanError: All were applied by others.
    """
    if own := [each for each in known if not each.others]:
        return own
    if known:
        step = session.next_step("status")
        raise PlanError(
            f"the plans here were applied by somebody else: name one ({step} lists them)"
        )
    return []


def _chosen(
    session: Session, plan_id: str | None, known: Iterable[Report], is_whole: bool
) -> Report:
    """Return the plan that is named, or the first."""
    found = [*known]
    if plan_id and len(found) > 1:
        names = ", ".join(sorted(each.plan.short_id for each in found))
        raise PlanError(f"{plan_id} is ambiguous: {names}")
    if not found:
        if not plan_id:
            raise PlanError(_no_plan(is_whole))
        digits = re.fullmatch("(?:sha256:)?([0-9a-f]{1,12})[0-9a-f]*", plan_id)
        raise PlanError(
            f"no plan {digits[1] if digits else plan_id} has been applied on this machine: "
            f"{session.next_step('status')} lists those that were"
        )
    return found[0]


def _how_far(report: Report) -> str:
    """Say how far a plan is that was interrupted."""
    done, plan = report.count(*FINISHED), report.plan
    what = f"the undo of plan {plan.undoes[7:19]}" if plan.undoes else f"plan {plan.short_id}"
    return f"{what} was interrupted after {done} of {counted(len(report.entries), 'change')}"


def _may_have_written(report: Report) -> bool:
    lost = report.count("sending", "unknown")
    return bool(lost) or any(each.wrote or each.in_doubt for each in report.entries)


def _can_be_undone(report: Report, known: Sequence[Report]) -> bool:
    wrote = sum(entry.wrote for entry in report.entries)
    return not report.plan.undoes and wrote > undone(report.plan, known)


def _summaries(known: Sequence[Report]) -> Iterator[dict[str, Any]]:
    for report in known:
        made = report.plan.made.astimezone(UTC)
        one: dict[str, Any] = {
            "plan": report.plan.short_id,
            "source": report.plan.source,
            "made": f"{made:%Y-%m-%dT%H:%M:%SZ}",
            "changes": len(report.entries),
            "done": report.count("done"),
            "conflicts": report.count("conflict"),
            "failed": report.count("failed"),
            "left": report.count("waiting", "sending", "unknown"),
            "undone": undone(report.plan, known),
            "undoes": (report.plan.undoes or "").removeprefix("sha256:")[:12],
            "by": ", ".join(sorted({named(each.by) for each in report.entries if each.by})),
        }
        one["result"] = _in_words(one) + f" (by {one['by']})" * bool(report.others)
        yield one


def _in_words(summary: Mapping[str, Any]) -> str:
    """Return what became of a plan."""
    words = {"conflicts": "in conflict", "failed": "failed", "left": "left", "undone": "undone"}
    counts = [f"{summary[name]} {said}" for name, said in words.items() if summary[name]]
    of = f"undo of {summary['undoes']}: " if summary["undoes"] else ""
    return of + ", ".join([f"{summary['done']} of {summary['changes']} done", *counts])
