"""One call of every operation with what it needs, made of its document."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from social_publishing import File
from social_publishing.models import (
    GroupType,
    Weekday,
)

from tests.support.documents import Argument, Operation, operations
from tests.support.examples import example

CLIENT = Path(__file__).parents[2] / "generated" / "client"
ADDRESSES = {"base_url": "http://a.test/v1", "media_url": "http://b.test/api/v1"}
TOKEN = "s3cret-T0KEN-of-the-tests"
ID, OTHER = "18446744073709551615", "9223372036854775809"  # both past a signed 64-bit integer
VIDEO = bytes(range(256)) * 4
GROUP: dict[str, Any] = {
    "name": "Bakeries",
    "timezone": "Europe/Berlin",
    "type": GroupType.BRAND,
    "week_start_day": Weekday.SUNDAY,
    "note": "",
    "max_social_accounts": None,
    "default_everyone_must_approve": False,
    "default_assignee_ids": [],
}
"""All arguments of `groups.replace`."""


@dataclass(frozen=True)
class Call:
    """A method of a client with its arguments."""

    method: str
    args: tuple[str, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)

    @property
    def build(self) -> Any:
        """The pure function that makes its request."""
        resource, name = self.method.split(".")
        return getattr(import_module(f"social_publishing.resources.{resource}"), f"build_{name}")

    def request(self) -> Any:
        """The request of this call, as a value."""
        return self.build(*self.args, **self.kwargs)

    def of(self, client: Any) -> Any:
        """Call it: the answer, or what is to be awaited for it. Of a list it is the first page."""
        found = self.raw(getattr(client, self.method.partition(".")[0]))
        return found.first_page() if hasattr(found, "first_page") else found

    def raw(self, resource: Any) -> Any:
        """Call it on a resource: what the method itself gives."""
        return getattr(resource, self.method.partition(".")[2])(*self.args, **self.kwargs)


_DAY = datetime(2026, 12, 1, tzinfo=UTC)
_BY_HAND = {  # whose arguments depend on each other
    "posts.list": Call("posts.list", kwargs={"group_id": ID}),
    "posts.update": Call("posts.update", (ID,), {"content": "Grüße & 👋", "note": None}),
    "calendar_notes.list": Call("calendar_notes.list", kwargs={"start": _DAY, "end": _DAY}),
}


def _call(operation: Operation) -> Call:
    """Return a call of an operation, with what has to be given."""
    method = f"{operation.resource}.{operation.name}"
    if method in _BY_HAND:
        return _BY_HAND[method]
    values = {
        _key(argument.python): _value(operation, argument)
        for argument in operation.arguments.values()
    }
    in_path = len(places(operation))
    given = {
        name: values[_key(name)]
        for name, parameter in [*signature(Call(method).build).parameters.items()][in_path:]
        if parameter.default is Parameter.empty
    }
    return Call(method, (ID,) * in_path, given)


def operation_of(name: str) -> Operation:
    """Return the documented operation of a method, by `resource.method`."""
    found = (each for each in operations().values() if f"{each.resource}.{each.name}" == name)
    return next(found)


def safety_of(operation: Operation) -> str:
    """Whether an operation may be repeated, as its document or else its method says (RFC 9110)."""
    usual = {"GET": "safe", "PUT": "idempotent", "DELETE": "idempotent"}
    return str(operation.node.get("x-retry-safety", usual.get(operation.method, "unsafe")))


def places(operation: Operation) -> list[str]:
    """The names of the path parameters of an operation."""
    return re.findall(r"\{(\w+)\}", operation.path)


def _value(operation: Operation, argument: Argument) -> Any:
    """An example of what an argument takes."""
    kind = operation.document.resolve(argument.schema).get("format")
    if kind == "binary":
        return File(VIDEO, name="a.mp4")
    value = example(operation.document, argument.schema, argument.name)
    return datetime.fromisoformat(value) if kind == "date-time" else value


def _key(name: str) -> str:
    return name.replace("_", "").lower()


CALLS = [*map(_call, operations().values())]
