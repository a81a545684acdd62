"""Find pages, and messages in code, that call assumed, or not documented, what is confirmed by now,
or that state what was.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pipeline.codegen.names import dotted_name
from pipeline.openapi.documents import Document, Pointer, files_in, found, read_text
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
_ID: Final = re.compile(r"[A-Za-z]\w*(?:\.[\w-]+)+")
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
        pages: Markdown files, Python modules, and folders of both. Of a module, it is the messages
            that cite a gap in brackets.
        assumed: the changes that assume what is confirmed now, by document.
    """
    known = {
        change.action.gap
        for made in changes.values()
        for change in made
        if CONFIRMED in change.action.words and change.action.gap
    }
    methods = {each for document in documents.values() for each in _methods(document)}
    old = _replaced(assumed, documents)
    calls = [*_calls(changes, documents)] if known else []
    for file in _files(pages) if known else ():
        for line, paragraph in (
            _paragraphs(file) if file.suffix == ".md" else _messages(file, known)
        ):
            said = []
            cited = {name for each in _CITED.findall(paragraph) for name in _NAME.findall(each)}
            for gap in dict.fromkeys(_NAME.findall(paragraph)):
                if gap in known and (gap in cited - methods or _UNKNOWN.search(paragraph)):
                    said.append(f"{gap} is confirmed, and this calls it assumed or unknown")
            for gap, value, patterns in old:
                if all(each.search(paragraph) for each in patterns):
                    said.append(f"{gap} is confirmed, and this says {value}, which was assumed")
            for (gap, method), patterns in calls:
                if all(each.search(paragraph) for each in patterns):
                    said.append(f"{gap} is confirmed, and this calls {method}; run it")
            for text in dict.fromkeys(said):
                yield Finding(text, Position(str(file), line, 1), "page", "note")


def _files(pages: Iterable[Path]) -> Iterator[Path]:
    """Yield the files in folders, and those that are there; a copy may have no documentation.

    Tests are left to themselves: those of a message fail with it.
    """
    for path in pages:
        for file in files_in(path):
            if file.suffix == ".md" or (file.suffix == ".py" and file.name[:5] != "test_"):
                yield file


def _paragraphs(file: Path) -> Iterator[tuple[int, str]]:
    line = 1
    for paragraph in re.split(r"(\n\s*\n)", read_text(file)):
        yield line, paragraph
        line += paragraph.count("\n")


def _messages(file: Path, gaps: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield what messages of a module cite in brackets, as pages do; its docstrings are none."""
    text = read_text(file)
    if not any(gap in text for gap in gaps):
        return
    tree = ast.parse(text)
    prose = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            cited = " ".join(_CITED.findall(node.value))
            yield node.lineno, f"({' '.join(f'`{each}`' for each in _ID.findall(cited))})"


def _methods(document: Document) -> Iterator[str]:
    """Yield the methods of the client as pages write them: `pets.get`."""
    for item in as_dict(as_dict(document.data).get("paths")).values():
        for each in map(as_dict, as_dict(item).values()):
            yield _method(each)


def _method(operation: Mapping[str, Any]) -> str:
    return dotted_name(operation, str(operation.get("operationId", "")))


def _replaced(
    assumed: Mapping[str, Sequence[Change]], documents: Mapping[str, Document]
) -> list[tuple[str, str, Sequence[re.Pattern[str]]]]:
    """Return the assumed values that stand no more: gap, value, and what is in a page that has it.

    A number has three digits or more. A word stands beside its subject; where that is no name which
    is marked as code, the word is marked so, or quoted. Names of parameters are those of the wire,
    which pages do not use.
    """
    patterns: dict[tuple[str, str, str], None] = {}
    statuses = {each for document in documents.values() for each in _statuses(document.data)}
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


def _statuses(node: Any) -> Iterator[Any]:
    """Yield the statuses of all responses of a document."""
    for item in as_dict(as_dict(node).get("paths")).values():
        for operation in as_dict(item).values():
            yield from as_dict(as_dict(operation).get("responses"))


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
) -> Iterator[tuple[tuple[str, str], Sequence[re.Pattern[str]]]]:
    """Yield the methods of which a confirmed gap has changed an argument, and what is in a page
    that gives it.
    """
    for name, made in changes.items():
        data = documents[name].data
        for change in made:
            if change.action.gap is None or CONFIRMED not in change.action.words:
                continue
            for pointer, _ in _values(change.action.update, change.pointer):
                for operation, argument in _arguments(data, pointer):
                    method = _method(operation)
                    call = rf"\b{re.escape(method)}\("
                    given = rf"\b({'|'.join(map(re.escape, argument))})="
                    yield (change.action.gap, method), [re.compile(call), re.compile(given)]


def _arguments(data: Any, at: Pointer) -> Iterator[tuple[dict[str, Any], set[str]]]:
    """Yield the operations that take what a place is in as an argument, and its names."""
    if at[3:4] not in (("parameters",), ("properties",)) or len(at) == 4:
        return
    node = as_dict(found(data, at[:5]))
    wire = str(node.get("name", at[4]))
    names = {str(node.get("x-python-name")), re.sub("(?<=[a-z])(?=[A-Z])", "_", wire).lower()}
    if at[3] == "parameters":
        yield as_dict(found(data, at[:3])), names
    elif at[:2] == ("components", "schemas"):
        reference = f"#/components/schemas/{at[2]}"
        for item in as_dict(as_dict(data).get("paths")).values():
            for operation in map(as_dict, as_dict(item).values()):
                content = as_dict(as_dict(operation.get("requestBody")).get("content"))
                schemas = (as_dict(as_dict(each).get("schema")) for each in content.values())
                if any(each.get("$ref") == reference for each in schemas):
                    yield operation, names


def _values(value: Any, at: Pointer) -> Iterator[tuple[Pointer, Any]]:
    """Yield the values that an action writes, apart from names and prose."""
    for key, member in value.items() if isinstance(value, dict) else ():
        if isinstance(member, dict):
            yield from _values(member, (*at, key))
        elif key not in _PROSE:
            yield (*at, key), member
