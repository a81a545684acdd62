"""Find pages that call assumed, or not documented, what is confirmed by now, or state what was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pipeline.openapi.documents import Document, Pointer, found, read_text
from pipeline.openapi.objects import as_dict
from pipeline.openapi.overlay.model import CONFIRMED, Change
from pipeline.openapi.problems import Finding, Position

_UNKNOWN: Final = re.compile(
    r"assum|undocumented|\b(not|never|nobody|nowhere)\b[^.]{0,20} "
    r"(documented|known|said|shown|stated)",
    re.IGNORECASE,
)
_CITED: Final = re.compile(r"\([^()]*\)")
_NAME: Final = re.compile(r"`([A-Za-z][\w.-]*)`")
_PROSE: Final = ("name", "description", "summary", "type", "$ref", "x-unit", "required")
_BEHAVIOUR: Final = ("x-assume", "x-rate-limit")
_DIGITS: Final = 100  # smaller numbers stand on pages for anything


def stale_pages(
    pages: Iterable[Path],
    changes: Mapping[str, Sequence[Change]],
    documents: Mapping[str, Document],
    assumed: Mapping[str, Sequence[Change]],
) -> Iterator[Finding]:
    """Yield a note for each paragraph that a confirmed gap has made wrong, or may have.

    Such a paragraph calls the gap assumed or not documented, cites it in brackets as the reason of
    what it says, or states a value that was assumed and that the documents, which are effective,
    have no more in its place.

    Args:
        pages: Markdown files, and folders of them.
        assumed: the changes that assume what is confirmed now, by document.
    """
    known = {
        change.action.gap
        for made in changes.values()
        for change in made
        if CONFIRMED in change.action.words
    }
    methods = {each for document in documents.values() for each in _methods(document)}
    old = _replaced(assumed, documents)
    calls = dict(_calls(changes, documents)) if known else {}
    found_at = (file for path in pages for file in (sorted(path.rglob("*.md")) or [path]))
    files = [file for file in found_at if file.is_file()]  # a copy may have no documentation
    for file in files if known else ():
        line = 1
        for paragraph in re.split(r"(\n\s*\n)", read_text(file)):
            said = []
            cited = {name for each in _CITED.findall(paragraph) for name in _NAME.findall(each)}
            for gap in dict.fromkeys(_NAME.findall(paragraph)):
                if gap in known and (gap in cited - methods or _UNKNOWN.search(paragraph)):
                    said.append(f"{gap} is confirmed, and this calls it assumed or unknown")
            for gap, value, patterns in old:
                if all(each.search(paragraph) for each in patterns):
                    said.append(f"{gap} is confirmed, and this says {value}, which was assumed")
            for (gap, method), pattern in calls.items():
                if pattern.search(paragraph):
                    said.append(f"{gap} is confirmed, and this calls {method}; run it")
            for text in said:
                yield Finding(text, Position(str(file), line, 1), "page", "note")
            line += paragraph.count("\n")


def _methods(document: Document) -> Iterator[str]:
    """Yield the methods of the client as pages write them: `pets.get`."""
    for item in as_dict(as_dict(document.data).get("paths")).values():
        for each in map(as_dict, as_dict(item).values()):
            yield f"{each.get('x-python-resource')}.{each.get('x-python-name')}"


def _replaced(
    assumed: Mapping[str, Sequence[Change]], documents: Mapping[str, Document]
) -> list[tuple[str, str, Sequence[re.Pattern[str]]]]:
    """Return the assumed values that stand no more: gap, value, and what is in a page that has it.

    A number has three digits or more. A word stands beside its subject; where that is no name which
    is marked as code, the word is marked so, or quoted. Names of parameters are those of the wire,
    which pages do not use.
    """
    patterns: dict[tuple[str, str, str], None] = {}
    for name, made in assumed.items():
        data = documents[name].data
        for change in made:
            for pointer, value in _values(change.action.update, change.pointer):
                kept = [*_scalars(found(data, pointer[:-1]))]
                subject = _subject(data, pointer)
                for each in value if isinstance(value, list) else [value]:
                    if each in kept or isinstance(each, bool):
                        continue
                    is_number = isinstance(each, int)
                    patterns[str(change.action.gap), str(each), "" if is_number else subject] = None
    return [
        (gap, value, [re.compile(pattern), *([re.compile(subject)] if subject else [])])
        for gap, value, subject in patterns
        if (pattern := _stated(value, subject.startswith("`")))
    ]


def _stated(value: str, is_bare: bool) -> str:
    """Return what finds a value in a page, as a bare word or a marked one; empty for what none can.

    Several words need no mark.
    """
    if value.isdigit():
        return rf"(?<![\w.,/-]){value}(?![\w/-]|[.,]\d)" if int(value) >= _DIGITS else ""
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
            names += [node.get("name", at[end - 1]), node.get("x-python-name", at[end - 1])]
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
) -> Iterator[tuple[tuple[str, str], re.Pattern[str]]]:
    """Yield the methods whose arguments a confirmed gap has changed, and how a page calls each."""
    for name, made in changes.items():
        for change in made:
            gap, at = change.action.gap, change.pointer
            if gap is None or CONFIRMED not in change.action.words or at[3:4] != ("parameters",):
                continue
            if any(_values(change.action.update, at)):
                operation = as_dict(found(documents[name].data, at[:3]))
                resource, method = (
                    operation.get("x-python-resource"),
                    operation.get("x-python-name"),
                )
                call = rf"\b{resource}\.{method}\("
                yield (gap, f"{resource}.{method}"), re.compile(call)


def _values(value: Any, at: Pointer) -> Iterator[tuple[Pointer, Any]]:
    """Yield the values that an action writes, apart from names and prose."""
    for key, member in value.items() if isinstance(value, dict) else ():
        if isinstance(member, dict):
            yield from _values(member, (*at, key))
        elif key not in _PROSE:
            yield (*at, key), member
