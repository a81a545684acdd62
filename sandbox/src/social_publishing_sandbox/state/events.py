"""The changes in a sandbox, numbered, to follow."""

from __future__ import annotations

from typing import Final, NamedTuple

from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.feed import Feed

_KEPT: Final = 1_000


class Change(NamedTuple):
    """Something has changed.

    Attributes:
        number: counts the changes from 1.
        kind: what: `post`, `media`, `clock`, `reset` and the like.
        facts: which one, and how.
    """

    number: int
    kind: str
    facts: Json


class Events(Feed[Change]):
    """The last changes."""

    def __init__(self) -> None:
        super().__init__(_KEPT)

    def add(self, kind: str, facts: Json) -> None:
        """Write down a change, and wake the followers."""
        with self._lock:
            self._number += 1
            self._items.append(Change(self._number, kind, facts))
            self._ring()
