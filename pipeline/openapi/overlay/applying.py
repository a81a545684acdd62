"""Apply overlays to a document, and stamp what rests on an assumption."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urljoin, urlsplit

from pipeline.openapi.documents import Document, Pointer, pointer_text
from pipeline.openapi.objects import as_dict, kind_at, members
from pipeline.openapi.overlay.model import (
    ASSUMPTION,
    CONFIRMED,
    STAMPS,
    Action,
    Change,
    Overlay,
    drops,
)
from pipeline.openapi.overlay.query import nearest, select
from pipeline.openapi.overlay.tree import Mark, Mismatch, Refused, Tree, fresh, mismatch
from pipeline.openapi.problems import Finding, PipelineError, Position
from pipeline.openapi.wording import typed

_MAPS: Final = ("", "paths", "responses")  # of names or statuses: many tools take every member


def apply(
    document: Document,
    overlays: Sequence[Overlay],
    *,
    confirmed: Sequence[Overlay] = (),
    strict: bool = True,
    notes: list[Finding] | None = None,
) -> tuple[Document, list[Change]]:
    """Apply overlays in order and return the new document with every change made.

    Every action sees the result of those before it. What is confirmed to be gone is removed before
    all else; the other confirmed actions of a gap stand where the first of the assumptions that
    they replace stood, or at the end. Neither the document nor the overlays are touched, and the
    result shares nothing with them. Nodes written by an action have their position in the overlay's
    file.

    With `strict=False`, targets that select nothing and the like are no errors; they are added to
    `notes`. So are in any case actions about what a confirmed action has removed. Raises
    PipelineError with the errors of all actions.
    """
    run = _Run(document, strict)
    for overlay in (*overlays, *confirmed):
        run.check_extends(overlay)
    actions, problems = in_turn(overlays, confirmed)
    run.findings += problems
    gone = removals(document, confirmed)
    run.take_away(gone)
    for action in actions:
        if not any(action is each for each in gone):
            run.act(action)
    if run.findings:
        raise PipelineError(*run.with_gone())
    if notes is not None:
        notes.extend(run.notes)
    return Document(document.name, run.tree.data, run.tree.positions()), run.changes


def removals(document: Document, confirmed: Sequence[Overlay]) -> list[Action]:
    """Return the confirmed actions that remove what the document has, and nothing confirmed writes.

    What is removed and written again is not gone; nor may it be where its list grows.
    """
    actions = [action for overlay in confirmed for action in overlay.actions]
    written = [
        (pointer, action.update)
        for action in actions
        if action.kind == "update"
        for pointer in select(action.target, document.data)
    ]
    return [
        action
        for action in actions
        if action.remove
        and (pointers := select(action.target, document.data))
        and () not in pointers
        and not any(
            at[: len(place)] == place and _reaches(value, at[len(place) :])
            for at in pointers
            for place, value in written
        )
    ]


def _reaches(value: Any, path: Pointer) -> bool:
    """Return whether a value that is merged writes at a path, or adds to a list that it is in."""
    for key in path:
        if isinstance(value, list):
            return True
        if key not in as_dict(value):
            return False
        value = value[key]
    return True


class _Run:
    """One working copy of the document, the actions applied to it so far, and their errors."""

    def __init__(self, document: Document, strict: bool) -> None:
        self.document = document
        self.strict = strict
        self.tree = Tree(document.data, document.positions)
        self.changes: list[Change] = []
        self.findings: list[Finding] = []
        self.notes: list[Finding] = []
        self.marked = marks(document.data)
        self.gone: dict[str, list[int]] = {}  # gaps that no x-gap names, and their findings
        self.idle: list[int] = []  # the findings of actions that are about no gap
        self.removed: dict[Pointer, Action] = {}  # by confirmed actions, as it stood before
        self.lost: dict[str, Action] = {}  # gaps of nothing else than what they have removed

    def odd(self, message: str, position: Position | None, rule: str) -> None:
        """Note what the specification allows; an error when strict."""
        if self.strict:
            self.findings.append(Finding(message, position, rule))
        else:
            self.notes.append(Finding(message, position, rule, "note"))

    def with_gone(self) -> list[Finding]:
        """Return the errors; those of gaps that are gone as one, with what the documents lost."""
        if not any(self.gone.values()) or not self.strict:
            return self.findings
        first, *rest = [*chain.from_iterable(self.gone.values()), *self.idle]
        several = len(self.gone) > 1
        names, of = f"gap{'s' * several} {' and '.join(self.gone)}", "them" if several else "it"
        text = f"; no x-gap names {names} any more: drop what is assumed of {of};"
        cause = self.findings[first]
        follows = tuple(self.findings[number] for number in rest)
        cause = replace(
            cause, message=f"{cause.message}{text} {drops(*self.gone)}", follows=follows
        )
        return [cause, *(e for n, e in enumerate(self.findings) if n not in (first, *rest))]

    def check_extends(self, overlay: Overlay) -> None:
        """Check that an overlay which names its document names this one."""
        if overlay.extends is None:
            return
        own = {Path(self.document.name).absolute().as_uri()}
        data = self.document.data
        if isinstance(data, dict) and isinstance(data.get("$self"), str):
            own.add(urljoin(next(iter(own)), data["$self"]))
        elif urlsplit(overlay.extends).scheme != "file":
            return  # a name that says nothing about where the document is kept
        if unquote(overlay.extends.partition("#")[0]) not in map(unquote, own):
            message = f"extends: the overlay is for a document other than {self.document.name}"
            self.odd(message, overlay.extends_position, "overlay-extends")

    def take_away(self, actions: Sequence[Action]) -> None:
        """Remove what is gone, so that nothing is said of it."""
        for action in actions:
            self.removed |= dict.fromkeys(select(action.target, self.document.data), action)
            before = marks(self.tree.data)
            self.act(action)
            self.lost |= dict.fromkeys(before - marks(self.tree.data), action)

    def act(self, action: Action) -> None:
        """Apply an action, or take down why it cannot be."""
        kind = action.kind
        if kind is None:
            text = "the action does nothing: it has no update, copy or remove: true"
            self.odd(text, action.position, "overlay-empty")
            return
        is_gone = ASSUMPTION in action.words and action.gap not in self.marked
        if is_gone and self.marked:
            self.gone.setdefault(str(action.gap), [])  # to be dropped with those that are errors
        pointers = select(action.target, self.tree.data)
        lost = self.lost.get(action.gap or "") if ASSUMPTION in action.words else None
        if lost or not pointers:
            hint = nearest(action.target, self.tree.data)
            text = f"target {action.target} selects nothing"
            cause = None if CONFIRMED in action.words else lost or self.removal(action)
            if cause:
                text = text if not pointers else f"gap {action.gap} is one of nothing"
                text += f", {since_gone(cause)}"
                self.notes.append(Finding(text, action.position, "overlay-no-match", "note"))
                return
            text += hint
            if is_gone:
                self.gone.setdefault(str(action.gap), []).append(len(self.findings))
            elif not action.words and "did you mean" not in hint:
                self.idle.append(len(self.findings))
            self.odd(text, action.position, "overlay-no-match")
            return
        self.tree.edits = []
        try:
            if kind == "remove":
                carriers = self.remove(pointers, action)
            else:
                carriers = self.write(pointers, action)
        except Refused as refusal:
            hint = ""
            if CONFIRMED in action.words and isinstance(refusal, Mismatch):
                hint = "; to write another value there, remove it first, in an action before this"
            self.findings.append(Finding(f"{refusal}{hint}", refusal.position, "overlay"))
            return
        self.changes += [
            Change(
                action,
                pointer,
                kind,
                tuple(edit for edit in self.tree.edits if edit.pointer[: len(pointer)] == pointer),
            )
            for pointer in pointers
        ]
        self.stamp(carriers, action)

    def remove(self, pointers: Sequence[Pointer], action: Action) -> list[Pointer]:
        """Remove nodes and return their parents."""
        for pointer in pointers:
            if not pointer:
                raise Refused("the root of a document cannot be removed", action.position)
            data, _ = self.tree.node(pointer)
            self.check_first_version(action, pointer, data, "removes")
            if CONFIRMED in action.words:
                self.removed.setdefault(pointer, action)
        self.tree.remove(pointers)
        return self.tree.standing(pointer[:-1] for pointer in pointers)

    def removal(self, action: Action) -> Action | None:
        """Return the confirmed action that has removed what an action selects in the document."""
        found = select(action.target, self.document.data)
        around = (pointer[:end] for pointer in found for end in range(len(pointer) + 1))
        return next((self.removed[each] for each in around if each in self.removed), None)

    def check_first_version(self, action: Action, pointer: Pointer, node: Any, does: str) -> None:
        """Note that the text of Overlay 1.0 leaves strings and numbers alone; engines do not."""
        if action.version < (1, 1) and not isinstance(node, dict | list):
            text = f"Overlay 1.0 {does} only objects and arrays"
            message = f"{pointer_text(pointer)} is {typed(node)}: {text}"
            self.odd(message, action.position, "overlay-1.0")

    def write(self, pointers: Sequence[Pointer], action: Action) -> list[Pointer]:
        """Update nodes with the action's value, or a copied one; return what to stamp."""
        value, positions = action.update, action.positions
        if action.copy is not None:
            value = self.source(action.copy, action)
            positions = dict.fromkeys(_pointers(value), positions[()])
        kinds = sorted({_target_kind(self.tree.node(pointer)[0]) for pointer in pointers})
        if len(kinds) > 1 and action.version >= (1, 1):
            raise Refused(
                f"target {action.target} selects nodes of several kinds: {', '.join(kinds)}",
                action.position,
            )
        carriers: list[Pointer] = []
        for pointer in pointers:
            carriers += self.write_one(pointer, fresh(value, positions), action)
        return carriers

    def write_one(self, pointer: Pointer, value: tuple[Any, Mark], action: Action) -> list[Pointer]:
        """Update one node, which uses the value up; return what to stamp."""
        old, _ = self.tree.node(pointer)
        new, mark = value
        if isinstance(old, dict):
            if not isinstance(new, dict):
                raise mismatch(pointer, old, value)
            self.tree.merge(pointer, value)
            return [pointer]
        if isinstance(old, list):
            # Overlay 1.0 speaks of one entry; every engine puts one array after the other.
            is_list = isinstance(new, list)
            items = list(zip(new, mark.inner, strict=True)) if is_list else [value]
            places = self.tree.append(pointer, items)
            return [
                place if isinstance(item, dict) else pointer
                for place, (item, _) in zip(places, items, strict=True)
            ]
        if isinstance(new, dict | list):
            raise mismatch(pointer, old, value)
        self.check_first_version(action, pointer, old, "updates")
        self.tree.replace(pointer, value)
        return [pointer[:-1]]

    def source(self, query: str, action: Action) -> Any:
        """Return a copy of the one value that a copy action selects."""
        pointers = select(query, self.tree.data)
        if len(pointers) != 1:
            raise Refused(
                f"copy {query} must select exactly one node, selects {len(pointers)}",
                action.positions[()],
            )
        value, _ = fresh(self.tree.node(pointers[0])[0], {})
        return value

    def stamp(self, pointers: Iterable[Pointer], action: Action) -> None:
        """Write the action's gap on the nearest objects that may carry it."""
        for word, key in STAMPS.items():
            if word not in action.words:
                continue
            gap = action.words[word]["gap"]
            for pointer in dict.fromkeys(carrier(self.tree.data, each) for each in pointers):
                data, mark = self.tree.node(pointer)
                before = data.get(key)
                gaps = sorted({*(before if isinstance(before, list) else ()), gap})
                data[key] = gaps
                mark.inner[key] = Mark(action.position, [Mark(action.position) for _ in gaps])


def since_gone(cause: Action) -> str:
    """Return the end of a sentence about what is left out, since something is gone."""
    return f"since {cause.gap} is confirmed at {cause.position} to be gone; left out"


def _pointers(value: Any, at: Pointer = ()) -> Iterator[Pointer]:
    yield at
    for key, member in members(value):
        yield from _pointers(member, (*at, key))


def _target_kind(value: Any) -> str:
    if isinstance(value, dict):
        return "objects"
    return "arrays" if isinstance(value, list) else "primitives"


def in_turn(
    overlays: Sequence[Overlay], confirmed: Sequence[Overlay]
) -> tuple[list[Action], list[Finding]]:
    """Return the actions as they are to be applied, and what is wrong with their words.

    The confirmed actions of a gap stand where the first of the assumptions that they replace
    stood, or at the end.
    """
    known, findings = _by_gap(confirmed)
    waiting = dict(known)
    actions: list[Action] = []
    for action in (action for overlay in overlays for action in overlay.actions):
        if CONFIRMED in action.words:
            findings.append(_finding(f"{CONFIRMED} belongs in a confirmed overlay", action))
        if ASSUMPTION in action.words and action.gap in known:
            actions += waiting.pop(action.gap, [])
        else:
            actions.append(action)
    return actions + [action for rest in waiting.values() for action in rest], findings


def _by_gap(
    confirmed: Sequence[Overlay],
) -> tuple[dict[str | None, list[Action]], list[Finding]]:
    """Return the confirmed actions by gap; two files must not confirm the same one."""
    known: dict[str | None, list[Action]] = {}
    findings = []
    for overlay in confirmed:
        before = dict(known)
        reported = set()
        for action in overlay.actions:
            gap = action.gap
            if CONFIRMED not in action.words:
                text = f"{CONFIRMED} is missing: every action of a confirmed overlay carries it"
                findings.append(_finding(text, action))
            elif gap not in before:
                known.setdefault(gap, []).append(action)
            elif gap not in reported:
                reported.add(gap)
                files = f"{before[gap][0].overlay} and {overlay.name}"
                findings.append(_finding(f"gap {gap} is confirmed by two files: {files}", action))
    return known, findings


def marks(data: Any) -> set[Any]:
    """Return the gaps that a document names by `x-gap`."""
    own = data.get("x-gap", ()) if isinstance(data, dict) else ()
    named = {own} if isinstance(own, str) else {*own}
    return named.union(*(marks(each) for _, each in members(data)))


def _finding(message: str, action: Action) -> Finding:
    return Finding(message, action.position, "overlay")


def carrier(data: Any, pointer: Pointer) -> Pointer:
    """Return the nearest object, from a node of an OpenAPI document upwards, that may be stamped.

    Maps of names or of status codes, objects with `$ref` and plain values (examples, defaults,
    extensions) may not.
    """
    best: Pointer = ()
    node = data
    for end, key in enumerate(pointer, 1):
        node = node[key]
        if isinstance(node, dict) and "$ref" not in node and kind_at(pointer[:end]) not in _MAPS:
            best = pointer[:end]
    return best
