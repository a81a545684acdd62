"""A document as one model: its objects, its operations with their words, references and schemas."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import quote

from pipeline.openapi import extensions, references
from pipeline.openapi.circles import Circles, circles
from pipeline.openapi.documents import Document, Pointer, lookup
from pipeline.openapi.extensions import OperationWords
from pipeline.openapi.media_types import FORMS, bare, is_json, is_stream, is_text, successes
from pipeline.openapi.objects import (
    ADDITIONAL,
    ANNOTATIONS,
    METHODS,
    Node,
    as_dict,
    as_list,
    constrains,
    reached,
    walk,
)
from pipeline.openapi.servers import own_servers

_OF_EVENTS: Final = frozenset({"data", "event", "id", "retry"})
_IGNORED: Final = ("accept", "content-type", "authorization")
_FRAMING: Final = ("content-length", "transfer-encoding")
TOKEN: Final = re.compile(r"[-!#$%&'*+.^_`|~0-9A-Za-z]+")  # RFC 9110 §5.6.2
PATH_NAME: Final = re.compile(r"\{([^{}]*)\}")
# Control characters, breaks of lines, and a % that encodes nothing (RFC 3986 §2.4); of other
# characters, the HTTP library takes care.
_UNSENDABLE: Final = re.compile(
    r"(\{[^{}]*\})|[\x00-\x1f\\\x7f-\x9f\u2028\u2029]|%(?![0-9A-Fa-f]{2})"
)
_OF_PLAIN_OBJECTS: Final = {"type", "properties", "required", "allOf", *ANNOTATIONS}

Form = Literal["json", "form", "text", "bytes", "none"]
"""How a body is written and read."""


def why_ignored(parameter: Any) -> str:
    """Return why a parameter, a header, is not sent; empty for all others."""
    given = as_dict(parameter)
    name = str(given.get("name"))
    if given.get("in") != "header":
        return ""
    if name.lower() in _IGNORED:
        return "OpenAPI describes this header elsewhere"
    if name.lower() in _FRAMING:
        return "the client sets this header, by the body that it sends"
    can_be = TOKEN.fullmatch(name) or given.get("required") is True
    return "" if can_be else "no header can have this name"


@dataclass(frozen=True)
class Schema:
    """A schema, or what stands in the place of one, and where it is."""

    pointer: Pointer
    value: Any


@dataclass(frozen=True)
class BodyChoice:
    """One body that a document offers: its media type, its form and its schema."""

    media_type: str
    form: Form
    schema: Schema


@dataclass(frozen=True)
class Operation:
    """An operation of a path, with the parameters of both, references followed.

    Its servers are none where they are those of its document, None if they are not known.
    """

    path: str
    path_pointer: Pointer
    method: str
    pointer: Pointer
    value: dict[str, Any]
    parameters: list[Node]
    servers: tuple[dict[str, Any], ...] | None

    @property
    def route(self) -> str:
        """Return its method and path: `GET /books`."""
        return f"{self.method.upper()} {self.path}"

    @property
    def responses(self) -> dict[str, Any]:
        """Return its responses by status, without what extensions say beside them."""
        responses = as_dict(self.value.get("responses"))
        return {status: responses[status] for status in responses if not status.startswith("x-")}

    def sent_in(self, place: str) -> dict[str, Node]:
        """Return its parameters of one place, such as `query`, by their names."""
        own = (node for node in self.parameters if node.value.get("in") == place)
        return {str(node.value.get("name")): node for node in own}

    @property
    def path_names(self) -> dict[str, None]:
        """Return the names of the parameters in its path, each once."""
        return dict.fromkeys(PATH_NAME.findall(self.sent_path))

    @property
    def sent_path(self) -> str:
        """Return its path as it is sent: without a fragment, which only tells two apart."""
        return sent(self.path)

    @property
    def title(self) -> str:
        """Return its id, or what else to call it."""
        name = self.value.get("operationId")
        return name if isinstance(name, str) else self.route

    @functools.cached_property
    def words(self) -> OperationWords:
        """The words of the operation that have their shape."""
        return extensions.read(OperationWords, self.value)


def sent(path: str) -> str:
    """Return a path as it is sent: without a fragment, and with what no address holds encoded.

    Names of parameters stay as they are.
    """
    return _UNSENDABLE.sub(lambda each: each[1] or quote(each[0]), path.partition("#")[0])


def methods(pointer: Pointer, item: Any) -> Iterator[tuple[str, Pointer]]:
    """Yield the methods that a path item names, with the pointers of their operations."""
    for method in METHODS:
        if method in as_dict(item):
            yield method, (*pointer, method)
    for method in as_dict(as_dict(item).get(ADDITIONAL)):
        yield method, (*pointer, ADDITIONAL, method)


def _is_of_object(schema: dict[str, Any]) -> bool:
    return bool(schema.get("properties") or schema.get("required"))


def _is_plain_object(schema: Any) -> bool:
    """Return whether a schema is an object that has members, or extends others, and no more."""
    if not isinstance(schema, dict) or schema.get("type", "object") != "object":
        return False
    has_members = isinstance(schema.get("properties"), dict) or "allOf" in schema
    return has_members and all(each in _OF_PLAIN_OBJECTS or each[:2] == "x-" for each in schema)


class DocumentModel:
    """A bundled document, right or wrong, and the questions that are asked of it."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.data = document.data
        self._described: dict[Pointer, tuple[Any, dict[Pointer, dict[str, Any]]]] = {}

    @functools.cached_property
    def nodes(self) -> list[Node]:
        """All objects of the document, those around others first."""
        return list(walk("document", (), self.data))

    @functools.cached_property
    def kinds(self) -> dict[Pointer, str]:
        """The kind of the object at each pointer."""
        return {node.pointer: node.kind for node in self.nodes}

    def of(self, *kinds: str) -> Iterator[Node]:
        """Yield the objects of these kinds, references among them; booleans are none."""
        for node in self.nodes:
            if node.kind in kinds and isinstance(node.value, dict):
                yield node

    def get(self, pointer: Pointer) -> Any:
        """Return the value at a pointer that leads to one."""
        return lookup(self.data, pointer)

    # References

    def target(self, reference: Any) -> Pointer | None:
        """Return the pointer that a local reference means; None if it leads nowhere."""
        return references.target(self.data, reference)

    def follow(self, pointer: Pointer, value: Any) -> tuple[Pointer, Any]:
        """Follow references to what they mean; an empty object stands for what they miss."""
        return references.followed(self.data, value, pointer)

    @functools.cached_property
    def ends(self) -> dict[Pointer, Pointer | None]:
        """What each reference means at last: itself where it leads back to itself, else no
        reference; None where it leads nowhere, or to one that leads back to itself."""
        ends: dict[Pointer, Pointer | None] = {}
        for node in self.nodes:
            at: Pointer | None = node.pointer
            passed: dict[Pointer, None] = {}
            while at is not None and at not in ends and at not in passed:
                value = self.get(at)
                if not isinstance(value, dict) or "$ref" not in value:
                    break
                passed[at] = None
                at = self.target(value["$ref"])
            if at in passed:
                way = [*passed]
                around = way[way.index(at) :]
                ends |= dict.fromkeys(passed) | {each: each for each in around}
            elif passed:
                end = ends.get(at, at) if at is not None else None
                ends |= dict.fromkeys(passed, None if end is not None and ends.get(end) else end)
        return ends

    def references(self, value: Any) -> set[Pointer]:
        """Return the components, or paths, that a value refers to, also by a mapping."""
        referred: set[Pointer] = set()
        waiting = [value]
        while waiting:
            node = waiting.pop()
            if isinstance(node, dict):
                waiting += node.values()
                named = as_dict(as_dict(node.get("discriminator")).get("mapping")).values()
                referred |= {(self.target(name) or ())[:3] for name in (node.get("$ref"), *named)}
            elif isinstance(node, list):
                waiting += node
        return referred - {()}

    def components(self, value: Any) -> frozenset[Pointer]:
        """Return the components that a value refers to, directly or not."""
        referred = reached(self.references(value), lambda at: self.references(self.get(at)))
        return frozenset(referred)

    # Schemas

    def applied(
        self, pointer: Pointer, schema: Any, *through: Literal["anyOf", "oneOf"]
    ) -> Iterator[tuple[Pointer, dict[str, Any]]]:
        """Yield a schema and all that hold with it, by way of `$ref` and `allOf`, each once.

        Keywords in `through` add what holds in one of several cases only.
        """
        seen = set()
        waiting = [(pointer, schema)]
        while waiting:
            at, value = waiting.pop()
            if at in seen or not isinstance(value, dict):
                continue
            seen.add(at)
            yield at, value
            waiting += reversed(self._inner(at, value, *through))

    def _inner(
        self, pointer: Pointer, schema: dict[str, Any], *through: str
    ) -> list[tuple[Pointer, Any]]:
        """Return the schemas that hold with one, by its `allOf` and its `$ref`."""
        inner = [
            ((*pointer, key, index), item)
            for key in ("allOf", *through)
            for index, item in enumerate(as_list(schema.get(key)))
        ]
        if "$ref" in schema and (target := self.target(schema["$ref"])) is not None:
            inner.append((target, self.get(target)))
        return inner

    def _of_objects(self, pointer: Pointer, schema: Any) -> dict[Pointer, dict[str, Any]]:
        """Return those of `applied` that have properties or demand some; read once a document."""
        if not isinstance(schema, dict):
            return {}
        waiting, around = [(pointer, schema)], set[Pointer]()
        while waiting:
            at, value = waiting[-1]
            inner = [each for each in self._inner(at, value) if isinstance(each[1], dict)]
            new = [each for each in inner if self._described.get(each[0], (0,))[0] is not each[1]]
            if new and at in around:  # it holds with itself
                applied = self.applied(pointer, schema)
                return {at: part for at, part in applied if _is_of_object(part)}
            around.add(at)
            waiting += reversed(new)
            if not new:
                own = {at: value} if _is_of_object(value) else {}
                parts = [each for each in (own, *(self._described[e][1] for e, _ in inner)) if each]
                one = parts[0] if len(parts) == 1 else {k: v for p in parts for k, v in p.items()}
                self._described[at] = value, one
                waiting.pop()
        return self._described[pointer][1]

    @functools.cached_property
    def circles(self) -> Circles:
        """Where schemas extend what leads back to them."""
        return circles(self.of("schema"), self.target)

    @functools.cached_property
    def links(self) -> frozenset[Pointer]:
        """The components that one other object extends, and that nothing else refers to.

        All that they have is its own, and no value is one of them, also by no discriminator.
        """
        extending: dict[Pointer, list[Pointer]] = {}
        referred: set[Pointer] = set()
        discriminated: list[Pointer] = []
        for node in self.of("schema"):
            at, value = node.pointer, node.value
            target = self.target(value["$ref"]) if "$ref" in value else None
            if target and at[-2:-1] == ("allOf",):
                extending.setdefault(target, []).append(at[:3])
                if not self._extends(at, value):
                    referred.add(target[:3])
            elif target:
                referred.add(target[:3])
            if "discriminator" in value:
                discriminated.append(at[:3])
                named = as_dict(as_dict(value["discriminator"]).get("mapping")).values()
                referred |= {(self.target(each) or ())[:3] for each in named}
        while discriminated:
            at = discriminated.pop()
            referred.add(at)
            discriminated += extending.pop(at, ())
        whole = {
            at: by[0]
            for at, by in extending.items()
            if at[:2] == ("components", "schemas") and len(at) == 3
            if len(by) == 1 and at not in referred and _is_plain_object(self.get(at))
        }
        links: set[Pointer] = set()
        for at in whole:
            way: dict[Pointer, None] = {}
            while at in whole and at not in links and at not in way:
                way[at] = None
                at = whole[at]
            if at not in way:  # else they extend one another, and nothing else
                links.update(way)
        return frozenset(links)

    def _extends(self, pointer: Pointer, value: dict[str, Any]) -> bool:
        """Return whether a reference in an `allOf` is one part of an object, and not all of it."""
        around = self.get(pointer[:-2])
        if value.keys() != {"$ref"} or not _is_plain_object(around):
            return False
        return _is_of_object(around) or sum(map(constrains, around["allOf"])) > 1

    def is_part(self, pointer: Pointer) -> bool:
        """Return whether all that a schema has stands in one other, which extends it."""
        return pointer in self.links or pointer[-2:-1] == ("allOf",)

    def holds_itself(self, pointer: Pointer, schema: dict[str, Any]) -> bool:
        """Return whether a schema applies itself, through `allOf` or `$ref`."""
        self._of_objects(pointer, schema)
        return self._described.get(pointer, (0,))[0] is not schema and any(
            "$ref" in part and self.target(part["$ref"]) == pointer
            for _, part in self.applied(pointer, schema)
        )

    def types(self, pointer: Pointer, schema: Any) -> set[str]:
        """Return the JSON types that a schema names; empty if it names none."""
        types: set[str] = set()
        for _, part in self.applied(pointer, schema, "anyOf", "oneOf"):
            named = part.get("type")
            types |= {name for name in as_list(named) if isinstance(name, str)}
            if isinstance(named, str):
                types.add(named)
            elif named is None and ("properties" in part or "additionalProperties" in part):
                types.add("object")
        return types

    def properties(self, pointer: Pointer, schema: Any) -> dict[str, tuple[Pointer, Any]]:
        """Return the properties of a schema, those through `$ref` and `allOf` among them."""
        return {
            name: ((*at, "properties", name), value)
            for at, part in self._of_objects(pointer, schema).items()
            for name, value in as_dict(part.get("properties")).items()
        }

    def required(self, pointer: Pointer, schema: Any) -> set[str]:
        """Return the properties that a schema demands."""
        return {
            name
            for part in self._of_objects(pointer, schema).values()
            for name in as_list(part.get("required"))
            if isinstance(name, str)
        }

    def without_null(self, schema: Schema) -> Schema:
        """Return what a schema is where it is not null: the one alternative beside null."""
        at, value = self.follow(schema.pointer, schema.value)
        seen: set[Pointer] = set()
        while isinstance(value, dict) and at not in seen and "properties" not in value:
            seen.add(at)
            others = [each for each in branches(at, value) if each[1] != {"type": "null"}]
            if len(others) != 1:
                break
            at, value = self.follow(*others[0])
        return Schema(at, value)

    def members(self, schema: Schema | None) -> dict[str, Schema]:
        """Return the properties of what is an object where it is not null; none of others."""
        if schema is None:
            return {}
        non_null = self.without_null(schema)
        properties = self.properties(non_null.pointer, non_null.value)
        return {name: Schema(*each) for name, each in properties.items()}

    def items(self, schema: Schema | None, *words: str) -> Schema | None:
        """Return the schema of the items of an array; None of others.

        With `words`, that of what stands under one of these.
        """
        if schema is None:
            return None
        non_null = self.without_null(schema)
        for at, part in self.applied(non_null.pointer, non_null.value):
            for word in words or ("items",):
                if isinstance(part.get(word), dict):
                    return Schema((*at, word), part[word])
        return None

    # Operations

    @functools.cached_property
    def operations(self) -> list[Operation]:
        """The operations of all paths."""
        operations = []
        for path, item in as_dict(as_dict(self.data).get("paths")).items():
            if path.startswith("x-"):
                continue
            at, value = self.follow(("paths", path), item)
            for method, pointer in methods(at, value):
                operation = self.get(pointer)
                if isinstance(operation, dict):
                    listed = [*self._parameters(at, value), *self._parameters(pointer, operation)]
                    # One of the operation takes the place of the path's with its name.
                    parameters = {
                        (str(node.value.get("name")), str(node.value.get("in"))): node
                        for node in listed
                        if not why_ignored(node.value)
                    }
                    entry = list(parameters.values())
                    servers = own_servers(self.data, value, operation)
                    operations.append(
                        Operation(path, ("paths", path), method, pointer, operation, entry, servers)
                    )
        return operations

    def _parameters(self, pointer: Pointer, value: Any) -> Iterator[Node]:
        """Yield the parameters listed by an operation or a path item, references followed.

        One without a name or a place is none: no request can carry it.
        """
        for index, item in enumerate(as_list(as_dict(value).get("parameters"))):
            at, parameter = self.follow((*pointer, "parameters", index), item)
            if all(
                as_dict(parameter).get(word) and isinstance(parameter[word], str)
                for word in ("name", "in")
            ):
                yield Node("parameter", at, parameter)

    def request_body(self, operation: Operation) -> tuple[Pointer, Any]:
        """Return the body of a request, references followed."""
        at = (*operation.pointer, "requestBody")
        return self.follow(at, operation.value.get("requestBody"))

    def successes(self, operation: Operation) -> Iterator[tuple[Pointer, Any]]:
        """Yield the responses with success, references followed."""
        responses = operation.responses
        for status in successes(responses):
            yield self.follow((*operation.pointer, "responses", status), responses[status])

    def bodies(self, operation: Operation) -> list[BodyChoice]:
        """Return what a request body may be, the media types with fields first."""
        at, body = self.request_body(operation)
        content = as_dict(as_dict(body).get("content"))
        return [self.offered(at, name, content[name]) for name in sorted(content, key=_rank)]

    def offered(self, pointer: Pointer, media_type: str, media: Any) -> BodyChoice:
        """Return a body of a media type, of the request or response at a pointer."""
        place: Pointer = (*pointer, "content", media_type, "schema")
        schema = Schema(place, as_dict(media).get("schema", {}))
        name = bare(media_type)
        if is_json(name):
            return BodyChoice(media_type, "json", schema)
        if "*" in name and self.types(place, schema.value) - {"string", "null"}:
            return BodyChoice("application/json", "json", schema)
        if self.has_fields(place[:-1]):
            return BodyChoice(media_type, "form", schema)
        if is_text(name):
            return BodyChoice(media_type, "text", Schema(place, {"type": "string"}))
        return BodyChoice(
            media_type, "bytes", Schema(place, {"type": "string", "format": "binary"})
        )

    def has_fields(self, pointer: Pointer) -> bool:
        """Return whether the body of a media type is data with fields, and not text or bytes.

        That of parts is, where it is sent: any `multipart/*` of an object.
        """
        name = bare(str(pointer[-1]))
        if is_json(name) or name in FORMS:
            return True
        if not name.startswith("multipart/") or self.kinds.get(pointer[:-2]) != "request body":
            return False
        at = (*pointer, "schema")
        schema = as_dict(self.get(pointer)).get("schema")
        return self.types(at, schema) == {"object"} and bool(self.properties(at, schema))

    def body(self, operation: Operation) -> Schema:
        """Return the schema of a request body with fields; its value is None where it has none."""
        offered = [each.schema for each in self.bodies(operation) if each.form in ("json", "form")]
        return offered[0] if offered else Schema((*operation.pointer, "requestBody"), None)

    def response(self, operation: Operation) -> Schema | None:
        """Return the schema of the JSON that comes with success; None where none does."""
        responses = (self.json(*each) for each in self.successes(operation))
        return next((schema for schema in responses if schema is not None), None)

    def contents(self, operation: Operation) -> Iterator[tuple[Pointer, dict[str, Any]]]:
        """Yield what comes with success, as each media type; its name ends the pointer."""
        for at, response in self.successes(operation):
            for name, media in as_dict(as_dict(response).get("content")).items():
                yield (*at, "content", name), as_dict(media)

    def streams(self, operation: Operation) -> list[tuple[Pointer, dict[str, Any]]]:
        """Return those of the contents that are sequences of events, or of JSON values."""
        return [each for each in self.contents(operation) if is_stream(bare(str(each[0][-1])))]

    def data_of_events(self, pointer: Pointer, schema: Any) -> list[Schema]:
        """Return what the data of an event may be, by the schema of an event or of its data.

        An object with `data`, and with nothing but the fields that an event has, is the event.
        """
        parts = self.applied(pointer, schema)
        inner = [self.properties(*each) for part in parts for each in branches(*part)]
        own = self.properties(pointer, schema)
        levels = [own, *inner] if own else inner
        if not levels or not all(each.keys() <= _OF_EVENTS for each in levels):
            return [Schema(pointer, schema)]
        payloads = [each["data"] for each in inner if "data" in each]
        payloads = payloads or [each["data"] for each in levels[:1] if "data" in each]
        if not payloads:
            return [Schema(pointer, schema)]
        return [self._content(Schema(*each)) for each in payloads]

    def _content(self, schema: Schema) -> Schema:
        """Return what a text holds, where that is known."""
        at, value = self.follow(schema.pointer, schema.value)
        if isinstance(value, dict) and "contentSchema" in value:
            return Schema((*at, "contentSchema"), value["contentSchema"])
        return schema

    def json(self, pointer: Pointer, message: Any) -> Schema | None:
        """Return the schema of the JSON body of a request or a response."""
        for kind, media in as_dict(as_dict(message).get("content")).items():
            if is_json(bare(kind)) and isinstance(media, dict):
                return Schema((*pointer, "content", kind, "schema"), media.get("schema", {}))
        return None


def branches(at: Pointer, schema: dict[str, Any]) -> Iterator[tuple[Pointer, Any]]:
    """Yield the cases of which a schema allows any, each with its place."""
    for word in ("anyOf", "oneOf"):
        for index, branch in enumerate(as_list(schema.get(word))):
            yield (*at, word, index), branch


def _rank(media_type: str) -> int:
    """Return where a media type stands among those that a request may have."""
    name = bare(media_type)
    if is_stream(name):
        return 7
    if name == "application/json-patch+json":  # an array of changes, where others are the object
        return 2
    if is_json(name) and "*" not in name and not name.startswith("text/"):
        return 0 if name == "application/json" else 1
    places = {name: 3 + place for place, name in enumerate(FORMS)}
    return places.get(name, 5 if is_text(name) else 6)
