"""What is exported: the same posts in every format, and metrics as table, chart and page."""

from __future__ import annotations

import csv
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import icalendar
import openpyxl
import pytest
from cli_support import GROUP, Command
from social_publishing import SocialPublishing

from social_publishing_cli.metrics.collecting import COUNTS
from social_publishing_sandbox import Sandbox

BERLIN = ZoneInfo("Europe/Berlin")


def exported(command: Command, name: str, *more: str) -> None:
    ended = command("export", "posts", "--group", GROUP, "-o", name, *more)
    assert (ended.status, ended.out) == (0, ""), ended.err


def test_every_format_has_the_same_posts(
    command: Command, client: SocialPublishing, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    posts = {post.id: post for post in client.posts.list(group_id=GROUP)}
    for ending in ("csv", "xlsx", "json", "parquet", "ics"):
        exported(command, f"all.{ending}")
    with (tmp_path / "all.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [*csv.DictReader(file)]
    assert {row["id"] for row in rows} == posts.keys()
    assert json.loads((tmp_path / "all.json").read_text()) == [
        {name: cell.removeprefix("'") for name, cell in row.items() if name != "exported"}
        for row in rows
    ]
    head, *cells = openpyxl.load_workbook(tmp_path / "all.xlsx").active.values
    assert {row[head.index("id")] for row in cells} == posts.keys()
    table = parquet.read_table(tmp_path / "all.parquet").to_pylist()
    assert {row["id"]: row["publication_date"] for row in table} == {
        id: post.publication_date for id, post in posts.items()
    }
    for row in rows:
        moment = posts[row["id"]].publication_date
        local = moment.astimezone(BERLIN).strftime("%Y-%m-%d %H:%M") if moment else ""
        assert (row["publication_date"][:16], row["timezone"]) == (local, "Europe/Berlin")


def test_a_calendar_has_a_stable_id_and_the_moment_of_each_post(
    command: Command, client: SocialPublishing, tmp_path: Path
) -> None:
    exported(command, "a.ics")
    exported(command, "b.ics")
    assert (tmp_path / "a.ics").read_bytes() == (tmp_path / "b.ics").read_bytes()
    calendar = icalendar.Calendar.from_ical((tmp_path / "a.ics").read_bytes())
    found = {str(event["uid"]): event.decoded("dtstart") for event in calendar.walk("VEVENT")}
    assert found == {
        f"post-{post.id}@social-publishing": post.publication_date
        for post in client.posts.list(group_id=GROUP)
        if post.publication_date
    }
    assert b"DTSTART:" in (tmp_path / "a.ics").read_bytes()  # and no local time


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
        found[month] = [json.loads(line)["id"] for line in ended.out.splitlines()]
    assert found == {"2027-01": [], "2027-02": [made["id"]]}


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


def test_a_page_is_self_contained_and_escapes_texts(
    command: Command, client: SocialPublishing, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    post = next(post for post in client.posts.list(group_id=GROUP) if post.status == 40)
    client.posts.update(post.id, name="<script>alert(1)</script> $x_y$")
    ended = command("metrics", "--group", GROUP, "--html", "page.html")
    assert (ended.status, ended.out) == (0, ""), ended.err
    page = (tmp_path / "page.html").read_text()
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; $x_y$" in page
    addresses = set(re.findall(r"""(?:src|href)=["']([^"'#]+)""", page))
    assert not addresses
    assert page.count("<svg") == 2


def test_a_chart_is_drawn_in_the_terminal(command: Command) -> None:
    ended = command("metrics", "--group", GROUP, "--chart")
    assert ended.status == 0
    assert "█" in ended.out
