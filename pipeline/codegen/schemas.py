"""Read the schemas of a document: which become classes, and what every other one holds.

What a single value is, and which properties have to be there, the first reader decides (`parser`)
wherever it reads; here it is read for the places that it does not reach, and to compare. What
cannot be carried into types and checks becomes any value, with a note, or an error that names the
place.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from pipeline.codegen import names
from pipeline.codegen.ir import Codes, Field, Kind, Model, Node, Type
from pipeline.codegen.objects import (
    MOST_CASES,
    MOST_READINGS,
    TYPE_WORDS,
    Objects,
    has_additional,
    has_type,
    is_invalid_name,
    is_null,
    needs_invalid_name,
)
from pipeline.codegen.parser import Shape
from pipeline.codegen.readers import Readers, shape_of
from pipeline.codegen.specified import is_constant
from pipeline.codegen.type_writer import checks, without_null
from pipeline.openapi.documents import Pointer, found, pointer_text
from pipeline.openapi.media_types import is_binary
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.objects import ANNOTATIONS, as_dict, as_list, constrains, reached
from pipeline.openapi.problems import Finding
from pipeline.openapi.wording import cut

_KINDS = {"string": "str", "integer": "int", "number": "float", "array": "list", "object": "map"}
_JSON_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number"}
_LISTS = {"allOf", "anyOf", "oneOf"}
_MEMBERS = {"properties", "required", "allOf"}
_CASES = ("anyOf", "oneOf")
_FORMATS: Mapping[str, Kind] = {
    "date-time": "datetime", "date": "date", "uuid": "uuid", "binary": "file",
}  # fmt: skip
_SINGLE_KINDS: Mapping[str | None, Kind] = {
    None: "any", "null": "null", "boolean": "bool", "integer": "int", "number": "float",
    "string": "str",
}  # fmt: skip
_STRUCTURAL_KEYWORDS = {"properties", "items", "$defs", "schema", "additionalProperties"}
_OTHERS = "additional_properties"
_ABOUT_OTHERS = "The members that the documents allow and do not name."
_MOST_NESTED = 100  # types inside the members of a union, which are spelt out in signatures
_DEEPEST = 60  # names that stand for one another, or for lists of one another
_READ_BY_THE_PARSER = frozenset({"type", "format", "const", "x-datetime-format"})


@dataclass
class _Properties:
    """The properties of a class, and the components that they come from."""

    fields: dict[str, Field] = field(default_factory=dict)
    required: dict[str, None] = field(default_factory=dict)
    tags: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    others: Field | None = None

    def names(self) -> set[str]:
        """Return what the fields are called in Python."""
        return {each.name for each in self.fields.values()}

    def free_name(self, wire: str) -> str:
        """Return a name for a property that the document does not declare."""
        return names.numbered(names.python_name({}, wire), self.names())


class Schemas:
    """The schemas of one document, as classes by name; those inside another one stand before it.

    `decimals` are the formats of numbers and texts that are exact decimal numbers. `notes` say what
    is carried as any value, or without its checks; `errors`, what cannot be carried.
    """

    def __init__(
        self, model: DocumentModel, readers: Readers, decimals: Collection[str] = ()
    ) -> None:
        self.types: dict[Pointer, Type] = {}
        self.models: dict[str, Model] = {}
        self.codes: dict[str, Codes] = {}
        self.notes: list[Finding] = []
        self.errors: list[Finding] = []
        self._model = model
        self._readers = readers
        self._decimals = decimals
        self._places: dict[str, Pointer] = {}
        self._components = self._named()
        self._objects = Objects(model, self._components, self._component)
        self._classes = {
            name: Node(self._places[name], raw, name)
            for name, raw in self._components.items()
            if self._is_class(raw)
        }
        self._always = frozenset(self._classes)  # what each reference to them means
        self._enumerations = {
            name: self._enumeration(node)
            for name, node in self._classes.items()
            if _values(node.schema) and not node.schema.get("properties")
        }
        self._inline = {node.pointer: node for node in self._classes.values()}
        self._families = self._extended()
        self._tags, self._usual = self._discriminated()
        self._expanding: list[str] = []
        self._expanded: Counter[str] = Counter()
        self._cut = 0  # how often that has ended at one of its own, or too deep
        self._referred: dict[str, Type] = {}
        self._undefined: list[Node] = []  # classes inside names that are being expanded
        self._links = {each.component for at, each in self._inline.items() if at in model.links}
        for node in list(self._classes.values()):
            if node.component not in self._links:
                self._define(node)

    def read(self, raw: Any, pointer: Pointer, hint: str) -> Type:
        """Return the type of a schema; `hint` names the class that an inline one becomes."""
        type_ = self._read(raw, pointer, hint)
        if raw is found(self._model.data, pointer):
            own = shape_of(type_, self._enumerations)
            asked = own if own == {"any"} else self._readers.shape(pointer, own)
            if asked != own:
                type_ = self._as_asked(asked, raw, pointer, hint)
        if type_.kind == "union" and sum(map(_nested, type_.items)) > _MOST_NESTED:
            self.note("alternatives within alternatives, too many: typed as any value", pointer)
            type_ = _any(raw, pointer)
        self.types[pointer] = type_
        while self._undefined and not self._expanding:
            self._define(self._undefined.pop(0))
        return type_

    def _read(self, raw: Any, pointer: Pointer, hint: str) -> Type:
        if raw is False:
            self.refuse("the schema `false` allows no value", pointer)
        if not isinstance(raw, dict):
            return _single(Node(pointer, {}))
        if "$ref" in raw:
            return self._beside_reference(raw, pointer, hint)
        if not _is_nullable(raw):
            return self._non_null(raw, pointer, hint)
        rest = _without_null(raw)
        if rest.get("type") == "null":
            return _single(Node(pointer, {**raw, "type": "null"}))
        return _union([self._non_null(rest, pointer, hint), _null(pointer)], Node(pointer, raw))

    def _as_asked(self, shape: Shape, raw: Any, pointer: Pointer, hint: str) -> Type:
        """Return the type of what the first reader has read, where ours has read something else."""
        schema, types = as_dict(raw), []
        for each in sorted(shape, key=str):
            node = Node(pointer, {w: schema[w] for w in schema if w not in _READ_BY_THE_PARSER})
            if isinstance(each, tuple):
                there = as_dict(found(self._model.data, each))
                types.append(self._class_inside(there, each, hint))
            elif is_constant(each):
                types.append(_single(Node(pointer, {"const": json.loads(each)})))
            elif each == "list":
                types.append(Type("list", node, (self._item(schema, pointer, hint + "Item"),)))
            elif each == "map":
                place = (*pointer, "additionalProperties")
                inner = self.read(schema.get("additionalProperties") or {}, place, hint + "Value")
                types.append(Type("map", node, (inner,)))
            else:
                types.append(Type(cast(Kind, each), node))
        return types[0] if len(types) == 1 else _union(types, Node(pointer, schema))

    def one_of(self, types: Iterable[Type], pointer: Pointer) -> Type:
        """Return what is any of several types."""
        union = _union(types, Node(pointer, {}))
        return union if len(union.items) > 1 else union.items[0]

    def note(self, message: str, pointer: Pointer) -> None:
        """Report something that is not carried as it is written."""
        self.notes.append(self._finding(message, pointer, "note"))

    def refuse(self, message: str, pointer: Pointer) -> None:
        """Report something that cannot be carried at all."""
        self.errors.append(self._finding(message, pointer, "error"))

    def _finding(
        self, message: str, pointer: Pointer, severity: Literal["note", "error"]
    ) -> Finding:
        place = f"{pointer_text(pointer)}: {message}"
        return Finding(place, self._model.document.at(pointer), "carry", severity, pointer)

    # References

    def _component(self, reference: Any) -> str:
        """Return the name of the component that a reference names; empty where there is none."""
        return self._names.get(reference, "") if isinstance(reference, str) else ""

    def _named(self) -> dict[str, Any]:
        """Return the components, and every other schema that something refers to, by names."""
        known = dict(self._model.data.get("components", {}).get("schemas", {}))
        self._places = {name: ("components", "schemas", name) for name in known}
        names_of = {place: name for name, place in self._places.items()}
        self._names: dict[str, str] = {}
        model = self._model
        references = [each.value.get("$ref") for each in model.of("schema")]
        for node in model.of("schema"):
            references += as_dict(as_dict(node.value.get("discriminator")).get("mapping")).values()
        for reference in references:
            place = model.target(reference)
            if not place or model.kinds.get(place) != "schema":
                continue
            if place not in names_of:
                name = names.numbered(_name_of_place(place), known, join="")
                known[name], self._places[name], names_of[place] = model.get(place), place, name
            self._names[reference] = names_of[place]
        return known

    def _beside_reference(self, raw: dict[str, Any], pointer: Pointer, hint: str) -> Type:
        rest = {
            key: value
            for key, value in raw.items()
            if key != "$ref" and key not in ANNOTATIONS and not key.startswith("x-")
        }
        if self._component(raw["$ref"]) in self._classes and not _adds_members(rest):
            there = self._components[self._component(raw["$ref"])]
            if other := sorted(word for word in rest if rest[word] != there.get(word)):
                text = f"keywords beside `$ref` are not checked: {', '.join(other)}"
                self.note(text, pointer)
        elif rest:
            return self.read(self._objects.beside_reference(raw, rest), pointer, hint)
        return self._reference(raw["$ref"], pointer)

    def _reference(self, reference: str, pointer: Pointer) -> Type:
        name, followed = self._component(reference), {""}
        while name not in followed and (other := _other_name(self._components[name])):
            followed.add(name)
            reference, name = other, self._component(other)
        if family := self._families.get(name):
            types = [Type("class", self._classes[each]) for each in family]
            return _union(types, types[0].node)
        if name in self._always:
            if name in self._links:  # of which there are values after all
                self._links.remove(name)
                self._define(self._classes[name])
            return Type("class", self._classes[name])
        if not name:
            self.refuse(f"`$ref: {reference}` does not lead to a schema", pointer)
            return _any({}, pointer)
        raw = self._components[name]
        if name in self._referred:
            return self._referred[name]
        if name in self._expanding:
            self._cut += 1
            self.note(
                f"{name} contains itself with no properties in between: typed as any value", pointer
            )
            return _any(raw, pointer)
        if len(self._expanding) >= _DEEPEST:
            self._cut += 1
            self.note(f"{name} stands too deep within others: typed as any value", pointer)
            return _any(raw, pointer)
        self._expanding.append(name)
        before = self._cut
        result = self.read(raw, self._places[name], names.pascal(name))
        self._expanding.pop()
        self._expanded[name] += 1
        # What was cut depends on the names around it, unless there are none.
        if self._cut == before or not self._expanding or self._expanded[name] >= MOST_READINGS:
            self._referred[name] = result
        return result

    # What becomes a class

    def _is_class(self, raw: Any) -> bool:
        """Return whether a schema becomes a class: an object with properties, or an enumeration."""
        if not isinstance(raw, dict) or "$ref" in raw or _is_nullable(raw):
            return False  # of a reference, the class is the one that it refers to
        if _values(raw):
            return True
        if self._objects.varies(raw):
            return False
        if ("anyOf" in raw or "oneOf" in raw) and not raw.get("properties"):
            return False
        return self._objects.is_model(raw)

    # Objects that are one of several

    def _extended(self) -> dict[str, list[str]]:
        """Return the classes with a discriminator, each with those that extend it, at any depth.

        Where one is referred to, any of them may come.
        """
        children: dict[str, list[str]] = {}
        for name in self._classes:
            for member in as_list(as_dict(self._components[name]).get("allOf")):
                parent = self._component(as_dict(member).get("$ref", ""))
                children.setdefault(parent, []).append(name)

        def has_discriminator(raw: dict[str, Any]) -> bool:
            parts = (raw, *map(as_dict, as_list(raw.get("allOf"))))
            return any(each.get("discriminator") for each in parts)

        roots = [name for name in self._classes if has_discriminator(self._components[name])]
        members = reached(roots, children.get)
        families = ([*reached([each], children.get)] for each in self._classes if each in members)
        return {family[0]: family for family in families if len(family) > 1}

    def _discriminated(self) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
        """Return the value that a discriminator gives to a property, by component and property.

        First where the object has no other value, then where it stands elsewhere, too, and only
        usually has this one: there, each union says which value means it (`Type.tag`).
        One that has several values, or is no branch of the union, has none.
        """
        by_component: dict[str, dict[str, set[str]]] = {}
        extending: set[str] = set()
        names_at = {place: name for name, place in self._places.items()}
        for node in self._model.of("schema"):
            word = as_dict(node.value.get("discriminator"))
            wire = word.get("propertyName")
            if not isinstance(wire, str):
                continue
            mapped = self._mapped(word)
            at = node.pointer
            extended = names_at.get(at[:-2] if at[-2:-1] == ("allOf",) else at, "")
            branches = [*as_list(node.value.get("oneOf")), *as_list(node.value.get("anyOf"))]
            named = [self._component(as_dict(branch).get("$ref", "")) for branch in branches]
            extending |= {*self._families.get(extended, [])[1:]} - {*named}
            for name in named or self._families.get(extended, [])[1:]:
                if name and name != self._default(word):
                    by_component.setdefault(name, {}).setdefault(wire, set()).update(
                        mapped.get(name, {name})
                    )
        single = {
            name: {wire: next(iter(values)) for wire, values in tags.items() if len(values) == 1}
            for name, tags in by_component.items()
        }
        elsewhere = self._standing_elsewhere() - extending
        always = {name: tags for name, tags in single.items() if name not in elsewhere}
        return always, {name: tags for name, tags in single.items() if name in elsewhere}

    def _mapped(self, discriminator: Mapping[str, Any]) -> dict[str, set[str]]:
        """Return the values that a discriminator maps to each component."""
        mapped: dict[str, set[str]] = {}
        for value, reference in as_dict(discriminator.get("mapping")).items():
            name = self._component(f"{reference}") or str(reference)
            mapped.setdefault(name, set()).add(str(value))
        return mapped

    def _default(self, discriminator: Mapping[str, Any]) -> str:
        """Return the component of every object whose tag is none of the others'; empty for none."""
        reference = discriminator.get("defaultMapping")
        return self._component(str(reference)) or str(reference or "")

    def _standing_elsewhere(self) -> set[str]:
        """Return the components that stand where no discriminator is, or no object extends them."""
        found: set[str] = set()
        for node in self._model.of("schema"):
            if name := self._component(node.value.get("$ref", "")):
                at = node.pointer
                around = as_dict(self._model.get(at[:-2])) if at[-2] in _LISTS else {}
                extends = at[-2] == "allOf" and sum(map(constrains, around["allOf"])) > 1
                if not extends and not around.get("discriminator"):
                    found.add(name)
        return found

    def _tagged(self, type_: Type, raw: Any, around: Mapping[str, Any]) -> Type:
        """Return a branch of a union with the values by which its discriminator names it."""
        word = as_dict(around.get("discriminator"))
        wire, name = word.get("propertyName"), self._component(as_dict(raw).get("$ref", ""))
        if not isinstance(wire, str) or not name or type_.kind != "class":
            return type_
        if name == self._default(word):
            return type_
        if wire in self._tags.get(type_.node.component, {}):
            return type_
        values = self._mapped(word).get(name, {name})
        at, known = self._model.properties(type_.node.pointer, type_.node.schema).get(
            wire, ((), {})
        )
        own = {each for _, part in self._model.applied(at, known) for each in _values_of(part)}
        if own and values.isdisjoint(own):
            return type_  # the document does not mean the name of the schema
        return replace(type_, tag=(wire, tuple(sorted(values))))

    # Classes

    def _class_inside(self, raw: dict[str, Any], pointer: Pointer, hint: str) -> Type:
        """Return the class of an inline object or enumeration: one for each place."""
        if pointer not in self._inline:
            wanted = Node(pointer, raw).class_name or names.pascal(hint)
            taken = self._classes.keys() | self._components.keys()
            if pointer == self._places.get(wanted):
                taken -= {wanted}  # one that may be null is no class, but its object is
            name = names.numbered(wanted, taken, join="")
            node = self._classes[name] = self._inline[pointer] = Node(pointer, raw, name, wanted)
            if self._expanding and not _values(raw):
                self._undefined.append(node)  # its members may be what is being expanded
            else:
                self._define(node)
        return Type("class", self._inline[pointer])

    def _define(self, node: Node) -> None:
        name, raw = node.component, node.schema
        if _values(raw) and not raw.get("properties"):
            self.codes[name] = self._enumerations[name] = self._enumeration(node)
            return
        properties = _Properties()
        self._collect(properties, raw, node.pointer, names.pascal(node.wanted or name))
        for wire in [each for each in properties.required if each not in properties.fields]:
            if properties.others is None and not is_invalid_name(wire):
                # Lint notes it. Often it is a slip of the pen: a caller need not give it.
                del properties.required[wire]
                place = (*node.pointer, "properties", wire)
                schema = {"x-python-name": properties.free_name(wire)}
                properties.fields[wire] = Field(wire, _any({}, place), False, Node(place, schema))
        for wire, value in self._tags.get(name, {}).items():
            self._tag(properties, wire, value, node.pointer)
        named = (
            replace(
                known,
                required=self._is_required(node, properties, wire),
                is_tag=wire in properties.tags,
                usual=self._usual_value(name, wire, known),
            )
            for wire, known in properties.fields.items()
        )
        rest = properties.others
        others = (rest,) if rest and _OTHERS not in properties.names() else ()
        self.models[name] = Model(name, node, (*named, *others))
        self.types.setdefault(node.pointer, Type("class", node))  # or null, where it was read

    def _enumeration(self, node: Node) -> Codes:
        raw = node.schema
        is_open = "enum" not in raw and "x-extensible-enum" in raw
        varnames = tuple(raw.get("x-enum-varnames", _titles(raw)))
        return Codes(node.component, node, tuple(_values(raw)), varnames, is_open)

    def _usual_value(self, name: str, wire: str, known: Field) -> str | None:
        is_text = without_null(known.type).kind == "str"
        return self._usual.get(name, {}).get(wire) if is_text else None

    def _is_required(self, node: Node, properties: _Properties, wire: str) -> bool:
        is_tag = wire in properties.tags  # which the document does not demand
        own = wire in properties.required and not is_tag
        return self._readers.required(node.pointer, wire, own) or is_tag

    def _tag(self, properties: _Properties, wire: str, value: str, pointer: Pointer) -> None:
        """Let a property have the value by which a discriminator tells its object from others."""
        known = properties.fields.get(wire)
        if known and (known.type.kind == "union" or "const" in known.type.node.schema):
            return
        if known and known.type.kind == "class" and value not in _values(known.type.node.schema):
            return  # it is no value there, so the document does not mean the name of the schema
        if not known:
            self.note(f"{wire}, its discriminator, is no property; sent as {cut(value)}", pointer)
        node = known.node if known else Node(
            (*pointer, "properties", wire),
            {"type": "string", "x-python-name": properties.free_name(wire)},
        )  # fmt: skip
        type_ = _single(Node(node.pointer, {"type": "string", "const": value}))
        properties.fields[wire] = Field(wire, type_, False, Node(node.pointer, node.schema))
        if wire not in properties.required:
            properties.required[wire] = None
            properties.tags.add(wire)

    def _collect(
        self, properties: _Properties, raw: Mapping[str, Any], pointer: Pointer, hint: str
    ) -> None:
        """Collect the properties of an object: those of its `allOf`, then its own."""
        for word in _CASES:
            if word in raw and pointer not in self._model.circles.holders:
                self.note(f"`{word}` beside properties is not checked", pointer)
        if has_additional(raw):
            place = (*pointer, "additionalProperties")
            other = self.read(raw["additionalProperties"], place, hint + "Value")
            node = Node(place, {"x-python-name": _OTHERS, "description": _ABOUT_OTHERS})
            properties.others = Field("", Type("map", node, (other,)), False, node)
        if "$ref" in raw:
            self._take_over(properties, raw["$ref"], pointer)
        for index, member in enumerate(raw.get("allOf", [])):
            if isinstance(member, dict):
                self._collect(properties, member, (*pointer, "allOf", index), hint)
        for wire, value in raw.get("properties", {}).items():
            place = (*pointer, "properties", wire)
            schema = value if isinstance(value, dict) else {}
            if is_invalid_name(wire):
                text = (
                    "a field name must not be empty or contain quotes, backslashes or control "
                    "characters"
                )
                if wire in as_list(raw.get("required")):
                    self.refuse(text, place)
                else:
                    self.note(f"{text}, so the property is left out", place)
                continue
            if value is False:
                self.note("no value is allowed; the property is left out", place)
                continue
            if wire in properties.fields:
                if not has_type(schema):
                    continue
                known = properties.fields[wire].node.schema
                if self._is_wider(known, schema):  # it has the members of both
                    about = {key: schema[key] for key in schema if key not in TYPE_WORDS}
                    value = schema = {**about, "allOf": [known, schema]}
                elif schema != known:
                    self.note("also defined in an `allOf`; this definition is used", place)
            type_ = self.read(value, place, hint + names.pascal(schema.get("x-python-name", wire)))
            properties.fields[wire] = Field(wire, type_, False, Node(place, schema))
        properties.required |= dict.fromkeys(raw.get("required", []))

    def _is_wider(self, schema: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        """Return whether an object has members that another one lacks."""
        own, others = map(self._objects.property_names, (schema, other))
        return all(map(self._objects.is_model, (schema, other))) and not own <= others

    def _take_over(self, properties: _Properties, reference: str, pointer: Pointer) -> None:
        """Collect the properties of a component that another object has in its `allOf`."""
        name = self._component(reference)
        if not name:
            self._reference(reference, pointer)
        elif name not in properties.taken and isinstance(self._components[name], dict):
            properties.taken.add(name)
            place = self._places[name]
            self._collect(properties, self._components[name], place, names.pascal(name))

    # Every other schema

    def _non_null(self, raw: dict[str, Any], pointer: Pointer, hint: str) -> Type:
        """Return the type of a schema that is neither a reference nor nullable."""
        if _is_single(raw):
            return _single(Node(pointer, {**raw, "const": raw["enum"][0]}))
        if self._objects.varies(raw):
            return self._varied(raw, pointer, hint)
        if self._is_class(raw):
            return self._class_inside(raw, pointer, hint)
        if raw.get("anyOf") or raw.get("oneOf"):
            return self._choice(raw, pointer, hint)
        if "allOf" in raw:
            return self._merged(raw, pointer, hint)
        if "const" not in raw:
            return self._typed(raw, pointer, hint)
        if not isinstance(raw["const"], (str, int, float)):
            self.note(
                "a constant that is not a text, number or boolean: typed as any value", pointer
            )
            return _any(raw, pointer)
        if isinstance(raw["const"], float) or not _fits(raw["const"]):
            self.note("`const` is not checked", pointer)
        return _single(Node(pointer, raw))

    def _varied(self, raw: dict[str, Any], pointer: Pointer, hint: str) -> Type:
        """Return the type of an object that is one of several."""
        if self._objects.has_too_many(raw):
            text = f"the object is one of more than {MOST_CASES} cases: typed as any value"
            self.note(text, pointer)
            return _any(raw, pointer)
        branches = [
            self._tagged(
                self.read(case.schema, (*pointer, *case.at), hint + case.name),
                case.branch,
                case.holder,
            )
            for case in self._objects.cases(raw)
        ]
        return branches[0] if len(branches) == 1 else _union(branches, Node(pointer, raw))

    def _typed(self, raw: dict[str, Any], pointer: Pointer, hint: str) -> Type:
        kind = raw.get("type")
        if isinstance(kind, list):
            members = [self._non_null({**raw, "type": one}, pointer, hint) for one in kind]
            return members[0] if len(members) == 1 else _union(members, Node(pointer, raw))
        if kind is None:
            is_object = has_additional(raw) or needs_invalid_name(raw)
            kind = "array" if "items" in raw else "object" if is_object else None
        if raw.get("enum") and all(isinstance(each, (str, int, float)) for each in raw["enum"]):
            constants = [_single(Node(pointer, {"const": each})) for each in raw["enum"]]
            if len({type(each) for each in raw["enum"]}) > 1 or isinstance(raw["enum"][0], float):
                return _union(constants, Node(pointer, raw))
        if any(type(value) is int for value in raw.get("enum", ())):
            self.note("`enum` is not checked", pointer)
        for word in checks(_KINDS.get(str(kind), ""), raw)[1]:
            self.note(f"`{word}: {raw[word]}` cannot be checked", pointer)
        node = Node(pointer, raw)
        if kind == "array":
            return Type("list", node, (self._item(raw, pointer, hint + "Item"),))
        if kind == "object":
            if needs_invalid_name(raw):
                self.note(
                    "a required property has a name that no field can have: typed as an object "
                    "with any members",
                    pointer,
                )
            additional = raw.get("additionalProperties") or {}
            place = (*pointer, "additionalProperties")
            value = self.read(additional, place, hint + "Value")
            return Type("map", node, (value,), key=self._key(raw.get("propertyNames")))
        if kind in ("number", "string") and raw.get("format") in self._decimals:
            return Type("decimal", node)
        return _single(node)

    def _item(self, raw: dict[str, Any], pointer: Pointer, hint: str) -> Type:
        """Return the type of the items of an array: of the first ones, and of those after them."""
        types: list[Type] = []
        for index, schema in enumerate(as_list(raw.get("prefixItems"))):
            _add(types, self.read(schema, (*pointer, "prefixItems", index), f"{hint}{index + 1}"))
        rest = raw.get("items", {})
        if rest is not False or not types:
            _add(types, self.read(rest or {}, (*pointer, "items"), hint))
        return types[0] if len(types) == 1 else _union(types, Node(pointer, {}))

    def _key(self, rule: Any) -> Type | None:
        """Return the type of the keys of a map, from its `propertyNames`."""
        if not isinstance(rule, dict):
            return None
        name = self._component(rule.get("$ref", ""))
        node = self._classes.get(name)
        if node and _values(node.schema):
            return Type("class", node)
        known = Node(self._places[name], self._components[name]) if name else Node((), rule)
        return Type("str", known)

    def _choice(self, raw: dict[str, Any], pointer: Pointer, hint: str) -> Type:
        word = "anyOf" if raw.get("anyOf") else "oneOf"
        members = raw[word]
        if all(isinstance(member, dict) and not has_type(member) for member in members):
            # Branches that only constrain (`required: [a]`) do not decide about the type.
            self.note(f"`{word}` without a type is not checked", pointer)
            rest = {key: value for key, value in raw.items() if key != word}
            return self._non_null(rest, pointer, hint)
        others = [each for each in members if not is_null(each)]
        nothing = [_null(pointer)] if len(others) < len(members) else []
        branches: list[Type] = []
        is_enum = not raw.keys() & {"enum", "properties", "x-extensible-enum"}
        if is_enum and _values({word: others}):
            branches, members = [self._non_null({**raw, word: others}, pointer, hint)], []
        case_names = self._objects.case_names(members) if len(others) > 1 else [""] * len(members)
        for index, (member, name) in enumerate(zip(members, case_names, strict=True)):
            if is_null(member):
                continue
            branch = self.read(member, (*pointer, word, index), hint + name)
            _add(branches, self._tagged(branch, member, raw))
        unformatted = (
            branch
            for branch in branches
            if branch.kind != "decimal" and "format" not in _parser_words(branch.node.schema)
        )
        kinds = [_json_type(branch) for branch in unformatted]
        for kind in sorted(
            {kind for kind in kinds if kinds.count(kind) > 1} & {"string", "integer"}
        ):
            text = f"`{word}` of several {kind}s, which JSON does not tell apart: any {kind}"
            self.note(text, pointer)
        branches += nothing
        return branches[0] if len(branches) == 1 else _union(branches, Node(pointer, raw))

    def _merged(self, raw: dict[str, Any], pointer: Pointer, hint: str) -> Type:
        """Return the type of an `allOf` of something else than objects: one schema of all of it."""
        own = {key: value for key, value in raw.items() if key != "allOf"}
        schemas = [
            item for item in (*raw["allOf"], own) if isinstance(item, dict) and constrains(item)
        ]
        if len(schemas) == 1:
            return self.read(schemas[0], pointer, hint)
        merged: dict[str, Any] = {}
        followed = len(self._expanding)
        for schema in schemas:
            part = schema
            while "$ref" in part:
                name = self._component(part["$ref"])
                if not name or name in self._expanding:
                    return self._reference(part["$ref"], pointer)
                if name in self._classes:
                    if len(schemas) > 1:
                        self.note(f"`allOf` narrows {name}, which is not checked", pointer)
                    return self._reference(part["$ref"], pointer)
                self._expanding.append(name)
                part = self._components[name] if isinstance(self._components[name], dict) else {}
            for word in sorted(merged.keys() & part.keys() - ANNOTATIONS):
                if merged[word] == part[word]:
                    continue
                text = f"`allOf` has `{word}` twice; the last one is used"
                if word == "type" and (common := _common_types(merged[word], part[word])):
                    part = {**part, word: common}
                    continue
                if "$ref" in as_dict(found(self._model.data, pointer)):
                    text = f"`{word}` beside `$ref` is another than there; this one is used"
                    if word == "type":
                        text = "`type` beside `$ref` is another than there, which leaves no value; "
                        text += "that of the reference is used"
                        part = {**part, word: merged[word]}
                self.note(text, pointer)
            merged |= part
        result = self.read(merged, pointer, hint)
        del self._expanding[followed:]
        return result


# Unions


def _common_types(first: Any, second: Any) -> Any:
    """Return the types that both of two allow, as `type` has them; an empty list for none."""
    one, other = (each if isinstance(each, list) else [each] for each in (first, second))
    common = [
        each
        for each in dict.fromkeys(filter(lambda each: isinstance(each, str), [*one, *other]))
        if all(each in kinds or (each == "integer" and "number" in kinds) for kinds in (one, other))
    ]
    return common[0] if len(common) == 1 else common


def _union(members: Iterable[Type], node: Node) -> Type:
    """Return the union of types, flat, and each member once."""
    flat = (
        type_
        for member in members
        for type_ in (member.items if member.kind == "union" else [member])
    )
    types: dict[object, Type] = {}
    for type_ in flat:
        types.setdefault(_union_key(type_), type_)
    return Type("union", node, tuple(types.values()))


def _nested(type_: Type) -> int:
    """Return how many types are inside a type, up to a few more than are allowed."""
    count = 0
    for each in type_.items:
        count += 1 + _nested(each)
        if count > _MOST_NESTED:
            break
    return count


def _add(branches: list[Type], branch: Type) -> None:
    """Add a branch to others; of single values of one type, one is left, and without limits."""
    for index, other in enumerate(branches):
        if _union_key(branch) == _union_key(other) and branch.kind not in ("list", "map", "union"):
            if branch.kind != "class":
                words = {w: v for w, v in other.node.schema.items() if w in _READ_BY_THE_PARSER}
                branches[index] = replace(other, node=Node(other.node.pointer, words))
            return
    branches.append(branch)


def _union_key(type_: Type) -> object:
    """Return a key that is equal for types that a union holds once."""
    if type_.kind == "class":
        return type_.node.component
    if type_.kind == "map":
        return type_.node.pointer, id(type_)
    if type_.kind in ("list", "union"):
        return type_.kind, frozenset(map(_union_key, type_.items))
    words = {"kind": type_.kind, **_parser_words(type_.node.schema)}
    return tuple((word, type(value), value) for word, value in sorted(words.items()))


def _parser_words(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the words of a single value that the parser reads."""
    const = schema.get("const")
    if isinstance(const, (str, int, float)):
        return {"const": const}
    kind = schema.get("type")
    if kind is None and is_binary(schema.get("contentMediaType"), schema.get("contentEncoding")):
        kind = "string"
    if kind == "string":
        form = "date-time" if "x-datetime-format" in schema else schema.get("format")
        if not form and is_binary(schema.get("contentMediaType"), schema.get("contentEncoding")):
            form = "binary"
        return {"type": kind, "format": form} if form in _FORMATS else {"type": kind}
    return {"type": kind} if kind in ("integer", "number", "boolean", "null") else {}


def _json_type(type_: Type) -> str:
    """Return the type of a value in JSON; empty where it has several."""
    schema = type_.node.schema
    if type_.kind == "class":
        values = [] if schema.get("properties") else _values(schema)
        return _JSON_TYPES[type(values[0])] if values else "object"
    if type_.kind in ("list", "map"):
        return "array" if type_.kind == "list" else "object"
    words = {} if type_.kind == "union" else _parser_words(schema)
    return _JSON_TYPES[type(words["const"])] if "const" in words else str(words.get("type", ""))


def _single(node: Node) -> Type:
    words = _parser_words(node.schema)
    if "const" in words:
        return Type("const", node)
    return Type(_FORMATS.get(words.get("format", "")) or _SINGLE_KINDS[words.get("type")], node)


def _null(pointer: Pointer) -> Type:
    return _single(Node(pointer, {"type": "null"}))


def _any(raw: Any, pointer: Pointer) -> Type:
    schema = raw if isinstance(raw, dict) else {}
    kept = {word: value for word, value in schema.items() if word not in _READ_BY_THE_PARSER}
    return _single(Node(pointer, kept))


# Words of schemas


def _values(raw: Mapping[str, Any]) -> list[Any]:
    """Return the values of an enumeration that becomes codes; none for every other schema."""
    branches = _branches(raw)
    constants = [each["const"] for each in branches if "const" in each]
    values = raw.get("enum", raw.get("x-extensible-enum", []))
    if not values and "properties" not in raw and 0 < len(branches) == len(constants):
        values = constants
    values = [value for value in values if value is not None]
    kinds = {type(value) for value in values}
    return values if kinds in ({int}, {str}) and all(map(_fits, values)) else []


def _branches(raw: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the cases of a schema; one that is true or false says nothing."""
    return [as_dict(each) for each in raw.get("anyOf") or raw.get("oneOf") or ()]


def _values_of(raw: Mapping[str, Any]) -> list[Any]:
    """Return the values that a schema limits a value to, as a constant or an enumeration."""
    return [raw["const"]] if "const" in raw else _values(raw)


def _titles(raw: Mapping[str, Any]) -> list[str]:
    """Return the names of the values of an enumeration, each a constant with a title."""
    titles = {repr(each.get("const")): each.get("title") for each in _branches(raw)}
    wanted = [titles.get(repr(each)) for each in _values(raw)]
    made = [names.constant(each) for each in wanted if isinstance(each, str)]
    return made if len(made) == len(wanted) == len(set(made)) else []


def _is_single(raw: Mapping[str, Any]) -> bool:
    """Return whether an enumeration has one value and no name, so that it is a constant."""
    named = {"x-enum-varnames", "x-python-name", "const"} & raw.keys()
    return not named and len(raw.get("enum", ())) == 1 and bool(_values({"enum": raw["enum"]}))


def _other_name(raw: Any) -> str:
    """Return the reference of a schema that is nothing but one, in an `allOf` or not."""
    while isinstance(raw, dict) and raw.keys() == {"allOf"} and len(as_list(raw["allOf"])) == 1:
        raw = raw["allOf"][0]
    is_name = isinstance(raw, dict) and raw.keys() == {"$ref"}
    return raw["$ref"] if is_name else ""


def _fits(value: Any) -> bool:
    """Return whether msgspec takes a value as a constant: integers of 64 bits at most."""
    return not isinstance(value, int) or -(2**63) <= value < 2**63


def _name_of_place(place: Pointer) -> str:
    """Return a name for a schema that is no component: of the names on the way to it."""
    way = [str(part) for part in place if isinstance(part, str)]
    inside = way[2:] if way[:2] == ["components", "schemas"] else way[-2:]
    said = "".join(names.pascal(part) for part in inside if part not in _STRUCTURAL_KEYWORDS)
    return said or "Schema"


def _is_nullable(raw: Mapping[str, Any]) -> bool:
    if "const" in raw:
        return raw["const"] is None
    kind = raw.get("type")
    return (
        (isinstance(kind, list) and "null" in kind and len(kind) > 1)
        or None in raw.get("enum", [])
        or raw.get("nullable") is True
    )


def _without_null(raw: dict[str, Any]) -> dict[str, Any]:
    result = {key: value for key, value in raw.items() if key != "nullable"}
    if isinstance(result.get("type"), list):
        kinds = [kind for kind in result["type"] if kind != "null"]
        result["type"] = kinds[0] if len(kinds) == 1 else kinds
    if "enum" in result:
        values, names = result["enum"], result.get("x-enum-varnames", ())
        result["enum"] = [value for value in values if value is not None]
        if len(names) == len(values):
            result["x-enum-varnames"] = [
                name for name, value in zip(names, values, strict=True) if value is not None
            ]
    if result.get("enum") == [] or result.get("const", ...) is None:
        return {"type": "null"}
    return result


def _adds_members(rest: Mapping[str, Any]) -> bool:
    """Return whether what stands beside a reference has members, and does not only limit them."""
    branches = [as_dict(each) for word in _CASES for each in as_list(rest.get(word))]
    added = (_MEMBERS - {"required"}) | {"$ref"}
    return not rest.keys().isdisjoint(_MEMBERS) or any(each.keys() & added for each in branches)
