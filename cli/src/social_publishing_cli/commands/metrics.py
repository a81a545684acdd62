"""`metrics`: the metrics of published posts, a row for each post and account."""

from __future__ import annotations

import click

from ..command import pass_session, session_options
from ..metrics import collect
from ..session import Session
from ..sheets.exporting import Month, posts_of
from .export import group_option, month_option


@click.command()
@group_option
@month_option
@session_options
@pass_session
def metrics(session: Session, /, groups: tuple[str, ...], month: Month | None) -> None:
    """Read the metrics of published posts, with one request per post.

    Writes one row per post and account; --output csv makes a sheet.
    """
    posts = posts_of(session.client, groups, month)
    rows = [*collect(session.client, posts, lambda count: session.show(f"{count} posts read"))]
    session.show("")
    session.write(rows, "published", "network", "name", "score", "views", "engagements")
