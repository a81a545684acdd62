"""Both clients on a transport that keeps what leaves, and answers what the test says."""

from __future__ import annotations

import asyncio
import inspect
import json
import warnings
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import httpx2
from social_publishing import AsyncSocialPublishing, SocialPublishing

from harness.calls import Call
from harness.documents import Json
from harness.wire import ADDRESSES, TOKEN, Sent

Side = Literal["sync", "async"]
SIDES: tuple[Side, ...] = ("sync", "async")


@dataclass(frozen=True)
class Answer:
    """What a request is answered; `broken` ends the body with an error of the connection."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    broken: bool = False

    @classmethod
    def of(cls, status: int, value: Json, headers: Mapping[str, str] | None = None) -> Answer:
        """An answer with a JSON body."""
        content_type = {"Content-Type": "application/json"}
        return cls(status, {**content_type, **(headers or {})}, json.dumps(value).encode())


@dataclass
class Exchange:
    """What a call did: everything that left, and its result or its error."""

    sent: list[Sent] = field(default_factory=list)
    result: Any = None
    error: BaseException | None = None


def captured(
    call: Call, side: Side = "sync", answer: Answer | Sequence[Answer] = Answer(), **options: Any
) -> Exchange:
    """Make a call of one of the clients.

    Args:
        answer: what every request gets, or each in turn, the last one again and again.
        options: of the client; without them it sends everything once, at once.
    """
    stage = _stage(side, tuple(sorted(options.items())))
    return stage.play(call, [answer] if isinstance(answer, Answer) else list(answer))


class _Stage:
    """A client that lives as long as the tests do, for building one takes longer than a call."""

    def __init__(self, side: Side, options: Mapping[str, Any]) -> None:
        self._answers: list[Answer] = []
        self._exchange = Exchange()
        given = {
            "api_token": TOKEN,
            "base_url": ADDRESSES["main"],
            "media_url": ADDRESSES["media"],
            "retries": 0,
            "pacing": "off",
            **options,
        }
        self._runner = asyncio.Runner() if side == "async" else None
        if self._runner is None:
            http: Any = httpx2.Client(transport=httpx2.MockTransport(self._handle))
            self._client: Any = SocialPublishing(**given, http_client=http)
        else:
            http = httpx2.AsyncClient(transport=httpx2.MockTransport(self._handle_async))
            self._client = AsyncSocialPublishing(**given, http_client=http)

    def play(self, call: Call, answers: list[Answer]) -> Exchange:
        self._answers, self._exchange = answers, Exchange()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                if self._runner is None:
                    self._exchange.result = call.on(self._client)
                else:
                    self._exchange.result = self._runner.run(self._awaited(call))
            except Exception as error:
                self._exchange.error = error
        return self._exchange

    async def _awaited(self, call: Call) -> Any:
        found = call.on(self._client)
        return await found if inspect.isawaitable(found) else found

    def _handle(self, request: httpx2.Request) -> httpx2.Response:
        return self._answer(request, request.read())

    async def _handle_async(self, request: httpx2.Request) -> httpx2.Response:
        return self._answer(request, await request.aread())

    def _answer(self, request: httpx2.Request, body: bytes) -> httpx2.Response:
        headers = [(name.lower(), value) for name, value in request.headers.multi_items()]
        url = f"{request.url.scheme}://{request.url.netloc.decode()}{request.url.raw_path.decode()}"
        self._exchange.sent.append(Sent(request.method, url, headers, body))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if answer.broken:
            return httpx2.Response(answer.status, headers=answer.headers, stream=_Broken(answer))
        return httpx2.Response(answer.status, headers=answer.headers, content=answer.body)


class _Broken(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        yield self._answer.body
        raise httpx2.RemoteProtocolError("peer closed connection without sending complete body")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self:
            yield chunk


@lru_cache(maxsize=16)
def _stage(side: Side, options: tuple[tuple[str, Any], ...]) -> _Stage:
    return _Stage(side, dict(options))
