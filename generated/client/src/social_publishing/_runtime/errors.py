"""Everything that can go wrong, as one tree.

    ClientError
    ├── ConfigurationError      the client was built without something that it needs
    ├── ArgumentError           an argument was refused; nothing was sent (a ValueError too)
    ├── TransportError          no complete answer arrived
    │   ├── ConnectionFailed    the connection could not be made, or broke
    │   └── RequestTimedOut     nothing came within the time that was allowed
    ├── DecodeError             the service answered with success, but not in the documented shape
    └── StatusError             the service answered with a status outside 200 to 299

Errors carry their facts as attributes. None of them ever holds a token.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .shapes import is_object

__all__ = [
    "ArgumentError",
    "ArgumentProblem",
    "ClientError",
    "ConfigurationError",
    "ConnectionFailed",
    "DecodeError",
    "RequestTimedOut",
    "StatusError",
    "TransportError",
]

_EXCERPT = 200  # characters of what the service said that a message shows


class ClientError(Exception):
    """Base of every error that this package raises on purpose."""


class ConfigurationError(ClientError):
    """The client was built without a token or an address, or with one that cannot be used."""


class ArgumentProblem(NamedTuple):
    """One refused argument.

    Attributes:
        argument: the argument, with the path inside it: `first_comments.customized[0].content`.
        reason: what is wrong with it.
    """

    argument: str
    reason: str

    def __str__(self) -> str:
        return f"{self.argument}: {self.reason}"


class ArgumentError(ClientError, ValueError):
    """One or more arguments were refused before anything was sent.

    Attributes:
        operation: the method that was called, such as `books.lend`.
        problems: every refused argument with its reason, in the order of the arguments.
    """

    def __init__(self, operation: str, problems: tuple[ArgumentProblem, ...]) -> None:
        super().__init__(operation, problems)
        self.operation = operation
        self.problems = problems

    def __str__(self) -> str:
        return f"{self.operation}: " + "; ".join(map(str, self.problems))


class Exchange(NamedTuple):
    """A request, and as much of its answer as there is.

    Attributes:
        operation: the method that was called, such as `books.lend`.
        method: the HTTP method.
        url: the full address; it never holds a secret.
        status: the HTTP status, or None when no answer came.
        headers: the headers of the answer, names in lower case.
        body: the raw bytes of the answer.
    """

    operation: str
    method: str
    url: str
    status: int | None = None
    headers: Mapping[str, str] = {}
    body: bytes = b""

    def __str__(self) -> str:
        return f"{self.method} {self.url}"


class ExchangeError(ClientError):
    """Base of the errors of a request that left, or tried to leave."""

    def __init__(self, message: str, exchange: Exchange) -> None:
        super().__init__(message, exchange)
        self.exchange = exchange

    def __str__(self) -> str:
        return str(self.args[0])

    @property
    def method(self) -> str:
        """The HTTP method of the request."""
        return self.exchange.method

    @property
    def url(self) -> str:
        """The full address of the request; it never holds a secret."""
        return self.exchange.url


class TransportError(ExchangeError):
    """No complete answer arrived, so whether the service did the work is unknown."""


class ConnectionFailed(TransportError):
    """The connection could not be made, or it broke before the answer was complete."""


class RequestTimedOut(TransportError):
    """Nothing came within the time that was allowed."""


class AnswerError(ExchangeError):
    """Base of the errors that have an answer to look at."""

    @property
    def status(self) -> int:
        """The HTTP status of the answer."""
        return self.exchange.status or 0

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of the answer, names in lower case."""
        return self.exchange.headers

    @property
    def body(self) -> bytes:
        """The raw bytes of the answer."""
        return self.exchange.body


class DecodeError(AnswerError):
    """The service answered with success, but the body is not what the documents say.

    What was asked for has most likely been done: look before you repeat a write.

    Attributes:
        path: where in the body, as a JSON path such as `$.data[3].status`; `$` is the whole body.
        reason: what is wrong there.
    """

    def __init__(self, path: str, reason: str, exchange: Exchange) -> None:
        super().__init__(f"{exchange}: answered {exchange.status}, but {path}: {reason}", exchange)
        self.path = path
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.reason, self.exchange)


class StatusError(AnswerError):
    """The service answered with a status outside 200 to 299.

    Attributes:
        data: the JSON object of the body, or an empty mapping when the body is none.
    """

    _message_fields: tuple[str, ...] = ("message",)

    def __init__(self, exchange: Exchange, data: Mapping[str, Any]) -> None:
        self.data = data
        super().__init__(_summary(exchange, self._text(*self._message_fields)), exchange)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.exchange, self.data)

    def _text(self, *names: str) -> str | None:
        """The first of these members of the body that is a text."""
        found = (self.data.get(name) for name in names)
        return next((value for value in found if isinstance(value, str)), None)

    def _object(self, *names: str) -> Mapping[str, Any] | None:
        """The first of these members of the body that is an object."""
        found = (self.data.get(name) for name in names)
        return next((value for value in found if is_object(value)), None)

    def _value(self, *names: str) -> Any:
        """The first of these members of the body that is there and not null."""
        found = (self.data.get(name) for name in names)
        return next((value for value in found if value is not None), None)


def _summary(exchange: Exchange, message: str | None) -> str:
    text = shortened(message or exchange.body[: 4 * _EXCERPT].decode("utf-8", "replace"))
    location = exchange.headers.get("location")
    if location and 300 <= (exchange.status or 0) <= 399:
        text = f"it redirects to {shortened(location)}, and redirects are not followed"
    said = f": {text}" if text else " with an empty body"
    return f"{exchange}: answered {exchange.status}{said}"


def shortened(text: str) -> str:
    """The text on one line, cut where it gets too long for a message."""
    text = " ".join(text.split())
    return text[:_EXCERPT] + "…" if len(text) > _EXCERPT else text
