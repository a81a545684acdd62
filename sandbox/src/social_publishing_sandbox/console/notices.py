"""What a form has done, shown on the next page."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_KEPT: Final = 100


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened.

    Attributes:
        text: what.
        href: where there is more about it.
        status: the code of the state that a post came to.
    """

    text: str
    href: str | None = None
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """What to show.

    Attributes:
        text: a sentence.
        failed: it did not work.
        happened: what followed from it.
        more: how many more things followed.
    """

    text: str
    failed: bool = False
    happened: Sequence[Happening] = ()
    more: int = 0


class Notices:
    """The last notices, by random names. An address can only name one, never carry its text."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Notice] = OrderedDict()

    def keep(self, notice: Notice) -> str:
        """Keep a notice, and say its name."""
        name = secrets.token_urlsafe(6)
        self._kept[name] = notice
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return name

    def get(self, name: str | None) -> Notice | None:
        """Return the notice of this name, if it is still kept."""
        return self._kept.get(name or "")
