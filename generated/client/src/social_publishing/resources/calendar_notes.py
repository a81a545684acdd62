# Generated from spec/main.yaml by `python -m pipeline generate`. Do not edit.
"""Notes in the calendar.

Each `build_…` function checks the arguments of an operation and makes its request, without sending
it; the methods of both clients send what it makes.
Each `plan_…` function puts several requests together, or makes one of what was read.
"""

from __future__ import annotations

import builtins
import datetime as dt
from functools import cached_property

from .._runtime.core.errors import AssumedNameWarning
from .._runtime.core.models import UNSET, UnsetType
from .._runtime.engine.effects import Call
from .._runtime.engine.resource import AsyncResource, Resource
from .._runtime.plans.batching import Windows
from .._runtime.plans.read_modify_write import replaced
from .._runtime.request.request import Caution, Request, prepare
from .._runtime.request.validation import Parameter, Window
from .._runtime.request.write_back import WriteBack
from .._runtime.response.raw import RawResponse
from ..models.calendar_notes import (
    CalendarNote,
    CalendarNoteReplacement,
    CalendarNoteReschedule,
)
from ..models.shared import Color, Id

__all__ = [
    "AsyncCalendarNotesResource",
    "CalendarNotesResource",
    "build_list",
    "build_replace",
    "build_delete",
    "build_reschedule",
    "plan_list",
    "plan_update",
]

CALENDAR_NOTE_REPLACEMENT = WriteBack(CalendarNoteReplacement)


def build_list(
    *,
    start: dt.datetime,
    end: dt.datetime,
    group_id: str | UnsetType = UNSET,
) -> Request[list[CalendarNote]]:
    """Build a request of `calendar_notes.list`."""
    return prepare(
        operation="calendar_notes.list",
        server="main",
        method="GET",
        path="/calendar-notes",
        query=[
            Parameter("start_date", start, dt.datetime, "start"),
            Parameter("end_date", end, dt.datetime, "end"),
            Parameter("groupId", group_id, Id, "group_id"),
        ],
        window=Window(start=("start", start), end=("end", end), under_days=60),
        returns=list[CalendarNote],
        retry_safety="safe",
    )


def plan_list(
    *,
    start: dt.datetime,
    end: dt.datetime,
    group_id: str | UnsetType = UNSET,
) -> Call[list[CalendarNote]]:
    """Plan the requests of `calendar_notes.list`."""
    return Windows(
        "calendar_notes.list",
        lambda start, end: build_list(start=start, end=end, group_id=group_id),
        start=("start", start),
        end=("end", end),
        under_days=60,
        key="id",
        by="start_date",
    )


def build_replace(
    calendar_note_id: str,
    *,
    title: str,
    start_date: dt.datetime,
    end_date: dt.datetime,
    group_id: str | None,
    content: str,
    color: Color,
    is_private: bool,
    visible_for_client: bool,
) -> Request[CalendarNote]:
    """Build a request of `calendar_notes.replace`."""
    return prepare(
        operation="calendar_notes.replace",
        server="main",
        method="PUT",
        path="/calendar-notes/{calendarNote}",
        path_parameters=[Parameter("calendarNote", calendar_note_id, Id, "calendar_note_id")],
        json=CalendarNoteReplacement(
            title=title,
            start_date=start_date,
            end_date=end_date,
            group_id=group_id,
            content=content,
            color=color,
            is_private=is_private,
            visible_for_client=visible_for_client,
        ),
        returns=CalendarNote,
        retry_safety="idempotent",
    )


def plan_update(
    calendar_note: CalendarNote,
    *,
    title: str | UnsetType = UNSET,
    start_date: dt.datetime | UnsetType = UNSET,
    end_date: dt.datetime | UnsetType = UNSET,
    group_id: str | None | UnsetType = UNSET,
    content: str | UnsetType = UNSET,
    color: Color | UnsetType = UNSET,
    is_private: bool | UnsetType = UNSET,
    visible_for_client: bool | UnsetType = UNSET,
) -> Request[CalendarNote]:
    """Build a request of `calendar_notes.update`."""
    return replaced(
        "calendar_notes.update",
        ("calendar_note", calendar_note, CalendarNote),
        lambda changed: build_replace(calendar_note.id, **changed),
        {
            "title": title,
            "start_date": start_date,
            "end_date": end_date,
            "group_id": group_id,
            "content": content,
            "color": color,
            "is_private": is_private,
            "visible_for_client": visible_for_client,
        },
        CALENDAR_NOTE_REPLACEMENT,
    )


def build_delete(
    calendar_note_id: str, *, related_notes: bool | UnsetType = UNSET
) -> Request[None]:
    """Build a request of `calendar_notes.delete`."""
    return prepare(
        operation="calendar_notes.delete",
        server="main",
        method="DELETE",
        path="/calendar-notes/{calendarNote}",
        path_parameters=[Parameter("calendarNote", calendar_note_id, Id, "calendar_note_id")],
        query=[Parameter("deleteGroupedNotes", related_notes, bool, "related_notes")],
        cautions=[
            (
                related_notes,
                Caution(
                    AssumedNameWarning,
                    "related_notes is sent as deleteGroupedNotes, and that name is assumed (deleteCalendarNote.group). A service that does not know it may report success without doing it: check the result. An overlay in overlays/confirmed that confirms the name ends this warning.",
                ),
            )
        ],
        returns=None,
        retry_safety="idempotent",
    )


def build_reschedule(
    calendar_note_id: str,
    *,
    start_date: dt.datetime,
    end_date: dt.datetime,
) -> Request[CalendarNote]:
    """Build a request of `calendar_notes.reschedule`."""
    return prepare(
        operation="calendar_notes.reschedule",
        server="main",
        method="POST",
        path="/calendar-notes/{calendarNoteId}/reschedule",
        path_parameters=[Parameter("calendarNoteId", calendar_note_id, Id, "calendar_note_id")],
        json=CalendarNoteReschedule(start_date=start_date, end_date=end_date),
        returns=CalendarNote,
        retry_safety="idempotent",
    )


class CalendarNotesResource(Resource):
    """Notes in the calendar."""

    _name = "calendar_notes"

    @cached_property
    def with_raw_response(self) -> CalendarNotesResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return CalendarNotesResourceWithRawResponse(self._client)

    def list(
        self,
        *,
        start: dt.datetime,
        end: dt.datetime,
        group_id: str | UnsetType = UNSET,
    ) -> builtins.list[CalendarNote]:
        """List calendar notes.

        Gives the notes of a range of time, in every group or in one. The range has to stay under 60
        days; exactly 60 are too many.

        This method takes a range of any length: 60 days or more are read in several requests, up to
        4 at a time, and each calendar note is listed once.

        Args:
            start: Start of the range. The name `start_date` is assumed (notes.range.start). The
                format date-time is assumed (notes.range.format). Needs a time zone.
            end: End of the range. The name `end_date` is assumed (notes.range.end). The format
                date-time is assumed (notes.range.format). Needs a time zone.
            group_id: Identifier of the group whose notes are wanted; all groups without it. The
                name `groupId` is assumed (notes.group).

        Returns:
            The notes.

        Raises:
            ArgumentError: An argument is not valid, or `end` lies before `start`; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            PartialFailure: Some requests failed; the error has the responses of the others.

        Example:
            >>> from datetime import datetime, timezone
            >>> client.calendar_notes.list(
            ...     start=datetime(2026, 12, 1, 0, 0, tzinfo=timezone.utc),
            ...     end=datetime(2026, 12, 31, 0, 0, tzinfo=timezone.utc),
            ... )

        GET /calendar-notes (§4.4). Partly assumed: see `api.md`.
        """
        return self._client.send(plan_list(start=start, end=end, group_id=group_id))

    def replace(
        self,
        calendar_note_id: str,
        *,
        title: str,
        start_date: dt.datetime,
        end_date: dt.datetime,
        group_id: str | None,
        content: str,
        color: Color,
        is_private: bool,
        visible_for_client: bool,
    ) -> CalendarNote:
        """Replace the values of a calendar note.

        Sets all values of a note at once: all fields must be sent. Only the author can make a note
        private.

        Args:
            calendar_note_id: Identifier of the calendar note.
            title: Title of the note. At most 100 characters.
            start_date: Start of the note. Needs a time zone.
            end_date: End of the note. Needs a time zone.
            group_id: Group to which the note is limited; null shows it in all groups.
            content: Content of the note. At most 500 characters.
            color: Colour of the note.
            is_private: True when only its author is to see the note; nobody else can set it.
            visible_for_client: True also shows the note to clients.

        Returns:
            The note.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            BadRequestError: The request is refused (400).
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> from datetime import datetime, timezone
            >>> from social_publishing.models import Color
            >>> client.calendar_notes.replace(
            ...     "9032915132417572874",
            ...     title="Opening week",
            ...     start_date=datetime(2026, 12, 1, 9, 0, tzinfo=timezone.utc),
            ...     end_date=datetime(2026, 12, 2, 18, 0, tzinfo=timezone.utc),
            ...     group_id="9032915132417572866",
            ...     content="Free coffee on both days.",
            ...     color=Color.GREEN,
            ...     is_private=False,
            ...     visible_for_client=False,
            ... )

        PUT /calendar-notes/{calendarNote} (§4.4). Partly assumed: see `api.md`.
        """
        return self._client.send(
            build_replace(
                calendar_note_id,
                title=title,
                start_date=start_date,
                end_date=end_date,
                group_id=group_id,
                content=content,
                color=color,
                is_private=is_private,
                visible_for_client=visible_for_client,
            )
        )

    def update(
        self,
        calendar_note: CalendarNote,
        *,
        title: str | UnsetType = UNSET,
        start_date: dt.datetime | UnsetType = UNSET,
        end_date: dt.datetime | UnsetType = UNSET,
        group_id: str | None | UnsetType = UNSET,
        content: str | UnsetType = UNSET,
        color: Color | UnsetType = UNSET,
        is_private: bool | UnsetType = UNSET,
        visible_for_client: bool | UnsetType = UNSET,
    ) -> CalendarNote:
        """Change some values, and keep the others.

        Sends all values with `calendar_notes.replace`: yours, and the others from `calendar_note`.
        None is sent as null, where null is allowed.

        Args:
            calendar_note: The object that was read. Changes that others have made since are
                overwritten.
            title: Title of the note. At most 100 characters.
            start_date: Start of the note. Needs a time zone.
            end_date: End of the note. Needs a time zone.
            group_id: Group to which the note is limited; null shows it in all groups.
            content: Content of the note. At most 500 characters.
            color: Colour of the note.
            is_private: True when only its author is to see the note; nobody else can set it.
            visible_for_client: True also shows the note to clients.

        Returns:
            The note.

        Raises:
            ArgumentError: An argument is not valid, or there is none; or a value to keep was not
                read, or cannot be sent back. Nothing was sent.
            BadRequestError: The request is refused (400).
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        PUT /calendar-notes/{calendarNote} (§4.4). Partly assumed: see `api.md`.
        """
        return self._client.send(
            plan_update(
                calendar_note,
                title=title,
                start_date=start_date,
                end_date=end_date,
                group_id=group_id,
                content=content,
                color=color,
                is_private=is_private,
                visible_for_client=visible_for_client,
            )
        )

    def delete(
        self,
        calendar_note_id: str,
        *,
        related_notes: bool | UnsetType = UNSET,
    ) -> None:
        """Delete a calendar note.

        On request, the notes that are grouped with it go, too.

        Args:
            calendar_note_id: Identifier of the calendar note.
            related_notes: True also deletes all notes that are grouped with this one. The name
                `deleteGroupedNotes` is assumed (deleteCalendarNote.group). Warns while its name is
                assumed.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.calendar_notes.delete("9032915132417572874")

        DELETE /calendar-notes/{calendarNote} (§4.4). Partly assumed: see `api.md`.
        """
        self._client.send(build_delete(calendar_note_id, related_notes=related_notes))

    def reschedule(
        self,
        calendar_note_id: str,
        *,
        start_date: dt.datetime,
        end_date: dt.datetime,
    ) -> CalendarNote:
        """Move a calendar note to new dates.

        Moves a note to another range of time. What repeating it does is assumed
        (rescheduleCalendarNote.repeat).

        Args:
            calendar_note_id: Identifier of the calendar note.
            start_date: Start of the note. That it is required is assumed
                (rescheduleCalendarNote.required). Needs a time zone.
            end_date: End of the note. That it is required is assumed
                (rescheduleCalendarNote.required). Needs a time zone.

        Returns:
            The note.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> from datetime import datetime, timezone
            >>> client.calendar_notes.reschedule(
            ...     "9032915132417572874",
            ...     start_date=datetime(2026, 12, 8, 9, 0, tzinfo=timezone.utc),
            ...     end_date=datetime(2026, 12, 9, 18, 0, tzinfo=timezone.utc),
            ... )

        POST /calendar-notes/{calendarNoteId}/reschedule (§4.4). Partly assumed: see `api.md`.
        """
        return self._client.send(
            build_reschedule(calendar_note_id, start_date=start_date, end_date=end_date)
        )


class AsyncCalendarNotesResource(AsyncResource):
    """Notes in the calendar."""

    _name = "calendar_notes"

    @cached_property
    def with_raw_response(self) -> AsyncCalendarNotesResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return AsyncCalendarNotesResourceWithRawResponse(self._client)

    async def list(
        self,
        *,
        start: dt.datetime,
        end: dt.datetime,
        group_id: str | UnsetType = UNSET,
    ) -> builtins.list[CalendarNote]:
        """List calendar notes.

        Gives the notes of a range of time, in every group or in one. The range has to stay under 60
        days; exactly 60 are too many.

        This method takes a range of any length: 60 days or more are read in several requests, up to
        4 at a time, and each calendar note is listed once.

        Args:
            start: Start of the range. The name `start_date` is assumed (notes.range.start). The
                format date-time is assumed (notes.range.format). Needs a time zone.
            end: End of the range. The name `end_date` is assumed (notes.range.end). The format
                date-time is assumed (notes.range.format). Needs a time zone.
            group_id: Identifier of the group whose notes are wanted; all groups without it. The
                name `groupId` is assumed (notes.group).

        Returns:
            The notes.

        Raises:
            ArgumentError: An argument is not valid, or `end` lies before `start`; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            PartialFailure: Some requests failed; the error has the responses of the others.

        Example:
            >>> from datetime import datetime, timezone
            >>> await client.calendar_notes.list(
            ...     start=datetime(2026, 12, 1, 0, 0, tzinfo=timezone.utc),
            ...     end=datetime(2026, 12, 31, 0, 0, tzinfo=timezone.utc),
            ... )

        GET /calendar-notes (§4.4). Partly assumed: see `api.md`.
        """
        return await self._client.send(plan_list(start=start, end=end, group_id=group_id))

    async def replace(
        self,
        calendar_note_id: str,
        *,
        title: str,
        start_date: dt.datetime,
        end_date: dt.datetime,
        group_id: str | None,
        content: str,
        color: Color,
        is_private: bool,
        visible_for_client: bool,
    ) -> CalendarNote:
        """Replace the values of a calendar note.

        Sets all values of a note at once: all fields must be sent. Only the author can make a note
        private.

        Args:
            calendar_note_id: Identifier of the calendar note.
            title: Title of the note. At most 100 characters.
            start_date: Start of the note. Needs a time zone.
            end_date: End of the note. Needs a time zone.
            group_id: Group to which the note is limited; null shows it in all groups.
            content: Content of the note. At most 500 characters.
            color: Colour of the note.
            is_private: True when only its author is to see the note; nobody else can set it.
            visible_for_client: True also shows the note to clients.

        Returns:
            The note.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            BadRequestError: The request is refused (400).
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> from datetime import datetime, timezone
            >>> from social_publishing.models import Color
            >>> await client.calendar_notes.replace(
            ...     "9032915132417572874",
            ...     title="Opening week",
            ...     start_date=datetime(2026, 12, 1, 9, 0, tzinfo=timezone.utc),
            ...     end_date=datetime(2026, 12, 2, 18, 0, tzinfo=timezone.utc),
            ...     group_id="9032915132417572866",
            ...     content="Free coffee on both days.",
            ...     color=Color.GREEN,
            ...     is_private=False,
            ...     visible_for_client=False,
            ... )

        PUT /calendar-notes/{calendarNote} (§4.4). Partly assumed: see `api.md`.
        """
        return await self._client.send(
            build_replace(
                calendar_note_id,
                title=title,
                start_date=start_date,
                end_date=end_date,
                group_id=group_id,
                content=content,
                color=color,
                is_private=is_private,
                visible_for_client=visible_for_client,
            )
        )

    async def update(
        self,
        calendar_note: CalendarNote,
        *,
        title: str | UnsetType = UNSET,
        start_date: dt.datetime | UnsetType = UNSET,
        end_date: dt.datetime | UnsetType = UNSET,
        group_id: str | None | UnsetType = UNSET,
        content: str | UnsetType = UNSET,
        color: Color | UnsetType = UNSET,
        is_private: bool | UnsetType = UNSET,
        visible_for_client: bool | UnsetType = UNSET,
    ) -> CalendarNote:
        """Change some values, and keep the others.

        Sends all values with `calendar_notes.replace`: yours, and the others from `calendar_note`.
        None is sent as null, where null is allowed.

        Args:
            calendar_note: The object that was read. Changes that others have made since are
                overwritten.
            title: Title of the note. At most 100 characters.
            start_date: Start of the note. Needs a time zone.
            end_date: End of the note. Needs a time zone.
            group_id: Group to which the note is limited; null shows it in all groups.
            content: Content of the note. At most 500 characters.
            color: Colour of the note.
            is_private: True when only its author is to see the note; nobody else can set it.
            visible_for_client: True also shows the note to clients.

        Returns:
            The note.

        Raises:
            ArgumentError: An argument is not valid, or there is none; or a value to keep was not
                read, or cannot be sent back. Nothing was sent.
            BadRequestError: The request is refused (400).
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        PUT /calendar-notes/{calendarNote} (§4.4). Partly assumed: see `api.md`.
        """
        return await self._client.send(
            plan_update(
                calendar_note,
                title=title,
                start_date=start_date,
                end_date=end_date,
                group_id=group_id,
                content=content,
                color=color,
                is_private=is_private,
                visible_for_client=visible_for_client,
            )
        )

    async def delete(
        self,
        calendar_note_id: str,
        *,
        related_notes: bool | UnsetType = UNSET,
    ) -> None:
        """Delete a calendar note.

        On request, the notes that are grouped with it go, too.

        Args:
            calendar_note_id: Identifier of the calendar note.
            related_notes: True also deletes all notes that are grouped with this one. The name
                `deleteGroupedNotes` is assumed (deleteCalendarNote.group). Warns while its name is
                assumed.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> await client.calendar_notes.delete("9032915132417572874")

        DELETE /calendar-notes/{calendarNote} (§4.4). Partly assumed: see `api.md`.
        """
        await self._client.send(build_delete(calendar_note_id, related_notes=related_notes))

    async def reschedule(
        self,
        calendar_note_id: str,
        *,
        start_date: dt.datetime,
        end_date: dt.datetime,
    ) -> CalendarNote:
        """Move a calendar note to new dates.

        Moves a note to another range of time. What repeating it does is assumed
        (rescheduleCalendarNote.repeat).

        Args:
            calendar_note_id: Identifier of the calendar note.
            start_date: Start of the note. That it is required is assumed
                (rescheduleCalendarNote.required). Needs a time zone.
            end_date: End of the note. That it is required is assumed
                (rescheduleCalendarNote.required). Needs a time zone.

        Returns:
            The note.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> from datetime import datetime, timezone
            >>> await client.calendar_notes.reschedule(
            ...     "9032915132417572874",
            ...     start_date=datetime(2026, 12, 8, 9, 0, tzinfo=timezone.utc),
            ...     end_date=datetime(2026, 12, 9, 18, 0, tzinfo=timezone.utc),
            ... )

        POST /calendar-notes/{calendarNoteId}/reschedule (§4.4). Partly assumed: see `api.md`.
        """
        return await self._client.send(
            build_reschedule(calendar_note_id, start_date=start_date, end_date=end_date)
        )


class CalendarNotesResourceWithRawResponse(Resource):
    """Notes in the calendar. Each method returns the whole response."""

    _name = "calendar_notes"

    def list(
        self,
        *,
        start: dt.datetime,
        end: dt.datetime,
        group_id: str | UnsetType = UNSET,
    ) -> RawResponse[builtins.list[CalendarNote]]:
        """List calendar notes."""
        return self._client.send(build_list(start=start, end=end, group_id=group_id).raw)

    def replace(
        self,
        calendar_note_id: str,
        *,
        title: str,
        start_date: dt.datetime,
        end_date: dt.datetime,
        group_id: str | None,
        content: str,
        color: Color,
        is_private: bool,
        visible_for_client: bool,
    ) -> RawResponse[CalendarNote]:
        """Replace the values of a calendar note."""
        return self._client.send(
            build_replace(
                calendar_note_id,
                title=title,
                start_date=start_date,
                end_date=end_date,
                group_id=group_id,
                content=content,
                color=color,
                is_private=is_private,
                visible_for_client=visible_for_client,
            ).raw
        )

    def update(
        self,
        calendar_note: CalendarNote,
        *,
        title: str | UnsetType = UNSET,
        start_date: dt.datetime | UnsetType = UNSET,
        end_date: dt.datetime | UnsetType = UNSET,
        group_id: str | None | UnsetType = UNSET,
        content: str | UnsetType = UNSET,
        color: Color | UnsetType = UNSET,
        is_private: bool | UnsetType = UNSET,
        visible_for_client: bool | UnsetType = UNSET,
    ) -> RawResponse[CalendarNote]:
        """Change some values, and keep the others."""
        return self._client.send(
            plan_update(
                calendar_note,
                title=title,
                start_date=start_date,
                end_date=end_date,
                group_id=group_id,
                content=content,
                color=color,
                is_private=is_private,
                visible_for_client=visible_for_client,
            ).raw
        )

    def delete(
        self,
        calendar_note_id: str,
        *,
        related_notes: bool | UnsetType = UNSET,
    ) -> RawResponse[None]:
        """Delete a calendar note."""
        return self._client.send(build_delete(calendar_note_id, related_notes=related_notes).raw)

    def reschedule(
        self,
        calendar_note_id: str,
        *,
        start_date: dt.datetime,
        end_date: dt.datetime,
    ) -> RawResponse[CalendarNote]:
        """Move a calendar note to new dates."""
        return self._client.send(
            build_reschedule(calendar_note_id, start_date=start_date, end_date=end_date).raw
        )


class AsyncCalendarNotesResourceWithRawResponse(AsyncResource):
    """Notes in the calendar. Each method returns the whole response."""

    _name = "calendar_notes"

    async def list(
        self,
        *,
        start: dt.datetime,
        end: dt.datetime,
        group_id: str | UnsetType = UNSET,
    ) -> RawResponse[builtins.list[CalendarNote]]:
        """List calendar notes."""
        return await self._client.send(build_list(start=start, end=end, group_id=group_id).raw)

    async def replace(
        self,
        calendar_note_id: str,
        *,
        title: str,
        start_date: dt.datetime,
        end_date: dt.datetime,
        group_id: str | None,
        content: str,
        color: Color,
        is_private: bool,
        visible_for_client: bool,
    ) -> RawResponse[CalendarNote]:
        """Replace the values of a calendar note."""
        return await self._client.send(
            build_replace(
                calendar_note_id,
                title=title,
                start_date=start_date,
                end_date=end_date,
                group_id=group_id,
                content=content,
                color=color,
                is_private=is_private,
                visible_for_client=visible_for_client,
            ).raw
        )

    async def update(
        self,
        calendar_note: CalendarNote,
        *,
        title: str | UnsetType = UNSET,
        start_date: dt.datetime | UnsetType = UNSET,
        end_date: dt.datetime | UnsetType = UNSET,
        group_id: str | None | UnsetType = UNSET,
        content: str | UnsetType = UNSET,
        color: Color | UnsetType = UNSET,
        is_private: bool | UnsetType = UNSET,
        visible_for_client: bool | UnsetType = UNSET,
    ) -> RawResponse[CalendarNote]:
        """Change some values, and keep the others."""
        return await self._client.send(
            plan_update(
                calendar_note,
                title=title,
                start_date=start_date,
                end_date=end_date,
                group_id=group_id,
                content=content,
                color=color,
                is_private=is_private,
                visible_for_client=visible_for_client,
            ).raw
        )

    async def delete(
        self,
        calendar_note_id: str,
        *,
        related_notes: bool | UnsetType = UNSET,
    ) -> RawResponse[None]:
        """Delete a calendar note."""
        return await self._client.send(
            build_delete(calendar_note_id, related_notes=related_notes).raw
        )

    async def reschedule(
        self,
        calendar_note_id: str,
        *,
        start_date: dt.datetime,
        end_date: dt.datetime,
    ) -> RawResponse[CalendarNote]:
        """Move a calendar note to new dates."""
        return await self._client.send(
            build_reschedule(calendar_note_id, start_date=start_date, end_date=end_date).raw
        )
