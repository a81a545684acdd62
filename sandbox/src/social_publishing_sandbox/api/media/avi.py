"""Writing AVI files: JPEG pictures one after the other (Motion JPEG), without sound."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

_HAS_INDEX: Final = 0x10
_KEY_FRAME: Final = 0x10


def avi(frames: Sequence[bytes], size: tuple[int, int], fps: int) -> bytes:
    """Return a video of JPEG files."""
    width, height = size
    largest = max(map(len, frames), default=0)
    main_header = struct.pack(
        "<14I",
        *(1_000_000 // fps, largest * fps, 0, _HAS_INDEX, len(frames)),
        *(0, 1, largest, width, height, 0, 0, 0, 0),
    )
    stream_header = struct.pack(
        "<4s4sI2H8I4H",
        *(b"vids", b"MJPG", 0, 0, 0, 0),
        *(1, fps, 0, len(frames), largest, 0xFFFFFFFF, 0),
        *(0, 0, width, height),
    )
    picture_format = struct.pack(
        "<3I2H4sI4I", 40, width, height, 1, 24, b"MJPG", width * height * 3, 0, 0, 0, 0
    )
    streams = _list(b"strl", _chunk(b"strh", stream_header) + _chunk(b"strf", picture_format))
    chunks = [_chunk(b"00dc", frame) for frame in frames]
    header = _list(b"hdrl", _chunk(b"avih", main_header) + streams)
    body = _list(b"movi", b"".join(chunks))
    index = _chunk(b"idx1", _index(frames, chunks))
    return _chunk(b"RIFF", b"AVI " + header + body + index)


def _index(frames: Sequence[bytes], chunks: Sequence[bytes]) -> bytes:
    entries = bytearray()
    offset = 4  # from the word "movi"
    for frame, chunk in zip(frames, chunks, strict=True):
        entries += struct.pack("<4s3I", b"00dc", _KEY_FRAME, offset, len(frame))
        offset += len(chunk)
    return bytes(entries)


def _list(kind: bytes, content: bytes) -> bytes:
    return _chunk(b"LIST", kind + content)


def _chunk(name: bytes, content: bytes) -> bytes:
    padding = b"\0" * (len(content) % 2)
    return name + struct.pack("<I", len(content)) + content + padding
