# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `calendar_notes`."""

import datetime as dt
from typing import Annotated

from .._runtime.core.models import (
    MISSING,
    AwareDatetime,
    Meta,
    Present,
    RequestModel,
    ResponseModel,
)
from .shared import Color, Id

__all__ = [
    "CalendarNote",
    "CalendarNoteReplacement",
    "CalendarNoteReschedule",
]


class CalendarNoteReplacement(RequestModel, kw_only=True):
    """All values of a note that can be set; all of them must be sent."""

    title: Annotated[str, Meta(max_length=100)]
    """Title of the note. At most 100 characters."""

    start_date: dt.datetime
    """Start of the note."""

    end_date: dt.datetime
    """End of the note."""

    group_id: Id | None
    """Group to which the note is limited; null shows it in all groups."""

    content: Annotated[str, Meta(max_length=500)]
    """Content of the note. At most 500 characters."""

    color: Color
    """Colour of the note."""

    is_private: bool
    """True when only its author is to see the note; nobody else can set it."""

    visible_for_client: bool
    """True also shows the note to clients."""


class CalendarNoteReschedule(RequestModel, kw_only=True):
    """The new dates of a note."""

    start_date: dt.datetime
    """Start of the note. That it is required is assumed (rescheduleCalendarNote.required)."""

    end_date: dt.datetime
    """End of the note. That it is required is assumed (rescheduleCalendarNote.required)."""


class CalendarNote(ResponseModel, kw_only=True):
    """A note in the calendar. Which fields always have a value is assumed (presence.note)."""

    id: str = MISSING
    """Identifier of the note."""

    organization_id: str = MISSING
    """Organization of the note."""

    user_id: str = MISSING
    """User who wrote it."""

    group_id: Present[str | None] = MISSING
    """Group to which the note is limited; null shows it in all groups."""

    title: str = MISSING
    """Title of the note."""

    content: str | None = MISSING
    """Content of the note."""

    color: Color = MISSING
    """Colour of the note."""

    start_date: AwareDatetime = MISSING
    """Start of the note."""

    end_date: AwareDatetime = MISSING
    """End of the note."""

    end_date_extra_day: AwareDatetime | None = MISSING
    """End of the note with an extra day; how it follows is not documented."""

    visible_for_client: bool = MISSING
    """True also shows the note to clients."""

    is_private: bool = MISSING
    """True when only its author sees it."""
