"""Problems of a world, all at once, and where they are."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from social_publishing_sandbox.state.errors import SandboxError
from social_publishing_sandbox.state.reading import Path, written


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        path: the members and positions that lead to it.
        reason: why, as a sentence without a full stop.
        line: the line of the file, counted from 1; None where there is no file.
    """

    path: Path
    reason: str
    line: int | None = None

    def __str__(self) -> str:
        where = [f"line {self.line}"] if self.line else []
        if self.path:
            where.append(written(self.path))
        return f"{', '.join(where)}: {self.reason}" if where else self.reason


class BadWorld(SandboxError):
    """A world that cannot be loaded.

    Args:
        source: the name of its file, or `world`.
        problems: everything that is wrong with it.
    """

    def __init__(self, source: str, problems: Sequence[Problem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        super().__init__(source, self.problems)

    def __str__(self) -> str:
        return "\n".join(f"{self.source}: {each}" for each in self.problems)


_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],]|\n|[^\s"{}\[\],:]+')


@lru_cache(maxsize=1)
def lines(text: str) -> dict[Path, int]:
    """Return the line, counted from 1, on which each value of a valid JSON text begins."""
    by_path: dict[Path, int] = {(): 1}
    line, path = 1, list[str | int]()
    containers: list[str] = []
    key_next = False
    for token in _TOKEN.findall(text):
        if token == "\n":
            line += 1
        elif token in "{[":
            by_path.setdefault(tuple(path), line)
            containers.append(token)
            path.append("" if token == "{" else 0)
            key_next = token == "{"
        elif token in "}]":
            containers.pop()
            path.pop()
            key_next = False
        elif token == ",":
            key_next = containers[-1] == "{"
            last = path[-1]
            if isinstance(last, int):
                path[-1] = last + 1
        elif key_next:
            path[-1] = json.loads(token)
            by_path[tuple(path)] = line
            key_next = False
        else:
            by_path.setdefault(tuple(path), line)
    return by_path


def line(path: Path, text: str) -> int:
    """Return the line of what a path leads to in a JSON text, or of the last that is there."""
    known = lines(text)
    while path not in known:
        path = path[:-1]
    return known[path]
