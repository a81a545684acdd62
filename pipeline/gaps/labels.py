"""Check that each action which says something about the service names the gap that it fills."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.gaps.uses import Use
from pipeline.openapi.documents import Pointer, pointer_text
from pipeline.openapi.extensions import CLAIMS
from pipeline.openapi.overlay.model import ASSUMPTION, CONFIRMED, Change
from pipeline.openapi.problems import Finding

_GENERATION: Final = ("links",)  # where an identifier leads, which claims nothing new


def unlabelled(
    changes: Iterable[Change], used: Use, registered: Container[str]
) -> Iterator[Finding]:
    """Yield the actions that claim something without a label, or with that of another node.

    An action without a label may only say how a client is generated. An assumption fills a gap
    of the nodes that it touches: `x-gap` names it there, or on something around them; at the root,
    for responses that any operation may give. What it says for a test server fills any gap of the
    document.
    """
    for change in changes:
        action = change.action
        if CONFIRMED in action.words or (action.gap and action.gap not in registered):
            continue
        for pointer in _touched(change):
            if ASSUMPTION not in action.words:
                if change.kind == "update" and _is_generation(pointer):
                    continue
                text = (
                    f"target {action.target}: says what the service does, at"
                    f" {pointer_text(pointer)}; it needs {ASSUMPTION} with its gap"
                )
            elif pointer[-1:] == ("x-gap",):
                text = f"target {action.target}: x-gap belongs in the document itself"
            elif not _is_of(pointer, used.marked.get(action.gap or "", ())):
                text = (
                    f"target {action.target}: gap {action.gap} is not one of"
                    f" {pointer_text(pointer)}; no x-gap there or around it names it"
                )
            else:
                continue
            yield Finding(text, action.position, "label")
            break  # one finding an action and node is enough


def _touched(change: Change) -> Iterator[Pointer]:
    """Yield the places of the values that a change writes, or of what it removes or copies."""
    if change.kind == "update":
        yield from _leaves(change.action.update, change.pointer)
    else:
        yield change.pointer


def _leaves(value: Any, at: Pointer) -> Iterator[Pointer]:
    is_word = bool(at) and isinstance(at[-1], str) and at[-1].startswith("x-")
    if not isinstance(value, Mapping) or not value or is_word:
        yield at
        return
    for key, member in value.items():
        yield from _leaves(member, (*at, key))


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
    if pointer[:1] == ("x-assume",):
        return bool(marked)
    is_response = pointer[:1] == ("paths",) and pointer[3:4] == ("responses",)
    return any((node or is_response) and pointer[: len(node)] == node for node in marked)
