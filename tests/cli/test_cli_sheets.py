"""Sheets: whatever is in a post comes back from a sheet, and whatever is wrong in one is told."""

from __future__ import annotations

import csv
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from social_publishing_cli.plans import SheetError, read_sheet
from social_publishing_cli.sheets import cells
from social_publishing_cli.sheets.columns import shown

ID = "9032915132417572866"
BERLIN = ZoneInfo("Europe/Berlin")


@given(st.text())
def test_a_text_comes_back_from_a_cell(text: str) -> None:
    guarded = cells.guarded(text)
    assert not guarded.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert (cells.text(guarded) or "") == text


@given(st.datetimes(datetime(2000, 1, 1), datetime(2037, 12, 31)), st.sampled_from([BERLIN, UTC]))
def test_a_time_on_the_clock_comes_back_or_is_refused(moment: datetime, zone: ZoneInfo) -> None:
    wall = moment.replace(second=0, microsecond=0)
    named = ZoneInfo(getattr(zone, "key", "UTC"))
    try:
        read = cells.moment(f"{wall:%Y-%m-%d %H:%M}", named, ())
    except ValueError as error:
        assert "leap over" in str(error)
        local = wall.replace(tzinfo=named)
        assert local.astimezone(UTC).astimezone(named).replace(tzinfo=None) != wall
        return
    assert shown(read.utc, "moment", named) == f"{wall:%Y-%m-%d %H:%M}"


def test_an_hour_that_clocks_leap_over_names_its_neighbours() -> None:
    with pytest.raises(ValueError, match=r"leap over 2027-03-28 02:30: 01:30 or 03:30 would do"):
        cells.moment("2027-03-28 02:30", BERLIN, ())


def test_an_hour_that_clocks_show_twice_is_the_first_and_says_so() -> None:
    assert cells.moment("2026-10-25 02:30", BERLIN, ()) == ("2026-10-25T00:30:00Z", True)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (["24.12.2026 09:00", "01.12.2026 10:00"], "2026-12-24T08:00:00Z"),
        (["12/24/2026 9:00", "12/01/2026 10:00"], "2026-12-24T08:00:00Z"),
        (["24/12/2026 09:00", "01/12/2026 10:00"], "2026-12-24T08:00:00Z"),
        (["12/24/2026 9:00 AM", "12/01/2026 10:00 PM"], "2026-12-24T08:00:00Z"),
        (["2026-12-24T09:00+01:00"], "2026-12-24T08:00:00Z"),
    ],
)
def test_how_a_column_writes_times_is_found_out_from_all_of_it(
    column: list[str], expected: str
) -> None:
    formats = cells.moment_formats(column, None)
    assert cells.moment(column[0], BERLIN, formats).utc == expected


def test_a_time_that_could_be_two_is_refused() -> None:
    with pytest.raises(ValueError, match=r"may be 2026-01-12 09:00 or 2026-12-01 09:00"):
        cells.moment("12/01/2026 09:00", BERLIN, cells.moment_formats(["12/01/2026 09:00"], None))


BAD = {
    "an empty file": (b"", r"plan.csv: is empty"),
    "no rows": (b"id,name\n", r"has no rows"),
    "an unknown column": (b"id,nmae\n1,x\n", r"row 1, nmae: .*did you mean name\?"),
    "no identifiers": (b"name\nx\n", r"row 1, id: is missing"),
    "a column twice": (b"id,name,name\n1,x,y\n", r"row 1, name: stands in the header twice"),
    "a row without identifier": (b"id,name\n,x\n", r"row 2, id: .*cannot be created"),
    "an identifier twice": (b"id,name\n7,x\n8,y\n7,z\n", r"row 4, id: 7 stands in row 2, too"),
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
    "a counted day": (b"id,publication_date\n1,45992.375\n", r"row 2, .*counted by the"),
    "a time that is none": (b"id,publication_date\n1,tomorrow\n", r"row 2, .*not a time"),
    "a flag that is none": (b"id,should_skip\n1,maybe\n", r"row 2, should_skip: 'maybe' is nei"),
    "a number that is none": (b"id,publication_delay_between\n1,1.5\n", r"row 2, .*whole number"),
    "another encoding": ("id,name\n1,Käse\n".encode("cp1252"), r"is not UTF-8 after row \d+: "),
    "zero bytes": (b"id,name\n1,\0\n", r"zero bytes"),
    "an old workbook": (b"\xd0\xcf\x11\xe0" + bytes(60), r"old Excel"),
    "a damaged workbook": (b"PK\x03\x04" + bytes(60), r"is (damaged|not a workbook)"),
    "too many cells": (b"id,name\n1,a,b\n", r"row 2: has more cells than the header"),
    "an open quote": (b'id,name\n1,"a\n', r"is not CSV"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_told_with_its_place(name: str, tmp_path: Path) -> None:
    content, expected = BAD[name]
    (tmp_path / "plan.csv").write_bytes(content)
    with pytest.raises(SheetError, match=expected):
        read_sheet(tmp_path / "plan.csv")


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


def test_rows_are_read_one_by_one(tmp_path: Path) -> None:
    import tracemalloc

    path = tmp_path / "plan.csv"
    with path.open("w") as file:
        file.write("id,content\n")
        file.writelines(f"{10**18 + n},{'x' * 1000}\n" for n in range(10_000))
    tracemalloc.start()
    assert sum(1 for _ in read_sheet(path).rows()) == 10_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000  # the file has ten
