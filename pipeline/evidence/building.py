"""The claims of every gap: what its actions write, and where, tells what traffic can show."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.evidence.claims import Claim, Place, Sources, Unshown, lies_in
from pipeline.evidence.hints import HINTS
from pipeline.evidence.matching import Operation, Parameter
from pipeline.evidence.names import Added, Name, Style
from pipeline.evidence.schemas import Keys, OpenSet, Properties, Sent, Shape, Types, Zone
from pipeline.evidence.statuses import Statuses
from pipeline.gaps import Gap, Register, Use
from pipeline.openapi.overlay import MISSING, Action, Change

_OPEN: Final = "left open, and no single value would answer it"
_BEHAVIOUR: Final = "behaviour, which one exchange does not show"
_WORDS: Final = "a word for people, such as a unit"
_LIMIT: Final = "a limit, which shows only where it is passed"
_OTHER: Final = "there is no way to read it from traffic"
_SHAPE: Final = frozenset(
    ("$ref", "type", "format", "items", "additionalProperties", "properties", "enum", "const")
)


def claims(register: Register, sources: Sources, uses: Mapping[str, Use]) -> dict[str, list[Claim]]:
    """The claims of each gap, by its id; at least one each."""
    return {gap.id: _Builder(gap, sources, uses).claims() for gap in register.gaps}


class _Builder:
    def __init__(self, gap: Gap, sources: Sources, uses: Mapping[str, Use]) -> None:
        self.gap, self.sources = gap, sources
        self.marked: list[Place] = [
            (name, pointer) for name, use in uses.items() for pointer in use.marked.get(gap.id, ())
        ]
        self.actions: dict[str, tuple[Action, list[Place]]] = {}
        for name, use in uses.items():
            for change in use.filled.get(gap.id, ()):
                self._add(name, change)
        # Names that an overlay gives are names that may be others.
        self.named = {
            parameter.name for _, parameter in sources.parameters if "x-gap" in parameter.node
        }

    def _add(self, name: str, change: Change) -> None:
        """Take an action with its places; the same one in two documents says one thing."""
        action = change.action
        key = json.dumps(
            [action.target, action.kind, None if action.update is MISSING else action.update],
            sort_keys=True,
        )
        self.actions.setdefault(key, (action, []))[1].append((name, change.pointer))

    def claims(self) -> list[Claim]:
        hint = HINTS.get(self.gap.traffic)
        found: list[Claim] = []
        for action, places in self.actions.values():
            for claim in self._of_action(action, places):
                claim.documents = tuple(dict.fromkeys(name for name, _ in places))
                found.append(claim)
        judged = [claim for claim in found if not isinstance(claim, Unshown)]
        if hint is not None and (not self.actions or not judged):
            first = next((each for each, _ in self.actions.values()), None)
            leaf = None if first is None else _leaf(first.update, as_map=hint.of_map)
            claim = hint.make(self.sources, first, self.marked, leaf)
            filled = next((places for _, places in self.actions.values()), self.marked)
            claim.documents = tuple(dict.fromkeys(name for name, _ in filled))
            return [claim]
        if judged:
            return judged  # words for people and servers that say the same once more go along
        return found[:1] or [Unshown(None, _OPEN)]

    def _of_action(self, action: Action, places: list[Place]) -> Iterator[Claim]:
        update = action.update
        if action.kind != "update":
            yield Unshown(action, _OTHER)
        elif all(not pointer for _, pointer in places):
            yield Unshown(action, _BEHAVIOUR)
        elif isinstance(update, dict) and _is_of(places, "responses"):
            yield Statuses(self.sources, action, places)
        elif isinstance(update, list) and _is_of(places, "parameters"):
            yield from self._added(action, places)
        elif uses := self.sources.parameters_around(places):
            if any((operation.document, each.pointer) in places for operation, each in uses):
                yield from self._of_parameter(action, uses)
            elif not isinstance(update, dict):
                yield Unshown(action, _OTHER)
            elif "x-extensible-enum" in update:
                yield OpenSet(self.sources, action, places)
            else:
                yield Sent(action, uses)
        else:
            yield self._of_schema(action, places)

    def _of_schema(self, action: Action, places: list[Place]) -> Claim:
        update = action.update
        if isinstance(update, dict):
            if "x-extensible-enum" in update:
                return OpenSet(self.sources, action, places)
            if "x-timezone" in update:
                return Zone(self.sources, action, places)
            if _all_end(places, "properties"):
                return Properties(self.sources, action, places)
            if _SHAPE & set(update):
                return Shape(self.sources, action, places)
            if set(update) <= {"description", "title", "examples", "example"}:
                return Unshown(action, _WORDS)
            return Unshown(action, _LIMIT)
        if _all_end(places, "type"):
            return Types(self.sources, action, places)
        if _all_end(places, "propertyNames", "enum"):
            return Keys(self.sources, action, places)
        return Unshown(action, _OTHER)

    def _of_parameter(
        self, action: Action, uses: list[tuple[Operation, Parameter]]
    ) -> Iterator[Claim]:
        update = action.update
        if isinstance(update, dict) and "name" in update:
            yield Name(action, uses, self.named)
        elif isinstance(update, dict) and {"style", "explode"} & set(update):
            yield Style(action, uses)
        else:
            yield Unshown(action, _WORDS if isinstance(update, dict) else _OTHER)

    def _added(self, action: Action, places: list[Place]) -> Iterator[Claim]:
        for node in action.update:
            name = node.get("name") if isinstance(node, dict) else None
            uses = [
                (operation, parameter)
                for document, pointer in places
                for operation, parameter in self.sources.parameters
                if operation.document == document
                and lies_in(parameter.pointer, pointer)
                and parameter.name == name
            ]
            if uses:
                yield Added(action, uses, self.named)
            else:
                yield Unshown(action, _OTHER)


def _is_of(places: Sequence[Place], member: str) -> bool:
    """Whether these are members of operations."""
    return all(
        len(pointer) == 4 and pointer[0] == "paths" and pointer[3] == member
        for _, pointer in places
    )


def _all_end(places: Sequence[Place], *end: str) -> bool:
    return all(pointer[-len(end) :] == end for _, pointer in places)


def _leaf(update: Any, *, as_map: bool) -> Any:
    """The one value that an update writes, or the innermost map of it."""
    while isinstance(update, dict) and len(update) == 1:
        (inner,) = update.values()
        if as_map and not isinstance(inner, dict):
            break
        update = inner
    return update
