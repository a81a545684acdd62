"""The words that make calls of several requests: what they name is there, and of the right kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from pipeline.lint.nodes import Node, as_dict, as_list
from pipeline.lint.python_names import argument_names, body_fields, method_names
from pipeline.lint.run import Operation, Rule, Run
from pipeline.lint.vocabulary import WORDS
from pipeline.lint.wording import either, near
from pipeline.openapi.documents import Pointer
from pipeline.openapi.media_types import bare, is_json

# Words that put something else in the place of an operation's method: one can have one of them.
_MANNERS: Final = ("x-paging", "x-batch", "x-split-window", "x-wait-with")


class _Schema(NamedTuple):
    """A schema and where it stands."""

    pointer: Pointer
    value: Any


class _Word:
    """A word of an operation whose shape is right, and what is said about it."""

    def __init__(self, run: Run, operation: Operation, name: str) -> None:
        self.run, self.operation, self.name = run, operation, name
        self.value: Mapping[str, Any] = operation.value[name]

    def say(self, message: str, *path: str | int) -> None:
        """Take down a finding at the word, or at a place inside it."""
        self.run.say((*self.operation.pointer, self.name, *path), f"{self.name}: {message}", "word")

    def names_properties(self, schema: _Schema | None, wires: str, *path: str) -> _Schema | None:
        """The property that a path leads to in an answer; says where it goes astray."""
        found = schema
        for wire in wires.split("."):
            known = _properties(self.run, found)
            found = known.get(wire)
            if found is None:
                hint = near(wire, known)
                self.say(f"{wires} leads to no property of the answer{hint}", *path)
                return None
        return found

    def names_operation(self, key: str) -> Operation | None:
        """The operation that the word names; it is one of the same resource."""
        known = {
            str(each.value.get("operationId")): each
            for each in self.run.operations
            if "operationId" in each.value
        }
        found = known.get(self.value[key])
        if found is None:
            hint = near(self.value[key], known)
            self.say(f"there is no operation {self.value[key]}{hint}", key)
        elif method_names(found)[0] != method_names(self.operation)[0]:
            self.say(f"{self.value[key]} belongs to another resource of the client", key)
            return None
        return found


def _words(run: Run, name: str) -> Iterator[_Word]:
    """Every operation with a word of the right shape."""
    for operation in run.operations:
        if name in operation.value and WORDS[name].fits(operation.value[name]):
            yield _Word(run, operation, name)


# Answers


def _answer(run: Run, operation: Operation) -> _Schema | None:
    """The schema of the JSON that an operation answers with success."""
    responses = as_dict(operation.value.get("responses"))
    for status in sorted(responses):
        if status.startswith("2"):
            at, response = run.follow((*operation.pointer, "responses", status), responses[status])
            for kind, media in as_dict(as_dict(response).get("content")).items():
                if is_json(bare(kind)) and isinstance(media, dict) and "schema" in media:
                    return _Schema((*at, "content", kind, "schema"), media["schema"])
    return None


def _properties(run: Run, schema: _Schema | None) -> dict[str, _Schema]:
    """The properties of a schema, whether it may be null or not."""
    if schema is None:
        return {}
    return {
        name: _Schema((*at, "properties", name), value)
        for at, part in run.applied(*schema, "anyOf", "oneOf")
        for name, value in as_dict(part.get("properties")).items()
    }


def _items(run: Run, schema: _Schema | None) -> _Schema | None:
    """The schema of the items of an array."""
    if schema is not None:
        for at, part in run.applied(*schema, "anyOf", "oneOf"):
            if isinstance(part.get("items"), dict):
                return _Schema((*at, "items"), part["items"])
    return None


def _is(run: Run, schema: _Schema | None, kind: str) -> bool:
    return schema is not None and run.types(*schema) - {"null"} == {kind}


def _required(run: Run, schema: _Schema | None) -> set[str]:
    found: set[str] = set()
    if schema is not None:
        for _, part in run.applied(*schema):
            found |= {name for name in as_list(part.get("required")) if isinstance(name, str)}
    return found


# The rules


def _one_manner(run: Run) -> None:
    """The method of an operation is replaced once."""
    for operation in run.operations:
        found = [word for word in _MANNERS if word in operation.value]
        for word in found[1:]:
            text = f"{word}: stands beside {found[0]}; a method can be one of the two"
            run.say((*operation.pointer, word), text, "word")


def _rate_limit(run: Run) -> None:
    """The headers of the rate limit are those of a response."""
    word = as_dict(as_dict(run.data).get("x-rate-limit"))
    if not WORDS["x-rate-limit"].fits(word):
        return
    known = {name.lower(): name for node in run.of("response") for name in _headers(node)}
    for key in ("limit", "remaining", "reset"):
        if word[key].lower() not in known:
            hint = near(word[key], known.values())
            text = f"x-rate-limit: no response has a header {word[key]}{hint}"
            run.say(("x-rate-limit", key), text, "word")


def _headers(node: Node) -> list[str]:
    return list(as_dict(node.value.get("headers")))


def _paging(run: Run) -> None:
    """A list in pages has its items and the way to the next page where the word says."""
    for word in _words(run, "x-paging"):
        answer = _answer(run, word.operation)
        for key in ("items", "next", "current", "last"):
            if key in word.value:
                found = word.names_properties(answer, word.value[key], key)
                if key == "items" and found and not _is(run, found, "array"):
                    word.say(f"{word.value[key]} is no array", key)
        known = [str(e.value.get("name")) for e in _in(word.operation, "query")]
        page = word.value.get("page", None)
        if page is not None and page not in known:
            text = f"{page} is no query parameter of {word.operation.title}{near(page, known)}"
            word.say(text, "page")


def _in(operation: Operation, place: str) -> list[Node]:
    return [node for node in operation.parameters if node.value.get("in") == place]


def _chunks(run: Run) -> None:
    """What is sent in chunks is a required array, and answers in a list can be put in order."""
    for word in _words(run, "x-batch"):
        inputs = _inputs(run, word.operation)
        of = word.value["of"]
        if of not in inputs:
            hint = near(of, inputs)
            word.say(f"{of} is no parameter and no property of the body{hint}", "of")
            continue
        schema, required = inputs[of]
        if not _is(run, schema, "array"):
            word.say(f"{of} is no array", "of")
        elif not required:
            word.say(f"{of} must be required", "of")
        most = _most(run, schema)
        if "size" not in word.value and most is None:
            word.say(f"needs a size, because {of} has no maxItems")
        elif "size" in word.value and most is not None and word.value["size"] > most:
            word.say(f"size: is more than the {most} that {of} may hold", "size")
        _key(run, word, required=_items(run, _answer(run, word.operation)) is not None)


def _inputs(run: Run, operation: Operation) -> dict[str, tuple[_Schema, bool]]:
    """The parameters and the properties of the body: the schema of each, and if it is required."""
    found = {}
    for node in operation.parameters:
        schema = _Schema((*node.pointer, "schema"), node.value.get("schema"))
        found[str(node.value.get("name"))] = (schema, node.value.get("required") is True)
    body, fields = body_fields(run, operation)
    required = _required(run, _Schema(*body))
    for name, (at, value) in fields.items():
        found[name] = (_Schema(at, value), name in required)
    return found


def _most(run: Run, schema: _Schema) -> int | None:
    found = [part.get("maxItems") for _, part in run.applied(*schema)]
    return min((each for each in found if isinstance(each, int)), default=None)


def _key(run: Run, word: _Word, *, required: bool) -> None:
    """The key is a property of what the answer lists."""
    items = _items(run, _answer(run, word.operation))
    key = word.value.get("key")
    if required and key is None:
        word.say("needs a key, because the answer is a list")
    elif items is None and key is not None:
        word.say("key: has no meaning, because the answer is no list", "key")
    elif key is not None and key not in _properties(run, items):
        word.say(f"{key} leads to no property of what is listed", "key")


def _split_windows(run: Run) -> None:
    """A range that is split has a limit, two required ends, and a list as answer."""
    for word in _words(run, "x-split-window"):
        if "x-window-under-days" not in word.operation.value:
            word.say("needs x-window-under-days beside it")
        for node in word.operation.parameters:
            if "x-window" in node.value and node.value.get("required") is not True:
                word.say(f"parameter {node.value.get('name')} must be required")
        if _items(run, _answer(run, word.operation)) is None:
            word.say("needs an answer that is a list of objects")
        else:
            _key(run, word, required=True)


def _changes(run: Run) -> None:
    """What is read, changed and replaced is one object, found by its path alone."""
    for word in _words(run, "x-read-modify-write"):
        if word.operation.method != "put":
            word.say("has a meaning only on PUT")
        if not body_fields(run, word.operation)[1]:
            word.say("needs a body whose properties are arguments")
        read = word.names_operation("read")
        if read is None:
            continue
        if read.method != "get":
            word.say(f"{word.value['read']} is no GET", "read")
        own = set(argument_names(run, word.operation, "path"))
        for name in argument_names(run, read, required=True):
            if name not in own:
                text = f"the argument {name} of {word.value['read']} is not in the path here"
                word.say(text, "read")


def _waits(run: Run) -> None:
    """What is waited for, and what says that it is busy or has failed, is in the answer."""
    for word in _words(run, "x-wait"):
        if word.operation.method != "get":
            word.say("has a meaning only on GET")
        answer = _answer(run, word.operation)
        for key in ("result", "failed"):
            if key in word.value:
                word.names_properties(answer, word.value[key], key)
        for wires in word.value["busy"]:
            word.names_properties(answer, wires, "busy", wires)


def _waits_with(run: Run) -> None:
    """The result of a write is waited for with an operation that can wait."""
    for word in _words(run, "x-wait-with"):
        answer = _answer(run, word.operation)
        word.names_properties(answer, word.value["busy"], "busy")
        for name, wire in word.value["arguments"].items():
            found = word.names_properties(answer, wire, "arguments", name)
            if found and wire not in _required(run, answer):
                word.say(f"{wire} must be required in the answer", "arguments", name)
        other = word.names_operation("operation")
        if other is None:
            continue
        if "x-wait" not in other.value:
            word.say(f"{word.value['operation']} has no x-wait", "operation")
        _check_arguments(run, word, other)


def _check_arguments(run: Run, word: _Word, other: Operation) -> None:
    """The arguments that are given to another operation are all that it needs, and no others."""
    known = argument_names(run, other)
    for name in word.value["arguments"]:
        if name not in known:
            text = f"{name} is no argument of {word.value['operation']}{near(name, known)}"
            word.say(text, "arguments", name)
    for name in argument_names(run, other, required=True):
        if name not in word.value["arguments"]:
            word.say(f"{word.value['operation']} needs the argument {name}, too", "arguments")


def _reconciles(run: Run) -> None:
    """The read that shows what was written is given what the write was given."""
    for word in _words(run, "x-reconcile"):
        if not body_fields(run, word.operation)[1]:
            word.say("needs a body whose properties are arguments")
        own = argument_names(run, word.operation)
        for name, given in word.value["arguments"].items():
            source = given[0] if isinstance(given, list) else given
            if source not in own:
                text = f"{source} is no argument of {word.operation.title}{near(source, own)}"
                word.say(text, "arguments", name)
        read = word.names_operation("operation")
        if read is None:
            continue
        if read.method != "get":
            word.say(f"{word.value['operation']} is no GET", "operation")
        _check_arguments(run, word, read)


def _arguments_of(run: Run) -> None:
    """Arguments are made of an object that the document knows, for a body of properties."""
    schemas = as_dict(as_dict(as_dict(run.data).get("components")).get("schemas"))
    for word in _words(run, "x-arguments-of"):
        if not body_fields(run, word.operation)[1]:
            word.say("needs a body whose properties are arguments")
        model = word.value["model"]
        at = _Schema(("components", "schemas", model), schemas.get(model))
        if not _properties(run, at):
            hint = near(model, schemas.keys() - {model})
            word.say(f"{model} is no schema with properties{hint}", "model")


def _read_from(run: Run) -> None:
    """Only a property is made of what is read."""
    for node in run.of("schema"):
        if "x-read-from" in node.value and node.pointer[-2:-1] != ("properties",):
            text = "x-read-from: has a meaning only on a property"
            run.say((*node.pointer, "x-read-from"), text, "word")


def _warnings(run: Run) -> None:
    """One parameter of an operation may carry a warning: it is one that is true or false."""
    for operation in run.operations:
        found = [node for node in operation.parameters if "x-warning" in node.value]
        for node in found:
            schema = _Schema((*node.pointer, "schema"), node.value.get("schema"))
            if not _is(run, schema, "boolean"):
                text = f"x-warning: {either(run.types(*schema)) or 'this'} is not boolean"
                run.say((*node.pointer, "x-warning"), text, "word")
        for node in found[1:]:
            text = f"x-warning: {operation.title} has a warning already"
            run.say((*node.pointer, "x-warning"), text, "word")


RULES: Final[tuple[Rule, ...]] = (
    _one_manner,
    _rate_limit,
    _paging,
    _chunks,
    _split_windows,
    _changes,
    _waits,
    _waits_with,
    _reconciles,
    _arguments_of,
    _read_from,
    _warnings,
)
