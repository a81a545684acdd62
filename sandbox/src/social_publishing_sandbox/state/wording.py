"""Numbers, lists and types as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

TYPES: Final = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
"""The types of JSON in words."""


def counted(number: int, one: str, several: str | None = None) -> str:
    """Return a number with its noun: `1 item`, `2 items`, or `2 entries` by `several`."""
    return f"{number} {one if number == 1 else several or f'{one}s'}"


def listed(words: Iterable[str]) -> str:
    """Return words in the order of the alphabet, separated by commas."""
    return ", ".join(sorted(words))


def either(words: Sequence[str]) -> str:
    """At least one word as a choice: `a`, `a or b`, `a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def sentence(text: str) -> str:
    """Return a clause as a sentence."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"


def megabytes(size: int) -> str:
    """Return a limit in megabytes of 1,048,576 bytes (`upload.bytes`) if it is whole ones, else in
    bytes.
    """
    return f"{size >> 20} MB" if size and size % (1 << 20) == 0 else f"{size} bytes"
