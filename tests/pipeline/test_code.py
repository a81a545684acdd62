"""Pieces of code keep the imports that they need, however they are put together."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import msgspec
import pytest
from generate_support import on_path, operation, operations, project, structs, write_package

from pipeline.codegen import code as py
from pipeline.codegen.code import Code, import_lines
from pipeline.steps import generate


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
def test_a_piece_of_code_has_its_text_and_its_names(made: Code, text: str, names: set[str]) -> None:
    assert (made.text, made.names) == (text, names)
    ast.parse(made.text)


def test_import_lines() -> None:
    code = py.joined(" ", [py.DATE, py.ANY, py.UNSET, py.MISSING, py.own("build"), py.model("Book"),
                           py.model("Here")])  # fmt: skip
    homes = {"Book": "..models.books", "Here": ""}
    assert import_lines(code.imports, homes.__getitem__) == [
        "import datetime as dt",
        "from .._runtime.core.models import MISSING, UNSET",
        "from ..models.books import Book",
        "from typing import Any",
    ]


def test_documents_may_use_names_of_generated_modules(tmp_path: Path) -> None:
    assert {"Annotated", "Any", "AsyncPager", "Batches", "UnsetType"} <= py.CLASS_NAMES
    assert {"dict", "dt", "prepare", "self", "to_dict", "written_as"} <= py.FIELD_NAMES
    kinds = [{"type": "string"}, {"type": "integer"}, {"type": "array", "items": {}},
             {"type": "string", "format": "date"}, {"type": "object"}]  # fmt: skip
    fields = sorted({*py.FIELD_NAMES, "id", "object", "property", "type"})
    properties = {name: {**kinds[i % 5], "description": "It."} for i, name in enumerate(fields)}
    properties["id"] = {**kinds[0], "description": "An id."}
    thing = {"type": "object", "description": "A thing.", "properties": properties}
    names = sorted(name for name in py.CLASS_NAMES if name[0].isupper())
    paths = {
        f"/{name}": {"put": operation(f"put_{name}", body=ref, answer=ref)}
        for name in names
        for ref in [{"$ref": f"#/components/schemas/{name}"}]
    }
    files, _ = generate(project(tmp_path, operations(paths, **dict.fromkeys(names, thing))))
    write_package(files, tmp_path)
    with on_path(tmp_path, "sample"):
        found = list(structs(import_module("sample.models")))
        assert len(found) == 2 * len(names)
        for struct in found:
            msgspec.inspect.type_info(struct)
        resource = import_module("sample.resources.things")
        assert resource.build_put_any(id="a").method == "PUT"
