"""Values out of a file that somebody wrote: where they stand, and what is wrong with the file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""The names of members and the positions that lead to a value."""
Line: TypeAlias = Callable[[Path], int]
"""Gives the line of a file, counted from 1, of what a path leads to, or of its owner."""


class ReadingError(Exception):
    """A file cannot be read, or has unexpected content.

    Attributes:
        reason: why, as a sentence without a full stop.
        line: the line of the file, counted from 1; None where it is not known.
    """

    def __init__(self, file: str, reason: str, line: int | None = None, path: Path = ()) -> None:
        self.reason, self.line = reason, line
        where = file if line is None else f"{file}:{line}"
        field = written(path)
        super().__init__(f"{where}: {field}: {reason}" if field else f"{where}: {reason}")


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
        raise ValueError("is nested too deeply") from None


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    by_name = dict(members)
    if len(by_name) < len(members):
        twice = Counter(name for name, _ in members).most_common(1)[0][0]
        raise ValueError(f"an object contains the member {twice!r} twice")
    return by_name


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not valid JSON")


def written(path: Path) -> str:
    """Return a path as people write it: `posts[3].details[0].status`, positions counted from 0."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")
