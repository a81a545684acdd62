"""Sheets as other programs write them: dates of every country, merged cells, hidden rows."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from zipfile import ZipFile

import openpyxl
import pytest
from cli_support import GROUP, Command, rows_of, write

from social_publishing_cli.plans import SheetError, read_sheet
from social_publishing_cli.sheets.memory import Memory
from social_publishing_cli.sheets.times import became_date, forms_of, written

Writer = Callable[[datetime], str]


def half(moment: datetime, am: str = "AM", pm: str = "PM") -> str:
    return am if moment.hour < 12 else pm


def hour(moment: datetime) -> int:
    return moment.hour % 12 or 12


GERMAN = ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")
WRITERS: dict[str, Writer] = {
    "en-US": lambda m: f"{m.month}/{m.day}/{m:%y} {m.hour}:{m:%M}",
    "en-US, 12 hours": lambda m: f"{m.month}/{m.day}/{m.year} {hour(m)}:{m:%M} {half(m)}",
    "en-US, ICU": lambda m: f"{m.month}/{m.day}/{m:%y}, {hour(m)}:{m:%M}\u202f{half(m)}",
    "en-GB": lambda m: f"{m:%d/%m/%Y %H:%M}",
    "en-GB, 12 hours": lambda m: f"{m:%d/%m/%Y} {hour(m)}:{m:%M} {half(m, 'am', 'pm')}",
    "en, named": lambda m: f"{m.day}-{m:%b-%y} {m.hour}:{m:%M}",
    "en, named first": lambda m: f"{m:%b} {m.day}, {m.year} {hour(m)}:{m:%M}:00 {half(m)}",
    "de": lambda m: f"{m:%d.%m.%Y %H:%M}",
    "de, short": lambda m: f"{m:%d.%m.%y %H:%M}",
    "de, weekday": lambda m: f"{GERMAN[m.weekday()]}., {m:%d.%m.%Y %H:%M}",
    "de, named": lambda m: f"{m.day}. {'Dezember' if m.month == 12 else 'März'} {m:%Y %H:%M}",
    "fr": lambda m: f"{m:%d/%m/%Y %Hh%M}",
    "it": lambda m: f"{m:%d/%m/%Y %H.%M}",
    "nl": lambda m: f"{m:%d-%m-%Y %H:%M}",
    "nl, short": lambda m: f"{m.day}-{m.month}-{m:%y} {m.hour}:{m:%M}",
    "cz": lambda m: f"{m.day}. {m.month}. {m:%Y %H:%M}",
    "fi": lambda m: f"{m.day}.{m.month}.{m:%Y} {m.hour}.{m:%M}",
    "hu": lambda m: f"{m:%Y. %m. %d. %H:%M}",
    "hu, 12 hours": lambda m: f"{m:%Y.%m.%d.} {half(m, 'de.', 'du.')} {hour(m)}:{m:%M}",
    "sv": lambda m: f"{m:%Y-%m-%d %H:%M}",
    "sv, short": lambda m: f"{m:%y-%m-%d %H:%M}",
    "ja": lambda m: f"{m.year}/{m.month}/{m.day} {m.hour}:{m:%M}",
    "ja, long": lambda m: (
        f"{m.year}年{m.month}月{m.day}日 {half(m, '午前', '午後')}{hour(m)}:{m:%M}"
    ),
    "ja, weekday": lambda m: f"{m:%Y/%m/%d}(火) {m:%H:%M}",
    "ko": lambda m: f"{m:%Y-%m-%d} {half(m, '오전', '오후')} {hour(m)}:{m:%M}",
    "seconds": lambda m: f"{m:%d/%m/%Y %H:%M:%S}",
}
DAYS = [datetime(2026, 12, 1, 9, 48), datetime(2026, 12, 2, 0, 5), datetime(2026, 12, 12, 12, 30)]


def test_times_that_an_export_remembers_are_no_edits(command: Command, sheet: Path) -> None:
    """Whatever the form is: nothing is planned; of an edited time, the edit is."""
    exported = rows_of(sheet)
    moments = [datetime.fromisoformat(row["publication_date"]) for row in exported]
    later = moments[-1] + timedelta(days=1, hours=1)
    for country, writer in WRITERS.items():
        for is_edited in (False, True):
            times = [*moments[:-1], later] if is_edited else moments
            rows = [
                {**row, "publication_date": writer(moment)}
                for row, moment in zip(exported, times, strict=True)
            ]
            write(sheet, rows)
            ended = command("plan", sheet)
            assert ended.status == 0, (country, ended.err)
            lines = [*map(json.loads, ended.out.splitlines())]
            found = [(line["field"], line["after"]) for line in lines]
            wanted = ("publication_date", f"{later:%Y-%m-%d %H:%M}")
            assert found == [wanted] * is_edited, country


@pytest.mark.parametrize("country", WRITERS)
def test_a_column_is_read_as_it_was_written(country: str) -> None:
    cells = [(WRITERS[country](day), day) for day in DAYS]
    forms = forms_of(cells)
    for cell, day in cells:
        assert [*written(cell, forms)] == [day], (cell, forms)


def test_what_stays_open_names_the_option(command: Command, sheet: Path) -> None:
    """Every time was edited, or some prove one form and some another: nothing is guessed."""
    [first, second, *_] = rows_of(sheet)
    for row in (first, second):
        row["publication_date"] = "3/4/2027 09:00"
    write(sheet, [first, second])
    ended = command("plan", sheet)
    assert ended.status == 1
    assert ended.err.count("2027-03-04 09:00 or 2027-04-03 09:00? Pass --date-format") == 2
    was = datetime(2026, 12, 1, 9, 0)
    both = [("12/1/2026 9:00", was), ("1/12/2026 9:00", was)]
    assert len(written("3/4/2027 9:00", forms_of(both))) == 2
    proved = forms_of([both[0], ("24/12/2026 9:00", None)])
    for second, count in ((0, 1), (30, 2)):  # which one cell leaves out, and no other one has
        cells = [(f"12/1/2026 9:00{end}", was.replace(second=30)) for end in ("", ":10")]
        assert len(written("3/4/2027 9:00", forms_of(cells[second > 0 :]))) == count
    assert not written("24/12/2026 9:00", proved) and len(written("3/4/2027 9:00", proved)) == 1


@pytest.mark.parametrize(
    ("was", "now", "is_one"),
    [
        ("Dec 24", "24-Dec", True),
        ("Dec 24", "2026-12-24", True),
        ("1-2", "2-Jan", True),
        ("3/4", "04.Mrz", True),
        ("1.2.3", "01.02.2003", True),
        ("24 décembre", "24/12/2026", True),
        ("Dec 24", "Dec 25", False),
        ("Dec 24", "Advent", False),
        ("Advent", "24-Dec", False),
        ("Dec 24", "Dec 24", False),
        ("10 rolls", "12 rolls", False),
    ],
)
def test_a_text_that_became_a_date_is_noticed(was: str, now: str, is_one: bool) -> None:
    assert became_date(was, now) is is_one


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("mark", ["sep={}\r\n", "SEP={}\n", '"sep={}"\n', "sep={}{}{}\n"])
def test_a_line_that_names_the_separator(tmp_path: Path, separator: str, mark: str) -> None:
    path = tmp_path / "x.csv"
    if separator == "|" and mark.count("{}") > 1:
        return  # no program writes that
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        file.write(mark.format(*[separator] * 3))
        rows = [["id", "name"], ["7", "a, b; c", "", ""]]  # empty cells at the end are none
        csv.writer(file, delimiter=separator).writerows(rows)
    [row] = read_sheet(path).rows()
    assert (row.number, row.values) == (2, {"name": "a, b; c"})


@pytest.fixture
def book(command: Command, tmp_path: Path) -> Path:
    assert command("export", "posts", "--group", GROUP, "-o", "all.xlsx").status == 0
    return tmp_path / "all.xlsx"


def columns(sheet: openpyxl.worksheet.worksheet.Worksheet) -> dict[str, str]:
    return {str(cell.value): cell.column_letter for cell in sheet[1]}


@pytest.mark.parametrize(
    ("merge", "places"),
    [
        ("{content}3:{content}5", {(4, "content"), (5, "content")}),
        ("{visible_for_client}4:{should_skip}4", {(4, "should_skip")}),
        ("{id}4:{id}5", {(5, "id")}),
        ("{name}3:{content}4", {(3, "content"), (4, "name"), (4, "content")}),
    ],
)
def test_merged_cells_are_refused(
    command: Command, book: Path, merge: str, places: set[tuple[int, str]]
) -> None:
    """A program keeps one value of them: the others would be emptied."""
    opened = openpyxl.load_workbook(book)
    opened.active.merge_cells(merge.format(**columns(opened.active)))
    opened.save(book)
    with pytest.raises(SheetError) as refused:
        read_sheet(book)
    told = {(p.row, p.column) for p in refused.value.problems if "merged" in p.reason}
    assert told == places
    assert command("plan", book).status == 1


def test_merged_cells_beside_the_posts_are_passed_over(command: Command, book: Path) -> None:
    opened = openpyxl.load_workbook(book)
    last = opened.active.max_row
    opened.active.merge_cells(f"A{last + 2}:C{last + 4}")
    beside = opened.active.max_column + 2
    opened.active.merge_cells(start_row=2, end_row=4, start_column=beside, end_column=beside + 1)
    opened.save(book)
    ended = command("plan", book)
    assert (ended.status, ended.out) == (0, ""), ended.err


def test_a_row_that_a_filter_hides_is_marked(command: Command, book: Path) -> None:
    opened = openpyxl.load_workbook(book)
    sheet = opened.active
    for row in (3, 4):
        sheet[f"{columns(sheet)['note']}{row}"] = "edited"
    sheet.row_dimensions[4].hidden = True
    opened.save(book)
    lines = [*map(json.loads, command("plan", book).out.splitlines())]
    assert [(line["row"], "hides this row" in line["warning"]) for line in lines] == [
        (3, False),
        (4, True),
    ]


def rewritten(path: Path, name: Callable[[str], str], change: Callable[[str, str], str]) -> None:
    with ZipFile(path) as file:
        parts = {each: file.read(each) for each in file.namelist()}
    with ZipFile(path, "w") as file:
        for each, content in parts.items():
            text = content if b"\0" in content else change(each, content.decode()).encode()
            file.writestr(name(each), text)


@pytest.mark.parametrize(
    "name",
    [
        lambda part: part.replace("/", "\\"),
        str.upper,
        lambda part: f"/{part}",
        lambda part: part.replace("sheet1", "Sheet1").replace("/", "\\"),
    ],
    ids=["backslashes", "upper case", "from the root", "other case"],
)
def test_parts_of_a_workbook_under_other_names(
    command: Command, book: Path, name: Callable[[str], str]
) -> None:
    rewritten(book, name, lambda part, text: text)
    ended = command("plan", book)
    assert (ended.status, ended.out) == (0, ""), ended.err


@pytest.mark.parametrize(("yes", "no"), [("1", "0"), ("true", "false"), ("TRUE", "FALSE")])
def test_booleans_of_a_workbook(command: Command, book: Path, yes: str, no: str) -> None:
    """As some programs write them into cells of flags: nobody edited any."""
    opened = openpyxl.load_workbook(book)
    sheet = opened.active
    for name in ("should_skip", "visible_for_client"):
        for cell in sheet[columns(sheet)[name]][1:]:
            cell.value = {"yes": True, "no": False, None: None}[cell.value]
    opened.save(book)

    def change(part: str, text: str) -> str:
        def words(match: re.Match[str]) -> str:
            return f"{match[1]}{yes if match[2] == '1' else no}<"

        return re.sub(r'(t="b"[^>]*><v>)([01])<', words, text)

    rewritten(book, str, change)
    ended = command("plan", book)
    assert (ended.status, ended.out) == (0, ""), ended.err


@pytest.mark.parametrize("words", ["wahr falsch", "VRAI FAUX", "igaz hamis", "Waar Onwaar"])
def test_flags_in_other_languages(tmp_path: Path, words: str) -> None:
    yes, no = words.split()
    (tmp_path / "x.csv").write_text(f"id,should_skip\n7,{yes}\n8,{no}\n")
    assert [row.values for row in read_sheet(tmp_path / "x.csv").rows()] == [
        {"should_skip": True},
        {"should_skip": False},
    ]


def test_a_moved_zone_proves_no_form(tmp_path: Path) -> None:
    """The same cell on other clocks is another time, so it says nothing of the form."""
    values = {"publication_date": "2026-12-01T08:00:00Z"}
    memory = Memory("7", values, {"timezone": "Europe/Berlin"}).written()
    path = tmp_path / "x.csv"
    for zone, is_read in (("Europe/Berlin", True), ("Asia/Tokyo", False)):
        path.write_text(
            f"id,publication_date,timezone,exported\n7,12/1/2026 9:00,{zone},{memory}\n"
        )
        if is_read:
            assert [row.values for row in read_sheet(path).rows()] == [{}]
        else:
            with pytest.raises(SheetError, match="--date-format"):
                read_sheet(path)
