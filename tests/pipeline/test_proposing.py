"""Guesses about lists in pages, and about streams."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from generate_support import CASES, configuration

from pipeline.cli import main
from pipeline.lint import lint
from pipeline.openapi.bundle import bundle
from pipeline.openapi.documents import Document, loads
from pipeline.openapi.overlay.applying import apply
from pipeline.openapi.overlay.reading import parse_overlay
from pipeline.proposing import propose

GRAPH = {"paging": {"cursors": {"before": "string", "after": "string"}, "next": "string"}}
PATH = CASES / "onwards" / "document.yaml"


def _words(data: Any) -> dict[str, Any]:
    return {
        path: item["get"]["x-paging"]
        for path, item in data["paths"].items()
        if "x-paging" in item["get"]
    }


def _typed(properties: dict[str, Any]) -> dict[str, Any]:
    """Return properties as schemas, from the types of their names."""
    return {
        name: {"type": "object", "properties": _typed(kind)}
        if isinstance(kind, dict)
        else {"type": kind}
        for name, kind in properties.items()
    }


def test_what_is_guessed_is_what_was_meant() -> None:
    document = bundle(PATH)
    data = copy.deepcopy(document.data)
    meant = _words(data)
    for item in data["paths"].values():
        del item["get"]["x-paging"]
    data["paths"]["/papers"]["get"]["responses"]["200"]["content"]["application/json"]["schema"][
        "properties"
    ]["info"]["properties"] = {"total": {"type": "integer", "description": "All."}}
    bare = Document(document.name, data, {})
    overlay = parse_overlay(loads(propose(bare), "guessed.yaml"))
    guessed, _ = apply(bare, [overlay])
    meant["/papers"]["total"] = "info.total"
    assert _words(guessed.data) == meant
    assert not [each for each in lint(guessed) if each.severity == "error"]


@pytest.mark.parametrize(
    ("parameter", "properties", "word"),
    [
        (
            "pageToken",
            {"nextPageToken": "string"},
            {"cursor": "pageToken", "next": "nextPageToken"},
        ),
        ("limit", {"next": "string"}, {"next": "next"}),
        ("page", {"total_pages": "integer"}, {"page": "page", "last": "total_pages"}),
        ("page", {"current_page": "integer"}, {"page": "page", "current": "current_page"}),
        ("limit", {"total": "integer"}, None),
        ("after", {"next": "string"}, {"cursor": "after", "next": "next"}),
        ("after", GRAPH, {"cursor": "after", "next": "paging.cursors.after"}),
        ("limit", GRAPH, {"next": "paging.next"}),
        ("after", {"paging": {"next": "string"}}, {"next": "paging.next"}),
        ("after", {"_links": {"next": "string"}}, {"next": "_links.next"}),
    ],
)
def test_well_known_shapes(parameter: str, properties: dict[str, Any], word: Any) -> None:
    members = _typed(properties)
    members["list"] = {"type": "array", "items": {"type": "string"}}
    kind = "integer" if parameter == "page" else "string"
    assert guessed(parameter, kind, members) == (word and {"items": "list", **word})


# Names that are known, the more telling ones first, as they are written in snake case.
ITEMS = "data items results entries values records objects content"
CURSORS = {
    "cursor": "next_cursor cursor end_cursor",
    "next_cursor": "next_cursor",
    "page_cursor": "next_cursor next_page_cursor",
    "page_token": "next_page_token page_token",
    "next_page_token": "next_page_token",
    "next_token": "next_token",
    "continuation_token": "continuation_token next_continuation_token",
    "marker": "next_marker",
    "after": "last_id end_cursor next_cursor after next",
    "starting_after": "last_id next_cursor",
    "offset": "offset next_offset",
    "page": "next_page",
}
KNOWN = [
    *(("string", name, "string", "next", known) for name, known in CURSORS.items()),
    ("string", "q", "string", "next", "next_page_url next_url next_link next next_page next_uri"),
    ("string", "cursor", "boolean", "more", "has_more has_next has_next_page more"),
    *(
        ("integer", name, "integer", "total", "total total_count total_results total_items")
        for name in ("offset", "skip", "start_at")
    ),
    *(
        ("integer", name, "integer", key, known)
        for name in ("page", "page_number", "page_no")
        for key, known in (
            ("current", "current_page page page_number"),
            ("last", "last_page total_pages page_count pages"),
        )
    ),
]


def guessed(
    parameter: str,
    kind: str,
    properties: dict[str, Any],
    method: str = "get",
    place: str = "query",
    header: str = "X-More",
) -> Any:
    """Return the word of a list with a parameter and these properties; None where it has none."""
    one = {
        "parameters": [{"name": parameter, "in": place, "schema": {"type": kind}}],
        "responses": {"200": {"description": "", "headers": {header: {}}, "content": {
            "application/json": {"schema": {"type": "object", "properties": properties}}}}},
    }  # fmt: skip
    text = propose(Document("sample", {"openapi": "3.1.0", "paths": {"/a": {method: one}}}, {}))
    if not text:
        return None
    (action,) = loads(text, "guessed.yaml").data["actions"]
    return action["update"]["x-paging"]


@pytest.mark.parametrize(("kind", "parameter", "of", "key", "names"), KNOWN)
def test_every_name_is_known_and_the_more_telling_one_is_taken(
    kind: str, parameter: str, of: str, key: str, names: str
) -> None:
    known = names.split()
    for number, name in enumerate(known):
        others = {each: {"type": of} for each in reversed(known[number:])}
        if parameter == "cursor" and key == "more":
            others["next_cursor"] = {"type": "string"}
        word = guessed(parameter, kind, {"list": {"type": "array", "items": {}}, **others})
        assert word[key] == name
        assert parameter in word.values() or parameter == "q"


MORE = {"has_more": "boolean"}


@pytest.mark.parametrize(
    ("parameter", "properties", "others", "word"),
    [
        ("page", {}, {}, {"page": "page"}),
        ("page", MORE, {}, {"page": "page", "more": "has_more"}),
        ("page", {}, {"method": "post"}, None),
        ("page", {}, {"place": "header"}, None),
        ("skip", {}, {}, {"offset": "skip"}),
        ("skip", MORE, {}, {"offset": "skip", "more": "has_more"}),
        ("skip", MORE, {"header": "lInK"}, {"link": True}),
        ("limit", {}, {"header": "Links"}, None),
        ("cursor", {"nextCursor": "string", "next_cursor": "string"}, {},
         {"cursor": "cursor", "next": "nextCursor"}),
        ("cursor", {"next_cursor": "integer"}, {}, None),
        ("cursor", {"a": {"b": {"next_cursor": "string"}}}, {},
         {"cursor": "cursor", "next": "a.b.next_cursor"}),
        ("cursor", {"a": {"b": {"c": {"next_cursor": "string"}}}}, {}, None),
    ],
)  # fmt: skip
def test_what_makes_a_list_one_in_pages(
    parameter: str, properties: dict[str, Any], others: dict[str, str], word: Any
) -> None:
    item = {"type": "object", "properties": {"next_cursor": {"type": "string"}}}
    members = {"list": {"type": "array", "items": item}, **_typed(properties)}
    kind = "string" if parameter == "cursor" else "integer"
    assert guessed(parameter, kind, members, **others) == (word and {"items": "list", **word})
    members["other"] = members["list"]  # of two lists, none is the one
    assert guessed(parameter, kind, members, **others) is None


def test_every_name_of_items_is_known_before_any_other() -> None:
    known = ITEMS.split()
    for number, name in enumerate(known):
        lists = {each: {"type": "array", "items": {}} for each in ("a", *reversed(known[number:]))}
        assert guessed("q", "string", {**lists, "next": {"type": "string"}})["items"] == name


@pytest.mark.parametrize(
    ("properties", "types", "word"),
    [
        ({"stream": {"type": ["boolean", "null"]}}, ["application/json"], {"stream": True}),
        ({"stream_format": {"enum": ["sse", "audio"]}}, ["audio/mpeg"], {"stream_format": "sse"}),
        ({"stream": {"type": "string"}}, ["application/json"], None),
        ({"stream": {"type": "boolean"}}, [], None),
    ],
)
def test_what_asks_for_a_stream(properties: Any, types: list[str], word: Any) -> None:
    schema = {"type": "object", "properties": properties}
    offered: dict[str, Any] = {name: {} for name in (*types, "text/event-stream")}
    post = {
        "operationId": "ask",
        "requestBody": {"content": {"application/json": {"schema": schema}}},
        "responses": {"200": {"description": "", "content": offered}},
    }
    document = Document("sample", {"openapi": "3.1.0", "paths": {"/a": {"post": post}}}, {})
    text = propose(document)
    noted = [each for each in lint(document) if "not guessed" in each.message]
    assert bool(text) is bool(noted) is bool(word)
    if word is not None:
        (action,) = loads(text, "guessed.yaml").data["actions"]
        assert action["update"]["x-stream"] == {"sets": word}


def test_nothing_is_overwritten(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    text = PATH.read_text().replace("x-paging: {link: true}\n", "x-other: 1\n")
    (tmp_path / "api.yaml").write_text(text)
    text = configuration("a", "api").replace("document.yaml", "api.yaml")
    (tmp_path / "pyproject.toml").write_text(text)
    command = ["propose", "--config", str(tmp_path / "pyproject.toml")]
    assert main([*command, "-o", str(tmp_path / "paging.yaml")]) == 0
    assert "link: true" in (tmp_path / "paging.yaml").read_text()
    assert main([*command, "-o", str(tmp_path / "paging.yaml")]) == 1
    assert main([*command, "other"]) == 1
    assert "no document other; known are api" in capsys.readouterr().err
