"""YAML that carries JSON values without loss, and that says where in the file each of them stands.

Reading follows the YAML 1.2 core schema: `no`, `12:30`, `1_000` and `2026-01-01` are texts. Writing
puts a text in quotes wherever any reader of YAML could take it for something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import yaml

from social_publishing_sandbox.recording.model import RecordingError

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


def dump(value: Any) -> str:
    """A value as YAML, the same for equal values with keys in equal order."""
    text: str = yaml.dump(
        value, Dumper=_Writer, allow_unicode=True, sort_keys=False, width=100, line_break="\n"
    )
    return text


class Node:
    """A value in a YAML file, and where it stands.

    Each way to read it raises RecordingError, with file, line and field, when the value is not of
    that kind.
    """

    def __init__(self, node: yaml.Node, file: str, field: str) -> None:
        self._node, self._file, self._field = node, file, field

    def data(self) -> Any:
        """The value, whatever it is."""
        try:
            return self._data(self._node)
        except RecursionError:
            self.fail("nested too deeply")

    def text(self) -> str:
        """A text."""
        return self._a(str, "a text")

    def integer(self) -> int:
        """A whole number."""
        return self._a(int, "a whole number")

    def boolean(self) -> bool:
        """True or false."""
        return self._a(bool, "true or false")

    def texts(self) -> dict[str, str]:
        """A mapping of names to texts."""
        return {name: node.text() for name, node in self.fields().items()}

    def items(self) -> Iterator[Node]:
        """The members of a list."""
        if not isinstance(self._node, yaml.SequenceNode):
            self.fail("expected a list")
        for index, node in enumerate(self._node.value):
            yield Node(node, self._file, f"{self._field}[{index}]")

    def fields(self, required: str = "", optional: str | None = None) -> dict[str, Node]:
        """The members of a mapping.

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

    def fail(self, reason: str) -> NoReturn:
        """Raise RecordingError for this value."""
        line = self._node.start_mark.line + 1
        field = f" {self._field}:" if self._field else ""
        raise RecordingError(f"{self._file}:{line}:{field} {reason}")

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
    """The root of a YAML file.

    Raises:
        RecordingError: the file cannot be read or is not YAML.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RecordingError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise RecordingError(f"{path}:{line}: not UTF-8") from None
    try:
        node = yaml.compose(text, Loader=_Reader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise RecordingError(f"{path}:{line}: {error.problem or 'not YAML'}") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise RecordingError(f"{path}: not YAML: {reason}") from None
    if node is None:
        raise RecordingError(f"{path}:1: the file is empty")
    return Node(node, str(path), "")


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
