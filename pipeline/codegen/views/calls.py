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
from pipeline.codegen.views.lookup import Lookup, Made, wrong
from pipeline.codegen.views.requests import argument_name, body_fields, window_ends
from pipeline.codegen.views.shapes import (
    ArgumentView,
    ErrorView,
    MethodView,
    OperationView,
    PlanView,
)
from pipeline.codegen.views.write_backs import constant

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
    """The view of an operation with the calls that are made of it.

    Raises:
        PipelineError: a word names what is not there.
    """
    raw = made.operation.raw
    plan = None
    for word, make in _PLANS.items():
        if word in raw:
            plan = make(lookup, made)
    extras = tuple(make(lookup, made) for word, make in _EXTRAS.items() if word in raw)
    view = replace(made.view, plan=plan, extras=extras)
    if "x-reconcile" in raw:
        probe = ("probe", _probe(lookup, made))
        view = replace(view, prepare=(*view.prepare, probe), finds_out=True)
    return view


# The method of an operation


def _pages(lookup: Lookup, made: Made) -> PlanView:
    word = made.operation.raw["x-paging"]
    answer = made.operation.answer.type
    code = [_call(made.view)]
    _, items = lookup.path(made, "x-paging", answer, word["items"])
    if without_null(items.type).kind != "list":
        raise wrong(made, "x-paging", f"{word['items']} is no list")
    for name in ("items", "next", "current", "last"):
        if name in word:
            path, _ = lookup.path(made, "x-paging", answer, word[name])
            code.append(f"{name}={literal(path)}")
    if "page" in word:
        code.append(f"page={literal(word['page'])}")
    item = lookup.catalog.writer.answer(without_null(items.type).items[0])
    types = f"{item}, {made.view.returns}"
    first = [argument_name(e) for e in made.operation.parameters if e.wire == word.get("page")]
    if "page" in word and not first:
        raise wrong(made, "x-paging", f"{word['page']} is no parameter")
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


def _chunks(lookup: Lookup, made: Made) -> PlanView:
    word = made.operation.raw["x-batch"]
    source = _source(lookup, made, word["of"])
    name = (
        python_name(source.node.schema, source.wire)
        if isinstance(source, Field)
        else argument_name(source)
    )
    limits = {**without_null(source.type).node.schema, **_schema(source)}
    size = word.get("size", limits.get("maxItems"))
    if size is None:
        raise wrong(made, "x-batch", f"needs a size, because {word['of']} has no maxItems")
    returns, merge, what = _merged(lookup, made, word)
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


def _merged(lookup: Lookup, made: Made, word: Mapping[str, Any]) -> tuple[str, str, str]:
    """What the answers of several requests become: its type, the code of it, and words for it."""
    type_ = made.operation.answer.type
    if type_ is None:
        return "None", "nothing", ""
    bare = without_null(type_)
    if bare.kind == "class" and "key" not in word:
        return made.view.returns, "merged", "The answers of several requests become one."
    model = lookup.model(bare)
    if bare.kind != "list" or model is None or "key" not in word:
        raise wrong(made, "x-batch", "needs a key, and an answer that is a list of objects")
    key, _ = lookup.path(made, "x-batch", bare.items[0], word["key"])
    return (
        f"Found[{lookup.catalog.writer.read[model.name]}]",
        f"found_by({literal(key)})",
        "In the order in which they were asked for; `.missing` names those that were not found.",
    )


def _windows(lookup: Lookup, made: Made) -> PlanView:
    days = made.operation.raw.get("x-window-under-days")
    if days is None:
        raise wrong(made, "x-split-window", "needs x-window-under-days beside it")
    type_ = made.operation.answer.type
    if type_ is None or without_null(type_).kind != "list":
        raise wrong(made, "x-split-window", "needs an answer that is a list of objects")
    item = without_null(type_).items[0]
    wire = made.operation.raw["x-split-window"]["key"]
    key, _ = lookup.path(made, "x-split-window", item, wire)
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


def _waited(lookup: Lookup, made: Made) -> PlanView:
    word = made.operation.raw["x-wait-with"]
    other = lookup.other(made, "x-wait-with", word["operation"])
    if "x-wait" not in other.operation.raw:
        raise wrong(made, "x-wait-with", f"{word['operation']} has no x-wait")
    model = lookup.model(made.operation.answer.type)
    if model is None or _result(lookup, other)[1] != made.view.returns:
        raise wrong(made, "x-wait-with", f"{word['operation']} waits for something else")
    taken = {each.name for each in made.view.arguments}
    if "wait" in taken:
        raise wrong(made, "x-wait-with", "there is an argument called wait already")
    answered = "answer" + "_" * ("answer" in taken)
    given = []
    for name, wire in word["arguments"].items():
        if name not in {each.name for each in other.view.arguments}:
            raise wrong(made, "x-wait-with", f"{name} is no argument of {word['operation']}")
        path, _ = lookup.path(made, "x-wait-with", made.operation.answer.type, wire)
        given.append((name, f"{answered}.{path}"))
    busy, _ = lookup.path(made, "x-wait-with", made.operation.answer.type, word["busy"])
    waiting = other.operation.raw["x-wait"]["name"]
    again = _arguments(other.view.arguments, dict(given))
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


def _change(lookup: Lookup, made: Made) -> PlanView:
    view, word = made.view, made.operation.raw["x-read-modify-write"]
    read = lookup.other(made, "x-read-modify-write", word["read"])
    own = {each.name: each for each in view.arguments}
    needed = [each for each in read.view.arguments if each.required]
    for each in needed:
        if each.name not in own or not own[each.name].positional:
            raise wrong(
                made, "x-read-modify-write", f"{each.name} of {word['read']} is not in the path"
            )
    found = body_fields(lookup.catalog, made.operation.body) or []
    changes = [python_name(each.node.schema, each.wire) for each in found]
    changed = "changed" + "_" * ("changed" in own)
    back = constant(lookup, made, "x-read-modify-write")
    others = [each for each in view.arguments if each.name not in changes]
    replaced = ", ".join([_arguments(others, {}), f"**{changed}"]).removeprefix(", ")
    given = ", ".join(f"{literal(name)}: {name}" for name in changes)
    path = f"{view.resource}.{word['name']}"
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
        name=word["name"],
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


def _wait(lookup: Lookup, made: Made) -> PlanView:
    view, word = made.view, made.operation.raw["x-wait"]
    path, returns, result_doc = _result(lookup, made)
    answer = made.operation.answer.type
    busy = ", ".join(
        f"{literal(lookup.path(made, 'x-wait', answer, wires)[0])}: {literal(value)}"
        for wires, value in word["busy"].items()
    )
    code = [
        literal(f"{view.resource}.{word['name']}"),
        f"lambda: {_call(view)}",
        f"result={literal(path)}",
        f"busy={{{busy}}}",
    ]
    if "failed" in word:
        failed, _ = lookup.path(made, "x-wait", answer, word["failed"])
        code.append(f"failed={literal(failed)}")
    plan = PlanView(
        resource=view.resource,
        name=word["name"],
        http=f"{view.http}, until it is ready",
        server=view.server,
        summary=prose.sentence(
            word.get("summary") or word["name"].replace("_", " ").strip().capitalize()
        ),
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
        raises=((_FAILED, _LATE) if "failed" in word else (_LATE,)) + view.raises,
    )
    return _finished(made, plan)


def _result(lookup: Lookup, made: Made) -> tuple[str, str, str]:
    """What `x-wait` waits for: its path in the answer, its type as code, and words for it."""
    word = made.operation.raw["x-wait"]
    path, found = lookup.path(made, "x-wait", made.operation.answer.type, word["result"])
    type_ = without_null(found.type)
    described = found.node.schema.get("description") or type_.node.schema.get("description", "")
    doc = " ".join(described.split()).rstrip(".") or "What was waited for"
    return path, lookup.catalog.writer.answer(type_), doc


# What became of a write


def _probe(lookup: Lookup, made: Made) -> str:
    word = made.operation.raw["x-reconcile"]
    read = lookup.other(made, "x-reconcile", word["operation"])
    own = {each.name for each in made.view.arguments}
    given = {}
    for name, value in word["arguments"].items():
        if name not in {each.name for each in read.view.arguments}:
            raise wrong(made, "x-reconcile", f"{name} is no argument of {word['operation']}")
        source = value[0] if isinstance(value, list) else value
        if source not in own:
            raise wrong(made, "x-reconcile", f"{source} is no argument of {made.view.path}")
        given[name] = f"[{source}]" if isinstance(value, list) else source
    again = _arguments([e for e in read.view.arguments if e.name in given], given)
    found = constant(lookup, made, "x-reconcile")
    return f"lambda: Probe(build_{read.view.name}({again}), {found})"


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
            raise wrong(made, "x-python-name", f"an argument must not be called {each.name}")
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
    """The parameter or the property of the body of that name in the document.

    Raises:
        PipelineError: there is none.
    """
    found: list[Parameter | Field] = [e for e in made.operation.parameters if e.wire == wire]
    found += [e for e in body_fields(lookup.catalog, made.operation.body) or [] if e.wire == wire]
    if not found:
        raise wrong(made, "x-batch", f"{wire} is no parameter and no property of the body")
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


_PLANS = {
    "x-paging": _pages,
    "x-batch": _chunks,
    "x-split-window": _windows,
    "x-wait-with": _waited,
}
_EXTRAS = {"x-read-modify-write": _change, "x-wait": _wait}
