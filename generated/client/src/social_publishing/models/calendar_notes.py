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
    """All values of a note that can be set; all of them must be sent.

    Not known: replaceCalendarNote.required.

    Attributes:
        title: Title of the note. At most 100 characters.
        start_date: Start of the note.
        end_date: End of the note.
        group_id: Group to which the note is limited; null shows it in all groups.
        content: Text of the note. At most 500 characters.
        color: Colour of the note.
        is_private: True when only its author is to see the note; nobody else can set it.
        visible_for_client: True when clients are to see the note.
    """

    title: Annotated[str, Meta(max_length=100)]
    start_date: dt.datetime
    end_date: dt.datetime
    group_id: Id | None
    content: Annotated[str, Meta(max_length=500)]
    color: Color
    is_private: bool
    visible_for_client: bool


class CalendarNoteReschedule(RequestModel, kw_only=True):
    """The new dates of a note.

    Assumed: rescheduleCalendarNote.required.

    Attributes:
        start_date: Start of the note.
        end_date: End of the note.
    """

    start_date: dt.datetime
    end_date: dt.datetime


class CalendarNote(ResponseModel, kw_only=True):
    """A note in the calendar.

    Assumed: presence.note.

    Attributes:
        id: Identifier of the note.
        organization_id: Organization that owns the note.
        user_id: User who wrote it.
        group_id: Group to which the note is limited; null shows it in all groups.
        title: Title of the note.
        content: Text of the note.
        color: Colour of the note.
        start_date: Start of the note.
        end_date: End of the note.
        end_date_extra_day: End of the note with an extra day; how it follows is not documented.
            Assumed: notes.extraDay.
        visible_for_client: True when clients see the note.
        is_private: True when only its author sees it.
    """

    id: str = MISSING
    organization_id: str = MISSING
    user_id: str = MISSING
    group_id: Present[str | None] = MISSING
    title: str = MISSING
    content: str | None = MISSING
    color: Color = MISSING
    start_date: AwareDatetime = MISSING
    end_date: AwareDatetime = MISSING
    end_date_extra_day: AwareDatetime | None = MISSING
    visible_for_client: bool = MISSING
    is_private: bool = MISSING
