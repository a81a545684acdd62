"""Views of successful responses: the type, and how the body becomes it."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.codegen import code as py
from pipeline.codegen import prose
from pipeline.codegen.code import Code, literal
from pipeline.codegen.ir import Operation, Type
from pipeline.codegen.names import python_name
from pipeline.codegen.views.catalog import Catalog
from pipeline.openapi.media_types import bare, is_json


@dataclass(frozen=True)
class ResponseView:
    """The success of an operation.

    Attributes:
        returns: what a caller gets; None where no body is documented.
        doc: the description of the success.
        prepare: keyword arguments of `prepare`.
    """

    returns: Code
    doc: str
    prepare: tuple[tuple[str, Code], ...]


def response(catalog: Catalog, operation: Operation) -> ResponseView:
    """Work out what an operation returns."""
    doc = _doc(operation)
    type_ = operation.success.type
    if type_ is None:
        return ResponseView(py.NONE, doc, (("returns", py.NONE),))
    decoded, value = _decoded(catalog, operation.success.media_type, type_)
    wire = type_.node.words.keyed_by
    if wire is None:
        return ResponseView(decoded, doc, (("returns", value),))
    mapping, key = _keyed(catalog, type_, wire)
    return ResponseView(mapping, doc, (("returns", value), ("keyed_by", Code(literal(key)))))


def _doc(operation: Operation) -> str:
    for status, found in sorted(operation.responses.items()):
        if status.startswith("2"):
            return prose.sentence(" ".join(found.get("description", "").split()))
    return ""


def _decoded(catalog: Catalog, media_type: str, type_: Type) -> tuple[Code, Code]:
    """Return the type that the body is decoded to, for an annotation and as a value."""
    if not is_json(bare(media_type)):
        code = py.STR if media_type.startswith("text/") else py.BYTES
        return code, code
    writer = catalog.writer
    return writer.decoded(type_), writer.as_value(writer.decoded, type_)


def _keyed(catalog: Catalog, type_: Type, wire: str) -> tuple[Code, str]:
    """Return the mapping that a list or a map becomes, and the field that is its key."""
    items = {item.kind: item for item in type_.items}
    model = catalog.models[items["list"].items[0].node.component]
    (field,) = (each for each in model.fields if each.wire == wire)
    return catalog.writer.decoded(items["map"]), python_name(field.node.schema, wire)
