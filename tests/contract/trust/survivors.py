"""Small changes of the code, drawn by a seed: which of them does no test of their room notice?

A change is a fault like those of the catalogue. Which ones are drawn hangs on their texts alone: a
function that changes leaves the others in the sample.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Final, NamedTuple

from faults.catalogue import PROJECT, Fault, Misplaced, place_of
from faults.catching import judge, nearest
from faults.copies import Copy, clean_copy

__all__ = ["ROOMS", "changes", "drawn", "survivors"]

ROOMS: Final = {
    "runtime": ("templates/runtime", "tests/runtime", "tests/client"),
    "operations": ("generated/client/src/social_publishing/resources", "tests/client",
                   "tests/contract/test_corpus.py", "tests/contract/test_behaviour.py"),
    "plans": ("cli/src/social_publishing_cli/plans", "tests/cli"),
    "state": ("sandbox/src/social_publishing_sandbox/state", "tests/sandbox"),
    "release": ("release", "tests/release"),
}  # fmt: skip
"""Where changes are made, and the tests that are asked."""

_EACH: Final = 12  # changes of a room
_SECONDS: Final = 300  # that each may take
# Some see no function. One sees that what is generated was changed, whatever the change does.
_NOT_ASKED: Final = re.compile("browser|container|workflows|precommit|confirmed")
_ONE = (ast.Lt, ast.Gt, ast.Eq, ast.Is, ast.In, ast.And, ast.Add, ast.Mult)
_OTHER = (ast.LtE, ast.GtE, ast.NotEq, ast.IsNot, ast.NotIn, ast.Or, ast.Sub, ast.FloorDiv)
_SWAPPED: Final = {
    **dict(zip(_ONE, _OTHER, strict=True)),
    **dict(zip(_OTHER, _ONE, strict=True)),
}
_PLAIN: Final = (ast.Name, ast.Attribute, ast.Call)
_NAMED: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Change(NamedTuple):
    """What stands in a function, named with its class, and what takes its place."""

    within: str
    find: str
    replace: str


def survivors() -> Iterator[dict[str, str]]:
    """Make the changes of each room, and yield what became of each."""
    free: SimpleQueue[Copy] = SimpleQueue()

    def outcome(fault: Fault) -> dict[str, str]:
        copy = free.get()
        try:
            verdict = judge(fault, copy, _asked(fault), _SECONDS)
        finally:
            free.put(copy)
        print(f"  {verdict.outcome:8} {fault.id}: {fault.find} → {fault.replace}", flush=True)
        row = {"room": fault.subject, "in": fault.within, "find": fault.find}
        return row | {"replace": fault.replace, "outcome": verdict.outcome, "by": verdict.by}

    jobs = os.cpu_count() or 1
    with tempfile.TemporaryDirectory(prefix="survivors-") as folder:
        clean = clean_copy(Path(folder) / "clean")
        copies = [Copy(clean, Path(folder) / f"{n}" / "copy") for n in range(jobs)]
        try:
            for copy in copies:
                free.put(copy)
            with ThreadPoolExecutor(jobs) as pool:
                yield from pool.map(outcome, (fault for room in ROOMS for fault in drawn(room)))
        finally:
            for copy in copies:
                copy.processes.stop()


def drawn(room: str, most: int = _EACH, seed: int = 0) -> list[Fault]:
    """Return the changes of a room whose digests with the seed are the smallest."""
    folder, *tests = ROOMS[room]
    texts = (path.read_text(encoding="utf-8") for path in (PROJECT / folder).rglob("*.py"))
    found = {each for text in texts for each in changes(text)}
    faults: list[Fault] = []
    for each in sorted(found, key=lambda each: hashlib.sha256(f"{seed}{each}".encode()).digest()):
        fault = Fault(each[0], room, "", folder, *each, (), tuple(tests), False, folder)
        try:
            place_of(fault)
        except (Misplaced, SyntaxError):
            continue  # it stands there twice: which is meant, no row of the catalogue could say
        faults.append(fault)
        if len(faults) == most:
            break
    return faults


def _asked(fault: Fault) -> list[str]:
    """Return the modules of its room's tests, those first that are likest to notice it."""
    rooms = [PROJECT / each for each in fault.also]
    paths = [path for room in rooms for path in sorted(room.glob("test_*.py")) or [room]]
    return nearest(fault, [each for each in paths if not _NOT_ASKED.search(each.name)])


def changes(text: str) -> Iterator[Change]:
    """Yield the small changes of the functions of a module."""
    return _of(ast.parse(text), "")


def _of(node: ast.AST, within: str) -> Iterator[Change]:
    parts = ast.iter_child_nodes(node)
    if isinstance(node, ast.JoinedStr | ast.arg):
        return
    if isinstance(node, _NAMED):
        parts, within = iter(node.body), f"{within}.{node.name}".lstrip(".")
    elif within:
        yield from (Change(within, *each) for each in _changed(node))
    if isinstance(node, ast.AnnAssign):
        parts = iter([node.value] if node.value else [])
    for each in parts:
        yield from _of(each, within)


def _changed(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield what stands at a node, and what could stand there."""
    text = ast.unparse(node)
    match node:
        case ast.Compare(ops=[op]) if other := _SWAPPED.get(type(op)):
            yield text, ast.unparse(ast.Compare(node.left, [other()], node.comparators))
        case ast.BoolOp(op=op):
            yield text, ast.unparse(ast.BoolOp(_SWAPPED[type(op)](), node.values))
        case ast.BinOp(op=op) if other := _SWAPPED.get(type(op)):
            yield text, ast.unparse(ast.BinOp(node.left, other(), node.right))
        case ast.UnaryOp(op=ast.Not()):
            yield text, ast.unparse(node.operand)
        case ast.If(test=test) | ast.IfExp(test=test) if isinstance(test, _PLAIN):
            yield ast.unparse(test), f"not ({ast.unparse(test)})"
        case ast.Constant(value=bool()):
            yield text, str(not node.value)
        case ast.Constant(value=int()):
            yield text, str(node.value + 1)
        case ast.Constant(value=str()) if re.fullmatch(r"[\w/{}.:;*-]+", node.value):
            yield text, repr(f"{node.value}x")
        case ast.Return(value=ast.expr()) if text != "return None":
            yield text, "return None"
        case ast.Expr(value=ast.Call() | ast.Await() | ast.Yield() as value):
            yield ast.unparse(value), "None"
