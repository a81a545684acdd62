"""Calls with the values that the document gives as examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pipeline.codegen import code as py
from pipeline.codegen.code import Code, imported, joined, literal, mapping, sequence
from pipeline.codegen.ir import Body, Operation, Type
from pipeline.codegen.type_writer import without_null
from pipeline.codegen.views.catalog import Catalog, fields, members
from pipeline.codegen.views.requests import body_argument, body_fields
from pipeline.codegen.views.view_models import ArgumentView, GivenView


def example(
    catalog: Catalog, operation: Operation, arguments: Sequence[ArgumentView], models: str
) -> tuple[tuple[GivenView, ...] | None, tuple[str, ...]]:
    """Return a call of an operation, None where a value for it is lacking; and the files it sends.

    `models` is the module that its classes come from.
    """
    writer = _ValueWriter(catalog, models)
    given: dict[str, Code] = {}
    for name, value, type_ in _values(catalog, operation, writer):
        # No value that fits, or a zone that this machine does not know.
        with suppress(ValueError, OverflowError, ZoneInfoNotFoundError):
            given[name] = writer.code(value, type_)
    if any(each.required and each.name not in given for each in arguments):
        return None, ()
    values = (
        GivenView("" if argument.positional else argument.name, given[argument.name])
        for argument in arguments
        if argument.name in given
    )
    return tuple(values), tuple(writer.files)


def _values(
    catalog: Catalog, operation: Operation, writer: _ValueWriter
) -> Iterator[tuple[str, Any, Type]]:
    """Yield the arguments for which there is a value, each with its type."""
    for parameter in operation.parameters:
        value = example_value(parameter.raw, parameter.type)
        if value is not None and (parameter.required or "example" in parameter.raw):
            yield parameter.name, value, without_null(parameter.type)
    if operation.body is None:
        return
    value = example_of_body(operation.body)
    own = body_fields(catalog, operation.body)
    if own is None:
        if value is not None:
            yield body_argument(catalog, operation), value, operation.body.type
        return
    values = value if isinstance(value, dict) else {}
    for field in own:
        item = values.get(field.wire)
        if item is None and field.required:
            item = example_value(field.node.schema, field.type)
        if item is not None or field.wire in values:
            name = field.name
            if field.type.kind == "file" and isinstance(item, str):
                writer.files.append(item)
            yield name, item, without_null(field.type)


def example_of_body(body: Body) -> Any:
    """Return the example of a body as it is sent; None where the document has none."""
    media = body.raw["media"]
    examples = [each.get("value") for each in media.get("examples", {}).values()]
    return media.get("example", examples[0] if examples else None)


def example_value(raw: Mapping[str, Any], type_: Type) -> Any:
    """Return an example of a parameter or a property; codes can always give one."""
    bare = without_null(type_)
    for schema in (raw, raw.get("schema"), type_.node.schema, bare.node.schema):
        if not isinstance(schema, dict):
            continue
        if "example" in schema:
            return schema["example"]
        examples = schema.get("examples")
        if isinstance(examples, list) and examples:
            return examples[0]
        if isinstance(examples, dict) and examples:
            return next(iter(examples.values())).get("value")
    if bare.node.schema.get("enum"):
        return bare.node.schema["enum"][0]
    if bare.kind == "list":
        item = example_value({}, bare.items[0])
        return None if item is None else [item]
    return None


class _ValueWriter:
    """Writes JSON values as the Python values that a caller would write."""

    def __init__(self, catalog: Catalog, models: str) -> None:
        self.catalog = catalog
        self.models = models
        self.files: list[str] = []

    def code(self, value: Any, type_: Type) -> Code:
        """Return a value of a type."""
        match type_.kind, value:
            case _, None:
                return py.NONE
            case "class", _ if type_.node.component in self.catalog.codes:
                return self._member(value, type_.node.component)
            case "class", dict():
                return self._model(value, type_.node.component)
            case "list", list():
                return sequence(self.code(item, type_.items[0]) for item in value)
            case "map", dict():
                return mapping(
                    (
                        self.code(name, type_.key) if type_.key else literal(name),
                        self.code(item, type_.items[0]),
                    )
                    for name, item in value.items()
                )
            case "class" | "list" | "map", _:
                raise ValueError("no value of the type")
            case "union", _ if type_.items:
                return self.code(value, type_.items[0])
            case "datetime", str():
                return _instant(value, type_.node.schema)
            case "decimal", str() | int() | float():
                return py.DECIMAL(literal(str(value)))
            case "date", str():
                date = imported("datetime", "date")
                return joined(".", [date, f"fromisoformat({literal(value)})"])
            case "uuid", _:
                return py.UUID(literal(value))
        return Code(literal(value))

    def _member(self, value: Any, component: str) -> Code:
        for name, known in members(self.catalog.codes[component]).items():
            if literal(known) == literal(value):
                return joined(".", [self._class(component), name])
        return Code(literal(value))

    def _model(self, value: Any, component: str) -> Code:
        given = {
            field.name: self.code(value[field.wire], without_null(field.type))
            for field in fields(self.catalog.models[component], "sent")
            if field.wire in value
        }
        return self._class(component)(**given)

    def _class(self, component: str) -> Code:
        return imported(self.models, self.catalog.writer.sent[component])


def _instant(text: str, schema: Mapping[str, Any]) -> Code:
    form, zone = schema.get("x-datetime-format"), schema.get("x-timezone", "UTC")
    instant = datetime.strptime(text, form) if form else datetime.fromisoformat(text)
    if instant.tzinfo is None:
        instant = instant.replace(tzinfo=UTC if zone == "UTC" else ZoneInfo(zone))
    instant = instant.astimezone(UTC)
    numbers = [*instant.timetuple()[:6], instant.microsecond]
    while numbers[-1] == 0 and len(numbers) > 5:
        numbers.pop()
    utc = joined(".", [imported("datetime", "timezone"), "utc"])
    return imported("datetime", "datetime")(*map(str, numbers), tzinfo=utc)
