"""Compare the register with the documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pipeline.gaps.contradictions import PLACEHOLDER
from pipeline.gaps.labels import unlabelled
from pipeline.gaps.register import Register
from pipeline.gaps.uses import actions, objects, uses
from pipeline.openapi.documents import Document, Pointer
from pipeline.openapi.overlay.model import ASSUMPTION, Change
from pipeline.openapi.problems import Finding, Position, in_order


def check(
    register: Register,
    documents: Mapping[str, Document],
    changes: Mapping[str, Sequence[Change]],
) -> list[Finding]:
    """Compare the register with the effective documents and the changes that made them so.

    Every id that is used is registered; a gap decided by overlay is filled, in a document that it
    concerns; an open one is not filled by an assumption; what says something about the service
    is labelled with the gap of the node that it touches; no placeholder is left as a name.
    """
    findings: list[Finding] = []

    def report(message: str, position: Position | None) -> None:
        finding = Finding(message, position, "gaps")
        if finding not in findings:
            findings.append(finding)

    by_document = uses(documents, changes)
    known = {gap.id: gap for gap in register.gaps}
    for name, used in by_document.items():
        document = documents[name]
        for id, pointers in used.marked.items():
            if id not in known:
                text = f"x-gap: {id} is not registered in {register.file}"
                report(text, document.at((*pointers[0], "x-gap")))
        for id, filling in used.filled.items():
            for action in actions(filling):
                gap = known.get(id)
                if gap is None:
                    report(f"gap {id} is not registered in {register.file}", action.position)
                elif gap.decision == "open" and ASSUMPTION in action.words:
                    text = f"gap {id} is left open at {gap.position}, and assumed here"
                    report(text, action.position)
                elif gap.documents and name not in gap.documents:
                    text = f"gap {id} concerns {' and '.join(gap.documents)}, not {name}"
                    report(text, action.position)
        findings += unlabelled(changes.get(name, ()), used, known)
        for name_of, pointer in _placeholders(document):
            id = name_of.removeprefix(PLACEHOLDER)
            text = f"{name_of}: a placeholder is left; an overlay must name it for gap {id}"
            report(text, document.at(pointer))
    for gap in register.gaps:
        for name in gap.documents:
            if name not in documents:
                report(f"gap {gap.id}: there is no document {name}", gap.position)
        concerned = gap.documents or tuple(documents)
        if gap.decision == "overlay" and not any(
            gap.id in by_document[name].filled for name in concerned if name in by_document
        ):
            text = f"gap {gap.id} is to be filled by an overlay, and no action fills it"
            report(text, gap.position)
    return in_order(findings)


def _placeholders(document: Document) -> Iterator[tuple[str, Pointer]]:
    """Yield the names that are placeholders still, and their places."""
    for pointer, node in objects(document.data):
        name = node.get("name")
        if "in" in node and isinstance(name, str) and name.startswith(PLACEHOLDER):
            yield name, (*pointer, "name")
        for key in ("properties", "headers"):
            members = node.get(key)
            for member in members if isinstance(members, dict) else ():
                if member.startswith(PLACEHOLDER):
                    yield member, (*pointer, key, member)
