"""Who calls a method whose name or arguments have changed is told, with the places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.codegen.callers import callers
from pipeline.openapi.documents import Document
from pipeline.openapi.model import DocumentModel

CALLS = ["pets.list(size=1)", "owners.list(size=1)", "`pets.list`", "toy-shop pets list --size 1"]


def listing(name: str, *arguments: str) -> Document:
    def operation(resource: str) -> dict[str, Any]:
        return {
            "operationId": f"list{resource.title()}",
            "x-python-resource": resource,
            "x-python-name": name if resource == "pets" else "list",
            "parameters": [
                {"name": each, "in": "query", "schema": {"type": "integer"}}
                for each in (arguments if resource == "pets" else ("size",))
            ],
            "responses": {},
        }

    paths = {f"/{each}": {"get": operation(each)} for each in ("pets", "owners")}
    return Document("shop", {"openapi": "3.1.0", "paths": paths}, {})


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (listing("list", "size", "page"), []),
        (listing("browse", "size", "page"), ["pets.list is pets.browse now"]),
        (listing("list", "size"), ["pets.list takes page no more"]),
        (listing("list"), ["pets.list takes page no more", "pets.list takes size no more"]),
    ],
)
def test_callers_of_what_is_renamed_or_removed_are_named(now: Document, said: list[str]) -> None:
    before = DocumentModel(listing("list", "size", "page"))
    found = callers([(Path("page.md"), CALLS)], {"shop": before}, {"shop": now})
    assert [each.message for each in found] == [f"{text}: look at page.md:1, 3, 4" for text in said]
