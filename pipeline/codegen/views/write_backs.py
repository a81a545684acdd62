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
from pipeline.codegen.type_writer import without_null
from pipeline.codegen.views.catalog import Catalog, fields
from pipeline.codegen.views.lookup import Lookup, Made
from pipeline.codegen.views.view_models import ArgumentsView
from pipeline.openapi.extensions import ReadFrom, Reconcile

_DEPTH = 8  # objects inside objects; those that hold themselves end somewhere


def constant(lookup: Lookup, made: Made) -> Code:
    """Return the constant for the body of an operation."""
    return own(_name(lookup.catalog, _written(lookup, made)))


def write_back(lookup: Lookup, made: Made) -> tuple[str, Code] | None:
    """Return the constant that an operation needs; None where no word asks for one."""
    if made.operation.words.read_back is None:
        return None
    catalog = lookup.catalog
    written, read = _written(lookup, made), _read_model(lookup, made)
    rules: list[tuple[str, Code]] = []
    ignored: list[str] = []
    for path, inside, source in _objects(lookup, written, read):
        rules += [
            (literal(f"{path}{field.name}"), _rule(lookup, source, word))
            for field in fields(inside, "sent")
            if (word := field.node.words.read_from)
        ]
        ignored += [path + attribute(source, e) for e in inside.node.words.written_ignores or ()]
    options = {}
    if ignored:
        options["ignored"] = f"frozenset({{{', '.join(map(literal, ignored))}}})"
    given = [model(catalog.writer.sent[written.name]), *([mapping(rules)] if rules else [])]
    return _name(catalog, written), py.WRITE_BACK(*given, **options)


def unsent(lookup: Lookup, made: Made) -> list[str]:
    """Return what is read and no argument takes, but for what no write is about."""
    written, read = _written(lookup, made), _read_model(lookup, made)
    sent = fields(written, "sent")
    taken = {word.field for each in sent if (word := each.node.words.read_from)}
    taken |= {*(written.node.words.written_ignores or ()), *(each.wire for each in sent)}
    return [each.name for each in fields(read, "read") if each.wire not in taken]


def arguments_of(lookup: Lookup, made: Made) -> ArgumentsView | None:
    """Return the static method that `x-arguments-of` asks for."""
    word = made.operation.words.arguments_of
    if word is None:
        return None
    read = _read_model(lookup, made)
    read_name = lookup.catalog.writer.read[read.name]
    parameter = names.snake(read_name)
    summary = f"Return the arguments of `{made.view.name}` that write an object back."
    text = (
        f"`client.{made.view.path}(…, **client.{made.view.resource}.{word.name}({parameter}))` "
        "writes it back, or onto another object. Absent values stay absent; values that cannot be "
        "written are left out."
    )
    doc = [
        [summary],
        prose.wrap(text, 8),
        ["Args:", f"    {parameter}: What was read."],
        [
            "Returns:",
            "    A dictionary of arguments; its `lost` names the values that are left "
            "out, and why.",
        ],
    ]
    return ArgumentsView(
        name=word.name,
        parameter=parameter,
        model=model(read_name),
        write_back=constant(lookup, made),
        docstring=prose.docstring(doc, 8),
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
    assert word is not None
    if not isinstance(word, Reconcile) and word.model is not None:
        return lookup.catalog.models[word.model]
    name = word.operation if isinstance(word, Reconcile) else word.read
    assert name is not None  # the lint has looked
    read = lookup.model(lookup.other(made, name).operation.success.type)
    assert read is not None
    return read


def _objects(
    lookup: Lookup, written: Model, read: Model | None, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, Model, Model | None]]:
    """Yield a class that is written and those inside it: the path of each, and what it is made of.

    A path is one of Python names, each followed by a dot.
    """
    yield "".join(f"{name}." for name in path), written, read
    for field in fields(written, "sent"):
        inner = lookup.model(_value(field.type))
        if inner is not None and len(path) < _DEPTH:
            name, word = field.name, field.node.words.read_from
            source = _property(read, word.field if word else None) or _called(read, name)
            inner_read = lookup.model(_value(source.type)) if source else None
            yield from _objects(lookup, inner, inner_read, (*path, name))


def _value(type_: Type) -> Type:
    """Return what a list or a map holds, however deep; else the type itself."""
    bare = without_null(type_)
    return _value(bare.items[0]) if bare.kind in ("list", "map") else bare


def _rule(lookup: Lookup, read: Model | None, word: ReadFrom) -> Code:
    field = literal(attribute(read, word.field)) if word.field else ""
    if word.lost:
        return py.UNMAPPABLE(literal(word.lost), **({"field": field} if field else {}))
    options = {}
    if word.pick:
        source = _property(read, word.field)
        items = lookup.model(_value(source.type)) if source else None
        options["pick"] = literal(attribute(items, word.pick))
    for name in ("values", "loses", "equals"):
        if (value := getattr(word, name)) is not None:
            options[name] = literal(value)
    return py.FROM(field, **options)


def attribute(model: Model | None, wire: str) -> str:
    """Return the attribute of what is read for a property of it."""
    field = _property(model, wire)
    assert field is not None  # the lint has looked
    return field.name


def _property(model: Model | None, wire: str | None) -> Field | None:
    members = fields(model, "read") if model else []
    return next((each for each in members if each.wire == wire), None)


def _called(model: Model | None, name: str) -> Field | None:
    members = fields(model, "read") if model else []
    return next((each for each in members if each.name == name), None)
