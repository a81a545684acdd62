"""What a plan refuses is what the service refuses, in its words."""

from __future__ import annotations

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
        return str(sentences[0])
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
