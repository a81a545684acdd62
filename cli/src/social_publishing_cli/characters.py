"""Writes out the characters of a text that nobody sees, and shortens texts for people."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import takewhile

_LONGEST = 600  # characters of a text that are shown without a gap
_BEGINNING, _END = 400, 120

# Unicode's Default_Ignorable_Code_Point, besides the formats (Cf), and what is drawn as a blank.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U000e0000-\U000e0fff]"
)
_ODD = re.compile(r"[^\x20-\x7e\n\t]")
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # what moves a cursor, turns a line, or has no shape
_SIGNS = {
    *range(0x600, 0x606),
    0x6DD,
    0x70F,
    0x890,
    0x891,
    0x8E2,
    0x110BD,
    0x110CD,
}  # Cf, but drawn
_JOINER, _NON_JOINER, _EMOJI_SHAPE, _TEXT_SHAPE, _KEYCAP = "\u200d\u200c\ufe0f\ufe0e\u20e3"
_FLAGS = re.compile("\U0001f3f4\U000e0067\U000e0062(?:[\U000e0061-\U000e007a]{3})\U000e007f")
_NATIONS = {"eng", "sct", "wls"}


def visible(text: str) -> str:
    """Return a text in which everything that nobody sees is written out, as `\\x1b` or `\\u3164`.

    Tabs and ends of lines stay, and so does what shapes the emoji or the letter before it.
    """
    if text.isprintable() and not _BLANK.search(text):
        return text
    flags = [each.span() for each in _FLAGS.finditer(text) if _nation(each[0]) in _NATIONS]

    def shown(match: re.Match[str]) -> str:
        char, at = match[0], match.start()
        if not _is_unseen(char) or any(start < at < end for start, end in flags):
            return char
        return char if _shapes(text, at) else ascii(char)[1:-1]

    return _ODD.sub(shown, text)


def one_line(text: str) -> str:
    """Return a text of somebody else on one line, everything in it visible."""
    return visible(" ".join(text.split()))


def cut(text: object, most: int = 40) -> str:
    """Return a text on one line of so many characters, with a mark where it was cut."""
    line = " ".join(str(text or "").split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def shortened(text: str) -> str:
    """Return the beginning and the end of a long text, with its length between them."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_BEGINNING]}{gap(len(text))}{text[-_END:]}"


def shared(values: Iterable[str]) -> int:
    """Return how many characters all texts begin with."""
    return sum(1 for _ in takewhile(lambda chars: len({*chars}) == 1, zip(*values, strict=False)))


def gap(length: int) -> str:
    """Return what stands for the middle of a text of this length."""
    return f" […{length:,} characters…] "


def _nation(flag: str) -> str:
    return "".join(chr(ord(char) - 0xE0000) for char in flag[3:-1])


def _is_unseen(char: str) -> bool:
    if ord(char) in _SIGNS:
        return False
    is_none = ord(char) & 0xFFFE == 0xFFFE
    return is_none or unicodedata.category(char) in _UNSEEN or bool(_BLANK.match(char))


def _shapes(text: str, at: int) -> bool:
    """Return whether an unseen character shapes those around it: an emoji, or letters that join."""
    char, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if char in (_EMOJI_SHAPE, _TEXT_SHAPE):
        return _is_emoji(before) or (before in "0123456789#*" and bool(before) and after == _KEYCAP)
    if char == _JOINER and _is_emoji(after):
        return _is_emoji(before) or (before == _EMOJI_SHAPE and _is_emoji(text[at - 2 : at - 1]))
    if char in (_JOINER, _NON_JOINER) and before and unicodedata.combining(before) == 9:
        return True  # after the sign that takes a vowel away (RFC 5892, A.1)
    sides = {unicodedata.bidirectional(each) for each in (before, after) if each}
    return char == _NON_JOINER and bool(before and after) and sides == {"AL"}


def _is_emoji(char: str) -> bool:
    """Return whether a character is drawn as a picture, or tints one."""
    return bool(char) and (unicodedata.category(char) in ("So", "Sk", "Sm") or char in "‼⁉ℹ〰")
