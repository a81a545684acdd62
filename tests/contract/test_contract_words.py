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
from social_publishing.resources.media import build_upload

from harness.calls import Call
from harness.documents import operations
from harness.service import SIDES, Service, Side, captured, reply
from harness.wire import Sent, form

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
    """The moment without what a form of it does not have."""
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


def test_a_range_without_a_zone_is_not_asked_for() -> None:
    start, service = datetime(2026, 12, 1), Service(reply())
    with pytest.raises(ArgumentError, match=r"start: a naive .*; end: a naive "):
        service.call(lambda client: client.calendar_notes.list(start=start, end=start))
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


@pytest.mark.parametrize("bad", ["7\n", "٧", "", " 7", "7/8", "-7", "1" * 21, "7.0"])
def test_an_identifier_is_digits_and_nothing_else(bad: str) -> None:
    service = Service(reply())
    for call in (
        lambda client: client.groups.get(bad),
        lambda client: client.posts.get_many(ids=[bad]),
        lambda client: (
            client.posts.update("7", labelIds=[bad])
            if False
            else client.posts.update("7", label_ids=[bad])
        ),
    ):
        with pytest.raises(ArgumentError):
            service.call(call)
    assert service.came == []


@pytest.mark.parametrize(
    "arguments", [{}, {"social_account_ids": []}, {"page": 2}, {"include": ["media"]}]
)
def test_posts_are_listed_of_a_group_or_of_accounts(arguments: dict[str, Any]) -> None:
    service = Service(reply())
    with pytest.raises(ArgumentError, match="group_id or social_account_ids: at least one"):
        service.call(lambda client: list(client.posts.list(**arguments)))
    assert service.came == []


@pytest.mark.parametrize("bad", ["media,labels", "a,b"])
def test_one_relation_is_not_two(bad: str) -> None:
    service = Service(reply())
    with pytest.raises(ArgumentError, match=r"include\[0\]: .* holds ',', which separates"):
        service.call(lambda client: list(client.posts.list(group_id="7", include=[bad])))
    assert service.came == []


@pytest.mark.parametrize("name", ["a&b=c", "ä ö", "50%", "#", "+", "?"])
def test_a_relation_of_any_name_arrives(name: str) -> None:
    service = Service(reply(200, {"id": "7"}))
    service.call(lambda client: client.groups.get("7", include=["socialAccounts", name]))
    assert service.came[0].query == {"include": f"socialAccounts,{name}"}


def test_without_relations_those_that_come_by_default_come() -> None:
    service = Service(reply(200, {"id": "7"}))
    service.call(lambda client: client.groups.get("7", include=[]))
    assert service.came[0].query == {}


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


@both
@pytest.mark.parametrize("name", NAMES)
def test_a_file_arrives_under_its_name(name: str, side: Side) -> None:
    sent = _sent(File(b"content", name), side)
    head = sent.body.partition(b"\r\n\r\n")[0].split(b"\r\n")
    assert len(head) == 3  # the boundary, and two header fields
    escaped = name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
    assert head[1] == f'Content-Disposition: form-data; name="file"; filename="{escaped}"'.encode()


@both
@pytest.mark.parametrize(
    ("file", "wanted"),
    [
        (File(b"x", "a.png", "image/x-special"), b"image/x-special"),
        (File(b"x", "a.png"), b"image/png"),
        (File(b"x", "a.mp4"), b"video/mp4"),
    ],
    ids=["given", "png", "mp4"],
)
def test_a_file_goes_out_as_what_it_is(file: File, wanted: bytes, side: Side) -> None:
    assert b"\r\nContent-Type: " + wanted + b"\r\n\r\n" in _sent(file, side).body


def _sent(file: Any, side: Side = "sync") -> Sent:
    """An upload as it left."""
    call = Call(operations()["uploadMedia"], (), {"file": file})
    [sent] = captured(call, side).sent
    return sent


def test_no_two_forms_have_one_boundary() -> None:
    first = _sent(File(b"x", "a.png"))
    again = _sent(File(first.body, "b.png"))
    assert form(again)["file"] == {"name": "b.png", "content": first.body.decode("latin-1")}


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


@both
def test_an_open_file_is_read_from_where_it_stands_and_stays_open(side: Side) -> None:
    file = io.BytesIO(b"not this: but this")
    file.seek(10)
    sent = _sent(File(file, "a.png"), side)
    assert form(sent)["file"]["content"] == "but this"
    assert not file.closed


@pytest.mark.parametrize("name", ["a.txt", "a", "a.png.exe", ".png", "png"])
def test_a_file_of_another_kind_is_not_sent(name: str) -> None:
    with pytest.raises(ArgumentError, match="has the extension"):
        build_upload(file=File(b"x", name))


LARGEST = 2048 * 1024 * 1024


@pytest.mark.parametrize("more", [0, 1])
def test_the_largest_file_is_sent_and_no_larger_one(more: int) -> None:
    file = File(iter([b""]), "a.mp4", size=LARGEST + more)
    if not more:
        assert build_upload(file=file).body.length > LARGEST
        return
    with pytest.raises(ArgumentError, match=f"at most {LARGEST} bytes"):
        build_upload(file=file)


def test_a_file_that_turns_out_too_large_is_broken_off() -> None:
    def endless() -> Any:
        while True:
            yield b"\0" * (1 << 20)

    taken = 0
    body = build_upload(file=File(endless(), "a.mp4")).body
    with pytest.raises(ArgumentError, match=f"at most {LARGEST} bytes"):
        for chunk in body:
            taken += len(chunk)
    assert taken <= LARGEST + 1000
