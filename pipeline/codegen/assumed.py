"""Add notes about assumptions to descriptions: "Null is assumed (updatePost.null)."

Overlays say which node an assumption touches and what it adds there, so the note names its object:
a keyword of a schema, a name, a sentence. It stands in the nearest description, from which every
reader of the document has it.
"""

from __future__ import annotations

import copy
import difflib
from collections.abc import Container, Iterable, Iterator
from typing import Any

from pipeline.codegen import prose
from pipeline.openapi.documents import Document, Pointer, found
from pipeline.openapi.extensions import CLAIMS
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.objects import as_dict, leaves, walk
from pipeline.openapi.overlay.model import ASSUMPTION, Change
from pipeline.openapi.wording import has_text

_FEW = 3  # names of fields that are listed; of more, none is


def with_notes(before: Document, after: Document, changes: Iterable[Change]) -> Document:
    """Return a document with notes of what overlays have assumed; `before` is without overlays.

    A description with a unit of its own (`x-unit`) gets that into its first sentence.

    What is assumed at the root, or about the statuses of responses, is in no description.
    """
    data = copy.deepcopy(after.data)
    sent = _sent(DocumentModel(after))
    notes: dict[Pointer, dict[str, None]] = {}
    for change in changes:
        if ASSUMPTION not in change.action.words or change.kind != "update":
            continue
        written = [
            place
            for each in _written(change, data)
            for place in _of_members(*each, data, sent=sent)
        ]
        for pointer, value in written:
            home = _home(data, pointer)
            if home is None:
                continue
            gap = change.action.gap
            if pointer[len(home) :] == ("description",):
                if found(data, pointer) == value:
                    old = as_dict(found(before.data, home)).get("description")
                    as_dict(found(data, home))["description"] = _told(old or "", value, gap)
            elif (what := _object(data, home, pointer, value)) is not None:
                notes.setdefault(home, {})[f"{what} assumed ({gap})."] = None
    for home, sentences in notes.items():
        node = as_dict(found(data, home))
        node["description"] = " ".join([prose.sentence(node["description"]), *sentences])
    for kind, _, value in walk("document", (), data):
        node = as_dict(value) if kind == "schema" else {}
        unit = node.get("x-unit")
        first, *others = prose.sentences(str(node.get("description", ""))) or [""]
        if unit and first and unit not in first:
            node["description"] = " ".join([f"{first.removesuffix('.')} in {unit}.", *others])
    return Document(after.name, data, after.positions)


def _written(change: Change, data: Any) -> Iterator[tuple[Pointer, Any]]:
    """Yield the places that a change has written, as they stand now, each with its value."""
    node, value = found(data, change.pointer), change.action.update
    if isinstance(node, list) and isinstance(value, list):
        objects = [each for each in value if isinstance(each, dict)]
        for each in objects:
            index = next(
                (at for at, e in enumerate(node) if each.items() <= as_dict(e).items()), None
            )
            if index is not None:
                yield (*change.pointer, index), each
        if len(objects) == len(value):
            return
    yield from leaves(value, change.pointer).items()


def _of_members(
    pointer: Pointer, value: Any, data: Any, *, sent: Container[Pointer]
) -> Iterator[tuple[Pointer, Any]]:
    """Yield the members that a schema of a request demands, each in its own place."""
    *schema, word = pointer
    around = (pointer[:end] for end in range(len(pointer)))
    if word == "required" and isinstance(value, list) and any(each in sent for each in around):
        places = ((*schema, "properties", name) for name in value)
        yield from (((*at, word), True) for at in places if found(data, at) is not None)
    else:
        yield pointer, value


def _sent(model: DocumentModel) -> set[Pointer]:
    """Return the places of what requests are made of: their bodies, and components."""
    bodies = {(*each.pointer, "requestBody") for each in model.operations}
    return {*bodies, *model.components([found(model.data, each) for each in bodies])}


def _home(data: Any, pointer: Pointer) -> Pointer | None:
    """Return the nearest object around a place, or there, that has a description."""
    if pointer[:1] == ("x-assume",) or (pointer[:1] == ("paths",) and "responses" in pointer):
        return None
    for end in range(len(pointer), 0, -1):
        node = found(data, pointer[:end])
        if isinstance(node, dict) and has_text(node.get("description")):
            return pointer[:end]
    return None


def _told(old: str, new: str, gap: str | None) -> str:
    """Return a description, with a note behind each sentence that it did not have before."""
    known = prose.sentences(old)
    pieces: list[str] = []
    note = f"This is assumed ({gap})."
    for sentence in prose.sentences(new):
        if sentence in known:
            pieces.append(sentence)
            continue
        added = next(filter(None, (_added(each, sentence) for each in known)), None)
        pieces += [prose.sentence(sentence), f'"{added}" is assumed ({gap}).' if added else note]
    return " ".join(pieces)


def _added(old: str, new: str) -> str | None:
    """Return the words that were put into a sentence, if they are next to each other."""
    before, after = old.split(), new.split()
    bare = [[word.strip(".,;:") for word in each] for each in (before, after)]
    steps = difflib.SequenceMatcher(None, bare[0], bare[1], autojunk=False).get_opcodes()
    put = [after[start:end] for kind, _, _, start, end in steps if kind != "equal"]
    is_put = len(put) == 1 and all(kind in ("equal", "insert") for kind, *_ in steps)
    return " ".join(put[0]).strip(".,;:") if is_put else None


def _object(data: Any, home: Pointer, pointer: Pointer, value: Any) -> str | None:
    """Return what is assumed at a place, with its verb; None where nothing is claimed."""
    path = pointer[len(home) :]
    if not path:
        return f"The parameter `{value['name']}` is" if "name" in as_dict(value) else "It is"
    match path[-1]:
        case "$ref" | "type" if "items" in path:
            return "The type of the entries is"
        case "type" if value == ["null"]:
            return "Null is"
        case "type":
            return f"The type {value} is"
        case "format" if not prose.limits({"format": value}):
            return f"The format {value} is"
        case "name":
            return f"The name `{value}` is"
        case "style" | "explode":
            return "The encoding is"
        case "enum" if isinstance(value, list):
            names = prose.listed([f"`{each}`" for each in value])
            return f"{names} {'is' if len(value) == 1 else 'are'}"
        case "required" if isinstance(value, list) and len(value) > _FEW:
            return "Which fields always have a value is"
        case "required" if isinstance(value, list):
            names = prose.listed([f"`{each}`" for each in value])
            return f"That {names} always {'has' if len(value) == 1 else 'have'} a value is"
        case "required":
            return "That it is required is"
        case "x-extensible-enum":
            return "Which values there are is"
        case "x-timezone":
            return f"{value} is"
        case "x-unit":
            return f'"in {value}" is'
        case "x-retry-safety":
            return "What repeating it does is"
        case str(word) if limits := prose.limits({word: value}):
            return f'"{limits.removesuffix(".")}" is'
        case str(word) if word.startswith("x-") and word not in CLAIMS:
            return None
        case str(word) if isinstance(value, str | int):
            return f'"{word.removeprefix("x-").replace("-", " ")}: {value}" is'
    return "Some of it is"
