"""A plan as a page, so that a yes can be given by looking."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from cli_support import GROUP, Command, rows_of, write
from hypothesis import given
from hypothesis import strategies as st
from social_publishing import SocialPublishing

from social_publishing_cli.months.planned import MARKS, blanks, parted

ODD = "<script>alert(1)</script>\x1b[2J\u202e & \"'"


@pytest.fixture
def edited(command: Command, tmp_path: Path) -> Path:
    """A month in which one post moves on, one moves to the next month, and one gets a new text."""
    path = tmp_path / "december.csv"
    words = ("export", "posts", "--group", GROUP, "--month", "2026-12", "-o", str(path))
    assert command(*words).status == 0
    rows = [row for row in rows_of(path) if row["status"] == "scheduled"]
    assert len(rows) > 4
    rows[0]["publication_date"] = "2026-12-29 23:30"
    rows[1]["publication_date"] = "2027-01-02 00:30"
    rows[2]["content"] = f"{rows[2]['content']} {ODD}"
    rows[2]["name"] = ODD
    write(path, rows)
    return path


def looked_at(path: Path) -> BeautifulSoup:
    text = path.read_text(encoding="utf-8")
    page = BeautifulSoup(text, "html.parser")
    assert not page.find_all(["script", "img", "link", "iframe"]) and "url(" not in text
    assert "\u202e" not in text and "\x1b" not in text
    return page


def stands(page: BeautifulSoup, identifier: str) -> set[tuple[str, str, str]]:
    """Return where a post stands: the month, the day, and what happens there."""
    found = set()
    for link in page.select(f'.month a[href="#post-{identifier}"]'):
        month = link.find_parent("table").find_previous("h2").get_text()
        day = link.find_parent("td").find(class_="day").get_text().split()[-1]
        [kind] = link["class"]
        assert link.get_text().split()[0] == MARKS[kind]
        found.add((month, day, kind))
    return found


def test_it_shows_where_posts_go_and_what_they_say(
    command: Command, edited: Path, tmp_path: Path
) -> None:
    ended = command("plan", str(edited), "-o", "december.plan", "--page", "plan.html")
    assert ended.status == 0, ended.err
    page = looked_at(tmp_path / "plan.html")
    rows = rows_of(edited)
    moved, away, told = rows[:3]
    assert {(month, kind) for month, _, kind in stands(page, moved["id"])} == {
        ("December 2026", "gone"),
        ("December 2026", "new"),
    }
    assert ("December 2026", "29", "new") in stands(page, moved["id"])
    assert ("January 2027", "2", "new") in stands(page, away["id"])
    [(month, day, kind)] = stands(page, told["id"])
    assert (month, kind) == ("December 2026", "changed")
    assert int(day) == int(told["publication_date"][8:10])
    assert len(page.select(".same")) >= len(rows) - 3
    card = page.find(id=f"post-{told['id']}")
    assert isinstance(card, Tag) and "<script>alert(1)</script>" in card.get_text()
    added = {each.get_text().split()[0] for each in card.find_all("ins")}
    expected = {"<script>alert(1)</script>\\x1b[2J\\u202e"}
    assert {each.removeprefix("␣") for each in added} == expected


def test_a_saved_plan_has_the_same_page_without_an_account(
    command: Command, edited: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("plan", str(edited), "-o", "december.plan", "--page", "plan.html").status == 0
    for name in ("API_TOKEN", "BASE_URL", "MEDIA_URL"):
        monkeypatch.delenv(f"SOCIAL_PUBLISHING_{name}")
    ended = command("show", "december.plan", "--page", "shown.html")
    assert ended.status == 0, ended.err
    first, second = (looked_at(tmp_path / name) for name in ("plan.html", "shown.html"))
    for row in rows_of(edited)[:3]:
        assert stands(first, row["id"]) == stands(second, row["id"]) != set()
    cards = [[card.get_text() for card in page.find_all("article")] for page in (first, second)]
    assert cards[0] == cards[1] and len(cards[0]) == 3
    said = [
        "stay as they are stand in the sheet alone" in page.get_text() for page in (first, second)
    ]
    assert said == [False, True]


def test_a_rehearsal_is_on_the_page(command: Command, edited: Path, tmp_path: Path) -> None:
    rows = rows_of(edited)
    rows[3]["content"] = "x" * 70_000  # more than any network takes
    write(edited, rows)
    ended = command("plan", str(edited), "--rehearse", "--page", "plan.html", "--output", "table")
    assert ended.status == 0, ended.err
    page = looked_at(tmp_path / "plan.html")
    card = page.find(id=f"post-{rows[3]['id']}")
    assert isinstance(card, Tag) and "fails" in card.get_text()
    assert "Rehearsal" in [each.get_text() for each in page.find_all("h2")]
    assert "rehearsal: " in page.get_text()
    marked = {each["href"] for each in page.select("td a") if "⚠" in each.get_text()}
    assert f"#post-{rows[3]['id']}" in marked
    rows_shown = {each.get_text() for each in page.select("td small")}
    assert rows_shown == {f"row {at}" for at in range(2, len(rows) + 2)}


def test_a_page_is_a_file_that_is_not_there(command: Command, edited: Path, tmp_path: Path) -> None:
    ended = command("plan", str(edited), "--page", "plan.pdf")
    assert ended.status == 2 and "--page" in ended.err and "use .html" in ended.err
    ended = command("plan", str(edited), "--page", "both.html", "-o", tmp_path / "both.html")
    assert ended.status == 2 and "same file" in ended.err and not (tmp_path / "both.html").exists()
    (tmp_path / "mine.html").write_text("mine")
    assert command("plan", str(edited), "--page", "mine.html").status
    assert (tmp_path / "mine.html").read_text() == "mine"


@given(st.text("ab \n", max_size=20), st.text("ab \n", max_size=20))
def test_a_comparison_loses_nothing(before: str, after: str) -> None:
    head, was, now, tail = parted(before, after)
    assert (head + was + tail, head + now + tail) == (before, after)
    assert before != after or (was, now) == ("", "")


@pytest.mark.parametrize(
    ("before", "after", "marks"),
    [
        ("jump the", "jump\nthe", ("␣", "↵\n")),
        ("a", "a ", ("", "␣")),
        ("a  ", "   a", ("a␣␣", "␣␣␣a")),
        ("a b", "a\tb", ("␣", r"\t")),
        ("a\n\nb", "a\nb", ("↵\n", "")),
    ],
)
def test_a_change_of_blanks_is_seen(before: str, after: str, marks: tuple[str, str]) -> None:
    _, was, now, _ = parted(before, after)
    assert (blanks(was), blanks(now)) == marks


@pytest.mark.parametrize(("code", "first"), [(0, "Sunday"), (1, "Monday"), (6, "Saturday")])
def test_weeks_begin_as_in_the_group(
    command: Command, edited: Path, tmp_path: Path, client: SocialPublishing, code: int, first: str
) -> None:
    """And as in the calendar of the month."""
    client.groups.update(GROUP, week_start_day=code)
    ended = command("plan", str(edited), "-o", "december.plan", "--page", "plan.html")
    assert ended.status == 0, ended.err
    assert command("show", "december.plan", "--page", "shown.html").status == 0
    month = ("calendar", "--group", GROUP, "--month", "2026-12", "-o", "month.html")
    assert command(*month).status == 0
    heads = [
        looked_at(tmp_path / name).select_one(".month th").get_text()  # type: ignore[union-attr]
        for name in ("plan.html", "shown.html", "month.html")
    ]
    assert heads == [first] * 3
