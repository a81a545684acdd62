"""Modules of models: classes that are read, classes that are sent, enumerations, aliases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pipeline.codegen import prose
from pipeline.codegen.ir import Codes, Field, Model, Type
from pipeline.codegen.names import python_name
from pipeline.codegen.type_writer import Imports, literal, nullable, without_null, words
from pipeline.codegen.views import descriptions
from pipeline.codegen.views.catalog import SHARED, Catalog, Direction, members
from pipeline.codegen.views.shapes import ClassView, FieldView, ModuleView

_BASES = {"read": "ResponseModel", "sent": "RequestModel"}
_OPEN = "The known values of an open set."
_RUNTIME = ("UNSET", "UnsetType", "Maybe", "Meta", "written_as", *_BASES.values())


def modules(catalog: Catalog) -> tuple[ModuleView, ...]:
    """The modules of models: the shared one, and one for each resource that has its own."""
    found: dict[str, list[ClassView]] = {}
    for view in _classes(catalog):
        found.setdefault(catalog.homes[view.name], []).append(view)
    homes = sorted(found, key=lambda home: (home != SHARED, home))
    return tuple(_module(catalog, home, found[home]) for home in homes)


def _module(catalog: Catalog, home: str, views: list[ClassView]) -> ModuleView:
    imports = Imports()
    for view in views:
        code = " ".join([view.base, *(f"{each.annotation} {each.value}" for each in view.fields)])
        imports.note(code)
        for word in words(code).intersection(_RUNTIME):
            imports.need(".._runtime.core.models", word)
        if view.kind == "codes":
            imports.need(".._runtime.core.enums", view.base)
        if any(each.value.startswith("field(") for each in view.fields):
            imports.need("msgspec", "field")
        for name in view.needs - {each.name for each in views}:
            imports.need(f".{catalog.homes[name]}", name)
    doc = "Models that several resources use." if home == SHARED else f"Models of `{home}`."
    return ModuleView(home, doc, tuple(imports.lines()), tuple(_in_order(views)))


# Classes


def _classes(catalog: Catalog) -> Iterable[ClassView]:
    for codes in catalog.codes.values():
        if catalog.writer.read[codes.name] in catalog.homes:
            yield _codes(catalog, codes)
    directions: tuple[Direction, Direction] = ("sent", "read")
    for model in catalog.models.values():
        for direction in directions:
            if catalog.is_written(model, direction):
                yield _model(catalog, model, direction)
    for name, type_ in sorted(catalog.aliases.items()):
        yield _alias(catalog, name, type_)


def _codes(catalog: Catalog, codes: Codes) -> ClassView:
    schema = codes.node.schema
    doc = descriptions.of_class(schema, catalog.decided)
    text = descriptions.text_of_class(schema, catalog.decided)
    if codes.open:
        doc.append(prose.wrap(_OPEN, 4))
        text += f" {_OPEN}"
    return ClassView(
        kind="codes",
        name=catalog.writer.read[codes.name],
        base="IntCode" if codes.of_integers else "TextCode",
        doc=prose.docstring(doc, 4),
        fields=tuple(FieldView(name, "", literal(each)) for name, each in members(codes).items()),
        text=text,
        section=_section(schema),
    )


def _alias(catalog: Catalog, name: str, type_: Type) -> ClassView:
    schema = type_.node.schema
    doc = prose.first_sentence(schema.get("description", ""))
    value = catalog.writer.limited(type_)
    needs = words(value) & catalog.homes.keys()
    return ClassView(
        kind="alias",
        name=name,
        base="",
        doc=doc,
        fields=(FieldView(name, "", value, shown=value),),
        needs=frozenset(needs),
        text=doc,
        section=_section(schema),
    )


def _model(catalog: Catalog, model: Model, direction: Direction) -> ClassView:
    name = catalog.class_names(direction)[model.name]
    field = _read_field if direction == "read" else _sent_field
    fields = [field(catalog, each) for each in catalog.class_fields(model, direction)]
    doc = descriptions.of_class(model.node.schema, catalog.decided)
    attributes = [line for each in fields for line in each.doc]
    if attributes:
        doc.append(["Attributes:", *attributes])
    needs = {word for each in fields for word in words(each.annotation)} & catalog.homes.keys()
    return ClassView(
        kind=direction,
        name=name,
        base=_BASES[direction],
        doc=prose.docstring(doc, 4),
        fields=tuple(fields),
        needs=frozenset(needs - {name}),
        text=descriptions.text_of_class(model.node.schema, catalog.decided),
        section=_section(model.node.schema),
        circular=direction == "read" and model.name in catalog.circular,
    )


def _section(schema: Mapping[str, Any]) -> str:
    return str(schema.get("x-section", ""))


# Fields


def _read_field(catalog: Catalog, each: Field) -> FieldView:
    """What is read is tolerant: it may be absent or null wherever the document says so."""
    annotation = catalog.writer.answer(without_null(each.type))
    loose = not each.required or nullable(each.type)
    if loose and annotation != "Any":
        annotation = f"Maybe[{annotation}]"
    return _field(catalog, each, annotation, annotation, optional=loose)


def _sent_field(catalog: Catalog, each: Field) -> FieldView:
    """What is sent is exact: null where it is allowed, and left out where it is not required."""
    bare = without_null(each.type)
    annotation, shown = catalog.writer.checked(bare), catalog.writer.signature(bare)
    if nullable(each.type) and annotation not in ("Any", "None"):
        annotation += " | None"
        shown += " | None"
    if not each.required and annotation != "Any":
        annotation += " | UnsetType"
    return _field(catalog, each, annotation, shown, optional=not each.required)


def _field(
    catalog: Catalog, each: Field, annotation: str, shown: str, *, optional: bool
) -> FieldView:
    name = python_name(each.node.schema, each.wire)
    value = "UNSET" if optional else ""
    if name != each.wire:
        default = f"default={value}, " if value else ""
        value = f"field({default}name={literal(each.wire)})"
    text = descriptions.of_value(each.node.schema, each.type, catalog.decided)
    lines = prose.wrap(f"{name}: {text}" if text else name, 8, 4)
    return FieldView(name, annotation, value, tuple("    " + line for line in lines), shown, text)


# Order


def _in_order(views: list[ClassView]) -> list[ClassView]:
    """Classes after those that they need, else in the order of the document.

    Where classes need each other in a circle, what comes later is named in quotes.
    """
    rank = ("alias", "codes", "sent", "read")
    by_name = {view.name: view for view in sorted(views, key=lambda view: rank.index(view.kind))}
    places = {name: place for place, name in enumerate(by_name)}
    done: dict[str, ClassView] = {}
    visiting: set[str] = set()

    def visit(view: ClassView) -> None:
        if view.name in done or view.name in visiting:
            return
        visiting.add(view.name)
        for name in sorted(view.needs & by_name.keys(), key=places.__getitem__):
            visit(by_name[name])
        done[view.name] = _quoted(view, by_name.keys() - done.keys())

    for view in by_name.values():
        visit(view)
    return list(done.values())


def _quoted(view: ClassView, later: set[str]) -> ClassView:
    if view.kind not in ("read", "sent"):
        return view
    fields = (
        replace(each, annotation=json.dumps(each.annotation))
        if words(each.annotation) & later
        else each
        for each in view.fields
    )
    return replace(view, fields=tuple(fields))
