"""Effective documents for other tools: without any word of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.openapi.documents import copied
from pipeline.openapi.objects import walk


def plain(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document without its `x-` words."""
    made: dict[str, Any] = copied(document)
    for node in [*walk("document", (), made)]:
        if isinstance(node.value, dict):
            for word in [name for name in node.value if name.startswith("x-")]:
                del node.value[word]
    return made
