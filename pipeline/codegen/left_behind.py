"""Find code and pages that name what the documents had, and have no more."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from pipeline.codegen.names import constant, dotted_name, pascal, python_name, snake
from pipeline.openapi.documents import (
    Document,
    Pointer,
    files_in,
    found,
    lines_of,
    read_text,
    seen_from,
)
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.objects import as_dict, as_list
from pipeline.openapi.problems import Finding, Position, Uses

_LEAST: Final = 4  # letters of a name that means little else
_READ: Final = (".py", ".md")  # in folders; files of their own are read whatever they are
Files = Collection[tuple[Path, list[str]]]
"""Files of code and pages, each with its lines."""

_PARAMETER: Final = re.compile(r"\\\{[^}]*\\\}")


def left_behind(
    files: Files, before: Mapping[str, DocumentModel | None], documents: Mapping[str, Document]
) -> Iterator[Finding]:
    """Yield a note for each name that is gone since the last run and that people still write.

    Of a name that another schema still has, only files count that name the schema without it, too.
    Lines that name the schema come first.

    Args:
        files: the code, pages and overlays that were written by hand.
        before: the effective documents of the last run, by name; None where there was none.
    """
    for name, last in before.items():
        if last is None or name not in documents:
            continue
        then, now = _names(last), _names(DocumentModel(documents[name]))
        kept = {word for words in now.values() for word in words}
        for pointer, words in then.items():
            for word in sorted(words.keys() - now.get(pointer, {}).keys()):
                if len(word) < _LEAST or (word in kept and pointer not in now):
                    continue
                schema = schema_pattern(str(pointer[2])) if len(pointer) > 2 else ""
                is_shared = bool(schema) and word in kept
                if uses := written(
                    words[word].pattern,
                    files,
                    schema if is_shared else "",
                    first=(rf"\b{pointer[2]}\b|(?:{schema})[.\[(]", schema) if schema else (),
                    sought=words[word].sought,
                ):
                    new = now.get(pointer, {})
                    added = {each: new[each].place for each in sorted(new.keys() - words.keys())}
                    place = _place(documents[name], words[word].place, added)
                    yield _note(place, pointer, word, [*added], is_shared, uses)


class _Name(NamedTuple):
    """A name of a document: how it is written, roughly for a search; and where it stands."""

    pattern: str
    sought: str
    place: Pointer


def _names(model: DocumentModel) -> dict[Pointer, dict[str, _Name]]:
    """Return the properties and values of each component, at `paths` operations and their routes.

    Each comes with the pattern of how it is written: a property and an operation as a text, an
    attribute or an argument, an operation as a method, too; a path with any values in it; a value
    of an enumeration as a text or as its member.
    """
    named: dict[Pointer, dict[str, _Name]] = {("operation",): {}, ("path",): {}}
    for each in model.operations:
        words = each.value
        if id := words.get("operationId"):
            method = re.escape(dotted_name(words, id))
            own = (id, snake(id))
            pattern, sought = rf"{spelt(*own)}|\b{method}\b", f"{_either(*own)}|{method}"
            named[("operation",)][id] = _Name(pattern, sought, each.pointer)
        if "{" in each.path:
            pattern = _PARAMETER.sub(r"[^/\\s\"'`?]+", re.escape(each.path))
            sought = re.escape(each.path.partition("{")[0]) + "."
            place: Pointer = ("paths", each.path)
            named[("path",)][each.path] = _Name(rf"{pattern}(?![\w/])", sought, place)
    for name, schema in as_dict(as_dict(model.data.get("components")).get("schemas")).items():
        place = ("components", "schemas", name)
        named[place] = {
            wire: _Name(spelt(*own), _either(*own), place)
            for wire, value in as_dict(as_dict(schema).get("properties")).items()
            for own in [(wire, python_name(value, wire))]
        }
        if values := dict(_values(name, as_dict(schema))):
            enum: Pointer = (*place, "enum")
            named[enum] = {
                each: _Name(pattern, re.escape(each), enum) for each, pattern in values.items()
            }
    return named


def _place(document: Document, place: Pointer, new: Mapping[str, Pointer]) -> Position | None:
    """Return where to say that something is gone: its place, or that of the one new name."""
    if found(document.data, place) is None and len(new) == 1:
        [place] = new.values()
    return document.at(place)


def _values(name: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the values of an enumeration: a text, or what a number is called."""
    values = as_list(schema.get("enum")) or as_list(schema.get("x-extensible-enum"))
    owner, named = schema.get("x-python-name", pascal(name)), as_list(schema.get("x-enum-varnames"))
    for each in named or values:
        if isinstance(each, str):
            word = re.escape(each)
            member = re.escape(f"{owner}.{each if named else constant(each)}")
            bare = rf"|\b{word}\b" if each.isupper() else ""
            yield each, rf"""["'`]{word}["'`]|\b{member}\b{bare}"""


def _either(*words: str) -> str:
    return "|".join(map(re.escape, dict.fromkeys(words)))


def spelt(*words: str) -> str:
    """Return the pattern of a name, in the document and in Python, as code and pages write it."""
    either = _either(*words)
    # Also as the key of an overlay: `overview: {missed: …}`.
    key = rf"(?:^|[{{,])\s*(?:{either}): "
    return rf"""["'`](?:{either})["'`]|\.(?:{either})\b|\b(?:{either})=|{key}"""


class ByHand(Collection[tuple[Path, list[str]]]):
    """What was written by hand; it is read where somebody asks for it, which is seldom.

    Args:
        places: files, and folders of code and pages.
        generated: folders that are written anew, in which nothing is left behind.
    """

    def __init__(self, places: Iterable[Path], generated: Collection[Path] = ()) -> None:
        self._places, self._generated = places, generated

    @cached_property
    def _files(self) -> list[tuple[Path, list[str]]]:
        return [*self._read()]

    def _read(self) -> Iterator[tuple[Path, list[str]]]:
        for place in self._places:
            for path in files_in(place):
                if path.suffix not in _READ and path != place:
                    continue
                if not any(path.is_relative_to(folder) for folder in self._generated):
                    yield path, lines_of(read_text(path))

    def __iter__(self) -> Iterator[tuple[Path, list[str]]]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, file: object) -> bool:
        return file in self._files


def schema_pattern(name: str) -> str:
    """Return the pattern of a schema, at least by its last word."""
    last = snake(name).rpartition("_")[2]
    return rf"{re.escape(name)}|\b{re.escape(last)}s?\b"


def written(
    pattern: str,
    files: Files,
    about: str = "",
    *,
    near: bool = False,
    first: Sequence[str] = (),
    sought: str = "",
) -> Uses | None:
    """Return the lines on which a name is written; None where there is none.

    Args:
        about: the pattern of what the file must name, too.
        near: it must be named on the same line, or on the one before or after.
        first: patterns of lines that come first, those of the first one before others.
        sought: what a search for the name in all files looks for; the pattern by itself.
    """
    expression, subject = re.compile(pattern), re.compile(about)
    found: list[tuple[str, tuple[int, ...]]] = []
    ranked: list[tuple[int, str, tuple[int, ...]]] = []
    for path, lines in files:
        own = [number for number, line in enumerate(lines, 1) if expression.search(line)]
        if near:
            own = [at for at in own if subject.search("".join(lines[max(at - 2, 0) : at + 1]))]
        if own and (not about or near or any(map(subject.search, lines))):
            place = seen_from(Path.cwd(), path)
            found.append((place, (*own,)))
            for rank, each in enumerate(first):
                if named := tuple(at for at in own if re.search(each, lines[at - 1])):
                    ranked.append((rank, place, named))
                    break
    if not found:
        return None
    ordered = sorted(ranked, key=lambda each: each[0])
    sought = sought or pattern
    words = "w" if sought[-1:].isalnum() or sought.endswith(")") else ""
    command = f"git grep -n{words}E {shlex.quote(sought)}"
    return Uses((*found,), tuple((place, named) for _, place, named in ordered), command)


def _note(
    place: Position | None,
    pointer: Pointer,
    word: str,
    new: list[str],
    is_shared: bool,
    uses: Uses,
) -> Finding:
    is_property = pointer[0] == "components"
    what = f"{pointer[2]}.{word}" if is_property else f"{pointer[0]} {word}"
    instead = f", and {' and '.join(new)} {'are' if len(new) > 1 else 'is'} new" if new else ""
    kept = "; other schemas keep the name" if is_shared else ""
    return Finding(f"{what} is gone{instead}{kept}", place, "left-behind", "note", uses=uses)
