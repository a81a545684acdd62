"""Imports of the runtime: no circles, and no library that may be missing.

A request's walk, such as `client.posts.update(post_id, publication_date=…)`:

1. `update`, which was generated, calls `build_update`, and that `request.request.prepare`
2. `request.validation` checks the arguments, `core.times` writes the date as text
3. `engine.client.send` (up), `engine.execute`: the attempts, as steps
4. `limits.budget`: room for each
5. `transport.middleware`, `transport.sending`, `transport.http` (up) and back with the response
6. `limits.budget` settles the permit with the rate headers
7. `response.decode`, called by `engine.execute` (up): from bytes to the model

It climbs three times.
"""

from __future__ import annotations

import ast
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.support.exports import unlisted

RUNTIME = Path(__file__).parents[2] / "templates" / "runtime"
MODULES = {
    ".".join(path.relative_to(RUNTIME).with_suffix("").parts): path
    for path in sorted(RUNTIME.rglob("*.py"))
    if path.name != "__init__.py"
}


def imports(module: str) -> set[str]:
    """All modules of the runtime that a module imports, anywhere in it."""
    found = set()
    package = module.split(".")[:-1]
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
            for each in node.names:
                names = (".".join([*base, each.name]), ".".join(base))
                found |= {next(name for name in names if name in MODULES)}
    return found


def test_no_imports_run_in_a_circle() -> None:
    order = TopologicalSorter({module: imports(module) for module in MODULES})
    assert len([*order.static_order()]) == len(MODULES)


@pytest.mark.parametrize("module", MODULES)
def test_types_need_no_library_that_may_be_missing(module: str) -> None:
    """A statement that imports one is an error for who checks types without it."""
    known = {*sys.stdlib_module_names, "httpx2", "httpcore2", "anyio", "msgspec"}
    known |= {"typing_extensions"}  # whose types every checker brings along
    named: set[str] = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            named |= {each.name.partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            named.add((node.module or "").partition(".")[0])
    assert "__future__" in named
    assert named <= known


def test_modules_list_all_that_they_export() -> None:
    assert unlisted(RUNTIME) == []
