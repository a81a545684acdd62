"""Places in source texts, found by what stands there.

In Python, a place is an expression, or statements that stand one after the other, in what has a
certain name: a function, a class, or what a constant is set to. They are compared as syntax trees,
so that neither line breaks nor comments nor the file matter; `if x:` without a body is the head of
any such block. In an overlay, a place is a text in the action of a certain target.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence
from functools import lru_cache

__all__ = ["Misplaced", "planted"]


class Misplaced(Exception):
    """A fault cannot be planted: what is looked for is not there, or there more than once."""


def planted(suffix: str, text: str, within: str, find: str, replace: str) -> list[str]:
    """Return the text with a replacement at each place where `find` stands.

    Args:
        suffix: of the file, `.py` or `.yaml`.
        within: the name of the definition, or the target of the action.
    """
    if within.rpartition(".")[2] not in text:
        return []
    if suffix == ".yaml":
        return list(_in_overlay(text, within, find, replace))
    return list(_in_python(text, within, find, replace))


def _in_overlay(text: str, target: str, find: str, replace: str) -> Iterator[str]:
    head = f"- target: {target}\n"
    start = text.find(head)
    if start < 0:
        return
    end = text.find("- target: ", start + len(head))
    block = text[start : end if end >= 0 else len(text)]
    at = block.find(find)
    if at >= 0:
        line = block[block.rfind("\n", 0, at) + 1 : at]
        indented = replace.replace("\n", "\n" + " " * (len(line) - len(line.lstrip())))
        yield text[: start + at] + indented + text[start + at + len(find) :]


def _in_python(text: str, within: str, find: str, replace: str) -> Iterator[str]:
    lines = text.splitlines(keepends=True)
    for definition in _definitions(_tree(text), within):
        for first, last, indent in _found(definition, find, _is_expression(replace)):
            start = _offset(lines, first.lineno, first.col_offset)
            end = _offset(lines, last.end_lineno or 0, last.end_col_offset or 0)
            if indent is None:
                put = f"({_head(replace)})"
            else:
                put = textwrap.indent(replace or "pass", " " * indent).lstrip()
            changed = text[:start] + put + text[end:]
            if ast.dump(ast.parse(changed)) != ast.dump(_tree(text)):
                yield changed


@lru_cache(maxsize=256)
def _tree(text: str) -> ast.Module:
    return ast.parse(text)


def _is_expression(text: str) -> bool:
    body = _parsed(text)
    return len(body) == 1 and isinstance(body[0], ast.Expr)


def _definitions(tree: ast.AST, within: str) -> Iterator[ast.AST]:
    """Yield what has a name: `Class.method`, a function in a function, a constant."""
    name, _, rest = within.partition(".")
    for node in ast.iter_child_nodes(tree):
        if name in _names(node):
            yield from _definitions(node, rest) if rest else [node]
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from _definitions(node, within)


def _names(node: ast.AST) -> list[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign():
            return [each.id for each in node.targets if isinstance(each, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _found(
    definition: ast.AST, find: str, by_expression: bool
) -> Iterator[tuple[ast.expr | ast.stmt, ast.expr | ast.stmt, int | None]]:
    """First and last node of each place, and the indentation where statements are replaced."""
    wanted = _parsed(find)
    if find.rstrip().endswith(":"):
        head = ast.dump(_condition(wanted[0]))
        for node in ast.walk(definition):
            if type(node) is type(wanted[0]) and ast.dump(_condition(node)) == head:
                condition = _condition(node)
                yield condition, condition, None
    elif by_expression and len(wanted) == 1 and isinstance(wanted[0], ast.Expr):
        text = ast.dump(wanted[0].value)
        for node in ast.walk(definition):
            if isinstance(node, ast.expr) and ast.dump(node) == text:
                yield node, node, None
    else:
        texts = list(map(ast.dump, wanted))
        for body in _bodies(definition):
            for at in range(len(body) - len(texts) + 1):
                part = body[at : at + len(texts)]
                if list(map(ast.dump, part)) == texts:
                    yield part[0], part[-1], part[0].col_offset


def _parsed(find: str) -> list[ast.stmt]:
    return ast.parse(f"{find} ..." if find.rstrip().endswith(":") else find).body


def _condition(node: ast.AST) -> ast.expr:
    """Return what the head of a block asks for, or goes through."""
    match node:
        case ast.If() | ast.While():
            return node.test
        case ast.For():
            return node.iter
    raise ValueError(f"{type(node).__name__} has no head that can be replaced")


def _head(replace: str) -> str:
    """Return the expression of a replacement, which may be written as the head of a block."""
    if replace.rstrip().endswith(":"):
        return ast.unparse(_condition(_parsed(replace)[0]))
    return replace.strip()


def _bodies(definition: ast.AST) -> Iterator[Sequence[ast.stmt]]:
    for node in ast.walk(definition):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                yield body
    if isinstance(definition, ast.Assign | ast.AnnAssign):
        yield [definition]


def _offset(lines: Sequence[str], line: int, column: int) -> int:
    """Return the position in the text; syntax trees count columns in bytes."""
    before = sum(map(len, lines[: line - 1]))
    return before + len(lines[line - 1].encode()[:column].decode())
