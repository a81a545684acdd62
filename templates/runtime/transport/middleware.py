"""One attempt: a request as it goes over the wire, and the middleware around it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from ..core.errors import ConfigurationError, Exchange
from ..core.named_tuples import NamedTuple
from .sending import exchange, exchange_async, opened, opened_async

if TYPE_CHECKING:
    from ..engine.client import AsyncClient, Client
    from ..engine.effects import Deadline
    from ..request.multipart import Multipart
    from ..response.raw import AsyncStreamedResponse, StreamedResponse

__all__ = ["AsyncMiddleware", "Attempt", "AttemptStep", "Middleware", "OpenStep"]


class Attempt(NamedTuple):
    """One attempt to have a request answered. Its text does not show the headers.

    A middleware that changes something passes on a copy: `attempt._replace(headers={…})`.

    Attributes:
        operation: the method that was called, such as `books.lend`.
        number: which attempt it is, counted from one.
        method: the HTTP method.
        url: the full address.
        headers: all header fields, the token among them.
        body: the body: bytes, a multipart body that is read as it leaves, or None.
        timeout: seconds without any progress on the connection before it is given up.
    """

    operation: str
    number: int
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | Multipart | None
    timeout: float

    def __repr__(self) -> str:
        return f"Attempt({self.operation}, number={self.number}, {self.method} {self.url})"


Middleware: TypeAlias = Callable[[Attempt, Callable[[Attempt], Exchange]], Exchange]
"""Called with an attempt and the way on: it returns what that returns, or something of its own."""

AsyncMiddleware: TypeAlias = Callable[
    [Attempt, Callable[[Attempt], Awaitable[Exchange]]], Awaitable[Exchange]
]
"""The same for the asynchronous client."""


class AttemptStep(NamedTuple):
    """Send an attempt through the middleware and over the wire; the result is an `Exchange`.

    Raises:
        TransportError: no complete answer came.
        ResponseTooLarge: the answer is longer than the options allow.
    """

    attempt: Attempt
    deadline: Deadline

    def run(self, client: Client) -> Exchange:
        def last(attempt: Attempt) -> Exchange:
            return exchange(client, attempt, self.deadline)

        way: Callable[[Attempt], Exchange] = last
        for middleware in reversed(client.options.middleware):
            way = _around(middleware, way)
        return _checked(way(self.attempt))

    async def run_async(self, client: AsyncClient) -> Exchange:
        def last(attempt: Attempt) -> Awaitable[Exchange]:
            return exchange_async(client, attempt, self.deadline)

        way: Callable[[Attempt], Awaitable[Exchange]] = last
        for middleware in reversed(client.options.middleware):
            way = _around(middleware, way)
        found: Any = way(self.attempt)
        return _checked(await found if hasattr(found, "__await__") else found)


def _checked(found: Any) -> Exchange:
    """What came back through the middleware, if it can be used."""
    what = type(found).__name__
    if isinstance(found, Exchange):
        if isinstance(found.status, int):
            return found
        what = "one without a status"
    elif what == "coroutine":
        found.close()  # nobody awaits it
    raise ConfigurationError(f"middleware must return an Exchange that has a status, got {what}")


def _around(middleware: Callable[[Attempt, Any], Any], way: Any) -> Callable[[Attempt], Any]:
    return lambda attempt: middleware(attempt, way)


class OpenStep(NamedTuple):
    """Send an attempt over the wire, and leave the body of its answer to be read.

    The result is a streamed response; for an answer without success, whose body is an error, an
    `Exchange`. No middleware sees it: it could not see the body.

    Raises:
        TransportError: no answer came.
    """

    attempt: Attempt
    deadline: Deadline

    def run(self, client: Client) -> StreamedResponse | Exchange:
        return opened(client, self.attempt, self.deadline)

    async def run_async(self, client: AsyncClient) -> AsyncStreamedResponse | Exchange:
        return await opened_async(client, self.attempt, self.deadline)
