"""How what is read becomes the arguments of a write: `x-read-from`, `x-written-ignores`.

A constant of this is written where a word asks for it: `x-arguments-of`, `x-read-modify-write`,
`x-reconcile`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.codegen import names, prose
from pipeline.codegen.ir import Field, Model, Type
from pipeline.codegen.names import python_name
from pipeline.codegen.type_writer import literal, without_null
from pipeline.codegen.views.catalog import Catalog, fields
from pipeline.codegen.views.lookup import Lookup, Made, wrong
from pipeline.codegen.views.requests import body_fields
from pipeline.codegen.views.shapes import ArgumentsView, WriteBackView

_DEPTH = 8  # objects inside objects; those that hold themselves end somewhere
WORDS = ("x-arguments-of", "x-read-modify-write", "x-reconcile")


def constant(lookup: Lookup, made: Made, word: str) -> str:
    """The name of the constant for the body of an operation.

    Raises:
        PipelineError: its body has no fields that are arguments.
    """
    return _name(lookup.catalog, _written(lookup, made, word))


def write_back(lookup: Lookup, made: Made) -> WriteBackView | None:
    """The constant that an operation needs; None where no word asks for one.

    Raises:
        PipelineError: a word names what is not there.
    """
    word = next((word for word in WORDS if word in made.operation.raw), None)
    if word is None:
        return None
    catalog = lookup.catalog
    written = _written(lookup, made, word)
    read = _read_model(lookup, made)
    code = [catalog.writer.sent[written.name]]
    rules = [f"{literal(path)}: {rule}" for path, rule in _rules(lookup, made, written, read)]
    if rules:
        code.append("{" + ", ".join(rules) + "}")
    ignored = [
        _attribute(made, "x-written-ignores", read, wire)
        for wire in written.node.schema.get("x-written-ignores", [])
    ]
    if ignored:
        code.append(f"ignored=frozenset({{{', '.join(map(literal, ignored))}}})")
    return WriteBackView(_name(catalog, written), f"WriteBack({', '.join(code)})")


def arguments_of(lookup: Lookup, made: Made) -> ArgumentsView | None:
    """The static method that `x-arguments-of` asks for.

    Raises:
        PipelineError: its model is not there.
    """
    word = made.operation.raw.get("x-arguments-of")
    if word is None:
        return None
    read = _read_model(lookup, made)
    model = lookup.catalog.writer.read[read.name]
    parameter = names.snake(model)
    summary = f"The arguments of `{made.view.name}` that write what was read."
    text = (
        f"`client.{made.view.path}(…, **client.{made.view.resource}.{word['name']}({parameter}))` "
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
        name=word["name"],
        function=f"arguments_of_{made.view.name}",
        parameter=parameter,
        model=model,
        write_back=constant(lookup, made, "x-arguments-of"),
        docstring=prose.docstring(doc, 4),
        summary=summary,
        path=f"{made.view.resource}.{word['name']}",
        writes=made.view.path,
    )


def _name(catalog: Catalog, written: Model) -> str:
    name = names.snake(catalog.writer.sent[written.name]).upper()
    return f"{name}_" if name in catalog.homes else name


def _written(lookup: Lookup, made: Made, word: str) -> Model:
    body = made.operation.body
    if body is None or body_fields(lookup.catalog, body) is None:
        raise wrong(made, word, "needs a body whose properties are arguments")
    return lookup.catalog.models[body.type.node.component]


def _read_model(lookup: Lookup, made: Made) -> Model:
    """The class that is read before it is written, by whichever word says it."""
    raw = made.operation.raw
    if "x-arguments-of" in raw:
        name = raw["x-arguments-of"].get("model")
        model = lookup.catalog.models.get(name)
        if model is None or name not in lookup.catalog.users["read"]:
            raise wrong(made, "x-arguments-of", f"{name} is no schema of an answer")
        return model
    word, key = (
        ("x-read-modify-write", "read")
        if "x-read-modify-write" in raw
        else ("x-reconcile", "operation")
    )
    other = lookup.other(made, word, raw[word][key])
    model = lookup.model(other.operation.answer.type)
    if model is None:
        raise wrong(made, word, f"{raw[word][key]} answers no object with properties")
    return model


def _rules(
    lookup: Lookup, made: Made, written: Model, read: Model | None, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, str]]:
    """The rules of a class and of those inside it, by paths of Python names."""
    for each in fields(written, "sent"):
        name = python_name(each.node.schema, each.wire)
        word = each.node.schema.get("x-read-from")
        if word:
            yield ".".join([*path, name]), _rule(lookup, made, read, word)
        inner = lookup.model(_value(each.type))
        if inner is not None and len(path) < _DEPTH:
            source = _property(read, (word or {}).get("field")) or _called(read, name)
            found = lookup.model(_value(source.type)) if source else None
            yield from _rules(lookup, made, inner, found, (*path, name))


def _value(type_: Type) -> Type:
    """What a list or a map holds, however deep; else the type itself."""
    bare = without_null(type_)
    return _value(bare.items[0]) if bare.kind in ("list", "map") else bare


def _rule(lookup: Lookup, made: Made, read: Model | None, word: Mapping[str, Any]) -> str:
    if "lost" in word:
        code = [literal(word["lost"])]
        if "field" in word:
            code.append(f"field={literal(_attribute(made, 'x-read-from', read, word['field']))}")
        return f"Lost({', '.join(code)})"
    code = [literal(_attribute(made, "x-read-from", read, word["field"]))]
    if "pick" in word:
        source = _property(read, word["field"])
        items = lookup.model(_value(source.type)) if source else None
        code.append(f"pick={literal(_attribute(made, 'x-read-from', items, word['pick']))}")
    for name in ("values", "numbered", "loses"):
        if name in word:
            code.append(f"{name}={literal(word[name])}")
    return f"From({', '.join(code)})"


def _attribute(made: Made, word: str, model: Model | None, wire: str) -> str:
    """The attribute of what is read for a property of it."""
    found = _property(model, wire)
    if found is None:
        owner = model.name if model else "what is read"
        raise wrong(made, word, f"{owner} has no property {wire}")
    return python_name(found.node.schema, wire)


def _property(model: Model | None, wire: str | None) -> Field | None:
    found = fields(model, "read") if model else []
    return next((each for each in found if each.wire == wire), None)


def _called(model: Model | None, name: str) -> Field | None:
    found = fields(model, "read") if model else []
    return next((e for e in found if python_name(e.node.schema, e.wire) == name), None)
