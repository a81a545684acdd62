"""The first reader: what openapi-python-client reads in a document, by place.

The parser gets the document without its texts. In place of them stands, as the description of each
schema and operation, a token of its place, by which everything that comes out is found again. Where
the parser refuses something, what is around it does not come out, and `schemas` reads it alone.

The parser copies an operation several times, with all that hangs on it. So a body of JSON or of
fields stands among the components instead, the only property of a model, and is read there.

The package calls programmatic use internal, so its version is pinned, this module alone imports it,
and tests hold on to what is used here: https://github.com/openapi-generators/openapi-python-client
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pipeline.codegen.ir import Kind
from pipeline.openapi.documents import Pointer
from pipeline.openapi.media_types import is_binary
from pipeline.openapi.model import PATH_NAME, DocumentModel, Form, sent
from pipeline.openapi.objects import PATTERNED, as_dict, as_list, constrains
from pipeline.openapi.problems import Finding, PipelineError


@contextmanager
def _parts_alone(name: str) -> Iterator[None]:
    """Import modules of a package without its `__init__`, which is not imported afterwards either.

    Here that is a command with an HTTP library: half of the time and of the modules.
    """
    spec = None if name in sys.modules else importlib.util.find_spec(name)
    if spec is None:  # it is there as a whole, or not at all
        yield
        return
    package = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        # Its parts import this from it.
        package.__dict__["Config"] = importlib.import_module(f"{name}.config").Config
        yield
    finally:
        del sys.modules[name]


with _parts_alone("openapi_python_client"):
    from openapi_python_client.config import Config, ConfigFile, MetaType
    from openapi_python_client.parser import GeneratorData
    from openapi_python_client.parser.errors import GeneratorError
    from openapi_python_client.parser.openapi import Endpoint
    from openapi_python_client.parser.properties import LiteralEnumProperty, ModelProperty
    from openapi_python_client.parser.properties.const import ConstProperty
    from openapi_python_client.parser.properties.list_property import ListProperty
    from openapi_python_client.parser.properties.union import UnionProperty

_KINDS: Final[Mapping[str, Kind]] = {
    "AnyProperty": "any",
    "NoneProperty": "null",
    "BooleanProperty": "bool",
    "IntProperty": "int",
    "FloatProperty": "float",
    "StringProperty": "str",
    "DateTimeProperty": "datetime",
    "DateProperty": "date",
    "UuidProperty": "uuid",
    "FileProperty": "file",
    "ListProperty": "list",
}
_FORMS: Final[Mapping[str, Form]] = {
    "json": "json", "data": "form", "files": "form", "content": "bytes",
    "response.json()": "json", "response.text": "text", "response.content": "bytes",
}  # fmt: skip
RULE: Final = "readers"

# What the parser is given of each object; it reads nothing else, and would refuse some of it.
_GIVEN: Final[Mapping[str, frozenset[str]]] = {
    "document": frozenset({"paths", "components"}),
    "components": frozenset({"schemas", "parameters", "requestBodies", "responses"}),
    "operation": frozenset({"operationId", "tags", "parameters", "requestBody", "responses"}),
    "parameter": frozenset({"$ref", "name", "in", "required", "schema", "content"}),
    "response": frozenset({"$ref", "content"}),
    "media type": frozenset({"schema"}),
}
_HAS_PARAMETERS: Final = ("path item", "operation", "components")
_PLACES: Final = ("path", "query", "header", "cookie")
_MOST_SPELT_OUT: Final = 2_000
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)
_TEXTS: Final = frozenset({"default", "example", "examples", "externalDocs", "xml", "pattern"})
_CONFIG: Final = Config.from_sources(
    # A title alone names a class then, so that no two of them clash.
    ConfigFile(post_hooks=[], use_path_prefixes_for_title_model_names=False, literal_enums=True),
    MetaType.NONE, Path(), "utf-8", overwrite=False, output_path=None,
)  # fmt: skip


Shape = frozenset[str | Pointer]
"""What a value may be: kinds of values, constants as JSON, and the places of classes."""


@dataclass(frozen=True)
class Reading:
    """What was read of a document, by its places.

    Attributes:
        shapes: what a value of a schema may be.
        operations: the method and the path of each (`route`), by its place.
        required: whether a property has to be there, by the place of its object and its name.
        parameters: whether each is required, by the place of its operation, `in` and its name.
        bodies: how each body of a request is written and whether it has to be there, by the place
            of its operation and its media type.
        responses: how each is written, and the place of its schema, by the place of its operation
            and its status: empty where it has no body, None where that is not known.
    """

    shapes: dict[Pointer, Shape] = field(default_factory=dict)
    operations: dict[Pointer, str] = field(default_factory=dict)
    required: dict[tuple[Pointer, str], bool] = field(default_factory=dict)
    parameters: dict[tuple[Pointer, str, str], bool] = field(default_factory=dict)
    bodies: dict[tuple[Pointer, str], tuple[Form, bool]] = field(default_factory=dict)
    responses: dict[tuple[Pointer, str], tuple[Form, Pointer | None]] = field(default_factory=dict)


def constant(value: object) -> str:
    """Return one value of an enumeration as it stands in a shape."""
    return _ENCODER.encode(value)


def route(method: str, path: str) -> str:
    """Return a method and a path as both readers have them: its parameters without names."""
    return f"{method.upper()} {PATH_NAME.sub('{}', sent(path))}"


def read(model: DocumentModel) -> Reading:
    """Return what the parser reads in a document; what it refuses is missing.

    Raises:
        PipelineError: it refuses the whole document.
    """
    copy = _Copy(model)
    try:
        parsed = GeneratorData.from_dict(copy.data, config=_CONFIG)
    except Exception as error:  # of any kind: it is not made for every document that is valid
        parsed = GeneratorError(detail=f"{type(error).__name__}: {error}")
    if isinstance(parsed, GeneratorError):
        reason = " ".join((parsed.detail or parsed.header).split())
        text = f"openapi-python-client refuses the document: {reason[:200]}"
        raise PipelineError(Finding(text, model.document.at(()), RULE, pointer=()))
    return _Walk(parsed, copy, model).reading


class _Copy:
    """A document for the parser, and the places of the tokens in it."""

    def __init__(self, model: DocumentModel) -> None:
        self.places: dict[str, Pointer] = {}
        self.unions: set[Pointer] = set()  # of several types, in a list
        self._model = model
        info = {"title": "", "version": ""}
        self._bodies: dict[str, Any] = {}
        self._ends: dict[str, str] = {}  # of chains of references
        # Of 3.0, which it reads too, nothing is left; of 3.2 it would refuse the number alone.
        self.data = {**self._copied((), model.data), "openapi": "3.1.0", "info": info}
        components = {**as_dict(self.data.get("components"))}
        components["schemas"] = {
            **self._referred_first(as_dict(components.get("schemas"))), **self._bodies
        }  # fmt: skip
        self.data["components"] = components

    def _referred_first(self, schemas: dict[str, Any]) -> dict[str, Any]:
        """Return schemas in an order in which the parser need not try again: of a chain, the end.

        It writes out the alternatives that a name stands for; where they are too many, it is shown
        none of them.
        """
        ordered: dict[str, Any] = {}
        sizes: dict[str, int] = {}
        entered: set[str] = set()
        waiting = [(name, False) for name in reversed(schemas)]
        while waiting:
            name, is_left = waiting.pop()
            if is_left:
                sizes[name] = _spelt_out(schemas[name], sizes)
                ordered[name] = schemas[name] if sizes[name] <= _MOST_SPELT_OUT else {}
            elif name not in entered:
                entered.add(name)
                inner = {str(at[2]) for at in self._model.references(schemas[name]) if at[2:]}
                waiting.append((name, True))
                waiting += [(each, False) for each in sorted(inner & schemas.keys() - entered)]
        return ordered

    def _copied(self, at: Pointer, value: Any) -> Any:
        if not isinstance(value, dict | list | bool):
            return value
        if at[-1:] == ("parameters",) and self._model.kinds.get(at[:-1]) in _HAS_PARAMETERS:
            value = self._placed(at, value)
        if isinstance(value, list):
            return [self._copied((*at, index), each) for index, each in enumerate(value)]
        kind = self._model.kinds.get(at, "")
        if kind == "schema":
            return self._schema(at, value)
        if not isinstance(value, dict):
            return value
        if at == ("components", "schemas"):
            # What is only another name of one is referred to as it, and a part stands in its whole.
            value = {
                name: each
                for name, each in value.items()
                if not _alias_of(each) and (*at, name) not in self._model.links
            }
        given = _GIVEN.get(kind, value.keys())
        if kind in PATTERNED:
            given = {name for name in given if not name.startswith("x-")}
        copy = {key: self._copied((*at, key), each) for key, each in value.items() if key in given}
        if kind in ("operation", "response"):
            copy["description"] = self._token(at)
        if kind == "operation":
            copy.setdefault("responses", {})  # without, it would refuse the document
        if kind == "media type" and "schema" in copy and self._model.has_fields(at):
            token, body = self._token(at), copy["schema"]
            texts = {"title": token, "description": token}
            self._bodies[token] = {"type": "object", "properties": {"schema": body}, **texts}
            copy["schema"] = {"description": token}
        return copy

    def _placed(self, at: Pointer, parameters: Any) -> Any:
        """Return parameters whose place it knows; for another one, it would refuse the document."""
        if isinstance(parameters, dict):
            return {key: each for key, each in parameters.items() if self._is_placed((*at, key))}
        listed = enumerate(as_list(parameters))
        return [each for index, each in listed if self._is_placed((*at, index))]

    def _is_placed(self, at: Pointer) -> bool:
        end = self._model.ends.get(at, at)
        given = as_dict(self._model.get(end)) if end else {}
        return given.get("in") in _PLACES and isinstance(given.get("name"), str)

    def _schema(self, at: Pointer, schema: Any) -> dict[str, Any]:
        if not isinstance(schema, dict):
            return {} if schema else {"not": {}}
        if end := self._end(schema):
            return {"$ref": end}
        copy = {
            key: self._copied((*at, key), each)
            for key, each in schema.items()
            if key not in _TEXTS and not key.startswith("x-") and key != "allOf"
        }
        if extended := self._extended(at, schema):
            # Beside a reference, the parser would lose these.
            beside = {word: copy.pop(word) for word in ("properties", "required") if word in copy}
            copy["allOf"] = [self._copied(*each) for each in extended]
            copy["allOf"] += [beside] if beside else []
        copy["description"] = copy["title"] = self._token(at)
        if isinstance(copy.get("const"), list | dict):
            del copy["const"]  # for which it would refuse the document
        if len(as_list(copy.get("type"))) > 1:
            self.unions.add(at)
        if "x-extensible-enum" in schema and "enum" not in schema:
            copy["enum"] = schema["x-extensible-enum"]
        if "x-datetime-format" in schema:
            copy["format"] = "date-time"
        if is_binary(schema.get("contentMediaType"), schema.get("contentEncoding")):
            copy |= {"type": "string", "format": schema.get("format") or "binary"}
        return copy

    def _end(self, schema: dict[str, Any]) -> str:
        """Return the reference that a schema is at last: of a chain, the last one.

        It is empty for what is no reference, or leads back to one that was followed.
        """
        passed: dict[str, None] = {}
        reference, end = _alias_of(schema), ""
        while reference and not end and reference not in passed:
            if reference in self._ends:
                end = self._ends[reference]
                break
            passed[reference] = None
            target = self._model.target(reference)
            following = _alias_of(self._model.get(target)) if target else ""
            end = "" if following else reference
            reference = following
        self._ends |= dict.fromkeys(passed, end)
        return end

    def _extended(self, at: Pointer, schema: dict[str, Any]) -> list[tuple[Pointer, Any]]:
        """Return what a schema extends, with places: of a part that is only its own, all of it.

        The parser writes out each object of a chain anew, with all that those before it have.
        """
        extended: list[tuple[Pointer, Any]] = []
        waiting = [
            ((*at, "allOf", index), each) for index, each in enumerate(as_list(schema.get("allOf")))
        ]
        waiting.reverse()
        while waiting:
            place, part = waiting.pop()
            target = self._model.target(as_dict(part).get("$ref"))
            if target is None or target not in self._model.links:
                extended.append((place, part))
                continue
            whole = self._model.get(target)
            inner = [((*target, "allOf", n), e) for n, e in enumerate(as_list(whole.get("allOf")))]
            own = {key: each for key, each in whole.items() if key != "allOf"}
            waiting += [(target, own), *reversed(inner)]
        return extended

    def _token(self, at: Pointer) -> str:
        token = f"Place{len(self.places):07}"
        self.places[token] = at
        return token


def _spelt_out(schema: Any, sizes: Mapping[str, int]) -> int:
    """Return how many types a schema is when written out; `sizes` are those of components."""
    if not isinstance(schema, dict) or schema.get("properties"):
        return 1  # a class, by its name
    if isinstance(reference := schema.get("$ref"), str):
        return sizes.get(reference.rpartition("/")[2], 1)
    inner = [each for word in ("allOf", "anyOf", "oneOf") for each in as_list(schema.get(word))]
    return 1 + sum(_spelt_out(each, sizes) for each in (*inner, schema.get("items")))


def _alias_of(schema: Any) -> str:
    """Return the reference that a schema is: its own, or that of its only member."""
    if not isinstance(schema, dict) or schema.get("properties") or schema.get("required"):
        return ""
    words = ("allOf", "anyOf", "oneOf")
    members = [each for word in words for each in as_list(schema.get(word)) if constrains(each)]
    alone = schema if "$ref" in schema else members[0] if len(members) == 1 else None
    reference = alone.get("$ref") if isinstance(alone, dict) else None
    return reference if isinstance(reference, str) else ""


class _Walk:
    """Everything that was read, at every depth."""

    def __init__(self, parsed: GeneratorData, copy: _Copy, model: DocumentModel) -> None:
        self.reading = Reading()
        self._places = copy.places
        self._written = frozenset(copy.places.values())
        self._unions = copy.unions
        self._kinds = model.kinds
        self._parameters = {
            (operation.pointer, each.value["in"], each.value["name"]): each.pointer
            for operation in model.operations
            for each in operation.parameters
        }
        self._seen: set[Pointer] = set()
        self._models: dict[Any, Any] = {self._place(each): each for each in parsed.models}
        for each in parsed.enums:
            self._shape(each)
        for place, each in self._models.items():
            if place and self._kinds.get(place) == "media type":
                for body in each.optional_properties or ():
                    self._shape(body, place, "schema")
            else:
                self._shape(each)
        for collection in parsed.endpoint_collections_by_tag.values():
            for endpoint in collection.endpoints:
                self._endpoint(endpoint)

    def _place(self, found: Any) -> Pointer | None:
        token = found.description
        return self._places.get(token.get_untrusted_value()) if token is not None else None

    def _endpoint(self, endpoint: Endpoint) -> None:
        reading, at = self.reading, self._place(endpoint)
        assert at is not None  # every operation has a token
        reading.operations[at] = route(endpoint.method, endpoint.path.get_untrusted_value())
        for place, each in endpoint.iter_all_parameters():
            key = at, place.value, each.name.get_untrusted_value()
            self._shape(each, self._parameters.get(key), "schema")
            reading.parameters[key] = each.required
        for body in endpoint.bodies:
            media_type: Any = body.content_type  # typed as a text, which it is not
            self._content(body.prop)
            form = _FORMS[body.body_type.value]
            reading.bodies[at, media_type.get_untrusted_value()] = form, body.prop.required
        for response in endpoint.responses:
            form = _FORMS.get(response.source["attribute"], "none")
            schema = self._content(response.prop) if form != "none" else ()
            reading.responses[at, response.status_code.pattern] = form, schema

    def _content(self, found: Any) -> Pointer | None:
        """Return the place of the schema of a body, as far as it has a token of its own."""
        place = self._place(found)
        if place is not None and self._kinds.get(place) == "media type":
            return (*place, "schema")  # which stands among the components
        self._shape(found)
        return place if place is not None and place[-3:-2] == ("content",) else None

    def _shape(self, found: Any, around: Pointer | None = None, *at: str) -> Shape:
        """Note what a property is, and all inside it; return what it may be.

        It stands `at` a place below the schema `around`, if that is given.
        """
        place, shapes = self._place(found), self.reading.shapes
        is_union = isinstance(found, UnionProperty)
        if is_union:
            shape = self._union(found, place)
        elif isinstance(found, ModelProperty):
            shape = self._model(self._models.get(place, found), place)
        elif isinstance(found, ConstProperty):
            shape = Shape({constant(found.value.raw_value)})
        elif isinstance(found, LiteralEnumProperty):
            shape = Shape(map(constant, found.values))
        else:
            shape = Shape({_KINDS[type(found).__name__]})
            if isinstance(found, ListProperty):
                self._shape(found.inner_property, place, "items")
        # Of several types it is noted by its union alone: a member in it lacks the others.
        if place is not None and shape and (is_union or place not in self._unions):
            shapes[place] = shape if is_union else shapes.get(place, shape)
        if around is not None and shape and (is_union or place not in self._unions):
            below = (*around, *at)
            if self._kinds.get(below) == "schema" and below not in self._written:
                shapes[below] = shape  # a reference, which has no token of its own
        return shape

    def _union(self, found: UnionProperty, place: Pointer | None) -> Shape:
        """Return what a union may be: nothing where the parser has given up one of its members.

        It holds those of the unions inside it, too, and each of several types has one place.
        """
        members = [(self._place(each), self._shape(each)) for each in found.inner_properties]
        for at, shape in members:
            if at is not None and at != place and shape:
                same = [other for there, other in members if there == at]
                self.reading.shapes[at] = shape.union(*same)
        shapes = [shape for _, shape in members]
        return Shape().union(*shapes) if all(shapes) else Shape()

    def _model(self, found: ModelProperty, place: Pointer | None) -> Shape:
        if place is None or found.required_properties is None:
            return Shape()  # it was given up
        properties = [*found.required_properties, *(found.optional_properties or ())]
        data = found.data
        is_map = not properties and (data.properties is None or bool(data.additionalProperties))
        shape = Shape({"map" if is_map else place})
        if place in self._seen:
            return shape
        self._seen.add(place)
        for each in properties:
            name = each.name.get_untrusted_value()
            self.reading.required[place, name] = each.required
            self._shape(each, place, "properties", name)
        if found.additional_properties:
            self._shape(found.additional_properties, place, "additionalProperties")
        return shape
