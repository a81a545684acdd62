"""The log of attempts; what is shown is listed in `core.logs`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ..core.logs import DEBUG, INFO, logger
from ..response.raw import request_id

if TYPE_CHECKING:
    from ..core.errors import ClientError, Exchange
    from ..transport.middleware import Attempt


def log_response(attempt: Attempt, exchange: Exchange) -> None:
    """Log that an attempt got a response."""
    if logger().isEnabledFor(DEBUG):
        name = request_id(exchange.headers)
        logger().debug(
            "%s: responded with %s%s, %s bytes",
            _named(attempt),
            exchange.status,
            f" (request {name})" if name else "",
            len(exchange.body),
        )


def log_failure(attempt: Attempt, error: ClientError) -> None:
    """Log that an attempt has failed without a response."""
    if logger().isEnabledFor(DEBUG):
        logger().debug("%s: %s", _named(attempt), type(error).__name__)


def log_pause(attempt: Attempt, error: ClientError, seconds: float) -> None:
    """Log that another attempt follows after a pause."""
    if logger().isEnabledFor(INFO):
        status = getattr(error, "status", None)
        reason = f"responded with {status}" if status else type(error).__name__
        logger().info("%s: %s, again in %.2f s", _named(attempt), reason, seconds)


def _named(attempt: Attempt) -> str:
    path = urlsplit(attempt.url).path
    return f"{attempt.operation}, attempt {attempt.number}, {attempt.method} {path}"
