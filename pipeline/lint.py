"""Find what is wrong with an effective document, before anything is generated from it.

A document is read once into a list of nodes (its schemas, parameters, operations …); each rule
then looks at the nodes that concern it. An `error` is what cannot be generated from; a `note` is
what generated code does not carry or what a document of one's own should do better.

A document whose root has `x-parts` is written in this project's manner, and is held to it: each
thing is described, each keyword known, each example right. In other documents these findings are
notes.
"""

from __future__ import annotations

import difflib
import functools
import importlib.util
import json
import keyword
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import quote, unquote

import jsonschema_rs

from pipeline.documents import Document, Pointer, pointer_text
from pipeline.names import constant, pascal, snake
from pipeline.problems import Finding, Position

Severity = Literal["error", "note"]


def lint(document: Document) -> list[Finding]:
    """Return everything that is wrong with a bundled OpenAPI 3.1 document, in order of position.

    Never raises for a document that is wrong, whatever its shape.
    """
    run = _Lint(document)
    for rule in _RULES:
        rule(run)
    return sorted(run.findings, key=lambda found: (found.position or _NOWHERE, found.message))


_NOWHERE: Final = Position("", 0, 0)


# --- The shape of a document --------------------------------------------------------------------


class _Node(NamedTuple):
    kind: str
    pointer: Pointer
    value: Any


def _shape(text: str) -> dict[str, tuple[str, str]]:
    """Read `member: kind`, `member: [kind]` and `member: {kind}`, separated by commas."""
    members = {}
    for entry in text.split(","):
        name, _, kind = entry.strip().partition(": ")
        holds = {"[": "list", "{": "map"}.get(kind[0], "one")
        members[name] = (kind.strip("[]{}"), holds)
    return members


_METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_SHAPES: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "document": _shape(
        "info: info, servers: [server], paths: {path item}, webhooks: {path item},"
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
        ", ".join(f"{method}: operation" for method in _METHODS)
        + ", servers: [server], parameters: [parameter]"
    ),
    "operation": _shape(
        "parameters: [parameter], requestBody: request body, responses: {response},"
        " callbacks: {callback}, servers: [server], externalDocs: link to documentation"
    ),
    "parameter": _shape("schema: schema, content: {media type}, examples: {example}"),
    "header": _shape("schema: schema, content: {media type}, examples: {example}"),
    "request body": _shape("content: {media type}"),
    "media type": _shape("schema: schema, examples: {example}, encoding: {encoding}"),
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


def _walk(kind: str, pointer: Pointer, value: Any) -> Iterator[_Node]:
    """Yield an object of the specification and all those inside it; skip what has another type."""
    if not isinstance(value, dict):
        if kind == "schema" and isinstance(value, bool):
            yield _Node(kind, pointer, value)
        return
    yield _Node(kind, pointer, value)
    if kind == "callback":
        for name, item in value.items():
            if not name.startswith("x-"):
                yield from _walk("path item", (*pointer, name), item)
        return
    if kind != "schema" and "$ref" in value and kind != "path item":
        return
    for member, (inner, holds) in _SHAPES.get(kind, {}).items():
        if member not in value:
            continue
        held, at = value[member], (*pointer, member)
        if holds == "one":
            yield from _walk(inner, at, held)
        elif holds == "list":
            for index, item in enumerate(_list(held)):
                yield from _walk(inner, (*at, index), item)
        else:
            open_map = member in ("paths", "responses") and kind != "components"
            if open_map and isinstance(held, dict):
                yield _Node(member, at, held)
            for name, item in _dict(held).items():
                if not (open_map and name.startswith("x-")):
                    yield from _walk(inner, (*at, name), item)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


class _Operation(NamedTuple):
    """An operation of a path; `parameters` are its own and its path's, references followed."""

    path: str
    path_pointer: Pointer
    method: str
    pointer: Pointer
    value: dict[str, Any]
    parameters: list[_Node]

    @property
    def title(self) -> str:
        name = self.value.get("operationId")
        return name if isinstance(name, str) else f"{self.method.upper()} {self.path}"


class _Lint:
    """A document, its nodes, and what has been found in it."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.data = document.data
        self.nodes = list(_walk("document", (), document.data))
        self.kinds = {node.pointer: node.kind for node in self.nodes}
        self.house: Severity = "error" if "x-parts" in _dict(self.data) else "note"
        self.findings: list[Finding] = []
        self._said: set[tuple[Pointer, str]] = set()

    def say(self, pointer: Pointer, message: str, rule: str, severity: Severity = "error") -> None:
        """Take down a finding, once."""
        if (pointer, message) not in self._said:
            self._said.add((pointer, message))
            place = self.document.at(pointer)
            self.findings.append(Finding(message, place, rule, severity))

    def of(self, *kinds: str) -> Iterator[_Node]:
        """Yield the objects of these kinds; booleans and references are none."""
        for node in self.nodes:
            if node.kind in kinds and isinstance(node.value, dict):
                yield node

    def target(self, reference: Any) -> Pointer | None:
        """Return the pointer that a local reference means; None if it leads nowhere."""
        if not isinstance(reference, str) or not re.match(r"#(/|$)", reference):
            return None
        node = self.data
        pointer: Pointer = ()
        for part in unquote(reference).split("/")[1:]:
            key: str | int = part.replace("~1", "/").replace("~0", "~")
            if isinstance(node, list) and re.fullmatch("0|[1-9][0-9]{0,8}", str(key)):
                key = int(key)
            try:
                node = node[key]
            except (KeyError, IndexError, TypeError):
                return None
            pointer = (*pointer, key)
        return pointer

    def get(self, pointer: Pointer) -> Any:
        node = self.data
        for key in pointer:
            node = node[key]
        return node

    def follow(self, pointer: Pointer, value: Any) -> tuple[Pointer, Any]:
        """Follow references to what they mean; an empty object stands for what they miss."""
        seen = set()
        while isinstance(value, dict) and "$ref" in value:
            found = self.target(value["$ref"])
            if found is None or found in seen:
                return pointer, {}
            seen.add(found)
            pointer, value = found, self.get(found)
        return pointer, value

    def applied(self, pointer: Pointer, schema: Any) -> Iterator[tuple[Pointer, dict[str, Any]]]:
        """Yield a schema and all that hold with it, through `$ref` and `allOf`."""
        seen = set()
        waiting = [(pointer, schema)]
        while waiting:
            at, value = waiting.pop()
            if at in seen or not isinstance(value, dict):
                continue
            seen.add(at)
            yield at, value
            inner = [
                ((*at, "allOf", index), item)
                for index, item in enumerate(_list(value.get("allOf")))
            ]
            if "$ref" in value and (found := self.target(value["$ref"])) is not None:
                inner.append((found, self.get(found)))
            waiting += reversed(inner)

    def types(self, pointer: Pointer, schema: Any) -> set[str]:
        """Return the JSON types that a schema speaks of; empty if it says nothing of types."""
        found: set[str] = set()
        seen = set()
        waiting = [(pointer, schema)]
        while waiting:
            for at, part in self.applied(*waiting.pop()):
                if at in seen:
                    continue
                seen.add(at)
                named = part.get("type")
                found |= {name for name in _list(named) if isinstance(name, str)}
                if isinstance(named, str):
                    found.add(named)
                elif named is None and ("properties" in part or "additionalProperties" in part):
                    found.add("object")
                for key in ("anyOf", "oneOf"):
                    waiting += [
                        ((*at, key, index), item) for index, item in enumerate(_list(part.get(key)))
                    ]
        return found

    def properties(self, pointer: Pointer, schema: Any) -> dict[str, tuple[Pointer, Any]]:
        """Return the properties of a schema, those through `$ref` and `allOf` among them."""
        return {
            name: ((*at, "properties", name), value)
            for at, part in self.applied(pointer, schema)
            for name, value in _dict(part.get("properties")).items()
        }

    @functools.cached_property
    def operations(self) -> list[_Operation]:
        found = []
        for path, item in _dict(_dict(self.data).get("paths")).items():
            if path.startswith("x-"):
                continue
            at, value = self.follow(("paths", path), item)
            for method in _METHODS:
                operation = _dict(value).get(method)
                if isinstance(operation, dict):
                    pointer = (*at, method)
                    parameters: dict[Any, _Node] = {}
                    for node in (*self.parameters(at, value), *self.parameters(pointer, operation)):
                        key = (str(node.value.get("name")), str(node.value.get("in")))
                        parameters[key] = node
                    found.append(
                        _Operation(
                            path,
                            ("paths", path),
                            method,
                            pointer,
                            operation,
                            list(parameters.values()),
                        )
                    )
        return found

    def parameters(self, pointer: Pointer, value: Any) -> Iterator[_Node]:
        """Yield the parameters listed by an operation or a path item, references followed."""
        for index, item in enumerate(_list(_dict(value).get("parameters"))):
            at, parameter = self.follow((*pointer, "parameters", index), item)
            if isinstance(parameter, dict) and parameter:
                yield _Node("parameter", at, parameter)


_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


# --- What validators say, in words --------------------------------------------------------------

_TYPES: Final = {
    "array": "an array",
    "boolean": "a boolean",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}
_BOUNDS: Final = {
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
    "uniqueItems": "holds the same item twice",
    "contains": "holds no item of the kind that it must contain",
    "not": "is what the schema excludes",
}


_NUMERIC: Final = (
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"
)  # fmt: skip


def _problems(errors: Iterable[jsonschema_rs.ValidationError]) -> Iterator[tuple[list[Any], str]]:
    """Yield the place of each error, as far inside as it can be told, and a predicate for it."""
    for error in errors:
        kind, words = error.kind.name, error.kind.as_dict()
        branches: list[list[jsonschema_rs.ValidationError]] = words.get("context") or []
        if kind in ("anyOf", "oneOf") and branches and all(branches):
            yield from _branches(error, branches)
        elif kind in ("additionalProperties", "unevaluatedProperties"):
            for name in words["unexpected"]:
                yield [*error.instance_path, name], "is not a member that is known here"
        elif kind == "propertyNames":
            for _, text in _problems([words["error"]]):
                yield error.instance_path, f"has a key that is not allowed: the key {text}"
        else:
            yield error.instance_path, _predicate(kind, words, error)


def _branches(
    error: jsonschema_rs.ValidationError, branches: list[list[jsonschema_rs.ValidationError]]
) -> Iterator[tuple[list[Any], str]]:
    """Say what is wrong by the alternative that was most likely meant."""
    here = error.instance_path
    first = [branch[0] for branch in branches]
    if all(one.kind.name == "required" and one.instance_path == here for one in first):
        names = _either(one.kind.as_dict()["property"] for one in first)
        yield here, f"needs {names}"
        return

    def misfit(branch: list[jsonschema_rs.ValidationError]) -> tuple[bool, bool, bool, int]:
        at = {one.kind.name for one in branch if one.instance_path == here}
        tags = [one for one in branch if one.kind.name in ("const", "enum")]
        return (
            bool(at & {"type", "const"}),
            "enum" in at,
            any(len(one.instance_path) == len(here) + 1 for one in tags),
            len(branch),
        )

    best = min(branches, key=misfit)
    if not misfit(best)[0]:
        yield from _problems(best)
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
        yield here, "fits none of the alternatives of its schema"


def _predicate(kind: str, words: dict[str, Any], error: jsonschema_rs.ValidationError) -> str:
    if kind in _BOUNDS:
        text = re.sub(r"\b1 (character|item|member)s", r"1 \1", _BOUNDS[kind].format(**words))
        return f"{text}, is {_brief(error.instance)}" if kind in _NUMERIC else text
    match kind:
        case "type":
            return _wrong_type(words["types"], error.instance)
        case "required":
            return f"lacks {words['property']}"
        case "enum":
            return f"must be {_either(map(_brief, words['options']))}, is {_brief(error.instance)}"
        case "const":
            return f"must be {_brief(words['expected_value'])}, is {_brief(error.instance)}"
        case "pattern":
            return f"must match the pattern {words['pattern']}, is {_brief(error.instance)}"
        case "format":
            return f"must have the format {words['format']}, is {_brief(error.instance)}"
        case "oneOf":
            return "fits more than one alternative of a oneOf"
        case "falseSchema":
            return "must not be here"
    return f"is wrong: {error.message}"


def _wrong_type(wanted: Iterable[str], value: Any) -> str:
    names = _either(_TYPES.get(name, name) for name in dict.fromkeys(wanted))
    return f"must be {names}, is {_brief(value)}"


def _either(names: Iterable[str], word: str = "or") -> str:
    found = list(dict.fromkeys(names))
    if len(found) > 8:
        found[7:] = [f"{len(found) - 7} more"]
    return f"{', '.join(found[:-1])} {word} {found[-1]}" if len(found) > 1 else "".join(found)


def _a(noun: str) -> str:
    return f"{'an' if noun[:1] in set('aeiou') else 'a'} {noun}"


def _brief(value: Any) -> str:
    """Return a value as it may stand in a sentence: scalars as JSON, the rest by its type."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "an array"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _keys(value: Any, path: Iterable[Any]) -> Pointer:
    """Return the pointer of a validator's path, which has numbers for keys made of digits."""
    pointer: Pointer = ()
    for part in path:
        key = part if isinstance(value, list) else str(part)
        pointer = (*pointer, key)
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            value = None
    return pointer


def _field(path: Sequence[Any]) -> str:
    """Return the name of a field inside a value: `pets[0].name`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.removeprefix(".")


def _near(name: str, known: Iterable[str]) -> str:
    """Return a hint at the known name that was meant, or nothing."""
    close = difflib.get_close_matches(name, list(known), 1, 0.75)
    return f"; {close[0]} was meant?" if close else ""


# --- The standard: OpenAPI and JSON Schema ------------------------------------------------------


@functools.cache
def _openapi() -> tuple[dict[str, Any], jsonschema_rs.Validator]:
    """Return the schema of OpenAPI 3.1, and its validator."""
    spec = importlib.util.find_spec("openapi_spec_validator")
    places = (spec and spec.submodule_search_locations) or ["."]
    path = Path(next(iter(places)), "resources", "schemas", "v3.1", "schema.json")
    schema = json.loads(path.read_text(encoding="utf-8"))
    return schema, jsonschema_rs.validator_for(schema, offline=True)


@functools.cache
def _metaschema() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(
        {"$schema": _DIALECT, "$ref": _DIALECT}, validate_formats=True, offline=True
    )


def _members(schema: Any) -> set[str]:
    """Return the names of all properties that a schema or one inside it names."""
    names = set()
    if isinstance(schema, dict):
        names |= set(_dict(schema.get("properties")))
        for value in schema.values():
            names |= _members(value)
    elif isinstance(schema, list):
        for value in schema:
            names |= _members(value)
    return names


def _rule_openapi(run: _Lint) -> None:
    """The document is valid by the schema of OpenAPI 3.1."""
    schema, validator = _openapi()
    for error in validator.iter_errors(run.data):
        place = _keys(run.data, error.instance_path)
        if error.kind.name == "unevaluatedProperties":
            path = error.schema_path
            part = schema["$defs"][path[1]] if path[0] == "$defs" else schema["properties"]
            known = _members(part) | _members(schema["$defs"]["examples"])
            for name in error.kind.as_dict()["unexpected"]:
                if place[-1:] == ("responses",):
                    text = f"{name}: not a status: write 200, 2XX or default"
                elif place == ("paths",):
                    text = f"{name}: a path must begin with a slash"
                else:
                    kind = run.kinds.get(place, "object")
                    hint = _near(name, known - {name})
                    text = f"{name}: not a member of {_a(kind)}{'' if name in known else hint}"
                    if name in known:
                        text = f"{name}: has no meaning on this {kind}"
                run.say((*place, name), text, "openapi")
            continue
        if error.kind.name == "oneOf" and not isinstance(run.get(place), dict):
            continue  # what asks for members means nothing to what has none
        for path, problem in _problems([error]):
            pointer = _keys(run.data, path)
            if error.kind.name == "oneOf" and problem.startswith("fits more"):
                problem = "has both schema and content, of which one is allowed"
            run.say(pointer, f"{_title(run, pointer)} {problem}", "openapi")


def _title(run: _Lint, pointer: Pointer) -> str:
    """Return what to call a node in a sentence: its kind and name, or the member it is."""
    if not pointer:
        return "the document"
    kind = run.kinds.get(pointer)
    name = pointer[-1]
    if kind == "parameter" and isinstance(run.get(pointer).get("name"), str):
        return f"parameter {run.get(pointer)['name']}"
    if kind == "operation":
        return f"{str(name).upper()} {pointer[-2]}"
    if isinstance(name, int):
        return f"{pointer[-2]}[{name}]" if len(pointer) > 1 else f"[{name}]"
    return f"{kind} {name}" if kind and kind != name else name


def _rule_schemas(run: _Lint) -> None:
    """Each schema is valid by JSON Schema 2020-12, and its keywords are known."""
    validator = _metaschema()
    for node in run.nodes:
        inside = {run.kinds.get(node.pointer[:-1]), run.kinds.get(node.pointer[:-2])}
        if node.kind == "schema" and "schema" not in inside:
            for path, problem in _problems(validator.iter_errors(node.value)):
                pointer = (*node.pointer, *_keys(node.value, path))
                run.say(pointer, f"{_title(run, pointer)} {problem}", "schema")
    for node in run.of("schema"):
        for key in node.value:
            if key == "nullable":
                text = "nullable: not a keyword of OpenAPI 3.1; write null into the type"
            elif key not in _KEYWORDS and not key.startswith("x-"):
                text = f"{key}: not a keyword of JSON Schema{_near(key, _KEYWORDS)}"
            else:
                continue
            run.say((*node.pointer, key), text, "schema", run.house)


_KEYWORDS: Final = frozenset(_SHAPES["schema"]) | {
    "$id", "$schema", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary",
    "$comment", "type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum",
    "exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems",
    "maxContains", "minContains", "maxProperties", "minProperties", "required",
    "dependentRequired", "title", "description", "default", "deprecated", "readOnly", "writeOnly",
    "examples", "example", "format", "contentEncoding", "contentMediaType",
}  # fmt: skip


def _rule_references(run: _Lint) -> None:
    """References lead to something of their kind, in this document, and not in a circle."""
    for node in run.nodes:
        if not isinstance(node.value, dict) or "$ref" not in node.value:
            continue
        reference, at = node.value["$ref"], (*node.pointer, "$ref")
        if node.kind not in _REFERRING or not isinstance(reference, str):
            continue
        found = run.target(reference)
        if not reference.startswith("#"):
            text = f"$ref: {reference} leads out of the document"
        elif not re.match(r"#(/|$)", reference):
            text = f"$ref: {reference} is an anchor; write the path from the root"
        elif found is None:
            text = f"$ref: {reference} leads nowhere"
        elif run.kinds.get(found) != node.kind:
            kind = run.kinds.get(found)
            text = f"$ref: {reference} leads to {_a(kind) if kind else 'no object'}"
            text = f"{text}, not to {_a(node.kind)}"
        elif _circle(run, node.pointer, node.value):
            text = f"$ref: {reference} leads back to itself"
        else:
            continue
        run.say(at, text, "ref")
    for node in run.of("schema"):
        discriminator = _dict(node.value.get("discriminator"))
        for name, value in _dict(discriminator.get("mapping")).items():
            if isinstance(value, str) and "/" in value and run.target(value) is None:
                at = (*node.pointer, "discriminator", "mapping", name)
                run.say(at, f"mapping: {value} leads nowhere", "ref")


_REFERRING: Final = frozenset(
    {
        "schema", "response", "parameter", "example", "request body", "header",
        "security scheme", "link", "callback", "path item",
    }
)  # fmt: skip


def _circle(run: _Lint, pointer: Pointer, value: Any) -> bool:
    seen = {pointer}
    while isinstance(value, dict) and "$ref" in value:
        found = run.target(value["$ref"])
        if found is None:
            return False
        if found in seen:
            return found == pointer
        seen.add(found)
        value = run.get(found)
    return False


# --- Operations ---------------------------------------------------------------------------------


def _rule_operations(run: _Lint) -> None:
    """Operations have unique ids, and paths declare exactly the parameters that they name."""
    ids: dict[str, Pointer] = {}
    templates: dict[str, tuple[str, Pointer]] = {}
    for operation in run.operations:
        name = operation.value.get("operationId")
        where = f"{operation.method.upper()} {operation.path}"
        if name is None:
            run.say(operation.pointer, f"{where} has no operationId", "operation-id")
        elif isinstance(name, str):
            at = (*operation.pointer, "operationId")
            if name in ids:
                first = run.document.at(ids[name])
                text = f"operationId: {name} stands twice; first at {first}"
                run.say(at, text, "operation-id")
            ids.setdefault(name, at)
        _path_parameters(run, operation, where)
        shape = re.sub(r"\{[^{}]*\}", "{}", operation.path)
        other, at = templates.setdefault(shape, (operation.path, operation.path_pointer))
        if other != operation.path:
            text = f"{operation.path} is the same path as {other} at {run.document.at(at)}"
            run.say(operation.path_pointer, text, "path")


def _path_parameters(run: _Lint, operation: _Operation, where: str) -> None:
    named = re.findall(r"\{([^{}]*)\}", operation.path)
    if re.search(r"[{}]", re.sub(r"\{[^{}]+\}", "", operation.path)):
        text = f"{operation.path} has a brace without its partner or without a name"
        run.say(operation.path_pointer, text, "path")
    for name in {name for name in named if named.count(name) > 1}:
        text = f"{operation.path} names {{{name}}} twice"
        run.say(operation.path_pointer, text, "path")
    declared = {
        str(node.value.get("name")): node
        for node in operation.parameters
        if node.value.get("in") == "path"
    }
    for name in dict.fromkeys(named):
        if name not in declared:
            text = f"{where} declares no path parameter {name}, which its path names"
            run.say(operation.pointer, text, "path")
    for name, node in declared.items():
        if name not in named:
            text = f"parameter {name} is in path, but {operation.path} does not name it"
            run.say(node.pointer, text, "path")


def _rule_parameters(run: _Lint) -> None:
    """A list of parameters has each name once in each place."""
    for node in run.of("operation", "path item"):
        seen: dict[tuple[str, str], Pointer] = {}
        listed = _list(node.value.get("parameters"))
        for index, item in enumerate(listed):
            at = (*node.pointer, "parameters", index)
            parameter = _dict(run.follow(at, item)[1])
            name, place = parameter.get("name"), parameter.get("in")
            if not isinstance(name, str) or not isinstance(place, str):
                continue
            key = (name.lower() if place == "header" else name, place)
            if key in seen:
                first = run.document.at(seen[key])
                run.say(at, f"parameter {name} in {place} twice; first at {first}", "parameter")
            seen.setdefault(key, at)
            ignored = ("accept", "content-type", "authorization")
            if place == "header" and name.lower() in ignored:
                text = f"parameter {name} is ignored: OpenAPI describes this header elsewhere"
                run.say(at, text, "parameter", "note")


def _rule_descriptions(run: _Lint) -> None:
    """Operations, parameters, headers, responses, component schemas, properties say what they are.

    A reference has the description of what it leads to, if it has none of its own.
    """
    for node in run.of("operation", "parameter", "header", "response"):
        known = [node.value.get("description")]
        if node.kind == "operation":
            known.append(node.value.get("summary"))
        if "$ref" not in node.value and not any(map(_told, known)):
            text = f"{_title(run, node.pointer)} has no description"
            run.say(node.pointer, text, "description", run.house)
    for node in run.nodes:
        place = node.pointer[-2:-1]
        component = node.pointer[:-1] == ("components", "schemas")
        is_property = place == ("properties",) and run.kinds.get(node.pointer[:-2]) == "schema"
        if node.kind != "schema" or not (component or is_property):
            continue
        if isinstance(node.value, dict) and not _described(run, node.pointer, node.value):
            what = "schema" if component else "property"
            text = f"{what} {node.pointer[-1]} has no description"
            run.say(node.pointer, text, "description", run.house)


def _told(text: Any) -> bool:
    return isinstance(text, str) and bool(text.strip())


def _described(run: _Lint, pointer: Pointer, schema: dict[str, Any]) -> bool:
    if _told(schema.get("description")):
        return True
    if "$ref" in schema:
        target = _dict(run.follow(pointer, schema)[1])
        return _told(target.get("description"))
    for key in ("anyOf", "oneOf", "allOf"):
        parts = [part for part in _list(schema.get(key)) if part != {"type": "null"}]
        if len(parts) == 1 and isinstance(parts[0], dict):
            return _told(parts[0].get("description")) or (
                "$ref" in parts[0] and _described(run, pointer, parts[0])
            )
    return False


class _Example(NamedTuple):
    schema: Pointer
    pointer: Pointer
    value: Any


def _rule_examples(run: _Lint) -> None:
    """Examples and defaults are valid by their schemas, and those of bodies name nothing else."""
    root = _dict(run.data)
    components: dict[str, Any] = {key: root[key] for key in ("components", "paths") if key in root}
    for example, errors in _validated(list(_examples(run)), components):
        at = example.pointer
        word = next(key for key in reversed(at) if key in ("default", "example", "examples"))
        for path, problem in _problems(errors):
            inside = _keys({"": example.value}, ["", *path[1:]])[1:]
            text = f"{word}: {_field(inside)} {problem}" if inside else f"{word} {problem}"
            run.say((*at, *inside), text, "example", run.house)
    for example in _examples(run):
        named = _named(run, example)
        for name in _dict(example.value) if named else ():
            if name not in named:
                text = f"example: {name} is not a property of its schema{_near(name, named)}"
                run.say((*example.pointer, name), text, "example", run.house)


def _examples(run: _Lint) -> Iterator[_Example]:
    for node in run.of("schema"):
        for key in ("default", "example"):
            if key in node.value:
                yield _Example(node.pointer, (*node.pointer, key), node.value[key])
        for index, value in enumerate(_list(node.value.get("examples"))):
            yield _Example(node.pointer, (*node.pointer, "examples", index), value)
    for node in run.of("parameter", "header", "media type"):
        if "schema" not in node.value or "$ref" in node.value:
            continue
        if node.kind == "media type" and not _typed(str(node.pointer[-1])):
            continue
        schema = (*node.pointer, "schema")
        if "example" in node.value:
            yield _Example(schema, (*node.pointer, "example"), node.value["example"])
        for name, item in _dict(node.value.get("examples")).items():
            at, example = run.follow((*node.pointer, "examples", name), item)
            if "value" in _dict(example):
                yield _Example(schema, (*at, "value"), example["value"])


def _named(run: _Lint, example: _Example) -> Collection[str]:
    """Return the only names that an example of a body should have; none where others may stand."""
    if run.kinds.get(example.schema[:-1]) != "media type":
        return ()
    parts = [part for _, part in run.applied(example.schema, run.get(example.schema))]
    others = ("additionalProperties", "patternProperties", "anyOf", "oneOf", "propertyNames")
    if any(key in part for part in parts for key in others):
        return ()
    return run.properties(example.schema, run.get(example.schema))


def _validated(
    examples: list[_Example], components: dict[str, Any]
) -> Iterator[tuple[_Example, list[jsonschema_rs.ValidationError]]]:
    """Yield the errors of examples, whose paths begin with a key of no meaning.

    All of them are validated as the properties of one object, so that their schemas are compiled
    together. If one cannot be compiled, which other rules tell, the rest are without it.
    """
    schemas = {
        f"at {number}": {"$ref": "#" + quote(pointer_text(example.schema)[1:], safe="/~")}
        for number, example in enumerate(examples)
    }
    try:
        validator = jsonschema_rs.validator_for(
            {"$schema": _DIALECT, "properties": schemas, **components},
            validate_formats=True,
            offline=True,
        )
        values = {key: example.value for key, example in zip(schemas, examples, strict=True)}
        found: dict[Any, list[jsonschema_rs.ValidationError]] = {}
        for error in validator.iter_errors(values):
            found.setdefault(error.instance_path[0], []).append(error)
    except (ValueError, OverflowError, jsonschema_rs.ReferencingError):
        half = len(examples) // 2
        if half:
            yield from _validated(examples[:half], components)
            yield from _validated(examples[half:], components)
        return
    for key, example in zip(schemas, examples, strict=True):
        if key in found:
            yield example, found[key]


def _typed(media_type: str) -> bool:
    """Whether a body of this media type is written in an example as data, not as text."""
    name = _media_type(media_type)
    return _is_json(name) or name in _FORMS


def _rule_enumerations(run: _Lint) -> None:
    """Names of enumeration members fit the values."""
    for node in run.of("schema"):
        values = node.value.get("enum", node.value.get("x-extensible-enum"))
        names = node.value.get("x-enum-varnames")
        at = (*node.pointer, "x-enum-varnames")
        if names is None:
            _automatic_names(run, node, values)
            continue
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            run.say(at, "x-enum-varnames: must be an array of strings", "enum-names")
            continue
        if not isinstance(values, list):
            text = "x-enum-varnames: needs enum or x-extensible-enum beside it"
            run.say(at, text, "enum-names")
        elif len(names) != len(values):
            text = (
                f"x-enum-varnames: must be as many as the values, {len(values)}, not {len(names)}"
            )
            run.say(at, text, "enum-names")
        for index, name in enumerate(names):
            if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
                text = f"x-enum-varnames: {name} cannot be the name of an enumeration member"
                run.say((*at, index), text, "enum-names")
            elif run.house == "error" and not re.fullmatch("[A-Z][A-Z0-9_]*", name):
                text = f"x-enum-varnames: {name} must be in capitals, such as {constant(name)}"
                run.say((*at, index), text, "enum-names")
            if name in names[:index]:
                run.say((*at, index), f"x-enum-varnames: {name} stands twice", "enum-names")


def _automatic_names(run: _Lint, node: _Node, values: Any) -> None:
    seen: dict[str, Any] = {}
    for value in _list(values):
        if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
            name = constant(str(value))
            other = seen.setdefault(name, value)
            if other != value:
                text = (
                    f"enum: {_brief(other)} and {_brief(value)} both become {name};"
                    " name the members by x-enum-varnames"
                )
                run.say(node.pointer, text, "enum-names")


# --- Our own words ------------------------------------------------------------------------------


class _Word(NamedTuple):
    """A word of ours: the kinds of object that it may stand on, and what its value must be."""

    kinds: Collection[str] | None  # None: any
    must: str
    fits: Callable[[Any], bool]


_GAP: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*([.-][A-Za-z0-9]+)*")
_PART: Final = re.compile(r"[0-9]+(\.[0-9]+)*")


def _matches(pattern: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _gap(value: Any) -> bool:
    return isinstance(value, str) and _GAP.fullmatch(value) is not None


def _gaps(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_gap, value))


def _identifier(value: Any) -> bool:
    return isinstance(value, str) and value.isidentifier() and not keyword.iskeyword(value)


def _positive(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _codes(value: Any) -> bool:
    if not isinstance(value, list) or not value or len({type(item) for item in value}) > 1:
        return False
    return type(value[0]) in (str, int) and len(set(value)) == len(value)


def _extensions(value: Any) -> bool:
    known = _matches("[a-z0-9]+")
    return isinstance(value, list) and bool(value) and all(map(known, value))


_WORDS: Final[Mapping[str, _Word]] = {
    "x-parts": _Word(
        {"document"},
        "must be an object from numbers of parts to their titles",
        lambda value: (
            isinstance(value, dict)
            and all(_PART.fullmatch(key) and _told(title) for key, title in value.items())
        ),
    ),
    "x-part": _Word(
        {"operation", "schema", "parameter", "header", "response", "security scheme"},
        'must be the number of a part in quotes, such as "4.1"',
        lambda value: isinstance(value, str) and _PART.fullmatch(value) is not None,
    ),
    "x-gap": _Word(
        None, "must be the id of a gap or an array of them", lambda v: _gap(v) or _gaps(v)
    ),
    "x-gaps": _Word({"document"}, "must be an object", lambda value: isinstance(value, dict)),
    "x-assume": _Word({"document"}, "must be an object", lambda value: isinstance(value, dict)),
    "x-assumed": _Word(None, "must be an array of ids of gaps", _gaps),
    "x-confirmed": _Word(None, "must be an array of ids of gaps", _gaps),
    "x-enum-varnames": _Word({"schema"}, "", lambda value: True),  # has a rule of its own
    "x-extensible-enum": _Word(
        {"schema"}, "must be an array of strings, or of integers, each once", _codes
    ),
    "x-datetime-format": _Word(
        {"schema"},
        "must be a date and time in the directives %Y %m %d %H %M %S %f %z",
        _matches(r"(?=.*%Y)(?=.*%m)(?=.*%d)([^%]|%[YmdHMSfz%])+"),
    ),
    "x-timezone": _Word(
        {"schema"},
        "must be UTC or a zone such as Europe/Paris",
        _matches(r"UTC|[A-Z][A-Za-z_+-]*(/[A-Za-z0-9_+-]+)+"),
    ),
    "x-window-under-days": _Word({"operation"}, "must be a number of days from 1", _positive),
    "x-window": _Word({"parameter"}, "must be start or end", _matches("start|end")),
    "x-file-extensions": _Word(
        {"schema"}, "must be an array of extensions in lower case, without a dot", _extensions
    ),
    "x-max-size": _Word({"schema"}, "must be a text such as 20 MB", _told),
    "x-max-bytes": _Word({"schema"}, "must be a number of bytes from 1", _positive),
    "x-python-name": _Word(
        {"operation", "parameter", "schema"}, "must be a Python name", _identifier
    ),
    "x-python-resource": _Word({"operation"}, "must be a Python name", _identifier),
    "x-retry-safety": _Word(
        {"operation"}, "must be safe, idempotent or unsafe", _matches("safe|idempotent|unsafe")
    ),
    "x-keyed-by": _Word({"schema"}, "must be the name of a property", _told),
    "x-error-field": _Word({"schema"}, "must be a Python name", _identifier),
}


def _rule_words(run: _Lint) -> None:
    """Words of ours stand where they mean something, have the right shape, and are spelt right."""
    parts = _dict(_dict(run.data).get("x-parts"))
    for node in run.nodes:
        if not isinstance(node.value, dict):
            continue
        for key, value in node.value.items():
            if not isinstance(key, str) or not key.startswith("x-"):
                continue
            at, word = (*node.pointer, key), _WORDS.get(key)
            if word is None:
                meant = _meant(key)
                if meant:
                    text = f"{key}: not a word that is known; {meant} was meant?"
                    run.say(at, text, "word", run.house)
            elif word.kinds is not None and node.kind not in word.kinds:
                places = _either(sorted(word.kinds))
                text = f"{key}: has no meaning on {_a(node.kind)}, only on {_a(places)}"
                run.say(at, text, "word")
            elif not word.fits(value):
                run.say(at, f"{key}: {word.must}", "word")
            elif key == "x-part" and parts and value not in parts:
                run.say(at, f"x-part: {value} is not among the x-parts of the document", "word")
    for node in run.of("schema"):
        _schema_words(run, node)
    _windows(run)


def _meant(key: str) -> str | None:
    """Return the word of ours that a misspelt one is next to."""
    for known in _WORDS:
        if _distance(key, known) <= (1 if len(known) < 9 else 2):
            return known
    return None


def _distance(one: str, other: str) -> int:
    """Return the number of letters to add, drop, change or swap between two words."""
    if abs(len(one) - len(other)) > 2:
        return 3
    rows = [list(range(len(other) + 1))]
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2]:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]


def _schema_words(run: _Lint, node: _Node) -> None:
    value = node.value

    def wrong(key: str, message: str) -> None:
        run.say((*node.pointer, key), f"{key}: {message}", "word")

    kinds = run.types(node.pointer, value)
    if "x-datetime-format" in value and kinds - {"null"} != {"string"}:
        wrong("x-datetime-format", "needs type: string beside it")
    if "x-timezone" in value and "x-datetime-format" not in value:
        wrong("x-timezone", "needs x-datetime-format beside it")
    if "x-extensible-enum" in value:
        codes = value["x-extensible-enum"]
        wanted = "string" if _codes(codes) and isinstance(codes[0], str) else "integer"
        if "enum" in value:
            wrong("x-extensible-enum", "stands beside enum, which closes the set")
        elif _codes(codes) and kinds and wanted not in kinds:
            wrong("x-extensible-enum", f"has values that are not of type {_either(sorted(kinds))}")
    if isinstance(value.get("x-keyed-by"), str):
        field = value["x-keyed-by"]
        if not any(field in run.properties(*item) for item in _items(run, node.pointer, value)):
            wrong("x-keyed-by", f"nothing in this array or map has a property {field}")
    if isinstance(value.get("x-error-field"), str) and node.pointer[-2:-1] != ("properties",):
        wrong("x-error-field", "has a meaning only on a property")


def _items(run: _Lint, pointer: Pointer, schema: Any) -> Iterator[tuple[Pointer, Any]]:
    """Yield the schemas of what an array or a map holds, in any of a schema's alternatives."""
    for at, part in run.applied(pointer, schema):
        for key in ("items", "additionalProperties"):
            if isinstance(part.get(key), dict):
                yield (*at, key), part[key]
        for key in ("anyOf", "oneOf"):
            for index, item in enumerate(_list(part.get(key))):
                if item is not schema and isinstance(item, dict):
                    for inner, found in run.applied((*at, key, index), item):
                        for word in ("items", "additionalProperties"):
                            if isinstance(found.get(word), dict):
                                yield (*inner, word), found[word]


def _windows(run: _Lint) -> None:
    for operation in run.operations:
        ends = [node.value["x-window"] for node in operation.parameters if "x-window" in node.value]
        if "x-window-under-days" in operation.value:
            for end in ("start", "end"):
                if ends.count(end) != 1:
                    text = f"x-window-under-days: needs one parameter with x-window: {end}"
                    run.say((*operation.pointer, "x-window-under-days"), text, "word")
        elif ends:
            node = next(node for node in operation.parameters if "x-window" in node.value)
            text = f"x-window: {operation.title} has no x-window-under-days"
            run.say((*node.pointer, "x-window"), text, "word")


# --- What a client cannot carry -----------------------------------------------------------------

_FORMS: Final = ("multipart/form-data", "application/x-www-form-urlencoded")
_STYLES: Final = {
    "query": ("form", "spaceDelimited", "pipeDelimited"),
    "path": ("simple",),
    "header": ("simple",),
}
_UNCHECKED: Final = ("not", "if", "dependentSchemas", "prefixItems", "patternProperties")


def _media_type(text: str) -> str:
    return text.partition(";")[0].strip().lower()


def _is_json(name: str) -> bool:
    return name in ("application/json", "text/json") or name.endswith("+json")


def _rule_carried(run: _Lint) -> None:
    """Everything that the document says can be said by the client."""
    for node in run.of("parameter"):
        if "$ref" not in node.value:
            _carried_parameter(run, node)
    for node in run.of("request body"):
        names = {_media_type(name) for name in _dict(node.value.get("content"))}
        known = (*_FORMS, "application/octet-stream")
        if names and not any(_is_json(name) or name in known for name in names):
            text = f"content: no request body of type {_either(sorted(names))} can be made"
            run.say((*node.pointer, "content"), text, "carry")
    for node in run.of("response"):
        _carried_response(run, node)
    for node in run.nodes:
        if node.kind == "schema":
            _carried_schema(run, node)
    for node in run.of("document", "operation", "response"):
        for key in ("webhooks", "callbacks", "links"):
            if node.value.get(key):
                run.say((*node.pointer, key), f"{key}: not carried into a client", "carry", "note")


def _carried_parameter(run: _Lint, node: _Node) -> None:
    name, place = node.value.get("name"), node.value.get("in")
    if not isinstance(name, str) or place not in ("query", "path", "header", "cookie"):
        return

    def wrong(message: str, *member: str) -> None:
        run.say((*node.pointer, *member), f"parameter {name}: {message}", "carry")

    if place == "cookie":
        wrong("cookies cannot be sent")
        return
    if "content" in node.value:
        wrong("content cannot be carried; describe it by a schema", "content")
    if node.value.get("allowReserved") is True:
        wrong("allowReserved cannot be carried; reserved characters are escaped", "allowReserved")
    style = node.value.get("style")
    if isinstance(style, str):
        if style not in _STYLES[place]:
            known = _either(_STYLES[place])
            wrong(f"style {style} in {place} cannot be carried, only {known}", "style")
        elif style.endswith("Delimited") and node.value.get("explode") is True:
            wrong(f"style {style} cannot be exploded; write explode: false", "explode")
    schema = (*node.pointer, "schema")
    kinds = run.types(schema, node.value.get("schema"))
    if "object" in kinds:
        wrong("an object cannot be written into a parameter", "schema")
    for at, part in run.applied(schema, node.value.get("schema")):
        if "items" in part and run.types((*at, "items"), part["items"]) & {"object", "array"}:
            wrong("an array of objects or arrays cannot be written into a parameter", "schema")


def _carried_response(run: _Lint, node: _Node) -> None:
    content = _dict(node.value.get("content"))
    names = {_media_type(name) for name in content}
    if any(_is_json(name) or name in ("*/*", "application/*") for name in names):
        return
    for name, media in content.items():
        schema = (*node.pointer, "content", name, "schema")
        kinds = run.types(schema, _dict(media).get("schema"))
        if kinds - {"string", "null"}:
            text = f"content: a body of type {name} cannot be decoded into {_either(sorted(kinds))}"
            run.say((*node.pointer, "content", name), text, "carry")


def _carried_schema(run: _Lint, node: _Node) -> None:
    pointer, value = node.pointer, node.value
    if value is False:
        key = pointer[-1]
        closing = ("additionalProperties", "unevaluatedProperties", "unevaluatedItems", "items")
        if key not in closing or run.kinds.get(pointer[:-1]) != "schema":
            run.say(pointer, f"{key}: the schema false allows no value; leave it out", "carry")
        return
    if not isinstance(value, dict):
        return

    def say(key: str, message: str, severity: Severity = "error") -> None:
        run.say((*pointer, key), f"{key}: {message}", "carry", severity)

    unchecked = [key for key in _UNCHECKED if key in value]
    if isinstance(value.get("unevaluatedProperties"), dict):
        unchecked.append("unevaluatedProperties")
    for key in unchecked:
        text = "not carried into Python types; the value is typed as Any or not checked"
        say(key, text, "note")
    if "$dynamicRef" in value:
        say("$dynamicRef", "cannot be carried; write a $ref")
    if "$id" in value:
        if re.match("[A-Za-z][A-Za-z0-9+.-]*:", str(value["$id"])):
            text = "references in this schema are read from the root of the document all the same"
            say("$id", text, "note")
        else:
            say("$id", "a relative $id cannot be carried; leave it out")
    if isinstance(value.get("enum"), list):
        _carried_enum(say, value["enum"])
    if "allOf" in value and _contains_itself(run, pointer, value):
        say("allOf", "the schema contains itself")


def _carried_enum(say: Callable[..., None], values: list[Any]) -> None:
    kinds = {type(item) for item in values} - {type(None)}
    if kinds & {dict, list}:
        say("enum", "members that are objects or arrays cannot be carried")
    elif len(kinds) > 1:
        say("enum", "members of several types cannot be carried")
    elif kinds & {float, bool}:
        say("enum", "only strings and integers become an enumeration; not checked", "note")


def _contains_itself(run: _Lint, pointer: Pointer, value: dict[str, Any]) -> bool:
    """Whether a schema is among those that hold together with it, by way of `allOf`."""
    return any(
        "$ref" in part and run.target(part["$ref"]) == pointer
        for _, part in run.applied(pointer, value)
    )


# --- Names --------------------------------------------------------------------------------------


class _Names:
    """The Python names of one scope, and the place of the first thing with each name."""

    def __init__(self, run: _Lint, what: str) -> None:
        self.run, self.what = run, what
        self.seen: dict[str, tuple[str, Pointer]] = {}

    def add(self, python: str, title: str, pointer: Pointer) -> None:
        first, at = self.seen.setdefault(python, (title, pointer))
        if at != pointer:
            text = (
                f"{title} and {first} at {self.run.document.at(at)} are both called {python}"
                f" {self.what}; give one an x-python-name"
            )
            self.run.say(pointer, text, "python-name")


def _python_name(value: Any, automatic: str) -> str:
    name = _dict(value).get("x-python-name")
    return name if isinstance(name, str) else automatic


def _rule_names(run: _Lint) -> None:
    """No two things of one scope have the same name in Python."""
    classes = _Names(run, "as Python classes")
    schemas = _dict(_dict(_dict(run.data).get("components")).get("schemas"))
    for name, value in schemas.items():
        if _is_class(value):
            python = _python_name(value, pascal(name))
            classes.add(python, f"schema {name}", ("components", "schemas", name))
    for node in run.of("schema"):
        if "properties" in node.value or "allOf" in node.value:
            fields = _Names(run, "in Python")
            for name, (at, value) in run.properties(node.pointer, node.value).items():
                fields.add(_python_name(value, snake(name)), f"property {name}", at)
    methods = _Names(run, "in the client")
    for operation in run.operations:
        tags = [tag for tag in _list(operation.value.get("tags")) if isinstance(tag, str)]
        resource = operation.value.get("x-python-resource")
        if not isinstance(resource, str):
            resource = snake(tags[0]) if tags else "default"
        method = _python_name(operation.value, snake(operation.title))
        methods.add(f"{resource}.{method}", f"operation {operation.title}", operation.pointer)
        arguments = _Names(run, f"in the call of {operation.title}")
        for node in operation.parameters:
            name = str(node.value.get("name"))
            arguments.add(_python_name(node.value, snake(name)), f"parameter {name}", node.pointer)
        for name, (at, value) in _body_fields(run, operation).items():
            arguments.add(_python_name(value, snake(name)), f"property {name}", at)


def _is_class(schema: Any) -> bool:
    """Whether a component schema becomes a class, not a name for a type."""
    if not isinstance(schema, dict) or "$ref" in schema:
        return False
    words = ("properties", "enum", "x-extensible-enum", "allOf", "x-python-name")
    return any(word in schema for word in words)


def _body_fields(run: _Lint, operation: _Operation) -> dict[str, tuple[Pointer, Any]]:
    """Return the properties of a request body, which are arguments of the method."""
    if "requestBody" not in operation.value:
        return {}
    at, body = run.follow((*operation.pointer, "requestBody"), operation.value["requestBody"])
    for name, media in _dict(_dict(body).get("content")).items():
        if _typed(name) and isinstance(media, dict):
            return run.properties((*at, "content", name, "schema"), media.get("schema"))
    return {}


_RULES: Final[Sequence[Callable[[_Lint], None]]] = (
    _rule_openapi,
    _rule_schemas,
    _rule_references,
    _rule_operations,
    _rule_parameters,
    _rule_descriptions,
    _rule_examples,
    _rule_enumerations,
    _rule_words,
    _rule_carried,
    _rule_names,
)
