"""What the text of an argument is read as, where it is written on a command line."""

from __future__ import annotations

from pipeline.codegen.ir import Type
from pipeline.codegen.type_writer import without_null
from pipeline.codegen.views.catalog import Catalog, members
from pipeline.codegen.views.view_models import ValueView

_KINDS = {
    "str": "text",
    "int": "integer",
    "float": "number",
    "bool": "flag",
    "datetime": "moment",
    "date": "date",
    "uuid": "text",
    "file": "file",
}


def value_of(catalog: Catalog, type_: Type) -> ValueView:
    """Return what the text of a value is read as; what has no text of its own is JSON."""
    value = without_null(type_)
    many = value.kind == "list"
    item = without_null(value.items[0]) if many and value.items else value
    codes = catalog.codes.get(item.node.component)
    kind = _KINDS.get(item.kind, "json")
    if codes:
        kind = "integer" if codes.of_integers else "text"
    elif _is_identifier(item):
        kind = "id"
    choices = {name.lower(): value for name, value in members(codes).items()} if codes else {}
    return ValueView(kind, many, value is not type_, choices)


def _is_identifier(type_: Type) -> bool:
    """Return whether a value is written as it is: digits stay a text where that is allowed."""
    if type_.kind == "union":
        return {each.kind for each in type_.items} == {"str", "int"}
    return type_.kind == "str" and type_.node.schema.get("format") == "uint64"
