"""Files on their way out: what may be sent, and a multipart body that is read as it leaves."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncGenerator, AsyncIterable, Generator, Iterable, Mapping, Sequence
from contextlib import aclosing, closing, contextmanager
from functools import partial
from inspect import iscoroutinefunction
from typing import IO, Any, TypeAlias

import msgspec

from ..core.errors import ArgumentError, ArgumentProblem
from ..core.type_guards import is_count, is_items, is_mapping, is_path
from .file_content import Content, InMemory, Unfit, content_of, cut
from .progress import Progress, reporting
from .validation import Checker, is_media_type

# Bytes that the asynchronous client hands over at a time. The timeout holds for each of them as a
# whole: were they larger, a slow connection would be given up although it gets on.
AWAITED = 1 << 18


class File(msgspec.Struct, frozen=True):
    """A file to send, under a name.

    A path, bytes and a seekable open file can be sent again if an attempt fails. An open file is
    read from its current position, and stays open. Iterators can be read only once; asynchronous
    ones need the asynchronous client. Pass their size here if you know it.

    Attributes:
        content: bytes, a path, a file opened for reading in binary mode, or an iterator or an
            asynchronous iterator of bytes.
        name: the file name for the service; its extension decides the kind.
        content_type: the media type. Default: guessed from the name.
        size: the size in bytes. If the content differs, the request is aborted.
    """

    content: bytes | str | os.PathLike[str] | IO[bytes] | Iterable[bytes] | AsyncIterable[bytes]
    name: str
    content_type: str | None = None
    size: int | None = None

    def __repr__(self) -> str:
        return f"File(<{type(self.content).__name__}>, name={self.name!r})"  # bytes may be many


NamedFileInput: TypeAlias = str | os.PathLike[str] | IO[bytes] | File
"""A path, an open binary file with a name, or a `File` with a name of its own."""

FileInput: TypeAlias = bytes | NamedFileInput
"""The same, or bytes; without a name, what is sent has that of the field."""

# What a whole body is read from: bytes, a path, an open binary file, or an iterator of bytes.
ContentInput: TypeAlias = FileInput | Iterable[bytes] | AsyncIterable[bytes]


def files_in(body: Any) -> dict[str, Any]:
    """Return the files among the members of a form whose fields have no names in the documents."""
    given = body.items() if is_mapping(body) else ()
    return {name: value for name, value in given if _is_file(value)}


def fields_in(body: Any) -> Any:
    """Return such a form without its files."""
    if not is_mapping(body):
        return body
    return {name: value for name, value in body.items() if not _is_file(value)}


def _is_file(value: Any) -> bool:
    return isinstance(value, (bytes, os.PathLike, File)) or hasattr(value, "read")


class FilePart(msgspec.Struct, frozen=True):
    """A file for a multipart body, or a whole body, with what the documents say about it.

    Attributes:
        argument: the name that the caller knows it by.
        extensions: the extensions that are allowed, in lower case without a dot; empty means any.
        exact: whether an extension with capital letters is another one.
        min_bytes: the smallest size in bytes, or None.
        max_bytes: the largest one, or None.
        min_length: the fewest files of a list or a mapping, or None.
        max_length: the most of them, or None.
        many: whether it is a list of files, each in a part of its own.
        keyed: whether it is a mapping of files, whose parts have the names that the caller gives.
        nullable: whether None is allowed, for which nothing is sent.
        whole: whether it is all of a body, and needs no name.
        content_type: its media type, where the caller says none; else its name tells.
    """

    name: str
    value: Any
    argument: str
    extensions: Sequence[str] = ()
    exact: bool = False
    min_bytes: int | None = None
    max_bytes: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    progress: Progress | None = None
    many: bool = False
    keyed: bool = False
    nullable: bool = False
    whole: bool = False
    content_type: str | None = None

    def parts(self, checker: Checker) -> list[Part]:
        """Return the parts that are sent: none, one, or one for each of several files."""
        if self.value is msgspec.UNSET or (self.value is None and self.nullable):
            return []
        if not self.many and not self.keyed:
            return [self.checked(checker)]
        given: Iterable[tuple[Any, Any]]
        if self.keyed and is_mapping(self.value):
            given = self.value.items()
        elif self.many and is_items(self.value):
            given = enumerate(self.value)
        else:
            wanted, kind = "mapping" if self.keyed else "list", type(self.value).__name__
            checker.refuse(self.argument, f"expected a {wanted} of files, got {kind}")
            return []
        unit = "member" if self.keyed else "item"
        checker.length(len(self.value), self, self.argument, unit)
        parts: list[Part] = []
        for key, value in given:
            argument = f"{self.argument}[{key!r}]"
            part = msgspec.structs.replace(self, value=value, argument=argument)
            if self.keyed:
                name = f"{self.name}[{key}]" if self.name else key
                part = msgspec.structs.replace(part, name=name)
            parts.append(part.checked(checker))
        return parts

    def checked(self, checker: Checker) -> Part:
        """Return the part as it will be sent; the checker records what the documents forbid."""
        part = _part(self, checker)
        extension = os.path.splitext(part.filename)[1].lstrip(".")
        extension = extension if self.exact else extension.lower()
        if part.filename and self.extensions and extension not in self.extensions:
            checker.refuse(
                self.argument,
                f"{part.filename!r} has the extension {extension!r}; "
                f"allowed are {', '.join(self.extensions)}",
            )
        if part.size is not None and (wrong := self.wrong_size(part.size)):
            checker.refuse(self.argument, f"{wrong}, {part.filename!r} has {part.size}")
        if self.progress is not None and (
            not callable(self.progress) or iscoroutinefunction(self.progress)
        ):
            checker.refuse("progress", "expected a plain function of two numbers, or None")
        return part

    def wrong_size(self, size: int) -> str:
        """Return the limit that a size in bytes goes beyond, in words; empty for none."""
        if self.max_bytes is not None and size > self.max_bytes:
            return f"at most {self.max_bytes} bytes"
        if self.min_bytes is not None and size < self.min_bytes:
            return f"at least {self.min_bytes} bytes"
        return ""


class Part(msgspec.Struct, frozen=True):
    """A file that was looked at; its size is what is promised, None where only reading shows it."""

    given: FilePart
    filename: str
    content: Content
    content_type: str | None
    size: int | None


def _part(part: FilePart, checker: Checker) -> Part:
    value = part.value
    file = value if isinstance(value, File) else File(value, _name(value))
    name: Any = file.name
    content: Content = InMemory(b"")
    try:
        if (part.whole or is_items(value)) and not _is_of_bytes(value):
            kind = type(value).__name__
            raise Unfit(
                f"expected bytes, a path, a binary file or an iterator of bytes, got {kind}"
            )
        content = content_of(file.content)
        size = _size(file.size, content)
        if not isinstance(name, str):
            raise Unfit(f"the name must be a string, got {type(name).__name__}")
        if not name and not part.whole:
            if file is value or part.extensions:
                hint = "has no name: wrap it, as in File(content, name='a.png')"
                raise Unfit("the file needs a name" if file is value else hint)
            name = part.name  # without one, services take the part for a text
            file = msgspec.structs.replace(file, name=name)
        if re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", name):
            raise Unfit(f"the name {name!r} has a control character, which no header can carry")
        if not (file.content_type is None or is_media_type(file.content_type)):
            raise Unfit(f"{file.content_type!r} is not a media type")
    except Unfit as problem:
        checker.refuse(part.argument, str(problem))
        file, size = File(b"", ""), 0
    return Part(part, file.name, content, file.content_type, size)


def _is_of_bytes(value: Any) -> bool:
    """Return whether a value may be a body; an object or a list of JSON is none."""
    if is_items(value):
        return all(isinstance(each, bytes) for each in value)
    if isinstance(value, File) or is_path(value):
        return True
    ways = ("read", "__iter__", "__aiter__")
    return not is_mapping(value) and any(hasattr(value, way) for way in ways)


def _name(value: Any) -> str:
    """Return the name that a path or an open file has by itself; empty without one."""
    name = value if is_path(value) else getattr(value, "name", None)
    if is_path(name) or isinstance(name, bytes):  # it is a number where that was opened
        return os.path.basename(os.fsdecode(name))
    return ""


def _size(said: Any, content: Content) -> int | None:
    """Return the bytes that are promised: as they were counted, or else as the caller said."""
    if said is None:
        return content.size
    if not is_count(said) or said < 0:
        raise Unfit(f"the size must be a whole number of bytes, got {said!r}")
    if content.size not in (None, said):
        raise Unfit(f"the size is given as {said} bytes, but the content has {content.size}")
    return said


class Multipart:
    """A body of parts, such as `multipart/form-data`, read in chunks of 1 MiB while it is sent.

    Each iteration is one sending. What ends it, other than its last byte, must close it, so that
    files are closed: `with closing(iter(body))`, or `async with aclosing(aiter(body))`.

    Attributes:
        content_type: the value of the Content-Type header, with a random boundary.
        length: the size of the whole body in bytes; None if a file has no known size.
        replayable: whether it can be sent again from its start.
        is_at_hand: whether a thread may send it for a task: nothing in it has to be awaited, or
            may wait for ever.
        on_progress: called while it is sent, where its files have no callback of their own.
        started: whether anything of it was taken so far.
        failure: the error that ended a sending from inside: an `ArgumentError`, or whatever the
            caller's own content or callback raised, which is to reach the caller as it is.
    """

    def __init__(
        self,
        fields: dict[str, list[str]],
        files: Sequence[Part],
        operation: str = "upload",
        types: Mapping[str, str] | None = None,
        media_type: str = "multipart/form-data",
    ) -> None:
        import secrets  # most programs send no file

        self._boundary = secrets.token_hex(16)
        pieces: list[bytes | Part] = []
        head = b""
        for name, values in fields.items():
            for value in values:
                content_type = (types or {}).get(name) or None
                head += self._head(name, None, content_type) + value.encode() + b"\r\n"
        for part in files:
            said = part.content_type or part.given.content_type
            content_type = said or _guess_type(part.filename)
            pieces += [head + self._head(part.given.name, part.filename, content_type), part]
            head = b"\r\n"
        pieces.append(head + f"--{self._boundary}--\r\n".encode())
        self._of(pieces, files, operation, f"{media_type}; boundary={self._boundary}")

    def _of(
        self,
        pieces: Sequence[bytes | Part],
        files: Sequence[Part],
        operation: str,
        content_type: str,
    ) -> None:
        self._operation = operation
        self._files = files
        self._pieces = pieces
        self.content_type = content_type
        self.length: int | None = _sum(
            p.size if isinstance(p, Part) else len(p) for p in self._pieces
        )
        self.replayable: bool = all(part.content.replayable for part in files)
        self.is_at_hand: bool = self.replayable and self.length is not None
        self.on_progress: Progress | None = None
        self.started: bool = False
        self.failure: Exception | None = None

    def _head(
        self, name: str, filename: str | None = None, content_type: str | None = None
    ) -> bytes:
        lines = [f"--{self._boundary}", f'Content-Disposition: form-data; name="{_escape(name)}"']
        if filename is not None:
            lines[1] += f'; filename="{_escape(filename)}"'
        if content_type is not None:
            lines.append(f"Content-Type: {content_type}")
        return "\r\n".join([*lines, "", ""]).encode("utf-8", "replace")

    def __iter__(self) -> Generator[bytes]:
        """One sending.

        Raises:
            ArgumentError: a file has to be awaited, or was already read and can be read only
                once; now or on the way: it cannot be read, has changed, or is too long or short.
        """
        self._check(awaited=False)
        return self._chunks()

    def __aiter__(self) -> AsyncGenerator[bytes]:
        """One sending; paths, open files and iterators are read in a thread. Errors as above."""
        self._check(awaited=True)
        return self._chunks_async()

    def _chunks(self) -> Generator[bytes]:
        with self._sending() as meter:
            for piece in self._pieces:
                if isinstance(piece, bytes):
                    yield piece
                    continue
                with meter.reading(piece), closing(piece.content.chunks()) as chunks:
                    for chunk in chunks:
                        meter.hold(chunk)
                        yield chunk
                        meter.report(chunk)

    async def _chunks_async(self) -> AsyncGenerator[bytes]:
        with self._sending() as meter:
            for piece in self._pieces:
                if isinstance(piece, bytes):
                    yield piece
                    continue
                with meter.reading(piece):
                    async with aclosing(piece.content.chunks_async()) as chunks:
                        async for chunk in chunks:
                            meter.hold(chunk)
                            for part in cut(chunk, AWAITED):
                                yield part
                                meter.report(part)

    def _check(self, awaited: bool) -> None:
        """Refuse a sending that cannot succeed."""
        for part in self._files:
            if part.content.needs_async and not awaited:
                raise self._refused(part, "it is asynchronous: use the asynchronous client")
            if self.started and not part.content.replayable:
                raise self._refused(part, "it was already read, and can be read only once")

    @contextmanager
    def _sending(self) -> Generator[_Meter]:
        self._check(awaited=True)  # once more: another sending may have begun meanwhile
        self.started = True
        meter = _Meter(self._files, self.on_progress)
        try:
            meter.begin()
            yield meter
            meter.end()
        except Unfit as problem:
            self.failure = self._refused(meter.part, str(problem))
            raise self.failure from problem.__cause__
        except Exception as error:
            self.failure = error
            raise

    def _refused(self, part: Part, reason: str) -> ArgumentError:
        return ArgumentError(self._operation, (ArgumentProblem(part.given.argument, reason),))


class Streamed(Multipart):
    """A file that is all of a body, read and watched as those of a form are."""

    def __init__(self, part: Part, operation: str, content_type: str | None) -> None:
        media_type = content_type or part.content_type or "application/octet-stream"
        self._of([part], [part], operation, media_type)


class _Meter:
    """Holds the files of one sending to their sizes, and reports how far it is."""

    part: Part

    def __init__(self, files: Sequence[Part], usual: Progress | None) -> None:
        self._read = self._sent = 0
        # A method has one callback for all files.
        callback = next((file.given.progress for file in files if file.given.progress), usual)
        elsewhere = reporting.get()
        self._callback = partial(elsewhere, callback) if elsewhere and callback else callback
        self._total = _sum(file.size for file in files)

    def begin(self) -> None:
        """Report that nothing was sent yet."""
        if self._callback:
            self._callback(0, self._total)

    def end(self) -> None:
        """Report that everything was sent, where nobody knew how much it would be."""
        if self._callback and self._total is None:
            self._callback(self._sent, self._sent)

    @contextmanager
    def reading(self, part: Part) -> Generator[None]:
        """While a file is read."""
        self.part, self._read = part, 0
        yield
        if part.size is not None and self._read < part.size:
            raise Unfit(f"{part.filename!r} ended after {self._read} of {part.size} bytes")
        if wrong := part.given.wrong_size(self._read):
            raise Unfit(f"{wrong}, {part.filename!r} has {self._read}")

    def hold(self, chunk: bytes) -> None:
        """Refuse a chunk that makes the file too long."""
        part = self.part
        self._read += len(chunk)
        if part.size is not None and self._read > part.size:
            raise Unfit(
                f"{part.filename!r} has more than the {part.size} bytes that were announced"
            )
        most = part.given.max_bytes
        if most is not None and self._read > most:
            raise Unfit(f"at most {most} bytes, {part.filename!r} has more")

    def report(self, chunk: bytes) -> None:
        """Report that a chunk was sent."""
        self._sent += len(chunk)
        if self._callback:
            self._callback(self._sent, self._total)


def _sum(sizes: Iterable[int | None]) -> int | None:
    """Return the sum; None where one of them is not known."""
    every = [*sizes]
    known = [size for size in every if size is not None]
    return sum(known) if len(known) == len(every) else None


def _escape(text: str) -> str:
    """As browsers write the names in a multipart header (WHATWG, "multipart/form-data")."""
    return text.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")


def _guess_type(filename: str) -> str:
    from mimetypes import guess_type  # reads the system's tables: only when a file is sent

    return guess_type(filename)[0] or "application/octet-stream"
