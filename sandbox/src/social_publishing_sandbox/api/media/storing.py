"""Write a file while it arrives, and remove it if it does not arrive whole."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from social_publishing_sandbox.api.space import raising_no_space

MEBIBYTE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Upload:
    """A complete file. The caller moves or deletes it."""

    path: Path
    """Where it lies, under a name that owes nothing to its sender."""
    filename: str
    """The name that its sender gave it: the last component, to be shown, never to be opened."""
    content_type: str | None
    """The media type that its sender claims."""
    size: int
    """Bytes."""


class TooLarge(Exception):
    """More bytes arrived than the file may have."""


class Incoming:
    """A new file in a folder. Leaving the `with` block without `finish()` deletes it.

    What is added is gathered in memory and written a mebibyte at a time in a thread, so that a slow
    disk holds up neither the event loop nor the other requests.
    """

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self.size = 0
        self._max_bytes = max_bytes
        self._waiting = bytearray()
        self._finished = False
        with raising_no_space():
            descriptor, name = tempfile.mkstemp(prefix="incoming-", dir=folder)
        self.path = Path(name)
        self._file = os.fdopen(descriptor, "wb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._finished:
            return
        with contextlib.suppress(OSError):  # closing writes what is left; a full disk refuses
            self._file.close()
        self.path.unlink(missing_ok=True)

    def add(self, data: bytes | memoryview) -> None:
        """Add more bytes of the file."""
        self.size += len(data)
        if self.size > self._max_bytes:
            raise TooLarge
        self._waiting += data

    async def drain(self) -> None:
        """Write what was added, once there is enough of it."""
        if len(self._waiting) >= MEBIBYTE:
            await self._write()

    async def finish(self) -> None:
        """Write the rest and close the file, which now stays."""
        if self.size > len(self._waiting):
            await self._write()
        with raising_no_space():
            self._file.write(self._waiting)  # a small file is not worth a thread
            self._file.close()
        self._waiting = bytearray()
        self._finished = True

    async def _write(self) -> None:
        waiting, self._waiting = self._waiting, bytearray()
        with raising_no_space():
            await asyncio.to_thread(self._file.write, waiting)
