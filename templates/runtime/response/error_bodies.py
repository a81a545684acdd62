"""The body of an error, as the type that the documents have for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.errors import Exchange


def error_body(exchange: Exchange, types: Mapping[int, Any]) -> Any:
    """Return the body of a response without success; None where it is not the documented one.

    Args:
        types: the documented ones by status; 4 stands for all of 4xx, 0 for every other. `str` is
            a text, and no JSON.
    """
    import msgspec  # few programs look at it

    from ..core.drift import Unreadable
    from .decode import examined_body, text_of

    status = exchange.status or 0
    type_ = types.get(status) or types.get(status // 100) or types.get(0)
    if type_ is None:
        return None
    if type_ is str:
        return text_of(exchange)
    try:
        return examined_body(type_, exchange.body)[0]
    except (Unreadable, RecursionError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
