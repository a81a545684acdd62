"""What a new user meets: wrong files, options at the wrong place, pages that do not exist."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from cli_support import GROUP, Command, rows_of, write

import social_publishing_cli
from social_publishing_cli import pages
from social_publishing_cli.output import write as write_output

PICTURES = {
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + zlib.compress(bytes(range(256))),
    "jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1" + bytes(range(255, 0, -1)),
    "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n\x01stream\xff? a?b",
}


@pytest.mark.parametrize("kind", PICTURES)
@pytest.mark.parametrize("ending", ["xlsx", "csv"])
def test_what_is_no_sheet_is_called_so(
    kind: str, ending: str, command: Command, tmp_path: Path
) -> None:
    (tmp_path / f"x.{ending}").write_bytes(PICTURES[kind])
    ended = command("plan", f"x.{ending}")
    assert ended.status == 1
    assert "is neither a workbook nor text" in ended.err and "letters" not in ended.err


def test_a_plan_and_a_sheet_are_told_apart(sheet: Path, command: Command, tmp_path: Path) -> None:
    first, *others = rows_of(sheet)
    write(sheet, [first | {"name": "mine"}, *others])
    assert command("plan", sheet, "-o", "december.plan").status == 0
    ended = command("plan", "december.plan")
    assert ended.status == 1 and "social-publishing show" in ended.err
    (tmp_path / "empty").touch()
    for wrong in (sheet, "empty"):
        ended = command("show", wrong)
        assert ended.status == 1 and "plan SHEET -o FILE" in ended.err, ended.err
        assert "Expecting value" not in ended.err


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("--dry-run posts update 1", "belongs after the command: social-publishing posts update"),
        ("posts --dry-run update 1", "belongs after the command: social-publishing posts update"),
        ("--month 2026-12 export posts", "social-publishing export posts --month"),
        ("groups get --group 1", "social-publishing groups get GROUP"),
        ("social-accounts get --account 1", "social-publishing social-accounts get ACCOUNT"),
        ("groups get --no-such 1", "No such option"),
    ],
)
def test_an_option_at_the_wrong_place_is_shown_the_right_one(
    line: str, advice: str, command: Command
) -> None:
    ended = command(*line.split())
    assert ended.status == 2 and advice in ended.err, ended.err


def test_an_error_has_the_form_that_is_named_last(command: Command) -> None:
    for first, last in (("json", "table"), ("table", "json")):
        ended = command("groups", "get", "7", f"--output={first}", "--output", last)
        assert ended.status == 3 and ended.err.startswith("{") is (last == "json"), ended.err


def test_a_page_that_is_not_there_names_those_that_are(command: Command) -> None:
    near = command("help", "month")
    assert near.status == 2 and "Did you mean 'month-from-a-spreadsheet'?" in near.err
    assert "The pages are errors," in command("help", "no-such-thing").err
    for each in [*pages.sections()][::20]:
        assert each in pages.found(each.topic) and each in pages.found(each.title), each.topic


def test_every_error_leads_to_a_page_that_is_there() -> None:
    led = set()
    for each in pkgutil.walk_packages(social_publishing_cli.__path__, "social_publishing_cli."):
        for name, kind in vars(importlib.import_module(each.name)).items():
            page = getattr(kind, "documentation", "") if isinstance(kind, type) else ""
            if isinstance(page, str) and page.startswith("docs/"):
                topic = pages.where(page).removeprefix("social-publishing help ")
                assert len(pages.found(topic)) == 1, (name, page)
                led.add(page)
    assert len(led) > 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("groups list", "documents no such operation (§4.8). Nearest: groups get."),
        ("posts create", "(§4.8). Nearest: posts update."),
        ("social-accounts list", "also come with groups get and posts list."),
        ("users list", "documents no operations of that name (§4.8)"),
        ("posts lst", "Did you mean 'list'?"),
        ("fleet list", "There is no command 'fleet'."),
    ],
)
def test_a_command_that_is_not_documented_says_so(line: str, told: str, command: Command) -> None:
    ended = command(*line.split())
    assert ended.status == 2 and told in ended.err, ended.err
    assert "client" not in ended.err and "_" not in ended.err


def test_an_option_for_one_value_takes_no_two(command: Command) -> None:
    for line in (
        "export posts --month 2026-12 --month 2026-11",
        "plan x.csv --expires 3 --expires 3",
    ):
        ended = command(*line.split())
        option = line.split()[2]
        assert ended.status == 2 and f"{option} takes one value" in ended.err, ended.err
    assert command("export", "posts", "--group", GROUP, "--group", GROUP).status == 0


def test_nothing_is_said_to_be_nothing(command: Command) -> None:
    for words in (
        ["metrics", "--group", GROUP, "--month", "2029-01"],
        ["posts", "list", "--group", GROUP, "--since", "2029-01-01T00:00Z"],
    ):
        ended = command(*words)
        assert (ended.status, ended.out) == (0, "") and ended.err.startswith(("no ", "nothing "))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_written_into_and_is_no_sheet(
    sheet: Path, command: Command, tmp_path: Path
) -> None:
    """What is no file is never replaced by one, and nothing waits for it for ever."""
    first, *others = rows_of(sheet)
    write(sheet, [first | {"name": "mine"}, *others])
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    for words in (["plan"], ["apply", "--yes"]):
        ended = command(*words, pipe)
        assert ended.status == 1 and "pipe.csv: is no file" in ended.err, ended.err
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    assert command("plan", sheet, "-o", pipe, "--force").status == 0
    assert "social-publishing" in reader.communicate(timeout=600)[0]
    assert pipe.is_fifo()


def test_a_journal_that_cannot_be_read_is_not_said_to_be_none(
    command: Command, tmp_path: Path
) -> None:
    (tmp_path / "journals").mkdir()
    loop = tmp_path / "journals" / "1.account"
    loop.symlink_to(loop)
    ended = command("status")
    assert ended.status == 1 and "no plan can be read" in ended.err
    assert "bug" not in ended.err and "1.account" in ended.err


def test_the_column_exported_is_missing_or_empty(sheet: Path, command: Command) -> None:
    rows = rows_of(sheet)
    write(sheet, [{n: v for n, v in row.items() if n != "exported"} for row in rows])
    missing = command("plan", sheet).err
    assert "has no column exported" in missing and "empty" not in missing
    write(sheet, [row | {"exported": ""} for row in rows])
    assert "has an empty column exported" in command("plan", sheet).err


def test_a_row_of_no_post_has_one_problem(sheet: Path, command: Command) -> None:
    rows = rows_of(sheet)
    new = {**dict.fromkeys(rows[0], ""), "content": "new", "publication_date": "2026-12-30 09:00"}
    write(sheet, [*rows, new])
    ended = command("plan", sheet)
    assert ended.status == 1
    assert ended.err.count("row 6") == 1 and "has no identifier" in ended.err


def test_a_head_in_other_letters_is_one_problem(sheet: Path, command: Command) -> None:
    write(sheet, [{name.upper(): value for name, value in row.items()} for row in rows_of(sheet)])
    ended = command("plan", sheet)
    assert ended.status == 1
    assert ended.err.count("all.csv: ") == 1 and "write id for ID" in ended.err, ended.err


@pytest.mark.parametrize(("jq", "status"), [(".[", 2), ("nothing", 2), ('error("x")', 1)])
def test_a_filter_that_is_none_is_wrong_usage(jq: str, status: int, command: Command) -> None:
    assert command("status", "--jq", ".").status == 0
    assert command("doctor", "--offline", "--jq", jq).status == status


def test_doctor_says_what_to_do_about_what_is_missing(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("API_TOKEN", "BASE_URL", "MEDIA_URL"):
        monkeypatch.delenv(f"SOCIAL_PUBLISHING_{name}")
    ended = command("doctor", "--offline", "--output", "table")
    assert ended.status == 1
    for name in ("API_TOKEN", "BASE_URL", "MEDIA_URL"):
        assert f"set SOCIAL_PUBLISHING_{name}" in " ".join(ended.out.split())


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_what_a_row_is_about_is_never_cut(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    rows = [
        {"check": f"social-publishing-{each}", "state": "ok", "found": "from a checkout " * 3}
        for each in ("cli", "sandbox")
    ]
    write_output(rows, form="table")
    out = capsys.readouterr().out
    assert "social-publishing-cli" in out and "social-publishing-sandbox" in out


@pytest.mark.parametrize(
    ("day", "fits"),
    [("Mon", True), ("Monday,", True), ("Mo", True), ("Tue", False), ("sunday", False)],
)
def test_a_day_of_the_week_that_is_not_that_of_the_date_is_refused(
    day: str, fits: bool, sheet: Path, command: Command
) -> None:
    first, *others = rows_of(sheet)
    write(sheet, [first | {"publication_date": f"{day} 2026-12-14 19:30"}, *others])
    ended = command("plan", sheet)
    assert (ended.status == 0) is fits, ended.err
    assert ("2026-12-14 is a Monday" in ended.err) is not fits


def test_without_the_address_of_the_media_api_only_media_commands_fail(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOCIAL_PUBLISHING_MEDIA_URL")
    assert command("posts", "list", "--group", GROUP).status == 0
    ended = command("media", "status", "1")
    assert ended.status == 5 and "SOCIAL_PUBLISHING_MEDIA_URL" in ended.err
    ended = command("doctor", "--output", "json")
    checks = {each["check"]: each["state"] for each in json.loads(ended.out)}
    assert ended.status == 0 and checks["base_url: request"] == "ok", checks
    assert checks["media_url"] == "note"


@pytest.mark.parametrize("name", ["API_TOKEN", "BASE_URL"])
def test_what_is_missing_to_sign_in_is_named(
    name: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(f"SOCIAL_PUBLISHING_{name}")
    ended = command("posts", "list", "--group", GROUP)
    assert (
        ended.status == 5
        and f"half signed in: run social-publishing auth login, or set SOCIAL_PUBLISHING_{name}."
        in ended.err
    )
    assert command("doctor").status == 1


def test_doctor_looks_at_an_address_though_the_other_one_is_missing(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOCIAL_PUBLISHING_MEDIA_URL")
    monkeypatch.setenv("SOCIAL_PUBLISHING_BASE_URL", "http://127.0.0.1:9/")
    ended = command("doctor", "--output", "json")
    assert ended.status == 1 and "must end with /v1" in ended.out


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_every_command_has_help_by_both_names(option: str, command: Command) -> None:
    from social_publishing_cli.command import app

    def lines(group: click.Group, *words: str) -> Iterator[tuple[str, ...]]:
        ctx = click.Context(group)
        for name in group.list_commands(ctx):
            one = group.get_command(ctx, name)
            yield (*words, name)
            if isinstance(one, click.Group):
                yield from lines(one, *words, name)

    every = [*lines(app)]
    assert len(every) > 40
    for words in every:
        ended = command(*words, option)
        assert ended.status == 0 and ended.out.startswith("Usage:"), (words, ended.err)


@pytest.mark.parametrize("name", ["status", "undo", "resume"])
def test_what_is_no_plan_is_named_whole(command: Command, tmp_path: Path, name: str) -> None:
    (tmp_path / "a-sheet-of-mine.csv").write_text("id,name\n1,a\n")
    for given in ("nowhere/december.plan", "a-sheet-of-mine.csv", "December"):
        ended = command(name, given)
        assert ended.status == 1 and given in ended.err, ended.err
