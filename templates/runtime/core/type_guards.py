"""Type guards for values of any type."""

from __future__ import annotations

import builtins
import os
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Return whether decoded JSON is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Return whether decoded JSON is an array."""
    return isinstance(value, list)


def is_items(value: object) -> TypeGuard[Sequence[Any]]:
    """Return whether an argument is a sequence of items; a text or bytes are none."""
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray))


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Return whether an argument is a mapping."""
    return isinstance(value, Mapping)


def is_path(value: object) -> TypeGuard[str | os.PathLike[Any]]:
    """Return whether an argument names a file."""
    return isinstance(value, (str, os.PathLike))


def is_count(value: object) -> TypeGuard[int]:
    """Return whether an argument is a whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[int | float]:
    """Return whether an argument is a number; True and False are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def type_name(value: object) -> str:
    """Return the name of a value's type; with its package where others have one of that name."""
    kind = type(value)
    is_builtin = getattr(builtins, kind.__name__, kind) is kind
    package = "" if is_builtin else f"{kind.__module__.partition('.')[0]}."
    return f"{package}{kind.__name__}"


def is_seconds(value: object) -> TypeGuard[int | float]:
    """Return whether an argument is a number of seconds that can be waited, from 0."""
    return is_number(value) and 0 <= value < float("inf")
