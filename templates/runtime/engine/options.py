"""How calls are made: what a client, or a copy of it for one call, is set to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from ..core.clock import LONGEST_TIME
from ..core.drift import Drift, DriftWatch
from ..core.errors import ConfigurationError
from ..core.named_tuples import NamedTuple
from ..core.type_guards import is_count, is_items, is_mapping, is_number
from ..core.waits import OnWait
from ..limits.budget import Pacing
from ..limits.retries import Retries
from ..request.outcome import Reconcile
from ..request.progress import OnProgress

DEFAULT_TIMEOUT = 60.0  # seconds without any progress on the connection
DEFAULT_MAX_RESPONSE_BYTES = 256 << 20  # bytes, once decompressed
DEFAULT_MAX_RESPONSE_SECONDS = 600.0  # from the end of the request to that of the response

_PACINGS = {mode: Pacing(mode=mode) for mode in ("wait", "raise", "off")}
_RESERVED = (
    *("accept", "authorization", "host"),
    *("content-length", "content-type", "transfer-encoding"),
)


LostWrites: TypeAlias = "Literal['raise', 'reconcile'] | Reconcile"
"""What is done where the response to a write is lost, and a second time may do it a second time."""


class Options(NamedTuple):
    """Options that can differ from call to call. `make_options` checks them.

    Attributes:
        timeout: seconds without progress on the connection before an attempt fails.
        deadline: seconds for a whole call, including all attempts, pauses and pages, and the
            caller's time between the items of a list; None for no limit.
        retries: how often and how patiently a request is sent again.
        pacing: what is done when the rate limit leaves no room.
        headers: additional header fields of every request.
        watch: what to do when a response differs from the documents.
        on_wait: what is done about waits.
        on_progress: called with how far a call is; None for nothing.
        lost_writes: how writes whose response was lost are settled; None where they are not.
        max_response_bytes: maximum size of a response in bytes, after decompression.
        max_response_seconds: maximum seconds for a whole response, even one that keeps trickling
            in; None for no limit.
        middleware: callables around every attempt; the first is the outermost.
    """

    timeout: float
    deadline: float | None
    retries: Retries
    pacing: Pacing
    headers: Mapping[str, str]
    watch: DriftWatch
    on_wait: OnWait
    on_progress: OnProgress | None
    lost_writes: Reconcile | None
    max_response_bytes: int
    max_response_seconds: float | None
    middleware: tuple[Callable[..., Any], ...]


def make_options(
    *,
    timeout: float,
    deadline: float | None,
    retries: int | Retries,
    pacing: Pacing | Literal["wait", "raise", "off"],
    headers: Mapping[str, str] | None,
    drift: Literal["ignore", "warn", "raise"],
    on_drift: Callable[[Drift], object] | None,
    on_wait: OnWait,
    on_progress: OnProgress | None,
    lost_writes: LostWrites,
    max_response_bytes: int,
    max_response_seconds: float | None,
    middleware: Sequence[Callable[..., Any]],
) -> Options:
    """Check what a caller has given.

    Args:
        retries: how often a request is sent at most beyond the first time, or all about it.

    The others are the attributes of `Options`.

    Raises:
        ConfigurationError: something cannot be used; all of it is named at once.
    """
    problems: list[str] = []
    _check_seconds("timeout", timeout, problems)
    if deadline is not None:
        _check_seconds("deadline", deadline, problems)
    if is_count(retries) and retries >= 0:
        retries = Retries(attempts=1 + retries)
    if not isinstance(retries, Retries):
        problems.append(f"retries must be a number from 0, or Retries(…), got {retries!r}")
    paced = _PACINGS.get(pacing) if isinstance(pacing, str) else pacing
    if not isinstance(paced, Pacing):
        problems.append(f"pacing must be 'wait', 'raise', 'off' or Pacing(…), got {pacing!r}")
    if drift not in ("ignore", "warn", "raise"):
        problems.append(f"drift must be 'ignore', 'warn' or 'raise', got {drift!r}")
    if on_drift is not None and not callable(on_drift):
        problems.append(f"on_drift must be a function, got {type(on_drift).__name__}")
    if not (callable(on_wait) or on_wait in (None, "terminal")):
        problems.append(f"on_wait must be a function, 'terminal' or None, got {on_wait!r}")
    if on_progress is not None and not callable(on_progress):
        problems.append(f"on_progress must be a function or None, got {on_progress!r}")
    if lost_writes == "reconcile":
        lost_writes = Reconcile()
    if not isinstance(lost_writes, Reconcile) and lost_writes != "raise":
        problems.append(
            f"lost_writes must be 'raise', 'reconcile' or Reconcile(…), got {lost_writes!r}"
        )
    if not is_count(max_response_bytes) or max_response_bytes < 1:
        problems.append(
            f"max_response_bytes must be a whole number from 1, got {max_response_bytes!r}"
        )
    if max_response_seconds is not None:
        _check_seconds("max_response_seconds", max_response_seconds, problems)
    if not is_items(middleware):
        problems.append(f"middleware must be a list of functions, got {type(middleware).__name__}")
        middleware = ()
    problems += [
        f"middleware must be functions, got {type(function).__name__}"
        for function in middleware
        if not callable(function)
    ]
    _check_headers({} if headers is None else headers, problems)
    if problems:
        raise ConfigurationError("; ".join(problems))
    assert isinstance(retries, Retries) and isinstance(paced, Pacing)
    return Options(
        timeout=timeout,
        deadline=deadline,
        retries=retries,
        pacing=paced,
        headers=dict(headers or {}),
        watch=DriftWatch(drift, on_drift),
        on_wait=on_wait,
        on_progress=on_progress,
        lost_writes=lost_writes if isinstance(lost_writes, Reconcile) else None,
        max_response_bytes=max_response_bytes,
        max_response_seconds=max_response_seconds,
        middleware=tuple(middleware),
    )


def changed(options: Options, changes: Mapping[str, Any]) -> Options:
    """Return the options with some of them changed; header fields are added."""
    given = options._asdict()
    given["drift"], given["on_drift"] = given.pop("watch")
    given["lost_writes"] = options.lost_writes or "raise"
    headers = changes.get("headers")
    if is_mapping(headers):
        changes = {**changes, "headers": with_fields(options.headers, headers)}
    return make_options(**{**given, **changes})


def with_fields(headers: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Return header fields with others added, which replace those of the same name in any case."""
    taken = {str(name).lower() for name in more}
    kept = {name: value for name, value in headers.items() if name.lower() not in taken}
    return {**kept, **more}


def with_cookie(headers: Mapping[str, str], cookie: str) -> dict[str, str]:
    """Return header fields with a cookie added to those that are there."""
    others = [value for name, value in headers.items() if name.lower() == "cookie"]
    return with_fields(headers, {"Cookie": "; ".join([*others, cookie])})


def _check_seconds(name: str, value: object, problems: list[str]) -> None:
    if not is_number(value) or not 0 < value <= LONGEST_TIME:
        problems.append(
            f"{name} must be a number of more than 0 and at most {LONGEST_TIME} seconds, "
            f"got {value!r}"
        )


def _check_headers(headers: object, problems: list[str]) -> None:
    if not is_mapping(headers):
        problems.append(f"headers must be a mapping, got {type(headers).__name__}")
        return
    for name, value in headers.items():
        if not isinstance(name, str) or not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
            problems.append(f"headers: {name!r} is not a valid header name")
        elif name.lower() in _RESERVED:
            problems.append(f"headers: {name} is set by the client")
        elif not isinstance(value, str) or not re.fullmatch(r"[!-~](?:[ -~]*[!-~])?|", value):
            # What it holds stays unsaid: it may be a secret.
            problems.append(f"headers: the value of {name} cannot be sent")
