"""Descriptions say what is assumed, by name, and nothing else of them is a guess."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline import steps
from pipeline.codegen import prose
from pipeline.codegen.assumed import with_notes
from pipeline.config import load_config
from pipeline.openapi.bundle import bundle
from pipeline.openapi.documents import found
from pipeline.openapi.overlay.applying import apply
from pipeline.openapi.overlay.reading import load_overlay

ROOT = Path(__file__).parents[2]
CONFIG = load_config(ROOT / "pyproject.toml")
DOCUMENT = """
openapi: 3.1.0
info: {title: Books, version: '1'}
paths:
  /books:
    post:
      operationId: addBook
      description: Adds a book.
      parameters:
        - {name: shelf, in: query, description: A shelf., schema: {type: string}}
      requestBody: BODY
      responses: {2XX: {description: The book.}}
    put:
      operationId: changeBook
      requestBody:
        content: {application/json: {schema: {properties: {title: {description: New title.}}}}}
components:
  requestBodies: {New: NEW}
  schemas:
    NewBook:
      type: object
      description: A new book.
      properties: {title: {type: [string], description: Title of the book.}}
    Book:
      type: object
      description: A book.
      properties:
        tags: {type: array, items: {}, description: Tags. They are unsorted.}
        width: {type: number, description: Width.}
"""
NEW = "{content: {application/json: {schema: {$ref: '#/components/schemas/NewBook'}}}}"
INLINE = ("requestBody", "content", "application/json", "schema")
OPERATION, SCHEMAS = "$.paths['/books'].post", "$.components.schemas"
SHELF = f"{OPERATION}.parameters[0]"
AT = {
    "operation": ("paths", "/books", "post"),
    "shelf": ("paths", "/books", "post", "parameters", 0),
    "new title": ("paths", "/books", "put", *INLINE, "properties", "title"),
    "new": ("paths", "/books", "post", "parameters", 1),
    "title": ("components", "schemas", "NewBook", "properties", "title"),
    "sent": ("components", "schemas", "NewBook"),
    "book": ("components", "schemas", "Book"),
    "tags": ("components", "schemas", "Book", "properties", "tags"),
    "width": ("components", "schemas", "Book", "properties", "width"),
}
TITLE, TAGS = f"{SCHEMAS}.NewBook.properties.title", f"{SCHEMAS}.Book.properties.tags"
WIDTH = f"{SCHEMAS}.Book.properties.width"
CASES = [
    (f"{TITLE}.type", ["null"], "title", "Title of the book. Null is assumed (b.g)."),
    (TITLE, {"maxLength": 9}, "title",
     'Title of the book. "At most 9 characters" is assumed (b.g).'),
    (TITLE, {"x-timezone": "UTC"}, "title", "Title of the book. UTC is assumed (b.g)."),
    (TITLE, {"format": "uri"}, "title", "Title of the book. The format uri is assumed (b.g)."),
    (f"{SCHEMAS}.NewBook", {"required": ["title"]}, "title",
     "Title of the book. That it is required is assumed (b.g)."),
    (f"{SCHEMAS}.NewBook", {"required": ["title"]}, "sent", "A new book."),
    ("$.paths['/books'].put.requestBody.content['application/json'].schema",
     {"required": ["title"]}, "new title", "New title. That it is required is assumed (b.g)."),
    (f"{SCHEMAS}.Book", {"required": ["tags", "width"]}, "book",
     "A book. That `tags` and `width` always have a value is assumed (b.g)."),
    (TAGS, {"items": {"type": "string"}}, "tags",
     "Tags. They are unsorted. The type of the entries is assumed (b.g)."),
    (TAGS, {"description": "Tags. They are sorted."}, "tags",
     "Tags. They are sorted. This is assumed (b.g)."),
    (TAGS, {"description": "Tags. Nine. They are unsorted. Or ten."}, "tags",
     "Tags. Nine. This is assumed (b.g). They are unsorted. Or ten. This is assumed (b.g)."),
    (WIDTH, {"description": "Width in metres."}, "width",
     'Width in metres. "in metres" is assumed (b.g).'),
    (WIDTH, {"x-unit": "seconds"}, "width",
     'Width in seconds. "in seconds" is assumed (b.g).'),
    (SHELF, {"name": "rack"}, "shelf", "A shelf. The name `rack` is assumed (b.g)."),
    (SHELF, {"explode": False}, "shelf", "A shelf. The encoding is assumed (b.g)."),
    (f"{SHELF}.schema", {"minLength": 1}, "shelf",
     'A shelf. "At least 1 character" is assumed (b.g).'),
    (f"{OPERATION}.parameters", [{"name": "page", "in": "query", "description": "Its page."}],
     "new", "Its page. The parameter `page` is assumed (b.g)."),
    (OPERATION, {"x-retry-safety": "idempotent"}, "operation",
     "Adds a book. What repeating it does is assumed (b.g)."),
    (f"{OPERATION}.responses", {"200": {"description": "It."}}, "operation", "Adds a book."),
    (TITLE, {"x-python-name": "name"}, "title", "Title of the book."),
]  # fmt: skip


def overlaid(folder: Path, target: str, update: Any, word: str, body: str) -> Any:
    known = {"basis": "analogy", "because": "x"} if word == "x-assumption" else {"evidence": "x"}
    action = {"target": target, "update": update, word: {"gap": "b.g", **known}}
    overlay = {"overlay": "1.1.0", "info": {"title": "x", "version": "1"}, "actions": [action]}
    (folder / "document.yaml").write_text(DOCUMENT.replace("BODY", body).replace("NEW", NEW))
    (folder / "overlay.yaml").write_text(yaml.safe_dump(overlay))
    before, made = bundle(folder / "document.yaml"), load_overlay(folder / "overlay.yaml")
    is_known = word == "x-confirmed"
    after, changes = apply(before, [] if is_known else [made], confirmed=[made] if is_known else [])
    return with_notes(before, after, changes).data


@pytest.mark.parametrize(("target", "update", "place", "text"), CASES)
@pytest.mark.parametrize("body", [NEW, "{$ref: '#/components/requestBodies/New'}"])
def test_what_is_assumed_has_its_name(
    tmp_path: Path, target: str, update: Any, place: str, text: str, body: str
) -> None:
    told = found(overlaid(tmp_path, target, update, "x-assumption", body), AT[place])
    assert told["description"] == text
    known = overlaid(tmp_path, target, update, "x-confirmed", body)
    assert "assumed (" not in json.dumps(known), "what is known is no guess"


def descriptions(node: Any, at: tuple[Any, ...] = ()) -> Any:
    if isinstance(node, dict):
        if isinstance(node.get("description"), str):
            yield at, node["description"]
        for key, inner in node.items():
            if not str(key).startswith("x-"):
                yield from descriptions(inner, (*at, key))
    elif isinstance(node, list):
        for index, inner in enumerate(node):
            yield from descriptions(inner, (*at, index))


def test_each_sentence_is_documented_or_followed_by_its_gap() -> None:
    """Of every description of both documents: what `spec/` has, or a guess that is one."""
    made = steps.effective(CONFIG)
    named: set[str] = set()
    for source in CONFIG.sources:
        spec = bundle(source.path, []).data
        data = made.documents[source.name].data
        for at, text in descriptions(data):
            if "responses" in at[:4]:
                continue
            old = prose.sentences(found(spec, (*at, "description")) or "")
            sentences = prose.sentences(text)
            for index, sentence in enumerate(sentences):
                if note := prose.ASSUMED.fullmatch(sentence):
                    assert "basis" in data["x-gaps"][note[1]], (at, sentence)
                    named.add(note[1])
                elif sentence not in old:
                    assert prose.ASSUMED.fullmatch([*sentences, ""][index + 1]), (at, sentence)
    shown = {
        change.action.gap
        for changes in made.changes.values()
        for change in changes
        if "x-assumption" in change.action.words and _is_shown(change)
    }
    assert named == shown


def _is_shown(change: Any) -> bool:
    """What is neither about statuses, nor for a test server, nor about how a client is made."""
    is_silent = change.pointer == () or "responses" in change.pointer
    return not is_silent and "x-written-ignores" not in change.action.update


def test_every_reader_has_the_notes() -> None:
    """The page, docstrings, help and what assistants get."""
    api = (ROOT / "generated/client/api.md").read_text()
    assert "(assumed)" not in api and not re.search(r"assumed \([\w.]+\)", api), "they are links"
    commands = json.loads((ROOT / "generated/commands.json").read_text())
    update = {each["name"]: each for each in commands["posts"]["commands"]["update"]["arguments"]}
    docstrings = (ROOT / "generated/client/src/social_publishing/resources/posts.py").read_text()
    for name, note in (("content", "Null is assumed (updatePost.null)."),
                       ("publication_date", "UTC is assumed (updatePost.timezone).")):  # fmt: skip
        assert note in update[name]["doc"]
        assert note in " ".join(docstrings.split())
        linked = re.sub(r"\((.*)\)", r"([\1](#gaps))", note)
        assert re.search(rf"^\| `{name}` \|.*{re.escape(linked)}", api, re.MULTILINE)


def test_what_changes_nothing_is_returned_as_it_is() -> None:
    before = bundle(CONFIG.sources[0].path, [])
    data = copy.deepcopy(before.data)
    assert with_notes(before, before, []).data == before.data == data
