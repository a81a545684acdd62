"""Names in Python: no two in one scope are the same, and enumerations name their members."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from typing import Any, Final

from pipeline.codegen.names import (
    constant,
    method_name,
    numbered,
    pascal,
    python_name,
    snake,
    stream_name,
)
from pipeline.lint.run import Rule, Run
from pipeline.openapi.documents import Pointer, found
from pipeline.openapi.extensions import problems, spelling
from pipeline.openapi.model import Operation
from pipeline.openapi.objects import as_dict, as_list
from pipeline.openapi.wording import brief, some

_WORD: Final = "x-enum-varnames"


class _Scope:
    """The Python names of one scope, and the place of the first thing with each name.

    Of two, the one at fault is the one to which a word gives its name; else the one that an overlay
    has added; else the second.
    """

    def __init__(self, run: Run, what: str) -> None:
        self.run, self.what = run, what
        self.seen: dict[str, tuple[str, Pointer]] = {}

    def add(self, python: str, title: str, pointer: Pointer) -> None:
        seen, at = self.seen.setdefault(python, (title, pointer))
        if at == pointer:
            return
        if self._fault(at) > self._fault(pointer):
            self.seen[python] = title, pointer
            title, pointer, seen, at = seen, at, title, pointer
        given = self._given(pointer)
        does = "give it another name here" if given else "give one an x-python-name"
        text = (
            f"{title} and {seen} at {self.run.document.at(at)} are both called {python}"
            f" {self.what}; {does}"
        )
        self.run.report(pointer, text, "python-name", shown=given)

    def _given(self, pointer: Pointer) -> Pointer:
        """Return the place where a word gives the name; empty where none does."""
        node = as_dict(found(self.run.data, pointer))
        words = ("x-python-name", "x-python-resource")
        word = "name" if str(pointer[-1]).startswith("x-") else next(filter(node.get, words), "")
        return (*pointer, word) if isinstance(node.get(word), str) else ()

    def _fault(self, pointer: Pointer) -> tuple[bool, bool]:
        at, root = self.run.document.at(pointer), self.run.document.at(())
        return bool(self._given(pointer)), bool(at and root and at.file != root.file)


def _classes(run: Run) -> None:
    """Component schemas that become classes have names of their own."""
    scope = _Scope(run, "as Python classes")
    schemas = as_dict(as_dict(as_dict(run.data).get("components")).get("schemas"))
    for name, value in schemas.items():
        if _is_class(value):
            given = value.get("x-python-name")
            made = given if isinstance(given, str) else pascal(name)
            scope.add(made, f"schema {name}", ("components", "schemas", name))


def _is_class(schema: Any) -> bool:
    """Return whether a component schema becomes a class, not a name for a type."""
    if not isinstance(schema, dict) or "$ref" in schema:
        return False
    words = ("properties", "enum", "x-extensible-enum", "allOf", "x-python-name")
    return any(word in schema for word in words)


def _fields(run: Run) -> None:
    """The properties of a schema have names of their own."""
    for node in run.of("schema"):
        is_whole = not run.is_part(node.pointer)
        if is_whole and ("properties" in node.value or "allOf" in node.value):
            scope = _Scope(run, "in Python")
            for name, (at, value) in run.properties(node.pointer, node.value).items():
                scope.add(python_name(value, name), f"property {name}", at)


def method_names(operation: Operation) -> tuple[str, dict[str, str]]:
    """Return the resource of an operation, and its methods: its own, and those of other words."""
    tags = [tag for tag in as_list(operation.value.get("tags")) if isinstance(tag, str)]
    words = operation.words
    resource = words.python_resource or (snake(tags[0]) if tags else "default")
    methods = {"": method_name(words.python_name, operation.title)}
    for word in (words.single, words.read_modify_write, words.wait, words.arguments_of):
        if word is not None:
            methods[spelling(type(word))] = word.name
    return resource, methods


def stream_method(run: Run, operation: Operation) -> str:
    """Return the method for the stream that an operation offers beside others; empty for none."""
    streams = run.streams(operation)
    if not streams or len(streams) == len([*run.contents(operation)]):
        return ""
    word = operation.words.stream
    return (word and word.name) or stream_name(method_names(operation)[1][""])


def _methods(run: Run) -> None:
    """The operations of a resource have names of their own."""
    scope = _Scope(run, "in the client")
    for operation in run.operations:
        resource, methods = method_names(operation)
        if beside := stream_method(run, operation):
            methods["x-stream"] = beside
        for word, method in methods.items():
            at = (*operation.pointer, word) if word else operation.pointer
            what = f"{word} of {operation.title}" if word else f"operation {operation.title}"
            scope.add(f"{resource}.{method}", what, at)


def _arguments(run: Run) -> None:
    """The parameters of an operation and the fields of its body have names of their own."""
    for operation in run.operations:
        scope = _Scope(run, f"in the call of {operation.title}")
        for node in operation.parameters:
            name = str(node.value.get("name"))
            scope.add(python_name(node.value, name), f"parameter {name}", node.pointer)
        for name, (at, value) in body_fields(run, operation).items():
            scope.add(python_name(value, name), f"property {name}", at)


def argument_names(
    run: Run, operation: Operation, place: str | None = None, *, required: bool = False
) -> list[str]:
    """Return the arguments of a method in Python: all, those of one place, or the required ones."""
    names = [
        python_name(node.value, str(node.value.get("name")))
        for node in operation.parameters
        if place in (None, node.value.get("in"))
        and (not required or node.value.get("required") is True)
    ]
    if place is None and not required:
        fields = body_fields(run, operation)
        names += [python_name(value, name) for name, (_, value) in fields.items()]
    return names


def body_fields(run: Run, operation: Operation) -> dict[str, tuple[Pointer, Any]]:
    """Return the properties of what a request body may be, which are arguments of the method."""
    offers = [each.schema for each in run.bodies(operation) if each.form in ("json", "form")]
    return {
        name: (member.pointer, member.value)
        for schema in reversed(offers)
        for name, member in run.members(schema).items()
    }


def enumerated(values: Any) -> list[str] | list[int]:
    """Return the values of an enumeration that have names: not null, and none of several types."""
    named = [each for each in as_list(values) if each is not None]
    return named if {*map(type, named)} in ({str}, {int}) else []


def listed_again(schema: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Yield the index of each value that `enum` lists once more, and what to say of it."""
    values, named = as_list(schema.get("enum")), as_list(schema.get(_WORD))
    first: dict[str, int] = {}
    for index, value in enumerate(values):
        held = first.setdefault(repr(value), index)
        if held != index:
            text = f"enum: {brief(value)} is listed twice"
            if len(named) == len(values) and named[held] != named[index]:
                text += f", as {named[held]} and as {named[index]}"
            yield index, text


def _repeated_values(run: Run) -> None:
    """An enumeration lists each value once."""
    for node in run.of("schema"):
        for index, text in listed_again(node.value):
            run.report((*node.pointer, "enum", index), text, "schema", run.house)


def _given_names(run: Run) -> None:
    """`x-enum-varnames` has a name for each value."""
    for node in run.of("schema"):
        if node.value.get(_WORD) is None:
            continue
        names, at = node.value[_WORD], (*node.pointer, _WORD)
        values = node.value.get("enum", node.value.get("x-extensible-enum"))
        if any(problems(_WORD, names)):
            continue
        if not isinstance(values, list):
            run.report(at, f"{_WORD}: needs enum or x-extensible-enum", "enum-names")
        elif len(names) != len(values):
            text = (
                f"{_WORD}: must have as many entries as there are values, {len(values)}, not "
                f"{len(names)}"
            )
            run.report(at, text, "enum-names")
        members: set[str] = set()
        for index, name in enumerate(names):
            if as_list(values)[index : index + 1] == [None]:
                continue  # null is no member
            _given_name(run, (*at, index), name)
            if name in members:
                text = f"{_WORD}: {name} appears twice"
                added, holder = (run.document.at(each) for each in ((*at, index), at))
                if added and holder and added.file != holder.file:
                    text += "; an update is put after the list that is there: give what is new"
                run.report((*at, index), text, "enum-names")
            members.add(name)


def _given_name(run: Run, at: Pointer, name: str) -> None:
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        text = f"{_WORD}: {name} cannot be the name of an enumeration member"
        run.report(at, text, "enum-names")
    elif run.house == "error" and not re.fullmatch("[A-Z][A-Z0-9_]*", name):
        text = f"{_WORD}: {name} must be in capitals, such as {constant(name)}"
        run.report(at, text, "enum-names")


def _automatic_names(run: Run) -> None:
    """No two values have the same name in Python, where the document gives none."""
    for node in run.of("schema"):
        if node.value.get(_WORD) is not None:
            continue
        word = "enum" if "enum" in node.value else "x-extensible-enum"
        listed = as_list(node.value.get(word))
        named: dict[str, Any] = {}
        again: list[str] = []
        for value in dict.fromkeys(enumerated(listed)):
            name = constant(str(value))
            if other := [each for each in named.values() if constant(str(each)) == name]:
                again.append(f"{brief(other[0])} and {brief(value)} both become {name}")
                name = numbered(name, named)
            named[name] = value
        if again:
            text = f"{word}: {some(again)}; name the members by {_WORD}"
            names = {value: name for name, value in named.items()}
            update = {_WORD: ["NULL" if each is None else names[each] for each in listed]}
            run.report(node.pointer, text, "enum-names", run.house, update)


RULES: Final[tuple[Rule, ...]] = (
    _classes,
    _fields,
    _methods,
    _arguments,
    _repeated_values,
    _given_names,
    _automatic_names,
)
