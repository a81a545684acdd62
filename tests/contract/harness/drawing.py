"""Calls: identifiers come over links, moments lie around the clock, all else is generated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random
from typing import Any

from harness import links
from harness.calls import Call, call_of, python
from harness.generation import Mirror, bodies, request_mirror
from harness.links import Link
from harness.options import Plan
from harness.service import SIDES, Side
from harness.stage import USERS
from tests.support.documents import Argument, Json, Operation, Values, operations

OPERATIONS = operations()
CASES = Plan(examples=20, seed=1)
MINUTES = (-90, -1, 1, 7, 60, 60 * 24, 60 * 24 * 9, 60 * 24 * 50)
"""How far from now the moments are that are written."""
ZONES = ("Europe/Berlin", "Asia/Kolkata", "America/Denver", "UTC")
LENGTHS = (60, 1, 60 * 24 * 7)
"""Minutes that something lasts; the longest that is allowed is another one."""
ZULU = "%Y-%m-%dT%H:%M:%SZ"

FAULTS: tuple[Mapping[str, Json], ...] = (
    {"kind": "drop-before"},
    {"kind": "drop-after"},
    {"kind": "drop-after"},
    {"kind": "status", "status": 503},
    {"kind": "rate-limited", "retry_after": 1},
    {"kind": "truncated"},
    {"kind": "malformed-json"},
    {"kind": "wrong-content-type"},
    {"kind": "empty-body"},
    {"kind": "unknown-fields"},
    {"kind": "unknown-values"},
    {"kind": "latency", "ms": 1},
)
NAMES = dict(zip(USERS, ("client", "admin", "member", "guest"), strict=True))
"""What the client of each user is called in a program."""


@dataclass(frozen=True)
class Step:
    """A call that was drawn, and all that was drawn with it."""

    operation: Operation
    values: Values
    user: str = "owner"
    side: Side = "sync"
    fault: Json = None

    @property
    def call(self) -> Call:
        return call_of(self.operation, self.values)

    @property
    def kind(self) -> str | None:
        """The kind of its fault."""
        return self.fault["kind"] if self.fault else None

    @property
    def is_write(self) -> bool:
        return self.operation.method != "GET"

    @property
    def is_unsafe(self) -> bool:
        """Whether a second time may do it a second time."""
        usual = {"POST": "unsafe", "PATCH": "unsafe"}.get(self.operation.method, "idempotent")
        return bool(self.operation.node.get("x-retry-safety", usual) == "unsafe")

    @property
    def is_delete(self) -> bool:
        return self.operation.method == "DELETE"

    def python(self) -> str:
        """Return the line of a program that does it."""
        text = self.call.python().replace("client.", f"{NAMES[self.user]}.", 1)
        if self.fault is None:
            return text
        members = {name: value for name, value in self.fault.items() if name != "kind"}
        shown = ", ".join(f"{name}={python(value)}" for name, value in members.items())
        return f"with sandbox.fault({self.kind!r}, {shown}): {text}"


def instant(value: Json) -> datetime | None:
    """Return the moment that a text names; None where it names none."""
    if not isinstance(value, str) or len(value) < 19 or value[10] != "T":
        return None
    try:
        return datetime.fromisoformat(value.replace("Z", "+00:00")).astimezone(UTC)
    except ValueError:
        return None


def unique(values: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(values))


# What schemathesis makes


@cache
def materials(operation: Operation) -> dict[str, list[Json]]:
    """Return the values that are made for each argument of an operation."""
    found: dict[str, dict[str, Json]] = {key: {} for key in operation.arguments}
    for body in bodies(_mirror(operation.document), operation.id, "positive", CASES):
        for key, value in body.items():
            if key.startswith("form.") or _fits(operation, key, value):
                found[key].setdefault(repr(value), value)
    return {key: list(each.values()) for key, each in found.items()}


def _fits(operation: Operation, key: str, value: Json) -> bool:
    return not operation.document.problems(operation.arguments[key].schema, value)


@cache
def _mirror(document: Any) -> Mirror:
    return Mirror(request_mirror(document.operations.values()))


# What a call is made of


@cache
def telling(operation: Operation) -> list[str]:
    """Return the optional arguments that other objects, or the state of this one, depend on."""
    precedence = operation.document.data.get("x-assume", {}).get(operation.id, {}).get("precedence")
    words = {f"body.{each}" for each in precedence or ()}
    return [
        key
        for key, argument in operation.arguments.items()
        if not argument.required
        and (key in links.into(operation.id) or key in words or _form(argument))
    ]


@cache
def clearing(operation: Operation) -> dict[str, Json]:
    """Return what empties an argument that may be left out: null, or a list of nothing."""
    found: dict[str, Json] = {}
    for key, argument in operation.arguments.items():
        kinds = argument.schema.get("type", ())
        if not argument.required and argument.location == "body":
            if "null" in kinds:
                found[key] = None
            elif kinds == "array":
                found[key] = []
    return found


@cache
def filled(operation: Operation) -> dict[str, Json]:
    """Return a value for each text, and list of texts, that could be emptied."""
    arguments = operation.arguments
    return {
        arguments[key].name: "Something." if empty is None else ["something"]
        for key, empty in clearing(operation).items()
        if empty is None or arguments[key].schema["items"] == {"type": "string"}
    }


def _form(argument: Argument) -> str | None:
    """Return how a moment is written, of an argument that is one."""
    if "x-datetime-format" in argument.schema:
        return str(argument.schema["x-datetime-format"])
    is_moment = argument.schema.get("format") == "date-time" or "x-window" in argument.node
    return ZULU if is_moment else None


class Drawing:
    """Makes calls up.

    Args:
        carried: the values that links have carried so far.
        now: the moment, by the service's clock.
        random: decides everything.
    """

    def __init__(
        self, carried: Mapping[Link, Sequence[Json]], now: datetime, random: Random
    ) -> None:
        self._carried, self._now, self._random = carried, now, random

    def link(self) -> Link:
        """A link to follow: one with a value, to an operation of which all that it needs is known.

        Those to writes are followed more often than there are of them.
        """
        found = [link for link in links.every() if self._carried.get(link) and self._can(link)]
        weights = [1 if OPERATIONS[link.target].method == "GET" else 2 for link in found]
        return self._random.choices(found, weights)[0]

    def _can(self, link: Link) -> bool:
        operation = OPERATIONS[link.target]
        given = links.into(operation.id)
        return all(
            key == link.key or self._known(operation, key)
            for key, argument in operation.arguments.items()
            if argument.required and key in given
        )

    def _known(self, operation: Operation, key: str) -> list[Json]:
        """Return the values that links have brought for an argument."""
        given = links.into(operation.id).get(key, ())
        return unique(value for link in given for value in self._carried.get(link, ()))

    def step(self, operation: Operation, link: Link | None, *, with_faults: bool) -> Step:
        """Return a call of an operation, with what a link carries."""
        random, made, optional = self._random, materials(operation), telling(operation)
        others = [k for k, each in operation.arguments.items() if made[k] and not each.required]
        chosen = {
            *random.sample(others, min(len(others), random.choice((0, 0, 1, 2)))),
            *random.sample(optional, min(len(optional), random.choice((0, 1, 1, 2, 3)))),
        }
        values = {
            key: self._value(operation, argument, link)
            for key, argument in operation.arguments.items()
            if argument.required or key in chosen or (link and link.key == key)
            if not self._is_lacking(operation, argument)
        }
        self._end(operation, values)
        empty = clearing(operation)
        if empty and random.random() < 0.4:
            key = random.choice(list(empty))
            values[key] = empty[key]
        user = random.choice(("owner",) * 7 + USERS)
        fault = None
        if with_faults and random.random() < (0.3 if operation.method == "GET" else 0.5):
            times = random.choice((1, 2, 6))
            fault = {**random.choice(FAULTS), "operations": operation.id, "times": times}
        return Step(operation, values, user, random.choice(SIDES), fault)

    def _is_lacking(self, operation: Operation, argument: Argument) -> bool:
        """Whether an argument that may be left out is of something that nobody has seen yet."""
        given = argument.key in links.into(operation.id)
        return not argument.required and given and not self._known(operation, argument.key)

    def _value(self, operation: Operation, argument: Argument, link: Link | None) -> Json:
        random, form = self._random, _form(argument)
        if form is not None:
            return (self._now + timedelta(minutes=random.choice(MINUTES))).strftime(form)
        if argument.name == "timezone" and random.random() < 0.8:
            return random.choice(ZONES)
        known = self._known(operation, argument.key)
        if link is not None and link.key == argument.key:
            known = list(self._carried[link])
        elif not known or random.random() < 0.05:
            return self._keyed(argument, random.choice(materials(operation)[argument.key]))
        if argument.schema.get("type") == "array":
            many = random.choice((1, 2, 3, 30))
            return [self._one(known) for _ in range(min(many, len(known)))]
        return self._one(known)

    def _one(self, known: list[Json]) -> Json:
        """One of the values, and often one of the newest: what was just made is used, too."""
        return self._random.choice(known[-3:] if self._random.random() < 0.4 else known)

    def _keyed(self, argument: Argument, value: Json) -> Json:
        """The value; where it is keyed by identifiers of accounts, with those that are known."""
        if "$ref" not in argument.schema.get("propertyNames", {}) or not isinstance(value, dict):
            return value
        if not argument.schema["propertyNames"]["$ref"].endswith("/Id"):
            return value
        accounts = self._known(OPERATIONS["updatePost"], "body.selectedAccountIds")
        keys = self._random.sample(accounts, min(len(value), len(accounts)))
        return dict(zip(keys, value.values(), strict=False))

    def _end(self, operation: Operation, values: Values) -> None:
        """Let a range end after its start, within what is allowed."""
        pairs = {
            argument.node.get("x-window") or argument.name.removesuffix("_date"): argument.key
            for argument in operation.arguments.values()
            if argument.key in values and _form(argument) == ZULU
        }
        if pairs.keys() < {"start", "end"}:
            return
        most = operation.node.get("x-window-under-days", 80) * 24 * 60 - 1
        start = instant(values[pairs["start"]])
        assert start is not None
        length = timedelta(minutes=self._random.choice((*LENGTHS, most)))
        values[pairs["end"]] = (start + length).strftime(ZULU)
