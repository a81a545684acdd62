"""Detects the encoding of a CSV file, and letters that were lost when it was saved."""

from __future__ import annotations

import re
from pathlib import Path

_LETTER = r"[^\W\d_]"
# A question mark within a word, or one before it: what programs write for what an encoding lacks.
_LOST = re.compile(rf'\ufffd|{_LETTER}\?{_LETTER}|(?<![^\s,;"])\?[?\w]')
_ADDRESS = re.compile(r'[^\s,;"]+[/=][^\s,;"]*')


def encoding_of(start: bytes) -> str:
    """Return the encoding of a CSV file, by its first bytes: UTF-8 or UTF-16, marked or not."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        half = start[first::2]
        if half and half.count(0) > len(half) / 2:
            return encoding
    return "utf-8-sig"


def lost_letters(text: str, was: str | None = None) -> bool:
    """Return whether a text has lost letters: `?` or U+FFFD in place of what could not be saved."""
    if was is None:
        return bool(_LOST.search(_ADDRESS.sub("", text)))
    if text == was:
        return False
    kept = (
        re.escape(char) if char.isascii() else rf"({re.escape(char)}|[?\ufffd]{{1,2}})"
        for char in was
    )
    return bool(re.fullmatch("".join(kept), text))


def advice(path: Path) -> str:
    """Return what to do with a CSV file that is not in UTF-8."""
    with path.open("rb") as start:
        if any(byte < 32 and byte not in b"\t\n\r" for byte in start.read(4096)):
            return "it is no sheet, but a file of another program"
    with path.open(encoding="latin-1") as file:
        if any(map(lost_letters, file)):
            return (
                "letters were replaced by ? when it was saved, and no --encoding brings them back: "
                "export again, save as CSV UTF-8"
            )
    return "save it as CSV UTF-8, or pass its encoding, such as --encoding cp1252"
