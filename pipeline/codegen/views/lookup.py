"""What the words of one operation name: other operations, and places in answers and bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.codegen.ir import Field, Model, Operation, Type
from pipeline.codegen.names import python_name
from pipeline.codegen.type_writer import without_null
from pipeline.codegen.views.catalog import Catalog, fields
from pipeline.codegen.views.shapes import OperationView
from pipeline.openapi.documents import pointer_text
from pipeline.openapi.problems import Finding, PipelineError


@dataclass(frozen=True)
class Made:
    """An operation, and its view without the calls that are made of it."""

    operation: Operation
    view: OperationView


@dataclass(frozen=True)
class Lookup:
    """Finds what a word names, or says that it is not there.

    Attributes:
        operations: all operations, by their document and `operationId`.
    """

    catalog: Catalog
    operations: Mapping[tuple[str, str], Made]

    def other(self, made: Made, word: str, name: Any) -> Made:
        """The operation of an `operationId`, in the same document and the same resource.

        Raises:
            PipelineError: there is none.
        """
        found = self.operations.get((made.operation.source, str(name)))
        if found is None or found.view.resource != made.view.resource:
            raise wrong(made, word, f"{name} is no operation of the resource {made.view.resource}")
        return found

    def path(self, made: Made, word: str, type_: Type | None, wires: str) -> tuple[str, Field]:
        """A path of names in an answer as a path of attributes, and the property it ends at.

        Raises:
            PipelineError: it leads nowhere.
        """
        names = []
        found = None
        for wire in wires.split("."):
            model = self.model(type_)
            listed = fields(model, "read") if model and not _is_list(type_) else []
            found = next((each for each in listed if each.wire == wire), None)
            if found is None:
                raise wrong(made, word, f"{wires} leads nowhere in the answer")
            names.append(python_name(found.node.schema, wire))
            type_ = found.type
        assert found is not None  # a text that is split has one part at least
        return ".".join(names), found

    def model(self, type_: Type | None) -> Model | None:
        """The class of a type, or of the items of a list; None where there is none."""
        if type_ is None:
            return None
        bare = without_null(type_)
        if bare.kind == "list":
            bare = without_null(bare.items[0])
        return self.catalog.models.get(bare.node.component) if bare.kind == "class" else None


def wrong(made: Made, word: str, reason: str) -> PipelineError:
    """What is said where a word does not fit."""
    place = pointer_text(made.operation.pointer)
    return PipelineError(Finding(f"{place}: `{word}`: {reason}", rule="calls"))


def _is_list(type_: Type | None) -> bool:
    return type_ is not None and without_null(type_).kind == "list"
