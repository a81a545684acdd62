"""The objects that OpenAPI documents are made of, and where they stand in one another."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar

from pipeline.openapi.documents import Pointer

T = TypeVar("T")
METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
ADDITIONAL: Final = "additionalOperations"  # of OpenAPI 3.2: operations by any other method

# What a reference may stand in for.
REFERRING: Final = (
    "schema", "response", "parameter", "example", "request body", "header", "security scheme",
    "link", "callback", "path item",
)  # fmt: skip


class Node(NamedTuple):
    """An object of the specification; `kind` is what the specification calls it."""

    kind: str
    pointer: Pointer
    value: Any


def as_dict(value: Any) -> dict[str, Any]:
    """Return a value that should be an object; an empty one if it is not."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a value that should be an array; an empty one if it is not."""
    return value if isinstance(value, list) else []


def members(value: Any) -> Iterable[tuple[str | int, Any]]:
    """Return what a value holds, with its keys or indices."""
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def reached(start: Iterable[T], edges: Callable[[T], Iterable[T] | None]) -> dict[T, None]:
    """Return what one starts from, and all to which edges lead from there; the nearest first."""
    found = dict.fromkeys(start)
    waiting = [*found]
    for each in waiting:
        for other in edges(each) or ():
            if other not in found:
                found[other] = None
                waiting.append(other)
    return found


def leaves(value: Any, at: Pointer = ()) -> dict[Pointer, Any]:
    """Return the values inside of objects that are none, or empty, by their places."""
    if not isinstance(value, Mapping) or not value:
        return {at: value}
    return {
        place: leaf
        for key, member in value.items()
        for place, leaf in leaves(member, (*at, key)).items()
    }


def is_deeper(value: Any, levels: int) -> bool:
    """Return whether a value holds others in each other, on more levels than these."""
    level = [value]
    for _ in range(levels):
        level = [member for outer in level for _, member in members(outer)]
    return bool(level)


def stripped(value: Any, names: Container[str]) -> Any:
    """Return a value without the members of these names, at any depth."""
    if isinstance(value, Mapping):
        return {key: stripped(item, names) for key, item in value.items() if key not in names}
    return [stripped(item, names) for item in value] if isinstance(value, list) else value


def walk(kind: str, pointer: Pointer, value: Any) -> Iterator[Node]:
    """Yield an object of the specification and all those inside it; skip what has another type."""
    if isinstance(value, dict) or (kind == "schema" and isinstance(value, bool)):
        yield Node(kind, pointer, value)
    if not isinstance(value, dict):
        return
    if kind in PATTERNED:
        for name, item in value.items():
            if not name.startswith("x-"):
                yield from walk(PATTERNED[kind], (*pointer, name), item)
        return
    if "$ref" in value and kind in REFERRING and kind not in ("schema", "path item"):
        return
    for member, (inner, holds) in SHAPES.get(kind, {}).items():
        if member not in value:
            continue
        held, at = value[member], (*pointer, member)
        if holds == "one":
            yield from walk(inner, at, held)
        elif holds == "list":
            for index, item in enumerate(as_list(held)):
                yield from walk(inner, (*at, index), item)
        else:
            for name, item in as_dict(held).items():
                yield from walk(inner, (*at, name), item)


def kind_at(pointer: Pointer) -> str:
    """Return the kind of the object that stands at a place of a document; empty where none does."""
    kind, holds = "document", "one"
    for part in pointer:
        if holds != "one":
            holds = "one"  # the name or the index of an object
        elif kind in PATTERNED:
            kind = "" if str(part).startswith("x-") else PATTERNED[kind]
        else:
            kind, holds = SHAPES.get(kind, {}).get(str(part), ("", "one"))
    return kind if holds == "one" else ""


def _shape(text: str) -> dict[str, tuple[str, str]]:
    """Read `member: kind`, `member: [kind]` and `member: {kind}`, separated by commas."""
    members = {}
    for entry in text.split(","):
        name, _, kind = entry.strip().partition(": ")
        holds = {"[": "list", "{": "map"}.get(kind[0], "one")
        members[name] = (kind.strip("[]{}"), holds)
    return members


# Maps from names to one kind of object, among which words that begin with x- may stand.
PATTERNED: Final = {"paths": "path item", "callback": "path item", "responses": "response"}

SHAPES: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "document": _shape(
        "info: info, servers: [server], paths: paths, webhooks: {path item},"
        " components: components, tags: [tag], externalDocs: link to documentation"
    ),
    "info": _shape("contact: contact, license: license"),
    "server": _shape("variables: {server variable}"),
    "tag": _shape("externalDocs: link to documentation"),
    "components": _shape(
        "schemas: {schema}, responses: {response}, parameters: {parameter}, examples: {example},"
        " requestBodies: {request body}, headers: {header}, securitySchemes: {security scheme},"
        " links: {link}, callbacks: {callback}, pathItems: {path item}"
    ),
    "path item": _shape(
        ", ".join(f"{method}: operation" for method in METHODS)
        + f", servers: [server], parameters: [parameter], {ADDITIONAL}: {{operation}}"
    ),
    "operation": _shape(
        "parameters: [parameter], requestBody: request body, responses: responses,"
        " callbacks: {callback}, servers: [server], externalDocs: link to documentation"
    ),
    "parameter": _shape("schema: schema, content: {media type}, examples: {example}"),
    "header": _shape("schema: schema, content: {media type}, examples: {example}"),
    "request body": _shape("content: {media type}"),
    "media type": _shape(
        "schema: schema, itemSchema: schema, examples: {example}, encoding: {encoding}"
    ),
    "encoding": _shape("headers: {header}"),
    "response": _shape("headers: {header}, content: {media type}, links: {link}"),
    "schema": _shape(
        "allOf: [schema], anyOf: [schema], oneOf: [schema], prefixItems: [schema], not: schema,"
        " if: schema, then: schema, else: schema, items: schema, contains: schema,"
        " properties: {schema}, patternProperties: {schema}, additionalProperties: schema,"
        " propertyNames: schema, unevaluatedItems: schema, unevaluatedProperties: schema,"
        " dependentSchemas: {schema}, contentSchema: schema, $defs: {schema},"
        " discriminator: discriminator, xml: xml, externalDocs: link to documentation"
    ),
}
"""The members of each kind that hold other objects: their kind, and one, a list or a map of it."""

NAMED: Final = frozenset(
    member
    for members in SHAPES.values()
    for member, (_, holds) in members.items()
    if holds == "map"
) | {"paths"}
"""The members whose own members have names of the author's choice."""

DATA: Final = frozenset({"example", "examples", "default", "const", "enum"})
"""The members that hold values, in which nothing is a keyword."""

ANNOTATIONS: Final = frozenset(
    {"title", "description", "default", "example", "examples", "deprecated", "readOnly"}
    | {"writeOnly", "externalDocs", "xml", "$comment", "nullable"}
)
"""The keywords of a schema that say nothing of its values."""


def constrains(schema: Any) -> bool:
    """Return whether a schema says anything of its values."""
    if not isinstance(schema, dict):
        return True
    return "x-extensible-enum" in schema or any(
        word not in ANNOTATIONS and not word.startswith("x-") for word in schema
    )
