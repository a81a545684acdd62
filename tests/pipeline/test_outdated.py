"""Words that rest on what the service is assumed to do go with it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from generate_support import confirming

from pipeline import steps
from pipeline.openapi.documents import Document, loads
from pipeline.preparing import prepare

ROOT = Path(__file__).parents[2]
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


@pytest.mark.parametrize("lists", ["replaced", "added"])
@pytest.mark.parametrize("labels", ["replaced", "added"])
def test_of_a_word_with_parts_only_these_rest_on_it(lists: str, labels: str) -> None:
    parts = [
        {"fields": ["f", "g"], "where": {"update": {"lists": "replaced"}}},
        {"fields": ["h"], "where": {"update": {"labels": "replaced"}}},
    ]
    operation = {"operationId": "a", "x-reconcile": {**WORDS["x-reconcile"], "parts": parts}}
    data = {
        "openapi": "3.1.0",
        "x-sections": {},
        "x-assume": {"update": {"lists": lists, "labels": labels}},
        "paths": {"/a": {"put": operation}},
    }
    prepared, notes = prepare(Document("d", data, {}))
    word = prepared.data["paths"]["/a"]["put"]["x-reconcile"]
    unread = ["f", "g"] * (lists == "added") + ["h"] * (labels == "added")
    assert word.get("unread", []) == unread and word["key"] == "e"
    said = 'x-assume.update.{} is "added", not "replaced", so no read shows {}'.format
    assert [each.message for each in notes] == [
        *[f"x-reconcile: {said('lists', 'f or g')}"] * (lists == "added"),
        *[f"x-reconcile: {said('labels', 'h')}"] * (labels == "added"),
    ]


ADDED = """
overlay: 1.1.0
info: {title: Support, version: '1'}
actions:
  - target: $
    update: {x-assume: {updatePost: {lists: added}}}
    x-confirmed: {gap: updatePost.lists, evidence: Seen.}
  - target: $
    update: {x-assume: {updatePost: {labelIds: added}}}
    x-confirmed: {gap: updatePost.labelIds, evidence: Seen.}
"""


def test_an_update_of_other_fields_than_lists_that_add_is_settled(tmp_path: Path) -> None:
    """Every list of the body is one of the parts; the client has them by their names in Python."""
    files, _ = steps.generate(replace(confirming(tmp_path, main=ADDED), code=()))
    main = yaml.safe_load(files["openapi/main.json"])
    properties = main["components"]["schemas"]["PostUpdate"]["properties"]
    lists = [each for each, node in properties.items() if "array" in node.get("type", ())]
    word = main["paths"]["/posts/{post}"]["patch"]["x-reconcile"]
    assert sorted(word["unread"]) == sorted(lists)
    made = files["client/src/social_publishing/resources/posts.py"]
    (probe,) = re.findall(r"Probe\(\s*\[build_get_many\(\[post_id\]\)\].*?\]\s*,?\s*\)", made, re.S)
    assert all(f'"{name}"' in probe for name in ("label_ids", "assignee_ids", "dr_tags"))
    assert '"content"' not in probe


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


OPEN = """
openapi: 3.1.0
x-sections: {}
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - name: with
          in: query
          schema:
            type: array
            items:
              type: [string, 'null']
              x-extensible-enum: [owner, food]
              MARK
              examples: [owner, toys, null, home]
          example: [owner, toys]
        - {name: without, in: query, schema: {type: string, MARK examples: [toys]}, example: owner}
      responses: {}
"""


@pytest.mark.parametrize("is_known", [True, False])
def test_an_example_with_a_value_that_is_not_confirmed_is_left_out(is_known: bool) -> None:
    """The others of its list stay; of an open set that is not confirmed, any may be shown."""
    own = OPEN.replace(
        "MARK examples: [toys]", "x-extensible-enum: [owner], MARK, examples: [toys]"
    )
    text = own.replace("MARK", "x-confirmed: [a.gap]" if is_known else "x-gap: a.gap")
    prepared, notes = prepare(loads(text, "main.yaml"), confirmed=["support.yaml"])
    first, second = prepared.data["paths"]["/pets"]["get"]["parameters"]
    all_of = ["owner", "toys", None, "home"]
    assert first["schema"]["items"]["examples"] == (["owner", None] if is_known else all_of)
    assert ("example" in first) is ("examples" in second["schema"]) is not is_known
    assert second["example"] == "owner"
    assert len([each for each in notes if each.rule == "example"]) == 4 * is_known
