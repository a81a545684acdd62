"""One run of the lint: the model of a document, and what rules found in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pipeline.openapi.documents import Document, Pointer
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.problems import Finding

Severity = Literal["error", "note"]


class Run(DocumentModel):
    """A document, and what has been found in it, each thing once, in no order.

    `house` is how severe it is to go against this project's manner.
    """

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.house: Severity = "error" if document.is_native else "note"
        self.findings: list[Finding] = []
        self._seen: set[tuple[Pointer, str]] = set()

    def report(
        self,
        pointer: Pointer,
        message: str,
        rule: str,
        severity: Severity = "error",
        update: Any = None,
        shown: Pointer = (),
        loses: bool = False,
    ) -> None:
        """Report a finding, once; with what an overlay is to write there, to mend it.

        Its place is that of `shown`, which lies in the node, where that is given.
        """
        if (pointer, message) not in self._seen:
            self._seen.add((pointer, message))
            place = self.document.at(shown or pointer)
            own = self.house == "error"
            found = Finding(
                message, place, rule, severity, pointer, update=update, own=own, loses=loses
            )
            self.findings.append(found)

    def title(self, pointer: Pointer) -> str:
        """Return what to call a node in a sentence: its kind and name, or the member it is."""
        if not pointer:
            return "the document"
        kind = self.kinds.get(pointer)
        name = pointer[-1]
        if kind == "parameter" and isinstance(self.get(pointer).get("name"), str):
            return f"parameter {self.get(pointer)['name']}"
        if kind == "operation":
            return f"{str(name).upper()} {pointer[-2]}"
        if isinstance(name, int):
            return f"{pointer[-2]}[{name}]"
        return f"{kind} {name}" if kind and kind != name else name


Rule = Callable[[Run], None]
