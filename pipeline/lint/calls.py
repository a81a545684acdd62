"""The words that make calls of several requests: what they name is there, and of the right kind."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from pipeline.lint.python_names import argument_names, body_fields, method_names
from pipeline.lint.run import Rule, Run
from pipeline.openapi import extensions
from pipeline.openapi.extensions import (
    ArgumentsOf,
    Batch,
    Cli,
    DocumentWords,
    Filter,
    Paging,
    ReadModifyWrite,
    Reconcile,
    Single,
    SplitWindow,
    Stream,
    Wait,
    WaitWith,
    member,
    spelling,
)
from pipeline.openapi.media_types import EVENTS, bare
from pipeline.openapi.model import DocumentModel, Operation, Schema
from pipeline.openapi.objects import as_dict, as_list
from pipeline.openapi.wording import either, near, takes

# Words that put something else in the place of an operation's method: one can have one of them.
_PLANS: Final = (Paging, Batch, SplitWindow, WaitWith)
_NO_BODY: Final = "needs a body whose properties are arguments"

W = TypeVar("W")


@dataclass(frozen=True)
class _Use(Generic[W]):
    """A word of an operation, and where findings about it go."""

    run: Run
    operation: Operation
    name: str
    word: W

    def report(self, message: str, *path: str | int) -> None:
        """Report a finding at the word, or at a place inside of it."""
        self.run.report(
            (*self.operation.pointer, self.name, *path), f"{self.name}: {message}", "word"
        )

    def named(self, name: str, known: Iterable[str], lacking: str, *path: str | int) -> bool:
        """Return whether a name is known; report it with what is lacking where it is not."""
        known = list(known)
        if name not in known:
            self.report(f"{name} {lacking}{near(name, known)}", *path)
        return name in known

    def property(self, schema: Schema | None, wires: str, *path: str | int) -> Schema | None:
        """Return the property that a path leads to in a response; report where it goes astray."""
        reached = schema
        for wire in wires.split("."):
            known = self.run.members(reached)
            if wire not in known:
                hint = near(wire, known)
                self.report(f"{wires} does not lead to a property of the response{hint}", *path)
                return None
            reached = known[wire]
        return reached

    def other(self, name: str, key: str) -> Operation | None:
        """Return the operation that the word names: one of the same resource."""
        known = {str(each.value.get("operationId")): each for each in self.run.operations}
        if name not in known:
            self.report(f"there is no operation {name}{near(name, known)}", key)
            return None
        if method_names(known[name])[0] != method_names(self.operation)[0]:
            self.report(f"{name} belongs to another resource of the client", key)
            return None
        return known[name]

    def arguments(self, given: Iterable[str], name: str, other: Operation) -> None:
        """Report arguments that another operation does not have, or needs, too."""
        for argument in given:
            what = f"is not an argument of {name}"
            self.named(argument, argument_names(self.run, other), what, "arguments", argument)
        for argument in argument_names(self.run, other, required=True):
            if argument not in given:
                self.report(f"{name} needs the argument {argument}, too", "arguments")


def _uses(run: Run, kind: type[W]) -> Iterator[_Use[W]]:
    """Yield every use of a word that has its shape."""
    name = spelling(kind)
    for operation in run.operations:
        word = member(operation.words, kind)
        if word is not None:
            yield _Use(run, operation, name, word)


# The rules


def _one_plan(run: Run) -> None:
    """The method of an operation is replaced once."""
    for operation in run.operations:
        plans = [name for name in map(spelling, _PLANS) if name in operation.value]
        for name in plans[1:]:
            text = f"{name}: conflicts with {plans[0]}; use one of the two"
            run.report((*operation.pointer, name), text, "word")


def _paging(run: Run) -> None:
    """A list in pages has its items and the way to the next page where the word says."""
    for use in _uses(run, Paging):
        response, word = run.response(use.operation), use.word
        listed = response if word.items is None else use.property(response, word.items, "items")
        if (listed or word.items is None) and run.items(listed) is None:
            what = "the response" if word.items is None else word.items
            use.report(f"{what} is not an array", *([] if word.items is None else ["items"]))
        for key in ("next", "current", "last", "total", "more"):
            if (path := getattr(word, key)) is not None:
                use.property(response, path, key)
        for key in ("page", "cursor", "offset"):
            if (name := getattr(word, key)) is None:
                continue
            what = f"is not a query parameter of {use.operation.title}"
            use.named(name, use.operation.sent_in("query"), what, key)


def _filters(run: Run) -> None:
    """A filter compares an argument of its own with a property of an item of a list in pages."""
    for operation in run.operations:
        paging, filters = operation.words.paging, operation.words.filters or ()
        taken = {*argument_names(run, operation)}
        listed = run.response(operation)
        for wire in paging.items.split(".") if paging and paging.items else ():
            listed = run.members(listed).get(wire)
        known = run.members(run.items(listed)) if listed else {}
        for at, word in enumerate(filters):
            use = _Use(run, operation, "x-filters", word)
            if paging is None:
                use.report("needs x-paging beside it")
                break
            if word.name in taken:
                text = f"there is already an argument {word.name}"
                if word.name in argument_names(run, operation):
                    text += (
                        "; where the service compares by itself, take this filter away; else name"
                        " one of the two otherwise, a parameter by x-python-name"
                    )
                use.report(text, at, "name")
            taken.add(word.name)
            lacking = "is not a property of the items"
            if use.named(word.property, known, lacking, at, "property"):
                _comparable(use, known[word.property], at)


def _comparable(use: _Use[Filter], schema: Schema, at: int) -> None:
    """Report a property that a filter cannot be compared with."""
    text = next(iter(use.run.types(schema.pointer, schema.value) - {"null"}), "")
    if use.word.keeps != "equal" and schema.value.get("format") != "date-time":
        use.report(f"{use.word.property} is no date-time", at, "keeps")
    elif text in ("object", "array"):
        use.report(f"{use.word.property} is an {text}", at, "property")


def _singles(run: Run) -> None:
    """One object is read by a batch that puts what it reads in order by its identifier."""
    for use in _uses(run, Single):
        batch = use.operation.words.batch
        if batch is None or batch.key is None:
            use.report("needs x-batch with a key beside it")
        if use.word.argument in argument_names(run, use.operation):
            use.report(f"there is already an argument {use.word.argument}", "argument")


def _batches(run: Run) -> None:
    """Check that batched input is an array, and that a returned list can be ordered."""
    for use in _uses(run, Batch):
        inputs, of, size = _inputs(run, use.operation), use.word.of, use.word.size
        if not use.named(of, inputs, "is neither a parameter nor a property of the body", "of"):
            continue
        schema, _ = inputs[of]
        if run.types(schema.pointer, schema.value) - {"null"} != {"array"}:
            use.report(f"{of} is not an array", "of")
        parts = [part for _, part in run.applied(schema.pointer, schema.value)]
        limits = [part.get("maxItems") for part in parts]
        most = min((each for each in limits if isinstance(each, int)), default=None)
        is_known = any("x-confirmed" in part for part in parts)  # then the smaller one counts
        if size is None and most is None:
            use.report(f"needs a size, because {of} has no maxItems")
        elif size is not None and most is not None and size > most and not is_known:
            use.report(f"size: is more than the {most} that {of} may hold", "size")
        response = run.response(use.operation)
        members = run.members(response)
        for at, wire in enumerate(use.word.mentioned or ()):
            lacking, place = "does not lead to a property of the response", ("mentioned", at)
            if use.named(wire, members, lacking, *place) and run.items(members[wire]) is None:
                use.report(f"{wire} is not an array", *place)
        if run.items(response) is None:
            if use.word.key is not None:
                use.report("key: is not allowed, because the response is not a list", "key")
            elif response is not None and not run.members(response):
                use.report("needs a response that is an object, a list of objects, or empty")
        elif use.word.key is None:
            use.report("needs a key, because the response is a list")
        else:
            _check_key(use, use.word.key, response)


def _inputs(run: Run, operation: Operation) -> dict[str, tuple[Schema, bool]]:
    """Return parameters and properties of the body: the schema of each, and if it is required."""
    inputs = {}
    for node in operation.parameters:
        schema = Schema((*node.pointer, "schema"), node.value.get("schema"))
        inputs[str(node.value.get("name"))] = (schema, node.value.get("required") is True)
    body = run.body(operation)
    required = run.required(body.pointer, body.value)
    for name, field in body_fields(run, operation).items():
        inputs[name] = (Schema(*field), name in required)
    return inputs


def _check_key(
    use: _Use[Batch] | _Use[SplitWindow], key: str, response: Schema | None, word: str = "key"
) -> None:
    """The key is a property of what the response lists."""
    if key not in use.run.members(use.run.items(response)):
        use.report(f"{key} is not a property of the listed objects", word)


def _split_windows(run: Run) -> None:
    """A range that is split has a limit, two required ends, and a list in response."""
    for use in _uses(run, SplitWindow):
        if "x-window-under-days" not in use.operation.value:
            use.report("needs x-window-under-days beside it")
        for node in use.operation.parameters:
            if "x-window" in node.value and node.value.get("required") is not True:
                use.report(f"parameter {node.value.get('name')} must be required")
        response = run.response(use.operation)
        if run.items(response) is None:
            use.report("needs a response that is a list of objects")
        else:
            _check_key(use, use.word.key, response)
            if use.word.by is not None:
                _check_key(use, use.word.by, response, "by")


def _read_modify_writes(run: Run) -> None:
    """Check that what is read, changed and replaced is one object, found by its path alone."""
    for use in _uses(run, ReadModifyWrite):
        methods = ["PUT", "PATCH"] if use.word.model else ["PUT"]
        if use.operation.method.upper() not in methods:
            use.report(f"is allowed only on {' and '.join(methods)}")
        if not body_fields(run, use.operation):
            use.report(_NO_BODY)
        own = argument_names(run, use.operation, "path")
        if use.word.model is not None:
            _made_of_model(use, use.word.model, use.word.arguments or {}, own)
        read = _read(use, use.word.read, "read") if use.word.read else None
        for name in argument_names(run, read, required=True) if read else ():
            if name not in own:
                text = f"the argument {name} of {use.word.read} is not in the path here"
                use.report(text, "read")


def _made_of_model(
    use: _Use[ReadModifyWrite], model: str, arguments: Mapping[str, str], own: Sequence[str]
) -> None:
    """Check that arguments of the path are made of properties of what was read."""
    schema = _model_of(use, model)
    for name, wire in arguments.items():
        use.named(name, own, "is not in the path here", "arguments", name)
        known = use.run.members(schema)
        if schema is None or not use.named(
            wire, known, f"is not a property of {model}", "arguments", name
        ):
            continue
        if wire not in use.run.required(schema.pointer, schema.value):
            use.report(f"{wire} must be required in {model}", "arguments", name)
    for name in own:
        if name not in arguments:
            use.report(f"needs the argument {name}, too", "arguments")


def _model_of(use: _Use[ReadModifyWrite] | _Use[ArgumentsOf], model: str) -> Schema | None:
    """Return a schema with properties that is read; report it where there is none."""
    run = use.run
    schemas = as_dict(as_dict(as_dict(run.data).get("components")).get("schemas"))
    at = Schema(("components", "schemas", model), schemas.get(model))
    if not run.members(at):
        hint = near(model, schemas.keys() - {model})
        use.report(f"{model} is not a schema with properties{hint}", "model")
        return None
    if at.pointer not in run.components([e.value.get("responses") for e in run.operations]):
        use.report(f"{model} is in no response", "model")
    return at


def _read(use: _Use[ReadModifyWrite] | _Use[Reconcile], name: str, key: str) -> Operation | None:
    """Return the operation that reads an object before, or after, it is written."""
    read = use.other(name, key)
    if read is not None and read.method != "get":
        use.report(f"{name} is not a GET", key)
    elif read is not None:
        response = use.run.response(read)
        if not use.run.members(use.run.items(response) or response):
            use.report(f"the response of {name} has no properties", key)
    return read


def _waits(run: Run) -> None:
    """Check that the response has the result of a wait, and what marks it as busy or failed."""
    for use in _uses(run, Wait):
        if use.operation.method != "get":
            use.report("is allowed only on GET")
        response, word = run.response(use.operation), use.word
        use.property(response, word.result, "result")
        if word.failed is not None:
            use.property(response, word.failed, "failed")
        for wires in word.busy:
            use.property(response, wires, "busy", wires)


def _waits_with(run: Run) -> None:
    """The result of a write is waited for with an operation that can wait for the same."""
    for use in _uses(run, WaitWith):
        response, word = run.response(use.operation), use.word
        use.property(response, word.busy, "busy")
        for name, wire in word.arguments.items():
            schema = use.property(response, wire, "arguments", name)
            if schema and response and wire not in run.required(response.pointer, response.value):
                use.report(f"{wire} must be required in the response", "arguments", name)
        if "wait" in argument_names(run, use.operation):
            use.report("there is already an argument wait")
        other = use.other(word.operation, "operation")
        if other is None:
            continue
        use.arguments(word.arguments, word.operation, other)
        if "x-wait" not in other.value:
            use.report(f"{word.operation} has no x-wait", "operation")
        elif response and not _waits_for(run, other, response):
            use.report(f"{word.operation} waits for another schema", "operation")


def _waits_for(run: Run, operation: Operation, wanted: Schema) -> bool:
    """Return whether what an operation waits for is this schema; true where it is not known."""
    wait = operation.words.wait
    awaited = run.response(operation)
    for wire in wait.result.split(".") if wait else ():
        awaited = run.members(awaited).get(wire)
    return awaited is None or run.without_null(awaited) == run.without_null(wanted)


def _reconciles(run: Run) -> None:
    """The read that shows what was written is given what the write was given."""
    for use in _uses(run, Reconcile):
        if not body_fields(run, use.operation):
            use.report(_NO_BODY)
        fields, lacking = body_fields(run, use.operation), "is not a property of the body"
        for at, part in enumerate(use.word.parts or ()):
            for index, name in enumerate(part.fields):
                use.named(name, fields, lacking, "parts", at, "fields", index)
        for index, name in enumerate(use.word.unread or ()):
            use.named(name, fields, lacking, "unread", index)
        own = argument_names(run, use.operation)
        for name, given in use.word.arguments.items():
            source = given if isinstance(given, str) else given[0]
            what = f"is not an argument of {use.operation.title}"
            use.named(source, own, what, "arguments", name)
        read = _read(use, use.word.operation, "operation")
        if read is not None:
            use.arguments(use.word.arguments, use.word.operation, read)
            response = run.response(read)
            known = run.members(run.items(response) or response)
            if known and use.word.key not in known:
                use.report(f"{use.word.key} is not a property of the object that is read", "key")
        if use.word.done is not None:
            written = run.members(run.response(use.operation))
            use.named(use.word.done, written, "does not lead to a property of the response", "done")
            if use.operation.words.batch is None:
                use.report("done: needs x-batch beside it", "done")


def _arguments_of(run: Run) -> None:
    """Arguments are made of an object that is read, for a body of properties."""
    for use in _uses(run, ArgumentsOf):
        if not body_fields(run, use.operation):
            use.report(_NO_BODY)
        _model_of(use, use.word.model)


def _streams(run: Run) -> None:
    """A stream is offered, and what asks for it is an argument that takes the value."""
    for use in _uses(run, Stream):
        offered = [str(at[-1]) for at, _ in run.streams(use.operation)]
        if not offered:
            use.report("no response is a stream, such as text/event-stream or application/jsonl")
        elif use.word.end is not None and bare(offered[0]) != EVENTS:
            use.report(f"end: is not allowed for {offered[0]}", "end")
        inputs = _inputs(run, use.operation)
        for wire, value in (use.word.sets or {}).items():
            lacking = "is neither a parameter nor a property of the body"
            if not use.named(wire, inputs, lacking, "sets", wire):
                continue
            schema = inputs[wire][0]
            kinds = run.types(schema.pointer, schema.value)
            if kinds and not takes(kinds, value):
                use.report(f"{wire} must be {either(sorted(kinds))}", "sets", wire)


def _switches(run: Run) -> None:
    """What switches a stream on is said, and not guessed."""
    for operation in run.operations:
        for name, value in stream_switch(run, operation).items():
            if operation.words.stream is None:
                word = f"x-stream: {{sets: {{{name}: {json.dumps(value)}}}}}"
                text = f"{name}: may request the stream, but this is not guessed; add {word}"
                run.report(operation.pointer, text, "word", "note")


def stream_switch(model: DocumentModel, operation: Operation) -> dict[str, str | bool]:
    """Return the property of the body that seems to ask for a stream, where more is offered."""
    streams = model.streams(operation)
    if not streams or len(streams) == len([*model.contents(operation)]):
        return {}
    body = model.body(operation)
    for name, schema in model.properties(body.pointer, body.value).items():
        if name == "stream" and "boolean" in model.types(*schema):
            return {name: True}
        values = [each.get("enum") for _, each in model.applied(*schema)]
        if "stream" in name and any("sse" in as_list(each) for each in values):
            return {name: "sse"}
    return {}


def _commands(run: Run) -> None:
    """The columns of a table are there, and what is shown before a question can be read."""
    known = {str(each.value.get("operationId")): each for each in run.operations}
    for use in _uses(run, Cli):
        columns = set().union(*map(run.members, _rows(run, run.response(use.operation))))
        for at, column in enumerate(use.word.columns or ()):
            if columns:
                name = column.partition(".")[0]
                use.named(name, columns, "is not a property of a row", "columns", at)
        for at, name in enumerate(use.word.partly or ()):
            use.property(run.response(use.operation), name, "partly", at)
        shows = use.word.shows
        if shows is None or not use.named(
            shows.operation, known, "is not an operation", "shows", "operation"
        ):
            continue
        response = run.response(known[shows.operation])
        read = run.items(response) or response
        for at, column in enumerate(shows.columns):
            use.property(read, column, "shows", "columns", at)
        related = shows.related
        if related is None:
            continue
        use.property(read, related.ids, "shows", "related", "ids")
        place = ("shows", "related", "operation")
        if use.named(related.operation, known, "is not an operation", *place):
            one = run.response(known[related.operation])
            use.property(one, related.column, "shows", "related", "column")
        if related.stays:
            where = ("shows", "related", "stays", "argument")
            arguments = argument_names(run, use.operation)
            use.named(related.stays.argument, arguments, "is not an argument here", *where)


def _rows(run: Run, response: Schema | None) -> Iterator[Schema | None]:
    """Yield what a command may show as a row: the response, an item, or a value of it."""
    if response is None:
        return
    inner = ("items", "additionalProperties")
    for case in run.applied(response.pointer, response.value, "anyOf", "oneOf"):
        one = Schema(*case)
        yield one
        for holder in (one, *run.members(one).values()):
            yield from (run.items(holder, word) for word in inner)


def _tools(run: Run) -> None:
    """A tool uses operations that there are."""
    known = [str(each.value.get("operationId")) for each in run.operations]
    tools = extensions.read(DocumentWords, as_dict(run.data)).tools
    for name, tool in (tools or {}).items():
        for at, operation in enumerate(tool.operations):
            if operation not in known:
                text = f"x-tools: {operation} is not an operation{near(operation, known)}"
                run.report(("x-tools", name, "operations", at), text, "word")


def _not_shown(run: Run) -> None:
    """What is not shown is a gap of the register."""
    words = extensions.read(DocumentWords, as_dict(run.data))
    known = [*(words.gaps or {})]
    if words.not_shown and words.gaps and words.not_shown.gap not in known:
        gap = words.not_shown.gap
        text = f"x-not-shown: {gap} is not a gap of this document{near(gap, known)}"
        run.report(("x-not-shown", "gap"), text, "word")


def _warnings(run: Run) -> None:
    """A parameter that a caller is warned of is true or false."""
    for operation in run.operations:
        for node in operation.parameters:
            words = [each for each in ("x-warning", "x-destructive") if each in node.value]
            types = run.types((*node.pointer, "schema"), node.value.get("schema"))
            if words and types - {"null"} != {"boolean"}:
                text = (
                    f"{words[0]}: {either(sorted(types)) or 'this'} is not boolean; a flag that is"
                    " sent as 1 or 0 stays boolean, and has `x-boolean-format: 1/0`"
                )
                run.report((*node.pointer, "schema", "type"), text, "word")


def _idempotency_keys(run: Run) -> None:
    """The header that tells a repetition from a second request is one of the operation."""
    for operation in run.operations:
        named = operation.value.get("x-idempotency-key")
        if isinstance(named, str) and named not in operation.sent_in("header"):
            text = f"x-idempotency-key: {named} is no header parameter of {operation.route}"
            run.report((*operation.pointer, "x-idempotency-key"), text, "word")


RULES: Final[tuple[Rule, ...]] = (
    _one_plan,
    _idempotency_keys,
    _paging,
    _filters,
    _batches,
    _singles,
    _split_windows,
    _read_modify_writes,
    _waits,
    _waits_with,
    _reconciles,
    _arguments_of,
    _streams,
    _switches,
    _commands,
    _tools,
    _not_shown,
    _warnings,
)
