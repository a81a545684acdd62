"""The judge of `nox -s generality`: clients of small documents pass it, and planted faults do not.

The documents are those of the generator's goldens. What public documents came to stands in the
documentation, which is held against its JSON here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from generality import command, results
from generality.described import Described
from generality.drawing import Drawer, Level
from generality.trials import Outcome, Trials
from pipeline.steps import generate
from tests.pipeline.generate_support import (
    CASES,
    config_of,
    documented,
    on_path,
    operation,
    operations,
    write_package,
)

# Documents without `x-` words: what a call has to be stands in OpenAPI alone.
NAMES = ("bodies", "maps", "nullable", "parameters", "responses", "security", "servers")

Clients = Callable[[str], dict[str, str]]


@pytest.fixture(scope="module")
def made() -> Clients:
    """Everything that is generated for a case; each only once."""
    known: dict[str, dict[str, str]] = {}

    def files(name: str) -> dict[str, str]:
        if name not in known:
            known[name] = generate(config_of(CASES / name, name))[0]
        return known[name]

    return files


def judged(name: str, files: dict[str, str], folder: Path) -> Outcome:
    """Return what the calls of a client come to."""
    write_package(files, folder)
    effective = folder / "document.json"
    effective.write_text(files["openapi/document.json"], encoding="utf-8")
    document = Described.of_file(CASES / name / "document.yaml")
    with on_path(folder, name):
        return Trials(document, name, (effective,), random=2).run()


@pytest.mark.parametrize("name", NAMES)
def test_what_leaves_and_what_is_read_is_what_the_document_says(
    name: str, made: Clients, tmp_path: Path
) -> None:
    outcome = judged(name, made(name), tmp_path)
    assert not outcome.wrong
    assert outcome.operations == len(Described.of_file(CASES / name / "document.yaml").operations)
    assert outcome.calls >= 4 * outcome.operations
    assert not outcome.undrawn


# Values


SCHEMAS: dict[str, Any] = {
    "text": {"type": "string", "minLength": 3, "maxLength": 5},
    "pattern": {"type": "string", "pattern": "^[a-c]{2}-[0-9]$"},
    "number": {"type": "number", "exclusiveMinimum": 2, "maximum": 3, "multipleOf": 0.25},
    "codes": {"enum": ["a", 1, None]},
    "both": {"allOf": [{"properties": {"a": {"type": "integer"}}, "required": ["a"]},
                       {"properties": {"b": {"type": "string"}}, "required": ["b"]}]},
    "one": {"oneOf": [{"type": "object", "required": ["a"], "properties": {"a": {"const": 1}}},
                      {"type": "array", "items": {"type": "boolean"}, "minItems": 1}]},
    "self": {"$ref": "#/components/schemas/Node"},
}  # fmt: skip


@pytest.mark.parametrize("level", ["least", "full", "random"])
def test_drawn_values_fit_their_schemas(level: Level) -> None:
    data = documented(**SCHEMAS)
    data["components"]["schemas"]["Node"] = {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"type": "string"}, "next": SCHEMAS["self"]},
    }
    side = Described(data).response
    pointer = ("components", "schemas", "Thing")
    for number in range(20):
        value = Drawer(side).value(pointer, level, number)
        assert not side.problems(pointer, value)
        assert level != "full" or value.keys() == SCHEMAS.keys()
        assert value == Drawer(side).value(pointer, level, number)


def test_what_one_direction_alone_has_is_not_drawn_for_the_other() -> None:
    properties = {"id": {"type": "integer", "readOnly": True}, "key": {"writeOnly": True}}
    body = {"type": "object", "properties": properties, "required": ["id", "key"]}
    document = Described(operations({"/things": {"post": operation(body=body)}}))
    [content] = document.operations[0].body
    assert content.schema is not None
    assert Drawer(document.request).value(content.schema, "full").keys() == {"key"}
    assert Drawer(document.response).value(content.schema, "full").keys() == {"id"}


# Results


@pytest.fixture
def found() -> Iterator[dict[str, results.Result]]:
    yield results.load(command.DOCS)


def test_the_page_shows_the_results(found: dict[str, results.Result]) -> None:
    for name, text in results.pages(found).items():
        assert (command.DOCS / name).read_text(encoding="utf-8") == text, (
            "run `nox -s generality -- --docs --redraw`"
        )
    page = (command.DOCS.parent / "generality.md").read_text(encoding="utf-8")
    tables = ("table.md", "peers.md", "left-out.md", "readers.md", "misread.md")
    assert all(f"generality/{name}" in page for name in tables)


def test_every_document_of_the_list_has_a_result(found: dict[str, results.Result]) -> None:
    assert found.keys() == command.listed().keys()


def test_a_document_that_cannot_be_had_is_said_to_be_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    into = tmp_path / "results"
    empty = tmp_path / "material"
    empty.mkdir()
    options = ["--material", str(empty), "--into", str(into)]
    assert command.main(["museum", "nothing.yaml", *options]) == 2
    kept = json.loads((into / results.FILE).read_text(encoding="utf-8"))
    assert "museum is not in the folder" in kept["museum"]["missing"]
    assert "nothing.yaml is no file" in kept["nothing"]["missing"]
    assert "missing" in capsys.readouterr().out
    assert "missing" in (into / "table.md").read_text(encoding="utf-8")
