"""References inside a document: where they lead, and what stands there."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from pipeline.openapi.documents import Pointer, index_of, lookup

EMPTY: Final = "is empty; write where it leads, such as #/components/schemas/Pet"


@functools.lru_cache(maxsize=65_536)  # each is looked up many times
def pointer_of(reference: str) -> Pointer | None:
    """Return the pointer of a local reference: `("a", "b/c")` of `#/a/b~1c`; None for any other."""
    if not re.match(r"#(/|$)", reference):
        return None
    parts = unquote(reference).split("/")[1:]
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)


def target(data: Any, reference: Any) -> Pointer | None:
    """Return the pointer that a local reference means; None if it leads nowhere."""
    if not isinstance(reference, str) or (parts := pointer_of(reference)) is None:
        return None
    node = data
    pointer: Pointer = parts
    for at, key in enumerate(parts):
        try:
            if isinstance(node, list):
                pointer = (*pointer[:at], index_of(key), *pointer[at + 1 :])
            node = node[pointer[at]]
        except (LookupError, TypeError, ValueError):
            return None
    return pointer


def followed(data: Any, value: Any, pointer: Pointer = ()) -> tuple[Pointer, Any]:
    """Follow references to what they mean; an empty object stands for what they miss.

    Returns:
        What is meant, after its place: that of the value, if it is no reference.
    """
    seen = set()
    while isinstance(value, dict) and "$ref" in value:
        leads_to = target(data, value["$ref"])
        if leads_to is None or leads_to in seen:
            return pointer, {}
        seen.add(leads_to)
        pointer, value = leads_to, lookup(data, leads_to)
    return pointer, value


def resolved(data: Any, value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object that a reference leads to; what stands beside the reference wins.

    A value that is no reference is returned as it is; a circle of references ends where it closes.

    Raises:
        LookupError: it leads nowhere.
    """
    result = dict(value)
    seen = set()
    while isinstance(reference := result.pop("$ref", None), str) and reference not in seen:
        seen.add(reference)
        if (pointer := pointer_of(reference)) is None:
            raise LookupError(f"{reference}: is not inside of the document")
        node = lookup(data, pointer)
        result = {**node, **result} if isinstance(node, dict) else result
    return result
