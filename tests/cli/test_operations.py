"""Every method of the client is a command, and sends what the method sends."""

from __future__ import annotations

import datetime as dt
import inspect
import io
import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import jq
import pytest
from cli_support import GROUP, Command, rows_of, run_apart, write
from hypothesis import given, settings
from hypothesis import strategies as st
from social_publishing import Attempt, SocialPublishing
from social_publishing.models import PostStatus

from social_publishing_cli import operations, output
from social_publishing_cli.catalogues import catalogue
from social_publishing_cli.operations import command_of
from social_publishing_sandbox import Sandbox
from tests.support.documents import limit_of

LONGEST = limit_of("replaceGroup", "name")
COMMANDS = [
    (resource, method) for resource, found in catalogue().items() for method in found["commands"]
]
SAMPLES: dict[str, tuple[str, Any]] = {
    "text": ("some text", "some text"),
    "id": ("7", "7"),
    "integer": ("3", 3),
    "number": ("0.5", 0.5),
}


def samples(argument: dict[str, Any], file: Path) -> tuple[list[str], Any]:
    """A value for an argument: as words of the command line, and as Python has it."""
    kind = argument["kind"]
    if kind in ("flag", "switch"):
        return [], True
    if kind == "file":
        return [str(file)], str(file)
    if choices := argument.get("choices"):
        name, value = next(iter(choices.items()))
        text: Any = name
    elif argument["name"] == "timezone":
        text = value = "Europe/Berlin"
    else:
        text, value = SAMPLES[kind]
    return [text], [value] if argument.get("many") else value


class _Caught(Exception):
    pass


@pytest.mark.parametrize(("resource", "method"), COMMANDS)
def test_a_command_sends_what_the_method_sends(
    resource: str, method: str, command: Command, sandbox: Sandbox, tmp_path: Path
) -> None:
    file = tmp_path / "clip.mp4"
    file.write_bytes(b"x")
    known = catalogue()[resource]["commands"][method]
    words, positional, named, tail = [], [], {}, []
    for argument in known.get("arguments", []):
        if argument["kind"] == "json" or argument["kind"] == "moment":
            continue
        texts, value = samples(argument, file)
        if argument.get("positional"):
            tail += texts
            positional.append(value)
        else:
            words += [f"--{argument['name'].replace('_', '-')}", *texts]
            named[argument["name"]] = value
    moments = [each for each in known.get("arguments", []) if each["kind"] == "moment"]
    for day, argument in enumerate(moments, 1):
        moment = dt.datetime(2026, 12, day, tzinfo=dt.UTC)
        words += [f"--{argument['name'].replace('_', '-')}", moment.isoformat()]
        named[argument["name"]] = moment
    sent: list[Attempt] = []

    def catch(attempt: Attempt, send: Any) -> Any:
        sent.append(attempt)
        raise _Caught

    with SocialPublishing(
        api_token=sandbox.token,
        base_url=sandbox.base_url,
        media_url=sandbox.media_url,
        middleware=[catch],
    ) as client:
        call = getattr(getattr(client, resource), method)
        with pytest.raises(_Caught), warnings.catch_warnings(action="ignore"):
            next(iter(call(*positional, **named)))
    word = resource.replace("_", "-"), method.replace("_", "-")
    ended = command(*word, *words, "--dry-run", "--", *tail)
    assert ended.status == 0, ended.err
    head, _, body = ended.out.partition("\n\n")
    first, *headers = head.splitlines()
    assert first == f"{sent[0].method} {sent[0].url}"
    assert not any(line.lower().startswith("authorization") for line in headers)
    assert sandbox.token not in ended.out
    if isinstance(sent[0].body, bytes):
        assert json.loads(body) == json.loads(sent[0].body)
    assert not sandbox.requests()


READING: dict[str, tuple[str, ...]] = {
    "export posts": ("export", "posts", "--group", GROUP, "-o", "month.csv"),
    "plan": ("plan", "edited.csv"),
    "plan --rehearse": ("plan", "edited.csv", "--rehearse"),
    "show": ("show", "saved.plan"),
    "apply": ("apply", "saved.plan"),
    "status": ("status",),
    "status PLAN": ("status", "saved.plan"),
    "undo": ("undo", "--yes"),
    "calendar": ("calendar", "--group", GROUP, "--month", "2026-12"),
    "metrics": ("metrics", "--group", GROUP),
    "names": ("names",),
    "doctor": ("doctor",),
    "posts list": ("posts", "list", "--group-id", GROUP),
    "posts get": ("posts", "get", "POST"),
    "posts get-many": ("posts", "get-many", "POST"),
    "posts activities": ("posts", "activities", "POST"),
    "posts metrics": ("posts", "metrics", "POST"),
    "groups get": ("groups", "get", GROUP),
    "calendar-notes list": (
        *("calendar-notes", "list", "--start", "2026-12-01T00:00Z", "--end", "2026-12-30T00:00Z"),
    ),
}
_LOCAL = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?")


def unzoned(value: Any, has_zone: bool = False) -> Iterator[str]:
    """Yield the times in a value of JSON that name no zone, and have none beside them."""
    if isinstance(value, dict):
        has_zone = has_zone or bool(value.get("timezone"))
        for member in value.values():
            yield from unzoned(member, has_zone)
    elif isinstance(value, list):
        for member in value:
            yield from unzoned(member, has_zone)
    elif isinstance(value, str) and _LOCAL.fullmatch(value) and not has_zone:
        yield value


def test_every_time_as_json_has_its_zone(
    command: Command, client: SocialPublishing, tmp_path: Path
) -> None:
    """A time has an offset, or `timezone` stands beside it; what documents say is no time here."""
    [post] = [p for p in client.posts.list(group_id=GROUP) if p.status == 40][:1]
    found: dict[str, list[str]] = {}
    for name, words in READING.items():
        words = tuple(post.id if word == "POST" else word for word in words)
        form = () if name == "export posts" else ("--output", "json")
        ended = command(*words, *form)
        assert ended.status == 0, (name, ended.err)
        if name == "export posts":
            rows = [row for row in rows_of(tmp_path / "month.csv") if row["status"] == "scheduled"]
            rows[0]["publication_date"] = f"{rows[0]['publication_date'][:11]}13:37"
            write(tmp_path / "edited.csv", rows)
            assert command("plan", "edited.csv", "-o", "saved.plan").status == 0
        else:
            assert json.loads(ended.out), name
            found[name] = [*unzoned(json.loads(ended.out))]
    assert {name: times for name, times in found.items() if times} == {}


def test_every_method_with_writable_arguments_is_a_command(client: SocialPublishing) -> None:
    assert catalogue()
    for resource, found in catalogue().items():
        for name, method in inspect.getmembers(getattr(client, resource), inspect.ismethod):
            if name.startswith("_") or name in found["commands"]:
                continue
            required = [
                parameter
                for parameter in inspect.signature(method).parameters.values()
                if parameter.default is parameter.empty
            ]
            kinds = {str(each.annotation) for each in required}
            assert not kinds <= {"str", "Sequence[str]", "Iterable[str]"}, (resource, name)


def test_columns_of_the_catalogue_are_fields(client: SocialPublishing, command: Command) -> None:
    [post] = [p for p in client.posts.list(group_id=GROUP) if p.status == 40][:1]
    for words in (
        ("posts", "list", "--group-id", GROUP),
        ("posts", "metrics", post.id),
        ("posts", "activities", post.id),
        ("calendar-notes", "list", "--start", "2026-11-01T00:00Z", "--end", "2026-12-30T00:00Z"),
    ):
        resource, method = (word.replace("-", "_") for word in words[:2])
        columns = catalogue()[resource]["commands"][method]["columns"]
        ended = command(*words, "--output", "jsonl")
        assert ended.status == 0, ended.err
        found = [json.loads(line) for line in ended.out.splitlines()]
        assert found
        fields = {name for each in found for name in each}
        assert set(columns) <= fields | {"guest_name", "data"}, words


def test_deleting_asks_and_without_a_terminal_refuses(
    command: Command, sandbox: Sandbox, client: SocialPublishing
) -> None:
    post = next(iter(client.posts.list(group_id=GROUP)))
    count = len(sandbox.requests())
    ended = command("posts", "delete-many", post.id)
    assert (ended.status, ended.out) == (2, "")
    assert len(sandbox.requests()) == count


@pytest.mark.parametrize("between", ["\n", ",", ", ", " ", "; ", "|", '",\n"'])
def test_identifiers_come_with_anything_between_them_also_from_standard_input(
    between: str, command: Command, client: SocialPublishing, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [post.id for post in client.posts.list(group_id=GROUP)][:3]
    text = f'"{between.join(ids)}",\n\n'
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    for word in ("-", text):
        ended = command("posts", "get-many", word, "--jq", ".id")
        assert ended.out.splitlines() == ids, ended.err


def test_what_is_missing_is_told_and_the_rest_is_written(
    command: Command, client: SocialPublishing
) -> None:
    post = next(iter(client.posts.list(group_id=GROUP)))
    ended = command("posts", "get-many", "7", post.id, "--columns", "id")
    assert (ended.status, json.loads(ended.out)) == (3, {"id": post.id})
    assert "not found: 7" in ended.err


def test_what_was_left_alone_is_told_with_the_status_of_what_is_partly_done(
    command: Command, client: SocialPublishing
) -> None:
    """The service does not fail over posts that it skips; the command writes all that it said."""
    posts = {each.status: each.id for each in client.posts.list(group_id=GROUP)}
    draft, published = (posts[PostStatus[each]] for each in ("DRAFT", "PUBLISHED"))
    for ids, moved in (([published], []), ([published, draft], [draft]), ([draft], [draft])):
        words = (word for each in ids for word in ("--post-ids", each))
        ended = command("posts", "set-draft", "--is-draft", *words, "--jq", ".post_ids[]")
        skipped = published in ids
        assert ended.out.split() == moved and ended.status == 8 * skipped, ended.err
        assert (f"partly done; skipped_published: {published}" in ended.err) == skipped


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(min_size=1), inner),
    max_leaves=10,
)


@settings(max_examples=40)
@given(st.lists(st.dictionaries(st.text(min_size=1), JSON), max_size=4))
def test_formats_hold_the_same(records: list[dict[str, Any]]) -> None:
    def written(form: str) -> str:
        to = io.StringIO()
        output.write(records, to=to, form=form)
        return to.getvalue()

    assert json.loads(written("json")) == records
    assert [json.loads(line) for line in written("jsonl").split("\n")[:-1]] == records
    written("table")
    written("csv")


def test_jq_is_that_of_jq(command: Command) -> None:
    ended = command("posts", "list", "--group-id", GROUP, "--jq", "{id, n: (.content | length)}")
    plain = command("posts", "list", "--group-id", GROUP)
    expected = [
        jq.first("{id, n: (.content | length)}", json.loads(line))
        for line in plain.out.splitlines()
    ]
    assert [json.loads(line) for line in ended.out.splitlines()] == expected
    refused = command("--jq", ".[", "posts", "list", "--group-id", GROUP)
    assert (refused.status, refused.out, "--jq: " in refused.err) == (2, "", True)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["posts", "updat"], "Did you mean 'update'?"),
        (["posts", "update", "7", "--contnet", "x"], "--content"),
        (["posts", "update", "7", "--publication-date", "tomorrow"], "not a time with a time zone"),
        (["posts", "update", "7", "--publication-date", "2026-02-30T09:00Z"], "has 28 days"),
        (["posts", "update", "7", "--publication-date", "2026-12-24T09:00"], "2026-12-24T09:00+01"),
        (
            ["posts", "update", "7", "--publication-date", "2026-10-25 02:30 in Europe/Berlin"],
            "write 2026-10-25T02:30+02:00 or +01:00",
        ),
        (["posts", "update", "7"], "nothing to change"),
        (["posts", "update", "7", "--name", "@nowhere.txt"], "nowhere.txt"),
        (["posts", "update", "7", "--customized", "{"], "is not JSON"),
        (["posts", "update", "7", "--customized", '{"twitter": {"content": 7}}'], "--customized"),
        (["posts", "update", "7", "--customized", "@nowhere.json"], "nowhere.json"),
        (["posts", "update", "abc", "--name", "x"], "POST_ID: 'abc' must be digits only"),
        (["posts", "list", "--page", "0"], "--group or --social-account-ids"),
        (
            ["groups", "update", GROUP, "--name", "x" * (LONGEST + 1)],
            f"--name: at most {LONGEST} characters",
        ),
        (
            ["posts", "update", "7", "--publication-date", "2026-12-24T09:00:30Z"],
            "--publication-date: ",
        ),
        (["posts", "update", "7", "--first-comments", "5"], "--first-comments: must be an object"),
        (["media", "status", "7", "8"], "extra argument"),
        (["media", "upload", "nowhere.mp4"], "nowhere.mp4"),
        (["exprot"], "Did you mean 'export'?"),
        (["plan"], "Missing argument 'SHEET'"),
        (["export", "posts", "--group", "x", "-o", "x.doc"], "use .csv, .xlsx"),
        (["export", "posts", "--group", "x", "--month", "12/2026"], "write it as 2026-12"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_sent(
    command: Command, sandbox: Sandbox, words: list[str], reason: str
) -> None:
    ended = command(*words)
    assert (ended.status, ended.out) == (2, "")
    assert reason in ended.err
    assert json.loads(command(*words, "--output", "json").err)["exit_status"] == 2
    assert not sandbox.requests()


@pytest.mark.parametrize("given", ["-", "@text.txt", "@@mira says"])
def test_a_text_may_come_from_a_file(
    command: Command,
    client: SocialPublishing,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    given: str,
) -> None:
    text = "@mira says" if given.startswith("@@") else "Zwei\nZeilen 🥐\n"
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    post = next(each for each in client.posts.list(group_id=GROUP) if each.status == 5)
    assert command("posts", "update", post.id, "--content", given).status == 0
    assert client.posts.get(post.id).content == text


def test_every_nullable_argument_can_be_null(command: Command) -> None:
    options = [
        "--title",
        "x",
        "--content",
        "y",
        "--color",
        "1",
        "--start-date",
        "2026-12-01T09:00Z",
    ]
    options += ["--end-date", "2026-12-01T10:00Z", "--no-is-private", "--visible-for-client"]
    words = ["calendar-notes", "replace", "7", *options, "--dry-run"]
    missing = command(*words)
    assert (missing.status, "Missing option '--group'" in missing.err) == (2, True)
    shown = command(*words, "--empty", "group")
    assert shown.status == 0, shown.err
    assert json.loads(shown.out.partition("\n\n")[2])["group_id"] is None


JUNK = {
    **{"id": "a b", "integer": "-99999999999999999999", "number": "nan", "text": "\0" * 5000},
    **{"moment": "0001-01-01T00:00+14:00", "date": "2026-13-01", "json": '[{"a": [null]}]'},
    **{"file": __file__},
}


@pytest.mark.parametrize(("resource", "method"), COMMANDS)
def test_no_python_is_in_what_is_wrong(command: Command, resource: str, method: str) -> None:
    arguments = catalogue()[resource]["commands"][method]["arguments"]
    valued = [each for each in arguments if each["kind"] not in ("flag", "switch")]
    assert valued
    for broken in valued:
        words = [resource.replace("_", "-"), method.replace("_", "-"), "--dry-run"]
        for each in valued:
            if each is broken or each.get("required"):
                option = [] if each.get("positional") else [f"--{each['name'].replace('_', '-')}"]
                words += [*option, JUNK[each["kind"]] if each is broken else "7"]
        told = command(*words).err
        assert not re.search(
            r"\b[a-z]+\.[a-z_]+: |\b[a-z]+_[a-z_]+: |None|iterable|datetime|<class"
            r"|`(int|str|float|bool)`|mistake in this program",
            told,
        ), told


@pytest.mark.parametrize("at", range(3))
@pytest.mark.parametrize(
    "words",
    [
        *(("groups", "get", GROUP), ("export", "posts", "--group", GROUP), ("auth", "status")),
        *(("doctor",), ("metrics", f"--group={GROUP}"), ("status",)),
    ],
)
def test_a_sandbox_can_be_asked_for_anywhere(
    run_command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    at: int,
) -> None:
    monkeypatch.setenv("SOCIAL_PUBLISHING_CONFIG", str(tmp_path))
    ended = run_command(*words[:at], "--sandbox", *words[at:])
    assert ended.status == 0, ended.err


def test_a_sandbox_whose_file_is_broken_names_the_file(
    run_command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOCIAL_PUBLISHING_CONFIG", str(tmp_path))
    (tmp_path / "sandbox.db").write_text("no database")
    ended = run_command("groups", "get", GROUP, "--sandbox")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith("error: ") and str(tmp_path / "sandbox.db") in ended.err
    assert "mistake" not in ended.err


def test_no_python_is_in_help(command: Command) -> None:
    assert catalogue()
    for resource, known in catalogue().items():
        for name, each in known["commands"].items():
            words = resource.replace("_", "-"), name.replace("_", "-")
            status, shown, _ = command(*words, "--help")
            assert status == 0
            assert not re.search(r"\.pages\(|iterable|None is|datetime|\w\.\w+_\w+`", shown)
            assert each["summary"] in shown


@pytest.mark.parametrize(
    "words",
    [
        ["posts", "list", "--group-id", GROUP],
        ["export", "posts", "--group", GROUP],
        ["groups", "get", GROUP],
    ],
)
@pytest.mark.parametrize("form", output.FORMATS)
def test_an_unknown_column_is_reported_before_any_write(
    command: Command, words: list[str], form: str
) -> None:
    ended = command(*words, "--columns", "id,nmae", "--output", form)
    assert (ended.status, ended.out) == (2, "")
    assert "no field 'nmae'; did you mean name?" in ended.err


def test_a_field_that_a_response_left_out_is_empty(command: Command) -> None:
    ended = command("posts", "list", "--group-id", GROUP, "--columns", "id,labels,details.id")
    assert ended.status == 0
    assert {tuple(json.loads(line)) for line in ended.out.splitlines()} == {
        ("id", "labels", "details.id")
    }


def test_a_table_has_one_line_for_each_record(command: Command) -> None:
    words = ("posts", "list", "--group", GROUP)
    above, head, *lines = command(*words, "--output", "table").out.splitlines()
    records = [json.loads(line) for line in command(*words).out.splitlines()]
    assert [line.split()[0] for line in lines] == [each["id"] for each in records]
    assert (above.split(), head.split()) == (
        ["publication_date"],
        ["id", "(UTC)", "status", "name", "content"],
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_is_written_is_utf_8_whatever_the_system_says(command: Command, encoding: str) -> None:
    ended = run_apart("posts", "list", "--group-id", GROUP, PYTHONIOENCODING=encoding)
    assert (ended.status, ended.err) == (0, "")
    contents = [json.loads(line)["content"] or "" for line in ended.out.splitlines()]
    assert any(not each.isascii() for each in contents)


def test_completion_is_there(command: Command) -> None:
    asked = {"COMP_WORDS": "social-publishing posts upd", "COMP_CWORD": "2"}
    ended = run_apart(_SOCIAL_PUBLISHING_COMPLETE="bash_complete", **asked)
    assert "plain,update" in ended.out


KINDS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "text": ({"ab": "ab", "@@x": "@x", "5": "5"}, ("@nothing",)),
    "id": ({"18446744073709551615": "18446744073709551615"}, ()),
    "integer": ({"5": 5, "-5": -5}, ("2.5", "x", "")),
    "number": ({"2.5": 2.5, "5": 5.0, "-0.5": -0.5}, ("x", "")),
    "moment": (
        {
            f"2026-12-01T09:00{offset}": dt.datetime(2026, 12, 1, 9, tzinfo=dt.UTC)
            for offset in (":00Z", "Z", "+00", "-00", "+0000", "+00:00", ":00.5-00")
        },
        ("x", "2026-12-01T09:00", "2026-12-01"),
    ),
    "date": ({"2026-12-01": dt.date(2026, 12, 1)}, ("x", "2026-13-01", "2026-12-01T09:00:00Z")),
    "json": ({'{"a": [1]}': {"a": [1]}, "null": None}, ("{", "@nothing")),
    "file": ({__file__: __file__}, ("nothing", str(Path(__file__).parent))),
}  # fmt: skip
"""What each kind of argument takes and refuses, as people write it."""


@pytest.mark.parametrize("positional", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_argument_is_read(
    monkeypatch: pytest.MonkeyPatch, kind: str, positional: bool
) -> None:
    """Of two, each is itself."""
    words = {"kind": kind, "doc": "d", "positional": positional}
    monkeypatch.setitem(
        catalogue()["posts"]["commands"]["update"],
        "arguments",
        [{"name": "one", **words}, {"name": "other", **words}],
    )
    command = command_of("posts", "update")
    taken, refused = KINDS[kind]

    def read(*values: str) -> tuple[Any, Any]:
        given = ["--", *values] if positional else [f"--one={values[0]}", f"--other={values[1]}"]
        found = command.make_context("update", given).params
        return found["one"], found["other"]

    first, *_ = taken
    for text, value in taken.items():
        assert read(text, first) == (value, taken[first])
        assert type(read(first, text)[1]) is type(value)
    for text in refused:
        with pytest.raises(click.UsageError):
            read(first, text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2027-02-30", "February 2027 has 28 days"),
        ("2026-13-01", "there is no month 13"),
        ("tomorrow", "write 2026-12-24"),
        ("2026-12-01T09:00Z", "write 2026-12-24"),
    ],
)
def test_what_is_wrong_with_a_date_is_said(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^'{text}' is not a date: {reason}$"):
        operations._date(text)


def test_a_flag_is_given_in_two_ways_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = [{"name": name, "kind": "flag", "doc": "d"} for name in ("one", "other")]
    monkeypatch.setitem(catalogue()["posts"]["commands"]["update"], "arguments", flags)
    for words, found in (
        ([], (None, None)),
        (["--one"], (True, None)),
        (["--no-other"], (None, False)),
        (["--no-one", "--other"], (False, True)),
    ):
        given = command_of("posts", "update").make_context("update", [*words]).params
        assert (given["one"], given["other"]) == found
