"""Each command line that a run prints goes on from it as it stands: same account, same files."""

from __future__ import annotations

import json
import os
import re
import shlex
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pytest
from cli_support import GROUP, Command, Ended, rows_of, write

from social_publishing_cli.session import Session
from social_publishing_sandbox import Sandbox

_STEP = re.compile(r"(?:: |\()(social-publishing (?!help).*?)(?:\)|, look|$)", re.M)


def steps(ended: Ended) -> list[list[str]]:
    """Return the command lines that a run printed, as a shell splits them."""
    return [shlex.split(each)[1:] for each in _STEP.findall(ended.err)]


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Command) -> Command:
    """The command without an account, in a folder whose name has blanks and quotes."""
    for name in [each for each in os.environ if each.startswith("SOCIAL_PUBLISHING_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("SOCIAL_PUBLISHING_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    here = tmp_path / "my month's posts"
    here.mkdir()
    monkeypatch.chdir(here)
    return run_command


def exported(command: Command, path: Path) -> list[dict[str, str]]:
    month = ("--group", GROUP, "--month", "2026-12", "-o", path)
    assert command("--sandbox", "export", "posts", *month).status == 0
    rows = rows_of(path)
    at = next(number for number, row in enumerate(rows) if row["status"] == "scheduled")
    rows[at]["content"] += " And more."
    write(path, rows)
    return rows


@pytest.mark.parametrize("journals", [(), ("--journals", "the journals")])
@pytest.mark.parametrize("target", ["q 4.plan", "-q.plan", "$HOME.plan", "it's.plan"])
def test_a_saved_plan_is_applied_by_the_line_that_is_printed(
    away: Command, target: str, journals: tuple[str, ...]
) -> None:
    exported(away, Path("my sheet.csv"))
    planned = away("--sandbox", "plan", "my sheet.csv", f"--save={target}", *journals)
    [step] = steps(planned)
    assert step[0] == "--sandbox" and step[3:] == [*journals]
    assert away(*step).status == 0, planned.err
    unchanged = away(*step)
    assert "applied before" in unchanged.err


READ = {
    "own.csv": [
        *("--encoding", "cp1252", "--date-format", "%d/%m/%Y %Hh%M", "--timezone", "Asia/Tokyo"),
        *("--extra-columns", "--against-now"),
    ],
    "own.xlsx": ["--worksheet", "two", "--timezone", "Asia/Tokyo", "--against-now"],
}


@pytest.mark.parametrize("name", READ)
def test_a_sheet_is_read_by_the_printed_line_as_it_was(away: Command, name: str) -> None:
    post = next(row for row in exported(away, Path("all.csv")) if row["status"] == "scheduled")
    row = {"id": post["id"], "note": "Käse", "publication_date": "24/12/2026 18h30", "my own": "x"}
    if name == "own.csv":
        text = "\n".join(map(",".join, (row, row.values())))
        Path(name).write_text(text, encoding="cp1252")
    else:
        book = openpyxl.Workbook()
        for title, note in (("one", "Brot"), ("two", "Käse")):
            sheet = book.create_sheet(title)
            sheet.append(["id", "note", "publication_date"])
            sheet.append([post["id"], note, datetime(2026, 12, 24, 18, 30)])
        book.save(name)
    planned = away("--sandbox", "plan", name, *READ[name])
    lines = [*map(json.loads, planned.out.splitlines())]
    assert [(line["after"], line.get("timezone")) for line in lines] == [
        ("Käse", None),
        ("2026-12-24 18:30", "Asia/Tokyo"),
    ]
    [step] = steps(planned)
    assert step == ["--sandbox", "apply", name, *READ[name]]
    assert away(*step, "--yes").status == 0


def test_an_interrupted_plan_goes_on_by_the_printed_line(
    command: Command, sheet: Path, sandbox: Sandbox
) -> None:
    rows = rows_of(sheet)
    write(sheet, [{**row, "content": row["content"] + "!"} for row in rows])
    with sandbox.fault("status", status=403, operations="updatePost"):
        first = command("apply", sheet, "--yes", "--journals", "my journals")
    [step] = steps(first)
    assert command(*step).status == 0, first.err


def test_the_default_group_is_asked_for_as_the_command_takes_it(away: Command) -> None:
    assert "by its name or its id: GROUP." in away("--sandbox", "groups", "get").err
    assert (
        "by its name or its id: --group."
        in away("--sandbox", "export", "posts", "--month", "2026-12").err
    )


def test_a_printed_line_is_for_the_account_of_this_run() -> None:
    """And for a shell; a sandbox has no profiles."""
    for session, account in (
        (Session(), ""),
        (Session(profile="two words"), " --profile 'two words'"),
        (Session(sandbox=True, profile="one"), " --sandbox"),
        (Session(sandbox_now=datetime(2026, 12, 1, tzinfo=UTC)), " --sandbox"),
    ):
        line = session.next_step("apply", Path("a b.plan"), "--yes")
        assert line == f"social-publishing{account} apply 'a b.plan' --yes"
