"""Compare two readers of one document: openapi-python-client reads first, ours supplements it.

What it reads counts. Ours is compared with it, and counts where it is silent. Every difference is
kept; a kind of them that is known has its reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, cast

from pipeline.codegen.ir import Api, Codes, Kind, Operation, Type
from pipeline.codegen.parser import RULE, Reading, Shape, constant, route
from pipeline.openapi import model
from pipeline.openapi.documents import Pointer, found, pointer_text
from pipeline.openapi.media_types import has_fields
from pipeline.openapi.model import BodyChoice, DocumentModel
from pipeline.openapi.objects import as_dict, as_list, constrains
from pipeline.openapi.problems import Finding

_NO_DISCRIMINATOR: Final = "it does not read `discriminator`"
_CASES: Final = frozenset({"anyOf", "oneOf", "discriminator"})
_MANY: Final = 6  # values of an enumeration
_INSIDE: Final = {"list": "items", "map": "additionalProperties"}
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
    """Asks the first reader, and keeps what our own found where the two differ."""

    def __init__(self, model: DocumentModel, first: Reading) -> None:
        self._model = model
        self._first = first
        self._overruled = Reading()

    def value(self, pointer: Pointer, own: Kind) -> Kind:
        """Return what a single value is."""
        shape = self._first.shapes.get(pointer, Shape()) - {"null"}
        if len(shape) != 1 or not shape <= _VALUES or shape == {own}:
            return own
        self._overruled.shapes[pointer] = Shape({own})
        return cast(Kind, next(iter(shape)))

    def required(self, pointer: Pointer, wire: str, own: bool) -> bool:
        """Return whether an object has to have a property.

        What is demanded anywhere is demanded: a reader that does not see it has lost it.
        """
        first = self._first.required.get((pointer, wire), own)
        if first != own:
            self._overruled.required[pointer, wire] = own
        return first or own

    def parameter(self, pointer: Pointer, raw: Mapping[str, Any], own: bool) -> bool:
        """Return whether an operation needs a parameter."""
        key = pointer, raw["in"], raw["name"]
        first = self._first.parameters.get(key, own)
        if first != own:
            self._overruled.parameters[key] = own
        return first

    def body(self, pointer: Pointer, offered: BodyChoice, own: bool) -> bool:
        """Return whether an operation needs its body, as one media type."""
        key = pointer, offered.media_type
        _, first = self._first.bodies.get(key, (offered.form, own))
        if first != own:
            self._overruled.bodies[key] = offered.form, own
        return first

    def agreement(self, api: Api, types: Mapping[Pointer, Type]) -> Agreement:
        """Compare a finished API with what the first reader read; `types` are by their places."""
        own = _OwnReading(self._model, api, types).reading
        for each in fields(Reading):
            getattr(own, each.name).update(getattr(self._overruled, each.name))
        return _Comparison(self._model, self._first, own).agreement()


class _OwnReading:
    """Our own reading of a document, taken from the finished API, so that nothing is lost later."""

    def __init__(self, model: DocumentModel, api: Api, types: Mapping[Pointer, Type]) -> None:
        self._model = model
        self._codes = api.codes
        self.reading = own = Reading()
        own.shapes.update({at: self._shape(each) for at, each in types.items()})
        for codes in api.codes.values():
            own.shapes.setdefault(codes.node.pointer, Shape(map(constant, codes.values)))
        for each in api.models.values():
            for known in each.fields:
                if known.wire:
                    needed = known.required and not known.is_tag
                    own.required[each.node.pointer, known.wire] = needed
                    own.shapes[known.node.pointer] = self._shape(known.type)
                    self._inside(known.type)
        documented = {each.pointer: each for each in model.operations}
        for operation in api.operations:
            self._operation(operation, documented[operation.pointer])

    def _shape(self, type_: Type) -> Shape:
        return shape_of(type_, self._codes)

    def _inside(self, type_: Type) -> None:
        """Note what the items of lists and the values of maps are in the end."""
        for each in type_.items:
            if word := _INSIDE.get(type_.kind):
                place = (*type_.node.pointer, word)
                if place in self.reading.shapes:
                    self.reading.shapes[place] = self._shape(each)
            self._inside(each)

    def _operation(self, operation: Operation, documented: model.Operation) -> None:
        own, at = self.reading, operation.pointer
        own.operations[at] = route(operation.method, operation.path)
        places = {(each.value["in"], each.value["name"]): each for each in documented.parameters}
        for each in operation.parameters:
            own.parameters[at, each.place, each.wire] = each.required
            node = places.get((each.place, each.wire))
            if node is not None and "schema" in node.value:
                own.shapes[*node.pointer, "schema"] = self._shape(each.type)
                self._inside(each.type)
        message = self._model.request_body(documented)
        for body in operation.bodies:
            own.bodies[at, body.media_type] = body.form, body.required
            own.shapes[_schema(*message, body.media_type)] = self._shape(body.type)
            self._inside(body.type)
        own.responses.update({(at, status): None for status in operation.responses})
        messages: dict[str, tuple[Pointer, Any]] = defaultdict(lambda: ((), {}))
        messages |= {
            status: self._model.follow((*at, "responses", status), response)
            for status, response in as_dict(documented.value.get("responses")).items()
        }
        for content in operation.success.contents:
            for status in content.statuses:
                place = _schema(*messages[status], content.media_type) if content.type else ()
                self._response(at, status, place)
                # What is written alike for several statuses is read once.
                if content.type and (status == content.statuses[0] or place in own.shapes):
                    own.shapes[place] = self._shape(content.type)
                    self._inside(content.type)
        for failure in operation.failures:
            described = self._model.json(*messages[failure.status])
            if described is not None and not failure.status.startswith("2"):
                self._response(at, failure.status, described.pointer)
                if described.pointer in own.shapes:
                    own.shapes[described.pointer] = self._shape(failure.type)

    def _response(self, operation: Pointer, status: str, place: Pointer) -> None:
        """Note where the body of a response is described, if the API has its status."""
        if (operation, status) in self.reading.responses:
            self.reading.responses[operation, status] = place


def _schema(at: Pointer, message: Any, media_type: str) -> Pointer:
    """Return the place of the schema of a body; a range of media types stands for one in it."""
    content = as_dict(as_dict(message).get("content"))
    name = media_type if media_type in content else next((e for e in content if "*" in e), "")
    return (*at, "content", name or media_type, "schema")


class _Comparison:
    """Two readings of one document, fact by fact."""

    def __init__(self, model: DocumentModel, first: Reading, own: Reading) -> None:
        self._model = model
        self._first = first
        self._own = own
        self._differences: list[Finding] = []
        self._unexplained = 0

    def agreement(self) -> Agreement:
        """Count the facts of both, and those that ours alone has."""
        agree = silent = 0
        for name in (each.name for each in fields(Reading)):
            own, first = getattr(self._own, name), getattr(self._first, name)
            for key, fact in own.items():
                if key not in first:
                    silent += name != "shapes" or self._is_written(key)
                elif self._are_alike(name, key, fact, first[key]):
                    agree += 1
                else:
                    self._differ(name, key, fact, first[key])
            for key, fact in first.items():
                if key not in own and self._is_read(name, key):
                    self._differ(name, key, None, fact)
        return Agreement(agree, silent, tuple(self._differences), self._unexplained)

    def _is_written(self, pointer: Pointer) -> bool:
        """Return whether a schema stands at a place, and not only a reference to one."""
        schema = found(self._model.data, pointer)
        return isinstance(schema, dict) and "$ref" not in schema

    def _is_read(self, name: str, key: Any) -> bool:
        """Return whether ours has read what is around a fact."""
        if name == "shapes":  # of a union it is said around it, of a property by its name
            around = self._own.shapes.get(key[:-1], Shape())
            inside = {"items": {"list"}, "additionalProperties": {"map", key[:-1]}}
            is_inside = not around.isdisjoint(inside.get(key[-1], ()))
            return is_inside and self._first.shapes[key] != {"any"} and self._is_written(key)
        if name == "operations":
            return found(self._model.data, key) is not None
        if name == "required":
            return key[0] in self._own.shapes.get(key[0], ())
        return key[0] in self._own.operations

    def _are_alike(self, name: str, key: Any, own: Any, first: Any) -> bool:
        if name != "responses" or own == first:
            return bool(own == first)
        if first is None:
            return True
        if own is None:  # of the body of an error, if it is no object, nothing is made
            return not key[1].startswith("2") and not any(
                isinstance(each, tuple) for each in self._first.shapes.get(first, ())
            )
        if not first:
            return not self._is_written(own)
        return bool(own) and own[-2] != first[-2]  # another of its media types

    def _differ(self, name: str, key: Any, own: Any, first: Any) -> None:
        pointer: Pointer = key if name in ("shapes", "operations") else key[0]
        place = (*pointer, "properties", key[1]) if name == "required" else pointer
        schema = found(self._model.data, pointer)
        if not isinstance(schema, dict) or schema.keys() == {"$ref"}:
            _, schema = self._model.follow(pointer, schema)
        reason = ""
        if name in ("shapes", "required"):
            reason = _reason(self._model, pointer, as_dict(schema))
        if name == "shapes" and "str" in first and own and all(map(_is_text, own)):
            reason = reason or _NO_DISCRIMINATOR  # by which the text is a constant here
        self._unexplained += not reason
        what = "" if place != pointer or pointer == key else f" {' '.join(map(str, key[1:]))}"
        text = (
            f"{pointer_text(place)}{what}: read here as {_text(name, own, first)}, by "
            f"openapi-python-client as {_text(name, first, own)}{f': {reason}' if reason else ''}"
        )
        at = self._model.document.at(place)
        self._differences.append(Finding(text, at, RULE, "note", place))


def shape_of(type_: Type, codes: Mapping[str, Codes]) -> Shape:
    """Return a type as the first reader tells types apart: a code is its values."""
    if type_.kind == "union":
        return Shape().union(*(shape_of(each, codes) for each in type_.items))
    if type_.kind == "class":
        named = codes.get(type_.node.component)
        return Shape(map(constant, named.values) if named else {type_.node.pointer})
    if type_.kind == "const":
        return Shape({constant(type_.value)})
    if type_.kind == "decimal":
        return Shape({"float" if type_.node.schema.get("type") == "number" else "str"})
    return Shape({type_.kind})


def _is_text(each: str | Pointer) -> bool:
    """Return whether a member of a shape is a constant text."""
    return isinstance(each, str) and each.startswith('"')


def _text(name: str, fact: Any, other: Any) -> str:
    """Return a fact in words; of many values, those that the other has, too, are left out."""
    if fact is None:
        return "nothing"
    if name == "shapes":
        shown = fact - other if len(fact) > _MANY and other else fact
        words = sorted(each if isinstance(each, str) else pointer_text(each) for each in shown)
        return " or ".join(words) or "no other value"
    if name in ("required", "parameters"):
        return "required" if fact else "not required"
    if name == "bodies":
        return f"{fact[0]}, {'' if fact[1] else 'not '}required"
    if name == "operations":
        return str(fact)
    return pointer_text(fact) if fact else "no body"


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
        return _NO_DISCRIMINATOR
    for part in parts:
        beside = {word: value for word, value in part.items() if word not in _CASES}
        if len(beside) < len(part) and constrains(beside):
            return "of `anyOf` and `oneOf` it takes nothing that stands beside them"
    if "$ref" in schema:
        return "it takes nothing that stands beside `$ref`"
    if any(part.get("type") == "boolean" for part in parts):
        return "it takes `type: boolean` before constants"
    if not all(map(constrains, members)):
        return "an alternative that says nothing allows every value here"
    if "prefixItems" in as_dict(found(model.data, pointer[:-1])):
        return "it takes all items of an array as one type"
    if any("items" in part and "type" not in part for part in parts):
        return "it takes `items` with `type: array` alone"
    if any("allOf" in part for part in parts):
        return "it takes every `allOf` as an object, or as its only reference"
    return "values that no code can have are not one here" if "enum" in schema else ""
