"""Modules that people keep inside of a generated package, in `custom/`: found, to be mixed in."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pipeline.codegen.paragraphs import parsed
from pipeline.openapi.problems import Finding, PipelineError, Position

_CUSTOM: Final = "custom"  # the folder inside of the package, which no run writes


def custom_classes(folder: Path, known: Mapping[str, str]) -> tuple[dict[str, str], list[Finding]]:
    """Return the classes of `custom/` that take the place of generated ones, by their names.

    Each comes with its module, such as `custom.orders`. A module of which nothing is used, and
    whose name does not begin with an underscore, is noted.

    Args:
        folder: that of the package.
        known: the classes that may be extended, each with the module of the generated one.

    Raises:
        PipelineError: a module cannot be read, two have the same class, or a class does not extend
            the generated one, whose methods it would hide.
    """
    classes: dict[str, str] = {}
    problems: list[Finding] = []
    notes: list[Finding] = []
    for path in sorted((folder / _CUSTOM).rglob("*.py")):
        module = ".".join(path.relative_to(folder).with_suffix("").parts)
        try:
            tree = parsed(path)
        except PipelineError as error:
            problems += error.findings
            continue
        own = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name in known]
        for node in own:
            if node.name in classes:
                text = f"{node.name} is also in {classes[node.name]}: keep one of them"
                problems.append(_problem(text, path, node.lineno))
            elif not node.bases:
                text = f"{node.name} must extend the generated class: import {node.name} as Base "
                text += f"from ..{known[node.name]}, and write class {node.name}(Base)"
                problems.append(_problem(text, path, node.lineno))
            else:
                classes[node.name] = module
        if not own and not path.name.startswith("_"):
            text = "has no class of a resource or of the client, so the client uses nothing of it"
            notes.append(Finding(text, Position(str(path), 1, 1), "custom", "note"))
    if problems:
        raise PipelineError(*problems)
    return classes, notes


def _problem(text: str, path: Path, line: int) -> Finding:
    return Finding(text, Position(str(path), line, 1), "custom")
