"""Patterns of arguments: matched as `re` does, in time that no text can draw out."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path
from typing import Any

import pytest
from social_publishing._runtime.request import patterns

BLANKS = " " * 60_000
DANGEROUS = [
    (r"^\s+|\s+$", "a" + BLANKS + "a"),
    (r"^(a+)+$", "a" * 60_000 + "!"),
    (r"^(https?:\/\/)?([\da-z\.-]+)\.([a-z\.]{2,6})([\/\w \.-]*)*\/?$", "a.bc/" + "a" * 50 + "!"),
    (r"^[a-z0-9]+(?:-[a-z0-9]+)*$", "a" * 60_000 + "!"),
    (r"^([\w\-\.]+)@([\w\-\.]+)\.([a-zA-Z]{2,5})$", "a@" + "a." * 30_000),
    (r"(.*a){12}", "a" * 11 + "b" * 5_000),
    (r"a+$", "a" * 60_000 + "!"),
    (r"^(a?){25}a{25}$", "a" * 24),
]
ATOMS = [
    *(
        "a",
        "b",
        ".",
        "[ab]",
        "[^a]",
        "[a-c]",
        "[^0-a]",
        r"\d",
        r"\w",
        r"\b",
        "^",
        "$",
        "(a|b)",
        r"\W",
    ),
    *(
        "(?:ab|a)",
        "(a*)",
        "((b+)?)",
        "(a{1,3})",
        "((?:a|b){2})",
        "((ab)*)",
        "((a|)+)",
        r"\W",
        r"[^\d]",
    ),
]


@pytest.mark.parametrize(("pattern", "text"), DANGEROUS)
def test_no_text_takes_long(pattern: str, text: str) -> None:
    search = patterns.search_of(pattern)
    assert search is not None
    start = time.process_time()
    assert not search(text)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "pattern", [r"^(?=.*[a-z])(?=.*\d).{8,}$", r"^(?!\s*$).+", r"^(0|[1-9][0-9]{0,19})$", "^a*$"]
)
def test_what_has_few_ways_is_left_to_re(pattern: str) -> None:
    search = patterns.search_of(pattern)
    assert search is not None and isinstance(getattr(search, "__self__", None), re.Pattern)
    search("a" * 60_000)


PARTS = [
    *("a", "(?:ab)", "(?:a|b)", "(?:a|b|ab)", "(?:a?)", "(?:a*)", "(?:a{2})", "(?:a{0,99})"),
    *("(a?b?)", "(?:a{0,9}a{0,9})", "(?:a{0,9}a{0,99})", "(?>a*)", "(?:(?:a?){9})", "(?:a*b*)"),
    *("(?:(?:a|b){9})", "(?=a)", "(?=a*)", "(?=.*a)(?=.*b)", "(?!a+b)", "(?<=a)", "(a)(?(1)b)"),
    *(r"(a)\1", "(?:^a|b)", "(?:(?=a*)b)"),
]
AROUND = (("", ""), ("^", ""), ("^", "$"))
ENDS = ("", "?", "*", "+", "{2}", "{1,2}", "{0,99}")


def way(pattern: str) -> str:
    search = patterns.search_of(pattern)
    if search is None:
        return "none"
    return "re" if isinstance(getattr(search, "__self__", None), re.Pattern) else "own"


def test_how_each_pattern_is_matched(golden: Any) -> None:
    """By `re` where it has few ways, else by a matcher of our own, where that knows all of it."""
    lines = ["how patterns are matched, alone, with ^ before, and with $ behind as well"]
    for part in PARTS:
        ways = ("/".join(way(f"{a}{part}{end}{b}") for a, b in AROUND) for end in ENDS)
        lines.append(
            f"{part:16} " + "  ".join(f"{e or '1'} {w}" for e, w in zip(ENDS, ways, strict=True))
        )
    golden(Path(__file__).parent / "patterns.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize("pattern", [r"^(.+)\1+$", r"(?=.*a)b", r"(?i)(a+)+$", "((ab|b){99}){99}"])
def test_what_has_no_bound_is_not_searched_for(pattern: str) -> None:
    assert patterns.search_of(pattern) is None


def test_the_matcher_agrees_with_re() -> None:
    draw = random.Random(20)
    compared = 0
    for _ in range(2_000):
        ends = ("", "", "*", "+", "?", "{2}", "{0,2}")
        parts = [draw.choice(ATOMS) + draw.choice(ends) for _ in range(draw.randint(1, 5))]
        pattern = "".join(parts).replace("$", r"\Z")
        try:
            compiled = re.compile(pattern, re.ASCII)
        except re.error:
            continue
        matcher = patterns._Matcher(list(patterns._parser.parse(pattern, re.ASCII)))
        for _ in range(4):
            text = "".join(draw.choice("ab1_ \n-é") for _ in range(draw.randint(0, 7)))
            assert matcher.search(text) == bool(compiled.search(text)), (pattern, text)
            compared += 1
    assert compared > 1_000
