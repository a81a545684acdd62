"""Identifiers: 64-bit unsigned integers in time order, decimal text on the wire (§2.1).

An identifier is `(milliseconds since EPOCH) << 22 | sequence`. The epoch is chosen so that what was
made before the summer of 2020 lies below 2**63, and what is made after June 2026 has 20 digits:
code that reads identifiers into a signed integer, into a double, or that compares them as text,
fails here rather than in production.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final

SEQUENCE_BITS: Final = 22
_TWENTY_DIGITS_AT: Final = 1_782_864_000_000  # 2026-07-01T00:00:00Z
EPOCH: Final = _TWENTY_DIGITS_AT + (-(10**19) >> SEQUENCE_BITS)
"""The moment, in milliseconds since 1970, from which identifiers count."""
LAST: Final = EPOCH + (2**64 - 1 >> SEQUENCE_BITS) - 86_400_000
"""The last moment that a clock may show, a day before identifiers of 64 bits end (§2.1)."""

_SPELLING: Final = re.compile(r"0|[1-9][0-9]{0,19}", re.ASCII)
_LARGEST: Final = str(2**64 - 1)
_SHIFT: Final = 1 << 63  # sqlite's integers are signed


def is_one(text: str) -> bool:
    """Return whether a text is an identifier: 64 bits, unsigned, without leading zeros (§2.1)."""
    return bool(_SPELLING.fullmatch(text)) and (len(text) < len(_LARGEST) or text <= _LARGEST)


def is_respelled(text: object) -> bool:
    """Return whether a value is an identifier in a form of its own, such as `007` (`ids.form`)."""
    return (
        isinstance(text, str)
        and re.fullmatch(r"\+?[0-9]{1,40}", text, re.ASCII) is not None
        and is_one(str(int(text)))
        and not is_one(text)
    )


def at(ms: int, sequence: int) -> str:
    """Return the identifier of object number `sequence` (0 to 4,194,303) of this moment."""
    return str((ms - EPOCH) << SEQUENCE_BITS | sequence)


def made_at(identifier: str) -> int:
    """Return the moment, in milliseconds since 1970, at which an identifier was made."""
    return (int(identifier) >> SEQUENCE_BITS) + EPOCH


def key(identifier: str) -> int:
    """Return the identifier as a signed integer that sqlite keeps and sorts."""
    return int(identifier) - _SHIFT


def of_key(key: int) -> str:
    """Return the identifier of such a key."""
    return str(key + _SHIFT)


def digest(text: str, length: int) -> str:
    """Return hexadecimal text that looks random and is the same for the same text."""
    return blake2b(text.encode(), digest_size=32).hexdigest()[:length]


class Sequence:
    """Makes identifiers that only ever grow, whatever the clock does."""

    def __init__(self, last: int = 0) -> None:
        self.last = last

    def next(self, ms: int) -> str:
        """Return a new identifier of this moment, larger than every one before it."""
        self.last = max(self.last + 1, (ms - EPOCH) << SEQUENCE_BITS)
        return str(self.last)
