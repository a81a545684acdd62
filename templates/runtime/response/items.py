"""JSON values one after the other: one a line, or each after a mark (RFC 7464)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

RECORD_SEPARATOR = b"\x1e"


class ItemReader:
    """Reads the values of a stream that comes in pieces: each a line, or after a separator."""

    def __init__(self, *, has_marks: bool) -> None:
        self._has_marks = has_marks
        self._held = b""

    @property
    def pending(self) -> int:
        """Bytes that are held and make no complete value yet."""
        return len(self._held)

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield the values that a piece completes, each as JSON."""
        separator = RECORD_SEPARATOR if self._has_marks else b"\n"
        *complete, self._held = (self._held + chunk).split(separator)
        if self._has_marks and self._held.endswith(b"\n") and _is_json(self._held):
            # Its end is known before the mark of the next one comes.
            complete.append(self._held)
            self._held = b""
        for piece in complete:
            if value := piece.strip():
                yield value

    def finish(self) -> Iterator[bytes]:
        """Yield the value that the end of the response completes."""
        value, self._held = self._held.strip(), b""
        if value:
            yield value


def _is_json(text: bytes) -> bool:
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False
    return True
