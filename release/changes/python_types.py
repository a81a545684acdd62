"""Types as they are written in Python, and which of them fit into which others."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

_UNSET: Final = "UnsetType"
_ANYTHING: Final = frozenset({"object", "Any"})

# The next wider type of each. `str` is not among them: a text that were taken for a sequence of
# texts would mean something else.
_WIDER: Final = dict(
    pair
    for chain in (
        "bool int float",
        "list MutableSequence Sequence Collection Iterable",
        "tuple Sequence",
        "set MutableSet Set Collection",
        "frozenset Set",
        "dict MutableMapping Mapping Collection",
        "Generator Iterator Iterable",
        "AsyncGenerator AsyncIterator AsyncIterable",
    )
    for pair in pairwise(chain.split())
)
# How many parameters have to be the same, where the others may be wider. All have to be the same
# where a type is not named here: into a `list[object]` one may put what a `list[str]` may not hold.
_SAME: Final = {
    **dict.fromkeys(
        ["AsyncIterable", "AsyncIterator", "Awaitable", "Collection", "Iterable", "Iterator"], 0
    ),
    **dict.fromkeys(["Sequence", "Set", "frozenset", "type"], 0),
    "Mapping": 1,
}


class _Bare(ast.NodeTransformer):
    """Takes the limits of `Annotated` away, and `Present`, which says that a value is there."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        match ast.unparse(node.value), node.slice:
            case "Annotated", ast.Tuple(elts=[inner, *_]):
                return inner
            case "Present", inner:
                return inner
        return node


def union(annotation: object) -> frozenset[str]:
    """Return the members of a union, without limits; of no annotation: none."""
    text = " ".join(str(annotation or "").split())
    type_: ast.expr = _Bare().visit(ast.parse(text or _UNSET, mode="eval").body)
    return frozenset(ast.unparse(each) for each in _members(type_)) - {_UNSET}


def listed(types: Iterable[str]) -> str:
    """Return the members of a union, in words."""
    return (
        " or ".join(f"`{each}`" for each in sorted(types, key=lambda each: (each == "None", each)))
        or "anything"
    )


def fits(narrow: frozenset[str], wide: frozenset[str]) -> bool:
    """Return whether one union allows all that another does; an empty one allows anything."""
    return narrow == wide or _fits(_parsed(narrow), _parsed(wide))


def _parsed(types: frozenset[str]) -> ast.expr:
    return ast.parse(" | ".join(sorted(types)) or "object", mode="eval").body


def _fits(narrow: ast.expr, wide: ast.expr) -> bool:
    """Return whether every member of a type fits into one of another."""
    return all(any(_member_fits(old, new) for new in _members(wide)) for old in _members(narrow))


def _members(type_: ast.expr) -> Iterator[ast.expr]:
    if isinstance(type_, ast.BinOp):
        yield from _members(type_.left)
        yield from _members(type_.right)
    else:
        yield type_


def _member_fits(narrow: ast.expr, wide: ast.expr) -> bool:
    (name, given), (wanted, into) = _split(narrow), _split(wide)
    if ast.dump(narrow) == ast.dump(wide) or wanted in _ANYTHING:
        return True
    if name == wanted == "Literal":
        return {*map(ast.dump, given)} <= {*map(ast.dump, into)}
    if name == "tuple":
        if wanted == "tuple":
            return _tuple_fits(given, into)
        name, given = _WIDER[name], [_any_of([each for each in given if not _is_dots(each)])]
    while name != wanted:
        if name not in _WIDER:
            return False
        name = _WIDER[name]
    same = _SAME.get(wanted, len(into))
    return len(given) >= len(into) and all(
        ast.dump(old) == ast.dump(new) if index < same else _fits(old, new)
        for index, (old, new) in enumerate(zip(given, into, strict=False))
    )


def _split(type_: ast.expr) -> tuple[str, list[ast.expr]]:
    """Return the name of a type, without its module, and its parameters."""
    if not isinstance(type_, ast.Subscript):
        return ast.unparse(type_).rpartition(".")[2], []
    inner = type_.slice
    return _split(type_.value)[0], inner.elts if isinstance(inner, ast.Tuple) else [inner]


def _tuple_fits(given: list[ast.expr], into: list[ast.expr]) -> bool:
    """Compare tuples: a type for each place, or one and `...` for any number of places."""
    if into and _is_dots(into[-1]):
        return bool(given) and all(_is_dots(each) or _fits(each, into[0]) for each in given)
    return not into or (len(given) == len(into) and all(map(_fits, given, into)))


def _is_dots(type_: ast.expr) -> bool:
    return isinstance(type_, ast.Constant) and type_.value is ...


def _any_of(types: list[ast.expr]) -> ast.expr:
    """Return the union of types; of none: anything."""
    return functools.reduce(
        lambda left, right: ast.BinOp(left, ast.BitOr(), right), types or [ast.Name("object")]
    )
