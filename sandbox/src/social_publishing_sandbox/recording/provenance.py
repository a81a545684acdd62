"""Digests of the documents' parts that each recorded operation depends on.

A recording stays valid as long as the documents say the same of its own operations, whatever else
changes in them.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable
from typing import Any

from social_publishing_sandbox.recording.model import Recording, Request
from social_publishing_sandbox.state import documents
from social_publishing_sandbox.state.documents import Document, Operation
from social_publishing_sandbox.state.reading import pointed

_WORDING = ("summary", "description")


class Digests:
    """The SHA-256 of what documents say of each operation."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._documents = {document.name: document for document in documents}
        self._digests = {
            operation.id: _digest(operation)
            for document in self._documents.values()
            for operation in document.operations.values()
        }

    def of(self, requests: Iterable[Request], base_path: str, media_path: str) -> dict[str, str]:
        """Return the operations that these requests are of, each with its digest."""
        bases = {"main": base_path, "media": media_path}
        names = {name for item in requests if (name := self._find(item, bases[item.api]))}
        return {name: self._digests[name] for name in sorted(names)}

    def changed(self, recording: Recording) -> list[str]:
        """Return the operations of a recording of which the documents now say something else."""
        kept = recording.operations.items()
        return [name for name, digest in kept if self._digests.get(name) != digest]

    def _find(self, request: Request, base: str) -> str | None:
        methods, _ = self._documents[request.api].find(request.target.partition("?")[0], base)
        return methods[request.method].id if request.method in methods else None


@functools.cache
def shipped() -> Digests:
    """Return the digests of the documents that this package carries."""
    return Digests(documents.load().documents)


def _digest(operation: Operation) -> str:
    """Return the digest of what is said of an operation and of all components that it needs.

    Wording does not count, nor do `x-` words: they say where a fact comes from, or how a client is
    made.
    """
    document = operation.document.data
    shared = document["paths"][operation.path].get("parameters", [])
    facts = [operation.path, operation.method.lower(), shared, operation.raw]
    components: dict[str, Any] = {}
    _gather(document, facts, components)
    text = json.dumps(_bare([facts, components]), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _gather(document: Any, node: Any, components: dict[str, Any]) -> None:
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for child in children:
        _gather(document, child, components)
    reference = node.get("$ref") if isinstance(node, dict) else None
    if isinstance(reference, str) and reference not in components:
        components[reference] = target = pointed(document, reference)
        _gather(document, target, components)


def _bare(node: Any) -> Any:
    """Return the node without `x-` words and descriptions; a property of that name is no text."""
    if isinstance(node, dict):
        return {
            key: _bare(value)
            for key, value in node.items()
            if not key.startswith("x-") and not (key in _WORDING and isinstance(value, str))
        }
    return [_bare(item) for item in node] if isinstance(node, list) else node
