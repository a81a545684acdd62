"""References, and what they lead to; and the properties that schemas require."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pipeline.lint.run import Rule, Run
from pipeline.openapi.documents import Pointer, found, pointer_text
from pipeline.openapi.objects import REFERRING, Node, as_dict, as_list
from pipeline.openapi.references import EMPTY, pointer_of
from pipeline.openapi.wording import brief, close, near, with_article

_FEW: Final = 6  # properties that can be named in a sentence
# What holds for the same object as the schema around it: a list, one schema, or a map of them.
_LISTS: Final = ("allOf", "anyOf", "oneOf")
_SINGLE: Final = ("not", "if", "then", "else")
_MAPS: Final = ("dependentSchemas",)


def _references(run: Run) -> None:
    """References lead to something of their kind, in this document, and not in a circle."""
    for node in run.of(*REFERRING):
        if isinstance(node.value.get("$ref"), str):
            problem = problem_of(run, node, node.value["$ref"])
            if problem:
                at = (*node.pointer, "$ref")
                run.report(at, f"$ref: {node.value['$ref']} {problem}", "ref")


def problem_of(run: Run, node: Node, reference: str) -> str | None:
    """Return what is wrong with the reference of an object; None where nothing is."""
    if not reference:
        return EMPTY
    target = run.target(reference)
    if not reference.startswith("#"):
        return "points outside the document"
    if not re.match(r"#(/|$)", reference):
        return "is a name that no $anchor has, or several; write the path from the root"
    if target is None:
        return f"leads nowhere{_meant(run, pointer_of(reference) or ())}"
    kind = run.kinds.get(target)
    if kind != node.kind:
        to = with_article(kind) if kind else "no object"
        return f"leads to {to}, not to {with_article(node.kind)}"
    return "leads back to itself" if run.ends.get(node.pointer) == node.pointer else None


def _meant(run: Run, pointer: Pointer) -> str:
    """Return a hint at what a reference that leads nowhere means: its name, or the whole of it."""
    *around, name = pointer
    if close(str(name), as_dict(found(run.data, tuple(around)))):
        return near(str(name), as_dict(found(run.data, tuple(around))))
    right: Pointer = ()
    for part in pointer:
        known = as_dict(found(run.data, right))
        right = (*right, part if part in known else close(str(part), known))
    is_there = found(run.data, right) is not None
    return f"; did you mean {pointer_text(right)}?" if is_there else ""


def _mappings(run: Run) -> None:
    """The mapping of a discriminator leads to schemas that a value may be."""
    for node in run.of("schema"):
        mapping = as_dict(as_dict(node.value.get("discriminator")).get("mapping"))
        known: set[Pointer] | None = None
        for name, value in mapping.items():
            at = (*node.pointer, "discriminator", "mapping", name)
            if not isinstance(value, str):
                continue
            if "/" in value and run.target(value) is None:
                run.report(at, f"mapping: {value} leads nowhere", "ref")
                continue
            target = run.target(value) or ("components", "schemas", value)
            if run.kinds.get(target) != "schema":
                hint = near(value, as_dict(found(run.data, target[:-1])))
                text = f"mapping: {name} is {brief(value)}, which names no schema; not used{hint}"
                run.report(at, text, "ref", "note")
                continue
            if known is None:
                known = {at for at, _ in run.applied(node.pointer, node.value, "anyOf", "oneOf")}
            extended = (at for at, _ in run.applied(target, run.get(target)))
            if target not in known and node.pointer not in extended:
                has_cases = node.value.keys() & {"anyOf", "oneOf"}
                why = "is none of the alternatives" if has_cases else "does not extend this one"
                text = f"mapping: {name} leads to {run.title(target)}, which {why}; not used"
                run.report(at, text, "ref", "note")


def _required(run: Run) -> None:
    """What is required is a property: of the schema, of one around it, or of a branch of these."""
    for node in run.of("schema"):
        names = as_list(node.value.get("required"))
        own = as_dict(node.value.get("properties"))
        if all(isinstance(name, str) and name in own for name in names):
            continue
        around = [*_of_one_object(run, node.pointer)]
        held = {name for at in around for name in run.properties(at, run.get(at))}
        if all(isinstance(name, str) and name in held for name in names):
            continue
        parts = [
            part  # that holds in one of the branches at least
            for at in around
            for _, part in run.applied(at, run.get(at), "anyOf", "oneOf")
        ]
        if any("patternProperties" in part for part in parts):
            continue
        known = {name for part in parts for name in as_dict(part.get("properties"))}
        for index, name in enumerate(names):
            if isinstance(name, str) and name not in known:
                text = f"required: {name} is not a property of {run.title(node.pointer)}"
                at = (*node.pointer, "required", index)
                has = f"; it has {', '.join(sorted(known))}" if 0 < len(known) <= _FEW else ""
                run.report(at, f"{text}{near(name, known) or has}", "required", run.house)


def _of_one_object(run: Run, pointer: Pointer) -> Iterator[Pointer]:
    """Yield a schema, and those around it that hold for the same object."""
    while run.kinds.get(pointer) == "schema":
        yield pointer
        if pointer[-2:-1] and pointer[-2] in (*_LISTS, *_MAPS):
            pointer = pointer[:-2]
        elif pointer[-1] in _SINGLE:
            pointer = pointer[:-1]
        else:
            return


RULES: Final[tuple[Rule, ...]] = (_references, _mappings, _required)
