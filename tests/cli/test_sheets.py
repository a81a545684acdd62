"""Sheets: whatever is in a post comes back from a sheet, and whatever is wrong in one is told."""

from __future__ import annotations

import csv
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import openpyxl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from social_publishing_cli.plans import SheetError, read_sheet
from social_publishing_cli.sheets import cells
from social_publishing_cli.sheets.columns import TEXTUAL, shown
from social_publishing_cli.sheets.encodings import advice, encoding_of, lost_letters
from social_publishing_cli.sheets.memory import still_has

ID = "9032915132417572866"
BERLIN = ZoneInfo("Europe/Berlin")


@given(st.text() | st.sampled_from(["#NAME?", " #N/A ", "'#REF!", "'", "''=1"]))
def test_a_text_comes_back_from_a_cell(text: str) -> None:
    guarded = cells.guarded(text)
    assert not guarded.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert (cells.text(guarded) or "") == text


@pytest.mark.parametrize("text", ["007", "1e5", "12/1", "50 %", "TRUE", "'007", "=1", "a 7", ""])
def test_a_text_that_looks_like_a_number_is_kept_as_text(text: str) -> None:
    """Spreadsheet programs make 7 of 007 when they save a file again."""
    kept = cells.kept(text)
    assert kept == (text if text in ("a 7", "") else f"'{text}")
    assert (cells.text(kept) or "") == text


@given(st.datetimes(datetime(2000, 1, 1), datetime(2037, 12, 31)), st.sampled_from([BERLIN, UTC]))
@example(datetime(2026, 3, 29, 2, 30), BERLIN)
@example(datetime(2026, 10, 25, 2, 30), BERLIN)
def test_a_time_on_the_clock_comes_back_or_is_refused(moment: datetime, zone: ZoneInfo) -> None:
    wall = moment.replace(second=0, microsecond=0, fold=0)
    named = ZoneInfo(getattr(zone, "key", "UTC"))
    try:
        read = cells.moment(f"{wall:%Y-%m-%d %H:%M}", named, ())
    except ValueError as error:
        local = wall.replace(tzinfo=named)
        there_and_back = local.astimezone(UTC).astimezone(named).replace(tzinfo=None)
        assert ("does not exist" if there_and_back != wall else "twice") in str(error)
        assert local.utcoffset() != local.replace(fold=1).utcoffset()
        return
    assert shown(read, "moment", named) == f"{wall:%Y-%m-%d %H:%M}"


@given(st.datetimes(datetime(2000, 1, 1), datetime(2037, 12, 31), timezones=st.just(UTC)))
def test_every_moment_comes_back_from_the_clocks(moment: datetime) -> None:
    utc = moment.isoformat(timespec="seconds").replace("+00:00", "Z")
    assert cells.moment(shown(utc, "moment", BERLIN), BERLIN, ()) == utc


@pytest.mark.parametrize(
    ("utc", "expected"),
    [
        ("2026-10-25T00:30:00Z", "2026-10-25 02:30+02:00"),
        ("2026-10-25T01:30:00Z", "2026-10-25 02:30+01:00"),
        ("2026-10-25T02:30:00Z", "2026-10-25 03:30"),
    ],
)
def test_the_second_hour_of_a_night_stays_the_second(utc: str, expected: str) -> None:
    assert shown(utc, "moment", BERLIN) == expected
    assert cells.moment(expected, BERLIN, ()) == utc


def test_an_hour_that_clocks_leap_over_names_its_neighbours() -> None:
    with pytest.raises(ValueError, match=r"2027-03-28 02:30.* does not exist.*01:30 or 03:30"):
        cells.moment("2027-03-28 02:30", BERLIN, ())


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (["24.12.2026 09:00", "01.12.2026 10:00"], "2026-12-24T08:00:00Z"),
        (["12/24/2026 9:00", "12/01/2026 10:00"], "2026-12-24T08:00:00Z"),
        (["24/12/2026 09:00", "01/12/2026 10:00"], "2026-12-24T08:00:00Z"),
        (["12/24/2026 9:00 AM", "12/01/2026 10:00 PM"], "2026-12-24T08:00:00Z"),
        (["2026-12-24T09:00+01:00"], "2026-12-24T08:00:00Z"),
        (["24.12.2026 09:00:00", "01.12.2026 10:00"], "2026-12-24T08:00:00Z"),
        (["12/24/2026 9:00:00 AM"], "2026-12-24T08:00:00Z"),
        (["2026-12-24 9:00"], "2026-12-24T08:00:00Z"),
        (["2026-12-24 09:00:00", "24.12.2026 9:00"], "2026-12-24T08:00:00Z"),
        (["2026-10-25 02:30+01:00"], "2026-10-25T01:30:00Z"),
        (["2026-10-25 02:30+02:00"], "2026-10-25T00:30:00Z"),
    ],
)
def test_how_a_column_writes_times_is_found_out_from_all_of_it(
    column: list[str], expected: str
) -> None:
    formats = cells.moment_formats([(each, None) for each in column], None)
    assert cells.moment(column[0], BERLIN, formats) == expected


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("12/01/2026 09:00", "2026-01-12 09:00 or 2026-12-01 09:00.*--date-format"),
        ("2026-10-25 02:30", r"02:30.* twice .*write 2026-10-25T02:30\+02:00 or \+01:00"),
        ("2026-12-24", "2026-12-24 has no time of day: write 2026-12-24 09:00"),
        ("24.12.2026", "24.12.2026 has no time of day: write 24.12.2026 09:00"),
        ("12/24/2026", "has no time of day"),
        ("09:00", "'09:00' is not a time"),
        ("at nine", "'at nine' is not a time: write it as 2026-12-24 09:00, or say"),
        ("2026-13-24", "'2026-13-24' is not a time: there is no month 13"),
        ("2027-02-30 12:00", "'2027-02-30 12:00' is not a time: February 2027 has 28 days"),
        ("2028-02-30T12:00+01:00", "February 2028 has 29 days"),
        ("Mon 31.11.2026 9:00", "November 2026 has 30 days"),
        ("30/02/2027 12:00", "February 2027 has 28 days"),
        ("31 Feb 2027 9:00", "February 2027 has 28 days"),
        ("32.13.2026 9:00", "there is no month 13"),
        ("2026-12-24 24:00", "'2026-12-24 24:00' is not a time: hours go to 23"),
        ("2026-12-24T25:00Z", "hours go to 23"),
        ("12/24/2026 13:00 PM", "hours go to 12 beside PM"),
        ("24.12.2026 09:60", "minutes go to 59"),
        ("2026-12-24 09:00:60", "seconds go to 59"),
        ("0999-12-24 09:00", "is in the year 999: write all four digits"),
        ("9999-12-31T23:00-05:00", "is not a valid time"),
    ],
)
def test_a_time_that_is_not_certain_is_refused(cell: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        cells.moment(cell, BERLIN, cells.moment_formats([(cell, None)], None))


@given(
    *(st.integers(0, 9999), st.integers(0, 19), st.integers(0, 39)),
    *(st.integers(0, 29), st.integers(0, 69)),
    st.sampled_from([" ", "T"]),
    st.sampled_from(["", ":00", "Z", "+02:00"]),
)
def test_nobody_is_told_to_write_a_time_as_it_is_written(
    year: int, month: int, day: int, hour: int, minute: int, between: str, end: str
) -> None:
    cell = f"{year:04}-{month:02}-{day:02}{between}{hour:02}:{minute:02}{end}"
    try:
        datetime(year, month, day, hour, minute)
        is_time = year >= 1000
    except ValueError:
        is_time = False
    try:
        cells.moment(cell, BERLIN, ())
    except ValueError as error:
        assert "write it as" not in str(error) or not year
        assert not is_time or "where clocks go forward" in str(error) or "comes twice" in str(error)
    else:
        assert is_time


@pytest.mark.parametrize(
    ("cell", "layout", "reason"),
    [
        ("30.02.2027 12:00", "%d.%m.%Y %H:%M", "February 2027 has 28 days"),
        ("2/30/2027 12:00", "%m/%d/%Y %H:%M", "February 2027 has 28 days"),
        ("24.12.2026 24:00", "%d.%m.%Y %H:%M", "hours go to 23"),
        ("12/24/2026 12:00", "%d.%m.%Y %H:%M", "does not have the form '%d.%m.%Y %H:%M'"),
    ],
)
def test_a_time_in_the_form_that_was_given_is_told_what_is_wrong_with_it(
    cell: str, layout: str, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        cells.moment(cell, BERLIN, cells.moment_formats([(cell, None)], layout))


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("1,000", "1,000 .*: 1000 or 1[?]"),
        ("1.000", "1.000 .*: 1000 or 1[?]"),
        ("12.500", "12.500 .*: 12500 or 12.5[?]"),
        ("1,234", "1,234 .*: 1234 or 1.234[?]"),
        ("1.000,00", "is not a whole number"),
        ("1.5", "is not a whole number"),
        ("yes", "is not a whole number"),
        ("1000", 1000),
        ("5,0", 5),
        ("30.00", 30),
        ("-5", -5),
        ("0.000", 0),
        ("999999999", 999_999_999),
        ("1000000000", 10**9),
        (str(10**30), 10**30),
        ("-" + "9" * 200, -(10**200) + 1),
        ("1E+30", 10**30),
        ("1,5E+02", 150),
        ("1.5E+00", "is not a whole number"),
        ("1" * 400, r"^1{40}… is too large$"),
        ("", None),
    ],
)
def test_a_number_is_what_it_says_or_refused(cell: str, expected: object) -> None:
    if not isinstance(expected, str):
        assert cells.READERS["number"](cell) == expected
        return
    with pytest.raises(ValueError, match=expected):
        cells.READERS["number"](cell)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("1 2, 3;4|5\n6", ["1", "2", "3", "4", "5", "6"]),
        ("0", ["0"]),
        (f"{2**64 - 1}", [f"{2**64 - 1}"]),
        (f"{2**64}", "is not an identifier"),
        ("07", "is not an identifier"),
        ("1000000000000000.0", "has rounded"),
        ("100000000000000.0", "is not an identifier"),
    ],
)
def test_an_identifier_is_whole_or_refused(cell: str, expected: object) -> None:
    if not isinstance(expected, str):
        assert cells.READERS["ids"](cell) == expected
        return
    with pytest.raises(ValueError, match=expected):
        cells.READERS["ids"](cell)


DAY = datetime(2026, 12, 24)
DATES = [DAY, time(9), timedelta(hours=30)]


@pytest.mark.parametrize(
    ("value", "kind", "layout", "expected"),
    [
        *(
            (said, kind, "", str(said).upper())
            for kind in sorted(TEXTUAL)
            for said in (True, False)
        ),
        (True, "flag", "", "yes"),
        (True, "number", "", "yes"),  # which is no number
        (7, "text", "", "7"),
        (5.0, "number", "0.000", "5"),
        (DAY, "moment", "yyyy-mm-dd hh:mm", "2026-12-24 00:00"),
        (DAY, "moment", "dd.mm.yyyy", "2026-12-24"),
        (DAY, "moment", "", "2026-12-24 00:00"),
        (DAY + timedelta(hours=9), "moment", "dd.mm.yyyy", "2026-12-24 09:00"),
        # A day counted in fractions is half a second off at the most.
        (DAY - timedelta(microseconds=499_999), "moment", "", "2026-12-24 00:00"),
        (DAY + timedelta(microseconds=499_999), "moment", "", "2026-12-24 00:00"),
        (DAY - timedelta(microseconds=499_999), "moment", "dd.mm.yyyy", "2026-12-24"),
        (DAY + timedelta(seconds=30), "moment", "", "2026-12-24 00:00:30"),
        (datetime(1, 1, 1), "moment", "", "0001-01-01 00:00"),
    ],
)
def test_a_cell_of_a_workbook_is_read_as_it_looks(
    value: object, kind: str, layout: str, expected: str
) -> None:
    assert cells.as_text(value, kind, layout) == expected


@pytest.mark.parametrize(
    ("value", "kind", "layout", "reason"),
    [
        (datetime.max, "moment", "", "not a valid time"),
        *((day, kind, "", "format the cell as text") for kind in sorted(TEXTUAL) for day in DATES),
    ],
)
def test_a_cell_of_a_workbook_is_refused(
    value: object, kind: str, layout: str, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        cells.as_text(value, kind, layout)


@pytest.mark.parametrize(
    ("text", "was", "lost"),
    [
        ("Fresh ?? croissants", None, True),
        ("Br?tchen und K?se", None, True),
        ("Caf\ufffd", None, True),
        ("id,name\n7,?berraschung", None, True),
        ("Ready?? Go? (Really?)", None, False),
        ("Pourquoi ? Parce que.", None, False),
        ("https://example.com/?a=b&c?d see https://example.com/x?y=1", None, False),
        ("a ? b", "a 🥐 b", True),
        ("a ?? b?", "a 🥐 b?", True),
        ("Caf\ufffd", "Café", True),
        ("Caf?, café", "Café, café", True),
        ("Cafe", "Café", False),
        ("Why?", "Why!", False),
        ("a 🥐 b", "a 🥐 b", False),
    ],
)
def test_letters_that_were_lost_are_noticed(text: str, was: str | None, lost: bool) -> None:
    assert lost_letters(text, was) is lost


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_an_encoding_is_found_out_with_and_without_a_mark(encoding: str) -> None:
    text = "id,name\n7,Käse 🥐\n"
    for mark in ("", "\ufeff" * encoding.endswith("e")):  # the others have theirs, or need none
        data = (mark + text).encode(encoding)
        assert data.decode(encoding_of(data[:64])) == text


@pytest.mark.parametrize(("name", "cures"), [("Käse", True), ("Käse ?? neu", False)])
def test_no_encoding_is_advised_for_letters_that_are_lost(
    tmp_path: Path, name: str, cures: bool
) -> None:
    for ends in ("\n", "\r\n", "\r"):
        text = f"id,name\t{ends}7,{name}{ends}"
        (tmp_path / "x.csv").write_bytes(text.encode("cp1252"))
        assert ("--encoding cp1252" in advice(tmp_path / "x.csv")) is cures
        assert ("export again" in advice(tmp_path / "x.csv")) is not cures


BAD = {
    "an empty file": (b"", r"plan.csv: is empty"),
    "no rows": (b"id,name\n", r"has no rows"),
    "an unknown column": (b"id,nmae\n1,x\n", r"row 1, nmae: .*did you mean name\?.*--extra-col"),
    "a column of one's own": (b"id,name,mine\n1,x,\n", r"row 1, mine: .*\. --extra-columns passes"),
    "a time in words": (b"id,publication_date\n1,tomorrow\n", r"row 2, .*--date-format '%d.%m"),
    "no identifiers": (b"name\nx\n", r"row 1, id: is missing"),
    "a column twice": (b"id,name,name\n1,x,y\n", r"row 1, name: is in the header twice"),
    "a row without identifier": (b"id,name\n,x\n", r"row 2, id: .*no identifier"),
    "an identifier twice": (b"id,name\n7,x\n8,y\n7,z\n", r"row 4, id: 7 is also in row 2"),
    "a rounded identifier": (b"id,name\n9.03292E+18,x\n", r"row 2, id: .*rounded"),
    "a German rounded identifier": (b"id;name\n9,03292E+18;x\n", r"row 2, id: .*rounded"),
    "no identifier at all": (b"id,name\nabc,x\n", r"row 2, id: 'abc' is not an identifier"),
    "a formula": (b"id,name\n1,=SUM(A1)\n", r"row 2, name: is a formula"),
    "a zone that is none": (
        b"id,publication_date,timezone\n1,2026-12-01 09:00,Europe/Berln\n",
        r"row 2, timezone: there is no time zone 'Europe/Berln'",
    ),
    "a zone that is a path": (
        b"id,publication_date,timezone\n1,2026-12-01 09:00,../../etc/passwd\n",
        r"row 2, timezone: there is no time zone",
    ),
    "no zone": (b"id,publication_date\n1,2026-12-01 09:00\n", r"row 2, .*has no time zone"),
    "a counted day": (b"id,publication_date\n1,45992.375\n", r"row 2, .*date as a number"),
    "a flag that is none": (b"id,should_skip\n1,maybe\n", r"row 2, should_skip: 'maybe' is nei"),
    "another encoding": (
        "id,name\n1,Käse\n".encode("cp1252"),
        r"is not UTF-8: .*--encoding cp1252",
    ),
    "zero bytes": (b"id,name\n1,\0\n", r"zero bytes"),
    "an old workbook": (b"\xd0\xcf\x11\xe0" + bytes(60), r"save it as .xlsx"),
    "a damaged workbook": (b"PK\x03\x04" + bytes(60), r"is (damaged|not a workbook)"),
    "too many cells": (
        b"id,should_skip,name\n1,a,b,c\n",
        r"^plan.csv: row 2: has more cells than the header: quote .*\Z",
    ),
    "an open quote": (b'id,name\n1,"a\n', r"is not CSV"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_told_with_its_place(name: str, tmp_path: Path) -> None:
    content, expected = BAD[name]
    (tmp_path / "plan.csv").write_bytes(content)
    with pytest.raises(SheetError, match=expected):
        read_sheet(tmp_path / "plan.csv")


@pytest.mark.parametrize(
    ("members", "program"),
    [
        ({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}, r"\.ods\)"),
        ({"mimetype": "application/vnd.oasis.opendocument.spreadsheet-template"}, r"\.ods\)"),
        ({"Index/Document.iwa": "", "Metadata/x.plist": ""}, "Numbers"),
        ({"xl/workbook.bin": "", "[Content_Types].xml": ""}, r"\.xlsb\)"),
    ],
)
def test_sheets_of_other_programs_say_what_to_save_them_as(
    tmp_path: Path, members: dict[str, str], program: str
) -> None:
    for ending in ("ods", "xlsx"):  # whatever the file is called
        with ZipFile(tmp_path / f"plan.{ending}", "w") as file:
            for name, content in members.items():
                file.writestr(name, content)
        with pytest.raises(SheetError, match=f"{program}: save it as .xlsx or CSV"):
            read_sheet(tmp_path / f"plan.{ending}")


def test_a_column_of_ones_own_hides_nothing_that_is_wrong_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "plan.csv"
    path.write_text("id,mine,should_skip,yours\n1,a,maybe,\nx,b,no,\n")
    with pytest.raises(SheetError) as caught:
        read_sheet(path)
    found = [(problem.row, problem.column) for problem in caught.value.problems]
    assert found == [(1, "mine"), (1, "yours"), (2, "should_skip"), (3, "id")]
    with pytest.raises(SheetError) as caught:
        read_sheet(path, extra_columns=True)
    assert [problem.row for problem in caught.value.problems] == [2, 3]


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    lines = "id,should_skip\n" + "".join(f"{n},maybe\nx{n},no\n" for n in range(1, 50))
    (tmp_path / "plan.csv").write_text(lines)
    with pytest.raises(SheetError) as caught:
        read_sheet(tmp_path / "plan.csv")
    assert [problem.row for problem in caught.value.problems] == [*range(2, 100)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv_of_every_program_is_read(tmp_path: Path, encoding: str, separator: str) -> None:
    path = tmp_path / "plan.csv"
    with path.open("w", encoding=encoding, newline="") as file:
        rows = [["id", "name"], [ID, "Käse, Brot; und\tmehr"]]
        csv.writer(file, delimiter=separator).writerows(rows)
    [row] = read_sheet(path, encoding="cp1252" if encoding == "cp1252" else None).rows()
    assert (row.number, row.id, row.values["name"]) == (2, ID, "Käse, Brot; und\tmehr")


def test_a_workbook_is_read_as_it_looks(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["id", "publication_date", "timezone", "name", "should_skip"])
    sheet.append([ID, datetime(2026, 12, 24, 9), "Europe/Berlin", "=1+1", True])
    sheet["D2"].data_type = "s"
    book.save(tmp_path / "plan.xlsx")
    [row] = read_sheet(tmp_path / "plan.xlsx").rows()
    assert row.values == {
        "publication_date": "2026-12-24T08:00:00Z",
        "name": "=1+1",
        "should_skip": True,
    }


def test_numbers_and_formulas_of_a_workbook_are_refused(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["id", "name"])
    sheet.append([9.032915132417573e18, "a"])
    sheet.append(["7", "=A1"])
    book.save(tmp_path / "plan.xlsx")
    with pytest.raises(SheetError) as caught:
        read_sheet(tmp_path / "plan.xlsx")
    found = [(problem.row, problem.column) for problem in caught.value.problems]
    assert found == [(2, "id"), (3, "name")]


@pytest.mark.parametrize(
    "content",
    ['\ufeff<?xml version="1.0"?>\n<office:document>', "<html><table>", "\n <!DOCTYPE html>"],
)
def test_what_programs_write_as_xml_or_html_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "plan.fods"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SheetError, match=r"is XML or HTML.*save it as \.xlsx or CSV"):
        read_sheet(path)


def test_a_negative_number_is_told_beside_other_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "plan.csv"
    path.write_text(f"id,publication_delay_between,timezone\n{ID},-5,Nowhere\n7,-0,\n8,0,\n")
    with pytest.raises(SheetError) as caught:
        read_sheet(path)
    found = [(problem.row, problem.column) for problem in caught.value.problems]
    assert sorted(found) == [(2, "publication_delay_between"), (2, "timezone")]


@pytest.mark.parametrize(
    ("cell", "is_so"),
    [
        ("a b\tc\t", True),
        ("a bc", True),
        ("a b\tc", False),
        ("a bcd", False),
        ("abc", False),
        ("a b c ", False),
    ],
)
def test_tabs_that_libreoffice_loses_are_no_edit(cell: str, is_so: bool) -> None:
    assert still_has(cell, "name", "a b\tc\t", None, ()) is is_so
