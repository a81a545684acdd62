"""Operations on calendar notes (§4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from social_publishing_sandbox.api.operations import checks
from social_publishing_sandbox.state import access, times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.refusals import Problems, forbidden, invalid
from social_publishing_sandbox.state.service import Call, Service


def list_calendar_notes(service: Service, call: Call) -> list[Json]:
    """Return the notes of a range of less than 60 days, in the order of `notes.order`.

    With a group: its notes, and those that are visible in all groups (`notes.withoutGroup`). A
    range that has no start or no end, where the documents allow it, is open there.
    """
    rules: Json = service.assume.get("notes", {})
    names = _window(call)
    open_ends = dict(zip(names, ("0001-01-01", "9999-12-31"), strict=True))
    given = {name: call.values[name] for name in names if name in call.values}
    forms = {each.name: each.schema for each in call.operation.parameters if each.name in given}
    start, end = _moments(service, open_ends | given, *names, forms=forms)
    if not open_ends.keys() - call.values.keys():
        _check_window(call, names, start, end)
    if any(each.schema.get("format") == "date" for each in call.operation.parameters):
        end += times.DAY - 1  # the whole of the last day
    group_id = call.by_gap("notes.group")
    if group_id is not None:
        group_name = call.operation.parameter("notes.group")
        access.group(service, call.user, group_id, group_name)
    if service.assume.get("noteRange") == "touches":
        notes = service.store.notes.where(
            "starts <= ? AND ends >= ? ORDER BY starts, key", (end, start)
        )
    else:
        notes = service.store.notes.where(
            "starts >= ? AND starts <= ? ORDER BY starts, key", (start, end)
        )
    if rules.get("order") == "latest first":
        notes.reverse()
    groups = (group_id,) if rules.get("withoutGroup") == "left out" else (None, group_id)
    return [
        show(service, note)
        for note in notes
        if access.sees_note(call.user, note)
        and (group_id is None or note.get("group_id") in groups)
    ]


def _moments(
    service: Service,
    values: Json,
    start: str,
    end: str,
    *,
    forms: Mapping[str, Json] = MappingProxyType({}),
    kept: bool = False,
) -> tuple[int, int]:
    """Return both dates, by the names of their fields, in milliseconds since 1970.

    Args:
        forms: the schemas of those that may have a format of their own.
    """
    moments, problems = [], Problems()
    for name in (start, end):
        form = forms.get(name, {})
        try:
            if "x-datetime-format" in form:
                how = form["x-datetime-format"], form.get("x-timezone")
                moments.append(times.parse_format(values[name], *how))
            else:
                moments.append(times.parse(values[name]))  # a day is its first moment
        except ValueError:
            problems.add(name, f"There is no such date: {values[name]}.", cites="§4.4")
        else:
            if kept:
                checks.check_year(service, name, moments[-1], values[name], problems)
    problems.refuse()
    return moments[0], moments[1]


def _window(call: Call) -> tuple[str, str]:
    """Return the names of the parameters that the range is made of; of one that there is not, a
    name that nothing has.
    """
    names = {each.raw.get("x-window"): each.name for each in call.operation.parameters}
    # Half of a window has no such word: its gap tells it.
    start = names.get("start") or call.operation.parameter("notes.range.start") or "no start"
    return start, names.get("end") or call.operation.parameter("notes.range.end") or "no end"


def _check_window(call: Call, names: tuple[str, str], start: int, end: int) -> None:
    start_name, end_name = names
    days = (end - start) / times.DAY
    if days < 0:
        sentence = f"{end_name} must not be before {start_name}."
        raise invalid({end_name: [sentence]}, cites="dates.order")
    most = call.operation.raw.get("x-window-under-days")
    if most is not None and days >= most:
        sentence = f"{end_name} must be less than {most} days after {start_name}."
        raise invalid({end_name: [sentence]}, cites=call.operation.section)


def replace_calendar_note(service: Service, call: Call) -> Json:
    """Set all values of a note (§4.4)."""
    note = _writable(service, call)
    body: Json = call.body
    if body.get("is_private") and note["user_id"] != call.user["id"]:
        raise forbidden("Only the author of a note can make it private.", cites="§5")
    group_id = body.get("group_id")
    if group_id is not None:
        access.target_group(service, call.user, group_id)
    note.update(service.documented(body, "CalendarNoteReplacement", "CalendarNote"))
    return _save(service, note, body)


def reschedule_calendar_note(service: Service, call: Call) -> Json:
    """Move a note to other dates (§4.4)."""
    return _save(service, _writable(service, call), call.body)


def delete_calendar_note(service: Service, call: Call) -> Json:
    """Delete a note (§4.4); with the flag (`deleteCalendarNote.group`), every note of its series
    (`notes.series`) that the user may see, too.
    """
    note = _writable(service, call)
    doomed = [note]
    if call.by_gap("deleteCalendarNote.group") and note.get("_series"):
        doomed = [
            deleted
            for deleted in service.store.notes.where()
            if deleted.get("_series") == note["_series"] and access.sees_note(call.user, deleted)
        ]
    for deleted in doomed:
        service.store.notes.remove(deleted["id"])
        service.emit("note", {"id": deleted["id"]})
    return show(service, note)


def _writable(service: Service, call: Call) -> Json:
    access.check_may_write(call)
    return access.note(service, call.user, call.id)


def _save(service: Service, note: Json, body: Json) -> Json:
    """Give a note its dates, of which it keeps one that is not sent, and store it (§4.4)."""
    names = ("start_date", "end_date")
    dates = {name: body[name] if name in body else note[name] for name in names}
    start, end = _moments(service, dates, *names, kept=True)
    if end < start:
        sentence = "The field end_date must not be before start_date."
        raise invalid({"end_date": [sentence]}, cites="dates.order")
    note["start_date"], note["end_date"] = times.text(start), times.text(end)
    store(service, note)
    service.emit("note", {"id": note["id"]})
    return show(service, note)


def store(service: Service, note: Json) -> None:
    """Store a note with its dates as columns (§2.9)."""
    service.store.notes.put(note, times.parse(note["start_date"]), times.parse(note["end_date"]))


def show(service: Service, note: Json) -> Json:
    """Return a note as the service gives it (§2.9).

    `end_date_extra_day` follows the rule `noteExtraDay` of `x-assume`: `addDays` days after the
    date that `from` names.
    """
    rule = service.assume.get("noteExtraDay")
    if not rule:
        return service.view("CalendarNote")(note)
    extra_day = times.parse(note[rule["from"]]) + rule["addDays"] * times.DAY
    return service.view("CalendarNote")(note, {"end_date_extra_day": times.text(extra_day)})
