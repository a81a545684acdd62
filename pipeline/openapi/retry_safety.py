"""Tell whether a request may be sent again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Safety = Literal["safe", "idempotent", "unsafe"]


def retry_safety(operation: Mapping[str, Any], method: str) -> Safety:
    """Return what a second request does: by the document's word, or else by the HTTP method.

    One with an idempotency key is done once, however often it is sent.
    """
    word: Safety | None = operation.get("x-retry-safety")
    if word:
        return word
    if method.upper() in ("GET", "HEAD", "OPTIONS", "TRACE"):
        return "safe"
    is_keyed = "x-idempotency-key" in operation
    return "idempotent" if is_keyed or method.upper() in ("PUT", "DELETE") else "unsafe"
