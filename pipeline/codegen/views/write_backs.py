"""How what is read becomes the arguments of a write: `x-read-from`, `x-written-ignores`.

A constant of this is written where a word asks for it: `x-arguments-of`, `x-read-modify-write`,
`x-reconcile`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.codegen import code as py
from pipeline.codegen import names, prose
from pipeline.codegen.code import Code, literal, mapping, model, own
from pipeline.codegen.ir import Field, Model, Type
from pipeline.codegen.names import python_name
from pipeline.codegen.type_writer import without_null
from pipeline.codegen.views.catalog import Catalog, fields
from pipeline.codegen.views.lookup import Lookup, Made
from pipeline.codegen.views.view_models import ArgumentsView, WriteBackView
from pipeline.openapi.extensions import ArgumentsOf, ReadFrom, ReadModifyWrite

_DEPTH = 8  # objects inside objects; those that hold themselves end somewhere


def constant(lookup: Lookup, made: Made) -> Code:
    """Return the constant for the body of an operation."""
    return own(_name(lookup.catalog, _written(lookup, made)))


def write_back(lookup: Lookup, made: Made) -> WriteBackView | None:
    """Return the constant that an operation needs; None where no word asks for one."""
    if made.operation.words.read_back is None:
        return None
    catalog = lookup.catalog
    written, read = _written(lookup, made), _read_model(lookup, made)
    rules = [(literal(path), rule) for path, rule in _rules(lookup, written, read)]
    ignored = [_attribute(read, wire) for wire in written.node.words.written_ignores or ()]
    options = {}
    if ignored:
        options["ignored"] = f"frozenset({{{', '.join(map(literal, ignored))}}})"
    given = [model(catalog.writer.sent[written.name]), *([mapping(rules)] if rules else [])]
    return WriteBackView(_name(catalog, written), py.WRITE_BACK(*given, **options))


def arguments_of(lookup: Lookup, made: Made) -> ArgumentsView | None:
    """Return the static method that `x-arguments-of` asks for."""
    word = made.operation.words.arguments_of
    if word is None:
        return None
    read = _read_model(lookup, made)
    read_name = lookup.catalog.writer.read[read.name]
    parameter = names.snake(read_name)
    summary = f"The arguments of `{made.view.name}` that write what was read."
    text = (
        f"`client.{made.view.path}(…, **client.{made.view.resource}.{word.name}({parameter}))` "
        "writes it back, or onto another one. What was absent stays away; what cannot be written "
        "is left out."
    )
    doc = [
        [summary],
        prose.wrap(text, 4),
        ["Args:", *("    " + line for line in prose.wrap(f"{parameter}: what was read.", 8, 4))],
        ["Returns:", "    A dictionary of arguments; its `lost` names what got lost, and why."],
    ]
    return ArgumentsView(
        name=word.name,
        function=f"arguments_of_{made.view.name}",
        parameter=parameter,
        model=model(read_name),
        write_back=constant(lookup, made),
        docstring=prose.docstring(doc, 4),
        summary=summary,
        path=f"{made.view.resource}.{word.name}",
        writes=made.view.path,
    )


def _name(catalog: Catalog, written: Model) -> str:
    name = names.snake(catalog.writer.sent[written.name]).upper()
    return f"{name}_" if name in catalog.homes else name


def _written(lookup: Lookup, made: Made) -> Model:
    """Return the class of a body whose fields are arguments."""
    assert made.operation.body is not None  # the lint has looked
    return lookup.catalog.models[made.operation.body.type.node.component]


def _read_model(lookup: Lookup, made: Made) -> Model:
    """Return the class that is read before, or after, it is written."""
    word = made.operation.words.read_back
    if isinstance(word, ArgumentsOf):
        return lookup.catalog.models[word.model]
    assert word is not None
    name = word.read if isinstance(word, ReadModifyWrite) else word.operation
    found = lookup.model(lookup.other(made, name).operation.success.type)
    assert found is not None
    return found


def _rules(
    lookup: Lookup, written: Model, read: Model | None, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, Code]]:
    """Yield the rules of a class and of those inside it, by paths of Python names."""
    for each in fields(written, "sent"):
        name = python_name(each.node.schema, each.wire)
        word = each.node.words.read_from
        if word:
            yield ".".join([*path, name]), _rule(lookup, read, word)
        inner = lookup.model(_value(each.type))
        if inner is not None and len(path) < _DEPTH:
            source = _property(read, word.field if word else None) or _called(read, name)
            found = lookup.model(_value(source.type)) if source else None
            yield from _rules(lookup, inner, found, (*path, name))


def _value(type_: Type) -> Type:
    """Return what a list or a map holds, however deep; else the type itself."""
    bare = without_null(type_)
    return _value(bare.items[0]) if bare.kind in ("list", "map") else bare


def _rule(lookup: Lookup, read: Model | None, word: ReadFrom) -> Code:
    field = literal(_attribute(read, word.field)) if word.field else ""
    if word.lost:
        return py.LOST(literal(word.lost), **({"field": field} if field else {}))
    options = {}
    if word.pick:
        source = _property(read, word.field)
        items = lookup.model(_value(source.type)) if source else None
        options["pick"] = literal(_attribute(items, word.pick))
    for name in ("values", "numbered", "loses", "equals"):
        if (value := getattr(word, name)) is not None:
            options[name] = literal(value)
    return py.FROM(field, **options)


def _attribute(model: Model | None, wire: str) -> str:
    """Return the attribute of what is read for a property of it."""
    found = _property(model, wire)
    assert found is not None  # the lint has looked
    return python_name(found.node.schema, wire)


def _property(model: Model | None, wire: str | None) -> Field | None:
    found = fields(model, "read") if model else []
    return next((each for each in found if each.wire == wire), None)


def _called(model: Model | None, name: str) -> Field | None:
    found = fields(model, "read") if model else []
    return next((e for e in found if python_name(e.node.schema, e.wire) == name), None)
