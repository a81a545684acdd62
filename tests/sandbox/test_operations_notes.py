"""Calendar notes, as a client sees them (§4.4)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire import END, FROM, NOTE, SERIES, START, TEAM, TO, Ids, Wire, at_fault, world

from social_publishing_sandbox import Sandbox
from tests.support.documents import operations


def note(sandbox: Sandbox, **fields: Any) -> str:
    defaults = {"title": "Market", "start_date": START, "end_date": END}
    return str(sandbox.create_note(**{**defaults, **fields})["id"])


def listed(wire: Wire, start: str, end: str, more: str = "") -> list[str]:
    found = wire.get(f"/calendar-notes?{FROM}={start}&{TO}={end}{more}")
    return [each["id"] for each in found]


# Which notes

MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0, tzinfo=UTC)
)
LENGTHS = st.integers(0, 59 * 24 * 3600).map(lambda seconds: timedelta(seconds=seconds))


def wire_text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


@settings(max_examples=30)
@given(st.lists(st.tuples(MOMENTS, LENGTHS), max_size=8), MOMENTS, LENGTHS)
def test_a_range_has_the_notes_that_touch_it(
    notes: list[tuple[datetime, timedelta]], start: datetime, length: timedelta
) -> None:
    sandbox = Sandbox(world(), clock="frozen", rate_limit=None)
    expected = []
    for begins, lasts in notes:
        made = note(sandbox, start_date=begins, end_date=begins + lasts)
        if begins <= start + length and begins + lasts >= start:
            expected.append((begins, int(made), made))
    found = listed(Wire(sandbox), wire_text(start), wire_text(start + length))
    assert found == [made for *_, made in sorted(expected)]
    sandbox.close()


def test_a_range_is_less_than_documented(wire: Wire) -> None:
    days = operations()["listCalendarNotes"].node["x-window-under-days"]
    start = datetime(2026, 12, 1, tzinfo=UTC)

    def asked(span: timedelta, hours: int = 0) -> str:
        end = (start + span).astimezone(timezone(timedelta(hours=hours)))
        first, last = (quote(each.isoformat()) for each in (start, end))
        return f"/calendar-notes?{FROM}={first}&{TO}={last}"

    most, moment = timedelta(days), timedelta(milliseconds=1)
    second = timedelta(seconds=1)
    for query in (
        asked(most - second),
        asked(most - moment),
        asked(most - second, 1),
        asked(0 * most),
    ):
        assert "errors" not in wire.get(query)
    for query in (asked(most), asked(most, 1), asked(-second)):
        assert at_fault(wire.get(query, 422)) == [TO]


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("", sorted([FROM, TO])),
        (f"{FROM}={START}", [TO]),
        (f"{FROM}={START}&{TO}=2026-12-05", [TO]),
        (f"{FROM}={START}&{TO}=2026-12-05T10:00:00", [TO]),
        (f"{FROM}={START}&{TO}=2026-02-30T10:00:00Z", [TO]),
        (f"{FROM}={START}&{TO}={END}&{TEAM}=x", [TEAM]),
        (f"{FROM}={START}&{TO}={END}&{TEAM}=1", [TEAM]),
        (f"{FROM}={START}&{FROM}={START}&{TO}={END}", [FROM]),
    ],
)
def test_a_wrong_range_is_named(wire: Wire, query: str, fields: list[str]) -> None:
    refused = wire.get(f"/calendar-notes?{query}", 422)
    assert sorted(at_fault(refused)) == fields


def test_a_group_shows_its_notes_and_those_of_all_groups(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    bakery = note(sandbox, group_id=known["Bakery"])
    garage = note(sandbox, group_id=known["Garage"])
    everywhere = note(sandbox)
    assert listed(wire, START, END) == [bakery, garage, everywhere]
    found = listed(wire, START, END, f"&{TEAM}={known['Bakery']}")
    assert found == [bakery, everywhere]
    assert listed(wire.of("tom"), START, END) == [bakery, everywhere]
    refused = wire.of("tom").get(
        f"/calendar-notes?{FROM}={START}&{TO}={END}&{TEAM}={known['Garage']}", 403
    )
    assert list(refused) == ["message"]


def test_clients_see_what_is_meant_for_them(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    shown = note(sandbox, visible_for_client=True)
    note(sandbox)
    note(sandbox, visible_for_client=True, group_id=known["Garage"])
    assert listed(wire.of("cleo"), START, END) == [shown]


# Replacing and moving


def test_moving_changes_the_dates_alone(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    made = note(sandbox, content="Rolls", group_id=known["Bakery"])
    (before,) = wire.get(f"/calendar-notes?{FROM}={START}&{TO}={END}")
    dates = {"start_date": "2027-03-01T23:30:00+02:00", "end_date": "2027-03-02t00:00:00.9z"}
    response = wire.post(f"/calendar-notes/{made}/reschedule", dates)
    assert response == {
        **before,
        "start_date": "2027-03-01T21:30:00Z",
        "end_date": "2027-03-02T00:00:00Z",
        "end_date_extra_day": "2027-03-03T00:00:00Z",
    }
    assert listed(wire, START, END) == []
    moment = dict.fromkeys(dates, "2027-03-02T00:00:00Z")
    assert wire.post(f"/calendar-notes/{made}/reschedule", moment).items() >= moment.items()


def test_only_its_author_makes_a_note_private(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    """Nobody else would see it any more."""
    own, other = note(sandbox), note(sandbox, user_id=known["Tom"])
    assert wire.put(f"/calendar-notes/{own}", {**NOTE, "is_private": True})["is_private"] is True
    wire.put(f"/calendar-notes/{other}", {**NOTE, "is_private": True}, 403)
    assert wire.put(f"/calendar-notes/{other}", NOTE)["is_private"] is False


def test_a_note_goes_into_no_group_that_its_writer_cannot_see(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    made = note(sandbox)
    body = {**NOTE, "group_id": known["Garage"]}
    assert list(wire.of("tom").put(f"/calendar-notes/{made}", body, 403)) == ["message"]


# Deleting


def test_deleting_takes_the_series_along_on_request(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    series = [note(sandbox, series="market", user_id=known[who]) for who in ("Ada", "Ada", "Tom")]
    private = note(sandbox, series="market", user_id=known["Tom"], is_private=True)
    other, alone = note(sandbox, series="fair"), note(sandbox)
    response = wire("DELETE", f"/calendar-notes/{series[0]}?{SERIES}=false")
    wire.answered(response)
    wire.delete(f"/calendar-notes/{alone}?{SERIES}=true")
    assert left(sandbox) == [*series[1:], private, other]
    wire.delete(f"/calendar-notes/{series[1]}?{SERIES}=true")
    assert left(sandbox) == [private, other]
    wire.delete(f"/calendar-notes/{private}", 404)  # nobody else gets to know that it exists
    garage = note(sandbox, group_id=known["Garage"])
    wire.of("tom").delete(f"/calendar-notes/{garage}", 403)
    wire.delete(f"/calendar-notes/{garage}")
    wire.delete(f"/calendar-notes/{other}")
    wire.delete(f"/calendar-notes/{other}", 404)


def left(sandbox: Sandbox) -> list[str]:
    return [each["id"] for each in sandbox.world()["calendar_notes"]]
