"""Effective documents for other tools: without any word of ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pipeline.openapi.documents import copied
from pipeline.openapi.objects import walk


def plain(
    document: Mapping[str, Any], told: Callable[[Mapping[str, Any]], str] = lambda words: ""
) -> dict[str, Any]:
    """Return a document without its `x-` words; `told` has what goes into descriptions instead."""
    made: dict[str, Any] = copied(document)
    for node in [*walk("document", (), made)]:
        if isinstance(node.value, dict):
            words = {name: node.value.pop(name) for name in [*node.value] if name.startswith("x-")}
            if node.kind == "schema" and (limits := told(words)):
                description = node.value.get("description", "")
                node.value["description"] = f"{description} {limits}".strip()
    return made
