"""The one place that knows openapi-python-client: it parses, and we take its types over.

The package calls programmatic use internal, so its version is pinned, and tests hold on to what
is used here. It reads a normalised document (see `normalize`): each schema's description is the
address of the original, by which everything that the parser drops is found again.

https://github.com/openapi-generators/openapi-python-client
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from openapi_python_client.config import Config, ConfigFile, MetaType
from openapi_python_client.parser import GeneratorData, openapi
from openapi_python_client.parser.errors import GeneratorError
from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.parser.properties import (
    AnyProperty,
    EnumProperty,
    ModelProperty,
)
from openapi_python_client.parser.properties.boolean import BooleanProperty
from openapi_python_client.parser.properties.const import ConstProperty
from openapi_python_client.parser.properties.date import DateProperty
from openapi_python_client.parser.properties.datetime import DateTimeProperty
from openapi_python_client.parser.properties.file import FileProperty
from openapi_python_client.parser.properties.float import FloatProperty
from openapi_python_client.parser.properties.int import IntProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.none import NoneProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol
from openapi_python_client.parser.properties.string import StringProperty
from openapi_python_client.parser.properties.union import UnionProperty
from openapi_python_client.parser.properties.uuid import UuidProperty

from pipeline.codegen.ir import (
    Answer,
    Api,
    Body,
    Codes,
    Field,
    Kind,
    Model,
    Node,
    Operation,
    Parameter,
    Type,
)
from pipeline.codegen.normalize import Normalized, normalize, parameter_key
from pipeline.openapi.documents import Document, Pointer, lookup, pointer_text, resolved
from pipeline.openapi.problems import Finding, PipelineError

_KINDS: dict[type, Kind] = {
    AnyProperty: "any",
    NoneProperty: "null",
    BooleanProperty: "bool",
    IntProperty: "int",
    FloatProperty: "float",
    StringProperty: "str",
    DateTimeProperty: "datetime",
    DateProperty: "date",
    UuidProperty: "uuid",
    FileProperty: "file",
}


def parse(document: Document, source: str) -> tuple[Api, list[Finding]]:
    """Parse an effective document.

    Returns:
        The API, and notes about what is carried as any value or without its checks.

    Raises:
        PipelineError: something in the document cannot be carried; all of it is named.
    """
    normalized = normalize(document)
    config = Config.from_sources(
        ConfigFile(post_hooks=[]), MetaType.NONE, Path(), "utf-8", overwrite=False, output_path=None
    )
    try:
        with _endpoints_in_place():
            data = GeneratorData.from_dict(normalized.document, config=config)
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        # It raises bare exceptions on some documents that it does not foresee.
        detail = f"{type(error).__name__}: {error}"
        raise PipelineError(_finding(document, normalized, detail)) from error
    if isinstance(data, GeneratorError):
        raise PipelineError(_finding(document, normalized, _text(data)))
    failures = [*data.errors]
    for collection in data.endpoint_collections_by_tag.values():
        failures.extend(collection.parse_errors)
    if failures:
        raise PipelineError(*(_finding(document, normalized, _text(error)) for error in failures))
    return _Reader(document, normalized, data, source).api(), normalized.notes


@contextmanager
def _endpoints_in_place() -> Iterator[None]:
    """Let the parser go on with an endpoint as it is.

    It copies each one, with all the models that it leads to, whenever it adds to it, and throws
    away what it copied: a third of a run.
    """
    vars(openapi)["deepcopy"] = copy.copy
    try:
        yield
    finally:
        vars(openapi)["deepcopy"] = copy.deepcopy


class _Reader:
    def __init__(
        self, document: Document, normalized: Normalized, data: GeneratorData, source: str
    ) -> None:
        self.document = document
        self.normalized = normalized
        self.data = data
        self.source = source
        self.codes: dict[str, Codes] = {}

    def api(self) -> Api:
        classes = [self._node(each) for each in (*self.data.models, *self.data.enums)]
        known = {node.component for node in classes}
        parsed_models = {self._node(model).component: model for model in self.data.models}
        nodes = {node.component: node for node in self.normalized.nodes.values() if node.component}
        for name, node in nodes.items():
            if name not in known:
                raise self._lost(name, node)
            if name not in parsed_models:
                self.codes[name] = _codes(name, node)
        models = {
            name: self._model(name, node, parsed_models[name])
            for name, node in nodes.items()
            if name in parsed_models
        }
        endpoints = {
            endpoint.name: endpoint
            for collection in self.data.endpoint_collections_by_tag.values()
            for endpoint in collection.endpoints
        }
        return Api(
            source=self.source,
            raw=self.document.data,
            models=models,
            codes=self.codes,
            operations=tuple(
                self._operation(key, endpoints[key])  # type: ignore[index]  # a str of its own
                for key in self.normalized.operations
            ),
        )

    def _lost(self, what: str, node: Node) -> PipelineError:
        return PipelineError(
            Finding(
                f"{pointer_text(node.pointer)}: the parser lost {what}",
                self.document.at(node.pointer),
                "parser",
            )
        )

    def _node(self, found: PropertyProtocol) -> Node:
        description = found.description
        address = description.get_untrusted_value() if description is not None else ""
        return self.normalized.nodes.get(address, Node((), {}))

    def _type(self, found: PropertyProtocol) -> Type:
        node = self._node(found)
        if isinstance(found, ListProperty):
            return Type("list", node, (self._type(found.inner_property),))
        if isinstance(found, UnionProperty):
            return Type("union", node, tuple(map(self._type, found.inner_properties)))
        if isinstance(found, ConstProperty):
            return Type("const", node, value=node.schema.get("const"))
        if isinstance(found, (EnumProperty, ModelProperty)) and node.component:
            return Type("class", node)
        if isinstance(found, ModelProperty):
            value = found.additional_properties
            item = Type("any", node) if value is None else self._type(value)
            return Type("map", node, (item,), key=self._key(node.schema.get("propertyNames")))
        return Type(_KINDS[type(found)], node)

    def _key(self, rule: object) -> Type | None:
        """The type of the keys of a map, from its `propertyNames`."""
        if not isinstance(rule, dict):
            return None
        if "$ref" not in rule:
            return Type("str", Node((), rule))
        name = rule["$ref"].rpartition("/")[2]
        if name in self.codes:
            return Type("class", self.codes[name].node)
        schemas = self.document.data.get("components", {}).get("schemas", {})
        return Type("str", Node(("components", "schemas", name), schemas.get(name, {})))

    def _model(self, name: str, node: Node, found: ModelProperty) -> Model:
        parsed = {
            self.normalized.wires[each.name.get_untrusted_value()]: each
            for each in (*(found.required_properties or ()), *(found.optional_properties or ()))
        }
        members = self.normalized.members[name]
        for wire in members.keys() ^ parsed.keys():
            raise self._lost(f"the property {wire} of {name}", members.get(wire, node))
        return Model(
            name,
            node,
            tuple(
                Field(wire, self._type(parsed[wire]), parsed[wire].required, member)
                for wire, member in members.items()
            ),
        )

    def _operation(self, key: str, endpoint: Endpoint) -> Operation:
        path, method, pointer = self.normalized.operations[key]
        node = Node(pointer, {})
        found = {
            self.normalized.wires[each.name.get_untrusted_value()]: each
            for each in (*endpoint.path_parameters, *endpoint.query_parameters)
        }
        parameters = []
        for where, raw in self.normalized.parameters[key]:
            each = found.get(parameter_key(raw))
            if each is None:
                raise self._lost(f"the parameter {raw['name']}", Node(where, raw))
            parameters.append(
                Parameter(raw["name"], raw["in"], self._type(each), each.required, raw)
            )
        body = None
        if key in self.normalized.bodies:
            if len(endpoint.bodies) != 1:
                raise self._lost("the request body", node)
            _, media_type, raw = self.normalized.bodies[key]
            prop = endpoint.bodies[0].prop
            body = Body(media_type, self._type(prop), prop.required, raw)
        successes = list(endpoint.responses)
        if len(successes) != 1:
            raise self._lost("the response", node)
        media_type, schema = self.normalized.answers[key]
        answer = Answer(media_type, self._type(successes[0].prop) if media_type else None, schema)
        raw = lookup(self.document.data, pointer)
        responses = {
            status: resolved(self.document.data, response)
            for status, response in raw.get("responses", {}).items()
            if isinstance(response, dict)
        }
        return Operation(
            source=self.source,
            method=method.upper(),
            path=path,
            raw=raw,
            pointer=pointer,
            parameters=tuple(parameters),
            body=body,
            answer=answer,
            responses=responses,
        )


def _codes(name: str, node: Node) -> Codes:
    schema = node.schema
    closed = "enum" in schema
    values = tuple(schema["enum"] if closed else schema["x-extensible-enum"])
    return Codes(name, node, values, tuple(schema.get("x-enum-varnames", ())), not closed)


def _finding(document: Document, normalized: Normalized, detail: str) -> Finding:
    """What the parser says of a normalised document, in the names and at the place of ours."""
    pointer: Pointer = ()
    for token, node in normalized.classes.items():
        if re.search(rf"\b{token}\b", detail):
            pointer = pointer or node.pointer
            detail = re.sub(rf"\b{token}\b", node.component, detail)
    for key, (path, _, place) in normalized.operations.items():
        if re.search(rf"/{key}\b", detail):
            pointer = pointer or place
            detail = re.sub(rf"/{key}\b(/{{\w+}})*", path, detail)
    detail = re.sub(r"<[\w.]+ object at 0x\w+>", "…", detail)
    return Finding(f"the parser refuses the document: {detail}", document.at(pointer), "parser")


def _text(error: GeneratorError) -> str:
    parts = (error.header, error.detail)
    return " ".join(" ".join(str(part).split()) for part in parts if part)
