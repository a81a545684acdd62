"""`metrics`: the metrics of published posts, a row for each post and account."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from .. import output
from ..command import force_option, pass_session, session_options
from ..metrics import COUNTS, FIELDS, collect
from ..session import Session
from ..sheets.exporting import Month, posts_of
from ..sheets.writing import WRITERS, Column, write_table
from .export import check_ending, group_option, month_option, resume_option, target_option

_NUMBERS = {"score", *COUNTS}


@click.command()
@group_option
@month_option
@target_option(WRITERS)
@force_option
@resume_option
@session_options
@pass_session
def metrics(
    session: Session,
    /,
    groups: tuple[str, ...],
    month: Month | None,
    target: Path | None,
    force: bool,
    resume: bool,
) -> None:
    """Read the metrics of published posts, with one request per post.

    Writes a row for each post and account, with times in the group's time zone. -o makes a workbook
    of them, or a CSV file that Excel reads: names beside ids, and ids as text.
    """
    check_ending(target, WRITERS)
    output.check_target(target, force)
    chosen = session.groups(groups)
    key = ("metrics", chosen, month and str(month.first))
    with session.readings("posts", key, resume) as readings:
        posts = [*posts_of(session.client, chosen, month, show=session.show)]
        rows = [
            _row(session, row) for row in collect(session.client, posts, readings, session.show)
        ]
    session.show("")
    if target:
        is_workbook = target.suffix.lower() == ".xlsx"  # whose dates show their weekday
        columns = [_column(each) for each in FIELDS if each != "weekday" or not is_workbook]
        write_table(target, "metrics", columns, rows)
        session.note(f"{len(rows)} rows written to {target}")
        return
    session.write(rows, "published", "network", "name", "score", "views", "engagements")
    if not rows:
        session.note("no post was published there and then")


def _row(session: Session, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with the name of its account beside the id."""
    named = {**row, "account_name": session.names.label(row["account"])}
    return {name: named[name] for name in FIELDS}


def _column(name: str) -> Column:
    kind = "number" if name in _NUMBERS else "moment" if name == "published" else "text"
    return Column(name, kind)
