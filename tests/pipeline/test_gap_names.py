"""How pages are asked for follows from the parameter that fills the gap, whatever it is called."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.preparing.gap_names import name_pages

COUNTED = {"items": "data", "next": "meta.next", "current": "meta.page", "last": "meta.pages"}
WITHOUT_NUMBERS = {"items": "data", "next": "meta.next", "total": "meta.total"}


def named(parameters: list[dict[str, Any]], **more: str) -> tuple[dict[str, str], list[Any]]:
    """Return the word of two lists whose parameters fill a gap, and these parameters."""
    words = [
        {**COUNTED, "total": "meta.total", "page": "gap.paging.asked", **more} for _ in range(2)
    ]
    filling = [
        {"in": "query", "schema": {"type": "integer"}, stamp: ["paging.asked"], **each}
        for stamp, each in zip(("x-assumed", "x-confirmed"), parameters, strict=False)
    ]
    other = {"name": "group", "in": "query", "schema": {"type": "integer"}, "x-assumed": ["other"]}
    lists = [
        {"get": {"x-paging": word, "parameters": [other, *map(dict, filling)]}} for word in words
    ]
    name_pages({"paths": {"/posts": lists[0], "/notes": lists[1]}})
    assert words[0] == words[1]
    return words[0], lists[0]["get"]["parameters"][1:]


@pytest.mark.parametrize("name", ["page", "p", "seite", "pageNumber"])
@pytest.mark.parametrize("kind", ["integer", ["integer", "null"]])
def test_a_number_is_that_of_a_page(name: str, kind: Any) -> None:
    word, parameters = named([{"name": name, "schema": {"type": kind}}])
    assert word == {**COUNTED, "total": "meta.total", "page": name}
    assert parameters[0]["x-python-name"] == "page"


@pytest.mark.parametrize("name", ["page", "p"])
@pytest.mark.parametrize("size", ["per_page", "pageSize", "limit", "count"])
def test_the_size_of_a_page_is_none(name: str, size: str) -> None:
    for order in ([{"name": size}, {"name": name}], [{"name": name}, {"name": size}]):
        word, parameters = named(order)
        assert word["page"] == name
        assert [each["name"] for each in parameters if "x-python-name" in each] == [name]


@pytest.mark.parametrize("name", ["offset", "skip", "start", "startIndex", "from", "page[offset]"])
def test_a_number_of_entries_is_an_offset(name: str) -> None:
    word, parameters = named([{"name": name}])
    assert word == {**WITHOUT_NUMBERS, "offset": name}
    assert "x-python-name" not in parameters[0]


@pytest.mark.parametrize("kind", ["string", ["string", "null"], ["null", "string"]])
@pytest.mark.parametrize("name", ["page", "cursor", "offset"])
def test_a_text_is_made_by_the_service(name: str, kind: Any) -> None:
    word, parameters = named([{"name": name, "schema": {"type": kind}}])
    assert word == WITHOUT_NUMBERS
    assert "x-python-name" not in parameters[0]


@pytest.mark.parametrize("key", ["cursor", "offset"])
def test_what_the_word_says_itself_stays(key: str) -> None:
    word, _ = named([{"name": "page"}], **{key: "after"})
    assert word == {**WITHOUT_NUMBERS, key: "after"}


def test_no_parameter_leaves_no_numbers() -> None:
    assert named([]) == (WITHOUT_NUMBERS, [])
