"""Replace the two base addresses in texts by placeholders, and back.

Responses carry addresses of the service itself: links of pages, the `Location` of a redirect. A
recording keeps their origins as `{base}` and `{media}`, so that a client that follows them stays
where the recording is replayed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from social_publishing_sandbox.recording.model import (
    Api,
    BodyT,
    Content,
    Json,
    RecordingError,
    with_contents,
)

_PLACEHOLDER = re.compile(r"(\{+)(base|media)\}")
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Address:
    """A base address in two halves: `https://api.example.org:8443` and `/v1`."""

    origin: str
    path: str

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read a base address (§1)."""
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError as error:
            raise RecordingError(f"not a base address: {error}") from None
        more = parts.username is not None or parts.query or parts.fragment
        if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or more:
            shown = re.split("[?#]", text.rpartition("@")[2])[0]  # the rest may hold a secret
            reason = "it must be http(s)://host:port/path and nothing else"
            raise RecordingError(f"not a base address: {shown!r}; {reason}")
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        suffix = "" if port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{port}"
        return cls(f"{parts.scheme}://{host}{suffix}", parts.path.rstrip("/"))

    @property
    def url(self) -> str:
        """Return the whole address, without a slash at its end."""
        return self.origin + self.path


class Addresses:
    """The two base addresses at one place: at the service, or on this machine."""

    def __init__(self, base: Address, media: Address) -> None:
        self.base, self.media = base, media
        self._patterns: list[tuple[re.Pattern[str], Api]] = [
            # With one origin for both, the path shows which of the two is meant.
            (_origin_pattern(media, with_path=base.origin == media.origin), "media"),
            (_origin_pattern(base), "main"),
        ]

    def of(self, api: Api) -> Address:
        """Return the base address of one of the two interfaces."""
        return self.base if api == "main" else self.media

    def rewrite(self, text: str, other: Addresses) -> str:
        """Return the text with the `other` origins for these; reads JSON's `\\/` too."""
        for pattern, api in self._patterns:
            origin = other.of(api).origin

            def replacement(match: re.Match[str], origin: str = origin) -> str:
                escaped = "\\/" in match[0]
                return match["braces"] + (origin.replace("/", "\\/") if escaped else origin)

            text = pattern.sub(replacement, text)
        return text

    def to_placeholders(self, text: str) -> str:
        """Return the text with these origins replaced by `{base}` and `{media}`.

        Braces before what is or becomes a placeholder are doubled, so that nothing is lost.
        """
        text = _PLACEHOLDER.sub(lambda match: match[1] + match[0], text)
        for pattern, api in self._patterns:
            word = "{base}" if api == "main" else "{media}"
            text = pattern.sub(rf"\g<braces>\g<braces>{word}", text)
        return text

    def from_placeholders(self, text: str) -> str:
        """Undo `to_placeholders`, with the origins of this place."""

        def original(match: re.Match[str]) -> str:
            doubled, odd = divmod(len(match[1]), 2)
            if not odd:
                return match[0][doubled:]
            return "{" * doubled + (self.base if match[2] == "base" else self.media).origin

        return _PLACEHOLDER.sub(original, text)


def with_texts(body: BodyT, change: Callable[[str], str]) -> BodyT:
    """Return a body with the texts of its JSON, or of that of its parts, changed."""

    def changed(content: Content) -> Content:
        return Json(map_strings(content.value, change)) if isinstance(content, Json) else content

    return with_contents(body, changed)


def map_strings(value: Any, change: Callable[[str], str]) -> Any:
    """Return a JSON value with every string in it changed, except the keys of objects."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [map_strings(item, change) for item in value]
    if isinstance(value, dict):
        return {key: map_strings(item, change) for key, item in value.items()}
    return value


def _origin_pattern(address: Address, *, with_path: bool = False) -> re.Pattern[str]:
    scheme, _, rest = address.origin.partition("://")
    slash = r"\\?/"
    pattern = rf"(?P<braces>\{{*)(?<!\w){scheme}:{slash}{slash}{re.escape(rest)}"
    if not re.search(r":\d+$", rest):
        pattern += rf"(?::{_DEFAULT_PORTS[scheme]})?"
    if with_path and address.path:
        path = slash.join(map(re.escape, address.path.split("/")))
        pattern += rf"(?={path}(?![\w-]))"
    else:
        # Not the beginning of a longer name, of another port, or of a login.
        pattern += r"(?![\w:@-]|\.\w)"
    return re.compile(pattern, re.IGNORECASE)
