"""YAML that carries JSON values without loss, and that knows the line of each of them.

Reading takes what JSON has, as the YAML 1.2 core schema writes it: `no`, `12:30`, `1_000`, `0x1F`,
`.inf` and `2026-01-01` are texts. Writing puts a text in quotes wherever any reader of YAML could
take it for something else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple, NoReturn

import yaml

from social_publishing_sandbox.state import reading
from social_publishing_sandbox.state.reading import ReadingError

_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_DEEPEST = 200  # levels of nesting
_REPEATED = 100_000  # values that aliases may repeat, all together
_DIGITS = 40  # of an integer, zeros in front included; the largest of 64 bits has 20
_TAGS = (None, "!", *(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map")))
_PLAIN_TEXT = re.compile(r"[A-Za-z/<][A-Za-z0-9 ._/@+*;<>=-]*[A-Za-z0-9>]")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_CONSTANTS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


def dump(value: Any) -> str:
    """Return a value as YAML, the same for equal values with keys in equal order."""
    text: str = yaml.dump(
        value, Dumper=_Writer, allow_unicode=True, sort_keys=False, width=100, line_break="\n"
    )
    return text


class Parsed(NamedTuple):
    """What a file holds, and what gives the line of a path in it."""

    data: Any
    line: reading.Line


def read(path: Traversable) -> Parsed:
    """Read a YAML file."""
    try:
        return parse(path.read_bytes().decode("utf-8-sig"), str(path))
    except OSError as error:
        raise ReadingError(str(path), error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ReadingError(str(path), "not UTF-8", line) from None


def parse(text: str, file: str) -> Parsed:
    """Read a YAML text."""
    builder = _Builder(file)
    try:
        root = builder.root(yaml.parse(text, Loader=_Reader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise ReadingError(
            file, error.problem or "not YAML", mark.line + 1 if mark else 1
        ) from None
    except (yaml.YAMLError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise ReadingError(file, f"is not valid YAML: {reason}") from None
    return Parsed(root.data, partial(_line, root))


@dataclass(slots=True)
class _Node:
    """A value, with the line of each of its members.

    Attributes:
        line: where it begins, counted from 1.
        members: of each member the line of its name, or its own, and its node.
        size: how many values it holds, itself included, with those that it repeats.
        height: levels of nesting inside of it.
    """

    line: int
    data: Any
    members: dict[str | int, tuple[int, _Node]]
    size: int = 1
    height: int = 0

    def add(self, step: str | int, line: int, node: _Node) -> None:
        self.members[step] = (line, node)
        self.size += node.size
        self.height = max(self.height, node.height + 1)


class _Builder:
    """Makes values of what a parser finds, however deep or often repeated somebody wrote them."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._anchors: dict[str, _Node] = {}
        self._repeated = 0

    def root(self, events: Iterator[Any]) -> _Node:
        """Return the only document of a file."""
        root = None
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                if root is not None:
                    self._fail("a second document begins", event, ())
                root = self._node(next(events), events, ())
        if root is None:
            raise ReadingError(self._file, "the file is empty", 1)
        return root

    def _node(self, event: Any, events: Iterator[Any], path: reading.Path) -> _Node:
        if isinstance(event, yaml.AliasEvent):
            return self._again(event, path)
        if len(path) > _DEEPEST:
            self._fail("nested too deeply", event, path)
        if event.tag not in _TAGS:
            self._fail("tags are not allowed", event, path)
        node = _Node(event.start_mark.line + 1, None, {})
        if isinstance(event, yaml.ScalarEvent):
            node.data = self._scalar(event, path)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._fill_list(node, events, path)
        else:
            self._fill_object(node, events, path)
        if event.anchor:
            self._anchors[event.anchor] = node
        return node

    def _again(self, event: Any, path: reading.Path) -> _Node:
        """Return the value that an alias repeats; one that is not complete is none yet."""
        node = self._anchors.get(event.anchor)
        if node is None:
            self._fail(
                f"there is no complete value with the anchor &{event.anchor} before it", event, path
            )
        self._repeated += node.size
        if self._repeated > _REPEATED:
            self._fail(f"aliases repeat more than {_REPEATED:,} values", event, path)
        if len(path) + node.height > _DEEPEST:
            self._fail("nested too deeply", event, path)
        return node

    def _fill_list(self, node: _Node, events: Iterator[Any], path: reading.Path) -> None:
        data: list[Any] = []
        node.data = data
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            index = len(data)
            member = self._node(event, events, (*path, index))
            data.append(member.data)
            node.add(index, member.line, member)

    def _fill_object(self, node: _Node, events: Iterator[Any], path: reading.Path) -> None:
        data: dict[str, Any] = {}
        node.data = data
        while not isinstance(key := next(events), yaml.MappingEndEvent):
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarEvent):
                self._fail("a key must be a text", key, path)
            name: str = key.value
            if name in data:
                self._fail("the key appears twice", key, (*path, name))
            member = self._node(next(events), events, (*path, name))
            data[name] = member.data
            node.add(name, line, member)

    def _scalar(self, event: Any, path: reading.Path) -> Any:
        """Return a text, or what a text without quotes means."""
        text: str = event.value
        if event.style or event.tag:
            return text
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if _INTEGER.fullmatch(text):
            if len(text) > _DIGITS or not -(1 << 63) <= int(text) < 1 << 64:
                self._fail("an integer of more than 64 bits", event, path)
            return int(text)
        if _FLOAT.fullmatch(text):
            if math.isinf(number := float(text)):
                self._fail("a number out of range", event, path)
            return number
        return text

    def _fail(self, reason: str, event: Any, path: reading.Path) -> NoReturn:
        raise ReadingError(self._file, reason, event.start_mark.line + 1, path)


def _line(node: _Node, path: reading.Path) -> int:
    """Return the line of what a path leads to, or of its owner; a member begins with its name."""
    line = node.line
    for step in path:
        if step not in node.members:
            break
        line, node = node.members[step]
    return line


class _Reader(_Loader):  # type: ignore[misc]
    """Leaves plain scalars untyped: `_Builder` gives them their types."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  (PyYAML's own attribute)


class _Writer(_Dumper):  # type: ignore[misc]
    def ignore_aliases(self, data: Any) -> bool:
        """Let equal values be written in full, each where it belongs."""
        return True


def _represent_text(dumper: Any, text: str) -> yaml.Node:
    style: str | None = '"'
    if _PLAIN_TEXT.fullmatch(text):
        style = None  # PyYAML still quotes what it would read as something else: yes, null, off
    elif "\n" in text.rstrip("\n") and not text.endswith("\n\n"):
        # A block that ends in empty lines would end the document too, in the eyes of libyaml.
        style = "|"
    node: yaml.Node = dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)
    return node


_Writer.add_representer(str, _represent_text)
