"""A month as a file: a page to send or to print, and a calendar for other programs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from ..files import replacing
from ..html import rendered
from ..output import counted
from ..sheets.cells import on_clocks_of
from .reading import GroupMonth
from .words import MARKS, UNKNOWN, clock, legend, short, spans, spoken


def write_file(month: GroupMonth, path: Path, thumbnails: bool = False) -> None:
    """Write a month to a file; its extension, one of `ENDINGS`, says as what.

    Args:
        thumbnails: Whether a page shows the pictures of the service, which a browser then loads.

    Raises:
        OSError: The file cannot be written.
    """
    content = ENDINGS[path.suffix.lower()](month, thumbnails)
    with replacing(path) as new:
        new.write_bytes(content)


def _page(month: GroupMonth, thumbnails: bool) -> bytes:
    """Return a page that needs no script and no other host."""
    return rendered(
        "month.html.jinja",
        {"short": short, "clock": clock, "legend": legend, "spans": spans, "counted": counted},
        month=month,
        marks={name: mark for name, (mark, _) in MARKS.items()},
        unknown=UNKNOWN[0],
        spoken=spoken,
        thumbnails=thumbnails,
    )


def _ics(month: GroupMonth, thumbnails: bool) -> bytes:
    """Return a calendar (RFC 5545): an event for each post, and one of whole days for a note."""
    from icalendar import Calendar, Event

    made = Calendar()
    made.add("prodid", "-//social-publishing//EN")
    made.add("version", "2.0")
    made.add("x-wr-calname", f"{month.group}, {month.first:%B %Y}")
    now = datetime.now(UTC)
    for entry in month.entries:
        event = Event()
        event.add("uid", f"post-{entry.id}@social-publishing")
        event.add("dtstamp", now)
        event.add("dtstart", on_clocks_of(UTC, entry.moment) or entry.moment.date())
        event.add("summary", f"{entry.label} ({', '.join(entry.networks)})")
        texts = dict.fromkeys(f"{each.text}{each.rest}" for each in entry.cuts)
        event.add("description", "\n\n".join([spoken(entry.status), *texts]))
        if entry.link:
            event.add("url", entry.link)
        made.add_component(event)
    for note in month.notes:
        event = Event()
        event.add("uid", f"note-{note.id}@social-publishing")
        event.add("dtstamp", now)
        event.add("dtstart", note.first)
        event.add("dtend", note.last + timedelta(note.last < date.max))
        event.add("summary", note.title)
        event.add("description", note.content)
        made.add_component(event)
    return bytes(made.to_ical())


ENDINGS: Final[dict[str, Callable[[GroupMonth, bool], bytes]]] = {".html": _page, ".ics": _ics}
