"""`metrics`: what published posts did, as a table, a chart, or a page to send on."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .. import output
from ..command import force_option, pass_session, session_options
from ..metrics.collecting import Row, collect, record, totals
from ..session import Session
from ..sheets.exporting import Month, posts_of
from .export import group_option, month_option


@click.command()
@group_option
@month_option
@click.option("--chart", is_flag=True, help="Draw engagements by post in the terminal.")
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write one self-contained page with charts and tables.",
)
@force_option
@session_options
@pass_session
def metrics(
    session: Session,
    /,
    groups: tuple[str, ...],
    month: Month | None,
    chart: bool,
    page: Path | None,
    force: bool,
) -> None:
    """Read the metrics of published posts: one request a post.

    Writes a row for each post and account; with --chart a chart, with --html a page.
    """
    if page:
        try:
            from ..metrics.page import write_page
        except ImportError as error:
            raise click.UsageError(f"--html {error}") from None
        output.check_target(page, force)
    posts = posts_of(session.client, groups, month)
    rows = [*collect(session.client, posts, lambda count: session.show(f"{count} posts read"))]
    session.show("")
    if page:
        when = f", {month.first:%B %Y}" if month else ""
        names = ", ".join(session.client.groups.get(group).name or group for group in groups)
        write_page(page, f"{names}{when}", rows)
        session.note(f"{len(rows)} rows written to {page}")
    if chart:
        _chart(rows)
    if not page and not chart:
        columns = ("published", "network", "name", "score", "views", "engagements")
        session.write(map(record, rows), *columns)


def _chart(rows: list[Row]) -> None:
    from rich.bar import Bar
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    sums = totals(rows, lambda row: f"{row.published[:10]}  {row.name}")
    most = max((each.get("engagements", 0) for each in sums.values()), default=0)
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(max_width=48, no_wrap=True, overflow="ellipsis")
    table.add_column(justify="right", no_wrap=True)
    table.add_column(ratio=1)
    for name, counts in sums.items():
        value = counts.get("engagements")
        shown = f"{value:,}" if value is not None else "–"
        table.add_row(
            Text(output.visible(name)), shown, Bar(max(most, 1), 0, value or 0, color="blue")
        )
    Console(file=sys.stdout).print(table)
