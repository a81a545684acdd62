"""What the client that waits does, the asynchronous one does: but for `await`, they are one text.

So a test of one stands for both. What has to differ is named, and asked for both by its own tests.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import social_publishing

PACKAGE = Path(str(social_publishing.__file__)).parent
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SPECIAL = {
    **{f"__a{name}__": f"__{name}__" for name in ("enter", "exit", "iter", "next")},
    "StopAsyncIteration": "StopIteration",
}
DIFFERENT = {
    "core/clock.py": {"Clock.sleep_async", "Clock.wait_async"},
    "core/waits.py": {"WatchedClock.wait_async"},
    "engine/client.py": {"AsyncClient.stream"},
    "engine/effects.py": {"Pause.run_async", "ConcurrentCalls.run_async"},
    "engine/steps.py": {
        f"{name}.run_async" for name in ("AskToken", "SendAttempt", "ShareRate", "TakePermit")
    },
    "limits/budget.py": {"Budget.take_async"},
    "limits/ledger.py": {"RateStore.reserve_async"},
    "plans/paging.py": {"AsyncPager.__aiter__", "AsyncPager.pages"},
    "plans/streams.py": {"_AsyncStream.aclose", "_AsyncStream._read"},
    "request/file_content.py": {
        f"{name}.chunks_async" for name in ("AsyncStream", "Content", "InMemory")
    },
    "request/multipart.py": {"Multipart._chunks_async"},
    "request/outcome.py": {"OutcomeUnknown.reconcile_async"},
    "transport/connections.py": {
        f"AsyncConnections.{name}" for name in ("close", "explain", "_open")
    },
    "transport/http.py": {"content_async", "_guard_async", "read_async"},
    "transport/pool.py": {"AsyncPoolResponse.aiter_bytes"},
    "transport/sending.py": {"sent_async", "_response_async"},
    "transport/streaming.py": {f"AsyncStreamedResponse.{name}" for name in ("iter_bytes", "_next")},
    "transport/telemetry.py": {"tracing_async"},
}
"""Threads, connections of an event loop, and what a library has in two forms."""


def plain(name: str) -> str:
    """Return a name without what says that it is awaited."""
    name = SPECIAL.get(name, name)
    name = re.sub(r"^_?Async(?=[A-Z_])|_async$|^async_", "", name)
    return name if name.startswith("__") else re.sub("^a(?=close$|iter_)|^_", "", name)


class Waiting(ast.NodeTransformer):
    """Makes of an asynchronous function the one that waits, without docstrings."""

    def visit_Await(self, node: ast.Await) -> Any:
        return self.visit(node.value)

    def visit(self, node: ast.AST) -> Any:
        for kind, other in (
            (ast.AsyncFunctionDef, ast.FunctionDef),
            (ast.AsyncFor, ast.For),
            (ast.AsyncWith, ast.With),
        ):
            if isinstance(node, kind):
                node = other(**dict(ast.iter_fields(node)))
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.comprehension):
            node.is_async = 0
        for field in ("name", "id", "attr"):
            if isinstance(value := getattr(node, field, None), str):
                setattr(node, field, plain(value))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = node.value.replace("Async", "")
        return super().visit(node)


def twins() -> Iterator[tuple[str, str, ast.AST, ast.AST]]:
    """Yield the file, the name and both of everything that there is for both clients."""
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix().removeprefix("_runtime/")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        known: dict[str, list[tuple[str, ast.AST]]] = {}
        for node in tree.body:
            of = [node] if isinstance(node, FUNCTIONS) else []
            if isinstance(node, ast.ClassDef):
                of = [each for each in node.body if isinstance(each, FUNCTIONS)]
            home = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
            for each in of:
                key = f"{plain(home[:-1])}.{plain(each.name)}"
                known.setdefault(key, []).append((home + each.name, each))
        for several in known.values():
            marked = [each for each in several if "sync" in each[0]]
            others = [each for each in several if "sync" not in each[0]]
            if len(marked) == len(others) == 1:
                yield file, marked[0][0], others[0][1], marked[0][1]


TWINS = list(twins())


def told(node: ast.AST) -> list[str]:
    waiting = Waiting().visit(ast.parse(ast.unparse(node)).body[0])
    return ast.unparse(ast.fix_missing_locations(waiting)).splitlines()


@pytest.mark.parametrize("file", sorted({file for file, *_ in TWINS}))
def test_twins_are_one_text(file: str) -> None:
    differing = {}
    for where, name, one, other in TWINS:
        if where == file and told(one) != told(other):
            differing[name] = "\n".join(difflib.unified_diff(told(one), told(other), lineterm=""))
    assert differing.keys() == DIFFERENT.get(file, set()), "\n".join(differing.values())


def test_every_method_of_a_resource_has_its_twin() -> None:
    known = {name for file, name, *_ in TWINS if file.startswith("resources/")}
    found = set()
    for path in (PACKAGE / "resources").glob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name.startswith("Async"):
                found |= {f"{node.name}.{e.name}" for e in node.body if isinstance(e, FUNCTIONS)}
    assert found == known and len(found) > 30
