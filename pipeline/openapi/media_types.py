"""The types of bodies."""

from __future__ import annotations

from typing import Final

FORMS: Final = ("multipart/form-data", "application/x-www-form-urlencoded")


def bare(text: str) -> str:
    """Return a media type without its parameters, in lower case."""
    return text.partition(";")[0].strip().lower()


def is_json(name: str) -> bool:
    """Return whether a bare media type is one of JSON."""
    return name in ("application/json", "text/json") or name.endswith("+json")


def has_fields(text: str) -> bool:
    """Return whether a body of this media type is data, with fields, and not text or bytes."""
    return is_json(bare(text)) or bare(text) in FORMS
