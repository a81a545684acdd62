"""The minimum that the sandbox needs from documents.

Only documents from `--documents` are checked against it. Otherwise, missing parts would cause
obscure errors much later.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from social_publishing_sandbox.compiled import jsonschema_rs
from social_publishing_sandbox.state.reading import pointed
from social_publishing_sandbox.state.shape import Shape
from social_publishing_sandbox.state.wording import counted, listed, rule

Json = dict[str, Any]

_SCHEMAS: Final = {
    "main": (
        *("Id", "Post", "PostDetail", "PostMetric", "PostActivity", "PostUpdate"),
        *("FirstComments", "LinkedInPoll", "Group", "GroupReplacement", "SocialAccount", "User"),
        *("CalendarNote", "CalendarNoteReplacement", "Label", "Media", "PostStatus"),
        *("GroupType", "ApprovalWorkflow", "MediaType"),
    ),
    "media": ("Media", "MediaUpload"),
}
_WORDS: Final = "assume.schema.json"
_MEMBERS: Final = {
    "main": {"FirstComments": "customized", "LinkedInPoll": "duration"},
    "media": {"MediaUpload": "file"},
}
_NAMED: Final = {"main": ("PostStatus", "GroupType", "ApprovalWorkflow", "MediaType"), "media": ()}
_STATES: Final = (
    *("NOT_SCHEDULE", "DRAFT", "IN_REVIEW", "REVIEW_REJECTED", "REVIEW_MISSED", "SCHEDULED"),
    *("IN_PROGRESS", "FAILED", "SKIPPED", "PUBLISHED", "DELETED"),
)


def check(name: str, data: Any, shipped: Json) -> None:
    """Refuse a document that lacks what the sandbox needs.

    Args:
        shipped: the schemas of the document that comes with the sandbox, whose codes worlds have.

    Raises:
        ValueError: it does; the message names the place.
    """
    _check_form(_OPENAPI, data, "is not an OpenAPI document")
    _check_schemas(data)
    _check_parts(name, data["components"]["schemas"], shipped)
    words = Shape(assumed_words(data), lambda error, where: None)
    for path, problem in words.problems(data.get("x-assume", {}), ("x-assume",)):
        raise ValueError(f"{'.'.join(map(str, path))}: {problem}")
    emojis = data.get("x-assume", {}).get("weightedLength", {}).get("emojis", "")
    try:
        re.compile(emojis)
    except re.error as error:
        reason = f"is no regular expression: {error}"
        raise ValueError(f"x-assume.weightedLength.emojis: {reason}") from None


def _check_schemas(data: Json) -> None:
    """Refuse a schema that is none, and a reference that leads nowhere."""
    schemas = data["components"]["schemas"]
    for path, reference in _references(data, ()):
        try:
            pointed(data, reference)
        except ValueError as error:
            raise ValueError(f"{'.'.join(path)}: {error}") from None
    schemas = {
        **{("components", "schemas", name): each for name, each in schemas.items()},
        **dict(_schemas(data, ())),
    }
    # At once, since each of them would have all others compiled again.
    if not _unusable({"allOf": list(schemas.values())}, data):
        return
    wrong = {place: _unusable(schema, data) for place, schema in schemas.items()}
    wrong = {place: problem for place, problem in wrong.items() if problem}

    def others(place: tuple[str, ...]) -> int:
        """Return how many wrong schemas one refers to: what is wrong in itself needs none."""
        used = {reference.rpartition("/")[2] for _, reference in _references(schemas[place], ())}
        return len(used & {name for *_, name in wrong})

    if wrong:
        place = min(wrong, key=others)
        raise ValueError(f"{'.'.join(place)}: cannot be used: {wrong[place]}")


def _schemas(node: Any, where: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Json]]:
    """Yield every schema of a document that has no name, with its place."""
    for name, inner in node.items() if isinstance(node, dict) else enumerate(node):
        if name == "schema" and isinstance(inner, dict):
            yield (*where, "schema"), inner
        elif isinstance(inner, dict | list) and not re.match("x-|examples?$|schemas$", str(name)):
            yield from _schemas(inner, (*where, str(name)))


def _unusable(schema: Json, data: Json) -> str:
    """Return why nothing can be held against a schema of a document; else nothing."""
    try:
        jsonschema_rs.Draft202012Validator({**schema, "components": data["components"]})
    except jsonschema_rs.ValidationError as error:
        return error.message
    return ""


def _check_parts(name: str, schemas: Json, shipped: Json) -> None:
    """Refuse a lack of schemas, names of codes or states, and codes that worlds do not have."""
    if missing := [each for each in _SCHEMAS[name] if each not in schemas]:
        raise ValueError(f"components.schemas: it has no {listed(missing)}")
    for owner, member in _MEMBERS[name].items():
        if member not in schemas[owner].get("properties", {}):
            raise ValueError(f"components.schemas.{owner}.properties: it has no {member}")
    for schema_name, schema in schemas.items():
        names, codes = schema.get("x-enum-varnames"), schema.get("enum", ())
        if names is None and schema_name in _NAMED[name]:
            raise ValueError(f"components.schemas.{schema_name}: x-enum-varnames is missing")
        if names is not None and len(names) != len(codes):
            several = counted(len(codes), "code")
            raise ValueError(f"components.schemas.{schema_name}: {several}, and {len(names)} names")
        usual = _codes(shipped.get(schema_name, {}))
        for each, code in _codes(schema).items():
            if usual.get(each, code) != code:
                differs = f"{each} is {code!r}, and {usual[each]!r} in the worlds of the sandbox"
                raise ValueError(f"components.schemas.{schema_name}: {differs}")
    if name == "main":
        states = schemas["PostStatus"]["x-enum-varnames"]
        if missing := [each for each in _STATES if each not in states]:
            lacks = f"components.schemas.PostStatus: it has no {listed(missing)}"
            raise ValueError(f"{lacks}, to which the sandbox moves posts")


def _codes(schema: Json) -> Json:
    """Return the codes of a schema by their names."""
    return dict(zip(schema.get("x-enum-varnames", ()), schema.get("enum", ()), strict=False))


def _check_form(schema: Json, value: Any, place: str) -> None:
    for error in jsonschema_rs.Draft202012Validator(schema).iter_errors(value):
        where = ": ".join([place, ".".join(map(str, error.instance_path))]).removesuffix(": ")
        if error.kind.name == "required":
            raise ValueError(f"{where}: it has no {error.kind.as_dict()['property']}")
        reason = rule(error) or f"cannot be {error.instance!r}"
        raise ValueError(f"{where}: it {reason}")


def _object(*required: str, **properties: Json) -> Json:
    return {"type": "object", "required": list(required), "properties": properties}


def assumed_words(data: Json) -> Json:
    """Return the schema of `x-assume` for a document, of which it has some of the values."""
    words = json.loads((Path(__file__).parent.with_name("documents") / _WORDS).read_bytes())
    resolved: Json = _resolved(words, words, data)
    return resolved


def _resolved(node: Any, words: Json, data: Json) -> Any:
    if isinstance(node, list):
        return [_resolved(each, words, data) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _resolved(pointed(words, node["$ref"]), words, data)
    if "x-enum-from" in node:
        try:
            return {"enum": list(pointed(data, node["x-enum-from"]))}
        except ValueError:
            return {"enum": []}
    return {key: _resolved(each, words, data) for key, each in node.items() if key != "$defs"}


_OPERATION: Final = _object(
    *("operationId", "responses"),
    operationId={"type": "string"},
    parameters={
        "type": "array",
        "items": {
            "type": "object",
            "if": {"not": {"required": ["$ref"]}},
            "then": {"required": ["name", "in", "schema"]},
        },
    },
    responses={"type": "object", "patternProperties": {"^[0-9]": {"type": "object"}}},
)
_HEADER: Final = {"type": "string", "pattern": "^[!-9;-~]+$"}
_RATE: Final = _object(
    requests={"type": "integer", "minimum": 1},
    seconds={"type": "number", "exclusiveMinimum": 0},
    **dict.fromkeys(("limit", "remaining", "reset", "wait"), _HEADER),
    status={"type": "integer", "minimum": 400, "maximum": 599},
    format={"enum": ["seconds", "milliseconds", "duration"]},
    counts={"enum": ["user", "server"]},
    begins={"enum": ["request", "clock"]},
)
_OPENAPI: Final = _object(
    *("info", "servers", "paths", "components"),
    **{"x-rate-limit": _RATE},
    info=_object("title", title={"type": "string"}),
    servers={"type": "array", "minItems": 1, "items": _object("url", url={"type": "string"})},
    paths={
        "type": "object",
        "patternProperties": {
            "^/": _object(**dict.fromkeys(("get", "put", "post", "delete", "patch"), _OPERATION))
        },
    },
    components=_object(
        "schemas",
        schemas={
            "type": "object",
            "additionalProperties": _object(
                **{"x-enum-varnames": {"type": "array", "items": {"type": "string"}}}
            ),
        },
    ),
)
"""As much of OpenAPI as the sandbox reads, so that it can say where a document is none."""


def _references(node: Any, where: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every reference inside of a document, with its place."""
    if isinstance(node, list):
        for position, inner in enumerate(node):
            yield from _references(inner, (*where, str(position)))
    elif isinstance(node, dict):
        for name, inner in node.items():
            if name == "$ref" and isinstance(inner, str):
                yield where, inner
            else:
                yield from _references(inner, (*where, name))
