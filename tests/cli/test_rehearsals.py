"""Rehearsals: what they find is what happens then, on each account."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from cli_support import (
    GROUP,
    NOW,
    Command,
    account_on,
    agency,
    rows_of,
    with_one_text,
    write,
    writes,
)
from social_publishing import SocialPublishing

from social_publishing_cli import plans
from social_publishing_cli.plans import rehearsing
from social_publishing_cli.sheets.columns import value_of
from social_publishing_sandbox import Sandbox

PUBLISHED, DELETED = 40, 50


def plan_of(now: datetime, *changes: plans.Change) -> plans.Plan:
    return plans.Plan(now, now + timedelta(days=1), {}, "plan", len(changes), changes)


def outcomes(sandbox: Sandbox) -> dict[tuple[str, str], tuple[int, str]]:
    """Return how each post did on each account, and what was said."""
    return {
        (post["id"], detail["social_account_id"]): (
            detail["status"],
            detail.get("user_error_message", ""),
        )
        for post in sandbox.world()["posts"]
        for detail in post["details"]
    }


def due(sandbox: Sandbox, until: datetime) -> set[str]:
    """Return the posts that have a time between now and then, and are not out."""
    return {
        post["id"]
        for post in sandbox.world()["posts"]
        if post["status"] not in (PUBLISHED, DELETED)
        and "publication_date" in post
        and sandbox.now <= datetime.fromisoformat(post["publication_date"]) < until
    }


@pytest.mark.parametrize(("world", "seed"), [("small", 7), ("small", 8), ("agency", 7)])
def test_what_is_found_is_what_does_not_go_out(world: str, seed: int, tmp_path: Path) -> None:
    with (
        Sandbox(
            agency(2_000) if world == "agency" else world,
            seed=seed,
            clock="frozen",
            rate_limit=None,
            check=False,
        ) as sandbox,
        sandbox.client(pacing="off") as client,
    ):
        now = sandbox.now
        groups = [group.id for group in sandbox.find("groups")][:12]
        posts = [
            post
            for group in groups
            for post in client.posts.list(group_id=group)
            if post.status == 25 and post.publication_date and post.publication_date > now
        ]
        values = [
            ("content", "r" * 400),
            ("content", None),
            ("should_skip", True),
            ("publication_date", (now + timedelta(days=3)).isoformat().replace("+00:00", "Z")),
            ("selected_media_ids", []),
        ]
        changes = []
        for number, post in enumerate(posts[:100]):
            name, after = values[number % len(values)]
            before = value_of(post, name)
            if before != after:
                step = {name: plans.Step(before, after)}
                changes.append(plans.Change(number + 2, post.id or "", "", "", 25, step))
        plan = plan_of(now, *changes)
        scope = rehearsing.Scope(tuple(groups), now + timedelta(days=20), {})
        sent = writes(sandbox)
        found = rehearsing.rehearse(client, plan, scope, service_time=now)
        assert writes(sandbox) == sent
        with plans.Journal(plans.journal_path(plan, tmp_path), plan) as journal:
            report = plans.apply(client, plan, journal)
        assert report.count("done") == len(plan.changes) - report.count("failed")
        expected = due(sandbox, found.until)
        sandbox.set_clock(found.until + timedelta(days=3))
        came = outcomes(sandbox)
    told = {(each.id, each.account_id): each for each in found.findings if each.kind != "collides"}
    stays = {id for id, account in told if not account}
    assert stays == {each.change.id for each in report.entries if each.state == "failed"}
    out = {pair for pair, (status, _) in came.items() if status == PUBLISHED}
    assert not told.keys() & out
    mine = {
        (post, account) for post, account in came if post in expected and (post, account) not in out
    }
    in_groups = {(each.id, each.account_id) for each in found.findings if each.account_id}
    others = {each for each in mine if each not in in_groups}
    known = {each.id for each in posts}
    assert not {each for each in others if each[0] in known}
    assert {kind.kind for kind in told.values()} >= {"fails", "is skipped"}
    for pair, finding in told.items():
        if finding.kind == "fails":
            assert came[pair][1] == finding.reason
    for each in found.findings:
        if each.kind == "collides":
            assert (each.id, each.account_id) in out


FOUND = """
stays as it is: row 3, stays, Fri 2026-12-11 09:00 (Europe/Berlin): note: was ours, is theirs, wanted mine
stays as it is: row 11, unassigned, Mon 2026-12-14 08:00 (Europe/Berlin): no assignee can approve the post (§3); is_draft 'yes' stayed
stays as it is: row 5, undated, undated (Europe/Berlin): name: was x, is undated, wanted y
fails: row 8, Foreign, bluesky of baker, Mon 2026-12-14 09:00 (Asia/Tokyo): The text is too long for Bluesky: it counts 302 characters of at most 300. [networks.text]
fails: row 4, moved, bluesky of baker, Sun 2027-01-31 15:30 (Europe/Berlin): The text is too long for Bluesky: it counts 301 characters of at most 300. [networks.text]
collides: row 10, alike, threads of Rye, Tue 2026-12-01 09:09 (Europe/Berlin): has the same text as 'day before' (ID), 23 h 59 min before
collides: row None, close, threads of Rye, Tue 2026-12-01 11:08 (Europe/Berlin): goes out 59 min after 'an hour' (ID)
collides: row None, closer, threads of Rye, Tue 2026-12-01 11:08 (Europe/Berlin): goes out 0 min after 'close' (ID)
is skipped: row 6, skipped, threads of Rye, Thu 2026-12-03 09:00 (Europe/Berlin): should_skip is yes
misses its review: row None, review, threads of Rye, Fri 2026-12-04 09:00 (Europe/Berlin): nobody has approved it by then [transitions.clock]
misses its review: row 9, draft, threads of Rye, Sat 2026-12-05 09:00 (Europe/Berlin): nobody has approved it by then [transitions.clock]
does not go out: row None, rejected, threads of Rye, Sun 2026-12-06 09:00 (Europe/Berlin): its review was rejected
fails: row None, failed, threads of Rye, Mon 2026-12-07 09:00 (Europe/Berlin): The network refused the post. [publishing.failures]
does not go out: row None, unscheduled, threads of Rye, Tue 2026-12-08 09:00 (Europe/Berlin): it is not scheduled
fails: row 2, Long, threads of Rye, Wed 2026-12-09 09:30 (Europe/Berlin): The text is too long for Threads: it counts 501 characters of at most 500. [networks.text]
fails: row None, empty, threads of Rye, Thu 2026-12-10 09:00 (Europe/Berlin): The post has neither text nor media. [publishing.failures]
fails: row 7, filmed, threads of Rye, Sun 2026-12-13 09:00 (Europe/Berlin): A video is too long for Threads: it takes 400 seconds of at most 300. [networks.videos]
does not go out: row 11, unassigned, threads of Rye, Mon 2026-12-14 08:00 (Europe/Berlin): it is still a draft
""".strip()  # noqa: E501


def test_all_that_a_month_can_bring_is_told_in_order() -> None:
    def post(name: str, date: str | None, **more: Any) -> dict[str, Any]:
        told = {"content": f"This is {name}", "selectedAccountIds": ["rye"], **more}
        return {"name": name, "publication_date": date, **told}

    both, begin = ["rye", "baker-facebook"], datetime.fromisoformat(NOW)
    world = {
        "format": 1,
        "now": NOW,
        "users": [{"token": "owner"}, {"id": "55", "token": "boss", "can_approve": True}],
        "groups": [
            {"name": "Bakery", "timezone": "Europe/Berlin", "approval_workflow": 2},
            {"name": "Mill", "timezone": "Asia/Tokyo"},
        ],
        "social_accounts": [
            {"socialNetwork": "threads", "username": "rye", "name": "Rye"},
            {"socialNetwork": "facebook", "username": "baker-facebook"},
            {"socialNetwork": "bluesky", "username": "baker", "group_id": "Mill"},
        ],
        "media": [
            {"type": 2, "duration": 400, "size": 1, "user_id": "55"},
            {"id": "777", "type": 1, "user_id": "55"},
            {"id": "778", "type": 1},
        ],
        "posts": [
            post("old draft", "2026-11-20T09:00:00Z", status=5),
            post("day before", "2026-11-30T09:10:00Z", status=PUBLISHED, content="Fresh"),
            post("out", "2026-12-01T08:08:00Z", status=PUBLISHED),
            post("alike", "2026-12-01T09:09:00Z", content="Fresh"),
            post("an hour", "2026-12-01T10:09:00Z", selectedAccountIds=both),
            post("close", "2026-12-01T11:08:40Z"),
            post("closer", "2026-12-01T11:08:50Z"),
            post("a day later", "2026-12-02T10:09:00Z", content="This is an hour"),
            post("skipped", "2026-12-03T09:00:00Z"),
            post("review", "2026-12-04T09:00:00Z", status=10),
            post("draft", "2026-12-05T09:00:00Z", status=5, assigneesIds=["55"]),
            post("rejected", "2026-12-06T09:00:00Z", status=15),
            post("failed", "2026-12-07T09:00:00Z", status=35, selected_media_ids=["777"]),
            post("unscheduled", "2026-12-08T09:00:00Z", status=1),
            post(
                "long",
                "2026-12-09T09:00:00Z",
                content="x" * 501,
                selectedAccountIds=both[::-1],
                publication_delay_between=30,
            ),
            post("empty", "2026-12-10T09:00:00Z", content=""),
            post("stays", "2026-12-11T09:00:00Z", note="theirs"),
            post("undated", None, status=5),
            post("moved", "2026-12-12T09:00:00Z", selectedAccountIds=both[1:], content="x" * 301),
            post("filmed", "2026-12-13T09:00:00Z"),
            post("own", "2026-12-13T12:00:00Z", customized={"threads": {"media_ids": ["778"]}}),
            post("unassigned", "2026-12-14T08:00:00Z", status=5),
            post(
                "foreign", "2026-12-14T09:00:00Z", selectedAccountIds=["baker"], content="x" * 302
            ),
            post(
                "last",
                "2027-02-28T22:30:00Z",
                selectedAccountIds=both,
                publication_delay_between=60,
            ),
            post("after", "2027-02-28T23:30:00Z"),
        ],
    }
    steps: list[tuple[object, ...]] = []
    with (
        Sandbox(world, clock="frozen", rate_limit=None, check=False) as sandbox,
        sandbox.client(pacing="off") as client,
    ):
        ids = {str(each.name): str(each.id) for each in sandbox.find("posts")}
        known = {each.username: each.id for each in sandbox.find("social_accounts")}
        file = next(each for each in sandbox.find("media") if each.duration == 400)
        later = "2027-01-31T15:30:00Z"  # in Tokyo that is in February
        accounts = [known["baker-facebook"]], [known["baker-facebook"], known["baker"]]
        wanted: list[tuple[int, str, dict[str, tuple[Any, Any]]]] = [
            (2, "long", {"name": ("long", "Long")}),
            (3, "stays", {"note": ("ours", "mine")}),
            (
                4,
                "moved",
                {
                    "publication_date": ("2026-12-12T09:00:00Z", later),
                    "selected_account_ids": accounts,
                },
            ),
            (5, "undated", {"name": ("x", "y")}),
            (6, "skipped", {"should_skip": (False, True)}),
            (7, "filmed", {"selected_media_ids": ([], [file.id])}),
            (8, "foreign", {"name": ("foreign", "Foreign")}),
            (9, "draft", {"is_draft": (True, False)}),
            (11, "unassigned", {"is_draft": (True, False)}),
        ]
        changes = [
            plans.Change(
                row,
                ids[name],
                "",
                "Asia/Tokyo" if name in ("moved", "foreign") else "Europe/Berlin",
                5 if name in ("undated", "draft", "unassigned") else 25,
                {field: plans.Step(*step) for field, step in each.items()},
            )
            for row, name, each in wanted
        ]
        found = rehearsing.rehearse(
            client,
            plan_of(begin - timedelta(days=999), *changes),
            rehearsing.Scope((sandbox.find("groups")[0].id,), None, {ids["alike"]: 10}),
            service_time=begin,
            on_progress=lambda *how_far: steps.append(how_far),
        )
    told = []
    for each in found.findings:
        on = f"{each.network} of {each.account}, " if each.network else ""
        when = f"{each.when:%a %Y-%m-%d %H:%M}" if each.when else "undated"
        gap = f" [{each.gap}]" if each.gap else ""
        line = f"{each.kind}: row {each.row}, {each.name}, {on}{when} ({each.timezone}): "
        told.append(re.sub(r"\(\d+\)", "(ID)", f"{line}{each.reason}{gap}"))
    assert "\n".join(told) == FOUND
    assert found.until == datetime(2027, 2, 28, 23, tzinfo=UTC)
    assert (found.planned, found.published, found.notes) == (24, 12, ())
    days = [(f"Rehearsing day {day} of 89", day - 1, 89) for day in range(1, 90)]
    made = [(f"Rehearsing change {at} of 9", at, 9) for at in range(1, 10)]
    assert steps == [("Reading group 1 of 1", 0, 1), ("Preparing the rehearsal",), *made, *days]


def test_a_sheet_is_about_its_groups_its_rows_and_the_last_month_that_a_post_had_or_gets() -> None:
    def row(number: int, group: str, was: str | None, now: str | None, zone: str = "") -> Any:
        memory = SimpleNamespace(values={"publication_date": was}) if was else None
        values = {"publication_date": now} if now else {}
        zoned = ZoneInfo(zone) if zone else None
        return SimpleNamespace(
            id=f"p{number}", number=number, group=group, memory=memory, values=values, zone=zoned
        )

    rows = [
        row(2, "b", "2027-03-05T09:00:00Z", "2026-12-05T09:00:00Z"),
        row(3, "a", None, "2027-03-31T20:00:00Z", "Asia/Tokyo"),
        row(4, "", "2027-04-01T02:00:00Z", None, "America/Denver"),
        row(5, "b", None, None),
    ]
    for count, month in ((0, None), (1, (2027, 3)), (2, (2027, 4)), (3, (2027, 4)), (4, (2027, 4))):
        sheet: Any = SimpleNamespace(rows=lambda count=count: rows[:count])
        scope = rehearsing.scope_of(sheet)
        assert (scope.last and (scope.last.year, scope.last.month)) == month
        assert scope.groups == ("b", "a")[:count]
        assert scope.rows == {f"p{number}": number for number in range(2, count + 2)}


@pytest.mark.parametrize("minutes", [-99_999, -1, 0, 1, 99_999])
def test_each_post_that_a_plan_moves_goes_out_or_is_told_of_whatever_its_moment(
    minutes: int,
) -> None:
    begin = datetime.fromisoformat(NOW)
    networks = ("facebook", "threads")
    world = {
        "format": 1,
        "now": NOW,
        "users": [{"token": "owner"}],
        "groups": [{"name": "Bakery", "timezone": "Europe/Berlin"}],
        "social_accounts": [{"socialNetwork": each, "username": each} for each in networks],
        "posts": [
            {"content": f"Post {at}", "status": status, "selectedAccountIds": [*networks][:several]}
            | {"publication_date": f"2026-12-{at:02}T09:00:00Z"}
            for several in (1, 2)
            for at, status in enumerate((1, 5, 10, 15, 20, 25, 35, 37), 2 + 10 * several)
        ],
    }
    to = (begin + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")
    with Sandbox(world, clock="frozen", rate_limit=None, check=False) as sandbox:
        posts = sandbox.find("posts")
        changes = [
            plans.Change(row, post.id, "", "", post.status, {"publication_date": step})
            for row, post in enumerate(posts, 2)
            for step in [plans.Step(value_of(post, "publication_date"), to)]
        ]
        scope = rehearsing.Scope((sandbox.find("groups")[0].id,), None, {})
        with sandbox.client(pacing="off") as client:
            found = rehearsing.rehearse(client, plan_of(begin, *changes), scope, service_time=begin)
    out = [each for each in found.findings if each.kind != "collides"]
    assert {(each.id, each.kind) for each in out} >= {
        (post.id, "does not go out") for post in posts if post.status == 5
    }
    pairs = sum(len(post.selected_account_ids or ()) for post in posts)
    assert found.planned == pairs == found.published + len(out)


@pytest.mark.parametrize("status", [25, 30, PUBLISHED])
@pytest.mark.parametrize("minutes", [-90, -60, -59, -1, 0, 1, 59, 60, 90])
@pytest.mark.parametrize("sandbox", ["frozen"], indirect=True)
def test_a_plan_and_its_rehearsal_see_the_same_posts_within_the_hour_as_clocks_show_them(
    command: Command,
    sandbox: Sandbox,
    client: SocialPublishing,
    tmp_path: Path,
    minutes: int,
    status: int,
) -> None:
    begin, account = datetime.fromisoformat(NOW), account_on(sandbox, "threads")
    client.posts.delete_many(ids=[str(each.id) for each in client.posts.list(group_id=GROUP)])
    near = begin + timedelta(days=1) if status == 25 else begin - timedelta(minutes=1)
    moved, other = (
        sandbox.create_post(
            name=name,
            content=name,
            selected_account_ids=[account],
            publication_date=date,
            status=code,
        )
        for name, date, code in (
            ("moved", begin + timedelta(days=5), 25),
            ("other", near, status),
        )
    )
    to = near + timedelta(minutes=minutes)
    assert command("export", "posts", "--group", GROUP, "-o", "all.csv").status == 0
    rows = {row["id"]: row for row in rows_of(tmp_path / "all.csv")}
    local = to.astimezone(ZoneInfo("Europe/Berlin"))
    rows[moved.id]["publication_date"] = f"{local:%Y-%m-%d %H:%M}"
    write(tmp_path / "all.csv", [rows[moved.id], rows[other.id]])
    planned = command("plan", "all.csv", "--output", "csv")
    assert planned.status == 0, planned.err
    assert ("another post within the hour (row 3)" in planned.out) is (abs(minutes) < 60)
    if to <= begin:
        return
    found = command("plan", "all.csv", "--rehearse", "--output", "json")
    reasons = [each["reason"] for each in json.loads(found.out)]
    word = f"goes out {abs(minutes)} min after row {3 if minutes > 0 else 2}"
    assert reasons == [word] * (abs(minutes) < 60)


def test_far_days_pass_at_once_and_nothing_is_missed() -> None:
    since, passed = datetime(2026, 12, 1, tzinfo=UTC), list[datetime]()
    clock: Any = SimpleNamespace(set_clock=passed.append)
    for days in (0, 2, 366, 400):
        client: Any = None
        month = rehearsing._Month(
            client, plan_of(since), rehearsing.Scope((), None, {}), since, print
        )
        month._pass(clock, until := since + timedelta(days, 5))
        assert passed == [
            *(since + timedelta(day) for day in range(min(days, 366))),
            until,
        ]
        passed.clear()


def test_a_month_of_500_posts_is_rehearsed_whole() -> None:
    texts = [f"Post number {number}" for number in range(500)]
    begin = datetime.fromisoformat(NOW)
    world = {
        "format": 1,
        "now": NOW,
        "users": [{"token": "owner"}],
        "groups": [{"name": "Bakery", "timezone": "Europe/Berlin"}],
        "social_accounts": [
            {"socialNetwork": network, "username": f"bakery-{network}"}
            for network in ("facebook", "threads", "bluesky")
        ],
        "posts": [
            {
                "content": text,
                "publication_date": (begin + timedelta(minutes=80 * at + 9)).isoformat(),
                "selectedAccountIds": ["bakery-facebook", "bakery-threads", "bakery-bluesky"],
            }
            for at, text in enumerate(texts)
        ],
    }
    with Sandbox(world, clock="frozen", rate_limit=None, check=False) as sandbox:
        (group,) = sandbox.find("groups")
        long = "r" * 400  # for one of the three
        changes = [
            plans.Change(number, post.id, "", "", 25, {"content": plans.Step(post.content, long)})
            for number, post in enumerate(sandbox.find("posts"), 2)
        ]
        scope = rehearsing.Scope((group.id,), begin + timedelta(days=29), {})
        with sandbox.client(pacing="off") as client:
            found = rehearsing.rehearse(client, plan_of(begin, *changes), scope, service_time=begin)
    failed = [each for each in found.findings if each.kind == "fails"]
    assert {each.network for each in failed} == {"bluesky"}
    assert (found.planned, found.published, len(failed)) == (1500, 1000, 500)


def test_the_command_tells_network_by_network_with_weekday_and_zone(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    rows = rows_of(sheet)
    threads, instagram = (account_on(sandbox, each) for each in ("threads", "instagram"))
    long, bare, skipped = with_one_text(client, rows)[:3]
    long |= {"content": "r" * 501, "selected_account_ids": threads, "selected_media_ids": ""}
    # Another day than in UTC.
    long |= {"publication_date": f"{long['publication_date'][:10]} 00:30", "weekday": ""}
    bare |= {"selected_account_ids": instagram, "selected_media_ids": ""}
    skipped |= {"should_skip": "yes"}
    write(sheet, rows)
    ended = command("plan", sheet, "--rehearse", "--output", "json", "-o", "month.plan")
    assert ended.status == 0
    found = {(each["id"], each["network"]): each for each in json.loads(ended.out)}
    one = found[long["id"], "threads"]
    assert one["kind"] == "fails" and "501 characters of at most 500" in one["reason"]
    assert one["gap"] == "networks.text" and one["row"] == rows.index(long) + 2
    local = datetime.fromisoformat(one["when"])
    assert f"{local:%Y-%m-%d %H:%M}" == long["publication_date"]
    assert one["weekday"] == f"{local:%a}" and one["timezone"] == "Europe/Berlin"
    assert local.utcoffset() == local.astimezone(ZoneInfo("Europe/Berlin")).utcoffset()
    assert "needs a picture" in found[bare["id"], "instagram"]["reason"]
    assert {each["kind"] for each in found.values() if each["id"] == skipped["id"]} == {
        "is skipped"
    }
    assert writes(sandbox) == 0
    shown = command("plan", sheet, "--rehearse", "--output", "table").out
    networks = shown.split("\nThreads\n")[1]
    assert f"{local:%a} {long['publication_date']} (Europe/Berlin)  row" in networks
    assert "fails: The text is too long for Threads" in " ".join(networks.split())


def test_without_the_package_it_says_what_to_install(
    sheet: Path, command: Command, monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox
) -> None:
    monkeypatch.setitem(sys.modules, "social_publishing_sandbox", None)
    sent = len(sandbox.requests())
    ended = command("plan", sheet, "--rehearse")
    assert ended.status == 1 and "social-publishing-sandbox" in ended.err
    assert len(sandbox.requests()) == sent


@pytest.mark.parametrize(
    ("spoil", "is_left_out"),
    [
        (lambda post: post.update(yt_license=99), False),
        (lambda post: post.update(selected_media_ids=["12"]), False),
        (lambda post: post.update(details="?"), False),
        (lambda post: post.update(of_tomorrow={"a": [1]}), False),
        (lambda post: post.update(status="a word"), True),
    ],
)
def test_what_a_sandbox_cannot_hold_is_left_out_alone(
    sandbox: Sandbox,
    client: SocialPublishing,
    spoil: Callable[[dict[str, object]], object],
    is_left_out: bool,
) -> None:
    month = rehearsing._Month(
        client,
        plan_of(sandbox.now),
        rehearsing.Scope((GROUP,), sandbox.now + timedelta(days=20), {}),
        sandbox.now.astimezone(UTC),
        lambda *how_far: None,
    )
    month.read()
    whole = month.rehearsed()
    post = next(post for post in month.posts.values() if post["status"] == 25)
    spoil(post)  # type: ignore[arg-type]
    spoilt = month.rehearsed()
    assert bool(spoilt.notes) == is_left_out
    assert (spoilt.planned < whole.planned) == is_left_out


def test_what_is_left_out_is_called_by_its_name_or_else_its_number() -> None:
    made = [{"id": "7", "name": "Mill"}, {"id": "8", "name": ""}, {"id": "9"}, {"id": "10"}]
    kinds = ("groups", "calendar_notes", "media")
    world = {**{kind: [*made] for kind in kinds}, "now": "?"}
    problems = [
        SimpleNamespace(path=path, reason="is odd")
        for path in (*((kind, at, "id") for kind in kinds for at in range(3)), ("now",))
    ]
    assert [*rehearsing._leave_out(world, problems)] == [
        f"left out of the rehearsal: {kind} {name!r}: is odd"
        for kind in ("group", "calendar note", "media")
        for name in ("Mill", "8", "9")
    ]
    assert world == {kind: made[3:] for kind in kinds}


@pytest.mark.parametrize("form", ["json", "table"])
def test_what_is_left_out_of_a_rehearsal_is_told(
    sheet: Path, command: Command, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    now, told = datetime.now(UTC), ("left out of the rehearsal: group 'Mill': is odd", "and one")
    found = rehearsing.Rehearsal(now, now, 2, 1, (), told)
    monkeypatch.setattr(rehearsing, "rehearse", lambda *_, **__: found)
    ended = command("plan", sheet, "--rehearse", "--output", form)
    assert ended.status == 0 and {*told} <= {*ended.err.splitlines()}


def test_groups_in_other_zones_rehearse_no_month_more(
    command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    """The last evening of a month in the west is the next month in the east."""
    groups = [str(each.id) for each in sandbox.find("groups")][:2]
    made: list[str] = []
    for group, zone, moment in (
        (groups[0], "America/Los_Angeles", "2027-01-01T02:00:00Z"),
        (groups[1], "Asia/Kolkata", "2027-01-25T02:00:00Z"),
    ):
        client.groups.update(group, timezone=zone)
        account = sandbox.find("social_accounts", group_id=group)[0].id
        post = sandbox.create_post(selected_account_ids=[account], publication_date=moment)
        made.append(post.id)
    for number, chosen in enumerate((groups, groups[::-1])):
        words = [word for group in chosen for word in ("--group", group)]
        sheet = f"{number}.csv"
        assert command("export", "posts", *words, "--month", "2026-12", "-o", sheet).status == 0
        ended = command("plan", sheet, "--rehearse", "--output", "jsonl")
        assert ended.status == 0, ended.err
        found = [json.loads(line) for line in ended.out.splitlines()]
        assert {each["when"][:7] for each in found} == {"2026-12"}
        assert [each in {one["id"] for one in found} for each in made] == [True, False]
