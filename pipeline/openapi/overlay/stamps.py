"""Find the objects of a document that are stamped with the gaps on which they rest."""

from __future__ import annotations

import enum
from typing import Any, Final

from pipeline.openapi.documents import Pointer

# fmt: off
_MAPS: Final = frozenset((
    "$defs", "callbacks", "content", "definitions", "dependentRequired", "dependentSchemas",
    "encoding", "examples", "headers", "links", "mapping", "paths", "patternProperties",
    "properties", "scopes", "securitySchemes", "variables", "webhooks",
))
_DATA: Final = frozenset(
    ("const", "default", "enum", "example", "examples", "security", "value")
)
# fmt: on


class _Place(enum.Enum):
    """The kind of an object's members, which decides whether it may be stamped."""

    OBJECT = enum.auto()  # an object of the specification: keywords
    NAMES = enum.auto()  # a map from names to objects
    RESPONSES = enum.auto()  # a map from status codes to responses: many tools take every member
    COMPONENTS = enum.auto()  # an object whose members are maps of names
    DATA = enum.auto()  # a value: neither it nor anything in it may be stamped


def carrier(data: Any, pointer: Pointer) -> Pointer:
    """Return the nearest object, from a node of an OpenAPI document upwards, that may be stamped.

    Maps of names or of status codes, objects with `$ref` and plain values (examples, defaults,
    extensions) may not.
    """
    best: Pointer = ()
    node, place = data, _Place.OBJECT
    for index, key in enumerate(pointer):
        node, place = node[key], _inner(place, key, node[key])
        if place is _Place.DATA:
            break
        is_map = place in (_Place.NAMES, _Place.RESPONSES)
        if isinstance(node, dict) and not is_map and "$ref" not in node:
            best = pointer[: index + 1]
    return best


def _inner(place: _Place, key: str | int, node: Any) -> _Place:
    if place is _Place.NAMES:
        return _Place.OBJECT
    if isinstance(key, int):
        return _Place.OBJECT
    if key.startswith("x-"):
        return _Place.DATA
    if place is _Place.COMPONENTS:
        return _Place.NAMES
    if place is _Place.RESPONSES:
        return _Place.OBJECT
    if key == "components":
        return _Place.COMPONENTS
    if key == "responses":
        return _Place.RESPONSES
    if key in _MAPS and isinstance(node, dict):
        return _Place.NAMES
    if key in _DATA or (key == "parameters" and isinstance(node, dict)):
        return _Place.DATA
    return _Place.OBJECT
