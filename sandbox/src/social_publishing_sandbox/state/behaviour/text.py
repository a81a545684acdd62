"""The text of a post: how long it counts, which text a network gets, the card of its first link."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from social_publishing_sandbox.state import ids

_LINK: Final = re.compile(r"https?://[^\s<>\"。、！？「」]+", re.IGNORECASE)
_CLOSING: Final = ".,;:!?'…»”’"
_BRACKETS: Final = {")": "(", "]": "["}
_TITLE_LENGTH: Final = 120
_NEVER: Final = "(?!)"


def weighted_length(text: str, rule: Mapping[str, Any] | None) -> int:
    """Return the length of a text by weight (§2.2, `content_weighted_length`).

    The text is counted in Unicode's normal form C, so that a letter weighs the same however its
    accent was typed. Links count as they are written.

    Args:
        rule: `weightedLength` of the documents' `x-assume`: code points within `weightOneRanges`
            (pairs of first and last) weigh 1, others `weight`; an emoji, which `emojis` matches,
            weighs `emoji` as a whole, of however many code points it is made. Without one, each
            code point weighs 1.
    """
    if not rule:
        return len(text)
    ranges = tuple((first, last) for first, last in rule["weightOneRanges"])
    return _weigher(ranges, rule["weight"], rule["emoji"], rule.get("emojis", _NEVER))(text)


@lru_cache(maxsize=8)
def _weigher(
    ranges: tuple[tuple[int, int], ...], weight: int, emoji: int, pattern: str
) -> Callable[[str], int]:
    heavy, one_emoji = re.compile(_outside(ranges)), re.compile(pattern)
    ascii_is_light = any(first <= 0 and last >= 127 for first, last in ranges)

    def weigh(text: str) -> int:
        if ascii_is_light and text.isascii():
            return len(text)
        rest, emojis = one_emoji.subn("", unicodedata.normalize("NFC", text))
        heavies = len(heavy.findall(rest))
        return emojis * emoji + heavies * weight + len(rest) - heavies

    return weigh


def _outside(ranges: Iterable[tuple[int, int]]) -> str:
    """Return a pattern of one code point that lies in none of the ranges."""
    light = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)
    return f"[^{light}]" if light else r"[\s\S]"


def content_for(post: Mapping[str, Any], network: str) -> str:
    """Return the text that a network gets: its customization's (§2.2), else the post's; "" for
    none.

    A customization of empty text is one: the network gets no text.
    """
    customized = _customization(post, network).get("content")
    return (post.get("content") or "") if customized is None else str(customized)


def content_of(detail: Mapping[str, Any], post: Mapping[str, Any], network: str) -> str:
    """Return a detail's text (§2.3): its own, else the one that the post has for the network."""
    own = detail.get("content")
    return content_for(post, network) if own is None else str(own)


def media_ids_for(post: Mapping[str, Any], network: str) -> list[str]:
    """Return a network's media in order: its customization's (§2.2), else the post's."""
    customized = _customization(post, network).get("media_ids")
    return list(post.get("selected_media_ids") or () if customized is None else customized)


def is_customized(post: Mapping[str, Any], network: str) -> bool:
    """Return whether the network gets a text or media of its own (§2.2, §2.3)."""
    customization = _customization(post, network)
    return any(customization.get(field) is not None for field in ("content", "media_ids"))


def has_customization(post: Mapping[str, Any]) -> bool:
    """Return whether some network gets a text or media of its own (§2.2)."""
    return any(is_customized(post, network) for network in post.get("customized") or ())


def _customization(post: Mapping[str, Any], network: str) -> Mapping[str, Any]:
    return (post.get("customized") or {}).get(network) or {}


def link_preview(content: str) -> dict[str, str] | None:
    """Return the card of the first link in a text (§2.3, `link_preview`), None where there is none.

    Nothing is fetched: title and description are made from the words of the address, and the
    address of the picture from a digest of it, so one link always has one card.
    """
    for link in _LINK.finditer(content):
        url = _without_closing(link[0])
        try:
            address = urlsplit(url)
            host = address.hostname
        except ValueError:  # such as an open bracket where the host should be
            continue
        if host:
            title = _title(host, address.path)
            return {
                "url": url,
                "host": host,
                "title": title,
                "description": f"{title}, on {host}.",
                "image_url": f"https://previews.example/{ids.digest(url, 16)}.png",
            }
    return None


def _without_closing(url: str) -> str:
    """Return the link without the punctuation of the sentence around it; a bracket opened in it
    stays.
    """
    unopened = {last: url.count(last) - url.count(first) for last, first in _BRACKETS.items()}
    end = len(url)
    while url[end - 1] in _CLOSING or unopened.get(url[end - 1], 0) > 0:
        end -= 1
        if url[end] in unopened:
            unopened[url[end]] -= 1
    return url[:end]


def _title(host: str, path: str) -> str:
    name = unquote(path).rstrip("/").rpartition("/")[2]
    words = re.split(r"[\W_]+", re.sub(r"\.\w{1,5}$", "", name))
    title = " ".join(word for word in words if word)
    return title[:1].upper() + title[1:_TITLE_LENGTH] if title else host.removeprefix("www.")
