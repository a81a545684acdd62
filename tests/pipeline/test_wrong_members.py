"""A document that has everything, of which one member is gone or of a wrong type.

It is read without a traceback: what is wrong is named, and costs no more than what needs it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from generate_support import operation, operations, project

from pipeline.lint import lint
from pipeline.openapi.documents import Document, Pointer, found, load
from pipeline.openapi.objects import members
from pipeline.preparing import prepare
from pipeline.steps import generate
from tests.pipeline import fuzzing

S = {"type": "string"}
EVERYTHING = Path(__file__).with_name("everything.yaml")
GONE: Any = object()
WRONG: tuple[Any, ...] = (GONE, None, "", "a", 7, True, [], ["a"], {}, {"a": {}})
PARTS = 120


def places(value: Any, at: Pointer = ()) -> Iterator[Pointer]:
    for key, inner in members(value):
        yield (*at, key)
        yield from places(inner, (*at, key))


def changed(data: Any, place: Pointer, value: Any) -> Any:
    """A copy of a document with another value at a place, or without it."""
    made = copy.deepcopy(data)
    holder = found(made, place[:-1])
    if value is GONE:
        del holder[place[-1]]
    else:
        holder[place[-1]] = copy.deepcopy(value)
    return made


def older(data: Any) -> Any:
    """The document in OpenAPI 3.0, without what is newer."""
    made = copy.deepcopy(data)
    made["openapi"] = "3.0.3"
    del made["webhooks"], made["components"]["pathItems"], made["paths"]["/shared"]
    properties = made["components"]["schemas"]["Thing"]["properties"]
    properties["n"] = {"type": "integer", "nullable": True, "minimum": 0, "exclusiveMinimum": True}
    for name in ("pair", "const", "cond"):
        del properties[name]
    return made


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(each, marks=pytest.mark.nightly) for each in range(1, PARTS))]
)
@pytest.mark.parametrize("version", ["3.0", "3.1"])
def test_a_wrong_member_costs_no_more_than_what_needs_it(version: str, first: int) -> None:
    data = load(EVERYTHING).data
    data = older(data) if version == "3.0" else data
    assert fuzzing.check(data) == ""
    tried = [(place, value) for place in places(data) for value in WRONG][first::PARTS]
    assert tried
    wrong = {repr(each): text for each in tried if (text := fuzzing.check(changed(data, *each)))}
    assert not wrong


@pytest.mark.parametrize("name", [GONE, None, "", 7, [], {}])
def test_a_parameter_without_a_name_is_left_out(tmp_path: Path, name: Any) -> None:
    named = {"name": "q", "in": "query", "schema": S}
    given = {**named, "name": name}
    if name is GONE:
        del given["name"]
    document = operations({"/a": {"get": operation("readA", parameters=[given, named])}})
    assert [each for each in lint(Document("a", document, {})) if each.severity == "error"]
    files, notes = generate(project(tmp_path, document))
    (said,) = [each for each in notes if "parameters[0]" in each.message]
    assert "name must be a text" in said.message
    assert said.position and said.position.line
    assert "build_read_a(q=q)" in files["client/src/sample/resources/things.py"]


@pytest.mark.parametrize("status", ["'201'", '"201"', " 201 "])
def test_a_status_in_quotes_is_read_as_it_is_meant(status: str) -> None:
    made = operation("readA")
    made["responses"][status] = {"description": "Made."}
    document = Document("a", operations({"/a": {"get": made}}), {})
    (said,) = [each for each in lint(document) if "not a status" in each.message]
    assert said.severity == "error"
    prepared, notes = prepare(document)
    assert [*prepared.data["paths"]["/a"]["get"]["responses"]] == ["200", "201"]
    assert [each.message for each in notes] == [f"{status}: not a status; read as 201"]


@pytest.mark.parametrize(
    "value", [{"$ref": "#/nowhere"}, {"$ref": "other.yaml"}, {"description": "x"}, [], "a", None]
)
@pytest.mark.parametrize("field", ["responses", "paths"])
def test_what_an_extension_says_beside_others_is_none_of_them(
    tmp_path: Path, field: str, value: Any
) -> None:
    def made(name: str, *, is_extended: bool) -> dict[str, str]:
        data = operations({"/a": {"get": operation("readA")}})
        around = data if field == "paths" else data["paths"]["/a"]["get"]
        if is_extended:
            around.setdefault(field, {})["x-note"] = value
        (tmp_path / name).mkdir()
        files, notes = generate(project(tmp_path / name, data))
        assert notes == []
        return {path: text for path, text in files.items() if path.startswith("client/src/")}

    assert made("extended", is_extended=True) == made("plain", is_extended=False)
