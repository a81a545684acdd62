"""What the tests of the runtime share: a small client, requests, and transports that record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx2
from runtime.arguments import Checker
from runtime.client import AsyncClient, Client, Settings
from runtime.errors import StatusError
from runtime.request import Request, prepare

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
            "main": (BASE, "base_url", "T_BASE"),
            "media": (OTHER, "media_url", "T_MEDIA"),
        },
        "timeout": 5.0,
        "user_agent": "pets/1",
        "status_errors": STATUS_ERRORS,
    }
    return Settings(**{**given, **changes})


def at(url: str, **changes: Any) -> Settings:
    """Settings of a client with a single server."""
    return settings(addresses={"main": (url, "base_url", "T_BASE")}, **changes)


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


Handler = Callable[[httpx2.Request], httpx2.Response]


def send_sync(
    handler: Handler, outgoing: Request[Any], using: Settings | None = None, **http: Any
) -> Any:
    with httpx2.Client(transport=httpx2.MockTransport(handler), **http) as http_client:
        return Client(using or settings(), http_client).send(outgoing)


def send_async(
    handler: Handler, outgoing: Request[Any], using: Settings | None = None, **http: Any
) -> Any:
    async def run() -> Any:
        transport = httpx2.MockTransport(handler)
        async with httpx2.AsyncClient(transport=transport, **http) as http_client:
            return await AsyncClient(using or settings(), http_client).send(outgoing)

    return asyncio.run(run())


SENDERS = [send_sync, send_async]


def answer(status: int = 200, content: bytes = b"", **rest: Any) -> Handler:
    return lambda _: httpx2.Response(status, content=content, **rest)


def recording(seen: list[httpx2.Request]) -> Handler:
    """Keeps every request in the list and answers 204."""

    def handler(sent: httpx2.Request) -> httpx2.Response:
        seen.append(sent)
        return httpx2.Response(204)

    return handler
