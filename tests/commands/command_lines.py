"""Command lines, drawn over the command trees as they are: a new option is drawn as soon as it is.

Nothing is said twice: which commands and options there are is read from click and argparse.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import click

Line = tuple[str, ...]

ODD = (
    *("", " ", "-", "--", "---", "-h", "--help", "--version", "=", "@", "@-", "@none", "a=b"),
    *(
        "0",
        "-1",
        "1",
        "1e999",
        "nan",
        "9" * 25,
        "9" * 5000,
        "x60",
        "off",
        "true",
        "null",
        "[",
        "{}",
    ),
    *("2026-12", "2026-13", "2026-12-24", "2026-12-24T09:00:00Z", "9999-12-31T23:59:59+00:00"),
    *("2026-12-24 09:00 in Europe/Berlin", "2027-03-28 02:30 in Europe/Berlin", "1 in Mars/Base"),
    *("\udcff", "\udcc3(", "naïve", "日本語", "\u202eevil", "\x1b[2J", "line\nbreak", "tab\t"),
    *("'", '"', "$HOME", "%s", "{0}", "*", "~", "..", "/", "/dev/null", "x" * 300, "y" * 5000),
    *("http://127.0.0.1:9/v1", "http://[", "ftp://x", "https://", "file:///etc/passwd"),
    *("9032915132417572866", "9032915132417572866,1", "sha256:" + "0" * 64, "0123456789ab"),
    *(
        "folder",
        "empty",
        "bytes.csv",
        "sheet.csv",
        "sheet.xlsx",
        "plan.json",
        "data.yaml",
        "new.csv",
    ),
    *(".id", "select(", "cp1252", "no-such-encoding", "%d.%m.%Y", "Europe/Berlin", "Nowhere/Land"),
)
"""Words that a person, a script or an accident may put anywhere. None names a host of others."""


@dataclass(frozen=True)
class Node:
    """A command with its options.

    Attributes:
        path: the words that lead to it.
        options: each with whether it takes a value, and values that fit.
        required: those without which it does nothing.
        positionals: how many values it takes, and those that fit.
        children: the names of the commands below it.
    """

    path: Line
    options: dict[str, tuple[bool, Line]] = field(default_factory=dict)
    required: Line = ()
    positionals: tuple[Line, ...] = ()
    children: Line = ()


FITTING = {
    "integer": ("1", "30", "200"),
    "integer range": ("1", "48"),
    "float": ("0.5", "12"),
    "float range": ("0", "0.1"),
    "time": ("2026-12-24T09:00+01:00", "2026-12-24 09:00 in Europe/Berlin"),
    "date": ("2026-12-24",),
    "json": ("{}", "[]", '{"facebook": {"content": "a"}}'),
    "file": ("sheet.csv", "bytes.csv"),
    "path": ("sheet.csv", "plan.json", "new.csv"),
    "text": ("Two loaves", "@sheet.csv"),
}
"""Values that fit, by the names that types have in click."""

IDS = ("9032915132417572866", "9032915132417572868", "1")


def _fitting(parameter: click.Parameter) -> Line:
    choices = tuple(map(str, getattr(parameter.type, "choices", ())))
    named = IDS if re.search(r"ids?$|groups?$", str(parameter.name)) else ()
    return choices or named or FITTING.get(parameter.type.name, ())


def of_click(command: click.Command, path: Line = ()) -> Iterator[Node]:
    """Yield a command of click, and all below it."""
    options: dict[str, tuple[bool, Line]] = {}
    positionals: list[Line] = []
    required: Line = ()
    for parameter in command.params:
        known = _fitting(parameter)
        if isinstance(parameter, click.Option):
            required += (parameter.opts[0],) * parameter.required
            for name in (*parameter.opts, *parameter.secondary_opts):
                options[name] = (not parameter.is_flag, known)
        else:
            positionals.append(known)
    children: Line = ()
    if isinstance(command, click.Group):
        context = click.Context(command)
        children = tuple(command.list_commands(context))
        for name in children:
            below = command.get_command(context, name)
            assert below is not None, (path, name)
            yield from of_click(below, (*path, name))
    yield Node(path, options, required, tuple(positionals), children)


def of_argparse(parser: argparse.ArgumentParser, path: Line = ()) -> Iterator[Node]:
    """Yield a parser, and all below it."""
    options: dict[str, tuple[bool, Line]] = {}
    positionals: list[Line] = []
    children: dict[str, argparse.ArgumentParser] = {}
    required: Line = ()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            children = dict(action.choices)
            continue
        known = tuple(map(str, action.choices or ()))
        required += tuple(action.option_strings[:1]) * action.required
        for name in action.option_strings:
            options[name] = (action.nargs != 0, known)
        if not action.option_strings:
            positionals.append(known)
    for name, below in children.items():
        yield from of_argparse(below, (*path, name))
    yield Node(path, options, required, tuple(positionals), tuple(children))


def parser_of(main: Callable[[Sequence[str]], Any], monkeypatch: Any) -> argparse.ArgumentParser:
    """Return the parser that a program makes of its command line."""
    found: list[argparse.ArgumentParser] = []

    def parse(parser: argparse.ArgumentParser, *_: Any, **__: Any) -> Any:
        found.append(parser)
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(argparse.ArgumentParser, "parse_args", parse)
        with suppress(SystemExit):
            main(["--help"])
    return found[0]


def systematic(nodes: Sequence[Node]) -> Iterator[Line]:
    """Yield each prefix of each command, each option alone, without its value, twice, and empty."""
    for node in nodes:
        yield from (node.path, (*node.path, ""), (*node.path, "--"), (*node.path, "--no-such"))
        yield from ((*node.path, "no-such"), (*node.path, "\udcff"))
        for option, (_, known) in node.options.items():
            value = known[0] if known else "1"
            yield (*node.path, option)
            yield (*node.path, option, "")
            yield (*node.path, option, value, option, value)
            yield (*node.path, f"{option}=")
            yield (*node.path, f"{option}=\udcff")


def drawn(nodes: Sequence[Node], random: Random) -> Iterator[Line]:
    """Yield lines without an end: such as a command takes, with an accident here and there."""
    while True:
        node = random.choice(nodes)
        words = [*node.path]
        for positional in node.positionals:
            for _ in range(random.choice((1, 1, 1, 1, 0, 2))):
                words.append(_value(positional, random))
        needed = node.required if random.random() < 0.9 else ()
        chosen = random.choice((0, 1, 1, 2, 3)) if node.options else 0
        for name in (*needed, *random.choices([*node.options], k=chosen)):
            takes, known = node.options[name]
            value = _value(known, random)
            if not takes:
                option = [name] if random.random() < 0.9 else [f"{name}={value}"]
            elif random.random() < 0.1:
                option = [name]
            else:
                option = random.choice(([name, value], [f"{name}={value}"]))
            at = random.randint(len(node.path), len(words))
            words[at:at] = option * random.choice((1, 1, 1, 1, 2))
        match random.randrange(12):
            case 0:
                words.insert(random.randint(0, len(words)), random.choice(ODD))
            case 1:
                words = words[: random.randint(0, len(words))]
            case 2:
                random.shuffle(words)
        yield tuple(words)


def _value(known: Line, random: Random) -> str:
    return random.choice(known) if known and random.random() < 0.8 else random.choice(ODD)
