"""The journal of an account: plans know of each other, and no file stops them."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import msgspec
import pytest
from cli_support import (
    GROUP,
    PROGRAM,
    Command,
    agency,
    environment,
    logged,
    noted,
    rows_of,
    signed_out,
    write,
    writes,
)
from social_publishing import SocialPublishing, errors, models

from social_publishing_cli import plans
from social_publishing_cli.commands import planning
from social_publishing_cli.files import replacing
from social_publishing_cli.plans import applying
from social_publishing_cli.plans.journal import IN_DOUBT
from social_publishing_cli.sandboxes import resetting
from social_publishing_sandbox import Sandbox
from tests.support.clock import SkippingClock
from tests.support.disk import files_of_at_most

KEPT = Path(__file__).parent / "kept"


@pytest.fixture
def edited(sheet: Path) -> Path:
    """The month, every scheduled post of it with another name."""
    write(sheet, [row | {"name": f"new {number}"} for number, row in enumerate(rows_of(sheet))])
    return sheet


def planned(sheet: Path, command: Command, name: str, number: int = 0, text: str = "mine") -> str:
    """Plan to give a post of a sheet another name, and return the post."""
    rows = rows_of(sheet)
    other = sheet.with_name(f"{name}.csv")
    write(other, [row | ({"name": text} if at == number else {}) for at, row in enumerate(rows)])
    assert command("plan", other, "-o", f"{name}.plan").status == 0
    return rows[number]["id"]


def all_fields(sheet: Path, command: Command, post: str, **wanted: str) -> Path:
    """Export every field as it is now, and edit those of one post."""
    path = sheet.with_name("every.csv")
    assert command("export", "posts", "--group", GROUP, "--columns", "all", "-o", path).status == 0
    write(path, [row | (wanted if row["id"] == post else {}) for row in rows_of(path)])
    return path


def opened(file: Path) -> tuple[plans.Plan, plans.Journal]:
    """A plan in the folder of a sheet, and its journal as the command keeps it."""
    plan = plans.Plan.load(file)
    return plan, plans.Journal(plans.journal_path(plan, file.parent / "journals"), plan)


def scheduled(sheet: Path, client: SocialPublishing) -> str:
    return next(r["id"] for r in rows_of(sheet) if client.posts.get(r["id"]).status == 25)


def killed(sandbox: Sandbox, *words: str, after: int = 1) -> None:
    """Run a command, and kill it after so many writes have arrived and are not answered yet."""
    count = writes(sandbox) + after
    with sandbox.fault("latency", ms=400, when="after", operations="updatePost"):
        process = subprocess.Popen(
            [*PROGRAM, *words, "--settle-after", "0.3"],
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + 20
        while writes(sandbox) < count and process.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        process.kill()
        process.wait()
    assert writes(sandbox) >= count
    time.sleep(0.5)  # what is on its way arrives


def test_an_undo_that_was_killed_goes_on(
    edited: Path, command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    rows = rows_of(edited)
    names = {post.id: post.name for post in client.posts.get_many(ids=[r["id"] for r in rows])}
    assert command("apply", edited, "--yes").status == 0
    before = logged(client, edited)
    killed(sandbox, "undo", "--yes", after=2)
    client.posts.update(rows[0]["id"], name="theirs")
    ended = command("undo", "--yes", "--settle-after", "0.3")
    assert (ended.status, "was interrupted after" in ended.err) == (0, True), ended.err
    assert client.posts.get(rows[0]["id"]).name == "theirs"
    for row in rows[1:]:
        assert (client.posts.get(row["id"]).name or "") == (names[row["id"]] or "")
    after = logged(client, edited)
    assert {post: after[post] - before[post] for post in after} == {
        row["id"]: 2 if row is rows[0] else 1 for row in rows
    }


def test_a_sheet_whose_apply_was_killed_goes_on(
    edited: Path, command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    before = logged(client, edited)
    killed(sandbox, "apply", str(edited), "--yes", after=2)
    ended = command("apply", edited, "--yes", "--settle-after", "0.3")
    assert ended.status == 0, ended.err
    assert {post: count + 1 for post, count in before.items()} == logged(client, edited)
    [one] = json.loads(command("status", "--output", "json").out)
    assert (one["done"], one["left"]) == (len(before), 0)
    assert command("undo", "--yes").status == 0
    assert {post: count + 2 for post, count in before.items()} == logged(client, edited)


@pytest.mark.parametrize("becomes", [True, False])
@pytest.mark.parametrize("columns", [["content", "note"], []])
@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "status", "status": 400},
        {"kind": "status", "status": 403},
        {"kind": "status", "status": 500},
        {"kind": "drop-before"},
        {"kind": "drop-after"},
    ],
    ids=lambda fault: str(fault.get("status", fault["kind"])),
)
def test_a_change_of_two_requests_is_known_by_each(
    sheet: Path,
    command: Command,
    sandbox: Sandbox,
    client: SocialPublishing,
    columns: list[str],
    fault: dict[str, Any],
    becomes: bool,
) -> None:
    """Whether a post is a draft has a request of its own (§3): it is one before it is edited."""
    post = next(row["id"] for row in rows_of(sheet) if row["name"] == "Croissant morning")
    client.posts.update(post, note="old")
    if not becomes:
        client.posts.set_draft(is_draft=True, post_ids=[post])
    new = {name: f"new {name}" for name in columns}
    path = all_fields(sheet, command, post, **new, is_draft="yes" if becomes else "no")
    before = client.posts.get(post)
    assert command("plan", path, "-o", "x.plan").status == 0
    last = "updatePost" if becomes and columns else "setPostsDraft"
    with sandbox.fault(**fault, operations=last, times=1):
        command("apply", "x.plan", "--settle-after", "0.1", "--no-wait")
    now = client.posts.get(post)
    is_moved = now.status != before.status
    is_edited = now.note != before.note or now.content != before.content
    assert (is_moved or not becomes or not columns) and (is_edited or becomes or not columns)
    [summary] = json.loads(command("status", "--output", "json").out)
    [told] = json.loads(command("status", summary["plan"], "--output", "json").out)
    assert told["wrote"] is (is_moved or is_edited), told
    if told["state"] == "failed" and columns:
        first = "is_draft" if becomes else ", ".join(columns)
        assert told["reason"].startswith(f"{first} written; ")
    if fault.get("status") != 400:
        assert command("resume", "--settle-after", "0.1").status == 0
        now = client.posts.get(post)
        assert now.status != before.status
        assert all(getattr(now, name) == value for name, value in new.items())
    ended = command("undo", "--yes", "--settle-after", "0.1")
    assert ended.status == 0, ended.err
    after = client.posts.get(post)
    for name in ("content", "name", "note", "status"):
        assert getattr(after, name) == getattr(before, name), name


def test_a_request_that_never_left_is_not_taken_for_carried_out(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    """Killed between its two requests; a colleague wrote what the second one would have written."""
    post = next(row["id"] for row in rows_of(sheet) if row["name"] == "Croissant morning")
    path = all_fields(sheet, command, post, is_draft="yes", name="mine")
    before = client.posts.get(post)
    with sandbox.fault("latency", ms=600, when="after", operations="setPostsDraft"):
        count = writes(sandbox) + 1
        process = subprocess.Popen([*PROGRAM, "apply", str(path), "--yes"], env=environment())
        end = time.monotonic() + 30
        while writes(sandbox) < count and time.monotonic() < end:
            time.sleep(0.002)
        process.kill()
        process.wait()
    time.sleep(0.7)  # what is on its way arrives
    client.posts.update(post, name="mine")
    assert command("apply", path, "--yes", "--settle-after", "0.1").status == 0
    assert command("undo", "--yes", "--settle-after", "0.1").status == 0
    after = client.posts.get(post)
    assert (after.status, after.name) == (before.status, "mine")


@pytest.mark.parametrize("is_beside", [True, False], ids=["with a name", "alone"])
@pytest.mark.parametrize("kind", ["drop-before", "drop-after"])
@pytest.mark.parametrize("lost", ["setPostsDraft", "updatePost"])
def test_what_is_seen_of_a_lost_change_is_told_and_undone_beside_what_nobody_sees(
    sheet: Path,
    command: Command,
    sandbox: Sandbox,
    client: SocialPublishing,
    lost: str,
    kind: str,
    is_beside: bool,
) -> None:
    """The service does not show the labels of a post (§4.1.1); that it is a draft, it shows."""
    post = next(row["id"] for row in rows_of(sheet) if row["name"] == "Croissant morning")
    label = sandbox.create_label(name="New", group_id=GROUP)["id"]
    beside = {"name": "mine"} if is_beside else {}
    path = all_fields(sheet, command, post, is_draft="yes", label_ids=label, **beside)
    before = sandbox.read_post(post)
    assert command("plan", path, "-o", "x.plan").status == 0
    with sandbox.fault(kind, operations=lost, times=1):
        command("apply", "x.plan", "--settle-after", "0.1")
    now = sandbox.read_post(post)
    [told] = json.loads(command("status", "x.plan", "--output", "json").out)
    assert now["status"] == 5 and told["wrote"]
    has_label = label in [each["id"] for each in now["labels"]]
    if told["state"] == "done":
        assert has_label and (not is_beside or now["name"] == "mine")
    else:
        assert told["reason"].startswith("is_draft written; the response was lost: label_ids")
        assert not is_beside and lost == "updatePost"
    ended = command("undo", "--yes", "--settle-after", "0.1")
    assert ended.status == (0 if told["state"] == "done" else 7), ended.err
    after = sandbox.read_post(post)
    assert (after["status"], after["name"]) == (before["status"], before["name"])
    assert told["state"] == "done" or after["labels"] == now["labels"], "who knows what it was?"


def test_a_label_that_nobody_sees_is_put_on_and_taken_off_again(
    sheet: Path, command: Command, sandbox: Sandbox
) -> None:
    def labels() -> dict[str, list[str]]:
        posts = [row["id"] for row in rows_of(sheet)]
        return {p: [each["id"] for each in sandbox.read_post(p)["labels"]] for p in posts}

    before, label = labels(), str(sandbox.create_label(name="New", group_id=GROUP)["id"])
    assert [] in before.values() and any(before.values())
    path = all_fields(sheet, command, "")
    rows = [row | {"label_ids": label} for row in rows_of(path) if row["id"] in before]
    write(path, rows)
    assert command("apply", path, "--yes").status == 0
    assert {*map(tuple, labels().values())} == {(label,)}
    assert command("undo", "--yes").status == 0
    assert labels() == before


@pytest.mark.parametrize("kind", ["drop-before", "drop-after"])
def test_what_nobody_can_know_has_the_status_of_an_unknown_outcome(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing, kind: str
) -> None:
    rows = rows_of(sheet)
    label = sandbox.create_label(name="New", group_id=GROUP)["id"]
    rows = [{**row, "label_ids": label if row is rows[0] else ""} for row in rows]
    rows[1]["name"] = "mine"
    write(sheet, rows)
    assert command("plan", sheet, "-o", "x.plan").status == 0
    with sandbox.fault(kind, operations="updatePost", times=1):
        ended = command("apply", "x.plan", "--settle-after", "0.1", "--output", "json")
    assert ended.status == 7
    [told] = [each for each in json.loads(ended.out) if each["state"] == "failed"]
    assert told["wrote"] is None and "the response was lost: label_ids" in told["reason"]
    for is_rest in (True, False):  # also where something else is undone
        ended = command("undo", "--yes", "--output", "json")
        assert (ended.status, bool(json.loads(ended.out or "[]"))) == (7, is_rest), ended.err
        assert f"row {told['row']}: may have been written; it is not undone" in ended.err
    assert client.posts.get(rows[1]["id"]).name != "mine"


def test_a_post_is_read_again_where_the_last_read_is_old(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """A colleague edits the last post after the first ones were written, by a slow service."""
    monkeypatch.setattr(applying, "FRESH", 0.2)
    rows = rows_of(sheet)
    write(sheet, [row | {"name": "mine"} for row in rows])
    assert command("plan", sheet, "-o", "x.plan").status == 0
    plan, journal = opened(sheet.with_name("x.plan"))

    def slow(entry: plans.Entry) -> None:
        if entry.change.id == rows[0]["id"] and entry.state == "done":
            client.posts.update(rows[-1]["id"], name="theirs")
            time.sleep(0.3)

    with journal:
        before = len(sandbox.requests())
        report = plans.apply(client, plan, journal, on_progress=slow)
        reads = [e for e in sandbox.requests()[before:] if e.method == "GET"]
    assert (report.count("done"), report.count("conflict")) == (len(rows) - 1, 1)
    assert client.posts.get(rows[-1]["id"]).name == "theirs" and len(reads) >= 2


@pytest.mark.parametrize("held", ["updatePost", "setPostsDraft", "getGroup"])
def test_a_post_is_read_again_where_its_write_waits_for_the_rate_limit(
    sheet: Path, command: Command, sandbox: Sandbox, held: str
) -> None:
    """A colleague edits it while the service, or what another call has learnt, holds the write."""
    post = next(row["id"] for row in rows_of(sheet) if row["name"] == "Croissant morning")
    new = {"name": "mine"} | ({"is_draft": "yes"} if held == "setPostsDraft" else {})
    path = all_fields(sheet, command, post, **new)
    assert command("plan", path, "-o", "x.plan").status == 0
    plan, journal = opened(path.with_name("x.plan"))
    with sandbox.client(pacing="off") as colleague, sandbox.client() as client, journal:

        def waits(wait: Any) -> None:
            colleague.posts.update(post, name="theirs")

        patient = client.with_clock(cast(Any, SkippingClock())).with_options(on_wait=waits)
        really = patient.posts.get_many

        def read(ids: list[str]) -> Any:
            found = really(ids=ids)
            if held == "getGroup":
                with suppress(errors.RateLimitError):
                    patient.with_options(retries=0).groups.get(GROUP)
            return found

        patched = patch.object(patient.posts, "get_many", read)
        with sandbox.fault("status", status=429, times=1, operations=held), patched:
            [entry] = plans.apply(patient, plan, journal).entries
    assert (entry.state, entry.wrote) == ("conflict", False), entry.reason
    assert "is theirs" in entry.reason


@pytest.mark.parametrize("is_there", [True, False])
def test_a_post_that_an_answer_lacks_is_asked_for_once_more(
    sheet: Path, command: Command, client: SocialPublishing, is_there: bool
) -> None:
    first, *others = rows_of(sheet)
    write(sheet, [row | {"note": "mine"} for row in (first, *others)])
    assert command("plan", sheet, "-o", "x.plan").status == 0
    plan, journal = opened(sheet.with_name("x.plan"))
    really, lacking = client.posts.get_many, iter([True, not is_there])

    def read(ids: list[str]) -> Any:
        lacks = next(lacking, False)
        return [post for post in really(ids=ids) if post.id != first["id"] or not lacks]

    with patch.object(client.posts, "get_many", read), journal:
        entries = plans.apply(client, plan, journal).entries
    assert [each.state for each in entries] == ["done" if is_there else "conflict", *["done"] * 3]


@pytest.mark.parametrize("times", [2, 100])
def test_a_write_that_waits_each_time_does_not_do_so_for_ever(
    sheet: Path, command: Command, sandbox: Sandbox, times: int
) -> None:
    planned(sheet, command, "a")
    plan, journal = opened(sheet.parent / "a.plan")
    with sandbox.client() as client, journal:
        patient = client.with_clock(cast(Any, SkippingClock()))
        with sandbox.fault("status", status=429, times=times, operations="updatePost"):
            if times > 2:
                with pytest.raises(errors.RateLimitError):
                    plans.apply(patient, plan, journal)
            else:
                plans.apply(patient, plan, journal)
        [entry] = journal.entries()
        assert (entry.state, entry.wrote) == (("waiting", False) if times > 2 else ("done", True))
        assert writes(sandbox) <= 12
        assert plans.apply(patient, plan, journal).complete


@pytest.mark.parametrize("is_killed", [True, False])
def test_what_was_so_before_proves_no_request(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing, is_killed: bool
) -> None:
    """A colleague wrote the name before; only the labels, which nobody sees, were left to send."""
    post = next(row["id"] for row in rows_of(sheet) if row["name"] == "Croissant morning")
    label = sandbox.create_label(name="New", group_id=GROUP)["id"]
    path = all_fields(sheet, command, post, label_ids=label, name="mine")
    assert command("plan", path, "-o", "x.plan").status == 0
    client.posts.update(post, name="mine")
    with sandbox.fault("drop-before", operations="updatePost", times=1):
        how = ["--settle-after", "0.1", "--on-conflict", "ours"]
        command("apply", "x.plan", *how, *(["--no-wait"] if is_killed else []))
    if is_killed:
        [journal] = (sheet.parent / "journals").glob("*.account")
        change = "UPDATE entry SET state='sending', replaced='{\"label_ids\": []}', at=?"
        noted(journal, change, _ago(100))
        command("resume", "--settle-after", "0.1")
    [told] = json.loads(command("status", "x.plan", "--output", "json").out)
    assert (told["state"], told["wrote"]) == ("failed", None), told
    assert label not in [each["id"] for each in sandbox.read_post(post)["labels"]]
    assert command("undo", "--yes").status == 7
    assert client.posts.get(post).name == "mine"


@pytest.mark.parametrize("kind", ["none", "drop-before", "drop-after"])
def test_done_means_that_no_later_request_took_it_back(
    sheet: Path, command: Command, sandbox: Sandbox, kind: str
) -> None:
    """A post is a draft or skipped (§3): what `apply` says of both is what the service has."""
    rows = rows_of(sheet)
    post = rows[0]["id"]
    write(sheet, [{**row, "is_draft": ""} for row in rows])
    wanted = {"is_draft": "yes", "should_skip": "yes"}
    write(sheet, [{"is_draft": "no"} | row | (wanted if row["id"] == post else {}) for row in rows])
    planned = command("plan", sheet, "-o", "x.plan")
    assert planned.status == 0 and "a post has one status (§3)" in planned.out
    with ExitStack() as stack:
        if kind != "none":
            stack.enter_context(sandbox.fault(kind, operations="updatePost", times=1))
        ended = command("apply", "x.plan", "--settle-after", "0.1")
    now = sandbox.read_post(post)
    assert not (now["status"] == 5 and now["should_skip"])
    assert ended.status == 1
    [told] = json.loads(command("status", "x.plan", "--output", "json").out)
    lost = "should_skip" if now["status"] == 5 else "is_draft"
    assert told["state"] == "failed" and f"{lost} 'no' stayed" in told["reason"]


def test_a_draft_that_is_to_be_skipped_is_never_due(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    post = scheduled(sheet, client)
    client.posts.set_draft(is_draft=True, post_ids=[post])
    path = all_fields(sheet, command, post, is_draft="no", should_skip="yes", note="W")
    assert command("apply", path, "--yes").status == 0
    assert not sandbox.requests(operation="posts.set_draft")[1:]  # that of the test
    now = client.posts.get(post)
    assert (now.status, now.should_skip, now.note) == (37, True, "W")
    assert command("undo", "--yes").status == 0
    assert client.posts.get(post).status == 5


@pytest.mark.parametrize("how", ["done", "half", "interrupted"])
def test_a_plan_is_not_applied_again_once_its_undo_has_begun(
    edited: Path, command: Command, sandbox: Sandbox, how: str
) -> None:
    assert command("plan", edited, "-o", "x.plan").status == 0
    with ExitStack() as stack:
        if how == "half":
            fault = sandbox.fault("status", status=401, operations="updatePost", after=1)
            stack.enter_context(fault)
        command("apply", "x.plan")
    if how == "interrupted":
        killed(sandbox, "undo", "--yes", after=1)
    else:
        assert command("undo", "--yes").status == 0
    before = writes(sandbox)
    again = command("apply", "x.plan")
    assert again.status == 9, again.err
    assert ("was interrupted" if how == "interrupted" else "then undone") in again.err
    assert writes(sandbox) == before


def test_a_draft_that_was_skipped_is_a_draft_again(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    """To take back `should_skip` alone would schedule it; of another post its status is told."""
    path = sheet.with_name("x.csv")
    assert command("export", "posts", "--group", GROUP, "--columns", "all", "-o", path).status == 0
    rows = rows_of(path)
    before = {row["id"]: client.posts.get(row["id"]).status for row in rows}
    kinds = {5: "draft", 20: "review rejected", 25: "scheduled"}
    chosen = [next((p for p, s in before.items() if s == kind), None) for kind in kinds]
    assert chosen[0] and chosen[2]
    write(path, [row | {"should_skip": "yes"} if row["id"] in chosen else row for row in rows])
    assert command("apply", path, "--yes").status == 0
    assert {client.posts.get(each).status for each in chosen if each} == {37}
    ended = command("undo", "--yes", "--output", "json")
    assert ended.status == 0, ended.err
    for each in filter(None, chosen):
        [told] = [one for one in json.loads(ended.out) if one["id"] == each]
        same = client.posts.get(each).status == before[each]
        assert same or told["reason"].startswith("its status was "), told
        assert same or before[each] not in (5, 25)


@pytest.mark.parametrize(
    ("wanted", "theirs", "told"),
    [
        ("should_skip", {"is_draft": True}, "the post is now a draft"),
        ("is_draft", {"should_skip": True}, "the post is now skipped"),
    ],
)
@pytest.mark.parametrize("choice", ["skip", "ours"])
def test_what_became_a_draft_or_was_skipped_since_is_left_alone(
    sheet: Path,
    command: Command,
    client: SocialPublishing,
    wanted: str,
    theirs: dict[str, bool],
    told: str,
    choice: str,
) -> None:
    """An undo would schedule it, and it would go out."""
    rows = [{"is_draft": "no", "should_skip": "no"} | row for row in rows_of(sheet)]
    post = next(r["id"] for r in rows if client.posts.get(r["id"]).status == 25)
    write(sheet, [row | ({wanted: "yes"} if row["id"] == post else {}) for row in rows])
    assert command("plan", sheet, "-o", "x.plan").status == 0
    if "is_draft" in theirs:
        client.posts.set_draft(is_draft=True, post_ids=[post])
    else:
        client.posts.update(post, **theirs)
    before = client.posts.get(post)
    command("apply", "x.plan", "--on-conflict", choice)
    [entry] = json.loads(command("status", "x.plan", "--output", "json").out)
    assert (entry["state"], entry["reason"]) == ("conflict", f"{told}: make a new plan")
    command("undo", "--yes")
    assert client.posts.get(post).status == before.status


def test_a_field_that_a_write_takes_back_is_told(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    """Also one that others had set already, so that it was not sent."""
    rows = [{"is_draft": "no", "should_skip": "no"} | row for row in rows_of(sheet)]
    post = next(r["id"] for r in rows if client.posts.get(r["id"]).status == 25)
    both = {"is_draft": "yes", "should_skip": "yes"}
    write(sheet, [row | (both if row["id"] == post else {}) for row in rows])
    assert command("plan", sheet, "-o", "x.plan").status == 0
    client.posts.set_draft(is_draft=True, post_ids=[post])
    command("apply", "x.plan")
    [entry] = json.loads(command("status", "x.plan", "--output", "json").out)
    now = client.posts.get(post)
    assert entry["state"] in ("conflict", "failed"), (entry, now.status, now.should_skip)


def test_who_cannot_see_the_posts_ends_no_plan(
    edited: Path,
    command: Command,
    sandbox: Sandbox,
    client: SocialPublishing,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A killed `apply` is resumed with a token that may not see them, and then by its owner."""
    before = {row["id"]: client.posts.get(row["id"]).name or None for row in rows_of(edited)}
    assert command("plan", edited, "-o", "x.plan").status == 0
    killed(sandbox, "apply", "x.plan")
    with monkeypatch.context() as changed:
        changed.setenv("SOCIAL_PUBLISHING_API_TOKEN", sandbox.tokens["client"])
        ended = command("resume", "--settle-after", "0.1")
        assert ended.status in (7, 9), ended.err
        ended = command("undo", "--yes", "--settle-after", "0.1")
        assert "1 lost request cannot be checked: no post is there" in ended.err
        told = "row 2: may have been written; it is not undone" in ended.err
        assert (ended.status, told) == (7, True)
    ended = command("resume", "--settle-after", "0.1")
    assert ended.status == 0, ended.err
    now = {row["id"]: client.posts.get(row["id"]).name for row in rows_of(edited)}
    assert now == {row["id"]: row["name"] for row in rows_of(edited)}
    assert command("undo", "--yes").status == 0
    assert {each: client.posts.get(each).name or None for each in before} == before


def test_an_interruption_is_one_wherever_it_comes(
    edited: Path, command: Command, sandbox: Sandbox
) -> None:
    """Also where SQLite has called Python, which tells of no exception that ends the call."""
    crc32, plan = zlib.crc32, edited.with_name("few.plan")
    write(edited, rows_of(edited)[:3])
    assert command("plan", edited, "-o", plan, "--against-now").status == 0
    for number in range(100):
        calls = iter(range(number, -1, -1))

        def interrupted(data: bytes, calls: Iterator[int] = calls) -> int:
            if next(calls, None) == 0:
                signal.raise_signal(signal.SIGINT)
            return crc32(data)

        with patch("zlib.crc32", interrupted):
            run = command("apply", plan, "--settle-after", "0")
        if run.status == 0:
            break
        assert (run.status, "Traceback" in run.err) == (130, False), (number, run.err)
    assert number > 3
    assert writes(sandbox) == 3


def test_a_disk_that_fills_after_a_write_does_not_say_that_nothing_was_sent(
    edited: Path, command: Command, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("plan", edited, "-o", "x.plan").status == 0
    note = plans.Journal.note

    def full(self: plans.Journal, entry: plans.Entry, state: str, *rest: str, **more: bool) -> None:
        if state == "done" and writes(sandbox) == 2:
            raise plans.JournalError("the journal cannot be written: the disk is full")
        note(self, entry, state, *rest, **more)  # type: ignore[arg-type]

    with monkeypatch.context() as changed:
        changed.setattr(plans.Journal, "note", full)
        ended = command("apply", "x.plan")
    assert ended.status == 7, ended.err
    assert "the disk is full" in ended.err and "1 of" in ended.err and "resume" in ended.err
    assert command("resume", "--settle-after", "0.1").status == 0
    assert command("undo", "--yes").status == 0


@pytest.mark.parametrize("how", ["refused", "lost"])
def test_what_a_colleague_writes_after_a_write_that_did_not_arrive_is_not_ours(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing, how: str
) -> None:
    post = planned(sheet, command, "x")
    kind = {"status": 403} if how == "refused" else {}
    with sandbox.fault("status" if kind else "drop-before", operations="updatePost", **kind):
        command("--no-wait", "apply", "x.plan", "--settle-after", "0.1")
    if how == "lost":
        command("undo", "--yes", "--settle-after", "0.1")  # finds out that nothing arrived
    client.posts.update(post, name="mine")
    command("resume", "--settle-after", "0.1")
    [told] = json.loads(command("status", "x.plan", "--output", "json").out)
    assert not told["wrote"], told
    ended = command("undo", "--yes")
    assert "nothing is left to undo" in ended.err and client.posts.get(post).name == "mine"


def test_what_was_taken_back_is_not_taken_back_again(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    """Others may have written the same since."""
    post = planned(sheet, command, "x")
    assert command("apply", "x.plan").status == 0
    assert command("undo", "--yes").status == 0
    client.posts.update(post, name="mine")
    for words in (("undo", "--yes"), ("undo", "x.plan", "--yes")):
        ended = command(*words)
        assert "nothing is left to undo" in ended.err, ended.err
        assert client.posts.get(post).name == "mine"


def test_half_of_a_lost_request_is_a_conflict(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    """Somebody put one of two fields back; the other one is ours."""
    first, *others = rows_of(sheet)
    was = client.posts.get(first["id"])
    write(sheet, [first | {"name": "mine", "note": "N"}, *others])
    assert command("plan", sheet, "-o", "x.plan").status == 0
    killed(sandbox, "apply", "x.plan")
    client.posts.update(first["id"], name=was.name)
    command("resume", "--settle-after", "0.1")
    [told] = json.loads(command("status", "x.plan", "--output", "json").out)
    assert told["state"] == "conflict" and told["wrote"], told
    now = client.posts.get(first["id"])
    assert (now.name, now.note) == (was.name, "N")
    assert command("undo", "--yes").status == 0
    assert (client.posts.get(first["id"]).note or None) == was.note


def test_an_undo_leaves_a_post_alone_that_others_skipped(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    post = scheduled(sheet, client)
    client.posts.set_draft(is_draft=True, post_ids=[post])
    path = all_fields(sheet, command, post, is_draft="no")
    assert command("apply", path, "--yes").status == 0
    client.posts.update(post, should_skip=True)
    ended = command("undo", "--yes")
    assert client.posts.get(post).status == 37
    assert '"reason":"the post is now skipped"' in ended.out


@pytest.mark.parametrize("kind", ["refused", "lost"])
def test_what_a_colleague_took_back_between_two_requests_is_a_conflict(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing, kind: str
) -> None:
    post = scheduled(sheet, client)
    client.posts.set_draft(is_draft=True, post_ids=[post])
    was = client.posts.get(post).name
    path = all_fields(sheet, command, post, name="Winter", is_draft="no")
    assert command("plan", path, "-o", "x.plan").status == 0
    how = {"status": 403} if kind == "refused" else {}
    with sandbox.fault("status" if how else "drop-before", operations="setPostsDraft", **how):
        command("apply", "x.plan", "--settle-after", "0.1")
    assert client.posts.get(post).name == "Winter"
    [told] = json.loads(command("status", "x.plan", "--output", "json").out)
    assert "name written" in told["reason"] and "none was" not in told["reason"]
    client.posts.update(post, name=was)
    ended = command("resume", "--settle-after", "0.1")
    [told] = json.loads(command("status", "x.plan", "--output", "json").out)
    assert told["state"] == "conflict" and client.posts.get(post).name == was, ended.err


def test_a_skipped_post_that_became_a_draft_is_skipped_again(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    post = scheduled(sheet, client)
    client.posts.update(post, should_skip=True)
    path = all_fields(sheet, command, post, is_draft="yes")
    assert command("apply", path, "--yes").status == 0
    assert client.posts.get(post).status == 5
    assert command("undo", "--yes").status == 0
    assert client.posts.get(post).status == 37


def test_no_plan_writes_before_another_ones_request_is_settled(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    first = planned(sheet, command, "first", text="one")
    planned(sheet, command, "second", text="two")
    with sandbox.fault("drop-after", operations="updatePost"):
        ended = command("apply", "first.plan", "--settle-after", "0.2", "--quiet")
        assert client.posts.get(first).name == "one"
    assert ended.status == 0
    journal = next((sheet.parent / "journals").glob("*.account"))
    noted(journal, "UPDATE entry SET state='unknown', wrote=0, at=?", _ago(0))
    count = writes(sandbox)
    plan, journal = opened(sheet.parent / "second.plan")
    waits: list[float] = []
    with journal as book:
        report = plans.apply(client, plan, book, settles=False)
        assert (report.count("waiting"), writes(sandbox)) == (1, count)
        assert "another plan's request" in report.entries[0].reason
        report = plans.apply(client, plan, book, quiet=0.5, on_wait=waits.append)
    assert (report.count("done"), writes(sandbox), len(waits)) == (1, count + 1, 1)
    assert client.posts.get(first).name == "two"
    told = {each["source"]: each for each in json.loads(command("status", "--output", "json").out)}
    assert [told[name]["done"] for name in ("first.csv", "second.csv")] == [1, 1]


def test_a_lost_request_that_waits_for_another_ones_is_written_once_and_taken_back(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    """The own one was lost before; it is younger for no wait, and looked at once after it."""
    post = planned(sheet, command, "first", text="one")
    planned(sheet, command, "second", text="two")
    was = client.posts.get(post).name
    for name in ("first", "second"):
        with sandbox.fault("drop-before", operations="updatePost"):
            command("apply", f"{name}.plan", "--settle-after", "0", "--quiet")
    journal = next((sheet.parent / "journals").glob("*.account"))
    sent = f"UPDATE entry SET state='unknown', replaced='{json.dumps({'name': was})}'"
    plan, book = opened(sheet.parent / "second.plan")
    noted(journal, f"{sent}, at=?", _ago(0))
    noted(journal, f"UPDATE entry SET at='{_ago(1000)}' WHERE plan=?", plan.id)
    count = writes(sandbox)
    seen: list[plans.Entry] = []
    with book:
        [entry] = plans.apply(client, plan, book, quiet=0.5, on_progress=seen.append).entries
    assert (entry.state, entry.wrote, entry.reason) == ("done", True, "")
    assert [each.state for each in seen] == ["unknown", "done"]
    assert (client.posts.get(post).name, writes(sandbox)) == ("two", count + 1)
    assert command("undo", "second.plan", "--yes").status == 0
    assert client.posts.get(post).name == was


@pytest.mark.parametrize("is_alive", [True, False])
def test_a_request_may_leave_late_while_its_process_lives(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing, is_alive: bool
) -> None:
    """It may be waiting for the rate limit."""
    post = planned(sheet, command, "a", text="one")
    planned(sheet, command, "b", text="two")
    folder = sheet.parent / "journals"
    first, second = (plans.Plan.load(sheet.parent / f"{name}.plan") for name in "ab")
    path = plans.journal_path(first, folder)
    with plans.Journal(path, first) as sending:
        assert sending.sending(post, {"name": "x"})
        noted(path, "UPDATE entry SET at=?", _ago(1000))
        if not is_alive:
            sending.close()
        report = plans.apply(client, second, plans.Journal(path, second), settles=False)
    assert (report.count("waiting"), writes(sandbox)) == (1, 0)
    [told] = (each for each in plans.reports(folder) if each.plan.id == first.id)
    assert [entry.state for entry in told.entries] == ["sending" if is_alive else "unknown"]


def _ago(seconds: float) -> str:
    return (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat()


def test_a_plan_is_forgotten_whole_or_not_at_all(tmp_path: Path) -> None:
    """Whatever ends it between two steps, a full disk or a kill, leaves a journal that is read."""
    made = datetime(2026, 12, 1, tzinfo=UTC)
    change = plans.Change(2, "1", "", "", 25, {"name": plans.Step("was", "now")})
    plan = plans.Plan(made, made + timedelta(1), {"a": "1"}, "s.csv", 1, (change,))
    path = plans.journal_path(plan, tmp_path)
    for table in ("entry", "plan"):
        with plans.Journal(path, plan) as journal:
            ends = f"CREATE TRIGGER ends BEFORE DELETE ON {table}"
            noted(path, f"{ends} BEGIN SELECT RAISE(ABORT, 'no space'); END")
            with pytest.raises(plans.JournalError, match="no space"):
                journal.forget_unsent()
            noted(path, "DROP TRIGGER ends")
            assert len(journal.entries()) == 1
    with plans.Journal(path, plan) as journal:
        journal.forget_unsent()
    assert not [*plans.reports(tmp_path)]


def test_a_journal_keeps_each_step_of_a_request_and_who_sent_it(tmp_path: Path) -> None:
    def plan_of(number: int, undoes: str | None = None) -> plans.Plan:
        made = datetime(2026, 12, number, tzinfo=UTC)
        steps = {name: plans.Step("was", f"now {number}") for name in ("name", "note")}
        change = plans.Change(2, "1", "", "", 25, steps)
        return plans.Plan(
            made, made + timedelta(1), {"a": "1"}, "s.csv", 1, (change,), undoes=undoes
        )

    first, second, back = plan_of(1), plan_of(2), plan_of(3, plan_of(1).id)
    path = plans.journal_path(first, tmp_path)
    with (
        plans.Journal(path, first, by="Ann") as ann,
        plans.Journal(path, second, by="Ben", sheet="of a sheet") as ben,
    ):
        [entry] = ann.entries()
        assert (*entry[2:],) == ("waiting", "", False, 0, None, {}, {}, "")
        assert ann.sending("1", {"name": "was"}, ann.turn())
        sent = ann.entry(entry)
        assert sent.at and (*sent[2:6], *sent[7:]) == (
            *("sending", "", False, 1),
            *({"name": "was"}, {}, "Ann"),
        )
        assert not ben.sending("1", {}) and [e.plan for e in ben.unsettled("1")] == [first.id]
        assert not ann.unsettled("1")
        ann.note(sent, "unknown", "lost", kept={"name": "N"})
        lost = ann.entry(entry)
        assert lost.at and lost.at > sent.at  # it may have left as late as now
        assert (lost.state, lost.reason, lost.kept) == ("unknown", "lost", {"name": "N"})
        assert not ben.sending("1", {}) and [e.plan for e in ben.unsettled("1")] == [first.id]
        read = ben.turn()
        assert ann.sending("1", {"name": "was", "note": "was"})
        assert [e.plan.id for e in plans.reports(tmp_path)] == [first.id, second.id]
        again = ann.entry(entry)
        assert (again.reason, again.sends, again.kept) == ("", 2, {})
        assert (again.replaced, again.written) == ({"name": "was", "note": "was"}, {})
        ann.note(again, "done", wrote=True, kept={"name": "N"})
        assert ann.entry(entry).at == again.at
        assert ann.entry(entry).written == {"name": "N", "note": "now 1"}
        theirs = {n: (each.value, each.made.day) for n, each in ann.written("1").items()}
        assert theirs == {"name": ("N", 1), "note": ("now 1", 1)} and not ben.written("1")
        assert not ben.sending("1", {}, read)  # Ann has written since
        assert ben.sending("1", {"note": "now 1"}, ben.turn())
        ben.note(ben.entries()[0], "done", wrote=True)
        assert {*ann.written("1")} == {"name"} and {*ben.written("1")} == {"note"}
        assert plans.journal.written("12", tmp_path, "Ben") == {("1", "note"): "now 2"}
    with plans.Journal(path, back, by="Ann"):  # nothing of it is sent yet
        plans.journal.check_not_taken_back(first, tmp_path)
    for state, tells in (("sending", "interrupted"), ("conflict", ""), ("done", "undone")):
        with plans.Journal(path, back, by="Ann") as undo:
            assert undo.sending("1", {"name": "N", "note": "now 2"})
            if state != "sending":
                undo.note(undo.entries()[0], state, wrote=state == "done")
                undo.forget_unsent()
                assert undo.entries()[0].sends
            with ExitStack() as stack:
                if tells:
                    stack.enter_context(pytest.raises(plans.StalePlanError, match=tells))
                plans.journal.check_not_taken_back(first, tmp_path)
    asked: list[dict[str, Any]] = [
        *({}, {"sheet": "of a sheet"}, {"undoes": first.id}),
        *({"plan_id": first.id}, {"plan_id": first.short_id[:4]}, {"plan_id": "none"}),
    ]
    whose = [[each.plan.id for each in plans.reports(tmp_path, **one)] for one in asked]
    assert whose == [
        *([back.id, second.id, first.id], [second.id], [back.id]),
        *([first.id], [first.id], []),
    ]
    assert plans.journal.undone(first, [*plans.reports(tmp_path)]) == 1
    noted(path, "UPDATE entry SET state='unknown', at=?", _ago(-86_400))  # by a clock set back
    with plans.Journal(path, first) as journal:
        journal.find_killed()
        [late] = journal.entries()
        assert late.at and late.at <= datetime.now(UTC)
    for state in ("waiting", "sending", "unknown", "done", "conflict", "failed"):
        ended = entry._replace(state=state, reason=f"name written; {IN_DOUBT}; waited")
        report = plans.Report(first, (entry._replace(state="done"), ended))
        assert ended.in_doubt == (state in ("failed", "conflict"))
        assert report.finished == (state in ("failed", "conflict", "done"))
        assert report.complete == (state == "done")
        assert not ended._replace(reason="refused").in_doubt
    first.save(plans.journal.plan_path(first.id, tmp_path))
    for id in (first.id, first.id[7:], first.short_id):
        assert plans.journal.kept_plan(id, tmp_path) == first
    with pytest.raises(plans.StalePlanError):
        plans.journal.kept_plan(f"{first.short_id}{0:052}", tmp_path)
    if os.name == "posix":  # drafts are nobody else's business
        assert {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()} == {0o600}
    now = time.time()
    for number, last, counts in ((1, 50.0, 50.0), (2, 100.0, 100.0), (3, 75.0, 100.0)):
        damaged = path.with_name(f"{path.name}.damaged-{number}")
        damaged.touch()
        os.utime(damaged, (last, last))
        assert plans.journal._lost(path) == datetime.fromtimestamp(counts, UTC)
    os.utime(damaged, (now + 999, now + 999))
    assert now <= cast(datetime, plans.journal._lost(path)).timestamp() <= time.time()
    for ending in ("-journal", "-wal", "-shm"):
        path.with_name(path.name + ending).touch()
    plans.journal.forget(first.account, tmp_path)
    assert {each.suffix for each in tmp_path.glob("*.account*")} == {
        *(f".damaged-{number}" for number in range(1, 4)),
        ".lock",
    }


def test_who_edits_the_same_cell_twice_is_in_no_conflict_with_herself(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    post, other = planned(sheet, command, "a", text="one"), rows_of(sheet)[1]["id"]
    planned(sheet, command, "early", text="early")
    assert command("apply", "a.plan").status == 0
    planned(sheet, command, "b", text="two")
    assert command("apply", "b.plan").status == 0
    assert client.posts.get(post).name == "two"
    # A plan of before is no wish of now.
    late = command("apply", "early.plan")
    assert (late.status, "1 in conflict" in late.err) == (1, True)
    client.posts.update(post, name="theirs")
    client.posts.update(other, name="theirs")
    rows = rows_of(sheet)
    rows[0]["name"] = rows[1]["name"] = "three"
    write(sheet.with_name("c.csv"), rows)
    ended = command("plan", "c.csv", "-o", "c.plan", "--output", "json")
    assert [line["now"] for line in json.loads(ended.out)] == ["theirs", "theirs"]


@pytest.mark.parametrize(
    ("name", "wrote", "was", "now", "told"),
    [
        ("name", "new", "old", {"name": "new"}, None),
        ("name", "new", "old", {"name": "old"}, ""),
        ("name", "new", "old", {"name": "theirs"}, "name: was new, is theirs, wanted old"),
        ("name", "new", None, {"name": "new"}, None),
        ("selected_media_ids", ["1"], [], {"selected_media_ids": ["1"]}, None),
        ("selected_media_ids", ["1"], [], {"selected_media_ids": []}, ""),
        ("is_publish_now", True, False, {}, None),
        ("is_publish_now", True, None, {}, f"is_publish_now: {applying.HIDDEN}"),
        ("label_ids", ["1"], [], {}, None),
        ("label_ids", ["1"], ["2"], {}, None),
        ("name", "new", "old", None, "the post no longer exists"),
    ],
)
def test_an_undo_restores_what_is_as_its_plan_left_it(
    client: SocialPublishing,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    wrote: Any,
    was: Any,
    now: dict[str, Any] | None,
    told: str | None,
) -> None:
    """Of what nobody sees, what had a value."""
    [post, *_] = client.posts.list(group_id=GROUP)
    known = {"1": msgspec.structs.replace(post, id="1", **now)} if now is not None else {}
    monkeypatch.setattr(applying, "there", lambda _, ids: {e: known[e] for e in ids if e in known})
    change = plans.Change(7, "1", "", "", 25, {name: plans.Step(wrote, was)})
    made = datetime.now(UTC)
    back = plans.Plan(made, made + timedelta(1), {}, "s.csv", 1, (change,))
    left, stays = plans.still_there(client, back)
    assert left.changes == ((change,) if told is None else ())
    assert stays == ([f"row 7: {told}"] if told else [])


def test_who_edited_what_nobody_sees_is_told_before_it_is_taken_back(
    client: SocialPublishing, monkeypatch: pytest.MonkeyPatch
) -> None:
    [post, *_] = client.posts.list(group_id=GROUP)
    made = datetime.now(UTC)

    def change(id: str, updated: Any, *names: str) -> plans.Change:
        steps = {name: plans.Step(None, "x") for name in names}
        return plans.Change(int(id), id, "", "", 25, steps, updated=updated)

    changes = (
        change("1", made, "name", "label_ids"),  # nobody has edited it
        change("2", made - timedelta(1), "label_ids", "name", "is_publish_now"),
        change("3", made - timedelta(1), "name"),  # which is seen
        change("4", msgspec.UNSET, "label_ids"),
        change("5", made - timedelta(1), "label_ids"),  # it is gone
        change("6", made - timedelta(1), "label_ids"),  # its time is not told
    )
    known = {each: msgspec.structs.replace(post, id=each, updated_at=made) for each in "1234"}
    known["6"] = msgspec.structs.replace(post, id="6", updated_at=None)
    monkeypatch.setattr(applying, "there", lambda _, ids: {e: known[e] for e in ids if e in known})
    plan = plans.Plan(made, made + timedelta(1), {}, "s.csv", 1, changes)
    told = applying.edited_unseen(client, plan)
    assert told == [f"row 2: label_ids, is_publish_now: {applying.SINCE}"]


def test_an_undo_takes_back_what_was_written_and_not_taken_back_before() -> None:
    made = datetime(2026, 12, 1, tzinfo=UTC)

    def entry(id: str, status: int, **written: tuple[Any, Any]) -> plans.Entry:
        steps = {name: plans.Step(*step) for name, step in written.items()}
        change = plans.Change(int(id), id, "", "Asia/Tokyo", status, steps)
        replaced = {name: step[0] for name, step in written.items() if name != "note"}
        return plans.Entry("p", change, "done", "", id != "8", 1, made, replaced)

    entries = [
        entry("1", 25, name=("old", "new"), content=("a", "b"), note=("x", "y")),
        entry("2", 5, should_skip=(False, True)),
        entry("3", 25, should_skip=(False, True)),
        entry("4", 37, is_draft=(False, True)),
        entry("5", 25, is_draft=(False, True)),
        entry("6", 5, should_skip=(False, True), is_draft=(True, False)),
        entry("7", 25, name=("old", "new")),
        entry("8", 25, name=("old", "new")),  # it was so before
    ]
    changes = tuple(each.change for each in entries)
    plan = plans.Plan(made, made + timedelta(hours=7), {"id": "1"}, "s.csv", 9, changes)
    taken = {("1", "content"), ("7", "name"), ("2", "name")}
    back = plans.reversed_plan(plans.Report(plan, entries), made + timedelta(days=3), taken)
    assert {
        each.id: {n: (e.before, e.after) for n, e in each.fields.items()} for each in back.changes
    } == {
        "1": {"name": ("new", "old")},
        "2": {"should_skip": (True, False), "is_draft": (False, True)},
        "3": {"should_skip": (True, False)},
        "4": {"should_skip": (False, True)},
        "5": {"is_draft": (True, False)},
        "6": {"should_skip": (True, False), "is_draft": (False, True)},
    }
    assert (back.made, back.expires) == (
        made + timedelta(days=3),
        made + timedelta(days=3, hours=7),
    )
    assert (back.undoes, back.rows, back.source, back.account) == (plan.id, 9, "s.csv", {"id": "1"})
    assert [(each.row, each.zone, each.status) for each in back.changes][:2] == [
        (1, "Asia/Tokyo", 25),
        (2, "Asia/Tokyo", 5),
    ]


def states_of(*states: str, undoes: str | None = None, wrote: str = "done") -> plans.Report:
    """What became of a plan whose changes are in these states."""
    made = datetime(2026, 12, 1, 9, tzinfo=UTC)
    step = {"name": plans.Step("old", "new")}
    changes = tuple(
        plans.Change(at, f"{at}", f"post {at}", "", 25, step) for at in range(len(states))
    )
    plan = plans.Plan(made, made + timedelta(1), {"id": "1"}, "s.csv", 9, changes, undoes=undoes)
    return plans.Report(
        plan,
        [
            plans.Entry(plan.id, change, state, "", state == wrote, 1, made, {"name": "old"})
            for change, state in zip(changes, states, strict=True)
        ],
    )


def test_a_list_of_plans_counts_each_state_and_what_can_be_undone() -> None:
    states = [*["done"] * 6, *["conflict"] * 2, *["failed"] * 3, "waiting", "sending", "unknown"]
    whole, same = states_of(*states), states_of("done", wrote="nothing")
    half = states_of("done", "done", undoes=whole.plan.id)
    known = [whole, same, half]
    told = [*planning._summaries(known)]
    numbers = ("changes", "done", "conflicts", "failed", "left", "undone")
    assert [tuple(each[name] for name in numbers) for each in told] == [
        *((14, 6, 2, 3, 3, 2), (1, 1, 0, 0, 0, 0), (2, 2, 0, 0, 0, 0)),
    ]
    assert [each["undoes"] for each in told] == ["", "", whole.plan.short_id]
    assert {each["made"] for each in told} == {"2026-12-01T09:00:00Z"}
    assert [planning._can_be_undone(each, known) for each in known] == [True, False, False]
    all_back = states_of(*["done"] * 6, undoes=whole.plan.id)
    assert not planning._can_be_undone(whole, [whole, all_back])


@pytest.mark.parametrize("sends", [False, True])
def test_progress_counts_what_is_over_and_a_journal_that_fails_what_was_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sends: bool
) -> None:
    known, shown, noted = states_of(*["waiting"] * 5), list[tuple[Any, ...]](), list[str]()
    session: Any = SimpleNamespace(
        client=None, show=lambda *told: shown.append(told), note=noted.append, next_step=str
    )
    how = planning._Applied(tmp_path, None, 7.0, None)
    with plans.Journal(tmp_path / "a.account", known.plan) as journal:
        for entry, state in zip(known.entries, ("done", "conflict"), strict=False):
            journal.sending(entry.change.id, {})
            journal.note(entry, state, wrote=True)

        def applied(client: Any, plan: Any, journal: Any, **given: Any) -> Any:
            assert (given["quiet"], given["on_conflict"]) == (7.0, None)
            for entry, state in zip(
                journal.entries()[2:], ("failed", "unknown", "done"), strict=True
            ):
                given["on_progress"](entry._replace(state=state))
            if sends:
                journal.sending("3", {})
            raise plans.JournalError("full")

        monkeypatch.setattr(planning, "apply_plan", applied)
        monkeypatch.setattr(planning, "_next_step", lambda *_: "resume")
        with pytest.raises(plans.JournalError) as caught:
            planning._sent(session, known.plan, journal, how, "run it again")
    assert caught.value.may_be_done is sends
    assert noted == ["1 of 5 changes are done; run it again"] * sends
    assert shown == [
        ("Change 2 of 5  ", 2, 5),
        ("Change 3 of 5  post 2", 3, 5),
        ("Change 3 of 5  post 3", 3, 5),
        ("Change 4 of 5  post 4", 4, 5),
    ]


def test_an_undo_leaves_what_a_later_plan_wrote(
    sheet: Path, command: Command, client: SocialPublishing, sandbox: Sandbox
) -> None:
    post = planned(sheet, command, "a", text="one")
    assert command("apply", "a.plan").status == 0
    name = plans.Plan.load(sheet.parent / "a.plan").short_id
    planned(sheet, command, "b", text="two")
    assert command("apply", "b.plan").status == 0
    count = writes(sandbox)
    ended = command("undo", name, "--yes")
    assert (ended.status, "nothing is left to undo" in ended.err) == (0, True)
    assert "is two" in ended.err
    assert (writes(sandbox), client.posts.get(post).name) == (count, "two")


def test_an_undo_writes_over_no_value_that_a_later_plan_wrote_meanwhile(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    folder = sheet.parent / "journals"
    post = planned(sheet, command, "a", text="one")
    assert command("apply", "a.plan").status == 0
    planned(sheet, command, "b", text="two")
    [report] = plans.reports(folder)
    back, stays = plans.still_there(client, plans.reversed_plan(report))
    assert (len(back.changes), stays) == (1, [])
    assert command("apply", "b.plan").status == 0
    ended = applied(client, back, folder)
    assert [entry.state for entry in ended.entries] == ["conflict"]
    assert client.posts.get(post).name == "two"


def test_what_a_plan_writes_while_a_post_is_read_is_not_written_over(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    post = planned(sheet, command, "a", text="one")
    planned(sheet, command, "b", text="two")
    read = client.posts.get_many

    def get_many(*given: Any, **named: Any) -> Any:
        found = read(*given, **named)
        if client.posts.get(post).name != "two":
            assert command("apply", "b.plan").status == 0
        return found

    posts = SimpleNamespace(
        get_many=get_many, update=client.posts.update, set_draft=client.posts.set_draft
    )
    slow = SimpleNamespace(posts=posts, with_options=lambda **_: slow)
    plan, journal = opened(sheet.parent / "a.plan")
    with journal:
        ended = plans.apply(cast(SocialPublishing, slow), plan, journal, quiet=0.1)
    assert [entry.state for entry in ended.entries] == ["conflict"]
    assert client.posts.get(post).name == "two"


def test_a_clock_that_was_set_back_keeps_no_plan_from_the_next(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    post = planned(sheet, command, "a", text="one")
    assert command("apply", "a.plan").status == 0
    journal = next((sheet.parent / "journals").glob("*.account"))
    noted(journal, "UPDATE entry SET at=?", _ago(-86_400))  # as if it had been noted tomorrow
    noted(journal, "UPDATE plan SET used=used+?", 86_400 * 10**9)
    planned(sheet, command, "b", text="two")
    assert command("apply", "b.plan").status == 0
    assert command("undo", "--yes").status == 0
    assert client.posts.get(post).name == "one"
    [back, *_] = json.loads(command("status", "--output", "json").out)
    assert back["undoes"] == plans.Plan.load(sheet.parent / "b.plan").short_id


@pytest.mark.parametrize(
    ("ago", "left"), [(0, 10), (3, 7), (9.5, 0.5), (10, 0), (99, 0), (-1, 10), (-86_400, 10)]
)
def test_no_request_is_waited_for_longer_than_it_can_be_on_its_way(ago: float, left: float) -> None:
    """One that left by a clock that was set back meanwhile counts as one of this moment."""
    now = datetime(2026, 12, 1, 9, tzinfo=UTC)
    assert applying._left(now - timedelta(seconds=ago), 10, now) == left
    assert applying._left(None, 10, now) == 0


def test_a_plan_for_another_account_stays_usable(
    edited: Path, command: Command, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("plan", edited, "-o", "month.plan").status == 0
    with Sandbox(agency(100), rate_limit=100_000) as other, monkeypatch.context() as patched:
        patched.setenv("SOCIAL_PUBLISHING_API_TOKEN", other.token)
        patched.setenv("SOCIAL_PUBLISHING_BASE_URL", other.base_url)
        ended = command("apply", "month.plan")
        assert (ended.status, ended.out, "another account" in ended.err) == (9, "", True)
        assert writes(other) == 0
    assert "no plan has been applied" in command("status").err
    assert command("apply", "month.plan").status == 0
    assert writes(sandbox) == len(rows_of(edited))


def broken(path: Path, how: str) -> None:
    content = path.read_bytes()
    spoilt = {
        "empty": b"",
        "foreign": b'{"a": 1}\n' * 2000,
        "cut": content[: len(content) // 2],
        "another database": None,
    }[how]
    path.unlink()
    if spoilt is None:
        with closing(sqlite3.connect(path)) as base, base:
            base.execute("CREATE TABLE dogs (name TEXT)")
    else:
        path.write_bytes(spoilt)


@pytest.mark.parametrize("how", ["empty", "foreign", "cut", "another database"])
def test_a_damaged_journal_stops_nothing(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing, how: str
) -> None:
    planned(sheet, command, "a")
    post = planned(sheet, command, "b", number=1)
    assert command("apply", "a.plan").status == 0
    [path] = (sheet.parent / "journals").glob("*.account")
    broken(path, how)
    copy = path.read_bytes()
    ended = command("status")
    assert (ended.status, path.name in ended.err) == (1, True), ended.err
    for words in (["undo", "--yes"], ["resume"], ["status"]):
        ended = command(*words)
        assert (ended.status, "no plan can be read" in ended.err) == (1, True)
    os.utime(path, (time.time() - 100,) * 2)
    ended = command("apply", "b.plan")
    assert (ended.status, "kept as" in ended.err) == (0, True), ended.err
    assert client.posts.get(post).name == "mine"
    [aside] = (sheet.parent / "journals").glob("*.damaged-1")
    assert aside.read_bytes() == copy
    assert command("undo", "--yes").status == 0
    ended = command("undo", "--yes")
    assert (ended.status, f"{aside}: is damaged; what only" in ended.err) == (7, True), ended.err
    # What the damaged one knew is found out by a look at the posts.
    count = writes(sandbox)
    assert "unchanged" in command("apply", "a.plan").out
    assert writes(sandbox) == count


def test_an_index_that_differs_from_its_table_is_damage(
    sheet: Path, command: Command, sandbox: Sandbox
) -> None:
    """What is sent with such a journal would be noted nowhere."""
    planned(sheet, command, "a")
    plan = plans.Plan.load(sheet.parent / "a.plan")
    path = plans.journal_path(plan, sheet.parent / "journals")
    with plans.Journal(path, plan):
        pass
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])  # which is of an index
    ended = command("status")
    assert (ended.status, "is damaged" in ended.err) == (1, True)
    path.write_bytes(whole)
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("DELETE FROM entry")
    ended = command("apply", "a.plan")
    assert ended.status == 1 and "damaged" in ended.err
    assert not writes(sandbox)


@pytest.mark.parametrize(
    ("table", "spoils"),
    [
        ("entry", "state='waiting'"),
        ("entry", "state='done', wrote=1"),
        ("entry", "post='9032915132417572866'"),
        ("entry", "reason='x'"),
        ("entry", "sends=sends+1"),
        ("entry", "at='2020-01-01T00:00:00+00:00'"),
        ("entry", """replaced='{"name": "nevex"}'"""),
        ("entry", """kept='{"name": "x"}'"""),
        ("entry", "turn=0"),
        ("entry", "sum=NULL"),
        ("plan", "sheet='x'"),
        ("plan", "undoes='x'"),
        ("plan", "used=0"),
    ],
)
def test_a_value_that_is_not_what_was_written_is_damage(
    sheet: Path, command: Command, sandbox: Sandbox, table: str, spoils: str
) -> None:
    planned(sheet, command, "a")
    plan = plans.Plan.load(sheet.parent / "a.plan")
    path = plans.journal_path(plan, sheet.parent / "journals")
    with plans.Journal(path, plan) as journal:
        journal.sending(plan.changes[0].id, {"name": "never"})
    with closing(sqlite3.connect(path)) as base, base:
        assert base.execute(f"UPDATE {table} SET {spoils}").rowcount == 1
    for words in (["undo", "--yes"], ["status"]):
        ended = command(*words)
        assert (ended.status, "is damaged" in ended.err) == (1, True), ended.err
    ended = command("apply", "a.plan", "--settle-after", "0.1")
    assert (ended.status, "kept as" in ended.err, writes(sandbox)) == (0, True, 1)
    assert json.loads(command("status", "--output", "json").out)[0]["done"] == 1


def test_a_journal_without_checksums_is_read_and_gets_them(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    post = planned(sheet, command, "a", text="one")
    planned(sheet, command, "b", number=1)
    assert command("apply", "a.plan").status == 0
    [path] = (sheet.parent / "journals").glob("*.account")
    before = json.loads(command("status", "--output", "json").out)
    with closing(sqlite3.connect(path)) as base, base:
        for table in ("entry", "plan"):
            base.execute(f"ALTER TABLE {table} DROP COLUMN sum")
        base.execute("ALTER TABLE entry DROP COLUMN by")
    [one] = json.loads(command("status", "--output", "json").out)
    assert [one | {"by": before[0]["by"]}] == before
    assert command("apply", "b.plan").status == 0
    with closing(sqlite3.connect(path)) as base:
        assert base.execute("SELECT count(*) FROM entry WHERE sum IS NULL").fetchone() == (0,)
    name = client.posts.get(post).name
    assert command("undo", before[0]["plan"], "--yes").status == 0
    assert (name, client.posts.get(post).name or "") == ("one", rows_of(sheet)[0]["name"])


@pytest.mark.parametrize("is_fast", [False, True])
def test_after_a_damaged_journal_no_request_leaves_before_old_ones_have_arrived(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing, is_fast: bool
) -> None:
    planned(sheet, command, "a")
    folder = sheet.parent / "journals"
    plan = plans.Plan.load(sheet.parent / "a.plan")
    path = plans.journal_path(plan, folder)
    folder.mkdir()
    path.write_bytes(b"half")
    refused = pytest.raises(plans.PlanError, match=r"try again in \d+ s")
    with plans.Journal(path, plan) as journal, refused:
        plans.apply(client, plan, journal, settles=False)
    assert not writes(sandbox)
    waits: list[float] = []
    [aside] = folder.glob("*.damaged-1")
    ahead = time.time() + 86_400 * is_fast
    os.utime(aside, (ahead, ahead))
    if is_fast:  # a clock that was set right since keeps nobody waiting for ever
        with plans.Journal(path, plan) as journal, refused:
            plans.apply(client, plan, journal, quiet=0.3, settles=False)
        time.sleep(0.3)
        with plans.Journal(path, plan) as journal:
            assert plans.apply(client, plan, journal, quiet=0.3, settles=False).complete
        return
    with plans.Journal(path, plan) as journal:  # which is not damaged any more
        report = plans.apply(client, plan, journal, quiet=0.3, on_wait=waits.append)
    assert (report.count("done"), len(waits)) == (1, 1)


@pytest.mark.parametrize("size", [0, 1, 4096, 8192, 12_288, 16_384])
def test_a_disk_that_is_full_at_birth_leaves_no_half_journal(
    edited: Path, command: Command, sandbox: Sandbox, size: int
) -> None:
    assert command("plan", edited, "-o", "month.plan").status == 0
    with files_of_at_most(size):
        ended = command("apply", "month.plan")
    assert ended.status in (0, 1)
    if ended.status:
        assert "cannot be" in ended.err
        assert not writes(sandbox)
    for words in (["status"], ["apply", "month.plan"], ["undo", "--yes"]):
        later = command(*words)
        assert (later.status, "damaged" in later.err) == (0, False), later.err


def test_files_are_replaced_where_links_lie_about(tmp_path: Path) -> None:
    private, target, link = (tmp_path / name for name in ("private", "x.csv", "link.csv"))
    private.write_text("keep")
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    for number in range(50):  # names that could have been guessed
        for name in (f".x.csv.{os.getpid()}.part.csv", f".x.csv.{number}.csv"):
            if not (tmp_path / name).exists():
                (tmp_path / name).symlink_to(private)
    with replacing(link) as new:
        new.write_text("new")
    assert (target.read_text(), private.read_text(), link.is_symlink()) == ("new", "keep", True)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    with pytest.raises(ZeroDivisionError), replacing(target) as new:
        new.write_text("half")
        raise ZeroDivisionError
    assert target.read_text() == "new"
    assert not new.exists()
    mask = os.umask(0o027)
    try:
        with replacing(tmp_path / "fresh.csv") as new:
            new.write_text("x")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "fresh.csv").stat().st_mode) == 0o640


@contextmanager
def answering(
    client: SocialPublishing, update: Callable[..., models.Post]
) -> Iterator[SocialPublishing]:
    """Yield a client whose updates are responded to in another way."""
    posts = SimpleNamespace(get_many=client.posts.get_many, update=update)
    yield cast(SocialPublishing, SimpleNamespace(posts=posts))


def applied(client: SocialPublishing, plan: plans.Plan, folder: Path) -> plans.Report:
    with plans.Journal(plans.journal_path(plan, folder), plan) as journal:
        return plans.apply(client, plan, journal, quiet=0.1)


@pytest.mark.parametrize(
    ("how", "state", "reason"),
    [
        ("old value", "failed", "name 'Croissant morning' stayed"),
        ("another post", "failed", "name 'Croissant morning' stayed"),
        ("another post, but done", "done", ""),
        ("old value, but done", "done", ""),
        ("another post, alike", "failed", "name 'Croissant morning' stayed"),
        ("other value", "done", "the service made it name 'mine'"),
    ],
)
def test_a_change_is_done_where_the_response_says_so(
    sheet: Path,
    command: Command,
    client: SocialPublishing,
    how: str,
    state: str,
    reason: str,
) -> None:
    rows = rows_of(sheet)
    number = next(n for n, row in enumerate(rows) if row["name"] == "Croissant morning")
    post = planned(sheet, command, "a", number, "mine ")
    other = next(row["id"] for row in rows if row["id"] != post)

    def update(id: str, **arguments: Any) -> models.Post:
        before = client.posts.get(other if "another" in how else id)
        if "done" in how:
            client.posts.update(id, **arguments)
        elif how == "other value":
            return client.posts.update(id, name=arguments["name"].strip())
        return msgspec.structs.replace(before, **arguments) if "alike" in how else before

    folder = sheet.parent / "journals"
    with answering(client, update) as odd:
        report = applied(odd, plans.Plan.load(sheet.parent / "a.plan"), folder)
    [entry] = report.entries
    assert (entry.state, entry.reason) == (state, reason)
    ended = command("undo", "--yes")
    assert (ended.status, client.posts.get(post).name) == (0, "Croissant morning")
    assert ("nothing is left to undo" in ended.err) == (state == "failed")


def test_undo_means_the_plan_that_was_sent_last(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    """Not one that was only looked at: a refused or repeated command changes nothing."""
    first, second = (planned(sheet, command, name, number) for number, name in enumerate("ab"))
    before = client.posts.get(second).name
    assert command("apply", "a.plan").status == 0
    assert command("undo", "--yes").status == 0
    assert command("apply", "b.plan").status == 0
    refused = command("apply", "a.plan")
    assert refused.status == 9 and "then undone" in refused.err
    ended = command("undo", "--yes")
    assert ended.status == 0 and re.search(r"undoing 1 change of plan \w+ of b.csv", ended.err)
    assert (client.posts.get(second).name or "") == (before or "")
    again = command("undo", "--yes")
    assert "nothing is left to undo of plan" in again.err and "earlier" not in again.err
    # Nothing is left of any plan: there is nothing to go on with, and nothing is wrong.
    ended = command("resume")
    assert ended.status == 0 and "nothing was sent again" in ended.err
    assert "mine" not in {client.posts.get(each).name for each in (first, second)}


def test_what_an_undo_of_an_undo_put_back_stands(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    """It can be undone again, by the plan's own name, as often as somebody wants."""
    post = planned(sheet, command, "a")
    before = client.posts.get(post).name
    assert command("apply", "a.plan").status == 0
    plan = plans.Plan.load(sheet.parent / "a.plan").short_id
    for _ in range(2):
        assert command("undo", plan, "--yes").status == 0
        assert client.posts.get(post).name == before
        refused = command("apply", "a.plan")
        assert refused.status == 9 and "then undone" in refused.err
        told = json.loads(command("status", "--output", "json").out)
        last = next(each["plan"] for each in told if each["undoes"] == plan and not each["undone"])
        assert command("undo", last, "--yes").status == 0
        assert client.posts.get(post).name == "mine"
        ended = command("apply", "a.plan")
        assert (ended.status, "nothing was sent again" in ended.err) == (0, True), ended.err
        told = json.loads(command("status", "--output", "json").out)
        assert next(each["undone"] for each in told if each["plan"] == plan) == 0
    assert command("undo", "--yes").status == 0
    assert client.posts.get(post).name == before


def test_a_finished_plan_says_how_to_write_what_is_in_conflict(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    post = planned(sheet, command, "a")
    client.posts.update(post, name="theirs")
    assert command("apply", "a.plan").status == 1
    assert "in conflict" in command("status").out
    for words in (["apply", "a.plan"], ["resume"]):
        ended = command(*words, "--on-conflict", "ours")
        assert ended.status == 1 and "make a new plan of the sheet" in ended.err
        assert "make a new plan" not in command(*words, "--on-conflict", "skip").err
    assert client.posts.get(post).name == "theirs"


def test_where_nothing_is_left_to_undo_an_earlier_plan_is_pointed_to(
    sheet: Path, command: Command
) -> None:
    for number, name in enumerate("ab"):
        planned(sheet, command, name, number)
        assert command("apply", f"{name}.plan").status == 0
    assert command("undo", "--yes").status == 0
    ended = command("undo", "--yes")
    assert ended.status == 0 and "to undo an earlier plan: social-publishing undo PLAN" in ended.err


@pytest.mark.parametrize("vain", [1, 2])
def test_undo_passes_over_newer_plans_that_wrote_nothing(
    sheet: Path, command: Command, client: SocialPublishing, vain: int
) -> None:
    """And says which it undoes; one that is named is the one that is meant."""
    post = planned(sheet, command, "a")
    before = client.posts.get(post).name
    others = [planned(sheet, command, name, at) for at, name in enumerate("bc"[:vain], 1)]
    for other in others:
        client.posts.update(other, name="theirs")
    names = {}
    for name in "abc"[: vain + 1]:
        command("apply", f"{name}.plan")
        names[name] = plans.Plan.load(sheet.parent / f"{name}.plan").short_id
    told = command("undo", names["b"], "--yes")
    assert (told.status, client.posts.get(post).name) == (0, "mine")
    assert f"nothing is left to undo of plan {names['b']}" in told.err
    ended = command("undo", "--yes")
    assert (ended.status, client.posts.get(post).name or "") == (0, before or "")
    newer = ", ".join(names[name] for name in "cb"[-vain:])
    said = f"wrote nothing: {newer}; the newest that did is plan {names['a']} of a.csv"
    assert said in ended.err, ended.err
    again = command("undo", "--yes")
    assert again.status == 0 and f"left to undo of plan {names['a']}" in again.err
    assert {client.posts.get(other).name for other in others} == {"theirs"}


def test_where_no_plan_wrote_anything_undo_says_so_of_the_newest(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    post = planned(sheet, command, "a")
    client.posts.update(post, name="theirs")
    command("apply", "a.plan")
    ended = command("undo", "--yes")
    assert ended.status == 0 and "nothing is left to undo of plan" in ended.err
    assert "wrote nothing" not in ended.err


def test_a_plan_that_is_done_needs_no_account_and_one_without_account_is_not_begun(
    edited: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("plan", edited, "-o", "x.plan").status == 0
    with monkeypatch.context() as patched:
        signed_out(patched)
        ended = command("apply", "x.plan")
        assert (ended.status, "resume" in ended.err) == (5, False)
        assert "no plan has been applied" in command("status").err
    assert command("apply", "x.plan").status == 0
    with monkeypatch.context() as patched:
        signed_out(patched)
        for words in (["apply", "x.plan"], ["resume"]):
            ended = command(*words)
            assert (ended.status, "applied before" in ended.err) == (0, True)


def test_resume_never_advises_itself(edited: Path, command: Command, sandbox: Sandbox) -> None:
    with sandbox.fault("status", status=403, operations="updatePost"):
        first = command("apply", edited, "--yes")
        assert "continue with: social-publishing resume" in first.err
        second = command("resume")
    assert second.status == 5
    assert "social-publishing resume" not in second.err
    assert command("resume").status == 0


def test_another_machine_is_told_of_posts_that_were_edited_and_have_their_old_value(
    edited: Path, command: Command, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("plan", edited, "-o", "month.plan").status == 0
    sandbox.advance(minutes=5)
    first = command("apply", "month.plan", "--output", "json")
    assert {each["reason"] for each in json.loads(first.out)} == {""}
    assert command("undo", "--yes").status == 0
    monkeypatch.setenv("SOCIAL_PUBLISHING_JOURNALS", str(edited.parent / "another machine"))
    ended = command("apply", "month.plan", "--output", "json")
    assert {"was edited since" in each["reason"] for each in json.loads(ended.out)} == {True}


@pytest.mark.parametrize("column", ["is_publish_now", "tw_poll[option_1]", "label_ids"])
def test_another_machine_does_not_write_again_what_nobody_sees(
    sheet: Path, command: Command, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, column: str
) -> None:
    post = next(row["id"] for row in rows_of(sheet) if row["name"] == "Croissant morning")
    label = str(sandbox.create_label(name="New", group_id=GROUP)["id"])
    new = {column: {"is_publish_now": "yes", "label_ids": label}.get(column, "rye")}
    path = all_fields(sheet, command, post, **new)
    *rows, last = rows_of(path)
    write(path, [*rows, last | {"name": "later"}])
    assert command("plan", path, "-o", "x.plan").status == 0
    sandbox.advance(minutes=5)
    assert command("apply", "x.plan").status == 0
    count = writes(sandbox)
    for choice in ("skip", "abort", "ours"):
        monkeypatch.setenv("SOCIAL_PUBLISHING_JOURNALS", str(sheet.parent / choice))
        ended = command("apply", "x.plan", "--output", "json", "--on-conflict", choice)
        told, later = json.loads(ended.out)
        is_ours = choice == "ours"
        assert (told["state"] == "conflict") == (writes(sandbox) == count) == (not is_ours)
        assert is_ours or "was edited since the plan was made" in told["reason"]
        assert later["state"] == ("waiting" if choice == "abort" else "done")


def test_journals_of_single_plans_are_taken_over(
    edited: Path, command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "journals"
    shutil.copytree(KEPT / "single-plans", folder)
    used = sorted(folder.glob("*.journal"))
    for day, path in enumerate(used, 1):
        os.utime(path, (-day * 86_400 + 10**9, -day * 86_400 + 10**9))
    (folder / "3f9a0c12b7d4.journal").write_bytes(b"half")
    for ending in ("journal", "account"):  # as macOS leaves them on disks of others
        (folder / f"._3f9a0c12b7d4.{ending}").write_bytes(b"of the Finder")
    first = command("status", "--output", "json")
    told = {each["plan"]: each for each in json.loads(first.out)}
    assert [*told] == [path.stem for path in used]
    assert {(each["done"], each["left"], each["failed"]) for each in told.values()} == {
        (2, 0, 0),
        (0, 1, 0),
        (1, 0, 1),
    }
    assert "3f9a0c12b7d4.journal" in first.err and "._" not in first.err
    assert len([*folder.glob("*.taken-over")]) == 3
    assert json.loads(command("status", "--output", "json").out) == json.loads(first.out)
    unknown = next(name for name, each in told.items() if each["left"])
    shutil.copytree(KEPT / "single-plans", tmp_path / "others")
    [known] = plans.reports(folder, plan_id=unknown)
    path = plans.journal_path(known.plan, tmp_path / "others")
    with plans.Journal(path, known.plan) as journal:  # takes them over before it begins
        assert journal.entries() == known.entries and known.entries[0].at
    [entry] = json.loads(command("status", unknown, "--output", "json").out)
    assert entry["state"] == "unknown"


@pytest.mark.parametrize("step", ["open", "forget", "take over"])
def test_a_step_of_another_process_is_waited_for(step: str, tmp_path: Path) -> None:
    for name in ("known", "new"):
        shutil.copytree(KEPT / "single-plans", tmp_path / name)
    report, *_ = plans.reports(tmp_path / "known")
    path = plans.journal_path(report.plan, tmp_path / "known")
    held = tmp_path / "new" / path.name if step == "take over" else path
    other = sqlite3.connect(f"{held}.lock", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    there: list[bool] = []
    threading.Timer(0.1, lambda: (there.append(path.exists()), other.close())).start()
    notes: list[str] = []
    if step == "open":
        plans.Journal(path, report.plan, note=notes.append).close()
    elif step == "forget":
        plans.journal.forget(report.plan.account, path.parent, notes.append)
    else:
        assert len([*plans.reports(tmp_path / "new", notes.append)]) == 3
    assert (notes, there, path.exists()) == ([], [True], step != "forget")


def test_what_cannot_be_locked_is_not_said_to_be_in_use(tmp_path: Path) -> None:
    (tmp_path / "locked").write_text("no folder")
    with pytest.raises(plans.journal.JournalError, match=r"cannot be locked: .*File exists"):
        plans.journal._locked(tmp_path / "locked" / "x")
    (tmp_path / "x.lock").mkdir()
    with pytest.raises(OSError, match=r"x.lock: unable to open"), resetting(tmp_path / "x"):
        pass


def test_two_people_at_one_machine_do_not_lock_each_other_out(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    planned(sheet, command, "a")
    post = planned(sheet, command, "b", number=1)
    with opened(sheet.parent / "a.plan")[1]:
        assert command("apply", "b.plan").status == 0
        ended = command("apply", "a.plan")
        assert (ended.status, "by another process" in ended.err) == (1, True)
    assert client.posts.get(post).name == "mine"
    assert command("export", "posts", "--group", GROUP, "-o", "later.csv").status == 0


@pytest.mark.parametrize("differs", ["token", "user", "machine"])
def test_two_people_who_share_a_journal_do_not_write_over_each_other(
    sheet: Path,
    command: Command,
    sandbox: Sandbox,
    client: SocialPublishing,
    monkeypatch: pytest.MonkeyPatch,
    differs: str,
) -> None:
    """One home folder under sudo, in two containers, or for two users of the service."""
    post = planned(sheet, command, "a", text="hers")
    planned(sheet, command, "own", text="hers again")
    planned(sheet, command, "b", text="his")
    rows = rows_of(sheet)
    assert command("apply", "a.plan").status == 0
    with monkeypatch.context() as patched:
        if differs == "token":
            patched.setenv("SOCIAL_PUBLISHING_API_TOKEN", sandbox.tokens["admin"])
        elif differs == "user":
            patched.setattr(os, "getuid", lambda: 54_321)
        else:
            patched.setattr(platform, "node", lambda: "3f9a0c12b7d4")
        for words in (["undo", "--yes"], ["resume"]) if differs != "token" else ():
            ended = command(*words)
            assert (ended.status, "applied by somebody else" in ended.err) == (1, True), ended.err
        assert ("(by " in command("status").out) == (differs != "token")
        write(sheet, [rows[0] | {"name": "his"}, *rows[1:]])
        [line] = json.loads(command("plan", sheet, "--output", "json").out)
        assert line["now"] == "hers"
        ended = command("apply", "b.plan")
        assert (ended.status, "is hers, wanted his" in ended.out) == (1, True), ended
        write(sheet, rows)
        planned(sheet, command, "c", number=1, text="his")
        assert command("apply", "c.plan").status == 0
    assert command("apply", "own.plan").status == 0
    assert client.posts.get(post).name == "hers again"
    assert command("undo", "--yes").status == 0
    assert client.posts.get(post).name == "hers"
    assert client.posts.get(rows[1]["id"]).name == "his"


def test_what_root_makes_in_the_home_of_another_belongs_to_her(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As under sudo, which keeps HOME on some systems."""
    given: dict[Path, tuple[int, int]] = {}
    stat_of = Path.stat

    def stat_with_owner(path: Path, **more: Any) -> Any:
        found = stat_of(path, **more)
        uid, gid = given.get(path, (7, 8) if path == tmp_path else (0, 0))
        return SimpleNamespace(st_mode=found.st_mode, st_uid=uid, st_gid=gid)

    monkeypatch.setattr(Path, "stat", stat_with_owner)
    monkeypatch.setattr(os, "chown", lambda path, *owner: given.update({path: owner}))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    made = datetime.now(UTC)
    plan = plans.Plan(made, made, {"organization_id": "1"}, "x", 1, ())
    path = plans.journal_path(plan, tmp_path / "state" / "plans")
    with plans.Journal(path, plan):
        pass
    made_there = {tmp_path / "state", path.parent, *path.parent.iterdir()}
    assert {*given} == made_there and {*given.values()} == {(7, 8)}


def test_journals_that_cannot_be_read_are_not_taken_for_none(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path) -> Any:
        raise PermissionError(13, "Permission denied", str(path))

    assert command("status").status == 0
    monkeypatch.setattr(os, "scandir", refused)
    ended = command("status")
    assert (ended.status, "another user's" in ended.err) == (1, True)
    assert "no plan can be read" in ended.err
