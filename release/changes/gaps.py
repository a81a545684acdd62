"""The register of gaps, before and now: what is known, what is assumed otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from release.changes.change import Change

State = Literal["confirmed", "assumed", "open"]


def compare(
    before: Mapping[str, Any], after: Mapping[str, Any], changes: Iterable[Change]
) -> list[Change]:
    """Return what differs in the decisions about gaps.

    Args:
        before, after: effective documents by their names.
        changes: what differs in the documents, which show where a decision matters.
    """
    old, new = _register(before), _register(after)
    moved = {gap for change in changes if change.kind != "text" for gap in change.gaps}
    return list(_changes(old, new, moved))


def _register(documents: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    entries: dict[str, Mapping[str, Any]] = {}
    for name in sorted(documents):
        for gap, entry in documents[name].get("x-gaps", {}).items():
            if gap not in entries or _state(entry) != "open":
                entries[gap] = entry
    return entries


def _state(entry: Mapping[str, Any]) -> State:
    if entry.get("evidence"):
        return "confirmed"
    return "assumed" if entry.get("basis") else "open"


def _changes(
    old: Mapping[str, Mapping[str, Any]], new: Mapping[str, Mapping[str, Any]], moved: set[str]
) -> Iterator[Change]:
    for gap in sorted(new.keys() - old.keys()):
        yield _change(gap, f"is a new gap: {_sentence(new[gap]['missing'])}")
    for gap in sorted(old.keys() - new.keys()):
        yield _change(gap, "is not listed any more")
    for gap in sorted(old.keys() & new.keys()):
        was, now = _state(old[gap]), _state(new[gap])
        if now == "confirmed" and was != now:
            ending = "as it was assumed" if gap not in moved else "otherwise than it was assumed"
            ending = f", {ending}" if was == "assumed" else ""
            evidence = _sentence(new[gap]["evidence"])
            yield _change(gap, f"is confirmed{ending}: {evidence}")
        elif was == "confirmed" and was != now:
            ending = "assumed again" if now == "assumed" else "open again"
            yield _change(gap, f"is not confirmed any more; it is {ending}")
        elif was != now:
            reason = _sentence(new[gap].get("because", ""))
            ending = f"assumed now: {reason}" if now == "assumed" else "left open now"
            yield _change(gap, f"is {ending}")
        elif gap in moved and now != "open":
            word = "known" if now == "confirmed" else "assumed"
            reason = _sentence(new[gap].get("evidence") or new[gap].get("because", ""))
            yield _change(gap, f"is {word} otherwise: {reason}")


def _change(gap: str, sentence: str) -> Change:
    return Change("patch", (f"`{gap}`",), sentence, gaps=(gap,), kind="gap")


def _sentence(text: str) -> str:
    """Return a text without its full stop, to go into a sentence."""
    return " ".join(text.split()).removesuffix(".")
