"""JSON Schema of Python types, and values of these types out of documents."""

from __future__ import annotations

import functools
import operator
import types
import typing
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

import jsonschema_rs

from pipeline.openapi.documents import Document, Pointer
from pipeline.openapi.problems import Finding, PipelineError, in_order
from pipeline.openapi.validation import described, keys
from pipeline.openapi.wording import field

T = TypeVar("T")


class Must:
    """The requirements of a type: how to describe them, and their keywords of JSON Schema."""

    def __init__(self, description: str = "", **keywords: Any) -> None:
        self.schema = {**({"description": description} if description else {}), **keywords}


_SIMPLE: Final = {
    str: "string", bool: "boolean", int: "integer", float: "number", types.NoneType: "null",
    Path: "string",
}  # fmt: skip


def schema_of(type_: Any) -> dict[str, Any]:
    """Return the schema of a type."""
    if type_ in _SIMPLE:
        return {"type": _SIMPLE[type_]}
    if is_dataclass(type_):
        hints = typing.get_type_hints(type_, include_extras=True)
        own = fields(type_)
        return {
            "type": "object",
            "properties": {each.name: schema_of(present(hints[each.name])) for each in own},
            "required": [each.name for each in own if each.default is each.default_factory],
            "additionalProperties": False,
            **getattr(type_, "rules", {}),
        }
    origin, arguments = typing.get_origin(type_), typing.get_args(type_)
    if origin is Annotated:
        return {**schema_of(arguments[0]), **arguments[1].schema}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple:
        several = arguments[-1] is ...
        return {"type": "array", "items": schema_of(arguments[0]), **({} if several else _ONE)}
    if origin is dict:
        key, item = map(schema_of, arguments)
        return {"type": "object", "propertyNames": key, "additionalProperties": item}
    if origin in _UNIONS:
        return {"anyOf": [schema_of(each) for each in arguments]}
    return {}


_UNIONS: Final = (types.UnionType, typing.Union)
_ONE: Final = {"minItems": 1, "maxItems": 1}


def present(type_: Any) -> Any:
    """Return the type of a word or a member where it is there: None in Python is no null."""
    members = typing.get_args(type_)
    if typing.get_origin(type_) not in _UNIONS or types.NoneType not in members:
        return type_
    return functools.reduce(operator.or_, (m for m in members if m is not types.NoneType))


def value_of(type_: Any, value: Any, folder: Path = Path()) -> Any:
    """Return a value that has the shape of a type as one of it: members, and tuples of items.

    Paths are below the folder.
    """
    type_ = present(type_)
    if typing.get_origin(type_) is Annotated:
        type_ = typing.get_args(type_)[0]
    if isinstance(value, list):
        item = next(iter(typing.get_args(type_)), None)
        return tuple(value_of(item, each, folder) for each in value)
    if typing.get_origin(type_) is dict:
        item = typing.get_args(type_)[1]
        return {name: value_of(item, each, folder) for name, each in value.items()}
    if not is_dataclass(type_):
        return folder / value if type_ is Path else value
    make: Any = type_
    hints = _hints(make)
    return make(**{name: value_of(hints[name], each, folder) for name, each in value.items()})


@functools.cache
def _hints(type_: type[Any]) -> dict[str, Any]:
    return typing.get_type_hints(type_, include_extras=True)


def problems(type_: Any, value: Any) -> Iterator[tuple[Pointer, str]]:
    """Yield what keeps a value from being one of a type, each with its place."""
    schema = schema_of(type_)
    errors = jsonschema_rs.validator_for(schema, offline=True).iter_errors(value)
    for path, problem in described(schema, errors):
        yield keys(value, path), problem


def load(document: Document, type_: type[T], rule: str) -> T:
    """Return a whole document as a value of a type; raises PipelineError with all that is wrong."""
    findings = [
        Finding(f"{field(path) or 'the whole'} {problem}", document.at(path), rule)
        for path, problem in problems(type_, document.data)
    ]
    if findings:
        raise PipelineError(*in_order(findings))
    value: T = value_of(type_, document.data)
    return value
