"""What the client answers, as JSON, by the names that the documents give its attributes."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from keyword import iskeyword
from typing import Any

import msgspec
from msgspec import UNSET

from harness.documents import Document, Json, Schema, snake
from harness.reading import Shape, instant, key, shapes


class Told:
    """An answer of the client.

    Attributes:
        value: it as JSON, in the form of `reading`.
        problems: where it is not of the type that the client has for it.
    """

    def __init__(self, document: Document, schema: Schema, answer: Any) -> None:
        self._document = document
        self.problems: list[str] = []
        self.value = self._value(schema, answer, "$")

    def _value(self, node: Schema, value: Any, path: str) -> Json:
        if isinstance(value, datetime):
            return instant(value.isoformat())
        shape = self._shape(node, value)
        schema = shape.node
        if isinstance(value, msgspec.Struct):
            return self._model(shape, value, path)
        if isinstance(value, dict):
            self._expect(shape.properties is None, path, "is no model")
            names, inner = schema.get("propertyNames", {}), schema.get("additionalProperties", {})
            return {
                self._key(names, name): self._value(inner, item, path + key(name))
                for name, item in value.items()
            }
        if isinstance(value, list):
            items = schema.get("items", {})
            return [self._value(items, each, path + key(at)) for at, each in enumerate(value)]
        if shape.codes is not None and value is not None:
            return self._code(shape, value, path)
        self._expect(schema.get("format") != "date-time" or value is None, path, "is no datetime")
        return value

    def _shape(self, node: Schema, value: Any) -> Shape:
        """The alternative that a value belongs to."""
        like = value.value if isinstance(value, Enum) else value
        if isinstance(value, msgspec.Struct | list):  # a list may be of a class of its own
            like = [] if isinstance(value, list) else {}
        choices = shapes(self._document, node) if node else []
        return next((each for each in choices if each.fits(like)), _ANY)

    def _model(self, shape: Shape, model: Any, path: str) -> Json:
        names = {name: (_attribute(name, p[1]), *p) for name, p in (shape.properties or {}).items()}
        self._expect(
            sorted(each[0] for each in names.values()) == sorted(model.__struct_fields__),
            path,
            f"is a {type(model).__name__} with the attributes {', '.join(model.__struct_fields__)}",
        )
        return {
            name: self._value(inner, found, path + way)
            for name, (attribute, way, inner, _) in names.items()
            if (found := getattr(model, attribute, UNSET)) is not UNSET
        }

    def _key(self, node: Schema, value: Any) -> Json:
        is_code = node and self._shape(node, value).codes is not None
        self._expect(not is_code or isinstance(value, Enum), "$", f"has the plain key {value!r}")
        return value.value if isinstance(value, Enum) else value

    def _code(self, shape: Shape, value: Any, path: str) -> Json:
        if not isinstance(value, Enum):
            self._expect(False, path, f"is the {type(value).__name__} {value!r}, no code")
            return value
        known = getattr(value, "known", None)
        named = value.value in (shape.codes or [])
        self._expect(known is named, path, f"is {value!r}, whose `known` is {known}")
        return value.value

    def _expect(self, holds: bool, path: str, what: str) -> None:
        if not holds:
            self.problems.append(f"{path} {what}")


_ANY = Shape.of({})


def _attribute(name: str, node: Schema) -> str:
    """What an attribute is called in Python."""
    return node.get("x-python-name") or f"{snake(name)}{'_' * iskeyword(name)}"
