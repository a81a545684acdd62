"""Take in bodies as they pass.

Text becomes part of the recording, up to `TEXT_LIMIT`, since it must be searched for secrets before
it is written. Of anything else only the digest does.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, Literal

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser

from social_publishing_sandbox.api.media.names import decode, parameters
from social_publishing_sandbox.recording.model import (
    Binary,
    Body,
    Content,
    Json,
    Multipart,
    Part,
    Text,
)
from social_publishing_sandbox.state.reading import strict_json

TEXT_LIMIT = 8 * 1024 * 1024
"""Bytes of a text that are kept; of a longer one only the digest is."""
DEPTH_LIMIT = 100
"""Levels of nesting up to which JSON is kept as data."""

_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_TEXTUAL = re.compile(r"text/|[^;]*\b(?:json|xml|javascript|x-www-form-urlencoded)\b")


class Intake:
    """A body, fed in chunks; only a text that is not too long is held."""

    def __init__(self, content_type: str) -> None:
        kind, options = parameters(content_type)
        boundary = options.get("boundary") if kind == "multipart/form-data" else None
        self._form = _Form(boundary.encode()) if boundary else None
        self._type = content_type.lower()
        self._digest = hashlib.sha256()
        self._size = 0
        self._held = bytearray()

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        self._digest.update(data)
        self._size += len(data)
        if self._form is not None:
            self._form.feed(data)
        elif self._size <= TEXT_LIMIT:
            self._held += data
        else:
            self._held.clear()

    def finish(self) -> Body | None:
        """Return what was taken in; None when it was nothing."""
        if not self._size:
            return None
        if self._form is None:
            return self.content()
        parts = self._form.parts()
        return self._binary() if parts is None else Multipart(parts)

    def content(self) -> Content:
        """Return what was taken in, as one content."""
        if self._size <= TEXT_LIMIT and (content := _read_text(bytes(self._held), self._type)):
            return content
        return self._binary()

    def _binary(self) -> Binary:
        return Binary(self._digest.hexdigest(), self._size)


class _Form:
    """The parts of a form (§4.7), each taken in as it passes."""

    def __init__(self, boundary: bytes) -> None:
        self._parts: list[Part] = []
        self._headers: dict[str, str] = {}
        self._name, self._value = bytearray(), bytearray()
        self._part = Intake("")
        self._state: Literal["open", "ended", "broken"] = "open"
        callbacks: Any = {
            "on_header_field": lambda data, start, stop: self._name.extend(data[start:stop]),
            "on_header_value": lambda data, start, stop: self._value.extend(data[start:stop]),
            "on_header_end": self._header,
            "on_headers_finished": self._begin,
            "on_part_data": self._feed,
            "on_part_end": self._end,
            "on_end": self._finish,
        }
        self._parser = MultipartParser(boundary, callbacks)

    def feed(self, data: bytes) -> None:
        if self._state == "broken":
            return
        try:
            self._parser.write(data)
        except (FormParserError, IndexError):
            self._state = "broken"

    def parts(self) -> tuple[Part, ...] | None:
        """Return the parts; None where it is no well-formed form."""
        return tuple(self._parts) if self._state == "ended" else None

    def _header(self) -> None:
        self._headers[decode(bytes(self._name)).lower()] = decode(bytes(self._value))
        self._name.clear()
        self._value.clear()

    def _begin(self) -> None:
        self._part = Intake(self._headers.get("content-type", ""))

    def _feed(self, data: bytes, start: int, stop: int) -> None:
        self._part.feed(data[start:stop])

    def _end(self) -> None:
        _, options = parameters(self._headers.get("content-disposition", ""))
        name, filename = options.get("name", ""), options.get("filename")
        kind = self._headers.get("content-type")
        self._parts.append(Part(name, filename, kind, self._part.content()))
        self._headers.clear()

    def _finish(self) -> None:
        self._state = "ended"


def is_json(content_type: str) -> bool:
    """Return whether a media type is JSON."""
    kind = content_type.partition(";")[0].strip().lower()
    return kind in ("application/json", "text/json") or kind.endswith("+json")


def read_json(text: str) -> Any:
    """Return a JSON text as data, if nothing is lost that way.

    Raises:
        ValueError: it is not JSON, or has equal keys, numbers out of range, lone surrogates, or
            more than `DEPTH_LIMIT` levels.
    """
    value = strict_json(text)
    _check(value, DEPTH_LIMIT)
    return value


def _check(value: Any, depth: int) -> None:
    if depth < 0:
        raise ValueError("nested too deeply")
    match value:
        case str():
            value.encode()
        case bool() | None:
            pass
        case int() if not -(2**63) <= value < 2**64:
            raise ValueError("an integer of more than 64 bits")
        case float() if value in (float("inf"), float("-inf")):
            raise ValueError("a number out of range")
        case list():
            for item in value:
                _check(item, depth - 1)
        case dict():
            for key, item in value.items():
                key.encode()
                _check(item, depth - 1)


def _read_text(data: bytes, content_type: str) -> Content | None:
    """Return the text or JSON in these bytes, or None when they are neither."""
    if _CONTROL.search(data) and not _TEXTUAL.match(content_type):
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    if is_json(content_type):
        try:
            return Json(read_json(text))
        except ValueError:
            pass
    return Text(text)
