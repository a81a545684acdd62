"""One attempt: a request as it goes over the wire, and the middleware around it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ..core.errors import ConfigurationError, Exchange
from ..core.named_tuples import NamedTuple

if TYPE_CHECKING:
    from ..request.multipart import Multipart


class Attempt(NamedTuple):
    """One attempt to send a request. Its text does not show the headers.

    A middleware that changes something passes on a copy: `attempt._replace(headers={…})`.

    Attributes:
        operation: the method that was called, such as `books.lend`.
        number: which attempt it is, counted from one.
        method: the HTTP method.
        url: the full address.
        headers: all header fields, the token among them.
        body: the body: bytes, a multipart body that is read as it leaves, or None.
        timeout: seconds without any progress on the connection before it is given up.
        max_response_seconds: how long its response may take as a whole; None for no end.
        secret_query: a key that the query string ends with; no log, error or trace shows it.
    """

    operation: str
    number: int
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | Multipart | None
    timeout: float
    max_response_seconds: float | None = None
    secret_query: str = ""

    def __repr__(self) -> str:
        return f"Attempt({self.operation}, number={self.number}, {self.method} {self.url})"


Middleware: TypeAlias = Callable[[Attempt, Callable[[Attempt], Exchange]], Exchange]
"""Called with an attempt and the way on: it returns what that returns, or something of its own."""

AsyncMiddleware: TypeAlias = Callable[
    [Attempt, Callable[[Attempt], Awaitable[Exchange]]], Awaitable[Exchange]
]
"""The same for the asynchronous client."""


def through(middleware: Sequence[Callable[..., Any]], send: Callable[[Attempt], Any]) -> Any:
    """Return what sends an attempt through the middleware, the first of which is the outermost."""
    for function in reversed(middleware):
        send = _around(function, send)
    return send


def checked(returned: Any) -> Exchange:
    """Return what came back through the middleware, if it can be used.

    Raises:
        ConfigurationError: it is no exchange with a status.
    """
    what = type(returned).__name__
    if isinstance(returned, Exchange):
        if isinstance(returned.status, int):
            return returned
        what = "one without a status"
    elif what == "coroutine":
        returned.close()  # nobody awaits it
    raise ConfigurationError(f"middleware must return an Exchange that has a status, got {what}")


def _around(middleware: Callable[[Attempt, Any], Any], send: Any) -> Callable[[Attempt], Any]:
    return lambda attempt: middleware(attempt, send)
