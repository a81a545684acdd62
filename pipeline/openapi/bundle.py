"""Put a document and the files that it refers to into one.

References between files have the form `<file>#/components/<section>/<Name>`; the component moves
into the bundle under its own name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from pipeline.openapi.documents import Document, Pointer, load
from pipeline.openapi.problems import Finding, PipelineError, Position


@dataclass
class _Bundle:
    root: Path
    documents: dict[Path, Document] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)
    positions: dict[Pointer, Position] = field(default_factory=dict)
    origins: dict[tuple[str, str], tuple[Path, Position | None]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def bundle(path: Path) -> Document:
    """Load a document with everything that it refers to, as one document without file references.

    A component that is nothing but a reference to another file's component becomes that component.
    The order of the document is kept; components of other files follow in the order of their use.

    Raises:
        PipelineError: a file cannot be read, a reference does not lead to a component, or two
            files define different components of one name; all of them are named.
    """
    main = load(path)
    state = _Bundle(path.parent, {path.resolve(): main})
    if not isinstance(main.data, dict):
        raise PipelineError(Finding("the document must be an object", main.at(()), "bundle"))
    components = main.data.get("components")
    for section, entries in (components if isinstance(components, dict) else {}).items():
        if isinstance(entries, dict):
            for name, value in entries.items():
                pointer: Pointer = ("components", section, name)
                if not _foreign(value):
                    state.origins[section, name] = (path.resolve(), main.at(pointer))
    state.data = {}
    for key, value in main.data.items():
        if key != "components":
            state.data[key] = _copy(state, main, path, value, (key,), (key,))
    for section, entries in (components if isinstance(components, dict) else {}).items():
        target = state.data.setdefault("components", {}).setdefault(section, {})
        if not isinstance(entries, dict):
            continue
        for name, value in entries.items():
            pointer = ("components", section, name)
            if _foreign(value):
                _reference(state, main, path, value["$ref"], pointer, name)
            else:
                target[name] = _copy(state, main, path, value, pointer, pointer)
    if state.findings:
        raise PipelineError(*state.findings)
    for pointer in ((), ("components",)):
        if position := main.positions.get(pointer):
            state.positions.setdefault(pointer, position)
    return Document(main.name, state.data, state.positions)


def _foreign(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("$ref"), str)
        and not value["$ref"].startswith("#")
    )


def _copy(
    state: _Bundle, document: Document, file: Path, value: Any, source: Pointer, target: Pointer
) -> Any:
    """Copy a node of a file into the bundle; references to files become references inside it."""
    if position := document.positions.get(source):
        state.positions[target] = position
    if isinstance(value, list):
        return [
            _copy(state, document, file, item, (*source, index), (*target, index))
            for index, item in enumerate(value)
        ]
    if not isinstance(value, dict):
        return value
    result = {}
    for key, item in value.items():
        if key == "$ref" and isinstance(item, str) and _is_reference_position(source):
            if position := document.positions.get((*source, key)):
                state.positions[*target, key] = position
            result[key] = _reference(state, document, file, item, (*source, key))
        else:
            result[key] = _copy(state, document, file, item, (*source, key), (*target, key))
    return result


def _is_reference_position(pointer: Pointer) -> bool:
    """Return whether `$ref` here is a reference, not a property or inside of an example."""
    return not ({"example", "examples", "default", "const", "enum"} & set(pointer)) and (
        not pointer or pointer[-1] != "properties"
    )


def _reference(
    state: _Bundle,
    document: Document,
    file: Path,
    reference: str,
    source: Pointer,
    alias: str | None = None,
) -> str:
    """Return the reference as it stands in the bundle, and bring in what it leads to."""
    location, _, fragment = reference.partition("#")
    main_file, main = next(iter(state.documents.items()))
    if not location and document is main:
        return reference
    position = document.at(source)
    other = (file.parent / PurePosixPath(location)) if location else file
    parts = fragment.split("/")
    if len(parts) != 4 or parts[:2] != ["", "components"]:
        state.findings.append(
            Finding(
                f"`$ref: {reference}` must have the form <file>#/components/<section>/<Name>",
                position,
                "bundle",
            )
        )
        return reference
    section, name = parts[2], parts[3].replace("~1", "/").replace("~0", "~")
    inside = f"#/components/{section}/{parts[3]}"
    if alias is not None and alias != name:
        state.findings.append(
            Finding(
                f"`$ref: {reference}` must keep its name: {alias} is not {name}", position, "bundle"
            )
        )
        return inside
    resolved = other.resolve()
    if resolved not in state.documents:
        try:
            state.documents[resolved] = load(other)
        except PipelineError as error:
            state.findings.append(
                Finding(f"`$ref: {reference}` cannot be followed", position, "bundle")
            )
            state.findings.extend(error.findings)
            return inside
    if resolved == main_file:
        return inside
    target = state.documents[resolved]
    pointer: Pointer = ("components", section, name)
    try:
        value = target.data["components"][section][name]
    except (KeyError, TypeError):
        state.findings.append(
            Finding(f"`$ref: {reference}` leads to nothing in {other}", position, "bundle")
        )
        return inside
    origin = state.origins.get((section, name))
    if origin is None:
        state.origins[section, name] = (resolved, target.at(pointer))
        place = state.data.setdefault("components", {}).setdefault(section, {})
        place[name] = None  # keeps its place in the order, and ends a circle of references
        place[name] = _copy(state, target, other, value, pointer, pointer)
    elif origin[0] != resolved:
        state.findings.append(
            Finding(
                f"{section}/{name} is defined twice: here by way of {reference}, "
                f"and at {origin[1]}",
                position,
                "bundle",
            )
        )
    return inside
