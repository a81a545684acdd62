"""A document as it was read, in plain values: types, models, codes and operations.

Everything still goes by the names of the document; `views` gives the Python names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from pipeline.codegen.names import python_name
from pipeline.openapi import extensions
from pipeline.openapi.documents import Pointer
from pipeline.openapi.extensions import DocumentWords, OperationWords, ParameterWords, SchemaWords
from pipeline.openapi.model import Form

Kind = Literal[
    "any", "null", "bool", "int", "float", "str", "decimal", "datetime", "date", "uuid", "file",
    "const", "list", "map", "union", "class",
]  # fmt: skip


@dataclass(frozen=True)
class Node:
    """A schema as it is written in the effective document, and where it stands there.

    `component` is the name of the class that it becomes, if any; `wanted` is what an inline class
    is called if no other is.
    """

    pointer: Pointer
    schema: Mapping[str, Any]
    component: str = ""
    wanted: str = ""

    @cached_property
    def words(self) -> SchemaWords:
        """The `x-` words of the schema."""
        return extensions.read(SchemaWords, self.schema)

    @property
    def class_name(self) -> str:
        """The name that the document gives the class, if any; of a property it names the field."""
        is_property = self.pointer[-2:-1] == ("properties",)
        return "" if is_property else self.words.python_name or ""


@dataclass(frozen=True)
class Type:
    """A type; `items` are the item of a list, the value of a map, or the members of a union.

    `key` is the type of the keys of a map, where the document limits them. `tag` is a member of an
    object and the values of it by which the union that it is in, and no other, tells it apart.
    """

    kind: Kind
    node: Node
    items: tuple[Type, ...] = ()
    key: Type | None = None
    tag: tuple[str, tuple[str, ...]] | None = None

    @property
    def value(self) -> Any:
        """The value of a constant."""
        return self.node.schema.get("const")

    @property
    def is_files(self) -> bool:
        """Whether it is a file, or several, where it is not null, or a text as well."""
        bare = [each for each in self.items if each.kind != "null"]
        if self.kind in ("list", "map", "union") and len(bare) == 1:
            return bare[0].is_files
        if self.kind == "union" and {each.kind for each in bare} == {"file", "str"}:
            return True
        return self.kind == "file"

    @property
    def alternatives(self) -> tuple[Type, ...]:
        """The members of a union, and else the type itself."""
        return self.items if self.kind == "union" else (self,)

    @property
    def classes(self) -> set[str]:
        """The components of the classes in it, at every depth."""
        return {each.node.component for each in self.walk() if each.kind == "class"}

    def walk(self) -> Iterator[Type]:
        """Yield the type itself, its keys and its items, at every depth; no fields of classes."""
        yield self
        for inner in (*([self.key] if self.key else []), *self.items):
            yield from inner.walk()


@dataclass(frozen=True)
class Field:
    """A property of a model: `wire` is its name in JSON.

    With `is_tag` it is required only where a union tells its classes apart by it. `usual` is the
    value that it has in a union, and is sent where no other is given.
    """

    wire: str
    type: Type
    required: bool
    node: Node
    is_tag: bool = False
    usual: str | None = None

    @cached_property
    def name(self) -> str:
        """Its name in Python."""
        return python_name(self.node.schema, self.wire)


@dataclass(frozen=True)
class Model:
    """An object with known properties, in the order of the document."""

    name: str
    node: Node
    fields: tuple[Field, ...]

    @property
    def is_extensible(self) -> bool:
        """Whether it keeps members that it does not name: those of its field without a name."""
        return any(not each.wire for each in self.fields)


@dataclass(frozen=True)
class Codes:
    """An enumeration: values with the names that the document gives them, if any."""

    name: str
    node: Node
    values: tuple[int | str, ...]
    names: tuple[str, ...]
    open: bool

    @property
    def of_integers(self) -> bool:
        """Whether the values are integers; else they are texts."""
        return isinstance(self.values[0], int)


@dataclass(frozen=True)
class Parameter:
    """A parameter of an operation. `raw` is the whole parameter object."""

    wire: str
    place: Literal["path", "query", "header", "cookie"]
    type: Type
    required: bool
    raw: Mapping[str, Any]

    @cached_property
    def name(self) -> str:
        """Its name in Python."""
        return python_name(self.raw, self.wire)

    @cached_property
    def words(self) -> ParameterWords:
        """The `x-` words of the parameter."""
        return extensions.read(ParameterWords, self.raw)


@dataclass(frozen=True)
class Body:
    """The body of a request, as one of the media types that the document offers."""

    media_type: str
    form: Form
    type: Type
    required: bool
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class Content:
    """A successful response, as one of the media types that the document offers, if it has a body.

    The type of text and bytes is that of the schema in their place.
    """

    statuses: tuple[str, ...]
    media_type: str
    form: Form
    type: Type | None


@dataclass(frozen=True)
class Stream:
    """A successful response that comes piece by piece; `is_alone` where there is nothing else.

    The type is that of the data of an event, or of each item; None for events whose data is text.
    """

    media_type: str
    type: Type | None
    is_alone: bool


@dataclass(frozen=True)
class Success(Content):
    """What an operation returns.

    Attributes:
        others: what comes with statuses that have something else.
        accept: the media types that are asked for, with those of the errors.
        alternatives: what else may be asked for in place of the first.
        stream: what it is piece by piece, if the operation offers that.
    """

    others: tuple[Content, ...] = ()
    accept: str = ""
    alternatives: tuple[Content, ...] = ()
    stream: Stream | None = None

    @property
    def contents(self) -> tuple[Content, ...]:
        """All that may come."""
        return (self, *self.others)

    @property
    def types(self) -> list[Type]:
        """The types of all bodies."""
        types = [each.type for each in (*self.contents, *self.alternatives)]
        types += [self.stream.type] if self.stream else []
        return [each for each in types if each]


@dataclass(frozen=True)
class Failure:
    """The body of an error with a status, a range such as `4XX`, or every other (`default`).

    `media_type` tells it from others of its status; it is empty for the usual one. `form` is how it
    is written, as JSON or as text; `place` is that of its schema.
    """

    status: str
    media_type: str
    form: Form
    type: Type
    place: Pointer


@dataclass(frozen=True)
class Operation:
    """One operation.

    Attributes:
        bodies: what the request may be, the usual media type first.
        servers: where it is, if not where its document is.
        responses: the response objects by status, with references followed.
        failures: the bodies of errors that have a type.
    """

    source: str
    method: str
    path: str
    raw: Mapping[str, Any]
    pointer: Pointer
    parameters: tuple[Parameter, ...]
    bodies: tuple[Body, ...]
    success: Success
    servers: tuple[dict[str, Any], ...]
    responses: Mapping[str, Mapping[str, Any]]
    failures: tuple[Failure, ...] = ()

    def failure(self, status: int) -> list[Type]:
        """Return the bodies of an error: by its status, else by its range, else by `default`."""
        for name in (f"{status}", f"{status // 100}XX", "default"):
            if known := [each.type for each in self.failures if each.status == name]:
                return known
        return []

    @property
    def server(self) -> str:
        """What tells its servers from others: their addresses, or the name of its document."""
        return " or ".join(str(each.get("url")) for each in self.servers) or self.source

    @property
    def body(self) -> Body | None:
        """The request body as the usual media type."""
        return self.bodies[0] if self.bodies else None

    @cached_property
    def words(self) -> OperationWords:
        """The `x-` words of the operation."""
        return extensions.read(OperationWords, self.raw)


@dataclass(frozen=True)
class Webhook:
    """What a service delivers by itself, a body of JSON. `raw` is the whole operation object."""

    name: str
    type: Type
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class Api:
    """One document, as it was read. `raw` is the whole document, `source` its name."""

    source: str
    raw: Mapping[str, Any]
    models: Mapping[str, Model]
    codes: Mapping[str, Codes]
    operations: tuple[Operation, ...]
    webhooks: tuple[Webhook, ...] = ()

    @cached_property
    def words(self) -> DocumentWords:
        """The `x-` words of the document."""
        return extensions.read(DocumentWords, self.raw)
