"""What a reader makes of an answer: by the documents, and by what the client promises of it.

The promise (README of the client): what is null or absent is kept apart, sets of values are open,
fields that are not known are passed over, a value that came as another kind of JSON is turned into
the documented one where nothing is lost, whatever else does not fit is kept as it came where the
documents allow it to be missing, and else the answer cannot be read. An independent reading:
nothing of the client is used here.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from harness.documents import Document, Json, Operation, Response, Schema

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_DATE = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):?(\d\d))?", re.ASCII
)
_LONGEST = 200  # characters of a path that the client shows
_NOTHING: Any = object()


@dataclass(frozen=True)
class Misfit:
    """A place in an answer that is not as documented.

    Attributes:
        path: the place, as in `$.data[3].status`.
        kind: `unknown field`, `unknown value`, `type` or `missing`.
        fatal: whether nothing can stand for it, so that the answer cannot be read.
    """

    path: str
    kind: str
    fatal: bool = False


@dataclass
class Reading:
    """An answer as a reader has it: dates as instants, no fields that the documents do not name."""

    value: Json = None
    misfits: list[Misfit] = field(default_factory=list)

    @property
    def fatal(self) -> list[str]:
        """The places for which the answer cannot be read."""
        return [each.path for each in self.misfits if each.fatal]

    @property
    def drifts(self) -> list[tuple[str, str]]:
        """Place and kind of everything that is to be told of an answer that can be read."""
        return sorted((each.path, each.kind) for each in self.misfits)

    @property
    def is_typed(self) -> bool:
        """Whether everything in it is of the documented type."""
        return all(each.kind != "type" for each in self.misfits)


def read(operation: Operation, response: Response, value: Json) -> Reading:
    """What a reader makes of the body of an answer with success."""
    assert response.schema is not None
    reader = _Reader(operation.document)
    reader.reading.value = reader.read(response.schema, value, "$", nullable=False, loose=False)
    return reader.reading


def without_items(operation: Operation, reading: Reading) -> str | None:
    """The place of a page's items, where something else than a list is in it."""
    items = operation.node.get("x-paging", {}).get("items")
    found = reading.value.get(items) if items and isinstance(reading.value, dict) else None
    return None if found is None or isinstance(found, list) else f"$.{items}"


def instant(text: str) -> str | None:
    """A date-time in the one form that tells instants apart; None where it is none."""
    if (found := _DATE.fullmatch(text)) is None:
        return None
    day, time, fraction, sign, hours, minutes = found.groups()
    try:
        local = datetime.fromisoformat(f"{day}T{time}") - datetime(1, 1, 1)
    except ValueError:
        return None
    # Python counts microseconds.
    local += timedelta(microseconds=int(Decimal(f"0.{fraction or 0}").scaleb(6) + Decimal("0.5")))
    if sign:
        offset = timedelta(hours=int(hours), minutes=int(minutes))
        if int(hours) > 23 or int(minutes) > 59:
            return None
        local -= -offset if sign == "-" else offset
    zone = "" if sign or text[-1] in "Zz" else " without a zone"
    return f"{local // timedelta(microseconds=1)}{zone}"


@dataclass(frozen=True)
class Shape:
    """One alternative of a schema, with what a reader needs of it at hand.

    Attributes:
        node: the schema, references resolved.
        types: the types of JSON that it allows; none where it allows any.
        codes: the values that the documents name, null aside; None where it is no set of codes.
        properties: by name, the step in a path, the schema, and whether it may be left out.
    """

    node: Schema
    types: frozenset[str]
    codes: list[Json] | None
    properties: dict[str, tuple[str, Schema, bool]] | None

    @classmethod
    def of(cls, schema: Schema) -> Shape:
        said = schema.get("type", [])
        said = [said] if isinstance(said, str) else said
        named = schema.get("enum", schema.get("x-extensible-enum"))
        required = schema.get("required", [])
        return cls(
            schema,
            frozenset([*said, "integer"] if "number" in said else said),
            None if named is None else [each for each in named if each is not None],
            None
            if "properties" not in schema
            else {
                name: (step(name), inner, name not in required)
                for name, inner in schema["properties"].items()
            },
        )

    def fits(self, value: Json) -> bool:
        """Whether a value is of a type that is allowed."""
        return not self.types or kind(value) in self.types


def shapes(document: Document, node: Schema) -> list[Shape]:
    """The alternatives of a schema; kept, for each node of a document is asked for often."""
    known = _shapes.setdefault(document, {})
    kept = known.setdefault(id(node), (node, []))[1]
    if not kept:
        schema = document.resolve(node)
        for each in schema.get("anyOf", []):
            kept += shapes(document, each)
        kept += [] if "anyOf" in schema else [Shape.of(schema)]
    return kept


_shapes: WeakKeyDictionary[Document, dict[int, tuple[Schema, list[Shape]]]] = WeakKeyDictionary()
"""By document, too: the same reference leads elsewhere in another one."""


def kind(value: Json) -> str:
    """The type of a JSON value."""
    names = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array"}
    return "null" if value is None else names.get(type(value), "object")


@cache
def step(name: str) -> str:
    """A property in a path."""
    return f".{name}" if re.fullmatch(r"\w+", name) else key(name)


def key(name: str | int) -> str:
    """A key of a map, or an index, in a path."""
    return f"[{json.dumps(name, ensure_ascii=False)}]"


class _Reader:
    def __init__(self, document: Document) -> None:
        self.reading = Reading()
        self._document = document

    def note(self, path: str, kind: str, fatal: bool = False) -> None:
        path = path if len(path) <= _LONGEST else f"{path[:_LONGEST]}…"
        self.reading.misfits.append(Misfit(path, kind, fatal))

    def read(self, node: Schema, value: Json, path: str, *, nullable: bool, loose: bool) -> Json:
        """Read a value.

        Args:
            nullable: whether null does as well, as for every property that may be left out.
            loose: whether what does not fit is kept as it came.
        """
        if value is None and nullable:
            return None
        choices = shapes(self._document, node)
        for shape in choices:
            if shape.fits(value):
                found = self._within(shape, value, path, loose)
                break
        else:
            found = self._turned(choices, value, path, loose)
        if found is _NOTHING:
            self.note(path, "type", fatal=not loose)
            return value
        return self._keyed(node, found, path)

    def _turned(self, choices: list[Shape], value: Json, path: str, loose: bool) -> Json:
        for shape in choices:
            for wanted in shape.types:
                found = turned(shape.node, wanted, value)
                if found is not _NOTHING:
                    self.note(path, "type")
                    return self._within(shape, found, path, loose)
        return _NOTHING

    def _within(self, shape: Shape, value: Json, path: str, loose: bool) -> Json:
        schema = shape.node
        if isinstance(value, dict):
            if shape.properties is not None:
                return self._object(shape, value, path)
            if isinstance(schema.get("additionalProperties"), dict):
                return self._map(schema, value, path, loose)
        elif isinstance(value, list) and "items" in schema:
            return [
                self.read(schema["items"], item, path + key(at), nullable=False, loose=loose)
                for at, item in enumerate(value)
            ]
        elif isinstance(value, str) and schema.get("format") == "date-time":
            found = instant(value)
            if found and found.endswith("zone"):
                self.note(path, "type")
            return found or _NOTHING
        elif "number" in shape.types and isinstance(value, int | float):
            try:
                return float(value)
            except OverflowError:
                return _NOTHING
        self._check_code(shape, value, path)
        return value

    def _object(self, shape: Shape, value: Json, path: str) -> Json:
        assert shape.properties is not None
        found = {}
        for name, item in value.items():
            if name not in shape.properties:
                self.note(path + step(name), "unknown field")
                continue
            way, inner, may_miss = shape.properties[name]
            # Where null is a value of its own, anything is kept as well.
            loose = may_miss or any(each.fits(None) for each in shapes(self._document, inner))
            found[name] = self.read(inner, item, path + way, nullable=may_miss, loose=loose)
        for name, (_, inner, may_miss) in shape.properties.items():
            # What may be null says nothing more than what is not there.
            nullable = any(each.fits(None) for each in shapes(self._document, inner))
            if not may_miss and not nullable and name not in value:
                self.note(path, "missing", fatal=True)
        return found

    def _map(self, schema: Schema, value: Json, path: str, loose: bool) -> Json:
        found = {}
        names = schema.get("propertyNames", {})
        # What one set of codes names, another of the same kind knows.
        component = f"#/components/schemas/{self._document.named(names)}"
        whole = {"$ref": component} if "$ref" in names else names
        for name, item in value.items():
            here = path + key(name)
            self._check_code(Shape.of(self._document.resolve(whole)), name, here)
            found[name] = self.read(
                schema["additionalProperties"], item, here, nullable=False, loose=loose
            )
        return found

    def _check_code(self, shape: Shape, value: Json, path: str) -> None:
        if shape.codes is not None and value is not None and value not in shape.codes:
            self.note(path, "unknown value")

    def _keyed(self, node: Schema, value: Json, path: str) -> Json:
        by = self._document.resolve(node).get("x-keyed-by")
        if by is None or not isinstance(value, list):
            return value
        found: dict[str, Json] = {}
        for at, item in enumerate(value):
            name = item.get(by) if isinstance(item, dict) else None
            if not isinstance(name, str):
                self.note(f"{path}{key(at)}{step(by)}", "key", fatal=True)
            elif name in found:
                self.note(f"{path}{key(at)}", "key", fatal=True)
            else:
                found[name] = item
        return found


def turned(schema: Schema, wanted: str, value: Json) -> Json:
    """A value that came as another kind of JSON as the one that is wanted, with nothing lost."""
    match wanted, value:
        case (("integer" | "number" | "string"), bool()):
            return _NOTHING
        case "string", int() | float() if "format" not in schema:
            return json.dumps(value)
        case "integer", str() if _NUMBER.fullmatch(value):
            exact = Decimal(value)
            return int(exact) if exact == exact.to_integral_value() else _NOTHING
        case "number", str() if _NUMBER.fullmatch(value) and math.isfinite(float(value)):
            return float(value)
        case "boolean", int() | str():
            return {"0": False, "1": True, "false": False, "true": True}.get(str(value), _NOTHING)
        case "array", dict() if [*value] == [*map(str, range(len(value)))]:
            return [*value.values()]
        case "object", [] if "properties" not in schema:
            return {}
    return _NOTHING
