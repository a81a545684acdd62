"""The effective documents, read once: operations, names, statuses, error bodies, assumptions.

Whatever a document states or assumes is taken from it here: the name of a parameter by its gap
(`x-gap`), the status of a success or of a refusal, the members of an error body, the behaviour
that is assumed (`x-assume`). Another document with the same operations changes the sandbox with
it.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from importlib.resources.abc import Traversable
from operator import itemgetter
from typing import Any, Final
from urllib.parse import unquote

from social_publishing_sandbox.compiled import jsonschema_rs
from social_publishing_sandbox.state import demands, ids, times
from social_publishing_sandbox.state.reading import pointed
from social_publishing_sandbox.state.refusals import Reason

Json = dict[str, Any]

FOLDER: Final[Traversable] = resources.files("social_publishing_sandbox").joinpath("documents")
"""The documents that this package ships."""

_METHODS: Final = ("get", "put", "post", "delete", "patch")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an operation.

    Attributes:
        place: `path`, `query`, `header` or `cookie`.
        kind: the JSON type of its value: `string`, `integer`, `number`, `boolean` or `array`.
        item_kind: the JSON type of the entries of a list.
        delimiter: what stands between the entries of a list; None where each is a parameter.
        flags: the texts of true and of false (`query.booleans`).
        gap: the gap that its name or meaning fills, if any.
        cites: what it rests on that it is sent: an assumption, or the operation's section.
        value_cites: the same of what its value must be.
        raw: as the document has it, with what a reference points to.
    """

    name: str
    place: str
    required: bool
    kind: str
    item_kind: str
    delimiter: str | None
    flags: Sequence[str]
    gap: str | None
    cites: str
    value_cites: str
    schema: Json
    validator: jsonschema_rs.Draft202012Validator
    raw: Json


@dataclass(frozen=True, slots=True)
class DocumentedResponse:
    """A documented response: the status, and the schema of its JSON body unless it has none.

    `headers` are what the document says of its header fields; `said` is its description, and
    `is_empty` is whether it says that nothing comes.
    """

    status: int
    schema: Json | None
    headers: Mapping[str, Json] = field(default_factory=dict)
    said: str = ""
    is_empty: bool = False

    def header(self, name: str, document: Document) -> Json | None:
        """Return the schema of a header field, named in lower case; None where there is none."""
        node = next((self.headers[each] for each in self.headers if each.lower() == name), None)
        return None if node is None else document.resolve(node).get("schema", {})

    def members(self, document: Document) -> Mapping[str, Json]:
        """Return the members of the body; of the first alternative where it has several."""
        schema = document.resolve(self.schema or {})
        while "anyOf" in schema:
            schema = document.resolve(schema["anyOf"][0])
        members: Mapping[str, Json] = schema.get("properties", {})
        return members


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a document.

    Attributes:
        api: the name of its document, `main` or `media`.
        methods: the client's methods that send it, such as `posts.update`.
        segments: its path in pieces; a piece that is a parameter is its name in braces.
        default: the schema of an error's body, where the document lists no status of an error.
        section: the section of the specification that it is in, such as `§4.2`.
        body: the schema of its JSON body, if it takes one.
        members: the names that are documented in that body; none where it is no object.
        has_own_body: whether its success has another body than `2XX`, which is what is handled.
    """

    id: str
    api: str
    methods: tuple[str, ...]
    method: str
    path: str
    segments: tuple[str, ...]
    section: str
    parameters: tuple[Parameter, ...]
    body: Json | None
    body_validator: jsonschema_rs.Draft202012Validator | None
    members: frozenset[str]
    form: bool
    success: int
    has_own_body: bool
    responses: Mapping[int, DocumentedResponse]
    default: Json | None
    raw: Json
    document: Document = field(repr=False)

    def parameter(self, gap: str) -> str | None:
        """Return the name of the parameter that fills this gap."""
        return next((each.name for each in self.parameters if each.gap == gap), None)

    def can_refuse(self, reason: Reason) -> bool:
        """Return whether a documented response can give this reason."""
        usual = any(status in self.responses for status in reason.value)
        return usual or any(reason.is_said(each.said) for each in self.responses.values())

    def refusal(self, reason: Reason) -> DocumentedResponse:
        """Return the documented response for this reason, or else one of an undocumented status.

        A status that is not the usual one is known by what its description says.
        """
        usual, *others = reason.value
        near = [each for status in others for each in Reason if each.value[0] == status]
        said, nearly = (
            [
                status
                for each in some
                for status, it in self.responses.items()
                if each.is_said(it.said)
            ]
            for some in ([reason], near)
        )
        known = (each for each in (usual, *said, *others, *nearly) if each in self.responses)
        return self.error(next(known, usual))

    def error(self, status: int) -> DocumentedResponse:
        """Return the error response of this status, with the default's schema if it has no own."""
        return self.responses.get(status) or DocumentedResponse(status, self.default)


def _client_methods(raw: Json) -> Iterator[str]:
    """Yield the client's methods that send an operation, as far as its document names them.

    Its words name more than one: `x-wait` a method that sends it until a file is ready.
    """
    resource, name = raw.get("x-python-resource"), raw.get("x-python-name")
    if resource and name:
        yield f"{resource}.{name}"
        for word, value in raw.items():
            more = value.get("name") if isinstance(value, dict) and word[:2] == "x-" else None
            if more and word not in _SENDS_NOTHING:
                yield f"{resource}.{more}"


_DELIMITERS: Final = {"spaceDelimited": " ", "pipeDelimited": "|"}
_SENDS_NOTHING: Final = ("x-arguments-of",)


def _section(node: Json) -> str | None:
    return f"§{node['x-section']}" if "x-section" in node else None


def _kind(schema: Json) -> str:
    """Return the type as which the text of a parameter is read; text, where that is one of them."""
    types = schema.get("type", "string")
    several = [each for each in types if each != "null"] if isinstance(types, list) else [types]
    return "string" if "string" in several else str(several[0])


class Schemas:
    """Compiles schemas that refer to components; those are read once for all of them."""

    def __init__(self, components: Json) -> None:
        self._registry = jsonschema_rs.Registry(
            [(_COMPONENTS, {"components": components})], draft=jsonschema_rs.Draft202012
        )

    def validator(
        self, schema: Json, formats: dict[str, Callable[[str], bool]] | None = None
    ) -> jsonschema_rs.Draft202012Validator:
        """Return a compiled schema, formats included."""
        own = {"uint64": ids.is_one, "iana-timezone": times.is_zone}
        formats = {**own, **(formats or {})}
        text = json.dumps(schema).replace('"$ref": "#/', f'"$ref": "{_COMPONENTS}#/')
        return jsonschema_rs.Draft202012Validator(
            json.loads(text), registry=self._registry, validate_formats=True, formats=formats
        )


def _bounded(node: Any, bits: int | None) -> Any:
    """Return the same schemas, in which integers have so many bits, their sign included."""
    if isinstance(node, list):
        return [_bounded(each, bits) for each in node]
    if not isinstance(node, dict) or not bits:
        return node
    bounded = {name: _bounded(each, bits) for name, each in node.items()}
    types = node.get("type")
    if types == "integer" or (isinstance(types, list) and "integer" in types):
        bounded = {"minimum": -(1 << bits - 1), "maximum": (1 << bits - 1) - 1, **bounded}
    return bounded


_RATE: Final = {
    "requests": 60,
    "seconds": 60,
    "limit": "X-RateLimit-Limit",
    "remaining": "X-RateLimit-Remaining",
    "reset": "X-RateLimit-Reset",
    "wait": "Retry-After",
    "format": "seconds",
    "status": 429,
    "counts": "user",
    "begins": "request",
}
_ASSUMED_KEYWORDS: Final = ("required", "minItems", "format")
_COMPONENTS: Final = "urn:components"  # where schemas outside of the document find it


class Document:
    """One effective document.

    Args:
        name: `main` or `media`.
        fallback: assumptions in the place of those that the document leaves out.

    Attributes:
        base: the path at the end of its base address, such as `/v1` (§1, §9).
        assume: what a server is assumed to do that OpenAPI has no word for.
        rate: the rate limit (§8): `x-rate-limit`, with what it leaves out.
    """

    def __init__(self, name: str, data: Json, fallback: Mapping[str, Any] | None = None) -> None:
        self.name = name
        self.data = data
        self.base: str = re.sub(r"^https?://[^/]+", "", data["servers"][0]["url"]).rstrip("/")
        self.assume: Json = {**(fallback or {}), **data.get("x-assume", {})}
        self.rate: Json = {**_RATE, **data.get("x-rate-limit", {})}
        self._bits: int | None = self.assume.get("limits", {}).get("integerBits")
        self._schemas = Schemas(_bounded(data.get("components", {}), self._bits))
        self.operations: dict[str, Operation] = {each.id: each for each in self._operations()}
        by_shape: dict[tuple[str, ...], dict[str, Operation]] = {}
        for operation in sorted(self.operations.values(), key=lambda each: each.path.count("{")):
            shape = tuple("" if each[0] == "{" else each for each in operation.segments)
            by_shape.setdefault(shape, {})[operation.method] = operation
        self._shapes: list[tuple[int, Any, Any, dict[str, Operation]]] = []
        for shape, methods in by_shape.items():
            # The empty slice makes it a tuple, also of one piece or none.
            literals = itemgetter(*(at for at, piece in enumerate(shape) if piece), slice(0))
            self._shapes.append((len(shape), literals, literals(shape), methods))

    def is_confirmed(self, operation: str, status: int) -> bool:
        """Return whether an overlay confirmed something of a response, so that what a world has may
        be of another form.
        """
        responses = self.operations[operation].raw.get("responses", {})
        left = [responses.get(str(status)) or responses.get(f"{status // 100}XX")]
        seen = set()
        while left:
            node = left.pop()
            if isinstance(node, dict):
                if "x-confirmed" in node:
                    return True
                reference = node.get("$ref")
                if isinstance(reference, str) and reference not in seen:
                    seen.add(reference)
                    left.append(pointed(self.data, reference))
                left += node.values()
            elif isinstance(node, list):
                left += node
        return False

    def find(self, path: str, base: str) -> tuple[Mapping[str, Operation], Sequence[str]]:
        """Return the operations of a path by method, and its decoded pieces below the base.

        Args:
            path: as it was sent, with its percent-encoding.
            base: the path below which the operations are.
        """
        pieces, above = tuple(path.split("/")), tuple(base.split("/"))
        if "%" in path:
            pieces = tuple(map(unquote, pieces))
        below = pieces[len(above) :]
        if pieces[: len(above)] == above:
            for length, literals, wanted, methods in self._shapes:
                if length == len(below) and literals(below) == wanted:
                    return methods, below
        return {}, below

    def resolve(self, node: Json) -> Json:
        """Return the node itself, or what its reference points to, with its own siblings on top."""
        while "$ref" in node:
            target = pointed(self.data, node["$ref"])
            node = {**target, **{key: node[key] for key in node if key != "$ref"}}
        return node

    def cite(
        self, schema: Json, problem: jsonschema_rs.ValidationError, section: str
    ) -> tuple[str, ...]:
        """Return what a problem of a value rests on: the assumption that forbids it, or the section
        that is nearest to it, with the gap that leaves in doubt whether null or a member is wanted.

        Assumptions demand members, a least number of entries and a form; all else that is demanded
        is documented.

        Args:
            schema: the schema that the value was held against.
            section: what it rests on where the schema says nothing.
        """
        _, named, pointer = (problem.absolute_keyword_location or "").partition(f"{_COMPONENTS}#/")
        node: Any = self.data if named else schema
        *path, keyword = pointer.split("/") if named else map(str, problem.evaluation_path)
        assumed: list[str] = []
        for step in ("", *path):
            if step:
                node = node[int(step)] if isinstance(node, list) else node[step]
            if isinstance(node, dict):
                section = _section(node) or section
                assumed = node.get("x-assumed", [])
        if node.get("x-gap") == "ids.form" and ids.is_respelled(problem.instance):
            return ("ids.form",)
        if keyword in ("minimum", "maximum") and keyword not in node:
            return ("limits.integers",)
        forbids = assumed and keyword in _ASSUMED_KEYWORDS
        return tuple(
            dict.fromkeys([assumed[0] if forbids else section, *self._doubts(schema, problem)])
        )

    def _doubts(self, node: Any, problem: jsonschema_rs.ValidationError) -> Iterator[str]:
        """Yield the gaps, on the way to a problem, about null or about what must be sent."""
        about = ".required" if problem.kind.name == "required" else ".null"
        if about == ".null" and problem.instance is not None:
            return
        for step in problem.evaluation_path:
            node = self.resolve(node) if isinstance(node, dict) else node
            marked = node.get("x-gap", []) if isinstance(node, dict) else []
            yield from (
                each
                for each in ([marked] if isinstance(marked, str) else marked)
                if each.endswith(about)
            )
            node = node if step == "$ref" else node[step]

    def schema(self, name: str) -> Json:
        """Return a named schema."""
        schema: Json = self.data["components"]["schemas"][name]
        return schema

    def member(self, schema: str, name: str) -> Json:
        """Return a member of a named schema, or what its reference points to; {} for none."""
        return self.resolve(self.schema(schema).get("properties", {}).get(name, {}))

    def properties(self, schema: Json) -> frozenset[str]:
        """Return the names of the members of an object, those of the parts of it, too."""
        schema = self.resolve(schema)
        parts = (each for kind in ("allOf", "anyOf", "oneOf") for each in schema.get(kind, ()))
        return frozenset(schema.get("properties", ())).union(*map(self.properties, parts))

    def codes(self, name: str) -> dict[str, int]:
        """Return the codes of an enumeration by the names that the document gives them."""
        return self.codes_of(self.schema(name))

    def codes_of(self, node: Json) -> dict[str, int]:
        """Return the codes that a value may be by their names; nothing for one without codes."""
        node = self.resolve(node)
        return {
            name: code
            for branch in map(self.resolve, node.get("anyOf", [node]))
            if branch.get("type") == "integer" and "x-enum-varnames" in branch
            for name, code in zip(branch["x-enum-varnames"], branch["enum"], strict=True)
        }

    def validator(self, schema: Json) -> jsonschema_rs.Draft202012Validator:
        """Return a compiled schema of this document for what is sent, formats included.

        A date-time must be one that Python knows: no leap second, no year 0. An integer must fit
        into as many bits as is assumed (`limits.integers`).
        """
        schema = _bounded(schema, self._bits)
        return self._schemas.validator(schema, {"date-time": times.is_moment})

    def _operations(self) -> Iterator[Operation]:
        for path, item in self.data["paths"].items():
            item = self.resolve(item)
            for method in _METHODS:
                if method in item:
                    yield self._operation(method, path, item[method], item.get("parameters", []))

    def _operation(self, method: str, path: str, raw: Json, shared: list[Json]) -> Operation:
        body, form = None, False
        for media_type, content in (
            self.resolve(raw.get("requestBody", {})).get("content", {}).items()
        ):
            if media_type == "application/json":
                body = content["schema"]
            form = form or media_type == "multipart/form-data"
        responses = {
            int(status): DocumentedResponse(
                int(status),
                self._body(response),
                (found := self.resolve(response)).get("headers", {}),
                found.get("description", "") if int(status) >= 400 else "",
                not found.get("content"),
            )
            for status, response in raw["responses"].items()
            if re.fullmatch("[0-9]{3}", status)
        }
        # Without a status of its own, a success is 200, or 204 where no body is documented.
        ranged = self._body(raw["responses"].get("2XX", {}))
        success = min((each for each in responses if each < 300), default=200 if ranged else 204)
        responses.setdefault(success, DocumentedResponse(success, ranged))
        listed = any(status >= 400 for status in responses)
        errors = {} if listed else raw["responses"].get("default", {})
        section = _section(raw) or "§4"
        # An operation's own parameter comes in the place of one that its path shares (OpenAPI).
        parameters = {
            (node["name"], node["in"]): node
            for node in map(self.resolve, (*shared, *raw.get("parameters", [])))
        }
        return Operation(
            id=raw["operationId"],
            api=self.name,
            methods=tuple(_client_methods(raw)),
            method=method.upper(),
            path=path,
            segments=tuple(path.strip("/").split("/")),
            section=section,
            parameters=tuple(self._parameter(node, section) for node in parameters.values()),
            body=body,
            body_validator=self.validator(body) if body else None,
            members=self.properties(body) if body else frozenset(),
            form=form,
            success=success,
            has_own_body="2XX" in raw["responses"] and responses[success].schema != ranged,
            responses=responses,
            default=self._body(errors),
            raw=raw,
            document=self,
        )

    def _parameter(self, raw: Json, section: str) -> Parameter:
        schema = self.resolve(raw["schema"])
        usual = "simple" if raw["in"] == "header" else "form"
        gap, style = raw.get("x-gap"), raw.get("style", usual)
        is_repeated = style == "deepObject" or raw.get("explode", style == "form")
        items = self.resolve(schema.get("items", {}))
        flags = {**schema, **items}.get("x-boolean-format", "true/false")
        return Parameter(
            name=raw["name"],
            place=raw["in"],
            required=raw.get("required", False),
            kind=_kind(schema),
            item_kind=_kind(items),
            delimiter=None if is_repeated else _DELIMITERS.get(style, ","),
            flags=flags.split("/"),
            gap=gap[0] if isinstance(gap, list) else gap,
            cites=(cites := raw["x-assumed"][0] if "x-assumed" in raw else section),
            value_cites=section if gap else cites,
            schema=schema,
            validator=self.validator(raw["schema"]),
            raw=raw,
        )

    def _body(self, response: Json) -> Json | None:
        content = self.resolve(response).get("content", {})
        schema: Json | None = content.get("application/json", {}).get("schema")
        return schema


class Contract:
    """Both documents.

    Attributes:
        operation_names: the `operationId` of every name of an operation: that itself, and those of
            the client's methods.
        digest: SHA-256 of both documents, as hexadecimal text.
    """

    def __init__(self, main: Document, media: Document, digest: str) -> None:
        self.main = main
        self.media = media
        self.operations = {**main.operations, **media.operations}
        self.operation_names = {
            name: operation.id
            for operation in self.operations.values()
            for name in (operation.id, *operation.methods)
        }
        self.digest = digest

    @property
    def documents(self) -> tuple[Document, Document]:
        """Both documents, the main API's first."""
        return self.main, self.media


def load(folder: Traversable = FOLDER) -> Contract:
    """Return the documents of a folder, `main.json` and `media.json`.

    The same content is taken apart only once in a process, the shipped one is read only once.

    What other documents than the shipped ones do not assume is assumed as in those.

    Raises:
        OSError: a document cannot be read.
        ValueError: a document is no JSON, is no OpenAPI, or lacks what the sandbox needs; the
            message names the file and the place.
    """
    return _shipped() if folder == FOLDER else _custom(str(folder), *_texts(folder))


def _texts(folder: Traversable) -> list[bytes]:
    return [folder.joinpath(f"{name}.json").read_bytes() for name in ("main", "media")]


@functools.cache
def _shipped() -> Contract:
    main, media = texts = _texts(FOLDER)
    documents = Document("main", json.loads(main)), Document("media", json.loads(media))
    return Contract(*documents, _digest(*texts))


@functools.lru_cache(maxsize=8)
def _custom(folder: str, main: bytes, media: bytes) -> Contract:
    documents = _load_custom(folder, "main", main), _load_custom(folder, "media", media)
    return Contract(*documents, _digest(main, media))


def _digest(*texts: bytes) -> str:
    return hashlib.sha256(b"\0".join(texts)).hexdigest()


def _load_custom(folder: str, name: str, text: bytes) -> Document:
    """Return a document that somebody brings, which can be anything."""
    path = os.path.join(folder, f"{name}.json")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: is not JSON: {error}") from None
    fallback = load().main if name == "main" else load().media
    try:
        demands.check(name, data, fallback.data["components"]["schemas"])
        return Document(name, data, fallback.assume)
    except (ValueError, jsonschema_rs.ValidationError) as error:
        raise ValueError(f"{path}: {getattr(error, 'message', error)}") from error
    except (AttributeError, LookupError, RecursionError, TypeError) as error:
        reason = f"it cannot be read as a document of this service: {error!r}"
        raise ValueError(f"{path}: {reason}") from error
