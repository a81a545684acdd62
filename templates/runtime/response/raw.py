"""Responses as they came: status, header fields and bytes, beside what they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from ..core.errors import Exchange
    from .redaction import Redaction

T_co = TypeVar("T_co", covariant=True)

_ID_HEADERS = ("x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray")


def request_id(headers: Mapping[str, str]) -> str | None:
    """Return the name that the service has given to a request, for its support; None if none."""
    return next((headers[name] for name in _ID_HEADERS if name in headers), None)


class ResponseHead:
    """The status and the header fields of a response."""

    def __init__(self, exchange: Exchange, attempts: int) -> None:
        self.exchange = exchange
        self.attempts = attempts

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.status} of {self.exchange}>"

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.exchange.status or 0

    @property
    def headers(self) -> Mapping[str, str]:
        """The header fields, names in lower case."""
        return self.exchange.headers

    @property
    def request_id(self) -> str | None:
        """The name that the service has given to the request, for its support; None without one."""
        return request_id(self.exchange.headers)


class RawResponse(ResponseHead, Generic[T_co]):
    """A response with success, as it came.

    A DELETE that is sent again because its response was lost, and then finds nothing, has success
    with 404 or 410.

    Attributes:
        exchange: the request and its response.
        attempts: how often the request was sent.
        redact: takes the token out of what others are to read.
    """

    def __init__(
        self, exchange: Exchange, attempts: int, parse: Callable[[], T_co], redact: Redaction
    ) -> None:
        super().__init__(exchange, attempts)
        self.redact = redact
        self._parse = parse

    @property
    def body(self) -> bytes:
        """The bytes of the body, decompressed."""
        return self.exchange.body

    def parse(self) -> T_co:
        """Return what the method itself returns.

        Raises:
            DecodeError: the response is not what the documents say.
        """
        return self._parse()
