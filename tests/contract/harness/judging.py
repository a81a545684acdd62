"""What the documents forbid in a request: their schemas, and their `x-` words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from harness.documents import Argument, Document, Json, Operation, Schema, Values

_FRACTION = re.compile(r"\.\d+")


def forbidden(operation: Operation, values: Values) -> list[str]:
    """Why the documents do not allow this request; empty where they do."""
    found = [f"{key}: is not documented" for key in values if key not in operation.arguments]
    for key, argument in operation.arguments.items():
        if not given(argument, values):
            found += [f"{key}: is missing"] if argument.required else []
        elif argument.location == "form":
            found += _file_problems(argument, values[key])
        else:
            found += operation.document.problems(argument.schema, values[key], key)
            found += _no_dates(operation.document, argument.schema, values[key], key)
            found += _separators(argument, values[key])
    return found or [*_none_of(operation, values), *_too_long(operation, values)]


def given(argument: Argument, values: Values) -> bool:
    """Whether a request has an argument: an empty list in a query is written as nothing."""
    if argument.key not in values:
        return False
    is_list = "items" in argument.schema
    return not (argument.location == "query" and is_list and values[argument.key] == [])


def moment(text: Any) -> datetime | None:
    """The instant of a date-time, in UTC; None where Python has none: 60 seconds, the year 0."""
    try:
        read = datetime.fromisoformat(text.upper().replace("Z", "+00:00"))
        return read.astimezone(UTC)
    except (AttributeError, ValueError, OverflowError):
        return None


def _none_of(operation: Operation, values: Values) -> Iterator[str]:
    names = operation.node.get("x-required-any", [])
    arguments = [operation.arguments[f"query.{name}"] for name in names]
    if arguments and not any(given(each, values) for each in arguments):
        yield f"{' or '.join(names)}: at least one must be given"


def _too_long(operation: Operation, values: Values) -> Iterator[str]:
    days = operation.node.get("x-window-under-days")
    if days is None:
        return
    ends = {
        each.node["x-window"]: values[each.key]
        for each in operation.arguments.values()
        if "x-window" in each.node
    }
    start, end = moment(ends["start"]), moment(ends["end"])
    if start and end and end - start >= timedelta(days=days):
        yield f"the range is not shorter than {days} days"


def _file_problems(argument: Argument, file: Json) -> list[str]:
    texts = [file.get("name"), file.get("content")] if isinstance(file, dict) else [None]
    if not all(isinstance(each, str) for each in texts):
        return [f"{argument.key}: {file!r} is no file"]
    stem, dot, ending = file["name"].lower().rpartition(".")
    known = argument.schema["x-file-extensions"]
    found = (
        []
        if stem and dot and ending in known
        else [f"{argument.key}: {ending!r} is none of {known}"]
    )
    if len(file["content"]) > argument.schema["x-max-bytes"]:
        found.append(f"{argument.key}: is too large")
    return found


def _separators(argument: Argument, value: Json) -> Iterator[str]:
    """Items that hold the comma that separates them: nobody could tell them apart (§2.1)."""
    if argument.location == "query" and not argument.explode and isinstance(value, list):
        for index, item in enumerate(value):
            if "," in str(item):
                yield f"{argument.key}.{index}: {item!r} holds a comma"


def _no_dates(document: Document, schema: Schema, value: Json, place: str) -> Iterator[str]:
    """Texts that have the form of a date, and are none."""
    schema = document.resolve(schema)
    form = schema.get("x-datetime-format")
    if not isinstance(value, str) or not (form or schema.get("format") == "date-time"):
        return
    if form:
        try:
            datetime.strptime(value, form)
        except ValueError:
            yield f"{place}: {value!r} is no date"
    elif moment(value) is None:
        yield f"{place}: {value!r} is no date that Python has"
