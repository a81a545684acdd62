"""The bodies and header fields of responses, read by the documents and by what the client promises.

The promise (README of the client): what is null or absent is kept apart, sets of values are open,
fields that are not known are passed over, those that do not come cost no other, a value that came
as another kind of JSON is turned into the documented one where nothing is lost, and whatever else
does not fit is kept as it came, and its attribute is None; for what is no object in a list of
objects, an empty one stands. Only a response that is something else cannot be read. An independent
reading: nothing of the client is used here.

The same reading says where recorded or live traffic is not what the documents say
(`disagreements`), and what it says beyond them (`additions`): optional members may be null (§2.1).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from tests.support.documents import Document, Json, Operation, Response, Schema
from tests.support.wire import short

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_DATE = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):?(\d\d))?", re.ASCII
)
_ZONE = re.compile(r"[Zz]$|[+-]\d\d:?\d\d$")
_PARSED = ("date-time", "date", "uuid")
"""Formats of texts that are read as something else than texts."""
_LONGEST = 200  # characters of a path that the client shows
_NOTHING: Any = object()


class Undocumented(UserWarning):
    """The service says more than the documents."""


class Finding(NamedTuple):
    """A place in a response that the documents do not describe as it is.

    Attributes:
        place: `status`, `header x-ratelimit-limit`, or a JSON path such as `$.data[3].status`.
        documented: what the documents say of it.
        came: what was there.
    """

    place: str
    documented: str
    came: str

    def __str__(self) -> str:
        return f"{self.place}: came {self.came}; the documents say {self.documented}"


@dataclass(frozen=True)
class Mismatch:
    """A place in a body that is not as documented.

    Attributes:
        path: the place, as in `$.data[3].status`.
        kind: `missing field`, `unknown field`, `unknown value`, `type`, `key`, `nothing`; `closed
            value` and `rule` for what a reader accepts although the documents do not.
        documented: what the documents say of it.
        came: what was there.
        fatal: whether nothing can stand for it, so that the response cannot be read.
    """

    path: str
    kind: str
    documented: str
    came: Json
    fatal: bool = False

    @property
    def finding(self) -> Finding:
        came = "nothing, it is absent" if self.kind == "missing field" else short(self.came)
        return Finding(self.path, self.documented, came)


@dataclass
class Reading:
    """A body as a reader has it: dates as instants, no fields that the documents do not name.

    Attributes:
        value: what is read.
        mismatches: what the client reports, or cannot read.
        broken: what is not allowed although a reader accepts it: ranges, patterns, closed codes.
        nulls: where null stood in a place that may be left out, and that no type marks (§2.1).
    """

    value: Json = None
    mismatches: list[Mismatch] = field(default_factory=list)
    broken: list[Mismatch] = field(default_factory=list)
    nulls: list[Mismatch] = field(default_factory=list)

    @property
    def fatal(self) -> list[str]:
        """The places for which the response cannot be read."""
        return [each.path for each in self.mismatches if each.fatal]

    @property
    def drifts(self) -> list[tuple[str, str]]:
        """Place and kind of everything that is to be reported of a response that can be read."""
        return sorted((each.path, each.kind) for each in self.mismatches)

    @property
    def is_typed(self) -> bool:
        """Whether everything in it is of the documented type."""
        return all(each.kind != "type" for each in self.mismatches)


def read(operation: Operation, response: Response, value: Json) -> Reading:
    """Read the body of a response."""
    assert response.schema is not None
    reader = _Reader(operation.document)
    reader.reading.value = reader.read(response.schema, value, "$", nullable=False, loose=False)
    reader.check_fields(response.schema, value)
    return reader.reading


def disagreements(
    operation: Operation, status: int, headers: Mapping[str, str], body: bytes
) -> list[Finding]:
    """Return what the documents do not allow in a response.

    Args:
        headers: names in lower case.
    """
    response = operation.response(status)
    if response is None:
        known = ", ".join(sorted(operation.node["responses"]))
        return [Finding("status", f"one of {known}", f"{status} with {_excerpt(body)}")]
    return [
        *_wrong_headers(operation, response, headers),
        *_wrong_content(operation, response, headers.get("content-type"), body),
    ]


def additions(operation: Operation, status: int, body: bytes) -> list[Finding]:
    """Return what a response says beyond the documents: members, codes and nulls.

    Null is read wherever something may be left out; that it comes is an answer to a gap.
    """
    response = operation.response(status)
    if response is None or response.schema is None:
        return []
    try:
        found = read(operation, response, json.loads(body))
    except ValueError:
        return []
    closed = {each.path for each in found.broken}
    return [
        mismatch.finding
        for mismatch in (*found.mismatches, *found.nulls)
        if mismatch.kind.startswith(("unknown", "null")) and mismatch.path not in closed
    ]


def together(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings that say the same of several items of a list as one, with what came there."""
    found: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        anywhere = re.sub(r"\[(\d+|\"\d+\")\]", "[*]", finding.place)
        found.setdefault((anywhere, finding.documented), []).append(finding)
    return [
        each[0] if len(each) == 1 else Finding(*where, _few({e.came: None for e in each}))
        for where, each in found.items()
    ]


def _few(came: Collection[str]) -> str:
    shown = ", ".join(list(came)[:5])
    return shown if len(came) <= 5 else f"{shown} and {len(came) - 5} others"


def _wrong_headers(
    operation: Operation, response: Response, headers: Mapping[str, str]
) -> Iterator[Finding]:
    rate = operation.document.data.get("x-rate-limit", {})
    everywhere = {rate[each].lower() for each in ("limit", "remaining", "reset") if each in rate}
    for name, schema in response.headers.items():
        place, text = f"header {name.lower()}", headers.get(name.lower())
        if text is None:
            if name.lower() in everywhere:
                yield Finding(place, "it comes with every response (§8)", "none")
        elif not operation.document.fits(
            schema, int(text) if re.fullmatch(r"-?\d+", text) else text
        ):
            yield Finding(place, schema["type"], repr(text))


def _wrong_content(
    operation: Operation, response: Response, content_type: str | None, body: bytes
) -> Iterator[Finding]:
    if response.schema is None:
        if body:
            yield Finding("body", "none", _excerpt(body))
        return
    if (content_type or "").partition(";")[0].strip().lower() != "application/json":
        yield Finding("header content-type", "application/json", repr(content_type))
    try:
        found = read(operation, response, json.loads(body))
    except ValueError as error:
        yield Finding("body", "JSON", f"{_excerpt(body)} ({error})")
        return
    wrong = [each for each in found.mismatches if not each.kind.startswith("unknown")]
    yield from (each.finding for each in [*wrong, *found.broken])


def _excerpt(body: bytes) -> str:
    text = body[:200].decode("utf-8", "replace")
    return f"{text!r}{'…' if len(body) > 200 else ''}" if body else "no body"


def without_items(operation: Operation, reading: Reading) -> str | None:
    """Return the place of a page's items, where something else than a list is in it."""
    items = operation.node.get("x-paging", {}).get("items")
    found = reading.value.get(items) if items and isinstance(reading.value, dict) else None
    return None if found is None or isinstance(found, list) else f"$.{items}"


def instant(text: str) -> str | None:
    """Return a date-time in the one form that tells instants apart; None where it is none.

    One without a zone is in UTC.
    """
    if (found := _DATE.fullmatch(text)) is None:
        return None
    day, time, fraction, sign, hours, minutes = found.groups()
    try:
        local = datetime.fromisoformat(f"{day}T{time}") - datetime(1, 1, 1)
    except ValueError:
        return None
    # Python counts microseconds, and what is more is cut.
    local += timedelta(microseconds=int((fraction or "")[:6].ljust(6, "0")))
    if sign:
        offset = timedelta(hours=int(hours), minutes=int(minutes))
        if int(hours) > 23 or int(minutes) > 59:
            return None
        local -= -offset if sign == "-" else offset
    return str(local // timedelta(microseconds=1))


@dataclass(frozen=True)
class Shape:
    """One alternative of a schema, with what a reader needs of it at hand.

    Attributes:
        node: the schema, references resolved.
        types: the types of JSON that it allows; none where it allows any.
        codes: the only values, null aside; None where there are others.
        properties: by name, the step in a path, the schema, and whether it may be left out.
    """

    node: Schema
    types: frozenset[str]
    codes: list[Json] | None
    properties: dict[str, tuple[str, Schema, bool]] | None

    @classmethod
    def of(cls, schema: Schema) -> Shape:
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        named = schema.get("enum")
        required = schema.get("required", [])
        return cls(
            schema,
            frozenset([*types, "integer"] if "number" in types else types),
            None if named is None else [each for each in named if each is not None],
            None
            if "properties" not in schema
            else {
                name: (step(name), inner, name not in required)
                for name, inner in schema["properties"].items()
            },
        )

    def fits(self, value: Json) -> bool:
        """Return whether a value is of a type that is allowed."""
        return not self.types or kind(value) in self.types

    def unknown(self, value: Json) -> int:
        """Return how many members of an object the schema does not name."""
        if not isinstance(value, dict) or self.properties is None:
            return 0
        return len(set(value) - set(self.properties))


def shapes(document: Document, node: Schema) -> list[Shape]:
    """Return the alternatives of a schema; kept, for each node of a document is asked for often."""
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
    """Return the type of a JSON value."""
    names = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array"}
    return "null" if value is None else names.get(type(value), "object")


@cache
def step(name: str) -> str:
    """Return a property in a path."""
    return f".{name}" if re.fullmatch(r"\w+", name) else key(name)


def key(name: str | int) -> str:
    """Return a key of a map, or an index, in a path."""
    return f"[{json.dumps(name, ensure_ascii=False)}]"


class _Reader:
    def __init__(self, document: Document) -> None:
        self.reading = Reading()
        self._document = document

    def note(
        self, path: str, kind: str, documented: str, came: Json, *, fatal: bool = False
    ) -> None:
        path = path if len(path) <= _LONGEST else f"{path[:_LONGEST]}…"
        found = Mismatch(path, kind, documented, came, fatal)
        is_broken = kind in ("rule", "closed value")
        (self.reading.broken if is_broken else self.reading.mismatches).append(found)

    def read(self, node: Schema, value: Json, path: str, *, nullable: bool, loose: bool) -> Json:
        """Read a value.

        Args:
            nullable: whether null does as well, as for every property that may be left out.
            loose: whether what does not fit is kept as it came.
        """
        choices = shapes(self._document, node)
        if value is None and nullable:
            if not any(each.fits(None) for each in choices):
                found = Mismatch(path, "null", f"{_named_types(choices)}, or nothing", None)
                self.reading.nulls.append(found)
            return None
        fitting = [each for each in choices if each.fits(value)]
        if fitting:
            # Bodies of errors fit each other's schemas, for none of their members must be there.
            shape = min(fitting, key=lambda each: each.unknown(value))
            found = self._within(shape, value, path, loose)
        else:
            found = self._turned(choices, value, path, loose)
        if found is _NOTHING:
            self.note(path, "type", _named_types(choices), value, fatal=not loose)
            return value
        return self._keyed(node, found, path)

    def _turned(self, choices: list[Shape], value: Json, path: str, loose: bool) -> Json:
        for shape in choices:
            for wanted in shape.types:
                found = turned(shape.node, wanted, value)
                if found is not _NOTHING:
                    self.note(path, "type", _named_types(choices), value)
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
                self._item(schema["items"], item, path + key(at)) for at, item in enumerate(value)
            ]
        elif isinstance(value, str) and schema.get("format") == "date-time":
            found = instant(value)
            if found and not _ZONE.search(value):
                self.note(path, "type", "date-time", value)
            return found or _NOTHING
        elif "number" in shape.types and isinstance(value, int | float):
            try:
                return float(value)
            except OverflowError:
                return _NOTHING
        self._check_code(shape, value, path)
        rules = {word: schema[word] for word in _RULES if word in schema}
        if rules and not self._document.fits(rules, value):
            self.note(path, "rule", ", ".join(f"{k} {v}" for k, v in rules.items()), value)
        return value

    def _object(self, shape: Shape, value: Json, path: str) -> Json:
        assert shape.properties is not None
        found = {}
        for name, item in value.items():
            if name not in shape.properties:
                self.note(path + step(name), "unknown field", "nothing of it", item)
                continue
            way, inner, may_miss = shape.properties[name]
            found[name] = self.read(inner, item, path + way, nullable=may_miss, loose=True)
        for name, (way, _, may_miss) in shape.properties.items():
            if not may_miss and name not in value:
                self.note(path + way, "missing field", "that it is there", None)
        return found

    def check_fields(self, node: Schema, value: Json) -> None:
        """See whether an object is another one than the documents say: nothing of it is there."""
        if not isinstance(value, dict):
            return
        choices = [each.properties or {} for each in shapes(self._document, node)]
        required = [
            name for choice in choices for name, (*_, may_miss) in choice.items() if not may_miss
        ]
        if required and not any(name in each for each in choices for name in value):
            self.note("$", "nothing", f"an object with {required[0]}", value, fatal=True)

    def _map(self, schema: Schema, value: Json, path: str, loose: bool) -> Json:
        found = {}
        names = schema.get("propertyNames", {})
        # What one set of codes names, another of the same kind knows.
        component = f"#/components/schemas/{self._document.named(names)}"
        whole = {"$ref": component} if "$ref" in names else names
        for name, item in value.items():
            here = path + key(name)
            self._check_code(Shape.of(self._document.resolve(whole)), name, here)
            found[name] = self._item(schema["additionalProperties"], item, here)
        return found

    def _item(self, node: Schema, value: Json, path: str) -> Json:
        """Read an item of a list or a map: for what is no object, an empty one stands."""
        found = self.read(node, value, path, nullable=False, loose=True)
        is_model = any(each.properties is not None for each in shapes(self._document, node))
        return {} if is_model and not isinstance(found, dict) else found

    def _check_code(self, shape: Shape, value: Json, path: str) -> None:
        if shape.codes is not None and value is not None and value not in shape.codes:
            known = ", ".join(map(json.dumps, shape.codes))
            self.note(path, "unknown value", f"known are {known}", value)
            self.note(path, "closed value", f"one of {known}", value)

    def _keyed(self, node: Schema, value: Json, path: str) -> Json:
        by = self._document.resolve(node).get("x-keyed-by")
        if by is None or not isinstance(value, list):
            return value
        found: dict[str, Json] = {}
        has_values = any(each is not None for item in value for each in item.values())
        for at, item in enumerate(value):
            name = item.get(by) if isinstance(item, dict) else None
            if not isinstance(name, str):
                place = f"{path}{key(at)}{step(by)}"
                self.note(place, "type", "a text", name, fatal=not has_values)
            elif name in found:
                self.note(f"{path}{key(at)}{step(by)}", "type", "a key of its own", name)
            else:
                found[name] = item
        return found


_RULES = ("pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")


def _named_types(choices: list[Shape]) -> str:
    """Return the types of all alternatives, in words."""
    names = [[_named_type(each.node, name) for name in sorted(each.types)] for each in choices]
    return " or ".join(dict.fromkeys(name for each in names for name in each))


def _named_type(node: Schema, name: str) -> str:
    return str(node["format"]) if node.get("format") in _PARSED else name


def turned(schema: Schema, wanted: str, value: Json) -> Json:
    """A value that came as another kind of JSON as the one that is wanted, with nothing lost."""
    match wanted, value:
        case (("integer" | "number" | "string"), bool()):
            return _NOTHING
        case "string", int() | float() if schema.get("format") not in _PARSED:
            return json.dumps(value)
        case "integer", float() if value.is_integer():
            return int(value)
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
