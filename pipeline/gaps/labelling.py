"""Label what an overlay is proposed to add: an assumption names the gap that it fills."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from pipeline.gaps.uses import ids
from pipeline.openapi.documents import Document, Pointer, found
from pipeline.openapi.overlay.model import Change
from pipeline.openapi.problems import Finding

_UNNAMED: Final = "…"


def labelled(
    findings: Iterable[Finding], document: Document, changes: Iterable[Change]
) -> Iterator[Finding]:
    """Yield findings; what is assumed in other places is proposed as an assumption, too.

    Its gap is of the family of theirs, and one that its own place names: `errors.getGroup` where
    the others are `errors.…`. Where there is none, a person fills it in.
    """
    families: dict[str, Counter[str]] = {}
    for change in changes:
        if change.action.gap and isinstance(change.action.update, Mapping):
            for member in change.action.update:
                of = families.setdefault(member, Counter())
                of[change.action.gap.partition(".")[0]] += 1
    for finding in findings:
        if finding.rule == "responses" and isinstance(finding.update, Mapping):
            (member,) = finding.update
            if member in families:
                family = families[member].most_common(1)[0][0]
                gap = _named(document, finding.pointer or (), family) or _UNNAMED
                because = "Most other operations have it."
                label = {"gap": gap, "basis": "analogy", "because": because}
                finding = replace(finding, label=label)
        yield finding


def _named(document: Document, pointer: Pointer, family: str) -> str | None:
    """Return the gap of a family that the nearest node around a place names."""
    for end in range(len(pointer), 0, -1):
        node = found(document.data, pointer[:end])
        named = ids(node.get("x-gap")) if isinstance(node, dict) else []
        if of := [each for each in named if each.partition(".")[0] == family]:
            return of[0]
    return None
