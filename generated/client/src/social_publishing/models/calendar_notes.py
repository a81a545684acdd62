# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `calendar_notes`."""

import datetime as dt
from typing import Annotated

from .._runtime.core.models import (
    UNSET,
    AwareDatetime,
    Maybe,
    Meta,
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
    """Text of the note. At most 500 characters."""

    color: Color
    """Colour of the note."""

    is_private: bool
    """True when only its author is to see the note; nobody else can set it."""

    visible_for_client: bool
    """True when clients are to see the note."""


class CalendarNoteReschedule(RequestModel, kw_only=True):
    """The new dates of a note (assumed)."""

    start_date: dt.datetime
    """Start of the note."""

    end_date: dt.datetime
    """End of the note."""


class CalendarNote(ResponseModel, kw_only=True):
    """A note in the calendar."""

    id: str
    """Identifier of the note."""

    organization_id: Maybe[str] = UNSET
    """Organization that owns the note."""

    user_id: Maybe[str] = UNSET
    """User who wrote it."""

    group_id: Maybe[str] = UNSET
    """Group to which the note is limited; null shows it in all groups."""

    title: Maybe[str] = UNSET
    """Title of the note."""

    content: Maybe[str] = UNSET
    """Text of the note."""

    color: Maybe[Color] = UNSET
    """Colour of the note."""

    start_date: Maybe[AwareDatetime] = UNSET
    """Start of the note."""

    end_date: Maybe[AwareDatetime] = UNSET
    """End of the note."""

    end_date_extra_day: Maybe[AwareDatetime] = UNSET
    """End of the note with an extra day; how it follows is not documented (assumed)."""

    visible_for_client: Maybe[bool] = UNSET
    """True when clients see the note."""

    is_private: Maybe[bool] = UNSET
    """True when only its author sees it."""
