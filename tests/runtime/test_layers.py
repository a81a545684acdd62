"""Imports of the runtime: no library that may be missing (tests/layers has the rest).

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
from pathlib import Path

import pytest

RUNTIME = Path(__file__).parents[2] / "templates" / "runtime"
MODULES = {
    ".".join(path.relative_to(RUNTIME).with_suffix("").parts): path
    for path in sorted(RUNTIME.rglob("*.py"))
    if path.name != "__init__.py"
}


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
