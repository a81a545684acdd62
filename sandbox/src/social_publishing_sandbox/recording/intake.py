"""Bodies, taken in as they pass.

What is text becomes part of the recording, up to `TEXT_LIMIT`, since it must be redacted before it
is written. What is not goes to a file named by its digest, whatever its size.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Self

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from social_publishing_sandbox.recording.model import (
    Binary,
    Body,
    Content,
    Json,
    Multipart,
    Part,
    Text,
)
from social_publishing_sandbox.recording.redaction import Suspicion
from social_publishing_sandbox.state.reading import strict_json

TEXT_LIMIT = 8 * 1024 * 1024
"""Bytes of a text that are kept; of a longer one only the digest is."""
DEPTH_LIMIT = 100
"""Levels of nesting up to which JSON is kept as data."""

_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_TEXTUAL = re.compile(r"text/|[^;]*\b(?:json|xml|javascript|x-www-form-urlencoded)\b")
_CHARSET = re.compile(r"charset=\"?([\w.:-]+)", re.IGNORECASE)
_BYTE_ORDER_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CHUNK = 1024 * 1024
_OVERLAP = 1024  # a secret may lie across two chunks


class Blobs:
    """A folder of contents named by their SHA-256."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, sha256: str) -> Path:
        """Return where the content with this digest is."""
        return self._folder / sha256

    def keep(self, file: IO[bytes], sha256: str) -> None:
        """Copy a content into the folder."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            dir=self._folder, prefix=".partial-", delete=False
        ) as copy:
            file.seek(0)
            shutil.copyfileobj(file, copy, _CHUNK)
        os.replace(copy.name, self.path(sha256))

    def recheck(self, sha256: str, suspicious: Suspicion) -> bool:
        """Return whether a content may stay; one in which a secret is found is removed."""
        with open(self.path(sha256), "rb") as file:
            if not _holds_secret(file, suspicious):
                return True
        self.path(sha256).unlink()
        return False


class Intake:
    """A body, fed in chunks; a large one is held in a temporary file.

    Args:
        content_type: its media type; a well-formed `multipart/form-data` is taken part by part.
        blobs: where bytes that are no text are kept; without it, they are only digested.
        suspicious: says whether bytes hold a secret; such a content is only digested, too.

    Attributes:
        boundary: of a form.
    """

    def __init__(
        self, content_type: str, blobs: Blobs | None = None, suspicious: Suspicion | None = None
    ) -> None:
        kind, options = parse_options_header(content_type)
        self.boundary = options.get(b"boundary") if kind == b"multipart/form-data" else None
        self._type = content_type.lower()
        self._blobs = blobs
        self._suspicious = suspicious
        self._digest = hashlib.sha256()
        self._size = 0
        self._file = tempfile.SpooledTemporaryFile(_CHUNK)  # noqa: SIM115

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        self._digest.update(data)
        self._size += len(data)
        self._file.write(data)

    def finish(self) -> Body | None:
        """Return what was taken in; None when it was nothing."""
        with self._file:
            if not self._size:
                return None
            if self.boundary:
                parts = self._parts(self.boundary)
                return self._binary(kept=False) if parts is None else Multipart(tuple(parts))
            return self.content()

    def content(self) -> Content:
        """Return what was taken in, as one content."""
        if not self._size:
            return Text("")
        self._file.seek(0)
        textual = _TEXTUAL.match(self._type) or self._file.read(2) in _BYTE_ORDER_MARKS
        if textual or not _is_binary(self._file):
            if self._size > TEXT_LIMIT:
                return self._binary(kept=False)  # what is not searched for secrets is not kept
            self._file.seek(0)
            if content := _read_text(self._file.read(), self._type, bool(textual)):
                return content
        if self._blobs is None or (
            self._suspicious is not None and _holds_secret(self._file, self._suspicious)
        ):
            return self._binary(kept=False)
        self._blobs.keep(self._file, self._digest.hexdigest())
        return self._binary(kept=True)

    def abandon(self) -> None:
        """Forget it all."""
        self._file.close()

    def _binary(self, kept: bool) -> Binary:
        return Binary(self._digest.hexdigest(), self._size, kept)

    def _parts(self, boundary: bytes) -> list[Part] | None:
        """Return the parts of a form (§4.7); None where it is not well-formed."""
        parts: list[Part] = []
        headers: dict[str, str] = {}
        name, value = bytearray(), bytearray()
        intakes: list[Intake] = []
        ended: list[bool] = []

        def header() -> None:
            headers[_header_text(bytes(name)).lower()] = _header_text(bytes(value))
            name.clear()
            value.clear()

        def begin() -> None:
            kind = headers.get("content-type", "")
            intakes.append(Intake(kind, self._blobs, self._suspicious))

        def end() -> None:
            with intakes.pop() as intake:
                parts.append(_part(headers, intake.content()))
            headers.clear()

        callbacks: Any = {
            "on_header_field": lambda data, start, stop: name.extend(data[start:stop]),
            "on_header_value": lambda data, start, stop: value.extend(data[start:stop]),
            "on_header_end": header,
            "on_headers_finished": begin,
            "on_part_data": lambda data, start, stop: intakes[-1].feed(data[start:stop]),
            "on_part_end": end,
            "on_end": lambda: ended.append(True),
        }
        try:
            parser = MultipartParser(boundary, callbacks)
            for data in _chunks(self._file):
                parser.write(data)
        except (FormParserError, IndexError):
            return None
        return parts if ended else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.abandon()


def content_of(
    data: bytes, content_type: str, blobs: Blobs | None = None, suspicious: Suspicion | None = None
) -> Content:
    """Return bytes as one content; the arguments are those of `Intake`."""
    with Intake(content_type, blobs, suspicious) as intake:
        intake.feed(data)
        return intake.content()


def _part(headers: Mapping[str, str], content: Content) -> Part:
    # As bytes: of a text it takes Latin-1 alone, and file names have other letters.
    _, options = parse_options_header(headers.get("content-disposition", "").encode())
    filename = options.get(b"filename")
    return Part(
        _header_text(options.get(b"name", b"")),
        None if filename is None else _header_text(filename),
        headers.get("content-type"),
        content,
    )


def _holds_secret(file: IO[bytes], suspicious: Suspicion) -> bool:
    tail = b""
    for data in _chunks(file):
        if suspicious(tail + data):
            return True
        tail = (tail + data)[-_OVERLAP:]
    return False


def _is_binary(file: IO[bytes]) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for data in _chunks(file):
            decoder.decode(data)
            if _CONTROL.search(data):
                return True
    except UnicodeDecodeError:
        return True
    return False


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    return iter(lambda: file.read(_CHUNK), b"")


def is_json(content_type: str) -> bool:
    """Return whether a media type is JSON."""
    kind = content_type.partition(";")[0].strip().lower()
    return kind in ("application/json", "text/json") or kind.endswith("+json")


def declared_charset(content_type: str) -> str | None:
    """Return the encoding that a media type names, if it does."""
    match = _CHARSET.search(content_type)
    return match[1] if match else None


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


def _read_text(data: bytes, content_type: str, textual: bool) -> Content | None:
    """Return the text or JSON in these bytes, or None when they are neither."""
    for charset in _charsets(data, content_type, textual):
        try:
            text = data.decode(charset)
            if text.encode(charset) != data:
                continue
        except (LookupError, UnicodeError):
            continue
        if charset == "utf-8" and is_json(content_type):
            try:
                return Json(read_json(text))
            except ValueError:
                pass
        return Text(text, charset)
    return None


def _charsets(data: bytes, content_type: str, textual: bool) -> list[str]:
    charsets = ["utf-8"]
    declared = declared_charset(content_type)
    if declared not in (None, "utf-8", "utf8"):
        charsets.append(declared)
    if data.startswith(codecs.BOM_UTF16_LE):
        charsets.append("utf-16-le")
    if data.startswith(codecs.BOM_UTF16_BE):
        charsets.append("utf-16-be")
    if textual and _TEXTUAL.match(content_type) and not _CONTROL.search(data):
        charsets.append("iso-8859-1")
    return charsets


def _header_text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
