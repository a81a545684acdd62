"""Pieces of code keep the imports that they need, however they are put together."""

from __future__ import annotations

import ast

import pytest

from pipeline.codegen import code as py
from pipeline.codegen.code import Code, import_lines


@pytest.mark.parametrize(
    ("made", "text", "names"),
    [
        (py.DICT[py.STR, py.ANY] | py.NONE, "dict[str, Any] | None", {"Any"}),
        (
            py.ANNOTATED[py.INT, py.META(ge="1")],
            "Annotated[int, Meta(ge=1)]",
            {"Annotated", "Meta"},
        ),
        (py.SEQUENCE[py.model("Book")], "Sequence[Book]", {"Sequence", "Book"}),
        (py.mapping([("a", py.UUID('"x"'))]), 'a: UUID("x")'.join("{}"), {"UUID"}),
        (py.sequence(["a", py.UNSET]), "[a, UNSET]", {"UNSET"}),
        (py.function(py.own("build")("a"), "a"), "lambda a: build(a)", {"build"}),
        (py.function(Code("1")), "lambda: 1", set()),
        (py.DATE, "dt.date", {""}),
    ],
)
def test_pieces(made: Code, text: str, names: set[str]) -> None:
    assert (made.text, made.names) == (text, names)
    ast.parse(made.text)


def test_import_lines() -> None:
    code = py.joined(" ", [py.DATE, py.ANY, py.UNSET, py.MAYBE, py.own("build"), py.model("Book"),
                           py.model("Here")])  # fmt: skip
    homes = {"Book": "..models.books", "Here": ""}
    assert import_lines(code.imports, homes.__getitem__) == [
        "import datetime as dt",
        "from .._runtime.core.models import Maybe, UNSET",
        "from ..models.books import Book",
        "from typing import Any",
    ]


def test_no_class_has_a_name_that_generated_modules_import() -> None:
    assert {"Annotated", "Any", "AsyncMethod", "Batches", "M", "UnsetType"} <= py.CLASS_NAMES
    assert {"dict", "dt", "prepare", "self", "to_dict", "written_as"} <= py.FIELD_NAMES
