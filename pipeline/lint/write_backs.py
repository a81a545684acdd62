"""Check the properties that are named where what was read becomes arguments of a write."""

from __future__ import annotations

from typing import Final

from pipeline.codegen.names import python_name
from pipeline.lint.run import Rule, Run
from pipeline.openapi import extensions
from pipeline.openapi.extensions import ReadFrom, Reconcile, SchemaWords
from pipeline.openapi.model import Operation, Schema
from pipeline.openapi.objects import as_dict
from pipeline.openapi.wording import near

_DEPTH: Final = 8  # objects inside of objects; those that hold themselves end somewhere


def _places(run: Run) -> None:
    """Only a property is made of what is read."""
    for node in run.of("schema"):
        if "x-read-from" in node.value and node.pointer[-2:-1] != ("properties",):
            text = "x-read-from: is allowed only on a property"
            run.report((*node.pointer, "x-read-from"), text, "word")


def _sources(run: Run) -> None:
    """Names of properties of the object that is read are properties of it."""
    for operation in run.operations:
        read = _read(run, operation)
        if run.members(read):
            body = run.body(operation)
            written = Schema(*run.follow(body.pointer, body.value))
            _check_members(run, written, read, 0)


def _read(run: Run, operation: Operation) -> Schema | None:
    """Return the object that is read before, or after, an operation writes it."""
    word = operation.words.read_back
    if word is None:
        return None
    if not isinstance(word, Reconcile) and word.model is not None:
        pointer = run.target(f"#/components/schemas/{word.model}")
        return Schema(pointer, run.get(pointer)) if pointer else None
    name = word.operation if isinstance(word, Reconcile) else word.read
    for other in run.operations:
        if other.value.get("operationId") == name:
            response = run.response(other)
            return run.items(response) or response
    return None


def _check_members(run: Run, written: Schema, read: Schema | None, depth: int) -> None:
    """Check the properties of an object that is written, and those of objects inside of it."""
    at = Schema(*run.follow(written.pointer, written.value))
    words = extensions.read(SchemaWords, as_dict(at.value))
    for index, wire in enumerate(words.written_ignores or ()):
        _named(run, read, wire, at, "x-written-ignores", index)
    sources = run.members(read)
    called = {python_name(each.value, wire): each for wire, each in sources.items()}
    for wire, member in run.members(written).items():
        word = extensions.read(SchemaWords, as_dict(member.value)).read_from
        source = called.get(python_name(member.value, wire))
        if word is not None:
            _check_source(run, word, member, read)
            source = sources.get(word.field or "", source)
        inner = _held(run, member)
        if run.members(inner) and depth < _DEPTH:
            _check_members(run, inner, _held(run, source) if source else None, depth + 1)


def _check_source(run: Run, word: ReadFrom, at: Schema, read: Schema | None) -> None:
    if word.field is None:
        return
    if word.equals is not None and run.types(at.pointer, at.value) != {"boolean"}:
        text = "x-read-from: equals: is allowed only on a boolean"
        run.report((*at.pointer, "x-read-from", "equals"), text, "word")
    source = run.members(read).get(word.field)
    _named(run, read, word.field, at, "x-read-from", "field")
    if word.pick is not None and source is not None:
        _named(run, _held(run, source), word.pick, at, "x-read-from", "pick")


def _named(
    run: Run, read: Schema | None, wire: str, at: Schema, name: str, *path: str | int
) -> None:
    """Report a name that is not a property of what is read."""
    known = run.members(read)
    if wire not in known:
        text = f"{name}: {wire} is not a property of what is read{near(wire, known)}"
        run.report((*at.pointer, name, *path), text, "word")


def _held(run: Run, schema: Schema) -> Schema:
    """Return what a list or a map holds, however deep; else the schema itself."""
    for _ in range(_DEPTH):
        inner = run.items(schema, "items", "additionalProperties")
        if inner is None or run.members(schema):
            break
        schema = inner
    return schema


RULES: Final[tuple[Rule, ...]] = (_places, _sources)
