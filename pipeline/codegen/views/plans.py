"""Calls that take several requests, put together from request functions by the words of overlays.

x-paging              a list in pages becomes an iterable of all items
x-filters             arguments that the client compares with the items of a list
x-batch               more identifiers than one request takes are sent in several
x-single              one object, as one method, by the request for several
x-split-window        a range of time that is too long is read in several
x-read-modify-write   change some of what was read and send the rest along, as one method
x-wait                poll until something is ready, as one method
x-wait-with           a write whose result can be waited for
x-reconcile           the read that shows whether a write was carried out
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from pipeline.codegen import code as py
from pipeline.codegen import names, prose
from pipeline.codegen.code import Code, function, literal, mapping, model, sequence
from pipeline.codegen.ir import Field, Parameter, Type
from pipeline.codegen.type_writer import without_null
from pipeline.codegen.views import descriptions
from pipeline.codegen.views.errors import status_error
from pipeline.codegen.views.examples import example_value
from pipeline.codegen.views.lookup import Lookup, Made
from pipeline.codegen.views.requests import (
    body_fields,
    by_position,
    described,
    window_ends,
)
from pipeline.codegen.views.values import value_of
from pipeline.codegen.views.view_models import (
    ArgumentView,
    GivenView,
    MethodView,
    OperationView,
    PlanView,
    StatusErrorView,
    ValueView,
    call_of,
    in_short,
)
from pipeline.codegen.views.write_backs import attribute, constant, unsent
from pipeline.openapi.documents import pointer_text
from pipeline.openapi.extensions import (
    Batch,
    Paging,
    ReadModifyWrite,
    Reconcile,
    Single,
    SplitWindow,
    Wait,
    WaitWith,
)
from pipeline.openapi.problems import Finding, PipelineError

# What the runtime does, in words: see AT_ONCE of batching and LONGEST_WAIT of polling.
_AT_ONCE = "up to 4 at a time"
_LONGEST = "15 minutes"

# What is said of Python alone, and left out of the catalogue of commands.
_WHOLE = ", and `.pages()` gives whole pages"
_ITERABLE = ", from any iterable"
_NULL = "; None is sent as null, where null is allowed"
_NOT_KEPT = "a `LimitationWarning` names those that the response lacks or shows with another value."
PYTHON_ONLY = (_WHOLE, _ITERABLE, _NULL)

_REFUSED = ("PartialFailure", "Some requests failed; the error has the responses of the others.")
_LATE = (
    "DeadlineExceeded",
    f"Not ready within the deadline, or within {_LONGEST} without one; `last` is the latest "
    "response.",
)
_FAILED = ("ProcessingFailed", "The service reports a failure.")
_NOT_ALLOWED = "An argument is not valid"


def add_multi_request_methods(lookup: Lookup, made: Made) -> OperationView:
    """Return the view of an operation with its methods that send several requests."""
    words = made.operation.words
    plan = None
    if words.paging:
        plan = _pages(lookup, made, words.paging)
    elif words.batch:
        plan = _batches(lookup, made, words.batch)
    elif words.split_window:
        plan = _windows(lookup, made, words.split_window)
    elif words.wait_with:
        plan = _waited(lookup, made, words.wait_with)
    extras = []
    if words.single and words.batch:
        extras.append(_single(lookup, made, words.single, words.batch))
    if words.read_modify_write:
        extras.append(_read_modify_write(lookup, made, words.read_modify_write))
    if words.wait:
        extras.append(_wait(lookup, made, words.wait))
    view = replace(made.view, plan=plan, extras=tuple(extras))
    if words.reconcile:
        probe = ("probe", _probe(lookup, made, words.reconcile))
        view = replace(view, prepare=(*view.prepare, probe), supports_reconcile=True)
    return view


# The method of an operation


def _pages(lookup: Lookup, made: Made, word: Paging) -> PlanView:
    response = made.operation.success.type
    assert response is not None  # the lint has looked
    items = without_null(lookup.path(response, word.items)[1].type if word.items else response)
    options: dict[str, Code | str] = {
        name: literal(lookup.path(response, wires)[0])
        for name in ("items", "next", "current", "last", "total", "more")
        if (wires := getattr(word, name))
    }
    for name in ("page", "cursor", "offset"):
        if parameter := getattr(word, name):
            options[name] = literal(parameter)
    if (number := _first_page(made, word)) != 1:
        options["first"] = literal(number)
    if word.link:
        options["link"] = "True"
    item = lookup.catalog.writer.decoded(items.items[0])
    first = [e.name for e in made.operation.parameters if e.wire == word.page]
    onwards = f", from `{first[0]}` on" if first else ""
    resumed = (
        ", and `.next_page` is the number of the page to resume from after an error"
        if first
        else ""
    )
    filters = list(_filters(lookup, made, items.items[0]))
    if filters:
        options["keep"] = py.KEEPING(literal(made.view.path), *(code for _, code in filters))
    return _plan(
        made,
        manner="pages",
        item=item.text,
        item_name=names.snake(item.text) if lookup.model(items.items[0]) else "item",
        annotation=py.PAGES[item, made.view.returns],
        returns=py.PAGER[item, made.view.returns],
        code=py.PAGES(_call(made.view), **options),
        note="Reads the next page when you reach the end of the current one."
        + _filtered([argument.name for argument, _ in filters]),
        arguments=(*made.view.arguments, *(argument for argument, _ in filters)),
        example=made.view.example
        and tuple(each for each in made.view.example if each.name not in first),
        returns_doc=(
            f"An iterable of the items of all pages{onwards}; its `.pages()` gives whole "
            f"pages{resumed}."
        ),
        raises=[
            (
                "PagingError",
                "The next page is invalid, elsewhere or already read; `items` has what was read "
                "so far.",
            )
        ],
    )


def _first_page(made: Made, word: Paging) -> int:
    """Return the number of the first page: 0 where the parameter says so, or allows it."""
    schemas = (e.type.node.schema for e in made.operation.parameters if e.wire == word.page)
    schema = next(schemas, {})
    first = schema.get("default", 0 if schema.get("minimum") == 0 else 1)
    return first if isinstance(first, int) else 1


_KEPT = {
    "equal": "whose `{}` is this, or one of these",
    "from": "whose `{}` is this moment or later",
    "before": "whose `{}` is before this moment",
}


def _filters(lookup: Lookup, made: Made, item: Type) -> Iterator[tuple[ArgumentView, Code]]:
    """Yield the arguments that are compared with the items of a list, each with its condition."""
    for word in made.operation.words.filters or ():
        item_model = lookup.model(item)
        assert item_model is not None  # the lint has looked
        name = attribute(item_model, word.property)
        (field,) = (each for each in item_model.fields if each.wire == word.property)
        type_ = lookup.catalog.writer.decoded(without_null(field.type))
        value = replace(value_of(lookup.catalog, field.type), nullable=False)
        options = {}
        doc = f"Keeps only items {_KEPT[word.keeps].format(name)}."
        if word.keeps == "equal":
            options = {"type": type_}
            codes = lookup.catalog.codes.get(without_null(field.type).node.component)
            one = type_ | (py.INT if codes.of_integers else py.STR) if codes else type_
            shown, value = one | py.SEQUENCE[one], replace(value, many=True)
        else:
            shown, doc = py.DATETIME, f"{doc} Needs a time zone."
        code = py.KEEP(literal(word.name), word.name, literal(name), literal(word.keeps), **options)
        argument = ArgumentView(name=word.name, type=shown, doc=doc, value=value)
        yield argument, code


def _filtered(names: Sequence[str]) -> str:
    """Return what is said of arguments that the service does not know."""
    if not names:
        return ""
    listed = prose.listed([f"`{name}`" for name in names])
    return (
        f"\n\n{listed} {'is' if len(names) == 1 else 'are'} applied by the client, not by the "
        f"service: every page is read, in whatever order the list has{_WHOLE}."
    )


def _batches(lookup: Lookup, made: Made, word: Batch) -> PlanView:
    name, source = batched(lookup, made, word.of)
    limits = _limits(source)
    size = _size(lookup, made, word)
    returns, merge, what = _merged(lookup, made, word)
    sends_none = made.operation.success.type is not None and word.key is None
    lists = lookup.catalog.writer.signature(without_null(source.type), py.ITERABLE)
    doc = descriptions.of_value(
        limits,
        source.type,
        without=("minItems", "maxItems"),
        also=(
            f"Any number{_ITERABLE}; duplicates are sent once. "
            f"{_without_any(sends_none, limits.get('minItems', 0))}"
        ),
    )
    return _plan(
        made,
        manner="batches",
        annotation=py.CALL[returns],
        returns=returns,
        code=py.BATCHES(
            literal(made.view.path),
            function(_call(made.view), name),
            literal(name),
            name,
            size=str(size),
            merge=merge,
            **({"sends_none": "True"} if sends_none else {}),
        ),
        note=(
            f"This method takes any number: more than {size} are sent in several requests, "
            f"{_AT_ONCE}."
        ),
        returns_doc=f"{made.view.returns_doc} {what}".strip(),
        raises=[_REFUSED],
        arguments=tuple(
            by_position(
                replace(argument, doc=doc, type=lists, required=True)
                if argument.name == name
                else argument
                for argument in made.view.arguments
            )
        ),
    )


def _without_any(sends_none: bool, least: int) -> str:
    """Return what a call about no values does: only the service can make an object of none."""
    if not sends_none:
        return "An empty list sends nothing."
    return "At least one." if least else "An empty list still sends one request."


def _merged(lookup: Lookup, made: Made, word: Batch) -> tuple[Code, Code, str]:
    """Return what the responses of several requests become: type, code, and words for it."""
    type_ = made.operation.success.type
    if type_ is None:
        return py.NONE, py.NOTHING, ""
    read = lookup.model(type_)
    together = "The responses of several requests are combined."
    if word.result is not None and word.mentioned is not None:
        lists = [lookup.path(type_, wire)[0] for wire in word.mentioned]
        merge = py.WITH_UNMENTIONED(model(word.result), *map(literal, lists))
        what = f"{together} `.unmentioned` has the values sent that appear in none of its lists."
        return model(word.result), merge, what
    if word.key is None or read is None:
        return made.view.returns, py.MERGED, together
    path, _ = lookup.path(type_, word.key)
    return (
        py.FOUND[model(lookup.catalog.writer.read[read.name])],
        py.FOUND_BY(literal(path)),
        "In the order of the request; `.missing` has those that were not found.",
    )


def _windows(lookup: Lookup, made: Made, word: SplitWindow) -> PlanView:
    days = made.operation.words.window_under_days
    listed = made.operation.success.type
    key, _ = lookup.path(listed, word.key)
    start, end = (each.name for each in window_ends(made.operation))
    return _plan(
        made,
        manner="windows",
        annotation=py.CALL[made.view.returns],
        code=py.WINDOWS(
            literal(made.view.path),
            function(_call(made.view), start, end),
            start=f"({literal(start)}, {start})",
            end=f"({literal(end)}, {end})",
            under_days=str(days),
            key=literal(key),
            **({"by": literal(lookup.path(listed, word.by)[0])} if word.by else {}),
        ),
        note=(
            f"This method takes a range of any length: {days} days or more are read in several "
            f"requests, {_AT_ONCE}, and each {_item(lookup, made)} is listed once."
        ),
        raises=[
            (
                "ArgumentError",
                f"{_NOT_ALLOWED}, or `{end}` lies before `{start}`; nothing was sent.",
            ),
            _REFUSED,
        ],
    )


def _item(lookup: Lookup, made: Made) -> str:
    """Return what an item of a list is called, in words."""
    type_ = made.operation.success.type
    items = without_null(type_).items if type_ else ()
    if not items or lookup.model(items[0]) is None:
        return "item"
    return _words(lookup.catalog.writer.decoded(items[0]))


def _words(class_: Code) -> str:
    return names.snake(class_.text).replace("_", " ")


def _summary(word: Wait) -> str:
    """Return what a method that waits does, as a sentence."""
    return prose.sentence(word.summary or word.name.replace("_", " ").strip().capitalize())


def _named(made: Made) -> str:
    """Return the result of an operation as a phrase inside a sentence."""
    doc = made.view.returns_doc.split(". ")[0].rstrip(".") or "The result"
    return doc[0].lower() + doc[1:]


def _waited(lookup: Lookup, made: Made, word: WaitWith) -> PlanView:
    other = lookup.other(made, word.operation)
    wait_word = other.operation.words.wait
    assert wait_word is not None  # the lint has looked
    response = made.operation.success.type
    response_name = "response" + "_" * ("response" in {each.name for each in made.view.arguments})
    given = {
        name: f"{response_name}.{lookup.path(response, wire)[0]}"
        for name, wire in word.arguments.items()
    }
    busy, _ = lookup.path(response, word.busy)
    waiting = wait_word.name
    again = call_of(f"plan_{waiting}", other.view.arguments, given)
    wait = ArgumentView(
        name="wait",
        type=py.BOOL,
        doc=(
            f"{_summary(wait_word).rstrip('.')}: {_LONGEST} at most, or as long as the deadline. "
            f"`{made.view.resource}.{waiting}` does the same later."
        ),
        default=Code("False"),
        value=ValueView("switch", many=False, nullable=False, choices={}),
    )
    return _plan(
        made,
        manner="waited",
        annotation=py.CALL[made.view.returns],
        code=py.AWAITED(
            literal(made.view.path),
            function(_call(made.view)),
            "wait",
            function(again, response_name),
            busy=literal(busy),
        ),
        note=f"If waiting fails, the error still names {_named(made)}.",
        raises=[_FAILED, _LATE],
        arguments=(*made.view.arguments, wait),
        marks=made.view.marks | other.view.marks,
        errors=_errors(
            made.view.errors,
            (replace(each, doc=f"While it waits: {each.doc}") for each in other.view.errors),
        ),
    )


def _plan(made: Made, *, note: str, raises: Sequence[tuple[str, str]], **facts: Any) -> PlanView:
    """Return the plan that takes the place of an operation; `note` follows its description."""
    view = made.view
    texts = (view.description.strip(), note)
    description = "\n\n".join(text for text in texts if text)
    return planned(
        made, description=description, build=view.name, raises=(*raises, *view.raises), **facts
    )


def planned(made: Made, **facts: Any) -> PlanView:
    """Return a plan that has all that it is not given from its operation."""
    view = made.view
    kept = {each.name: getattr(view, each.name) for each in fields(MethodView)}
    plan = PlanView(**{**kept, **facts})
    for argument in plan.arguments:
        if argument.name in plan.code.names:
            place = pointer_text(made.operation.pointer)
            text = f"{place}: `x-python-name`: an argument must not be called {argument.name}"
            raise PipelineError(Finding(text, rule="names"))
    return plan


# Methods of their own


def _single(lookup: Lookup, made: Made, word: Single, batch: Batch) -> PlanView:
    view = made.view
    several, source = batched(lookup, made, batch.of)
    read = lookup.model(made.operation.success.type)
    assert read is not None and batch.key is not None  # the lint has looked
    key, _ = lookup.path(made.operation.success.type, batch.key)
    returns = model(lookup.catalog.writer.read[read.name])
    argument = ArgumentView(
        name=word.argument,
        type=py.STR,
        required=True,
        positional=True,
        doc=f"Identifier of the {_words(returns)}.",
        value=value_of(lookup.catalog, without_null(source.type).items[0]),
    )
    others = [each for each in view.arguments if each.name != several]
    items = example_value(_schema(source), source.type)
    missing = status_error(404)[0]
    return planned(
        made,
        name=word.name,
        summary=prose.sentence(word.summary or f"Read one {names.snake(returns.text)}"),
        description=f"Sends one request, with `{view.path}`.",
        arguments=(argument, *others),
        returns=returns,
        returns_doc="The object with this identifier.",
        errors=tuple(each for each in view.errors if each.name != missing),
        raises=((missing, "There is no object with this identifier (404)."), *view.raises),
        example=(GivenView("", Code(literal(items[0]))),) if items else None,
        manner="single",
        annotation=py.CALL[returns],
        code=py.SINGLE(
            literal(f"{view.resource}.{word.name}"),
            function(call_of(view.function, view.arguments), several),
            literal(several),
            f"({literal(word.argument)}, {word.argument})",
            key=literal(key),
        ),
    )


def _read_modify_write(lookup: Lookup, made: Made, word: ReadModifyWrite) -> PlanView:
    view = made.view
    members = body_fields(lookup.catalog, made.operation.body) or []
    by_name = {each.name: each for each in members}
    changed = "changed" + "_" * ("changed" in {each.name for each in view.arguments})
    others = [each for each in view.arguments if each.name not in by_name]
    is_put = made.operation.method == "PUT"
    changes = [name for name, each in by_name.items() if is_put or _has_parts(lookup, each.type)]
    optional = [
        replace(argument, required=False) if argument.name in changes else argument
        for argument in view.arguments
        if argument in others or argument.name in changes
    ]

    def write(values: Mapping[str, str]) -> Code:
        given = {**{each.name: each.name for each in others}, **values}
        call = call_of(f"build_{view.name}", others, given, more=[f"**{changed}"])
        return function(call, changed)

    last = (mapping((literal(name), name) for name in changes), constant(lookup, made))
    demanded = [each.name for each in view.arguments if each.required and each.name in by_name]
    if word.read is None:
        return _modified(lookup, made, word, optional, write, last, demanded)
    read = lookup.other(made, word.read)
    names_of = [f"`{each}`" for each in unsent(lookup, made)]
    apart = f" {prose.listed(names_of)} cannot be sent: {_NOT_KEPT}" if names_of else ""
    needed = [each for each in read.view.arguments if each.required]
    refused = (
        "ArgumentError",
        f"{_NOT_ALLOWED}, or there is none; nothing was sent. Or a value that was read cannot be "
        "sent back; nothing was changed.",
    )
    return planned(
        made,
        name=word.name,
        http=f"{read.view.http}, then {view.http}",
        operation_ids=(*read.view.operation_ids, *view.operation_ids),
        summary="Change some values, and keep the others.",
        description=(
            f"Reads with `{read.view.path}`, applies your changes, and sends everything with "
            f"`{view.path}`. Arguments that you leave out keep the values that were "
            f"read{_NULL}.{apart}\n\nNot atomic: a change that somebody else makes between the "
            "two requests is overwritten."
        ),
        arguments=tuple(optional),
        errors=_errors(read.view.errors, view.errors),
        marks=read.view.marks | view.marks,
        example=in_short(view).example,
        manner="read_modify_write",
        annotation=py.CALL[view.returns],
        code=py.READ_MODIFY_WRITE(
            literal(f"{view.resource}.{word.name}"),
            function(call_of(f"build_{read.view.name}", needed)),
            write({}),
            *last,
        ),
        raises=(refused, *view.raises),
    )


def _modified(
    lookup: Lookup,
    made: Made,
    word: ReadModifyWrite,
    arguments: Sequence[ArgumentView],
    write: Callable[[Mapping[str, str]], Code],
    last: Sequence[Code],
    demanded: Sequence[str],
) -> PlanView:
    """Return the method that changes some of what the caller has read.

    Args:
        demanded: what the write always sends.
    """
    view, class_name = made.view, lookup.catalog.writer.read[word.model or ""]
    read = names.snake(class_name)
    values = {
        name: f"{read}.{attribute(lookup.catalog.models[word.model or ''], wire)}"
        for name, wire in (word.arguments or {}).items()
    }
    is_put = made.operation.method == "PUT"
    others = [each for each in arguments if each.name not in values]
    if not is_put:  # what the document says of a part that is left out is not so here
        others = [replace(each, doc=prose.first_sentence(each.doc)) for each in others]
    argument = ArgumentView(
        name=read,
        type=model(class_name),
        required=True,
        positional=True,
        doc="The object that was read. Changes that others have made since are overwritten.",
    )
    refused = (
        "ArgumentError",
        f"{_NOT_ALLOWED}, or there is none; or a value to keep was not read, or cannot be sent "
        "back. Nothing was sent.",
    )
    always = {} if is_put or not demanded else {"demanded": literal(tuple(demanded))}
    return planned(
        made,
        name=word.name,
        summary="Change some values, and keep the others."
        if is_put
        else "Change parts of objects, and keep their other parts.",
        description=(
            f"Sends all values with `{view.path}`: yours, and the others from `{read}`. None is "
            "sent as null, where null is allowed."
            if is_put
            else f"Sends your changes with `{view.path}`. Members and entries that you leave out "
            f"are taken from `{read}`; but a list is sent as you give it."
        ),
        arguments=(argument, *others),
        example=None,
        manner="modified",
        annotation=py.REQUEST[view.returns],
        code=(py.REPLACED if is_put else py.AMENDED)(
            literal(f"{view.resource}.{word.name}"),
            f"({literal(read)}, {read}, {class_name})",
            write(values),
            *last,
            **always,
        ),
        raises=(refused, *(each for each in view.raises if each[0] != "ArgumentError")),
    )


def _has_parts(lookup: Lookup, type_: Type) -> bool:
    """Return whether a value is an object or a map."""
    kind = without_null(type_).kind
    return kind == "map" or (kind == "class" and lookup.model(type_) is not None)


def _wait(lookup: Lookup, made: Made, word: Wait) -> PlanView:
    view, response = made.view, made.operation.success.type
    path, field = lookup.path(response, word.result)
    type_ = without_null(field.type)
    described = field.node.schema.get("description") or type_.node.schema.get("description", "")
    result_doc = " ".join(described.split()).rstrip(".") or "The result"
    returns = lookup.catalog.writer.decoded(type_)
    busy = mapping(
        (literal(lookup.path(response, wires)[0]), literal(value))
        for wires, value in word.busy.items()
    )
    options = {"result": Code(literal(path)), "busy": busy}
    if word.failed:
        options["failed"] = Code(literal(lookup.path(response, word.failed)[0]))
    return planned(
        made,
        name=word.name,
        http=f"{view.http}, until it is ready",
        summary=_summary(word),
        description=(
            f"Polls `{view.path}` with growing pauses until it is ready or has failed; {_LONGEST} "
            "at most without a deadline."
        ),
        returns=returns,
        returns_doc=f"{result_doc}, once it is ready.",
        manner="wait",
        annotation=py.CALL[returns],
        code=py.POLLING(literal(f"{view.resource}.{word.name}"), function(_call(view)), **options),
        raises=((_FAILED, _LATE) if word.failed else (_LATE,)) + view.raises,
    )


# What became of a write


def _probe(lookup: Lookup, made: Made, word: Reconcile) -> Code:
    """Return the reads that show what was written: of a batch, as many as its values need."""
    read = lookup.other(made, word.operation)
    key, _ = lookup.path(read.operation.success.type, word.key)
    given = {
        name: source if isinstance(source, str) else f"[{source[0]}]"
        for name, source in word.arguments.items()
    }
    again = call_of(f"build_{read.view.name}", read.view.arguments, given)
    batch = made.operation.words.batch
    several = batched(lookup, made, batch.of)[0] if batch else ""
    options: dict[str, Code | str] = {"key": literal(key)}
    if word.unread:
        unread = [literal(batched(lookup, made, wire)[0]) for wire in word.unread]
        options["unread"] = sequence(unread)
    if len(given) == 1:  # of several, nobody knows which is the identifier
        [source] = given.values()
        is_list = source == several or not isinstance(word.arguments[next(iter(given))], str)
        options["ids"] = source if is_list else f"[{source}]"
    if batch is None or several not in given.values():
        reads = sequence([again])
    else:
        other = read.operation.words.batch
        size = _size(lookup, read, other) if other else _size(lookup, made, batch)
        reads = py.FOR_SLICES(function(again, several), several, str(size))
        options["of"] = literal(several)
        if word.done:
            options["done"] = literal(lookup.path(made.operation.success.type, word.done)[0])
    return function(py.PROBE(reads, constant(lookup, made), **options))


# Pieces


def _call(view: OperationView) -> Code:
    """Return a call of the request function with the arguments that are at hand."""
    return call_of(f"build_{view.name}", view.arguments)


def batched(lookup: Lookup, made: Made, wire: str) -> tuple[str, Parameter | Field]:
    """Return the argument for a parameter or a property of the body, by its name in the document.

    The result is its name in Python, and what it stands for.
    """
    for parameter in made.operation.parameters:
        if parameter.wire == wire:
            return parameter.name, parameter
    fields_of_body = body_fields(lookup.catalog, made.operation.body) or []
    (field,) = (each for each in fields_of_body if each.wire == wire)
    return field.name, field


def _size(lookup: Lookup, made: Made, word: Batch) -> int:
    """Return how many values a request takes."""
    limits = [word.size, _limits(batched(lookup, made, word.of)[1]).get("maxItems")]
    return min(each for each in limits if each is not None)


def _limits(source: Parameter | Field) -> Mapping[str, Any]:
    """Return all words about an array, those of its type included."""
    return {**without_null(source.type).node.schema, **_schema(source)}


def _schema(source: Parameter | Field) -> Mapping[str, Any]:
    """Return all words about a parameter or a property."""
    return source.node.schema if isinstance(source, Field) else described(source)


def _errors(*several: Iterable[StatusErrorView]) -> tuple[StatusErrorView, ...]:
    """Return the errors of several operations, each status once."""
    by_status = {error.status: error for errors in several[::-1] for error in errors}
    return tuple(by_status[status] for status in sorted(by_status))
