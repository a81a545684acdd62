"""What the templates are given: plain values, in which every text, type and order is decided.

A view has no knowledge of documents; what it can still do is lay out what it holds (a signature,
a call).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pipeline.config import ClientConfig
from pipeline.prose import WIDTH


@dataclass(frozen=True)
class FieldView:
    """A field of a class, or a member of an enumeration.

    Attributes:
        annotation: its type as code; empty for a member.
        value: its default or its value as code; empty where it has none.
        doc: its lines under `Attributes:` in the docstring of the class.
    """

    name: str
    annotation: str
    value: str
    doc: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClassView:
    """A class of a module of models, or an alias, whose one field holds the type.

    Attributes:
        kind: what is read, what is sent, an enumeration, or an alias.
        base: the class that it inherits from; empty for an alias.
        doc: the docstring as a literal; the bare text for an alias.
        needs: the classes and aliases that its fields name.
    """

    kind: Literal["read", "sent", "codes", "alias"]
    name: str
    base: str
    doc: str
    fields: tuple[FieldView, ...]
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ModuleView:
    """A module of models. `imports` are statements; classes stand after those that they need."""

    name: str
    doc: str
    imports: tuple[str, ...]
    classes: tuple[ClassView, ...]


@dataclass(frozen=True)
class ArgumentView:
    """An argument of a method. `annotation` is its type as a caller sees it."""

    name: str
    annotation: str
    required: bool
    positional: bool
    doc: str

    @property
    def declaration(self) -> str:
        """The argument as it stands in a signature."""
        default = "" if self.required else " = UNSET"
        return f"{self.name}: {self.annotation}{default}"


@dataclass(frozen=True)
class ErrorView:
    """An error that an operation documents."""

    name: str
    status: str
    doc: str


@dataclass(frozen=True)
class OperationView:
    """One operation: its request function and its method.

    Attributes:
        resource: the attribute of the client that has the method.
        http: method and path: `PATCH /books/{book}`.
        server: the document, and with it the base address.
        part: where the service's specification has it; empty where that is not said.
        returns: the type of the answer as code, `None` where there is none.
        assumed: the gaps whose filling it rests on.
        unknown: the gaps that are left open in it.
        prepare: keyword arguments of `prepare`, each with its code.
        docstring: that of the request function, as a literal.
        example: the arguments of a call, as code; None where the document has no values for one.
        example_imports: the statements that the example needs.
    """

    resource: str
    name: str
    http: str
    server: str
    summary: str
    description: str
    part: str
    arguments: tuple[ArgumentView, ...]
    returns: str
    answer_doc: str
    errors: tuple[ErrorView, ...]
    assumed: tuple[str, ...]
    unknown: tuple[str, ...]
    retry_safety: Literal["safe", "idempotent", "unsafe"]
    prepare: tuple[tuple[str, str], ...]
    docstring: str
    example: tuple[str, ...] | None
    example_imports: tuple[str, ...]

    @property
    def path(self) -> str:
        """The method as a user writes it: `books.update`."""
        return f"{self.resource}.{self.name}"

    @property
    def declarations(self) -> list[str]:
        """The signature, one part an argument."""
        positional = [a.declaration for a in self.arguments if a.positional]
        named = [a.declaration for a in self.arguments if not a.positional]
        return positional + (["*", *named] if named else [])

    @property
    def signature(self) -> str:
        """The signature as it stands in the source: with many arguments, one a line."""
        many = len(self.arguments) > 2
        return ", ".join(self.declarations) + ("," if many else "")

    def call(self, function: str, indent: int = 0) -> str:
        """A call with the values of the examples, on several lines where one is too long."""
        arguments = self.example or ()
        line = f"{function}({', '.join(arguments)})"
        if indent + len(line) <= WIDTH - 10:
            return line
        pad = " " * indent
        items = "".join(f"{pad}    {argument},\n" for argument in arguments)
        return f"{function}(\n{items}{pad})"


@dataclass(frozen=True)
class ResourceView:
    """A group of operations. `source` is the path of the document that the banner names."""

    name: str
    class_name: str
    doc: str
    source: str
    imports: tuple[str, ...]
    operations: tuple[OperationView, ...]


@dataclass(frozen=True)
class ServerView:
    """A base address of the client.

    Attributes:
        key: the document whose operations go there.
        argument: the client's argument for it.
        variable: the environment variable that is read where the argument is left out.
        ends: how the path of the address ends: `/v1`.
        title: the title of the document.
    """

    key: str
    argument: str
    variable: str
    ends: str
    title: str


@dataclass(frozen=True)
class StatusErrorView:
    """An exception for a status."""

    status: int
    name: str
    doc: str


@dataclass(frozen=True)
class AttributeView:
    """An attribute that every exception for a status has, read from the body of the error.

    Attributes:
        reader: the method of the runtime that reads it.
        wires: the members of the body that fill it, the first that is there counts.
    """

    name: str
    annotation: str
    reader: str
    wires: tuple[str, ...]
    doc: str


@dataclass(frozen=True)
class PackageView:
    """The whole package.

    Attributes:
        sources: the paths of the documents.
        message_fields: members of an error's body, of which the first that is there is its message.
        parts: the parts of the service's specification: number and title.
        gaps: what the specification does not show: id and entry.
        exports: each public name of the package itself with its module, sorted.
        class_homes: each class of the models with its module, sorted.
        shown: the operation that the README shows.
    """

    client: ClientConfig
    sources: tuple[str, ...]
    servers: tuple[ServerView, ...]
    resources: tuple[ResourceView, ...]
    modules: tuple[ModuleView, ...]
    status_errors: tuple[StatusErrorView, ...]
    attributes: tuple[AttributeView, ...]
    message_fields: tuple[str, ...]
    parts: tuple[tuple[str, str], ...]
    gaps: tuple[tuple[str, Mapping[str, Any]], ...]
    exports: tuple[tuple[str, str], ...]
    class_homes: tuple[tuple[str, str], ...]
    shown: OperationView | None

    @property
    def operations(self) -> list[OperationView]:
        """All operations, by resource."""
        return [each for resource in self.resources for each in resource.operations]
