"""JSON for reading: line breaks and indents put in, also where the text was cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_PIECE: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_INDENT: Final = "  "
_OPEN: Final = {"{": "}", "[": "]"}


def indented(text: str) -> str:
    """Return a JSON text with a line for each member. Nothing but white space is changed."""
    return "".join(_laid_out(_PIECE.findall(text)))


def _laid_out(pieces: list[str]) -> Iterator[str]:
    depth = 0
    for position, piece in enumerate(pieces):
        before = pieces[position - 1] if position else ""
        empty = _OPEN.get(before) == piece
        if piece in "}]":
            depth = max(depth - 1, 0)
        if not empty and (piece in "}]" or before in ("{", "[", ",")):
            yield f"\n{_INDENT * depth}"
        if before == ":":
            yield " "
        yield piece
        if piece in _OPEN:
            depth += 1
