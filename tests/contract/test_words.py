"""What a caller can say in Python and no document can: times with and without zones, files."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from social_publishing import ArgumentError, File

from harness.calls import Call
from harness.service import SIDES, Service, Side, captured, reply
from tests.support.documents import operations
from tests.support.wire import Sent, form

both = pytest.mark.parametrize("side", SIDES)


@pytest.fixture(autouse=True, scope="module")
def _far_away() -> Iterator[None]:
    """The clock of the machine shows another time than UTC, and it must not matter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Asia/Kathmandu")
        time.tzset()
        yield
    time.tzset()


# Times

ZONES = st.one_of(
    st.sampled_from(["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kolkata"]).map(ZoneInfo),
    st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes))),
)
MOMENTS = st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1))
WRITTEN: dict[str, tuple[Callable[[Any, datetime], Any], str]] = {
    "publication_date": (
        lambda client, moment: client.posts.update("7", publication_date=moment),
        "%Y-%m-%dT%H:%M",
    ),
    "gb_start_date": (
        lambda client, moment: client.posts.update("7", gb_start_date=moment),
        "%Y-%m-%d %H:%M:%S",
    ),
    "gb_end_date": (
        lambda client, moment: client.posts.update("7", gb_end_date=moment),
        "%Y-%m-%d %H:%M:%S",
    ),
}
every_form = pytest.mark.parametrize("field", WRITTEN)


def _whole(moment: datetime, form: str) -> datetime:
    """Return the moment without what a form of it does not have."""
    return moment.replace(microsecond=0, second=moment.second if "%S" in form else 0)


@every_form
@settings(max_examples=60)
@given(moment=MOMENTS, zone=ZONES)
def test_a_moment_is_written_in_utc_in_the_form_of_its_field(
    field: str, moment: datetime, zone: tzinfo
) -> None:
    call, written = WRITTEN[field]
    aware = _whole(moment.replace(tzinfo=zone), written)
    assume(aware.astimezone(UTC).second == 0 or "%S" in written)  # zones of long ago have seconds
    service = Service(reply(200, {"id": "7"}))
    service.call(lambda client: call(client, aware))
    read = datetime.strptime(service.came[0].json[field], written).replace(tzinfo=UTC)
    assert read == aware
    assert len(service.came[0].json[field].split("-")[0]) == 4


@settings(max_examples=60)
@given(moment=MOMENTS, zone=ZONES)
def test_the_dates_of_a_note_say_that_they_are_in_utc(moment: datetime, zone: tzinfo) -> None:
    start = moment.replace(tzinfo=zone)
    service = Service(reply(200, {"id": "7"}))
    service.call(
        lambda client: client.calendar_notes.reschedule("7", start_date=start, end_date=start)
    )
    texts = set(service.came[0].json.values())
    assert all(text.endswith("Z") for text in texts)
    assert {datetime.fromisoformat(text) for text in texts} == {start}


@every_form
@given(moment=MOMENTS)
@settings(max_examples=20)
def test_a_moment_without_a_zone_is_not_sent(field: str, moment: datetime) -> None:
    call, written = WRITTEN[field]
    service = Service(reply())
    with pytest.raises(ArgumentError, match=f"{field}: a naive date-time has no time zone"):
        service.call(lambda client: call(client, _whole(moment, written)))
    assert service.came == []


@every_form
@given(moment=MOMENTS, second=st.integers(0, 59), microsecond=st.sampled_from([0, 1, 999_999]))
@settings(max_examples=40)
def test_no_part_of_a_moment_is_lost_in_silence(
    field: str, moment: datetime, second: int, microsecond: int
) -> None:
    call, written = WRITTEN[field]
    aware = moment.replace(tzinfo=UTC, second=second, microsecond=microsecond)
    service = Service(reply(200, {"id": "7"}))
    if aware == _whole(aware, written):
        service.call(lambda client: call(client, aware))
        return
    lost = "microseconds" if "%S" in written else "seconds"
    with pytest.raises(ArgumentError, match=f"{field}: .* would lose its {lost}: it is sent as"):
        service.call(lambda client: call(client, aware))
    assert service.came == []


@pytest.mark.parametrize(
    ("start", "hours", "fits"),
    [
        # In Berlin, a day of October has 25 hours, and one of March has 23.
        (datetime(2026, 10, 1), 60 * 24 - 1, True),
        (datetime(2026, 10, 1), 60 * 24, False),
        (datetime(2026, 3, 1), 60 * 24 - 1, True),
        (datetime(2026, 3, 1), 60 * 24, False),
    ],
)
def test_a_range_is_measured_in_time_that_passes(start: datetime, hours: int, fits: bool) -> None:
    """What the clocks show is not how much time has passed where they are changed."""
    berlin = start.replace(tzinfo=ZoneInfo("Europe/Berlin"))
    service = Service(reply(200, []))
    end = (berlin.astimezone(UTC) + timedelta(hours=hours)).astimezone(berlin.tzinfo)

    def notes(client: Any) -> Any:
        return client.calendar_notes.with_raw_response.list(start=berlin, end=end)

    if fits:
        service.call(notes)
        return
    with pytest.raises(ArgumentError, match="must be less than 60 days"):
        service.call(notes)


# Identifiers


# Files

NAMES = [
    "picture.png",
    'with "quotes".png',
    "line\r\nContent-Type: text/html.png",
    "semi;colon=1.png",
    "grüße 🥐.png",
    "back\\slash.png",
    "PHOTO.JPG",
    "two.dots.MP4",
]


def _sent(file: Any, side: Side = "sync") -> Sent:
    """Return an upload as it left."""
    call = Call(operations()["uploadMedia"], (), {"file": file})
    [sent] = captured(call, side).sent
    return sent


@both
@pytest.mark.parametrize("size", [0, 1, (1 << 18) + 1, (1 << 20) - 1, 1 << 20, (3 << 20) + 7])
@pytest.mark.parametrize("kind", ["bytes", "path", "file", "iterator"])
def test_every_byte_of_a_file_arrives(kind: str, size: int, side: Side, tmp_path: Path) -> None:
    data = bytes(range(256)) * (size // 256 + 1)
    data = data[:size]
    path = tmp_path / "a.mp4"
    path.write_bytes(data)
    given: dict[str, Callable[[], Any]] = {
        "bytes": lambda: File(data, "a.mp4"),
        "path": lambda: path,
        "file": lambda: File(io.BytesIO(data), "a.mp4"),
        "iterator": lambda: File(iter([data[:100], data[100:]]), "a.mp4"),
    }
    assert form(_sent(given[kind](), side))["file"]["content"] == data.decode("latin-1")


LARGEST = 2048 * 1024 * 1024
