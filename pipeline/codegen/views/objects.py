"""Classes of JSON objects, for a package that reads the documents at run time."""

from __future__ import annotations

from dataclasses import replace

from pipeline.codegen import code as py
from pipeline.codegen.code import Code, literal, mapping
from pipeline.codegen.ir import Field, Model
from pipeline.codegen.type_writer import Writer, nullable, without_null
from pipeline.codegen.views import descriptions
from pipeline.codegen.views.catalog import Catalog, fields
from pipeline.codegen.views.view_models import ObjectView
from pipeline.openapi.objects import reached

_OF_MAPPINGS = {"get", "items", "keys", "values"}


def objects(catalog: Catalog) -> tuple[ObjectView, ...]:
    """Return the classes of objects that have an `id`, and of all that these hold.

    They are in the order of the documents. The others are what a response is wrapped in.
    """
    bases = {
        name: str(py.INT if codes.of_integers else py.STR) for name, codes in catalog.codes.items()
    }
    writer = replace(catalog.writer, read={**catalog.writer.read, **bases}, wide=True)
    read = {
        name: model for name, model in catalog.models.items() if catalog.is_written(model, "read")
    }

    def holds(name: str) -> list[str]:
        classes = (inner for e in fields(read[name], "read") for inner in e.type.classes)
        return [inner for inner in classes if inner in read]

    named = [name for name, model in read.items() if any(e.wire == "id" for e in model.fields)]
    held = reached(named, holds)
    return tuple(_object(catalog, writer, read[name]) for name in read if name in held)


def _object(catalog: Catalog, writer: Writer, model: Model) -> ObjectView:
    members = [each for each in catalog.class_fields(model, "read") if each.wire]
    names = {_name(each): each.wire for each in members}
    other = [(literal(name), literal(wire)) for name, wire in names.items() if name != wire]
    return ObjectView(
        name=writer.read[model.name],
        doc=descriptions.docstring(descriptions.of_class(model.node.schema)),
        wire_names=mapping(other) if other else Code(""),
        fields=tuple((_name(each), _annotation(writer, each)) for each in members),
    )


def _annotation(writer: Writer, field: Field) -> Code:
    annotation = writer.decoded(without_null(field.type))
    if annotation not in (py.ANY, py.NONE) and (nullable(field.type) or not field.required):
        annotation |= py.NONE
    return annotation


def _name(field: Field) -> str:
    name = field.name
    return f"{name}_" if name in _OF_MAPPINGS else name
