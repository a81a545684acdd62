"""Log messages: silent until a program asks for them, and only those listed here.

One logger, with the name of the package. `DEBUG` has every attempt, `INFO` every pause before
another, and every wait for room in the rate limit, `WARNING` a rate store that fails, and a
service that asks for a very long pause. Shown are the operation, the method, the path, the status,
the number of the attempt, the service's name for the request, and times; never a query, a header
field or a body.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logging import Logger

DEBUG, INFO = 10, 20  # as `logging` has them, which is not free to load


@cache
def logger() -> Logger:
    """Return the logger of the package."""
    import logging

    package_logger = logging.getLogger(__name__.partition(".")[0])
    package_logger.addHandler(logging.NullHandler())
    return package_logger


def log_wait(operation: str, seconds: float) -> None:
    """Log that a request waits for its turn, most likely so long."""
    if logger().isEnabledFor(INFO):
        logger().info("%s: waiting %.1f s for the rate limit", operation, seconds)


def log_store_failure(error: Exception, on_lost: str) -> None:
    """Log that a rate store cannot be used, and what a process may send meanwhile."""
    sent = {
        "small": "each process sends its share of the limit",
        "closed": "nothing is sent",
        "open": "each process sends as if it were alone",
    }
    logger().warning(
        "the rate_store failed: %s until it is back", sent.get(on_lost, ""), exc_info=error
    )


def log_long_hold(longest: float) -> None:
    """Log that the service asks for a pause of more seconds than it is given."""
    logger().warning(
        "the service asks for a pause of more than %.0f s: one request tries again then", longest
    )
