"""Put a document and the files that it refers to into one.

References between files have the form `<file>#/components/<section>/<Name>`; the component moves
into the bundle under its own name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.openapi.documents import Document, Pointer, load, lookup, reference_pointer
from pipeline.openapi.objects import NAMED, as_dict
from pipeline.openapi.problems import Finding, PipelineError, Position, in_order


def bundle(path: Path, unresolved: list[Finding] | None = None) -> Document:
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
    main = load(path)
    if not isinstance(main.data, dict):
        raise PipelineError(Finding("the document must be an object", main.at(()), "bundle"))
    bundler = _Bundler(path, main)
    bundler.run()
    problems = bundler.findings
    if unresolved is None:
        problems = [*bundler.unresolved, *problems]
    else:
        unresolved += bundler.unresolved
    if problems:
        raise PipelineError(*in_order(problems))
    return Document(main.name, bundler.data, bundler.positions)


class _Bundler:
    def __init__(self, path: Path, main: Document) -> None:
        self.path, self.main = path, main
        self.documents = {path.resolve(): main}
        self.data: dict[str, Any] = {}
        self.positions: dict[Pointer, Position] = {}
        self.homes: dict[Pointer, tuple[Path, Position | None]] = {}
        self.findings: list[Finding] = []
        self.unresolved: list[Finding] = []

    def run(self) -> None:
        components = as_dict(self.main.data.get("components"))
        own = [
            (("components", section, name), value)
            for section, entries in components.items()
            for name, value in as_dict(entries).items()
        ]
        for pointer, value in own:
            if not _is_foreign(value):
                self.homes[pointer] = (self.path.resolve(), self.main.at(pointer))
        for key, value in self.main.data.items():
            if key != "components":
                self.data[key] = self.copy(self.main, value, (key,))
        for section in components:
            self.data.setdefault("components", {}).setdefault(section, {})
        for pointer, value in own:
            if _is_foreign(value):
                self.reference(self.main, value["$ref"], pointer, alias=pointer[2])
                self.data["components"][pointer[1]].setdefault(pointer[2], value)
            else:
                self.data["components"][pointer[1]][pointer[2]] = self.copy(
                    self.main, value, pointer
                )
        for place in ((), ("components",)):
            if position := self.main.positions.get(place):
                self.positions.setdefault(place, position)

    def copy(self, document: Document, value: Any, pointer: Pointer) -> Any:
        """Return a node of a file as it stands, at the same place, in the bundle."""
        if position := document.positions.get(pointer):
            self.positions[pointer] = position
        if isinstance(value, list):
            return [self.copy(document, item, (*pointer, n)) for n, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        result = {}
        for key, item in value.items():
            result[key] = self.copy(document, item, (*pointer, key))
            if key == "$ref" and isinstance(item, str) and _may_refer(pointer):
                result[key] = self.reference(document, item, (*pointer, key))
        return result

    def reference(
        self, document: Document, reference: str, source: Pointer, alias: str | int | None = None
    ) -> str:
        """Return a reference as it stands in the bundle, and bring in what it leads to."""
        location, _, fragment = reference.partition("#")
        if not location and document is self.main:
            return reference
        target = reference_pointer(f"#{fragment}")
        if len(target) != 3 or target[0] != "components":
            return self.wrong(document, source, reference, _FORM)
        inside = f"#{fragment}"
        if alias not in (None, target[2]):
            return self.wrong(
                document,
                source,
                reference,
                f"must keep its name: {alias} is not {target[2]}",
            )
        file = Path(document.name)
        other = file.parent / location if location else file
        home = other.resolve()
        try:
            if home not in self.documents:
                self.documents[home] = load(other)
        except PipelineError as error:
            why = "; ".join(str(each) for each in error.findings)
            return self.wrong(document, source, reference, f"cannot be followed: {why}")
        found = self.documents[home]
        if found is self.main:
            return inside
        try:
            value = lookup(found.data, target)
        except (LookupError, TypeError, ValueError):
            return self.wrong(document, source, reference, f"leads to nothing in {other}")
        if target not in self.homes:
            self.homes[target] = (home, found.at(target))
            section = self.data.setdefault("components", {}).setdefault(target[1], {})
            section[target[2]] = None  # keeps its place in the order, and ends a circle
            section[target[2]] = self.copy(found, value, target)
        elif self.homes[target][0] != home:
            text = (
                f"{target[1]}/{target[2]} is defined twice: here by way of {reference}, "
                f"and at {self.homes[target][1]}"
            )
            self.findings.append(Finding(text, document.at(source), "bundle"))
        return inside

    def wrong(self, document: Document, source: Pointer, reference: str, problem: str) -> str:
        """Report a reference, and return it as it is written."""
        text = f"`$ref: {reference}` {problem}"
        at = document.at(source)
        self.unresolved.append(Finding(text, at, "bundle", pointer=source))
        return reference


_FORM = "must have the form <file>#/components/<section>/<Name>"


def _is_foreign(value: Any) -> bool:
    """Return whether a component is nothing but a reference to another file."""
    reference = as_dict(value).get("$ref")
    return isinstance(reference, str) and not reference.startswith("#")


def _may_refer(pointer: Pointer) -> bool:
    """Return whether `$ref` here is a reference: no property, and not in an example or a word."""
    if any(
        str(key).startswith("x-") and around not in NAMED
        for around, key in zip(("", *pointer), pointer, strict=False)
    ):
        return False
    return not ({"example", "examples", "default", "const", "enum"} & set(pointer)) and (
        not pointer or pointer[-1] != "properties"
    )
