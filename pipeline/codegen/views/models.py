"""Modules of models: classes that are read, classes that are sent, enumerations, aliases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pipeline.codegen import code as py
from pipeline.codegen import prose
from pipeline.codegen.code import MODELS, Code, import_lines, literal
from pipeline.codegen.ir import Codes, Field, Model, Type
from pipeline.codegen.type_writer import nullable, sent_by_itself, without_null
from pipeline.codegen.views import descriptions
from pipeline.codegen.views.catalog import SHARED, Catalog, Direction, members
from pipeline.codegen.views.view_models import ClassView, FieldView, ModuleView

_BASES = {"read": py.RESPONSE_MODEL, "sent": py.REQUEST_MODEL}
_OPEN = "The known values of an open set."


def modules(catalog: Catalog) -> tuple[ModuleView, ...]:
    """Return the modules of models: the shared one, and one for each resource that has its own."""
    by_home: dict[str, list[ClassView]] = {}
    for view in _classes(catalog):
        by_home.setdefault(catalog.homes[view.name], []).append(view)
    homes = sorted(by_home, key=lambda home: (home != SHARED, home))
    return tuple(_module(catalog, home, by_home[home]) for home in homes)


def _module(catalog: Catalog, home: str, views: list[ClassView]) -> ModuleView:
    def module_of(name: str) -> str:
        return "" if catalog.homes[name] == home else f".{catalog.homes[name]}"

    imports = import_lines({each for view in views for each in view.imports}, module_of)
    doc = "Models that several resources use." if home == SHARED else f"Models of `{home}`."
    return ModuleView(home, doc, tuple(imports), tuple(_in_order(views)))


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
    for operation in catalog.operations:
        word = operation.words.batch
        if word is not None and word.result is not None:
            yield _outcome(catalog, word.result, word.mentioned or ())
    for name, type_ in sorted(catalog.aliases.items()):
        yield _alias(catalog, name, type_)


def _codes(catalog: Catalog, codes: Codes) -> ClassView:
    schema = codes.node.schema
    text = descriptions.of_class(schema)
    if codes.open:
        text += f"\n\n{_OPEN}"
    return ClassView(
        kind="codes",
        name=catalog.writer.read[codes.name],
        base=py.INT_CODE if codes.of_integers else py.TEXT_CODE,
        open_set=codes.open,
        doc=prose.docstring([prose.wrap(text, 4)], 4),
        fields=tuple(
            FieldView(name, Code(""), Code(literal(code))) for name, code in members(codes).items()
        ),
        text=text,
        section=_section(schema),
        marks=descriptions.marks([schema], catalog.decided),
    )


def _alias(catalog: Catalog, name: str, type_: Type) -> ClassView:
    schema = type_.node.schema
    doc = prose.first_sentence(schema.get("description", ""))
    value = catalog.writer.limited(type_)
    return ClassView(
        kind="alias",
        name=name,
        base=Code(""),
        doc=doc,
        fields=(FieldView(name, Code(""), value, shown=value),),
        text=doc,
        section=_section(schema),
    )


def _model(catalog: Catalog, model: Model, direction: Direction) -> ClassView:
    name = catalog.class_names(direction)[model.name]
    field = _read_field if direction == "read" else _sent_field
    fields = [field(catalog, each) for each in catalog.class_fields(model, direction)]
    text = descriptions.of_class(model.node.schema)
    extensible = direction == "read" and model.is_extensible
    return ClassView(
        kind=direction,
        name=name,
        base=py.EXTENSIBLE_MODEL if extensible else _BASES[direction],
        doc=prose.docstring([prose.wrap(text, 4)], 4),
        fields=tuple(fields),
        text=text,
        section=_section(model.node.schema),
        marks=descriptions.marks([model.node.schema], catalog.decided),
        circular=direction == "read" and model.name in catalog.circular,
    )


def _outcome(catalog: Catalog, name: str, mentioned: Iterable[str]) -> ClassView:
    """Return the class of what several requests give together."""
    component = catalog.models[catalog.outcomes[name]]
    base = catalog.writer.read[component.name]
    of_wire = {each.wire: each.name for each in component.fields}
    lists = ", ".join(f"`{of_wire[wire]}`" for wire in mentioned)
    text = f"One `{base}`, combined from the responses of all requests."
    said = f"Values that were sent and are in none of {lists}."
    texts, doc = py.TUPLE[py.STR, Code("...")], descriptions.docstring(said)
    field = FieldView("unmentioned", texts, Code("()"), doc, texts, texts, said)
    return ClassView(
        kind="read",
        name=name,
        base=py.model(base),
        doc=prose.docstring([[text]], 4),
        fields=(field,),
        text=text,
        section=_section(component.node.schema),
        inherited=tuple(
            _read_field(catalog, member) for member in catalog.class_fields(component, "read")
        ),
    )


def _section(schema: Mapping[str, Any]) -> str:
    return str(schema.get("x-section", ""))


# Fields


def _read_field(catalog: Catalog, field: Field) -> FieldView:
    """Return what is read: None where the document allows it to be null, or to be absent."""
    bare = catalog.writer.decoded(without_null(field.type))
    may_be_none = not field.required or nullable(field.type)
    shown = bare | py.NONE if may_be_none and bare not in (py.ANY, py.NONE) else bare
    annotation = py.PRESENT[shown] if field.required and nullable(field.type) else shown
    return _field(catalog, field, annotation, shown, bare, py.MISSING)


def _sent_field(catalog: Catalog, field: Field) -> FieldView:
    """Return what is sent: null where it is allowed, and left out where it is not required."""
    type_ = without_null(field.type)
    annotation, bare = catalog.writer.checked(type_), catalog.writer.signature(type_)
    shown = bare
    if nullable(field.type) and annotation not in (py.ANY, py.NONE):
        annotation |= py.NONE
        shown |= py.NONE
    if not field.required and annotation != py.ANY:
        annotation |= py.UNSET_TYPE
    default = Code("") if field.required else py.UNSET
    default = sent_by_itself(field.type, field.required) or default
    if field.usual is not None:
        default = Code(literal(field.usual))
    return _field(catalog, field, annotation, shown, bare, default)


def _field(
    catalog: Catalog, field: Field, annotation: Code, shown: Code, bare: Code, default: Code
) -> FieldView:
    name = field.name
    value = default
    if name != field.wire:
        value = py.FIELD(**({"default": default} if default else {}), name=literal(field.wire))
    text = descriptions.of_value(field.node.schema, field.type)
    return FieldView(name, annotation, value, descriptions.docstring(text), shown, bare, text)


# Order


def _in_order(views: list[ClassView]) -> list[ClassView]:
    """Return classes after those that they need, else in the order of the document.

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
        replace(field, annotation=Code(json.dumps(field.annotation.text), field.annotation.imports))
        if field.annotation.names_of(MODELS) & later
        else field
        for field in view.fields
    )
    return replace(view, fields=tuple(fields))
