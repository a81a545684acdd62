"""The words of `x-assume`: what a schema of the project has, and no other, can be written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import jsonschema_rs

from pipeline.openapi.documents import (
    Document,
    Pointer,
    found,
    pointer_text,
)
from pipeline.openapi.objects import as_dict
from pipeline.openapi.problems import Finding
from pipeline.openapi.references import pointer_of
from pipeline.openapi.validation import described, keys
from pipeline.openapi.wording import close, field


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
        if _VALUES in problem:
            text = f"{field(pointer)} {_hinted(problem, pointer, document)}"
            text += _also(pointer, document)
        else:
            text = f"{field(pointer)} {problem}; {schema.name} has the words"
        yield Finding(text, document.at(pointer), "word", pointer=pointer)
    for pointer in _descending(rules, word, ("x-assume",)):
        text = f"{field(pointer)} must be ascending"
        yield Finding(text, document.at(pointer), "word", pointer=pointer)


_VALUES: Final = "one of the values of"
_CHANGED: Final = ", which changed: drop this, or name it there, too"


def _hinted(problem: str, pointer: Pointer, document: Document) -> str:
    """Return a problem of a value that comes from the document: slips of the pen, with a hint."""
    told, _, after = problem.partition(_VALUES)
    text, changed, rest = after.partition(_CHANGED)
    place = pointer_of(text.strip()) or ()
    value = found(document.data, pointer)
    written = str(pointer[-1] if isinstance(value, dict) or value is None else value)
    meant = close(written, [str(each) for each in found(document.data, place) or ()])
    if meant:
        return f"{told}{_VALUES} {place[-2]}{rest}; did you mean {meant}?"
    return f"{told}{_VALUES} {place[-2]}{changed}{rest}"


def _also(pointer: Pointer, document: Document) -> str:
    """Return where else parts of a value come from: several overlays may have added to it."""
    own = document.at(pointer)
    lines: dict[str, set[int]] = {}
    inside = (at for at in document.positions if at[: len(pointer)] == pointer != at)
    for position in map(document.positions.get, inside):
        if position and own and (position.file, position.line) != (own.file, own.line):
            lines.setdefault(position.file, set()).add(position.line)
    places = [f"{file}:{', '.join(map(str, sorted(each)))}" for file, each in lines.items()]
    return f"; also at {'; '.join(places)}" if places else ""


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
        pointer = pointer_of(as_dict(node).get("x-enum-from", "")) or ()
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
        return _resolved(found(schema, pointer_of(node["$ref"]) or ()), schema, document)
    if "x-enum-from" in node:
        place = pointer_of(node["x-enum-from"]) or ()
        named = f"{_VALUES} {pointer_text(place)}{_CHANGED}"
        return {"enum": list(found(document, place) or ()), "description": named}
    return {
        key: _resolved(value, schema, document) for key, value in node.items() if key != "$defs"
    }
