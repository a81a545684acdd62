"""Responses to measure with, made from the effective document: every field, in the order it has."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from benchmarks.measuring import ROOT
from pipeline.openapi.references import followed

PAGE = 20  # posts on a full page of the list
_TEXTS = {
    "date-time": "2026-12-01T09:00:00Z",
    "date": "2026-12-01",
    "uri": "https://example.invalid/file",
}


def document() -> dict[str, Any]:
    """Return the effective document of the main API."""
    text = (ROOT / "generated" / "openapi" / "main.json").read_text(encoding="utf-8")
    result: dict[str, Any] = json.loads(text)
    return result


def label() -> bytes:
    """Return the response to the creation of a label: about 100 bytes."""
    return _body(_component("Label"))


def group() -> bytes:
    """Return a group with one social account: about 2 KB."""
    return _body(_component("Group"))


def small_group() -> bytes:
    """Return a group with the note that brings it to 1 KB, without its social accounts."""
    value = {**_component("Group"), "socialAccounts": [], "note": ""}
    return _body({**value, "note": "n" * (1024 - len(_body(value)))})


def page(posts: int = PAGE) -> bytes:
    """Return a page with this many posts."""
    post = _component("Post")
    data = [{**post, "id": str(1000 + number)} for number in range(posts)]
    empty = _component("PostPage")
    meta = {**empty["meta"], "last_page": 9, "next_page_url": "/v1/posts?groupId=1&page=2"}
    return _body({**empty, "data": data, "meta": meta})


def posts(identifiers: Iterable[bytes]) -> bytes:
    """Return the posts of these identifiers as `GET /posts-bulk` does: about 4.8 KB each."""
    head, tail = _around_the_identifier()
    return b"[" + b",".join(head + each + tail for each in identifiers) + b"]"


@cache
def _around_the_identifier() -> tuple[bytes, bytes]:
    head, tail = _body({**_component("Post"), "id": "@"}).split(b'"@"')
    return head + b'"', b'"' + tail


def _component(name: str) -> Any:
    root = document()
    return _value(root["components"]["schemas"][name], root, 0)


def _value(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    """Return a plain value of a schema, with all its properties down to the third object."""
    if "$ref" in schema:
        return _value(followed(root, schema)[1], root, depth)
    for word in ("const", "default"):
        if word in schema:
            return schema[word]
    for word in ("enum", "examples"):
        if schema.get(word):
            return schema[word][0]
    for word in ("oneOf", "anyOf", "allOf"):
        if schema.get(word):
            return _value(schema[word][0], root, depth)
    types = schema.get("type", "object")
    kind = types if isinstance(types, str) else types[0]
    if kind == "object":
        properties = schema.get("properties", {}) if depth < 4 else {}
        required = schema.get("required", ())
        return {
            name: _value(property_schema, root, depth + 1)
            for name, property_schema in (properties or schema.get("properties", {})).items()
            if properties or name in required
        }
    if kind == "array":
        return [_value(schema.get("items", {}), root, depth)] if depth < 4 else []
    if kind == "string":
        text = "7301" if "pattern" in schema else "A line of text"
        return _TEXTS.get(schema.get("format", ""), text)
    return {"integer": 1, "number": 1.5, "boolean": True, "null": None}[kind]


def _body(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def rate_headers() -> dict[str, str]:
    """Return the rate headers of a service with room for everything that is measured here."""
    return {
        "X-RateLimit-Limit": "1000000",
        "X-RateLimit-Remaining": "999999",
        "X-RateLimit-Reset": str(int(time.time()) + 3600),
    }
