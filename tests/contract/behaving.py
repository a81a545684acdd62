"""A service of a few lines, a clock that moves only while somebody waits, and both clients."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal
from urllib.parse import parse_qsl

import httpx2
from social_publishing import AsyncSocialPublishing, Clock, SocialPublishing

from harness.documents import Json

Side = Literal["sync", "async"]
SIDES: tuple[Side, ...] = ("sync", "async")
TOKEN = "s3cret-T0KEN/of+the=behaviour"
BASE = "https://main.example/v1"
MEDIA = "https://media.example/api/v1"
EPOCH = 1_800_000_000.0  # Unix seconds at which the clock begins

_keys = count()


class StillClock(Clock):
    """Time that passes while somebody waits, and not otherwise.

    Attributes:
        time: the seconds that have passed.
        pauses: how long was waited, each time.
    """

    def __init__(self) -> None:
        self.time = 0.0
        self.pauses: list[float] = []

    def now(self) -> float:
        return self.time

    def wall(self) -> float:
        return EPOCH + self.time

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.time += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)

    def wait(self, event: Any, seconds: float | None) -> None:
        if not event.is_set():
            assert seconds is not None, "somebody waits for ever"
            self.sleep(seconds)

    async def wait_async(self, event: Any, seconds: float | None) -> None:
        self.wait(event, seconds)


@dataclass(frozen=True)
class Came:
    """A request as the service gets it.

    Attributes:
        at: the time of the clock.
    """

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def path(self) -> str:
        """The address without its query."""
        return self.url.partition("?")[0]

    @property
    def query(self) -> dict[str, str]:
        """The parameters of the query."""
        return dict(parse_qsl(self.url.partition("?")[2], keep_blank_values=True))

    @property
    def json(self) -> Json:
        """The JSON of the body."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """An answer: JSON, or bytes as they are."""

    status: int = 200
    body: Json | bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


class Lost(Exception):
    """The connection broke after the request had left."""


class Unreachable(Exception):
    """The connection could not be made."""


_ERRORS = {Lost: httpx2.ReadError, Unreachable: httpx2.ConnectError}

Answering = Callable[[Came], Reply]


class Service:
    """Answers by a function, and keeps what came.

    Attributes:
        clock: the clock of the service and of its clients.
        came: all requests, in their order.
    """

    def __init__(self, answer: Answering | Reply) -> None:
        self.clock = StillClock()
        self.came: list[Came] = []
        self._answer = (lambda _: answer) if isinstance(answer, Reply) else answer

    def call(self, make: Callable[[Any], Any], side: Side = "sync", **options: Any) -> Any:
        """Make a call with a client of this service, and return its answer."""
        given = {"retries": 0, "pacing": "off", **options}
        if side == "sync":
            with self.client(**given) as client:
                return make(client)
        return asyncio.run(self._awaited(make, given))

    def client(self, **options: Any) -> SocialPublishing:
        """A client of this service that waits for its answers."""
        http = httpx2.Client(transport=httpx2.MockTransport(self._handle))
        made = SocialPublishing(**{**_own(), **options}, http_client=http)
        return made.with_clock(self.clock)

    def async_client(self, **options: Any) -> AsyncSocialPublishing:
        """A client of this service that is awaited."""
        http = httpx2.AsyncClient(transport=httpx2.MockTransport(self._handle_async))
        made = AsyncSocialPublishing(**{**_own(), **options}, http_client=http)
        return made.with_clock(self.clock)

    async def _awaited(self, make: Callable[[Any], Any], options: Mapping[str, Any]) -> Any:
        async with self.async_client(**options) as client:
            found = make(client)
            return await found if inspect.isawaitable(found) else found

    def _handle(self, request: httpx2.Request) -> httpx2.Response:
        return self._answered(request, request.read())

    async def _handle_async(self, request: httpx2.Request) -> httpx2.Response:
        return self._answered(request, await request.aread())

    def _answered(self, request: httpx2.Request, body: bytes) -> httpx2.Response:
        url = f"{request.url.scheme}://{request.url.netloc.decode()}{request.url.raw_path.decode()}"
        came = Came(request.method, url, request.headers, body, self.clock.now())
        self.came.append(came)
        try:
            reply = self._answer(came)
        except (Lost, Unreachable) as error:
            raise _ERRORS[type(error)]("it broke", request=request) from None
        if isinstance(reply.body, bytes):
            return httpx2.Response(reply.status, headers=reply.headers, content=reply.body)
        return httpx2.Response(reply.status, headers=reply.headers, json=reply.body)


def _own() -> dict[str, Any]:
    """The options of a client whose rate no other test knows."""
    return {
        "api_token": TOKEN,
        "base_url": BASE,
        "media_url": MEDIA,
        "rate_key": f"behaviour {next(_keys)}",
    }


def named(answer: Reply | type[Exception]) -> str:
    """What an answer, or the lack of one, is called."""
    return str(answer.status) if isinstance(answer, Reply) else answer.__name__.lower()


def collected(pager: Any) -> Any:
    """All items of a list in pages; to be awaited where it has to be."""
    return _collected(pager) if hasattr(pager, "__aiter__") else list(pager)


async def _collected(pager: Any) -> list[Any]:
    return [item async for item in pager]


def in_turn(*replies: Reply | type[Exception]) -> Answering:
    """Answers one after the other; the last one again and again."""
    left: Iterator[Reply | type[Exception]] = iter(replies)
    last = replies[-1]

    def answer(_: Came) -> Reply:
        found = next(left, last)
        if isinstance(found, Reply):
            return found
        raise found

    return answer
