"""Digests of the documents' parts that each recorded operation depends on.

A recording stays valid as long as the documents say the same of its own operations, whatever else
changes in them.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from social_publishing_sandbox.recording.model import Api, Recording, Request

_METHODS = ("get", "put", "post", "patch", "delete")
_WORDING = ("summary", "description")


@dataclass(frozen=True, slots=True)
class _Operation:
    id: str
    api: Api
    method: str
    path: re.Pattern[str]
    parameters: int
    digest: str


class Digests:
    """The SHA-256 of what documents say of each operation."""

    def __init__(self, documents: Mapping[Api, Any]) -> None:
        self._operations = [
            operation
            for api, document in documents.items()
            for operation in _operations(api, document)
        ]

    def of(self, requests: Iterable[Request], base_path: str, media_path: str) -> dict[str, str]:
        """Return the operations that these requests are of, each with its digest."""
        bases: dict[Api, str] = {"main": base_path, "media": media_path}
        operations = filter(None, (self._find(item, bases[item.api]) for item in requests))
        return {known.id: known.digest for known in sorted(operations, key=lambda known: known.id)}

    def changed(self, recording: Recording) -> list[str]:
        """Return the operations of a recording of which the documents now say something else."""
        now = {known.id: known.digest for known in self._operations}
        return [name for name, digest in recording.operations.items() if now.get(name) != digest]

    def _find(self, request: Request, base: str) -> _Operation | None:
        path = request.target.partition("?")[0]
        if not path.startswith(f"{base}/"):
            return None
        fitting = (
            known
            for known in self._operations
            if (known.api, known.method) == (request.api, request.method)
            and known.path.fullmatch(path.removeprefix(base))
        )
        return min(fitting, key=lambda known: known.parameters, default=None)


@functools.cache
def shipped() -> Digests:
    """Return the digests of the documents that this package carries."""
    folder = resources.files("social_publishing_sandbox") / "documents"
    apis: tuple[Api, ...] = ("main", "media")
    return Digests({api: json.loads((folder / f"{api}.json").read_bytes()) for api in apis})


def _operations(api: Api, document: Any) -> Iterator[_Operation]:
    for path, item in document["paths"].items():
        for method in filter(item.__contains__, _METHODS):
            facts = [path, method, item.get("parameters", []), item[method]]
            yield _Operation(
                item[method]["operationId"],
                api,
                method.upper(),
                re.compile(re.sub(r"\\{[^/]*?\\}", "[^/]+", re.escape(path))),
                path.count("{"),
                _digest(document, facts),
            )


def _digest(document: Any, facts: Any) -> str:
    """Return the digest of some facts and of all components that they need.

    Wording does not count, nor do `x-` words: they say where a fact comes from, or how a client is
    made.
    """
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
        target = document
        for step in reference.removeprefix("#/").split("/"):
            target = target[step.replace("~1", "/").replace("~0", "~")]
        components[reference] = target
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
