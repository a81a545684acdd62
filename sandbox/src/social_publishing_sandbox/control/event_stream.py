"""Requests and changes as server-sent events, to follow while they happen.

`event: request` has an entry of the request log without its bodies; `event: change` has `kind` and
what changed; `event: lost` gives how many requests did not fit through. The id of an event has the
numbers of the last request and the last change, so that who comes back with `Last-Event-ID` goes on
where the connection broke.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Final

import orjson
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from social_publishing_sandbox.api.request_log import Entry, Lost, to_dict
from social_publishing_sandbox.control.control import Control
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.events import Change

HEARTBEAT: Final = 15.0
"""Seconds of silence after which a comment is sent, so that nobody takes the line for dead."""

_RETRY_MS: Final = 1_000
_WAITING: Final = 100  # events on their way to a slow reader

_Item = Entry | Lost | Change | None


async def stream(sandbox: Control, request: Request) -> Response:
    """Return the response that never ends, but when the sandbox stops."""
    position = _Position.after(sandbox, request.headers.get("last-event-id", ""))
    return StreamingResponse(
        _events(sandbox, position),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


class _Position:
    """Up to where somebody knows what happened."""

    def __init__(self, request: int, change: int) -> None:
        self.request = request
        self.change = change

    @classmethod
    def after(cls, sandbox: Control, last_id: str) -> _Position:
        """Return the position of the last event's id; the present, without one."""
        found = re.fullmatch("([0-9]{1,15})-([0-9]{1,15})", last_id)
        if found:
            return cls(int(found[1]), int(found[2]))
        return cls(sandbox.request_log.last_number, sandbox.events.last_number)

    def passes(self, item: Entry | Lost | Change) -> bool:
        """Move on to an item; False for one that is known already."""
        if isinstance(item, Entry):
            if item.number <= self.request:
                return False
            self.request = item.number
        elif isinstance(item, Change):
            self.change = item.number
        return True

    def event(self, kind: str, data: Json) -> bytes:
        """Return an event at this position."""
        head = f"event: {kind}\nid: {self.request}-{self.change}\ndata: "
        return head.encode() + orjson.dumps(data) + b"\n\n"


async def _events(sandbox: Control, position: _Position) -> AsyncIterator[bytes]:
    waiting: asyncio.Queue[_Item] = asyncio.Queue(_WAITING)
    feeding = [
        asyncio.create_task(_feed_requests(sandbox, position.request, waiting)),
        asyncio.create_task(_feed_changes(sandbox, position.change, waiting)),
    ]
    try:
        yield b"retry: %d\n\n" % _RETRY_MS
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT):
                    item = await waiting.get()
            except TimeoutError:
                yield b": still here\n\n"
                continue
            if item is None:
                return
            if position.passes(item):
                yield _shown(position, item)
    finally:
        for task in feeding:
            task.cancel()


async def _feed_requests(sandbox: Control, after: int, waiting: asyncio.Queue[_Item]) -> None:
    async with sandbox.request_log.subscribe() as entries:
        for entry in sandbox.request_log.search(since=after, newest_first=False):
            await waiting.put(entry)
        async for each in entries:
            await waiting.put(each)


async def _feed_changes(sandbox: Control, after: int, waiting: asyncio.Queue[_Item]) -> None:
    async for change in sandbox.events.follow(after):
        await waiting.put(change)
    await waiting.put(None)


def _shown(position: _Position, item: Entry | Lost | Change) -> bytes:
    match item:
        case Entry():
            return position.event("request", to_dict(item, bodies=False))
        case Lost():
            return position.event("lost", {"count": item.count})
        case Change():
            return position.event("change", {"kind": item.kind, **item.facts})
