"""Compare the register with the documents, and see that claims name the gaps that they fill."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pipeline.gaps.contradictions import PLACEHOLDER
from pipeline.gaps.register import Gap, Register
from pipeline.gaps.uses import Use, actions, ids, objects, uses
from pipeline.openapi.documents import Document, Pointer, found, pointer_text
from pipeline.openapi.extensions import CLAIMS
from pipeline.openapi.objects import as_dict
from pipeline.openapi.overlay.model import ASSUMPTION, CONFIRMED, MISSING, Change, drops
from pipeline.openapi.problems import Finding, Position, in_order
from pipeline.openapi.wording import close, either, field, near

_TEXTS: Final = ("description", "summary", "example", "examples")
_NOT_NAMED: Final = "no x-gap of the document names gap {}"
_WORD: Final = re.compile(r"[^\W_]+")
_FILLING: Final = frozenset(
    ("a", "an", "and", "are", "by", "for", "i", "in", "it", "of", "on", "or", "the", "to", "with")
)
_SERVER: Final = frozenset(("x-assume", "x-rate-limit"))
_GENERATION: Final = ("links",)  # where an identifier leads, which claims nothing new


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
    misspelt: dict[str, Finding] = {}
    meant: set[str] = set()
    for name, used in by_document.items():
        document = documents[name]
        for id, pointers in used.marked.items():
            if id not in known:
                text = f"x-gap: {id} is not registered in {register.file}{near(id, known)}"
                report(text, document.at((*pointers[0], "x-gap")))
                misspelt[close(id, known)] = findings[-1]
        for id, filling in used.filled.items():
            for action in actions(filling):
                gap = known.get(id)
                if gap is None:
                    meant.add(close(id, known))
                    text = f"gap {id} is not registered in {register.file}{near(id, known)}"
                    report(text, action.position)
                elif gap.decision == "open" and ASSUMPTION in action.words:
                    text = f"gap {id} is registered as open at {gap.position}, but assumed here"
                    report(text, action.position)
                elif gap.documents and name not in gap.documents:
                    text = f"gap {id} concerns {' and '.join(gap.documents)}, not {name}"
                    report(text, action.position)
        labels = [*_unlabelled(document, changes.get(name, ()), used, known)]
        misplaced = {each.position for each in labels if each.pointer}
        findings += [*labels, *_statuses(changes.get(name, ()), known)]
        findings += _titles(document, changes.get(name, ()))
        for name_of, pointer in _placeholders(document):
            id = name_of.removeprefix(PLACEHOLDER)
            if any(each.action.position in misplaced for each in used.filled.get(id, ())):
                continue
            text = f"{name_of}: a placeholder remains; an overlay must give the name for gap {id}"
            report(text, document.at(pointer))
    for gap in register.gaps:
        for name in gap.documents:
            if name not in documents:
                report(f"gap {gap.id}: there is no document {name}", gap.position)
        concerned = gap.documents or tuple(documents)
        if gap.id in meant:
            continue  # its misspelt action is named
        if gap.decision == "overlay" and not any(
            gap.id in by_document[name].filled for name in concerned if name in by_document
        ):
            text = f"gap {gap.id} is to be filled by an overlay, but no action fills it"
            report(text, gap.position)
    for id, cause in misspelt.items():
        lost = [
            each
            for each in findings
            if each.rule == "label" and _NOT_NAMED.format(id) in each.message
        ]
        if lost and cause in findings:
            findings = [each for each in findings if each not in (cause, *lost)]
            findings.append(replace(cause, follows=tuple(lost)))
    return in_order(findings)


def _removes_marked_node(change: Change) -> bool:
    """Return whether a change removes a node that carried its gap in `x-gap`."""
    removed = (as_dict(each.old) for each in change.edits if each.new is MISSING)
    return change.kind == "remove" and any(
        change.action.gap in ids(each.get("x-gap")) for each in removed
    )


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


def _unlabelled(
    document: Document, changes: Sequence[Change], used: Use, registered: Mapping[str, Gap]
) -> Iterator[Finding]:
    """Yield the actions that claim something without a label, or with that of another node.

    An action without a label may only say how a client is generated. An assumption fills a gap
    of the nodes that it touches: `x-gap` names it there, or on something around them; for more than
    a description, not on the object whose property or the operation whose parameter it is; at the
    root, for responses that any operation may give. What it says for a test server fills any gap of
    the document. What is confirmed may reach further into the node of its gap, and add what is new;
    but a word for a test server belongs to the gaps that assume it.
    """
    owners = _owners(changes)
    for change in changes:
        action, gap = change.action, registered.get(change.action.gap or "")
        if action.gap and gap is None:
            continue
        marked, target = used.marked.get(action.gap or "", ()), f"target {action.target}"
        for pointer in _foreign(change, owners):
            others = owners.get(pointer, ())
            said = f"that of {either(sorted(others))}" if others else "documented"
            text = f"{field(pointer)} is {said}, not of gap {action.gap}"
            yield Finding(f"{target}: {text}", action.position, "label", pointer=pointer)
            break
        for pointer in touched(change):
            no_gap = f"gap {action.gap} is not one of {pointer_text(pointer)}"
            if CONFIRMED in action.words:
                if _may_confirm(change, pointer, marked) or _is_added(document, change, pointer):
                    continue
                if _removes_marked_node(change):
                    continue
                text = f"{no_gap}; confirm the gap that x-gap names there or around it"
            elif ASSUMPTION not in action.words:
                if change.kind == "update" and _is_generation(pointer):
                    continue
                place = f"the service at {pointer_text(pointer)}"
                text = f"makes a claim about {place}; it needs {ASSUMPTION} with its gap"
            elif pointer[-1:] == ("x-gap",):
                text = "x-gap belongs in the document itself"
            elif not marked:
                drop = f"drop what is assumed of it; {drops(action.gap)}"
                text = f"{_NOT_NAMED.format(action.gap)} any more: {drop}"
            elif pointer[-1:] == ("summary",):
                text = (
                    "a summary is shown without a label; write what is assumed into the description"
                )
            elif not _is_of(pointer, marked):
                text = f"{no_gap}; no x-gap there or around it names it"
            elif gap and gap.fills and pointer[-1] not in (*gap.fills, "description"):
                text = f"gap {gap.id} is about {either(gap.fills)}, and not about {pointer[-1]}"
            else:
                continue
            is_known = CONFIRMED in action.words  # what contradicts it there follows from it
            at, gone = (pointer if is_known else None), (None if marked else action.gap)
            yield Finding(f"{target}: {text}", action.position, "label", pointer=at, drop=gone)
            break  # one finding an action and node is enough


def _foreign(change: Change, owners: Mapping[Pointer, set[str]]) -> Iterator[Pointer]:
    """Yield the words for a test server that a confirmed action says of another gap's matter."""
    if CONFIRMED in change.action.words:
        for pointer in _server_words(change):
            if change.action.gap not in owners.get(pointer, ()):
                yield pointer


def _owners(changes: Sequence[Change]) -> dict[Pointer, set[str]]:
    """Map each word for a test server to the gaps that own it: those that assume it. A new word
    that no gap assumes belongs to the first gap that confirms it.
    """
    owners: dict[Pointer, set[str]] = {}
    for change in sorted(changes, key=lambda each: CONFIRMED in each.action.words):
        edited = {each.pointer for each in change.edits}
        for pointer in _server_words(change):
            assumed = ASSUMPTION in change.action.words
            if change.action.gap and (assumed or not {pointer} & {*owners, *edited}):
                owners.setdefault(pointer, set()).add(change.action.gap)
    return owners


def _server_words(change: Change) -> Iterator[Pointer]:
    """Yield the places of the words for a test server that a change writes or removes.

    A list is no such place: several gaps may fill it together.
    """
    value = change.action.update if change.kind == "update" else None
    if not change.pointer and isinstance(value, dict):
        for word in _SERVER & value.keys():
            yield from _leaves(value[word], (word,), inside=True)
    elif change.pointer[:1] and change.pointer[0] in _SERVER:
        yield from _leaves(value, change.pointer, inside=True)


def _statuses(changes: Sequence[Change], registered: Mapping[str, Gap]) -> Iterator[Finding]:
    """Yield the responses that are said under a gap about statuses of another class."""
    for change in changes:
        gap = registered.get(change.action.gap or "")
        for pointer in touched(change) if gap and gap.statuses else ():
            at = [n for n, key in enumerate(pointer[:-1]) if key == "responses"]
            status = str(pointer[at[0] + 1]) if at else ""
            if gap and status and status[:1] != gap.statuses[:1]:
                text = (
                    f"target {change.action.target}: gap {gap.id} is about a status of"
                    f" {gap.statuses}, and {status} is none"
                )
                yield Finding(text, change.action.position, "label", pointer=pointer)
                break


def _titles(document: Document, changes: Iterable[Change]) -> Iterator[Finding]:
    """Yield the summaries of generated methods that say more than their operations do.

    A summary is shown without a label, so it has the words of the operation's own summary and of
    the names of the method.
    """
    for change in changes:
        update = change.action.update
        for word in update if isinstance(update, dict) and not change.action.gap else ():
            made = update[word]
            title = (
                made.get("summary") if word.startswith("x-") and isinstance(made, dict) else None
            )
            if not isinstance(title, str):
                continue
            operation = as_dict(found(document.data, change.pointer))
            names = as_dict(operation.get(word)) | {"summary": ""}
            said = _stems(f"{operation.get('summary', '')} {operation.get('operationId')} {names}")
            if more := [each for each in _WORD.findall(title) if not _stems(each) <= said]:
                text = (
                    f"target {change.action.target}: the summary of {word} says {more[0]!r}, which"
                    " neither the operation's summary nor a name says; write what is assumed into"
                    f" the description of the operation, with {ASSUMPTION}"
                )
                yield Finding(text, change.action.position, "label")


def _stems(text: str) -> set[str]:
    """Return the words of a text in small letters and the singular, but for those that fill it."""
    return {each.lower().removesuffix("s") for each in _WORD.findall(text)} - _FILLING


def touched(change: Change) -> Iterator[Pointer]:
    """Yield the places of the values that a change writes, or of what it removes or copies."""
    if change.kind == "update":
        yield from _leaves(change.action.update, change.pointer)
    else:
        yield change.pointer


def _leaves(value: Any, at: Pointer, *, inside: bool = False) -> Iterator[Pointer]:
    is_word = not inside and bool(at) and isinstance(at[-1], str) and at[-1].startswith("x-")
    if not isinstance(value, Mapping) or not value or is_word:
        if not (inside and isinstance(value, list)):
            yield at
        return
    for key, member in value.items():
        yield from _leaves(member, (*at, key), inside=inside)


def _is_generation(pointer: Pointer) -> bool:
    """Return whether a value says how a client is generated, and nothing about the service."""
    own = [
        key
        for before, key in zip(("", *pointer), pointer, strict=False)
        if isinstance(key, str) and before not in ("properties", "headers")
    ]
    words = [key for key in own if key.startswith("x-")]
    return bool(words and words[0] not in CLAIMS) or any(key in _GENERATION for key in own)


def _is_of(pointer: Pointer, marked: Sequence[Pointer]) -> bool:
    """Return whether one of the marked nodes is a place, or lies around it."""
    if pointer[:1] in (("x-assume",), ("x-rate-limit",)):
        return bool(marked)
    is_response = pointer[:1] == ("paths",) and pointer[3:4] == ("responses",)
    return any(
        (node or is_response)
        and pointer[: len(node)] == node
        and (
            pointer[-1:] == ("description",)
            or not {"properties", "parameters"} & {*pointer[len(node) : -1]}
        )
        for node in marked
    )


def _may_confirm(change: Change, pointer: Pointer, marked: Sequence[Pointer]) -> bool:
    """Return whether a confirmed action may write at a place, for one of four reasons:

    - the action adds a new path or component,
    - the place is a text,
    - it is about how a client is generated,
    - a node that carries the gap is there, around it, or inside it; words for a test server only
      need one anywhere.
    """
    is_new = len(change.pointer) < 3 and not change.edits
    if is_new or pointer[-1] in _TEXTS or _is_generation(pointer):
        return True
    if pointer[:1] in (("x-assume",), ("x-rate-limit",)):
        return bool(marked)
    return any(pointer[: len(node)] == node or node[: len(pointer)] == pointer for node in marked)


def _is_added(document: Document, change: Change, pointer: Pointer) -> bool:
    """Return whether a place is in a property that an action writes as a whole: a new one."""
    if change.edits or "properties" not in pointer[:-1]:
        return False
    end = len(pointer) - pointer[::-1].index("properties") + 1
    written = found({"": change.action.update}, ("", *pointer[len(change.pointer) : end]))
    stands = as_dict(found(document.data, pointer[:end]))
    return {key for key in stands if not key.startswith("x-")} <= as_dict(written).keys()
