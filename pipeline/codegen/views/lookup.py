"""Lookup of what an operation's extension words name: operations, properties of responses.

The lint has refused documents whose words name what is not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.codegen.ir import Field, Model, Operation, Type
from pipeline.codegen.type_writer import without_null
from pipeline.codegen.views.catalog import Catalog, fields
from pipeline.codegen.views.view_models import OperationView


@dataclass(frozen=True)
class Made:
    """An operation, and its view without the calls that are made of it."""

    operation: Operation
    view: OperationView


@dataclass(frozen=True)
class Lookup:
    """Finds what a word names; operations by their document and `operationId`."""

    catalog: Catalog
    operations: Mapping[tuple[str, str], Made]

    def other(self, made: Made, name: str) -> Made:
        """Return the operation of an `operationId` in the same document."""
        return self.operations[made.operation.source, name]

    def path(self, type_: Type | None, wires: str) -> tuple[str, Field]:
        """Return a path of names in a response as one of attributes, and its last property."""
        attributes = []
        for wire in wires.split("."):
            model = self.model(type_)
            assert model is not None  # the lint has looked
            (field,) = (each for each in fields(model, "read") if each.wire == wire)
            attributes.append(field.name)
            type_ = field.type
        return ".".join(attributes), field

    def model(self, type_: Type | None) -> Model | None:
        """Return the class of a type, or of the items of a list; None where there is none."""
        if type_ is None:
            return None
        bare = without_null(type_)
        if bare.kind == "list":
            bare = without_null(bare.items[0])
        return self.catalog.models.get(bare.node.component) if bare.kind == "class" else None
