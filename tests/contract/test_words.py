"""What a caller can say in Python and no document can: times with and without zones, files."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from social_publishing import ArgumentError

from harness.service import Service, reply


@pytest.fixture(autouse=True, scope="module")
def _far_away() -> Iterator[None]:
    """The clock of the machine shows another time than UTC, and it must not matter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Asia/Kathmandu")
        time.tzset()
        yield
    time.tzset()


# Times

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
