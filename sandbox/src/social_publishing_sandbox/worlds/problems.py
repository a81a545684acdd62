"""Problems of a world, all at once, and where they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from social_publishing_sandbox.state.errors import SandboxError
from social_publishing_sandbox.state.reading import Path, written


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem.

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
    """A world is invalid.

    Args:
        source: the name of its file, or `world`.
        problems: all problems.
    """

    def __init__(self, source: str, problems: Sequence[Problem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        super().__init__(source, self.problems)

    def __str__(self) -> str:
        return "\n".join(f"{self.source}: {each}" for each in self.problems)
