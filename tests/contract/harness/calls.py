"""A request in flat form as a call of the client, and as the Python text of that call."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any

import msgspec
from social_publishing import File, models

from tests.support.documents import Document, Json, Operation, Schema, Values, snake
from tests.support.wire import moment

ZONES = (UTC, timezone(timedelta(hours=5, minutes=30)), timezone(timedelta(hours=-8)))


class Unsayable(Exception):
    """Python has no words for a request: a path without its parameter, a field with no name."""


@dataclass(frozen=True)
class Call:
    """A method of the client with its arguments."""

    operation: Operation
    positional: tuple[Any, ...] = ()
    keywords: dict[str, Any] = field(default_factory=dict)

    @property
    def method(self) -> str:
        return f"{self.operation.resource}.{self.operation.name}"

    def python(self) -> str:
        """Return the call as it stands in a program."""
        arguments = [python(each) for each in self.positional]
        arguments += [f"{name}={python(value)}" for name, value in self.keywords.items()]
        return f"client.{self.method}({', '.join(arguments)})"

    def request(self) -> Any:
        """Return the request that the call makes; nothing is sent.

        Raises:
            social_publishing.ArgumentError: the client refuses an argument.
        """
        resources = import_module(f"social_publishing.resources.{self.operation.resource}")
        build = getattr(resources, f"build_{self.operation.name}")
        return build(*self.positional, **self.keywords)

    def on(self, client: Any) -> Any:
        """Call it: the response, or what is to be awaited for it; of a list the first page."""
        found = self.begun_on(client)
        return found.first_page() if hasattr(found, "first_page") else found

    def begun_on(self, client: Any) -> Any:
        """Call it: what the method itself gives, a list in pages for example."""
        resource = getattr(client, self.operation.resource)
        return getattr(resource, self.operation.name)(*self.positional, **self.keywords)


def call_of(operation: Operation, values: Values) -> Call:
    """Return the call that sends this request.

    Values that fit the documents get the types of the client: members of enumerations, models,
    aware datetimes. What does not fit is passed on as it is.

    Raises:
        Unsayable: there is no such call.
    """
    positional, keywords = [], {}
    if not isinstance(values, dict) or set(values) - set(operation.arguments):
        raise Unsayable("there is not an argument of that name")
    for key, argument in operation.arguments.items():
        if key not in values:
            if argument.required:
                raise Unsayable(f"{argument.python} is missing")
            continue
        if argument.location == "form":
            value = _file(values[key])
        else:
            value = typed(operation.document, argument.schema, values[key])
        if argument.positional:
            positional.append(value)
        else:
            keywords[argument.python] = value
    return Call(operation, tuple(positional), keywords)


def typed(document: Document, node: Schema, value: Json) -> Any:
    """Return a JSON value with the type that the client has for it."""
    name, schema = document.named(node), document.resolve(node)
    for choice in schema.get("anyOf", ()):
        if document.fits(choice, value):
            return typed(document, choice, value)
    class_name = schema.get("x-python-name") or name
    if isinstance(value, dict) and "properties" in schema:
        return _model(document, schema, getattr(models, class_name), value)
    if isinstance(value, dict) and isinstance(schema.get("additionalProperties"), dict):
        keys = schema.get("propertyNames", {})
        return {
            typed(document, keys, key): typed(document, schema["additionalProperties"], item)
            for key, item in value.items()
        }
    if isinstance(value, list) and "items" in schema:
        return [typed(document, schema["items"], item) for item in value]
    if isinstance(value, str) and "x-datetime-format" in schema:
        return _written(value, schema)
    if isinstance(value, str) and schema.get("format") == "date-time":
        return _moment(value)
    if ("enum" in schema or "x-extensible-enum" in schema) and class_name:
        return _member(getattr(models, class_name), value)
    return value


def _model(document: Document, schema: Schema, model: Any, value: Json) -> Any:
    fields = {}
    for name, item in value.items():
        if name not in schema["properties"]:
            raise Unsayable(f"{model.__name__} has no {name!r}")
        inner = schema["properties"][name]
        fields[inner.get("x-python-name") or snake(name)] = typed(document, inner, item)
    return model(**fields)


def _member(kind: type[Enum], value: Json) -> Any:
    known = {member.value: member for member in kind}
    hashable = isinstance(value, str | int) and not isinstance(value, bool)
    return known.get(value, value) if hashable else value


def _written(text: str, schema: Schema) -> Any:
    """A date of a format of its own, in some zone: the client has to bring it to the right one."""
    assert schema.get("x-timezone") == "UTC", "the documents say another zone: say it here"
    try:
        read = datetime.strptime(text, schema["x-datetime-format"]).replace(tzinfo=UTC)
        return read.astimezone(ZONES[zlib.crc32(text.encode()) % len(ZONES)])
    except (ValueError, OverflowError):
        return text


def _moment(text: str) -> Any:
    if moment(text) is None:
        return text
    return datetime.fromisoformat(text.upper().replace("Z", "+00:00"))


def _file(value: Json) -> Any:
    if not isinstance(value, dict) or {"name", "content"} != set(value):
        raise Unsayable("a file has a name and a content")
    if not isinstance(value["name"], str) or not isinstance(value["content"], str):
        raise Unsayable("a file's name and content are texts")
    try:
        return File(value["content"].encode("latin-1"), name=value["name"])
    except UnicodeEncodeError as error:
        raise Unsayable("the content of a file is bytes") from error


# The text of a call


def python(value: Any) -> str:
    """Return the expression that makes a value, given `from social_publishing.models import *`."""
    match value:
        case Enum():
            return f"{type(value).__name__}.{value.name}" if _known(value) else repr(value.value)
        case datetime():
            return _datetime(value)
        case File():
            return f"File({bytes(value.content)!r}, name={value.name!r})"
        case msgspec.Struct():
            given = (
                f"{name}={python(getattr(value, name))}"
                for name in value.__struct_fields__
                if getattr(value, name) is not msgspec.UNSET
            )
            return f"{type(value).__name__}({', '.join(given)})"
        case dict():
            return "{" + ", ".join(f"{python(k)}: {python(v)}" for k, v in value.items()) + "}"
        case list():
            return f"[{', '.join(map(python, value))}]"
    return repr(value)


def _known(value: Enum) -> bool:
    return value.name in type(value).__members__


def _datetime(value: datetime) -> str:
    numbers = [value.year, value.month, value.day, value.hour, value.minute]
    if value.second or value.microsecond:
        numbers.append(value.second)
    if value.microsecond:
        numbers.append(value.microsecond)
    offset = value.utcoffset()
    zone = "timezone.utc"
    if offset is None:
        return f"datetime({', '.join(map(str, numbers))})"
    if offset:
        zone = f"timezone(timedelta(minutes={offset / timedelta(minutes=1):g}))"
    return f"datetime({', '.join(map(str, numbers))}, tzinfo={zone})"


@cache
def words() -> dict[str, Any]:
    """Return the names that the texts of calls use."""
    return {
        "File": File,
        "datetime": datetime,
        "timezone": timezone,
        "timedelta": timedelta,
        **{name: getattr(models, name) for name in models.__all__},
    }
