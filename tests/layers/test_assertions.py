"""Every test has an assertion that is executed, whatever it finds.

One whose assertions all stand in a loop over what a folder or a response has, under an `if`, or
where an error is caught, passes where there is nothing of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
CHECKS = ("raises", "warns", "fail")
SAME_LENGTH = ("enumerate", "sorted", "reversed", "list", "set", "tuple", "dict")
PARTS = ("items", "values", "keys", "splitlines", "split")


def functions_of(text: str) -> Iterator[Function]:
    """Yield the tests of a module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, FUNCTIONS) and node.name.startswith("test_"):
            yield node


def can_pass_without(test: Function) -> bool:
    """Return whether a test has assertions, and may execute none of them."""
    return any(map(_is_check, _walked(test.body))) and not _checks(test.body, _filled(test))


def _filled(test: Function) -> set[str]:
    """Return the names of what is there: cases of parameters, drawn values, local literals."""
    names: set[str] = set()
    for each in test.decorator_list:
        words = {node.value for node in ast.walk(each) if isinstance(node, ast.Constant)}
        found = {
            word.strip() for text in words if isinstance(text, str) for word in text.split(",")
        }
        drawn = any(getattr(node, "id", "") == "given" for node in ast.walk(each))
        names |= {arg.arg for arg in test.args.args if drawn or arg.arg in found}
    for node in _walked(test.body):
        if isinstance(node, ast.Assign | ast.NamedExpr) and _has_items(node.value, names):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {each.id for each in targets if isinstance(each, ast.Name)}
        if isinstance(node, ast.Assert):  # `assert found` and `assert len(found) > 3`
            names |= {each.id for each in ast.walk(node.test) if isinstance(each, ast.Name)}
    return names


def _walked(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yield what stands in statements, but not in the functions among them."""
    for node in body:
        if not isinstance(node, (*FUNCTIONS, ast.Lambda)):
            yield node
            yield from _walked([*ast.iter_child_nodes(node)])


def _is_check(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        return name in CHECKS or name.startswith(("check", "assert"))
    return isinstance(node, ast.Assert)


def _checks(body: Sequence[ast.stmt], filled: set[str]) -> bool:
    """Return whether statements that are executed check something, whatever they find."""
    return any(_checks_one(each, filled) for each in body)


def _checks_one(node: ast.stmt, filled: set[str]) -> bool:
    match node:
        case ast.Assert():
            return True
        case ast.Expr() | ast.Assign() | ast.Return():
            return any(map(_is_check, _walked([node])))
        case ast.With(items=items) | ast.AsyncWith(items=items):
            return any(map(_is_check, _walked(items))) or _checks(node.body, filled)
        case ast.For(iter=of) | ast.AsyncFor(iter=of) if _has_items(of, filled):
            targets = {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
            return _checks(node.body, filled | targets)
        case ast.If():
            return _checks(node.body, filled) and _checks(node.orelse, filled)
        case ast.Match(cases=cases):
            return all(_checks(each.body, filled) for each in cases)
        case ast.Try(handlers=handlers) if node.orelse:
            caught = all(_checks(each.body, filled) for each in handlers)
            return (caught and _checks(node.orelse, filled)) or _checks(node.finalbody, filled)
        case ast.Try():
            return _checks(node.body, filled) or _checks(node.finalbody, filled)
        case ast.While():
            return _checks(node.body, filled)
    return False


def _has_items(node: ast.expr, filled: set[str]) -> bool:
    """Return whether an expression is certain to have items: a literal, a constant, made of one."""
    match node:
        case ast.Constant():
            return bool(node.value)
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            return any(_has_items(each, filled) for each in items) or any(
                not isinstance(each, ast.Starred) for each in items
            )
        case ast.Starred(value=of) | ast.NamedExpr(value=of):
            return _has_items(of, filled)
        case ast.Dict(keys=keys, values=values):
            return any(keys) or any(_has_items(each, filled) for each in values)
        case ast.Name(id=name):
            return name.isupper() or name in filled
        case ast.Attribute(attr=name):
            return name.isupper()
        case ast.Call(func=ast.Attribute(attr=name, value=of)) if name in PARTS:
            return _has_items(of, filled)
        case ast.Call(func=ast.Name(id="range")):
            return True
        case ast.Call(func=ast.Name(id=name), args=[of, *_]) if name in SAME_LENGTH:
            return _has_items(of, filled)
        case ast.Call(func=ast.Name(id="zip" | "product") as by, args=given, keywords=words):
            found = [_has_items(each, filled) for each in given]
            strict = by.id == "zip" and any(
                each.arg == "strict" and getattr(each.value, "value", False) for each in words
            )
            return any(found) if strict else bool(found) and all(found)
        case (
            ast.ListComp(generators=of)
            | ast.SetComp(generators=of)
            | ast.GeneratorExp(generators=of)
        ):
            return all(not each.ifs and _has_items(each.iter, filled) for each in of)
        case ast.DictComp(generators=of):
            return all(not each.ifs and _has_items(each.iter, filled) for each in of)
        case ast.IfExp():
            return _has_items(node.body, filled) and _has_items(node.orelse, filled)
        case ast.BinOp():
            return _has_items(node.left, filled) or _has_items(node.right, filled)
    return False


def test_no_test_passes_where_it_finds_nothing() -> None:
    """What may be empty is asserted to be there, or what is done where no error comes is."""
    asked, found = 0, []
    for path in sorted(TESTS.rglob("test_*.py")):
        for test in functions_of(path.read_text(encoding="utf-8")):
            asked += 1
            if can_pass_without(test):
                found.append(f"{path.relative_to(TESTS.parent)}:{test.lineno}: {test.name}")
    assert asked > 2_000
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("body", "passes"),
    [
        ("for each in folder.glob('*'):\n  assert each", True),
        ("for each in []:\n  assert each", True),
        ("for each in [*given()]:\n  assert each", True),
        ("for each in (1, *given()):\n  assert each", False),
        ("found = given()\nfor each in found:\n  assert each", True),
        ("found = given()\nassert found\nfor each in found:\n  assert each", False),
        ("for each in (found := [1]):\n  assert each", False),
        ("for some in CASES:\n  for each in some:\n    assert each", False),
        ("for some in CASES:\n  for each in some.more:\n    assert each", True),
        ("for each, other in zip(CASES, given(), strict=True):\n  assert each", False),
        ("for each, other in zip(CASES, given(), strict=False):\n  assert each", True),
        ("if given():\n  assert 1", True),
        ("if given():\n  assert 1\nelse:\n  assert 2", False),
        ("try:\n  given()\nexcept E as error:\n  assert error", True),
        ("try:\n  given()\nexcept E as error:\n  assert error\nelse:\n  assert 1", False),
        ("with pytest.raises(E):\n  given()", False),
        ("def inner():\n  assert 1\ngiven(inner)", False),  # which says nothing of the test itself
        ("given()", False),
    ],
)
def test_what_may_not_be_executed(body: str, passes: bool) -> None:
    (test,) = functions_of("def test_it():\n" + "".join(f" {line}\n" for line in body.splitlines()))
    assert can_pass_without(test) is passes
