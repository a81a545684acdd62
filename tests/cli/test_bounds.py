"""Hostile and huge sheets: an error that says what is wrong, in bounded time and memory."""

from __future__ import annotations

import csv
import re
import tracemalloc
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import cast

import openpyxl
import pytest
from cli_support import Command, rows_of, write
from openpyxl.chart import BarChart
from social_publishing import SocialPublishing, models

from social_publishing_cli import plans
from social_publishing_cli.sheets import workbook
from social_publishing_cli.sheets.memory import MEMORY, Memory

ID = "9032915132417572866"


def made(path: Path, *rows: tuple[object, ...]) -> Path:
    book = openpyxl.Workbook()
    for row in rows or (("id", "name"), (ID, "a")):
        book.active.append(row)
    book.save(path)
    return path


def rewritten(path: Path, part: str, change: Callable[[bytes], bytes]) -> Path:
    with zipfile.ZipFile(path) as file:
        contents = {name: file.read(name) for name in file.namelist()}
    contents[part] = change(contents.get(part, b""))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in contents.items():
            file.writestr(name, content)
    return path


SHEET = "xl/worksheets/sheet1.xml"
BAD: dict[str, tuple[str, Callable[[bytes], bytes], str]] = {
    "a document type": (
        SHEET,
        lambda xml: b'<!DOCTYPE a [<!ENTITY b "c">]>' + xml,
        "document type declaration",
    ),
    "no XML": (SHEET, lambda xml: xml[:200], "is damaged: "),
    "a cell far to the right": (
        SHEET,
        lambda xml: xml.replace(b'r="B2"', b'r="XFD2"'),
        "row 2: has more than 200 columns",
    ),
    "a text of a shared string that is not there": (
        SHEET,
        lambda xml: re.sub(rb'(<c r="B2") .*?</c>', rb'\1 t="s"><v>99</v></c>', xml),
        "a cell has a text that is not there",
    ),
    "a long text": (
        SHEET,
        lambda xml: xml.replace(b"<t>a</t>", b"<t>" + b"a" * 2**21 + b"</t>"),
        "row 2 has a text of more than 1,048,576 characters",
    ),
    "much too much": (SHEET, lambda xml: xml + b" " * (513 * 2**20), "more than 512 MB unpacked"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_hostile_workbook_is_one_error(command: Command, tmp_path: Path, case: str) -> None:
    part, change, reason = BAD[case]
    path = rewritten(made(tmp_path / "x.xlsx"), part, change)
    ended = command("plan", path, "--against-now")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith("error: x.xlsx: ") and reason in ended.err
    assert "a mistake in this program" not in ended.err


OTHERS = b"""<worksheet><dimension ref="A1"/><sheetData>
<row hidden="false">
<c t="inlineStr"><is><r><t>i</t></r><r><t>d</t></r><rPh><t>aloud</t></rPh></is></c>
<c t="s"><v>1</v></c></row>
<row hidden="1"><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#REF!</v></c></row>
<row r="9"><c t="d"><v>2026-12-24</v></c><c r="D9" t="d"><v>2026-12-24T18:30:00</v></c>
<c><v>2.0</v></c><c><v>1.5</v></c><c t="str"><v>_x0041_</v></c><c s="1"><v>46380.5</v></c></row>
<row/><row><c/><c><f>A1</f></c></row>
</sheetData><mergeCells><mergeCell ref="C3:D4"/><mergeCell ref="$B$2"/></mergeCells></worksheet>"""
TEXTS = b"<sst><si><t>no</t></si><si><r><t>na</t></r><rPh><t>x</t></rPh><r><t>me</t></r></si></sst>"


@pytest.mark.parametrize(("since", "noon"), [("0", "2026-12-24 12:00"), ("1", "2030-12-25 12:00")])
def test_a_workbook_of_another_program_is_read_as_it_is_meant(
    since: str, noon: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Places of rows and cells are optional; what it says of its size is not believed."""
    day = datetime(2026, 12, 24)
    path = made(tmp_path / "x.xlsx", ("id", day))
    rewritten(path, SHEET, lambda xml: OTHERS)
    rewritten(path, "xl/sharedStrings.xml", lambda xml: TEXTS)
    head = f'<workbookPr date1904="{since}" '.encode()
    rewritten(path, "xl/workbook.xml", lambda xml: xml.replace(b"<workbookPr ", head))
    texts = b'<Relationship Type="x/sharedStrings" Target="sharedStrings.xml" Id="x"/></'
    rewritten(path, "xl/_rels/workbook.xml.rels", lambda xml: xml.replace(b"</", texts))
    with workbook.Workbook(path) as book:
        assert [*book.rows("Sheet")] == [
            (1, [(0, "id", "value", ""), (1, "name", "value", "")], False),
            (2, [(0, True, "value", ""), (1, False, "value", ""), (2, "#REF!", "error", "")], True),
            (9, [
                (0, day, "value", "yyyy-mm-dd"),
                (3, day.replace(hour=18, minute=30), "value", "yyyy-mm-dd hh:mm"),
                (4, 2, "value", ""), (5, 1.5, "value", ""), (6, "A", "value", ""),
                (7, datetime.fromisoformat(noon), "value", "yyyy-mm-dd h:mm:ss"),
            ], False),
            (11, [(1, "", "formula", "")], False),
        ]  # fmt: skip
        monkeypatch.setattr(workbook, "_MOST_MERGED", 2)
        assert book.merged("Sheet") == [(2, 1, 2, 1), (3, 2, 4, 3)]
        monkeypatch.setattr(workbook, "_MOST_MERGED", 1)
        with pytest.raises(workbook.WorkbookError, match="more than 1 merged"):
            book.merged("Sheet")


def test_a_chart_first_and_blank_rows_first_are_passed_over(tmp_path: Path) -> None:
    path = made(tmp_path / "x.xlsx", (None,), (None, ""), ("id", "name"), (ID, "a"))
    book = openpyxl.load_workbook(path)
    book.create_chartsheet("chart", 0).add_chart(BarChart())
    book.save(path)
    assert [(row.number, row.values) for row in plans.read_sheet(path).rows()] == [
        (4, {"name": "a"})
    ]
    (tmp_path / "x.csv").write_text("\n,\nid,name\n7,a\n")
    assert [row.number for row in plans.read_sheet(tmp_path / "x.csv").rows()] == [4]


def test_helper_columns_are_kept_only_when_asked(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id,mine,name\n7,note,a\n")
    with pytest.raises(plans.SheetError, match="row 1, mine: is not a column of posts"):
        plans.read_sheet(tmp_path / "x.csv")
    [row] = plans.read_sheet(tmp_path / "x.csv", extra_columns=True).rows()
    assert row.values == {"name": "a"}


def test_many_rows_take_little_memory_and_one_request(tmp_path: Path) -> None:
    asked: list[list[str]] = []

    class Posts:
        def get_many(self, ids: list[str]) -> list[models.Post]:
            asked.append(ids)
            return [models.Post(id=each, name="n", content="c") for each in ids]

    class Client:
        posts = Posts()

    def peak_of(count: int) -> int:
        path = tmp_path / f"{count}.csv"
        values = {"name": "n", "content": "c", "selected_account_ids": ["5"]}
        values["publication_date"] = "2026-12-10T09:00:00Z"
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["id", "name", "content", MEMORY])
            for at in range(count):
                post = str(10**18 + at)
                name = "edited" if at % (count // 3) == 7 else "n"
                writer.writerow([post, name, "c", Memory(post, values, {}).written()])
        tracemalloc.start()
        plan = plans.make(cast(SocialPublishing, Client()), plans.read_sheet(path))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert (plan.rows, len(plan.changes)) == (count, 3)
        return peak

    small, large = peak_of(1_000), peak_of(6_000)
    assert large < small * 1.2 + 300 * 6_000  # bytes
    assert [len(ids) for ids in asked] == [3, 3]


def test_journals_and_plans_are_for_their_owner_alone(
    command: Command, sheet: Path, tmp_path: Path
) -> None:
    write(sheet, [{**row, "name": "new"} for row in rows_of(sheet)])
    assert command("plan", sheet, "-o", "x.plan").status == 0
    assert command("apply", "x.plan").status == 0
    paths = [tmp_path / "x.plan", *(tmp_path / "journals").iterdir()]
    assert {path.stat().st_mode & 0o777 for path in paths} == {0o600}
    assert (tmp_path / "journals").stat().st_mode & 0o777 == 0o700


def test_a_sheet_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("social_publishing_cli.sheets.reading._MOST_ROWS", 3)
    path = made(tmp_path / "x.xlsx", ("id", "name"), *((str(10**18 + at), "n") for at in range(9)))
    with pytest.raises(plans.SheetError) as refused:
        plans.read_sheet(path)
    assert str(refused.value) == "x.xlsx: row 5: has more than 3 rows"


def test_of_many_problems_the_first_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("social_publishing_cli.sheets.reading._MOST", 3)
    for count in (2, 3, 4, 5):
        write(tmp_path / "x.csv", [{"id": "x", "name": "n"}] * count)
        with pytest.raises(plans.SheetError) as refused:
            plans.read_sheet(tmp_path / "x.csv")
        *rows, last = (each.reason for each in refused.value.problems)
        assert (len(rows), last == "more than 3 problems") == (min(count - 1, 3), count > 3)
