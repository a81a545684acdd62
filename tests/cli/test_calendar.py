"""A month as people look at it: in a terminal, as a page, as a calendar file."""

from __future__ import annotations

import calendar
import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import icalendar
import pytest
from bs4 import BeautifulSoup
from cli_support import GROUP, Command, account_on
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from social_publishing.models import CalendarNote

from social_publishing_cli.months import reading
from social_publishing_cli.months.files import write_file
from social_publishing_cli.months.reading import Entry, GroupMonth
from social_publishing_cli.months.words import legend
from social_publishing_cli.plans.networks import Cut, cuts
from social_publishing_cli.sheets.exporting import Month
from social_publishing_sandbox import Sandbox

ODD = "<script>alert(1)</script>\x1b[2J\u202e & \"'"


def rows_of(command: Command, group: str, month: str) -> list[dict[str, str]]:
    ended = command("calendar", "--group", group, "--month", month, "--output", "jsonl")
    assert ended.status == 0, ended.err
    return [json.loads(line) for line in ended.out.splitlines()]


def exported(command: Command, group: str, month: str) -> dict[str, str]:
    words = ("export", "posts", "--group", group, "--month", month)
    ended = command(*words, "--jq", '"\\(.id) \\(.publication_date)"')
    assert ended.status == 0, ended.err
    return dict(line.strip('"').split(" ", 1) for line in ended.out.splitlines())


@pytest.mark.parametrize("month", ["2026-11", "2026-12"])
def test_it_has_what_an_export_has(command: Command, sandbox: Sandbox, month: str) -> None:
    """Of each group, on its own clocks."""
    several = 0
    for group in sandbox.find("groups"):
        rows = rows_of(command, str(group.id), month)
        posts = {row["id"]: f"{row['day']} {row['time']}" for row in rows if row["kind"] == "post"}
        assert posts == exported(command, str(group.id), month)
        assert {row["timezone"] for row in rows} <= {group.timezone}
        several += len(posts) > 1
    assert several > 1


def test_networks_come_in_one_order_everywhere(
    command: Command, sandbox: Sandbox, tmp_path: Path
) -> None:
    """Of a post, and in what their letters mean, whatever the order of its accounts."""
    month, several = ("--month", "2026-12"), 0
    for group in map(str, (each.id for each in sandbox.find("groups"))):
        words = ("export", "posts", "--group", group, *month)
        posts = map(json.loads, command(*words, "--output", "jsonl").out.splitlines())
        exported = {post["id"]: post["networks"] for post in posts}
        rows = [row for row in rows_of(command, group, month[1]) if row["kind"] == "post"]
        assert {row["id"]: row["networks"] for row in rows} == exported
        several += sum("," in each for each in exported.values())
        file = ("calendar", "--group", group, *month, "-o", "a.html", "--force")
        assert command(*file).status == 0
        page = BeautifulSoup((tmp_path / "a.html").read_bytes(), "html.parser")
        caption = page.select_one("caption")
        _, _, meant = caption.get_text().partition("Networks: ") if caption else ("", "", "")
        networks = {each for row in rows for each in row["networks"].split(", ")}
        assert meant.strip() == legend(sorted(networks))
        assert legend(sorted(networks)[::-1]) == legend(networks)
    assert several > 2


def test_an_hour_that_comes_twice_is_told_apart(
    command: Command, sandbox: Sandbox, tmp_path: Path
) -> None:
    """In their order, and with their distance from UTC."""
    group = next(each for each in sandbox.find("groups") if each.timezone == "Europe/Berlin")
    accounts = sandbox.find("social_accounts", group_id=group.id)
    for name, at in (("second", "01:30"), ("first", "00:30"), ("third", "02:30")):
        sandbox.create_post(
            name=name,
            selected_account_ids=[accounts[0].id],
            publication_date=f"2027-10-31T{at}:00Z",
        )
    rows = rows_of(command, str(group.id), "2027-10")
    found = [(row["name"], row["time"]) for row in rows if row["day"] == "2027-10-31"]
    expected = [("first", "02:30+02:00"), ("second", "02:30+01:00"), ("third", "03:30")]
    assert [each for each in found if each[0] in ("first", "second", "third")] == expected
    words = ("calendar", "--group", str(group.id), "--month", "2027-10")
    assert command(*words, "-o", "october.html").status == 0
    page = (tmp_path / "october.html").read_text(encoding="utf-8")
    table = command(*words, "--output", "table").out
    assert page.index("02:30+02:00") < page.index("02:30+01:00") < page.index("03:30")
    assert table.index("+02:00") < table.index("+01:00") < table.index("03:30")


def test_notes_stand_on_their_days(command: Command, sandbox: Sandbox) -> None:
    rows = [row for row in rows_of(command, GROUP, "2026-12") if row["kind"] == "note"]
    group = next(each for each in sandbox.find("groups") if str(each.id) == GROUP)
    zone = ZoneInfo(group.timezone)
    notes = {str(each.id): each for each in sandbox.find("calendar_notes")}
    assert len(rows) > 1
    for row in rows:
        note = notes[row["id"]]
        start, end = (
            datetime.fromisoformat(str(each)).astimezone(zone)
            for each in (note.start_date, note.end_date)
        )
        assert row["day"] == str(start.date())
        assert row["until"] == str((end - timedelta(seconds=end > start)).date())


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        ("2026-12-05 00:00", "2026-12-05 00:00", ("2026-12-05", "2026-12-05")),
        ("2026-12-05 00:00", "2026-12-06 00:00", ("2026-12-05", "2026-12-05")),
        ("2026-12-05 00:00", "2026-12-06 00:01", ("2026-12-05", "2026-12-06")),
        ("2026-12-05 23:59", "2026-12-07 00:00", ("2026-12-05", "2026-12-06")),
        ("2026-12-30 12:00", "2027-01-02 12:00", ("2026-12-30", "2027-01-02")),
        ("2026-11-29 12:00", "2026-12-01 00:00", None),
        ("2026-11-29 12:00", "2026-12-01 00:01", ("2026-11-29", "2026-12-01")),
        ("2027-01-01 00:00", "2027-01-01 09:00", None),
    ],
)
def test_a_note_is_on_every_day_that_it_touches(
    command: Command, sandbox: Sandbox, start: str, end: str, days: tuple[str, str] | None
) -> None:
    """One that ends at midnight ends the day before, unless it begins there, too."""
    zone = ZoneInfo("Europe/Berlin")
    moments = (datetime.fromisoformat(each).replace(tzinfo=zone) for each in (start, end))
    dates = dict(zip(("start_date", "end_date"), moments, strict=True))
    made = sandbox.create_note(group_id=GROUP, title="Sale", **dates)
    rows = [row for row in rows_of(command, GROUP, "2026-12") if row["id"] == made.id]
    assert [(row["day"], row["until"]) for row in rows] == [days] * (days is not None)


def test_a_note_of_one_moment_is_on_its_day() -> None:
    moment = datetime(2026, 12, 4, 23, 30, tzinfo=UTC)
    for there in ({"start_date": moment}, {"end_date": moment}, {}):
        found = reading._note(CalendarNote(id="1", title="Sale", **there), ZoneInfo("Asia/Tokyo"))
        days = (date(2026, 12, 5), date(2026, 12, 5)) if there else None
        assert (found and (found.first, found.last)) == days


@pytest.mark.parametrize("columns", [40, 71, 72, 80, 120])
def test_a_terminal_shows_each_post_in_its_width(
    command: Command, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    accounts = {str(each.social_network): each.id for each in sandbox.find("social_accounts")}
    sandbox.create_post(
        content=ODD,
        name="",
        publication_date="2026-12-24T08:00:00Z",
        selected_account_ids=[accounts["facebook"], accounts["threads"]],
    )
    monkeypatch.setenv("COLUMNS", str(columns))
    ended = command("calendar", "--group", GROUP, "--month", "2026-12", "--output", "table")
    assert ended.status == 0, ended.err
    lines = ended.out.splitlines()
    assert max(map(cell_len, lines)) <= columns
    posts = exported(command, GROUP, "2026-12")
    for moment in posts.values():
        assert moment[11:16] in ended.out
    assert "\x1b" not in ended.out and "\u202e" not in ended.out
    assert f"{len(posts)} posts" in ended.out and "Europe/Berlin" in ended.out
    assert ("Mon" in lines[2]) is (columns >= 72)
    assert "● scheduled" in ended.out and "fb Facebook" in " ".join(ended.out.split())


@given(st.dates(date(1990, 1, 1), date(2080, 1, 1)), st.integers(0, 6))
def test_weeks_have_each_day_of_the_month_once(day: date, starts: int) -> None:
    month = Month(f"{day:%Y-%m}")
    made = GroupMonth("g", ZoneInfo("UTC"), month.first, month.end, starts, (), ())
    weeks = [*made.weeks]
    assert {len(week) for week in weeks} == {7}
    assert {week[0].weekday() for week in weeks} == {starts}
    days = [each for week in weeks for each in week]
    assert [each for each in days if each.month == day.month] == made.days
    assert len(made.days) == calendar.monthrange(day.year, day.month)[1]
    assert made.free == made.days and all({*week} & {*made.days} for week in weeks)


def test_a_page_says_what_each_network_takes(
    command: Command, sandbox: Sandbox, tmp_path: Path
) -> None:
    """Foreign text is text, nothing is loaded, and what does not fit is struck out."""
    accounts = {str(each.social_network): each.id for each in sandbox.find("social_accounts")}
    long = "字" * 150 + ODD
    post = sandbox.create_post(
        content=long,
        name=ODD,
        note=ODD,
        publication_date="2026-12-24T08:00:00Z",
        customized={"threads": {"content": "Short."}},
        selected_account_ids=[accounts[each] for each in ("twitter", "threads", "facebook")],
    )
    owner = next(each for each in sandbox.find("social_accounts") if each.id == accounts["twitter"])
    words = ("calendar", "--group", str(owner.group_id), "--month", "2026-12", "-o")
    assert command(*words, str(tmp_path / "m.html")).status == 0
    text = (tmp_path / "m.html").read_text(encoding="utf-8")
    page = BeautifulSoup(text, "html.parser")
    assert not page.find_all(["script", "img", "link", "iframe"]) and "url(" not in text
    assert all(each["href"].startswith("#") for each in page.find_all(href=True))
    card = page.find(id=f"post-{post.id}")
    assert card is not None and "<script>alert(1)</script>" in card.get_text()
    by_network = {item.b.get_text(): item for item in card.find_all("li")}
    assert by_network["Twitter"].find("del") is not None
    kept = by_network["Twitter"].find(class_="text")
    assert kept.get_text() == long
    assert kept.get_text().removesuffix(kept.find("del").get_text()) == "字" * 140  # two each
    assert "280" in by_network["Twitter"].get_text() and "networks.text" in card.get_text()
    if "Facebook" in by_network:
        assert by_network["Facebook"].find("del") is None


def test_pictures_are_loaded_where_that_was_asked_for(command: Command, tmp_path: Path) -> None:
    words = ("calendar", "--group", GROUP, "--month", "2026-12", "-o")
    assert command(*words, str(tmp_path / "m.html"), "--thumbnails").status == 0
    page = BeautifulSoup((tmp_path / "m.html").read_text(encoding="utf-8"), "html.parser")
    addresses = [str(each["src"]) for each in page.find_all("img")]
    assert len(addresses) > 1 and all(each.startswith("http") for each in addresses)


def test_a_calendar_file_has_every_post_and_note(
    command: Command, sandbox: Sandbox, tmp_path: Path
) -> None:
    whole = "x" * 600  # of which Threads takes 500
    accounts = [account_on(sandbox, "threads")]
    moment = "2026-12-24T08:00:00Z"
    sandbox.create_post(
        content=whole, name="Long", selected_account_ids=accounts, publication_date=moment
    )
    words = ("calendar", "--group", GROUP, "--month", "2026-12", "-o")
    assert command(*words, str(tmp_path / "m.ics")).status == 0
    made = icalendar.Calendar.from_ical((tmp_path / "m.ics").read_bytes())
    events = {str(each["uid"]): each for each in made.walk("VEVENT")}
    rows = rows_of(command, GROUP, "2026-12")
    assert set(events) == {f"{row['kind']}-{row['id']}@social-publishing" for row in rows}
    for row in rows:
        event = events[f"{row['kind']}-{row['id']}@social-publishing"]
        start = event.decoded("dtstart")
        if row["kind"] == "note":
            assert str(start) == row["day"]
            assert str(event.decoded("dtend") - timedelta(1)) == row["until"]
        else:
            local = datetime.fromisoformat(f"{row['day']} {row['time']}")
            assert start == local.replace(tzinfo=ZoneInfo(row["timezone"])).astimezone(UTC)
            assert row["name"] in str(event["summary"])
            status, _, text = str(event["description"]).partition("\n\n")
            assert status == row["status"] and (row["name"] != "Long" or text == whole)


def test_what_cannot_be_written_is_one_sentence(command: Command, tmp_path: Path) -> None:
    words = ("calendar", "--group", GROUP, "--month", "2026-12")
    ended = command(*words, "-o", str(tmp_path / "m.pdf"))
    assert ended.status == 2 and "unknown extension; use .html, .ics" in ended.err
    (tmp_path / "m.html").write_text("mine")
    ended = command(*words, "-o", str(tmp_path / "m.html"))
    assert ended.status and "already exists" in ended.err
    assert (tmp_path / "m.html").read_text() == "mine"
    assert command(*words, "-o", str(tmp_path / "m.html"), "--force").status == 0


def test_a_page_of_a_thousand_posts_is_small(tmp_path: Path) -> None:
    cut = Cut("Bakery", "facebook", "Facebook", "A text of a usual length. " * 10, "", 63206, "")
    start, minutes = datetime(2026, 12, 1, tzinfo=UTC), timedelta(minutes=40)
    entries = tuple(
        Entry(str(n), start + n * minutes, "scheduled", f"Post {n}", (cut,) * 3, (), "", "")
        for n in range(1000)
    )
    month = GroupMonth("g", ZoneInfo("UTC"), date(2026, 12, 1), date(2027, 1, 1), 0, entries, ())
    write_file(month, tmp_path / "m.html")
    assert (tmp_path / "m.html").stat().st_size < 2_000_000


@given(st.text(max_size=700), st.sampled_from(["twitter", "threads", "facebook", "nobody"]))
def test_a_cut_keeps_every_character(text: str, network: str) -> None:
    """The longest beginning that the network takes, and the rest."""
    accounts = {"1": {"id": "1", "socialNetwork": network, "name": "A"}}
    [cut] = cuts({"content": text, "selectedAccountIds": ["1", "2"]}, accounts)
    assert cut.text + cut.rest == text
    if network != "twitter" and cut.limit is not None:
        assert cut.text == text[: cut.limit]
    assert network != "nobody" or (cut.limit, cut.rest) == (None, "")
    if network == "twitter" and text.isascii():
        assert cut.text == text[:280]
