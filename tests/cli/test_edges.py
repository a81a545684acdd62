"""At a limit and on both sides of it: expiry, an hour apart, clocks that were set back."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
from bs4 import BeautifulSoup
from cli_support import GROUP, Command, noted, rows_of, write
from social_publishing import NotFoundError, SocialPublishing, models

from social_publishing_cli import plans
from social_publishing_cli.catalogues import catalogue
from social_publishing_cli.characters import cut
from social_publishing_cli.months.planned import others_of, page_of
from social_publishing_cli.names import Known, Names, UnknownNameError, listed
from social_publishing_cli.plans import applying, networks, rehearsing
from social_publishing_cli.plans.journal import IN_DOUBT
from social_publishing_cli.plans.making import Calendar
from social_publishing_cli.plans.reporting import dumped
from social_publishing_cli.progress import _left
from social_publishing_cli.session import Session
from social_publishing_cli.sheets.cells import as_text, moment
from social_publishing_cli.sheets.columns import TEXTUAL
from social_publishing_cli.summaries.summing import change as change_of
from social_publishing_sandbox import Sandbox

MADE = datetime(2026, 12, 1, 9, tzinfo=UTC)


def plan_of(
    *changes: plans.Change, made: datetime = MADE, life: timedelta = timedelta(days=1)
) -> plans.Plan:
    return plans.Plan(made, made + life, {"organization_id": "1"}, "sheet.csv", 1, changes)


@pytest.mark.parametrize("life", [timedelta(0), timedelta(hours=1)])
@pytest.mark.parametrize("late", [-1, 0, 1])
def test_a_plan_expires_at_its_moment(life: timedelta, late: int) -> None:
    plan, now = plan_of(life=life), MADE + life + timedelta(microseconds=late)
    if late < 0:
        plan.check(now, {})
        return
    with pytest.raises(plans.StalePlanError, match="expired"):
        plan.check(now, {})


@pytest.mark.parametrize("minutes", [0, 59, 60, 61])
def test_posts_within_an_hour_are_warned_of(minutes: int) -> None:
    calendar, later = Calendar(), MADE + timedelta(minutes=minutes)
    for row, at in ((2, MADE), (3, later)):
        values = {"selected_account_ids": ["1"], "content": f"text {row}"}
        calendar.add(row, {"publication_date": at.isoformat(), **values}, changed=row == 3)
    step = plans.Step("before", later.isoformat())
    moved = ("publication_date", "selected_account_ids", "publication_delay_between")
    for field, is_warned in (*((each, minutes < 60) for each in moved), ("content", False)):
        change = plans.Change(3, "7", "", "", 25, {field: step})
        assert bool([*calendar.warnings(change)]) is is_warned


def test_what_was_written_last_is_known_though_the_clock_went_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Clock(datetime):
        at = MADE

        @classmethod
        def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
            return cls.at

    monkeypatch.setattr("social_publishing_cli.plans.journal.datetime", Clock)
    for number, (before, after, hours) in enumerate((("a", "b", 0), ("b", "c", -1))):
        Clock.at = MADE + timedelta(hours=hours)
        change = plans.Change(2, "7", "", "UTC", 25, {"name": plans.Step(before, after)})
        plan = plan_of(change, made=MADE + timedelta(minutes=number))
        with plans.Journal(plans.journal_path(plan, tmp_path), plan) as journal:
            journal.sending("7", {"name": before})
            journal.note(journal.entries()[0], "done", wrote=True)
    assert plans.journal.written(["7"], tmp_path) == {("7", "name"): "c"}


def test_a_request_of_a_clock_that_was_ahead_is_settled(
    sheet: Path, command: Command, sandbox: Sandbox, client: SocialPublishing, tmp_path: Path
) -> None:
    """It is taken to leave now, and waited for once; not until the clock is as far again."""
    first, *others = rows_of(sheet)
    write(sheet, [first | {"name": "mine"}, *others])
    assert command("plan", sheet, "-o", "a.plan").status == 0
    with sandbox.fault("drop-after", operations="updatePost"):
        command("apply", "a.plan", "--settle-after", "0.1")
    journal = next((tmp_path / "journals").glob("*.account"))
    ahead = (datetime.now(UTC) + timedelta(hours=2)).isoformat()
    noted(journal, "UPDATE entry SET state='unknown', wrote=0, at=?", ahead)
    ended = command("undo", "--yes", "--settle-after", "0.3")
    assert ended.status == 0, ended.err
    assert (client.posts.get(first["id"]).name or "") == first["name"]


def test_a_change_that_does_not_fit_its_plan_is_damage(
    sheet: Path, command: Command, tmp_path: Path
) -> None:
    first, *others = rows_of(sheet)
    write(sheet, [first | {"name": "mine"}, *others])
    assert command("apply", sheet, "--yes").status == 0
    journal = next((tmp_path / "journals").glob("*.account"))
    noted(journal, "UPDATE entry SET replaced=replace(replaced, 'name', 'naoe')")
    for words in (["undo", "--yes"], ["resume"], ["status"]):
        ended = command(*words)
        assert "damaged" in ended.err and "bug" not in ended.err, ended.err


def test_what_an_undo_took_back_and_another_brought_again_counts_as_there(
    sheet: Path, command: Command
) -> None:
    first, *others = rows_of(sheet)
    write(sheet, [first | {"name": "mine"}, *others])
    assert command("apply", sheet, "--yes").status == 0

    def undone() -> list[str]:
        return command("status", "--jq", ".undone").out.split()

    for expected in (["0", "1"], ["0", "1", "0"]):
        newest = command("status", "--jq", ".plan").out.split()[0]
        assert command("undo", newest, "--yes").status == 0
        assert undone() == expected


def test_a_flag_that_is_left_out_reads_as_no(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    rows = [{"id": row["id"], "should_skip": "no"} for row in rows_of(sheet)]
    write(sheet, rows)
    assert command("plan", sheet, "--against-now", "--exit-code").status == 0


def test_an_account_has_the_name_that_people_gave_it() -> None:
    names = {"custom_name": "Ours", "name": "Theirs", "username": "theirs"}
    post = {"selectedAccountIds": ["1"], "content": "", "customized": {}}
    for left_out in range(len(names) + 1):
        known = dict([*names.items()][left_out:])
        account = {"1": {"id": "1", "socialNetwork": "threads", **known}}
        name = [*known.values(), "1"][0]
        [cut] = networks.cuts(post, account)
        [refusal] = networks.refusals(post, account, {})
        assert (cut.account, refusal.account) == (name, name)
        assert networks.account_name({"custom_name": "", "name": None, **account["1"]}) == name


def test_a_text_that_a_network_has_empty_on_purpose_stays_empty() -> None:
    account = {"id": "1", "socialNetwork": "threads"}
    for own, text in (({"content": ""}, ""), ({"content": "own"}, "own"), ({}, "all")):
        post = {"selectedAccountIds": ["1"], "content": "all", "customized": {"threads": own}}
        [cut] = networks.cuts(post, {"1": account})
        assert cut.text == text
        refused = [each.field for each in networks.refusals(post, {"1": account}, {})]
        assert refused == ["content[threads]"] * (not text)  # there is nothing to publish


def _files(kind: int, count: int = 1, **facts: float) -> list[dict[str, Any]]:
    return [{"type": kind, **facts}] * count


_LIMITS: dict[str, tuple[str, str, bool, Callable[[int], list[dict[str, Any]]]]] = {
    "media missing": ("needs", "", True, lambda n: [*_files(1, n - 1), *_files(2, n > 0)]),
    "video missing": ("needs", "", True, lambda n: [*_files(1, 3), *_files(2, n)]),
    "board missing": ("needs", "selected_account_ids", True, lambda n: _files(1)),
    "text too long": ("text", "content", False, lambda n: _files(1)),
    "too many files": ("pictures", "", False, lambda n: [*_files(1, n - 1), *_files(2, n > 0)]),
    "picture too large": (
        "pictures",
        "",
        False,
        lambda n: [*_files(2, size=99), *_files(1, size=0), *_files(1, size=n)],
    ),
    "picture too wide": ("pictures", "", False, lambda n: _files(1, width=n, height=1)),
    "picture too tall": ("pictures", "", True, lambda n: _files(1, width=n, height=1)),
    "too many videos": ("videos", "", False, lambda n: [*_files(1, 3), *_files(2, n)]),
    "video too short": ("videos", "", True, lambda n: [*_files(2), *_files(2, duration=n)]),
    "video too long": ("videos", "", False, lambda n: [*_files(2), *_files(2, duration=n)]),
    "video too large": ("videos", "", False, lambda n: [*_files(1, size=99), *_files(2, size=n)]),
}
"""Of each limit: its gap, the column to edit, whether it is the least, and files for a number."""


@pytest.mark.parametrize("reason", _LIMITS)
def test_a_network_refuses_what_is_beyond_its_limit_and_says_where_to_edit(reason: str) -> None:
    gap, field, is_least, files = _LIMITS[reason]
    limit = 1 if reason == "board missing" else 2
    assumed = {
        "x-assume": {
            "publishing": {"failures": [reason], "reasons": {reason: "{value} of {limit}"}},
            "networks": {"threads": {"limits": {reason: limit}}},
        },
        "x-assumed": [f"networks.{gap}"],
    }
    account = {"1": {"id": "1", "name": "Rye", "socialNetwork": "threads"}}
    for number in (limit - 1, limit, limit + 1):
        known = {str(at): each for at, each in enumerate(files(number))}
        post = {"content": "x" * number, "pi_boards": ["b"] * number, "selectedAccountIds": ["1"]}
        post |= {"selected_media_ids": [*known]}
        found = [*networks.refusals(post, account, known, assumed)]
        is_refused = number < limit if is_least else number > limit
        told = f"Rye: {number} of {limit} (assumed: networks.{gap})"
        assert [(str(each).replace(".0 ", " "), each.field) for each in found] == [
            (told, field or "selected_media_ids")
        ] * is_refused
        for kind in ("ig_post_type", "fb_post_type"):  # a story has a form of its own
            assert [*networks.refusals(post | {kind: 3}, account, known, assumed)] == (
                [] if reason in ("picture too wide", "picture too tall") else found
            )
        assert not [*networks.refusals(post | {"should_skip": True}, account, known, assumed)]
        for own in ([], [*known][:1], ["unknown"]):  # of which nothing is known
            here = post | {"customized": {"threads": {"media_ids": own}}}
            alone = post | {"selected_media_ids": own}
            told_of = [
                [*networks.refusals(each, account, known, assumed)] for each in (here, alone)
            ]
            assert told_of[0] == told_of[1]
            assert own != ["unknown"] or field or not told_of[0]


@pytest.mark.parametrize(
    ("needed", "read", "found"),
    [
        (["a0", "gone", "b0"], "a:0 a:1 a:2 a:3 a:4 b:0 b:1 b:2 b:3 b:4 gone", ["a0", "b0"]),
        (["a1", "b0", "b1"], "a:0 a:1 a:2 a:3 a:4 b:0 b:1", ["a1", "b0", "b1"]),
        (["gone", "a0"], "gone a0", ["a0"]),
        (
            ["gone", *(f"x{at}" for at in range(20))],
            "a:0 a:1 a:2 a:3 a:4 b:0 b:1 b:2 b:3 b:4 gone "
            + " ".join(f"x{at}" for at in range(19)),
            [f"x{at}" for at in range(19)],
        ),
    ],
)
def test_few_files_are_read_alone_and_many_with_some_pages_of_posts(
    needed: list[str], read: str, found: list[str]
) -> None:
    sent: list[str] = []

    def wire(data: Any) -> Any:
        return SimpleNamespace(to_dict=lambda wire: data)

    def pages(group: str) -> Iterator[Any]:
        for page in range(9):
            sent.append(f"{group}:{page}")
            media = [{"id": f"{group}{page}", "type": 1}, {"id": "bare"}, None]
            yield SimpleNamespace(data=[wire({"media": media}), wire({"media": None})])

    def status(id: str) -> Any:
        sent.append(id)
        if id == "gone":
            raise NotFoundError.__new__(NotFoundError)
        return SimpleNamespace(data=wire({"id": id, "type": 2}))

    posts = SimpleNamespace(
        list=lambda group_id, include: SimpleNamespace(pages=partial(pages, group_id))
    )
    client: Any = SimpleNamespace(posts=posts, media=SimpleNamespace(status=status))
    assert [*networks.files_of(client, needed, ["a", "b"])] == found
    assert sent == read.split()


def test_files_are_needed_where_a_network_that_gets_them_has_limits_for_them() -> None:
    accounts = {"1": {"socialNetwork": "threads"}, "2": {"socialNetwork": "facebook"}}
    for own, needed in ((None, ["7"]), ([], []), (["8", "9"], ["8", "9"])):
        post = {"selectedAccountIds": ["1", "gone"], "selected_media_ids": ["7"]}
        post["customized"] = {"threads": {"media_ids": own}, "facebook": {"media_ids": ["6"]}}
        assert networks.needs_files(post, accounts) == {*needed}


def test_what_expires_is_refused_where_that_fails_and_a_letter_counts_once() -> None:
    late = {"1": {"id": "1", "socialNetwork": "threads", "connection_expired_at": "2000-01-01"}}
    post = {"content": "x", "selectedAccountIds": ["1"]}
    assumed = catalogue("assumed")["main"]
    for rule, count in (("fails", 1), ("goes out", 0)):
        rules = {**assumed["x-assume"]["publishing"], "expiredConnection": rule}
        assume = {**assumed["x-assume"], "publishing": rules}
        assert len([*networks.refusals(post, late, {}, {**assumed, "x-assume": assume})]) == count
    bird = {"1": {"id": "1", "socialNetwork": "twitter"}}
    for letter in ("é", "e\u0301"):
        assert not [*networks.refusals(post | {"content": letter * 280}, bird, {})]
        assert [*networks.refusals(post | {"content": letter * 281}, bird, {})]


def test_advice_about_a_name_begins_with_the_accounts_of_the_group() -> None:
    names = Names()
    of = {"socialNetwork": "threads"}
    names.add([{"id": at, "name": f"N{at}", "group_id": g, **of} for at, g in ("17", "28", "37")])
    for group, first in (("7", "1"), ("8", "2"), (None, "1")):
        with pytest.raises(UnknownNameError) as caught:
            names.resolve("account", "Something else", group)
        found = re.findall(r"\((\d)\)", str(caught.value))
        assert found[0] == first and sorted(found) == ["1", "2", "3"]


@pytest.mark.parametrize("answers", [("y", " Y", "yes", "YES "), ("", "n", "no", "ye", "yet", "x")])
def test_only_a_yes_is_one(answers: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for answer in answers:
        monkeypatch.setattr("click.prompt", lambda *_, answer=answer, **__: answer)
        assert Session().confirmed("Delete it?") is ("y" in answers)


def test_what_is_too_much_to_show_is_cut_above_the_limit() -> None:
    for length in (119, 120, 121):
        text = "x" * length
        assert cut(text, 120) == (text if length <= 120 else "x" * 119 + "…")
    for count in (19, 20, 21, 22):
        told = listed([Known("group", str(at), f"G{at}") for at in range(count)])
        assert ("G19 (19)" in told, ", and " in told) == (count > 19, count > 20)
        assert {21: ", and 1 more (social-", 22: ", and 2 more (social-"}.get(count, "") in told
    left = {0: "1 s", 59: "59 s", 59.5: "60 s", 60: "1 min", 61: "2 min", 3540: "59 min"}
    left |= {3541: "1.0 h", 5400: "1.5 h"}
    assert {seconds: f"{words} left" for seconds, words in left.items()} == {
        seconds: _left(seconds) for seconds in left
    }


@pytest.mark.parametrize("number", [10**15, 9032915132417572000, 9.032915132417572e18])
def test_a_workbook_rounds_identifiers_as_a_csv_file_does(number: float) -> None:
    """So the column `exported` restores them; of a text, the digits are lost."""
    assert as_text(number, "") == f"{number:.5E}"
    for kind in TEXTUAL:
        with pytest.raises(ValueError, match="last digits are lost"):
            as_text(number, kind)
        assert as_text(10**15 - 1, kind) == as_text(10**15 - 1, "") == "999999999999999"


def test_rounded_identifiers_of_a_workbook_are_restored(
    command: Command, client: SocialPublishing, tmp_path: Path
) -> None:
    from openpyxl import load_workbook

    assert command("export", "posts", "--group", GROUP, "-o", "x.xlsx").status == 0
    book = load_workbook(tmp_path / "x.xlsx")
    sheet: Any = book.active
    heads = [cell.value for cell in sheet[1]]
    for row in sheet.iter_rows(min_row=2):
        for name in ("id", "group_id"):
            row[heads.index(name)].value = int(float(row[heads.index(name)].value))
    sheet.cell(2, heads.index("name") + 1).value = "renamed"
    book.save(tmp_path / "x.xlsx")
    ended = command("plan", "x.xlsx", "--output", "json")
    assert ended.status == 0, ended.err
    assert '"after": "renamed"' in ended.out


@pytest.fixture
def small() -> Any:
    with Sandbox("small", seed=7, clock="frozen", rate_limit=None, check=False) as sandbox:
        yield sandbox


def rehearsed(
    sandbox: Sandbox, client: SocialPublishing, account: str, *changes: plans.Change
) -> Any:
    now = sandbox.now
    group = client.social_accounts.get(account).group_id
    scope = rehearsing.Scope((str(group),), now + timedelta(days=20), {})
    plan = plans.Plan(now, now + timedelta(days=1), {}, "plan", len(changes), changes)
    return rehearsing.rehearse(client, plan, scope, service_time=now)


def test_each_finding_has_the_time_of_its_account(small: Sandbox) -> None:
    with small.client(pacing="off") as client:
        post = next(
            post
            for group in small.find("groups")
            for post in client.posts.list(group_id=group.id)
            if post.status == 25 and len(post.selected_account_ids or ()) > 1
            and post.publication_date and post.publication_date > small.now
        )  # fmt: skip
        client.posts.update(post.id, publication_delay_between=90)
        change = plans.Change(
            2, post.id, "", "", 25, {"content": plans.Step(post.content, "r" * 400_000)}
        )
        accounts = post.selected_account_ids or []
        found = rehearsed(small, client, accounts[0], change)
        when = sorted(each.when for each in found.findings if each.id == post.id)
        step = timedelta(minutes=90)
        assert len(when) > 1 and post.publication_date
        assert {(each - post.publication_date) % step for each in when} == {timedelta(0)}
        assert len({*when}) == len(when)


def test_a_rehearsal_ends_with_the_month_of_the_last_group() -> None:
    scope = rehearsing.Scope((), None, {})
    month = rehearsing._Month(None, plan_of(), scope, MADE, print)  # type: ignore[arg-type]
    month.groups = {each: {"timezone": each} for each in ("Asia/Tokyo", "America/Denver")}
    assert month._end({}) == datetime(2027, 1, 1, 7, tzinfo=UTC)


def test_what_went_out_before_a_rehearsal_collides_with_nothing(small: Sandbox) -> None:
    account = next(
        each for each in small.find("social_accounts") if each.social_network == "facebook"
    )
    now, media = small.now, small.find("media", type=1)[0]
    for minutes in (0, 10):
        date = now + timedelta(hours=1, minutes=minutes)
        small.create_post(
            selected_account_ids=[account.id],
            publication_date=date,
            content=f"text {minutes}",
            status=25,
        )
    with small.client(pacing="off") as client:
        ahead = rehearsed(small, client, account.id)
        assert any(each.kind == "collides" for each in ahead.findings)
        small.set_clock(now + timedelta(hours=5))
        file = {"selected_account_ids": [account.id], "selected_media_ids": [media.id]}
        dates = [now + timedelta(hours=hours) for hours in (24, 48, 60, 65)]
        for date, text in zip(dates, ("text 0", "text 0", None, None), strict=True):
            small.create_post(**file, publication_date=date, content=text, status=25)
        found = rehearsed(small, client, account.id)
    assert not [each for each in found.findings if each.when and each.when < found.since]
    when = {each.when for each in found.findings}
    assert [date in when for date in dates] == [True, False, False, False]


@pytest.mark.parametrize(
    ("moment", "month"),
    [
        ("2026-11-30T22:59:00Z", "2026-11"),
        ("2026-11-30T23:00:00Z", "2026-12"),
        ("2026-12-31T22:59:00Z", "2026-12"),
        ("2026-12-31T23:30:00Z", "2027-01"),
    ],
)
def test_a_calendar_shows_the_month_that_it_is_for_the_group(moment: str, month: str) -> None:
    from social_publishing_cli.months.reading import read_month
    from social_publishing_cli.names import Names

    with (
        Sandbox(now=moment, clock="frozen", rate_limit=None) as sandbox,
        sandbox.client() as client,
    ):
        found = read_month(client, GROUP, sandbox.now, Names())
    assert f"{found.first:%Y-%m}" == month


@pytest.mark.parametrize("date", ["2126-12-01 09:00", "9998-12-31 23:59", "9999-12-31 22:59"])
def test_a_date_far_off_is_told_and_no_bug(
    sheet: Path, command: Command, date: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(catalogue("assumed")["main"]["x-assume"]["limits"], "years")
    row = next(row for row in rows_of(sheet) if row["status"] == "scheduled")
    write(sheet, [row | {"publication_date": date, "weekday": row["weekday"]}])
    assert command("plan", sheet).status == 0
    ended = command("plan", sheet, "--rehearse")
    assert (ended.status, date[:8] in ended.err) == (1, True), ended.err
    assert "a rehearsal cannot last until" in ended.err and "bug" not in ended.err
    ended = command("plan", sheet, "--page", "far.html")
    assert ended.status == (1 if date.startswith("9999") else 0), ended.err
    assert "bug" not in ended.err and ("--page: '9999-12' is too late" in ended.err) is bool(
        ended.status
    )


@pytest.mark.parametrize(
    ("hours", "status"), [(0, 2), (1, 0), (87_600, 0), (87_601, 2), (10**8, 2)]
)
def test_a_plan_expires_within_ten_years(
    sheet: Path, command: Command, hours: int, status: int
) -> None:
    ended = command("plan", sheet, "--expires", str(hours), "-o", "x.plan")
    assert ended.status == status and "bug" not in ended.err, ended.err


@pytest.mark.parametrize(
    ("month", "reason"),
    [
        ("0001-01", "is too early: no day comes before it"),
        ("9999-12", "is too late: no day comes after it"),
        ("10000-01", "is not a month: write it as 2026-12"),
        ("2026-13", "is not a month: there is no month 13"),
        ("2026-00", "is not a month: there is no month 0"),
        ("December", "is not a month: write it as 2026-12"),
    ],
)
@pytest.mark.parametrize("words", ["export posts", "metrics", "calendar"])
def test_a_month_that_no_calendar_has_is_wrong_usage(
    words: str, month: str, reason: str, command: Command
) -> None:
    ended = command(*words.split(), "--group", GROUP, "--month", month)
    assert ended.status == 2 and "--month" in ended.err, ended.err
    assert f"{month!r} {reason}" in ended.err


@pytest.mark.parametrize("month", ["0001-02", "9999-11"])
@pytest.mark.parametrize("words", ["export posts", "metrics --chart", "calendar"])
def test_the_first_and_the_last_month_that_can_be_read_are_read(
    words: str, month: str, command: Command
) -> None:
    ended = command(*words.split(), "--group", GROUP, "--month", month)
    assert ended.status == 0 and "bug" not in ended.err, ended.err


def test_posts_without_a_text_are_not_alike() -> None:
    for text, is_alike in ((None, False), ("", False), ("same", True)):
        calendar = Calendar()
        for row, hours in ((2, 0), (3, 5)):
            date = (MADE + timedelta(hours=hours)).isoformat()
            values = {"publication_date": date, "selected_account_ids": ["1"], "content": text}
            calendar.add(row, values, changed=row == 3)
        step = plans.Step("before", (MADE + timedelta(hours=5)).isoformat())
        change = plans.Change(3, "7", "", "", 25, {"publication_date": step})
        assert bool([*calendar.warnings(change)]) is is_alike


def test_an_undo_says_which_status_it_did_not_bring_back() -> None:
    was, now = models.PostStatus.REVIEW_REJECTED, models.PostStatus.SCHEDULED
    change = plans.Change(2, "7", "", "", int(was), {"should_skip": plans.Step(True, False)})
    told = []
    for undoes, status in (("x", now), ("x", was), ("", now), ("", was)):
        run: Any = SimpleNamespace(plan=SimpleNamespace(undoes=undoes))
        post = models.Post(id="7", status=status)
        told.append(applying._Run._other_status(run, change, post))
    assert told == ["its status was Review rejected and is Scheduled", "", "", ""]


@pytest.mark.parametrize(("state", "wrote"), [("done", False), ("failed", True), ("done", True)])
def test_a_plan_was_taken_back_where_its_undo_wrote(
    tmp_path: Path, state: str, wrote: bool
) -> None:
    def stepped(before: str, after: str) -> plans.Change:
        return plans.Change(2, "7", "n", "UTC", 25, {"name": plans.Step(before, after)})

    first = plan_of(stepped("a", "b"))
    back = msgspec.structs.replace(plan_of(stepped("b", "a")), undoes=first.id)
    for plan, of, it in ((first, "done", True), (back, state, wrote)):
        with plans.Journal(plans.journal_path(plan, tmp_path), plan) as journal:
            journal.sending("7", {"name": "x"})
            journal.note(journal.entries()[0], of, wrote=it)
    if not wrote:
        plans.journal.check_not_taken_back(first, tmp_path)
        return
    with pytest.raises(plans.StalePlanError, match="applied and then undone"):
        plans.journal.check_not_taken_back(first, tmp_path)


def test_a_plan_that_is_half_sent_is_kept_when_the_rest_is_refused(
    sandbox: Sandbox, client: SocialPublishing, tmp_path: Path
) -> None:
    found = [each for each in client.posts.list(group_id=GROUP) if each.status == 25][:2]
    changes = (
        plans.Change(row, post.id, "", "UTC", 25, {"name": plans.Step(post.name, "mine")})
        for row, post in enumerate(found, 2)
    )
    account = {"organization_id": str(found[0].organization_id)}
    now = datetime.now(UTC)
    plan = plans.Plan(now, now + timedelta(days=1), account, "s.csv", 2, tuple(changes))

    def get_many(ids: list[str]) -> list[Any]:
        read = [*client.posts.get_many(ids=ids)]
        next(each for each in read if each.id == found[1].id).organization_id = "2"
        return read

    odd: Any = SimpleNamespace(posts=SimpleNamespace(get_many=get_many, update=client.posts.update))
    with plans.Journal(plans.journal_path(plan, tmp_path), plan) as journal:
        with pytest.raises(plans.StalePlanError, match="another organization"):
            plans.apply(odd, plan, journal)
        assert [each.wrote for each in journal.entries()] == [True, False]


def test_what_somebody_gave_back_by_hand_is_not_said_to_stay(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    first, second, *others = rows_of(sheet)
    write(sheet, [first | {"name": "mine"}, second | {"name": "mine"}, *others])
    assert command("apply", sheet, "--yes").status == 0
    client.posts.update(first["id"], name=first["name"])
    client.posts.update(second["id"], name="theirs")
    ended = command("undo", "--yes")
    assert ended.err.count("stays as it is") == 1 and "theirs" in ended.err


def test_a_rehearsal_lasts_until_the_month_is_over_everywhere(small: Sandbox) -> None:
    groups = [
        small.create_group(name=zone, timezone=zone)
        for zone in ("Pacific/Auckland", "Pacific/Honolulu")
    ]
    with small.client(pacing="off") as client:
        for several in (groups, groups[::-1]):
            scope = rehearsing.Scope(
                tuple(each.id for each in several), MADE + timedelta(days=4), {}
            )
            plan = plans.Plan(MADE, MADE + timedelta(days=1), {}, "plan", 0, ())
            found = rehearsing.rehearse(client, plan, scope, service_time=small.now)
            assert found.until == datetime(2027, 1, 1, 10, tzinfo=UTC)


def test_a_post_of_a_conflict_leaves_the_day_on_which_it_stands() -> None:
    at_export, wanted, now = (f"2026-12-{day}T09:00:00+00:00" for day in (10, 12, 20))
    step = plans.Step(at_export, wanted, now)
    plan = plan_of(plans.Change(2, "7", "moved", "UTC", 25, {"publication_date": step}))
    page = BeautifulSoup(page_of(plan, []), "html.parser")
    marked = {
        day.find(class_="day").get_text().split()[-1]: day.get_text()
        for day in page.find_all("td")
        if day.find(class_="day") and "moved" in day.get_text()
    }
    assert sorted(marked) == ["12", "20"] and "−" in marked["20"] and "+" in marked["12"]


@pytest.mark.parametrize("minutes", [29, 30, 90, 149, 150])
def test_the_delay_between_accounts_counts_in_minutes(minutes: int) -> None:
    """The second account of a post goes out 90 minutes after the first."""
    calendar, moment = Calendar(), (MADE + timedelta(minutes=minutes)).isoformat()
    both = {"selected_account_ids": ["1", "2"], "publication_delay_between": 90}
    calendar.add(2, {"publication_date": MADE.isoformat(), "content": "a", **both})
    other = {"publication_date": moment, "content": "b", "selected_account_ids": ["2"]}
    calendar.add(3, other, changed=True)
    step = plans.Step("before", moment)
    change = plans.Change(3, "7", "", "", 25, {"publication_date": step})
    assert bool([*calendar.warnings(change)]) is (30 < minutes < 150)


@pytest.mark.parametrize("first", [0, 1])
def test_no_lost_request_is_sent_again_before_the_last_one_has_arrived(
    sheet: Path, command: Command, client: SocialPublishing, sandbox: Sandbox, first: int
) -> None:
    """Of two, one has been under way for long enough, and the other has not."""
    rows = [row | {"name": "other"} for row in rows_of(sheet)[:2]]
    write(sheet, rows)
    assert command("plan", sheet, "-o", "two.plan").status == 0
    plan, waits = plans.Plan.load(sheet.with_name("two.plan")), []
    with plans.Journal(plans.journal_path(plan, sheet.parent / "journals"), plan) as journal:
        for change in plan.changes:
            journal.sending(change.id, {"name": change.fields["name"].before})
            [entry] = [each for each in journal.entries() if each.change == change]
            journal.note(entry, "unknown")
        path = plans.journal_path(plan, sheet.parent / "journals")
        long_ago = (datetime.now(UTC) - timedelta(seconds=3)).isoformat()
        noted(path, "UPDATE entry SET at=? WHERE post=?", long_ago, rows[first]["id"])
        report = plans.apply(client, plan, journal, quiet=3, on_wait=waits.append)
    assert report.complete and len(waits) == 1 and 2 < waits[0] <= 3


def test_every_damaged_journal_is_kept(tmp_path: Path) -> None:
    plan = plan_of(plans.Change(2, "7", "", "UTC", 25, {"name": plans.Step("a", "b")}))
    path = plans.journal_path(plan, tmp_path)
    contents = [b"damaged %d" % number for number in range(4)]
    for days, content in enumerate(contents):
        path.write_bytes(content)
        at = time.time() - 86_400 * (3 - days) % (3 * 86_400)  # the last one is not the youngest
        os.utime(path, (at, at))
        with plans.Journal(path, plan) as journal:
            assert journal.lost
    assert (datetime.now(UTC) - journal.lost).days == 0
    kept = sorted(each.read_bytes() for each in tmp_path.glob("*.damaged-*"))
    assert kept == contents


@pytest.mark.parametrize(
    ("now", "before", "shown"), [(0, 10, "-100 %"), (5, 10, "-50 %"), (10, 10, "0 %"), (3, 0, "")]
)
def test_a_change_is_told_in_percent_down_to_nothing(now: int, before: int, shown: str) -> None:
    assert change_of(now, before) == shown


def test_a_post_that_a_plan_leaves_alone_stands_on_the_day_of_its_clocks(
    command: Command, client: SocialPublishing, tmp_path: Path
) -> None:
    posts = [each.id for each in client.posts.list(group_id=GROUP) if each.status == 25][:2]
    client.posts.update(posts[0], publication_date=datetime(2027, 1, 31, 23, 30, tzinfo=UTC))
    assert command("export", "posts", "--group", GROUP, "-o", "all.csv").status == 0
    rows = [row for row in rows_of(tmp_path / "all.csv") if row["id"] in posts]
    write(tmp_path / "all.csv", rows)
    sheet = plans.read_sheet(tmp_path / "all.csv")
    [place] = [each for each in others_of(sheet, plan_of()) if each.id == posts[0]]
    assert f"{place.moment:%Y-%m-%d %H:%M}" == "2027-02-01 00:30"


@pytest.mark.parametrize("seconds", ["", ":00", ":30"])
def test_a_given_form_of_times_takes_the_seconds_that_programs_add(seconds: str) -> None:
    read = moment(f"24.12.2026 09:00{seconds}", ZoneInfo("Europe/Berlin"), ("%d.%m.%Y %H:%M",))
    assert read == f"2026-12-24T08:00{seconds or ':00'}Z"


@pytest.mark.parametrize(
    ("state", "reason", "wrote", "told"),
    [
        *((state, "", True, True) for state in ("done", "waiting", "failed", "unknown")),
        *((state, "", False, False) for state in ("done", "waiting", "failed", "conflict")),
        *((state, "", False, None) for state in ("sending", "unknown")),
        *((state, IN_DOUBT, False, None) for state in ("failed", "conflict")),
    ],
)
def test_what_nobody_can_know_is_neither_written_nor_not(
    state: str, reason: str, wrote: bool, told: bool | None
) -> None:
    change = plans.Change(2, "7", "", "", 25, {"name": plans.Step("a", "b")})
    assert dumped(plans.Entry("", change, state, reason, wrote, 1, None))["wrote"] is told
