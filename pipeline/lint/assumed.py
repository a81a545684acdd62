"""The words of `x-assume`: what a schema of the project has, and no other, can be written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs

from pipeline.openapi.documents import Document, Pointer, found, reference_pointer
from pipeline.openapi.objects import as_dict
from pipeline.openapi.problems import Finding
from pipeline.openapi.validation import described, keys
from pipeline.openapi.wording import field


def assumed(schema: Document, document: Document) -> Iterator[Finding]:
    """Yield what is wrong with the `x-assume` of a document, by the schema of its words."""
    yield from _missing(schema, document)
    word = as_dict(document.data).get("x-assume", {})
    rules = _resolved(schema.data, schema.data, document.data)
    validator = jsonschema_rs.validator_for(
        rules, offline=True, validate_formats=True, formats={"python-regex": _is_pattern}
    )
    errors = validator.iter_errors(word)
    for path, problem in described(rules, errors):
        pointer = ("x-assume", *keys(word, path))
        is_value = "one of the values of" in problem
        text = f"{field(pointer)} {problem}{'' if is_value else f'; {schema.name} has the words'}"
        yield Finding(text, document.at(pointer), "word")
    for pointer in _descending(rules, word, ("x-assume",)):
        yield Finding(f"{field(pointer)} must be ascending", document.at(pointer), "word")


def _is_pattern(text: str) -> bool:
    """Return whether a text is a regular expression of Python, which reads it."""
    try:
        re.compile(text)
    except re.error:
        return False
    return True


def _descending(rules: Any, value: Any, at: Pointer) -> Iterator[Pointer]:
    """Yield the lists of whole numbers that `x-ascending` wants in order, and that are not."""
    wanted = as_dict(rules).get("x-ascending") and isinstance(value, list)
    if wanted and all(type(each) is int for each in value) and value != sorted(value):
        yield at
    for name, member in as_dict(as_dict(rules).get("properties")).items():
        if name in as_dict(value):
            yield from _descending(member, value[name], (*at, name))


def _missing(schema: Document, document: Document) -> Iterator[Finding]:
    """Yield values that a test server cannot do without, and that the document has no more."""
    for name, node in as_dict(schema.data.get("$defs")).items():
        pointer = reference_pointer(as_dict(node).get("x-enum-from", ""))
        values = found(document.data, pointer)
        needed = as_dict(node).get("x-enum-needs", ()) if values is not None else ()
        if gone := [each for each in needed if each not in values]:
            at = schema.at(("$defs", name, "x-enum-needs"))
            text = (
                f"{pointer[-1]} lacks {', '.join(map(str, gone))}: a test server needs it, by {at}"
            )
            yield Finding(text, document.at(pointer), "word", pointer=pointer)


def _resolved(node: Any, schema: Any, document: Any) -> Any:
    """Return a schema without references; `x-enum-from` finds values in the document."""
    if isinstance(node, list):
        return [_resolved(each, schema, document) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _resolved(found(schema, reference_pointer(node["$ref"])), schema, document)
    if "x-enum-from" in node:
        place = reference_pointer(node["x-enum-from"])
        named = f"one of the values of {place[-2]}, which changed: drop this, or name it there, too"
        return {"enum": list(found(document, place) or ()), "description": named}
    return {
        key: _resolved(value, schema, document) for key, value in node.items() if key != "$defs"
    }
