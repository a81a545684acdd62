"""Search and replace in texts under their escapes.

A secret can stand in a text as `a%40b.example`, `a\\u0040b.example`, `a&#64;b.example`, in
full-width letters, or in several of these at once. `replace` searches what the escapes mean and
replaces what stands in the text.
"""

from __future__ import annotations

import html
import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Hit: TypeAlias = tuple[int, int, str]
"""Start and end in the text that was searched, and what to put there."""
Finder: TypeAlias = Callable[[str], Iterable[Hit]]

_LAYERS = 12
_ESCAPE = re.compile(
    r"(?P<percent>(?:%[0-9A-Fa-f]{2})+)"
    r"|(?P<wide>(?:\\u[0-9A-Fa-f]{4})+)"
    r"|\\(?P<short>[\"\\/bfnrt])"
    r"|(?P<entity>&(?:\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|(?P<unicode>[^\x00-\x7f])"
)
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def replace(text: str, finders: Sequence[Finder], *, plus_is_space: bool = False) -> str:
    """Return the text with every hit of every finder replaced, at each depth of encoding.

    A finder sees the text as it stands first, then with one layer of escapes undone, and so on.
    It must not find what it put there itself.
    """
    for depth in range(_LAYERS):
        view = _view(text, depth, plus_is_space)
        for find in finders:
            if view is None:
                return text
            if hits := list(find(view.text)):
                text = view.replaced(text, hits)
                view = _view(text, depth, plus_is_space)
        if view is None:
            return text
    return text


@dataclass(slots=True)
class _View:
    """A decoded text; its character i stands at `starts[i]:ends[i]` of the original."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def replaced(self, original: str, hits: list[Hit]) -> str:
        pieces: list[str] = []
        done = 0
        for start, end, replacement in sorted(hits):
            if start == end or self.starts[start] < done:
                continue
            pieces += original[done : self.starts[start]], replacement
            done = self.ends[end - 1]
        pieces.append(original[done:])
        return "".join(pieces)


def _view(text: str, depth: int, plus_is_space: bool) -> _View | None:
    """Return the text with `depth` layers of escapes undone, or None when it has fewer layers."""
    # Only in the outermost layer, that of the form, does a plus sign stand for a space.
    outermost = text.replace("+", " ") if plus_is_space else text
    view: _View | None = _View(outermost, range(len(text)), range(1, len(text) + 1))
    for _ in range(depth):
        view = _unescaped(view) if view is not None else None
    return view


def _unescaped(view: _View) -> _View | None:
    text = view.text
    pieces: list[str] = []
    starts, ends = array("I"), array("I")  # a text may have millions of characters
    done = 0
    for match in _ESCAPE.finditer(text):
        pieces.append(text[done : match.start()])
        starts.extend(view.starts[done : match.start()])
        ends.extend(view.ends[done : match.start()])
        for characters, start, end in _decoded(match):
            pieces.append(characters)
            starts.extend([view.starts[start]] * len(characters))
            ends.extend([view.ends[end - 1]] * len(characters))
        done = match.end()
    pieces.append(text[done:])
    starts.extend(view.starts[done:])
    ends.extend(view.ends[done:])
    decoded = "".join(pieces)
    return None if decoded == text else _View(decoded, starts, ends)


def _decoded(match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """Yield what an escape stands for, with where each character of it was written."""
    start, end = match.span()
    raw = match[0]
    match match.lastgroup:
        case "percent":
            yield from _percent(raw, start)
        case "wide":
            yield from _wide(raw, start)
        case "short":
            yield _SHORT.get(raw[1], raw[1]), start, end
        case "entity":
            yield html.unescape(raw), start, end
        case _:
            # Characters without a shape (soft hyphens, joiners) hide a word from a search.
            hidden = unicodedata.category(raw) == "Cf"
            yield "" if hidden else unicodedata.normalize("NFKC", raw), start, end


def _percent(raw: str, start: int) -> Iterator[tuple[str, int, int]]:
    for character in bytes.fromhex(raw.replace("%", "")).decode("utf-8", "surrogateescape"):
        length = 3 * len(character.encode("utf-8", "surrogateescape"))
        byte = ord(character) - 0xDC00
        yield chr(byte) if 0x80 <= byte <= 0xFF else character, start, start + length
        start += length


def _wide(raw: str, start: int) -> Iterator[tuple[str, int, int]]:
    units = bytes.fromhex(raw.replace("\\u", "")).decode("utf-16-be", "surrogatepass")
    for character in units:
        length = 12 if ord(character) > 0xFFFF else 6
        yield character, start, start + length
        start += length
