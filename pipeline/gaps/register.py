"""The file in which gaps are registered."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pipeline.openapi import typed
from pipeline.openapi.documents import load
from pipeline.openapi.extensions import GapId, Text
from pipeline.openapi.problems import NOWHERE, Finding, PipelineError, Position
from pipeline.openapi.typed import Must

Decision = Literal["overlay", "open"]


@dataclass(frozen=True)
class _Entry:
    """One thing that is not shown, as the file has it.

    Attributes:
        id: its name in documents and overlays.
        section: the number of the section of the service's specification that it belongs to.
        because: the reason; never empty if open.
        documents: the documents that it concerns; empty for any.
        fills: the words that an assumption may write for it; empty for any.
        statuses: the class of the statuses that it is about, such as `2XX`; empty for any.
        named: whether the service's specification itself names it as missing.
        shown_by: `nulls` if every null that no type takes is evidence of it, wherever it stands.
    """

    rules: ClassVar[dict[str, Any]] = {
        "if": {"properties": {"decision": {"const": "open"}}, "required": ["decision"]},
        "then": {"required": ["because"]},
    }

    id: GapId
    section: Annotated[str, Must('a string in quotes, such as "4.1"', pattern=r"\S")]
    missing: Text
    decision: Decision
    because: Text = ""
    documents: tuple[Text, ...] = ()
    fills: tuple[Text, ...] = ()
    statuses: Annotated[str, Must("a class such as 2XX", pattern="^([1-5]XX)?$")] = ""
    named: bool = False
    shown_by: Literal["", "nulls"] = ""


@dataclass(frozen=True)
class Gap(_Entry):
    """One thing that is not shown, and where it is registered."""

    position: Position = NOWHERE


@dataclass(frozen=True)
class _File:
    gaps: tuple[_Entry, ...]


@dataclass(frozen=True)
class Register:
    """All gaps, in the order of the file."""

    gaps: tuple[Gap, ...]
    file: str


def load_register(path: Path) -> Register:
    """Read a register; raises PipelineError with everything that is wrong in the file."""
    document = load(path)
    gaps: dict[str, Gap] = {}
    findings = []
    for index, entry in enumerate(typed.load(document, _File, "gaps").gaps):
        at = ("gaps", index)
        gap = Gap(**vars(entry), position=document.at(at) or Position(document.name, 1, 1))
        if entry.id in gaps:
            text = f"id: {entry.id} appears twice; first at {gaps[entry.id].position}"
            findings.append(Finding(text, document.at((*at, "id")), "gaps"))
        gaps.setdefault(entry.id, gap)
    if findings:
        raise PipelineError(*findings)
    return Register(tuple(gaps.values()), document.name)
