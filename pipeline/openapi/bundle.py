"""Put a document and the files that it refers to into one.

A component that another file refers to moves into the bundle under its own name. Whatever else is
referred to, a whole file or a part of one, becomes a component with the name of that part or file.
Where OpenAPI knows no reference, as in the place of an operation, the bundle has a copy.
Only files in the folder of the document, and in folders that are allowed, are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain, count
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

from pipeline.openapi.documents import (
    Document,
    Pointer,
    loads,
    lookup,
    pointer_text,
    read_text,
    real_path,
    seen_from,
)
from pipeline.openapi.documents import found as value_at
from pipeline.openapi.objects import DATA, NAMED, PATTERNED, SHAPES, as_dict, as_list, kind_at
from pipeline.openapi.problems import Finding, PipelineError, Position, in_order
from pipeline.openapi.references import EMPTY, pointer_of
from pipeline.openapi.wording import brief, near

# How is read what only stops a document that says of itself all that it says.
_READ: Final = {
    "number": "read as the nearest value",
    "json": "read as YAML",
    "circle": "left out",
}


def bundle(
    path: Path, unresolved: list[Finding] | None = None, allowed: Iterable[Path] = ()
) -> Document:
    """Load a document with everything that it refers to, as one document without file references.

    A component that is nothing but a reference to another file's component becomes that component.
    The order of the document is kept; components of other files follow in the order of their use.

    Args:
        unresolved: where it is given, a reference that does not lead to a component stays as it is
            written and is reported there, so that an overlay can still mend it.

    Raises:
        PipelineError: a file cannot be read, a reference does not lead to a component, or two
            files define different components of one name; all of them are named.
    """
    main = _load(path)
    if not isinstance(main.data, dict):
        text = f"the document must be an object, is {brief(main.data)}"
        raise PipelineError(Finding(text, main.at(()), "bundle"))
    bundler = _Bundler(path, main, [path.parent, *allowed])
    bundler.run()
    problems = bundler.findings
    read = [each for one in bundler.documents.values() for each in one.anchors]
    if main.is_native:  # what a document says of itself stands there in full
        problems = [*problems, *read]
    elif unresolved is not None:
        unresolved += [
            replace(each, message=f"{each.message}; {_READ[each.rule]}", severity="note")
            for each in read
            if each.rule in _READ
        ]
    if unresolved is None:
        problems = [*bundler.unresolved, *problems]
    else:
        unresolved += bundler.unresolved
    if problems:
        raise PipelineError(*in_order(problems))
    files = tuple(Path(each.name) for each in bundler.documents.values())
    return Document(main.name, bundler.data, bundler.positions, files=files)


class _Bundler:
    def __init__(self, path: Path, main: Document, folders: list[Path]) -> None:
        self.path, self.main = path, main
        self.real_path = cache(real_path)
        self.folders = [self.real_path(folder) for folder in folders]
        self.documents = {self.real_path(path): main}
        self.data: dict[str, Any] = {}
        self.positions: dict[Pointer, Position] = {}
        self.homes: dict[Pointer, tuple[Path, Position | None]] = {}
        self.names: dict[tuple[Path, Pointer, str], str] = {}  # of what is no component there
        self.around: list[tuple[Path, Pointer]] = []  # what is being put in place of references
        self.anchors: dict[str, dict[str, str]] = {}  # of each file, with their places
        self.findings: list[Finding] = []
        self.unresolved: list[Finding] = []

    def run(self) -> None:
        written = self.spread(self.main.data.get("components", {}), ("components",))
        if isinstance(written, dict):
            at = "components"
            written = {key: self.spread(each, (at, key)) for key, each in written.items()}
        components = as_dict(written)
        own = [
            (("components", section, name), self.by_place(self.main, value))
            for section, entries in components.items()
            for name, value in as_dict(entries).items()
        ]
        for pointer, value in own:
            if not _is_foreign(value) or _has_more(pointer, value):
                self.homes[pointer] = (self.real_path(self.path), self.main.at(pointer))
            else:  # what is no component there has its name from here
                home, target = _located(self.main, value["$ref"])
                if not _is_component(target):
                    self.names.setdefault(
                        (self.real_path(home), target, str(pointer[1])), str(pointer[2])
                    )
        wrong = {key: each for key, each in components.items() if not isinstance(each, dict)}
        if wrong or not isinstance(written, dict):  # it stays, for a later step to report
            self.data["components"] = wrong or written
        for key, value in self.main.data.items():
            if key != "components":
                self.data[key] = self.copy(self.main, value, (key,), (key,))
        for section in components:
            self.data.setdefault("components", {}).setdefault(section, {})
        for pointer, value in own:
            kind = kind_at(pointer)
            if kind and _is_foreign(value) and not _has_more(pointer, value):
                source = self.written(self.main, pointer, pointer)
                reference = self.reference(self.main, value["$ref"], source, kind)
                section = self.data["components"][pointer[1]]
                section.setdefault(pointer[2], {**value, "$ref": reference})
            else:
                self.data["components"][pointer[1]][pointer[2]] = self.copy(
                    self.main, value, pointer, pointer
                )
        for place in ((), ("components",)):
            if position := self.main.positions.get(place):
                self.positions.setdefault(place, position)

    def spread(self, value: Any, pointer: Pointer) -> Any:
        """Return components, or a section of them, with a reference for each part of its file.

        OpenAPI knows none in their place; tools that put files together do.
        """
        if not _is_foreign(value):
            return value
        others = {key: item for key, item in value.items() if key != "$ref"}
        document, target, followed = self.main, pointer, set()
        while isinstance(reference := as_dict(value).get("$ref"), str):
            leads_to = self.found(document, reference, self.written(document, target, pointer))
            if leads_to is None:  # what needs the components has an error of its own
                self.costs_nothing()
                return others
            if (leads_to[0].name, leads_to[1]) in followed:
                return others
            document, target, value = leads_to
            followed.add((document.name, target))
        file = quote(seen_from(Path(self.main.name).parent, document.name))
        places = {key: quote(pointer_text((*target, key)), safe="#/~") for key in as_dict(value)}
        parts = {key: {"$ref": f"{file}{place}"} for key, place in places.items()}
        return {**parts, **others}

    def copy(self, document: Document, value: Any, at: Pointer, pointer: Pointer) -> Any:
        """Return a node, by its place in a file, as it stands at a pointer of the bundle."""
        if position := document.positions.get(at):
            self.positions[pointer] = position
        if isinstance(value, list):
            return [
                self.copy(document, item, (*at, n), (*pointer, n)) for n, item in enumerate(value)
            ]
        if not isinstance(value, dict):
            return value
        if _may_refer(pointer):
            value = self.within(document, self.by_place(document, value), at)
            # What is put in place in an unknown member, which nothing reads, may hold itself.
            if self.around and not kind_at(pointer) and not kind_at(pointer[:-1]):
                value = {key: item for key, item in value.items() if key != "$ref"}
        if self.is_put_in_place(document, value, pointer):
            return self.inlined(document, value, at, pointer)
        result = {}
        maps = pointer[-1:] == ("mapping",) and kind_at(pointer[:-1]) == "discriminator"
        for key, item in value.items():
            if key in _NAMES and kind_at(pointer) == "schema":
                continue
            result[key] = self.copy(document, item, (*at, key), (*pointer, key))
            is_mapped = maps or (key == "defaultMapping" and kind_at(pointer) == "discriminator")
            if is_mapped and isinstance(item, str) and self.leads_elsewhere(document, item):
                known = len(self.unresolved)
                result[key] = self.reference(document, item, (*pointer, key), "schema")
                if result[key] == item and self.unresolved[known:]:  # only this value is lost
                    text = f"{self.unresolved[-1].message}; not used"
                    self.unresolved[-1] = replace(
                        self.unresolved[-1], message=text, severity="note"
                    )
            if key == "$ref" and isinstance(item, str) and _may_refer(pointer):
                result[key] = self.reference(document, item, (*pointer, key))
        return result

    def by_place(self, document: Document, value: Any) -> Any:
        """Return a node whose reference by a name, an `$anchor` or `$id`, is one by a place.

        A `$dynamicRef` is one where only one schema of its file has the name.
        """
        for word in ("$ref", "$dynamicRef"):
            reference = as_dict(value).get(word)
            if not isinstance(reference, str):
                continue
            location, _, name = reference.partition("#")
            if word == "$ref" and (not name or name.startswith("/")) and ":" not in location:
                continue
            file = Path(document.name).parent / unquote(location)
            try:
                named = document if not location or ":" in location else self.load(file)
            except PipelineError:
                continue  # which is reported where it is followed
            if named.name not in self.anchors:
                self.anchors[named.name] = _anchors(named.data)
            known = self.anchors[named.name]
            place = known.get(f"#{name}", "")
            if ":" in location:
                root, location = known.get(location), ""
                place = (place or root + name) if root else ""
            if place:
                others = {key: item for key, item in value.items() if key != word}
                return {"$ref": f"{location}{place}", **others}
        return value

    def within(self, document: Document, value: dict[str, Any], at: Pointer) -> dict[str, Any]:
        """Return a node whose reference is one of a schema around it, which it is the root of.

        A schema with an `$id` is; others are read so where the reference leads nowhere else.
        """
        reference = value.get("$ref")
        if not isinstance(reference, str) or not (place := pointer_of(reference)):
            return value
        around = [at[:length] for length in range(len(at), 0, -1)]
        roots = [each for each in around if "$id" in as_dict(value_at(document.data, each))]
        if value_at(document.data, place) is None:
            roots += around
        for root in roots:
            if value_at(document.data, (*root, *place)) is not None:
                return {**value, "$ref": pointer_text((*root, *place))}
        return value

    def is_put_in_place(self, document: Document, value: dict[str, Any], pointer: Pointer) -> bool:
        """Return whether the reference of a node can be none at a place of the bundle.

        Nor can that of a path item which has members of its own.
        """
        reference, kind = value.get("$ref"), kind_at(pointer)
        if not isinstance(reference, str) or not _may_refer(pointer):
            return False
        if kind == "path item":
            return not value.keys().isdisjoint(SHAPES[kind])
        return kind not in _SECTIONS and not _is_component(_located(document, reference)[1])

    def inlined(
        self, document: Document, value: dict[str, Any], at: Pointer, pointer: Pointer
    ) -> Any:
        """Return a copy of what a node refers to, with the node's other members in it."""
        source = self.written(document, at, pointer)
        others = {key: item for key, item in value.items() if key != "$ref"}
        leads_to = self.found(document, value["$ref"], source)
        if leads_to is None and not kind_at(pointer) and not kind_at(pointer[:-1]):
            self.costs_nothing()
            return others
        if leads_to is None:
            return value
        other, target, meant = leads_to
        place = (self.real_path(Path(other.name)), target)
        if place in self.around:
            self.wrong(document, source, value["$ref"], "leads back to itself")
            return value
        self.around.append(place)
        result = self.copy(other, meant, target, pointer)
        self.around.pop()
        if not isinstance(result, dict):
            return result
        listed = others.pop("parameters", None)
        own = self.copy(document, others, at, pointer)
        members = SHAPES.get(kind_at(pointer), {})
        for key in [each for each in own if each in members and each in result]:
            self.hides(key, own[key], result[key], document.at((*at, key)))
        if isinstance(listed, list):
            own["parameters"] = [*as_list(result.get("parameters"))]
            for index, each in enumerate(listed):
                written = (*at, "parameters", index)
                self.add_parameter(document, each, written, own["parameters"], pointer)
        elif listed is not None:
            own["parameters"] = listed
        return {**result, **own}

    def add_parameter(
        self, document: Document, value: Any, at: Pointer, listed: list[Any], pointer: Pointer
    ) -> None:
        """Add a parameter of a file to those of a path item; it takes the place of its like."""
        place = (*pointer, "parameters", len(listed))
        refers = "$ref" in as_dict(value)
        name = self.name_of(self.copy(document, value, at, place) if refers else value)
        like = (n for n, each in enumerate(listed) if name and self.name_of(each) == name)
        index = next(like, len(listed))
        made = self.copy(document, value, at, (*pointer, "parameters", index))
        for each in listed[index : index + 1]:
            self.hides(f"parameter {name[0]}", made, each, document.at(at))
        listed[index : index + 1] = [made]

    def name_of(self, parameter: Any) -> tuple[str, ...]:
        """Return the name and the place of a parameter of the bundle; nothing if it has none."""
        place = pointer_of(str(as_dict(parameter).get("$ref")))
        if place:
            parameter = value_at(self.data, place) or value_at(self.main.data, place)
        said = [as_dict(parameter).get(word) for word in ("name", "in")]
        return tuple(each for each in said if isinstance(each, str))

    def hides(self, name: str, own: Any, other: Any, position: Position | None) -> None:
        """Say that what stands beside a reference takes the place of what it leads to."""
        if own != other:
            text = f"{name}: stands here and where `$ref` leads, too; this one is used"
            self.unresolved.append(Finding(text, position, "bundle", "note"))

    def written(self, document: Document, at: Pointer, pointer: Pointer) -> Pointer:
        """Return the place in the bundle of the reference of a node, which is written in a file."""
        source = (*pointer, "$ref")
        if position := document.positions.get((*at, "$ref")):
            self.positions[source] = position
        return source

    def found(
        self, document: Document, reference: str, source: Pointer
    ) -> tuple[Document, Pointer, Any] | None:
        """Return where a reference leads: a document, a place and the value; or report it."""
        if not reference:
            self.wrong(document, source, reference, EMPTY)
            return None
        if re.match("[A-Za-z][A-Za-z0-9+.-]+:", reference):
            text = (
                "cannot be followed: addresses are not fetched; put the file next to the document"
            )
            self.wrong(document, source, reference, text)
            return None
        other, target = _located(document, reference)
        try:
            loaded = self.load(other)
        except PipelineError as error:
            why = "; ".join(str(each) for each in error.findings)
            cause = error.findings[0]
            if cause.rule == "file" and other.parent.is_dir():
                why += near(other.name, (each.name for each in other.parent.iterdir()))
            self.wrong(document, source, reference, f"cannot be followed: {why}", cause)
            return None
        try:
            return loaded, target, lookup(loaded.data, target)
        except (LookupError, TypeError, ValueError):
            known = as_dict(value_at(loaded.data, target[:-1]))
            hint = near(str(target[-1]), known) if target else ""
            self.wrong(document, source, reference, f"leads to nothing in {other}{hint}")
            return None

    def load(self, path: Path) -> Document:
        """Return a file that a reference leads to."""
        home = self.real_path(path)
        if home not in self.documents:
            if not any(home.is_relative_to(folder) for folder in self.folders):
                text = f"{path} is outside the folder of the document: `--allow-files DIR`, or"
                raise PipelineError(Finding(f"{text} `allow_files` of the document, allows it"))
            self.documents[home] = _load(path)
        return self.documents[home]

    def reference(
        self,
        document: Document,
        reference: str,
        source: Pointer,
        kind: str | None = None,
    ) -> str:
        """Return a reference as it stands at a place of the bundle, and bring in its target.

        Without a kind, it leads to one of the object around it.
        """
        fragment = reference.partition("#")[2]
        if document is self.main and self.is_in_place(reference):
            return reference
        kind = kind or kind_at(source[:-1])
        leads_to = self.found(document, reference, source)
        if leads_to is None:
            return reference
        holder, target, value = leads_to
        if holder is self.main and self.is_in_place(f"#{fragment}"):
            return f"#{fragment}"
        home = self.real_path(Path(holder.name))
        place = target if _is_component(target) else self.place(home, target, _SECTIONS[kind])
        if place not in self.homes:
            around = self.data.setdefault("components", {})
            section = around.setdefault(place[1], {}) if isinstance(around, dict) else None
            if not isinstance(section, dict):
                problem = (
                    f"cannot be included: components.{place[1]} of this document is not an object"
                )
                return self.wrong(document, source, reference, problem)
            self.homes[place] = (home, holder.at(target))
            section[place[2]] = None  # keeps its place in the order, and ends a circle
            section[place[2]] = self.copy(holder, value, target, place)
        elif self.homes[place][0] != home:
            text = (
                f"{target[1]}/{target[2]} is defined twice: here by way of {reference}, "
                f"and at {self.homes[place][1]}"
            )
            self.findings.append(Finding(text, document.at(source), "bundle"))
        return pointer_text(place)

    def is_in_place(self, reference: str) -> bool:
        """Return whether a reference of the document leads to what stays there: OpenAPI knows it.

        What is in other members, such as `definitions`, is brought in like that of other files.
        """
        place = pointer_of(reference)
        return reference.startswith("#") and (
            not place
            or bool(kind_at(place))
            or not DATA.isdisjoint(place)
            or not isinstance(value_at(self.main.data, place), dict | bool)
        )

    def leads_elsewhere(self, document: Document, value: str) -> bool:
        """Return whether a value of a mapping is a reference out of the bundle, and no name."""
        if value.startswith("#"):
            return document is not self.main or not self.is_in_place(value)
        return value.partition("#")[0].endswith((".yaml", ".yml", ".json"))

    def place(self, home: Path, target: Pointer, section: str) -> Pointer:
        """Return where something that is no component in its file stands in the bundle."""
        if (home, target, section) not in self.names:
            own = as_dict(as_dict(self.main.data.get("components")).get(section))
            taken = {*own, *self.names.values(), *(each[2] for each in self.homes)}
            last = str(target[-1]) if target else home.stem
            wanted = re.sub(r"[^A-Za-z0-9._-]+", "_", last).strip("_") or "Part"
            numbered = (f"{wanted}{number}" for number in count(2))
            name = next(each for each in chain([wanted], numbered) if each not in taken)
            self.names[home, target, section] = name
        return ("components", section, self.names[home, target, section])

    def costs_nothing(self) -> None:
        """Make a note of the latest reference that leads nowhere, since nothing needs it."""
        self.unresolved[-1] = replace(self.unresolved[-1], severity="note", pointer=None)

    def wrong(
        self,
        document: Document,
        source: Pointer,
        reference: str,
        problem: str,
        cause: Finding | None = None,
    ) -> str:
        """Report a reference, and return it as it is written."""
        text = f"`$ref: {reference}` {problem}"
        at = self.positions.get(source) or document.at(source)
        self.unresolved.append(Finding(text, at, "bundle", pointer=source, cause=cause))
        return reference


def _load(path: Path) -> Document:
    """Load a file; one of Markdown is a text, such as that of a description."""
    if path.suffix.lower() in (".md", ".markdown", ".txt"):
        return Document(str(path), read_text(path), {(): Position(str(path), 1, 1)})
    return _loaded(read_text(path), str(path))


@lru_cache(maxsize=16)
def _loaded(text: str, name: str) -> Document:
    """Load a document once in a run, which bundles it several times where it looks for causes."""
    return loads(text, name, anchors=True)


def _located(document: Document, reference: str) -> tuple[Path, Pointer]:
    """Return the file that a reference of a document leads to, and the place there."""
    location, _, fragment = reference.partition("#")
    file = Path(document.name)
    path = file.parent / unquote(location) if location else file
    place = pointer_of(f"#{fragment}")
    return path, (f"#{fragment}",) if place is None else place


# They name schemas. References by them are by places in the bundle, where a validator would read
# paths by them.
_NAMES = frozenset({"$id", "$anchor", "$dynamicAnchor"})
# Where components of each kind stand.
_SECTIONS = {kind: section for section, (kind, _) in SHAPES["components"].items()}


def _anchors(data: Any) -> dict[str, str]:
    """Return the places of the schemas of a file, by `#` and their anchors, and by their ids.

    A name that several of them have is none.
    """
    found: dict[str, str] = {}
    several: set[str] = set()
    waiting: list[tuple[Pointer, Any]] = [((), data)]
    while waiting:
        at, node = waiting.pop()
        if isinstance(node, list):
            waiting += [((*at, index), item) for index, item in enumerate(node)]
        if not isinstance(node, dict):
            continue
        named = at[-1:] and at[-1] in NAMED | PATTERNED.keys()  # as a property called default is
        waiting += [((*at, key), item) for key, item in node.items() if named or key not in DATA]
        for word in _NAMES & node.keys():
            name = f"#{node[word]}" if word != "$id" else str(node[word]).removesuffix("#")
            several |= {name} & found.keys()
            found[name] = pointer_text(at)
    return {name: place for name, place in found.items() if name not in several}


def _is_foreign(value: Any) -> bool:
    """Return whether a component is nothing but a reference to another file."""
    reference = as_dict(value).get("$ref")
    return isinstance(reference, str) and not reference.startswith("#")


def _has_more(pointer: Pointer, value: dict[str, Any]) -> bool:
    """Return whether a component is a path item that has members beside its reference."""
    return kind_at(pointer) == "path item" and value.keys() != {"$ref"}


def _is_component(target: Pointer) -> bool:
    """Return whether a place of a file is one that OpenAPI has for components."""
    return len(target) == 3 and target[0] == "components" and target[1] in SHAPES["components"]


def _may_refer(pointer: Pointer) -> bool:
    """Return whether `$ref` in what stands here is a reference: it is no example, and no word."""
    kind, holds = "document", "one"
    for part in map(str, pointer):
        if holds != "one":
            holds = "one"  # the name or the index of an object
            continue
        shape = SHAPES.get(kind, {})
        is_data = part in DATA and kind not in PATTERNED and part not in shape
        if part.startswith("x-") or kind == "example" or is_data:
            return False
        kind, holds = (
            (PATTERNED[kind], "one") if kind in PATTERNED else shape.get(part, ("", "one"))
        )
    return True
