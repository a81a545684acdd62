"""Find code and pages that name what the documents had, and have no more."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from pipeline.codegen.names import snake
from pipeline.openapi.documents import Document, Pointer, read_text, seen_from
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.objects import as_dict, as_list
from pipeline.openapi.problems import Finding

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
                about = str(pointer[2]) if word in kept and len(pointer) > 2 else ""
                if places := written(words[word], files, _schema(about) if about else ""):
                    new = sorted(now.get(pointer, {}).keys() - words.keys())
                    yield _note(documents[name], pointer, word, new, about, places)


def _names(model: DocumentModel) -> dict[Pointer, dict[str, str]]:
    """Return the properties and values of each component, at `paths` operations and their routes.

    Each comes with the pattern of how it is written: a property and an operation as a text, an
    attribute or an argument, an operation as a method, too; a path with any values in it; a value
    of an enumeration as a text or as its member.
    """
    found: dict[Pointer, dict[str, str]] = {("operation",): {}, ("path",): {}}
    for each in model.operations:
        words = each.value
        if id := words.get("operationId"):
            method = f"{words.get('x-python-resource')}.{words.get('x-python-name')}"
            found[("operation",)][id] = rf"{_named(id)}|\b{re.escape(method)}\b"
        if "{" in each.path:
            pattern = _PARAMETER.sub(r"[^/\\s\"'`?]+", re.escape(each.path))
            found[("path",)][each.path] = rf"{pattern}(?![\w/])"
    for name, schema in as_dict(as_dict(model.data.get("components")).get("schemas")).items():
        properties = as_dict(as_dict(schema).get("properties"))
        found["components", "schemas", name] = {each: _named(each) for each in properties}
        if values := dict(_values(name, as_dict(schema))):
            found["components", "schemas", name, "enum"] = values
    return found


def _values(name: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the values of an enumeration: a text, or what a number is called."""
    values = as_list(schema.get("enum")) or as_list(schema.get("x-extensible-enum"))
    for each in as_list(schema.get("x-enum-varnames")) or values:
        if isinstance(each, str):
            word, member = re.escape(each), re.escape(snake(each).upper())
            bare = rf"|\b{word}\b" if each.isupper() else ""
            yield each, rf"""["'`]{word}["'`]|\b{re.escape(name)}\.{member}\b{bare}"""


def _named(word: str) -> str:
    """Return the pattern of a name, in the document or in Python, as code and pages write it."""
    either = "|".join(map(re.escape, {word, snake(word)}))
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
            for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
                if path.suffix not in _READ and path != place:
                    continue
                is_ours = any(path.is_relative_to(folder) for folder in self._generated)
                if not is_ours and path.is_file():
                    yield path, read_text(path).splitlines()

    def __iter__(self) -> Iterator[tuple[Path, list[str]]]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, file: object) -> bool:
        return file in self._files


def _schema(name: str) -> str:
    """Return the pattern of a schema, at least by its last word."""
    last = snake(name).rpartition("_")[2]
    return rf"{re.escape(name)}|\b{re.escape(last)}s?\b"


def written(pattern: str, files: Files, about: str = "", *, near: bool = False) -> list[str]:
    """Return the files in which a name is written, each with the numbers of its lines.

    Args:
        about: the pattern of what the file must name, too.
        near: it must be named on the same line, or on the one before or after.
    """
    expression, subject = re.compile(pattern), re.compile(about)
    found = []
    for path, lines in files:
        own = [str(number) for number, line in enumerate(lines, 1) if expression.search(line)]
        if near:
            around = {at: lines[max(int(at) - 2, 0) : int(at) + 1] for at in own}
            own = [at for at in own if subject.search("\n".join(around[at]))]
        if own and (not about or near or any(map(subject.search, lines))):
            found.append(f"{seen_from(Path.cwd(), path)}:{', '.join(own)}")
    return found


def _note(
    document: Document,
    pointer: Pointer,
    word: str,
    new: list[str],
    about: str,
    places: list[str],
) -> Finding:
    is_property = pointer[0] == "components"
    what = f"{pointer[2]}.{word}" if is_property else f"{pointer[0]} {word}"
    instead = f", and {' and '.join(new)} {'are' if len(new) > 1 else 'is'} new" if new else ""
    where = "other schemas keep the name: look at" if about else "it is still written in"
    text = f"{what} is gone{instead}; {where} {'; '.join(places)}"
    return Finding(text, document.at(pointer), "left-behind", "note")
