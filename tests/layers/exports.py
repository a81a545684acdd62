"""What the modules of a folder say that they export, beside what they define."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

__all__ = ["unlisted"]

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def unlisted(folder: Path) -> list[str]:
    """Return what modules with `__all__` define, or import to export it, and do not list there."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in folder.rglob("*.py")}
    return sorted(
        f"{path.relative_to(folder).as_posix()}: {name}"
        for path, tree in trees.items()
        if (listed := _listed(tree)) is not None
        for name in _public(tree, is_package=path.name == "__init__.py")
        if not name.startswith("_") and name not in listed
    )


def _listed(tree: ast.Module) -> list[str] | None:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                return [each for each in ast.literal_eval(value)]
    return None


def _public(tree: ast.Module, is_package: bool) -> Iterator[str]:
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in tree.body:
        if isinstance(node, _DEFINITIONS):
            yield node.name
        elif isinstance(node, ast.ImportFrom) and is_package and node.module != "__future__":
            yield from {each.asname or each.name for each in node.names} - used
