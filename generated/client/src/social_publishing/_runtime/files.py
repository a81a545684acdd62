"""Files on their way out: what may be sent, and a multipart body that is read as it leaves."""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import AsyncIterator, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, TypeAlias

import msgspec

from .arguments import Checker
from .shapes import is_path

__all__ = ["File", "FileInput", "FilePart", "Multipart"]

CHUNK = 1 << 20  # bytes read and sent at a time


class File(msgspec.Struct, frozen=True):
    """Bytes or an open binary file, under a name.

    Attributes:
        content: the bytes themselves, or a file opened for reading in binary mode.
        name: the file name that the service sees; its extension tells the kind.
        content_type: the media type; guessed from the name when it is not said.
    """

    content: bytes | BinaryIO
    name: str
    content_type: str | None = None


# A path, an open binary file that knows its name, or a `File` with a name of its own.
FileInput: TypeAlias = "str | os.PathLike[str] | BinaryIO | File"


class FilePart(msgspec.Struct, frozen=True):
    """A file for a multipart body, with what the documents say about it.

    Attributes:
        name: the name of the part.
        value: what the caller gave.
        argument: the name that the caller knows it by.
        extensions: the extensions that are allowed, in lower case without a dot; empty means any.
        max_bytes: the largest size in bytes, or None.
    """

    name: str
    value: Any
    argument: str
    extensions: Sequence[str] = ()
    max_bytes: int | None = None

    def checked(self, checker: Checker) -> _Part:
        """The part as it will be sent; what the documents forbid is recorded with the checker."""
        part = _part(self, checker)
        extension = os.path.splitext(part.filename)[1].lstrip(".").lower()
        if part.filename and self.extensions and extension not in self.extensions:
            checker.refuse(
                self.argument,
                f"{part.filename!r} has the extension {extension!r}; "
                f"allowed are {', '.join(self.extensions)}",
            )
        if self.max_bytes is not None and part.size is not None and part.size > self.max_bytes:
            checker.refuse(
                self.argument, f"at most {self.max_bytes} bytes, {part.filename!r} has {part.size}"
            )
        return part


class _Part(msgspec.Struct, frozen=True):
    name: str
    filename: str
    content: bytes | BinaryIO | str  # a str is a path
    size: int | None
    content_type: str | None


def _part(part: FilePart, checker: Checker) -> _Part:
    value = part.value
    content: bytes | BinaryIO | str
    content_type: str | None = None
    if isinstance(value, File):
        content, filename, content_type = value.content, value.name, value.content_type
        if not filename:
            checker.refuse(part.argument, "the file needs a name")
        if content_type is not None and not _is_media_type(content_type):
            checker.refuse(part.argument, f"{content_type!r} is no media type")
            content_type = None
    elif is_path(value):
        content = os.fsdecode(value)
        filename = os.path.basename(content)
    else:
        content = value
        name = getattr(value, "name", None)
        filename = os.path.basename(name) if isinstance(name, str) else ""
        if not filename and (isinstance(value, bytes) or hasattr(value, "read")):
            checker.refuse(part.argument, "has no name: wrap it, as in File(content, name='a.png')")
    try:
        return _Part(part.name, filename, content, _size(content), content_type)
    except OSError as error:
        checker.refuse(part.argument, f"{content!r} cannot be read: {error.strerror or error}")
    except (TypeError, ValueError) as error:
        checker.refuse(part.argument, str(error))
    return _Part(part.name, "", b"", 0, None)


def _size(content: Any) -> int | None:
    """The bytes that are left to read; None where only reading can tell."""
    if isinstance(content, bytes):
        return len(content)
    if isinstance(content, str):
        mode = os.stat(content).st_mode
        if not stat.S_ISREG(mode):  # opening a pipe would wait for its other end
            raise OSError(0, "it is a directory" if stat.S_ISDIR(mode) else "it is no regular file")
        with open(content, "rb") as file:  # to be refused now, not in the middle of a request
            return os.fstat(file.fileno()).st_size
    if not hasattr(content, "read"):
        raise TypeError(
            f"expected a path, a binary file or a File(content, name='a.png'), "
            f"got {type(content).__name__}"
        )
    if isinstance(content.read(0), str):
        raise TypeError("the file is open in text mode: open it with 'rb'")
    if not (hasattr(content, "seekable") and content.seekable()):
        return None
    here: int = content.tell()
    end: int = content.seek(0, os.SEEK_END)
    content.seek(here)
    return max(0, end - here)


class Multipart:
    """A `multipart/form-data` body, read in chunks of 1 MiB while it is sent.

    Attributes:
        content_type: the value of the Content-Type header, with a random boundary.
        length: the size of the whole body in bytes; None where a part cannot tell its own.
    """

    def __init__(self, fields: dict[str, list[str]], files: list[_Part]) -> None:
        self._boundary = secrets.token_hex(16)
        self.content_type = f"multipart/form-data; boundary={self._boundary}"
        self._pieces: list[bytes | _Part] = []
        for name, values in fields.items():
            for value in values:
                self._pieces += [self._head(name), value.encode(), b"\r\n"]
        for part in files:
            content_type = part.content_type or _guess_type(part.filename)
            self._pieces += [self._head(part.name, part.filename, content_type), part, b"\r\n"]
        self._pieces.append(f"--{self._boundary}--\r\n".encode())
        sizes = [p.size if isinstance(p, _Part) else len(p) for p in self._pieces]
        self.length = None if None in sizes else sum(size or 0 for size in sizes)

    def _head(
        self, name: str, filename: str | None = None, content_type: str | None = None
    ) -> bytes:
        lines = [f"--{self._boundary}", f'Content-Disposition: form-data; name="{_escape(name)}"']
        if filename is not None:
            lines[1] += f'; filename="{_escape(filename)}"'
            lines.append(f"Content-Type: {content_type}")
        return "\r\n".join([*lines, "", ""]).encode("utf-8", "replace")

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            if isinstance(piece, bytes):
                yield piece
            elif isinstance(piece.content, bytes):
                yield piece.content
            else:
                with _opened(piece.content) as file:
                    while chunk := file.read(CHUNK):
                        yield chunk

    async def __aiter__(self) -> AsyncIterator[bytes]:
        from anyio import to_thread  # comes with httpx2

        for piece in self._pieces:
            if isinstance(piece, bytes):
                yield piece
            elif isinstance(piece.content, bytes):
                yield piece.content
            else:
                with _opened(piece.content) as file:
                    while chunk := await to_thread.run_sync(file.read, CHUNK):
                        yield chunk


@contextmanager
def _opened(content: BinaryIO | str) -> Generator[BinaryIO, None, None]:
    if isinstance(content, str):
        with open(content, "rb") as file:
            yield file
    else:
        yield content  # the caller opened it, and closes it


def _escape(text: str) -> str:
    """As browsers write the names in a multipart header (WHATWG, "multipart/form-data")."""
    return text.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")


def _is_media_type(text: str) -> bool:
    return re.fullmatch(r"[!-.0-~]+/[!-.0-~][ -~]*", text) is not None


def _guess_type(filename: str) -> str:
    from mimetypes import (
        guess_type,  # reads the system's tables: only when a file is sent
    )

    return guess_type(filename)[0] or "application/octet-stream"
