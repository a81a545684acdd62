"""Find the objects of a document that are stamped with the gaps on which they rest."""

from __future__ import annotations

from typing import Any, Final

from pipeline.openapi.documents import Pointer
from pipeline.openapi.objects import kind_at

_MAPS: Final = ("", "paths", "responses")  # of names or statuses: many tools take every member


def carrier(data: Any, pointer: Pointer) -> Pointer:
    """Return the nearest object, from a node of an OpenAPI document upwards, that may be stamped.

    Maps of names or of status codes, objects with `$ref` and plain values (examples, defaults,
    extensions) may not.
    """
    best: Pointer = ()
    node = data
    for end, key in enumerate(pointer, 1):
        node = node[key]
        if isinstance(node, dict) and "$ref" not in node and kind_at(pointer[:end]) not in _MAPS:
            best = pointer[:end]
    return best
