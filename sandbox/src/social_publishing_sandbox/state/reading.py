"""Values out of a file that somebody wrote, read as what they are expected to be."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, TypeAlias, TypeVar

_T = TypeVar("_T")

Path: TypeAlias = tuple[str | int, ...]
"""The names of members and the positions that lead to a value."""
Line: TypeAlias = Callable[[Path], int]
"""Gives the line of a file, counted from 1, of what a path leads to, or of its owner."""


class ReadingError(Exception):
    """A file cannot be read, or holds something else than what is expected.

    Attributes:
        reason: why, as a sentence without a full stop.
        line: the line of the file, counted from 1; None where it is not known.
    """

    def __init__(self, file: str, reason: str, line: int | None = None, path: Path = ()) -> None:
        self.reason, self.line = reason, line
        where = file if line is None else f"{file}:{line}"
        field = written(path)
        super().__init__(f"{where}: {field}: {reason}" if field else f"{where}: {reason}")


class Value:
    """A value in a file, and where it stands.

    Each way to read it raises ReadingError, with file, line and field, when the value is not of
    that kind.

    Attributes:
        data: the value, whatever it is.
        line: gives the line of a path in the file; None where lines are not known.
    """

    def __init__(self, data: Any, file: str, path: Path = (), line: Line | None = None) -> None:
        self.data, self._file, self._path, self.line = data, file, path, line

    def text(self) -> str:
        """Return a text."""
        return self._a(str, "a text")

    def integer(self) -> int:
        """Return a whole number."""
        return self._a(int, "a whole number")

    def items(self) -> Iterator[Value]:
        """Yield the members of a list."""
        for index, item in enumerate(self._a(list, "a list")):
            yield self._child(index, item)

    def fields(self, required: str = "", optional: str | None = None) -> dict[str, Value]:
        """Return the members of an object.

        With `optional` given, these names and those in `required` are all that there may be.
        Both are names with spaces between them.
        """
        data = self._a(dict, "an object")
        fields = {name: self._child(name, each) for name, each in data.items()}
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
        """Raise ReadingError for this value."""
        line = self.line(self._path) if self.line else None
        raise ReadingError(self._file, reason, line, self._path)

    def _child(self, step: str | int, data: Any) -> Value:
        return Value(data, self._file, (*self._path, step), self.line)

    def _a(self, kind: type[_T], name: str) -> _T:
        if not isinstance(self.data, kind) or (kind is int and isinstance(self.data, bool)):
            self.fail(f"expected {name}")
        return self.data


def pointed(data: Any, reference: str) -> Any:
    """Return what a reference leads to within its document; ValueError where there is nothing."""
    for step in reference.removeprefix("#/").split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(data, dict) or name not in data:
            raise ValueError(f"there is nothing at {reference}")
        data = data[name]
    return data


def strict_json(text: str) -> Any:
    """Return a JSON text as data: no name twice in an object, no NaN.

    The standard reader is used for what a faster one cannot notice: names that occur twice, and
    integers of more than 64 bits, which it rounds.
    """
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    by_name = dict(members)
    if len(by_name) < len(members):
        twice = Counter(name for name, _ in members).most_common(1)[0][0]
        raise ValueError(f"an object has the member {twice!r} twice")
    return by_name


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def written(path: Path) -> str:
    """Return a path as people write it: `posts[3].details[0].status`, positions counted from 0."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")
