"""Answers: from bytes to the documented type, or to the error that says what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

import msgspec

from .errors import DecodeError, Exchange, StatusError, shortened
from .request import Request
from .shapes import is_list, is_object

__all__ = ["decode"]

T = TypeVar("T")


@cache
def _decoder(type_: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(type_)


def decode(
    request: Request[T],
    exchange: Exchange,
    status_errors: Mapping[int, type[StatusError]],
    conceal: Callable[[Exchange], Exchange] = lambda exchange: exchange,
) -> T:
    """The answer to a request.

    Args:
        status_errors: the exception of each status; `4` and `5` stand for all of 4xx and 5xx,
            `0` for every other.
        conceal: takes out of an answer what an error must not show.

    Raises:
        StatusError: the status is outside 200 to 299.
        DecodeError: the body does not fit the documented type.
    """
    status = exchange.status or 0
    if not 200 <= status <= 299:
        raise _status_error(conceal(exchange), status_errors)
    if request.returns is None:
        return None  # type: ignore[return-value]
    if request.returns is bytes:
        return exchange.body  # type: ignore[return-value]
    if request.returns is str:
        return exchange.body.decode("utf-8", "replace")  # type: ignore[return-value]
    if not exchange.body.strip():
        raise DecodeError(
            "$", f"the body is empty, expected {_type_name(request)}", conceal(exchange)
        )
    try:
        answer: T = _decoder(request.returns).decode(exchange.body)
        return answer if request.keyed_by is None else _keyed(answer, request.keyed_by)
    except msgspec.ValidationError as error:
        path, reason = _place(str(error))
        raise DecodeError(path, reason, conceal(exchange)) from error
    except RecursionError as error:
        raise DecodeError("$", "nested too deeply", conceal(exchange)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DecodeError("$", f"not JSON: {error}", conceal(exchange)) from error


def _place(message: str) -> tuple[str, str]:
    """The JSON path and the reason in a message of msgspec: `Expected … - at `key` in `$.data``."""
    found = re.fullmatch(r"(.*?)(?: - at (`key` in )?`([^`]*)`)?", message, re.DOTALL)
    assert found is not None
    reason, key, path = found.groups()
    return path or "$", shortened(f"{reason} as a key" if key else reason)


def _keyed(answer: Any, field: str) -> Any:
    """A mapping of the items by one of their fields, whether they came as a mapping or a list."""
    if not is_list(answer):
        return answer
    result: dict[str, Any] = {}
    for index, item in enumerate(answer):
        key = getattr(item, field)
        if not isinstance(key, str):
            raise msgspec.ValidationError(f"Expected `str` - at `$[{index}].{field}`")
        if key in result:
            raise msgspec.ValidationError(f"A second item of the key {key!r} - at `$[{index}]`")
        result[key] = item
    return result


def _type_name(request: Request[Any]) -> str:
    return getattr(request.returns, "__name__", str(request.returns))


def _status_error(
    exchange: Exchange, status_errors: Mapping[int, type[StatusError]]
) -> StatusError:
    status = exchange.status or 0
    kind = status_errors.get(status) or status_errors.get(status // 100) or status_errors[0]
    try:
        data = msgspec.json.decode(exchange.body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        data = None
    return kind(exchange, data if is_object(data) else {})
