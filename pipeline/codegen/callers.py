"""Find what people wrote about operations that have changed since the last run: calls, limits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pipeline.codegen.left_behind import Files, written
from pipeline.codegen.names import dotted_name, python_name
from pipeline.openapi.documents import Document, Pointer
from pipeline.openapi.model import DocumentModel, Schema
from pipeline.openapi.model import Operation as Described
from pipeline.openapi.objects import as_dict, as_list
from pipeline.openapi.problems import Finding, Uses

_LIMITS: Final[tuple[str, ...]] = (
    "maxItems", "minItems", "maxLength", "minLength", "maximum", "minimum"
)  # fmt: skip
_STATUS: Final = r"(?<!status )(?<!HTTP )(?<![\w.,/-])"
_LEAST: Final = 10  # smaller numbers stand on pages for anything
_KINDS: Final = {
    "string": "text",
    "array": "list",
    "boolean": "true or false",
    "date-time": "moment",
    "date": "day",
}


@dataclass(frozen=True)
class Argument:
    """An argument of a method: its name on the wire, where it stands, what it takes, its limits."""

    wire: str
    pointer: Pointer
    kind: str
    is_required: bool
    is_deprecated: bool
    limits: Mapping[str, Any]


@dataclass(frozen=True)
class Method:
    """An operation as Python has it, such as `pets.create`."""

    name: str
    pointer: Pointer
    is_deprecated: bool
    arguments: Mapping[str, Argument]


def callers(
    files: Files, before: Mapping[str, DocumentModel | None], documents: Mapping[str, Document]
) -> Iterator[Finding]:
    """Yield a note for each change of a method since the last run, with the places that know it as
    it was: another name, an argument that is gone, new, demanded or of another kind, what is
    deprecated, another limit. Of a new argument, and of a new method, it says what a test server
    does by itself.

    Args:
        files: the code and the pages that were written by hand, and which lines each has.
        before: the effective documents of the last run, by name; None where there was none.
    """
    for name, last in before.items():
        if last is None or name not in documents:
            continue
        then, now = methods(last), methods(DocumentModel(documents[name]))
        gone, new = then.keys() - now.keys(), now.keys() - then.keys()
        # With operations gone, a new one may be a renamed one: `left_behind` reports those.
        for id in sorted(new) if new and not gone and files else ():
            text = f"{now[id].name} is new: a test server responds to {id} once it has a handler"
            yield Finding(text, documents[name].at(now[id].pointer), "left-behind", "note")
        for id in then.keys() & now.keys():
            place = documents[name].at
            for pointer, text, uses in _changes(id, then[id], now[id], files):
                if uses:
                    yield Finding(text, place(pointer), "left-behind", "note", uses=uses)
            for each, argument in sorted(now[id].arguments.items()):
                if each not in then[id].arguments:
                    text = (
                        f"{now[id].name} takes {each}, which is new: a test server stores"
                        f" {argument.wire} if it is read under the same name; else, its handler of"
                        f" {id} must read it"
                    )
                    yield Finding(text, place(argument.pointer), "left-behind", "note")


def _changes(
    id: str, was: Method, now: Method, files: Files
) -> Iterator[tuple[Pointer, str, Uses | None]]:
    """Yield the place, the sentence and the affected lines of each change of a method."""

    def calls() -> Uses | None:
        method, command = re.escape(was.name), was.name.replace(".", " ").replace("_", "-")
        return written(_call(was.name), files, sought=f"{method}|{command}")

    if was.name != now.name:
        yield now.pointer, f"{was.name} is {now.name} now", calls()
    if now.is_deprecated and not was.is_deprecated:
        yield now.pointer, f"{now.name} is deprecated now", calls()
    gone, new = was.arguments.keys() - now.arguments.keys(), now.arguments.keys() - was.arguments
    for each in sorted(gone):
        instead = f", and {' and '.join(sorted(new))} {'is' if len(new) == 1 else 'are'} new"
        text = f"{now.name} takes {each} no more{instead if new else ''}"
        yield now.pointer, text, calls()
    for name, argument in sorted(now.arguments.items()):
        old = was.arguments.get(name)
        if argument.is_required and not (old and old.is_required):
            yield argument.pointer, f"{now.name} demands {name} now", calls()
        if old is None:
            continue
        if argument.kind != old.kind:
            kinds = f"takes {argument.kind} as {name} now, and took {old.kind}"
            yield argument.pointer, f"{now.name} {kinds}", calls()
        if argument.is_deprecated and not old.is_deprecated:
            argued, option = re.escape(name), re.escape(name.replace("_", "-"))
            pattern, sought = rf"\b{argued}=|--{option}\b", f"{argued}=|{option}"
            text = f"{name} of {now.name} is deprecated now"
            yield argument.pointer, text, written(pattern, files, now.name, sought=sought)
        for limit, value in old.limits.items():
            after = argument.limits.get(limit)
            if after != value and isinstance(value, int) and abs(value) >= _LEAST:
                stated = rf"{_STATUS}{_number(value)}(?![\w/-]|[.,]\d)"
                now_is = "none" if after is None else f"{after:,}"
                text = f"{limit} of {name} of {now.name} is {now_is} now, and was {value:,}"
                about = _about(rf"{re.escape(was.name)}|\b{re.escape(name)}\b", id)
                # A number in code is anything.
                pages = [each for each in files if each[0].suffix == ".md"]
                uses = written(stated, pages, about, near=True, sought=_number(value))
                yield argument.pointer, text, uses


def _about(subject: str, id: str) -> str:
    words = re.findall(r"[A-Z]?[a-z]{3,}", id)
    return rf"{subject}|(?i:\b{words[-1].removesuffix('s')}s?\b)" if words else subject


def _number(value: int) -> str:
    return f"({value}|{value:,})"


def _call(method: str) -> str:
    """Return what finds a call of a method: in Python, or as a command."""
    resource, _, name = method.partition(".")
    command = f"{resource} {name}".replace("_", "-")
    return rf"\b{re.escape(method)}\(|\b{command}(?= )|[\"'`]{re.escape(method)}[\"'`]"


def methods(model: DocumentModel) -> dict[str, Method]:
    """Return the methods of the client by the ids of their operations."""
    return {
        id: Method(
            dotted_name(each.value, id),
            each.pointer,
            bool(each.value.get("deprecated")),
            dict(_arguments(model, each)),
        )
        for each in model.operations
        if (id := each.value.get("operationId"))
    }


def _arguments(model: DocumentModel, operation: Described) -> Iterator[tuple[str, Argument]]:
    given = []
    for node in operation.parameters:
        own = Schema((*node.pointer, "schema"), node.value.get("schema"))
        schema = model.json(node.pointer, node.value) or own
        is_required = bool(node.value.get("required"))
        given.append((str(node.value.get("name")), node.pointer, node.value, schema, is_required))
    for body in model.bodies(operation)[:1]:
        required = model.required(body.schema.pointer, body.schema.value)
        for name, member in model.members(body.schema).items():
            given.append((name, member.pointer, as_dict(member.value), member, name in required))
    for wire, pointer, words, schema, is_required in given:
        limits = {
            limit: part[limit]
            for _, part in model.applied(schema.pointer, schema.value)
            for limit in _LIMITS
            if limit in part
        }
        kind, is_deprecated = _kind(model, schema), bool(words.get("deprecated"))
        argument = Argument(wire, pointer, kind, is_required, is_deprecated, limits)
        yield python_name(words, wire), argument


def _kind(model: DocumentModel, schema: Schema) -> str:
    """Return what a schema takes, in words."""
    if items := model.items(schema):
        return f"list of {_kind(model, items)}"
    one = model.without_null(schema)
    words: dict[str, Any] = {}
    for _, part in model.applied(one.pointer, one.value):
        words = {**part, **words}
    types = as_list(words.get("type")) or [words.get("type")]
    named = [str(each) for each in types if each not in (None, "null")]
    if named == ["string"] and words.get("format") in _KINDS:
        named = [str(words["format"])]
    return " or ".join(_KINDS.get(each, each) for each in named) or "any value"
