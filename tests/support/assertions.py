"""A plugin of pytest: names the assertions of a run's modules that were never executed.

`nox -s assertions` runs the tests with it. pytest reports each assertion that holds, and one that
does not is a failure; what is left under an `if` or in a loop over nothing has shown nothing.
"""

from __future__ import annotations

import ast
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

Place = tuple[str, int]

_executed: set[Place] = set()
_modules: set[str] = set()
_skipped: set[str] = set()
_TESTS = str(Path(__file__).parents[1])

# Modules whose byte code was made without this plugin report nothing.
sys.pycache_prefix = tempfile.mkdtemp(prefix="assertions-")


def pytest_assertion_pass(lineno: int) -> None:
    frame: Any = sys._getframe(1)
    while frame is not None and not frame.f_code.co_filename.startswith(_TESTS):
        frame = frame.f_back
    if frame is not None:
        _executed.add((frame.f_code.co_filename, lineno))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    _modules.update(str(item.path) for item in items)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.outcome == "skipped":
        _skipped.add(report.nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _executed.update(map(tuple, node.workeroutput["executed"]))
    _modules.update(node.workeroutput["modules"])


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput |= {"executed": list(_executed), "modules": list(_modules)}


def pytest_terminal_summary(terminalreporter: Any) -> None:
    never = sorted(place for name in _modules for place in _assertions(name) - _executed)
    terminalreporter.section(f"assertions never executed: {len(never)}")
    for name, line in never:
        terminalreporter.line(f"{Path(name).relative_to(Path.cwd())}:{line}")
    if _skipped:
        terminalreporter.line(f"{len(_skipped)} tests were skipped; theirs are among them.")


def _assertions(name: str) -> set[Place]:
    tree = ast.parse(Path(name).read_text(encoding="utf-8"))
    return {(name, node.lineno) for node in ast.walk(tree) if isinstance(node, ast.Assert)}
