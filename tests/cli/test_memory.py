"""What an export remembers: only what was edited is a wish, through every program that saves it."""

from __future__ import annotations

import csv
import json
import random
import re
import shutil
import subprocess
from base64 import urlsafe_b64encode
from bisect import bisect_left
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zlib import compress

import openpyxl
import pytest
from cli_support import GROUP, Command, Ended, rows_of, write
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from social_publishing import SocialPublishing, models

from social_publishing_cli import plans
from social_publishing_cli.sheets.cells import READERS, kept, zone_named
from social_publishing_cli.sheets.columns import EDITABLE
from social_publishing_cli.sheets.memory import Memory, digest, rounds_to, same, still_has, unheld
from social_publishing_cli.sheets.writing import write_sheet
from social_publishing_sandbox import Sandbox

BERLIN = zone_named("Europe/Berlin")
ODD = {
    "CR LF": "a\r\nb\r\nc",
    "CR": "a\rb",
    "BEL": "a\x07b",
    "vertical tab": "a\x0bb",
    "ESC": "\x1b[31mred",
    "U+FFFE": "a\ufffeb",
    "an escape that is a text": "_x0041_ and _x005F_x0041_",
    "a long text": "🥐" * 20_000,
    "a formula": "=1+1",
    "a guarded formula": "'=1+1",
    "a number": "007",
    "a flag": "TRUE",
    "zero": "a\0b",
    "spaces": "  a\t \n",
    "a lone mark": "\ufeffa",
}


def planned(ended: Ended) -> dict[tuple[str, str], dict[str, Any]]:
    """What a plan changes, by post and field."""
    return {(line["id"], line["field"]): line for line in map(json.loads, ended.out.splitlines())}


def test_what_a_colleague_corrected_since_stays(
    sheet: Path, command: Command, client: SocialPublishing, sandbox: Sandbox
) -> None:
    rows = rows_of(sheet)
    client.posts.update(rows[0]["id"], name="corrected", content="also corrected")
    rows[1]["name"] = "edited"
    write(sheet, rows)
    assert command("apply", sheet, "--yes").status == 0
    assert client.posts.get(rows[0]["id"]).name == "corrected"
    assert client.posts.get(rows[1]["id"]).name == "edited"
    assert len(sandbox.requests(operation="updatePost", status="2xx")) == 2


@pytest.mark.parametrize(
    ("column", "typed", "theirs"),
    [
        ("yt_video_tags", "rye, oats", {"yt_video_tags": ["mine"]}),
        ("fb_video_title", "rye", {"fb_video_title": "mine"}),
        ("yt_made_for_kids", "yes", {"yt_made_for_kids": True}),
        ("content[youtube]", "rye", {"customized": {"youtube": {"content": "mine"}}}),
        ("tw_poll[option_1]", "rye", {"tw_poll": {"option_1": "mine"}}),
    ],
)
def test_a_column_that_was_added_is_empty_for_the_other_rows(
    sheet: Path,
    command: Command,
    client: SocialPublishing,
    column: str,
    typed: str,
    theirs: dict[str, Any],
) -> None:
    """No post used it when the sheet was exported, so its empty cells are no edits."""
    first, second, *others = rows_of(sheet)
    assert column not in first
    added = [row | {column: ""} for row in (second, *others)]
    write(sheet, [first | {column: typed}, *added])
    client.posts.update(second["id"], **theirs)
    [line] = json.loads(command("plan", sheet, "--output", "json").out)
    assert (line["id"], line["field"], line["after"]) == (first["id"], column, typed)
    write(sheet, [first | {column: ""}, added[0] | {column: typed}, *added[1:]])
    lines = json.loads(command("plan", sheet, "--output", "json").out)
    is_so = column == "yt_made_for_kids"  # they wrote the same value
    assert [line["id"] for line in lines] == [second["id"]] * (not is_so)
    assert all("now" in line or "does not show" in line["warning"] for line in lines)


@pytest.mark.parametrize(
    ("choice", "name", "status"), [(None, "theirs", 1), ("skip", "theirs", 8), ("ours", "mine", 0)]
)
def test_a_conflict_shows_three_values_and_needs_a_choice(
    sheet: Path,
    command: Command,
    client: SocialPublishing,
    choice: str | None,
    name: str,
    status: int,
) -> None:
    rows = rows_of(sheet)
    exported, post = rows[0]["name"], rows[0]["id"]
    client.posts.update(post, name="theirs")
    rows[0]["name"] = "mine"
    rows[1]["note"] = "of no conflict"
    write(sheet, rows)
    ended = command("plan", sheet, "-o", "x.plan")
    line = planned(ended)[post, "name"]
    assert (line["before"], line["now"], line["after"]) == (exported, "theirs", "mine")
    chosen = ["--on-conflict", choice] if choice else []
    ended = command("apply", "x.plan", *chosen)
    assert ended.status == status, ended.err
    assert client.posts.get(post).name == name
    assert (client.posts.get(rows[1]["id"]).note == "of no conflict") is (choice is not None)


Rows = list[dict[str, str]]
EDITS: dict[str, Callable[[Rows], Rows]] = {
    "sorted": lambda rows: sorted(rows, key=lambda row: row["id"], reverse=True),
    "rows deleted": lambda rows: rows[1:],
    "columns deleted": lambda rows: [
        {name: row[name] for name in ("id", "content", "exported")} for row in rows
    ],
    "columns moved": lambda rows: [dict(reversed(row.items())) for row in rows],
    "identifiers rounded": lambda rows: [
        {**row, "id": f"{int(row['id']):.5E}".replace(".", ",")} for row in rows
    ],
    "times written anew": lambda rows: [
        {
            **row,
            "publication_date": f"{datetime.fromisoformat(row['publication_date']):%d.%m.%Y %H:%M}"
            if row["publication_date"]
            else "",
        }
        for row in rows
    ],
    "line ends and spaces": lambda rows: [
        {**row, "publication_date": f" {row['publication_date']} "} for row in rows
    ],
}


@pytest.mark.parametrize("edit", EDITS)
def test_memory_survives_what_is_done_to_a_sheet(
    sheet: Path, command: Command, sandbox: Sandbox, edit: str
) -> None:
    write(sheet, EDITS[edit](rows_of(sheet)))
    before = len(sandbox.requests())
    ended = command("plan", sheet, "--exit-code")
    assert (ended.status, ended.out) == (0, ""), ended.err
    assert len(sandbox.requests()) == before  # what nobody edited is not even read


def test_a_time_follows_its_zone_only_when_the_zone_was_edited(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    """To other clocks: in a zone with the same ones it is what it was, whatever it became since."""
    rows = rows_of(sheet)
    rows[0]["timezone"], rows[1]["timezone"] = "Asia/Tokyo", "Europe/Vienna"
    write(sheet, rows)
    client.posts.update(rows[1]["id"], publication_date=datetime(2027, 1, 5, 9, tzinfo=UTC))
    found = planned(command("plan", sheet))
    assert [*found] == [(rows[0]["id"], "publication_date")]


@pytest.fixture
def odd(client: SocialPublishing, sandbox: Sandbox) -> dict[str, str]:
    """Posts with odd texts, by their identifiers; one goes out when clocks show an hour twice."""
    account = (client.groups.get(GROUP).social_accounts or [])[0].id
    made = {
        sandbox.create_post(content=text, name=text[:40], selectedAccountIds=[account])["id"]: text
        for text in ODD.values()
    }
    when = {"publication_date": "2027-10-31T01:30:00Z"}
    made[sandbox.create_post(content="b", selectedAccountIds=[account], **when)["id"]] = "b"
    return made


def saved_again(path: Path, program: str) -> Path:
    """Save a sheet again with a program that people use."""
    target = path.with_name(f"again{path.suffix}")
    if program == "openpyxl":
        openpyxl.load_workbook(path).save(target)
    elif program == "LibreOffice":
        office = shutil.which("soffice") or pytest.skip("needs LibreOffice")
        (path.parent / "out").mkdir()
        how = ["--convert-to", "xlsx:Calc MS Excel 2007 XML"]
        if path.suffix == ".csv":
            how = ["--infilter=CSV:44,34,76,1", "--convert-to"]
            how += ["csv:Text - txt - csv (StarCalc):44,34,76,1"]
        profile = f"-env:UserInstallation=file://{path.parent / 'profile'}"
        arguments = [office, profile, "--headless", *how, "--outdir", path.parent / "out", path]
        subprocess.run(arguments, check=True, capture_output=True, timeout=600)
        (path.parent / "out" / path.name).rename(target)
    else:
        path.rename(target)
    return target


@pytest.mark.parametrize(
    ("ending", "program"),
    [
        (".csv", "none"),
        (".csv", "LibreOffice"),
        (".xlsx", "none"),
        (".xlsx", "openpyxl"),
        (".xlsx", "LibreOffice"),
    ],
)
def test_an_export_that_nobody_edited_changes_nothing(
    command: Command, tmp_path: Path, odd: dict[str, str], ending: str, program: str
) -> None:
    assert command("export", "posts", "--group", GROUP, "-o", f"all{ending}").status == 0
    path = saved_again(tmp_path / f"all{ending}", program)
    ended = command("plan", path, "--exit-code")
    assert (ended.status, ended.out) == (0, ""), ended.err
    assert "nothing to change" in ended.err


PIECES = st.characters() | st.sampled_from(
    [
        *("_x0041_", "_x005F_", "x005f_", "\r\n", "\r", "_", "'"),
        *"=+-@\t",
        "- ",
        "'-",
        "1",
        "''",
        "'''a",
        "sha256: the checksum",
        digest("rye"),
    ]
)


def of_the_other_kind(path: Path) -> Path:
    """Save a sheet as a workbook, or a workbook as CSV, as a program does: its cells as texts."""
    if path.suffix == ".csv":
        book = openpyxl.Workbook()
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.reader(file):
                texts = (re.sub("_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", cell) for cell in row)
                book.active.append([ILLEGAL_CHARACTERS_RE.sub("", each) for each in texts])
        for row in book.active.iter_rows():
            for cell in row:
                cell.data_type = "s" if cell.value else cell.data_type
        book.save(target := path.with_name("from_csv.xlsx"))
        return target
    target = path.with_name("from_workbook.csv")
    with target.open("w", encoding="utf-8", newline="") as file:
        for row in openpyxl.load_workbook(path).active.iter_rows(values_only=True):
            csv.writer(file).writerow(["" if cell is None else cell for cell in row])
    return target


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(st.lists(PIECES, max_size=12).map("".join), min_size=1, max_size=20))
def test_any_text_comes_back_from_a_sheet(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("texts")
    posts = [
        ("1", BERLIN, models.Post(id=str(10**18 + at), content=text, name=text[::-1]))
        for at, text in enumerate(texts)
    ]
    for ending in (".csv", ".xlsx"):
        path = folder / f"all{ending}"
        write_sheet(path, posts)
        assert path.exists()
        again = [path, *([saved_again(path, "openpyxl")] if ending == ".xlsx" else [])]
        if not ILLEGAL_CHARACTERS_RE.search("".join(texts)):  # which openpyxl cannot write
            again.append(of_the_other_kind(again[-1]))
        for each in (one for one in again if one.exists()):
            assert [row.values for row in plans.read_sheet(each).rows()] == [{}] * len(posts)


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
@pytest.mark.parametrize("lead", ["'" * count for count in range(5)])
@pytest.mark.parametrize("rest", ["Moin''", "- rye", "=now", "1", ""])
def test_apostrophes_at_the_beginning_are_text(
    tmp_path: Path, ending: str, lead: str, rest: str
) -> None:
    path = tmp_path / f"all{ending}"
    write_sheet(path, [("1", BERLIN, models.Post(id="7", content=lead + rest, name=lead))])
    for each in (path, of_the_other_kind(path)):
        assert [row.values for row in plans.read_sheet(each).rows()] == [{}]


@pytest.mark.parametrize("text", ["- rye", "=now", "'=quoted", "+1"])
def test_an_edit_in_a_workbook_made_of_a_csv_file_has_no_mark(tmp_path: Path, text: str) -> None:
    path = tmp_path / "all.csv"
    write_sheet(path, [("1", BERLIN, models.Post(id="7", content=text, name="+ name"))])
    target = of_the_other_kind(path)
    book = openpyxl.load_workbook(target)
    [content] = [cell for cell in book.active[2] if cell.value == f"'{text}"]
    content.value, content.data_type = f"'{text} bread", "s"
    book.save(target)
    [row] = plans.read_sheet(target).rows()
    assert row.values == {"content": f"{text} bread"}


def test_a_text_too_long_for_a_workbook_is_never_planned(
    command: Command, tmp_path: Path, client: SocialPublishing, odd: dict[str, str]
) -> None:
    post = next(post for post, text in odd.items() if text == ODD["a long text"])
    assert command("export", "posts", "--group", GROUP, "-o", "all.xlsx").status == 0
    book = openpyxl.load_workbook(tmp_path / "all.xlsx")
    head, *rows = book.active.iter_rows()
    names = [cell.value for cell in head]
    row = next(row for row in rows if row[0].value == post)
    content = row[names.index("content")]
    assert content.value.startswith("⟦not editable here: 20,000 characters⟧ 🥐")
    row[names.index("note")].value = "another column"
    book.save(tmp_path / "all.xlsx")
    assert [*planned(command("plan", "all.xlsx"))] == [(post, "note")]
    other = next(each for each in rows if each[0].value != post)
    for name in ("note", "content"):  # what is copied is no text of another post either
        place = other[names.index(name)]
        before, place.value = place.value, content.value
        book.save(tmp_path / "all.xlsx")
        ended = command("plan", "all.xlsx")
        told = f"{name}: stands for a text that the sheet could not hold"
        assert (ended.status, told in ended.err) == (1, True), ended.err
        place.value = before
    content.value += "!"
    book.save(tmp_path / "all.xlsx")
    ended = command("plan", "all.xlsx")
    assert (ended.status, "content: cannot be edited here" in ended.err) == (1, True)
    assert client.posts.get(post).content == ODD["a long text"]


@pytest.mark.parametrize("text", ["a\r\nb\r\nc", "a\rb", "a\nb", "a\r\nb\nc"])
def test_an_edited_text_keeps_the_line_ends_that_it_had(
    command: Command, tmp_path: Path, sandbox: Sandbox, client: SocialPublishing, text: str
) -> None:
    account = (client.groups.get(GROUP).social_accounts or [])[0].id
    post = sandbox.create_post(content=text, selectedAccountIds=[account])["id"]
    assert command("export", "posts", "--group", GROUP, "-o", "all.csv").status == 0
    rows = rows_of(tmp_path / "all.csv")
    for row in rows:
        if row["id"] == post:
            row["content"] = row["content"].replace("\r\n", "\n").replace("\r", "\n") + "!"
    write(tmp_path / "all.csv", rows)
    assert command("apply", "all.csv", "--yes").status == 0
    is_mixed = text == "a\r\nb\nc"
    assert client.posts.get(post).content == ("a\nb\nc!" if is_mixed else f"{text}!")


def test_rows_copied_to_another_sheet_keep_their_memory(
    command: Command, tmp_path: Path, client: SocialPublishing
) -> None:
    assert command("export", "posts", "--group", GROUP, "-o", "all.xlsx").status == 0
    book = openpyxl.load_workbook(tmp_path / "all.xlsx")
    head, *rows = book["posts"].iter_rows(values_only=True)
    other = book.create_sheet("picked")
    other.append(head)
    for row in random.Random(1).sample(rows, 3):
        other.append(row)
    book.create_sheet("notes", 0).append(["nothing of posts"])
    book.save(tmp_path / "all.xlsx")
    ended = command("plan", "all.xlsx")
    assert (ended.status, "--worksheet" in ended.err) == (1, True)
    ended = command("plan", "all.xlsx", "--worksheet", "picked", "--exit-code")
    assert (ended.status, ended.err) == (0, "3 rows, nothing to change\n")
    del book["posts"]
    book.save(tmp_path / "all.xlsx")
    assert command("plan", "all.xlsx").err == "3 rows, nothing to change\n"


def with_cells(at: int, **cells: str) -> Callable[[Rows], Rows]:
    """An edit of some cells of one row."""
    return lambda rows: [{**row, **cells} if row is rows[at] else row for row in rows]


UNTOLD = "column exported"
REFUSED: dict[str, tuple[Callable[[Rows], Rows], str]] = {
    "seconds": (
        with_cells(2, publication_date="2026-12-20 09:00:30"),
        "row 4, .*has seconds.*write 2026-12-20 09:00",
    ),
    "a delay below zero": (
        with_cells(2, publication_delay_between="-5"),
        "row 4, publication_delay_between: .*must be 0 or more",
    ),
    "no account": (with_cells(2, selected_account_ids="77"), "row 4, .*there is no account 77"),
    "no time": (with_cells(2, publication_date=""), "row 4, .*cannot be unscheduled"),
    "no flag": (with_cells(2, should_skip=""), "row 4, should_skip: .*must have a value"),
    "no memory": (
        lambda rows: [{"id": row["id"], "name": "new"} for row in rows],
        f"{UNTOLD}, so nobody knows",
    ),
    "a row without memory": (with_cells(1, name="by hand", exported=""), f"row 3, .*{UNTOLD}"),
    "a damaged memory": (
        lambda rows: [{**row, "exported": row["exported"][:-9]} for row in rows],
        "row 2, exported: is damaged",
    ),
    "a memory of brackets": (
        with_cells(0, exported=f"m1:{urlsafe_b64encode(compress(b'[' * 100_000)).decode()}"),
        "row 2, exported: is damaged",
    ),
    "a part that was sorted": (
        lambda rows: [
            {**row, "id": other["id"]} for row, other in zip(rows, rows[::-1], strict=True)
        ],
        "row 2, id.*only a part of the sheet sorted",
    ),
    **{
        name: (with_cells(1, **{name: "9032915132417572867"}), f"row 3, {name}: cannot be changed")
        for name in ("status", "labels", "group_id", "networks")
    },
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_plan_refuses_what_apply_would(
    sheet: Path, command: Command, sandbox: Sandbox, case: str
) -> None:
    edit, reason = REFUSED[case]
    write(sheet, edit(rows_of(sheet)))
    ended = command("plan", sheet, "-o", "x.plan")
    assert (ended.status, ended.out) == (1, "")
    assert re.search(reason, ended.err)
    assert not (sheet.parent / "x.plan").exists()
    assert not sandbox.requests(operation="updatePost")


def test_a_text_that_becomes_that_of_its_neighbour_is_warned_of(
    sheet: Path, command: Command, client: SocialPublishing
) -> None:
    two = rows_of(sheet)[:2]
    for row, hour in zip(two, (9, 12), strict=True):
        moment = datetime(2026, 12, 14, hour, tzinfo=UTC)
        accounts = two[0]["selected_account_ids"].split()[:1]
        client.posts.update(row["id"], publication_date=moment, selected_account_ids=accounts)
    assert command("export", "posts", "--group", GROUP, "-o", sheet, "--force").status == 0
    ids = [row["id"] for row in two]
    write(sheet, [row | {"content": "new"} for row in rows_of(sheet) if row["id"] in ids])
    lines = planned(command("plan", sheet))
    assert {field for _, field in lines} == {"content"}
    assert all("the same text within a day" in each["warning"] for each in lines.values())


def test_the_same_text_twice_within_a_day_is_warned_of(sheet: Path, command: Command) -> None:
    rows = rows_of(sheet)
    account = rows[0]["selected_account_ids"].split()[0]
    for row, day in zip(rows, ("10", "10", "12", "13"), strict=True):
        row["selected_account_ids"] = account
        row["publication_date"] = f"2026-12-{day} 0{rows.index(row) + 5}:00"
        row["content"] = "the same"
    rows[2]["content"] = "another"
    rows[1]["publication_date"] = "2026-12-10 05:30"
    rows[3]["publication_date"] = "2026-12-11 05:30"  # as every day
    write(sheet, rows)
    ended = command("plan", sheet)
    warned = {line["row"]: line["warning"] for line in planned(ended).values() if line["warning"]}
    assert "the same text within a day (row 3)" in warned[2]
    assert "the same text within a day (row 2)" in warned[3]
    assert "another post within the hour (row 3)" in warned[2]
    assert "another post within the hour (row 2)" in warned[3]
    assert "same text" not in warned.get(4, "") + warned.get(5, "")


@pytest.mark.parametrize("begins", ["=1+1", "- rye", "'=", "007", "bread", "sha256:", digest("")])
def test_a_text_of_which_a_digest_is_kept_is_itself_with_and_without_a_mark(begins: str) -> None:
    for text in (begins, begins + "0" * 30_000):
        assert same(text, text) and same(digest(text), text) and not same(digest(text), f"{text}!")
        for cell in (text, kept(text)):
            assert still_has(cell, "content", digest(text), None, ())
            assert not still_has(f"{cell}!", "content", digest(text), None, ())


@pytest.mark.parametrize("odd", [{"a": {}}, 1.5, [1.5]])
def test_a_memory_with_a_member_of_another_kind_is_damaged(odd: object) -> None:
    def read(*content: object) -> Memory:
        packed = urlsafe_b64encode(compress(json.dumps(content).encode()))
        return Memory.read(f"m1:{packed.decode().rstrip('=')}")

    values = {"publication_date": "2026-12-24T08:00:00Z", "content": "rye", "label_ids": ["7"]}
    right: list[Any] = [
        "7",
        values,
        {"timezone": "Europe/Berlin", "link": ""},
        {"content": digest("rye")},
    ]
    assert read(*right) == tuple(right)
    wrongs: list[tuple[int, object]] = [(at, odd) for at in range(4)]
    for at, each in enumerate(right):
        wrongs += [(at, {**each, name: odd}) for name in each if isinstance(each, dict)]
    for at, wrong in [*wrongs, (1, {"publication_date": "x"}), (2, {"timezone": "x"})]:
        with pytest.raises(ValueError, match="is damaged"):
            read(*right[:at], wrong, *right[at + 1 :])


def test_no_memory_is_longer_than_a_cell_of_a_workbook() -> None:
    chance = random.Random(7)
    text = "".join(chance.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=60_000))

    others = {"publication_date": "2026-12-24T08:00:00Z", "name": "rye", "label_ids": ["7"]}

    def memory(size: int) -> str:
        return Memory("7", {"content": text[:size], **others}, {}).written()

    def is_short(size: int) -> bool:
        read = Memory.read(memory(size))
        assert same(read.value("content"), text[:size])
        assert {name: read.value(name) for name in others} == others
        return read.value("content") != text[:size]

    first = bisect_left(range(60_000), True, key=is_short)
    assert len(memory(first)) < 28_000 < len(memory(first - 1)) <= 32_767


@pytest.mark.parametrize(
    ("text", "size"), [("a", 1), ("🥐", 2), ("\x01", 7), ("_x0041_", 13), ("\n", 1), ("ß", 1)]
)
def test_a_cell_of_a_workbook_holds_32767_characters(text: str, size: int) -> None:
    whole = text * (32_767 // size) + "b" * (32_767 % size)
    assert unheld(whole, ".xlsx") is unheld(f"{whole}b", ".csv") is None
    assert unheld(f"{whole}b", ".xlsx") == f"{len(whole) + 1:,} characters"


@pytest.mark.parametrize(
    ("cell", "identifier", "is_one"),
    [
        ("9.033E+18", "9032915132417572866", True),
        ("9,03292E+18", "9032915132417572866", True),
        ("9032915132417570000", "9032915132417572866", True),
        ("9032915132417572866", "9032915132417572866", True),
        ("9.03E+18", "9032915132417572866", False),
        ("9.034E+18", "9032915132417572866", False),
        ("9.033E+17", "9032915132417572866", False),
        ("1.23457E+15", "1234567890123456", True),
        ("1.23457E+14", "123456789012345", False),
    ],
)
def test_an_identifier_is_known_by_its_first_digits(
    cell: str, identifier: str, is_one: bool
) -> None:
    assert rounds_to(cell, identifier) is is_one


SAME = [  # cells of a column that all are one value
    ("visible_for_client", ("no", "FALSE", "n", "0", " falsch ")),
    ("visible_for_client", ("yes", "True", "x", "1", "истина")),
    ("publication_delay_between", ("5", "5.0", "5,00")),
    ("publication_delay_between", ("", " ")),
    ("selected_account_ids", ("11 12", " 11  12 ")),
    ("selected_account_ids", ("11",)),
    ("pi_boards", ('{"11": {"id": "a"}, "12": {}}', '{"12":{},"11":{"id":"a"}}')),
    ("pi_boards", ('{"11": {"id": "a"}}',)),
]


@pytest.mark.parametrize(("name", "cells"), SAME)
def test_the_same_value_in_other_words_is_no_edit(name: str, cells: tuple[str, ...]) -> None:
    for cell in cells:
        value = READERS[EDITABLE[name].kind](cell.strip())
        assert all(still_has(each, name, value, None, ()) for each in cells)
        others = [each for column, those in SAME if column == name for each in {*those} - {*cells}]
        assert not any(still_has(each, name, value, None, ()) for each in others)


@pytest.mark.parametrize(
    "cell",
    ["2026-12-24 09:07", "2026-12-24 09:07:30", "2026-12-24T08:07Z", "2026-12-24 10:07:30+02:00"],
)
def test_a_time_is_the_same_with_any_offset_and_without_its_seconds(cell: str) -> None:
    def is_same(cell: str) -> bool:
        return still_has(cell, "publication_date", "2026-12-24T08:07:30Z", BERLIN, ())

    assert is_same(cell)
    assert not is_same(cell.replace(":07", ":08"))
    assert is_same(cell.replace(":30", ":31")) is (":30" not in cell)
