"""Files that are written, and what is told where nobody reads it."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
import social_publishing
from cli_support import GROUP, PROGRAM, Command, environment, signed_out, writes
from hypothesis import given
from hypothesis import strategies as st
from social_publishing import SocialPublishing, SocialPublishingError

from social_publishing_cli import names, operations, output, pages, plans, profiles
from social_publishing_cli.files import replacing
from social_publishing_cli.plans import reporting
from social_publishing_cli.readings import Readings
from social_publishing_sandbox import Sandbox

PUBLISHED = "10053065306605092931"


@pytest.fixture
def edited(command: Command, client: SocialPublishing, tmp_path: Path) -> list[str]:
    """A sheet that gives two posts other names, in names.csv; the two posts."""
    posts = [each.id for each in client.posts.list(group_id=GROUP) if each.status == 5][:2]
    with (tmp_path / "names.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "name"], *([each, "'=new"] for each in posts)])
    assert command("plan", "names.csv", "--against-now", "-o", "names.plan").status == 0
    return posts


@pytest.mark.parametrize(
    "words",
    [
        ["export", "posts", "--group", GROUP, "-o", "there.csv"],
        ["plan", "names.csv", "--against-now", "-o", "there.csv"],
        ["apply", "names.plan", "--report", "there.csv"],
        ["apply", "names.csv", "--against-now", "--yes", "--report", "there.csv"],
    ],
)
def test_what_is_there_is_not_overwritten(
    command: Command, edited: list[str], tmp_path: Path, sandbox: Sandbox, words: list[str]
) -> None:
    (tmp_path / "there.csv").write_text("mine")
    ended = command(*words)
    assert (ended.status, ended.out) == (1, "")
    assert "there.csv already exists: choose another name, or replace it with --force" in ended.err
    assert (tmp_path / "there.csv").read_text() == "mine"
    assert not writes(sandbox)
    assert command(*words, "--force").status == 0
    assert (tmp_path / "there.csv").read_text() != "mine"


@pytest.mark.parametrize(
    "words",
    [
        ["plan", "names.csv", "--against-now", "-o", "./names.csv"],
        ["apply", "names.csv", "--against-now", "--yes", "--report", "link.csv"],
        ["apply", "names.plan", "--report", "names.csv"],
        ["plan", "names.html", "--page", "names.html"],
        ["show", "names.html", "--page", "names.html"],
    ],
)
def test_what_is_read_is_never_replaced(
    command: Command, edited: list[str], tmp_path: Path, sandbox: Sandbox, words: list[str]
) -> None:
    (tmp_path / "link.csv").symlink_to(tmp_path / "names.csv")
    (tmp_path / "names.html").write_bytes((tmp_path / "names.plan").read_bytes())
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.is_file()}
    ended = command(*words, "--force")
    assert (ended.status, "is read here" in ended.err) == (2, True), ended.err
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    assert not writes(sandbox)


def test_results_come_where_a_report_cannot_be_written(
    command: Command, edited: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "report.csv").write_text("the one before")
    replacing = reporting.replacing

    @contextmanager
    def full(path: Path) -> Iterator[Path]:
        with replacing(path) as new:
            yield new
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(reporting, "replacing", full)
    ended = command("apply", "names.plan", "--report", "report.csv", "--force")
    assert ended.status == 0 and "report.csv: cannot be written: No space" in ended.err
    assert all(post in ended.out for post in edited)
    assert (tmp_path / "report.csv").read_text() == "the one before"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_plan_may_be_saved_again_in_another_encoding(
    command: Command, edited: list[str], tmp_path: Path, encoding: str
) -> None:
    plan = tmp_path / "names.plan"
    plan.write_text(plan.read_text("utf-8"), encoding)
    assert command("apply", "names.plan").status == 0
    plan.write_bytes(b"")
    ended = command("apply", "names.plan")
    assert ended.status == 1 and "is empty: make the plan again" in ended.err


@pytest.mark.parametrize("target", ["nowhere/x.csv", "x.html"])
def test_an_unwritable_report_ends_before_the_first_change(
    command: Command, edited: list[str], sandbox: Sandbox, target: str
) -> None:
    ended = command("apply", "names.plan", "--report", target)
    assert (ended.status in (1, 2), ended.out) == (True, "")
    assert not writes(sandbox)


def test_a_report_says_what_became_of_each_row(
    command: Command, client: SocialPublishing, edited: list[str], tmp_path: Path
) -> None:
    client.posts.update(edited[1], name="<b>ihr Käse</b>")
    assert command("apply", "names.plan", "--report", "x.CSV").status == 8
    with (tmp_path / "x.CSV").open(encoding="utf-8-sig", newline="") as file:
        rows = [*csv.DictReader(file)]
    assert [(row["id"], row["state"]) for row in rows] == [
        (edited[0], "done"),
        (edited[1], "conflict"),
    ]
    assert {row["after"] for row in rows} == {"'=new"}
    assert "is <b>ihr Käse</b>, wanted =new" in rows[1]["reason"]


@pytest.mark.parametrize("stdout", ["full", "closed"])
def test_a_failure_to_tell_is_no_failure_to_do(
    command: Command, edited: list[str], client: SocialPublishing, stdout: str
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed, Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*PROGRAM, "apply", "names.plan"],
            env=environment(),
            stdout=full if stdout == "full" else closed,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert ended.returncode == 0, ended.stderr
    assert "2 done, 0 in conflict" in ended.stderr
    assert "Traceback" not in ended.stderr and "Exception" not in ended.stderr
    assert {client.posts.get(each).name for each in edited} == {"=new"}


def test_a_post_that_is_gone_meanwhile_is_a_conflict(
    command: Command, edited: list[str], client: SocialPublishing
) -> None:
    client.posts.delete_many(ids=edited[:1])
    ended = command("apply", "names.plan", "--output", "json")
    assert ended.status == 8
    told = {each["id"]: each for each in json.loads(ended.out)}
    assert told[edited[0]]["state"] == "conflict"
    assert told[edited[0]]["reason"] == "the post no longer exists"
    assert told[edited[1]]["state"] == "done"


def test_a_saved_plan_is_shown_without_an_account(
    command: Command, edited: list[str], sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_out(monkeypatch)
    before = len(sandbox.requests())
    ended = command("show", "names.plan", "--output", "json")
    assert ended.status == 0, ended.err
    assert [(each["id"], each["after"]) for each in json.loads(ended.out)] == [
        (each, "=new") for each in edited
    ]
    assert "2 posts to change" in ended.err and "expires at" in ended.err
    assert len(sandbox.requests()) == before


def test_doctor_looks_at_the_sandbox(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    signed_out(monkeypatch)
    ended = command("doctor", "--sandbox", "--output", "json")
    found = {each["check"]: each for each in json.loads(ended.out)}
    assert ended.status == 0, ended.out
    assert found["base_url: request"]["state"] == "ok"
    assert found["token"]["found"] == "from the sandbox"


def test_a_filter_gives_texts_without_quotes(command: Command) -> None:
    plain = command("groups", "get", GROUP, "--jq", ".name, .id, [.id]").out.splitlines()
    assert plain[1:] == [GROUP, f'["{GROUP}"]']
    asked = command("groups", "get", GROUP, "--jq", ".id", "--output", "jsonl").out
    assert asked == f'"{GROUP}"\n'


WORDS: dict[type[Exception], list[str]] = {
    operations.ArgumentError: ["posts", "get", "x"],
    operations.MissingError: ["posts", "get-many", "1"],
    output.ColumnError: ["doctor", "--offline", "--columns", "none"],
    operations.PartlyDoneError: ["posts", "set-draft", "--is-draft", "--post-ids", PUBLISHED],
    plans.PlanError: ["apply", "0" * 12],
    plans.SheetError: ["plan", "names.csv"],
    profiles.SignInError: ["posts", "get", "1", "--profile", "nobody"],
    names.UnknownNameError: ["groups", "get", "x"],
    SocialPublishingError: ["posts", "get", "1"],
}


@pytest.mark.parametrize("kind", WORDS, ids=lambda kind: kind.__name__)
def test_an_error_names_the_page_that_explains_it(
    kind: type[Exception], edited: list[str], command: Command
) -> None:
    """With the package alone: the page comes with it, and a command shows it."""
    ended = command(*WORDS[kind])
    [page] = re.findall("^see: (.+)$", ended.err, re.MULTILINE)
    program, *words = page.split()
    shown = command(*words)
    assert (program, shown.status) == ("social-publishing", 0), shown.err
    head = shown.out.splitlines()[0].lstrip("# ")
    anchor = page.partition("#")[2]
    assert not anchor or anchor == re.sub("[^a-z]+", "-", head.lower())
    assert "](" not in shown.out and "<!--" not in shown.out
    assert json.loads(command(*WORDS[kind], "--output", "json").err)["documentation"] == page


@pytest.mark.parametrize("base", ["StatusError", "NotFoundError", "PartialFailure"])
def test_an_error_without_a_section_leads_to_that_of_its_base(base: str, command: Command) -> None:
    """A confirmed overlay can add a status, and with it a class that no page names."""
    led = {"documentation": "python -m pydoc social_publishing.errors.PaymentRequiredError"}
    kind = type("PaymentRequiredError", (getattr(social_publishing, base),), led)
    page = pages.where(pages.explained(kind.__new__(kind)))
    assert page == f"social-publishing help errors#{base.lower()}"
    assert command(*page.split()[1:]).status == 0


def test_with_the_address_of_the_published_pages_errors_name_that(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = pages.catalogue("pages")
    published = {**shipped, "address": "https://docs.example/client/"}
    monkeypatch.setattr(pages, "catalogue", lambda of: published)
    for words, page in (
        (["posts", "get", "x"], "errors.html#argumenterror"),
        (["groups", "get", "1"], "errors.html#notfounderror"),
        (["plan", "none.csv"], "month-from-a-spreadsheet.html#plan"),
    ):
        assert f"see: https://docs.example/client/{page}\n" in command(*words).err


@pytest.mark.parametrize("topic", ["errors", "errors#notfounderror", "NotFoundError", "month from"])
def test_help_shows_pages_headings_and_commands(command: Command, topic: str) -> None:
    shown = command("help", *topic.split())
    if topic == "month from":
        assert shown.status == 2
        assert "Did you mean" in shown.err
    else:
        assert shown.status == 0
        assert "404: there is no such" in shown.out
        assert ("401" in shown.out) is (topic == "errors")
    assert command("help", "export", "posts").out.startswith(
        "Usage: social-publishing export posts"
    )


def test_a_topic_has_all_that_is_below_its_heading_and_nothing_else() -> None:
    found = iter([*pages.sections()])
    for text in pages.pages().values():
        fences = re.compile("^```.*?^```", re.MULTILINE | re.DOTALL)
        levels = [len(each) for each in re.findall("^(#{1,4}) ", fences.sub("", text), re.M)]
        for at, level in enumerate(levels):
            below = [*takewhile(lambda each, level=level: each > level, levels[at + 1 :])]
            shown = re.findall("^(#{1,4}) ", fences.sub("", next(found).text), re.MULTILINE)
            assert [*map(len, shown)] == [level, *below]
    assert next(found, None) is None


def test_a_file_that_another_program_holds_open_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where a sheet that is open cannot be replaced: the error names the sheet."""
    sheet = tmp_path / "month.csv"
    sheet.write_text("kept", encoding="utf-8")

    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(13, "It is being used by another process", str(self), 32, str(target))

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(PermissionError) as error, replacing(sheet) as new:
        new.write_text("new", encoding="utf-8")
    assert error.value.filename == str(sheet)
    assert [each.name for each in tmp_path.iterdir()] == ["month.csv"]
    assert sheet.read_text(encoding="utf-8") == "kept"


RECORDS: list[dict[str, Any]] = [
    {
        "id": "9032915132417572866",
        "name": "Rye\x1b[1m",
        "when": "2037-12-01T09:00:15Z",
        "made": "2037-12-01T09:00:00Z",
        "open": True,
        "count": 0,
        "of": [{"id": "1", "name": "One"}, {"id": "2"}, {"x": 1}, "plain"],
        "at": {"timezone": "Asia/Tokyo", "day": "2037-12-02 09:00", "days": ["2037-12-03 09:00"]},
        "author.name": "dotted",
        "more": {"a": {"b": None}},
    },
    {"id": "8", "name": "=1+1", "made": "2037-12-02T09:00:00Z", "count": 1250.5, "extra": "here"},
]
WRITTEN: list[tuple[dict[str, Any], str]] = [
    (
        {"form": "table"},
        """
id           9032915132417572866
name         Rye\\x1b[1m
when         Tue 2037-12-01 09:00:15 UTC
made         Tue 2037-12-01 09:00 UTC
open         yes
count        0
of           One, 2, …, plain
at.timezone  Asia/Tokyo
at.day       Wed 2037-12-02 09:00 Asia/Tokyo
at.days      Thu 2037-12-03 09:00 Asia/Tokyo
author.name  dotted

id     8
name   =1+1
made   Wed 2037-12-02 09:00 UTC
count  1250.5
extra  here

""",
    ),
    (
        {"form": "table", "columns": ["count", "name", "made", "author.name", "at.day"]},
        """
                    made                               at.day
 count  name        (UTC)                 author.name  (Asia/Tokyo)
     0  Rye\\x1b[1m  Tue 2037-12-01 09:00  dotted       Wed 2037-12-02 09:00
1250.5  =1+1        Wed 2037-12-02 09:00
""",
    ),
    (
        {"form": "csv"},
        """
id,name,when,made,open,count,of,at.timezone,at.day,at.days,author.name,more.a.b,extra
9032915132417572866,Rye\x1b[1m,2037-12-01T09:00:15Z,2037-12-01T09:00:00Z,yes,0,"[{""id"": ""1"", \
""name"": ""One""}, {""id"": ""2""}, {""x"": 1}, ""plain""]",Asia/Tokyo,2037-12-02 09:00,\
"[""2037-12-03 09:00""]",dotted,,
8,'=1+1,,2037-12-02T09:00:00Z,,1250.5,,,,,,,here
""",
    ),
    ({"form": "csv", "columns": ["extra", "open"]}, ""),
    (
        {"form": "csv", "columns": ["extra", "open"], "fields": ["extra"]},
        "\nextra,open\n,yes\nhere,\n",
    ),
    ({"jq": ".name"}, "\nRye\x1b[1m\n=1+1\n"),
    ({"jq": ".count", "columns": ["id"]}, "\n0\n1250.5\n"),
    (
        {"columns": ["at.days", "author.name"]},
        """
{"at.days":["2037-12-03 09:00"],"author.name":"dotted"}
{"at.days":null,"author.name":null}
""",
    ),
]


def test_results_are_written_alike_in_each_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    for how, text in WRITTEN:
        to = io.StringIO()
        if text:
            assert output.write(RECORDS, to=to, **how) == 2
        else:
            with pytest.raises(output.ColumnError, match="no field 'extra'"):
                output.write(RECORDS, to=to, **how)
        lines = [line.rstrip() for line in to.getvalue().splitlines()]
        assert lines == text.splitlines()[1:]
    for is_single in (False, True):
        to = io.StringIO()
        output.write([{"a": 1}], to=to, form="json", single=is_single)
        assert json.loads(to.getvalue()) == ({"a": 1} if is_single else [{"a": 1}])
    shown = io.StringIO()
    monkeypatch.setattr(shown, "isatty", lambda: True)
    output.write(RECORDS, to=shown, jq=".name")
    assert shown.getvalue() == "Rye\\x1b[1m\n=1+1\n"


def test_a_table_that_just_fits_is_one_and_identifiers_are_never_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ids, text = "1234567890" * 2, "long text " * 9
    record = {"name": "x" * 12, "post_id": ids, "note": text, "id": ids}
    for columns, is_table in ((63, False), (64, True)):  # 12 + 20 + 8 + 20, and between them
        monkeypatch.setenv("COLUMNS", str(columns))
        to = io.StringIO()
        output.write([record], to=to, form="table")
        lines = to.getvalue().splitlines()
        assert (lines[0].split() == [*record]) == is_table
        assert not is_table or lines[1].split()[::4] == ["x" * 12, ids]
        assert to.getvalue().count(ids) == 2
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((50, 9)))
    given = {"70": 70, "": 50, "0": 50, "x": 50}
    for text, columns in given.items():
        monkeypatch.setenv("COLUMNS", text)
        assert output.width_of(sys.__stderr__ or sys.stderr) == columns


def test_readings_are_for_their_owner_and_what_is_cut_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "of" / "a.jsonl"
    first = Readings(path, resumes=True)
    for kind, identifier, value in (
        ("group", "1", ["UTC", []]),
        ("post", "2", None),
        ("group", "3", 0),
    ):
        first.keep(kind, identifier, value)
    assert os.name != "posix" or path.stat().st_mode & 0o77 == 0
    damaged = (
        b'[1]\nnull\n7\n{"a": 1, "b": 2}\n' + b"[" * 100_000 + b'\n["group", "4", [\n["post", '
    )
    path.write_bytes(path.read_bytes() + damaged)
    again = Readings(path, resumes=True)
    for known in (first, again):
        assert known.counts == {"group": 2, "post": 1}
        assert (known.get("group", "1"), known.get("group", "3")) == (["UTC", []], 0)
        assert known.get("group", "4") is known.get("post", "1") is known.get("note", "1") is None
    anew = Readings(path, resumes=False)
    assert (anew.counts, path.exists()) == ({}, False)


@pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")
def test_a_new_file_has_the_usual_permissions_and_leaves_them_so(tmp_path: Path) -> None:
    usual = os.umask(0o027)
    try:
        for name, given, mode in (
            *(("a", None, 0o640), ("b", None, 0o640), ("c", 0o600, 0o600)),
            *(("a", 0o600, 0o600), ("a", None, 0o600), ("a", 0o644, 0o644)),
        ):
            with replacing(tmp_path / name, given) as new:
                new.write_text("x")
            assert (tmp_path / name).stat().st_mode & 0o777 == mode
        assert [each.name for each in sorted(tmp_path.iterdir())] == ["a", "b", "c"]
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(usual)


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.sampled_from("xy"), min_size=1)))
def test_a_csv_has_what_any_of_its_rows_has(rows: list[dict[str, str]]) -> None:
    """Also where the first row lacks a column, or reading ends in an error."""

    def read() -> Iterator[dict[str, Any]]:
        yield from ({"id": "1", "of": row} for row in rows)
        raise ValueError

    written = io.StringIO()
    with pytest.raises(ValueError):
        output.write(read(), form="csv", to=written)
    came = [*csv.DictReader(io.StringIO(written.getvalue()))]
    assert [{n: each for n, each in row.items() if each} for row in came] == [
        {"id": "1"} | {f"of.{name}": each for name, each in row.items()} for row in rows
    ]
