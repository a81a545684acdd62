"""What a document says about the values at a node, at first sight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from pipeline.evidence.shapes import a, inferred, is_code, takes, type_of
from pipeline.openapi.documents import Document, Pointer, lookup, reference_pointer
from pipeline.openapi.wording import either

_Inside: TypeAlias = tuple[Mapping[str, Pointer], Pointer | None, Pointer | None]
"""The properties, what other members are, and what items are."""


def resolved_at(data: Any, node: Any, pointer: Pointer) -> tuple[Any, Pointer]:
    """Follow references of an object to where it is written."""
    followed = set()
    while isinstance(node, dict) and isinstance(node.get("$ref"), str):
        if node["$ref"] in followed:
            break
        followed.add(node["$ref"])
        pointer = reference_pointer(node["$ref"])
        node = lookup(data, pointer)
    return node, pointer


class Documented:
    """A document, and its schemas; each question is answered once."""

    def __init__(self, document: Document) -> None:
        self.data: Any = document.data
        self._parts: dict[Pointer, tuple[tuple[Pointer, Mapping[str, Any]], ...]] = {}
        self._alternatives: dict[Pointer, tuple[tuple[Pointer, tuple[Pointer, ...]], ...]] = {}
        self._types: dict[Pointer, frozenset[str] | None] = {}
        self._members: dict[Pointer, tuple[dict[str, Pointer], bool]] = {}
        self._inside: dict[Pointer, _Inside] = {}
        self._components: dict[int, frozenset[Pointer]] = {}

    def node(self, pointer: Pointer) -> Any:
        """What stands at a pointer; None if nothing does."""
        try:
            return lookup(self.data, pointer)
        except (LookupError, TypeError, ValueError):
            return None

    def resolved(self, node: Any, pointer: Pointer) -> tuple[Any, Pointer]:
        """An object and its place, with references followed."""
        return resolved_at(self.data, node, pointer)

    def components(self, node: Mapping[str, Any]) -> frozenset[Pointer]:
        """The components that an object of the document refers to, directly or not."""
        if id(node) not in self._components:
            seen: set[Pointer] = set()
            waiting: list[Any] = [node]
            while waiting:
                value = waiting.pop()
                if isinstance(value, dict):
                    waiting += value.values()
                    reference = value.get("$ref")
                    if isinstance(reference, str):
                        at = reference_pointer(reference)[:3]
                        if at not in seen:
                            seen.add(at)
                            waiting.append(self.node(at))
                elif isinstance(value, list):
                    waiting += value
            self._components[id(node)] = frozenset(seen)
        return self._components[id(node)]

    def parts(self, pointer: Pointer) -> tuple[tuple[Pointer, Mapping[str, Any]], ...]:
        """A schema, those that it refers to, and the members of its `allOf`: all of them hold."""
        if pointer not in self._parts:
            self._parts[pointer] = tuple(self._all_parts(pointer))
        return self._parts[pointer]

    def _all_parts(self, pointer: Pointer) -> Iterator[tuple[Pointer, Mapping[str, Any]]]:
        seen: set[Pointer] = set()
        waiting = [pointer]
        while waiting:
            at = waiting.pop(0)
            node = self.node(at)
            if at in seen or not isinstance(node, dict):
                continue
            seen.add(at)
            yield at, node
            if isinstance(node.get("$ref"), str):
                waiting.append(reference_pointer(node["$ref"]))
            waiting += [(*at, "allOf", index) for index in range(len(node.get("allOf", ())))]

    def alternatives(self, pointer: Pointer) -> tuple[tuple[Pointer, tuple[Pointer, ...]], ...]:
        """Each `anyOf` and `oneOf` of a schema, with the pointers of its alternatives."""
        if pointer not in self._alternatives:
            self._alternatives[pointer] = tuple(
                (at, tuple((*at, word, index) for index in range(len(node[word]))))
                for at, node in self.parts(pointer)
                for word in ("anyOf", "oneOf")
                if isinstance(node.get(word), list)
            )
        return self._alternatives[pointer]

    def types(self, pointer: Pointer) -> frozenset[str] | None:
        """The JSON types that a schema takes; None if it does not say."""
        if pointer not in self._types:
            self._types[pointer] = None  # where a schema is its own alternative
            told = [_own_types(node) for _, node in self.parts(pointer)]
            for _, choices in self.alternatives(pointer):
                each = [self.types(choice) for choice in choices]
                told.append(
                    None
                    if any(one is None for one in each)
                    else frozenset().union(*(one for one in each if one is not None))
                )
            known = [one for one in told if one is not None]
            self._types[pointer] = frozenset.intersection(*known) if known else None
        return self._types[pointer]

    def members(self, pointer: Pointer) -> tuple[dict[str, Pointer], bool]:
        """The properties of a schema, in any of its alternatives, and whether others may stand."""
        if pointer not in self._members:
            self._members[pointer] = {}, False  # where a schema is its own alternative
            found: dict[str, Pointer] = {}
            is_open = False
            for at, node in self.parts(pointer):
                for name in node.get("properties", ()):
                    found.setdefault(name, (*at, "properties", name))
                others = node.get("additionalProperties", False)
                is_open |= others is not False or "patternProperties" in node
            for _, choices in self.alternatives(pointer):
                for choice in choices:
                    inner, inner_open = self.members(choice)
                    found = {**inner, **found}
                    is_open |= inner_open
            self._members[pointer] = found, is_open
        return self._members[pointer]

    def inside(self, pointer: Pointer) -> _Inside:
        """The schemas that a schema has for what is inside a value, itself and nobody else."""
        if pointer not in self._inside:
            node = self.node(pointer)
            names = {name: (*pointer, "properties", name) for name in node.get("properties", ())}
            others, items = (
                (*pointer, word) if isinstance(node.get(word), dict) else None
                for word in ("additionalProperties", "items")
            )
            self._inside[pointer] = names, others, items
        return self._inside[pointer]

    def required(self, pointer: Pointer) -> list[str]:
        """The properties that a schema demands."""
        return [
            name
            for _, node in self.parts(pointer)
            for name in node.get("required", ())
            if isinstance(name, str)
        ]

    def mismatch(self, pointer: Pointer, value: Any) -> str:
        """Why a value is not of the shape of a schema, at first sight; empty if it is.

        It is looked at as it stands, and at the types of its members: what is deeper inside has
        places of its own.
        """
        kinds = self.types(pointer)
        if not takes(kinds, value):
            return f"{a(type_of(value))}, not {either(map(a, sorted(kinds or ())))}"
        if not isinstance(value, dict):
            return ""
        known, is_open = self.members(pointer)
        missing = [name for name in self.required(pointer) if name not in value]
        if missing:
            return f"an object without {', '.join(missing[:4])}"
        if not known:
            return ""
        strange = [name for name in value if name not in known]
        if strange and not is_open and 2 * len(strange) > len(value):
            return f"an object of {_listed(value)}"
        for name, inner in value.items():
            if name in known and inner is not None and not takes(self.types(known[name]), inner):
                return f"an object whose {name} is {a(type_of(inner))}"
        return ""

    def distance(self, pointer: Pointer, value: Any) -> tuple[int, int, int]:
        """How far a value is from a schema: whether it misfits, unknown and missing members."""
        if self.mismatch(pointer, value):
            return 1, 0, 0
        if not isinstance(value, dict):
            return 0, 0, 0
        known, is_open = self.members(pointer)
        strange = 0 if is_open else sum(name not in known for name in value)
        return 0, strange, sum(name not in value for name in known)

    def closest(self, pointers: Sequence[Pointer], value: Any) -> Pointer | None:
        """The schema that a value is nearest to; None if it fits none."""
        best = min(pointers, key=lambda each: self.distance(each, value), default=None)
        return None if best is None or self.distance(best, value)[0] else best

    def schema_like(self, values: Sequence[Any]) -> dict[str, Any]:
        """A schema for values: the component that they are all like, or what they share."""
        like = self._component_like(values)
        return inferred(values) if like is None else {"$ref": f"#/components/schemas/{like}"}

    def _component_like(self, values: Sequence[Any]) -> str | None:
        """The one component whose shape all of these objects have, and which they make plain."""
        if not values or not all(isinstance(value, dict) and len(value) > 1 for value in values):
            return None
        ranked = []
        for name in self.data.get("components", {}).get("schemas", {}):
            at: Pointer = ("components", "schemas", name)
            known, is_open = self.members(at)
            far = [self.distance(at, each) for each in values]
            if known and not is_open and all(each[:2] == (0, 0) for each in far):
                ranked.append((sum(missing for _, _, missing in far), name, len(known)))
        ranked.sort()
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
            return None
        _, best, count = ranked[0]
        # A few members of many would fit by chance.
        return best if max(len(value) for value in values) * 2 >= count else None


def _own_types(node: Mapping[str, Any]) -> frozenset[str] | None:
    if "type" in node:
        return frozenset([node["type"]] if isinstance(node["type"], str) else node["type"])
    if "enum" in node:
        return frozenset(type_of(value) for value in node["enum"])
    return frozenset([type_of(node["const"])]) if "const" in node else None


def _listed(value: Mapping[str, Any]) -> str:
    names = [name for name in value if is_code(name)]
    more = len(value) - len(names[:4])
    told = ", ".join(names[:4])
    return told if not more else f"{told} and {more} more" if told else f"{more} members"
