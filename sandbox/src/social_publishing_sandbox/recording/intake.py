"""Bodies, taken in as they pass.

What is text is kept in memory, up to `TEXT_LIMIT`, since it must be redacted before it is written.
What is not goes to a file named by its digest, whatever its size.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import tempfile
from pathlib import Path
from typing import IO, Any

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
_CHUNK = 1024 * 1024
_OVERLAP = 1024  # a secret may lie across two chunks


class Blobs:
    """A folder of contents named by their SHA-256."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.added: set[str] = set()
        """The digests of the contents that were not there before."""

    def open(self) -> IO[bytes]:
        """Return a new file, for a content whose digest is not known yet."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return tempfile.NamedTemporaryFile(dir=self._folder, prefix=".partial-", delete=False)

    def keep(self, file: IO[bytes], sha256: str) -> None:
        """Give such a file the name of its content."""
        file.close()
        if not self.path(sha256).exists():
            self.added.add(sha256)
        os.replace(file.name, self.path(sha256))

    def drop(self, file: IO[bytes]) -> None:
        """Remove such a file."""
        file.close()
        Path(file.name).unlink(missing_ok=True)

    def recheck(self, sha256: str, suspicious: Suspicion) -> bool:
        """Return whether a content may stay; one in which a secret is found is removed."""
        tail = b""
        with open(self.path(sha256), "rb") as file:
            while data := file.read(_CHUNK):
                if suspicious(tail + data):
                    break
                tail = (tail + data)[-_OVERLAP:]
            else:
                return True
        self.path(sha256).unlink()
        return False

    def path(self, sha256: str) -> Path:
        """Return where the content with this digest is."""
        return self._folder / sha256


class Intake:
    """One content, fed in chunks.

    Without `blobs`, bytes that are no text are digested and not kept; neither are those that the
    `suspicious` function finds a secret in.
    """

    def __init__(
        self, content_type: str, blobs: Blobs | None = None, suspicious: Suspicion | None = None
    ) -> None:
        self._type = content_type.lower()
        self._textual = bool(_TEXTUAL.match(self._type))
        self._blobs = blobs
        self._suspicious = suspicious
        self._digest = hashlib.sha256()
        self._size = 0
        self._memory: bytearray | None = bytearray()
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._file: IO[bytes] | None = None
        self._tail = b""

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        if not data:
            return
        if not self._size:
            self._textual = self._textual or data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        self._digest.update(data)
        self._size += len(data)
        if self._memory is None:
            self._write(data)
            return
        self._memory += data
        if not self._textual and self._is_binary(data):
            self._spill()
        elif self._size > TEXT_LIMIT:
            self._memory = None

    def finish(self) -> Content | None:
        """Return what was taken in; None when it was nothing."""
        if not self._size:
            return None
        if self._memory is not None:
            content = _read_text(bytes(self._memory), self._type, self._textual)
            if content is not None:
                return content
            self._spill()
        return self._binary()

    def abandon(self) -> None:
        """Forget it all."""
        if self._blobs is not None and self._file is not None:
            self._blobs.drop(self._file)
        self._file = self._memory = None

    def _is_binary(self, data: bytes) -> bool:
        try:
            self._decoder.decode(data)
        except UnicodeDecodeError:
            return True
        return _CONTROL.search(data) is not None

    def _spill(self) -> None:
        memory, self._memory = self._memory, None
        if self._blobs is not None and memory:
            self._file = self._blobs.open()
            self._write(bytes(memory))

    def _write(self, data: bytes) -> None:
        if self._file is None:
            return
        if self._suspicious is not None and self._suspicious(self._tail + data):
            self.abandon()
            return
        self._tail = (self._tail + data)[-_OVERLAP:]
        self._file.write(data)

    def _binary(self) -> Binary:
        sha256 = self._digest.hexdigest()
        if self._blobs is None or self._file is None:
            return Binary(sha256, self._size, kept=False)
        self._blobs.keep(self._file, sha256)
        self._file = None
        return Binary(sha256, self._size)


class MultipartIntake:
    """A `multipart/form-data` body, fed in chunks and taken in part by part (§4.7).

    One that is not well-formed is digested and not kept.
    """

    def __init__(
        self, boundary: bytes, blobs: Blobs | None = None, suspicious: Suspicion | None = None
    ) -> None:
        self._blobs = blobs
        self._suspicious = suspicious
        self._digest = hashlib.sha256()
        self._size = 0
        self._parts: list[Part] = []
        self._headers: dict[str, str] = {}
        self._header = [bytearray(), bytearray()]
        self._intake: Intake | None = None
        self._complete = False
        self._parser: MultipartParser | None = MultipartParser(
            boundary,
            {
                "on_part_begin": self._headers.clear,
                "on_header_begin": self._on_header_begin,
                "on_header_field": lambda data, a, b: self._header[0].extend(data[a:b]),
                "on_header_value": lambda data, a, b: self._header[1].extend(data[a:b]),
                "on_header_end": self._on_header_end,
                "on_headers_finished": self._on_headers_finished,
                "on_part_data": lambda data, a, b: self._part_intake.feed(data[a:b]),
                "on_part_end": self._on_part_end,
                "on_end": self._on_end,
            },
        )

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        self._digest.update(data)
        self._size += len(data)
        if self._parser is None:
            return
        try:
            self._parser.write(data)
        except FormParserError:
            self.abandon()

    def finish(self) -> Body | None:
        """Return what was taken in; None when it was nothing."""
        if self._complete:
            return Multipart(tuple(self._parts))
        self.abandon()
        return Binary(self._digest.hexdigest(), self._size, kept=False) if self._size else None

    def abandon(self) -> None:
        """Forget it all but its digest."""
        self._parser = None
        self._complete = False
        if self._intake is not None:
            self._intake.abandon()

    @property
    def _part_intake(self) -> Intake:
        if self._intake is None:
            raise FormParserError("data outside of a part")
        return self._intake

    def _on_header_begin(self) -> None:
        self._header = [bytearray(), bytearray()]

    def _on_header_end(self) -> None:
        name, value = (_header_text(bytes(half)) for half in self._header)
        self._headers[name.lower()] = value

    def _on_headers_finished(self) -> None:
        kind = self._headers.get("content-type", "")
        self._intake = Intake(kind, self._blobs, self._suspicious)

    def _on_part_end(self) -> None:
        content = self._part_intake.finish() or Text("")
        self._intake = None
        # As bytes: of a text it takes Latin-1 alone, and file names have other letters.
        disposition = self._headers.get("content-disposition", "").encode()
        _, options = parse_options_header(disposition)
        filename = options.get(b"filename")
        self._parts.append(
            Part(
                _header_text(options.get(b"name", b"")),
                None if filename is None else _header_text(filename),
                self._headers.get("content-type"),
                content,
            )
        )

    def _on_end(self) -> None:
        self._complete = True


def intake_for(
    content_type: str, blobs: Blobs | None = None, suspicious: Suspicion | None = None
) -> Intake | MultipartIntake:
    """Return the intake for a body of this media type."""
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary")
    if kind == b"multipart/form-data" and boundary:
        try:
            return MultipartIntake(boundary, blobs, suspicious)
        except FormParserError:
            return Intake("application/octet-stream", None, None)
    return Intake(content_type, blobs, suspicious)


def is_json(content_type: str) -> bool:
    """Return whether a media type is JSON."""
    kind = content_type.partition(";")[0].strip().lower()
    return kind in ("application/json", "text/json") or kind.endswith("+json")


def declared_charset(content_type: str) -> str | None:
    """Return the encoding that a media type names, if it does."""
    found = _CHARSET.search(content_type)
    return found[1] if found else None


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
