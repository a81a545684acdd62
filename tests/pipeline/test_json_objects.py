"""Classes of JSON objects, for packages that read the documents at run time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from generate_support import objects_module, project

from pipeline.steps import folders, generate

IDENTIFIER = "6f1c3f9e-6f0e-4d7c-9d3b-0d9b6a1f4c11"
BOOK = {
    "type": "object",
    "description": "A book.",
    "required": ["shelfNumber", "title"],
    "properties": {
        "shelfNumber": {"type": "integer", "description": "Number of its shelf."},
        "title": {"type": ["string", "null"]},
        "id": {"type": "integer"},
        "printed": {"type": "string", "format": "date"},
        "lent": {"type": "string", "format": "date-time"},
        "key": {"type": "string", "format": "uuid"},
        "items": {"type": "array", "items": {"$ref": "#/components/schemas/Page"}},
        "marks": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Page"}},
        "cover": {"anyOf": [{"type": "string"}, {"$ref": "#/components/schemas/Page"}]},
        "anything": {},
    },
}
PAGE = {"type": "object", "properties": {"turnedAt": {"type": "string", "format": "date-time"}}}
DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Books", "version": "1"},
    "servers": [{"url": "https://books.example"}],
    "paths": {
        "/book": {
            "get": {
                "operationId": "getBook",
                "tags": ["books"],
                "summary": "Return a book",
                "responses": {
                    "200": {
                        "description": "A book.",
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Book"}}
                        },
                    }
                },
            }
        }
    },
    "components": {"schemas": {"Book": BOOK, "Page": PAGE}},
}


@pytest.fixture(scope="module")
def Book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The class, out of the module that a copy of the documents gets."""
    folder = tmp_path_factory.mktemp("objects")
    config = replace(project(folder, DOCUMENT), copies=(folder / "copy",))
    made = folders(config, generate(config)[0])[folder / "copy"]
    with objects_module(made["objects.py"]) as module:
        yield module.Book


def test_members_are_read_as_their_types(Book: Any) -> None:
    moment = "2026-12-01T09:00:00Z"
    page = {"turnedAt": moment}
    found = Book(
        {
            "shelfNumber": 3, "printed": "1999-12-31", "lent": moment, "key": IDENTIFIER,
            "items": [page], "marks": {"here": page}, "cover": page, "anything": page,
        }
    )  # fmt: skip
    turned = dt.datetime(2026, 12, 1, 9, tzinfo=dt.UTC)
    assert (found.shelf_number, found.title) == (3, None)
    assert (found.printed, found.lent) == (dt.date(1999, 12, 31), turned)
    assert found.key == UUID(IDENTIFIER)
    assert [each.turned_at for each in (*found.items_, *found.marks.values())] == [turned] * 2
    assert (found.cover.turned_at, found.anything) == (turned, page)
    assert Book({"cover": "red"}).cover == "red"


def test_an_object_is_an_immutable_mapping(Book: Any) -> None:
    members = {"shelfNumber": 3, "title": None}
    found = Book(members)
    assert found == members == dict(found.items()) and found == Book(dict(members))
    assert found["shelfNumber"] == 3 and "shelf_number" not in found and len(found) == 2
    assert repr(found) == "Book(shelf_number=3)"
    assert {"shelf_number", "title", "get"} <= set(dir(found))
    with pytest.raises(AttributeError, match="Book has no attribute 'shelfnumber'"):
        found.shelfnumber  # noqa: B018
    with pytest.raises(AttributeError, match=r"Book\.title: what was read cannot be changed"):
        found.title = "x"


def test_types_and_texts_are_those_of_the_document(Book: Any) -> None:
    types = Book.__annotations__
    assert (types["shelf_number"], types["title"]) == ("int", "str | None")
    assert types["items_"] == "list[Page] | None"
    assert types["cover"] == "str | Page | None"
    assert types["anything"] == "Any"
    assert Book.__doc__ == "A book."


def test_without_copies_there_are_none(tmp_path: Path) -> None:
    files, _ = generate(replace(project(tmp_path, DOCUMENT), copies=()))
    assert not [path for path in files if path.endswith("objects.py")]
