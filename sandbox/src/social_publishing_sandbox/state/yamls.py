"""YAML that carries JSON values without loss, and that knows the line of each of them.

Reading follows the YAML 1.2 core schema: `no`, `12:30`, `1_000` and `2026-01-01` are texts. Writing
puts a text in quotes wherever any reader of YAML could take it for something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import yaml

_T = TypeVar("_T")
_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_PLAIN_TEXT = re.compile(r"[A-Za-z/<][A-Za-z0-9 ._/@+*;<>=-]*[A-Za-z0-9>]")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_CONSTANTS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


class YamlError(Exception):
    """A file cannot be read, is not YAML, or holds something else than what is expected.

    Attributes:
        reason: why, as a sentence without a full stop.
        line: the line of the file, counted from 1; None when the file cannot be read at all.
    """

    def __init__(self, file: str, reason: str, line: int | None = None, field: str = "") -> None:
        self.reason, self.line = reason, line
        where = file if line is None else f"{file}:{line}"
        super().__init__(f"{where}: {field}: {reason}" if field else f"{where}: {reason}")


def dump(value: Any) -> str:
    """Return a value as YAML, the same for equal values with keys in equal order."""
    text: str = yaml.dump(
        value, Dumper=_Writer, allow_unicode=True, sort_keys=False, width=100, line_break="\n"
    )
    return text


class Node:
    """A value in a YAML file, and where it stands.

    Each way to read it raises YamlError, with file, line and field, when the value is not of that
    kind.
    """

    def __init__(self, node: yaml.Node, file: str, field: str) -> None:
        self._node, self._file, self._field = node, file, field

    def data(self) -> Any:
        """Return the value, whatever it is."""
        try:
            return self._data(self._node)
        except RecursionError:
            self.fail("nested too deeply")

    def text(self) -> str:
        """Return a text."""
        return self._a(str, "a text")

    def integer(self) -> int:
        """Return a whole number."""
        return self._a(int, "a whole number")

    def boolean(self) -> bool:
        """Return true or false."""
        return self._a(bool, "true or false")

    def texts(self) -> dict[str, str]:
        """Return a mapping of names to texts."""
        return {name: node.text() for name, node in self.fields().items()}

    def items(self) -> Iterator[Node]:
        """Yield the members of a list."""
        if not isinstance(self._node, yaml.SequenceNode):
            self.fail("expected a list")
        for index, node in enumerate(self._node.value):
            yield Node(node, self._file, f"{self._field}[{index}]")

    def fields(self, required: str = "", optional: str | None = None) -> dict[str, Node]:
        """Return the members of a mapping.

        With `optional` given, these names and those in `required` are all that there may be.
        Both are names with spaces between them.
        """
        if not isinstance(self._node, yaml.MappingNode):
            self.fail("expected a mapping")
        fields: dict[str, Node] = {}
        for key, node in self._node.value:
            name = self._key(key)
            field = f"{self._field}.{name}" if self._field else name
            if name in fields:
                Node(key, self._file, field).fail("the key occurs twice")
            fields[name] = Node(node, self._file, field)
        for name in required.split():
            if name not in fields:
                self.fail(f"`{name}` is missing")
        if optional is not None:
            known = {*required.split(), *optional.split()}
            for name, child in fields.items():
                if name not in known:
                    child.fail(f"unknown; expected {', '.join(sorted(known))}")
        return fields

    def line(self, path: Sequence[str | int]) -> int:
        """Return the line, counted from 1, of what a path leads to, or of the last that is there.

        A member of a mapping begins on the line of its name.
        """
        node, line = self._node, self._node.start_mark.line
        for step in path:
            if isinstance(node, yaml.SequenceNode) and isinstance(step, int):
                node = node.value[step]
                line = node.start_mark.line
            elif isinstance(node, yaml.MappingNode):
                found = next((pair for pair in node.value if pair[0].value == step), None)
                if found is None:
                    break
                line, node = found[0].start_mark.line, found[1]
            else:
                break
        return int(line) + 1

    def fail(self, reason: str) -> NoReturn:
        """Raise YamlError for this value."""
        raise YamlError(self._file, reason, self._node.start_mark.line + 1, self._field)

    def _a(self, kind: type[_T], name: str) -> _T:
        value = self.data()
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.fail(f"expected {name}")
        return value

    def _key(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            Node(node, self._file, self._field).fail("a key must be a text")
        return str(node.value)

    def _data(self, node: yaml.Node) -> Any:
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        if isinstance(node, yaml.SequenceNode):
            return [self._data(item) for item in node.value]
        value = {self._key(key): self._data(item) for key, item in node.value}
        if len(value) != len(node.value):
            Node(node, self._file, self._field).fail("a key occurs twice")
        return value

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        text: str = node.value
        if not node.tag.endswith(":str"):
            Node(node, self._file, self._field).fail("tags are not used here")
        if node.style:
            return text
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if _INTEGER.fullmatch(text):
            return int(text)
        if _FLOAT.fullmatch(text):
            return float(text)
        return text


def read(path: Path) -> Node:
    """Read a YAML file and return its root.

    Raises:
        YamlError: the file cannot be read or is not YAML.
    """
    try:
        return parse(path.read_bytes().decode("utf-8-sig"), str(path))
    except OSError as error:
        raise YamlError(str(path), error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise YamlError(str(path), "not UTF-8", line) from None


def parse(text: str, file: str) -> Node:
    """Read a YAML text and return its root.

    Args:
        file: the name of the file that it is from.

    Raises:
        YamlError: it is not YAML.
    """
    try:
        node = yaml.compose(text, Loader=_Reader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(file, error.problem or "not YAML", mark.line + 1 if mark else 1) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise YamlError(file, f"not YAML: {reason}") from None
    if node is None:
        raise YamlError(file, "the file is empty", 1)
    return Node(node, file, "")


class _Reader(_Loader):  # type: ignore[misc]
    """Leaves plain scalars untyped: `Node` gives them their types."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  (PyYAML's own attribute)


class _Writer(_Dumper):  # type: ignore[misc]
    def ignore_aliases(self, data: Any) -> bool:
        """Equal values are written in full, each where it belongs."""
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
