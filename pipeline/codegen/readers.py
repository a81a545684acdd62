"""Compare two readers of one document: openapi-python-client reads first, ours supplements it.

What it reads counts. Ours is compared with it, and counts where it is silent. Every difference is
kept; a kind of them that is known has its reason.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from pipeline.codegen.ir import Kind, Operation, Type
from pipeline.codegen.parser import RULE, Reading, Shape
from pipeline.openapi.documents import Pointer, found, pointer_text
from pipeline.openapi.media_types import has_fields
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.objects import as_dict, as_list, constrains
from pipeline.openapi.problems import Finding

_CASES: Final = frozenset({"anyOf", "oneOf", "discriminator"})
_VALUES: Final = frozenset({"bool", "int", "float", "str", "datetime", "date", "uuid", "file"})


@dataclass(frozen=True)
class Agreement:
    """How far two readers agree on a document: places where they do, and where one is silent."""

    agree: int = 0
    silent: int = 0
    differences: tuple[Finding, ...] = ()
    unexplained: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """The number of places of each kind."""
        return {
            "agree": self.agree,
            "differ": len(self.differences),
            "silent": self.silent,
            "unexplained": self.unexplained,
        }


class Readers:
    """Asks the first reader, and keeps where ours agrees with it, differs, or reads alone."""

    def __init__(self, model: DocumentModel, first: Reading) -> None:
        self._model = model
        self._first = first
        self._asked: dict[tuple[Any, ...], Finding | bool] = {}
        self._unexplained: set[tuple[Any, ...]] = set()

    def value(self, pointer: Pointer, own: Kind) -> Kind:
        """Return what a single value is."""
        shape = self._first.shapes.get(pointer, Shape()) - {"null"}
        if len(shape) != 1 or not shape <= _VALUES or shape == {own}:
            return own
        kind = cast(Kind, next(iter(shape)))
        self._differ((pointer,), pointer, own, kind)
        return kind

    def required(self, pointer: Pointer, wire: str, own: bool) -> bool:
        """Return whether an object has to have a property.

        What is demanded anywhere is demanded: a reader that does not see it has lost it.
        """
        key = pointer, wire
        place = (*pointer, "properties", wire)
        return self._decided(self._first.required, key, place, "a required property", own) or own

    def parameter(self, pointer: Pointer, raw: Mapping[str, Any], own: bool) -> bool:
        """Return whether an operation needs a parameter."""
        key = pointer, raw["in"], raw["name"]
        text = f"a required parameter {raw['name']!r} ({raw['in']})"
        return self._decided(self._first.parameters, key, pointer, text, own)

    def body(self, pointer: Pointer, media_type: str, own: bool) -> bool:
        """Return whether an operation needs its body, as one media type."""
        text = f"a required body ({media_type})"
        return self._decided(self._first.bodies, (pointer, media_type), pointer, text, own)

    def agreement(
        self,
        types: Mapping[Pointer, Type],
        codes: Collection[str],
        objects: Iterable[Pointer],
        operations: Sequence[Operation],
    ) -> Agreement:
        """Compare all the rest, once everything has been read: types, and what ours has not."""
        for pointer, type_ in types.items():
            first = self._first.shapes.get(pointer)
            if first is None:
                written = found(self._model.data, pointer)
                if isinstance(written, dict) and "$ref" not in written:
                    self._asked.setdefault((pointer,), False)
                continue
            own = shape_of(type_, codes)
            if own != first:
                self._differ((pointer,), pointer, _text(own), _text(first))
            self._asked.setdefault((pointer,), True)
        for operation in operations:
            for status in operation.responses:
                key = operation.pointer, status
                self._decided(self._first.responses, key, operation.pointer, f"{status}", True)
        self._not_asked_for({*objects}, {each.pointer for each in operations})
        findings = [each for each in self._asked.values() if isinstance(each, Finding)]
        agree = sum(each is True for each in self._asked.values())
        silent = len(self._asked) - agree - len(findings)
        return Agreement(agree, silent, tuple(findings), len(self._unexplained))

    def _not_asked_for(self, objects: Collection[Pointer], operations: Collection[Pointer]) -> None:
        """Note what the first reader has and ours has not, in what ours has read."""
        facts: tuple[tuple[Collection[Pointer], Iterable[tuple[Any, ...]], str], ...] = (
            (objects, self._first.required, "property"),
            (operations, self._first.parameters, "parameter"),
            (operations, self._first.bodies, "body"),
            (operations, self._first.responses, "response"),
        )
        for read, keys, what in facts:
            for key in keys:
                if key[0] in read and key not in self._asked:
                    self._differ(key, key[0], f"no {what} {key[-1]!r}", "one")

    def _decided(
        self,
        facts: Mapping[Any, bool],
        key: tuple[Any, ...],
        place: Pointer,
        what: str,
        own: bool,
    ) -> bool:
        first = facts.get(key)
        if first is None or first == own:
            self._asked[key] = first is not None
            return own
        self._differ(key, place, f"{'' if own else 'not '}{what}", "the opposite")
        return first

    def _differ(self, key: tuple[Any, ...], pointer: Pointer, own: str, first: str) -> None:
        schema = found(self._model.data, key[0] if len(key) == 2 else pointer)
        if not isinstance(schema, dict) or schema.keys() == {"$ref"}:
            _, schema = self._model.follow(pointer, schema)
        reason = _reason(self._model, pointer, as_dict(schema))
        if not reason:
            self._unexplained.add(key)
        text = (
            f"{pointer_text(pointer)}: read here as {own}, by openapi-python-client as {first}"
            f"{f': {reason}' if reason else ''}"
        )
        self._asked[key] = Finding(text, self._model.document.at(pointer), RULE, "note", pointer)


def shape_of(type_: Type, codes: Collection[str]) -> Shape:
    """Return a type as the first reader tells types apart: a code is one of its values."""
    if type_.kind == "union":
        return Shape().union(*(shape_of(each, codes) for each in type_.items))
    if type_.kind == "class":
        return Shape({"const" if type_.node.component in codes else type_.node.pointer})
    if type_.kind == "decimal":
        return Shape({"float" if type_.node.schema.get("type") == "number" else "str"})
    return Shape({type_.kind})


def _text(shape: Shape) -> str:
    return " or ".join(
        sorted(each if isinstance(each, str) else pointer_text(each) for each in shape)
    )


def _reason(model: DocumentModel, pointer: Pointer, schema: dict[str, Any]) -> str:
    """Return why the readers differ on a schema, where that is known."""
    words = ("allOf", "anyOf", "oneOf")
    members = [each for word in words for each in as_list(schema.get(word))]
    parts = [schema, *(as_dict(model.follow(pointer, each)[1]) for each in members)]
    if pointer[-3:-2] == ("content",) and not has_fields(str(pointer[-2])):
        return "a body of another type than JSON or a form is one text, or bytes, here"
    if pointer[-3:-2] == ("content",) and "json-patch+json" in str(pointer[-2]):
        return "a JSON patch may be an array, too, here"
    if any(
        "discriminator" in each for part in parts for each in (part, *as_list(part.get("allOf")))
    ):
        return "it does not read `discriminator`"
    for part in parts:
        beside = {word: value for word, value in part.items() if word not in _CASES}
        if len(beside) < len(part) and constrains(beside):
            return "of `anyOf` and `oneOf` it takes nothing that stands beside them"
    if "$ref" in schema:
        return "it takes nothing that stands beside `$ref`"
    if schema.get("type") == "boolean":
        return "it takes `type: boolean` before constants"
    if any("items" in part and "type" not in part for part in parts):
        return "it takes `items` with `type: array` alone"
    if any("allOf" in part for part in parts):
        return "it takes every `allOf` as an object, or as its only reference"
    return "values that no code can have are not one here" if "enum" in schema else ""
