"""Combine several documents in one package; different classes of one name get two names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from pipeline.codegen import names
from pipeline.codegen.ir import Api, Codes, Model, Node
from pipeline.openapi.documents import Document, Pointer, found
from pipeline.openapi.objects import members, reached, stripped
from pipeline.openapi.overlay.model import CONFIRMED, MARKS, STAMPS
from pipeline.openapi.problems import Finding

__all__ = ["clash", "disambiguate", "is_native", "is_same"]

_KNOWN = STAMPS[CONFIRMED]


def is_native(api: Api) -> bool:
    """Return whether the names of a document stay as they are."""
    return "x-sections" in api.raw


def is_same(one: Model | Codes, other: Model | Codes) -> bool:
    """Return whether two components say the same, whatever is assumed about them."""
    return bool(stripped(one.node.schema, MARKS) == stripped(other.node.schema, MARKS))


def clash(pointer: Pointer, here: tuple[str, Document], there: tuple[str, Document]) -> Finding:
    """Return the error about a component that differs in two documents, given with their names.

    It stands where a gap is confirmed for one of them alone, if that is the cause.
    """
    name, ends = pointer[-1], (here, there)
    text = f"{name} differs from the component of that name in {there[0]}: "
    text += "one package has one class for both"
    known = [dict(_known(found(document.data, pointer), pointer)) for _, document in ends]
    for one, other in ((0, 1), (1, 0)):
        for gap, place in known[one].items():
            if gap not in known[other]:
                text += f"; {gap} is confirmed for {ends[one][0]} alone: "
                text += f"confirm it for {ends[other][0]}, too"
                return Finding(text, ends[one][1].at(place), "shared")
    at = _difference(*(found(document.data, pointer) for _, document in ends))
    places = [document.at((*pointer, *at)) for _, document in ends]
    if places[0] != places[1]:
        text += f"; the other is written at {places[1]}"
    return Finding(text, places[0], "shared")


def _known(node: Any, at: Pointer) -> Iterator[tuple[str, Pointer]]:
    """Yield the gaps that are confirmed in a node, each with its place."""
    for key, each in members(node):
        if key == _KNOWN:
            yield from ((gap, (*at, key)) for gap in each)
        else:
            yield from _known(each, (*at, key))


def _difference(one: Any, other: Any) -> Pointer:
    """Return the way to the first place in which two values differ; empty for the whole."""
    own, others = dict(members(one)), dict(members(other))
    for key in own | others:
        is_alike = key in own and key in others and own[key] == others[key]
        if key not in MARKS and not is_alike:
            return (key, *_difference(own.get(key), others.get(key)))
    return ()


def disambiguate(
    apis: Sequence[Api], documents: Mapping[str, Document]
) -> tuple[list[Api], list[Finding]]:
    """Return documents in which no two components of one name differ, and notes on new names."""
    known: dict[str, tuple[Model | Codes, str]] = {}
    by_source: dict[str, Api] = {}
    notes: list[Finding] = []
    for api in sorted(apis, key=lambda each: not is_native(each)):
        classes: dict[str, Model | Codes] = {**api.codes, **api.models}
        if not is_native(api):
            differing = {
                name for name, component in classes.items()
                if name in known and not is_same(component, known[name][0])
            }  # fmt: skip
            moved: dict[str, str] = {}
            for name in _with_users(classes, differing & known.keys(), known):
                taken = known.keys() | classes.keys() | set(moved.values())
                moved[name] = names.numbered(name, taken, join="")
                text = (
                    f"{name} differs from the component of that name in {known[name][1]}, so its "
                    f"class is called {names.pascal(moved[name])}; x-python-name names it better"
                )
                at = classes[name].node.pointer
                place = documents[api.source].at(at)
                if not classes[name].node.class_name:
                    notes.append(Finding(text, place, "python-name", "note", at))
            api = _renamed(api, moved) if moved else api
            classes = {**api.codes, **api.models}
        for name, component in classes.items():
            known.setdefault(name, (component, api.source))
        by_source[api.source] = api
    return [by_source[api.source] for api in apis], notes


def _with_users(
    classes: Mapping[str, Model | Codes], differing: set[str], known: Mapping[str, object]
) -> list[str]:
    """Return the classes that differ, also by what they hold, in the order of the document."""
    users: dict[str, list[str]] = {}
    for name in known.keys() & classes.keys():
        for field in getattr(classes[name], "fields", ()):
            for each in field.type.classes:
                users.setdefault(each, []).append(name)
    differing_too = reached(differing, users.get)
    return [name for name in classes if name in differing_too]


def _renamed(value: Any, moved: Mapping[str, str]) -> Any:
    """Return a part of a document with other names for its classes."""
    if isinstance(value, tuple):
        return tuple(_renamed(each, moved) for each in value)
    if isinstance(value, Node):
        return replace(value, component=moved.get(value.component, value.component))
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {each.name: getattr(value, each.name) for each in fields(value)}
    made = {name: _renamed(part, moved) for name, part in parts.items()}
    if isinstance(value, Api):
        for word in ("models", "codes"):
            each_renamed = (_renamed(each, moved) for each in parts[word].values())
            made[word] = {each.name: each for each in each_renamed}
    elif isinstance(value, (Model, Codes)):
        made["name"] = moved.get(value.name, value.name)
    return replace(value, **made)
