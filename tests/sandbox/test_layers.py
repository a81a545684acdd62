"""The rooms of the sandbox: no modules import each other (tests/layers has the order)."""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import social_publishing_sandbox
from tests.support.exports import unlisted

PACKAGE = social_publishing_sandbox.__name__
ROOT = Path(social_publishing_sandbox.__file__).parent
NEEDED = {
    "compiled": set[str](),
    "state": {"compiled"},
    "worlds": {"state", "compiled"},
    "api": {"state", "compiled"},
    "recording": {"state", "api", "serving", "compiled"},
}
"""Rooms that stand on a few others, and know nothing else."""


def modules() -> dict[str, Path]:
    """Every module by its name below the package, a package by its own."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in ROOT.rglob("*.py")
        if path != ROOT / "__init__.py"
    }


def imports() -> dict[str, set[str]]:
    """What each module imports of the others, wherever the import stands, for types only or not."""
    known = modules()
    found: dict[str, set[str]] = {}
    for name, path in known.items():
        named: set[str] = set()
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                named |= {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert not node.level or name == "documents.objects", f"{path}: a relative import"
                module = f"{PACKAGE}.{node.module}" if node.level else node.module
                of = [f"{module}.{each.name}" for each in node.names]
                named |= {each if _below(each) in known else str(module) for each in of}
        found[name] = {_below(each) for each in named} & known.keys() - {name}
    return found


def _below(name: str) -> str:
    return name.removeprefix(f"{PACKAGE}.")


def test_no_modules_import_each_other() -> None:
    try:
        TopologicalSorter(imports()).prepare()
    except CycleError as error:
        raise AssertionError(f"a circle: {' → '.join(error.args[1])}") from None


def test_rooms_know_what_they_need_and_nothing_else() -> None:
    for room, needed in NEEDED.items():
        known = {
            each.partition(".")[0]
            for name, all_of_it in imports().items()
            if name.partition(".")[0] == room
            for each in all_of_it
        }
        assert known - {room} == needed, room


def test_the_client_is_imported_where_one_is_made_alone() -> None:
    """That it waits until one is made is shown in `tests/contract/test_sandbox_client.py`."""
    imported = re.compile(r"^ *(from|import) social_publishing\b", re.MULTILINE)
    found = {name for name, path in modules().items() if imported.search(path.read_text("utf-8"))}
    assert found == {"sandbox", "pytest_plugin"}


def test_modules_list_all_that_they_export() -> None:
    assert unlisted(ROOT) == []
