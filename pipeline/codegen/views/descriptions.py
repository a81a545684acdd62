"""Descriptions of classes, fields, arguments and operations, with limits in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Literal

from pipeline.codegen import prose
from pipeline.codegen.code import literal
from pipeline.codegen.ir import Type
from pipeline.codegen.type_writer import without_null
from pipeline.codegen.views.view_models import Marks, OperationView, PlanView, Prefix, in_short
from pipeline.openapi.objects import as_dict, walk
from pipeline.openapi.overlay.model import MARKS

Decided = Mapping[str, Literal["assumed", "confirmed"]]
"""Decisions on gaps that do not change the node that is marked with them."""

_INDENT = 8  # of the docstring of a method
_STATES = dict(zip(MARKS, ("assumed", "confirmed", "open"), strict=True))


def marks(
    schemas: Iterable[Any], decided: Decided, operation: Mapping[str, Any] | None = None
) -> Marks:
    """Return the marks of parts of a document. What they refer to is not looked at."""
    by_state: dict[str, set[str]] = {"assumed": set(), "confirmed": set(), "open": set()}
    parts = [
        *walk("operation", (), operation),
        *(n for s in schemas for n in walk("schema", (), s)),
    ]
    for node in parts:
        for word, kind in _STATES.items():
            ids = as_dict(node.value).get(word, [])
            for gap in [ids] if isinstance(ids, str) else ids:
                by_state[decided.get(gap, kind) if kind == "open" else kind].add(gap)
    assumed = by_state["assumed"] - by_state["confirmed"]
    unknown = by_state["open"] - by_state["assumed"] - by_state["confirmed"]
    return Marks(tuple(sorted(assumed)), tuple(sorted(unknown)))


def of_class(schema: Mapping[str, Any]) -> str:
    """Return the text about a class."""
    return _sentences(schema.get("description", "")) or "Without a description."


def _sentences(text: str) -> str:
    return prose.sentence(prose.uncited(text))


def of_value(
    schema: Mapping[str, Any],
    type_: Type,
    *,
    without: Collection[str] = (),
    also: str = "",
    in_bytes: bool = False,
) -> str:
    """Return a field or an argument; the description of its type stands in where it has none.

    Args:
        in_bytes: whether its length is one in bytes, as that of a file is.
    """
    bare = without_null(type_).node.schema
    shown = {word: value for word, value in {**bare, **schema}.items() if word not in without}
    parts = (
        "Deprecated." if schema.get("deprecated") is True else "",
        _sentences(schema.get("description") or bare.get("description", "")),
        prose.limits(shown, "byte" if in_bytes else "character"),
        also,
        f"Left out, it is {literal(schema['default'])}." if "default" in schema else "",
    )
    return " ".join(part for part in parts if part)


def docstring(text: str) -> str:
    """Return the text about an attribute as its docstring, a literal; empty for no text."""
    return prose.docstring([prose.wrap(text, 7)], 4) if text else ""


def of_method(view: OperationView | PlanView, prefix: Prefix) -> str:
    """Return the docstring of the method of one of the clients, as a literal."""
    section = f" (§{view.section})" if view.section else ""
    description = prose.uncited(view.description).strip()
    repeats = view.summary.rstrip(".") == description.rstrip(".")
    assumed = " Partly assumed: see `api.md`." if view.marks.assumed else ""
    sections = [
        prose.wrap(view.summary or f"{view.http}.", _INDENT),
        [] if repeats else prose.wrap(description, _INDENT),
        _section("Args:", [f"{e.name}: {e.doc}" if e.doc else e.name for e in view.arguments]),
        _returns(view),
        _errors(view),
        _example(view, prefix),
        prose.wrap(f"{view.http}{section}.{assumed}", _INDENT),
    ]
    return prose.docstring(sections, _INDENT)


def _returns(view: OperationView | PlanView) -> list[str]:
    if view.returns_nothing:
        return []
    text = view.returns_doc or "The response of the service."
    return ["Returns:", *("    " + line for line in prose.wrap(text, _INDENT + 4))]


def _errors(view: OperationView | PlanView) -> list[str]:
    own = dict(view.raises)
    refused = own.pop("ArgumentError", "An argument is not valid; nothing was sent.")
    items = [
        *([f"ArgumentError: {refused}"] if view.arguments else []),
        *(f"{error.name}: {prose.noted(error.doc, str(error.status))}" for error in view.errors),
        "StatusError: Another status outside 200 to 299.",
        *(f"{name}: {reason}" for name, reason in own.items()),
    ]
    return _section("Raises:", items)


def _example(view: OperationView | PlanView, prefix: Prefix) -> list[str]:
    """Return a call that can be typed as it stands."""
    if view.example is None:
        return []
    short, pad = in_short(view), _INDENT + 8
    lines = short.call(f"client.{view.path}", pad).replace("\n" + " " * pad, "\n").splitlines()
    if isinstance(view, PlanView) and view.is_iterated:
        lines[0] = f"{'async ' if prefix else ''}for {view.item_name} in {lines[0]}"
        lines = [*lines[:-1], f"{lines[-1]}:", f"    print({view.printed})"]
    elif prefix:
        lines[0] = f"await {lines[0]}"
    later = ("    ", ")", "]", "}")
    shown = (
        f"    {'...' if line.startswith(later) else '>>>'} {line}"
        for line in (*short.example_imports, *lines)
    )
    return ["Example:", *shown]


def _section(head: str, items: Iterable[str]) -> list[str]:
    lines = ["    " + line for item in items for line in prose.wrap(item, _INDENT + 4, 4)]
    return [head, *lines] if lines else []
