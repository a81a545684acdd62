"""What published posts did: added up, drawn in a terminal, on a page and in a workbook."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from bs4 import BeautifulSoup
from cli_support import GROUP, Command
from hypothesis import example, given
from hypothesis import strategies as st
from openpyxl import load_workbook
from rich.cells import cell_len
from social_publishing import SocialPublishing

from social_publishing_cli.metrics import COUNTS
from social_publishing_cli.sheets.exporting import Month
from social_publishing_cli.summaries.page import page_of
from social_publishing_cli.summaries.summing import (
    DIMENSIONS,
    MEASURES,
    Part,
    Summary,
    change,
    figures,
    number,
    record,
    so_far,
    sums,
)
from social_publishing_sandbox import Sandbox

ODD = "<script>alert(1)</script>\x1b[2J\u202e & \"'"
LAYALI = "10001223059047972873"
MONTH = ("metrics", "--group", GROUP, "--month", "2026-11")

NAMES = {"1": "A", "2": "A", "3": ODD}  # of accounts
_number = st.none() | st.integers(0, 10**7)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "network": st.sampled_from(["facebook", "threads", "unknown"]),
            "account": st.sampled_from([*NAMES]),
            "weekday": st.sampled_from(["Mon", "Sun"]),
            "published": st.sampled_from(["2026-11-01 00:05", "2026-11-30 23:55"]),
            "timezone": st.just("Europe/Berlin"),
            "post": st.sampled_from(["1", "2"]),
            "name": st.just(ODD),
            "score": st.none() | st.integers(0, 10),
            **dict.fromkeys(COUNTS, _number),
        }
    ).map(lambda row: {**row, "account_name": NAMES[row["account"]]}),
    max_size=9,
)


def summary(rows: list[dict[str, Any]], before: list[dict[str, Any]]) -> Summary:
    return Summary(ODD, "November 2026", rows, "October 2026", before, "engagements", "")


@given(ROWS, ROWS, st.sampled_from(MEASURES))
def test_parts_add_up_to_the_whole(
    rows: list[dict[str, Any]], before: list[dict[str, Any]], measure: str
) -> None:
    """Of every dimension; nothing is counted for what is not known."""
    made = summary(rows, before)._replace(measure=measure)
    for name in DIMENSIONS:
        parts = made.parts(name)
        assert sum(part.now.publications for part in parts) == len(rows)
        assert sum(part.before.publications for part in parts if part.before) == len(before)
        for count in COUNTS:
            known = [row[count] for row in rows if row[count] is not None]
            found = [p.now.counts[count] for p in parts if p.now.counts[count] is not None]
            assert (sum(found), bool(found)) == (sum(known), bool(known))
            assert sums(rows).counts[count] == (sum(known) if known else None)
    scores = [row["score"] for row in rows if row["score"] is not None]
    assert made.total.now.counts["score"] == (sum(scores) / len(scores) if scores else None)
    best, worst = made.best, made.worst
    by = made.ranked_by
    assert not {id(row) for row in best} & {id(row) for row in worst}
    assert len(best) + len(worst) == min(10, sum(row[by] is not None for row in rows))
    if worst:
        assert min(row[by] for row in best) >= max(row[by] for row in worst)
        assert best[0][by] == max(row[by] for row in rows if row[by] is not None)
        assert worst[0][by] == min(row[by] for row in rows if row[by] is not None)


@given(st.permutations(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]), st.integers(0, 7))
def test_days_and_hours_stand_in_order_and_others_most_first(week: list[str], known: int) -> None:
    rows = [
        {
            **dict.fromkeys((*COUNTS, "score", "name", "post", "timezone"), None),
            **{"weekday": day, "published": f"2026-11-0{number + 1} 1{9 - number}:00"},
            **{"network": f"n{number}", "account": str(number), "account_name": f"a{number}"},
            "engagements": 100 + number if number < known else None,
        }
        for number, day in enumerate(week)
    ]
    made = {name: [part.title for part in summary(rows, []).parts(name)] for name in DIMENSIONS}
    assert made["weekday"] == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    assert made["hour"] == [f"{hour}:00" for hour in range(13, 20)]
    most_first = [*reversed(range(known)), *range(known, 7)]
    assert made["network"] == [f"n{number}" for number in most_first]
    assert made["account"] == [f"a{number}" for number in most_first]


@given(ROWS, ROWS)
def test_accounts_of_one_name_are_told_apart(
    rows: list[dict[str, Any]], before: list[dict[str, Any]]
) -> None:
    parts = summary(rows, before).parts("account")
    assert {part.key for part in parts} == {row["account"] for row in (*rows, *before)}
    assert len({part.title for part in parts}) == len(parts)
    for part in parts:
        own = [row for row in rows if row["account"] == part.key]
        assert part.now == sums(own) and part.title.startswith(NAMES[part.key])
        found = record("account", part)
        assert (found["account"], found["account_name"]) == (part.key, part.title)


@given(ROWS, ROWS)
def test_foreign_text_is_text_on_a_page(
    rows: list[dict[str, Any]], before: list[dict[str, Any]]
) -> None:
    """And each bar is as long as its number."""
    made = summary(rows, before)
    page = BeautifulSoup(page_of(made), "html.parser")
    assert not page.find_all(["script", "img", "link", "iframe"]) and ODD in page.h1.get_text()
    for name in made.charted:
        heading = next(each for each in page.find_all("h2") if made.heading(name) == each.string)
        figure = heading.find_next("figure")
        shown = [
            value
            for bar in made.bars(name)
            for value in (bar.now, bar.before)[: 1 + (bar.before is not None)]
        ]
        bars = figure.find(class_="bars").find_all("rect")
        widths = [float(bar["width"].removesuffix("%")) for bar in bars]
        most = max(filter(None, shown), default=1)
        assert widths == [round(100 * (value or 0) / most, 1) for value in shown]
        head, *cells = (
            [cell.get_text() for cell in row.find_all(["th", "td"])]
            for row in heading.find_next("table").find_all("tr")
        )
        is_mean = name in ("weekday", "hour")
        of = "mean " * is_mean
        assert head[1:3] == ["publications", f"{of}engagements"] and f"{of}views" in head
        assert cells == [
            [part.title, str(part.now.publications), number(now), number(earlier)]
            + [number(part.now.of(each, is_mean)) for each in ("views", "score")]
            for part, now, earlier in made.bars(name)
        ]
        labels = [cell["data-label"] for cell in heading.find_next("table").find_all("td")]
        assert labels == head[1:] * len(cells)


def read(command: Command, *words: str) -> list[dict[str, Any]]:
    ended = command(*words, "--output", "jsonl")
    assert ended.status == 0, ended.err
    return [json.loads(line) for line in ended.out.splitlines()]


def test_sums_leave_out_what_nobody_says_and_means_count_who_does() -> None:
    def row(post: str, account: str, **known: Any) -> dict[str, Any]:
        of = {"network": "threads", "account": account, "account_name": f"A{account}"}
        when = {"weekday": "Tue", "published": "2026-12-01 09:00", "name": post, "post": post}
        zone = {"timezone": "Europe/Berlin" if post == "1" else "Asia/Tokyo"}
        return {**of, **when, **zone, **dict.fromkeys(MEASURES), **known}

    rows = [
        row("1", "7", views=2, engagements=0, score=2),
        row("1", "8", views=None, engagements=3, score=5),
        row("2", "", views=6, score=5, engagements=1),
    ]
    known = sums(rows)
    assert known.publications == 3
    assert {n: each for n, each in known.counts.items() if each is not None} == {
        "views": 8,
        "engagements": 4,
        "score": 4,
    }
    assert (known.of("views", True), known.of("engagements", True)) == (4, 4 / 3)
    assert (known.of("score", False), known.of("likes", True)) == (4, None)
    before = sums([row("1", "7", likes=3, views=8)])
    told = figures(Part("all", "all", known, before))
    assert told == [
        *(("publications", 3, 1), ("views", 8, 8), ("engagements", 4, None)),
        *(("likes", None, 3), ("score", 4, None)),
    ]
    assert figures(Part("all", "all", known, None))[1:] == [
        *(("views", 8, None), ("engagements", 4, None), ("score", 4, None)),
    ]
    one = summary(rows, [])
    assert [each.key for each in one.parts("account")] == ["8", "7"]  # "" is not known
    assert one.charted == [*DIMENSIONS]
    assert "account" not in summary(rows[:1], []).charted
    assert one.notes == [
        "2 published posts, 3 publications: one for each account of a post. Times in "
        "Europe/Berlin, Asia/Tokyo."
    ]


@given(now=st.integers(-999, 10**5), before=st.integers(-999, 10**5))
def test_a_change_has_the_sign_of_the_difference(now: int, before: int) -> None:
    percent = 100 * (now - before) / abs(before or 1)
    told = f"{round(percent):+,} %" if round(percent) else "0 %"
    assert (change(now, before), change(None, before)) == (told * (before != 0), "")


def test_at_most_five_are_the_best_and_as_many_others_the_worst() -> None:
    for count in range(14):
        rows = [{"post": at, "score": None, "engagements": at} for at in range(count)]
        told = summary(rows, [])
        shown = [[row["post"] for row in each] for each in (told.best, told.worst)]
        best, worst = min(5, (count + 1) // 2), min(5, count // 2)
        assert shown == [[*range(count - 1, count - 1 - best, -1)], [*range(worst)]]


def test_a_month_is_over_where_it_is_over_everywhere() -> None:
    zones = ("Asia/Tokyo", "America/Denver")
    for now, state in (
        ("2026-11-30T14:59", "has not begun"),
        ("2026-11-30T15:00", "is not over"),  # in Tokyo it has begun
        ("2027-01-01T06:59", "is not over"),  # in Denver it is the old year
        ("2027-01-01T07:00", ""),
    ):
        told = so_far(Month("2026-12"), datetime.fromisoformat(f"{now}Z"), zones)
        said = f"The month {state}: it is {now.replace('T', ' ')} UTC."
        assert told == (said if state else "")
    assert so_far(None, datetime.now(UTC), zones) == ""


def test_it_is_compared_with_the_month_before(command: Command, sandbox: Sandbox) -> None:
    now, before = (
        sum(row["engagements"] or 0 for row in read(command, *MONTH[:3], "--month", month))
        for month in ("2026-11", "2026-10")
    )
    assert now != before and before
    ended = command(*MONTH, "--chart")
    assert ended.status == 0, ended.err
    assert f"engagements {now:,} {before:,} " in " ".join(ended.out.split())
    sent = len(sandbox.requests())
    assert command(*MONTH, "--chart", "--no-compare").status == 0
    alone = len(sandbox.requests()) - sent
    read(command, *MONTH)
    assert len(sandbox.requests()) - sent == 2 * alone


def test_a_month_that_is_not_over_is_called_so(command: Command) -> None:
    words = ("metrics", "--group", GROUP, "--month")
    assert "The month has not begun" in command(*words, "2999-12", "--chart").out
    assert "The month is not over" in command(*words, f"{datetime.now(UTC):%Y-%m}", "--chart").out
    assert "not over" not in command(*words, "2026-10", "--chart").out
    ended = command(*words, "0001-02", "--chart")
    assert ended.status == 0 and "No post was published" in ended.out


@pytest.mark.parametrize("name", ["all", *DIMENSIONS])
def test_sums_are_data_too(command: Command, name: str) -> None:
    rows, parts = read(command, *MONTH), read(command, *MONTH, "--by", name)
    assert rows and sum(part["publications"] for part in parts) == len(rows)
    assert len({part[name] for part in parts}) == len(parts)
    for count in ("views", "engagements"):
        total = sum(row[count] or 0 for row in rows)
        assert sum(part[count] or 0 for part in parts) == total


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_bars_fit_into_the_terminal(
    command: Command, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for measure in ("engagements", "score"):
        ended = command(*MONTH, "--chart", "--measure", measure)
        assert ended.status == 0, ended.err
        lines = ended.out.splitlines()
        assert max(cell_len(line) for line in lines) <= columns
        bars = [line for line in lines if "█" in line or "░" in line]
        assert len(bars) > 8 and max(line.count("█") for line in bars) > columns / 3


def test_what_contradicts_itself_is_one_sentence(command: Command) -> None:
    for words in (
        ["--by", "hour", "--chart"],
        ["--by", "hour", "-o", "m.html"],
        ["--chart", "--output", "json"],
        ["--chart", "--jq", "."],
    ):
        ended = command(*MONTH, *words)
        assert ended.status == 2 and "--by" in ended.err and len(ended.err.splitlines()) < 5


def test_a_post_is_of_the_month_on_the_clocks_of_its_group(
    command: Command, sandbox: Sandbox, client: SocialPublishing, tmp_path: Path
) -> None:
    zones = ("America/Los_Angeles", "Asia/Kolkata")
    groups = [group.id for group in sandbox.find("groups")][:2]
    moments = [datetime(2026, 10, 31, hour, 30, tzinfo=UTC) for hour in (6, 7, 18, 19)]
    moments += [each + timedelta(days=1) for each in moments]
    local: dict[str, str] = {}
    for group, zone in zip(groups, zones, strict=True):
        client.groups.update(group, timezone=zone)
        account = sandbox.find("social_accounts", group_id=group)[0].id
        for moment in moments:
            post = sandbox.create_post(
                selected_account_ids=[account], publication_date=moment, status="PUBLISHED"
            )
            local[post.id] = moment.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")
    words = [word for group in groups for word in ("--group", group)]
    for month in ("2026-10", "2026-11"):
        ended = command("metrics", *words, "--month", month, "--output", "json")
        expected = {post for post, at in local.items() if at.startswith(month)}
        assert expected == {*local} & {row["post"] for row in json.loads(ended.out)}
        book = tmp_path / f"{month}.xlsx"  # beside the month before
        assert command("metrics", *words, "--month", month, "-o", book).status == 0
        cells = {cell.value for row in load_workbook(book).worksheets[0].rows for cell in row}
        assert expected == {*local} & cells


@pytest.mark.parametrize("group", [GROUP, LAYALI])
@pytest.mark.parametrize("compared", [True, False])
def test_charts_of_a_workbook_are_printed_whole_and_say_which_bars_are_whose(
    command: Command, tmp_path: Path, group: str, compared: bool
) -> None:
    words = ("metrics", "--group", group, "--month", "2026-11", "-o", "m.xlsx")
    assert command(*words, *["--no-compare"] * (not compared)).status == 0
    sheet = load_workbook(tmp_path / "m.xlsx")["summary"]
    breaks = [each.id for each in sheet.row_breaks.brk]
    charts: list[Any] = sheet._charts  # type: ignore[attr-defined]
    assert len(charts) > 2 and breaks
    for chart in charts:
        top = chart.anchor._from.row + 1
        bottom = top + chart.anchor.ext.height / 12_700 / 15  # a row has 15 points
        assert not [each for each in breaks if top - 1 < each + 1 < bottom], (top, breaks)
        heading, *key = ["".join(run.t for run in line.r) for line in chart.title.tx.rich.p]
        assert heading == sheet.cell(top, 1).value
        assert key == ["■ November 2026   □ October 2026"] * compared
        assert chart.legend is None and len(chart.series) == 1 + compared
        assert chart.series[0].tx.strRef.f.endswith(f"!B{top + 1}")


def test_what_was_read_of_two_months_is_not_taken_for_one_of_them(
    command: Command, sandbox: Sandbox, tmp_path: Path
) -> None:
    october = ("metrics", "--group", GROUP, "--month", "2026-10", "--output", "json")
    whole = command(*october).out
    assert json.loads(whole)
    with sandbox.fault("status", status=403, operations="posts.metrics", after=1, times=1):
        assert command(*MONTH, "-o", tmp_path / "both.xlsx").status
    again = command(*october, "--resume")
    assert (again.status, again.out) == (0, whole)
    assert "read before: nothing" in again.err


def test_what_was_read_in_another_form_is_read_again(
    command: Command, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOCIAL_PUBLISHING_CONFIG", str(tmp_path))
    whole = command(*MONTH, "--output", "json").out
    with sandbox.fault("status", status=403, operations="posts.metrics", after=1, times=1):
        assert command(*MONTH, "--output", "json").status
    [file] = (tmp_path / "readings").iterdir()
    kept = [json.loads(line)[:2] for line in file.read_text().splitlines()]
    assert {kind for kind, _ in kept} == {"group", "post"}
    for odd in ({}, 5, [5], [{"views": 1}]):
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join(json.dumps([*each, odd]) for each in kept))
        assert command(*MONTH, "--output", "json", "--resume").out == whole


@given(st.dates(min_value=date(1, 2, 1), max_value=date(9999, 11, 30)))
@example(date(1, 2, 28))  # there is none before it
def test_the_month_before_is_next_to_it(day: date) -> None:
    month = Month(f"{day.year:04}-{day.month:02}")
    before, both = month.before, month.with_one_before()
    assert (before is None) is ((day.year, day.month) == (1, 2)) is (both is month)
    assert (both.first, both.end) == ((before or month).first, month.end)
    assert before is None or before.end == month.first


@pytest.mark.parametrize("groups", [[LAYALI], [LAYALI, GROUP]])
def test_a_table_names_accounts_where_a_network_has_several(
    command: Command, groups: list[str]
) -> None:
    words = ("metrics", *(word for group in groups for word in ("--group", group)))
    rows = read(command, *words)
    several = len({row["network"] for row in rows}) < len({row["account"] for row in rows})
    assert several is (len(groups) > 1)
    shown = command(*words, "--output", "table").out
    assert ("account_name" in shown) is several
