"""A service of a few lines below the HTTP library, and both clients of it.

`captured` makes a call and keeps what leaves. A `Service` responds by a function, request after
request, in a time that passes only while somebody waits.
"""

from __future__ import annotations

import asyncio
import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Any, Literal, TypeAlias

import httpx2
from social_publishing import AsyncSocialPublishing, SocialPublishing

from harness.calls import Call
from tests.support.both import awaited, now, run
from tests.support.clock import StillClock
from tests.support.documents import Json
from tests.support.wire import ADDRESSES, TOKEN, Sent

__all__ = [
    "BACKENDS",
    "BASE",
    "MEDIA",
    "SIDES",
    "TOKEN",
    "Exchange",
    "Lost",
    "Reply",
    "Respond",
    "Sent",
    "Service",
    "Side",
    "captured",
    "collected",
    "in_turn",
    "reply",
]

Side = Literal["sync", "async"]
SIDES: tuple[Side, ...] = ("sync", "async")
BACKENDS: dict[Side, str] = {"sync": "sync", "async": "asyncio"}
BASE, MEDIA = ADDRESSES["main"], ADDRESSES["media"]


@dataclass(frozen=True)
class Reply:
    """What a request gets."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def response(self) -> httpx2.Response:
        return httpx2.Response(self.status, headers=self.headers, content=self.body)


def reply(
    status: int = 200, body: Json | bytes = b"", headers: Mapping[str, str] | None = None
) -> Reply:
    """Return a reply with a JSON body, or with bytes as they are."""
    if isinstance(body, bytes):
        return Reply(status, headers or {}, body)
    content_type = {"Content-Type": "application/json"}
    return Reply(status, {**content_type, **(headers or {})}, json.dumps(body).encode())


class Lost(Exception):
    """The connection broke after the request had left."""


Respond: TypeAlias = Callable[[Sent], Reply]


class Service:
    """Responds by a function, and keeps what came.

    Attributes:
        clock: the clock of the service and of its clients.
        came: all requests, in their order.
    """

    def __init__(self, respond: Respond | Reply) -> None:
        self.clock = StillClock()
        self.came: list[Sent] = []
        self._respond = (lambda _: respond) if isinstance(respond, Reply) else respond

    def call(self, make: Callable[[Any], Any], side: Side = "sync", **options: Any) -> Any:
        """Make a call with a client of this service, and return its result."""
        kind = self.client if side == "sync" else self.async_client
        client = kind(**{"retries": 0, "pacing": "off", **options})

        async def main() -> Any:
            async with awaited(client):
                return await now(make(client))

        return run(BACKENDS[side], main)

    def client(self, **options: Any) -> SocialPublishing:
        """Return a synchronous client of this service."""
        made = SocialPublishing(**{**_own(), **options}, http_client=self._http("sync"))
        return made.with_clock(self.clock)

    def async_client(self, **options: Any) -> AsyncSocialPublishing:
        """Return an asynchronous client of this service."""
        made = AsyncSocialPublishing(**{**_own(), **options}, http_client=self._http("async"))
        return made.with_clock(self.clock)

    def _http(self, side: Side) -> Any:
        if side == "sync":
            return httpx2.Client(transport=httpx2.MockTransport(self._handle))
        return httpx2.AsyncClient(transport=httpx2.MockTransport(self._handle_async))

    def _handle(self, request: httpx2.Request) -> httpx2.Response:
        return self._response(request, request.read())

    async def _handle_async(self, request: httpx2.Request) -> httpx2.Response:
        return self._response(request, await request.aread())

    def _response(self, request: httpx2.Request, body: bytes) -> httpx2.Response:
        headers = [(name.lower(), value) for name, value in request.headers.multi_items()]
        url = f"{request.url.scheme}://{request.url.netloc.decode()}{request.url.raw_path.decode()}"
        came = Sent(request.method, url, headers, body, self.clock.now())
        self.came.append(came)
        try:
            return self._respond(came).response()
        except Lost:
            raise httpx2.ReadError("it broke", request=request) from None


_keys = count()


def _own() -> dict[str, Any]:
    """Return the options of a client whose rate no other test knows."""
    return {
        "api_token": TOKEN,
        "base_url": BASE,
        "media_url": MEDIA,
        "rate_key": f"service {next(_keys)}",
    }


@dataclass
class Exchange:
    """What a call did: everything that left, and its result or its error."""

    sent: list[Sent] = field(default_factory=list)
    result: Any = None
    error: BaseException | None = None


def captured(
    call: Call, side: Side = "sync", response: Reply | Sequence[Reply] = Reply(), **options: Any
) -> Exchange:
    """Make a call of one of the clients.

    Args:
        response: what every request gets, or each in turn, the last one again and again.
        options: of the client; without them it sends everything once, at once.
    """
    stage = _stage(side, tuple(sorted(options.items())))
    return stage.play(call, [response] if isinstance(response, Reply) else list(response))


class _Stage:
    """A client that lives as long as the tests do, for building one takes longer than a call."""

    def __init__(self, side: Side, options: Mapping[str, Any]) -> None:
        self._service = Service(self._respond)
        given = {"retries": 0, "pacing": "off", "rate_key": None, **options}
        # A runner shows each result, however large, to the handler of a signal that it takes back.
        self._loop = asyncio.new_event_loop() if side == "async" else None
        make = self._service.client if side == "sync" else self._service.async_client
        self._client: Any = make(**given)
        self._replies: list[Reply] = []

    def play(self, call: Call, replies: list[Reply]) -> Exchange:
        self._replies = replies
        exchange = Exchange(self._service.came)
        exchange.sent.clear()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                if self._loop is None:
                    exchange.result = call.on(self._client)
                else:
                    exchange.result = self._loop.run_until_complete(self._called(call))
            except Exception as error:
                exchange.error = error
        exchange.sent = list(exchange.sent)
        return exchange

    async def _called(self, call: Call) -> Any:
        return await now(call.on(self._client))

    def _respond(self, _: Sent) -> Reply:
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]


@lru_cache(maxsize=16)
def _stage(side: Side, options: tuple[tuple[str, Any], ...]) -> _Stage:
    return _Stage(side, dict(options))


def collected(pager: Any) -> Any:
    """Return all items of a list in pages; to be awaited where it has to be."""
    return _collected(pager) if hasattr(pager, "__aiter__") else list(pager)


async def _collected(pager: Any) -> list[Any]:
    return [item async for item in pager]


def in_turn(*replies: Reply | type[Exception]) -> Respond:
    """Return one reply after the other; the last one again and again."""
    left: Iterator[Reply | type[Exception]] = iter(replies)
    last = replies[-1]

    def respond(_: Sent) -> Reply:
        found = next(left, last)
        if isinstance(found, Reply):
            return found
        raise found

    return respond
