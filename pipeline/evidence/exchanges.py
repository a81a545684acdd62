"""Recorded traffic as plain values: requests and their responses.

Of headers only those are kept that can matter, never credentials or cookies: these become a number
that distinguishes one user from another, and nothing else.
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
_DEEPEST: Final = 200  # levels of a value; a deeper one is no service's response
_MEDIA_TYPE: Final = re.compile(r"[a-z0-9.+-]{1,40}/[a-z0-9.+_-]{1,80}|")

Kind = Literal["none", "json", "form", "text", "unknown"]


@dataclass(frozen=True)
class Field:
    """A field of a form; `text` is None for a file, whose size may be known."""

    name: str
    text: str | None = None
    size: int | None = None


@dataclass(frozen=True)
class Body:
    """The body of a message.

    Attributes:
        kind: what is known of it: a JSON value, the fields of a form, or only that there is one.
        media_type: its bare media type; empty where there is none.
        value: the JSON value.
        fields: the fields of a form.
    """

    kind: Kind = "none"
    media_type: str = ""
    value: Any = None
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True)
class Exchange:
    """A request and its response.

    Attributes:
        file: the file that it was read from, as it was given.
        number: its place there, counted from 1.
        origin: where it went, such as `https://api.example`; empty where a recording leaves it out.
        path: the path of the request, with that of the base address.
        query: names and values of the query, decoded, in their order.
        document: the document whose address it went to; None as long as that is not known.
        route: the path below that address.
        user: equal for requests with equal credentials; 0 where there were none.
        agent: the `User-Agent` of the client, if it had one.
        headers: those of the response, by their names in small letters.
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
    user: int = 0
    agent: str = ""
    document: str | None = None
    route: str = ""


def origin_of(parts: SplitResult) -> str:
    """Return where an address leads, such as `https://api.example`; raises ValueError."""
    odd = parts.port not in (None, {"http": 80, "https": 443}.get(parts.scheme))
    return f"{parts.scheme}://{parts.hostname or ''}" + (f":{parts.port}" if odd else "")


def query_of(text: str) -> tuple[tuple[str, str], ...]:
    """Return the names and values of a query or a form, decoded."""
    return tuple(parse_qsl(text, keep_blank_values=True, errors="replace"))


def media_type_of(content_type: str) -> str:
    """Return the bare media type; empty for a text that is none, so that it is never shown."""
    name = bare(content_type)
    return name if _MEDIA_TYPE.fullmatch(name) else ""


def headers_of(pairs: Iterable[tuple[str, str]]) -> tuple[dict[str, str], int]:
    """Return headers without secrets, and a number for the credentials among them."""
    kept: dict[str, str] = {}
    secrets = []
    for name, value in pairs:
        name = name.lower()
        if name in ("authorization", "cookie"):
            secrets.append((name, value))
        elif name not in _SECRET:
            kept[name] = f"{kept[name]}, {value}" if name in kept else value
    # Cookies change from request to request: they count only where there is nothing else.
    credentials = [each for each in secrets if each[0] == "authorization"] or secrets
    return kept, hash(tuple(credentials)) if credentials else 0


def body_of_text(text: str, content_type: str) -> Body:
    """Return a body that stands in a file as text."""
    kind = media_type_of(content_type)
    if not text:
        return Body("none", kind)
    if is_json(kind):
        try:
            return Body("json", kind, _parsed(text.removeprefix("\ufeff")))
        except (ValueError, RecursionError):
            return Body("text", kind)
    if kind == "application/x-www-form-urlencoded":
        return Body("form", kind, fields=tuple(Field(*pair) for pair in query_of(text)))
    if kind == "multipart/form-data":
        return Body("form", kind, fields=_multipart(text, content_type))
    return Body("text", kind)


def body_of_base64(text: str, content_type: str) -> Body:
    """Return a body that stands in a file as base64, unpacked where it is packed.

    Raises:
        ValueError: it is not base64.
    """
    data = _unpacked(base64.b64decode("".join(text.split()), validate=True))
    kind = media_type_of(content_type)
    if data and not is_json(kind):
        return Body("unknown", kind)
    try:
        return body_of_text(data.decode(), content_type)
    except UnicodeDecodeError:
        return Body("unknown", kind)


def _parsed(text: str) -> Any:
    """Return the value of a JSON text that is not too deep; raises ValueError, RecursionError."""
    value = json.loads(text, parse_constant=_refuse, parse_float=_float)
    level = [value] if text.count("[") + text.count("{") > _DEEPEST else []
    for _ in range(_DEEPEST):
        level = [inner for each in level for inner in inside(each)]
    if level:
        raise RecursionError
    return value


def inside(value: Any) -> Iterable[Any]:
    """Return the members of an object or the items of an array; nothing for another value."""
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _refuse(text: str) -> NoReturn:
    raise ValueError(text)


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _unpacked(data: bytes) -> bytes:
    """Return bytes without gzip, which some programs leave in place."""
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return file.read(_LONGEST)
    except (OSError, EOFError, zlib.error):
        return data


def _multipart(text: str, content_type: str) -> tuple[Field, ...]:
    """Return the fields of a multipart body; none if its boundary is not known."""
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
