"""What an operation answers with success: the type, and how the body becomes it."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.codegen import prose
from pipeline.codegen.ir import Answer, Operation, Type
from pipeline.codegen.names import python_name
from pipeline.codegen.type_writer import literal, nullable
from pipeline.codegen.views.catalog import Catalog
from pipeline.openapi.media_types import bare, is_json


@dataclass(frozen=True)
class AnswerView:
    """The answer of an operation.

    Attributes:
        returns: what a caller gets, as code; `None` where no body is documented.
        doc: the description of the success.
        prepare: keyword arguments of `prepare`, each with its code.
    """

    returns: str
    doc: str
    prepare: tuple[tuple[str, str], ...]


def answer(catalog: Catalog, operation: Operation) -> AnswerView:
    """Work out the answer of an operation."""
    doc = _success_doc(operation)
    type_ = operation.answer.type
    if type_ is None:
        return AnswerView("None", doc, (("returns", "None"),))
    decoded = ("returns", _decoded(catalog, operation.answer, type_))
    wire = type_.node.words.keyed_by
    if wire is None:
        return AnswerView(decoded[1], doc, (decoded,))
    mapping, key = _keyed(catalog, type_, wire)
    return AnswerView(mapping, doc, (decoded, ("keyed_by", literal(key))))


def _success_doc(operation: Operation) -> str:
    for status, response in sorted(operation.responses.items()):
        if status.startswith("2"):
            return prose.sentence(" ".join(response.get("description", "").split()))
    return ""


def _decoded(catalog: Catalog, found: Answer, type_: Type) -> str:
    """The type that the body is decoded to."""
    media_type = bare(found.media_type)
    if not is_json(media_type):
        return "str" if media_type.startswith("text/") else "bytes"
    code = catalog.writer.answer(type_)
    if nullable(type_) and code != "Any" and "None" not in code:
        code += " | None"
    return code


def _keyed(catalog: Catalog, type_: Type, wire: str) -> tuple[str, str]:
    """Return the mapping that a list or a map becomes, and the field that is its key."""
    items = {item.kind: item for item in type_.items}
    model = catalog.models[items["list"].items[0].node.component]
    (field,) = (each for each in model.fields if each.wire == wire)
    return catalog.writer.answer(items["map"]), python_name(field.node.schema, wire)
