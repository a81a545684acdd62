"""The weight of texts, cards of links, and which text a network gets."""

from __future__ import annotations

import re
import unicodedata
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from social_publishing_sandbox.state import documents
from social_publishing_sandbox.state.behaviour.text import (
    content_for,
    is_customized,
    link_preview,
    media_ids_for,
    weighted_length,
)

DOCUMENT = documents.load().main.data
RULE: dict[str, Any] = DOCUMENT["x-assume"]["weightedLength"]


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


@given(st.text("aéüçñŵÅ한글"))
def test_a_letter_weighs_the_same_however_its_accent_was_typed(text: str) -> None:
    apart = unicodedata.normalize("NFD", text)
    assert weighted_length(apart, RULE) == weighted_length(text, RULE)


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
def test_a_link_of_a_million_characters_has_a_card(tail: str) -> None:
    assert link_preview("https://rye.example/" + tail * (1_000_000 // len(tail))) is not None


@given(any_text)
def test_every_text_has_a_card_or_none(text: str) -> None:
    card = link_preview(f"https://{text}")
    assert card == link_preview(f"https://{text}")
    assert card is None or (card["url"] in f"https://{text}" and card["host"])


TEXTS, FILES = (st.none() | st.sampled_from(each) for each in (["", "Rye"], [[], ["7"]]))


@given(TEXTS, TEXTS, FILES, FILES)
def test_a_network_has_its_own_text_and_files_where_it_has_any_even_none(
    content: str | None, own: str | None, files: list[str] | None, own_files: list[str] | None
) -> None:
    entry = {"content": own, "media_ids": own_files}
    for given_ in (entry, {key: each for key, each in entry.items() if each is not None}):
        post = {"content": content, "selected_media_ids": files, "customized": {"threads": given_}}
        assert content_for(post, "threads") == ((content or "") if own is None else own)
        assert media_ids_for(post, "threads") == ((files or []) if own_files is None else own_files)
        assert is_customized(post, "threads") is ((own, own_files) != (None, None))
        assert content_for(post, "bluesky") == (content or "")
        assert media_ids_for(post, "bluesky") == (files or [])
        assert not is_customized(post, "bluesky")
