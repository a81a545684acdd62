"""Where the bytes of a file come from: read in chunks, and never held as a whole."""

from __future__ import annotations

import os
import stat
from collections.abc import AsyncGenerator, AsyncIterable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from inspect import iscoroutinefunction
from threading import Lock
from typing import IO, Any

from ..core.type_guards import is_path

CHUNK = 1 << 20  # bytes read and sent at a time
JOINED = 1 << 17  # bytes; what an iterator gives in smaller pieces is put together up to here

_BUFFERS: tuple[type[Any], ...] = (bytearray, memoryview)


class Unfit(Exception):
    """Why a content cannot be sent; it becomes the reason of an `ArgumentError`."""


class Content:
    """The bytes of one file; without a size, only reading shows it.

    One that is replayable can be read again from the start; some need an asynchronous client.
    """

    size: int | None = None
    replayable = False
    needs_async = False
    _abandoned = False  # whether a cancel leaves a thread behind that waits, maybe for ever

    def chunks(self) -> Generator[bytes]:
        """Read from the start: chunks of 1 to `CHUNK` bytes."""
        raise NotImplementedError

    async def chunks_async(self) -> AsyncGenerator[bytes]:
        """Read in a thread: it may wait for a disk."""
        from anyio import to_thread  # comes with httpx2

        chunks, in_use = self.chunks(), Lock()

        def read() -> bytes:
            with in_use:
                return next(chunks, b"")

        try:
            while chunk := await to_thread.run_sync(read, abandon_on_cancel=self._abandoned):
                yield chunk
        finally:
            if not self._abandoned:
                with in_use:  # a task that is cancelled does not wait for its thread by itself
                    chunks.close()


class InMemory(Content):
    """Bytes."""

    replayable = True

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.size = len(data)

    def chunks(self) -> Generator[bytes]:
        yield from cut(self._data, CHUNK)

    async def chunks_async(self) -> AsyncGenerator[bytes]:
        for chunk in cut(self._data, CHUNK):
            yield chunk


class OnDisk(Content):
    """The file of a path: opened when it is read, and closed."""

    replayable = True

    def __init__(self, path: str) -> None:
        self._path = path
        with _reading(repr(path)):
            mode = os.stat(path).st_mode
            if not stat.S_ISREG(mode):  # opening a pipe would wait for its other end
                kind = "a directory" if stat.S_ISDIR(mode) else "not a regular file"
                raise Unfit(f"{path!r} cannot be read: it is {kind}")
            with open(path, "rb") as file:  # to be refused now, not in the middle of a request
                self.size = os.fstat(file.fileno()).st_size

    def chunks(self) -> Generator[bytes]:
        with _reading(repr(self._path)):
            file = open(self._path, "rb", 0)  # noqa: SIM115  (errors of its user are not ours)
        with file:
            size = os.fstat(file.fileno()).st_size
            if size != self.size:
                raise Unfit(f"{self._path!r} has changed: it had {self.size} bytes, and has {size}")
            while True:
                with _reading(repr(self._path)):
                    chunk = file.read(CHUNK)
                if not chunk:
                    return
                yield chunk


class OpenFile(Content):
    """A file that the caller opened: read from where it stood, and left open."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._start = 0
        with _reading("the file"):
            if isinstance(file.read(0), str):
                raise Unfit("the file is open in text mode: open it with 'rb'")
            self.replayable = hasattr(file, "seekable") and file.seekable()
            self._abandoned = not self.replayable  # a pipe may wait for ever, a disk does not
            if not self.replayable:
                return
            self._start = file.tell()
            file.seek(0, os.SEEK_END)
            self.size = max(0, file.tell() - self._start)
            file.seek(self._start)
        if self._start and not self.size:
            raise Unfit("the file was read or written to its end: go back with seek(0)")

    def chunks(self) -> Generator[bytes]:
        read = 0
        if self.replayable:
            with _reading("the file"):
                self._file.seek(self._start)
        while True:
            with _reading("the file"):
                chunk = _as_bytes(self._file.read(CHUNK))
                read += len(chunk)
                if self.replayable and self._file.tell() != self._start + read:
                    raise Unfit("somebody else read or moved the file while it was sent")
            if not chunk:
                return
            yield from cut(chunk, CHUNK)


class Stream(Content):
    """Bytes that come as they are asked for."""

    _abandoned = True

    def __init__(self, items: Iterable[bytes]) -> None:
        self._items = items

    def chunks(self) -> Generator[bytes]:
        joiner = _Joiner()
        for item in self._items:
            if joiner.add(item):
                yield from joiner.taken()
        yield from joiner.taken()


class AsyncStream(Content):
    """Bytes that are awaited."""

    needs_async = True

    def __init__(self, items: AsyncIterable[bytes]) -> None:
        self._items = items

    async def chunks_async(self) -> AsyncGenerator[bytes]:
        joiner = _Joiner()
        async for item in self._items:
            if joiner.add(item):
                for chunk in joiner.taken():
                    yield chunk
        for chunk in joiner.taken():
            yield chunk


def content_of(value: Any) -> Content:
    """Return the content that an argument stands for."""
    if isinstance(value, bytes):
        return InMemory(value)
    if is_path(value):
        return OnDisk(os.fsdecode(value))
    if hasattr(value, "read"):
        return AsyncStream(_read(value)) if iscoroutinefunction(value.read) else OpenFile(value)
    if hasattr(value, "__iter__") and not isinstance(value, (*_BUFFERS, Mapping)):
        return Stream(value)
    if hasattr(value, "__aiter__"):
        return AsyncStream(value)
    raise Unfit(
        f"expected a path, a binary file or a File(content, name='a.png'), "
        f"got {type(value).__name__}"
    )


def cut(data: bytes, size: int) -> Iterator[bytes]:
    """Return the pieces of these bytes, each of this size but the last."""
    return (data[start : start + size] for start in range(0, len(data), size))


async def _read(file: Any) -> AsyncGenerator[bytes]:
    """Return the items of a file whose `read` is awaited."""
    while item := await file.read(CHUNK):
        yield item


class _Joiner:
    """Puts small items together, and cuts large ones."""

    def __init__(self) -> None:
        self._items: list[bytes] = []
        self._size = 0

    def add(self, item: object) -> bool:
        """Return whether there is enough now to be taken."""
        self._items.append(_as_bytes(item))
        self._size += len(self._items[-1])
        return self._size >= JOINED

    def taken(self) -> Generator[bytes]:
        """Return the chunks of all that was added since the last time."""
        items, self._items, self._size = self._items, [], 0
        yield from cut(b"".join(items), CHUNK)


def _as_bytes(item: Any) -> bytes:
    if isinstance(item, bytes):
        return item
    if isinstance(item, _BUFFERS):
        return bytes(item)
    raise Unfit(f"it yielded {type(item).__name__}, not bytes")


@contextmanager
def _reading(what: str) -> Generator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Unfit(f"{what} cannot be read: {reason}") from error
