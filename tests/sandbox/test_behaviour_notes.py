"""Dates of calendar notes."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from social_publishing_sandbox.state.behaviour.notes import days_between, extra_day, touches
from social_publishing_sandbox.state.times import DAY, parse, text

DOCUMENT = json.loads((files("social_publishing_sandbox") / "documents/main.json").read_bytes())
RULE: dict[str, Any] = DOCUMENT["x-assume"]["noteExtraDay"]

moments = st.integers(0, 40)
spans = st.tuples(moments, moments).map(sorted)


@given(spans, spans)
def test_a_note_touches_a_range_when_they_share_a_moment(note: list[int], span: list[int]) -> None:
    shared = set(range(note[0], note[1] + 1)) & set(range(span[0], span[1] + 1))
    assert touches(*note, *span) == bool(shared)


def test_the_edges_touch() -> None:
    assert touches(5, 5, 5, 9)
    assert touches(9, 12, 5, 9)
    assert touches(0, 99, 5, 9)
    assert not touches(10, 12, 5, 9)


def test_exactly_sixty_days_are_told_from_a_moment_less() -> None:
    start = parse("2026-12-01T00:00:00Z")
    assert days_between(start, start + 60 * DAY) == 60
    assert days_between(start, start + 60 * DAY - 1) < 60
    assert days_between(start + DAY // 2, start) == -0.5


@pytest.mark.parametrize(
    ("rule", "moment"),
    [
        (RULE, "2027-01-01T09:30:00Z"),
        ({"from": "start_date", "addDays": 2}, "2026-12-31T00:00:00Z"),
    ],
)
def test_the_extra_day_follows_the_rule(rule: dict[str, Any], moment: str) -> None:
    start, end = parse("2026-12-29T00:00:00Z"), parse("2026-12-31T09:30:00Z")
    assert text(extra_day(start, end, rule)) == moment
