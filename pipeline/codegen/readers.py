"""Compare two readers of one document: openapi-python-client reads first, ours supplements it.

What it reads counts. Ours is compared with it, and counts where it is silent. Every difference is
kept; a kind of them that is known has its reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from pipeline.codegen.ir import Api, Codes, Model, Operation, Type
from pipeline.codegen.parser import RULE, Reading, Shape, constant, route
from pipeline.codegen.specified import MISREAD, Specified
from pipeline.openapi import model
from pipeline.openapi.documents import Pointer, found, pointer_text
from pipeline.openapi.media_types import successes
from pipeline.openapi.model import BodyChoice, DocumentModel, Form
from pipeline.openapi.objects import as_dict
from pipeline.openapi.problems import Finding
from pipeline.openapi.wording import cut, either

_MANY: Final = 6  # values of an enumeration
_INSIDE: Final = {"list": "items", "map": "additionalProperties"}
_UNREAD: Final[tuple[Form, Pointer | None]] = "none", None


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
        self._specified = Specified(model)
        self._overruled = Reading()

    def shape(self, pointer: Pointer, own: Shape) -> Shape:
        """Return what a value may be: what the first reader says, unless it is known to misread."""
        first = self._first.shapes.get(pointer, own)
        if first == own:
            return own
        specified, misread = self._specified.shape(pointer)
        if misread and specified != first:
            return own
        self._overruled.shapes[pointer] = own
        return first

    def required(self, pointer: Pointer, wire: str, own: bool) -> bool:
        """Return whether an object has to have a property."""
        first = self._first.required.get((pointer, wire), own)
        if first == own or (own and self._specified.requires(pointer, wire)):
            return own
        self._overruled.required[pointer, wire] = own
        return first

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
        return _Comparison(self._model, self._first, own, self._specified).agreement()


class _OwnReading:
    """Our own reading of a document, taken from the finished API, so that nothing is lost later."""

    def __init__(self, model: DocumentModel, api: Api, types: Mapping[Pointer, Type]) -> None:
        self._model = model
        self._codes = api.codes
        self._noted: dict[Pointer, Shape] = {}
        self.reading = own = Reading()
        own.shapes.update({at: self._shape(each) for at, each in types.items()})
        for codes in api.codes.values():
            own.shapes.setdefault(codes.node.pointer, Shape(map(constant, codes.values)))
        self._models = {each.node.pointer: each for each in api.models.values()}
        for at, each in self._models.items():
            self._require(at, each)
            for known in each.fields:
                if known.wire:
                    self._note(known.node.pointer, known.type)
        documented = {each.pointer: each for each in model.operations}
        for operation in api.operations:
            self._operation(operation, documented[operation.pointer])

    def _require(self, at: Pointer, model: Model) -> None:
        """Note what a class demands, at its own place or at one that is written alike."""
        for each in model.fields:
            if each.wire:
                self.reading.required[at, each.wire] = each.required and not each.is_tag

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
                self._note((*node.pointer, "schema"), each.type)
        message = self._model.request_body(documented)
        for body in operation.bodies:
            own.bodies[at, body.media_type] = body.form, body.required
            self._note(_schema(*message, body.media_type), body.type)
        own.responses.update({(at, status): _UNREAD for status in operation.responses})
        messages: dict[str, tuple[Pointer, Any]] = defaultdict(lambda: ((), {}))
        messages |= {
            status: self._model.follow((*at, "responses", status), response)
            for status, response in documented.responses.items()
        }
        for content in operation.success.contents:
            for status in content.statuses:
                place = _schema(*messages[status], content.media_type) if content.type else ()
                self._response((at, status), content.form, place, content.type)
        for failure in operation.failures:
            if failure.media_type:
                self._note(failure.place, failure.type)
            elif failure.status not in successes(operation.responses):
                self._response((at, failure.status), failure.form, failure.place, failure.type)

    def _response(
        self, key: tuple[Pointer, str], form: Form, place: Pointer, type_: Type | None
    ) -> None:
        """Note how the body of a response is written, and what it is, if the API has its status."""
        if key not in self.reading.responses:
            return
        self.reading.responses[key] = form, place
        if type_ is not None:
            self._note(place, type_)

    def _note(self, place: Pointer, type_: Type) -> None:
        """Note what is read at a place: what is written alike is read once, where it is first."""
        schema, shape = found(self._model.data, place), self._shape(type_)
        for each in [each for each in shape if isinstance(each, tuple) and each != place]:
            if found(self._model.data, each) == schema:
                shape = shape - {each} | {place}
                if each in self._models:
                    self._require(place, self._models[each])
        self.reading.shapes[place] = shape | self._noted.get(place, Shape())
        self._noted[place] = shape
        self._inside(type_)


def _schema(at: Pointer, message: Any, media_type: str) -> Pointer:
    """Return the place of the schema of a body; a range of media types stands for one in it."""
    content = as_dict(as_dict(message).get("content"))
    name = media_type if media_type in content else next((e for e in content if "*" in e), "")
    return (*at, "content", name or media_type, "schema")


class _Comparison:
    """Two readings of one document, fact by fact."""

    def __init__(
        self, model: DocumentModel, first: Reading, own: Reading, specified: Specified
    ) -> None:
        self._model = model
        self._first = first
        self._own = own
        self._specified = specified
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

    def _misread(self, name: str, key: Any, own: Any) -> str:
        """Return why the first reader has another reading, if ours is what the document says."""
        if name == "required" and own:
            return "required" if self._specified.requires(*key) else ""
        if name != "shapes" or own is None:
            return ""
        shape, misread = self._specified.shape(key)
        tags = self._specified.tags(key)
        if own != shape and own - shape <= tags and own & tags:
            return "discriminator"
        return misread if own == shape else ""

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
        return own == first or (name == "responses" and self._answer_alike(key[1], own, first))

    def _answer_alike(
        self, status: str, own: tuple[Form, Pointer], first: tuple[Form, Pointer | None]
    ) -> bool:
        """Return whether a response is the same, or ours another one of its media types."""
        (form, place), (their_form, theirs) = own, first
        if own == _UNREAD:  # of the body of an error, if it is any value or bytes, nothing is made
            shape = self._first.shapes.get(theirs or (), Shape())
            return not status.startswith("2") and not any(isinstance(each, tuple) for each in shape)
        if not place or found(self._model.data, place[:-1]) is None:
            return False
        if theirs == ():
            return not self._is_written(place)
        if place == theirs:
            return form == their_form
        # Another of its media types: JSON is taken before any other.
        is_json = form == "json" and any(each in str(place[-2]) for each in ("json", "*"))
        is_there = theirs is None or place[:-2] == theirs[:-2]
        return is_there and (is_json or (form == their_form and form != "json"))

    def _differ(self, name: str, key: Any, own: Any, first: Any) -> None:
        pointer: Pointer = key if name in ("shapes", "operations") else key[0]
        place = (*pointer, "properties", key[1]) if name == "required" else pointer
        reason = MISREAD.get(self._misread(name, key, own), "")
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


def _text(name: str, fact: Any, other: Any) -> str:
    """Return a fact in words; of many values, those that the other has, too, are left out.

    It is short, whatever the document says: the first of many places or values stand for all.
    """
    if fact is None:
        return "nothing"
    if name == "shapes":
        shown = fact - other if len(fact) > _MANY and other else fact
        words = sorted(cut(each) if isinstance(each, str) else pointer_text(each) for each in shown)
        return either(words) or "no other value"
    if name in ("required", "parameters"):
        return "required" if fact else "not required"
    if name == "bodies":
        return f"{fact[0]}, {'' if fact[1] else 'not '}required"
    if name == "operations":
        return str(fact)
    form, place = fact
    return f"{form}{f' at {pointer_text(place)}' if place else ''}" if form != "none" else "no body"
