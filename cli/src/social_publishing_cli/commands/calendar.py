"""`calendar`: a month of a group in the terminal, as a page, or for a calendar program."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from .. import output
from ..command import force_option, pass_session, session_options
from ..months.files import ENDINGS, write_file
from ..months.reading import GroupMonth, read_month
from ..months.terminal import write_month
from ..months.words import clock, spoken
from ..session import Session
from ..sheets.exporting import Month
from .export import check_ending, month_option, target_option


@click.command()
@click.option(
    "--group",
    metavar="GROUP",
    help="The group, by its name or its id. Default: that of the profile.",
)
@month_option
@target_option(ENDINGS)
@click.option(
    "--thumbnails", is_flag=True, help="Show pictures in a page; browsers load them then."
)
@force_option
@session_options
@pass_session
def calendar(
    session: Session,
    /,
    group: str | None,
    month: Month | None,
    target: Path | None,
    thumbnails: bool,
    force: bool,
) -> None:
    """Show a month of posts and notes as a calendar.

    The terminal gets a table of weeks, or a list if it is narrow. -o writes a page to send or to
    print (.html), with the text as each network takes it, or a file for calendar programs (.ics).
    Times are in the group's time zone.
    """
    check_ending(target, ENDINGS)
    if thumbnails and (not target or target.suffix.lower() != ".html"):
        raise click.UsageError("--thumbnails is for a page: add -o december.html")
    output.check_target(target, force)
    chosen = session.group(group)
    client = session.client
    now = session.service_time or datetime.now(UTC)
    found = read_month(client, chosen, month or now, session.names, session.show)
    session.show("")
    if found.deleted:
        session.note(output.left_out(found.deleted))
    if target:
        write_file(found, target, thumbnails)
        posts = output.counted(len(found.entries), "post")
        notes = output.counted(len(found.notes), "note")
        session.note(f"{posts} and {notes} written to {target}")
    elif session.is_for_people:
        write_month(found, sys.stdout)
    else:
        session.write(_rows(found), "day", "time", "status", "networks", "name")


def _rows(month: GroupMonth) -> list[dict[str, Any]]:
    """Return the posts and notes of a month, by day."""
    rows: list[dict[str, Any]] = [
        {
            "day": f"{entry.moment:%Y-%m-%d}",
            "weekday": f"{entry.moment:%a}",
            "time": clock(entry.moment),
            "timezone": month.zone.key,
            "kind": "post",
            "id": entry.id,
            "status": spoken(entry.status),
            "networks": ", ".join(entry.networks),
            "name": entry.label,
            "until": "",
        }
        for entry in month.entries
    ]
    rows += [
        {
            "day": f"{note.first}",
            "weekday": f"{note.first:%a}",
            "time": "",
            "timezone": month.zone.key,
            "kind": "note",
            "id": note.id,
            "status": "",
            "networks": "",
            "name": note.title,
            "until": f"{note.last}",
        }
        for note in month.notes
    ]
    return sorted(rows, key=lambda row: (row["day"], row["time"][:5]))
