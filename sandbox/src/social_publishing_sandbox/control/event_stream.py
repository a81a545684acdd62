"""Requests and changes as server-sent events, to follow while they happen.

`event: request` has an entry of the request log without its bodies; `event: change` has `kind` and
what changed; `event: lost` gives how many requests did not fit through. The id of an event has the
numbers of the last request and the last change, so that who comes back with `Last-Event-ID` goes on
where the connection broke; the parameter `after` names the same in a first request.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from social_publishing_sandbox.api.request_log.entry import to_dict
from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.control.control import Control
from social_publishing_sandbox.state.documents import Json

HEARTBEAT: Final = 15.0
"""Seconds of silence after which a comment is sent, so that nobody takes the line for dead."""

_RETRY_MS: Final = 1_000


async def stream(sandbox: Control, request: Request) -> Response:
    """Return the response that ends only when the sandbox stops."""
    after = request.headers.get("last-event-id") or request.query_params.get("after", "")
    position = re.fullmatch("([0-9]{1,15})-([0-9]{1,15})", after)
    if position:
        seen = int(position[1]), int(position[2])
    else:
        seen = sandbox.request_log.last_number, sandbox.events.last_number
    return StreamingResponse(
        _events(sandbox, *seen),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def _events(sandbox: Control, request: int, change: int) -> AsyncIterator[bytes]:
    """Yield an event for each request and each change after these numbers."""
    requests, changes = sandbox.request_log, sandbox.events
    bell = asyncio.Event()

    def event(kind: str, data: Json) -> bytes:
        head = f"event: {kind}\nid: {request}-{change}\ndata: "
        return head.encode() + orjson.dumps(data) + b"\n\n"

    yield b"retry: %d\n\n" % _RETRY_MS
    with changes.bell(bell), requests.bell(bell):
        while not changes.ended:
            bell.clear()
            for changed in changes.since(change):
                change = changed.number
                yield event("change", {"kind": changed.kind, **changed.facts})
            for entry in requests.since(request):
                lost, request = entry.number - request - 1, entry.number - 1
                if lost:
                    yield event("lost", {"count": lost})
                request = entry.number
                yield event("request", to_dict(entry, bodies=False))
            try:
                async with asyncio.timeout(HEARTBEAT):
                    await bell.wait()
            except TimeoutError:
                yield b": still here\n\n"
