"""Server-sent events: from the bytes of a stream to its events (WHATWG HTML, §9.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


class ServerEvent(msgspec.Struct, Generic[T], frozen=True):
    """An event that the service has sent.

    Attributes:
        data: its data: a text, or what that was decoded to.
        event: its kind; `message` where it has no other.
        id: the last identifier that the service has given; empty without one.
    """

    data: T
    event: str = "message"
    id: str = ""


class EventReader:
    """Reads the events of a stream that comes in pieces.

    Attributes:
        pending: bytes that are held and make no complete event yet.
    """

    def __init__(self) -> None:
        self._line = b""
        self._after_return = False
        self._is_first = True
        self._id = ""
        self._end()

    def _end(self) -> None:
        self._event, self._data = "", list[str]()
        self._held = 0

    @property
    def pending(self) -> int:
        """Bytes that are held and make no complete event yet."""
        return len(self._line) + self._held

    def feed(self, chunk: bytes) -> Iterator[ServerEvent[str]]:
        """Yield the events that a piece completes."""
        if not chunk:
            return
        if self._after_return:  # a line end may come in two pieces
            chunk = chunk.removeprefix(b"\n")
        lines = re.split(rb"\r\n|\n|\r", chunk)
        self._after_return = chunk.endswith(b"\r")
        lines[0] = self._line + lines[0]
        self._line = lines.pop()
        for line in lines:
            text = line.decode("utf-8", "replace")
            if self._is_first:
                text, self._is_first = text.removeprefix("\ufeff"), False
            if text:
                self._field(text)
                continue
            if self._data:
                yield ServerEvent("\n".join(self._data), self._event or "message", self._id)
            self._end()

    def finish(self) -> Iterator[ServerEvent[str]]:
        """Yield nothing: an event that the end of the response cuts off is dropped."""
        return iter(())

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
            self._held += len(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value
