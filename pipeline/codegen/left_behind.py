"""Find code that names a property or an operation which the documents had, and have no more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pipeline.codegen.names import snake
from pipeline.openapi.documents import Document, Pointer, read_text, seen_from
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.objects import as_dict
from pipeline.openapi.problems import Finding

_SHOWN: Final = 5  # places in one note
_LEAST: Final = 4  # letters of a name that means little else


def left_behind(
    folders: Iterable[Path],
    before: Mapping[str, DocumentModel | None],
    documents: Mapping[str, Document],
) -> Iterator[Finding]:
    """Yield a note for each name that is gone since the last run and that code still has.

    A name that any schema still has is passed over, since nobody can tell which one is meant.

    Args:
        folders: where the code is that was written by hand.
        before: the effective documents of the last run, by name; None where there was none.
    """
    files: list[tuple[Path, list[str]]] | None = None
    for name, last in before.items():
        if last is None or name not in documents:
            continue
        then, now = _names(last), _names(DocumentModel(documents[name]))
        kept = {word for words in now.values() for word in words}
        for pointer, words in then.items():
            for word in sorted(words - kept):
                if len(word) < _LEAST:
                    continue
                if files is None:
                    files = [*_read(folders)]
                if places := _places(word, files):
                    yield _note(documents[name], pointer, word, then, now, places)


def _names(model: DocumentModel) -> dict[Pointer, set[str]]:
    """Return the properties of each component, and the operationIds of the document at its root."""
    found: dict[Pointer, set[str]] = {
        (): {str(each.value.get("operationId", "")) for each in model.operations} - {""}
    }
    for name, schema in as_dict(as_dict(model.data.get("components")).get("schemas")).items():
        found["components", "schemas", name] = {*as_dict(as_dict(schema).get("properties"))}
    return found


def _read(folders: Iterable[Path]) -> Iterator[tuple[Path, list[str]]]:
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            yield path, read_text(path).splitlines()


def _places(word: str, files: Iterable[tuple[Path, list[str]]]) -> list[str]:
    """Return where a name stands as a text, an attribute or an argument."""
    either = "|".join(map(re.escape, {word, snake(word)}))
    pattern = re.compile(rf"""["'](?:{either})["']|\.(?:{either})\b|\b(?:{either})=""")
    return [
        f"{seen_from(Path.cwd(), path)}:{number}"
        for path, lines in files
        for number, line in enumerate(lines, 1)
        if pattern.search(line)
    ]


def _note(
    document: Document,
    pointer: Pointer,
    word: str,
    then: Mapping[Pointer, set[str]],
    now: Mapping[Pointer, set[str]],
    places: list[str],
) -> Finding:
    new = sorted(now.get(pointer, set()) - then[pointer])
    where: Any = pointer if pointer in now else ()
    what = f"{pointer[-1]}.{word}" if pointer else f"operation {word}"
    instead = f", and {' and '.join(new)} {'are' if len(new) > 1 else 'is'} new" if new else ""
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    text = f"{what} is gone{instead}; code names it at {', '.join(places[:_SHOWN])}{more}"
    return Finding(text, document.at(where), "left-behind", "note")
