"""When a request is sent again, and after which pause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.errors import ConfigurationError, ResponseTooLarge, StatusError, TransportError
from ..core.named_tuples import NamedTuple
from ..core.type_guards import is_count, is_seconds

if TYPE_CHECKING:
    from typing import Self

    from ..core.errors import ClientError

# Statuses that say that nothing was done: the request came too slowly, too early, or too often.
_REFUSED = (408, 425, 429)
# Statuses that say that nothing is there.
DELETED_STATUSES = (404, 410)
# Whoever sends these has ended its work; of other 5xx, a proxy may have given up too early.
ENDED_STATUSES = (500, 502, 503)
# What fails for a reason that does not pass: not implemented, and the like.
_LASTING = (501, 505, 511)
# The sender of these, the service or anything before it, has not passed the request on.
_NOT_PASSED_ON = (407, 411, 413, 414, 417, 421, 426, 431, *_REFUSED, *_LASTING)
# The statuses by which HTTP knows a refusal; any other of 4xx may mean anything.
_REFUSALS = (*range(400, 419), *range(421, 427), 428, 429, 431, 451)


class _Retries(NamedTuple):
    attempts: int
    first_pause: float
    longest_pause: float
    longest_wait: float


class Retries(_Retries):
    """How often, and after which pauses, a request is sent again after a temporary failure.

    Reads, and writes that have the same effect when done twice, are always sent again; any other
    write only if nothing was done.

    Attributes:
        attempts: maximum number of attempts, including the first.
        first_pause: seconds; the longest pause before the second attempt. It doubles each time; the
            client waits a random part of it.
        longest_pause: seconds; the longest pause.
        longest_wait: seconds; if the service asks for a longer pause, the error is raised at once.

    Raises:
        ConfigurationError: one of them is no such value.
    """

    __slots__ = ()

    def __new__(
        cls,
        attempts: int = 4,
        first_pause: float = 0.5,
        longest_pause: float = 8.0,
        longest_wait: float = 90.0,
    ) -> Self:
        made = super().__new__(cls, attempts, first_pause, longest_pause, longest_wait)
        problems: list[str] = []
        if not is_count(attempts) or attempts < 1:
            problems.append(f"attempts must be a whole number from 1, got {attempts!r}")
        for name, value in made._asdict().items():
            if name != "attempts" and not is_seconds(value):
                problems.append(f"{name} must be seconds from 0, got {value!r}")
        if problems:
            raise ConfigurationError("retries: " + "; ".join(problems))
        return made


DEFAULT_RETRIES = Retries()


def is_transient(failure: ClientError) -> bool:
    """Return whether a failure may be gone at the next attempt."""
    if isinstance(failure, StatusError):
        return failure.over_rate or failure.status in _REFUSED or _is_broken(failure.status)
    return isinstance(failure, TransportError) and failure.transient


def may_have_been_applied(failure: ClientError, accept: str) -> bool:
    """Return whether the service may have done what was asked for, although it did not say so."""
    if isinstance(failure, TransportError):
        return failure.sent
    if not isinstance(failure, StatusError | ResponseTooLarge) or failure.status in _NOT_PASSED_ON:
        return False
    if isinstance(failure, StatusError) and failure.over_rate and failure.data:
        return False  # of 5xx, anything on the way may respond so; the service says why
    return failure.status not in _REFUSALS or is_page(failure, accept)


def is_page(failure: StatusError | ResponseTooLarge, accept: str) -> bool:
    """Return whether a response is of no kind that was asked for, such as the page of a proxy."""
    if not failure.exchange.body.strip() or getattr(failure, "data", None):
        return False
    kind = failure.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_known = bool(kind) and (kind in accept or (kind.endswith("json") and "json" in accept))
    return not (is_known or "*/*" in accept)


def is_deleted(failure: StatusError, accept: str) -> bool:
    """Return whether the service says that nothing is there."""
    return failure.status in DELETED_STATUSES and not is_page(failure, accept)


def _is_broken(status: int) -> bool:
    # A status that HTTP does not know counts as one of 5xx (RFC 9110, 15).
    return not 100 <= status <= 499 and status not in _LASTING


def repeatable(body: Any) -> bool:
    """Return whether a body can be sent a second time, from its beginning."""
    return body is None or isinstance(body, bytes) or body.replayable or not body.started


def jittered_backoff(retries: Retries, failures: int) -> float:
    """Return a pause after so many failures in a row: part of one that doubles ("full jitter")."""
    from random import random

    return random() * min(retries.longest_pause, retries.first_pause * 2.0 ** min(failures - 1, 30))
