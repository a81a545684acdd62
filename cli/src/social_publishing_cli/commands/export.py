"""`export posts`: a month of posts as a spreadsheet, or data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path

import click

from .. import output
from ..command import F, Group, force_option, pass_session, session_options
from ..session import Session
from ..sheets.columns import columns_of
from ..sheets.exporting import Month, posts_of, record
from ..sheets.writing import WRITERS, write_sheet

group_option = click.option(
    "--group",
    "groups",
    multiple=True,
    metavar="GROUP",
    help="The group, by its name or its id; repeatable. Default: that of the profile.",
)


@click.group(cls=Group)
@session_options
def export() -> None:
    """Export planned posts to a file."""


def _month(ctx: click.Context, parameter: click.Parameter, value: str | None) -> Month | None:
    try:
        return Month(value) if value else None
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


month_option = click.option(
    "--month",
    callback=_month,
    metavar="YYYY-MM",
    help="Month, such as 2026-12, in the group's time zone.",
)


def target_option(endings: Iterable[str]) -> Callable[[F], F]:
    """Return the option of the file to write, whose extension is one of these."""
    return click.option(
        "-o",
        "--save",
        "target",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help=f"File to write; its extension sets the format: {', '.join(endings)}.",
    )


resume_option = click.option(
    "--resume", is_flag=True, help="Keep what the same command had read when it was interrupted."
)


def check_ending(target: Path | None, endings: Collection[str], option: str = "-o") -> None:
    """See that a file is of a kind that can be written."""
    if target and target.suffix.lower() not in endings:
        what = f"{target.name}: unknown extension" if target.name else "names no file"
        reason = f"{what}; use {', '.join(endings)}"
        raise click.BadParameter(reason, param_hint=option)


@export.command()
@group_option
@month_option
@click.option("--undated", is_flag=True, help="Include posts without a publication date.")
@target_option(WRITERS)
@force_option
@resume_option
@session_options
@pass_session
def posts(
    session: Session,
    groups: tuple[str, ...],
    month: Month | None,
    undated: bool,
    target: Path | None,
    force: bool,
    resume: bool,
) -> None:
    """Export posts as a sheet that `plan` and `apply` can read (.csv, .xlsx).

    Times are in the group's time zone; the column timezone names it. Without -o, writes to standard
    output. The sheet has a column for each field of a post that one of them uses; `--columns all`
    gives it every field that can be edited.
    """
    every = [*session.columns] == ["all"]
    if every:
        session.columns = ()
    check_ending(target, WRITERS)
    output.check_target(target, force)
    chosen = session.groups(groups)
    key = ("posts", chosen, month and str(month.first), undated)
    with session.readings(key, resume) as readings:
        deleted: set[str] = set()
        dated_posts = posts_of(
            session.client, chosen, month, undated, readings, session.show, deleted
        )
        if target:
            count = write_sheet(target, dated_posts, session.names, every)
            left = output.left_out(len(deleted))
            written = output.counted(count, "post")
            session.note(f"{written} written to {target}{left and f'; {left}'}")
            return
        found = [*dated_posts]
    session.show("")
    if deleted:
        session.note(output.left_out(len(deleted)))
    columns = columns_of((post for _, _, post in found), every)
    rows = (record(*each, session.names, columns) for each in found)
    session.write(rows, "id", "publication_date", "status", "networks", "name")
