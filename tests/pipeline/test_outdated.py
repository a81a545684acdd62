"""Words that rest on what the service is assumed to do go with it."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.openapi.documents import Document, loads
from pipeline.preparing import prepare

WORDS: dict[str, Any] = {
    "x-wait-with": {"operation": "b", "arguments": {"c": "d"}, "busy": "e"},
    "x-reconcile": {"operation": "b", "arguments": {"c": "d"}, "key": "e"},
    "x-read-modify-write": {"name": "f", "model": "G", "arguments": {"c": "d"}},
}
WHERE = {"update": {"unsent": "kept"}, "polled": True}


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(
    ("assumed", "wrong"),
    [
        ({"update": {"unsent": "kept", "more": 1}, "polled": True}, ""),
        (
            {"update": {"unsent": "emptied"}, "polled": True},
            'x-assume.update.unsent is "emptied", not "kept"',
        ),
        ({"update": {"unsent": "kept"}, "polled": False}, "x-assume.polled is false, not true"),
        ({"polled": True}, 'x-assume.update.unsent is null, not "kept"'),
        ({}, 'x-assume.update.unsent is null, not "kept"'),
    ],
)
def test_a_method_is_left_out_with_what_it_rests_on(
    word: str, assumed: dict[str, Any], wrong: str
) -> None:
    operation = {"operationId": "a", word: {**WORDS[word], "where": WHERE}, "responses": {}}
    other = {"operationId": "b", word: WORDS[word], "responses": {}}
    data = {
        "openapi": "3.1.0",
        "x-sections": {},
        "x-assume": assumed,
        "paths": {"/a": {"put": operation}, "/b": {"put": other}},
    }
    prepared, notes = prepare(Document("d", data, {}))
    paths = prepared.data["paths"]
    assert (word in paths["/a"]["put"]) is not bool(wrong) and word in paths["/b"]["put"]
    said = [each.message for each in notes]
    gone = f"{word}: {wrong}, so there is no such method or argument; left out"
    assert said == ([gone] if wrong else [])


TEXT = """
openapi: 3.1.0
x-sections: {}
paths: {}
components:
  schemas:
    Whole:
      type: object
      WHOLE
      properties:
        part: {type: string, PART pattern: '^z', examples: [a]}
"""


@pytest.mark.parametrize("marked", ["WHOLE", "PART", ""])
def test_an_example_that_a_confirmation_made_wrong_is_left_out(marked: str) -> None:
    """It stands in what was confirmed, or in a part of that."""
    text = TEXT
    for place, end in (("WHOLE", ""), ("PART", ",")):
        text = text.replace(place, f"x-confirmed: [a.gap]{end}" if place == marked else "")
    prepared, notes = prepare(loads(text, "main.yaml"), confirmed=["support.yaml"])
    part = prepared.data["components"]["schemas"]["Whole"]["properties"]["part"]
    assert ("examples" in part) is not bool(marked)
    assert [each.severity for each in notes if each.rule == "example"] == ["note"] * bool(marked)
