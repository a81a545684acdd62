"""What a person sees of changes: all that changes, at every width, and no foreign control."""

from __future__ import annotations

import io
import re
from itertools import product
from pathlib import Path

import pytest
from cli_support import Command, rows_of, write
from hypothesis import assume, given
from hypothesis import strategies as st
from rich.cells import cell_len

from social_publishing_cli import output
from social_publishing_cli.changes import compared, write_changes

ID = "10051778141816356966"
NEVER = re.compile("[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def line(**more: object) -> dict[str, object]:
    found = {"row": 8, "id": ID, "name": "Poll", "field": "name", "before": "a", "after": "b"}
    return {**found, "warning": "", **more}


def shown(monkeypatch: pytest.MonkeyPatch, width: int, *lines: dict[str, object]) -> str:
    monkeypatch.setenv("COLUMNS", str(width))
    to = io.StringIO()
    write_changes(lines, to)
    return to.getvalue()


def texts(*values: str) -> list[str]:
    return [each.plain for each in compared(*values)]


@pytest.mark.parametrize("width", [12, 40, 80, 120, 200])
@pytest.mark.parametrize("more", [{}, {"now": "2026-12-14 20:15"}])
def test_what_changes_is_shown_at_every_width(
    monkeypatch: pytest.MonkeyPatch, width: int, more: dict[str, object]
) -> None:
    moved = {"before": "2026-12-14 12:00", "after": "2026-12-14 19:30", **more}
    seen = shown(monkeypatch, width, line(field="publication_date", name="x" * 40, **moved))
    assert all(cell_len(each) <= width for each in seen.splitlines())
    joined = "".join(seen.split())
    for text in ("publication_date", *moved.values()):
        assert str(text).replace(" ", "") in joined
    assert ID in joined or width < 30


@pytest.mark.parametrize("width", [40, 80, 120])
def test_warnings_come_first(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    seen = shown(monkeypatch, width, line(warning="in the past"), line(row=9, after="c"))
    assert seen.splitlines()[0] == "warning: row 8: in the past"


@pytest.mark.parametrize("width", [109, 200])
def test_no_name_forges_a_line(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    forged = "ok\nrow 9  1  Poll\u2028  name: a → c\x1b[2K"
    honest = line(name="Poll" * 4, before="abcd" * 6, after="b", warning="late")
    seen = [
        shown(monkeypatch, width, each)
        for each in (honest, line(name=forged, before=forged, after="b", warning=forged))
    ]
    assert len(seen[0].splitlines()) == len(seen[1].splitlines())
    assert not NEVER.search(seen[1])


def test_a_wide_terminal_gets_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = line(
        field="publication_date",
        before="2026-12-14 12:00",
        after="2026-12-14 19:30",
        now="2026-12-14 20:15",
        timezone="Europe/Berlin",
    )
    other = line(row=9, id="77", name="Sale", field="note", before="old", after="new")
    lines = [moved, line(before="Poll", after="Survey"), other]
    narrow, wide = (shown(monkeypatch, width, *lines) for width in (109, 110))
    assert "→" in narrow and "→" not in wide
    head, *rows = [each.split() for each in wide.splitlines()]
    assert head == ["row", "post", "field", "before", "after"]
    assert rows[1][:5] == ["8", ID, "publication_date", "exported:", "Mon"]
    places = [wide.index(text) for text in ("exported:", "12:00", "now:", "20:15")]
    assert places == sorted(places)
    places = [narrow.index(text) for text in ("exported:", "12:00", "now:", "20:15", "19:30")]
    assert places == sorted(places)
    assert ["Poll", "name", "Poll", "Survey"] in rows and "now: Mon" in wide
    assert ["9", "77", "note", "old", "new"] in rows and ["Sale"] in rows
    assert wide.count("Europe/Berlin") == 1 and wide.count(ID) == 1


@pytest.mark.parametrize(
    ("before", "after", "marks"),
    [
        ("Mon 2026-12-14 12:00", "Mon 2026-12-14 19:30", ("12:00", "19:30")),
        ("Mon 2026-12-14 12:00", "Tue 2026-12-15 12:00", ("Mon 2026-12-14", "Tue 2026-12-15")),
        ("open on Friday only", "open on Friday's only", ("Friday", "Friday's")),
        ("we bake bread", "we make bread", ("bake", "make")),
        ("a b", "a new b", ("", "new ")),
        ("新しい名前", "新しい看板", ("名前", "看板")),
    ],
)
def test_whole_words_and_times_are_marked(before: str, after: str, marks: tuple[str, str]) -> None:
    found = []
    for text in compared(before, after):
        spans = [text.plain[s.start : s.end] for s in text.spans if s.style == "bold"]
        found.append("".join(spans))
    assert tuple(found) == marks


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_long_text_takes_few_lines(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    text = f"Begins here. {'word ' * 4_000}It ends."
    seen = shown(monkeypatch, width, line(field="content", before="", after=text))
    assert len(seen.splitlines()) < 25
    joined = " ".join(seen.split())
    assert "Begins here." in joined and "It ends." in joined
    assert f"{len(text):,}characters" in joined.replace(" ", "")


@pytest.mark.parametrize("width", ["40", "120"])
def test_a_long_text_is_whole_where_that_is_asked(
    command: Command, sheet: Path, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    words = [f"word{number}" for number in range(200)]
    write(sheet, [row | {"content": " ".join(words)} for row in rows_of(sheet)[:1]])
    assert command("plan", sheet, "-o", "x.plan").status == 0
    for how in (["--whole"], []):
        shown = command("show", "x.plan", "--output", "table", *how).out
        assert (re.findall(r"word\d+", shown) == words) is bool(how)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (("a", "a "), ["a", "a␣"]),
        ((" a", "a"), ["␣a", "a"]),
        (("a\tb", "a b"), [r"a\tb", "a b"]),
        (("a\r\nb", "a\nb"), [r"a\r↵b", "a↵b"]),
        (("a\rb", "a\tb"), [r"a\rb", r"a\tb"]),
        (("Caf\xe9", "Cafe\u0301"), [r"Caf\xe9", r"Cafe\u0301"]),
        (("a\xa0b", "a b"), [r"a\xa0b", "a␣b"]),
        (("", "x"), ["(empty)", "x"]),
        (("\x1b[31m", "x"), [r"\x1b[31m", "x"]),
    ],
)
def test_a_change_that_nobody_would_see_is_written_out(
    values: tuple[str, str], expected: list[str]
) -> None:
    assert texts(*values) == expected


def test_of_a_long_text_what_stays_is_left_out() -> None:
    start, end = "It begins like this, " * 9, ", and it ends like that" * 9
    assert texts(f"{start}on Friday{end}", f"{start}on Saturday{end}") == [
        f"…begins like this, on {day}, and it ends like t…" for day in ("Friday", "Saturday")
    ]
    for size in (40, 41):
        long = "." * size, "!" * size
        shown = long if size == 40 else (f"…{'.' * 20}", f"{'!' * 20}…")
        assert texts("a".join(long), "b".join(long)) == ["a".join(shown), "b".join(shown)]


@given(st.text(), st.text(max_size=30), st.text(max_size=30), st.text())
def test_texts_that_differ_look_different(head: str, one: str, other: str, tail: str) -> None:
    values = [head + one + tail, head + other + tail]
    assume(one != other)
    first, second = texts(*values)
    assert first != second
    assert not NEVER.search(first + second)


@given(st.text("ab \n\t", max_size=20), st.text("ab \n\t", max_size=20))
def test_every_blank_is_shown_and_none_is_added(before: str, after: str) -> None:
    for value, text in zip((before, after), texts(before, after), strict=True):
        read = text.replace("␣", " ").replace("↵", "\n").replace(r"\t", "\t").replace(r"\n", "\n")
        assert read == (value or "(empty)")


@given(st.text())
def test_a_visible_text_moves_no_cursor(text: str) -> None:
    assert not NEVER.search(output.visible(text))


def test_a_table_escapes_and_data_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    value = {"id": "7", "name\x1b[1m": "\x1b[2J\u202etxt\x07"}
    for form, single in product(output.FORMATS, (False, True)):
        to = io.StringIO()
        output.write([value], to=to, form=form, single=single)
        assert form != "table" or not NEVER.search(to.getvalue())
        assert form != "csv" or "\x1b[2J\u202etxt\x07" in to.getvalue()


def test_an_identifier_that_does_not_fit_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    to = io.StringIO()
    output.write([{"id": ID, "post_id": ID, "name": "Poll"}], to=to, form="table")
    assert to.getvalue().replace("\n", "").replace(" ", "").count(ID) == 2 or "…" in to.getvalue()


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@a", "\ta"])
def test_no_text_in_csv_is_a_formula(text: str) -> None:
    to = io.StringIO()
    output.write([{"name": text, "likes": -1}], to=to, form="csv")
    assert to.getvalue().splitlines()[1] == f"'{text},-1"
