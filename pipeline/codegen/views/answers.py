"""What an operation answers with success: the type, and how the body becomes it."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.codegen import prose
from pipeline.codegen.ir import Answer, Operation, Type
from pipeline.codegen.names import python_name
from pipeline.codegen.type_writer import literal, nullable
from pipeline.codegen.views.catalog import Catalog
from pipeline.openapi.documents import pointer_text
from pipeline.openapi.media_types import bare, is_json
from pipeline.openapi.problems import Finding, PipelineError


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
    """Work out the answer of an operation.

    Raises:
        PipelineError: its `x-keyed-by` does not fit.
    """
    doc = _success_doc(operation)
    type_ = operation.answer.type
    if type_ is None:
        return AnswerView("None", doc, (("returns", "None"),))
    decoded = ("returns", _decoded(catalog, operation.answer, type_))
    if "x-keyed-by" not in type_.node.schema:
        return AnswerView(decoded[1], doc, (decoded,))
    mapping, key = _keyed(catalog, type_)
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


def _keyed(catalog: Catalog, type_: Type) -> tuple[str, str]:
    """The mapping that a list or a map becomes, and the field of its class that is the key."""
    place = pointer_text(type_.node.pointer)
    lists = [item for item in type_.items if item.kind == "list"]
    maps = [item for item in type_.items if item.kind == "map"]
    if not (lists and maps and lists[0].items[0].kind == "class"):
        text = f"{place}: `x-keyed-by` belongs on `anyOf` of a list and a map of one class"
        raise PipelineError(Finding(text, rule="keyed"))
    wire = type_.node.schema["x-keyed-by"]
    model = catalog.models[lists[0].items[0].node.component]
    for each in model.fields:
        if each.wire == wire:
            return catalog.writer.answer(maps[0]), python_name(each.node.schema, wire)
    text = f"{place}: `x-keyed-by: {wire}` is no property of {model.name}"
    raise PipelineError(Finding(text, rule="keyed"))
