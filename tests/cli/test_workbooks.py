"""What a person opens in a spreadsheet program: posts and metrics, as LibreOffice reads them."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import openpyxl
import pytest
from cli_support import GROUP, Command, rows_of, write
from social_publishing import SocialPublishing

from social_publishing_cli.sheets import writing

BERLIN = ZoneInfo("Europe/Berlin")
OFFICE = shutil.which("soffice")


@pytest.fixture
def book(command: Command, tmp_path: Path) -> Any:
    ended = command("export", "posts", "--group", GROUP, "-o", "all.xlsx")
    assert ended.status == 0, ended.err
    return openpyxl.load_workbook(tmp_path / "all.xlsx")


def columns(sheet: Any) -> dict[str, str]:
    return {cell.value: cell.column_letter for cell in sheet[1]}


@pytest.mark.parametrize("rows", [4999, 5000])  # of 5,000, lists are there in any case
def test_the_last_row_of_a_long_sheet_has_its_list_too(tmp_path: Path, rows: int) -> None:
    columns = [
        writing.Column("name", "text", True, ""), writing.Column("skip", "flag", True, "yes"),
    ]  # fmt: skip
    written = [{"name": "a", "skip": "no"}] * rows
    writing.write_workbook(tmp_path / "x.xlsx", "posts", columns, written)
    sheet: Any = openpyxl.load_workbook(tmp_path / "x.xlsx").active
    assert sheet.max_row == rows + 1
    for each in sheet.data_validations.dataValidation:
        assert all(cells.max_row >= sheet.max_row for cells in each.sqref.ranges)


def test_dates_are_dates_with_their_weekday_and_ids_are_text(
    book: Any, client: SocialPublishing
) -> None:
    sheet = book.active
    letters = columns(sheet)
    posts = {post.id: post for post in client.posts.list(group_id=GROUP)}
    names = {e.id: e for e in client.groups.get(GROUP, include=["socialAccounts"]).social_accounts}
    for row in range(2, sheet.max_row + 1):
        cells = {name: sheet[f"{letter}{row}"] for name, letter in letters.items()}
        post = posts.pop(cells["id"].value)
        moment = post.publication_date
        local = moment.astimezone(BERLIN).replace(tzinfo=None, second=0) if moment else None
        assert cells["publication_date"].value == local
        if local:
            assert cells["publication_date"].number_format == "ddd yyyy-mm-dd hh:mm"
        for name in ("id", "selected_account_ids", "selected_media_ids", "group_id"):
            assert cells[name].number_format == "@"
            assert cells[name].value is None or isinstance(cells[name].value, str)
        assert (cells["group"].value, cells["group_id"].value) == ("Kornblume Bakery", GROUP)
        accounts = [names[each] for each in post.selected_account_ids]
        told = [f"{each.custom_name or each.name} ({each.social_network})" for each in accounts]
        assert cells["accounts"].value == ", ".join(told)
    assert not posts


@pytest.mark.skipif(OFFICE is None, reason="needs LibreOffice")
def test_another_program_keeps_it(command: Command, book: Any, tmp_path: Path) -> None:
    """Saved there, as a workbook or as CSV whose dates have weekdays, nothing is edited."""
    for kind, how in (("xlsx", "xlsx"), ("csv", "csv:Text - txt - csv (StarCalc):44,34,76,1")):
        subprocess.run(
            [
                *(str(OFFICE), f"-env:UserInstallation=file://{tmp_path}/office", "--headless"),
                *("--convert-to", how, "--outdir", f"saved-{kind}", "all.xlsx"),
            ],
            check=True, capture_output=True, timeout=180, cwd=tmp_path,
        )  # fmt: skip
        ended = command("plan", tmp_path / f"saved-{kind}" / f"all.{kind}")
        assert (ended.status, "nothing to change" in ended.err) == (0, True), ended.err
    text = (tmp_path / "saved-csv" / "all.csv").read_text("utf-8")
    assert re.search(r",\w+ 2026-12-\d\d \d\d:\d\d,", text)


@pytest.mark.parametrize("weekday", ["Mon", "Mo.", "lun.,", "月", "Понедельник", ""])
def test_a_weekday_before_a_date_is_passed_over(
    command: Command, sheet: Path, weekday: str
) -> None:
    rows = rows_of(sheet)
    rows[0]["publication_date"] = f"{weekday} 2026-12-14 19:30".strip()
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerow(rows[0])
    ended = command("plan", sheet)
    assert ended.status == 0, ended.err
    assert json.loads(ended.out.splitlines()[0])["after"] == "2026-12-14 19:30"


# Of a Tuesday, in languages whose programs write them; whole, cut, and with a point.
TUESDAYS = [
    *("Tue", "Tues", "Tuesday", "Di.", "Dienstag", "mar.", "mardi", "martes", "martedì", "di"),
    *("dinsdag", "ti", "tirsdag", "tis", "tisdag", "tiistai", "terça", "ter", "wt", "wtorek"),
]
THURSDAYS = ["Thu", "Thurs", "Do.", "Donnerstag", "jeu.", "jueves", "gio", "do", "to", "czwartek"]


def of_a_day_but(thursday: int, sheet: Path) -> tuple[dict[str, str], date]:
    """Return a row of a sheet, and its date, which is on another day of the week."""
    for row in rows_of(sheet):
        day = date.fromisoformat(row["publication_date"][:10])
        if day.weekday() not in (thursday, 1):
            return row, day
    raise AssertionError("the sandbox has no such post")


@pytest.mark.parametrize("column", ["weekday", "publication_date"])
def test_a_weekday_that_is_not_that_of_the_date_is_refused_in_every_language(
    column: str, command: Command, sheet: Path
) -> None:
    row, _ = of_a_day_but(3, sheet)
    unknown = ["no day"] if column == "weekday" else []
    for names, status in (([*TUESDAYS, *unknown], 0), (THURSDAYS, 1)):
        for name in names:
            moved = {"publication_date": "2026-12-29 19:30", "weekday": name}
            if column != "weekday":
                moved = {"publication_date": f"{name} 2026-12-29 19:30"}
            write(sheet, [row | moved])
            ended = command("plan", sheet)
            assert ended.status == status, (name, ended.err)
            assert not status or f"row 2, {column}: " in ended.err, ended.err
            assert not status or "2026-12-29 is a Tuesday" in ended.err, ended.err


def test_a_weekday_may_be_the_old_or_the_new_and_an_edit_of_it_alone_is_not_lost(
    command: Command, sheet: Path
) -> None:
    row, day = of_a_day_but(3, sheet)
    moved = {"publication_date": "2026-12-29 19:30"}
    for edits, status in (
        ({}, 0), ({"weekday": ""}, 0), ({"weekday": "Thu"}, 1), ({"weekday": "Di"}, 1),
        (moved, 0), (moved | {"weekday": "Di"}, 0), (moved | {"weekday": "Thu"}, 1),
    ):  # fmt: skip
        write(sheet, [row | edits])
        ended = command("plan", sheet)
        assert ended.status == status, (edits, ended.err)
        if status and "publication_date" not in edits:
            assert f"{day} is a {day:%A}: to move the post, edit publication_date" in ended.err


@pytest.fixture
def measured(command: Command) -> Iterator[list[dict[str, Any]]]:
    ended = command("metrics", "--group", GROUP)
    assert ended.status == 0, ended.err
    yield [json.loads(line) for line in ended.out.splitlines()]


def test_metrics_as_a_workbook(
    command: Command, measured: list[dict[str, Any]], tmp_path: Path
) -> None:
    assert command("metrics", "--group", GROUP, "-o", "m.xlsx").status == 0
    head, *rows = openpyxl.load_workbook(tmp_path / "m.xlsx")["metrics"].values
    found = [dict(zip(head, row, strict=True)) for row in rows]
    for row, expected in zip(found, measured, strict=True):
        assert f"{row.pop('published'):%Y-%m-%d %H:%M}" == expected["published"]
        assert row == {name: expected[name] for name in row}
        assert {"account", "account_name", "post", "timezone", "status"} <= row.keys()


def test_metrics_as_csv_that_excel_reads(
    command: Command, measured: list[dict[str, Any]], tmp_path: Path
) -> None:
    assert command("metrics", "--group", GROUP, "-o", "m.csv").status == 0
    assert (tmp_path / "m.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    rows = rows_of(tmp_path / "m.csv")
    for row, expected in zip(rows, measured, strict=True):
        assert (row["account"], row["post"]) == (f"'{expected['account']}", f"'{expected['post']}")
        assert row["name"].removeprefix("'") == expected["name"]
        assert (row["status"], row["weekday"]) == ("published", expected["weekday"])
        assert row["account_name"].endswith(f"({row['network']})")
    assert any(len(row["name"]) > 60 for row in rows)  # whole names
    assert (tmp_path / "m.csv").read_text("utf-8-sig").splitlines()[0].startswith("published,")
    again = command("metrics", "--group", GROUP, "-o", "m.csv")
    assert "m.csv already exists" in again.err
    assert "use .csv, .xlsx" in command("metrics", "--group", GROUP, "-o", "m.ods").err


def test_a_month_without_metrics_is_a_table_all_the_same(command: Command, tmp_path: Path) -> None:
    for name in ("m.csv", "m.xlsx"):
        ended = command("metrics", "--group", GROUP, "--month", "2001-01", "-o", name)
        assert (ended.status, "0 rows" in ended.err) == (0, True), ended.err
    assert len((tmp_path / "m.csv").read_text("utf-8-sig").splitlines()) == 1


TIMES = [
    ("export", "posts", "--group", GROUP),
    ("metrics", "--group", GROUP),
    ("posts", "list", "--group", GROUP),
    ("posts", "list", "--group", GROUP, "--columns", "id,created_at,updated_at"),
    ("calendar-notes", "list", "--start", "2026-12-01T00:00Z", "--end", "2026-12-24T00:00Z"),
    ("groups", "get", GROUP),
]


@pytest.mark.parametrize("words", TIMES, ids=lambda words: " ".join(words[:2]))
@pytest.mark.parametrize("width", ["80", "200"])
def test_tables_of_times_name_their_zone_and_weekdays(
    command: Command, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    ended = command(*words, "--output", "table")
    assert ended.status == 0, ended.err
    times = re.findall(r"(?:(\w{3}) )?\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*", ended.out)
    assert times and all(times)
    assert "UTC" in ended.out or "Europe/Berlin" in ended.out
