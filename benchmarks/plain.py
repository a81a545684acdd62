"""The best that msgspec can do with a body: structs made for it alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from keyword import iskeyword
from typing import Any

import msgspec


def struct_for(values: Sequence[Mapping[str, Any]]) -> Any:
    """Return a struct for JSON objects that are all alike, as one would write it for nothing else.

    Every field is required, in the order in which it comes; texts, numbers and truth values are
    just that, dates too; nothing is looked at by the garbage collector. What is not clear from
    the values is anything.
    """
    fields = [
        (
            f"{name}_" if iskeyword(name) else name,
            _type([value[name] for value in values]),
            msgspec.field(name=name),
        )
        for name in values[0]
    ]
    return msgspec.defstruct("Plain", fields, gc=False)


def _type(values: Sequence[Any]) -> Any:
    if not values or values[0] in ({}, None):
        return Any
    if isinstance(values[0], dict):
        return struct_for(values)
    if isinstance(values[0], list):
        return list[_type([item for value in values for item in value])]  # type: ignore[misc]
    return type(values[0])
