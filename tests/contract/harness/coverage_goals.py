"""What cases can show of a document: each property there, absent and null; each value and limit.

A component is walked once for each direction, however often it is referred to: there is an end to
it where components contain each other. What is sent also has what the client must refuse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from re import _parser
from typing import Any, Literal

from tests.support.documents import Argument, Document, Json, Operation, Schema, Values
from tests.support.wire import given, moment

Direction = Literal["sent", "read"]
Holds = Callable[[Any], bool]
Sight = tuple[str, Holds]
"""Something to be seen, and how a value of the right type shows it."""

COLUMNS = (
    "operations",
    "statuses",
    "parameters",
    "body properties",
    "response properties",
    "values",
)
TYPES: dict[str, Holds] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
WORDS = frozenset(
    [
        "type",
        "enum",
        "format",
        "pattern",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "minItems",
        "maxItems",
        "items",
        "properties",
        "required",
        "additionalProperties",
        "propertyNames",
        "anyOf",
    ]
)
"""What of JSON Schema the walk has eyes for."""
REMARKS = frozenset(["title", "description", "examples", "example", "default", "deprecated"])
"""What of JSON Schema no value can show."""


class Unmeasured(Exception):
    """A document says something that the walk has to learn before it can measure."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One thing that a case can show.

    Attributes:
        column: the figure in which it counts.
        place: `updatePost body.content`, `Post.content (read)`.
        what: `null`, `left out`, `50 characters`, `51 characters, refused`.
    """

    document: str
    column: str
    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.document}: {self.place}: {self.what}"


@dataclass
class Shape:
    """A schema at one place. A shape without choices holds anything."""

    null: Goal | None = None
    no_null: Goal | None = None
    misfit: Goal | None = None
    choices: list[Choice] = field(default_factory=list)

    def kept(self, value: Json) -> Iterator[Goal]:
        """Yield what a value that fits shows."""
        if value is None:
            if self.null:
                yield self.null
            return
        for choice in self._meant(value):
            yield from choice.kept(value)

    def broken(self, value: Json) -> Iterator[list[Goal]]:
        """Yield what a value shows that does not fit, by place."""
        if value is None:
            if self.no_null:
                yield [self.no_null]
        elif meant := self._meant(value):
            yield from meant[0].broken(value)
        elif self.misfit:
            yield [self.misfit]

    def goals(self) -> Iterator[Goal]:
        yield from filter(None, (self.null, self.no_null, self.misfit))
        for choice in self.choices:
            yield from choice.goals()

    def _meant(self, value: Json) -> list[Choice]:
        """Return the choices that a value is of; of an empty object nobody knows which."""
        found = [each for each in self.choices if each.type(value)]
        if len(found) > 1:
            # Objects of which nothing is required fit each other's schemas: names tell them apart.
            ranks = [(each.strange(value), not each.fits(value)) for each in found]
            found = [each for each, rank in zip(found, ranks, strict=True) if rank == min(ranks)]
        return found


@dataclass
class Choice:
    """One type that the values of a shape may have."""

    type: Holds
    fits: Holds
    shows: list[tuple[Goal, Holds]]
    breaks: list[tuple[Goal, Holds]]
    members: dict[str, Member] = field(default_factory=dict)
    items: Shape | None = None
    keys: Shape | None = None
    others: Shape | None = None

    def strange(self, value: Json) -> int:
        """Return how many members of a value the choice does not name."""
        return len(set(value) - set(self.members)) if self.members else 0

    def kept(self, value: Json) -> Iterator[Goal]:
        yield from (goal for goal, holds in self.shows if holds(value))
        for shape, inner in self._inside(value):
            yield from shape.kept(inner)
        if self.members:
            yield from present(self.members, value)

    def broken(self, value: Json) -> Iterator[list[Goal]]:
        if found := [goal for goal, holds in self.breaks if holds(value)]:
            yield found
        for shape, inner in self._inside(value):
            yield from shape.broken(inner)

    def goals(self) -> Iterator[Goal]:
        """Yield what belongs to this place; the members of an object have places of their own."""
        yield from (goal for goal, _ in (*self.shows, *self.breaks))
        for shape in filter(None, (self.items, self.keys, self.others)):
            yield from shape.goals()

    def _inside(self, value: Json) -> Iterator[tuple[Shape, Json]]:
        if isinstance(value, list) and self.items:
            yield from ((self.items, item) for item in value)
        if isinstance(value, dict):
            for name, item in value.items():
                if self.keys:
                    yield self.keys, name
                if name in self.members:
                    yield self.members[name].shape, item
                elif self.others:
                    yield self.others, item


@dataclass
class Member:
    """A property of an object, or an argument of an operation."""

    shape: Shape
    given: Goal
    absent: Goal | None

    def goals(self) -> Iterator[Goal]:
        yield from filter(None, (self.given, self.absent))
        yield from self.shape.goals()


def present(members: dict[str, Member], value: Container[str]) -> Iterator[Goal]:
    """Yield which members a value has, and which it has not."""
    for name, member in members.items():
        if goal := member.given if name in value else member.absent:
            yield goal


class Walk:
    """The shapes of a document in one direction."""

    def __init__(self, document: Document, direction: Direction) -> None:
        self._document = document
        self._direction = direction
        self._components: dict[str, dict[str, Member]] = {}

    def goals(self) -> Iterator[Goal]:
        """Yield what there is in the components that were met."""
        for members in self._components.values():
            for member in members.values():
                yield from member.goals()

    def goal(self, column: str, place: str, what: str) -> Goal:
        return Goal(self._document.name, column, place, what)

    def member(self, column: str, place: str, node: Schema, *, optional: bool) -> Member:
        """Return the shape of a property, and whether it is there."""
        shape = self.shape(place, node, column)
        if self._direction == "read" and optional:
            # What may be left out may be null as well: the client promises to read it.
            shape.null = self.goal(column, place, "null")
        absent = self.goal(column, place, "left out") if optional else None
        return Member(shape, self.goal(column, place, "given"), absent)

    def shape(self, place: str, node: Schema, column: str = "values") -> Shape:
        """Return the shape of a schema; null counts in `column`."""
        found = Shape()
        for name, schema in self._choices(place, node):
            if schema["type"] == "null":
                found.null = self.goal(column, place, "null")
            else:
                found.choices.append(self._choice(place, name, schema))
        if self._direction == "sent" and found.choices:
            found.misfit = self.goal("values", place, "another type, refused")
            if not found.null:
                found.no_null = self.goal("values", place, "null, refused")
        return found

    def _choices(self, place: str, node: Schema) -> Iterator[tuple[str | None, Schema]]:
        """The schemas of one type each that a node allows, and the components that they are."""
        name, schema = self._document.named(node), self._document.resolve(node)
        words = {word for word in schema if not word.startswith("x-")} - REMARKS
        if words - WORDS:
            raise Unmeasured(f"{place}: nothing measures {', '.join(sorted(words - WORDS))}")
        if "anyOf" in schema:
            for choice in schema["anyOf"]:
                yield from self._choices(place, choice)
        elif words and "type" not in schema:
            raise Unmeasured(f"{place}: there is no type")
        elif words:
            types = schema["type"]
            for kind in [types] if isinstance(types, str) else types:
                yield name, {**schema, "type": kind}

    def _choice(self, place: str, name: str | None, schema: Schema) -> Choice:
        sent = self._direction == "sent"
        breaks = list(broken_of(schema)) if sent else []
        found = Choice(
            TYPES[schema["type"]],
            lambda value: self._document.fits(schema, value),
            [(self.goal("values", place, what), holds) for what, holds in seen_of(schema, sent)],
            [(self.goal("values", place, f"{what}, refused"), holds) for what, holds in breaks],
        )
        if "items" in schema:
            found.items = self.shape(f"{place}[]", schema["items"])
        if "properties" in schema:
            found.members = self._members(name or place, schema)
        if isinstance(schema.get("additionalProperties"), dict):
            found.others = self.shape(f"{place}.*", schema["additionalProperties"])
            if "propertyNames" in schema:
                found.keys = self.shape(f"{place}.* (names)", schema["propertyNames"])
                # A name is always a text.
                found.keys.misfit = found.keys.no_null = None
        return found

    def _members(self, name: str, schema: Schema) -> dict[str, Member]:
        if name not in self._components:
            members = self._components[name] = {}
            column = "body properties" if self._direction == "sent" else "response properties"
            for key, node in schema["properties"].items():
                place = f"{name}.{key} ({self._direction})"
                optional = key not in schema.get("required", [])
                members[key] = self.member(column, place, node, optional=optional)
        return self._components[name]


def seen_of(schema: Schema, sent: bool) -> Iterator[Sight]:
    """Yield what values that fit can show; what is read has no limits."""
    kind, known = schema["type"], schema.get("enum", schema.get("x-extensible-enum"))
    if known is not None:
        for one in known:
            yield repr(one), lambda value, one=one: value == one
        if not (sent and "enum" in schema):
            yield "an unknown value", lambda value: value not in known
    elif kind == "boolean":
        yield "true", lambda value: value is True
        yield "false", lambda value: value is False
    elif kind in ("integer", "number"):
        ends = [schema[w] for w in ("minimum", "maximum") if w in schema] if sent else []
        for end in ends or [0]:
            yield f"{end}", lambda value, end=end: value == end
        if not ends:
            yield "negative", lambda value: value < 0
        if kind == "number":
            yield "a fraction", lambda value: not float(value).is_integer()
    elif kind == "object":
        if "properties" not in schema:
            yield "empty", lambda value: not value
            yield "filled", bool
    elif kind == "array" or schema.get("format") not in ("date-time", "binary"):
        yield from _lengths(schema, sent)


def _lengths(schema: Schema, sent: bool) -> Iterator[Sight]:
    least, most, unit = size_of(schema) if sent else (0, None, _UNITS[schema["type"]])
    ends = {least, most} - {None} if least != most else set()
    for end in sorted(ends):
        yield f"{end} {unit}", lambda value, end=end: len(value) == end
    if most is None:
        yield f"more {unit}", lambda value: len(value) > least + 1


_UNITS = {"array": "items", "string": "characters"}


def size_of(schema: Schema) -> tuple[int, int | None, str]:
    """Return the fewest and the most items or characters, and which of the two."""
    if schema["type"] == "array":
        return schema.get("minItems", 0), schema.get("maxItems"), "items"
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if "pattern" in schema:
        shortest, longest = _parser.parse(schema["pattern"]).getwidth()
        least = max(least, shortest)
        if longest < _parser.MAXREPEAT:
            most = longest if most is None else min(most, longest)
    return least, most, "characters"


def broken_of(schema: Schema) -> Iterator[Sight]:
    """Yield what values of the right type can show that do not fit."""
    kind = schema["type"]
    if "enum" in schema:
        yield "an unknown value", lambda value: value not in schema["enum"]
    elif kind in ("integer", "number"):
        if (low := schema.get("minimum")) is not None:
            yield f"{low - 1}", lambda value: low - 1 <= value < low
        if (high := schema.get("maximum")) is not None:
            yield f"{high + 1}", lambda value: high < value <= high + 1
    elif kind in _UNITS and schema.get("format") != "binary":
        least, most, unit = size_of(schema)
        if least:
            yield f"{least - 1} {unit}", lambda value: len(value) == least - 1
        if most is not None:
            yield f"{most + 1} {unit}", lambda value: len(value) == most + 1
        yield from _forms(schema)


def _forms(schema: Schema) -> Iterator[Sight]:
    pattern, form = schema.get("pattern"), schema.get("x-datetime-format")
    if pattern:
        yield "another form", lambda value: not re.search(pattern, value)
    if form:
        yield (
            "no date",
            lambda value: bool(re.search(pattern or "", value)) and not _is_date(value, form),
        )
    elif schema.get("format") == "date-time":
        yield "no date-time", lambda value: moment(value) is None


def _is_date(text: str, form: str) -> bool:
    try:
        datetime.strptime(text, form)
    except ValueError:
        return False
    return True


# Rules of whole operations


def kept_rules(operation: Operation) -> Iterator[Sight]:
    """Yield what requests that are allowed can show of the `x-` rules."""
    for name in (names := operation.node.get("x-required-any", [])):
        yield f"{name} alone", lambda values, name=name: _which(operation, values, names) == {name}
    if days := operation.node.get("x-window-under-days"):
        almost = timedelta(days=days, seconds=-1)
        yield (
            f"almost {days} days",
            lambda values: almost < _span(operation, values) < timedelta(days=days),
        )
    for argument in _files(operation):
        for ending in argument.schema["x-file-extensions"]:
            yield (
                f"a file of {ending}",
                lambda values, key=argument.key, ending=ending: _ending(values[key]) == ending,
            )
        yield "capitals", lambda values, key=argument.key: _ending(values[key]).isupper()


def broken_rules(operation: Operation) -> Iterator[Sight]:
    """Yield what requests that are refused can show of the `x-` rules."""
    if names := operation.node.get("x-required-any"):
        yield f"none of {', '.join(names)}", lambda values: not _which(operation, values, names)
    if days := operation.node.get("x-window-under-days"):
        yield f"{days} days", lambda values: _span(operation, values) == timedelta(days=days)
    for argument in _files(operation):
        yield (
            "a file of another kind",
            lambda values, of=argument: (
                _ending(values[of.key]).lower() not in of.schema["x-file-extensions"]
            ),
        )


def _which(operation: Operation, values: Values, names: list[str]) -> set[str]:
    return {name for name in names if given(operation.arguments[f"query.{name}"], values)}


def window(operation: Operation) -> dict[str, str]:
    """Return the arguments that are the `start` and the `end` of a range."""
    arguments = operation.arguments.values()
    return {each.node["x-window"]: each.key for each in arguments if "x-window" in each.node}


def _span(operation: Operation, values: Values) -> timedelta:
    ends = window(operation)
    start, end = (moment(values[ends[each]]) for each in ("start", "end"))
    return end - start if start and end else timedelta.min


def _files(operation: Operation) -> list[Argument]:
    return [each for each in operation.arguments.values() if each.location == "form"]


def _ending(file: Json) -> str:
    return str(file["name"]).rpartition(".")[2]
