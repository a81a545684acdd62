"""Recorded traffic as plain values: what was asked, and what was answered.

Of headers only those are kept that can matter, never credentials or cookies: these become a number
that tells one user from another, and nothing else.
"""

from __future__ import annotations

import base64
import email.parser
import email.policy
import gzip
import io
import json
import math
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn
from urllib.parse import SplitResult, parse_qsl

from pipeline.openapi.media_types import bare, is_json

_SECRET: Final = frozenset(
    {"authorization", "cookie", "set-cookie", "proxy-authorization", "x-api-key"}
)
_LONGEST: Final = 64 * 1024 * 1024  # bytes of a text that is unpacked
_DEEPEST: Final = 200  # levels of a value; a deeper one is nobody's answer
_MEDIA_TYPE: Final = re.compile(r"[a-z0-9.+-]{1,40}/[a-z0-9.+_-]{1,80}|")
_NOTHING: Final = object()

Kind = Literal["none", "json", "form", "text", "unknown"]


@dataclass(frozen=True)
class Field:
    """A field of a form; `text` is None for a file, whose size may be known."""

    name: str
    text: str | None = None
    size: int | None = None


@dataclass(frozen=True)
class Body:
    """What a message carries.

    Attributes:
        kind: what is known of it: a JSON value, the fields of a form, or only that there is one.
        media_type: its bare media type; empty if it is not told.
        value: the JSON value.
        fields: the fields of a form.
    """

    kind: Kind = "none"
    media_type: str = ""
    value: Any = None
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True)
class Exchange:
    """A request and its answer.

    Attributes:
        file: the file that it was read from, as it was given.
        number: its place there, counted from 1.
        origin: where it went, such as `https://api.example`; empty where a recording leaves it out.
        path: the path of the request, with that of the base address.
        query: names and values of the query, decoded, in their order.
        document: the document whose address it went to; None as long as that is not known.
        route: the path below that address.
        user: equal for requests with equal credentials; 0 where there were none.
        agent: how the client named itself, if it did.
        headers: those of the answer, by their names in small letters.
    """

    file: str
    number: int
    method: str
    origin: str
    path: str
    query: tuple[tuple[str, str], ...]
    asked: Body
    status: int
    headers: Mapping[str, str]
    answered: Body
    user: int = 0
    agent: str = ""
    document: str | None = None
    route: str = ""


def origin_of(parts: SplitResult) -> str:
    """Where an address leads, such as `https://api.example`; raises ValueError."""
    odd = parts.port not in (None, {"http": 80, "https": 443}.get(parts.scheme))
    return f"{parts.scheme}://{parts.hostname or ''}" + (f":{parts.port}" if odd else "")


def query_of(text: str) -> tuple[tuple[str, str], ...]:
    """The names and values of a query or a form, decoded."""
    return tuple(parse_qsl(text, keep_blank_values=True, errors="replace"))


def media_type_of(content_type: str) -> str:
    """The bare media type; empty where it is none, so that nothing else is told as one."""
    name = bare(content_type)
    return name if _MEDIA_TYPE.fullmatch(name) else ""


def headers_of(pairs: Iterable[tuple[str, str]]) -> tuple[dict[str, str], int]:
    """Headers without secrets, and a number for the credentials among them."""
    kept: dict[str, str] = {}
    secrets = []
    for name, value in pairs:
        name = name.lower()
        if name in ("authorization", "cookie"):
            secrets.append((name, value))
        elif name not in _SECRET:
            kept[name] = f"{kept[name]}, {value}" if name in kept else value
    # Cookies change from request to request: they tell users apart only where nothing else does.
    told = [each for each in secrets if each[0] == "authorization"] or secrets
    return kept, hash(tuple(told)) if told else 0


def body_of_text(text: str, content_type: str) -> Body:
    """A body that stands in a file as text."""
    kind = media_type_of(content_type)
    if not text:
        return Body("none", kind)
    if is_json(kind):
        value = _parsed(text.removeprefix("\ufeff"))
        return Body("text", kind) if value is _NOTHING else Body("json", kind, value)
    if kind == "application/x-www-form-urlencoded":
        return Body("form", kind, fields=tuple(Field(*pair) for pair in query_of(text)))
    if kind == "multipart/form-data":
        return Body("form", kind, fields=_parts(text, content_type))
    return Body("text", kind)


def body_of_bytes(data: bytes, content_type: str) -> Body:
    """A body of bytes, unpacked where they are packed."""
    data = _unpacked(data)
    kind = media_type_of(content_type)
    if data and not is_json(kind):
        return Body("unknown", kind)
    try:
        return body_of_text(data.decode(), content_type)
    except UnicodeDecodeError:
        return Body("unknown", kind)


def from_base64(text: str) -> bytes:
    """Bytes written in base64; raises ValueError."""
    return base64.b64decode("".join(text.split()), validate=True)


def _parsed(text: str) -> Any:
    """The value of a JSON text; `_NOTHING` if it is none."""
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_float)
    except (ValueError, RecursionError):
        return _NOTHING
    may_be_deep = text.count("[") + text.count("{") > _DEEPEST
    return _NOTHING if may_be_deep and _is_deep(value) else value


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return bool(level)


def _refuse(text: str) -> NoReturn:
    raise ValueError(text)


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _unpacked(data: bytes) -> bytes:
    """Bytes without gzip, which some programs leave in place."""
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return file.read(_LONGEST)
    except (OSError, EOFError, zlib.error):
        return data


def _parts(text: str, content_type: str) -> tuple[Field, ...]:
    """The fields of a multipart body; none if its boundary is not told."""
    head = f"Content-Type: {content_type}\r\n\r\n"
    message = email.parser.Parser(policy=email.policy.HTTP).parsestr(head + text)
    if not message.is_multipart():
        return ()
    found = []
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        if isinstance(name, str):
            content = part.get_payload()
            is_text = part.get_filename() is None and isinstance(content, str)
            found.append(Field(name, str(content).rstrip("\r\n") if is_text else None))
    return tuple(found)
