"""Responses: from bytes to the documented type, or to the error that names what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Protocol, get_args

import msgspec

from ..core.drift import Difference, Drift, DriftWatch, Unreadable, path_text, report_drift
from ..core.errors import (
    DecodeError,
    DriftError,
    Exchange,
    StatusError,
    json_object,
    shortened,
)
from ..core.models import (
    Alternatives,
    AwareDatetime,
    Keyed,
    ResponseModel,
    is_stored,
    link,
    parsed_datetimes,
    stored,
)
from ..core.named_tuples import NamedTuple
from ..core.sources import BOM, set_source
from ..core.type_guards import is_list
from .redaction import Redaction

_LONGEST = 200  # characters of a path, or of what was found


class _Reading(NamedTuple):
    """How responses of a type are read where they are as documented.

    Models know what they were read from; date-times outside of models are parsed.
    """

    decode: Callable[[bytes], Any]
    has_models: bool
    has_datetimes: bool


@cache
def _reading(type_: Any) -> _Reading:
    parts = [*_parts(type_)]
    return _Reading(
        msgspec.json.Decoder(type_, dec_hook=_chosen).decode,
        any(isinstance(part, Alternatives | type(ResponseModel)) for part in parts),
        AwareDatetime in parts,
    )


def _parts(type_: Any) -> Iterator[Any]:
    yield type_
    for part in get_args(type_):
        yield from _parts(part)


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
    @property
    def accept(self) -> str: ...


def decode(
    request: Returning,
    exchange: Exchange,
    redact: Redaction,
    watch: DriftWatch,
    reported: Sequence[Drift] = (),
) -> Any:
    """Return what a response with success holds; `reported` is the drift of its headers.

    Raises:
        DecodeError: the body cannot be read as the documented type, or is the page of a login or a
            proxy where nothing is documented.
        DriftError: it can be read, but is not exactly what the documents say, and the watch raises.
    """
    returns = _returned(request, exchange.status or 0)
    response: Any = None
    differences: Sequence[Difference] = ()
    if returns is bytes:
        response = exchange.body
    elif returns is str:
        response = text_of(exchange)
    elif returns is not None:
        response, differences = _read(request, returns, exchange, redact, watch.looks)
    elif _is_web_page(exchange) and "html" not in request.accept:
        raise DecodeError("$", "a web page came, expected no body", redact(exchange))
    if watch.looks and (differences or reported):
        _report(request.operation, exchange, differences, redact, watch, reported)
    return response


def _returned(request: Returning, status: int) -> Any:
    """Return the type of a response with a status."""
    types = request.by_status
    return types.get(status, types.get(status // 100, request.returns))


def text_of(exchange: Exchange) -> str:
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
        if request.keyed_by is not None:
            response, odd = _keyed(response, request.keyed_by)
            differences = [*differences, *odd]
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


def _is_web_page(exchange: Exchange) -> bool:
    """Return whether a body is HTML; its media type alone is not enough."""
    kind = exchange.headers.get("content-type", "").lower()
    return "html" in kind and exchange.body.removeprefix(BOM).lstrip().startswith(b"<")


def _said_to_be(exchange: Exchange, redact: Redaction) -> str:
    """Return the media type of a response that is not JSON: a proxy's page is text/html."""
    said = exchange.headers.get("content-type", "").partition(";")[0].strip()
    return "" if not said or said.lower().endswith("json") else f" but {_shown(said, redact)}"


def examined_body(type_: Any, body: bytes) -> tuple[Any, Sequence[Difference]]:
    """Return JSON as this type, and where it differs.

    Raises:
        Unreadable: it cannot be read as it.
        msgspec.MsgspecError, UnicodeDecodeError: it is no JSON, or has a number that nothing holds.
    """
    return _body(type_, body, looks=True)


def _body(type_: Any, body: bytes, looks: bool) -> tuple[Any, Sequence[Difference]]:
    """Return a body as the type says, and where it differs, if that is wanted."""
    decode, has_models, has_datetimes = _reading(type_)
    differences: Sequence[Difference] = ()
    if looks:
        from .lenient import read  # rarely needed, and not free to load

        response, differences = read(type_, body.removeprefix(BOM))
    else:
        response = _quick(decode, type_, body)
    if has_models:
        if isinstance(response, ResponseModel):
            _check_fields(response)
            set_source(response, (body, _again))
        else:
            link(response, body, _again)
    if has_datetimes:
        response = parsed_datetimes(response)
    return response, differences


def _quick(decode: Callable[[bytes], Any], type_: Any, body: bytes) -> Any:
    """Return a body as the type says, without a look at what differs."""
    try:
        return decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        from .lenient import repaired  # rarely needed, and not free to load

        return repaired(type_, body.removeprefix(BOM))


def _again(model: Any, text: bytes) -> Any:
    """Return what a text that was read before is as a model: without fields where it is none."""
    try:
        return _quick(_reading(model).decode, model, text)
    except (Unreadable, msgspec.DecodeError, UnicodeDecodeError):
        return model()


def _report(
    operation: str,
    exchange: Exchange,
    differences: Sequence[Difference],
    redact: Redaction,
    watch: DriftWatch,
    reported: Sequence[Drift],
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
        drifts = (*reported, *drifts)
        raise DriftError(drifts[0].path, drifts[0].reason, redact(exchange), drifts)


def header_drifts(
    operation: str, unreadable: Iterable[tuple[str, str, str]], redact: Redaction
) -> tuple[Drift, ...]:
    """Return what is reported of headers: their names, what they hold, and what was expected."""
    from .lenient import json_text

    return tuple(
        Drift(operation, f"header {name}", "type", _shown(json_text(text), redact), expected)
        for name, text, expected in unreadable
    )


def _shown(text: str, redact: Redaction) -> str:
    """Return a text out of a body as an error may show it: nothing secret, and not too long.

    White space stays: two keys that differ in nothing else are two places.
    """
    shown = redact.text(text)
    return shown if len(shown) <= _LONGEST else shown[:_LONGEST] + "…"


def _check_fields(response: ResponseModel) -> None:
    """See to it that an object is the one that is documented, and not something else."""
    if _has_fields(response):
        return
    from .lenient import required  # rarely needed, and not free to load

    if names := required(type(response)):
        raise Unreadable(None, f"Object without any documented field, such as `{names[0]}`")


def _keyed(response: Any, field: str) -> tuple[Keyed[Any], list[Difference]]:
    """Return items by one of their fields; those without a key of their own are the others."""
    if not is_list(response):
        return Keyed(response), []
    result: Keyed[Any] = Keyed()
    odd: list[Difference] = []
    for index, item in enumerate(response):
        key = getattr(item, field)
        if isinstance(key, str) and key not in result:
            result[key] = item
            continue
        result.others.append(item)
        expected = "a key of its own" if isinstance(key, str) else "str"
        odd.append(Difference(((None, index, False), field, True), "type", key, expected))
    if odd and not result and not any(map(_has_values, result.others)):
        raise Unreadable(odd[0].place, "Expected `str`")  # another response than is documented
    return result, odd


def _has_fields(item: ResponseModel) -> bool:
    return any(is_stored(item, name) for name in item.__struct_fields__)


def _has_values(item: ResponseModel) -> bool:
    return any(
        stored(item, name) is not None for name in item.__struct_fields__ if is_stored(item, name)
    )


def _type_name(returns: Any) -> str:
    return getattr(getattr(returns, "__origin__", returns), "__name__", str(returns))


def status_error(exchange: Exchange, status_errors: Mapping[int, type[StatusError]]) -> StatusError:
    """Return the error for a response without success.

    Args:
        status_errors: the exception of each status; `4` and `5` stand for all of 4xx and 5xx,
            `0` for every other.
    """
    status = exchange.status or 0
    kind = status_errors.get(status) or status_errors.get(status // 100) or status_errors[0]
    return kind(exchange, json_object(exchange.body))
