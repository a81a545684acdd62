"""Date-times: the same instant, in the zone and the format that the service wants."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from runtime.core.times import parsed_datetime, wire_datetime

ZONES = ["UTC", "Europe/Paris", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Asia/Tokyo"]
FORMAT = "%Y-%m-%d %H:%M:%S"
OFFSETS = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
AWARE = st.datetimes(
    timezones=st.one_of(OFFSETS, st.sampled_from(ZONES).map(ZoneInfo)), allow_imaginary=False
)


def instant(value: datetime) -> datetime:
    return value.replace(tzinfo=None) - (value.utcoffset() or timedelta())


@pytest.mark.parametrize(
    ("zone", "format_", "expected"),
    [
        (None, None, "2026-07-01T07:30:00Z"),
        ("UTC", None, "2026-07-01T07:30:00Z"),
        (None, "%Y-%m-%dT%H:%M", "2026-07-01T07:30"),
        ("UTC", FORMAT, "2026-07-01 07:30:00"),
        ("Europe/Paris", FORMAT, "2026-07-01 09:30:00"),
        ("Europe/Paris", None, "2026-07-01T09:30:00+02:00"),
        ("America/New_York", "%Y-%m-%dT%H:%M:%S%z", "2026-07-01T03:30:00-0400"),
        ("UTC", "%Y-%m-%dT%H:%M:%SZ", "2026-07-01T07:30:00Z"),
        ("UTC", "%d.%m.%Y %H:%M", "01.07.2026 07:30"),
    ],
)
def test_zone_and_format(zone: str | None, format_: str | None, expected: str) -> None:
    value = datetime(2026, 7, 1, 13, 0, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    assert wire_datetime(value, format_, zone) == expected


@pytest.mark.parametrize(
    ("text", "after"),
    [
        *(("2026-07-01T07:30:00Z", 0), ("2026-07-01 07:30:00z", 0), ("2026-07-01t07:30", 0)),
        *(("20260701T073000Z", 0), ("2026-W27-3T07:30Z", 0), ("2026-07-01T07", 0 - 30 * 60)),
        *(("2026-07-01T09:30:00+02:00", 0), ("2026-07-01T02:00:00-0530", 0)),
        *(("2026-07-01T07:30:00.5Z", 0.5), ("2026-07-01T07:30:00,5Z", 0.5)),
        *(("2026-07-01T07:30:00.1234569", 0.123456), ("2026-07-01T07:30:59.9999999", 59.999999)),
        *((text, None) for text in ("2026-07-01", "07:30", "2026-07-01  07:30", "2026-07-01T", "")),
        *((text, None) for text in ("2026-13-01T07:30", "2026-07-01T07:30 Z", " 2026-07-01T07:30")),
        *(
            (text, None)
            for text in ("2026-07-01T07:30Z\n", "2026-07-01T07:30:00.Z", "٢٠٢٦-07-01T07:30")
        ),
    ],
)
def test_a_moment_is_read_in_each_form_of_iso_8601(text: str, after: float | None) -> None:
    read = parsed_datetime(text)
    if after is None:
        assert read is None
        return
    assert read == datetime(2026, 7, 1, 7, 30, tzinfo=UTC) + timedelta(seconds=after)


@pytest.mark.parametrize("fold", [0, 1])
@pytest.mark.parametrize(
    ("zone", "value", "before", "after"),
    [
        (
            "Europe/Berlin",
            datetime(2027, 3, 28, 2, 30),
            "2027-03-28T01:30:00+01:00",
            "2027-03-28T03:30:00+02:00",
        ),
        (
            "Australia/Lord_Howe",
            datetime(2026, 10, 4, 2, 0),
            "2026-10-04T01:30:00+10:30",
            "2026-10-04T02:30:00+11:00",
        ),
        (
            "Pacific/Apia",
            datetime(2011, 12, 30, 12),
            "2011-12-29T12:00:00-10:00",
            "2011-12-31T12:00:00+14:00",
        ),
    ],
)
def test_a_local_time_that_clocks_skip_is_refused(
    zone: str, value: datetime, before: str, after: str, fold: int
) -> None:
    missing = value.replace(tzinfo=ZoneInfo(zone), fold=fold)
    for target in (None, "UTC", zone):
        with pytest.raises(ValueError) as caught:
            wire_datetime(missing, None, target)
        assert str(caught.value) == (
            f"{value.isoformat()} does not exist in {zone}, where clocks go forward: "
            f"use {before} or {after}"
        )
    for neighbour in (before, after):
        exists = datetime.fromisoformat(neighbour).astimezone(ZoneInfo(zone))
        assert wire_datetime(exists, None, zone) == neighbour


class OneOffset(tzinfo):
    """A zone of which there is one for each offset, as in pytz."""

    zone = "Europe/Berlin"

    def __init__(self, offset: timedelta) -> None:
        self.offset = offset

    def utcoffset(self, _: datetime | None) -> timedelta:
        return self.offset

    def dst(self, _: datetime | None) -> None:
        return None

    def tzname(self, _: datetime | None) -> str:
        return "one"

    def fromutc(self, value: datetime) -> datetime:
        found = value.replace(tzinfo=UTC).astimezone(ZoneInfo(self.zone))
        return found.replace(tzinfo=OneOffset(found.utcoffset() or self.offset))


@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2040, 1, 1)),
    st.sampled_from([timedelta(minutes=53), timedelta(hours=1), timedelta(hours=2)]),
)
@example(datetime(2027, 3, 28, 9), timedelta(hours=1))
def test_an_offset_that_the_zone_does_not_have_then_is_named(
    value: datetime, offset: timedelta
) -> None:
    """Not that there is no such time. The moment that is proposed is taken."""
    given_ = value.replace(tzinfo=OneOffset(offset))
    there = given_.astimezone(ZoneInfo("Europe/Berlin"))
    if there.utcoffset() == offset:
        assert wire_datetime(given_) == wire_datetime(there)
        return
    with pytest.raises(ValueError) as caught:
        wire_datetime(given_)
    assert str(caught.value) == (
        f"{given_.isoformat()} has an offset that Europe/Berlin does not have then: pass the "
        f"same moment, {there.isoformat()}, or what localize() of the zone gives"
    )


class Faulty(tzinfo):
    """A zone that cannot say its offset."""

    def utcoffset(self, _: datetime | None) -> timedelta:
        raise RuntimeError("no table of offsets")


@pytest.mark.parametrize(("zone", "words"), [(Faulty(), "no table"), (tzinfo(), "utcoffset")])
def test_a_zone_that_fails_is_named(zone: tzinfo, words: str) -> None:
    with pytest.raises(ValueError, match=f"its time zone cannot be used: .*{words}"):
        wire_datetime(datetime(2026, 12, 5, 9, tzinfo=zone))


@given(st.datetimes(datetime(2000, 1, 1), datetime(2040, 1, 1)), st.sampled_from(ZONES))
@example(datetime(2026, 3, 29, 2, 30), "Europe/Berlin")
def test_a_local_time_is_refused_exactly_where_its_zone_has_none(
    value: datetime, zone: str
) -> None:
    local = value.replace(tzinfo=ZoneInfo(zone))
    exists = local.replace(fold=0).utcoffset() >= local.replace(fold=1).utcoffset()  # PEP 495
    try:
        wire_datetime(local)
    except ValueError:
        assert not exists
    else:
        assert exists


@pytest.mark.parametrize(
    ("format_", "lost", "words"),
    [
        ("%Y-%m-%dT%H:%M", {"second": 1}, "its seconds, .*second=0, microsecond=0"),
        ("%Y-%m-%dT%H:%M", {"microsecond": 1}, "its seconds, .*second=0, microsecond=0"),
        (FORMAT, {"microsecond": 1}, r"its microseconds, .*replace\(microsecond=0"),
    ],
)
def test_what_the_format_would_lose_is_refused(
    format_: str, lost: dict[str, int], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        wire_datetime(datetime(2026, 1, 1, tzinfo=UTC).replace(**lost), format_)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "zone"),
    [
        (datetime.min.replace(tzinfo=timezone(timedelta(hours=3))), None),
        (datetime.max.replace(tzinfo=timezone(timedelta(hours=-3))), None),
        (datetime.max.replace(tzinfo=UTC), "Asia/Tokyo"),
        (datetime.min.replace(tzinfo=UTC), "America/New_York"),
    ],
)
def test_beyond_the_calendar_is_refused(value: datetime, zone: str | None) -> None:
    with pytest.raises(ValueError, match="does not fit the calendar"):
        wire_datetime(value, None, zone)


@given(AWARE)
@example(datetime.min.replace(tzinfo=timezone(timedelta(hours=3))))
def test_rfc_3339_is_the_same_instant(value: datetime) -> None:
    try:
        text = wire_datetime(value)
    except ValueError:
        assert value.year in (1, 9999)
        return
    assert text.endswith("Z")
    assert instant(datetime.fromisoformat(text)) == instant(value)


@pytest.mark.parametrize("hour", [0, 1])
def test_a_text_that_a_zone_has_twice_is_refused(hour: int) -> None:
    value = datetime(2027, 10, 31, hour, 30, tzinfo=UTC)
    with pytest.raises(ValueError, match=r"Europe/Berlin has '2027-10-31T02:30' twice"):
        wire_datetime(value, "%Y-%m-%dT%H:%M", "Europe/Berlin")
    assert wire_datetime(value, "%H:%M %Y-%m-%d %z", "Europe/Berlin")[:5] == "02:30"
    for other in (-1, 2):
        wire_datetime(value + timedelta(hours=other * 2), "%Y-%m-%dT%H:%M", "Europe/Berlin")


@given(AWARE, st.sampled_from(ZONES), st.sampled_from([FORMAT, "%Y-%m-%dT%H:%M"]))
def test_a_text_without_a_zone_is_the_same_instant(value: datetime, zone: str, form: str) -> None:
    value = value.replace(second=0, microsecond=0)
    try:
        text = wire_datetime(value, form, zone)
    except ValueError as error:
        lost = "lose its" in str(error)  # a zone whose old offset has seconds
        others = ("calendar", "twice", "does not exist")  # without its seconds it may not
        assert lost or any(word in str(error) for word in others)
        return
    read = datetime.strptime(text, form).replace(tzinfo=ZoneInfo(zone))
    assert instant(read) == instant(value)
