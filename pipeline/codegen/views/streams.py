"""Methods that read a response piece by piece, while it comes.

They are made of what the document offers, and of `x-stream`, which says what makes it come so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pipeline.codegen import code as py
from pipeline.codegen import prose
from pipeline.codegen.code import Code, joined, literal, model
from pipeline.codegen.ir import Stream, Type
from pipeline.codegen.names import stream_name
from pipeline.codegen.type_writer import without_null
from pipeline.codegen.views.catalog import Catalog, members
from pipeline.codegen.views.lookup import Lookup, Made
from pipeline.codegen.views.plans import batched, planned
from pipeline.codegen.views.view_models import OperationView, PlanView, call_of
from pipeline.openapi import extensions
from pipeline.openapi.media_types import EVENTS, bare

_READ = "Read as you iterate, once. Use a `with` block if you may stop early."
_BROKEN = ("TransportError", "The stream broke off. Call the method again for a new stream.")
_WRONG = ("DecodeError", "{} differs from the documents; the next one can still be read.")


def with_stream(lookup: Lookup, made: Made) -> OperationView:
    """Return the view of an operation with the method that reads it piece by piece.

    That is the method of the operation where the document offers nothing else; else it stands
    beside it.
    """
    stream, view = made.operation.success.stream, made.view
    if stream is None:
        return view
    word = made.operation.words.stream or extensions.Stream()
    if stream.is_alone:
        return replace(view, plan=_plan(lookup, made, stream, word, view.name, view.summary))
    name = word.name or stream_name(view.name)
    what = "events" if bare(stream.media_type) == EVENTS else "single items"
    summary = prose.sentence(f"{view.summary.rstrip('.') or name} (as {what})")
    plan = _plan(lookup, made, stream, word, name, summary)
    set_ = {each.name for each in view.arguments} - {each.name for each in plan.arguments}
    note = f"`{plan.path}` returns it as {what} while it arrives."
    return replace(
        view,
        description="\n\n".join(filter(None, [view.description.strip(), note])),
        arguments=tuple(
            replace(
                argument, doc=f"{argument.doc} Not for this method: `{plan.path}` sends it.".strip()
            )
            if argument.name in set_
            else argument
            for argument in view.arguments
        ),
        extras=(*view.extras, plan),
    )


def _plan(
    lookup: Lookup,
    made: Made,
    stream: Stream,
    word: extensions.Stream,
    name: str,
    summary: str,
) -> PlanView:
    view, catalog = made.view, lookup.catalog
    sets = dict(_sets(lookup, made, word.sets or {}))
    arguments = tuple(each for each in view.arguments if each.name not in sets)
    values = {each.name: each.name for each in arguments} | {
        argument: code.text for argument, code in sets.items()
    }
    build = call_of(view.function, view.arguments, values)
    build = joined("", [build, *(replace(code, text="") for code in sets.values())])
    has_events = bare(stream.media_type) == EVENTS
    if stream.type is None:
        type_ = value = py.STR
    else:
        type_ = catalog.writer.decoded(stream.type)
        value = catalog.writer.as_value(catalog.writer.decoded, stream.type)
    options = {"end": literal(word.end)} if word.end else {}
    code = py.STREAMED_ITEMS(build, value, literal(stream.media_type))
    if has_events:
        code = py.STREAMED_EVENTS(build, value, **options)
    what = "An event" if has_events else "An item"
    return planned(
        made,
        name=name,
        summary=summary,
        arguments=arguments,
        example=view.example and tuple(each for each in view.example if each.name not in sets),
        manner="stream",
        returns=(py.EVENT_STREAM if has_events else py.ITEM_STREAM)[type_],
        returns_doc=f"{'The events, each with its `data`' if has_events else 'The items'}. {_READ}",
        annotation=(py.STREAMED_EVENTS if has_events else py.STREAMED_ITEMS)[type_],
        code=code,
        item_name="event" if has_events else "item",
        raises=(_BROKEN, (_WRONG[0], _WRONG[1].format(what)), *view.raises),
    )


def _sets(lookup: Lookup, made: Made, sets: Mapping[str, Any]) -> list[tuple[str, Code]]:
    """Return the arguments that make a response a stream, each with its value as code."""
    arguments = []
    for wire, value in sets.items():
        name, source = batched(lookup, made, wire)
        arguments.append((name, _constant(lookup.catalog, source.type, value)))
    return arguments


def _constant(catalog: Catalog, type_: Type, value: Any) -> Code:
    component = without_null(type_).node.component
    if component in catalog.codes:
        for name, known in members(catalog.codes[component]).items():
            if known == value:
                return joined(".", [model(catalog.writer.sent[component]), name])
    return Code(literal(value))
