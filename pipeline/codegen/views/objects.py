"""Classes of JSON objects, for a package that reads the documents at run time."""

from __future__ import annotations

from dataclasses import replace

from pipeline.codegen import code as py
from pipeline.codegen.code import Code, literal, mapping
from pipeline.codegen.ir import Field, Model
from pipeline.codegen.names import python_name
from pipeline.codegen.type_writer import Writer, nullable, without_null
from pipeline.codegen.views import descriptions
from pipeline.codegen.views.catalog import Catalog
from pipeline.codegen.views.view_models import FieldView, ObjectView

_OF_MAPPINGS = {"get", "items", "keys", "values"}


def objects(catalog: Catalog) -> tuple[ObjectView, ...]:
    """Return the classes of all objects that are read, in the order of the documents."""
    bases = {
        name: str(py.INT if codes.of_integers else py.STR) for name, codes in catalog.codes.items()
    }
    writer = replace(catalog.writer, read={**catalog.writer.read, **bases}, wide=True)
    return tuple(
        _object(catalog, writer, model)
        for model in catalog.models.values()
        if catalog.is_written(model, "read")
    )


def _object(catalog: Catalog, writer: Writer, model: Model) -> ObjectView:
    members = [each for each in catalog.class_fields(model, "read") if each.wire]
    names = {_name(each): each.wire for each in members}
    other = [(literal(name), literal(wire)) for name, wire in names.items() if name != wire]
    return ObjectView(
        name=writer.read[model.name],
        doc=descriptions.docstring(descriptions.of_class(model.node.schema, catalog.decided)),
        wire_names=mapping(other) if other else Code(""),
        fields=tuple(_field(catalog, writer, each) for each in members),
    )


def _field(catalog: Catalog, writer: Writer, field: Field) -> FieldView:
    annotation = writer.decoded(without_null(field.type))
    if annotation != py.ANY and (nullable(field.type) or not field.required):
        annotation |= py.NONE
    text = descriptions.of_value(field.node.schema, field.type, catalog.decided)
    return FieldView(_name(field), annotation, Code(""), descriptions.docstring(text))


def _name(field: Field) -> str:
    name = python_name(field.node.schema, field.wire)
    return f"{name}_" if name in _OF_MAPPINGS else name
