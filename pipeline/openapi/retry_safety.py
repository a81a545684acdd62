"""Tell whether a request may be sent again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Safety = Literal["safe", "idempotent", "unsafe"]


def retry_safety(operation: Mapping[str, Any], method: str) -> Safety:
    """Return what a second request does: by the document's word, or else by the HTTP method."""
    word: Safety | None = operation.get("x-retry-safety")
    if word:
        return word
    if method.upper() in ("GET", "HEAD", "OPTIONS", "TRACE"):
        return "safe"
    return "idempotent" if method.upper() in ("PUT", "DELETE") else "unsafe"
