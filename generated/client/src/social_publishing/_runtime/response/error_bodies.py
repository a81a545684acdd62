"""The body of an error, as the type that the documents have for it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ..core.errors import Exchange
from ..core.type_guards import is_object


def error_body(exchange: Exchange, types: Mapping[int, Any]) -> Any:
    """Return the body of a response without success; None where it is not the documented one.

    A body that should be a text in JSON, and has no quotes, is that text; null, an object or a list
    in JSON is none.

    Args:
        types: the documented ones by status; 4 stands for all of 4xx, 0 for every other. `str` is
            a text, and no JSON; a mapping has the types by the media types that mean them, with
            the type of every other one under an empty name.
    """
    import msgspec  # few programs look at it

    from ..core.drift import Unreadable
    from .decode import examined_body, text_of

    status = exchange.status or 0
    type_ = types.get(status) or types.get(status // 100) or types.get(0)
    if is_object(type_):
        type_ = _of_media_type(type_, exchange.headers.get("content-type", ""))
    if type_ is None:
        return None
    text = text_of(exchange)
    if type_ is str:
        return text
    wrong = (Unreadable, RecursionError, msgspec.MsgspecError, UnicodeDecodeError)
    with suppress(*wrong):
        return examined_body(type_, exchange.body)[0]
    with suppress(*wrong):
        return examined_body(type_, msgspec.json.encode(text))[0] if _has_no_quotes(text) else None
    return None


def _has_no_quotes(text: str) -> bool:
    """Return whether a text that should be JSON is one without quotes."""
    import msgspec

    with suppress(msgspec.DecodeError):
        return isinstance(msgspec.json.decode(text), str | bool | int | float)
    return bool(text.strip())


def _of_media_type(types: dict[str, Any], said: str) -> Any:
    """Return the type that a header Content-Type means."""
    name = said.partition(";")[0].strip().lower()
    known = (name, f"{name.partition('/')[0]}/*", "*/*", "")
    return next((types[each] for each in known if each in types), None)
