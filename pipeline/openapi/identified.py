"""References by name (`$id`, `$anchor`, `$self`) become paths from the root of their file."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urljoin

from pipeline.openapi.documents import (
    Document,
    Pointer,
    loads,
    lookup,
    pointer_text,
    read_text,
    reference_pointer,
)
from pipeline.openapi.objects import DATA, NAMED, as_dict

_NAMES: Final = re.compile(r"\$(id|anchor|dynamicAnchor|self)\b")


def load_identified(path: Path) -> tuple[Document, dict[str, Pointer]]:
    """Read a file in which references are paths, and its anchors, for references of other files.

    `$id`, `$anchor` and `$dynamicAnchor` have done their work then, and are gone. A reference to
    one that is there twice stays as it is written.
    """
    text = read_text(path)
    document = loads(text, str(path), anchors=True)
    if not _NAMES.search(text):
        return document, {}
    return document, _Names(document).resolve()


class _Names:
    """The names of a file: `resources` by their URIs, `anchors` by URI and name.

    Whatever has a name twice is None there. References wait in `references`, with their base.
    """

    def __init__(self, document: Document) -> None:
        self.data = document.data
        self.file = Path(document.name).absolute().as_uri()
        self.resources: dict[str, Pointer | None] = {self.file: ()}
        self.anchors: dict[tuple[str, str], Pointer | None] = {}
        self.dynamic: Counter[str] = Counter()
        self.references: list[tuple[dict[str, Any], str, str]] = []

    def resolve(self) -> dict[str, Pointer]:
        """Make paths of references, and return the anchors of the file itself."""
        root = _joined(self.file, as_dict(self.data).get("$self", ""))
        self.resources[root] = ()
        self.visit(self.data, (), root, is_map=False)
        for holder, key, base in self.references:
            target = self.target(base, holder[key])
            if target is None:
                continue
            text = pointer_text(target)
            if key != "$dynamicRef":
                holder[key] = text
            elif self.dynamic[holder[key].partition("#")[2]] == 1:
                del holder[key]
                holder["$ref"] = text
        return {
            name: reference_pointer(pointer_text(pointer))
            for (uri, name), pointer in self.anchors.items()
            if pointer is not None and uri in (self.file, root)
        }

    def visit(self, value: Any, pointer: Pointer, base: str, *, is_map: bool) -> None:
        """Take names and references out of a node; the keys of a map are no keywords."""
        if isinstance(value, list):
            for index, item in enumerate(value):
                self.visit(item, (*pointer, index), base, is_map=False)
        if not isinstance(value, dict):
            return
        if not is_map:
            base = self.named(value, pointer, base)
            for key in ("$ref", "$dynamicRef"):
                if isinstance(value.get(key), str):
                    self.references.append((value, key, base))
            mapping = as_dict(as_dict(value.get("discriminator")).get("mapping"))
            self.references += [
                (mapping, key, base) for key, item in mapping.items() if isinstance(item, str)
            ]
        for key, item in value.items():
            if is_map or not (key in DATA or key.startswith("x-")):
                is_names = key in NAMED and not is_map
                self.visit(item, (*pointer, key), base, is_map=is_names)

    def named(self, value: dict[str, Any], pointer: Pointer, base: str) -> str:
        """Take the names of an object away, and return the base of what is in it."""
        if isinstance(value.get("$id"), str):
            base, _, anchor = _joined(base, value.pop("$id")).partition("#")
            if anchor:  # as older versions of JSON Schema have it
                _add(self.anchors, (base, anchor), pointer)
            else:
                _add(self.resources, base, pointer)
        for key in ("$anchor", "$dynamicAnchor"):
            if isinstance(name := value.get(key), str):
                del value[key]
                _add(self.anchors, (base, name), pointer)
                self.dynamic[name] += key == "$dynamicAnchor"
        return base

    def target(self, base: str, reference: str) -> Pointer | None:
        """Return where a reference leads by a name; None if it is a path, or leads elsewhere."""
        uri, _, fragment = _joined(base, reference).partition("#")
        if uri == self.file and fragment[:1] in ("", "/"):
            return None
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            return self.anchors.get((uri, fragment))
        resource = self.resources.get(uri)
        if resource is None:
            return None
        pointer = (*resource, *(reference_pointer(f"#{fragment}") if fragment else ()))
        try:
            lookup(self.data, pointer)
        except (LookupError, TypeError, ValueError):
            return None  # many mean the root of the document all the same
        return pointer


def _add(names: dict[Any, Pointer | None], name: object, pointer: Pointer) -> None:
    names[name] = None if names.get(name, pointer) != pointer else pointer


def _joined(base: str, reference: str) -> str:
    """Return a reference as a whole URI; one that cannot be read stays as it is."""
    if reference.startswith("#"):  # urljoin knows no `urn:`
        return base.partition("#")[0] + reference
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference
