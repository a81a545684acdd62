"""Put findings under their cause: what is wrong only since something else is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from pipeline.openapi.documents import Document, found
from pipeline.openapi.leaving_out import Parts
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.problems import Finding, in_order

_REFERENCES = ("bundle", "ref")
_FORM = ("openapi", "schema", "parameter")
# What is wrong by itself, whatever a reference leads to.
_BY_ITSELF = (
    *(*_REFERENCES, *_FORM, "description", "responses", "operation-id", "path", "x-section"),
    *("enum-names", "python-name"),
)
_NO_OPERATION = re.compile(r"\bno(t an)? operation\b")
_NO_MATCH = "overlay-no-match"


def under_references(document: Document, findings: Sequence[Finding]) -> list[Finding]:
    """Return findings of a document; under a reference that leads nowhere, what follows from it.

    That is every error of what needs it, but for other references, and a second finding about it.
    Under a malformed node it is what stands around it, and what overlays say of what needs it.
    """
    errors = [finding for finding in findings if finding.severity == "error"]
    causes: dict[tuple[str | int, ...], Finding] = {}
    for each in errors:
        if each.rule in (*_FORM, "operation-id") and each.pointer:
            causes.setdefault(each.pointer, each)
        is_reference = each.rule in _REFERENCES and (each.pointer or ())[-1:] == ("$ref",)
        if is_reference and each.pointer and (each.pointer not in causes or each.rule == "bundle"):
            causes[each.pointer] = each
    if not causes:
        return list(findings)
    parts = Parts(DocumentModel(document))
    following: dict[Finding, list[Finding]] = {cause: [] for cause in causes.values()}
    gone = {each for each in errors if causes.get(each.pointer or ()) not in (None, each)}
    for cause, own in following.items():
        needing = {part for owner in parts.owners(cause.pointer) for part in parts.needing(owner)}
        for each in errors:
            is_missing = each.rule == "responses" and each.pointer == (cause.pointer or ())[:-1]
            if (each.rule in _BY_ITSELF and not is_missing) or each in gone:
                continue
            is_lost = cause.rule == "operation-id" and _NO_OPERATION.search(each.message)
            if cause.rule not in _REFERENCES and _stands_apart(cause, each):
                continue
            if is_lost or needing.intersection(parts.owners(each.pointer)):
                own.append(each)
                gone.add(each)
    return [
        replace(each, follows=(*each.follows, *following.get(each, ())))
        for each in findings
        if each not in gone
    ]


def _stands_apart(cause: Finding, each: Finding) -> bool:
    """Return whether an error stands in the same file as a malformed node, and not around it."""
    if not (cause.position and each.position and cause.pointer and each.pointer):
        return True
    place = each.pointer
    if place[-2:-1] == ("required",):
        place = place[:-2]  # an item says something of the object
    is_around = cause.pointer[: len(place)] == place
    return cause.position.file == each.position.file and not is_around


def unreadable(unresolved: Iterable[Finding]) -> list[Finding]:
    """Return references that lead nowhere; those into a file that cannot be read, under its error.

    A file that is not there, or may not be read, is an error of the first reference to it.
    """
    left: list[Finding] = []
    by_cause: dict[Finding, list[Finding]] = {}
    for each in unresolved:
        if each.cause is None:
            left.append(each)
        else:
            by_cause.setdefault(each.cause, []).append(each)
    roots = []
    for cause, own in by_cause.items():
        is_own = cause.rule != "file" and cause.position is not None
        root, *follows = [cause, *own] if is_own else own
        roots.append(replace(root, follows=tuple(follows)))
    return [*roots, *left]


def still_unresolved(
    unresolved: Iterable[Finding], after: Document, before: Document | None = None
) -> list[Finding]:
    """Return references that lead nowhere and still stand there; as they stood before, if given."""
    return [
        each
        for each in unresolved
        if each.pointer is None
        or (
            (now := found(after.data, each.pointer)) is not None
            and (before is None or now == found(before.data, each.pointer))
        )
    ]


def with_reasons(notes: Iterable[Finding], unresolved: Iterable[Finding]) -> list[Finding]:
    """Return notes on what was mended; of references that led nowhere, with the reason for that."""
    reasons = {each.position: each.message for each in unresolved if each.pointer}
    return [
        replace(each, message=f"{reasons[each.position]}; {each.message.rpartition('; ')[2]}")
        if each.rule in _REFERENCES and each.position in reasons
        else each
        for each in notes
    ]


def before_overlays(
    unresolved: Collection[Finding], malformed: Iterable[Finding], errors: Iterable[Finding]
) -> list[Finding]:
    """Return errors of overlays; first references that lead nowhere, and what is malformed.

    A target that selects nothing follows from them: what it selects may stand where they lead.
    """
    roots = unreadable(each for each in unresolved if each.severity == "error")
    roots = roots or [each for each in malformed if each.severity == "error"]
    rest = [each for each in errors if not roots or each.rule != _NO_MATCH]
    lost = tuple(each for each in errors if roots and each.rule == _NO_MATCH)
    if roots:
        roots[0] = replace(roots[0], follows=(*roots[0].follows, *lost))
    return [*in_order(roots), *rest]


def each_once(problems: Iterable[Finding]) -> list[Finding]:
    """Return problems of several documents; what two have in common, with all that follows."""
    once: dict[Finding, Finding] = {}
    for each in problems:
        first = once.get(each)
        once[each] = replace(first, follows=(*first.follows, *each.follows)) if first else each
    return list(once.values())


def under(causes: Collection[Finding], findings: Iterable[Finding]) -> list[Finding]:
    """Return findings without those at the places of causes or inside of them."""
    places = [cause.pointer for cause in causes if cause.pointer]
    return [
        each
        for each in findings
        if each.severity != "error"
        or not any((each.pointer or ())[: len(place)] == place for place in places)
    ]
