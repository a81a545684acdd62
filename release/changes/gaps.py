"""The register of gaps, before and now: what is known, what is assumed, what is open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from release.changes.change import Change

# What decides a gap, and where the register says why.
_REASONS: Final = {"confirmed": "evidence", "assumed": "because", "open": ""}


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    """Yield what differs in the decisions about gaps, between documents by their names."""
    old, new = _register(before), _register(after)
    for gap in sorted(old.keys() | new.keys()):
        if gap not in old:
            yield _change(gap, f"is a new gap: {_sentence(new[gap]['missing'])}")
        elif gap not in new:
            yield _change(gap, "is no longer listed")
        elif _state(old[gap]) != (state := _state(new[gap])):
            reason = _sentence(new[gap].get(_REASONS[state], ""))
            yield _change(gap, f"is {state} now" + (f": {reason}" if reason else ""))


def _register(documents: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    entries: dict[str, Mapping[str, Any]] = {}
    for name in sorted(documents):
        for gap, entry in documents[name].get("x-gaps", {}).items():
            if gap not in entries or _state(entry) != "open":
                entries[gap] = entry
    return entries


def _state(entry: Mapping[str, Any]) -> str:
    if entry.get("evidence"):
        return "confirmed"
    return "assumed" if entry.get("basis") else "open"


def _change(gap: str, sentence: str) -> Change:
    return Change("patch", (f"`{gap}`",), sentence, gaps=(gap,), kind="gap")


def _sentence(text: str) -> str:
    """Return a text without its full stop, to go into a sentence."""
    return " ".join(text.split()).removesuffix(".")
