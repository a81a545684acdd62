"""`plan`, `apply`, `resume`, `status`, `undo`: a month of posts from a spreadsheet."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any, TypeVar

import click

from .. import output, statuses
from ..changes_table import write_changes
from ..command import pass_session, session_options
from ..plans import (
    Change,
    Entry,
    Journal,
    Plan,
    PlanError,
    Report,
    StalePlanError,
    journal_path,
    journals,
    make,
    read_sheet,
    reversed_plan,
)
from ..plans import apply as apply_plan
from ..plans.journal import FINISHED, dumped, taken_back
from ..plans.making import LIFE, zone_of
from ..plans.reporting import REPORTS, save
from ..profiles import PREFIX
from ..session import Session
from ..sheets.columns import EDITABLE, shown

F = TypeVar("F", bound=Callable[..., Any])

_FILE = click.Path(path_type=Path, dir_okay=False)


def _sheet_options(command: F) -> F:
    for option in (
        click.option(
            "--worksheet", metavar="NAME", help="The sheet of a workbook; else its first."
        ),
        click.option("--encoding", metavar="NAME", help="Of a CSV file that is not UTF-8: cp1252."),
        click.option(
            "--date-format", metavar="FORMAT", help="How times are written: '%d.%m.%Y %H:%M'."
        ),
        click.option("--timezone", metavar="ZONE", help="Of rows that name none: Europe/Berlin."),
        click.option(
            "--extra-columns", is_flag=True, help="Pass over columns that are not of posts."
        ),
        click.option(
            "--against-now",
            is_flag=True,
            help="Take every difference from the service for an edit, in a sheet that does not say "
            "what it was exported from.",
        ),
    ):
        command = option(command)
    return command


_journal_option = click.option(
    "--journals",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    envvar=f"{PREFIX}JOURNALS",
    help="The folder of the journals; that of your user account where left out.",
)


def _apply_options(command: F) -> F:
    for option in (
        click.option(
            "--on-conflict",
            type=click.Choice(["skip", "ours", "abort"]),
            help="Where somebody else changed the same field meanwhile: leave the post alone (the "
            "default), write all the same, or end there. A plan that has conflicts needs a choice.",
        ),
        click.option(
            "--settle-after",
            type=click.FloatRange(min=0),
            default=60.0,
            metavar="SECONDS",
            show_default=True,
            help="How long a lost request may still arrive.",
        ),
        click.option(
            "--report", type=_FILE, help="Write what became of each row: .csv, .html, .json."
        ),
        _journal_option,
    ):
        command = option(command)
    return command


@click.command()
@click.argument("sheet", type=_FILE)
@click.option("-o", "--save", "target", type=_FILE, help="Write the plan, to apply it later.")
@click.option(
    "--expires",
    type=click.IntRange(min=1),
    default=24,
    metavar="HOURS",
    show_default=True,
    help="How long the plan may be applied.",
)
@click.option("--exit-code", is_flag=True, help="Exit with 2 where there are changes.")
@_sheet_options
@session_options
@pass_session
def plan(
    session: Session, /, sheet: Path, target: Path | None, expires: int, exit_code: bool, **how: Any
) -> int:
    """Compare a sheet with the service, and change nothing.

    Shows what would change, before and after, in the time zone of the group. Saves the plan with
    -o, to look at it together and to apply it later.
    """
    made = _made(session, sheet, how, timedelta(hours=expires))
    if target:
        made.save(target)
    _show(session, made)
    if target:
        session.note(f"plan {made.short_id} saved: social-publishing apply {target}")
    return statuses.USAGE if exit_code and made.changes else statuses.DONE


@click.command()
@click.argument("source", type=_FILE, metavar="PLAN-OR-SHEET")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@_sheet_options
@_apply_options
@session_options
@pass_session
def apply(
    session: Session,
    /,
    source: Path,
    yes: bool,
    folder: Path | None,
    on_conflict: Any,
    settle_after: float,
    report: Path | None,
    **how: Any,
) -> int:
    """Make the changes of a plan, or of a sheet after a yes.

    Each post is read again right before it is written. What somebody else changed meanwhile is
    left alone and told. Interrupted, it can be called again: nothing is sent twice.

    The service has no way to make a write depend on what was read. A change that somebody makes in
    the moment between that read and the write is overwritten.
    """
    if _is_plan(source):
        todo = Plan.load(source)
    else:
        todo = _made(session, source, how)
        if not _agreed(session, todo, yes, "Make these {} changes?"):
            return statuses.FAILED
    return _apply(session, todo, folder, on_conflict, settle_after, report)


@click.command()
@click.argument("plan_id", metavar="[PLAN]", required=False)
@_apply_options
@session_options
@pass_session
def resume(
    session: Session,
    /,
    plan_id: str | None,
    folder: Path | None,
    on_conflict: Any,
    settle_after: float,
    report: Path | None,
) -> int:
    """Go on with a plan that was interrupted; the newest one where none is named.

    PLAN is the beginning of its identifier, as `status` shows it.
    """
    with Journal(_found(plan_id, folder), read_only=True) as journal:
        todo = journal.plan
    return _apply(session, todo, folder, on_conflict, settle_after, report)


@click.command()
@click.argument("plan_id", metavar="[PLAN]", required=False)
@_journal_option
@session_options
@pass_session
def status(session: Session, /, plan_id: str | None, folder: Path | None) -> None:
    """Say what became of a plan, row by row; or list all plans where none is named."""
    if plan_id:
        with Journal(_found(plan_id, folder), read_only=True) as journal:
            _write(session, map(dumped, journal.entries()), "row", "id", "name", "state", "reason")
        return
    _write(session, _summaries(folder), "plan", "source", "made", "changes", "done", "left")


@click.command()
@click.argument("plan_id", metavar="[PLAN]", required=False)
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@_apply_options
@session_options
@pass_session
def undo(
    session: Session,
    /,
    plan_id: str | None,
    yes: bool,
    folder: Path | None,
    on_conflict: Any,
    settle_after: float,
    report: Path | None,
) -> int:
    """Take back what a plan has changed; the newest one where none is named.

    Writes what was there before, where nothing else changed it since.
    """
    with Journal(_found(plan_id, folder)) as journal:
        done = Report(journal.plan, journal.entries())
    back = reversed_plan(done)
    if not _agreed(session, back, yes, "Take back these {} changes?"):
        return statuses.FAILED
    return _apply(session, back, folder, on_conflict, settle_after, report)


def _made(session: Session, sheet: Path, how: dict[str, Any], life: timedelta = LIFE) -> Plan:
    against_now = how.pop("against_now")
    found = read_sheet(sheet, **how)

    def progress(rows: int) -> None:
        session.show(f"{rows:,} rows compared")

    made = make(session.client, found, against_now=against_now, life=life, on_progress=progress)
    session.show("")
    return made


def _apply(
    session: Session,
    todo: Plan,
    folder: Path | None,
    on_conflict: Any,
    settle_after: float,
    target: Path | None,
) -> int:
    if target and target.suffix.lower() not in REPORTS:
        raise click.BadParameter(f"known endings are {', '.join(REPORTS)}", param_hint="--report")
    if not todo.changes:
        session.note("nothing to do")
        return statuses.DONE
    with Journal(journal_path(todo, folder), todo) as journal:
        before = Report(todo, journal.entries())
        if before.count(*FINISHED) and taken_back(todo, folder):
            raise StalePlanError(
                f"plan {todo.short_id} was applied, and taken back since: make a new plan of the "
                "sheet to do it again"
            )
        if before.count(*FINISHED) == len(todo.changes):
            session.note("this plan was applied before; nothing is done again")
        progress = _Progress(session, len(todo.changes), before.count(*FINISHED))
        try:
            report = apply_plan(
                session.client,
                todo,
                journal,
                on_conflict=on_conflict,
                quiet=settle_after,
                on_progress=progress,
                on_wait=progress.wait,
            )
        except BaseException:
            so_far = Report(todo, journal.entries())
            session.note(
                f"{so_far.count('done')} of {len(so_far.entries)} changes are done; "
                f"go on with: social-publishing resume {todo.short_id}"
            )
            raise
        session.show("")
    if target:
        save(report, target)
    _write(session, map(dumped, report.entries), "row", "id", "name", "state", "reason")
    done, conflicts = report.count("done"), report.count("conflict")
    earlier = before.count("done")
    already = sum(
        is_new.state == "done" and not is_new.wrote and was.state != "done"
        for was, is_new in zip(before.entries, report.entries, strict=True)
    )
    session.note(
        f"{done - already - earlier} done, {f'{already} so already, ' * bool(already)}"
        f"{f'{earlier} done before, ' * bool(earlier)}"
        f"{conflicts} in conflict, {report.count('failed')} failed, "
        f"{report.count('waiting', 'sending', 'unknown')} left"
    )
    if report.complete:
        return statuses.DONE
    if report.count("unknown", "sending"):
        return statuses.UNKNOWN
    return statuses.PARTLY if done else statuses.FAILED


class _Progress:
    """How far an apply is, in the line of the session."""

    def __init__(self, session: Session, total: int, done: int) -> None:
        self.session, self.total, self.done = session, total, done

    def __call__(self, entry: Entry) -> None:
        self.done += entry.state in FINISHED
        self.session.show(f"{self.done} of {self.total}  {entry.change.name}")

    def wait(self, seconds: float) -> None:
        text = f"waiting {seconds:.0f} s to settle what got lost"
        self.session.show(f"{self.done} of {self.total}  {text}")


def _agreed(session: Session, made: Plan, yes: bool, question: str) -> bool:
    """Show a plan, and ask whether to carry it out unless that was said already."""
    asks = bool(made.changes) and not yes
    if asks and not sys.stdin.isatty():
        raise click.UsageError("there is no terminal to ask in: look at the plan, then add --yes")
    if asks or not session.quiet:
        write_changes(_lines(made), sys.stderr)
        _summarize(session, made)
    return not asks or session.confirmed(question.format(len(made.changes)))


def _show(session: Session, made: Plan) -> None:
    """Write what a plan changes, a line a field."""
    form = session.output or output.fitting(sys.stdout, session.jq)
    if form == "table" and not session.columns and not session.jq:
        write_changes(_lines(made), sys.stdout)
    else:
        _write(session, _lines(made), "row", "id", "name", "field", "before", "after", "warning")
    _summarize(session, made)


def _summarize(session: Session, made: Plan) -> None:
    if not made.changes:
        session.note(f"{_counted(made.rows, 'row')}, nothing to change")
        return
    cost = made.cost(_limit(session))
    warnings = sum(len(change.warnings) for change in made.changes)
    minutes = int(cost.time / timedelta(minutes=1))
    takes = f"at least {minutes} min" if minutes else "less than a minute"
    session.note(
        f"{_counted(made.rows, 'row')}, {_counted(len(made.changes), 'post')} to change, "
        f"{_counted(warnings, 'warning')}; {_counted(cost.requests, 'request')}, {takes}"
    )


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _limit(session: Session) -> int:
    room = session.client.rate_limit
    return (room.limit if room else None) or 60


def _lines(made: Plan) -> Iterator[dict[str, Any]]:
    for change in made.changes:
        yield from _fields(change)


def _fields(change: Change) -> Iterator[dict[str, Any]]:
    zone = zone_of(change)
    warnings = "; ".join(change.warnings)
    for name, step in change.fields.items():
        kind = EDITABLE[name].kind
        before, after = shown(step.before, kind, zone), shown(step.after, kind, zone)
        conflict = name in change.conflicts
        yield {
            "row": change.row,
            "id": change.id,
            "name": change.name,
            "field": name,
            "before": before,
            "after": after,
            **({"now": shown(step.now, kind, zone)} if conflict else {}),  # type: ignore[arg-type]
            "warning": warnings,
        }
        warnings = ""


def _write(session: Session, found: Iterator[Any], *preferred: str) -> None:
    output.write(
        found,
        form=session.output,
        columns=session.columns,
        preferred=preferred,
        jq=session.jq,
        uncut=("reason",),
    )


def _is_plan(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(64).lstrip().startswith(b"{")
    except OSError as error:
        raise PlanError(f"{path.name}: cannot be read: {error.strerror or error}") from None


def _found(plan_id: str | None, folder: Path | None) -> Path:
    if plan_id:
        wanted = plan_id.removeprefix("sha256:")[:12]
        found = [path for path in journals(folder) if path.stem.startswith(wanted)]
        if len(found) > 1:
            names = ", ".join(sorted(path.stem for path in found))
            raise PlanError(f"{plan_id} may be any of {names}")
        if found:
            return found[0]
        raise PlanError(f"there is no plan {plan_id}")
    for path in journals(folder):
        with Journal(path, read_only=True) as journal:
            if not journal.plan.undoes:
                return path
    raise PlanError("no plan was applied yet")


def _summaries(folder: Path | None) -> Iterator[dict[str, Any]]:
    for path in journals(folder):
        with Journal(path, read_only=True) as journal:
            report = Report(journal.plan, journal.entries())
        made = report.plan.made.astimezone(UTC)
        yield {
            "plan": report.plan.short_id,
            "source": report.plan.source,
            "made": f"{made:%Y-%m-%d %H:%M}",
            "changes": len(report.entries),
            "done": report.count("done"),
            "conflicts": report.count("conflict"),
            "failed": report.count("failed"),
            "left": report.count("waiting", "sending", "unknown"),
            "undoes": (report.plan.undoes or "").removeprefix("sha256:")[:12],
        }
