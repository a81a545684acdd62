"""Characters of a document that move a cursor, or hide, are written out wherever people read."""

from __future__ import annotations

import ast
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from generate_support import operation, operations
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.causes import causes
from pipeline.cli import main
from pipeline.openapi.documents import dumps
from pipeline.openapi.problems import Finding
from pipeline.openapi.wording import as_toml, on_one_line, visible
from pipeline.openapi.yamls import dump

# An escape, its form in one character, a right-to-left override, breaks of lines, a bell.
SIGNS = "\x1b[31m\x9b31m\u202e\u2066\u200f\u2028\r\x85\x07\x7f\ufeff\U000e0041"
ODD = f"a{SIGNS}\n## z"
UNSEEN = {*SIGNS} - {*"[31m"}
PROSE = f"a{SIGNS} z"  # in which a new line may begin anything
COMMON = {"description": PROSE, "summary": PROSE}


def hostile() -> Iterator[tuple[str, Any]]:
    """Yield documents in which one kind of name, or of text, has such characters."""

    def made(**members: Any) -> Any:
        own = {"operationId": "readA", "responses": {"200": {"description": "d"}}, **members}
        return operations({"/a": {"get": operation(**{"name": own.pop("operationId"), **own})}})

    def of_schema(schema: Any) -> Any:
        data = made()
        content = {"application/json": {"schema": schema}}
        data["paths"]["/a"]["get"]["responses"]["200"]["content"] = content
        return data

    def with_(data: Any, **members: Any) -> Any:
        return {**data, **members}

    text = {"type": "string"}
    for place in ("query", "header", "cookie"):
        named = {"name": ODD, "in": place, "schema": text}
        yield f"a parameter in {place}", made(parameters=[named])
    query = {"name": "q", "in": "query", "schema": text}
    for word, value in {**COMMON, "example": ODD, "style": ODD, "in": ODD}.items():
        yield f"{word} of a parameter", made(parameters=[{**query, word: value}])
    yield "an example", made(parameters=[{**query, "examples": {ODD: {"value": ODD, **COMMON}}}])
    for word, value in {**COMMON, "operationId": ODD}.items():
        yield f"{word} of an operation", made(**{word: value})
    yield "a tag", with_(made(tags=[ODD]), tags=[{"name": ODD, "description": PROSE}])
    header = {ODD: {"description": PROSE, "schema": text}}
    yield "a header", made(responses={"200": {"description": PROSE, "headers": header}, ODD: {}})
    yield "a media type", made(responses={"200": {"description": "d", "content": {ODD: {}}}})
    for word in ("title", "default", "format", "pattern", "type", "const", "$ref"):
        yield f"{word} of a schema", of_schema({"type": "object", "properties": {"a": {word: ODD}}})
    codes = {"type": "string", "enum": ["a", ODD], "description": PROSE}
    yield "an enumeration", of_schema({"type": "object", "properties": {"a": codes}})
    yield "a property", of_schema({"type": "object", "properties": {ODD: text}, "required": [ODD]})
    yield "a word", of_schema({"type": "object", ODD: 1, "minimum": ODD})
    named = operations(
        {"/a": {"get": operation(answer={"$ref": "#/components/schemas/A"})}},
        **{ODD: {"type": "object", "title": ODD}, "A": {"type": "object", "properties": {"a": {}}}},
    )
    yield "a schema", named
    scheme = {"type": "apiKey", "in": "header", "name": "X-Key", "description": PROSE}
    for asked in ([{ODD: []}], [{ODD: []}, {"b": []}], [{f"{ODD}2": []}]):
        data = with_(made(), security=asked)
        data["components"]["securitySchemes"] = {ODD: scheme, "b": {**scheme, "name": ODD}}
        yield f"a scheme, {len(asked)}", data
    variables = {ODD: {"default": ODD, "enum": [ODD], "description": PROSE}}
    server = {"url": f"https://a.test/{{{ODD}}}", "description": PROSE, "variables": variables}
    yield "a server", with_(made(), servers=[server, {"url": ODD}])
    for path in (f"/{ODD}", f"/{{{ODD}}}"):
        yield f"the path {path[:2]}", operations({path: {"get": operation("readA")}})
    contact = {"name": ODD, "email": ODD, "url": ODD}
    info = {"title": ODD, "version": ODD, "description": PROSE, "license": {"identifier": ODD}}
    yield "the title", with_(made(), info={**info, "contact": contact})
    yield "a webhook", with_(made(), webhooks={ODD: {"post": operation(ODD, body=text)}})


DOCUMENTS = dict(hostile())


def unseen(text: str) -> str:
    return ascii("".join(each for each in text if each in UNSEEN))


@pytest.mark.parametrize("what", DOCUMENTS)
def test_no_name_of_a_document_reaches_the_terminal_or_a_file_unseen(
    tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "openapi.json").write_text(json.dumps(DOCUMENTS[what]), encoding="utf-8")
    main(["init", "openapi.json"])
    config = ["--config", "pyproject.toml"]
    done = main(["generate", "--verbose", *config]) if Path("pyproject.toml").exists() else 1
    main(["lint", "--all", *config])
    shown = capsys.readouterr()
    assert unseen(shown.out + shown.err) == "''"
    assert "\n## z" not in shown.out + shown.err
    written = [each for each in tmp_path.rglob("*") if each.is_file() and each.suffix != ".json"]
    assert written or done
    for path in written:
        text = path.read_text(encoding="utf-8")
        assert unseen(text) == "''", path
        assert "\n## z" not in text, path
        if path.suffix == ".py":
            ast.parse(text)
        elif path.suffix == ".toml":
            tomllib.loads(text)


@given(st.text())
@example(ODD)
def test_what_is_written_out_is_read_back(text: str) -> None:
    for value in (text, {text: [text]}):
        assert json.loads(dumps(value)) == value
    if not any(0xD800 <= ord(each) < 0xE000 for each in text):
        value = json.dumps(text, ensure_ascii=False)
        assert tomllib.loads(f"a = {visible(value, as_toml)}") == {"a": text}
    assert visible(visible(text)) == visible(text)
    assert "\n" not in on_one_line(text)


def test_an_overlay_that_is_proposed_means_the_same() -> None:
    text = dump({"target": ODD, ODD: [ODD, "plain"]})
    assert unseen(text) == "''"
    assert yaml.safe_load(text) == {"target": ODD, ODD: [ODD, "plain"]}


def test_findings_are_each_one_line() -> None:
    findings = [Finding(f"{ODD} {number}", rule="x", severity="note") for number in range(5)]
    assert all("\n" not in str(each) for each in findings)
    (cause,) = causes(findings)
    assert [unseen(line) for line in cause.lines()] == ["''"]
    assert not any("\n" in line for line in cause.lines())
