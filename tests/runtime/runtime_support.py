"""What the tests of the runtime share: a small client, requests, and transports that record."""

from __future__ import annotations

import asyncio
import atexit
import signal
from collections.abc import Callable, Mapping
from typing import Any

import httpx2
from runtime.core.clock import Clock
from runtime.core.errors import RateLimitReached, StatusError
from runtime.engine.client import AsyncClient, Client
from runtime.engine.credentials import Credential
from runtime.engine.options import Options, make_options
from runtime.engine.settings import Settings
from runtime.limits.budget import Budget, Pacing, Permit, Room
from runtime.limits.rates import RateRule
from runtime.request.request import Request, prepare
from runtime.request.validation import Checker

from tests.support.both import now, run

TOKEN = "s3cr3t-T0KEN-value"
BASE = "https://main.test/v1"
OTHER = "https://media.test/api/v1"


class Refused(StatusError):
    """4xx."""


class NotFound(Refused):
    """404."""


class Broken(StatusError):
    """5xx."""


STATUS_ERRORS: dict[int, type[StatusError]] = {0: StatusError, 4: Refused, 5: Broken, 404: NotFound}


def settings(**changes: Any) -> Settings:
    given: dict[str, Any] = {
        "token": (TOKEN, "api_token", "T_TOKEN"),
        "addresses": {
            "main": (BASE, "base_url", "T_BASE", "/v1"),
            "media": (OTHER, "media_url", "T_MEDIA", "/api/v1"),
        },
        "user_agent": "pets/1",
        "status_errors": STATUS_ERRORS,
    }
    parts = {**given, **changes}
    token, argument, variable = parts.pop("token")
    return Settings(**{"credentials": [Credential(argument, variable, token)], **parts})


def at(url: str, **changes: Any) -> Settings:
    """Settings of a client with a single server."""
    return settings(addresses={"main": (url, "base_url", "T_BASE", "")}, **changes)


def request(method: str = "GET", path: str = "/pets", **parts: Any) -> Request[Any]:
    given: dict[str, Any] = {
        "operation": "pets.list",
        "server": "main",
        "method": method,
        "path": path,
        "returns": None,
        "retry_safety": "safe",
    }
    return prepare(**{**given, **parts})


def wired(value: Any, type_: Any) -> Any:
    """The JSON value of an argument `a`, which must be accepted."""
    checker = Checker()
    result = checker.wire(value, type_, "a")
    assert checker.problems == []
    return result


def refused(value: Any, type_: Any) -> list[str]:
    """The problems of an argument `a`, which must be refused."""
    checker = Checker()
    checker.wire(value, type_, "a")
    assert checker.problems
    return [str(problem) for problem in checker.problems]


class Counted(Budget):
    """A budget and its store that write down what is taken and settled."""

    def __init__(self) -> None:
        self.taken: list[Permit] = []
        self.settled: list[tuple[Permit, Mapping[str, str] | None, int | None]] = []
        self.given_back: list[Permit] = []
        self.timeouts: list[float | None] = []
        self.keys: list[str] = []
        self.refuses: float | None = None
        self.delay = 0.0

    def budget(self, key: str, rule: RateRule) -> Budget:
        self.keys.append(key)
        return self

    def take(self, operation: str, pacing: Pacing, timeout: float | None, clock: Clock) -> Permit:
        self.timeouts.append(timeout)
        if self.refuses is not None:
            raise RateLimitReached(operation, self.refuses)
        if self.delay:
            clock.sleep(self.delay)
        self.taken.append(Permit(clock.now()))
        return self.taken[-1]

    async def take_async(
        self, operation: str, pacing: Pacing, timeout: float | None, clock: Clock, waiting: object
    ) -> Permit:
        return self.take(operation, pacing, timeout, clock)

    def settle(
        self,
        permit: Permit,
        headers: Mapping[str, str] | None,
        status: int | None,
        clock: Clock,
    ) -> None:
        self.settled.append((permit, headers, status))

    def give_back(self, permit: Permit, clock: Clock) -> None:
        self.given_back.append(permit)

    def room(self, clock: Clock) -> Room:
        return Room(limit=60, remaining=1, resets_in=None, waiting=0)

    def check(self) -> None:
        """Every permit was settled or given back exactly once, and settled in its order."""
        settled = [permit for permit, _, _ in self.settled]
        assert settled == [permit for permit in self.taken if permit not in self.given_back]
        assert len(settled) + len(self.given_back) == len(self.taken)


Handler = Callable[[httpx2.Request], httpx2.Response]


def options(**changes: Any) -> Options:
    """Options of a client that sends everything once; `changes` are those of `make_options`."""
    given: dict[str, Any] = {
        "timeout": 5.0,
        "deadline": None,
        "retries": 0,
        "pacing": "off",
        "headers": None,
        "drift": "ignore",
        "on_drift": None,
        "on_wait": None,
        "on_progress": None,
        "lost_writes": "raise",
        "max_response_bytes": 1 << 20,
        "max_response_seconds": None,
        "middleware": (),
    }
    return make_options(**{**given, **changes})


def send_sync(
    handler: Handler,
    outgoing: Any,
    using: Settings | None = None,
    made: Options | None = None,
    **http: Any,
) -> Any:
    with httpx2.Client(transport=httpx2.MockTransport(handler), **http) as http_client:
        return Client(using or settings(), made or options(), http_client).send(outgoing)


def send_async(
    handler: Handler,
    outgoing: Any,
    using: Settings | None = None,
    made: Options | None = None,
    **http: Any,
) -> Any:
    async def main() -> Any:
        transport = httpx2.MockTransport(handler)
        async with httpx2.AsyncClient(transport=transport, **http) as http_client:
            client = AsyncClient(using or settings(), made or options(), http_client)
            return await client.send(outgoing)

    return asyncio.run(main())


SENDERS = [send_sync, send_async]


def answer(status: int = 200, content: bytes = b"", **rest: Any) -> Handler:
    return lambda _: httpx2.Response(status, content=content, **rest)


def recording(seen: list[httpx2.Request]) -> Handler:
    """Keeps every request in the list and answers 204."""

    def handler(sent: httpx2.Request) -> httpx2.Response:
        seen.append(sent)
        return httpx2.Response(204)

    return handler


def sent_by(send: Any, outgoing: Any, *using: Any, **http: Any) -> httpx2.Request:
    """Return what leaves for a request; `using` are settings and options."""
    seen: list[httpx2.Request] = []
    send(recording(seen), outgoing, *using, **http)
    [sent] = seen
    return sent


# What happens before anything of a request leaves.
UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError)


class Wire(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """A transport for both clients that does what its script says; the last line is repeated.

    A line is an error to raise, a status to answer, or a function that answers.

    Attributes:
        seen: the requests that came here.
    """

    def __init__(self, *script: Any) -> None:
        self.script = script
        self.seen: list[httpx2.Request] = []

    def _line(self, request: httpx2.Request) -> Any:
        self.seen.append(request)
        return self.script[min(len(self.seen), len(self.script)) - 1]

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        line = self._line(request)
        if not isinstance(line, UNSENT):
            request.read()
        return self._done(line, request)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        line = self._line(request)
        if not isinstance(line, UNSENT):
            await request.aread()
        return self._done(line, request)

    def _done(self, line: Any, request: httpx2.Request) -> httpx2.Response:
        if isinstance(line, BaseException):
            raise line
        if isinstance(line, int):
            return httpx2.Response(line)
        response: httpx2.Response = line(request)
        return response


def on_both(
    asynchronous: bool,
    wire: Any,
    use: Any,
    using: Settings | None = None,
    made: Options | None = None,
) -> Any:
    """Use a client over a wire: what `use(client)` gives, awaited where it has to be."""

    async def main() -> Any:
        http: Any = (httpx2.AsyncClient if asynchronous else httpx2.Client)(transport=wire)
        kind = AsyncClient if asynchronous else Client
        return await now(use(kind(using or settings(), made or options(), http)))

    return run("asyncio" if asynchronous else "sync", main)


def wake_often() -> None:
    """Wake the main thread every 50 ms (POSIX), so that it sees a Ctrl-C at once.

    Python does not, if the signal comes at the very moment at which the main thread falls asleep.
    """
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    atexit.register(
        signal.setitimer, signal.ITIMER_REAL, 0
    )  # at the end nobody catches it any more
