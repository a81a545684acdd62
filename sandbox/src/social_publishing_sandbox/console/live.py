"""Tells open pages that something has changed, so that they fetch themselves again.

It does not say what has changed: a page that is fetched again shows it as it shows everything, and
whatever somebody wrote goes through the templates only.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from social_publishing_sandbox.console.desk import PAGES, SECURITY, Desk

_PERIOD: Final = 0.2
"""Seconds between two looks: a thousand requests in a second are one message."""

_HEARTBEAT: Final = 15.0
"""Seconds after which something is sent in any case, so that a broken connection is noticed."""


def routes(desk: Desk) -> list[BaseRoute]:
    """Return the stream of server-sent events that every page follows."""
    return [Route(f"{PAGES}/live", partial(_follow, desk))]


async def _follow(desk: Desk, request: Request) -> Response:
    messages = _messages(desk, request.query_params.get("after", ""))
    return StreamingResponse(messages, media_type="text/event-stream", headers=SECURITY)


async def _messages(desk: Desk, known: str) -> AsyncIterator[str]:
    """Yield a message whenever there is more than the page shows, which is `known`."""
    quiet = 0.0
    yield "retry: 1000\n\n"
    while not desk.sandbox.events.ended:
        quiet += _PERIOD
        if (seen := desk.seen) != known:
            known, quiet = seen, 0.0
            yield "event: changed\ndata: \n\n"
        elif quiet >= _HEARTBEAT:
            quiet = 0.0
            yield ": still here\n\n"
        await asyncio.sleep(_PERIOD)
