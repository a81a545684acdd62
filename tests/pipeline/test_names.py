"""Names of a document become names of Python, always valid ones."""

from __future__ import annotations

import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.codegen import names
from pipeline.openapi import media_types


@pytest.mark.parametrize(
    ("wire", "python"),
    [
        ("shelfNumber", "shelf_number"),
        ("shelf-number", "shelf_number"),
        ("HTTPStatus", "http_status"),
        ("option_1", "option_1"),
        ("X-Trace-Id", "x_trace_id"),
        ("filter[name]", "filter_name"),
        ("class", "class_"),
        ("list", "list_"),
        ("self", "self_"),
        ("to_dict", "to_dict_"),
        ("to_json", "to_json_"),
        ("field", "field_"),
        ("2nd", "field_2_nd"),
        ("__init__", "init"),
        ("é", "e"),
        ("日", "field_"),
        ("", "field_"),
    ],
)
def test_snake(wire: str, python: str) -> None:
    assert names.snake(wire) == python


@pytest.mark.parametrize(
    ("wire", "python"),
    [("book_shelf", "BookShelf"), ("book", "Book"), ("URLList", "URLList"), ("2nd", "Model2Nd"),
     ("none", "None_"), ("+", "Model")],
)  # fmt: skip
def test_pascal(wire: str, python: str) -> None:
    assert names.pascal(wire) == python


@pytest.mark.parametrize(
    ("wire", "python"),
    [("in-review", "IN_REVIEW"), ("2nd", "VALUE_2_ND"), ("+1", "PLUS_1"), ("", "VALUE_")],
)
def test_constant(wire: str, python: str) -> None:
    assert names.constant(wire) == python


@given(st.text())
def test_every_name_is_one_of_python(text: str) -> None:
    for name in (names.snake(text), names.pascal(text), names.constant(text)):
        assert name.isidentifier() and name.isascii() and not keyword.iskeyword(name)


@given(st.text())
def test_a_name_is_its_own_name(text: str) -> None:
    assert names.snake(names.snake(text)) == names.snake(text)


PORTS = [f"{port}{number}" for port in ("com", "lpt") for number in range(10)]


@pytest.mark.parametrize("name", ["con", "prn", "aux", "nul", *PORTS])
def test_no_resource_has_a_name_that_is_no_file_on_windows(name: str) -> None:
    assert names.resource_name({"tags": [name]}).removesuffix("_") == names.snake(name)
    assert names.resource_name({"x-python-resource": name}) == f"{name}_"
    assert names.resource_name({"x-python-resource": f"{name}s"}) == f"{name}s"


ITEMS = "jsonl x-jsonl x-jsonlines ndjson x-ndjson json-seq"
TEXTS = "xml yaml x-yaml jsonl x-ndjson x-jsonlines javascript"


@pytest.mark.parametrize("kind", sorted({*ITEMS.split(), *TEXTS.split(), "pdf", "zip", "gzip"}))
def test_what_a_media_type_is(kind: str) -> None:
    name = f"application/{kind}"
    assert media_types.is_stream(name) is (kind in ITEMS.split())
    assert media_types.is_text(name) is (kind in TEXTS.split())
    assert not media_types.is_json(name)
