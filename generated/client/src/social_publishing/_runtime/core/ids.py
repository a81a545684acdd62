"""Identifiers that are integers sent as text."""

from __future__ import annotations


def id_key(identifier: str) -> int:
    """Return the integer behind an identifier, to sort and compare by: `sorted(ids, key=id_key)`.

    As texts, identifiers of different lengths come out in the wrong order.

    Raises:
        ValueError: the identifier is not made of decimal digits alone.
    """
    if not (identifier.isascii() and identifier.isdigit()):
        raise ValueError(f"{identifier!r} is not an identifier made of decimal digits")
    return int(identifier)
