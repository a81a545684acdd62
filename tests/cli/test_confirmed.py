"""Commands and tools with a service that does otherwise than is assumed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
from cli_support import GROUP, NOW, Command, rows_of, write
from mcp_support import Desk
from social_publishing import SocialPublishing

from social_publishing_cli.catalogues import catalogue
from social_publishing_cli.mcp.reading import account_health
from social_publishing_cli.metrics import collect
from social_publishing_cli.months import reading
from social_publishing_cli.months.reading import read_month
from social_publishing_cli.names import Names
from social_publishing_cli.plans import model
from social_publishing_cli.sheets.exporting import Month, posts_of
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.state import documents

MONTH = "2026-12"


@pytest.fixture
def sandbox(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Sandbox]:
    """A sandbox that follows other words of `x-assume`: those of a test's indirect parameter."""
    (folder := tmp_path / "documents").mkdir()
    for name in ("main", "media"):
        data = json.loads(json.dumps(getattr(documents.load(), name).data))
        if name == "main":
            data["x-assume"] |= request.param
        (folder / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    with Sandbox(now=NOW, rate_limit=100_000, clock="frozen", documents=folder) as made:
        yield made


@pytest.mark.parametrize(
    "sandbox", [{"deletedPosts": {"lists": "given", "byId": 200}}], indirect=True
)
def test_a_deleted_post_that_is_listed_is_no_post_of_the_month(
    sandbox: Sandbox, client: SocialPublishing, command: Command, tmp_path: Path
) -> None:
    kept, gone = (
        sandbox.create_post(content=text, selectedAccountIds=[account], status="SCHEDULED",
                            publication_date="2026-12-08T09:00:00Z").id
        for account in [sandbox.find("social_accounts", group_id=GROUP)[0].id]
        for text in ("Stays", "Goes")
    )  # fmt: skip
    assert command("export", "posts", "--group", GROUP, "--month", MONTH, "-o", "a.csv").status == 0
    rows = rows_of(tmp_path / "a.csv")
    assert {kept, gone} <= {row["id"] for row in rows}
    for row in rows:
        row["name"] = {kept: "New", gone: "New"}.get(row["id"], row["name"])
    write(tmp_path / "a.csv", rows)
    write(tmp_path / "b.csv", [row for row in rows if row["id"] != gone])
    assert command("plan", "a.csv", "-o", "a.json").status == 0
    client.posts.delete_many(ids=[gone])
    assert {gone} <= {each.id for each in client.posts.list(group_id=GROUP)}  # as it is confirmed

    told = "1 deleted post left out"
    for words in (
        ("export", "posts", "-o", "c.csv"),
        ("export", "posts", "--output", "jsonl"),
        ("calendar", "--output", "jsonl"),
        ("calendar", "-o", "c.html"),
    ):
        ended = command(*words, "--group", GROUP, "--month", MONTH)
        shown = ended.out + "".join(each.read_text() for each in tmp_path.glob("c.*"))
        assert ended.status == 0 and told in ended.err and "Goes" not in shown, words
        assert "Stays" in shown or kept in shown, words
    refused = command("plan", "a.csv")
    assert refused.status == 1 and f"there is no post {gone} any more" in refused.err
    applied = command("apply", "a.json", "--yes")
    assert "the post no longer exists" in applied.out + applied.err
    assert client.posts.get(kept).name == "New"

    async def work(assistant: object) -> list[str]:
        ask = assistant.call  # type: ignore[attr-defined]
        given = {"group_id": GROUP, "month": MONTH}
        answers = [await ask(name, **given) for name in ("find_posts", "calendar")]
        answers.append(await ask("find_posts", **given, status=["deleted"]))
        answers.append(await ask("plan_changes", group_id=GROUP, shift_posts=[gone], shift_days=1))
        return [each.text for each in answers]

    found, calendar, asked, plan = Desk(tmp_path / "plans").run(work)
    assert told in found and gone not in found and kept in found
    assert told in calendar and gone not in calendar and kept in calendar
    assert gone in asked and told not in asked
    assert f"Not found, or without a date to move: {gone}" in plan


ADDED = {"unsent": "kept", "nested": "replaced", "lists": "added", "labelIds": "added"}


@pytest.mark.parametrize("sandbox", [{"updatePost": ADDED}], indirect=True)
def test_a_list_that_can_only_be_added_to(
    sandbox: Sandbox, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "_rules", lambda: ADDED)
    account = sandbox.find("social_accounts", group_id=GROUP)[0].id
    first, second, third = (each.id for each in sandbox.find("media")[:3])
    post = sandbox.create_post(selectedAccountIds=[account], selected_media_ids=[first, second]).id
    assert command("export", "posts", "--group", GROUP, "-o", "a.csv").status == 0
    rows = [row for row in rows_of(tmp_path / "a.csv") if row["id"] == post]

    def planned(*media: str) -> int:
        rows[0]["selected_media_ids"] = " ".join(media)
        write(tmp_path / "a.csv", rows)
        ended = command("plan", "a.csv", "-o", "a.json", "--force")
        assert ended.status == 0 or "the service only adds to this list" in ended.err
        return ended.status

    assert planned(first) == planned(second, first) == planned(third, first, second) == 1
    assert planned(first, second, third) == 0
    assert command("apply", "a.json", "--yes").status == 0
    assert sandbox.read_post(post)["selected_media_ids"] == [first, second, third]
    (sent,) = (each.request_body for each in sandbox.requests() if each.method == "PATCH")
    assert json.loads(sent) == {"selected_media_ids": [third]}


@pytest.mark.parametrize("sandbox", [{}], indirect=True)
@pytest.mark.parametrize(
    ("files", "shown"),
    [
        (["7"], ()),
        ([{"id": "7"}], ()),
        ([{"url": "https://a.example/7"}], ("https://a.example/7",)),
    ],
)
def test_files_of_a_post_may_have_any_form(
    sandbox: Sandbox,
    client: SocialPublishing,
    monkeypatch: pytest.MonkeyPatch,
    files: list[object],
    shown: tuple[str, ...],
) -> None:
    posts = [
        msgspec.structs.replace(each, media=files) for each in client.posts.list(group_id=GROUP)
    ]
    monkeypatch.setattr(client.posts, "list", lambda **given: posts)
    found = read_month(client, GROUP, Month(MONTH), Names())
    assert found.entries and {each.files for each in found.entries} == {shown}


@pytest.mark.parametrize("sandbox", [{}], indirect=True)
def test_what_comes_empty_is_nothing(
    sandbox: Sandbox, client: SocialPublishing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A success may be confirmed to have no body: 204 where there are no metrics, or no counts."""
    sandbox.create_post(
        selectedAccountIds=[sandbox.find("social_accounts", group_id=GROUP)[0].id],
        status="PUBLISHED",
        publication_date="2026-11-05T09:00:00Z",
    )
    posts = [*posts_of(client, [GROUP], None)]
    assert [*collect(client, posts)]
    monkeypatch.setattr(client.posts, "metrics", lambda post: None)
    monkeypatch.setattr(client.widgets, "posts_overview", lambda group: None)
    assert [*collect(client, posts)] == []
    facts = SimpleNamespace(id=GROUP, accounts={}, zone=UTC)
    service: Any = SimpleNamespace(client=client, group=lambda *given, **more: facts)
    found = account_health(service).words
    assert "0 accounts, 0 to connect again." in found and "scheduled" not in found


@pytest.mark.parametrize("sandbox", [{}], indirect=True)
def test_notes_of_a_group_without_a_filter_of_the_service(
    sandbox: Sandbox, client: SocialPublishing, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = [each.id for each in sandbox.find("groups")]
    for group in (None, *groups):
        days = {"start_date": "2026-12-08T09:00:00Z", "end_date": "2026-12-08T10:00:00Z"}
        sandbox.create_note(title=str(group), group_id=group, **days)
    month = Month(MONTH)
    given = {each.id for each in reading.notes_of(client, GROUP, month, ZoneInfo("UTC"))}
    known = catalogue()["calendar_notes"]["commands"]["list"]["arguments"]
    fewer = [each for each in known if each["name"] != "group_id"]
    words = {"calendar_notes": {"commands": {"list": {"arguments": fewer}}}}
    monkeypatch.setattr(reading, "catalogue", lambda: words)
    found = reading.notes_of(client, GROUP, month, ZoneInfo("UTC"))
    assert {each.id for each in found} == given and len(given) >= 2
    assert {each.group_id for each in found} == {None, GROUP} and len(groups) > 1
    assert "groupId" not in sandbox.requests()[-1].target
