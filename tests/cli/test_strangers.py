"""A plan that gives a post an account of another group, or none, says so, and names accounts."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_support import Command, rows_of, write

from social_publishing_sandbox import Sandbox

ACCOUNTS = "selected_account_ids"


def planned(command: Command, sheet: Path, accounts: str, *without: str) -> str:
    first, *others = rows_of(sheet)
    rows = [first | {ACCOUNTS: accounts}, *others]
    write(sheet, [{n: v for n, v in row.items() if n not in without} for row in rows])
    ended = command("plan", sheet, "--output", "table", *["--against-now"] * bool(without))
    assert ended.status == 0, ended.err
    return " ".join((ended.out + ended.err).split())


def accounts_of(sandbox: Sandbox, group: str, own: bool) -> list[dict[str, object]]:
    found = [{**each} for each in sandbox.find("social_accounts")]
    return [each for each in found if (each["group_id"] == group) is own]


@pytest.mark.parametrize("without", [(), ("exported",), ("exported", "group_id", "group")])
def test_an_account_of_another_group_is_a_warning(
    command: Command, sheet: Path, sandbox: Sandbox, without: tuple[str, ...]
) -> None:
    row = rows_of(sheet)[0]
    stranger = accounts_of(sandbox, row["group_id"], own=False)[0]
    home = next(each for each in sandbox.find("groups") if each["id"] == stranger["group_id"])
    shown = planned(command, sheet, str(stranger["id"]), *without)
    assert "1 warning" in shown and "is an account of another group" in shown
    assert str(stranger["name"]) in shown and str(home["id"]) in shown
    for account in row[ACCOUNTS].split():  # what is there already is named, too
        assert f") {account}" in shown


def test_no_account_is_a_warning(command: Command, sheet: Path) -> None:
    shown = planned(command, sheet, "")
    assert "1 warning" in shown and "becomes empty" in shown


def test_another_account_of_the_same_group_is_none(
    command: Command, sheet: Path, sandbox: Sandbox
) -> None:
    row = rows_of(sheet)[0]
    own = [str(each["id"]) for each in accounts_of(sandbox, row["group_id"], own=True)]
    added = next(each for each in own if each not in row[ACCOUNTS].split())
    shown = planned(command, sheet, f"{row[ACCOUNTS]} {added}")
    assert "another group" not in shown and f") {added}" in shown
