"""Calls that take several requests, put together from request functions by the words of overlays.

x-paging         a list in pages becomes an iterable of all items
x-batch         more identifiers than one request takes are sent in several
x-split-window   a range of time that is too long is read in several
x-read-modify-write         read, change and replace, as one method
x-wait           poll until something is ready, as one method
x-wait-with      a write whose result can be waited for
x-reconcile      the read that shows whether a write was carried out
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pipeline.codegen import prose
from pipeline.codegen.ir import Field, Parameter
from pipeline.codegen.names import python_name
from pipeline.codegen.type_writer import literal, without_null, words
from pipeline.codegen.views import descriptions
from pipeline.codegen.views.lookup import Lookup, Made
from pipeline.codegen.views.requests import argument_name, body_fields, window_ends
from pipeline.codegen.views.shapes import (
    ArgumentView,
    ErrorView,
    MethodView,
    OperationView,
    PlanView,
)
from pipeline.codegen.views.write_backs import constant
from pipeline.openapi.documents import pointer_text
from pipeline.openapi.extensions import (
    Batch,
    Paging,
    ReadModifyWrite,
    Reconcile,
    SplitWindow,
    Wait,
    WaitWith,
)
from pipeline.openapi.problems import Finding, PipelineError

# What the runtime does, in words: see AT_ONCE of parts.py and LONGEST_WAIT of polling.py.
_AT_ONCE = "up to 4 at a time"
_LONGEST = "15 minutes"

_REFUSED = ("PartialFailure", "some of the requests failed; it holds the answers of the others.")
_LATE = (
    "DeadlineExceeded",
    f"it was not ready within the deadline, or {_LONGEST} without one; its `last` is the newest "
    "answer.",
)
_FAILED = ("ProcessingFailed", "the service says that it failed.")
_NOT_ALLOWED = "an argument is not what the documents allow"


AnyMethod = TypeVar("AnyMethod", bound=MethodView)


def with_calls(lookup: Lookup, made: Made) -> OperationView:
    """Return the view of an operation with the calls that are made of it.

    Raises:
        PipelineError: an argument has the name of a function that a call needs.
    """
    own = made.operation.words
    plan = None
    if own.paging:
        plan = _pages(lookup, made, own.paging)
    elif own.batch:
        plan = _batches(lookup, made, own.batch)
    elif own.split_window:
        plan = _windows(lookup, made, own.split_window)
    elif own.wait_with:
        plan = _waited(lookup, made, own.wait_with)
    extras = []
    if own.read_modify_write:
        extras.append(_read_modify_write(lookup, made, own.read_modify_write))
    if own.wait:
        extras.append(_wait(lookup, made, own.wait))
    view = replace(made.view, plan=plan, extras=tuple(extras))
    if own.reconcile:
        probe = ("probe", _probe(lookup, made, own.reconcile))
        view = replace(view, prepare=(*view.prepare, probe), finds_out=True)
    return view


# The method of an operation


def _pages(lookup: Lookup, made: Made, word: Paging) -> PlanView:
    response = made.operation.answer.type
    _, items = lookup.path(response, word.items)
    code = [_call(made.view)]
    for name in ("items", "next", "current", "last"):
        if wires := getattr(word, name):
            code.append(f"{name}={literal(lookup.path(response, wires)[0])}")
    if word.page:
        code.append(f"page={literal(word.page)}")
    item = lookup.catalog.writer.answer(without_null(items.type).items[0])
    types = f"{item}, {made.view.returns}"
    first = [argument_name(e) for e in made.operation.parameters if e.wire == word.page]
    onwards = f", from `{first[0]}` on" if first else ""
    resumed = (
        ", and `.next_page` is the number of the page to resume from after an error"
        if first
        else ""
    )
    return _plan(
        made,
        manner="pages",
        annotation=f"Pages[{types}]",
        returns=f"Pager[{types}]",
        code=f"Pages({', '.join(code)})",
        note=(
            "The next page is read when the items of the one before are used up. A list whose "
            "pages go round in a circle ends with a `PagingWarning`."
        ),
        example=tuple(e for e in made.view.example or () if e.partition("=")[0] not in first)
        if made.view.example is not None
        else None,
        answer_doc=(
            f"An iterable of the items of all pages{onwards}; its `.pages()` gives whole "
            f"pages{resumed}."
        ),
        raises=[("PagingError", "the next page cannot be followed.")],
    )


def _batches(lookup: Lookup, made: Made, word: Batch) -> PlanView:
    source = _source(lookup, made, word.of)
    name = (
        python_name(source.node.schema, source.wire)
        if isinstance(source, Field)
        else argument_name(source)
    )
    limits = {**without_null(source.type).node.schema, **_schema(source)}
    size = word.size or limits["maxItems"]
    returns, merge, what = _merged(lookup, made, word.key)
    build = f"lambda {name}: {_call(made.view)}"
    doc = descriptions.of_value(
        limits,
        source.type,
        lookup.catalog.decided,
        without=("minItems", "maxItems"),
        also=(
            "Any number of them, from any iterable; each is sent once. "
            f"{_without_any(merge, limits.get('minItems', 0))}"
        ),
    )
    operation = literal(made.view.path)
    return _plan(
        made,
        manner="chunks",
        annotation=f"Call[{returns}]",
        returns=returns,
        code=f"Batches({operation}, {build}, {literal(name)}, {name}, size={size}, merge={merge})",
        note=f"More than {size} are sent in several requests, {_AT_ONCE}.",
        answer_doc=f"{made.view.answer_doc} {what}".strip(),
        raises=[_REFUSED],
        arguments=[
            replace(each, doc=doc, annotation=re.sub(r"^Sequence\b", "Iterable", each.annotation))
            if each.name == name
            else each
            for each in made.view.arguments
        ],
    )


def _without_any(merge: str, least: int) -> str:
    """What a call about no values does: only the service can make an object of none."""
    if merge != "merged":
        return "Without any, nothing is sent."
    return "At least one." if least else "Without any, one request is sent all the same."


def _merged(lookup: Lookup, made: Made, key: str | None) -> tuple[str, str, str]:
    """Return what the responses of several requests become: type, code, and words for it."""
    type_ = made.operation.answer.type
    if type_ is None:
        return "None", "nothing", ""
    model = lookup.model(type_)
    if key is None or model is None:
        return made.view.returns, "merged", "The answers of several requests become one."
    path, _ = lookup.path(type_, key)
    return (
        f"Found[{lookup.catalog.writer.read[model.name]}]",
        f"found_by({literal(path)})",
        "In the order in which they were asked for; `.missing` names those that were not found.",
    )


def _windows(lookup: Lookup, made: Made, word: SplitWindow) -> PlanView:
    days = made.operation.words.window_under_days
    key, _ = lookup.path(made.operation.answer.type, word.key)
    start, end = map(argument_name, window_ends(made.operation))
    code = [
        literal(made.view.path),
        f"lambda {start}, {end}: {_call(made.view)}",
        f"start=({literal(start)}, {start})",
        f"end=({literal(end)}, {end})",
        f"under_days={days}",
        f"key={literal(key)}",
    ]
    return _plan(
        made,
        manner="windows",
        annotation=f"Call[{made.view.returns}]",
        returns=made.view.returns,
        code=f"Windows({', '.join(code)})",
        note=(
            f"Less than {days} days is the limit of one request; the range may have any length. A "
            f"longer one is read in several requests, {_AT_ONCE}, and what is found in two of them "
            "is given once."
        ),
        answer_doc=made.view.answer_doc,
        raises=[
            (
                "ArgumentError",
                f"{_NOT_ALLOWED}, or `{end}` lies before `{start}`; nothing was sent.",
            ),
            _REFUSED,
        ],
    )


def _waited(lookup: Lookup, made: Made, word: WaitWith) -> PlanView:
    other = lookup.other(made, word.operation)
    wait_word = other.operation.words.wait
    assert wait_word is not None  # the lint has looked
    response = made.operation.answer.type
    answered = "answer" + "_" * ("answer" in {each.name for each in made.view.arguments})
    given = {
        name: f"{answered}.{lookup.path(response, wire)[0]}"
        for name, wire in word.arguments.items()
    }
    busy, _ = lookup.path(response, word.busy)
    waiting = wait_word.name
    again = _arguments(other.view.arguments, given)
    code = [
        literal(made.view.path),
        f"lambda: {_call(made.view)}",
        "wait",
        f"lambda {answered}: plan_{waiting}({again})",
        f"busy={literal(busy)}",
    ]
    wait = ArgumentView(
        name="wait",
        annotation="bool",
        required=False,
        positional=False,
        doc=(
            "True waits until it is ready, and gives it as it is then; without a deadline at most "
            f"{_LONGEST}. `{made.view.resource}.{waiting}` does the same later."
        ),
        default="False",
    )
    return _plan(
        made,
        manner="waited",
        annotation=f"Call[{made.view.returns}]",
        returns=made.view.returns,
        code=f"Awaited({', '.join(code)})",
        note="An error while it waits has a note of what the request itself has made.",
        answer_doc=made.view.answer_doc,
        raises=[_FAILED, _LATE],
        arguments=[*made.view.arguments, wait],
        errors=_errors(
            made.view,
            replace(
                other.view,
                errors=tuple(
                    replace(each, doc=f"While it waits: {each.doc}") for each in other.view.errors
                ),
            ),
        ),
    )


def _plan(
    made: Made,
    *,
    note: str,
    raises: Sequence[tuple[str, str]],
    arguments: Sequence[ArgumentView] | None = None,
    **facts: Any,
) -> PlanView:
    """The plan that takes the place of an operation; `note` is added to its description."""
    view = made.view
    plan = PlanView(
        resource=view.resource,
        name=view.name,
        http=view.http,
        server=view.server,
        summary=view.summary,
        description="\n\n".join(text for text in (view.description.strip(), note) if text),
        section=view.section,
        arguments=tuple(view.arguments if arguments is None else arguments),
        assumed=view.assumed,
        unknown=view.unknown,
        retry_safety=view.retry_safety,
        docstring="",
        build=view.name,
        raises=(*raises, *view.raises),
        **{
            "errors": view.errors,
            "example": view.example,
            "example_imports": view.example_imports,
            **facts,
        },
    )
    return _finished(made, plan)


# Methods of their own


def _read_modify_write(lookup: Lookup, made: Made, word: ReadModifyWrite) -> PlanView:
    view = made.view
    read = lookup.other(made, word.read)
    own = {each.name: each for each in view.arguments}
    needed = [each for each in read.view.arguments if each.required]
    found = body_fields(lookup.catalog, made.operation.body) or []
    changes = [python_name(each.node.schema, each.wire) for each in found]
    changed = "changed" + "_" * ("changed" in own)
    back = constant(lookup, made)
    others = [each for each in view.arguments if each.name not in changes]
    replaced = ", ".join([_arguments(others, {}), f"**{changed}"]).removeprefix(", ")
    given = ", ".join(f"{literal(name)}: {name}" for name in changes)
    path = f"{view.resource}.{word.name}"
    code = [
        literal(path),
        f"lambda: build_{read.view.name}({_arguments(needed, {})})",
        f"lambda {changed}: build_{view.name}({replaced})",
        "{" + given + "}",
        back,
    ]
    arguments = [_optional(each) if each.name in changes else each for each in view.arguments]
    short = in_short(view)
    plan = PlanView(
        resource=view.resource,
        name=word.name,
        http=f"{read.view.http}, then {view.http}",
        server=view.server,
        summary="Change some values and keep the others.",
        description=(
            f"Reads with `{read.view.path}`, changes what is given, and sends the whole with "
            f"`{view.path}`. What is left out stays as it was read; None is sent as null, where "
            "null is allowed.\n\nThis is not atomic: what somebody else changes between the two "
            "requests is overwritten."
        ),
        section=view.section,
        arguments=tuple(arguments),
        returns=view.returns,
        answer_doc=view.answer_doc,
        errors=_errors(read.view, view),
        assumed=_both(read.view.assumed, view.assumed),
        unknown=_both(read.view.unknown, view.unknown),
        retry_safety=view.retry_safety,
        docstring="",
        example=short.example,
        example_imports=short.example_imports,
        manner="change",
        build="",
        annotation=f"Call[{view.returns}]",
        code=f"ReadModifyWrite({', '.join(code)})",
        raises=(
            (
                "ArgumentError",
                f"{_NOT_ALLOWED}, or none is to change; nothing was sent. Or something that was "
                "read, and is not to change, cannot be sent back; nothing was changed.",
            ),
            *view.raises,
        ),
    )
    return _finished(made, plan)


def _optional(each: ArgumentView) -> ArgumentView:
    if not each.required:
        return each
    return replace(each, annotation=f"{each.annotation} | UnsetType", required=False)


def in_short(view: AnyMethod) -> AnyMethod:
    """The view with an example of one argument besides those that are given by position."""
    if view.example is None:
        return view
    names = {each.name for each in view.arguments if not each.positional}
    named = [each for each in view.example if each.partition("=")[0] in names]
    example = tuple(each for each in view.example if each not in named[1:])
    used = words(" ".join(example))
    imports = (e for e in view.example_imports if words(e.partition(" import ")[2]) & used)
    return replace(view, example=example, example_imports=tuple(imports))


def _wait(lookup: Lookup, made: Made, word: Wait) -> PlanView:
    view, response = made.view, made.operation.answer.type
    path, found = lookup.path(response, word.result)
    type_ = without_null(found.type)
    described = found.node.schema.get("description") or type_.node.schema.get("description", "")
    result_doc = " ".join(described.split()).rstrip(".") or "What was waited for"
    returns = lookup.catalog.writer.answer(type_)
    busy = ", ".join(
        f"{literal(lookup.path(response, wires)[0])}: {literal(value)}"
        for wires, value in word.busy.items()
    )
    code = [
        literal(f"{view.resource}.{word.name}"),
        f"lambda: {_call(view)}",
        f"result={literal(path)}",
        f"busy={{{busy}}}",
    ]
    if word.failed:
        failed, _ = lookup.path(response, word.failed)
        code.append(f"failed={literal(failed)}")
    plan = PlanView(
        resource=view.resource,
        name=word.name,
        http=f"{view.http}, until it is ready",
        server=view.server,
        summary=prose.sentence(word.summary or word.name.replace("_", " ").strip().capitalize()),
        description=(
            f"Asks with `{view.path}`, again and again with growing pauses, until it is ready or "
            f"has failed; without a deadline for {_LONGEST} at most."
        ),
        section=view.section,
        arguments=view.arguments,
        returns=returns,
        answer_doc=f"{result_doc}, as it is when it is ready.",
        errors=view.errors,
        assumed=view.assumed,
        unknown=view.unknown,
        retry_safety=view.retry_safety,
        docstring="",
        example=view.example,
        example_imports=view.example_imports,
        manner="wait",
        build="",
        annotation=f"Call[{returns}]",
        code=f"Polling({', '.join(code)})",
        raises=((_FAILED, _LATE) if word.failed else (_LATE,)) + view.raises,
    )
    return _finished(made, plan)


# What became of a write


def _probe(lookup: Lookup, made: Made, word: Reconcile) -> str:
    read = lookup.other(made, word.operation)
    given = {
        name: source if isinstance(source, str) else f"[{source[0]}]"
        for name, source in word.arguments.items()
    }
    again = _arguments([e for e in read.view.arguments if e.name in given], given)
    return f"lambda: Probe(build_{read.view.name}({again}), {constant(lookup, made)})"


# Pieces


def _finished(made: Made, plan: PlanView) -> PlanView:
    """The plan with its docstring.

    Raises:
        PipelineError: an argument has the name of a function that the plan calls.
    """
    merge = re.match(r"\w+", plan.code.rpartition(", merge=")[2])
    called = {*re.findall(r"\b(build_\w+|plan_\w+)\(", plan.code), merge[0] if merge else ""}
    for each in plan.arguments:
        if each.name in called:
            place = pointer_text(made.operation.pointer)
            text = f"{place}: `x-python-name`: an argument must not be called {each.name}"
            raise PipelineError(Finding(text, rule="names"))
    return replace(plan, docstring=descriptions.of_method(plan))


def _call(view: OperationView) -> str:
    """A call of the request function with the arguments that are at hand."""
    return f"build_{view.name}({_arguments(view.arguments, {})})"


def _arguments(arguments: Iterable[ArgumentView], values: Mapping[str, str]) -> str:
    """The arguments of a call: these values, and what is at hand under the same names.

    With values, arguments that have none are left out.
    """
    wanted = [each for each in arguments if not values or each.name in values]
    positional = [values.get(e.name, e.name) for e in wanted if e.positional]
    named = [f"{e.name}={values.get(e.name, e.name)}" for e in wanted if not e.positional]
    return ", ".join([*positional, *named])


def _source(lookup: Lookup, made: Made, wire: str) -> Parameter | Field:
    """Return the parameter or the property of the body of that name in the document."""
    found: list[Parameter | Field] = [e for e in made.operation.parameters if e.wire == wire]
    found += [e for e in body_fields(lookup.catalog, made.operation.body) or [] if e.wire == wire]
    return found[0]


def _schema(source: Parameter | Field) -> Mapping[str, Any]:
    """All that is said about a parameter or a property."""
    if isinstance(source, Field):
        return source.node.schema
    schema = source.raw.get("schema")
    return {**(schema if isinstance(schema, dict) else {}), **source.raw}


def _errors(*views: OperationView) -> tuple[ErrorView, ...]:
    """The errors of several operations, each status once."""
    found = {error.status: error for view in views[::-1] for error in view.errors}
    return tuple(found[status] for status in sorted(found))


def _both(*found: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({gap for gaps in found for gap in gaps}))
