"""Effective documents for other tools: without any word of ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pipeline.openapi.documents import copied
from pipeline.openapi.objects import walk


def plain(
    document: Mapping[str, Any], told: Callable[[Mapping[str, Any]], str] = lambda words: ""
) -> dict[str, Any]:
    """Return a document without its `x-` words; `told` has what goes into descriptions instead.

    A list of one type is that type, as many tools want it.
    """
    made: dict[str, Any] = copied(document)
    for node in [*walk("document", (), made)]:
        if isinstance(node.value, dict):
            words = {name: node.value.pop(name) for name in [*node.value] if name.startswith("x-")}
            types = node.value.get("type")
            if node.kind == "schema" and isinstance(types, list) and len(types) == 1:
                node.value["type"] = types[0]
            if node.kind == "schema" and (limits := told(words)):
                description = node.value.get("description", "")
                node.value["description"] = f"{description} {limits}".strip()
    return made
