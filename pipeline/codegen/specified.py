"""What the specification says of a schema that openapi-python-client is known to read otherwise.

It is worked out a second time, by the words of the document alone, so that neither reader decides
about itself. `MISREAD` is the whole list of what is known.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final

from pipeline.codegen.objects import MOST_CASES, MOST_READINGS
from pipeline.codegen.parser import Shape, constant
from pipeline.openapi.documents import Pointer, found
from pipeline.openapi.media_types import bare, is_binary, is_text
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.objects import as_dict, as_list, constrains, reached

MISREAD: Final[Mapping[str, str]] = {
    "cases": "of `anyOf` and `oneOf` it takes nothing that stands beside them",
    "reference": "it takes nothing that stands beside `$ref`",
    "allOf": "it takes every `allOf` as an object, or as its only reference",
    "silent": "an alternative that says nothing allows every value here",
    "items": "it takes `items` with `type: array` alone",
    "map": "it takes `additionalProperties` with `type: object` alone",
    "names": "an object is a map here if it demands a member whose name no field can have",
    "tuple": "it takes all items of an array as one type",
    "boolean": "it takes `type: boolean` before constants",
    "discriminator": "it does not read `discriminator`",
    "required": "of a reference in an `allOf` it loses what this requires of other properties",
    "body": "a body of another type than JSON or a form is one text, or bytes, here",
    "patch": "a JSON patch may be an array, too, here",
    "integers": "an integer beyond 64 bits is no code here",
}
_ANY: Final = Shape({"any"})
_NULL: Final = Shape({"null"})
_TYPES: Final = {
    "string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "null",
    "array": "list", "object": "map",
}  # fmt: skip
_FORMATS: Final = {"date-time": "datetime", "date": "date", "uuid": "uuid", "binary": "file"}
_NO_NAME: Final = re.compile(r'["\\\x00-\x1f]|^$')
_CASES: Final = ("anyOf", "oneOf")
_APPLIED: Final = ("$ref", "allOf", *_CASES, "discriminator")


class Specified:
    """The shapes of the schemas of one document, and why the first reader has others."""

    def __init__(self, model: DocumentModel) -> None:
        self._model = model
        self._within: set[Pointer] = set()
        self._misread: dict[str, None] = {}
        self._known: dict[Pointer, tuple[Shape, dict[str, None]]] = {}
        self._read_anew: Counter[Pointer] = Counter()
        self._cut = 0  # how often a schema was met within itself

    def shape(self, at: Pointer) -> tuple[Shape, str]:
        """Return what a schema allows, and a word of `MISREAD`: empty where none is about it."""
        self._misread = {}
        shape = self._at(at)
        return shape, next(iter(self._misread), "")

    def tags(self, at: Pointer) -> Shape:
        """Return the texts by which discriminators tell objects apart that have a property."""
        return self._tags.get(at, Shape())

    def requires(self, at: Pointer, name: str) -> bool:
        """Return whether an object demands a property, by all that it extends."""
        return name in self._model.required(at, found(self._model.data, at))

    def _at(self, at: Pointer) -> Shape:
        schema = found(self._model.data, at)
        if at[-3:-2] == ("content",) and not self._model.has_fields(at[:-1]):
            self._misread["body"] = None
            return Shape({"str" if is_text(bare(str(at[-2]))) else "file"})
        around = as_dict(found(self._model.data, at[:-1]))
        if at[-1:] == ("items",) and "prefixItems" in around:
            self._misread["tuple"] = None
            places = [(*at[:-1], "prefixItems", i) for i, _ in enumerate(around["prefixItems"])]
            places += [] if schema is False else [at]
            return Shape().union(*(self._of(e, found(self._model.data, e)) for e in places))
        shape = self._of(at, schema)
        if at[-3:-2] == ("content",) and "json-patch+json" in str(at[-2]) and "list" not in shape:
            self._misread["patch"] = None
            return shape | {"list"}
        return shape

    def _of(self, at: Pointer, schema: Any) -> Shape:
        if not constrains(schema) or not isinstance(schema, dict):
            return _ANY
        if at in self._within:
            self._cut += 1
            return _ANY
        if at not in self._known:
            before, self._misread = self._misread, {}
            cut = self._cut
            self._within.add(at)
            known = self._read(at, schema), self._misread
            self._within.remove(at)
            self._misread = before
            self._read_anew[at] += 1
            # What was cut depends on the schemas around it, unless there are none.
            if self._cut > cut and self._within and self._read_anew[at] < MOST_READINGS:
                self._misread |= known[1]
                return known[0]
            self._known[at] = known
        shape, misread = self._known[at]
        self._misread |= misread
        return shape

    def _read(self, at: Pointer, schema: dict[str, Any]) -> Shape:
        own = {word: each for word, each in schema.items() if word not in _APPLIED}
        parts = [self._leaf(at, own)] if constrains(own) else []
        if "$ref" in schema:
            place, target = self._model.follow(at, {"$ref": schema["$ref"]})
            family = self._families.get(place)
            self._note("discriminator", family)
            self._note("reference", constrains({w: e for w, e in schema.items() if w != "$ref"}))
            parts.append(Shape(family) if family else self._of(place, target))
        for index, member in enumerate(as_list(schema.get("allOf"))):
            if constrains(member):
                parts.append(self._of((*at, "allOf", index), member))
        self._note("allOf", "allOf" in schema)
        shape = self._together(at, parts)
        if at in shape and (chosen := self._chosen(at, schema)):
            return chosen | (self._leaf(at, own) & _NULL)
        for word in _CASES:
            if branches := as_list(schema.get(word)):
                self._note("cases", constrains(own) or "allOf" in schema)
                is_object = any(isinstance(each, tuple) for each in shape)
                rest = {key: each for key, each in schema.items() if key not in _CASES}
                shape = self._cases(at, word, branches, shape, {at: rest} if is_object else {})
        return shape

    def _chosen(self, at: Pointer, schema: dict[str, Any]) -> Shape:
        """Return the shapes of an object of which an `allOf` member has `anyOf` or `oneOf`: one for
        each alternative. Empty where no member has any.
        """
        members = {(*at, "allOf", i): each for i, each in enumerate(as_list(schema.get("allOf")))}
        for place, member in members.items():
            where, inner = self._model.follow(place, member)
            circles = self._model.circles
            if place in circles.extending and where in circles.holders:
                continue  # its alternatives are this object itself
            for word in _CASES:
                if branches := as_list(as_dict(inner).get(word)):
                    others = {each: members[each] for each in members if each != place}
                    return self._cases(where, word, branches, Shape({at}), others)
        return Shape()

    def _together(self, at: Pointer, parts: Iterable[Shape]) -> Shape:
        """Return what holds with all of several parts: of several objects, a class at a place."""
        said = [each for each in parts if each != _ANY]
        if len(said) < 2:
            shape = said[0] if said else _ANY
            inner = (*at, "allOf")
            return Shape(at if each[: len(inner)] == inner else each for each in shape)
        null = _NULL if any("null" in each for each in said) else Shape()
        values = [each - _NULL for each in said if each != _NULL]
        if any(isinstance(each, tuple) for shape in values for each in shape):
            return null | {at}
        constants = [each for each in values if all(map(is_constant, each))]
        if constants:
            return null | constants[0].intersection(*constants)
        return null.union(*values[-1:])

    def _cases(
        self,
        at: Pointer,
        word: str,
        branches: list[Any],
        around: Shape,
        parts: Mapping[Pointer, Any],
    ) -> Shape:
        """Return what alternatives allow, beside what holds with all of them.

        If that is an object, `parts` are those of it.
        """
        shapes = [self._of((*at, word, index), each) for index, each in enumerate(branches)]
        self._note("silent", not all(map(constrains, branches)))
        if all(
            isinstance(each, dict) and each.keys() <= {"required", "not", "title", "description"}
            for each in branches
        ):
            return around  # they say which members may come together
        if not parts:
            return Shape().union(*shapes) | (around & _NULL)
        known = set().union(*(self._names(*each) for each in parts.items()))
        others = [each for each in around if isinstance(each, tuple)]
        if len(others) > 1:  # each of these with each of those
            places = [(*at, word, index) for index, _ in enumerate(branches)]
            is_any = len(others) * len(places) > MOST_CASES
            return _ANY if is_any else Shape((*a, *b) for a in places for b in others)
        return Shape().union(
            *(
                shape
                if known <= self._names((*at, word, index), branches[index])
                else Shape({(*at, word, index)})
                for index, shape in enumerate(shapes)
            )
        )

    def _names(self, at: Pointer, schema: Any) -> set[str]:
        return {*self._model.properties(at, schema)}

    def _leaf(self, at: Pointer, schema: Mapping[str, Any]) -> Shape:
        """Return what the words of a schema say that apply no other one."""
        kinds = schema.get("type")
        named = [kinds] if isinstance(kinds, str) else as_list(kinds)
        may_be_null = "null" in named and "const" not in schema
        null = _NULL if may_be_null or None in as_list(schema.get("enum")) else Shape()
        values = [each for each in as_list(schema.get("enum")) if each is not None]
        values = [schema["const"]] if "const" in schema else values
        values = values or as_list(schema.get("x-extensible-enum"))
        if values:
            is_bool = any(isinstance(each, bool) for each in values)
            self._note("boolean", is_bool or "boolean" in named)
            large = any(type(each) is int and not -(2**63) <= each < 2**63 for each in values)
            self._note("integers", large)
            if large:
                return null | {"int"}
            if not (is_bool and "const" not in schema):
                return null | set(map(constant, values))
        if "type" not in schema and ("items" in schema or "prefixItems" in schema):
            self._note("items", True)
            named = ["array"]
        known = as_dict(schema.get("properties"))
        if any(
            name in known and _NO_NAME.search(str(name)) for name in as_list(schema.get("required"))
        ):
            self._note("names", True)
            return null | {"map"}
        if "properties" in schema and (not named or "object" in named):
            is_map = not schema["properties"] and schema.get("additionalProperties")
            return null | {"map" if is_map else at}
        if "type" not in schema and schema.get("additionalProperties"):
            self._note("map", True)
            named = ["object"]
        shape = Shape(_TYPES.get(str(each), "any") for each in named) or _ANY
        form = "date-time" if "x-datetime-format" in schema else schema.get("format")
        if not form and is_binary(schema.get("contentMediaType"), schema.get("contentEncoding")):
            form = "binary"
        if "str" in shape and form in _FORMATS:
            return (shape - {"str"}) | {_FORMATS[form]}
        return shape

    def _note(self, word: str, applies: object) -> None:
        if applies:
            self._misread.setdefault(word)

    @cached_property
    def _families(self) -> dict[Pointer, list[Pointer]]:
        """The classes that may come for one with a discriminator: it, and those that extend it."""
        children: dict[Pointer, list[Pointer]] = defaultdict(list)
        roots = set()
        for at, schema in self._components:
            parts = [schema, *map(as_dict, as_list(schema.get("allOf")))]
            if any(each.get("discriminator") for each in parts):
                roots.add(at)
            for part in parts[1:]:
                if target := self._model.target(part.get("$ref")):
                    children[target].append(at)

        return {at: [*reached([at], children.get)] for at in reached(roots, children.get)}

    @cached_property
    def _tags(self) -> dict[Pointer, Shape]:
        """The values of each property by which a discriminator tells objects apart."""
        tags: dict[Pointer, set[str]] = defaultdict(set)
        members: dict[Pointer, dict[str, tuple[Pointer, Any]]] = {}  # of an object, found once
        for node in self._model.of("schema"):
            word = as_dict(node.value.get("discriminator"))
            wire, mapping = word.get("propertyName"), as_dict(word.get("mapping"))
            if not isinstance(wire, str):
                continue
            extended = node.pointer[:-2] if node.pointer[-2:-1] == ("allOf",) else node.pointer
            branches = [*as_list(node.value.get("oneOf")), *as_list(node.value.get("anyOf"))]
            targets = [self._model.target(as_dict(each).get("$ref")) for each in branches]
            for at in filter(None, targets or self._families.get(extended, [])):
                name = str(at[-1])
                meant = [
                    value
                    for value, reference in mapping.items()
                    if name == reference or self._model.target(reference) == at
                ]
                if at not in members:
                    members[at] = self._model.properties(at, found(self._model.data, at))
                if wire in members[at]:
                    tags[members[at][wire][0]].update(map(constant, meant or [name]))
        return {at: Shape(values) for at, values in tags.items()}

    @property
    def _components(self) -> Iterator[tuple[Pointer, dict[str, Any]]]:
        schemas = as_dict(as_dict(self._model.data.get("components")).get("schemas"))
        for name, schema in schemas.items():
            if isinstance(schema, dict):
                yield ("components", "schemas", name), schema


def is_constant(each: str | Pointer) -> bool:
    """Return whether a member of a shape is a value, and no kind of them."""
    return isinstance(each, str) and (each[:1] in '"-0123456789' or each in ("true", "false"))
