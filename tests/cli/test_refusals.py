"""What a plan refuses is what the service refuses, in its words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_support import GROUP, Command, rows_of, write
from mcp_support import Assistant, Desk
from social_publishing import SocialPublishing, UnprocessableEntityError

from social_publishing_cli.catalogues import catalogue
from social_publishing_sandbox import Sandbox

_CELLS = {True: "yes", False: "no"}


def refused(client: SocialPublishing, post: str, name: str, value: Any) -> str:
    """Return the sentence with which the service refuses a value; empty where it takes it."""
    try:
        client.posts.update(post, **{name: value})
    except UnprocessableEntityError as error:
        (sentences,) = error.body.errors.values()  # type: ignore[union-attr]
        return str(sentences[0]).replace("labelIds", "label_ids")  # as people type it
    return ""


@pytest.mark.parametrize("status", ["published", "scheduled"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("content", "A new text"),
        ("name", "A new name"),
        ("note", "A new note"),
        ("visible_for_client", True),
        ("should_skip", True),
        ("publication_delay_between", 15),
        ("publication_delay_between", 10_080),
        ("publication_delay_between", 10_081),
        ("publication_delay_between", 2**63 - 1),
        ("publication_delay_between", 2**63),
        ("publication_delay_between", 10**30),
        ("fb_video_title", "A new title"),
        ("label_ids", []),
    ],
)
def test_a_plan_refuses_what_the_service_refuses(
    command: Command,
    sandbox: Sandbox,
    client: SocialPublishing,
    tmp_path: Path,
    status: str,
    name: str,
    value: Any,
) -> None:
    words = ["export", "posts", "--group", GROUP, "-o", "all.csv", "--columns", "all"]
    assert command(*words).status == 0
    row = next(
        each
        for each in rows_of(tmp_path / "all.csv")
        if each["status"] == status and "facebook" in each["networks"]
    )
    cell = _CELLS[value] if isinstance(value, bool) else "" if value == [] else str(value)
    write(tmp_path / "all.csv", [row | {name: cell}])
    ended = command("plan", "all.csv")
    reason = refused(client, row["id"], name, value)
    assert ended.status == (1 if reason else 0), (ended.err, reason)
    assert not reason or f"row 2, {name}: {reason} (assumed: " in ended.err
    assert not reason or len(ended.err.splitlines()) == 2, ended.err


@pytest.mark.parametrize(
    ("name", "value", "is_told"),
    [
        ("content", "A new text", True),
        ("publication_delay_between", "15", True),
        ("name", "A new name", False),
        ("note", "A new note", False),
        ("should_skip", "yes", False),
    ],
)
@pytest.mark.parametrize("editable", [["name", "note", "labelIds"], "all"])
def test_a_change_of_a_post_that_is_going_out_is_warned_of(
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: str,
    is_told: bool,
    editable: Any,
) -> None:
    """What stays in the service changes anyway, and §3 says what should_skip does."""
    rules = catalogue("assumed")["main"]["x-assume"]["updatePost"]
    monkeypatch.setitem(rules, "published", {"editable": editable})
    assert command("export", "posts", "--group", GROUP, "-o", "all.csv").status == 0
    rows = {row["status"]: row for row in rows_of(tmp_path / "all.csv")}
    changed = [{**rows[status], name: value} for status in ("in_progress", "scheduled")]
    write(tmp_path / "all.csv", changed)
    warned = json.loads(command("plan", "all.csv", "--output", "json").out)
    of_row = [each["warning"] for each in warned if each["row"] == 2]
    refusal = "Once it is out: The post is published: only name, note, label_ids can change."
    if editable == "all":
        is_told = name != "should_skip"
    assert any("the post is being published" in each for each in of_row) is is_told, warned
    assert any(refusal in each for each in of_row) is (is_told and editable != "all")
    assert not any("is being published" in each["warning"] for each in warned if each["row"] == 3)


def test_what_the_service_refuses_of_a_row_is_told_without_its_address(
    command: Command, sandbox: Sandbox, sheet: Path
) -> None:
    """And a new date that comes too late is named."""
    rows = rows_of(sheet)
    scheduled = [at for at, row in enumerate(rows) if row["status"] == "scheduled"]
    first, second = scheduled[:2]
    rows[first] |= {"content": "A new text"}
    rows[second] |= {"publication_date": "2027-06-01 09:00", "weekday": ""}
    write(sheet, rows)
    assert command("plan", sheet, "-o", "posts.plan").status == 0
    with sandbox.client() as client:
        for at in scheduled[:2]:
            client.posts.update(rows[at]["id"], is_publish_now=True)
    sandbox.advance(days=1)
    reasons = [
        json.loads(line)["reason"] for line in command("apply", "posts.plan").out.splitlines()
    ]
    assert reasons[1] == "the post is now published: publication_date can no longer change"
    assert reasons[0].startswith("the service responded with 422: The post is published: only ")


def test_a_refusal_follows_what_is_confirmed(
    command: Command, sheet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def planned(**cells: str) -> str:
        write(sheet, [{**rows[0], **cells}, *rows[1:]])
        return command("plan", sheet).err

    rows = rows_of(sheet)
    known = catalogue("assumed")["main"]
    assert "between 1970 and 2079. (assumed: limits.dates)" in planned(
        publication_date="2080-12-01 09:00", weekday=""
    )
    monkeypatch.setitem(known["x-assume"]["limits"], "delayMinutes", 7)
    monkeypatch.setitem(known, "x-assumed", [])
    said = planned(publication_delay_between="8")
    assert "The delay must be 0 to 7 minutes.\n" in said and "assumed" not in said
    assert "error" not in planned(publication_delay_between="7")
    assert "error" not in planned(selected_account_ids="")
    monkeypatch.setitem(known["x-assume"]["updatePost"], "noAccounts", "refused")
    assert "Select at least one account.\n" in planned(selected_account_ids="")
    for name in ("limits", "updatePost"):
        monkeypatch.delitem(known["x-assume"], name)
    assert "error" not in planned(publication_delay_between=str(10**30))


@pytest.mark.parametrize(
    ("status", "name", "value", "reason"),
    [
        ("PUBLISHED", "content", "A new text", "The post is published: only"),
        ("SCHEDULED", "publication_delay_between", 10_081, "The delay must be 0 to 10,080 minutes"),
        ("SCHEDULED", "publication_delay_between", 10**30, "must be at most 9223372036854775807"),
    ],
)
def test_an_assistant_is_told_so_before_a_plan_is_made(
    command: Command,
    tmp_path: Path,
    sandbox: Sandbox,
    status: str,
    name: str,
    value: Any,
    reason: str,
) -> None:
    ours = {each.id for each in sandbox.find("social_accounts", group_id=GROUP)}
    found = sandbox.find("posts", status=status)
    post = next(str(each.id) for each in found if ours & {*(each.selected_account_ids or ())})

    async def work(it: Assistant) -> None:
        change = {"post_id": post, name: value}
        answer = await it.call("plan_changes", group_id=GROUP, changes=[change])
        (row,) = answer.rows
        assert answer.failed and (row["post"], row["field"]) == (post, name)
        assert reason in row["problem"]

    Desk(tmp_path / "journals").run(work, allow_writes=True)


def test_what_the_service_tells_of_a_sheet_comes_with_what_is_wrong_in_it(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the same row and of others; without a service, what is wrong in the sheet is told."""
    assert command("export", "posts", "--group", GROUP, "-o", "all.csv").status == 0
    rows = rows_of(tmp_path / "all.csv")
    scheduled = [row for row in rows if row["status"] == "scheduled"]
    published = next(row for row in rows if row["status"] == "published")
    scheduled[0] |= {"publication_date": "", "visible_for_client": "perhaps"}
    scheduled[1] |= {"publication_date": ""}
    scheduled[2] |= {"publication_date": "2026-13-01 09:00", "publication_delay_between": "10081"}
    published |= {"content": "A new text"}
    write(tmp_path / "all.csv", [*scheduled[:3], scheduled[1], published])
    ours = [
        "row 2, visible_for_client: 'perhaps' is neither yes nor no",
        "row 4, publication_date: '2026-13-01 09:00' is not a time",
        f"row 5, id: {scheduled[1]['id']} is also in row 3",
    ]
    theirs = [
        "row 2, publication_date: is empty",
        "row 3, publication_date: is empty",
        "row 4, publication_delay_between: The delay must be",
        "row 5, publication_date: is empty",
        "row 6, content: The post is published: only",
    ]
    for words in (["plan", "all.csv"], ["apply", "all.csv", "--yes"]):
        ended = command(*words)
        assert ended.status == 1
        for each in [*ours, *theirs]:
            assert ended.err.count(each) == 1, (each, ended.err)
        told = [line.partition("row ")[2][:1] for line in ended.err.splitlines() if "row " in line]
        assert told == sorted(told) and len(told) == len(ours + theirs)
    monkeypatch.setenv("SOCIAL_PUBLISHING_API_TOKEN", "wrong")
    ended = command("plan", "all.csv")
    assert ended.status == 1 and all(each in ended.err for each in ours)
    assert "is empty" not in ended.err


def test_dates_that_can_be_read_in_two_ways_hide_nothing(command: Command, sheet: Path) -> None:
    rows = rows_of(sheet)
    rows[0] |= {"publication_date": "03.04.2027 09:00", "weekday": "Sat"}
    rows[1] |= {"publication_date": "04/03/2027 9:00", "should_skip": "perhaps"}
    write(sheet, rows)
    ended = command("plan", sheet)
    assert ended.status == 1 and "--date-format" in ended.err
    assert "row 3, should_skip: 'perhaps' is neither yes nor no" in ended.err
    assert "weekday" not in ended.err and "row 2" not in ended.err.partition("--date-format")[0]


def test_an_assistant_is_told_all_at_once(
    command: Command, tmp_path: Path, sandbox: Sandbox
) -> None:
    """Each under the argument that was sent."""
    assert command("export", "posts", "--group", GROUP, "-o", "all.csv").status == 0
    rows = rows_of(tmp_path / "all.csv")
    first, second = (
        next(row["id"] for row in rows if row["status"] == status)
        for status in ("scheduled", "published")
    )
    changes = [
        {"post_id": first, "publication_date": "soon", "publication_delay_between": 10_081},
        {"post_id": second, "content": "A new text"},
    ]

    async def work(it: Assistant) -> None:
        answer = await it.call("plan_changes", group_id=GROUP, changes=changes)
        told = sorted((row["post"], row["field"]) for row in answer.rows)
        wanted = [(change["post_id"], name) for change in changes for name in [*change][1:]]
        assert answer.failed and told == sorted(wanted), answer.rows

    Desk(tmp_path / "journals").run(work, allow_writes=True)
