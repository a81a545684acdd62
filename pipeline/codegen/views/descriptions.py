"""Descriptions of classes, fields, arguments and operations, with limits and marks in words.

A mark shows that something is assumed, or not known, with the id of its gap.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pipeline.codegen import prose
from pipeline.codegen.code import literal
from pipeline.codegen.ir import Type
from pipeline.codegen.type_writer import without_null
from pipeline.codegen.views.view_models import OperationView, PlanView

Decided = Mapping[str, Literal["assumed", "confirmed"]]
"""Decisions on gaps that do not change the node that is marked with them."""

_STAMPS = {"x-assumed": "assumed", "x-confirmed": "confirmed", "x-gap": "open"}


@dataclass(frozen=True)
class Marks:
    """The gaps that something is marked with, sorted: filled by assumption, and left open."""

    assumed: tuple[str, ...]
    unknown: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return one sentence for each kind that there is."""
        labels = (("Assumed", self.assumed), ("Not known", self.unknown))
        return [f"{label}: {', '.join(ids)}." for label, ids in labels if ids]


def marks(nodes: Iterable[Any], decided: Decided) -> Marks:
    """Return the marks of parts of a document. What they refer to is not looked at."""
    found: dict[str, set[str]] = {"assumed": set(), "confirmed": set(), "open": set()}
    for each in _objects(list(nodes)):
        for word, kind in _STAMPS.items():
            ids = each.get(word, [])
            for gap in [ids] if isinstance(ids, str) else ids:
                found[decided.get(gap, kind) if kind == "open" else kind].add(gap)
    assumed = found["assumed"] - found["confirmed"]
    unknown = found["open"] - found["assumed"] - found["confirmed"]
    return Marks(tuple(sorted(assumed)), tuple(sorted(unknown)))


def of_class(schema: Mapping[str, Any], decided: Decided) -> list[list[str]]:
    """Return the first sections of the docstring of a class."""
    return [prose.wrap(each, 4) for each in _said_of_class(schema, decided)]


def text_of_class(schema: Mapping[str, Any], decided: Decided) -> str:
    """Return the text about a class on a page."""
    return "\n\n".join(filter(None, _said_of_class(schema, decided)))


def _said_of_class(schema: Mapping[str, Any], decided: Decided) -> tuple[str, str]:
    text = prose.sentence(schema.get("description", "")) or "Without a description."
    own = {word: schema[word] for word in _STAMPS if word in schema}
    return text, " ".join(marks([own], decided).lines())


def of_value(
    schema: Mapping[str, Any],
    type_: Type,
    decided: Decided,
    *,
    without: Collection[str] = (),
    also: str = "",
) -> str:
    """Return a field or an argument; the description of its type stands in where it has none.

    Args:
        without: the limits that are left out.
        also: what follows the limits.
    """
    bare = without_null(type_).node.schema
    shown = {word: value for word, value in {**bare, **schema}.items() if word not in without}
    parts = (
        "Deprecated." if schema.get("deprecated") is True else "",
        prose.sentence(schema.get("description") or bare.get("description", "")),
        prose.limits(shown),
        also,
        f"Left out, it is {literal(schema['default'])}." if "default" in schema else "",
        *marks([schema], decided).lines(),
    )
    return " ".join(part for part in parts if part)


def of_method(view: OperationView | PlanView) -> str:
    """Return the docstring of a method, as a literal."""
    section = f"§{view.section} of the specification: " if view.section else ""
    repeats = view.summary.rstrip(".") == view.description.strip().rstrip(".")
    sections = [
        prose.wrap(view.summary or f"{view.http}.", 8),
        [] if repeats else prose.wrap(view.description, 8),
        _arguments(view),
        _returns(view),
        _errors(view),
        prose.wrap(f"{section}{view.http}.", 8),
        *(prose.wrap(line, 8, 4) for line in Marks(view.assumed, view.unknown).lines()),
    ]
    return prose.docstring(sections, 8)


def _arguments(view: OperationView | PlanView) -> list[str]:
    items = [f"{each.name}: {each.doc}" if each.doc else each.name for each in view.arguments]
    return _section("Args:", items)


def _returns(view: OperationView | PlanView) -> list[str]:
    if view.returns_nothing:
        return []
    text = view.returns_doc or "The response of the service."
    return ["Returns:", *("    " + line for line in prose.wrap(text, 12))]


def _errors(view: OperationView | PlanView) -> list[str]:
    refused = "an argument is not what the documents allow; nothing was sent."
    own = dict(view.raises)
    first = own.pop("ArgumentError", refused)
    items = [
        *([f"ArgumentError: {first}"] if view.arguments else []),
        *(f"{error.name}: status {error.status}. {error.doc}" for error in view.errors),
        "StatusError: any other status outside 200 to 299.",
        *(f"{name}: {reason}" for name, reason in own.items()),
    ]
    return _section("Raises:", items)


def _section(head: str, items: Iterable[str]) -> list[str]:
    lines = ["    " + line for item in items for line in prose.wrap(item, 12, 4)]
    return [head, *lines] if lines else []


def _objects(node: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from _objects(value)
    elif isinstance(node, list):
        for value in node:
            yield from _objects(value)
