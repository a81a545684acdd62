"""Word the errors of JSON Schema validators, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from jsonschema_rs import ValidationError

from pipeline.openapi.documents import Pointer
from pipeline.openapi.objects import as_list
from pipeline.openapi.wording import brief, either, named_type, near, near_member

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_WORDS: Final = {
    "minimum": "must be at least {limit}",
    "maximum": "must be at most {limit}",
    "exclusiveMinimum": "must be more than {limit}",
    "exclusiveMaximum": "must be less than {limit}",
    "multipleOf": "must be a multiple of {multiple_of}",
    "minLength": "must have at least {limit} characters",
    "maxLength": "must have at most {limit} characters",
    "minItems": "must have at least {limit} items",
    "maxItems": "must have at most {limit} items",
    "minProperties": "must have at least {limit} members",
    "maxProperties": "must have at most {limit} members",
    "contains": "lacks a required kind of item",
    "not": "is what the schema excludes",
    "required": "lacks {property}",
    "dependentRequired": "lacks {property}",
    "pattern": "must match the pattern {pattern}",
    "format": "must have the format {format}",
    "oneOf": "matches more than one alternative of a oneOf",
    "falseSchema": "is not allowed here",
}
# Behind these words it helps to see the value.
_SHOWN: Final = frozenset(
    ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
) | {"pattern", "format"}


def problems(errors: Iterable[ValidationError]) -> Iterator[tuple[list[Any], str]]:
    """Yield the place of each error, as far inside as it is known, and a predicate for it."""
    for error in errors:
        kind, words = error.kind.name, error.kind.as_dict()
        branches: list[list[ValidationError]] = words.get("context") or []
        if kind in ("anyOf", "oneOf") and branches and all(branches):
            yield from _of_branches(error, branches)
        elif kind in ("additionalProperties", "unevaluatedProperties"):
            for name in words["unexpected"]:
                yield [*error.instance_path, name], "is not a known member"
        elif kind == "propertyNames":
            for _, text in problems([words["error"]]):
                yield error.instance_path, f"has a key that is not allowed: the key {text}"
        elif kind == "uniqueItems":
            items = as_list(error.instance)
            again = next(at for at, each in enumerate(items) if each in items[:at])
            yield [*error.instance_path, again], f"is there twice: {brief(items[again])}"
        else:
            yield error.instance_path, _predicate(kind, words, error)


def described(schema: Any, errors: Iterable[ValidationError]) -> Iterator[tuple[list[Any], str]]:
    """Yield the same for a schema whose descriptions name what must stand where."""
    for error in errors:
        node, wanted = schema, schema.get("description", "")
        for key in error.schema_path:
            holder, node = node, node[key]
            text = node.get("description") if isinstance(node, dict) else None
            wanted = text if isinstance(text, str) else wanted
        if wanted and error.kind.name != "propertyNames":
            is_compound = isinstance(error.instance, dict | list)
            but = "" if is_compound else f", is {brief(error.instance)}"
            yield error.instance_path, f"must be {wanted}{but}"
        elif wanted:
            name = error.kind.as_dict()["error"].instance
            yield [*error.instance_path, name], f"is not allowed: a key must be {wanted}"
        elif error.kind.name == "additionalProperties":
            for name in error.kind.as_dict()["unexpected"]:
                hint = near_member(name, holder["properties"])
                yield [*error.instance_path, name], f"is not a member here{hint}"
        else:
            yield from problems([error])


def keys(value: Any, path: Iterable[Any]) -> Pointer:
    """Return the pointer of a validator's path, in which the keys 1, 01 and +1 are the number 1."""
    pointer: Pointer = ()
    for part in path:
        key = part if isinstance(value, list) else str(part)
        if isinstance(value, dict) and isinstance(part, int) and key not in value:
            key = next((each for each in value if re.fullmatch(rf"\+?0*{part}", each)), key)
        pointer = (*pointer, key)
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            value = None
    return pointer


def _of_branches(
    error: ValidationError, branches: list[list[ValidationError]]
) -> Iterator[tuple[list[Any], str]]:
    """Say what is wrong by the alternative that was most likely meant."""
    here = error.instance_path
    first = [branch[0] for branch in branches]
    if all(one.kind.name == "required" and one.instance_path == here for one in first):
        names = either(one.kind.as_dict()["property"] for one in first)
        yield here, f"needs {names}"
        return

    def mismatch(branch: list[ValidationError]) -> tuple[bool, bool, bool, int]:
        at = {one.kind.name for one in branch if one.instance_path == here}
        tags = [one for one in branch if one.kind.name in ("const", "enum")]
        return (
            bool(at & {"type", "const"}),
            "enum" in at,
            any(len(one.instance_path) == len(here) + 1 for one in tags),
            len(branch),
        )

    best = min(branches, key=mismatch)
    if not mismatch(best)[0]:
        yield from problems(best)
        return
    wanted = [
        name
        for branch in branches
        for one in branch
        for name in one.kind.as_dict().get("types", ())
        if one.instance_path == here
    ]
    if wanted:
        yield here, _wrong_type(wanted, error.instance)
    else:
        yield here, "matches none of the alternatives of its schema"


def _predicate(kind: str, words: dict[str, Any], error: ValidationError) -> str:
    if kind in _WORDS:
        text = re.sub(r"\b1 (character|item|member)s", r"1 \1", _WORDS[kind].format(**words))
        return f"{text}, is {brief(error.instance)}" if kind in _SHOWN else text
    if kind == "type":
        return _wrong_type(words["types"], error.instance)
    if kind in ("const", "enum"):
        options = words["options"] if kind == "enum" else [words["expected_value"]]
        texts = [each for each in options if isinstance(each, str)]
        hint = near(error.instance, texts) if isinstance(error.instance, str) else ""
        return f"must be {either(map(brief, options))}, is {brief(error.instance)}{hint}"
    return f"is wrong: {error.message}"


def _wrong_type(wanted: Iterable[str], value: Any) -> str:
    return f"must be {either(map(named_type, wanted))}, is {brief(value)}"
