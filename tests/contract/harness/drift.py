"""Where an answer that came is not what the documents say, and what it says beyond them.

Reading is tolerant where the service's description leaves it open: a documented member may be null
unless it must be there (§2.1). What nobody documented is no disagreement, but worth to be told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import jsonschema_rs

from harness.documents import Document, Json, Operation, Response, Schema, snake
from harness.reading import key, kind
from harness.wire import short

Way = tuple[str | int, ...]
"""The names and positions that lead to a place in a body."""


class Undocumented(UserWarning):
    """The service says more than the documents."""


class Finding(NamedTuple):
    """A place in an answer that the documents do not describe as it is.

    Attributes:
        place: `status`, `header x-ratelimit-limit`, or a JSON path such as `$.data[3].status`.
        says: what the documents say of it.
        came: what was there.
    """

    place: str
    says: str
    came: str

    def __str__(self) -> str:
        return f"{self.place}: came {self.came}; the documents say {self.says}"


def disagreements(
    operation: Operation, status: int, headers: Mapping[str, str], body: bytes
) -> list[Finding]:
    """What the documents do not allow in an answer.

    Args:
        headers: names in lower case.
    """
    response = operation.responses.get(str(status))
    if response is None:
        known = ", ".join(sorted(operation.responses))
        return [Finding("status", f"one of {known}", f"{status} with {_excerpt(body)}")]
    return [
        *_headers(operation, response, headers),
        *_content(operation, response, headers.get("content-type"), body),
    ]


def additions(operation: Operation, status: int, body: bytes) -> list[Finding]:
    """What an answer says beyond the documents: members and codes that they do not know."""
    response = operation.responses.get(str(status))
    if response is None or response.schema is None:
        return []
    try:
        value = json.loads(body)
    except ValueError:
        return []
    return list(_additions(operation.document, response.schema, value, ()))


def together(findings: Iterable[Finding]) -> list[Finding]:
    """Findings that say the same of several items of a list as one, with what came there."""
    found: dict[tuple[str, str], list[Finding]] = {}
    for each in findings:
        anywhere = re.sub(r"\[(\d+|\"\d+\")\]", "[*]", each.place)
        found.setdefault((anywhere, each.says), []).append(each)
    return [
        each[0] if len(each) == 1 else Finding(*where, _few({e.came: None for e in each}))
        for where, each in found.items()
    ]


def _few(came: Collection[str]) -> str:
    shown = ", ".join(list(came)[:5])
    return shown if len(came) <= 5 else f"{shown} and {len(came) - 5} others"


def told(operation: Operation, status: int, value: Json) -> dict[str, Json]:
    """What an error must tell of a refusal: the documented members, by their names in Python."""
    response = operation.responses.get(str(status))
    if response is None or response.schema is None or not isinstance(value, dict):
        return {}
    schema = _chosen(operation.document, response.schema, value)
    members = {
        name: operation.document.resolve(node) for name, node in schema["properties"].items()
    }
    return {
        node.get("x-error-field", snake(name)): value.get(name) for name, node in members.items()
    }


# Status, header fields, content


def _headers(
    operation: Operation, response: Response, headers: Mapping[str, str]
) -> Iterator[Finding]:
    rate = operation.document.data.get("x-rate-limit", {})
    everywhere = {rate[each].lower() for each in ("limit", "remaining", "reset") if each in rate}
    for name, schema in response.headers.items():
        place, text = f"header {name.lower()}", headers.get(name.lower())
        if text is None:
            if name.lower() in everywhere:
                yield Finding(place, "it comes with every answer (§8)", "none")
        elif not operation.document.fits(schema, _plain(text)):
            yield Finding(place, schema["type"], repr(text))


def _plain(text: str) -> Json:
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def _content(
    operation: Operation, response: Response, content_type: str | None, body: bytes
) -> Iterator[Finding]:
    if response.schema is None:
        if body:
            yield Finding("body", "none", _excerpt(body))
        return
    if (content_type or "").partition(";")[0].strip().lower() != "application/json":
        yield Finding("header content-type", "application/json", repr(content_type))
    try:
        value = json.loads(body)
    except ValueError as error:
        yield Finding("body", "JSON", f"{_excerpt(body)} ({error})")
    else:
        yield from _misfits(operation.document, response.schema, value)


def _excerpt(body: bytes) -> str:
    text = body[:200].decode("utf-8", "replace")
    return f"{text!r}{'…' if len(body) > 200 else ''}" if body else "no body"


# The body and its schema


def _misfits(document: Document, node: Schema, value: Json) -> Iterator[Finding]:
    validator = _validator(document, json.dumps(node))
    errors = validator.iter_errors(_without_open_nulls(document, node, value))
    found = [each for error in errors for each in _innermost(error)]
    # What has the wrong type is none of the known codes either: that needs no second line.
    mistyped = {tuple(each.instance_path) for each in found if each.kind.name == "type"}
    for each in found:
        if each.kind.name == "type" or tuple(each.instance_path) not in mistyped:
            way, came = _at(value, each)
            yield Finding(path(way), _says(each), short(came))


@lru_cache(maxsize=200)
def _validator(document: Document, schema: str) -> jsonschema_rs.Draft202012Validator:
    root = {**json.loads(schema), "components": document.data["components"]}
    return jsonschema_rs.Draft202012Validator(root, validate_formats=True)


def _innermost(error: jsonschema_rs.ValidationError) -> Iterator[jsonschema_rs.ValidationError]:
    """An error, or those of the choice that was meant: the one that fails furthest inside."""
    choices = getattr(error.kind, "context", None) or []
    depths = [max((len(each.instance_path) for each in choice), default=0) for choice in choices]
    if max(depths, default=0) <= len(error.instance_path):
        yield error
        return
    for each in choices[depths.index(max(depths))]:
        yield from _innermost(each)


def _says(error: jsonschema_rs.ValidationError) -> str:
    words = error.kind.as_dict()
    match error.kind.name:
        case "type":
            return " or ".join(words["types"])
        case "enum":
            return f"one of {', '.join(map(json.dumps, words['options']))}"
        case "format":
            return str(words["format"])
        case "required":
            return f"that {words['property']} is there"
    return str(error.message)


def _at(value: Json, error: jsonschema_rs.ValidationError) -> tuple[Way, Json]:
    """Where an error is, and what is there; the library gives names made of digits as numbers."""
    way: Way = ()
    for step in error.instance_path:
        step = step if isinstance(value, list) else str(step)
        way, value = (*way, step), value[step]
    return way, value


def path(way: Way) -> str:
    """A place in a body, as a JSON path."""
    return "$" + "".join(
        f".{step}" if isinstance(step, str) and re.fullmatch(r"[^\W\d]\w*", step) else key(step)
        for step in way
    )


def _without_open_nulls(document: Document, node: Schema, value: Json) -> Json:
    """A body without the nulls that stand where a member may just as well be missing."""
    schema = _chosen(document, node, value)
    if isinstance(value, list):
        return [_without_open_nulls(document, schema.get("items", {}), each) for each in value]
    if not isinstance(value, dict):
        return value
    optional = set(schema.get("properties", ())) - set(schema.get("required", ()))
    return {
        name: _without_open_nulls(document, _inside(schema, name) or {}, item)
        for name, item in value.items()
        if item is not None or name not in optional
    }


def _additions(document: Document, node: Schema, value: Json, way: Way) -> Iterator[Finding]:
    schema = _chosen(document, node, value)
    known = schema.get("x-extensible-enum")
    if known is not None and value is not None and value not in known:
        yield Finding(path(way), f"known are {', '.join(map(json.dumps, known))}", short(value))
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from _additions(document, schema.get("items", {}), each, (*way, index))
    if isinstance(value, dict) and not _is_open(schema):
        for name, item in value.items():
            inner = _inside(schema, name)
            if inner is None:
                yield Finding(path((*way, name)), "nothing of it", short(item))
            else:
                yield from _additions(document, inner, item, (*way, name))


def _chosen(document: Document, node: Schema, value: Json) -> Schema:
    """What the documents say of this value, where they leave a choice."""
    choices = list(_choices(document, node))
    fitting = [each for each in choices if document.fits(each, value)]
    alike = [each for each in choices if kind(value) in each.get("type", ())]
    # Bodies of errors fit each other's schemas, for none of their members must be there.
    return min(fitting or alike or choices, key=lambda each: _strange(each, value))


def _choices(document: Document, node: Schema) -> Iterator[Schema]:
    schema = document.resolve(node)
    for each in schema.get("anyOf", ()):
        yield from _choices(document, each)
    if "anyOf" not in schema:
        yield schema


def _strange(schema: Schema, value: Json) -> int:
    """How many members of an object a schema does not know."""
    if not isinstance(value, dict) or _is_open(schema):
        return 0
    return sum(_inside(schema, name) is None for name in value)


def _inside(schema: Schema, name: str) -> Schema | None:
    """What is said of a member of an object; None for nothing."""
    others = schema.get("additionalProperties")
    known: dict[str, Schema] = schema.get("properties", {})
    return known.get(name, others if isinstance(others, dict) else None)


def _is_open(schema: Schema) -> bool:
    """Whether no member of an object is documented, so that none is new."""
    return "properties" not in schema and not isinstance(schema.get("additionalProperties"), dict)
