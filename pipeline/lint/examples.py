"""Examples and defaults, held against their schemas."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import jsonschema_rs

from pipeline.lint.run import Rule, Run
from pipeline.openapi.documents import Pointer, pointer_text
from pipeline.openapi.objects import DATA, SHAPES, as_dict, as_list, reached
from pipeline.openapi.validation import DIALECT, keys, problems
from pipeline.openapi.wording import field, near

_DOCUMENT: Final = "urn:document"  # by which the schemas of examples are found
_UNCOMPILED: Final = (
    ValueError, OverflowError, jsonschema_rs.ReferencingError, jsonschema_rs.ValidationError
)  # fmt: skip
_URI: Final = jsonschema_rs.Draft202012Validator({"format": "uri-reference"}, validate_formats=True)
_SAMPLES: Final[dict[str, Any]] = {
    "string": "…", "integer": 1, "number": 1.5, "boolean": True, "array": [], "object": {},
}  # fmt: skip


class _Example(NamedTuple):
    """A value, its place, and the place of the schema that it must fit."""

    schema: Pointer
    pointer: Pointer
    value: Any


def wrong(run: Run) -> Iterator[tuple[_Example, list[jsonschema_rs.ValidationError]]]:
    """Return each example and default that its schema does not allow, and why.

    All of them are validated as the properties of one object, so that their schemas are compiled
    together, once. One whose schema cannot be compiled, which other rules report, is left out.
    """
    every = list(_examples(run))
    registry = _registry({_DOCUMENT: run.data})
    try:
        yield from _validated(every, registry)
    except _UNCOMPILED:
        broken = _broken(run, {each.schema for each in every})
        yield from _validated([each for each in every if each.schema not in broken], registry)


def _valid(run: Run) -> None:
    """Examples and defaults are valid by their schemas."""
    for example, errors in wrong(run):
        at = example.pointer
        word = next(key for key in reversed(at) if key in ("default", "example", "examples"))
        for path, problem in problems(errors):
            inside = keys({"": run.get(at)}, ["", *path[1:]])[1:]
            text = f"{word}: {field(inside)} {problem}" if inside else f"{word} {problem}"
            lacking = problem.removeprefix("lacks ") if problem.startswith("lacks ") else ""
            update = None if inside else _sample(run, example.schema, lacking)
            run.report((*at, *inside), text, "example", run.house, update=update)


def _sample(run: Run, schema: Pointer, name: str) -> dict[str, Any] | None:
    """Return a value for a property that an example lacks; None where the schema has no word."""
    value = run.properties(schema, run.get(schema)).get(name)
    if value is None:
        return None
    for _, part in run.applied(*value):
        listed = [*as_list(part.get("examples")), *as_list(part.get("enum"))]
        for given in (part.get("example"), part.get("default"), *listed, part.get("const")):
            if given is not None:
                return {name: given}
        kinds = part.get("type")
        kind = next((each for each in _SAMPLES if each == kinds or each in as_list(kinds)), None)
        if kind is not None:
            return {name: part.get("minimum", _SAMPLES[kind])}
    return None


def _known_members(run: Run) -> None:
    """Examples of bodies name nothing but what their schemas name."""
    for example in _examples(run):
        named = _only_members(run, example)
        for name in as_dict(example.value) if named else ():
            if name not in named:
                text = f"example: {name} is not a property of its schema{near(name, named)}"
                run.report((*example.pointer, name), text, "example", run.house)


def _examples(run: Run) -> Iterator[_Example]:
    """Yield the examples and defaults of schemas, parameters, headers and bodies with fields."""
    for node in run.of("schema"):
        for key in ("default", "example"):
            if key in node.value:
                yield _Example(node.pointer, (*node.pointer, key), node.value[key])
        for index, value in enumerate(as_list(node.value.get("examples"))):
            yield _Example(node.pointer, (*node.pointer, "examples", index), value)
    for node in run.of("parameter", "header", "media type"):
        if "schema" not in node.value or "$ref" in node.value:
            continue
        if node.kind == "media type" and not run.has_fields(node.pointer):
            continue
        schema = (*node.pointer, "schema")
        if "example" in node.value:
            yield _Example(schema, (*node.pointer, "example"), node.value["example"])
        for name, item in as_dict(node.value.get("examples")).items():
            at, example = run.follow((*node.pointer, "examples", name), item)
            if "value" in as_dict(example):
                yield _Example(schema, (*at, "value"), example["value"])


def _only_members(run: Run, example: _Example) -> Collection[str]:
    """Return the only names that an example of a body should have; none where others may stand."""
    if run.kinds.get(example.schema[:-1]) != "media type":
        return ()
    schema = run.get(example.schema)
    others = ("additionalProperties", "patternProperties", "anyOf", "oneOf", "propertyNames")
    if any(key in part for _, part in run.applied(example.schema, schema) for key in others):
        return ()
    return run.properties(example.schema, schema)


def _validated(
    examples: list[_Example], registry: jsonschema_rs.Registry
) -> Iterator[tuple[_Example, list[jsonschema_rs.ValidationError]]]:
    """Yield the errors of examples, whose paths begin with a key of no meaning."""
    by_key = {f"at {number}": example for number, example in enumerate(examples)}
    places = {key: quote(pointer_text(each.schema)[1:], safe="/~") for key, each in by_key.items()}
    schemas = {key: {"$ref": f"{_DOCUMENT}#{place}"} for key, place in places.items()}
    values = {key: example.value for key, example in by_key.items()}
    by_instance: dict[Any, list[jsonschema_rs.ValidationError]] = {}
    for error in _validator({"properties": schemas}, registry).iter_errors(values):
        by_instance.setdefault(error.instance_path[0], []).append(error)
    for key, errors in by_instance.items():
        yield by_key[key], errors


def _broken(run: Run, schemas: Collection[Pointer]) -> Collection[Pointer]:
    """Return those of the schemas that cannot be compiled, by themselves or for what they reach.

    Each schema on the way is compiled once and alone: a reference in it stands for any value.
    """
    alone = _registry({})
    broken: list[Pointer] = []
    users: dict[Pointer, list[Pointer]] = {}
    waiting, seen = list(schemas), set(schemas)
    while waiting:
        at = waiting.pop()
        references: list[Any] = []
        own = _without_references(run.get(at), references)
        targets = [run.target(reference) for reference in references]
        try:
            _validator({"properties": {"": own}}, alone)
            compiles = None not in targets and all(map(_URI.is_valid, references))
        except _UNCOMPILED:
            compiles = False
        if not compiles:
            broken.append(at)
        for target in targets:
            if target is not None:
                users.setdefault(target, []).append(at)
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
    return reached(broken, users.get)


def _without_references(value: Any, references: list[Any], names: bool = False) -> Any:
    """Return a schema in which any value may stand for a reference; the references are added.

    `names` says that the members of the value have names of the author's choice.
    """
    if isinstance(value, list):
        return [_without_references(item, references) for item in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for key, item in value.items():
        if key == "$ref" and not names:
            references.append(item)
        elif key in DATA and not names:
            result[key] = item
        else:
            holds = SHAPES["schema"].get(key, ("", ""))[1]
            result[key] = _without_references(item, references, holds == "map" and not names)
    return result


def _registry(documents: dict[str, Any]) -> jsonschema_rs.Registry:
    return jsonschema_rs.Registry(
        [(name, {"$schema": DIALECT, **as_dict(data)}) for name, data in documents.items()]
    )


def _validator(schema: dict[str, Any], registry: jsonschema_rs.Registry) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(
        {"$schema": DIALECT, **schema}, registry=registry, validate_formats=True, offline=True
    )


RULES: Final[tuple[Rule, ...]] = (_valid, _known_members)
