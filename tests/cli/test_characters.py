"""What nobody sees is written out, and what shapes an emoji or a letter stays."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from social_publishing_cli.characters import gap, one_line, shortened, visible

KEPT = [
    "plain, Käse, 日本語, 🥐",
    "❤️ and ☎︎",
    "1️⃣ *️⃣",
    "👩‍🍳 👩🏽‍🍳 🏳️‍🌈 👨‍👩‍👧‍👦",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # England
    "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland
    "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",  # Wales
    "می‌خواهم",
    "क्‍ष",
    "٦ \u0600 a\tb\nc",
    "e\u0301 \U0001d11e",
]
UNSEEN = [
    *("\u00ad", "\u034f", "\u061c", "\u115f", "\u1160", "\u17b4", "\u180b", "\u180e", "\u200b"),
    *("\u200c", "\u200d", "\u200e", "\u2028", "\u202e", "\u2060", "\u2062", "\u2065", "\u2066"),
    *("\u206a", "\u2800", "\u3164", "\ufe00", "\ufe01", "\ufe0e", "\ufe0f", "\ufeff", "\uffa0"),
    *("\ufff0", "\ufff9", "\ufffe", "\U0001d173", "\U0001bca0", "\U000e0001", "\U000e0041"),
    *(
        "\U000e007f",
        "\U000e0100",
        "\U000e01ef",
        "\U000e0fff",
        "\U0001fffe",
        "\ud800",
        "\x1b",
        "\x85",
    ),
]


@pytest.mark.parametrize("text", KEPT)
def test_what_is_drawn_stays(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize("char", UNSEEN, ids=ascii)
def test_what_is_not_drawn_is_written_out(char: str) -> None:
    """Between letters, alone, after an emoji that it does not shape, and twice."""
    code = ascii(char)[1:-1]
    assert visible(f"a{char}b") == f"a{code}b"
    assert visible(char) == code
    assert visible(f"日{char}") == f"日{code}"
    twice = visible(f"🥐{char}{char} b")
    assert twice.endswith(f"{code} b")
    assert one_line(f" a{char} ").replace(" ", "") in (f"a{code}", "a")


def test_tags_that_hide_words_are_written_out() -> None:
    hidden = "".join(chr(0xE0000 + ord(each)) for each in "apply all")
    for text in (f"🥐{hidden}", f"\U0001f3f4{hidden}\U000e007f", hidden):
        assert "\\U000e0061" in visible(text)
        assert not {*hidden} & {*visible(text)}


@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_nothing_that_moves_or_hides_is_left(text: str) -> None:
    seen = visible(text)
    for char in seen:
        kind = unicodedata.category(char)
        assert char in "\t\n" or kind not in ("Cc", "Zl", "Zp", "Cs")
        assert not 0x202A <= ord(char) <= 0x202E and not 0x2066 <= ord(char) <= 0x2069
    assert visible(seen) == seen
    assert "\n" not in one_line(text)


@pytest.mark.parametrize("length", [599, 600, 601, 3_000_000])
def test_a_long_text_shows_its_beginning_its_end_and_its_length(length: int) -> None:
    text = f"begins{'x' * (length - 10)}ends"
    short = shortened(text)
    assert (short == text) is (length <= 600)
    assert short.startswith("begins") and short.endswith("ends") and len(short) < 620
    assert (gap(length) in short) is (length > 600)
    assert f"{3_000_000:,} characters" in gap(3_000_000)
