"""The file in which gaps are registered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pipeline.openapi.documents import Document, Pointer, load
from pipeline.openapi.problems import Finding, PipelineError, Position

Decision = Literal["overlay", "open"]
_MEMBERS: Final = (
    "id",
    "section",
    "missing",
    "decision",
    "because",
    "documents",
    "named",
    "traffic",
)
TRAFFIC: Final = (
    "as-asked", "bytes-sent", "codes", "days-after", "json-type", "nulls", "one-budget",
    "parameters", "required", "time-unit",
)  # fmt: skip
"""What `traffic` may say: how recorded traffic answers a gap."""
_ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*([.-][A-Za-z0-9]+)*")


@dataclass(frozen=True)
class Gap:
    """One thing that is not shown.

    Attributes:
        id: its name in documents and overlays.
        section: the number of the section of the service's specification that it belongs to.
        missing: what is not shown.
        decision: filled by an overlay, or left open.
        because: the reason; never empty if open.
        documents: the documents that it concerns; empty for any.
        named: whether the service's description itself says that it is missing.
        traffic: how recorded traffic answers it, where that cannot be told by what is written.
        position: where it is registered.
    """

    id: str
    section: str
    missing: str
    decision: Decision
    because: str
    documents: tuple[str, ...]
    named: bool
    traffic: str
    position: Position


@dataclass(frozen=True)
class Register:
    """All gaps, in the order of the file."""

    gaps: tuple[Gap, ...]
    file: str

    def get(self, id: str) -> Gap | None:
        """Return the gap of an id, or None."""
        return next((gap for gap in self.gaps if gap.id == id), None)


def is_id(value: Any) -> bool:
    """Whether a value can be the id of a gap: words joined by dots or hyphens."""
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def load_register(path: Path) -> Register:
    """Read a register.

    Raises PipelineError with everything that is wrong in the file.
    """
    document = load(path)
    reader = _Reader(document)
    gaps = reader.gaps()
    if reader.findings:
        raise PipelineError(*reader.findings)
    return Register(tuple(gaps), document.name)


class _Reader:
    """Checks one register and builds its gaps."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.findings: list[Finding] = []
        self.seen: dict[str, Position] = {}

    def at(self, pointer: Pointer) -> Position:
        return self.document.at(pointer) or Position(self.document.name, 1, 1)

    def wrong(self, pointer: Pointer, message: str) -> None:
        self.findings.append(Finding(message, self.at(pointer), "gaps"))

    def gaps(self) -> list[Gap]:
        root = self.document.data
        if not isinstance(root, dict) or not isinstance(root.get("gaps"), list):
            self.wrong(("gaps",), "gaps: must be an array of gaps")
            return []
        for key in root:
            if key != "gaps":
                self.wrong((key,), f"{key}: not a member of a register, which has only gaps")
        found = []
        for index, entry in enumerate(root["gaps"]):
            if isinstance(entry, dict):
                found.append(self.gap(entry, ("gaps", index)))
            else:
                self.wrong(("gaps", index), "gaps: a gap must be an object")
        return found

    def gap(self, entry: dict[str, Any], pointer: Pointer) -> Gap:
        for key in entry:
            if key not in _MEMBERS:
                known = ", ".join(_MEMBERS)
                self.wrong((*pointer, key), f"{key}: not a member of a gap, which has {known}")
        id = self.text(entry, pointer, "id")
        if id and not is_id(id):
            self.wrong((*pointer, "id"), f"id: {id} must be words joined by dots, such as a.bC")
        elif id in self.seen:
            self.wrong((*pointer, "id"), f"id: {id} stands twice; first at {self.seen[id]}")
        elif id:
            self.seen[id] = self.at((*pointer, "id"))
        decision = self.text(entry, pointer, "decision")
        if decision and decision not in ("overlay", "open"):
            text = f"decision: must be overlay or open, is {decision}"
            self.wrong((*pointer, "decision"), text)
        documents = entry.get("documents", [])
        if not isinstance(documents, list) or not all(
            isinstance(name, str) and name for name in documents
        ):
            text = "documents: must be an array of names of documents"
            self.wrong((*pointer, "documents"), text)
            documents = []
        if not isinstance(entry.get("named", False), bool):
            self.wrong((*pointer, "named"), "named: must be true or false")
        traffic = self.text(entry, pointer, "traffic", required=False)
        if "traffic" in entry and traffic not in TRAFFIC:
            text = f"traffic: must be one of {', '.join(TRAFFIC)}"
            self.wrong((*pointer, "traffic"), text)
        return Gap(
            id=id,
            section=self.text(entry, pointer, "section"),
            missing=self.text(entry, pointer, "missing"),
            decision="open" if decision == "open" else "overlay",
            because=self.text(entry, pointer, "because", required=decision == "open"),
            documents=tuple(documents),
            named=entry.get("named") is True,
            traffic=traffic,
            position=self.at(pointer),
        )

    def text(
        self, entry: dict[str, Any], pointer: Pointer, key: str, *, required: bool = True
    ) -> str:
        """Return a member that must be a string; an empty one if it is not."""
        if key not in entry:
            if required:
                why = " in a gap that is left open" if key == "because" else " in the gap"
                self.wrong(pointer, f"{key}: missing{why}")
            return ""
        value = entry[key]
        if not isinstance(value, str):
            hint = "; put it in quotes" if isinstance(value, int | float) else ""
            self.wrong((*pointer, key), f"{key}: must be a string{hint}")
            return ""
        if required and not value.strip():
            self.wrong((*pointer, key), f"{key}: must not be empty")
        return value.strip()
