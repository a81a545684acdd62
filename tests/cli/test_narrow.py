"""A terminal of 40 columns: no word of help, or of a message, is broken over two lines."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from itertools import pairwise

import click
import pytest
from cli_support import GROUP, Command, signed_out
from hypothesis import given
from hypothesis import strategies as st

from social_publishing_cli import output
from social_publishing_cli.command import app


class Screen(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


def every_command() -> Iterator[tuple[str, ...]]:
    def below(group: click.Group, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        yield path
        ctx = click.Context(group, info_name="x")
        for name in group.list_commands(ctx):
            command = group.get_command(ctx, name)
            assert command is not None
            if isinstance(command, click.Group):
                yield from below(command, (*path, name))
            else:
                yield *path, name

    return below(app, ())


PATHS = [*every_command()]


def found(path: tuple[str, ...]) -> click.Command:
    command: click.Command = app
    for name in path:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name)  # type: ignore[assignment]
    return command


def fits(line: str, width: int) -> bool:
    """Whether a line is no wider than it has to be: a single long word stands alone."""
    return len(line) <= width or len(line.split()) == 1


@pytest.mark.parametrize("width", ["40", "80"])
@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_help(
    command: Command, monkeypatch: pytest.MonkeyPatch, path: tuple[str, ...], width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    ended = command(*path, "--help")
    assert ended.status == 0, ended.err
    assert all(fits(line, int(width)) for line in ended.out.splitlines()), ended.out
    words = {*ended.out.split()}
    known = found(path)
    texts = [known.help or "", *(getattr(each, "help", None) or "" for each in known.params)]
    missing = {word for text in texts for word in text.replace("\b", "").split()} - words
    assert not missing
    assert len(PATHS) > 40


MISTAKES = [
    ["export", "posts", "--group", "Kornblume Bakery"],
    ["export", "posts"],
    ["posts", "get", "x"],
    ["posts", "list", "--output", "x.xlsx"],
    ["apply", "missing.csv"],
    ["plan", "mistakes.csv"],
    ["labels", "delete", "7"],
    ["auth", "login"],
    ["auth", "default-group", GROUP],
    ["undo"],
    ["help", "nothing of the kind"],
    ["months"],
    ["metrics", "--group", GROUP, "-o", "x.pdf"],
]


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_messages(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path, words: list[str]
) -> None:
    """The same words, in lines that fit; what asks without a terminal names what answers it."""
    rows = "id,publication_date,mine\n1,2026-13-01 09:00,\nx,tomorrow,\n"
    (tmp_path / "mistakes.csv").write_text(rows)
    monkeypatch.setenv("COLUMNS", "40")
    plain = command(*words)
    assert plain.status
    shown: list[str] = []

    def tell(text: str, to: object = None) -> None:
        screen = Screen()
        output_tell(text, screen)
        shown.append(screen.getvalue())

    output_tell = output.tell
    monkeypatch.setattr("social_publishing_cli.command.tell", tell)
    monkeypatch.setattr("social_publishing_cli.session.tell", tell)
    command(*words)
    narrow = "".join(shown)
    assert narrow.split() == plain.err.split()
    assert all(fits(line, 40) for line in narrow.splitlines())
    assert "--yes" not in plain.err  # whoever reads it is no person


@pytest.mark.parametrize("width", [40, 80, 120])
def test_doctor_breaks_no_word(
    command: Command, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    signed_out(monkeypatch)
    rows = [json.loads(line) for line in command("doctor", "--offline").out.splitlines()]
    monkeypatch.setenv("COLUMNS", str(width))
    shown = command("doctor", "--offline", "--output", "table").out
    assert all(len(line) <= width for line in shown.splitlines()), shown
    words = {word for row in rows for text in row.values() for word in text.split()}
    assert words and words <= {*shown.split()}
    assert ("check  " in shown) is (width > 40)  # a table, or a record for each


@given(st.integers(30, 200), st.integers(1, 30), st.lists(st.integers(1, 50), min_size=1))
def test_a_text_of_several_lines_has_room_in_a_table_or_stands_in_a_record(
    width: int, first: int, words: list[int]
) -> None:
    text = " ".join("x" * each for each in words)
    row = {"name": "n" * first, "found": text}
    screen = Screen()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLUMNS", str(width))
        output.write([row], to=screen, form="table", uncut=("found",))
    lines = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue()).splitlines()
    assert lines
    if lines[0].split() == ["name", "found"]:  # a table
        at = lines[0].index("found")
        assert width - at >= min(30, len(text))
        if all(each <= 30 for each in words):
            assert text.split() == " ".join(line[at:] for line in lines[1:]).split()


@given(st.text(st.sampled_from("ab-|/ 字é"), max_size=120), st.integers(5, 50))
def test_wrapping_keeps_every_word(text: str, width: int) -> None:
    text = " ".join(text.split())  # two blanks would count where they are left out at an end
    lines = output.wrapped(text, width).split("\n")
    assert " ".join(lines).split() == text.split()
    for line in lines:
        wide = sum(2 if char == "字" else 1 for char in line)
        assert wide <= width or len(line.split()) == 1
    for line, after in pairwise(lines):  # no line ends before it has to
        first = after.split()[0]
        assert sum(2 if char == "字" else 1 for char in f"{line} {first}") > width


def test_values_of_a_record_are_below_their_names(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    ended = command("groups", "get", GROUP, "--output", "table")
    assert all(len(line) <= 40 for line in ended.out.splitlines())
    assert "default_everyone_must_approve\n  no\n" in "\n".join(
        line.rstrip() for line in ended.out.splitlines()
    )
