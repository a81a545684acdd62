"""Find nodes of which nothing is assumed, while the same is assumed of others like them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.gaps.checking import touched
from pipeline.gaps.register import Register
from pipeline.gaps.uses import Use, ids, use
from pipeline.openapi.documents import Document, Pointer, found
from pipeline.openapi.objects import as_dict
from pipeline.openapi.overlay.model import CONFIRMED, Action, Change
from pipeline.openapi.problems import Finding
from pipeline.openapi.wording import field

_TEXTS: Final = ("description", "summary", "example", "examples")
_NEARLY_ALL: Final = 0.9


def alike(
    register: Register, before: Mapping[str, Document], changes: Mapping[str, Sequence[Change]]
) -> Iterator[Finding]:
    """Yield the nodes that a gap names and no action fills, though one fills others of their form;
    and the properties that name no such gap, though nearly all of their form in an object do.

    Args:
        register: the gaps; one counts whose decision is to assume something.
        before: the documents as they were before the overlays.
        changes: what the overlays changed in each.
    """
    assumed = {gap.id for gap in register.gaps if gap.decision == "overlay"}
    for name, document in before.items():
        used = use(document, changes.get(name, ()))
        for id in filter(assumed.__contains__, used.marked):
            filled = _filled(id, used)
            by_form = {_form(found(document.data, at)): act for at, act in filled.items()}
            for at in used.marked[id]:
                action = by_form.get(_form(found(document.data, at)))
                if action and at not in filled:
                    text = (
                        f"{field(at)} names gap {id}, which is filled for others of its form at"
                        f" {action.position}, and not here: add it to the target there"
                    )
                    yield Finding(text, document.at((*at, "x-gap")), "gaps")
            if filled:
                yield from _unnamed(id, document, used, next(iter(filled.values())))


def _filled(gap: str, used: Use) -> dict[Pointer, Action]:
    """Return the marked nodes that assumptions fill, with the first action that does; none where
    anything is confirmed, which may well differ from node to node.
    """
    changes = used.filled.get(gap, ())
    if any(CONFIRMED in each.action.words for each in changes):
        return {}
    filled: dict[Pointer, Action] = {}
    for change in changes:
        for place in touched(change):
            around = [at for at in used.marked[gap] if place[: len(at)] == at]
            if around:
                filled.setdefault(max(around, key=len), change.action)
    return filled


def _unnamed(gap: str, document: Document, used: Use, action: Action) -> Iterator[Finding]:
    holders = dict.fromkeys(at[:-2] for at in used.marked[gap] if at[-2:-1] == ("properties",))
    for at in holders:
        members = as_dict(as_dict(found(document.data, at)).get("properties"))
        forms = {name: _form(member) for name, member in members.items()}
        names = {name for name in members if gap in ids(as_dict(members[name]).get("x-gap"))}
        counts, named = Counter(forms.values()), Counter(forms[name] for name in names)
        for name, form in forms.items():
            if name not in names and named[form] >= _NEARLY_ALL * counts[form]:
                place = (*at, "properties", name)
                text = (
                    f"{field(place)} does not name gap {gap}, as {named[form]} others of its form"
                    f" do: if it is no different, name it, and fill it at {action.position}"
                )
                yield Finding(text, document.at(place), "gaps", "note")


def _form(node: Any) -> str:
    """Return what a node takes: without its texts and names, and what we say of it."""
    words = {
        word: value
        for word, value in as_dict(node).items()
        if word not in _TEXTS and not word.startswith("x-") and (word != "name" or "in" not in node)
    }
    if isinstance(words.get("type"), str):  # a list leaves room for what is assumed
        words["type"] = [words["type"]]
    return json.dumps(words, sort_keys=True, default=str)
