"""The last exchanges, to add to, to search and to follow."""

from __future__ import annotations

import itertools
import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Unpack

from social_publishing_sandbox.api.request_log.entry import Entry
from social_publishing_sandbox.state.arguments import Filters, checked
from social_publishing_sandbox.state.feed import Feed

BODY_BYTES: Final = 64 * 1024
"""Bytes of a body that are kept."""

WRITES: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
"""The methods that change something."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A write that was carried out twice."""

    first: Entry
    second: Entry

    def __str__(self) -> str:
        delay = (self.second.at_real - self.first.at_real) * 1_000
        return (
            f"{self.second.method} {self.second.target} (number {self.second.number}) was carried "
            f"out {delay:.0f} ms after the same request (number {self.first.number})"
        )


class RequestLog(Feed[Entry]):
    """The last exchanges. Safe to use from several threads.

    Args:
        limit: how many are kept.
        body_bytes: how many bytes of bodies are kept in total; the oldest bodies are dropped first.
    """

    def __init__(self, limit: int = 10_000, body_bytes: int = 64 * 1024 * 1024) -> None:
        if limit < 1:
            raise ValueError(f"limit: must be at least 1, not {limit}")
        super().__init__(limit)
        self._body_limit = body_bytes
        # Those that still have their bodies: always the newest, so that it is a tail of the ring.
        self._with_bodies: deque[tuple[Entry, int]] = deque()
        self._held = 0

    def add(self, entry: Entry) -> None:
        """Keep an entry and give it its number. Bodies are cut to `BODY_BYTES`."""
        size = 0
        if (body := entry.request_body) is not None:
            if len(body) > BODY_BYTES:
                entry.request_body = body = body[:BODY_BYTES]
                entry.request_cut = True
            size = len(body)
        if (body := entry.response_body) is not None:
            entry.response_cut = len(body) > BODY_BYTES
            # A copy: what orjson has written keeps up to twice the memory that it needs.
            entry.response_body = body = bytes(memoryview(body)[:BODY_BYTES])
            size += len(body)
        with self._lock:
            self.last_number += 1
            entry.number = self.last_number
            self._items.append(entry)
            if size:
                self._with_bodies.append((entry, size))
                self._held += size
            oldest = self._items[0].number
            while self._with_bodies and (
                self._held > self._body_limit or self._with_bodies[0][0].number < oldest
            ):
                self._forget(oldest)
            self._ring()

    def get(self, number: int) -> Entry | None:
        """Return the entry with this number; None if there is no such entry (any more)."""
        with self._lock:
            if not self._items:
                return None
            index = number - self._items[0].number
            return self._items[index] if 0 <= index < len(self._items) else None

    @checked
    def search(
        self,
        text: str | None = None,
        *,
        limit: int | None = None,
        newest_first: bool = True,
        **filters: Unpack[Filters],
    ) -> list[Entry]:
        """Return the entries that match all filters.

        Searching for text takes a few milliseconds per megabyte of bodies, so call this from a
        thread, not from an event loop.

        Args:
            text: occurs in the target, the operation, the user's name or a body; case is ignored.
            limit: return at most this many entries, from the start of the order.
            filters: see `Filters`; None for no filter.

        Raises:
            ControlError: an argument is invalid.
        """
        given: dict[str, Any] = {k: value for k, value in filters.items() if value is not None}
        if "status" in given:
            given["status"] = _statuses(given["status"])
        if "method" in given:
            given["method"] = given["method"].upper()
        wanted = text.casefold() if text else None
        entries = list(self)
        matching = (
            entry
            for entry in (reversed(entries) if newest_first else entries)
            if _matches(entry, given) and (wanted is None or _contains(entry, wanted))
        )
        most = len(entries) if limit is None else min(limit, len(entries))
        return list(itertools.islice(matching, most))

    def duplicates(self, within_ms: float = 60_000) -> list[Duplicate]:
        """Return writes that were carried out twice.

        These are two successful requests with the same operation, user, target and body. A client
        causes them if it repeats a write after a lost response. If another body was sent to the
        same target in between, the repeat counts as intended, unless a fault hit the first
        request. Bodies that were not kept whole are compared by their notes; entries without a
        note are skipped.

        Args:
            within_ms: the longest time between both requests, in real milliseconds.
        """
        last: dict[tuple[object, ...], dict[bytes | str, Entry]] = {}
        duplicates: list[Duplicate] = []
        for entry in self:
            if entry.method not in WRITES or entry.operation is None or not entry.succeeded:
                continue
            body = entry.request_body if entry.replayable else entry.request_note
            if body is None:
                continue
            key = (entry.api, entry.operation, entry.user_id, entry.target)
            by_body = last.setdefault(key, {})
            is_newest = next(reversed(by_body), None) == body
            first = by_body.pop(body, None)
            if (
                first is not None
                and (is_newest or first.faults)
                and (entry.at_real - first.at_real) * 1_000 <= within_ms
            ):
                duplicates.append(Duplicate(first, entry))
            by_body[body] = entry
        return duplicates

    def clear(self) -> None:
        """Forget every entry; the numbers go on."""
        with self._lock:
            self._items.clear()
            self._with_bodies.clear()
            self._held = 0

    def _forget(self, oldest: int) -> None:
        """Give up the oldest bodies. An entry that left the ring keeps them for its holders."""
        entry, size = self._with_bodies.popleft()
        self._held -= size
        if entry.number >= oldest:
            # An empty body is no burden, and a request without one can still be sent again.
            entry.request_body = entry.request_body and None
            entry.response_body = entry.response_body and None
            entry.forgotten = True


def _matches(entry: Entry, filters: Mapping[str, Any]) -> bool:
    for name, wanted in filters.items():
        match name:
            case "status":
                fits = entry.status in wanted
            case "user":
                fits = wanted in (entry.user, entry.user_id)
            case "fault":
                fits = _has_fault(entry, wanted)
            case "since":
                fits = entry.number > wanted
            case "problems" | "violations":
                fits = bool(getattr(entry, name)) is wanted
            case _:
                fits = getattr(entry, name) == wanted
        if not fits:
            return False
    return True


def _statuses(status: int | str) -> range:
    """Return the statuses that `422` or `4xx` stands for."""
    text = str(int(status)) if isinstance(status, int) else status.lower()
    return range(int(text.replace("x", "0")), int(text.replace("x", "9")) + 1)


def _has_fault(entry: Entry, fault: str) -> bool:
    if fault == "*":
        return bool(entry.faults) or entry.fault is not None
    return fault == entry.fault or fault in entry.faults


def _contains(entry: Entry, wanted: str) -> bool:
    shown = (f"{entry.method} {entry.target}", entry.path, entry.operation or "", entry.user or "")
    if any(wanted in text.casefold() for text in shown):
        return True
    return any(
        wanted in _readable(body).casefold()
        for body in (entry.request_body, entry.response_body)
        if body
    )


def _readable(body: bytes) -> str:
    text = body.decode(errors="replace")
    if "\\u" not in text:
        return text
    # People search for letters, not for their escapes.
    try:
        return json.dumps(json.loads(text), ensure_ascii=False)
    except ValueError:
        return text
