"""An assumption adds to what a document states; only what is known changes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline import gaps
from pipeline.openapi.documents import loads
from pipeline.openapi.overlay.applying import apply
from pipeline.openapi.overlay.reading import parse_overlay

ROOT = Path(__file__).parents[2]
DOCUMENT = """\
openapi: 3.1.0
info: {title: Library, version: '1'}
paths:
  /books:
    get:
      summary: Books
      description: Lists books.
      parameters:
        - {name: gap.author, in: query, required: false, schema: {type: string}}
        - {name: page, in: query, schema: {type: integer, minimum: 1}}
      responses:
        '404': {$ref: '#/components/responses/None'}
components:
  responses: {None: {description: none}}
  schemas:
    Book:
      type: object
      required: [id]
      properties:
        id: {type: [string], maxLength: 20}
        note: {type: [string], x-gap: [book.other, book.note]}
        pages: {type: integer, enum: [1, 2]}
        lent: {type: boolean, default: true}
x-assume: {books: {order: newest}}
"""
BOOK = "$.components.schemas.Book"
CHANGED = [
    # a type, a value, a limit
    (f"{BOOK}.properties.pages.type", "number", '"integer" to "number"'),
    (f"{BOOK}.properties.pages", {"type": "number"}, '"integer" to "number"'),
    (f"{BOOK}.properties.lent", {"default": False}, "true to false"),
    (f"{BOOK}.properties.lent", {"default": 1}, "true to 1"),
    (f"{BOOK}.properties.id", {"maxLength": 40}, "20 to 40"),
    ("$.paths['/books'].get.parameters[1].schema.minimum", 0, "1 to 0"),
    ("$.paths['/books'].get.parameters[0]", {"required": True}, "false to true"),
    ("$.paths['/books'].get.parameters[1]", {"name": "seite"}, '"page" to "seite"'),
    (
        "$.paths['/books'].get.responses",
        {"404": {"$ref": "#/components/responses/Other"}},
        '"#/components/responses/None" to "#/components/responses/Other"',
    ),
    (f"{BOOK}.properties.pages.enum[1]", 3, "2 to 3"),
    ("$", {"x-assume": {"books": {"order": "oldest"}}}, '"newest" to "oldest"'),
    # a type that the document does not leave open for this gap
    (f"{BOOK}.properties.id.type", ["null"], '["string"] to ["string", "null"]'),
    (f"{BOOK}.properties.id", {"type": ["null"]}, '["string"] to ["string", "null"]'),
]
ADDED = [
    ("$.paths['/books'].get", {"description": "Lists all books.", "summary": "All books"}),
    ("$.paths['/books'].get.parameters[0]", {"name": "author"}),
    (f"{BOOK}.properties.note.type", ["null"]),
    (f"{BOOK}.properties.note", {"type": ["null"]}),
    (f"{BOOK}.properties.pages.enum", [3]),
    (f"{BOOK}.required", ["pages"]),
    (f"{BOOK}.properties.pages", {"minimum": 1, "type": "integer", "x-timezone": "UTC"}),
    ("$.paths['/books'].get.responses", {"403": {"description": "no"}}),
    ("$", {"x-assume": {"books": {"size": 5}}}),
]


def found(action: dict[str, Any], word: str = "x-assumption", version: str = "1.1.0") -> list[str]:
    """Return what is said of an action that has the word of an assumption, or another."""
    known = {
        "x-assumption": {"gap": "book.note", "basis": "seen", "because": "So it is."},
        "x-confirmed": {"gap": "book.note", "evidence": "They say so."},
    }
    words = {word: known[word]} if word else {}
    text = {
        "overlay": version,
        "info": {"title": "T", "version": "1"},
        "actions": [{**action, **words}],
    }
    overlay = parse_overlay(loads(json.dumps(text, indent=1), "overlays/books.yaml"))
    confirmed = [overlay] if word == "x-confirmed" else []
    assumed = [] if confirmed else [overlay]
    document, changes = apply(loads(DOCUMENT, "main.yaml"), assumed, confirmed=confirmed)
    return [str(each) for each in gaps.contradictions({"main": document}, {"main": changes})]


@pytest.mark.parametrize(("target", "update", "said"), CHANGED)
def test_what_an_assumption_must_not_change(target: str, update: Any, said: str) -> None:
    (finding,) = found({"target": target, "update": update})
    assert finding.startswith("overlays/books.yaml:") and finding.endswith("[contradiction]")
    assert f"target {target}: an assumption adds, and this one changes {said} at #/" in finding
    assert found({"target": target, "update": update}, "x-confirmed") == []
    assert found({"target": target, "update": update}, "") == []


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (f"{BOOK}.properties.id.maxLength", "20"),
        (f"{BOOK}.properties.id", "an object"),
        (f"{BOOK}.required[0]", '"id"'),
        (f"{BOOK}.properties.pages.enum", "an array"),
        ("$.paths['/books'].get.description", '"Lists books."'),
    ],
)
def test_an_assumption_removes_nothing(target: str, said: str) -> None:
    (finding,) = found({"target": target, "remove": True})
    assert f"target {target}: an assumption adds, and this one removes {said} at #/" in finding
    assert found({"target": target, "remove": True}, "x-confirmed") == []


def test_a_list_that_grows_contradicts_nothing() -> None:
    """In overlays of version 1.0 too, a list is added to another."""
    action = {"target": f"{BOOK}.properties.pages", "update": {"enum": [1, 3]}}
    assert found(action, version="1.0.0") == []
    assert found({**action, "update": {"enum": [1, 2, 3]}}, version="1.0.0") == []


def test_a_copy_that_overwrites() -> None:
    pages = f"{BOOK}.properties.pages"
    action = {"target": f"{BOOK}.properties.lent", "copy": pages}
    (finding,) = found(action)
    assert 'changes "boolean" to "integer"' in finding


@pytest.mark.parametrize(("target", "update"), ADDED)
def test_what_an_assumption_may_add(target: str, update: Any) -> None:
    assert found({"target": target, "update": update}) == []


def test_each_node_of_a_target_is_looked_at() -> None:
    said = found({"target": f"{BOOK}.properties['pages', 'lent'].type", "update": "number"})
    assert {each.partition("this one ")[2].split(" at ")[0] for each in said} == {
        'changes "integer" to "number"',
        'changes "boolean" to "number"',
    }


RESPONSES, AUTHOR = "$.paths['/books'].get.responses", "$.paths['/books'].get.parameters[0]"
TWICE = "is assumed here, and for the same place at overlays/0.yaml:"
PAIRS = [
    # target, two updates, and what is said of them under two gaps
    (RESPONSES, {"200": {"description": "a"}}, {"201": {"description": "a"}}, ""),
    (AUTHOR, {"name": "author"}, {"name": "by"}, "assumes for gap book.note"),
    (f"{BOOK}.required", ["pages"], ["lent"], ""),
    ("$", {"x-assume": {"a": {"b": 1}}}, {"x-assume": {"a": {"b": 2}}}, "assumes for gap"),
]


def both(target: str, first: Any, second: Any, other: str = "book.note") -> list[str]:
    """Return what is said of two assumptions, each in an overlay of its own."""
    overlays = []
    for number, (update, gap) in enumerate(((first, "book.note"), (second, other))):
        word = {"gap": gap, "basis": "seen", "because": "So it is."}
        action = {"target": target, "update": update, "x-assumption": word}
        text = {"overlay": "1.1.0", "info": {"title": "T", "version": "1"}, "actions": [action]}
        overlays.append(parse_overlay(loads(json.dumps(text, indent=1), f"overlays/{number}.yaml")))
    document, changes = apply(loads(DOCUMENT, "main.yaml"), overlays)
    return [str(each) for each in gaps.contradictions({"main": document}, {"main": changes})]


@pytest.mark.parametrize(("target", "first", "second", "of_two_gaps"), PAIRS)
def test_what_is_assumed_twice(target: str, first: Any, second: Any, of_two_gaps: str) -> None:
    """A gap's place has one assumption, whether a second one is the same; the error names both."""
    for update in (first, second):
        (finding,) = both(target, first, update)
        assert finding.startswith("overlays/1.yaml:") and TWICE in finding
    assert both(target, first, first, "book.other") == []
    findings = both(target, first, second, "book.other")
    assert len(findings) == bool(of_two_gaps)
    assert all(of_two_gaps in each and "overlays/0.yaml:" in each for each in findings)


def test_errors_of_one_gap_may_be_several() -> None:
    first, second = ({code: {"description": code}} for code in ("401", "403"))
    assert both(RESPONSES, first, second) == []
    assert TWICE in both(RESPONSES, first, {**second, **first})[0]


def test_words_of_one_gap_at_the_root_may_be_several() -> None:
    first, second = {"x-assume": {"a": {"b": 1}}}, {"x-assume": {"a": {"c": 2}}}
    assert both("$", first, second) == []


@pytest.mark.parametrize(
    ("target", "first", "second", "other", "said"),
    [
        ("$", {"x-assume": {"a": {"b": 1}}}, {"x-assume": {"a": {"b": 2}}}, "", "changes 1 to 2"),
        ("$", {"x-assume": {"a": {"b": 1}}}, {"x-assume": {"a": {"c": 2}}}, "", ""),
        (AUTHOR, {"name": "by"}, {"name": "from"}, "", 'changes "by" to "from"'),
        (AUTHOR, {"name": "by"}, {"name": "from"}, "book.other", 'changes "by" to "from"'),
        (AUTHOR, {"description": "By."}, {"description": "From."}, "", 'changes "By." to "From."'),
        (AUTHOR, {"description": "By."}, {"description": "From."}, "book.other", ""),
        (f"{BOOK}.required", ["pages"], ["lent"], "", ""),
    ],
)
def test_what_is_confirmed_twice(
    target: str, first: Any, second: Any, other: str, said: str
) -> None:
    """Of two confirmed actions, none takes back what the other says."""
    actions = [
        {"target": target, "update": update, "x-confirmed": {"gap": gap, "evidence": "Seen."}}
        for update, gap in ((first, "book.note"), (second, other or "book.note"))
    ]
    text = {"overlay": "1.1.0", "info": {"title": "T", "version": "1"}, "actions": actions}
    overlay = parse_overlay(loads(json.dumps(text, indent=1), "confirmed/main/a.yaml"))
    document, changes = apply(loads(DOCUMENT, "main.yaml"), [], confirmed=[overlay])
    found = [str(each) for each in gaps.contradictions({"main": document}, {"main": changes})]
    assert len(found) == bool(said)
    for each in found:
        assert said in each and "which confirmed/main/a.yaml:" in each
        assert "confirms for gap book.note: take one of the two out" in each
