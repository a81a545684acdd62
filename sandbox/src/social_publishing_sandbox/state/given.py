"""What a request gives, and what of it is read: what nothing reads must not pass for obeyed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Unread(Exception):
    """A request gives what is documented, and no code of the sandbox reads it."""


class Given(dict[str, Any]):
    """The values of a request, by name, each marked as it is read by that name.

    Copies and loops read nothing by name; they say with `mark` what they use.
    """

    def __init__(self, values: Iterable[tuple[str, Any]] | dict[str, Any] = ()) -> None:
        super().__init__(values)
        self._read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self._read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self._read.add(name)
        return super().get(name, default)

    def __contains__(self, name: object) -> bool:
        self._read.add(str(name))
        return super().__contains__(name)

    def mark(self, names: Iterable[str]) -> None:
        """Mark values as read."""
        self._read.update(names)

    def unread(self) -> list[str]:
        """Return the names of the values that nothing has read."""
        return [name for name in self if name not in self._read]
