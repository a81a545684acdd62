"""The minimum that the sandbox demands of documents, so that it can follow them.

Only documents that somebody brings are held against this. Without it, what they lack would show
much later, and nobody would think of the documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import jsonschema_rs

from social_publishing_sandbox.state.reading import pointed
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
_MEMBERS: Final = {
    "main": {"FirstComments": "customized", "LinkedInPoll": "duration"},
    "media": {"MediaUpload": "file"},
}
_NAMED: Final = {"main": ("PostStatus", "GroupType", "ApprovalWorkflow", "MediaType"), "media": ()}
_STATES: Final = (
    *("NOT_SCHEDULE", "DRAFT", "IN_REVIEW", "REVIEW_REJECTED", "REVIEW_MISSED", "SCHEDULED"),
    *("IN_PROGRESS", "FAILED", "SKIPPED", "PUBLISHED", "DELETED"),
)


def check(name: str, data: Any) -> None:
    """Refuse a document that the sandbox could not follow."""
    _check_form(_OPENAPI, data, "is not an OpenAPI document")
    _check_schemas(data)
    _check_parts(name, data["components"]["schemas"])
    states, workflows = (
        data["components"]["schemas"].get(name, {}).get("x-enum-varnames", [])
        for name in ("PostStatus", "ApprovalWorkflow")
    )
    _check_form(_assumed(states, workflows), data.get("x-assume", {}), "x-assume")


def _check_schemas(data: Json) -> None:
    """No schema is none, and no reference leads nowhere."""
    schemas = data["components"]["schemas"]
    for path, reference in _references(data, ()):
        try:
            pointed(data, reference)
        except ValueError as error:
            raise ValueError(f"{'.'.join(path)}: {error}") from None
    for name, schema in schemas.items():
        place = f"components.schemas.{name}"
        try:
            jsonschema_rs.Draft202012Validator({**schema, "components": data["components"]})
        except jsonschema_rs.ValidationError as error:
            raise ValueError(f"{place}: cannot be used: {error.message}") from None


def _check_parts(name: str, schemas: Json) -> None:
    """There are all the schemas, the names of codes and the states that the sandbox needs."""
    if missing := [each for each in _SCHEMAS[name] if each not in schemas]:
        raise ValueError(f"components.schemas: it has no {listed(missing)}")
    for owner, member in _MEMBERS[name].items():
        if member not in schemas[owner].get("properties", {}):
            raise ValueError(f"components.schemas.{owner}.properties: it has no {member}")
    for schema_name, schema in schemas.items():
        names, codes = schema.get("x-enum-varnames"), schema.get("enum", ())
        if names is None and schema_name in _NAMED[name]:
            raise ValueError(f"components.schemas.{schema_name}: it has no x-enum-varnames")
        if names is not None and len(names) != len(codes):
            several = counted(len(codes), "code")
            raise ValueError(f"components.schemas.{schema_name}: {several}, and {len(names)} names")
    if name == "main":
        states = schemas["PostStatus"]["x-enum-varnames"]
        if missing := [each for each in _STATES if each not in states]:
            raise ValueError(f"components.schemas.PostStatus: it has no {listed(missing)}")


def _check_form(schema: Json, value: Any, place: str) -> None:
    for error in jsonschema_rs.Draft202012Validator(schema).iter_errors(value):
        where = ": ".join([place, ".".join(map(str, error.instance_path))]).removesuffix(": ")
        if error.kind.name == "required":
            raise ValueError(f"{where}: it has no {error.kind.as_dict()['property']}")
        reason = rule(error) or f"cannot be {error.instance!r}"
        given = f", not {error.instance!r}" if error.kind.name == "enum" else ""
        raise ValueError(f"{where}: it {reason}{given}")


def _object(*required: str, **properties: Json) -> Json:
    return {"type": "object", "required": list(required), "properties": properties}


def _assumed(states: list[str], workflows: list[str]) -> Json:
    """Return the schema of `x-assume`; of words that may have any value nothing is said."""
    text, number = {"type": "string"}, {"type": "number"}
    count: Json = {"type": "integer", "minimum": 1}
    state: Json = {"enum": states}
    workflow: Json = {"enum": workflows}
    code_point = {"type": "integer", "minimum": 0}
    span = {"type": "array", "items": code_point, "minItems": 2, "maxItems": 2}
    any_object = {"type": "object"}
    several_states: Json = {"type": "array", "items": state}
    texts: Json = {"type": "array", "items": text}
    transition = _object(
        *("from", "by", "to"),
        **{"from": several_states, "by": text, "to": state, "when": {"anyOf": [text, texts]}},
    )
    return _object(
        transitions={"type": "array", "items": transition},
        updatePost=_object(
            isDraft=any_object,
            isPublishNow=any_object,
            shouldSkip=any_object,
            precedence=texts,
            published=_object("editable", editable=texts),
        ),
        weightedLength=_object(
            *("weight", "emoji", "weightOneRanges"),
            weight=number,
            emoji=number,
            weightOneRanges={"type": "array", "items": span},
        ),
        mediaStatus=_object(
            *("processing", "ready", "failed"),
            processing=text,
            ready=_object("status", status=text),
            failed=_object("status", status=text),
        ),
        rateLimit=_object(
            perMinute=count,
            windowSeconds=count,
            status={"type": "integer", "minimum": 400, "maximum": 599},
        ),
        perPage=_object(default=count, maximum=count),
        **dict.fromkeys(("deletedPosts", "getPosts", "bulk", "bulkDraft"), any_object),
        **dict.fromkeys(("notes", "taskIntegration", "deletePosts", "requests"), any_object),
        includeFields={"type": "object", "additionalProperties": text},
        groupAccounts=any_object,
        **dict.fromkeys(("workflow", "labels", "groups"), any_object),
        publishing=_object(failures=texts),
        overview={
            "type": "object",
            "additionalProperties": _object(
                "states", states=several_states, workflow={"type": "array", "items": workflow}
            ),
        },
        user=_object(SocialAccount=texts),
        permissions=any_object,
        limits=_object(
            integerBits=count,
            years={"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
            delayMinutes=count,
        ),
    )


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
_OPENAPI: Final = _object(
    *("info", "servers", "paths", "components"),
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
    """Return every reference inside of a document, with its place."""
    if isinstance(node, list):
        for position, inner in enumerate(node):
            yield from _references(inner, (*where, str(position)))
    elif isinstance(node, dict):
        for name, inner in node.items():
            if name == "$ref" and isinstance(inner, str):
                yield where, inner
            else:
                yield from _references(inner, (*where, name))
