"""What is written to the log: silent until a program asks for it, and only what is listed here.

One logger, with the name of the package. `DEBUG` has every attempt, `INFO` every pause before
another, and every wait for room in the rate limit. Shown are the operation, the method, the path,
the status, the number of the attempt, the service's name for the request, and times; never a query,
a header field or a body.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ..response.raw import request_id

if TYPE_CHECKING:
    from logging import Logger

    from ..core.errors import ClientError, Exchange
    from ..transport.middleware import Attempt

__all__ = ["logger", "tell_answer", "tell_failure", "tell_pause", "tell_wait"]

_DEBUG, _INFO = 10, 20


@cache
def logger() -> Logger:
    """The logger of the package."""
    import logging

    found = logging.getLogger(__name__.partition(".")[0])
    found.addHandler(logging.NullHandler())
    return found


def tell_answer(attempt: Attempt, exchange: Exchange) -> None:
    """An attempt was answered."""
    if logger().isEnabledFor(_DEBUG):
        name = request_id(exchange.headers)
        logger().debug(
            "%s: answered %s%s, %s bytes",
            _named(attempt),
            exchange.status,
            f" (request {name})" if name else "",
            len(exchange.body),
        )


def tell_failure(attempt: Attempt, error: ClientError) -> None:
    """An attempt has failed without an answer."""
    if logger().isEnabledFor(_DEBUG):
        logger().debug("%s: %s", _named(attempt), type(error).__name__)


def tell_pause(attempt: Attempt, error: ClientError, seconds: float) -> None:
    """Another attempt follows."""
    if logger().isEnabledFor(_INFO):
        status = getattr(error, "status", None)
        reason = f"answered {status}" if status else type(error).__name__
        logger().info("%s: %s, again in %.2f s", _named(attempt), reason, seconds)


def tell_wait(operation: str, seconds: float) -> None:
    """A request has to wait for its turn, most likely so long."""
    if logger().isEnabledFor(_INFO):
        logger().info("%s: waits %.1f s for room in the rate limit", operation, seconds)


def _named(attempt: Attempt) -> str:
    path = urlsplit(attempt.url).path
    return f"{attempt.operation}, attempt {attempt.number}, {attempt.method} {path}"
