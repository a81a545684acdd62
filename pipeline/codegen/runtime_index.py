"""The names of the runtime that is copied into every client, read from its source.

Generated code must not hide them, imports some of them, and offers some to users. The source is
the only list of them; it is parsed, and not imported, but for the module of patterns: it imports
nothing of the runtime, and says which of them a client can check.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from pipeline.codegen import TEMPLATES

RUNTIME = TEMPLATES / "runtime"
OF_STREAMS = ("plans.streams", "response.events", "response.items")
"""Modules that only a client with streams has."""
OF_WEBHOOKS = ("response.delivery",)
"""Modules that only a client with webhooks has."""
OF_SERVERS = ("engine.servers",)
"""Modules that only a client with servers to choose from has."""
OF_OAUTH = ("engine.oauth",)
"""Modules that only a client whose tokens can be renewed has."""

CLIENTS = ("Client", "AsyncClient")
RESOURCES = ("Resource", "AsyncResource")

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class RuntimeIndex:
    """The names of the runtime, and the attributes of its base classes.

    `homes` has the module of each name that a module offers to others: `plans.paging`. `public` has
    those that the package offers to users; the runtime's `__init__` imports them as they are.
    """

    homes: Mapping[str, str]
    public: Mapping[str, str]
    client: frozenset[str]
    resource: frozenset[str]
    model: frozenset[str]
    error: frozenset[str]


@cache
def search_of() -> Callable[[str], object]:
    """Return the function of the runtime that has a search for a pattern, or None."""
    path = RUNTIME / "request" / "patterns.py"
    spec = importlib.util.spec_from_file_location("runtime_patterns", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    search: Callable[[str], object] = module.search_of
    return search


@lru_cache(500)
def parsed(text: str) -> ast.Module:
    """Return the tree of a module of the runtime: functions are heads with docstrings.

    The rest is more than half of a tree. The runtime is the same in every package, and read more
    than once.
    """
    tree = ast.parse(text)
    _empty_functions(tree)
    return tree


@cache
def runtime_index() -> RuntimeIndex:
    """Read the index from the source of the runtime, once in a process."""
    texts = {
        ".".join(path.relative_to(RUNTIME).with_suffix("").parts): path.read_text("utf-8")
        for path in sorted(RUNTIME.rglob("*.py"))
    }
    modules = {module: parsed(text) for module, text in texts.items()}
    homes: dict[str, str] = {}
    for module, tree in modules.items():
        homes.update({name: module for name in _offered(tree) if not name.startswith("_")})
    public = {
        alias.name: node.module or ""
        for node in ast.walk(modules["__init__"])
        if isinstance(node, ast.ImportFrom) and node.level
        for alias in node.names
        if alias.asname == alias.name
    }

    whole = cache(lambda module: ast.parse(texts[module]))

    def attributes(*names: str) -> frozenset[str]:
        per_class = (_attributes(whole, homes, homes[name], name) for name in names)
        return frozenset(each for attributes in per_class for each in attributes)

    return RuntimeIndex(
        homes=homes,
        public=public,
        client=attributes(*CLIENTS),
        resource=attributes(*RESOURCES),
        model=attributes("ResponseModel", "ExtensibleModel", "RequestModel"),
        error=attributes("StatusError") | frozenset(dir(Exception)),
    )


def _empty_functions(tree: ast.Module | ast.ClassDef | ast.If) -> None:
    """Leave of each function its head and its docstring: the rest is more than half of a tree."""
    for node in tree.body:
        if isinstance(node, _Function):
            node.body = node.body[:1]
        elif isinstance(node, ast.ClassDef | ast.If):
            _empty_functions(node)


def _offered(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a module defines, or imports under their own names for others."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If):
            yield from _offered(node)
        elif isinstance(node, ast.ClassDef | _Function):
            yield node.name
        elif isinstance(node, ast.ImportFrom):
            yield from (each.name for each in node.names if each.asname == each.name)
        yield from (each.id for each in _targets(node) if isinstance(each, ast.Name))


def _attributes(
    whole: Callable[[str], ast.Module], homes: Mapping[str, str], module: str, name: str
) -> Iterator[str]:
    """Yield what a class and its bases define, and what their methods set on `self`."""
    classes = {node.name: node for node in whole(module).body if isinstance(node, ast.ClassDef)}
    if name not in classes:
        if homes.get(name, module) != module:
            yield from _attributes(whole, homes, homes[name], name)
        return
    for base in classes[name].bases:
        yield from _attributes(whole, homes, module, ast.unparse(base).partition("[")[0])
    for member in classes[name].body:
        if isinstance(member, _Function | ast.ClassDef):
            yield member.name
        yield from (each.id for each in _targets(member) if isinstance(each, ast.Name))
        for node in ast.walk(member):
            for target in _targets(node):
                if isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self":
                    yield target.attr


def _targets(node: ast.AST) -> list[ast.expr]:
    """Return what an assignment gives a value."""
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign) else []
