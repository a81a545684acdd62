"""Which stretches of a text are one emoji, after Unicode Technical Standard #51, Emoji 17.0.

A sequence counts when it is well formed, whether or not any font draws it: a flag, a keycap, a
character with its variation selector, skin tone or tags, and any of these joined by U+200D. Which
characters of a block are emoji is not looked up.
"""

from __future__ import annotations

import re
from typing import Final

# Blocks whose characters are emoji by themselves, and those that may be where something behind
# them makes them one. The regional indicators, which pair up, are left out.
_PICTURES: Final = "1F300-1FAFF"
_SYMBOLS: Final = "A9 AE 203C-3299 1F000-1F1E5 1F200-1F2FF"

# Emoji_Modifier_Base=Yes: takes a skin tone.
_PEOPLE: Final = """
261D 26F9 270A-270D 1F385 1F3C2-1F3C4 1F3C7 1F3CA-1F3CC 1F442-1F443 1F446-1F450 1F466-1F478 1F47C
1F481-1F483 1F485-1F487 1F48F 1F491 1F4AA 1F574-1F575 1F57A 1F590 1F595-1F596 1F645-1F647
1F64B-1F64F 1F6A3 1F6B4-1F6B6 1F6C0 1F6CC 1F90C 1F90F 1F918-1F91F 1F926 1F930-1F939 1F93C-1F93E
1F977 1F9B5-1F9B6 1F9B8-1F9B9 1F9BB 1F9CD-1F9CF 1F9D1-1F9DD 1FAC3-1FAC5 1FAF0-1FAFA
"""


def _members(table: str) -> str:
    """Return the inside of a character class: the code points and ranges of the table, in hex."""
    characters = re.sub("[0-9A-F]+", lambda code: chr(int(code[0], 16)), table)
    return "".join(characters.split())


def _emoji() -> re.Pattern[str]:
    pictures, symbols, people = map(_members, (_PICTURES, _SYMBOLS, _PEOPLE))
    tone = "[\U0001f3fb-\U0001f3ff]"
    flag = "[\U0001f1e6-\U0001f1ff]{1,2}"
    keycap = "[0-9#*]\ufe0f?\u20e3"
    toned = f"(?<=[{people}]){tone}"
    tags = "[\U000e0020-\U000e007e]+\U000e007f"
    dressed = f"(?:{toned}|\ufe0f\u20e3?|{tags})"
    joined = f"(?:\u200d(?:[{pictures}{symbols}]{dressed}?|{flag}))"
    return re.compile(
        f"[{pictures}](?!\ufe0e){dressed}?{joined}*"
        f"|[{symbols}](?:{dressed}{joined}*|{joined}+)"
        f"|{flag}{joined}*|{keycap}"
    )


EMOJI: Final = _emoji()
"""Matches one emoji, however many code points it takes. U+FE0E behind a picture makes it text."""
