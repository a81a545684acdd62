"""YAML that carries JSON values without loss, and that knows the line of each of them.

Reading follows the YAML 1.2 core schema: `no`, `12:30`, `1_000` and `2026-01-01` are texts. Writing
puts a text in quotes wherever any reader of YAML could take it for something else.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import yaml

from social_publishing_sandbox.state import reading
from social_publishing_sandbox.state.reading import ReadingError, Value

_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_DEEPEST = 200  # levels of nesting
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


def read(path: Path) -> Value:
    """Read a YAML file and return its root.

    Raises:
        ReadingError: the file cannot be read or is not YAML.
    """
    try:
        return parse(path.read_bytes().decode("utf-8-sig"), str(path))
    except OSError as error:
        raise ReadingError(str(path), error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ReadingError(str(path), "not UTF-8", line) from None


def parse(text: str, file: str) -> Value:
    """Read a YAML text and return its root.

    Args:
        file: the name of the file that it is from.

    Raises:
        ReadingError: it is not YAML.
    """
    try:
        node = yaml.compose(text, Loader=_Reader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise ReadingError(
            file, error.problem or "not YAML", mark.line + 1 if mark else 1
        ) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise ReadingError(file, f"not YAML: {reason}") from None
    if node is None:
        raise ReadingError(file, "the file is empty", 1)
    return Value(_data(node, file, (), ()), file, (), partial(_line, node))


def _data(node: yaml.Node, file: str, path: reading.Path, owners: tuple[yaml.Node, ...]) -> Any:
    def fail(reason: str, at: yaml.Node = node, path: reading.Path = path) -> NoReturn:
        raise ReadingError(file, reason, at.start_mark.line + 1, path)

    if node in owners or len(owners) > _DEEPEST:
        fail("nested too deeply")
    inside = (*owners, node)
    if isinstance(node, yaml.SequenceNode):
        members = enumerate(node.value)
        return [_data(each, file, (*path, index), inside) for index, each in members]
    if isinstance(node, yaml.MappingNode):
        value: dict[str, Any] = {}
        for key, each in node.value:
            if not isinstance(key, yaml.ScalarNode):
                fail("a key must be a text", key)
            if key.value in value:
                fail("the key occurs twice", key, (*path, key.value))
            value[key.value] = _data(each, file, (*path, key.value), inside)
        return value
    assert isinstance(node, yaml.ScalarNode)
    if not node.tag.endswith(":str"):
        fail("tags are not used here")
    text: str = node.value
    return text if node.style else _plain(text)


def _plain(text: str) -> Any:
    """Return what a text without quotes means."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _line(node: yaml.Node, path: reading.Path) -> int:
    """Return the line of what a path leads to, or of its owner; a member begins with its name."""
    line: int = node.start_mark.line
    for step in path:
        if isinstance(node, yaml.SequenceNode) and isinstance(step, int):
            node = node.value[step]
            line = node.start_mark.line
        elif isinstance(node, yaml.MappingNode):
            found = next((pair for pair in node.value if pair[0].value == step), None)
            if found is None:
                break
            line, node = found[0].start_mark.line, found[1]
    return line + 1


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
