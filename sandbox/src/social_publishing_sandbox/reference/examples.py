"""Examples of identifiers that there are, so that trying an operation out finds something."""

from __future__ import annotations

from typing import Any, Final

from social_publishing_sandbox.state.documents import Document, Json
from social_publishing_sandbox.state.service import Service

_ID: Final = "#/components/schemas/Id"
# By a part of the parameter's name, or else of the path; `socialAccount` and `calendarNote` first.
_KINDS: Final = ("account", "note", "label", "media", "group", "post")


def with_examples(document: Document, data: Json, service: Service) -> Json:
    """Return the document with identifiers of a world, whose lock must be held, as examples."""
    known = _identifiers(service)
    paths = dict(data["paths"])
    for operation in document.operations.values():
        method = operation.method.lower()
        item = paths[operation.path]
        raw = item[method]
        if "parameters" in raw:
            given = [_exemplified(each, operation.path, known) for each in raw["parameters"]]
            paths[operation.path] = {**item, method: {**raw, "parameters": given}}
    return {**data, "paths": paths}


def _exemplified(parameter: Json, path: str, known: dict[str, str]) -> Json:
    schema: Json = parameter.get("schema", {})
    several = schema.get("items", {}).get("$ref") == _ID
    if not several and schema.get("$ref") != _ID:
        return parameter
    kind = _kind(parameter["name"]) or _kind(path)
    example: Any = known.get(kind)
    if example is None:
        return parameter
    return {**parameter, "example": [example] if several else example}


def _kind(text: str) -> str:
    return next((each for each in _KINDS if each in text.lower()), "")


def _identifiers(service: Service) -> dict[str, str]:
    """Return an identifier of each kind; of posts one that is published, if there is one."""
    store, codes = service.store, service.codes
    first = "1 ORDER BY key LIMIT 1"
    posts = "status != ? ORDER BY status != ?, key LIMIT 1", (codes["DELETED"], codes["PUBLISHED"])
    by_kind = {
        "account": store.accounts.where(first),
        "note": store.notes.where(first),
        "label": store.labels.where(first),
        "media": store.media.where(first),
        "group": store.groups.where(first),
        "post": store.posts.where(*posts),
    }
    return {kind: docs[0]["id"] for kind, docs in by_kind.items() if docs}
