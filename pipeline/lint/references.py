"""References, and what they lead to."""

from __future__ import annotations

import re
from typing import Any, Final

from pipeline.lint.run import Rule, Run
from pipeline.openapi.documents import Pointer
from pipeline.openapi.objects import REFERRING, Node, as_dict
from pipeline.openapi.wording import with_article


def _references(run: Run) -> None:
    """References lead to something of their kind, in this document, and not in a circle."""
    for node in run.of(*REFERRING):
        if isinstance(node.value.get("$ref"), str):
            problem = _problem(run, node, node.value["$ref"])
            if problem:
                at = (*node.pointer, "$ref")
                run.report(at, f"$ref: {node.value['$ref']} {problem}", "ref")


def _problem(run: Run, node: Node, reference: str) -> str | None:
    target = run.target(reference)
    if not reference.startswith("#"):
        return "leads out of the document"
    if not re.match(r"#(/|$)", reference):
        return "is the anchor of nothing here, or of several; write the path from the root"
    if target is None:
        return "leads nowhere"
    kind = run.kinds.get(target)
    if kind != node.kind:
        to = with_article(kind) if kind else "no object"
        return f"leads to {to}, not to {with_article(node.kind)}"
    return "leads back to itself" if _is_in_circle(run, node.pointer, node.value) else None


def _is_in_circle(run: Run, pointer: Pointer, value: Any) -> bool:
    seen = {pointer}
    while isinstance(value, dict) and "$ref" in value:
        target = run.target(value["$ref"])
        if target is None:
            return False
        if target in seen:
            return target == pointer
        seen.add(target)
        value = run.get(target)
    return False


def _mappings(run: Run) -> None:
    """The mapping of a discriminator leads to something."""
    for node in run.of("schema"):
        discriminator = as_dict(node.value.get("discriminator"))
        for name, value in as_dict(discriminator.get("mapping")).items():
            if isinstance(value, str) and "/" in value and run.target(value) is None:
                at = (*node.pointer, "discriminator", "mapping", name)
                run.report(at, f"mapping: {value} leads nowhere", "ref")


RULES: Final[tuple[Rule, ...]] = (_references, _mappings)
