"""What the client that waits does, the asynchronous one does: but for `await`, they are one text.

So a test of one stands for both. What has to differ is named, and asked for both by its own tests:
these go through each of its error paths.
"""

from __future__ import annotations

import ast
import difflib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import social_publishing

PACKAGE = Path(str(social_publishing.__file__)).parent
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef
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
RUNTIME = Path(__file__).parents[2] / "templates" / "runtime"
WALKS = {
    "raw": ["what_comes_at_the_deadline_is_too_late"],
    "batching": [
        "after_the_first_failure_no_other_begins",
        "the_users_own_error_passes_and_says_how_much_was_done",
        "a_cancelled_call_reports_how_much_was_done",
        "an_interruption_inside_a_task_reaches_the_caller_as_itself",
    ],
    "execute": [
        "a_function_that_hangs_ends_in_time",
        "a_write_in_flight_at_the_deadline",
        "what_waits_for_its_turn_has_not_left",
    ],
    "budget": ["cancelled_while_waiting"],
    "outcome": ["what_is_gone_was_not_changed"],
    "client": [
        "a_given_client_of_another_event_loop_is_named_as_the_reason",
        "a_response_of_another_request_gives_its_connection_up[async]",
    ],
    "pool": ["errors_and_their_causes_are_those_of_httpx2[refused-async]"],
    "streams": ["a_connection_that_breaks_is_an_error"],
    "upload_thread": ["a_cancel_ends_it_at_once_and_leaves_nothing"],
    "files": [
        "what_the_callers_own_file_raises_is_no_error_of_the_service",
    ],
}
"""The tests of the runtime that go through all error paths of what only the awaited client has."""


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


def functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Yield the functions of a module and the methods of its classes, with their names."""
    for node in tree.body:
        if isinstance(node, FUNCTIONS):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{e.name}", e) for e in node.body if isinstance(e, FUNCTIONS))


def twins() -> Iterator[tuple[str, str, ast.AST, ast.AST]]:
    """Yield the file, the name and both of everything that there is for both clients."""
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix().removeprefix("_runtime/")
        known: dict[str, list[tuple[str, ast.AST]]] = {}
        for name, node in functions(ast.parse(path.read_text(encoding="utf-8"))):
            home, _, own = name.rpartition(".")
            known.setdefault(f"{plain(home)}.{plain(own)}", []).append((name, node))
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


GENERATED = sorted([*PACKAGE.glob("client.py"), *PACKAGE.glob("resources/[!_]*.py")])
AWAITED = re.compile(
    r"\basync (?=def|for|with)|\bawait |Async|, to be awaited| \(it may .* awaited\)"
)
"""What says of a class that it is awaited, in its code and in its documentation."""


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: path.stem)
def test_classes_of_both_clients_are_one_text(path: Path) -> None:
    """With names, documentation and examples; only the client that waits is without `await`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = {e.name: ast.unparse(e) for e in tree.body if isinstance(e, ast.ClassDef)}
    others = {name: text for name, text in classes.items() if name.startswith("Async")}
    assert [*classes] == [name for each in others for name in (each[5:], each)] or len(others) > 1
    for name, text in others.items():
        assert AWAITED.sub("", text) == classes.pop(name[5:])
        assert not re.search(rf"\b({'|'.join(each[5:] for each in others)})[(:]", text)
        for line in re.findall(r">>> (.*client\..*)", text):
            assert line.startswith(("await ", "async "))
        del classes[name]
    assert classes == {}


def error_paths() -> Iterator[tuple[Path, tuple[int, int], dict[int, str]]]:
    """Yield each function that only the awaited client has: its file, its lines, its error paths.

    Those are the lines that raise, and the first ones that handle an error, with their texts.
    """
    equal = {(file, name) for file, name, one, other in TWINS if told(one) == told(other)}
    for path in sorted(RUNTIME.rglob("*.py")):
        file, text = path.relative_to(RUNTIME).as_posix(), path.read_text(encoding="utf-8")
        if not (PACKAGE / "_runtime" / file).is_file():
            continue  # which this client does not need
        for name, node in functions(ast.parse(text)):
            is_awaited = isinstance(node, ast.AsyncFunctionDef) or "sync" in name
            if not is_awaited or (file, name) in equal:
                continue
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            lines = [*map(_way_out, ast.walk(node))]
            said = text.splitlines()
            paths = {
                line: f"{file}:{line}: {name}: {said[line - 1].strip()}" for line in lines if line
            }
            yield path, (first, node.end_lineno or first), paths


def _way_out(node: ast.AST) -> int:
    """Return the line of an error path; 0 for anything else."""
    match node:
        case ast.Raise():
            return node.lineno
        case ast.ExceptHandler(body=[begins, *_]) | ast.Try(finalbody=[begins, *_]):
            return begins.lineno
    return 0


def test_error_paths_that_only_the_awaited_client_has_are_walked(tmp_path: Path) -> None:
    """No test of the client that waits stands for them; of the others, one stands for both."""
    spans: dict[str, list[tuple[int, int]]] = {}
    known: dict[tuple[str, int], str] = {}
    for path, span, paths in error_paths():
        spans.setdefault(str(path), []).append(span)
        known |= {(str(path), line): text for line, text in paths.items()}
    assert len(known) > 20
    walked = tmp_path / "walked.json"
    walked.write_text(json.dumps(spans), encoding="utf-8")
    asked = [
        f"tests/runtime/test_{module}.py::test_{name}" for module in WALKS for name in WALKS[module]
    ]
    plugins = ["-p", "tests.support.walked", "-p", "no:cacheprovider"]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, f"--basetemp={tmp_path / 'own'}", *asked],
        cwd=RUNTIME.parents[1],
        env={**os.environ, "WALKED": str(walked)},
        capture_output=True,
        text=True,
    )
    assert ended.returncode in (0, 1), ended.stdout  # what fails does so where it is at home
    executed = {(path, line) for path, line in json.loads(walked.read_text(encoding="utf-8"))}
    assert [text for place, text in known.items() if place not in executed] == []
