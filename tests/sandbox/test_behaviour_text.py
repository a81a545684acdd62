"""The weight of texts, cards of links, and which text a network gets."""

from __future__ import annotations

import json
import re
import unicodedata
from importlib.resources import files
from time import process_time
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from social_publishing_sandbox.state.behaviour.text import (
    content_for,
    content_of,
    is_customized,
    link_preview,
    media_ids_for,
    weighted_length,
)

DOCUMENT = json.loads((files("social_publishing_sandbox") / "documents/main.json").read_bytes())
RULE: dict[str, Any] = DOCUMENT["x-assume"]["weightedLength"]

TONES = [chr(code) for code in range(0x1F3FB, 0x1F400)]
PICTURES = ["\U0001f600", "\U0001f431", "\u2705", "\U0001f469", "\U0001f6d8", "\U0001f680"]
HANDS = ["\U0001f44d", "\U0001faf6", "\u261d", "\U0001f46e"]
SYMBOLS = ["\u2764", "\u2600", "\u00a9", "\u2122", "\U0001f3f3"]
FLAG_LETTERS = [chr(code) for code in range(0x1F1E6, 0x1F200)]

one_element = st.one_of(
    st.sampled_from(PICTURES),
    st.builds("{}\ufe0f".format, st.sampled_from([*PICTURES, *SYMBOLS])),
    st.builds("{}{}".format, st.sampled_from(HANDS), st.sampled_from(TONES)),
)
one_emoji = st.one_of(
    st.lists(one_element, min_size=1, max_size=4).map("\u200d".join),
    st.builds("{}{}".format, st.sampled_from(FLAG_LETTERS), st.sampled_from(FLAG_LETTERS)),
    st.builds("{}\ufe0f\u20e3".format, st.sampled_from("0123456789#*")),
    st.just("\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"),
)
any_text = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("", 0),
        ("Rye and spelt", 13),
        ("Crème brûlée", 12),
        ("ライ麦", 6),
        ("\u1100", 2),  # the first code point behind the first range
        ("\u10ff", 1),  # the last in it
        ("\u2014\u2019", 2),
        ("\u2026", 2),
        ("https://rye.example/a-long-address-of-a-page", 44),
        ("\u00a9", 1),
        ("\u00a9\ufe0f", 2),
        ("7", 1),
        ("7\ufe0f\u20e3", 2),
        ("\u2764\u200d\U0001f525", 2),  # a heart on fire, its variation selector forgotten
        ("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", 4),
        ("\U0001f680\U0001f3fd", 4),  # a rocket has no skin: two emoji
        ("\u231a\ufe0e", 4),  # a watch that is to be text: two code points
        ("\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", 2),
    ],
)
def test_weights_that_were_worked_out_by_hand(text: str, length: int) -> None:
    assert weighted_length(text, RULE) == length


@given(st.lists(one_emoji, max_size=6), st.integers(0, 9))
def test_an_emoji_counts_as_a_whole(emoji: list[str], each: int) -> None:
    assert weighted_length(" ".join(emoji), RULE | {"emoji": each}) == (
        each * len(emoji) + max(0, len(emoji) - 1)
    )


def test_a_picture_that_is_to_be_text_is_no_emoji() -> None:
    rule = RULE | {"emoji": 9}
    assert weighted_length("\u231a", rule) == 9
    assert weighted_length("\u231a\ufe0e", rule) == 4
    assert weighted_length("\u2600", rule) == 2


def test_a_rule_may_make_plain_letters_heavy() -> None:
    assert weighted_length("1A", {"weight": 3, "emoji": 2, "weightOneRanges": [[0, 64]]}) == 4
    assert weighted_length("1A", {"weight": 3, "emoji": 2, "weightOneRanges": []}) == 6


@given(one_emoji, one_emoji)
def test_emoji_side_by_side_are_two(one: str, other: str) -> None:
    assert weighted_length(one + other, RULE) == 4


@given(any_text)
def test_how_an_accent_was_typed_does_not_matter(text: str) -> None:
    assert weighted_length(unicodedata.normalize("NFD", text), RULE) == weighted_length(
        unicodedata.normalize("NFC", text), RULE
    )


@given(any_text, any_text)
def test_weights_add_up(one: str, other: str) -> None:
    both = weighted_length(f"{one}\n{other}", RULE)
    assert both == weighted_length(one, RULE) + 1 + weighted_length(other, RULE)


@given(
    st.text(st.characters(categories=["L", "N", "Z", "Cc"])),
    st.lists(st.tuples(st.integers(0, 0x3000), st.integers(0, 0x500)), max_size=4),
    st.integers(0, 5),
)
def test_the_ranges_of_the_rule_decide(text: str, spans: list[tuple[int, int]], heavy: int) -> None:
    ranges = [[first, first + length] for first, length in spans]
    text = re.sub("[\u2122\u2139\u24c2\u3297\u3299\U0001f100-\U0010ffff]", "", text)  # no emoji
    expected = sum(
        1 if any(first <= ord(character) <= last for first, last in ranges) else heavy
        for character in unicodedata.normalize("NFC", text)
    )
    rule = {"weight": heavy, "emoji": 7, "weightOneRanges": ranges}
    assert weighted_length(text, rule) == expected


@pytest.mark.parametrize(
    "unit", ["a", "麦", "\u2764", "\U0001f1e6", "\U0001f44d\U0001f3fd ok", "é"]
)
def test_ten_thousand_characters_are_weighed_in_no_time(unit: str) -> None:
    text = (unit * 10_000)[:10_000]
    weighted_length(text, RULE)
    fastest = min(_seconds(text) for _ in range(3))
    assert fastest < 0.1


def _seconds(text: str) -> float:
    begin = process_time()
    weighted_length(text, RULE)
    return process_time() - begin


@pytest.mark.parametrize(
    ("content", "url"),
    [
        ("Read https://rye.example/spring-opening.", "https://rye.example/spring-opening"),
        ("(see https://rye.example/a_(b)), then", "https://rye.example/a_(b)"),
        (
            "no: http://[x and https://www.rye.example/?a=1&b=2 too",
            "https://www.rye.example/?a=1&b=2",
        ),
        ("HTTPS://RYE.example/x https://other.example/", "HTTPS://RYE.example/x"),
        ("ライ麦https://rye.example/麦。次", "https://rye.example/麦"),
        ("https://rye.example/(a.)).]", "https://rye.example/(a.)"),
        ("http://[::1]:8080/a", "http://[::1]:8080/a"),
    ],
)
def test_the_first_link_gets_a_card(content: str, url: str) -> None:
    card = link_preview(content)
    assert card is not None
    assert card["url"] == url
    assert card["host"] == urlsplit(url).hostname
    assert all(card.values())
    assert set(card) == set(DOCUMENT["components"]["schemas"]["LinkPreview"]["properties"])


@pytest.mark.parametrize(
    "content", ["", "rye.example", "https://", "see https://... there", "http://[x"]
)
def test_a_text_without_a_link_has_no_card(content: str) -> None:
    assert link_preview(content) is None


@pytest.mark.parametrize("tail", [")", ".", "].", "%41", "https://"])
def test_a_link_of_a_million_characters_has_its_card_soon(tail: str) -> None:
    begin = process_time()
    assert link_preview("https://rye.example/" + tail * (1_000_000 // len(tail))) is not None
    assert process_time() - begin < 2


def test_a_card_speaks_of_its_page() -> None:
    card = link_preview("https://www.rye.example/news/spring-opening_2026.html?x#y")
    assert card is not None
    assert card["title"] == "Spring opening 2026"
    assert card["host"] == "www.rye.example"
    other = link_preview("https://www.rye.example/news/autumn")
    assert other is not None
    assert other["image_url"] != card["image_url"]


@given(any_text)
def test_every_text_has_a_card_or_none(text: str) -> None:
    card = link_preview(f"https://{text}")
    assert card == link_preview(f"https://{text}")
    assert card is None or (card["url"] in f"https://{text}" and card["host"])


def test_a_network_gets_what_was_made_for_it() -> None:
    post = {
        "content": "for all",
        "selected_media_ids": ["1", "2"],
        "customized": {
            "twitter": {"content": "short"},
            "bluesky": {"content": "", "media_ids": []},
            "tumblr": {"media_ids": ["2"]},
            "threads": {"content": None, "media_ids": None},
        },
    }
    got = {
        network: (
            content_for(post, network),
            media_ids_for(post, network),
            is_customized(post, network),
        )
        for network in ("twitter", "bluesky", "tumblr", "threads", "linkedin")
    }
    assert got == {
        "twitter": ("short", ["1", "2"], True),
        "bluesky": ("", [], True),
        "tumblr": ("for all", ["2"], True),
        "threads": ("for all", ["1", "2"], False),
        "linkedin": ("for all", ["1", "2"], False),
    }


@pytest.mark.parametrize("post", [{}, {"content": None, "customized": None}])
def test_a_post_without_text_gives_none(post: dict[str, Any]) -> None:
    assert content_for(post, "twitter") == ""
    assert media_ids_for(post, "twitter") == []


def test_a_detail_has_the_last_word() -> None:
    post = {"content": "for all", "customized": {"twitter": {"content": "short"}}}
    assert content_of({"content": "own"}, post, "twitter") == "own"
    assert content_of({"content": ""}, post, "twitter") == ""
    assert content_of({"content": None}, post, "twitter") == "short"
