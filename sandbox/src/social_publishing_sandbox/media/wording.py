"""Numbers and lists as people read them."""

from __future__ import annotations

from collections.abc import Iterable


def megabytes(size: int) -> str:
    """A limit in bytes, in the megabytes that the service counts (1,048,576 bytes) if it is whole
    ones, else in bytes.
    """
    return f"{size >> 20} MB" if size and size % (1 << 20) == 0 else f"{size} bytes"


def listed(words: Iterable[str]) -> str:
    """Words in the order of the alphabet, separated by commas."""
    return ", ".join(sorted(words))
