"""Targets of overlays that are no query say in plain words what is wrong, and where."""

from __future__ import annotations

import operator

import pytest

from pipeline.openapi.overlay.query import compile_query, select

QUERIES = [
    "$.paths['/labels'].post",
    '$.paths["/labels"][0].get',
    "$.paths[?@.a == 'it\\'s'].post",
    "$.a[?(@.b == 1 && length(@.c) > 2)]",
    "$.a['b','c'][1:2]",
    "$..a[*]",
]


def refused(query: str) -> str:
    """Return why a text is no query; empty where it is one."""
    try:
        compile_query(query)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("query", QUERIES)
def test_no_message_has_names_of_the_parser(query: str) -> None:
    assert not refused(query)
    cut = [refused(query[:end]) for end in range(len(query))]
    without = [refused(query[:at] + query[at + 1 :]) for at in range(len(query))]
    assert any(cut) and any(without)
    assert not [each for each in cut + without if "TOKEN" in each]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("$.paths['/labels'.post", "a `]` is missing before `.` (character 18)"),
        ("$.paths['/labels'", "a `]` is missing at its end"),
        ("$.paths[?@.a==1.post", "a `]` is missing before `.` (character 16)"),
        ("$.a[?length(@.b>1]", "a `)` is missing before `]` (character 18)"),
        ("$.paths['/labels].post", "a second `'` is missing before `'` (character 9)"),
        ("paths.post", "must begin with $ (character 1)"),
        ("", "must begin with $"),
        ("$.a[?@.b &&]", "unexpected end of expression (character 12)"),
        ("$.a[?!!@.b]", "unexpected token '!' (character 7)"),
        ("$.a[?@.c || ! !@.b]", "unexpected token '!' (character 15)"),
    ],
)
def test_what_is_missing_is_named(query: str, said: str) -> None:
    assert refused(query) == said


@pytest.mark.parametrize("number", ["1e400", "-1e400", "1.5e400", "9" * 400, "1e-400", "7e0"])
def test_a_number_may_be_larger_than_any_of_a_document(number: str) -> None:
    numbers = [0, 7, -7, 10**300]
    for sign in ("==", "<", ">"):
        chosen = [at for (at,) in select(f"$[?@ {sign} {number}]", numbers)]
        wanted = {"==": operator.eq, "<": operator.lt, ">": operator.gt}[sign]
        assert chosen == [at for at in range(4) if wanted(numbers[at], float(number))]
    assert not refused(f"$[?!(@.a == {number})]") and not refused("$[?!(!@.a)]")
