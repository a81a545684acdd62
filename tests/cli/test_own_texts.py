"""Texts and files that a post has for one network: shown, edited, and never left behind unsaid."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from cli_support import GROUP, Command, Ended, rows_of, write
from mcp_support import Answer, Assistant, Desk, Person
from social_publishing import SocialPublishing

from social_publishing_sandbox import Sandbox

OWN = "content[threads]"


@pytest.fixture
def posts(sandbox: Sandbox) -> list[str]:
    """Posts with texts and files of their own for networks, or without any."""
    ours = sandbox.find("social_accounts", group_id=GROUP)
    accounts = [a.id for a in ours if a.social_network in ("threads", "facebook")]
    media = [each.id for each in sandbox.find("media")[:2]]
    customized: list[dict[str, Any]] = [
        {"threads": {"content": "to threads"}, "facebook": {"content": "fb", "media_ids": media}},
        {"threads": {"media_ids": media}, "bluesky": {"content": "=nobody reads it"}},
        {"threads": {"content": ""}},
        {},
    ]
    return [
        str(
            sandbox.create_post(
                content=f"text {at}", customized=own, selected_account_ids=accounts,
                selected_media_ids=media[:1], status="SCHEDULED",
                publication_date=f"2027-02-{at + 10}T09:00:00Z",
            ).id
        )
        for at, own in enumerate(customized)
    ]  # fmt: skip


@pytest.fixture
def sheet(command: Command, posts: list[str], tmp_path: Path) -> Path:
    ended = command("export", "posts", "--group", GROUP, "--month", "2027-02", "-o", "x.csv")
    assert ended.status == 0, ended.err
    return tmp_path / "x.csv"


def own(client: SocialPublishing, post: str) -> dict[str, tuple[str | None, Any]]:
    customized = client.posts.get(post).customized or {}
    return {str(name): (each.content, each.media_ids) for name, each in customized.items()}


def warnings(ended: Ended) -> dict[str, str]:
    assert ended.status == 0, ended.err
    lines = [*map(json.loads, ended.out.splitlines())]
    return {line["id"]: line["warning"] for line in reversed(lines)}


def test_columns_are_those_in_use(command: Command, sheet: Path, posts: list[str]) -> None:
    [first, second, *_] = rows_of(sheet)
    names = [*first]
    at = names.index("content") + 1
    assert names[at : at + 3] == ["content[bluesky]", "content[facebook]", OWN]
    assert (first[OWN], second["content[bluesky]"], second[OWN]) == (
        "to threads",
        "'=nobody reads it",
        "",
    )
    lines = command("export", "posts", "--group", GROUP, "--month", "2027-02").out.splitlines()
    assert {line[OWN] for line in map(json.loads, lines)} == {"to threads", ""}
    other = command("export", "posts", "--group", GROUP, "--month", "2026-11").out.splitlines()
    assert all("content[bluesky]" not in json.loads(line) for line in other)


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_nothing_is_written_that_nobody_edited(
    command: Command, posts: list[str], sandbox: Sandbox, ending: str
) -> None:
    where = ("--group", GROUP, "--month", "2027-02")
    assert command("export", "posts", *where, "-o", f"y.{ending}").status == 0
    ended = command("plan", f"y.{ending}")
    assert (ended.status, ended.out) == (0, ""), ended.err


def test_an_own_text_is_edited_and_taken_back(
    command: Command, sheet: Path, posts: list[str], client: SocialPublishing
) -> None:
    """Set, changed, removed: what else the post has for networks stays, and undo restores it."""
    before = {post: own(client, post) for post in posts}
    rows = rows_of(sheet)
    for row, text in zip(rows, ("", "new", "now one", "first"), strict=True):
        row[OWN] = text
    write(sheet, rows)
    ended = command("apply", sheet, "--yes")
    assert ended.status == 0, ended.err
    for post, text in zip(posts, (None, "new", "now one", "first"), strict=True):
        wanted = dict(before[post])
        media = wanted.pop("threads", (None, None))[1]
        if text or media:
            wanted["threads"] = (text, media)
        assert own(client, post) == wanted
        assert client.posts.get(post).content == f"text {posts.index(post)}"
    assert command("plan", sheet).out == ""
    assert command("undo", "--yes").status == 0
    assert {post: own(client, post) for post in posts} == before


def test_a_colleagues_text_for_another_network_stays(
    command: Command, sheet: Path, posts: list[str], client: SocialPublishing
) -> None:
    rows = rows_of(sheet)
    rows[0][OWN] = "edited"
    write(sheet, rows)
    assert command("plan", sheet, "-o", "x.plan").status == 0
    entry = {"facebook": {"content": "a colleague's"}}
    client.posts.amend(client.posts.get(posts[0]), customized=entry)
    assert command("apply", "x.plan").status == 0
    found = own(client, posts[0])
    assert (found["threads"][0], found["facebook"][0]) == ("edited", "a colleague's")
    assert command("plan", sheet).out == ""


def test_the_same_text_edited_twice_is_a_conflict(
    command: Command, sheet: Path, posts: list[str], client: SocialPublishing
) -> None:
    rows = rows_of(sheet)
    rows[0][OWN] = "mine"
    write(sheet, rows)
    client.posts.amend(client.posts.get(posts[0]), customized={"threads": {"content": "theirs"}})
    line = json.loads(command("plan", sheet).out)
    assert (line["before"], line["now"], line["after"]) == ("to threads", "theirs", "mine")


def test_a_file_of_one_network_alone_goes_out_in_a_rehearsal(
    command: Command, sheet: Path, sandbox: Sandbox
) -> None:
    accounts = sandbox.find("social_accounts", group_id=GROUP)
    account = next(each.id for each in accounts if each.social_network == "instagram")
    used = {file for post in sandbox.find("posts") for file in post.selected_media_ids or ()}
    media = next(each.id for each in sandbox.find("media", type=1) if each.id not in used)
    for own in ({"instagram": {"media_ids": [media]}}, {}):
        post = sandbox.create_post(
            content="it needs a picture", customized=own, selected_account_ids=[account],
            status="SCHEDULED", publication_date="2027-02-20T09:00:00Z",
        )  # fmt: skip
        write(sheet, [row | {"note": "edited"} for row in rows_of(sheet)[:1]])
        ended = command("plan", sheet, "--rehearse")
        told = {e["id"]: e["reason"] for e in map(json.loads, ended.out.splitlines())}
        assert ("needs a picture" in told.get(str(post.id), "")) is not bool(own)


def test_what_stays_behind_is_said(command: Command, sheet: Path, posts: list[str]) -> None:
    rows = rows_of(sheet)
    for row in rows:
        row["content"] = "other"
        row["selected_media_ids"] = ""
    write(sheet, rows)
    told = warnings(command("plan", sheet))
    first, second, third, fourth = (told[post] for post in posts)
    assert f"threads keeps its own text (the column {OWN})" in first
    assert "facebook keeps its own text (the column content[facebook]) and its own files" in first
    assert "threads keeps its own files" in second and "bluesky" not in second, "no such account"
    assert "threads keeps its own text" in third
    assert "keeps" not in fourth
    write(sheet, [rows[0] | {OWN: "edited as well"}])
    told = warnings(command("plan", sheet))[posts[0]]
    assert "facebook keeps" in told and "threads keeps" not in told
    rows[0][OWN] = rows[0]["content[facebook]"] = "also other"
    write(sheet, rows[:1])
    told = warnings(command("plan", sheet))
    assert "text" not in told[posts[0]] and "its own files" in told[posts[0]]


def test_a_column_of_a_network_can_be_added(
    command: Command, sheet: Path, posts: list[str], client: SocialPublishing
) -> None:
    """In a sheet that was exported without it; a misspelt one is refused."""
    plain = [{name: row[name] for name in row if "[" not in name} for row in rows_of(sheet)]
    named = [{**row, "content[tumblr]": "", OWN: ""} for row in plain]
    write(sheet, named)
    assert command("plan", sheet).status == 0
    named[3]["content[tumblr]"] = "to tumblr"
    write(sheet, named)
    assert command("apply", sheet, "--yes").status == 0
    assert own(client, posts[3]) == {"tumblr": ("to tumblr", None)}
    write(sheet, [{**row, "content[thread]": "x"} for row in plain])
    assert "did you mean content[threads]?" in command("plan", sheet).err


@pytest.mark.parametrize("column", ["name", "content", "publication_date", "note"])
def test_every_order_of_a_column_alone_is_said(
    command: Command, sheet: Path, posts: list[str], column: str
) -> None:
    rows = rows_of(sheet)
    for at, row in enumerate(rows[:3]):  # the last one has no name and no note
        row["name"], row["note"] = f"name {at}", f"note {at}"
    write(sheet, rows)
    assert command("apply", sheet, "--yes").status == 0
    where = ("--group", GROUP, "--month", "2027-02")
    assert command("export", "posts", *where, "-o", sheet, "--force").status == 0
    rows = rows_of(sheet)
    values = [row[column] for row in rows]
    for order in itertools.permutations(range(4)):
        for row, at in zip(rows, order, strict=True):
            row[column] = values[at]
        write(sheet, rows)
        moved = {posts[at] for at, other in enumerate(order) if at != other}
        told = warnings(command("plan", sheet))
        said = f"{len(moved)} rows have one another's {column}"
        assert {post for post, text in told.items() if said in text} == moved == told.keys()


@pytest.mark.parametrize("column", ["content", "publication_date"])
def test_a_column_that_was_sorted_alone_is_said(
    command: Command, sheet: Path, posts: list[str], column: str
) -> None:
    rows = rows_of(sheet)
    values = [row[column] for row in rows]
    for row, value in zip(rows, reversed(values), strict=True):
        row[column] = value
    write(sheet, rows)
    told = warnings(command("plan", sheet))
    assert all(f"4 rows have one another's {column}" in told[post] for post in posts)
    rows = rows_of(sheet)
    for row, value in zip(rows, values, strict=True):
        row[column] = value
    rows[0][column] = values[1]
    write(sheet, rows)
    assert "one another's" not in warnings(command("plan", sheet))[posts[0]]


def test_a_workbook_has_room_for_it(command: Command, posts: list[str], tmp_path: Path) -> None:
    where = ("--group", GROUP, "--month", "2027-02")
    assert command("export", "posts", *where, "-o", "x.xlsx").status == 0
    sheet = openpyxl.load_workbook(tmp_path / "x.xlsx").active
    letters = {cell.value: cell.column_letter for cell in sheet[1]}
    width = sheet.column_dimensions[letters["content"]].width
    assert sheet.column_dimensions[letters[OWN]].width == width


def test_an_assistant_edits_it_too(
    command: Command, posts: list[str], client: SocialPublishing, tmp_path: Path
) -> None:
    async def work(it: Assistant) -> list[Answer]:
        change = {"post_id": posts[0], "content": "other"}
        unsaid = await it.call("plan_changes", group_id=GROUP, changes=[change])
        wrong = {**change, "content[thread]": "x"}
        refused = await it.call("plan_changes", group_id=GROUP, changes=[wrong])
        change |= {OWN: "to threads, too"}
        made = await it.call("plan_changes", group_id=GROUP, changes=[change])
        plan = made.words.split("plan_id: ")[1][:12]
        return [unsaid, refused, made, await it.call("apply_plan", plan_id=plan)]

    desk = Desk(tmp_path / "journals")
    unsaid, refused, made, done = desk.run(work, person=Person(), allow_writes=True)
    assert "threads keeps its own text" in str(unsaid.rows[0]["warnings"])
    assert refused.failed and not done.failed
    assert "threads keeps" not in str(made.rows[0]["warnings"])
    assert own(client, posts[0])["threads"][0] == "to threads, too"
