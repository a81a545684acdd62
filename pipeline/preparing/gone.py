"""What words say of something that is confirmed to be gone is left out of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any, Final

from pipeline.openapi.documents import Document, Pointer, copied, found
from pipeline.openapi.extensions import problems
from pipeline.openapi.objects import as_dict
from pipeline.openapi.overlay.applying import since_gone
from pipeline.openapi.overlay.model import Action
from pipeline.openapi.overlay.tree import Tree
from pipeline.openapi.problems import Finding
from pipeline.openapi.wording import field

_NAMED: Final = ("properties", "headers")  # a member of these may be called like a word


def leave_out_gone(
    document: Document,
    gone: Sequence[Action],
    staying: Callable[[Sequence[Action]], Document],
    errors: Callable[[Document], Iterable[Finding]],
) -> tuple[Document, list[Finding]]:
    """Return a document without what its words, and its lists of what is required, say of things
    that are gone, and notes on that.

    They say so where they are wrong in this document, and not in one in which the things stay.

    Args:
        gone: the confirmed actions that have removed the things.
        staying: makes the same document without some of these actions.
        errors: finds what is wrong with a document.
    """
    if not gone:
        return document, []

    def wrong(document: Document) -> list[Finding]:
        return [each for each in errors(document) if each.severity == "error"]

    others = {_key(each) for each in wrong(staying(gone))}
    alone: list[set[Any]] = []  # what is wrong where one of them stays
    own = {action.position.file for action in gone}
    notes: list[Finding] = []
    while True:
        lost: dict[Pointer, Finding] = {}
        for each in wrong(document):
            if _key(each) not in others and each.position and each.position.file not in own:
                lost |= dict.fromkeys(_places(document.data, each.pointer or ()), each)
        if not lost:
            return document, notes
        if gone[1:] and not alone:
            alone = [{_key(each) for each in wrong(staying([action]))} for action in gone]
        for place, finding in lost.items():
            causes = (a for a, left in zip(gone, alone, strict=False) if _key(finding) not in left)
            since = since_gone(next(causes, gone[0]))
            text = f"{_called(document.data, place)} names what is not there, {since}"
            notes.append(Finding(text, document.at(place), "word", "note"))
        tree = Tree(document.data, document.positions)
        tree.remove(lost)
        document = Document(document.name, tree.data, tree.positions())


def _key(finding: Finding) -> tuple[Any, ...]:
    """Return what a finding is known by; the names that it lists are others in each document."""
    return finding.rule, finding.position


def _places(data: Any, pointer: Pointer) -> list[Pointer]:
    """Return the least that goes, so that a word has its shape without what stands at a place."""
    if pointer[-2:-1] == ("required",):
        return [pointer]
    start = _start(pointer)
    if start is None:
        return []
    word = str(pointer[start])
    for end in range(len(pointer) - 1, start, -1):
        siblings = [(*pointer[:end], key) for key in as_dict(found(data, pointer[:end]))]
        siblings = [each for each in siblings if each != pointer[: end + 1]]
        for size in range(len(siblings) + 1):
            for some in combinations(siblings, size):
                places = [pointer[: end + 1], *some]
                tree = Tree(copied(found(data, pointer[: start + 1])), {})
                tree.remove(each[start + 1 :] for each in places)
                if tree.data and not any(problems(word, tree.data)):
                    return places
    return [pointer[: start + 1]]


def _start(pointer: Pointer) -> int | None:
    """Return the depth of the word that a place is in."""
    keys = enumerate(zip(("", *pointer), pointer, strict=False))
    words = (n for n, (holder, key) in keys if str(key)[:2] == "x-" and holder not in _NAMED)
    return next(words, None)


def _called(data: Any, place: Pointer) -> str:
    """Return the name of a place in a word, or an item of a list by its value."""
    depth = _start(place)
    start = len(place) - (2 if isinstance(place[-1], int) else 1) if depth is None else depth
    if isinstance(place[-1], int) and isinstance(item := found(data, place), str):
        return f"{field(place[start:-1])}: {item}"
    return field(place[start:])
