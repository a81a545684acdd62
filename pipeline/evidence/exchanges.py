"""Recorded traffic as plain values: requests and their responses.

Of headers only those are kept that can matter, never credentials or cookies.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn
from urllib.parse import SplitResult, parse_qsl

from pipeline.openapi.media_types import bare, is_json
from pipeline.openapi.objects import is_deeper

_SECRET: Final = frozenset(
    {"authorization", "cookie", "set-cookie", "proxy-authorization", "x-api-key"}
)
_DEEPEST: Final = 200  # levels of a value; a deeper one is no service's response
_MEDIA_TYPE: Final = re.compile(r"[a-z0-9.+-]{1,40}/[a-z0-9.+_-]{1,80}|")


@dataclass(frozen=True)
class Body:
    """The body of a message, of JSON its value; `unknown` where the file does not have it."""

    kind: Literal["none", "json", "other", "unknown"] = "none"
    media_type: str = ""
    value: Any = None


@dataclass(frozen=True)
class Exchange:
    """A request and its response.

    Attributes:
        file: the file that it was read from, as it was given.
        number: its place there, counted from 1.
        origin: where it went, such as `https://api.example`; empty where a recording leaves it out.
        path: the path of the request, with that of the base address.
        headers: those of the response, by their names in small letters.
        caller: who asked: the same for the same credentials, which it does not tell; empty where
            that is not known.
        document: the document whose address it went to; None as long as that is not known.
        route: the path below that address.
    """

    file: str
    number: int
    method: str
    origin: str
    path: str
    query: tuple[tuple[str, str], ...]
    request: Body
    status: int
    headers: Mapping[str, str]
    response: Body
    agent: str = ""
    caller: str = ""
    document: str | None = None
    route: str = ""


def origin_of(parts: SplitResult) -> str:
    """Return where an address leads, such as `https://api.example`; raises ValueError."""
    odd = parts.port not in (None, {"http": 80, "https": 443}.get(parts.scheme))
    return f"{parts.scheme}://{parts.hostname or ''}" + (f":{parts.port}" if odd else "")


def query_of(text: str) -> tuple[tuple[str, str], ...]:
    """Return the names and values of a query, decoded."""
    return tuple(parse_qsl(text, keep_blank_values=True, errors="replace"))


def media_type_of(content_type: str) -> str:
    """Return the bare media type; empty for a text that is none, so that it is never shown."""
    name = bare(content_type)
    return name if _MEDIA_TYPE.fullmatch(name) else ""


def caller_of(pairs: Iterable[tuple[str, str]]) -> str:
    """Return a text that is the same for the same credentials, and does not tell them."""
    secrets = sorted((name.lower(), value) for name, value in pairs if name.lower() in _SECRET)
    return hashlib.sha256(repr(secrets).encode()).hexdigest()[:16] if secrets else ""


def headers_of(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return headers without secrets."""
    kept: dict[str, str] = {}
    for name, value in ((name.lower(), value) for name, value in pairs):
        if name not in _SECRET:
            kept[name] = f"{kept[name]}, {value}" if name in kept else value
    return kept


def body_of(text: str, content_type: str) -> Body:
    """Return a body that stands in a file as text."""
    media_type = media_type_of(content_type)
    if text and is_json(media_type):
        try:
            return Body("json", media_type, _parsed(text.removeprefix("\ufeff")))
        except (ValueError, RecursionError):
            pass
    return Body("other" if text else "none", media_type)


def _parsed(text: str) -> Any:
    """Return the value of a JSON text that is not too deep; raises ValueError, RecursionError."""
    value = json.loads(text, parse_constant=_refuse, parse_float=_float)
    if text.count("[") + text.count("{") > _DEEPEST and is_deeper(value, _DEEPEST):
        raise RecursionError
    return value


def _refuse(text: str) -> NoReturn:
    raise ValueError(text)


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value
