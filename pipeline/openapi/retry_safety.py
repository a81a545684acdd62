"""Whether a request may be sent again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Safety = Literal["safe", "idempotent", "unsafe"]


def retry_safety(operation: Mapping[str, Any], method: str) -> Safety:
    """What a second time does: the document's word for it, or else what the HTTP method says."""
    said: Safety | None = operation.get("x-retry-safety")
    if said:
        return said
    if method.upper() in ("GET", "HEAD", "OPTIONS", "TRACE"):
        return "safe"
    return "idempotent" if method.upper() in ("PUT", "DELETE") else "unsafe"
