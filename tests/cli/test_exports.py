"""What is exported: the same posts in every format, and metrics."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import openpyxl
from cli_support import GROUP, Command
from social_publishing import SocialPublishing

from social_publishing_cli.metrics import COUNTS
from social_publishing_sandbox import Sandbox

BERLIN = ZoneInfo("Europe/Berlin")


def exported(command: Command, name: str, *more: str) -> None:
    ended = command("export", "posts", "--group", GROUP, "-o", name, *more)
    assert (ended.status, ended.out) == (0, ""), ended.err


def test_every_format_has_the_same_posts(
    command: Command, client: SocialPublishing, tmp_path: Path
) -> None:
    posts = {post.id: post for post in client.posts.list(group_id=GROUP)}
    for ending in ("csv", "xlsx"):
        exported(command, f"all.{ending}")
    with (tmp_path / "all.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [*csv.DictReader(file)]
    assert {row["id"] for row in rows} == posts.keys()
    plain = command("export", "posts", "--group", GROUP, "--output", "json").out
    assert json.loads(plain) == [
        {name: cell.removeprefix("'") for name, cell in row.items() if name != "exported"}
        for row in rows
    ]
    head, *cells = openpyxl.load_workbook(tmp_path / "all.xlsx").active.values
    assert {row[head.index("id")] for row in cells} == posts.keys()
    for row in rows:
        moment = posts[row["id"]].publication_date
        local = moment.astimezone(BERLIN).strftime("%Y-%m-%d %H:%M") if moment else ""
        assert (row["publication_date"][:16], row["timezone"]) == (local, "Europe/Berlin")


def test_a_month_is_that_of_the_groups_clocks(
    command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    account = client.groups.get(GROUP, include=["socialAccounts"]).social_accounts[0].id
    late = datetime(2027, 1, 31, 23, 30, tzinfo=UTC)  # in Berlin it is February
    made = sandbox.create_post(
        content="x", status="SCHEDULED", publication_date=late, selectedAccountIds=[account]
    )
    found = {}
    for month in ("2027-01", "2027-02"):
        ended = command("export", "posts", "--group", GROUP, "--month", month)
        lines = map(json.loads, ended.out.splitlines())
        found[month] = [(row["id"], row["publication_date"], row["weekday"]) for row in lines]
    assert found == {"2027-01": [], "2027-02": [(made["id"], "2027-02-01 00:30", "Mon")]}


def test_a_file_that_cannot_be_written_leaves_what_was_there(
    command: Command, tmp_path: Path
) -> None:
    ended = command("export", "posts", "--group", GROUP, "-o", "nowhere/x.csv")
    assert (ended.status, ended.out) == (1, "")
    assert "nowhere" in ended.err
    (tmp_path / "x.csv").write_text("mine")
    assert command("export", "posts", "--group", "77", "-o", "x.csv", "--force").status == 3
    assert (tmp_path / "x.csv").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]


def test_metrics_are_those_of_the_service(command: Command, client: SocialPublishing) -> None:
    ended = command("metrics", "--group", GROUP)
    rows = [json.loads(line) for line in ended.out.splitlines()]
    expected = []
    for post in client.posts.list(group_id=GROUP):
        if post.status == 40:
            for metric in client.posts.metrics(post.id).values():
                moment = metric.published_at or post.published_at or post.publication_date
                assert moment is not None
                numbers = {name: getattr(metric, name) for name in COUNTS}
                expected.append(
                    (
                        *(post.id, metric.social_account_id),
                        f"{moment.astimezone(ZoneInfo('Europe/Berlin')):%Y-%m-%d %H:%M}",
                        *(each if isinstance(each, int) else None for each in numbers.values()),
                    )
                )
    keys = ("post", "account", "published", *COUNTS)
    found = [tuple(row[name] for name in keys) for row in rows]
    assert rows
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_what_was_read_without_undated_posts_is_not_taken_for_all(
    command: Command, sandbox: Sandbox
) -> None:
    groups = [each.id for each in sandbox.find("groups")][:2]
    [account, *_] = sandbox.find("social_accounts", group_id=groups[0])
    draft = sandbox.create_post(selected_account_ids=[account.id], publication_date=None)
    words = ["export", "posts", "--month", "2026-12", "--output", "json", "--group", groups[0]]
    words += ["--group", groups[1]]
    whole = command(*words, "--undated").out
    with sandbox.fault("status", status=403, operations="groups.get", after=1, times=1):
        assert command(*words).status
    again = command(*words, "--undated", "--resume")
    assert (again.status, again.out == whole, draft.id in whole) == (0, True, True), again.err
