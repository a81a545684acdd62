"""Slips that a person makes in a sheet or on a command line, and what is said of them."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from datetime import date, datetime, timedelta, tzinfo
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from bs4 import BeautifulSoup
from cli_support import GROUP, Command, rows_of, run_apart, write
from hypothesis import given
from hypothesis import strategies as st
from social_publishing import SocialPublishing

from social_publishing_cli.catalogues import catalogue
from social_publishing_cli.commands import planning
from social_publishing_cli.months import planned
from social_publishing_cli.months.words import spans
from social_publishing_cli.sheets.exporting import Month
from social_publishing_cli.summaries.summing import number, so_far
from social_publishing_sandbox import Sandbox

BERLIN = ZoneInfo("Europe/Berlin")


def warnings(command: Command, sheet: Path) -> str:
    ended = command("plan", sheet)
    assert ended.status == 0, ended.err
    return " ".join(json.loads(line)["warning"] for line in ended.out.splitlines())


@pytest.mark.parametrize("days", [365, 366, 367, 18_000])
def test_a_year_that_is_far_away_is_warned_of(sheet: Path, command: Command, days: int) -> None:
    rows = rows_of(sheet)
    moment = datetime.now(BERLIN) + timedelta(days=days, hours=-1)
    rows[0]["publication_date"] = f"{moment:%Y-%m-%d %H:%M}"
    rows[0]["weekday"] = ""
    write(sheet, rows)
    assert ("more than a year away" in warnings(command, sheet)) is (days > 366)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_an_edited_time_zone_is_warned_of_with_the_time_on_the_clocks_before(
    sheet: Path, command: Command, zone: str
) -> None:
    rows = rows_of(sheet)
    rows[0]["timezone"] = zone
    write(sheet, rows)
    local = datetime.fromisoformat(rows[0]["publication_date"]).replace(tzinfo=ZoneInfo(zone))
    there = f"this is {local.astimezone(BERLIN):%Y-%m-%d %H:%M} there"
    said = warnings(command, sheet)
    assert "timezone was Europe/Berlin" in said and there in said


def test_a_time_in_its_own_zone_is_no_slip(sheet: Path, command: Command) -> None:
    rows = rows_of(sheet)
    rows[0]["name"] = "other"
    rows[1]["publication_date"] = rows[1]["publication_date"][:11] + "13:37"
    write(sheet, rows)
    assert "timezone" not in warnings(command, sheet)


def test_a_post_that_is_gone_is_named_with_what_to_do(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    rows = rows_of(sheet)
    for row in rows[:2]:
        row["name"] = "other"
    write(sheet, rows)
    client.posts.delete_many(ids=[rows[0]["id"]])
    ended = command("plan", sheet)
    assert ended.status == 1 and f"row 2, id: there is no post {rows[0]['id']}" in ended.err
    assert "delete the row" in ended.err
    write(sheet, rows[1:])
    assert command("plan", sheet).status == 0


def test_labels_are_shown_by_name_in_a_plan(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    labels = [sandbox.create_label(name=f"Label {at}", group_id=GROUP) for at in (1, 2)]
    posts = [row["id"] for row in rows_of(sheet)]
    for post, label in zip(posts, labels, strict=False):
        client.posts.update(post, label_ids=[label["id"]])
    assert command("posts", "list", "--group-id", GROUP, "--include", "labels").status == 0
    rows = rows_of(sheet)
    for row, label in zip(rows[:2], reversed(labels), strict=True):
        row["label_ids"] = label["name"]
    write(sheet, [{**row, "label_ids": row.get("label_ids", "")} for row in rows])
    assert command("plan", sheet, "-o", "labels.plan").status == 0
    shown = command("show", "labels.plan", "--output", "table").out
    assert all(f"{label['name']} {label['id']}" in shown for label in labels)


def test_a_saved_plan_stands_for_its_identifier(sheet: Path, command: Command) -> None:
    rows = rows_of(sheet)
    for at, name in enumerate(("one", "two")):
        write(sheet, [row | {"name": name if at == place else row["name"]}
                      for place, row in enumerate(rows)])  # fmt: skip
        assert command("plan", sheet, "-o", f"{name}.plan").status == 0
        assert command("apply", f"{name}.plan").status == 0
    ended = command("undo", "one.plan", "--yes")
    assert ended.status == 0 and rows[0]["id"] in ended.out and rows[1]["id"] not in ended.out
    assert rows[0]["id"] in command("status", "one.plan").out
    assert command("resume", "two.plan").status == 0
    other = command("undo", sheet, "--yes")
    assert other.status == 1 and "social-publishing status lists" in other.err


def test_what_asks_without_a_terminal_says_how_to_look_and_what_goes_on(
    sheet: Path, command: Command
) -> None:
    rows = rows_of(sheet)
    write(sheet, [rows[0] | {"name": "other"}, *rows[1:]])
    asked = command("apply", sheet)
    assert asked.status == 2 and "plan SHEET -o FILE" in asked.err and "--yes" not in asked.err
    assert command("apply", sheet, "--yes").status == 0
    (done,) = map(json.loads, command("status").out.splitlines())
    asked = command("undo")
    assert asked.status == 2 and "SHEET" not in asked.err and "and see --help" in asked.err
    assert f"social-publishing status {done['plan']}" in asked.err
    assert rows[0]["id"] in command("status", done["plan"]).out
    assert command("undo", "--yes").status == 0


@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
@pytest.mark.parametrize("columns", ["0", "", "abc", "-3", "²"])
def test_a_width_that_is_none_is_that_of_the_terminal(
    columns: str, terminal: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.setenv("COLUMNS", "80")
    expected = command("help")
    monkeypatch.setenv("COLUMNS", columns)
    assert command("help") == expected
    for name in ("COLUMNS", "LINES"):
        monkeypatch.delenv("COLUMNS", raising=False)
        monkeypatch.setenv(name, columns)
        table = command("names", GROUP, "--output", "table")
        assert table.status == 0 and "Kornblume Bakery" in table.out, (name, table.err)


@pytest.mark.parametrize(
    ("form", "says"), [("dd.mm.yyyy", "has no %"), ("%d.%m.%Y", "does not have the form")]
)
def test_a_form_of_dates_that_does_not_fit_is_said_to(
    sheet: Path, command: Command, form: str, says: str
) -> None:
    rows = rows_of(sheet)
    rows[0]["publication_date"] = "14.12.2026 at 19:30h"
    write(sheet, rows)
    ended = command("plan", sheet, "--date-format", form)
    assert ended.status == 1 and says in ended.err and "--date-format" in ended.err


def test_pages_say_what_their_letters_mean_and_mark_what_is_warned_of(
    sheet: Path, command: Command, tmp_path: Path
) -> None:
    rows = rows_of(sheet)
    rows[0]["publication_date"] = "2020-12-01 09:30"
    rows[0]["weekday"] = ""
    rows[1]["name"] = "other"
    write(sheet, rows)
    assert command("plan", sheet, "--page", "plan.html").status == 0
    month = ("calendar", "--group", GROUP, "--month", "2026-12")
    assert command(*month, "-o", "month.html").status == 0
    for name in ("plan.html", "month.html"):
        page = BeautifulSoup((tmp_path / name).read_bytes(), "html.parser")
        for letters in ("fb Facebook", "ig Instagram", "th Threads"):
            assert letters in page.find("caption").get_text()
    page = BeautifulSoup((tmp_path / "plan.html").read_bytes(), "html.parser")
    for row in rows[:2]:
        marked = [each for each in page.select(f'a[href="#post-{row["id"]}"]') if "⚠" in each.text]
        assert bool(marked) is (row == rows[0])


@given(st.sets(st.integers(1, 31)))
def test_days_are_written_as_runs(days: set[int]) -> None:
    text = spans([date(2026, 12, day) for day in sorted(days)])
    ends = [each.split("–") for each in text.split(", ")] if text else []
    assert [d for run in ends for d in range(int(run[0]), int(run[-1]) + 1)] == sorted(days)
    assert all(int(b[0]) - int(a[-1]) > 1 for a, b in pairwise(ends))


@pytest.mark.parametrize(
    ("value", "shown"), [(1512.5, "1,513"), (1511.5, "1,512"), (0.25, "0.3"), (3, "3"), (-7, "-7")]
)
def test_a_half_is_rounded_up(value: float, shown: str) -> None:
    assert number(value) == shown


def test_help_takes_any_case(command: Command) -> None:
    for words in (("Metrics",), ("EXPORT", "Posts"), ("Plan",)):
        ended = command("help", *words)
        assert ended.status == 0 and ended.out == command("help", *map(str.lower, words)).out


def test_a_rehearsal_names_the_row_whose_year_is_too_far(
    sheet: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(catalogue("assumed")["main"]["x-assume"]["limits"], "years")
    rows = rows_of(sheet)
    rows[1]["publication_date"], rows[1]["weekday"] = "2126-12-14 19:30", ""
    write(sheet, rows)
    ended = command("plan", sheet, "--rehearse")
    assert (
        ended.status == 1
        and "row 3, publication_date: a rehearsal cannot last until 21" in ended.err
    )


@pytest.mark.parametrize("zone", ["Pacific/Honolulu", "UTC", "Pacific/Auckland"])
@pytest.mark.parametrize("late", [-1, 0])
def test_a_month_is_over_on_the_clocks_of_its_group(zone: str, late: int) -> None:
    november = Month("2026-11")
    begin, end = (
        datetime(2026, month, 1, tzinfo=ZoneInfo(zone)) + timedelta(seconds=late)
        for month in (11, 12)
    )
    assert ("has not begun" in so_far(november, begin, [zone])) is (late < 0)
    assert ("is not over" in so_far(november, begin, [zone])) is (late == 0)
    assert bool(so_far(november, end, [zone])) is (late < 0)
    assert so_far(november, end, [zone, "Pacific/Niue"])


@pytest.mark.parametrize("late", [-1, 1])
def test_a_plan_that_is_shown_says_whether_it_has_expired(
    sheet: Path, command: Command, monkeypatch: pytest.MonkeyPatch, late: int
) -> None:
    rows = rows_of(sheet)
    rows[0]["name"] = "other"
    write(sheet, rows)
    assert command("plan", sheet, "-o", "x.plan", "--expires", "1").status == 0

    class Later(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return datetime.now(tz) + timedelta(hours=1, minutes=late)

    for module in (planning, planned):
        monkeypatch.setattr(module, "datetime", Later)
    ended = command("show", "x.plan", "--page", "x.html")
    page = (sheet.parent / "x.html").read_text()
    assert ("has expired: make a new one" in ended.err) is (late > 0)
    assert ("It expired at" in page, "It expires at" in page) == (late > 0, late < 0)


def test_a_page_of_a_plan_that_is_not_saved_names_no_plan(sheet: Path, command: Command) -> None:
    rows = rows_of(sheet)
    rows[0]["name"] = "other"
    write(sheet, rows)
    assert command("plan", sheet, "--page", "x.html").status == 0
    assert "expire" not in BeautifulSoup((sheet.parent / "x.html").read_bytes(), "html.parser").text


@pytest.mark.parametrize("error", ["#NAME?", "#REF!", "#DIV/0!", "#N/A"])
def test_an_error_of_a_spreadsheet_program_is_no_text(
    sheet: Path, command: Command, error: str
) -> None:
    rows = rows_of(sheet)
    rows[0]["name"], rows[1]["content"] = error, f"'{error}"
    write(sheet, rows)
    ended = command("plan", sheet)
    assert ended.status == 1 and f"row 2, name: is the error {error}" in ended.err
    assert "row 3" not in ended.err
    rows[0]["name"] = "other"
    write(sheet, rows)
    assert error in command("plan", sheet).out


def test_a_missing_header_is_said_once(sheet: Path, command: Command) -> None:
    lines = sheet.read_text(encoding="utf-8").splitlines(keepends=True)
    sheet.write_text("".join(lines[1:]), encoding="utf-8")
    ended = command("plan", sheet)
    assert ended.status == 1 and ended.err.count("is no header") == 1
    assert "--extra-columns" not in ended.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["export", "--group", "x"], "--group is an option of social-publishing export posts"),
        (["calendar", "--group", "Kornblume", "Bakery"], "needs quotation marks"),
        (["calendar", "--thumbnails"], "-o december.html"),
        (["calendar", "--thumbnails", "-o", "x.ics"], "-o december.html"),
    ],
)
def test_a_command_line_that_is_nearly_right_is_told_how(
    command: Command, words: list[str], says: str
) -> None:
    ended = command(*words)
    assert ended.status == 2 and says in ended.err


def test_columns_of_a_calendar_are_a_table_of_these(command: Command) -> None:
    month = ("calendar", "--group", GROUP, "--month", "2026-12", "--output", "table")
    ended = command(*month, "--columns", "day,name")
    head, *rows = ended.out.splitlines()
    assert ended.status == 0 and head.split() == ["day", "name"] and rows


@pytest.mark.parametrize("module", ["social_publishing_sandbox", "sqlite3"])
def test_a_sandbox_that_cannot_be_imported_is_told_with_the_cause(
    tmp_path: Path, module: str
) -> None:
    name = "ModuleNotFoundError" if module == "social_publishing_sandbox" else "ImportError"
    error = f"raise {name}('no such symbol', name={module!r})"
    (tmp_path / f"{module}.py").write_text(error)
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    for words in (["--sandbox", "names"], ["plan", "x.csv", "--rehearse"]):
        ended = run_apart(*words, PYTHONPATH=path)
        is_missing = module == "social_publishing_sandbox"
        assert ended.status in (1, 5), ended.err
        assert ("needs a package" in ended.err) is is_missing, ended.err
        assert ("no such symbol" in ended.err) is not is_missing


def test_what_follows_from_another_mistake_is_not_told_beside_it(
    sheet: Path, command: Command
) -> None:
    rows = rows_of(sheet)
    rows[0]["timezone"], rows[0]["publication_date"] = "Berlin", "2026-12-03 06:30"
    rows[1]["publication_date"] = "0026-12-14 19:30"
    write(sheet, rows)
    told = command("plan", sheet).err
    assert "no time zone 'Berlin'" in told and "has no time zone" not in told
    assert "is in the year 26" in told and "seconds" not in told


def test_a_file_of_another_program_is_called_so(command: Command, tmp_path: Path) -> None:
    (tmp_path / "program.csv").write_bytes(b"\x7f\0E\0\x01\0\0\xd8" * 99)
    ended = command("plan", "program.csv")
    assert ended.status == 1 and "a file of another program" in ended.err, ended.err
    assert "letters were replaced" not in ended.err


def test_a_measure_is_for_charts(command: Command, tmp_path: Path) -> None:
    month = ("metrics", "--group", GROUP, "--month", "2026-11", "--measure", "views")
    for more in ((), ("--by", "network"), ("-o", "x.csv")):
        ended = command(*month, *more)
        assert ended.status == 2 and "--measure is for charts" in ended.err
    for more in (("--chart",), ("-o", "x.html"), ("-o", "x.xlsx")):
        assert command(*month, *more).status == 0


def test_what_goes_on_has_the_options_of_what_was_interrupted(
    sheet: Path, command: Command, sandbox: Sandbox
) -> None:
    rows = rows_of(sheet)
    write(sheet, [row | {"name": "other"} for row in rows])
    assert command("plan", sheet, "-o", "x.plan").status == 0
    with sandbox.fault("status", status=401, operations="updatePost"):
        ended = command("apply", "x.plan", "--report", "my rep.csv", "--settle-after", "2")
    [step] = re.findall(r"continue with: (.*)", ended.err)
    assert "--report 'my rep.csv'" in step and "--settle-after 2" in step
    assert command(*shlex.split(step)[1:]).status == 0
    assert {row["state"] for row in rows_of(sheet.with_name("my rep.csv"))} == {"done"}
