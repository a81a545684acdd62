"""Documented facts about the values at a node, at first sight."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, Final, Literal, TypeAlias, TypeVar

from pipeline.evidence.values import is_code
from pipeline.openapi import extensions
from pipeline.openapi.documents import Document, Pointer, found
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.objects import as_dict
from pipeline.openapi.problems import NOWHERE, Position
from pipeline.openapi.wording import either, named_type, takes, type_of, typed

Part: TypeAlias = tuple[Pointer, Mapping[str, Any]]
Choices: TypeAlias = tuple[Pointer, ...]
Problem = Literal[
    "", "absent", "field", "form", "header", "media type", "missing", "name", "null", "page",
    "query parameter", "refused", "renamed", "shape", "status", "success", "type", "value",
]  # fmt: skip
"""The kinds of what a document has against an exchange; empty for nothing."""
_T = TypeVar("_T")
_NO_MEMBERS: Final[tuple[dict[str, Pointer], bool]] = ({}, False)


class Documented:
    """A document, and its schemas; each question is answered once."""

    def __init__(self, document: Document) -> None:
        self.data: Any = document.data
        self.model = DocumentModel(document)
        words = extensions.read(extensions.DocumentWords, as_dict(document.data))
        self.rate = rate = words.rate_limit
        self.zone = words.timezone
        self.rate_headers = {rate.limit, rate.remaining, rate.reset} if rate else set[str]()
        # The components that an object refers to, directly or not.
        self.components = cache(lambda at: self.model.components(found(self.data, at)))
        # A schema, those that it refers to, and the members of its `allOf`: all hold.
        self.parts = cache(lambda at: (*self.model.applied(at, found(self.data, at)),))
        self.alternatives = cache(self._alternatives)
        self.types = _once(self._types, None)
        self.members = _once(self._members, _NO_MEMBERS)

    def _alternatives(self, pointer: Pointer) -> tuple[tuple[Pointer, Choices], ...]:
        """Return each `anyOf` and `oneOf` of a schema, with the pointers of its alternatives."""
        return tuple(
            (at, tuple((*at, word, index) for index in range(len(node[word]))))
            for at, node in self.parts(pointer)
            for word in ("anyOf", "oneOf")
            if isinstance(node.get(word), list)
        )

    def _types(self, pointer: Pointer) -> frozenset[str] | None:
        """Return the JSON types that a schema takes; None if it names none."""
        candidates = [_own_types(node) for _, node in self.parts(pointer)]
        for _, choices in self.alternatives(pointer):
            per_choice = [self.types(choice) for choice in choices]
            known = [one for one in per_choice if one is not None]
            candidates.append(frozenset().union(*known) if len(known) == len(per_choice) else None)
        every = [one for one in candidates if one is not None]
        return frozenset.intersection(*every) if every else None

    def _members(self, pointer: Pointer) -> tuple[dict[str, Pointer], bool]:
        """Return the properties of a schema and its alternatives, and whether others may stand."""
        pointers: dict[str, Pointer] = {}
        is_open = False
        for at, node in self.parts(pointer):
            for name in node.get("properties", ()):
                pointers.setdefault(name, (*at, "properties", name))
            others = node.get("additionalProperties", False)
            is_open |= others is not False or "patternProperties" in node
        for _, choices in self.alternatives(pointer):
            for choice in choices:
                inner, inner_open = self.members(choice)
                pointers = {**inner, **pointers}
                is_open |= inner_open
        return pointers, is_open

    def mismatch(self, pointer: Pointer, value: Any) -> tuple[Problem, str]:
        """Return the kind of a problem and the words for it, where a value has another shape.

        Both are empty where it fits. Members have places of their own.
        """
        kinds = self.types(pointer)
        if not takes(kinds, value):
            wanted = either(map(named_type, sorted(kinds or ())))
            return "null" if value is None else "type", f"{typed(value)}, not {wanted}"
        if not isinstance(value, dict):
            return "", ""
        missing = [name for name in self.required(pointer) if name not in value]
        known, is_open = self.members(pointer)
        strange = [name for name in value if name not in known]
        if known and strange and not is_open and 2 * len(strange) > len(value):
            return "shape", f"an object with {_listed(value)}"
        if missing:
            return "missing", f"an object without {', '.join(missing[:4])}"
        return "", ""

    def is_other(self, pointer: Pointer, value: Any) -> bool:
        """Return whether an object has members of a schema's names, and none of their types."""
        if not isinstance(value, dict):
            return False
        known = self.members(pointer)[0]
        fits = [takes(self.types(known[name]), value[name]) for name in value if name in known]
        return bool(fits) and not any(fits)

    def position(self, pointer: Pointer) -> Position:
        """Return where a node is written; one of `required`, or of a parameter's name, too."""
        if pointer[-2:-1] == ("required",):
            property = (*pointer[:-2], "properties", pointer[-1])
            pointer = property if found(self.data, property) else pointer
        elif "parameters" in pointer[:-1] and found(self.data, pointer) is None:
            end = pointer.index("parameters")
            own = (each for each in self.model.operations if each.pointer == pointer[:end])
            nodes = chain.from_iterable(each.parameters for each in own)
            named = [each.pointer for each in nodes if each.value.get("name") == pointer[end + 1]]
            pointer = named[0] if named else pointer
        return self.model.document.at(pointer) or NOWHERE

    def media_types(self, node: Pointer, codes: Collection[str] = ()) -> dict[str, None]:
        """Return the media types of the responses of an operation, all or those of some codes."""
        each = as_dict(found(self.data, node)).items()
        own = (
            self.model.follow((*node, code), value)[1]
            for code, value in each
            if not codes or code in codes
        )
        return {name: None for one in own for name in as_dict(as_dict(one).get("content"))}

    def required(self, pointer: Pointer) -> list[str]:
        """Return the members that a schema demands."""
        return [name for _, node in self.parts(pointer) for name in node.get("required", ())]

    def distance(self, pointer: Pointer, value: Any) -> tuple[int, int, int]:
        """Return how far a value is from a schema: mismatch, unknown members, missing members."""
        if self.mismatch(pointer, value)[0]:
            return 1, 0, 0
        if not isinstance(value, dict):
            return 0, 0, 0
        known, is_open = self.members(pointer)
        for name, member in value.items():
            if name in known and member is not None and not takes(self.types(known[name]), member):
                return 1, 0, 0
        strange = 0 if is_open else sum(name not in known for name in value)
        return 0, strange, sum(name not in value for name in known)

    def closest(self, pointers: Sequence[Pointer], value: Any) -> Pointer | None:
        """Return the schema that a value is nearest to; None if it fits none."""
        best = min(pointers, key=lambda each: self.distance(each, value), default=None)
        return None if best is None or self.distance(best, value)[0] else best


def _once(question: Callable[[Pointer], _T], circular: _T) -> Callable[[Pointer], _T]:
    """Ask a question once for each schema; `circular` answers where a schema contains itself."""
    known: dict[Pointer, _T] = {}

    def ask(pointer: Pointer) -> _T:
        if pointer not in known:
            known[pointer] = circular
            known[pointer] = question(pointer)
        return known[pointer]

    return ask


def _own_types(node: Mapping[str, Any]) -> frozenset[str] | None:
    if "type" in node:
        return frozenset([node["type"]] if isinstance(node["type"], str) else node["type"])
    if "enum" in node:
        return frozenset(type_of(value) for value in node["enum"])
    return frozenset([type_of(node["const"])]) if "const" in node else None


def _listed(value: Mapping[str, Any]) -> str:
    names = [name for name in value if is_code(name)][:4]
    more = len(value) - len(names)
    text = ", ".join(names)
    return text if not more else f"{text} and {more} more" if text else f"{more} members"
