"""JSON as orjson reads and writes it, by the standard library."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from datetime import date, datetime
from enum import Enum
from json import JSONDecodeError
from typing import Any, Final, NoReturn

__all__ = ["OPT_INDENT_2", "JSONDecodeError", "dumps", "loads"]

OPT_INDENT_2: Final = 1

_NOT_WHOLE: Final = (-(2**63), 2**64)  # the first integers that are read as numbers with a fraction


def loads(content: bytes | bytearray | memoryview | str) -> Any:
    """Return the value of a text.

    Raises:
        JSONDecodeError: it is no JSON, no UTF-8, has half of a character, a number out of range,
            or is nested too deeply.
    """
    text = ""
    try:
        text = content if isinstance(content, str) else bytes(content).decode()
        if text.startswith("\ufeff"):
            raise JSONDecodeError("UTF-8 byte order mark (BOM) is not supported", text, 0)
        value = _DECODER.decode(text)
        if "\\u" in text:  # halves of characters come in no other way
            json.dumps(value, ensure_ascii=False).encode()
    except JSONDecodeError as error:
        if error.pos >= len(text.rstrip()):
            raise JSONDecodeError("unexpected end of data", text, error.pos) from None
        raise
    except RecursionError:
        raise JSONDecodeError("depth limit exceeded", text, 0) from None
    except ValueError as error:
        raise JSONDecodeError(str(error), text, 0) from None
    return value


def dumps(value: Any, default: Callable[[Any], Any] | None = None, option: int = 0) -> bytes:
    """Return a value as compact JSON in UTF-8, or with `OPT_INDENT_2` as people read it.

    Args:
        default: gives something else for a value of an unknown type.

    Raises:
        TypeError: JSON has no such value.
    """
    indent = 2 if option & OPT_INDENT_2 else None
    try:
        return json.dumps(
            _writable(value, default),
            ensure_ascii=False,
            check_circular=False,
            indent=indent,
            separators=(",", ": " if indent else ":"),
        ).encode()
    except UnicodeEncodeError as error:
        raise TypeError(f"str is not valid UTF-8: {error.reason}") from None
    except RecursionError:
        raise TypeError("Recursion limit reached") from None


def _writable(value: Any, default: Callable[[Any], Any] | None) -> Any:
    """Return what the standard library writes as orjson does, keys and numbers included."""
    match value:
        case Enum():
            return _writable(value.value, default)
        case str() | bool() | None:
            return value
        case int():
            if not -(2**63) <= value < 2**64:
                raise TypeError("Integer exceeds 64-bit range")
            return value
        case float():
            return value if math.isfinite(value) else None
        case dict():
            if not all(isinstance(key, str) for key in value):
                raise TypeError("Dict key must be str")
            return {key: _writable(each, default) for key, each in value.items()}
        case list() | tuple():
            return [_writable(each, default) for each in value]
        case datetime() | date():
            return value.isoformat()
    if default is None:
        raise TypeError(f"Type is not JSON serializable: {type(value).__name__}")
    return _writable(default(value), default)


def _integer(digits: str) -> int | float:
    value = int(digits) if len(digits) < 21 else float(digits)
    smallest, above = _NOT_WHOLE
    return value if smallest <= value < above else _number(digits)


def _number(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError("number is infinity when parsed as double")
    return value


def _constant(name: str) -> NoReturn:
    raise ValueError(f"unexpected character: {name}")


_DECODER: Final = json.JSONDecoder(
    parse_int=_integer, parse_float=_number, parse_constant=_constant
)
