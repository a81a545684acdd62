"""Find what is confirmed to be gone, and how pages write it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.codegen.left_behind import schema_pattern, spelt
from pipeline.codegen.names import dotted_name, python_name
from pipeline.openapi.documents import Document, Pointer, found
from pipeline.openapi.model import DocumentModel, Schema
from pipeline.openapi.objects import Node, as_dict, as_list
from pipeline.openapi.overlay.model import CONFIRMED, Change
from pipeline.openapi.overlay.query import select
from pipeline.openapi.problems import Finding


@dataclass(frozen=True)
class Removed:
    """An argument, a field or an operation that a confirmed overlay has removed.

    Attributes:
        gap: the gap, whose name may look like that of a field.
        said: what to say where it is named.
        words: the names by which a file is looked through.
        pattern: how it is written.
        about: what must stand in the same paragraph, since others have the name, too; or nothing.
    """

    gap: str
    said: str
    words: tuple[str, ...]
    pattern: str
    about: str = ""

    def is_in(self, text: str) -> bool:
        """Return whether a paragraph names it."""
        text = text.replace(self.gap, "")
        return bool(re.search(self.pattern, text) and re.search(self.about, text))


def removed(
    changes: Mapping[str, Sequence[Change]],
    before: Mapping[str, Document],
    documents: Mapping[str, Document],
) -> Iterator[Removed]:
    """Yield what confirmed changes have removed of documents, and the effective ones have not.

    Args:
        before: the documents as they are assumed.
    """
    kept: set[str] = set()
    for name, document in before.items():
        places = [*_places(changes[name], document)]
        then, now = DocumentModel(document), DocumentModel(documents[name])
        if places and not kept:
            kept |= {name for each in documents.values() for name in _names(each)}
        for gap, place in places:
            for what, about, names in _gone(then, now, place):
                said = f"{gap} is confirmed: {what} is gone; take it out here"
                if not names:
                    yield Removed(gap, said, (what.partition(".")[0],), about)
                    continue
                pattern = rf"{spelt(*names)}|--{re.escape(names[-1].replace('_', '-'))}\b"
                yield Removed(gap, said, names, pattern, about if kept & {*names} else "")


def offered(
    changes: Mapping[str, Sequence[Change]],
    before: Mapping[str, Document],
    documents: Mapping[str, Document],
) -> Iterator[Finding]:
    """Yield a note for each argument that names, among its values, a field of the response that is
    confirmed to be gone; also by another name that a word of behaviour gives it.
    """
    for name, document in before.items():
        now = DocumentModel(documents[name])
        for gap, place in _places(changes[name], document):
            if not _is_property(place) or found(now.data, place) is not None:
                continue
            wire, called = str(place[-1]), {str(place[-1])}
            for node in _objects(as_dict(document.data).get("x-assume")):
                called |= {str(key) for key, value in node.items() if value == wire}
            for each in now.operations:
                if place[:3] not in now.components(each.responses):
                    continue
                for argument in each.parameters:
                    for at, value in _values(now, argument):
                        if value in called:
                            text = (
                                f"{gap} is confirmed: {wire} of {place[2]} is gone, and"
                                f" {argument.value['name']} of"
                                f" {dotted_name(each.value, each.title)} still offers {value};"
                                " confirm the gap of its values without it, too"
                            )
                            yield Finding(text, now.document.at(at), "gaps", "note")


def _values(model: DocumentModel, argument: Node) -> Iterator[tuple[Pointer, Any]]:
    """Yield the values that an argument, or an entry of it, may have, and their places."""
    schema = Schema((*argument.pointer, "schema"), argument.value.get("schema"))
    for each in (schema, model.items(schema)):
        for at, part in model.applied(each.pointer, each.value) if each else ():
            for word in ("enum", "x-extensible-enum"):
                for index, value in enumerate(as_list(part.get(word))):
                    yield (*at, word, index), value


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from _objects(each)


def _is_property(place: Pointer) -> bool:
    return place[:2] == ("components", "schemas") and place[-2:-1] == ("properties",)


def _places(changes: Sequence[Change], before: Document) -> Iterator[tuple[str, Pointer]]:
    """Yield the places that confirmed actions remove, each with its gap."""
    actions = {id(each.action): each.action for each in changes if each.kind == "remove"}
    for action in actions.values():
        if CONFIRMED in action.words and action.gap:
            for place in select(action.target, before.data):
                yield action.gap, place


def _gone(
    then: DocumentModel, now: DocumentModel, place: Pointer
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield what went with a place: what to call it, the pattern of what it is of, and its names,
    the one in Python last; of an operation none, and its own pattern.
    """
    end, value = then.follow(place, found(then.data, place))
    here = {(each.path, each.method): each for each in now.operations}
    for each in then.operations:
        method, stays = dotted_name(each.value, each.title), here.get((each.path, each.method))
        command = re.escape(method.replace(".", " ").replace("_", "-"))
        called = rf"\b{re.escape(method)}\b|\b{command}\b"
        if stays is None and each.pointer[: len(place)] == place:
            yield method, rf"{called}|`{re.escape(each.title)}`", ()
        elif stays:
            left = {_named(node.value)[-1] for node in stays.parameters}
            for node in each.parameters:
                names = _named(node.value)
                if node.pointer == end and names[-1] not in left:
                    yield f"{names[-1]} of {method}", called, names
    if _is_property(place) and found(now.data, place) is None:
        wire, schema = str(place[-1]), str(place[2])
        name = python_name(value, wire)
        yield f"{name} of {schema}", schema_pattern(schema), (wire, name)


def _names(document: Document) -> Iterator[str]:
    """Yield the names of all parameters and properties, on the wire and in Python."""
    for node in DocumentModel(document).nodes:
        if node.kind == "parameter" and "name" in node.value:
            yield from _named(node.value)
        for wire, each in as_dict(as_dict(node.value).get("properties")).items():
            yield from (wire, python_name(each, wire))


def _named(parameter: Mapping[str, Any]) -> tuple[str, str]:
    """Return the name of a parameter on the wire, and in Python."""
    return str(parameter["name"]), python_name(parameter, str(parameter["name"]))
