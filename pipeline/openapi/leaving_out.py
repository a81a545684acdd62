"""Leave out of a document what cannot be carried, and everything that needs it.

A finding belongs to an operation, to a component or webhook, or to the document. An operation goes
with its own findings and with those of every component that it reaches; what belongs to the
document stops a run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from pipeline.openapi.documents import Document, Pointer
from pipeline.openapi.model import DocumentModel, Operation
from pipeline.openapi.objects import ADDITIONAL, METHODS, as_dict, reached
from pipeline.openapi.problems import Finding, PipelineError, in_order

_OPERATIONS: Final = frozenset({*METHODS, ADDITIONAL})  # members of a path item


@dataclass(frozen=True)
class LeftOut:
    """An operation that a client does not have, and what in it, or below it, cannot be carried.

    So is a webhook, and a path whose operations cannot be read: `route` is its path.
    """

    route: str
    name: str
    reasons: tuple[Finding, ...]

    @property
    def finding(self) -> Finding:
        """The first reason, as a finding about the operation."""
        first = self.reasons[0]
        return replace(first, message=f"{self.route}: {first.message}", severity="left out")


def leave_out(
    document: Document, errors: Iterable[Finding]
) -> tuple[Document, list[LeftOut], list[Finding]]:
    """Return a document without what its errors concern, the operations it has lost, and notes.

    Webhooks, and paths that cannot be read, are among the operations. The notes are about what else
    went, though no operation needs it. Raises PipelineError with the errors that belong to none of
    them.
    """
    parts = Parts(DocumentModel(document))
    by_owner: dict[Pointer, list[Finding]] = {}
    stopping = []
    for error in errors:
        owners = parts.owners(error.pointer)
        for owner in owners:
            by_owner.setdefault(owner, []).append(error)
        if not owners:
            stopping.append(error)
    if stopping:
        raise PipelineError(*stopping)
    reasons: dict[Pointer, list[Finding]] = {}
    for owner, own in by_owner.items():
        for part in parts.needing(owner):
            reasons.setdefault(part, []).extend(own)
    left = [
        LeftOut(lost.route, str(lost.value.get("operationId") or ""), _each_once(reasons[key]))
        for key, lost in parts.operations.items()
        if key in reasons
    ]
    left += [
        LeftOut(f"webhook {key[1]}" if key[0] == "webhooks" else f"{key[1]}", "", _each_once(own))
        for key, own in reasons.items()
        if key[0] in ("paths", "webhooks") and parts.has_unread(key)
    ]
    told = {reason for each in left for reason in each.reasons}
    every = _each_once(error for own in by_owner.values() for error in own)
    notes = [replace(error, severity="note") for error in every if error not in told]
    return parts.without(reasons), left, notes


def selected(document: Document, wanted: Callable[[Operation], bool]) -> Document:
    """Return a document with no other operations than the wanted ones."""
    parts = Parts(DocumentModel(document))
    gone = {key for key, each in parts.operations.items() if not wanted(each)}
    return parts.without(gone) if gone else document


def _each_once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(in_order(dict.fromkeys(findings)))


class Parts:
    """The operations of a document, its components and webhooks, and what each refers to.

    All go by their pointers; an operation by its path and method, wherever it is written.
    """

    def __init__(self, model: DocumentModel) -> None:
        self.model = model
        self.operations = {(*each.path_pointer, each.method): each for each in model.operations}
        components = as_dict(as_dict(model.data).get("components"))
        self.others: dict[Pointer, Any] = {
            ("components", section, name): value
            for section, entries in components.items()
            for name, value in as_dict(entries).items()
        }
        used = {each.path for each in model.operations}
        for section in ("paths", "webhooks"):
            entries = as_dict(as_dict(model.data).get(section))
            self.others |= {
                (section, name): value for name, value in entries.items() if name not in used
            }
        self.uses = {
            **{key: model.references([operation.value, _around(operation, model)])
               for key, operation in self.operations.items()},
            **{key: model.references(value) for key, value in self.others.items()},
        }  # fmt: skip

    def has_unread(self, key: Pointer) -> bool:
        """Return whether a path or webhook has, or may have, what is not among the operations."""
        value = self.others.get(key)
        is_read = isinstance(value, dict) and key[0] == "paths" and "$ref" not in value
        return key in self.others and not is_read

    def owners(self, pointer: Pointer | None) -> list[Pointer]:
        """Return the parts that something at a pointer belongs to."""
        if not pointer:
            return []
        keys = [key for key, each in self.operations.items() if _is_of(pointer, each)]
        places = (pointer[:3], pointer[:2])
        return keys or [place for place in places if place in self.others]

    def needing(self, owner: Pointer) -> set[Pointer]:
        """Return a part, and all that refer to it, directly or not."""
        return {*reached([owner], self._users.get)}

    @cached_property
    def _users(self) -> dict[Pointer, list[Pointer]]:
        """What refers to each part directly."""
        users: dict[Pointer, list[Pointer]] = {}
        for key, used in self.uses.items():
            for part in used:
                users.setdefault(part, []).append(key)
        return users

    def without(self, gone: Collection[Pointer]) -> Document:
        """Return the document without these parts, and the components that only they reach."""
        used = reached(self.operations, self.uses.get)
        starting = [key for key in self.operations if key not in gone]
        starting += [key for key in self.others if key not in used and key not in gone]
        needed = reached(starting, self.uses.get)
        data = dict(self.model.data)
        if "paths" in data:
            data["paths"] = self._paths(gone)
        if "webhooks" in data:
            data["webhooks"] = _only(data["webhooks"], ("webhooks",), needed)
        if "components" in data:
            data["components"] = {
                section: _only(entries, ("components", section), needed)
                for section, entries in data["components"].items()
            }
        document = self.model.document
        return Document(document.name, data, document.positions)

    def _paths(self, gone: Collection[Pointer]) -> dict[str, Any]:
        every: dict[Any, set[Any]] = {}
        for _, path, method in self.operations:
            every.setdefault(path, set()).add(method)
        paths = {}
        for path, item in as_dict(self.model.data["paths"]).items():
            if ("paths", path) in gone:
                continue
            methods = every.get(path, set())
            lost = {method for method in methods if ("paths", path, method) in gone}
            if lost and lost != methods:
                _, item = self.model.follow(("paths", path), item)
                item = {key: value for key, value in item.items() if key not in lost}
                if ADDITIONAL in item:
                    others = as_dict(item[ADDITIONAL]).items()
                    item[ADDITIONAL] = {key: value for key, value in others if key not in lost}
            if not lost or lost != methods:
                paths[path] = item
        return paths


def _only(entries: Any, place: Pointer, needed: Collection[Pointer]) -> Any:
    """Return the entries of a section that are needed."""
    if not isinstance(entries, dict):
        return entries
    return {name: value for name, value in entries.items() if (*place, name) in needed}


def _around(operation: Operation, model: DocumentModel) -> Any:
    """Return what the path of an operation says about it, and where it is written."""
    item = as_dict(model.get(operation.path_pointer))
    meant = as_dict(model.follow(operation.path_pointer, item)[1])
    return [
        item.get("$ref") and {"$ref": item["$ref"]},
        {key: value for key, value in meant.items() if key not in _OPERATIONS},
    ]


def _is_of(pointer: Pointer, operation: Operation) -> bool:
    """Return whether something at a pointer is of an operation: in it, or around it on its path."""
    own = operation.pointer
    if pointer[: len(own)] == own or pointer == own[:-1]:
        return True
    item = own[:-2] if own[-2] == ADDITIONAL else own[:-1]
    return any(
        pointer[: len(place)] == place and not _OPERATIONS.intersection(pointer[len(place) :][:1])
        for place in (operation.path_pointer, item)
    )
