"""Header fields that a pause or the rate depends on: read by their grammar, or not at all."""

from __future__ import annotations

import string
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from runtime.core.drift import Drift, DriftWarning
from runtime.core.errors import DriftError, StatusError
from runtime.limits.header_values import read_count, read_date, read_reset, read_seconds
from runtime.limits.rates import RateRule, read_rate, unreadable_headers
from runtime_support import SENDERS, TOKEN, answer, options, request, settings

both = pytest.mark.parametrize("send", SENDERS)

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
LONG = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
UNITS = {"h": 3600, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9}


def forms(moment: datetime) -> tuple[str, str, str]:
    """The three forms of RFC 9110, 5.6.7, without the help of a locale."""
    day, month, time = moment.weekday(), MONTHS[moment.month - 1], f"{moment:%H:%M:%S}"
    return (
        f"{DAYS[day]}, {moment.day:02} {month} {moment.year:04} {time} GMT",
        f"{LONG[day]}, {moment.day:02}-{month}-{moment.year % 100:02} {time} GMT",
        f"{DAYS[day]} {month} {moment.day:2} {time} {moment.year:04}",
    )


def moments(first: int, last: int) -> st.SearchStrategy[datetime]:
    ends = datetime(first, 1, 1), datetime(last, 12, 31, 23, 59, 59)
    return st.datetimes(*ends).map(lambda at: at.replace(microsecond=0, tzinfo=UTC))


@given(moments(1, 9999))
@example(datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC))
def test_a_date_is_read_as_it_was_written(moment: datetime) -> None:
    full, _, asctime = forms(moment)
    assert read_date(full) == read_date(asctime) == moment.timestamp()


@given(moments(datetime.now(UTC).year - 49, datetime.now(UTC).year + 49))
def test_a_year_of_two_digits_is_at_most_fifty_years_away(moment: datetime) -> None:
    assert read_date(forms(moment)[1]) == moment.timestamp()


@given(moments(1970, 9998))
def test_a_leap_second_is_the_first_of_the_next_minute(moment: datetime) -> None:
    minute = moment.replace(second=59)
    text = forms(minute)[0].replace(":59 ", ":60 ")
    assert read_date(text) == (minute + timedelta(seconds=1)).timestamp()


@given(st.integers(0, 10**11 - 1))
@example(0)
def test_whole_numbers(number: int) -> None:
    text = str(number)
    assert read_count(text) == read_seconds(text) == read_reset(text, "seconds") == number
    for policy in (", 60", ";w=60", ', 60;w=60;comment="a b", 1000 ; w=3600'):
        assert read_count(f" {text}{policy}") == number == -read_count(f"-{text}{policy}")
    assert read_reset(text, "milliseconds") == number / 1000
    assert read_reset(text, "duration") == (None if number else 0.0)


@given(
    st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(["", ".", ".5", ".025"]),
                       st.sampled_from([*UNITS])), min_size=1, max_size=5)
)  # fmt: skip
def test_durations(terms: list[tuple[int, str, str]]) -> None:
    text = "".join(f"{number}{fraction}{unit}" for number, fraction, unit in terms)
    seconds = sum(float(f"{number}{fraction}") * UNITS[unit] for number, fraction, unit in terms)
    assert read_reset(text, "duration") == pytest.approx(seconds)


FRAGMENTS = st.sampled_from(
    [*DAYS, *LONG, *MONTHS, *UNITS, *" ,.:;-+TZ", "GMT", "08:49:37", "1994", "06", "6", "60"]
)
NEARLY = st.one_of(
    st.text(),
    st.text(string.digits + "٣²eE.,+-_ xhms"),
    st.lists(FRAGMENTS, max_size=9).map("".join),
    moments(1, 9999).flatmap(lambda at: st.sampled_from(forms(at))),
)


@given(NEARLY, st.integers(0, 40), st.text(max_size=2))
@example("2026-12-01T09:00:00Z", 40, "")
@example("06 Nov 1994 08:49:37 GMT", 40, "")
@example("Mon, 31 Feb 2026 08:49:37 GMT", 40, "")
@example("6m0s", 40, "")
def test_nothing_else_is_a_number(text: str, at: int, more: str) -> None:
    """What is read, written again in one of the forms, is the text."""
    text = (text[:at] + more + text[at:]).strip(" \t")
    digits = text.isascii() and text.isdigit()
    assert (read_seconds(text) is not None) == digits
    assert (read_reset(text, "seconds") is not None) == (digits and len(text) <= 11)
    assert (read_reset(text, "milliseconds") is not None) == (digits and len(text) <= 14)
    if read_count(text) is not None:
        assert text.replace(";", ",").split(",")[0].strip(" \t").removeprefix("-").isdigit()
    if read_reset(text, "duration") is not None:
        assert text == "0" or (text[0] in "." + string.digits and text[-1] in "hms")
    seconds = read_date(text)
    if seconds is not None:
        leap = ":60 " in text
        moment = datetime.fromtimestamp(seconds - leap, UTC)
        days = dict(zip([*LONG, *DAYS], [*DAYS, *DAYS], strict=True))
        written = [form.replace(":59 ", ":60 ") if leap else form for form in forms(moment)]
        rests = {form.partition(" ")[2] for form in written}
        assert text.partition(" ")[2] in rests  # which day of the week it was is not compared
        assert text.partition(" ")[0].strip(",") in days


RULE = RateRule(60, 60.0, "x-limit", "x-left", "x-reset")


@pytest.mark.parametrize("text", ["6m0s", "500ms", "1.5", "+5", "1e3", "0x10"])
def test_a_form_that_is_not_documented_is_no_number(text: str) -> None:
    headers = {name: text for name in ("x-limit", "x-left", "x-reset", "retry-after")}
    assert read_rate(RULE, headers, 1.8e9, 0.0) == (None, None, None)
    assert {name for name, _, _ in unreadable_headers(RULE, headers)} == {*headers}


@pytest.mark.parametrize("text", ["1800000000000", "-5"])
def test_an_impossible_reset_means_nothing_and_is_no_drift(text: str) -> None:
    assert read_rate(RULE, {"x-reset": text}, 1.8e9, 0.0).end is None
    assert not [*unreadable_headers(RULE, {"x-reset": text})]


@pytest.mark.parametrize(
    ("form", "text", "left"),
    [
        ("milliseconds", "1800000030500", 30.5),
        ("milliseconds", "30500", 30.5),
        ("duration", "6m0.5s", 360.5),
        ("duration", "500ms", 0.5),
        ("duration", "2.5h", 9001.0),
    ],
)
def test_a_form_that_is_documented(form: Any, text: str, left: float) -> None:
    rule = RULE._replace(format=form)
    end = read_rate(rule, {"x-reset": text}, 1.8e9, 0.0).end
    assert end is not None
    assert end.left == left
    assert not [*unreadable_headers(rule, {"x-reset": text})]


ODD = {"Retry-After": "2026-12-01T09:00:00Z", "X-Left": f"0x10 {TOKEN}", "X-Reset": "6m0s"}
EXPECTED = [
    ("header retry-after", "seconds or an HTTP-date"),
    ("header x-left", "a number of requests"),
    ("header x-reset", "seconds, or Unix seconds"),
]


@both
@pytest.mark.parametrize("status", [200, 422])
def test_what_cannot_be_read_is_drift(send: Any, status: int) -> None:
    """It is reported, without the token, and whatever the status of the response is."""
    seen: list[Drift] = []
    made = request(returns=int, operation=f"{send.__name__}.{status}")  # each warns once

    def respond(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, content=b"7", headers=ODD)

    def call(**changes: Any) -> None:
        with suppress(StatusError):
            send(respond, made, settings(rate=RULE), options(**changes))

    call(on_drift=seen.append)
    assert [(each.path, each.kind, each.expected) for each in seen] == [
        (name, "type", expected) for name, expected in EXPECTED
    ]
    assert TOKEN not in str(seen) and '"0x10 ' in seen[1].found
    with pytest.warns(DriftWarning, match=r"header retry-after: type: expected seconds"):
        call(drift="warn")


@both
@pytest.mark.parametrize("safety", ["safe", "unsafe"])
def test_it_can_be_an_error(send: Any, safety: str) -> None:
    """A write that succeeded is not reported as one that was not done."""
    made = request("POST", returns=int, retry_safety=safety)
    with pytest.raises(DriftError, match=r"header retry-after: type") as caught:
        send(answer(200, b"7", headers=ODD), made, settings(rate=RULE), options(drift="raise"))
    assert len(caught.value.drifts) == 3
    assert caught.value.may_be_done is (safety == "unsafe")


@both
def test_one_error_has_what_is_odd_of_headers_and_body(send: Any) -> None:
    made = request(returns=int)
    with pytest.raises(DriftError) as caught:
        send(answer(200, b'"7"', headers=ODD), made, settings(rate=RULE), options(drift="raise"))
    assert [drift.path for drift in caught.value.drifts] == [*dict(EXPECTED), "$"]
