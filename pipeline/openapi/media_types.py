"""The types of bodies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

_TEXTS: Final = frozenset(
    f"application/{name}"
    for name in ("xml", "yaml", "x-yaml", "jsonl", "x-ndjson", "x-jsonlines", "javascript")
)
EVENTS: Final = "text/event-stream"
_ITEMS: Final = frozenset(
    f"application/{name}"
    for name in ("jsonl", "x-jsonl", "x-jsonlines", "ndjson", "x-ndjson", "json-seq")
)
_WORD: Final = "[-!#$&^_.+*0-9A-Za-z]+"  # RFC 6838 §4.2, and ranges
_TYPE: Final = re.compile(f"{_WORD}/{_WORD}( *;[ -~]*)?")
FORMS: Final = ("multipart/form-data", "application/x-www-form-urlencoded")


def bare(text: str) -> str:
    """Return a media type without its parameters, in lower case."""
    return text.partition(";")[0].strip().lower()


def small(text: str) -> str:
    """Return a media type in small letters, without its parameters being changed."""
    name, semicolon, parameters = text.partition(";")
    return f"{name.strip().lower()}{semicolon}{parameters}"


def listed(text: Any) -> list[str]:
    """Return the media types and ranges in a list with commas; what is none is passed over."""
    each = [part.strip() for part in text.split(",")] if isinstance(text, str) else []
    return [part for part in each if _TYPE.fullmatch(part)]


def successes(responses: Mapping[str, Any]) -> list[str]:
    """Return the statuses of success among those of responses, `200` before `2XX`.

    `default` is one where it is all that a document says about responses below 400.
    """
    codes = sorted(status for status in responses if status.startswith("2"))
    redirects = any(status.startswith("3") for status in responses)
    return codes or ([] if redirects else [status for status in responses if status == "default"])


def is_text(name: str) -> bool:
    """Return whether a body of a bare media type is read as text, and not as bytes."""
    return name.startswith("text/") or name.endswith(("+xml", "+yaml")) or name in _TEXTS


def is_stream(name: str) -> bool:
    """Return whether a body of a bare media type is a sequence of events, or of JSON values."""
    return name == EVENTS or name in _ITEMS or name.endswith("+json-seq")


def is_json(name: str) -> bool:
    """Return whether a bare media type is one of JSON."""
    return name in ("application/json", "text/json") or name.endswith("+json")


def is_binary(media_type: Any, encoding: Any) -> bool:
    """Return whether a string with this `contentMediaType` and `contentEncoding` is bytes."""
    name = bare(media_type) if isinstance(media_type, str) else ""
    return bool(name) and not encoding and not is_text(name) and not is_json(name)
