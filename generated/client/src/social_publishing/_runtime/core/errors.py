"""Everything that can go wrong, as one tree.

    ClientError
    ├── ConfigurationError      the client lacks a token or an address
    ├── ArgumentError           an argument was refused; nothing was sent (a ValueError too)
    ├── RateLimitReached        the rate limit is reached, and waiting is not allowed
    ├── DeadlineExceeded        the time for the whole call is over
    ├── PartialFailure          some requests of a call failed
    ├── ProcessingFailed        the awaited processing failed
    └── ExchangeError               a request that was sent, or should have been
        ├── OutcomeUnknown          a write may have been carried out (in `request.outcome`)
        ├── TransportError          no complete response arrived
        │   ├── ConnectionFailed    the connection could not be made, or broke
        │   └── RequestTimedOut     nothing came within the timeout
        ├── ResponseTooLarge        the response is larger than allowed
        ├── PagingError             a list cannot be read to its end
        ├── DecodeError             a success, but not of the documented shape
        │   └── DriftError          readable, but differs, and `drift="raise"`
        └── StatusError             a status outside 200 to 299

Errors carry their facts as attributes. None of them ever holds a token.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .named_tuples import NamedTuple
from .type_guards import is_object

if TYPE_CHECKING:
    from .drift import Drift

_EXCERPT = 200  # characters of an address, or of what the service said, that a message shows


class ClientError(Exception):
    """Base of all errors of this package.

    Attributes:
        may_be_done: True if the call changes something and the service may have carried it out: an
            attempt was sent, and its response was lost or cannot be read. Check before you repeat
            it.
        documentation: where the documentation explains the error; empty where none is known.
    """

    may_be_done: bool = False
    documentation: str = ""

    def __str__(self) -> str:
        text = self._message()
        return f"{text}; an attempt may have been carried out" if self.may_be_done else text

    def _message(self) -> str:
        """Return what happened, in words."""
        return super().__str__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.args), self.__dict__


def _rebuilt(kind: type[ClientError], arguments: tuple[Any, ...]) -> ClientError:
    """Return an error out of a pickle; its attributes are set afterwards."""
    return kind.__new__(kind, *arguments)


class LimitationWarning(UserWarning):
    """The service can do only a part of the request."""


class AssumedNameWarning(UserWarning):
    """A destructive flag is sent under a name that is assumed.

    A service that does not know the name may respond with success without doing it.
    """


class ConfigurationError(ClientError):
    """The token or an address is missing, or cannot be used."""


_SHOWN = 20  # problems in a message


class ArgumentProblem(NamedTuple):
    """One refused argument.

    Attributes:
        argument: the argument, with the path inside it: `first_comments.customized[0].content`.
        reason: the problem.
    """

    argument: str
    reason: str

    def __str__(self) -> str:
        return f"{self.argument}: {self.reason}"


class ArgumentError(ClientError, ValueError):
    """One or more arguments were refused before anything was sent.

    A file that cannot be read to its end is refused while it is sent: then `may_be_done` is True.

    Attributes:
        operation: the method that was called, such as `books.lend`.
        problems: every refused argument with its reason, in the order of the arguments.
    """

    def __init__(self, operation: str, problems: tuple[ArgumentProblem, ...]) -> None:
        super().__init__(operation, problems)
        self.operation = operation
        self.problems = problems

    def _message(self) -> str:
        shown = [*map(str, self.problems[:_SHOWN])]
        if more := len(self.problems) - len(shown):
            shown.append(f"and {more} more, see problems")
        return f"{self.operation}: " + "; ".join(shown)


class RateLimitReached(ClientError):
    """The rate limit is reached, and waiting is not allowed.

    Nothing was sent, or nothing more: see `may_be_done`.

    Attributes:
        operation: the method that was called, such as `books.lend`.
        wait: seconds until there is room again, if known.
    """

    def __init__(self, operation: str, wait: float) -> None:
        super().__init__(operation, wait)
        self.operation = operation
        self.wait = wait

    def _message(self) -> str:
        again = " again" * self.may_be_done
        return (
            f"{self.operation}: not sent{again}, because the rate limit leaves no room "
            f"for another {self.wait:.1f} s"
        )


class DeadlineExceeded(ClientError):
    """The deadline of a whole call has passed, or would before the next step.

    The cause, if there is one, is the failure of the last attempt.

    Attributes:
        operation: the method that was called, such as `books.lend`.
        deadline: the seconds that were allowed.
        doing: the step at that moment, such as "waiting 59.8 s for the rate limit".
        last: the newest response; None if there is none.
    """

    def __init__(self, operation: str, deadline: float, doing: str, last: Any = None) -> None:
        super().__init__(operation, deadline, doing, last)
        self.operation = operation
        self.deadline = deadline
        self.doing = doing
        self.last = last

    def _message(self) -> str:
        return f"{self.operation}: the deadline of {self.deadline:g} s ends while {self.doing}"


class Batch(NamedTuple):
    """One request of a call that takes several.

    Attributes:
        values: its identifiers, or the start and the end of its window.
        result: the decoded response; None if the request failed or was not sent.
        error: why it failed; None if it did not.
    """

    values: Sequence[Any]
    result: Any = None
    error: ClientError | None = None

    @property
    def may_be_done(self) -> bool:
        """True if it failed, but may have been carried out."""
        return self.error is not None and self.error.may_be_done


class PartialFailure(ClientError):
    """At least one request of a call with several requests failed.

    No result is lost. The cause is the first failure. `error.may_be_done` of a failed batch is True
    if the batch may have been carried out.

    Attributes:
        operation: the method that was called, such as `books.lend_many`.
        succeeded: the batches that were carried out, with their results.
        failed: the batches that failed, with their errors.
        not_sent: the batches that were never sent.
        left: the identifiers that were not done, in their order, ready for another call; for a long
            window, the start and the end of each part.
        unknown: those that may have been done: check before you repeat them.
    """

    def __init__(
        self,
        operation: str,
        succeeded: Sequence[Batch],
        failed: Sequence[Batch],
        not_sent: Sequence[Batch],
        left: Sequence[Any] = (),
        unknown: Sequence[Any] = (),
    ) -> None:
        super().__init__(operation, succeeded, failed, not_sent, left, unknown)
        self.operation = operation
        self.left = left
        self.unknown = unknown
        self.succeeded = succeeded
        self.failed = failed
        self.not_sent = not_sent
        self.may_be_done: bool = any(batch.may_be_done for batch in failed)

    def __str__(self) -> str:
        first = f": {self.failed[0].error}" if self.failed else ""
        perhaps = sum(batch.may_be_done for batch in self.failed)
        carried_out = f" ({perhaps} may have been carried out)" if perhaps else ""
        return (
            f"{self.operation}: {len(self.failed)} of "
            f"{len(self.succeeded) + len(self.failed) + len(self.not_sent)} requests failed"
            f"{carried_out}, "
            f"{len(self.succeeded)} succeeded, {len(self.not_sent)} were not sent{first}"
        )


class ProcessingFailed(ClientError):
    """The service reports that processing failed.

    Attributes:
        operation: the method that was called, such as `books.wait_until_bound`.
        reason: the service's own reason.
        last: the newest response, which shows it.
    """

    def __init__(self, operation: str, reason: str, last: Any) -> None:
        super().__init__(operation, reason, last)
        self.operation = operation
        self.reason = reason
        self.last = last

    def _message(self) -> str:
        return f"{self.operation}: processing failed: {shortened(self.reason)}"


class Exchange(NamedTuple):
    """A request and its response, as far as it came.

    Attributes:
        operation: the method that was called, such as `books.lend`.
        method: the HTTP method.
        url: the full address; it never holds a secret.
        status: the HTTP status, or None when no response came.
        headers: the headers of the response, names in lower case.
        body: the raw bytes of the response.
    """

    operation: str
    method: str
    url: str
    status: int | None = None
    headers: Mapping[str, str] = {}
    body: bytes = b""

    def __str__(self) -> str:
        return f"{self.method} {shortened(self.url)}"


class ExchangeError(ClientError):
    """Base of the errors a request that was sent, or should have been."""

    def __init__(self, message: str, exchange: Exchange) -> None:
        super().__init__(message, exchange)
        self.exchange = exchange

    def _message(self) -> str:
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
    """No complete response arrived.

    Attributes:
        sent: False if no attempt has left this machine, so that nothing can have been done.
        transient: False if another attempt would fail in the same way: the certificate is not
            trusted, or the proxy cannot be used.
    """

    transient: bool = True

    def __init__(self, message: str, exchange: Exchange, sent: bool = True) -> None:
        super().__init__(message, exchange)
        self.sent = sent


class ConnectionFailed(TransportError):
    """The connection could not be made, or it broke before the response was complete."""


class RequestTimedOut(TransportError):
    """Nothing came within the timeout."""


class _ResponseError(ExchangeError):
    """Base of the errors that have a response to look at."""

    @property
    def status(self) -> int:
        """The HTTP status of the response."""
        return self.exchange.status or 0

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of the response, names in lower case."""
        return self.exchange.headers


class _UnreadError(_ResponseError):
    """Base of those whose response is not what was to be read."""

    @property
    def body(self) -> bytes:
        """The raw bytes of the response."""
        return self.exchange.body


class ResponseTooLarge(_UnreadError):
    """The response is larger than allowed, and was not read to its end; `body` is empty.

    The service has most likely carried out the request.
    """


class PagingError(ExchangeError):
    """The list cannot be read to its end: the address of the next page is wrong.

    Attributes:
        next_page: the address as the service said it.
        items: the items read so far, in their order.
    """

    def __init__(
        self, reason: str, next_page: str, exchange: Exchange, items: Sequence[Any] = ()
    ) -> None:
        super().__init__(f"{exchange}: the next page {shortened(next_page)!r} {reason}", exchange)
        self.reason = reason
        self.next_page = next_page
        self.items = items


class DecodeError(_UnreadError):
    """The service responded with success, but the body does not match the documents.

    The request may have been carried out: check before you repeat a write.

    Attributes:
        path: where in the body, as a JSON path such as `$.data[3].status`; `$` is the whole body.
        reason: what is wrong there.
    """

    def __init__(self, path: str, reason: str, exchange: Exchange) -> None:
        super().__init__(
            f"{exchange}: responded with {exchange.status}, but {path}: {reason}", exchange
        )
        self.path = path
        self.reason = reason


class DriftError(DecodeError):
    """The response can be read, but differs from the documents (`drift="raise"`).

    `path` and `reason` are those of the first difference.

    Attributes:
        drifts: all of them, in the order of the body.
    """

    def __init__(
        self, path: str, reason: str, exchange: Exchange, drifts: Sequence[Drift] = ()
    ) -> None:
        super().__init__(path, reason, exchange)
        self.drifts = drifts


class StatusError(_ResponseError):
    """The service responded with a status outside 200 to 299.

    Attributes:
        data: the JSON object of the body, or an empty mapping when the body is none.
    """

    _message_fields: tuple[str, ...] = ("message",)
    _over_rate: int = 429

    def __init__(
        self, exchange: Exchange, data: Mapping[str, Any], said: str | None = None
    ) -> None:
        self.data = data
        super().__init__(said or _summary(exchange, self._text(*self._message_fields)), exchange)

    def __reduce__(self) -> tuple[Any, ...]:
        # Not `data`: pickle gives up on what is nested far less deep than JSON may be.
        state = {name: value for name, value in self.__dict__.items() if name != "data"}
        return _restored, (type(self), self.exchange, self._message()), state

    @property
    def over_rate(self) -> bool:
        """Whether the response says that there were too many requests."""
        return self.status in (self._over_rate, 429)

    def _text(self, *names: str) -> str | None:
        """Return the first of these members of the body that is a text."""
        values = (self.data.get(name) for name in names)
        return next((value for value in values if isinstance(value, str)), None)

    def _object(self, *names: str) -> Mapping[str, Any] | None:
        """Return the first of these members of the body that is an object."""
        values = (self.data.get(name) for name in names)
        return next((value for value in values if is_object(value)), None)

    def _value(self, *names: str) -> Any:
        """Return the first of these members of the body that is there and not null."""
        values = (self.data.get(name) for name in names)
        return next((value for value in values if value is not None), None)


def _restored(kind: type[StatusError], exchange: Exchange, message: str) -> StatusError:
    """Return an error out of a pickle."""
    return kind(exchange, json_object(exchange.body), message)


def json_object(body: bytes) -> Mapping[str, Any]:
    """Return the JSON object that a body is, or an empty mapping."""
    import json  # none of these is free to load

    import msgspec

    from .sources import load_json

    try:
        data = msgspec.json.decode(body)
    except RecursionError:
        return {}
    except (msgspec.DecodeError, UnicodeDecodeError):
        try:  # what is half of a character cannot be shown
            text = json.dumps(load_json(body, parse_constant=str), ensure_ascii=False)
            data = load_json(text.encode("utf-8", "replace"))
        except (RecursionError, ValueError):
            return {}
    return data if is_object(data) else {}


def _summary(exchange: Exchange, message: str | None) -> str:
    text = shortened(message or exchange.body[: 4 * (_EXCERPT + 1)].decode("utf-8", "replace"))
    location = exchange.headers.get("location")
    if location and 300 <= (exchange.status or 0) <= 399:
        text = f"it redirects to {shortened(location)}; redirects are not followed"
    said = f": {text}" if text else " with an empty body"
    return f"{exchange}: responded with {exchange.status}{said}"


def shortened(text: str) -> str:
    """Return the text on one line, cut where it gets too long for a message."""
    text = " ".join(text.split())
    return text[:_EXCERPT] + "…" if len(text) > _EXCERPT else text
