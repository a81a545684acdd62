"""What a document says of a request: its operation, what does not fit, and what it is answered."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from zlib import crc32

import jsonschema_rs

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What a test wants to be answered: a JSON value, or the bytes of a body."""

    status: int = 200
    json: Any = None
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """A part of a multipart body, of which only size and digest are kept."""

    name: str
    filename: str | None
    content_type: str | None
    size: int
    sha256: str


@dataclass(frozen=True)
class Recorded:
    """A request as it came: header names in lower case, a multipart body in `parts` alone."""

    document: str
    operation: str | None
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    sha256: str
    parts: tuple[Part, ...] = ()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Document:
    """One effective document: its operations, and the checks and examples of its schemas."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self.data: Json = json.loads(path.read_text(encoding="utf-8"))
        self.base = urlsplit(self.data["servers"][0]["url"].replace("{host}", "host")).path
        self.operations: dict[str, tuple[str, str, Json]] = {
            operation["operationId"]: (method.upper(), template, operation)
            for template, item in self.data["paths"].items()
            for method, operation in item.items()
            if method in ("get", "put", "post", "patch", "delete")
        }
        self._valid = cache(self._validator)

    def resolve(self, node: Json) -> Json:
        """The node, or what it refers to."""
        while "$ref" in node:
            target: Any = self.data
            for step in node["$ref"].removeprefix("#/").split("/"):
                target = target[step.replace("~1", "/").replace("~0", "~")]
            node = target
        return node

    def _validator(self, schema: str) -> jsonschema_rs.Validator:
        root = {**json.loads(schema), "components": self.data["components"]}
        return jsonschema_rs.Draft202012Validator(root, validate_formats=True)

    def problems(self, schema: Json, value: Any, place: str) -> list[str]:
        """Why a value does not fit a schema."""
        errors = self._valid(json.dumps(schema)).iter_errors(value)
        return [f"{'.'.join([place, *map(str, e.instance_path)])}: {e.message}" for e in errors]

    def find(self, method: str, path: str) -> tuple[str | None, dict[str, str]]:
        """The operation of a request and its path parameters; templates without places win."""
        for identifier, (verb, template, _) in sorted(
            self.operations.items(), key=lambda entry: "{" in entry[1][1]
        ):
            pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.base + template)
            if verb == method and (found := re.fullmatch(pattern, path)):
                return identifier, {key: unquote(text) for key, text in found.groupdict().items()}
        return None, {}

    def check(self, request: Recorded, path: Mapping[str, str]) -> list[str]:
        """Everything in a request that its operation does not allow."""
        operation = self.operations[request.operation or ""][2]
        query: dict[str, list[str]] = {}
        for pair in filter(None, urlsplit(request.target).query.split("&")):
            name, _, text = pair.partition("=")
            query.setdefault(unquote(name), []).append(text)
        found = []
        for parameter in map(self.resolve, operation.get("parameters", [])):
            name, schema = parameter["name"], parameter["schema"]
            if parameter["in"] == "path":
                found += self.problems(schema, path[name], f"path {name}")
            elif texts := query.pop(name, []):
                if self.resolve(schema)["type"] == "array":
                    texts = texts if parameter.get("explode", True) else texts[0].split(",")
                    value = [_plain(self.resolve(schema)["items"], unquote(text)) for text in texts]
                else:
                    value = _plain(self.resolve(schema), unquote(texts[0]))
                found += self.problems(schema, value, f"query {name}")
            elif parameter.get("required"):
                found.append(f"query {name}: is missing")
        found += [f"query {name}: is not documented" for name in query]
        if request.headers.get("accept") != "application/json":
            found.append("header Accept: must be application/json")
        return found + self._check_body(request, operation.get("requestBody", {}))

    def _check_body(self, request: Recorded, body: Json) -> list[str]:
        media_type = request.headers.get("content-type", "").partition(";")[0]
        if not body:
            return ["a body is not documented"] if request.body or media_type else []
        if media_type not in body["content"]:
            return [f"header Content-Type: {media_type!r} is not one of {[*body['content']]}"]
        schema = body["content"][media_type]["schema"]
        if media_type == "application/json":
            return self.problems(schema, request.json, "body")
        wanted = self.resolve(schema)
        names = {part.name for part in request.parts}
        return [f"part {name}: is missing" for name in {*wanted["required"]} - names] + [
            f"part {name}: is not documented" for name in names - {*wanted["properties"]}
        ]

    def answer(self, identifier: str) -> Answer:
        """The documented success of an operation, with an example as its body."""
        responses = self.operations[identifier][2]["responses"]
        status = min((code for code in responses if re.fullmatch("2[0-9]{2}", code)), default="200")
        response = self.resolve(responses.get(status) or responses["2XX"])
        headers = {
            name: str(example(self, self.resolve(header)["schema"]))
            for name, header in response.get("headers", {}).items()
        }
        content = response.get("content", {}).get("application/json")
        return Answer(
            int(status), None if content is None else example(self, content["schema"]), b"", headers
        )


def _plain(schema: Json, text: str) -> Any:
    """The JSON value of a text in a query."""
    try:
        return json.loads(text) if schema.get("type") in ("integer", "number", "boolean") else text
    except ValueError:
        return text


def example(document: Document, schema: Json, place: str = "$", above: tuple[str, ...] = ()) -> Any:
    """A value that fits the schema, always the same one for the same place.

    Identifiers have 20 digits and pass 2^63; what may be null is null in every second place or so.
    """
    if reference := schema.get("$ref"):
        if reference in above:
            return {}
        return example(document, document.resolve(schema), place, (*above, reference))
    name, number = place.rpartition(".")[2], crc32(place.encode())
    if "examples" in schema:
        return schema["examples"][0]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return example(document, schema["anyOf"][0], place, above)
    kinds = schema.get("type", "object")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if "null" in kinds and number % 2:
        return None
    match kinds[0]:
        case "object":
            inner = schema.get("additionalProperties")
            if isinstance(inner, dict):
                keys = document.resolve(schema.get("propertyNames", {}))
                key = keys.get("enum", [str(10**19 + number)])[0]
                return {key: example(document, inner, f"{place}.{key}", above)}
            return {
                key: example(document, value, f"{place}.{key}", above)
                for key, value in schema.get("properties", {}).items()
            }
        case "array":
            looped = schema["items"].get("$ref") in above
            return [] if looped else [example(document, schema["items"], place, above)]
        case "boolean":
            return number % 3 > 0
        case "integer":
            return max(schema.get("minimum", 0), number % (schema.get("maximum", 999) + 1))
        case "number":
            return number % 1000 / 8
    if schema.get("format") == "date-time":
        return f"2026-12-{number % 28 + 1:02}T09:00:00Z"
    if "pattern" in schema or re.search(r"(^|_)ids?$|Ids$", name):
        return str(10**19 + number)
    if re.search(r"url|link|avatar|thumbnail|preview", name):
        return f"https://files.invalid/{name}/{number % 1000}"
    return f"{name} {number % 1000}"
