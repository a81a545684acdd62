"""`metrics`: what published posts did, a row for each post and account, added up, or drawn."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from .. import output
from ..command import force_option, pass_session, session_options
from ..files import replacing
from ..metrics import COUNTS, FIELDS, collect
from ..session import Session
from ..sheets.exporting import Month, posts_of
from ..sheets.writing import WRITERS, Column, write_table
from ..summaries.page import page_of
from ..summaries.summing import DIMENSIONS, MEASURES, Summary, record, so_far
from ..summaries.terminal import write_summary
from ..summaries.workbook import add_summary
from .export import check_ending, group_option, month_option, resume_option, target_option

_NUMBERS = {"score", *COUNTS}
_ENDINGS = (*WRITERS, ".html")
_MOST_NAMES = 3  # of groups, in a title


@click.command()
@group_option
@month_option
@target_option(_ENDINGS)
@click.option("--chart", is_flag=True, help="Draw totals and bars in the terminal.")
@click.option(
    "--by", type=click.Choice(["all", *DIMENSIONS]), help="Add up: a row for each, instead."
)
@click.option(
    "--measure",
    type=click.Choice(MEASURES),
    help="What the bars of charts show. Default: engagements.",
)
@click.option(
    "--no-compare",
    is_flag=True,
    help="Draw the month alone, without the one before it, whose posts cost a request each.",
)
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
    chart: bool,
    by: str | None,
    measure: str | None,
    no_compare: bool,
    force: bool,
    resume: bool,
) -> None:
    """Read the metrics of published posts, with one request per post.

    Writes a row for each post and account, with times in the group's time zone. --by adds them up.
    -o makes a page to send or to print (.html), with totals, charts, and the best and the worst; a
    workbook of the rows and of charts; or a CSV file that Excel reads: names beside ids, and ids as
    text. --chart draws in the terminal. Charts of a --month have the month before beside it.
    """
    check_ending(target, _ENDINGS)
    output.check_target(target, force)
    if by and (chart or target):
        raise click.UsageError("--by writes rows: leave out --chart and -o, or use --output csv")
    is_drawn = chart or (target and target.suffix.lower() in (".html", ".xlsx"))
    if measure and not is_drawn:
        raise click.UsageError("--measure is for charts: add --chart, or -o november.html")
    if chart and (session.output not in (None, "table") or session.jq or session.columns):
        raise click.UsageError("--chart is for people: --by writes the same as data")
    chosen = session.groups(groups)
    ending = target.suffix.lower() if target else ""
    previous = month.before if month and not no_compare else None
    previous = previous if chart or ending in (".html", ".xlsx") else None
    now, before = _read(session, chosen, month, previous, resume)
    summary = Summary(
        _named(session, chosen),
        f"{month.first:%B %Y}" if month else "all months",
        now,
        f"{previous.first:%B %Y}" if previous else "",
        before,
        measure or "engagements",
        so_far(
            month,
            session.service_time or datetime.now(UTC),
            {row["timezone"] for row in (*now, *before)},
        ),
    )
    if target:
        _write(target, summary)
        session.note(f"{output.counted(len(now), 'row')} written to {target}")
    if chart:
        write_summary(summary, sys.stdout)
    elif by:
        parts = summary.parts(by) if by in DIMENSIONS else [summary.total]
        session.write([record(by, part) for part in parts])
    elif not target:
        several = ("account_name",) if "account" in summary.charted else ()
        shown = ("published", "network", *several, "name", "score", "views", "engagements")
        session.write(now, *shown)
    if not now:
        session.note("no post was published in this month" if month else "no post was published")


def _read(
    session: Session, groups: list[str], month: Month | None, previous: Month | None, resume: bool
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Read the rows of a month, and of the one before it."""
    range_ = month.with_one_before() if month and previous else month
    key = ("metrics", groups, range_ and (str(range_.first), str(range_.end)))
    with session.readings(key, resume) as readings:
        posts = [*posts_of(session.client, groups, range_, False, readings, session.show)]
        rows = [
            _row(session, row) for row in collect(session.client, posts, readings, session.show)
        ]
    session.show("")
    earlier = {
        post.id for _, zone, post in posts if previous and previous.has(post.publication_date, zone)
    }
    now = [row for row in rows if row["post"] not in earlier]
    return now, [row for row in rows if row["post"] in earlier]


def _named(session: Session, groups: list[str]) -> str:
    names = [session.names.label(group) for group in groups]
    return ", ".join(names) if len(names) <= _MOST_NAMES else f"{len(names)} groups"


def _write(target: Path, summary: Summary) -> None:
    ending = target.suffix.lower()
    if ending == ".html":
        with replacing(target) as new:
            new.write_bytes(page_of(summary))
        return
    is_workbook = ending == ".xlsx"  # whose dates show their weekday
    columns = [_column(each) for each in FIELDS if each != "weekday" or not is_workbook]
    write_table(target, "metrics", columns, summary.rows, partial(add_summary, summary=summary))


def _row(session: Session, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with the name of its account beside the id."""
    named = {**row, "account_name": session.names.label(row["account"])}
    return {name: named[name] for name in FIELDS}


def _column(name: str) -> Column:
    kind = "number" if name in _NUMBERS else "moment" if name == "published" else "text"
    return Column(name, kind)
