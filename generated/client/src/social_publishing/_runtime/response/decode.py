"""Responses: from bytes to the documented type, or to the error that names what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import msgspec
from msgspec import UNSET

from ..core.drift import (
    Difference,
    Drift,
    DriftWatch,
    Place,
    Unreadable,
    path_text,
    report_drift,
)
from ..core.errors import DecodeError, DriftError, Exchange, StatusError, shortened
from ..core.models import ResponseModel
from ..core.type_guards import is_list, is_object
from .redaction import Redaction

__all__ = ["decode", "status_error"]

_LONGEST = 200  # characters of a path, or of what was found


@cache
def _decoder(type_: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(type_, dec_hook=_chosen)


def _chosen(type_: Any, value: Any) -> Any:
    """Return a JSON value as one of the types of a `OneOf`."""
    from .lenient import chosen  # many responses hold none, and it is not free to load

    return chosen(type_, value)


class Returning(Protocol):
    """A request, as far as it says what its response is."""

    @property
    def operation(self) -> str: ...
    @property
    def returns(self) -> Any: ...
    @property
    def by_status(self) -> Mapping[int, Any]: ...
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
        redact: takes out of a response what an error must not show.
        watch: what is done where a response is not exactly what the documents say.

    Raises:
        DecodeError: the body cannot be read as the documented type.
        DriftError: it can be read, but is not exactly what the documents say, and the watch raises.
    """
    returns = _returned(request, exchange.status or 0)
    if returns is None:
        return None
    if returns is bytes:
        return exchange.body
    if returns is str:
        return _text(exchange)
    response, differences = _read(request, returns, exchange, redact, watch.looks)
    if differences and watch.looks:
        _report(request.operation, exchange, differences, redact, watch)
    return response


def _returned(request: Returning, status: int) -> Any:
    """Return the type of a response with a status."""
    found = request.by_status
    return found.get(status, found.get(status // 100, request.returns))


def _text(exchange: Exchange) -> str:
    """Return a body as text, in the character set that its media type names, or UTF-8."""
    _, _, parameters = exchange.headers.get("content-type", "").lower().partition("charset=")
    charset = parameters.partition(";")[0].strip(' "')
    try:
        return exchange.body.decode(charset or "utf-8", "replace")
    except LookupError:
        return exchange.body.decode("utf-8", "replace")


def _read(
    request: Returning, returns: Any, exchange: Exchange, redact: Redaction, looks: bool
) -> tuple[Any, Sequence[Difference]]:
    """Return the response, and everything odd about it that was come across."""
    path = "$"
    try:
        response, differences = _body(returns, exchange.body, looks)
        if isinstance(response, ResponseModel):
            _check_fields(response)
        if request.keyed_by is not None:
            response = _keyed(response, request.keyed_by)
        return response, differences
    except Unreadable as error:
        path, reason = _shown(path_text(error.place), redact), _shown(error.reason, redact)
    except RecursionError:
        reason = "nested too deeply"
    except msgspec.ValidationError as error:  # a number that nothing can hold
        reason = str(error)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        reason = f"not JSON{_said_to_be(exchange, redact)}: {error}"
    if not exchange.body.strip():
        reason = f"the body is empty, expected {_type_name(returns)}"
    raise DecodeError(path, reason, redact(exchange))


def _said_to_be(exchange: Exchange, redact: Redaction) -> str:
    """Return the media type of a response that is not JSON: a proxy's page is text/html."""
    said = exchange.headers.get("content-type", "").partition(";")[0].strip()
    return "" if not said or said.lower().endswith("json") else f" but {_shown(said, redact)}"


def _body(type_: Any, body: bytes, looks: bool) -> tuple[Any, Sequence[Difference]]:
    if not looks:
        try:
            return _decoder(type_).decode(body), ()
        except msgspec.ValidationError:
            pass
    from .lenient import read  # rarely needed, and not free to load

    return read(type_, body)


def _report(
    operation: str,
    exchange: Exchange,
    differences: Sequence[Difference],
    redact: Redaction,
    watch: DriftWatch,
) -> None:
    from .lenient import json_text

    drifts = tuple(
        Drift(
            operation,
            _shown(path_text(difference.place), redact),
            difference.kind,
            _shown(json_text(difference.value), redact),
            shortened(difference.expected),
        )
        for difference in differences
    )
    report_drift(drifts, watch)
    if watch.mode == "raise":
        raise DriftError(drifts[0].path, drifts[0].reason, redact(exchange), drifts)


def _shown(text: str, redact: Redaction) -> str:
    """Return a text out of a body as an error may show it: nothing secret, and not too long.

    White space stays: two keys that differ in nothing else are two places.
    """
    shown = redact.text(text)
    return shown if len(shown) <= _LONGEST else shown[:_LONGEST] + "…"


def _check_fields(response: ResponseModel) -> None:
    """See to it that an object is the one that is documented, and not something else.

    Raises:
        Unreadable: it has no documented field, though some always come.
    """
    if any(response.stored(name) is not UNSET for name in response.__struct_fields__):
        return
    from .lenient import required  # rarely needed, and not free to load

    if names := required(type(response)):
        raise Unreadable(None, f"Object without any documented field, such as `{names[0]}`")


def _keyed(response: Any, field: str) -> Any:
    """Return a mapping of the items by one of their fields, if they came as a list."""
    if not is_list(response):
        return response
    result: dict[str, Any] = {}
    for index, item in enumerate(response):
        place: Place = (None, index, False)
        key = getattr(item, field)
        if not isinstance(key, str):
            raise Unreadable((place, field, True), "Expected `str`")
        if key in result:
            raise Unreadable(place, f"A second item of the key {key!r}")
        result[key] = item
    return result


def _type_name(returns: Any) -> str:
    return getattr(returns, "__name__", str(returns))


def status_error(exchange: Exchange, status_errors: Mapping[int, type[StatusError]]) -> StatusError:
    """Return the error for a response without success.

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
