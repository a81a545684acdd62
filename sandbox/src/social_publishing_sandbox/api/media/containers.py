"""Facts from the headers of videos: AVI, MP4 and MOV.

Only headers are walked, never frames. A file that is not what its extension says, or is broken,
simply says nothing here: there is no decoder to be let down.
"""

from __future__ import annotations

import itertools
import os
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

MAX_STEPS: Final = 1_000_000
"""After so many pieces a file is given up: a video has some dozens."""

Steps = Iterator[None]
"""Steps that are left: all loops over one file use up the same ones."""

Motion = dict[str, float]
"""What is known of a moving picture: `width`, `height` (pixels), `duration` (seconds), `fps`."""


def motion(path: Path, extension: str) -> Motion:
    """Return what a file says about itself. `extension` is in lower case, without a dot."""
    read = _READERS.get(extension)
    if read is None:
        return {}
    try:
        with path.open("rb") as file:
            return {name: value for name, value in read(file, _steps()).items() if value}
    except (struct.error, ValueError):
        return {}


def _steps() -> Steps:
    yield from itertools.repeat(None, MAX_STEPS)
    raise ValueError("the file has too many pieces")


def _avi(file: BinaryIO, steps: Steps) -> Motion:
    start = file.read(12)
    if start[:4] != b"RIFF" or start[8:] != b"AVI ":
        raise ValueError("no AVI")
    # LIST hdrl comes first, and avih first in it (the format demands both).
    kind, _, list_type, first, _ = struct.unpack("<4sI4s4sI", file.read(20))
    if (kind, list_type, first) != (b"LIST", b"hdrl", b"avih"):
        raise ValueError("no header")
    microseconds, _, _, _, frames, _, _, _, width, height = struct.unpack("<10I", file.read(40))
    size = {"width": width, "height": height}
    if microseconds == 0:
        return size
    duration, fps = frames * microseconds / 1_000_000, 1_000_000 / microseconds
    return {**size, "duration": round(duration, 3), "fps": round(fps, 3)}


def _mp4(file: BinaryIO, steps: Steps) -> Motion:
    end = file.seek(0, os.SEEK_END)
    facts: Motion = {}
    for kind, start, stop in _boxes(file, 0, end, steps):
        if kind != b"moov":
            continue
        for inner, begin, finish in _boxes(file, start, stop, steps):
            if inner == b"mvhd":
                facts["duration"] = _movie_duration(file, begin)
            elif inner == b"trak" and (video := _video_track(file, begin, finish, steps)):
                return {**facts, "width": video[0], "height": video[1]}
        break
    return facts


def _boxes(file: BinaryIO, start: int, stop: int, steps: Steps) -> Iterator[tuple[bytes, int, int]]:
    """Return the boxes between two positions: type, and where their content begins and ends."""
    for _ in steps:
        if start + 8 > stop:
            return
        file.seek(start)
        size, kind = struct.unpack(">I4s", file.read(8))
        header = 8
        if size == 1:
            (size,) = struct.unpack(">Q", file.read(8))
            header = 16
        elif size == 0:
            size = stop - start
        if size < header or start + size > stop:
            raise ValueError("a box is broken")
        yield kind, start + header, start + size
        start += size


def _movie_duration(file: BinaryIO, start: int) -> float:
    """Return the length of a film in seconds; 0 where it does not say it."""
    file.seek(start)
    if file.read(4)[:1] == b"\1":
        scale, length = struct.unpack(">16xIQ", file.read(28))
    else:
        scale, length = struct.unpack(">8xII", file.read(16))
    return round(length / scale, 3) if scale else 0


def _video_track(file: BinaryIO, start: int, stop: int, steps: Steps) -> tuple[int, int] | None:
    """Return a track's width and height as shown; None when it shows nothing (such as sound)."""
    for kind, begin, _ in _boxes(file, start, stop, steps):
        if kind != b"tkhd":
            continue
        file.seek(begin)
        skipped = 48 if file.read(1) == b"\1" else 36
        file.seek(begin + 4 + skipped)
        a, b, _, _, d, _, _, _, _, width, height = struct.unpack(">9i2I", file.read(44))
        if width == 0 or height == 0:
            return None
        size = (width >> 16, height >> 16)
        sideways = a == d == 0 and b != 0
        return (size[1], size[0]) if sideways else size
    return None


_READERS: Final[dict[str, Callable[[BinaryIO, Steps], Motion]]] = {
    "avi": _avi,
    "mov": _mp4,
    "mp4": _mp4,
}
