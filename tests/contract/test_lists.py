"""Calls that take several requests to make one response: pages, many identifiers, long ranges."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.service import SIDES, Reply, Sent, Service, Side, reply

both = pytest.mark.parametrize("side", SIDES)

# Many identifiers

NUMBERS = st.integers(0, 450)


def _ids_of(came: Sent) -> list[str]:
    if came.method == "POST":
        return came.json["post_ids"]
    return came.query["ids"].split(",")


def _posts(came: Sent) -> Reply:
    """Return the posts whose identifier is even, in no order."""
    found = [{"id": each} for each in _ids_of(came) if int(each) % 2 == 0]
    random.Random(len(found)).shuffle(found)
    return reply(200, found)


@both
@settings(max_examples=15)
@given(many=NUMBERS, twice=st.integers(0, 5))
def test_any_number_of_posts_is_read_in_order(side: Side, many: int, twice: int) -> None:
    ids = [str(7 * n % 1000) for n in range(many)]
    asked = [*ids[:twice], *ids]
    service = Service(_posts)
    found = service.call(lambda client: client.posts.get_many(ids=asked), side)
    _asked_once(service, ids)
    assert [each.id for each in found] == [each for each in ids if int(each) % 2 == 0]
    assert list(found.missing) == [each for each in ids if int(each) % 2]


def _asked_once(service: Service, ids: list[str]) -> None:
    sent = [_ids_of(each) for each in service.came]
    assert all(0 < len(each) <= 200 for each in sent)
    assert Counter(each for chunk in sent for each in chunk) == Counter(ids)
    assert len(sent) == -(-len(ids) // 200)


@both
@settings(max_examples=25)
@given(many=st.integers(1, 650), partial=st.sets(st.integers(0, 3)))
def test_what_was_passed_over_in_any_request_is_reported(
    side: Side, many: int, partial: set[int]
) -> None:
    ids = [str(n) for n in range(many)]

    def respond(came: Sent) -> Reply:
        asked = _ids_of(came)
        is_partial = int(asked[0]) // 200 in partial
        skipped = asked[:2] if is_partial else []
        respond = {"post_ids": asked[:-1], "partial": is_partial, "skipped_published": skipped}
        return reply(200, {**respond, "skipped_no_assignee": asked[2:3] if is_partial else []})

    service = Service(respond)
    result = service.call(lambda client: client.posts.set_draft(is_draft=True, post_ids=ids), side)
    _asked_once(service, ids)
    chunks = [ids[at : at + 200] for at in range(0, many, 200)]
    skipping = [chunk for number, chunk in enumerate(chunks) if number in partial]
    assert result.post_ids == [each for chunk in chunks for each in chunk[:-1]]
    named = {*result.post_ids, *result.skipped_published, *result.skipped_no_assignee}
    assert result.unmentioned == tuple(each for each in ids if each not in named)
    assert result.partial is bool(skipping)
    assert result.skipped_published == [each for chunk in skipping for each in chunk[:2]]
    assert result.skipped_no_assignee == [each for chunk in skipping for each in chunk[2:3]]
    assert all(each.json["is_draft"] is True for each in service.came)


# Long ranges

START = datetime(2026, 1, 31, 23, 30, tzinfo=UTC)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


class Calendar:
    """Notes, of which a request gets those that touch its range: identifier, start, end."""

    def __init__(self, notes: list[tuple[str, datetime, datetime]]) -> None:
        self.service = Service(self._response)
        self._notes = notes

    def _response(self, came: Sent) -> Reply:
        start, end = (_moment(came.query[name]) for name in ("start_date", "end_date"))
        if not timedelta() <= end - start < timedelta(days=60):
            return reply(422, {"message": f"{end - start} is too long"})
        return reply(200, [_note(*each) for each in self._notes if touches(each, start, end)])


def _note(identifier: str, start: datetime, end: datetime) -> Any:
    dates = {"start_date": start.isoformat(), "end_date": end.isoformat()}
    return {"id": identifier, "title": "A note", **dates}


def touches(note: tuple[str, datetime, datetime], start: datetime, end: datetime) -> bool:
    """Return whether a note has a moment in common with a range."""
    return note[1] <= end and note[2] >= start


LENGTHS = st.one_of(
    st.timedeltas(timedelta(), timedelta(days=400)),
    st.sampled_from([timedelta(days=n) for n in (0, 59, 60, 61, 119, 120, 121, 180, 365)]),
    st.sampled_from([timedelta(days=60, seconds=-1), timedelta(days=120, microseconds=1)]),
)
NOTES = st.lists(st.tuples(st.integers(-10, 410), st.integers(0, 70)), max_size=30)


@both
@settings(max_examples=40)
@given(length=LENGTHS, notes=NOTES)
def test_every_note_of_a_range_of_any_length_comes_once(
    side: Side, length: timedelta, notes: list[tuple[int, int]]
) -> None:
    begins = [(START + timedelta(days=first), days) for first, days in notes]
    known = [
        (str(n), begin, begin + timedelta(days=days)) for n, (begin, days) in enumerate(begins)
    ]
    calendar = Calendar(known)
    end = START + length
    found = calendar.service.call(
        lambda client: client.calendar_notes.list(start=START, end=end, group_id="7"), side
    )
    wanted = [each[0] for each in known if touches(each, START, end)]
    assert sorted(each.id for each in found) == sorted(wanted)
    asked = sorted(
        (_moment(each.query["start_date"]), _moment(each.query["end_date"]))
        for each in calendar.service.came
    )
    assert (asked[0][0], asked[-1][1]) == (START, end)
    assert all(one[1] == other[0] for one, other in pairwise(asked))
    assert all(each.query["groupId"] == "7" for each in calendar.service.came)


# Metrics, which come in three shapes


@both
@given(ids=st.lists(st.integers(0, 2**64 - 1).map(str), unique=True, max_size=5))
@settings(max_examples=20)
@pytest.mark.parametrize("shape", ["list", "map"])
def test_metrics_are_found_by_their_detail_however_they_come(
    shape: str, side: Side, ids: list[str]
) -> None:
    items = [{"id": f"1{n}", "post_detail_id": each, "likes": n} for n, each in enumerate(ids)]
    body: Any = items if shape == "list" else {each["post_detail_id"]: each for each in items}
    found = Service(reply(200, body)).call(lambda client: client.posts.metrics("7"), side)
    assert isinstance(found, dict)
    assert {key: each.likes for key, each in found.items()} == {e: n for n, e in enumerate(ids)}
