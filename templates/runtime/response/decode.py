"""Answers: from bytes to the documented type, or to the error that says what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import msgspec

from ..core.drift import Drift, DriftWatch, Oddity, Place, Unreadable, path_text, tell
from ..core.errors import DecodeError, DriftError, Exchange, StatusError, shortened
from ..core.type_guards import is_list, is_object
from .redaction import Redaction

__all__ = ["decode", "status_error"]

_LONGEST = 200  # characters of a path, or of what was found


@cache
def _decoder(type_: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(type_)


class Returning(Protocol):
    """A request, as far as it says what its response is."""

    @property
    def operation(self) -> str: ...
    @property
    def returns(self) -> Any: ...
    @property
    def keyed_by(self) -> str | None: ...


def decode(
    request: Returning,
    exchange: Exchange,
    redact: Redaction,
    watch: DriftWatch,
) -> Any:
    """Return what a response with success holds.

    Args:
        redact: takes out of an answer what an error must not show.
        watch: what is done where an answer is not exactly what the documents say.

    Raises:
        DecodeError: the body cannot be read as the documented type.
        DriftError: it can be read, but is not exactly what the documents say, and the watch raises.
    """
    if request.returns is None:
        return None
    if request.returns is bytes:
        return exchange.body
    if request.returns is str:
        return exchange.body.decode("utf-8", "replace")
    answer, oddities = _read(request, exchange, redact, watch.looks)
    if oddities and watch.looks:
        _tell(request.operation, exchange, oddities, redact, watch)
    return answer


def _read(
    request: Returning, exchange: Exchange, redact: Redaction, looks: bool
) -> tuple[Any, Sequence[Oddity]]:
    """The answer, and everything odd about it that was come across."""
    path = "$"
    try:
        answer, oddities = _body(request.returns, exchange.body, looks)
        if request.keyed_by is not None:
            answer = _keyed(answer, request.keyed_by)
        return answer, oddities
    except Unreadable as error:
        path, reason = _shown(path_text(error.place), redact), _shown(error.reason, redact)
    except RecursionError:
        reason = "nested too deeply"
    except msgspec.ValidationError as error:  # a number that nothing can hold
        reason = str(error)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        reason = f"not JSON{_said_to_be(exchange, redact)}: {error}"
    if not exchange.body.strip():
        reason = f"the body is empty, expected {_type_name(request)}"
    raise DecodeError(path, reason, redact(exchange))


def _said_to_be(exchange: Exchange, redact: Redaction) -> str:
    """What kind of body the answer names, where that is not JSON: a proxy's page is text/html."""
    said = exchange.headers.get("content-type", "").partition(";")[0].strip()
    return "" if not said or said.lower().endswith("json") else f" but {_shown(said, redact)}"


def _body(type_: Any, body: bytes, looks: bool) -> tuple[Any, Sequence[Oddity]]:
    if not looks:
        try:
            return _decoder(type_).decode(body), ()
        except msgspec.ValidationError:
            pass
    from .lenient import read  # rarely needed, and not free to load

    return read(type_, body)


def _tell(
    operation: str,
    exchange: Exchange,
    oddities: Sequence[Oddity],
    redact: Redaction,
    watch: DriftWatch,
) -> None:
    from .lenient import json_text

    drifts = tuple(
        Drift(
            operation,
            _shown(path_text(oddity.place), redact),
            oddity.kind,
            _shown(json_text(oddity.value), redact),
            shortened(oddity.expected),
        )
        for oddity in oddities
    )
    tell(drifts, watch)
    if watch.mode == "raise":
        raise DriftError(drifts[0].path, drifts[0].reason, redact(exchange), drifts)


def _shown(text: str, redact: Redaction) -> str:
    """A text out of a body as an error may show it: nothing secret, and not too long.

    White space stays: two keys that differ in nothing else are two places.
    """
    shown = redact.text(text)
    return shown if len(shown) <= _LONGEST else shown[:_LONGEST] + "…"


def _keyed(answer: Any, field: str) -> Any:
    """A mapping of the items by one of their fields, whether they came as a mapping or a list."""
    if not is_list(answer):
        return answer
    result: dict[str, Any] = {}
    for index, item in enumerate(answer):
        place: Place = (None, index, False)
        key = getattr(item, field)
        if not isinstance(key, str):
            raise Unreadable((place, field, True), "Expected `str`")
        if key in result:
            raise Unreadable(place, f"A second item of the key {key!r}")
        result[key] = item
    return result


def _type_name(request: Returning) -> str:
    return getattr(request.returns, "__name__", str(request.returns))


def status_error(exchange: Exchange, status_errors: Mapping[int, type[StatusError]]) -> StatusError:
    """The error for an answer without success.

    Args:
        status_errors: the exception of each status; `4` and `5` stand for all of 4xx and 5xx,
            `0` for every other.
    """
    status = exchange.status or 0
    kind = status_errors.get(status) or status_errors.get(status // 100) or status_errors[0]
    try:
        data = msgspec.json.decode(exchange.body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        data = None
    return kind(exchange, data if is_object(data) else {})
