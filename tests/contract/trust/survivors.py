"""Small changes of the code, drawn by a seed: which of them does no test of their room notice?

A change is a fault like those of the catalogue. Half of them are mechanical, as `<` for `<=`; half
are what people get wrong: the last for the first, one of two arguments for the other, one name of
a list forgotten. The seed is the date, so that no sample is drawn for which tests were mended.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, combinations, zip_longest
from pathlib import Path
from queue import SimpleQueue
from typing import Final, NamedTuple

from faults.catalogue import PROJECT, Fault, Misplaced, place_of
from faults.catching import judge, nearest
from faults.copies import Copy, clean_copy

__all__ = ["ROOMS", "changes", "drawn", "slips", "survivors"]

ROOMS: Final = {
    "runtime": ("templates/runtime", "tests/runtime", "tests/client",
                "tests/pipeline/test_oauth.py"),
    "operations": ("generated/client/src/social_publishing/resources", "tests/client",
                   "tests/contract/test_corpus.py", "tests/contract/test_behaviour.py"),
    "command": ("cli/src/social_publishing_cli", "tests/cli", "tests/commands"),
    "sandbox": ("sandbox/src/social_publishing_sandbox", "tests/sandbox"),
    "pipeline": ("pipeline", "tests/pipeline", "tests/overlays"),
    "release": ("release", "tests/release"),
}  # fmt: skip
"""Where changes are made, and the tests that are asked."""

_EACH: Final = 10  # changes of a room
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
_SIBLINGS: Final = {
    **dict(one := [("startswith", "endswith"), ("lstrip", "rstrip"), ("partition", "rpartition"),
                   ("find", "rfind"), ("removeprefix", "removesuffix"),
                   ("keys", "values"), ("min", "max"), ("any", "all"), ("add", "discard"),
                   ("lower", "upper"), ("issubset", "issuperset"), ("days", "hours")]),
    **{other: each for each, other in one},
}  # fmt: skip


class Change(NamedTuple):
    """What stands in a function, named with its class, and what takes its place."""

    within: str
    find: str
    replace: str


def survivors(seed: str) -> Iterator[dict[str, str]]:
    """Make the changes of each room that a seed draws, and yield what became of each."""
    free: SimpleQueue[Copy] = SimpleQueue()

    def outcome(fault: Fault) -> dict[str, str]:
        copy = free.get()
        try:
            verdict = judge(fault, copy, _asked(fault), _SECONDS)
        finally:
            free.put(copy)
        print(f"  {verdict.outcome:8} {fault.id}: {fault.find} → {fault.replace}", flush=True)
        row = {"seed": seed, "room": fault.subject, "in": fault.within, "find": fault.find}
        return row | {"replace": fault.replace, "outcome": verdict.outcome, "by": verdict.by}

    jobs = os.cpu_count() or 1
    with tempfile.TemporaryDirectory(prefix="survivors-") as folder:
        clean = clean_copy(Path(folder) / "clean")
        copies = [Copy(clean, Path(folder) / f"{n}" / "copy") for n in range(jobs)]
        try:
            for copy in copies:
                free.put(copy)
            with ThreadPoolExecutor(jobs) as pool:
                yield from pool.map(outcome, chain(*(drawn(room, seed) for room in ROOMS)))
        finally:
            for copy in copies:
                copy.processes.stop()


def drawn(room: str, seed: str, most: int = _EACH) -> list[Fault]:
    """Return changes of a room, mechanical ones and slips in turns, by digests with the seed."""
    folder, *tests = ROOMS[room]
    texts = [path.read_text(encoding="utf-8") for path in (PROJECT / folder).rglob("*.py")]

    def shuffled(kind: Iterable[Change]) -> list[Change]:
        return sorted(set(kind), key=lambda each: hashlib.sha256(f"{seed}{each}".encode()).digest())

    kinds = [shuffled(chain(*map(kind, texts))) for kind in (changes, slips)]
    faults: list[Fault] = []
    for each in filter(None, chain(*zip_longest(*kinds))):
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


def slips(text: str) -> Iterator[Change]:
    """Yield what somebody may write for something else that stands in a module."""
    tree = ast.parse(text)
    members: dict[str, list[str]] = {}
    constants: dict[str, str] = {}
    signatures: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        match node:
            case (
                ast.FunctionDef(name=name, args=given) | ast.AsyncFunctionDef(name=name, args=given)
            ):
                known = [each for each in given.args if each.arg not in ("self", "cls")]
                signatures[name] = [
                    ast.unparse(e.annotation) if e.annotation else "" for e in known
                ]
            case ast.Attribute(value=ast.Name(id=kind), attr=name) if name.isupper():
                members.setdefault(kind, []).append(name)
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name[1:].isupper():
                constants[name] = type(getattr(value, "value", value)).__name__
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                constants[name] = type(getattr(value, "value", value)).__name__
    for within, node in _places(tree, ""):
        match node:
            case ast.Attribute(value=ast.Name(id=kind), attr=name) if name.isupper():
                for other in _next(name, members[kind]):
                    yield Change(within, f"{kind}.{name}", f"{kind}.{other}")
            case ast.Name(id=name) if name in constants and within != name:
                alike = [each for each in constants if constants[each] == constants[name]]
                for other in _next(name, alike):
                    yield Change(within, name, other)
        for new in chain(_slipped(node), _exchanged(node, signatures)):
            yield Change(within, ast.unparse(node), new)


def _next(name: str, names: Iterable[str]) -> list[str]:
    """Return the name that comes after one, in a circle; nothing where there is no other."""
    known = sorted({*names})
    other = known[(known.index(name) + 1) % len(known)]
    return [other] * (other != name)


def _places(node: ast.AST, within: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield what stands in functions and in constants, with the name of what it is in."""
    for each in ast.iter_child_nodes(node):
        name = within
        match each:
            case ast.JoinedStr() | ast.arg():
                continue
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                name = f"{within}.{each.name}".lstrip(".")
            case ast.Assign(targets=[ast.Name(id=of)]) if not within:
                name = of
            case ast.AnnAssign(target=ast.Name(id=of)) if not within:
                name = of
        if name == within and name:
            yield name, each
        yield from _places(each, name)


def _slipped(node: ast.AST) -> Iterator[str]:
    """Yield what could stand at a node for what somebody meant."""
    match node:
        case ast.Call(func=ast.Name(id="sorted"), args=[of], keywords=words):
            if not any(each.arg == "reverse" for each in words):
                falling = ast.keyword("reverse", ast.Constant(True))
                yield ast.unparse(ast.Call(node.func, [of], [*words, falling]))
        case ast.Subscript(value=of, slice=ast.Constant(value=0)):
            yield f"{ast.unparse(of)}[-1]"
        case ast.Subscript(value=of, slice=ast.UnaryOp(operand=ast.Constant(value=1))):
            yield f"{ast.unparse(of)}[0]"
        case ast.Attribute(value=of, attr=name) if other_name := _SIBLINGS.get(name):
            yield f"{ast.unparse(of)}.{other_name}"
        case ast.Call(func=ast.Name(id=name)) if other_name := _SIBLINGS.get(name):
            yield f"{other_name}{ast.unparse(node)[len(name) :]}"
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            if len(items) > 2 and all(isinstance(each, ast.Constant) for each in items):
                yield ast.unparse(type(node)([*items[:-1]], **_context(node)))
        case ast.Dict(keys=keys, values=values) if len(keys) > 2:
            yield ast.unparse(ast.Dict(keys[:-1], values[:-1]))


def _exchanged(node: ast.AST, signatures: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a call of a function of the module with two arguments of one type exchanged."""
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        places = enumerate(zip(signatures.get(name, ()), node.args, strict=False))
        for (a, (kind, one)), (b, (other_kind, other)) in combinations(places, 2):
            if kind == other_kind != "" and ast.dump(one) != ast.dump(other):
                given = [*node.args]
                given[a], given[b] = other, one
                yield ast.unparse(ast.Call(node.func, given, node.keywords))


def _context(node: ast.AST) -> dict[str, ast.expr_context]:
    return {} if isinstance(node, ast.Set) else {"ctx": ast.Load()}
