"""Give names where a document has none, or two that are one in Python.

What is given is written into the document as the word that an overlay would have used, so that
nothing after this step knows the difference. Words that stand there are never changed.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from typing import Any

from pipeline.codegen import names
from pipeline.lint.python_names import body_fields, method_names, name_of, stream_method
from pipeline.lint.run import Run
from pipeline.openapi.documents import Pointer
from pipeline.openapi.model import Operation
from pipeline.openapi.objects import as_dict, as_list
from pipeline.preparing.methods import Named, name_methods
from pipeline.preparing.revision import Revision

_NAME = "x-python-name"
_VARNAMES = "x-enum-varnames"
_RESERVED = {"mro", "name", "value", *dir(str), *dir(int), *keyword.kwlist}  # in enumerations


def name(revision: Revision, named: Named) -> None:
    """Name operations, classes, properties, arguments, methods and members of enumerations.

    Args:
        named: what other documents of the client have named.
    """
    run = revision.run
    _operation_ids(revision, run)
    _members(revision, run)
    _classes(revision)
    _properties(revision, run)
    name_methods(revision, named)
    run = revision.run  # anew where anything was named, since operations keep what they read
    _streams(revision, run)
    for operation in run.operations:
        _arguments(revision, run, operation)


def _operation_ids(revision: Revision, run: Run) -> None:
    """Give each operation an id of its own: of its method and path, where it has none."""
    taken = {str(each.value.get("operationId")) for each in run.operations}
    seen: set[str] = set()
    for operation in run.operations:
        given = operation.value.get("operationId")
        if isinstance(given, str) and given not in seen and names.words(given):
            seen.add(given)
            continue
        wanted = "_".join(names.words(operation.path.replace("{", "by ")))
        made = names.numbered(f"{operation.method}_{wanted or 'root'}".lower(), taken)
        taken.add(made)
        if given is None:
            text = f"{operation.route} has no operationId: {made}"
        else:
            text = f"operationId: {given!r} cannot name {operation.route}, too: {made}"
        revision.note(operation.pointer, text, "operation-id")
        operation.value["operationId"] = made


def _members(revision: Revision, run: Run) -> None:
    """Replace names of members that no enumeration can have."""
    for node in run.of("schema"):
        given = node.value.get(_VARNAMES)
        values = node.value.get("enum", node.value.get("x-extensible-enum"))
        if given is None:
            continue
        at = (*node.pointer, _VARNAMES)
        if not isinstance(values, list) or not isinstance(given, list) or len(given) != len(values):
            revision.note(at, f"{_VARNAMES}: not a name for each value; left out", "enum-names")
            del node.value[_VARNAMES]
            continue
        made: list[str] = []
        for each in map(str, given):
            usable = each.isidentifier() and not each.startswith("_") and each not in _RESERVED
            made.append(names.numbered(each if usable else names.constant(each), made))
        if made != given:
            revision.note(at, f"{_VARNAMES}: some cannot be names; changed", "enum-names")
            node.value[_VARNAMES] = made


def _classes(revision: Revision) -> None:
    """Give each component schema a name of its own."""
    schemas = as_dict(as_dict(as_dict(revision.data).get("components")).get("schemas"))
    _apart(
        revision,
        (
            (("components", "schemas", key), value, f"schema {key}", names.pascal(key))
            for key, value in schemas.items()
            if isinstance(value, dict)
        ),
        "as Python classes",
        join="",
    )


def _properties(revision: Revision, run: Run) -> None:
    """Give the properties of each schema names of their own."""
    for node in run.of("schema"):
        if "properties" not in node.value and "allOf" not in node.value:
            continue
        found = run.properties(node.pointer, node.value).items()
        _apart(
            revision,
            (
                (at, value, f"property {key}", names.snake(key))
                for key, (at, value) in found
                if isinstance(value, dict)
            ),
            "in Python",
        )


def _streams(revision: Revision, run: Run) -> None:
    """Give methods for streams that stand beside other methods names of their own."""
    taken: dict[str, list[str]] = {}
    for operation in run.operations:
        resource, methods = method_names(operation)
        taken.setdefault(resource, []).extend(methods.values())
    for operation in run.operations:
        name, known = stream_method(run, operation), taken[method_names(operation)[0]]
        if not name:
            continue
        if name in known:
            made = names.numbered(name, known)
            text = f"the stream of {operation.title} cannot be called {name}, too: {made}"
            revision.note(operation.pointer, text, "python-name")
            operation.value["x-stream"] = {**as_dict(operation.value.get("x-stream")), "name": made}
            name = made
        known.append(name)


def _arguments(revision: Revision, run: Run, operation: Operation) -> None:
    """Give the parameters of an operation names that differ from each other and from its body's."""
    taken = {
        name_of(value, wire): f"property {wire}"
        for wire, (_, value) in body_fields(run, operation).items()
    }
    for node in operation.parameters:
        wire, place = str(node.value.get("name")), str(node.value.get("in"))
        title, given = f"parameter {wire} in {place}", name_of(node.value, wire)
        if given in taken and _NAME not in node.value:
            made = names.numbered(f"{place}_{given}", taken)
            text = f"{title} and {taken[given]} are both called {given} in the call: {made}"
            revision.note(node.pointer, text, "python-name")
            _rename(run, operation, node.pointer, {**node.value, _NAME: made})
            given = made
        taken[given] = title


def _rename(run: Run, operation: Operation, pointer: Pointer, renamed: dict[str, Any]) -> None:
    """Put a parameter with another name in the place of one, for this operation alone."""
    own = as_list(operation.value.get("parameters"))
    listed = [
        run.follow((*operation.pointer, "parameters", index), item)[0] == pointer
        for index, item in enumerate(own)
    ]
    kept = [renamed if here else item for here, item in zip(listed, own, strict=True)]
    operation.value["parameters"] = kept if any(listed) else [*own, renamed]


def _apart(
    revision: Revision,
    found: Iterable[tuple[Pointer, dict[str, Any], str, str]],
    where: str,
    join: str = "_",
) -> None:
    """Rename what has the name of another; each comes with its place, value, title and name."""
    each_found = list(found)
    taken = {
        value.get(_NAME) if isinstance(value.get(_NAME), str) else wanted: title
        for _, value, title, wanted in reversed(each_found)
    }
    seen: set[str] = set()
    for at, value, title, wanted in each_found:
        if _NAME in value or (wanted not in seen and taken[wanted] == title):
            seen.add(wanted)
            continue
        made = value[_NAME] = names.numbered(wanted, taken, join)
        taken[made] = title
        text = f"{title} and {taken[wanted]} are both called {wanted} {where}: {made}"
        revision.note(at, text, "python-name")
