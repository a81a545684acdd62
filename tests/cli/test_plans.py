"""Plans: what is compared, what is written, what is left alone, and what can be taken back."""

from __future__ import annotations

import copy
import json
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from cli_support import (
    GROUP,
    PROGRAM,
    Command,
    account_on,
    environment,
    logged,
    noted,
    rows_of,
    with_one_text,
    write,
    writes,
)
from social_publishing import SocialPublishing, errors, models
from social_publishing.resources.posts import PostsResource

from social_publishing_cli import plans
from social_publishing_cli.catalogues import catalogue
from social_publishing_cli.plans import making, model
from social_publishing_cli.session import Session
from social_publishing_sandbox import Sandbox
from tests.support.disk import files_of_at_most


@pytest.fixture
def edited(sheet: Path) -> Path:
    """The month, every scheduled post of it at another time and with another name."""
    rows = rows_of(sheet)
    for number, row in enumerate(rows):
        row["publication_date"] = f"2026-12-20 {8 + number:02}:30"
        row["name"] = f"moved {number}"
    write(sheet, rows)
    return sheet


def test_a_plan_is_applied_once(
    edited: Path, command: Command, client: SocialPublishing, sandbox: Sandbox
) -> None:
    assert command("plan", edited, "-o", "month.plan").status == 0
    first = command("apply", "month.plan")
    assert first.status == 0, first.err
    rows = rows_of(edited)
    assert writes(sandbox) == len(rows)
    for row in rows:
        [post] = client.posts.get_many(ids=[row["id"]])
        assert post.name == row["name"]
    requests = len(sandbox.requests())
    assert command("apply", "month.plan").status == 0
    assert len(sandbox.requests()) == requests
    assert command("apply", edited, "--yes").status == 0
    assert writes(sandbox) == len(rows)


def test_an_update_has_what_each_must_have_and_may_show_nothing(
    edited: Path,
    command: Command,
    client: SocialPublishing,
    sandbox: Sandbox,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where `content` is required (`updatePost.required`), the post's own is sent along; where the
    response has no body (`success.updatePost`), the post is read again.
    """
    known = copy.deepcopy(catalogue())
    for each in known["posts"]["commands"]["update"]["arguments"]:
        each["required"] = each["name"] in ("post_id", "content")
    monkeypatch.setattr(making, "catalogue", lambda: known)
    update = PostsResource.update
    monkeypatch.setattr(PostsResource, "update", lambda *a, **given: update(*a, **given) and None)
    before = {each.id: each.content for each in client.posts.list(group_id=GROUP)}
    assert command("apply", edited, "--yes").status == 0
    sent = [each for each in sandbox.requests() if each.method == "PATCH"]
    assert len(sent) == len(rows_of(edited))
    for each in sent:
        own = json.loads(each.request_body or b"")
        assert own["content"] == before[each.target.rpartition("/")[2]]
        assert own["name"].startswith("moved")


def test_undo_leaves_what_a_colleague_had_written_alike(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    rows = rows_of(sheet)
    rows[0]["name"], rows[0]["note"] = "new", "new note"
    write(sheet, rows)
    assert command("plan", sheet, "-o", "x.plan").status == 0
    client.posts.update(rows[0]["id"], name="new")
    assert command("apply", "x.plan").status == 0
    assert command("undo", "--yes").status == 0
    post = client.posts.get(rows[0]["id"])
    assert (post.name, post.note or "") == ("new", "")


def renamed(sheet: Path, command: Command) -> str:
    """Plan to name the first post "mine", in x.plan, and return the post."""
    first, *others = rows_of(sheet)
    write(sheet, [{**first, "name": "mine"}, *others])
    assert command("plan", sheet, "-o", "x.plan").status == 0
    return first["id"]


def test_undo_brings_back_what_was_written_over(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    post = renamed(sheet, command)
    client.posts.update(post, name="theirs")
    assert command("apply", "x.plan", "--on-conflict", "ours").status == 0
    assert command("undo", "--yes").status == 0
    assert client.posts.get(post).name == "theirs"


def test_undo_tells_what_cannot_be_made_empty_again(
    command: Command, client: SocialPublishing, tmp_path: Path
) -> None:
    assert command("export", "posts", "--group", GROUP, "-o", "all.csv").status == 0
    [row, *_] = (row for row in rows_of(tmp_path / "all.csv") if not row["publication_date"])
    write(tmp_path / "all.csv", [row | {"publication_date": "2026-12-20 08:30"}])
    assert command("apply", "all.csv", "--yes").status == 0
    ended = command("undo", "--yes")
    assert (ended.status, "1 failed" in ended.err) == (1, True)
    assert "publication_date cannot be emptied" in ended.out
    assert client.posts.get(row["id"]).publication_date


def test_what_was_taken_back_is_not_reported_as_done(
    sheet: Path, command: Command, client: SocialPublishing, sandbox: Sandbox
) -> None:
    post = renamed(sheet, command)
    assert command("apply", "x.plan").status == 0
    again = command("apply", "x.plan")
    assert (again.status, "applied before; nothing was sent again" in again.err) == (0, True)
    assert command("undo", "--yes").status == 0
    count = writes(sandbox)
    ended = command("apply", "x.plan")
    assert (ended.status, ended.out, "undone" in ended.err) == (9, "", True)
    twice = command("undo", "--yes")
    assert (twice.status, twice.out, "nothing is left to undo" in twice.err) == (0, "", True)
    assert writes(sandbox) == count
    assert command("apply", sheet, "--yes").status == 0
    assert client.posts.get(post).name == "mine"


def test_a_user_who_may_not_write_is_told_once(
    edited: Path, command: Command, sandbox: Sandbox
) -> None:
    count = len(rows_of(edited))
    with sandbox.fault("status", status=403, operations="updatePost"):
        ended = command("apply", edited, "--yes")
    assert (ended.status, writes(sandbox)) == (5, 1)
    assert f"0 of {count} changes are done; continue with: social-publishing resume" in ended.err
    assert command("resume").status == 0
    assert writes(sandbox) == count + 1


def test_a_text_that_was_cleared_is_sent_as_an_empty_one(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    rows = rows_of(sheet)
    row = next(row for row in rows if row["name"])
    row["name"] = ""
    write(sheet, rows)
    assert command("apply", sheet, "--yes").status == 0
    (sent,) = [entry for entry in sandbox.requests() if entry.method == "PATCH"]
    assert json.loads(sent.request_body or b"") == {"name": ""}
    assert not client.posts.get(row["id"]).name


def test_expired_edited_and_foreign_plans_are_stale(
    edited: Path, command: Command, sandbox: Sandbox
) -> None:
    assert command("plan", edited, "-o", "month.plan").status == 0
    path = edited.parent / "month.plan"
    content = json.loads(path.read_text())
    for name, value, reason in (
        ("expires", "2026-11-30T00:00:00Z", "changed by hand"),
        ("changes", [], "changed by hand"),
    ):
        path.write_text(json.dumps({**content, name: value}))
        ended = command("apply", "month.plan")
        assert (ended.status, reason in ended.err) == (9, True)
    kept = {k: v for k, v in content.items() if k not in ("id", "format")}
    for name, value, reason in (
        ("expires", "2026-11-20T00:00:00Z", "has expired"),
        ("account", {"organization_id": "1"}, "another organization"),
    ):
        msgspec.convert({**kept, name: value}, plans.Plan).save(path)
        ended = command("apply", "month.plan")
        assert (ended.status, reason in ended.err) == (9, True), ended.err
    assert not writes(sandbox)


def test_a_journal_that_was_changed_by_hand_is_refused(
    edited: Path, command: Command, sandbox: Sandbox
) -> None:
    assert command("plan", edited, "-o", "month.plan").status == 0
    assert command("apply", "month.plan").status == 0
    [path] = (edited.parent / "journals").glob("*.account")
    name = json.loads(command("status", "--output", "json").out)[0]["plan"]
    count = writes(sandbox)

    noted(path, "UPDATE entry SET state = 'waiting', wrote = 0")  # nothing is sent twice for that
    assert command("resume").status == 0
    noted(path, "UPDATE plan SET content = replace(content, '2026-12', '2026-11')")
    for words in (["resume"], ["undo", "-y"], ["status", name], ["apply", "month.plan"]):
        ended = command(*words)
        assert (ended.status, "was changed by hand" in ended.err) == (1, True), ended
    assert writes(sandbox) == count


def test_a_file_that_is_no_plan_is_told(command: Command, tmp_path: Path) -> None:
    (tmp_path / "x.plan").write_text('{"format": 7}')
    ended = command("apply", "x.plan")
    assert (ended.status, ended.out) == (1, "")
    assert "x.plan: is not a plan" in ended.err
    assert command("apply", "nowhere.plan").status == 1


def test_what_cannot_be_done_is_told_of_all_rows(sheet: Path, command: Command) -> None:
    rows = rows_of(sheet)
    gone = {**rows[0], "id": "77", "exported": ""}
    rows[0]["publication_date"] = ""
    rows[1]["publication_delay_between"] = ""
    write(sheet, [*rows, gone])
    ended = command("plan", sheet, "--output", "json", "--against-now")
    assert (ended.status, ended.out) == (1, "")
    told = json.loads(ended.err)
    assert [(each["row"], each["column"]) for each in told["problems"]] == [
        (2, "publication_date"),
        (3, "publication_delay_between"),
        (len(rows) + 2, "id"),
    ]


def test_warnings_stand_beside_the_change(sheet: Path, command: Command, sandbox: Sandbox) -> None:
    rows = rows_of(sheet)
    account = rows[0]["selected_account_ids"].split()[0]
    sandbox.expire_connection(account)
    rows[0]["publication_date"] = "2020-01-01 09:00"
    write(sheet, rows)
    ended = command("plan", sheet, "--output", "json")
    warned = {line["row"]: line["warning"] for line in json.loads(ended.out) if line["warning"]}
    assert "publication_date is in the past" in warned[2]
    assert "must be renewed. Connect the account again. (assumed: publishing.expired)" in warned[2]


def test_a_plan_warns_of_what_the_networks_then_refuse(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    rows = rows_of(sheet)
    threads, instagram = (account_on(sandbox, each) for each in ("threads", "instagram"))
    long, bare, fine = with_one_text(client, rows)[:3]
    long |= {"content": "r" * 501, "selected_account_ids": threads, "selected_media_ids": ""}
    bare |= {"selected_account_ids": f"{instagram} {threads}", "selected_media_ids": ""}
    fine |= {"content": "r" * 500, "selected_account_ids": threads, "selected_media_ids": ""}
    write(sheet, rows)
    ended = command("plan", sheet, "-o", "month.plan", "--output", "json")
    warned = {line["id"]: line["warning"] for line in json.loads(ended.out) if line["warning"]}
    assert warned.keys() == {long["id"], bare["id"]}
    assert command("plan", sheet, "-o", "strict.plan", "--strict").status == 1
    assert not (sheet.parent / "strict.plan").exists()
    told = json.loads(command("plan", sheet, "--strict", "--output", "json").err)["problems"]
    numbers = {rows.index(each) + 2: each["id"] for each in (long, bare)}
    assert {numbers[each["row"]]: each["reason"] for each in told} == warned
    assert {each["column"] for each in told} == {"content", "selected_media_ids"}
    assert command("apply", "month.plan").status == 0
    sandbox.advance(days=60)
    posts = {post.id: post for post in client.posts.list(group_id=GROUP)}
    for row in (long, bare, fine):
        details = posts[row["id"]].details or ()
        said = [each.user_error_message for each in details if each.user_error_message]
        assert all(sentence in warned[row["id"]] for sentence in said)
        assert bool(said) == (row is not fine)


def test_a_month_is_compared_in_few_requests(
    sheet: Path, command: Command, sandbox: Sandbox
) -> None:
    ids = [row["id"] for row in rows_of(sheet)]
    template = rows_of(sheet)[0]
    accounts = template["selected_account_ids"].split()
    ids += [sandbox.create_post(selectedAccountIds=accounts)["id"] for _ in range(300)]
    del template["exported"]
    write(sheet, [{**template, "id": each, "name": "n"} for each in ids])
    before = len(sandbox.requests())
    assert command("plan", sheet, "--quiet", "--against-now").status == 0
    # Two reads of up to 200 posts, one of the group, and one of each file.
    files = {*template["selected_media_ids"].split()}
    assert len(sandbox.requests()) - before == 3 + len(files)


def test_a_full_disk_ends_before_anything_is_sent(
    edited: Path, command: Command, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("plan", edited, "-o", "month.plan").status == 0
    with files_of_at_most(1024):
        ended = command("apply", "month.plan")
    assert ended.status == 1
    assert "the journal cannot be written" in ended.err
    assert not writes(sandbox)


def test_two_processes_do_not_apply_one_plan_at_a_time(
    edited: Path, command: Command, client: SocialPublishing, tmp_path: Path
) -> None:
    plan = plans.make(client, plans.read_sheet(edited))
    plan.save(tmp_path / "month.plan")
    with plans.Journal(plans.journal_path(plan, tmp_path / "journals"), plan):
        ended = command("apply", "month.plan")
        assert (ended.status, "by another process" in ended.err) == (1, True)
        assert command("status").status == 0
    assert command("apply", "month.plan").status == 0


@pytest.mark.parametrize("seed", range(2))
def test_killed_at_any_moment_nothing_is_sent_twice(
    edited: Path, command: Command, sandbox: Sandbox, client: SocialPublishing, seed: int
) -> None:
    assert command("plan", edited, "-o", "month.plan").status == 0
    before = logged(client, edited)
    run = [*PROGRAM, "apply", "month.plan", "--settle-after", "0.3"]
    with sandbox.fault("latency", ms=50, operations="updatePost"):
        for moment in range(3):
            process = subprocess.Popen(
                run, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            count = len(sandbox.requests()) + seed + moment + 1
            end = time.monotonic() + 10
            while len(sandbox.requests()) < count and process.poll() is None:
                assert time.monotonic() < end
                time.sleep(0.001 * (seed + 1))
            process.kill()
            process.wait()
    ended = command("apply", "month.plan", "--settle-after", "0.5")
    assert ended.status == 0, ended.out + ended.err
    assert logged(client, edited) == {post: count + 1 for post, count in before.items()}


def test_the_cost_is_that_of_the_requests() -> None:
    step = plans.Step("a", "b")
    changes = tuple(plans.Change(n, str(n), "", "", 25, {"name": step}) for n in range(2, 152))
    now = datetime(2026, 12, 1, tzinfo=UTC)
    plan = plans.Plan(now, now, {}, "x", 150, changes)
    for left, minutes in ((None, 2), (60, 2), (33, 2), (32, 3), (0, 3), (153, 0), (152, 1)):
        assert plan.cost(60, left=left) == (153, timedelta(minutes=minutes)), left
    assert str(plan.cost(60)) == "153 requests, up to 2 min"
    assert str(plan.cost(60, left=153)) == "153 requests, less than a minute"
    assert Session().rate == (60, 60)
    for limit, known in ((90, 90), (0, 60)):
        room: Any = SimpleNamespace(rate_limit=SimpleNamespace(limit=limit, remaining=7))
        assert Session(_client=room).rate == (known, 7)


def test_a_plan_is_named_by_its_beginning(command: Command, tmp_path: Path) -> None:
    now = datetime(2026, 12, 1, tzinfo=UTC)
    for number in range(17):  # two of them begin with the same digit
        change = plans.Change(2, str(number), "", "", 25, {"name": plans.Step("a", "b")})
        plan = plans.Plan(now, now, {}, "x", 1, (change,))
        with plans.Journal(plans.journal_path(plan, tmp_path / "journals"), plan):
            pass
    names = [each.plan.short_id for each in plans.reports(tmp_path / "journals")]
    first = [name[0] for name in names]
    twice = next(digit for digit in first if first.count(digit) > 1)
    several = command("status", twice)
    assert (several.status, several.out) == (1, "")
    assert all(name in several.err for name in names if name.startswith(twice))
    assert json.loads(command("status", names[0]).out)["state"] == "waiting"
    assert "no plan xyz has been applied" in command("status", "xyz").err


def test_requests_lost_repeatedly_wait_for_the_next_run(
    edited: Path, command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    before = logged(client, edited)
    assert command("plan", edited, "-o", "month.plan").status == 0
    with sandbox.fault("drop-before", operations="updatePost"):
        ended = command("apply", "month.plan", "--settle-after", "0", "--output", "json")
    assert ended.status == 1
    told = json.loads(ended.out)
    assert {each["state"] for each in told} == {"waiting"}
    assert {each["reason"] for each in told} == {"its requests were lost; none was carried out"}
    assert logged(client, edited) == before
    assert command("resume").status == 0
    assert logged(client, edited) == {post: count + 1 for post, count in before.items()}


def test_what_a_lost_response_had_confirmed_is_taken_back(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    rows = rows_of(sheet)
    write(sheet, [rows[0] | {"name": "mine"}])
    assert command("plan", sheet, "-o", "month.plan").status == 0
    with sandbox.fault("drop-after", operations="updatePost"):
        ended = command("apply", "month.plan", "--settle-after", "0", "--output", "json")
    assert (ended.status, [each["state"] for each in json.loads(ended.out)]) == (0, ["done"])
    assert command("undo", "--yes").status == 0
    assert (client.posts.get(rows[0]["id"]).name or "") == rows[0]["name"]


def test_a_young_lost_request_is_waited_for(
    edited: Path, client: SocialPublishing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plans.make(client, plans.read_sheet(edited))
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    with plans.Journal(tmp_path / "x.account", plan) as journal:
        for change in plan.changes:
            journal.sending(change.id, {})
        plans.settle(client, plan, journal, 60)
        old = (datetime.now(UTC) - timedelta(seconds=50)).isoformat()
        noted(tmp_path / "x.account", "UPDATE entry SET at = ? WHERE place = 0", old)
        later = plans.settle(client, plan, journal, 60)[1]  # all of them can be found out then
        plans.apply(client, plan, journal, quiet=60, on_wait=waits.append)
    assert 55 < waits[0] <= later <= 60


def test_what_was_begun_is_finished_and_taken_back_after_the_plan_has_expired(
    edited: Path, client: SocialPublishing, sandbox: Sandbox, tmp_path: Path
) -> None:
    plan = plans.make(client, plans.read_sheet(edited), life=timedelta(hours=3))
    late = plan.expires + timedelta(days=1)
    with plans.Journal(tmp_path / "x.account", plan) as journal:
        refused = sandbox.fault("status", status=403, operations="updatePost", after=1)
        with refused, pytest.raises(errors.PermissionDeniedError):
            plans.apply(client, plan, journal)
        report = plans.apply(client, plan, journal, now=late)
    assert report.complete
    back = plans.reversed_plan(report, now=late)
    assert (back.made, back.expires) == (late, late + timedelta(hours=3))


@pytest.mark.parametrize("wanted", [{"publication_date": "2026-12-24 18:30"}, {"is_draft": "yes"}])
def test_a_post_that_went_out_meanwhile_is_left_alone(
    wanted: dict[str, str],
    sheet: Path,
    command: Command,
    client: SocialPublishing,
    sandbox: Sandbox,
) -> None:
    post = rows_of(sheet)[0]["id"]
    write(sheet, [{"id": post, "timezone": "UTC", "name": "moved", **wanted}])
    assert command("plan", sheet, "--against-now", "-o", "month.plan").status == 0
    client.posts.update(post, is_publish_now=True)
    sandbox.advance(hours=2)
    assert client.posts.get(post).status == models.PostStatus.PUBLISHED
    ended = command("apply", "month.plan", "--on-conflict", "ours", "--report", "left.csv")
    assert ended.status == 1
    told = {row["reason"] for row in rows_of(sheet.parent / "left.csv")}
    assert told == {f"the post is now published: {next(iter(wanted))} can no longer change"}
    assert client.posts.get(post).name != "moved"


def test_a_service_that_empties_what_is_not_sent_gets_no_single_fields(
    command: Command, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("export", "posts", "--group", GROUP, "--month", "2026-12", "-o", "m.csv")
    assert command(*words).status == 0
    path = tmp_path / "m.csv"
    write(path, [row | {"name": "new"} for row in rows_of(path)[1:3]])
    assert command("plan", "m.csv", "-o", "m.plan").status == 0
    assumed = copy.deepcopy(model.catalogue("assumed"))
    assumed["main"]["x-assume"]["updatePost"]["unsent"] = "emptied"
    monkeypatch.setattr(model, "catalogue", lambda name: assumed)
    sent = len(sandbox.requests())
    for chosen in (("plan", "m.csv"), ("apply", "m.plan")):
        ended = command(*chosen)
        assert ended.status == 1 and "updatePost.unsent" in ended.err, ended.err
    assert len(sandbox.requests()) == sent
    assert "no plan has been applied" in command("status").err
