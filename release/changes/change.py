"""One change, with its level and its sentence; and many of them, put together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

Level = Literal["none", "patch", "feature", "breaking"]
Kind = Literal["", "inside", "gap", "deprecated"]
LEVELS: Final[tuple[Level, ...]] = ("none", "patch", "feature", "breaking")

_SHOWN: Final = 6  # places that are named before the rest is counted
_PLURAL: Final = {"does": "do", "is": "are", "has": "have"}


@dataclass(frozen=True)
class Change:
    """Something that a user may notice.

    Attributes:
        level: what it means for the version.
        places: where it is, such as `books.list(page)`.
        sentence: what happens to the places; it begins with a verb.
        gaps: what the service does not document there, by the ids of the register.
        about: names of Python's that the change shows up under, such as `Book.name`, or
            `books.list(page)` for an argument.
        kind: whether it is inside of a package, the decision of a gap, or a deprecation.
    """

    level: Level
    places: tuple[str, ...]
    sentence: str
    gaps: tuple[str, ...] = ()
    about: frozenset[str] = frozenset()
    kind: Kind = ""

    def __str__(self) -> str:
        return phrase(self.places, self.sentence)


def highest(changes: Iterable[Change]) -> Level:
    """Return the highest level among changes; "none" where there are none."""
    return max((change.level for change in changes), key=LEVELS.index, default="none")


def phrase(places: Iterable[str], sentence: str) -> str:
    """Return a sentence about one place or several, without its full stop."""
    named = list(dict.fromkeys(places))
    if len(named) == 1:
        return f"{named[0]} {sentence}"
    verb, _, rest = sentence.partition(" ")
    verb = _PLURAL.get(verb, verb.removesuffix("s"))
    return f"{listed(named)} {verb} {rest}"


def listed(names: list[str], most: int | None = _SHOWN) -> str:
    """Return names as a sentence lists them; after so many, the rest is counted."""
    if most and len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def merged(changes: Iterable[Change]) -> list[Change]:
    """Return changes, the highest level first; the same change in many places becomes one."""
    by_sentence: dict[tuple[Level, str], Change] = {}
    for change in sorted(set(changes), key=_order):
        key = (change.level, change.sentence)
        first = by_sentence.get(key)
        if first is None:
            by_sentence[key] = change
            continue
        by_sentence[key] = replace(
            first,
            places=tuple(dict.fromkeys([*first.places, *change.places])),
            gaps=tuple(sorted({*first.gaps, *change.gaps})),
            about=first.about | change.about,
        )
    return sorted(by_sentence.values(), key=_order)


def _order(change: Change) -> tuple[int, list[str], str, str]:
    """Return the key to sort by: level, then place, methods before classes."""
    places = [place.swapcase() for place in change.places]
    return -LEVELS.index(change.level), places, change.sentence, change.kind
