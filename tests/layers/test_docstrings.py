"""Docstrings of public functions begin with a verb; those of properties say what they are."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from reading import table

NO_VERB = re.compile(
    r"(A|All|An|Any|As|At|By|Each|Every|Everything|From|How|In|It|No|None|Of|One|Something|The"
    r"|There|These|This|Those|What|When|Where|Whether|Which|Whoever)\b|[^A-Z]"
)
SHIPPED = ("runtime", "client", "pipeline", "sandbox", "cli", "release", "benchmarks")


def without_verb(text: str) -> list[str]:
    """Return the public functions of a module whose docstrings begin with no verb."""
    return [
        f"{node.lineno}: {node.name}: {doc.splitlines()[0]}"
        for node in functions(ast.parse(text))
        if (doc := ast.get_docstring(node)) and NO_VERB.match(doc)
    ]


def functions(
    node: ast.Module | ast.ClassDef,
) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the public functions of a module or a class, but for properties."""
    for each in node.body:
        match each:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef() if each.name[0] == "_":
                continue
            case ast.ClassDef():
                yield from functions(each)
            case ast.FunctionDef(decorator_list=found) | ast.AsyncFunctionDef(decorator_list=found):
                if not any("property" in ast.unparse(one) for one in found):
                    yield each


@pytest.mark.parametrize("title", SHIPPED)
def test_docstrings_of_public_functions_begin_with_a_verb(title: str) -> None:
    sources = table()[title].sources()
    found = [f"{file}:{each}" for file, text in sources.items() for each in without_verb(text)]
    assert sources
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ('def read():\n    """Return a book."""', 0),
        ('def is_lent():\n    """Whether a book is lent."""', 1),
        ('def day():\n    """`1 Dec`."""', 1),
        ('class Book:\n    async def title(self):\n        """The title."""', 1),
        ('class Book:\n    @property\n    def title(self):\n        """The title."""', 0),
        ('class _Book:\n    def title(self):\n        """The title."""', 0),
        ('def _title():\n    """The title."""', 0),
    ],
)
def test_a_docstring_without_a_verb_is_found(code: str, count: int) -> None:
    assert len(without_verb(code)) == count
