"""The one place that knows openapi-python-client, which decides what every value and class is.

What goes in: a document with a class for each component, and one for each operation, whose fields
are its parameters, its request body and its success. Names are tokens and texts are left out, so
that the parser can neither misread them nor find two of them alike. Operations are classes there
because the parser copies an endpoint several times, with every model that it leads to: a document
of 1,000 operations would take five times as long.

What comes out: the kind of every type, by which the API is completed. A class, a field or a member
that does not come back as it went in is an error that names its place. Places, names, limits and
our own words, which the parser drops, are those of `reader`.

The package calls programmatic use internal, so its version is pinned, and tests hold on to what is
used here: https://github.com/openapi-generators/openapi-python-client
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from openapi_python_client.config import Config, ConfigFile, MetaType
from openapi_python_client.parser import GeneratorData
from openapi_python_client.parser.errors import GeneratorError
from openapi_python_client.parser.properties import EnumProperty, ModelProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol
from openapi_python_client.parser.properties.union import UnionProperty

from pipeline.codegen.ir import Api, Codes, Kind, Model, Operation, Success, Type
from pipeline.codegen.reader import read
from pipeline.codegen.schemas import parser_words
from pipeline.openapi.documents import Document, Pointer, pointer_text
from pipeline.openapi.problems import Finding, PipelineError

_KINDS: Mapping[str, Kind] = {
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
    "ConstProperty": "const",
    "ListProperty": "list",
    "UnionProperty": "union",
    "EnumProperty": "class",
    "ModelProperty": "class",
}


@dataclass(frozen=True)
class _Class:
    """A class for the parser: a model, or what an operation sends and returns.

    Attributes:
        name: what messages call it.
        fields: what messages call each, its type, and whether it is required.
    """

    token: str
    name: str
    pointer: Pointer
    fields: Sequence[tuple[str, Type, bool]]


def parse(document: Document, source: str) -> tuple[Api, list[Finding]]:
    """Parse an effective document.

    Returns:
        The API, and notes about what is carried as any value or without its checks.

    Raises:
        PipelineError: something in the document cannot be carried; all of it is named.
    """
    api, notes = read(document, source)
    exchange = _Exchange(document, api)
    config = Config.from_sources(
        ConfigFile(post_hooks=[]), MetaType.NONE, Path(), "utf-8", overwrite=False, output_path=None
    )
    try:
        data = GeneratorData.from_dict(exchange.document(), config=config)
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        # It raises bare exceptions on some documents that it does not foresee.
        raise PipelineError(exchange.refusal(f"{type(error).__name__}: {error}")) from error
    if isinstance(data, GeneratorError):
        raise PipelineError(exchange.refusal(_text(data)))
    if data.errors:
        raise PipelineError(*(exchange.refusal(_text(error)) for error in data.errors))
    return exchange.completed(data), notes


class _Exchange:
    """Input and output of the parser for one API."""

    def __init__(self, source: Document, api: Api) -> None:
        self.source = source
        self.api = api
        components: list[Codes | Model] = [*api.codes.values(), *api.models.values()]
        self.tokens = {each.name: f"Model{index}" for index, each in enumerate(components)}
        self.models = [
            _Class(self.tokens[model.name], model.name, model.node.pointer, [
                (f"the property {each.wire} of {model.name}", each.type, each.required)
                for each in model.fields
            ])
            for model in api.models.values()
        ]  # fmt: skip
        self.operations = [
            _Class(f"Operation{index}", f"{each.method} {each.path}", each.pointer, _carried(each))
            for index, each in enumerate(api.operations)
        ]

    def document(self) -> dict[str, Any]:
        """Return the document that the parser reads."""
        schemas = {self.tokens[each.name]: _enumeration(each) for each in self.api.codes.values()}
        for each in (*self.models, *self.operations):
            fields = {f"f{index}": field for index, field in enumerate(each.fields)}
            schemas[each.token] = {
                "type": "object",
                "properties": {name: self._schema(field[1]) for name, field in fields.items()},
                "required": [name for name, (_, _, required) in fields.items() if required],
            }
        info = {"title": "document", "version": "1"}
        return {"openapi": "3.1.0", "info": info, "paths": {}, "components": {"schemas": schemas}}

    def _schema(self, type_: Type) -> dict[str, Any]:
        items = [self._schema(each) for each in type_.items]
        if type_.kind == "class":
            return {"$ref": f"#/components/schemas/{self.tokens[type_.node.component]}"}
        if type_.kind == "list":
            return {"type": "array", "items": items[0]}
        if type_.kind == "map":
            return {"type": "object", "additionalProperties": items[0]}
        return {"anyOf": items} if type_.kind == "union" else parser_words(type_.node.schema)

    def completed(self, data: GeneratorData) -> Api:
        """Return the API with the kinds that the parser found.

        Raises:
            PipelineError: something did not come back as it went in.
        """
        sizes: dict[str, int] = {each.class_info.name: len(each.values) for each in data.enums}
        for codes in self.api.codes.values():
            if sizes.get(self.tokens[codes.name]) != len(set(codes.values)):
                raise self._lost(codes.name, codes.node.pointer)
        found: dict[str, ModelProperty] = {each.class_info.name: each for each in data.models}
        models = {}
        for model, sent in zip(self.api.models.values(), self.models, strict=True):
            types = zip(model.fields, self._types(sent, found), strict=True)
            fields = tuple(replace(each, type=type_) for each, type_ in types)
            models[model.name] = replace(model, fields=fields)
        operations = tuple(
            _with_types(operation, self._types(sent, found))
            for operation, sent in zip(self.api.operations, self.operations, strict=True)
        )
        return replace(self.api, models=models, operations=operations)

    def _types(self, sent: _Class, found: Mapping[str, ModelProperty]) -> list[Type]:
        """Return the types of the fields of a class, as the parser found them."""
        if sent.token not in found:
            raise self._lost(sent.name, sent.pointer)
        model = found[sent.token]
        fields = {
            each.name.get_untrusted_value(): each
            for each in (*(model.required_properties or ()), *(model.optional_properties or ()))
        }
        types = []
        for index, (what, type_, required) in enumerate(sent.fields):
            field = fields.get(f"f{index}")
            if field is None or field.required != required:
                raise self._lost(what, sent.pointer)
            types.append(self._type(type_, field))
        return types

    def _type(self, type_: Type, found: PropertyProtocol) -> Type:
        kind = _KINDS[type(found).__name__]
        name = found.class_info.name if isinstance(found, (ModelProperty, EnumProperty)) else ""
        inner: Sequence[PropertyProtocol] = ()
        if isinstance(found, ListProperty):
            inner = [found.inner_property]
        elif isinstance(found, UnionProperty):
            inner = found.inner_properties
        elif isinstance(found, ModelProperty) and found.additional_properties and type_.items:
            kind, inner = "map", [found.additional_properties]
        if (
            len(inner) != len(type_.items)
            or type_.kind not in ("unparsed", kind)
            or (kind == "class" and name != self.tokens.get(type_.node.component))
        ):
            raise self._lost(f"what stands there: it reads {kind}", type_.node.pointer)
        return replace(type_, kind=kind, items=tuple(map(self._type, type_.items, inner)))

    def refusal(self, detail: str) -> Finding:
        """Return what the parser reports, in the names and at the place of the document."""
        pointer: Pointer = ()
        codes = [
            _Class(self.tokens[each.name], each.name, each.node.pointer, ())
            for each in self.api.codes.values()
        ]
        for each in (*codes, *self.models, *self.operations):
            if re.search(rf"\b{each.token}\b", detail):
                pointer = pointer or each.pointer
                detail = re.sub(rf"\b{each.token}\b", each.name.replace("\\", r"\\"), detail)
        detail = re.sub(r"<[\w.]+ object at 0x\w+>", "…", detail)
        text = f"the parser refuses the document: {detail}"
        return Finding(text, self.source.at(pointer), "parser", pointer=pointer)

    def _lost(self, what: str, pointer: Pointer) -> PipelineError:
        text = f"{pointer_text(pointer)}: the parser lost {what}"
        return PipelineError(Finding(text, self.source.at(pointer), "parser", pointer=pointer))


def _carried(operation: Operation) -> list[tuple[str, Type, bool]]:
    """Return what an operation sends and returns, as the fields of a class."""
    found = [(f"the parameter {e.wire}", e.type, e.required) for e in operation.parameters]
    found += [("the request body", each.type, each.required) for each in operation.bodies]
    found += [("the response", type_, True) for type_ in operation.success.types]
    return found


def _with_types(operation: Operation, types: Sequence[Type]) -> Operation:
    """Return an operation with the types of what `_carried` lists."""
    left = iter(types)
    parameters = tuple(replace(each, type=next(left)) for each in operation.parameters)
    bodies = tuple(replace(each, type=next(left)) for each in operation.bodies)
    success, *others = [
        replace(each, type=each.type and next(left)) for each in operation.success.contents
    ]
    assert isinstance(success, Success)
    alternatives = tuple(
        replace(each, type=each.type and next(left)) for each in operation.success.alternatives
    )
    stream = operation.success.stream
    stream = stream and replace(stream, type=stream.type and next(left))
    success = replace(success, others=tuple(others), alternatives=alternatives, stream=stream)
    return replace(operation, parameters=parameters, bodies=bodies, success=success)


def _enumeration(codes: Codes) -> dict[str, Any]:
    values = list(dict.fromkeys(codes.values))
    kind = "integer" if codes.of_integers else "string"
    # Names of its own choice might clash: those of `+1` and `-1`.
    return {"type": kind, "enum": values, "x-enum-varnames": [f"V{i}" for i in range(len(values))]}


def _text(error: GeneratorError) -> str:
    found = (error.header, error.detail)
    return " ".join(" ".join(str(each).split()) for each in found if each)
