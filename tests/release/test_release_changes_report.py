"""The changelog's entry: each change once, in users' words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from packaging.version import Version

from release.changes.change import Change, Level
from release.changes.documents import compare
from release.changes.report import Report


def document(level: Level, place: str, sentence: str, gaps: tuple[str, ...] = ()) -> Change:
    return Change(level, (f"`{place}`",), sentence, gaps, frozenset({place}))


def python(level: Level, place: str, sentence: str, about: str) -> Change:
    return Change(level, (f"`{place}`",), sentence, about=frozenset({about}))


PACKAGE = Change("patch", ("`library`",), "has other contents in `a.py`", kind="inside")


def report(
    documents: tuple[Change, ...] = (),
    shown: tuple[Change, ...] = (),
    packages: tuple[Change, ...] = (),
    gaps: tuple[Change, ...] = (),
) -> Report:
    versions = (Version("1.0.0"), Version("1.0.0"))
    return Report("v1.0.0", *versions, "HEAD", documents, shown, packages, gaps)


NEW = python("feature", "Book.pages", "is new", "Book.pages")
SAME = document("feature", "Book.pages", "comes, too", gaps=("book.pages",))


def test_what_shows_in_python_is_reported_in_its_words_alone() -> None:
    found = report(documents=(SAME,), shown=(NEW,), packages=(PACKAGE,))
    assert found.entry() == "### New\n\n- `Book.pages` is new.\n"
    assert "comes, too (gap `book.pages`)" in found.text()


def test_gaps_that_were_decided_are_named() -> None:
    gap = Change("patch", ("`book.pages`",), "is confirmed", gaps=("book.pages",), kind="gap")
    assert report(documents=(SAME,), shown=(NEW,), gaps=(gap,)).entry() == (
        "### New\n\n- `Book.pages` is new (gap `book.pages`).\n\n"
        "### Gaps\n\n- `book.pages` is confirmed.\n"
    )
    alone = report(packages=(PACKAGE,), gaps=(gap,)).entry()
    assert alone == "### Gaps\n\n- `book.pages` is confirmed.\n"


def test_a_break_is_not_hidden_by_something_new() -> None:
    limit = document("breaking", "books.list(limit)", "is at most 10 now")
    wider = python("feature", "books.list", "takes `limit` as `None`, too", "books.list(limit)")
    assert report(documents=(limit,), shown=(wider,)).entry() == (
        "### Breaking\n\n- `books.list(limit)` is at most 10 now.\n\n"
        "### New\n\n- `books.list` takes `limit` as `None`, too.\n"
    )


def test_contents_of_packages_are_reported_where_nothing_else_is() -> None:
    found = report(packages=(PACKAGE,))
    assert found.entry() == "### Changed\n\n- `library` has other contents in `a.py`.\n"
    assert str(found.proposed) == "1.0.1"


@pytest.mark.parametrize("is_taken_back", [False, True])
def test_a_deprecation_that_is_taken_back_is_a_change(is_taken_back: bool) -> None:
    read = {"operationId": "getA", "responses": {"200": {"description": "d"}}}
    both = [
        {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": each}}}
        for each in (read, read | {"deprecated": True})
    ]
    before, after = both[::-1] if is_taken_back else both
    found = report(documents=tuple(compare({"main": before}, {"main": after})))
    heading = "### Changed" if is_taken_back else "### Deprecated"
    assert found.entry().startswith(f"{heading}\n\n- ") and found.entry().count("###") == 1


def test_sections_come_in_their_order_and_words_stay_whole() -> None:
    """The versions are named with what they are of."""
    levels: tuple[Level, ...] = ("patch", "feature", "breaking")
    words = "has `" + "x-long-" * 9 + "word`, and `" + "another-" * 9 + "one`, too"
    changes = [document(level, f"a.{level}", words) for level in levels]
    changes.append(Change("feature", ("`b`",), f"now {words}", kind="deprecated"))
    found = replace(report(documents=tuple(changes)), current=Version("1.2.0"))
    places = {"Breaking": "a.breaking", "Deprecated": "b", "New": "a.feature", "Changed": "a.patch"}
    said = " ".join(f"### {title} - `{place}` {words}." for title, place in places.items())
    said = said.replace("`b` ", "`b` now ")
    assert found.entry().split() == said.split()
    assert max(map(len, found.entry().splitlines())) <= 100
    assert found.text().startswith("HEAD (1.2.0), compared with v1.0.0 (1.0.0).\n\nThe documents\n")


def test_nothing_is_nothing() -> None:
    found = report()
    assert (found.level, found.too_low, found.entry()) == ("none", False, "")
    assert found.text().endswith("\nNothing changes for users.\n")


GONE = report(documents=(document("breaking", "a", "is gone"),))


@pytest.mark.parametrize(
    ("found", "base", "current", "verdict"),
    [
        (report(), "1.0.0", "0.9.0", "need at least version 1.0.0 (no changes); 0.9.0 is too low."),
        (GONE, "1.0.0", "1.9.0", "need at least version 2.0.0 (breaking changes); 1.9.0 is too"),
        (GONE, "1.0.0", "2.0.0", "need at least version 2.0.0 (breaking changes); 2.0.0 is high"),
        (replace(GONE, is_first=True), "1.0.0", "1.0.0", "yet, so 1.0.0 may have any changes."),
        (replace(GONE, is_first=True), "1.0.0", "0.9.0", "version 2.0.0 (breaking changes); 0.9.0"),
        (
            replace(GONE, since_final=replace(GONE, current=Version("1.1.0rc2"))),
            *("1.1.0rc1", "1.1.0rc2", "2.0.0rc1 (breaking changes since v1.0.0); 1.1.0rc2 is too"),
        ),
        (
            replace(GONE, since_final=replace(GONE, current=Version("2.0.0rc2"))),
            *("2.0.0rc1", "2.0.0rc2", "version 2.0.0rc2 (breaking changes); 2.0.0rc2 is high"),
        ),
    ],
)
def test_what_is_said_of_a_version(found: Report, base: str, current: str, verdict: str) -> None:
    made = replace(found, base_version=Version(base), current=Version(current))
    assert verdict in made.verdict() and made.too_low is ("low" in made.verdict())


@pytest.mark.parametrize("letter", ["a", "b", "rc"])
def test_a_version_that_must_be_raised_stays_a_pre_release_of_its_kind(letter: str) -> None:
    final = report(documents=(document("breaking", "a", "is gone"),))
    base, current = (Version(f"1.1.0{letter}{number}") for number in (1, 2))
    found = replace(final, since_final=final, base_version=base, current=current)
    assert str(found.proposed) == f"2.0.0{letter}1"
