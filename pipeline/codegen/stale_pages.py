"""Find pages, docstrings, and messages in code, that call assumed, or not documented, what is
confirmed by now, that state what was, or that name what is confirmed to be gone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pipeline.codegen.callers import methods
from pipeline.codegen.names import dotted_name, python_name
from pipeline.codegen.paragraphs import Paragraph, paragraphs
from pipeline.codegen.removed import removed
from pipeline.openapi.documents import Document, Pointer, found
from pipeline.openapi.model import DocumentModel, Operation
from pipeline.openapi.objects import as_dict, leaves
from pipeline.openapi.overlay.model import CONFIRMED, Change
from pipeline.openapi.problems import Finding, Position

_UNKNOWN: Final = re.compile(
    r"assum|undocumented|\b(not|never|nobody|nowhere)\b[^.]{0,20} "
    r"(documented|known|said|shown|stated)|\bno operation\b",
    re.IGNORECASE,
)
_HEDGED: Final = re.compile(r"\bconfirmed\b|\bsuch as\b")
_CITED: Final = re.compile(r"\([^()]*\)")
_NAME: Final = re.compile(r"`([A-Za-z][\w.-]*)`")
_ID: Final = re.compile(r"[A-Za-z]\w*(?:\.[\w-]+)+")
_PROSE: Final = ("name", "description", "summary", "type", "$ref", "x-unit", "required")
_BEHAVIOUR: Final = ("x-assume", "x-rate-limit")
_TRUE: Final = "say what is true"
_TEXTS: Final = frozenset(("summary", "description"))
_DIGITS: Final = 100  # smaller numbers stand on pages for anything


def stale_pages(
    pages: Iterable[Path],
    changes: Mapping[str, Sequence[Change]],
    documents: Mapping[str, Document],
    assumed: Mapping[str, Sequence[Change]],
    before: Mapping[str, Document],
) -> Iterator[Finding]:
    """Yield a note for each paragraph that a confirmed gap has made wrong, or may have.

    Such a paragraph calls the gap assumed or not documented, cites it in brackets as the reason of
    what it says, states a value that was assumed and that the documents, which are effective,
    have no more in its place, or names an argument, a field or an operation that was removed.

    Args:
        pages: Markdown files, Python modules, templates, and folders of them. A docstring is judged
            by what it calls assumed or unknown, a message by the gaps that it cites in brackets.
        assumed: the changes that assume what is confirmed now, by document.
        before: the documents with what was assumed of it.
    """
    known = {
        change.action.gap
        for made in changes.values()
        for change in made
        if CONFIRMED in change.action.words and change.action.gap
    }
    # As pages write them: `pets.get`.
    called = {dotted_name(each.value, each.title) for each in _operations(documents)}
    old = _replaced(assumed, documents)
    calls = [*_calls(changes, documents)] if known else []
    gone = [*removed(changes, before, documents)]
    words = {*known, *(word for each in gone for word in each.words)}
    for each in paragraphs(pages, words) if known else ():
        if each.kind == "unread":
            text = f"{each.text}; what it says of what is confirmed is not looked at"
            yield Finding(text, Position(str(each.file), each.line, 1), "page", "note")
            continue
        said = [
            f"{gap} is confirmed, and this calls it assumed or unknown; {_TRUE}"
            for gap in _guesses(each, called)
            if gap in known
        ]
        if each.kind == "page":
            for gap, value, patterns in old:
                if all(pattern.search(each.text) for pattern in patterns):
                    text = f"{gap} is confirmed, and this says {value}, which was assumed; {_TRUE}"
                    said.append(text)
            for (gap, method), patterns in calls:
                if all(pattern.search(each.text) for pattern in patterns):
                    said.append(f"{gap} is confirmed, and this calls {method}; run it")
        said += [name.said for name in gone if name.is_in(each.text)]
        for text in dict.fromkeys(said):
            yield Finding(text, Position(str(each.file), each.line, 1), "page", "note")
    for place, text in _described(documents) if gone else ():
        for said_once in dict.fromkeys(name.said for name in gone if name.is_in(text)):
            yield Finding(said_once, place, "page", "note")


def _described(documents: Mapping[str, Document]) -> Iterator[tuple[Position | None, str]]:
    """Yield the texts of documents, and where they stand."""
    for document in documents.values():
        for node in DocumentModel(document).nodes:
            for word in _TEXTS & as_dict(node.value).keys():
                yield document.at((*node.pointer, word)), str(node.value[word])


def _guesses(paragraph: Paragraph, methods: Collection[str]) -> Iterator[str]:
    """Yield the names of what a paragraph calls assumed or unknown, or cites as its reason."""
    cited = " ".join(_CITED.findall(paragraph.text))
    if paragraph.kind == "message":
        yield from dict.fromkeys(_ID.findall(cited))
        return
    is_page, is_hedged = paragraph.kind == "page", bool(_HEDGED.search(paragraph.text))
    reasons = {*_NAME.findall(cited)} - {*methods} if is_page else set()
    is_unknown = bool(_UNKNOWN.search(paragraph.text)) and (is_page or not is_hedged)
    for name in dict.fromkeys(_NAME.findall(paragraph.text)):
        if is_unknown or name in reasons:
            yield name


def _operations(documents: Mapping[str, Document]) -> Iterator[Operation]:
    for document in documents.values():
        yield from DocumentModel(document).operations


def _replaced(
    assumed: Mapping[str, Sequence[Change]], documents: Mapping[str, Document]
) -> list[tuple[str, str, Sequence[re.Pattern[str]]]]:
    """Return the assumed values that stand no more: gap, value, and what is in a page that has it.

    A number has three digits or more. A word stands beside its subject; where that is no name which
    is marked as code, the word is marked so, or quoted.
    """
    patterns: dict[tuple[str, str, str], None] = {}
    statuses = {status for each in _operations(documents) for status in each.responses}
    for name, made in assumed.items():
        data = documents[name].data
        for change in made:
            update, gap = change.action.update, str(change.action.gap)
            if change.pointer[-1:] == ("responses",):
                gone = [each for each in update if each.isdigit() and each not in statuses]
                patterns |= dict.fromkeys((gap, each, "") for each in gone)
            for pointer, value in _values(update, change.pointer):
                kept = [*_scalars(found(data, pointer[:-1]))]
                subject = _subject(data, pointer)
                for each in value if isinstance(value, list) else [value]:
                    if each in kept or isinstance(each, bool):
                        continue
                    is_number = isinstance(each, int)
                    patterns[gap, str(each), "" if is_number else subject] = None
    return [
        (gap, value, [re.compile(pattern), *([re.compile(subject)] if subject else [])])
        for gap, value, subject in patterns
        if (pattern := _stated(value, subject.startswith("`")))
    ]


def _stated(value: str, is_bare: bool) -> str:
    """Return what finds a value in a page, as a bare word or a marked one; empty for what none can.

    Several words need no mark. A number in a list of numbers states nothing of itself.
    """
    if value.isdigit():
        alone = rf"(?<![\w.,/-])(?<!\d, ){value}(?![\w/-]|[.,]\d|, \d)"
        return alone if int(value) >= _DIGITS else ""
    if not re.fullmatch(r"[\w-]{3,}( \w+)*", value):
        return ""
    if " " in value or is_bare:
        return rf"\b{value}\b".replace(" ", r"\s")
    return rf"([`\"']){value}\1"


def _subject(data: Any, at: Pointer) -> str:
    """Return what finds the name of the property, the parameter or the header that a word is about;
    of behaviour, the words of its name.
    """
    names: list[Any] = []
    if at[0] == "x-rate-limit" and at[-1] == "format":
        names = [found(data, ("x-rate-limit", "reset"))]
    elif at[0] in _BEHAVIOUR:
        words = re.findall(r"[A-Z]?[a-z]{3,}", str(at[-1]))
        return "(?is)^" + "".join(rf"(?=.*\b{each.removesuffix('s')})" for each in words)
    else:
        for holder in {"properties", "parameters"} & {*at[:-1]}:
            end = len(at) - at[::-1].index(holder) + 1
            node = as_dict(found(data, at[:end]))
            wire = str(node.get("name", at[end - 1]))
            names += [wire, python_name(node, wire)]
    listed = "|".join(re.escape(str(each)) for each in names)
    return rf"`(\w+\.)?({listed})`|\b({listed})=" if names else ""


def _scalars(value: Any) -> Iterator[Any]:
    """Yield the values in a node that hold no others."""
    inner = value.values() if isinstance(value, dict) else value
    if not isinstance(inner, (str, int, float, bool, type(None))):
        for each in inner:
            yield from _scalars(each)
    else:
        yield value


def _calls(
    changes: Mapping[str, Sequence[Change]], documents: Mapping[str, Document]
) -> Iterator[tuple[tuple[str, str], Sequence[re.Pattern[str]]]]:
    """Yield the methods of which a confirmed gap has changed an argument, and what is in a page
    that gives it.
    """
    for name, made in changes.items():
        taken = [
            (method.name, argument, each.pointer)
            for method in methods(DocumentModel(documents[name])).values()
            for argument, each in method.arguments.items()
        ]
        for change in made:
            if change.action.gap is None or CONFIRMED not in change.action.words:
                continue
            for pointer, _ in _values(change.action.update, change.pointer):
                for method, argument, at in taken:
                    if pointer[: len(at)] == at:
                        call, given = rf"\b{re.escape(method)}\(", rf"\b{re.escape(argument)}="
                        yield (change.action.gap, method), [re.compile(call), re.compile(given)]


def _values(value: Any, at: Pointer) -> Iterator[tuple[Pointer, Any]]:
    """Yield the values that an action writes, apart from names and prose."""
    for place, leaf in leaves(value, at).items() if isinstance(value, dict) else ():
        if place[-1:] and place[-1] not in _PROSE:
            yield place, leaf
