"""The columns of a sheet: every field that an update takes, and what an edit of each sends."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
from cli_support import GROUP, Command, agency, rows_of, write, writes
from social_publishing import SocialPublishing, models

from social_publishing_cli import plans, post_statuses
from social_publishing_cli.catalogues import catalogue
from social_publishing_cli.names import Names
from social_publishing_cli.sheets.cells import READERS
from social_publishing_cli.sheets.columns import (
    COLUMNS,
    EDITABLE,
    ZONE,
    columns_of,
    documented,
    is_shown,
    network_of,
    networks,
    shown,
    value_of,
)
from social_publishing_cli.sheets.exporting import posts_of, sheet_row
from social_publishing_cli.sheets.writing import write_sheet
from social_publishing_sandbox import Sandbox


def arguments() -> dict[str, Any]:
    update = catalogue()["posts"]["commands"]["update"]["arguments"]
    return {each["name"]: each for each in update if not each.get("positional")}


def test_every_argument_of_an_update_is_a_column() -> None:
    every = {column.argument or name for name, column in documented().items()}
    assert every | {*EDITABLE} == arguments().keys()
    assert all(known.doc for known in documented().values())
    assert columns_of([], every=True)[:4] == ["id", "publication_date", "weekday", "timezone"]
    assert {*documented()} <= {*columns_of([], every=True)}
    assert not {*documented()} & {*columns_of([])}


def test_the_page_lists_the_columns_of_every_sheet() -> None:
    page = Path(__file__).parents[2] / "docs/reference/sheets.md"
    table = page.read_text("utf-8").partition("These are in every sheet")[0]
    named = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\|(.*?)\|", table, re.MULTILINE)))
    changed = {*named} ^ {*EDITABLE, ZONE}
    assert not changed, f"add or remove rows of docs/reference/sheets.md: {sorted(changed)}"


def test_statuses_have_the_codes_of_the_documents() -> None:
    named = {name: code for name, code in vars(post_statuses).items() if name.isupper()}
    assert named == {each.name: each.value for each in models.PostStatus}


def test_a_new_field_of_the_documents_is_a_column(monkeypatch: pytest.MonkeyPatch) -> None:
    update = catalogue()["posts"]["commands"]["update"]["arguments"]
    new = {"name": "mood", "doc": "The mood.", "kind": "text"}
    monkeypatch.setitem(catalogue()["posts"]["commands"]["update"], "arguments", [*update, new])
    documented.cache_clear()
    try:
        assert "mood" in EDITABLE and EDITABLE["mood"].kind == "text"
        assert "mood" in columns_of([], every=True)
    finally:
        monkeypatch.undo()
        documented.cache_clear()


@pytest.mark.parametrize("world", ["small", "agency", "odd"])
def test_an_export_that_nobody_edited_changes_nothing(world: str, tmp_path: Path) -> None:
    with (
        Sandbox(
            agency(400) if world == "agency" else world,
            clock="frozen",
            rate_limit=None,
            check=False,
        ) as sandbox,
        sandbox.client(pacing="off") as client,
    ):
        groups = [group.id for group in sandbox.find("groups")]
        some = [*itertools.islice(posts_of(client, groups, None), 100)]
        assert some
        for every, ending in itertools.product((False, True), ("csv", "xlsx")):
            path = tmp_path / f"sheet-{every}.{ending}"
            assert write_sheet(path, some, Names(), every) == len(some)
            plan = plans.make(client, plans.read_sheet(path), service_time=sandbox.now)
            assert (plan.rows, plan.changes) == (len(some), ()), path
        assert writes(sandbox) == 0


def test_no_cell_of_a_csv_file_is_a_formula_whoever_wrote_it() -> None:
    post = models.Post(
        id="7", name="=n", content="+c", note="@n", status=models.PostStatus.SCHEDULED,
        selected_account_ids=["8"], yt_video_tags=["-t"],
        labels=[models.Label(id="9", name="=l")],
        details=[models.PostDetail(social_network=f"={n}", post_link=f"={n}") for n in ("s", "k")],
    )  # fmt: skip
    known = Names()
    known.add([{"id": "8", "socialNetwork": "x", "name": "=a"}])
    known.add([{"id": "5", "timezone": "UTC", "name": "=g"}])
    row = sheet_row("5", ZoneInfo("UTC"), post, known, columns_of([post]), ".csv")
    guarded = {name: cell for name, cell in row.items() if cell[1:2] in ("=", "+", "-", "@")}
    assert guarded == {
        "name": "'=n", "content": "'+c", "note": "'@n", "networks": "'=k, =s", "link": "'=s =k",
        "labels": "'=l", "group": "'=g", "accounts": "'=a (x)", "yt_video_tags": "'-t",
    }  # fmt: skip
    assert not [cell for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]


def test_the_networks_are_those_of_the_accounts_where_details_have_none() -> None:
    """In whatever form the documents have both."""
    read = {each.name: each for each in COLUMNS}["networks"].read
    accounts = [{"socialNetwork": "threads"}, {"socialNetwork": "bluesky"}, {"id": "7"}]
    details = [{"social_network": "tiktok"}, {"id": "8"}]
    forms = (models.PostDetail, models.SocialAccount)
    for typed in (True, False):
        own, of = (
            [msgspec.convert(each, form) if typed else each for each in some]
            for some, form in zip((details, accounts), forms, strict=True)
        )
        post = models.Post(details=own[1:], social_accounts=of)  # type: ignore[arg-type]
        assert read(post) == "bluesky, threads"
        assert read(msgspec.structs.replace(post, details=None)) == "bluesky, threads"
        assert read(msgspec.structs.replace(post, details=own)) == "tiktok"
        assert read(msgspec.structs.replace(post, social_accounts=None)) == ""


def values(name: str, post: models.Post, sandbox: Sandbox) -> Iterator[Any]:
    """Yield values that a column may have, other than the one it has."""
    column = EDITABLE[name]
    ids = {
        "selected_account_ids": "social_accounts",
        "first_comments[social_account_ids]": "social_accounts",
        "label_ids": "labels",
        "assignee_ids": "users",
    }
    accounts = post.selected_account_ids or [""]
    objects = {
        "pi_boards": {accounts[0]: {"id": "7"}},
        "pi_sections": {accounts[0]: {"id": "8"}},
        "yt_categories": {accounts[0]: "22"},
        "yt_playlists": {accounts[0]: "mine"},
        "first_comments[customized]": [
            {
                "enabled": True,
                "socialAccountIds": [accounts[0]],
                "conditionValue": 0,
                "content": "own",
            }
        ],
    }
    before = value_of(post, name)
    candidates = {
        "text": ["a new text", "another text"],
        "texts": [["one", "two, three", ' "four" '], ["five"]],
        "number": [7, 8],
        "flag": [not before],
        "moment": ["2027-03-04T05:06:00Z"],
        "json": [json.dumps(objects.get(name), sort_keys=True, ensure_ascii=False)],
        "ids": [[each["id"]] for each in sandbox.find(ids.get(name, "media"))[:3]],
    }[column.kind]
    yield from (each for each in candidates if each != before)


ORDINARY = [name for name in [*EDITABLE, *documented()] if name != "is_draft"]


@pytest.mark.parametrize("name", ORDINARY)
def test_an_edit_sends_that_field_alone(
    name: str, sandbox: Sandbox, client: SocialPublishing, tmp_path: Path
) -> None:
    posts = [post for post in posts_of(client, [GROUP], None) if post[2].status == 25]
    posts.sort(key=lambda each: not each[2].selected_account_ids)
    _, zone, post = posts[0]
    path = tmp_path / "sheet.csv"
    write_sheet(path, posts, Names(), every=True)
    value = next(values(name, post, sandbox))
    rows = rows_of(path)
    row = next(each for each in rows if each["id"] == post.id)
    row[name] = shown(value, EDITABLE[name].kind, zone)
    write(path, rows)
    plan = plans.make(client, plans.read_sheet(path), service_time=sandbox.now)
    (change,) = plan.changes
    assert {n: step.after for n, step in change.fields.items()} == {name: value}
    with plans.Journal(plans.journal_path(plan, tmp_path), plan) as journal:
        report = plans.apply(client, plan, journal)
    sent = [each for each in sandbox.requests() if each.method != "GET"]
    assert [each.method for each in sent] == ["PATCH"]
    body = json.loads(sent[0].request_body)
    wire = next(
        field.encode_name
        for field in msgspec.structs.fields(models.PostUpdate)
        if field.name == (EDITABLE[name].argument or name)
    )
    assert body.keys() == {wire}
    (entry,) = report.entries
    assert entry.state == "done", entry.reason
    again = client.posts.get(post.id or "")
    if is_shown(again, name):
        assert value_of(again, name) == value
        assert plans.make(client, plans.read_sheet(path), service_time=sandbox.now).changes == ()
    else:
        assert any(name in each for each in change.warnings)


@pytest.mark.parametrize("member", ["question", "option_2"])
def test_a_part_keeps_the_others(
    member: str, sandbox: Sandbox, client: SocialPublishing, tmp_path: Path
) -> None:
    group = GROUP
    account = sandbox.find("social_accounts", group_id=GROUP)[0].id
    poll = {"question": "Which?", "option_1": "Rye", "option_2": "Oats", "option_3": "Wheat"}
    made = sandbox.create_post(
        content="a poll", li_poll=poll, selected_account_ids=[account], status="SCHEDULED",
        publication_date="2027-02-01T09:00:00Z",
    )  # fmt: skip
    post = client.posts.get(made.id or "")
    before = client.posts.update_arguments(post)["li_poll"]
    path = tmp_path / "sheet.csv"
    write_sheet(path, posts_of(client, [group], None))
    rows = rows_of(path)
    row = next(each for each in rows if each["id"] == post.id)
    assert row["li_poll[question]"] == before.question
    row[f"li_poll[{member}]"] = "entirely new"
    write(path, rows)
    plan = plans.make(client, plans.read_sheet(path), service_time=sandbox.now)
    with plans.Journal(plans.journal_path(plan, tmp_path), plan) as journal:
        assert [each.reason for each in plans.apply(client, plan, journal).entries] == [""]
        after = client.posts.update_arguments(client.posts.get(post.id or ""))["li_poll"]
        for name in before.__struct_fields__:
            wanted = "entirely new" if name == member else getattr(before, name)
            assert getattr(after, name) == wanted
        back = plans.reversed_plan(plans.Report(plan, journal.entries()))
    with plans.Journal(plans.journal_path(back, tmp_path), back) as journal:
        plans.apply(client, back, journal)
    assert client.posts.update_arguments(client.posts.get(post.id or ""))["li_poll"] == before


@pytest.mark.parametrize("also", [{}, {"name": "renamed"}])
def test_a_draft_goes_through_the_operation_for_drafts(
    also: dict[str, str], sandbox: Sandbox, client: SocialPublishing, tmp_path: Path
) -> None:
    path = tmp_path / "sheet.csv"
    write_sheet(path, posts_of(client, [GROUP], None), every=True)
    rows = rows_of(path)
    scheduled = next(row for row in rows if row["status"] == "scheduled")
    published = next(row for row in rows if row["status"] == "published")
    scheduled |= {"is_draft": "yes", **also}
    write(path, rows)
    plan = plans.make(client, plans.read_sheet(path), service_time=sandbox.now)
    with plans.Journal(plans.journal_path(plan, tmp_path), plan) as journal:
        (entry,) = plans.apply(client, plan, journal).entries
        assert entry.state == "done", entry.reason
        assert client.posts.get(scheduled["id"]).status == 5
        back = plans.reversed_plan(plans.Report(plan, journal.entries()))
    sent = [each for each in sandbox.requests() if each.method != "GET"]
    # It is a draft before anything else of it is written.
    assert [each.operation for each in sent] == ["setPostsDraft"] + ["updatePost"] * bool(also)
    with plans.Journal(plans.journal_path(back, tmp_path), back) as journal:
        plans.apply(client, back, journal)
    assert client.posts.get(scheduled["id"]).status == 25
    sent = [each.operation for each in sandbox.requests() if each.method != "GET"]
    assert sent == [*sent[: len(sent) // 2], *sent[: len(sent) // 2][::-1]]  # and the last one back
    published["is_draft"] = "yes"
    write(path, rows)
    with pytest.raises(plans.SheetError, match="published"):
        plans.make(client, plans.read_sheet(path), service_time=sandbox.now)


def test_labels_and_people_are_named(
    command: Command, sandbox: Sandbox, client: SocialPublishing, tmp_path: Path
) -> None:
    export = ("export", "posts", "--group", GROUP, "-o", "a.csv", "--columns", "all")
    assert command(*export).status == 0
    rows = rows_of(tmp_path / "a.csv")
    labelled = [row for row in rows if row["labels"]]
    name = labelled[0]["labels"].split(", ")[0]
    wanted = next(label.id for label in sandbox.find("labels") if label.name == name)
    row = next(r for r in rows if r["status"] == "scheduled" and wanted not in r["label_ids"])
    row["label_ids"] = name
    write(tmp_path / "a.csv", rows)
    ended = command("apply", "a.csv", "--yes")
    assert ended.status == 0, ended.err
    (post,) = (post for post in sandbox.find("posts") if post.id == row["id"])
    assert [label.id for label in post.labels] == [wanted]


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["one"],
        ["one", "two"],
        ["a, b", "c"],
        ['say "hi"', "two\nlines", " edges "],
        ["7", "=1", "'", "-"],
        ["semi;colon", "|", '"'],
    ],
)
def test_a_list_of_texts_is_read_as_it_was_written(texts: list[str]) -> None:
    assert READERS["texts"](shown(texts, "texts", None)) == texts


def test_each_network_has_a_column_of_its_text() -> None:
    """An empty text of a network is one; an empty text of all is none."""
    every = [*networks()]
    assert len(every) > 10
    post = models.Post(
        id="1",
        content="",
        customized={
            each: models.PostCustomization(content="" if at % 2 else each)
            for at, each in enumerate(every[:4])
        },  # type: ignore[arg-type]
    )
    for at, network in enumerate(every):
        name = f"content[{network}]"
        assert network_of(name) == network
        assert value_of(post, name) == (None if at >= 4 else "" if at % 2 else network)
    assert value_of(post, "content") is None
    assert {network_of(name) for name in ("content", "content[nowhere]", "li_poll[question]")} == {
        ""
    }
