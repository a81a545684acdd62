"""Schemas that lead back to themselves by way of what they extend and of their alternatives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pipeline.openapi.documents import Pointer
from pipeline.openapi.objects import Node, as_list

_CASES = ("anyOf", "oneOf")


class Circles(NamedTuple):
    """Places where a schema extends itself, directly or through others.

    Attributes:
        extending: members of `allOf`, and references with words beside them, that lead back.
        holders: schemas of whose alternatives one leads back to them.
    """

    extending: frozenset[Pointer]
    holders: frozenset[Pointer]


def circles(nodes: Iterable[Node], target: Callable[[Any], Pointer | None]) -> Circles:
    """Return the circles among schemas, in which no object holds another one as a property."""
    schemas = {each.pointer: each.value for each in nodes}
    onward = {
        at: [inner for inner in _onward(at, value, target) if inner in schemas]
        for at, value in schemas.items()
    }
    groups = _groups(onward)
    extending: set[Pointer] = set()
    holders: set[Pointer] = set()
    for at, value in schemas.items():
        for inner in onward[at]:
            if groups[inner] != groups[at]:
                continue
            if inner[-2:-1] == ("allOf",) and inner[:-2] == at:
                extending.add(inner)
            elif inner[:-2] == at and inner[-2] in _CASES:
                holders.add(at)
            elif len(value) > 1:
                extending.add(at)
    return Circles(frozenset(extending), frozenset(holders))


def _onward(
    at: Pointer, schema: dict[str, Any], target: Callable[[Any], Pointer | None]
) -> Iterator[Pointer]:
    for word in ("allOf", *_CASES):
        for index, _ in enumerate(as_list(schema.get(word))):
            yield (*at, word, index)
    if "$ref" in schema and (leads_to := target(schema["$ref"])) is not None:
        yield leads_to


def _groups(onward: Mapping[Pointer, list[Pointer]]) -> dict[Pointer, Pointer]:
    """Return one place for each, which is the same for all that lead to one another (Kosaraju)."""
    left: list[Pointer] = []
    entered: set[Pointer] = set()
    waiting = [(at, False) for at in onward]
    while waiting:
        at, is_left = waiting.pop()
        if is_left:
            left.append(at)
        elif at not in entered:
            entered.add(at)
            waiting.append((at, True))
            waiting += [(each, False) for each in onward[at]]
    backward: dict[Pointer, list[Pointer]] = {at: [] for at in onward}
    for at, others in onward.items():
        for each in others:
            backward[each].append(at)
    groups: dict[Pointer, Pointer] = {}
    for first in reversed(left):
        around = [first]
        while around:
            at = around.pop()
            if at not in groups:
                groups[at] = first
                around += backward[at]
    return groups
