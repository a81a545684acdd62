"""Forms of a document that are rare, and mean one thing: they are carried, or named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from generate_support import call, on_path, project, write_package

from pipeline.openapi.documents import loads
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.steps import generate

HEAD = """\
openapi: 3.2.0
info: {title: Corners, version: !!str 1.0}
servers: [{url: 'https://a.invalid/v1'}]
paths:
"""
OPERATION = """\
  /{path}:
    {method}:
      operationId: {id}
      tags: [things]
      {more}
      responses: {{!!str 200: {{description: Done, {content}}}}}
"""
CALLS = (
    ("get", "pet", "", "content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}"),
    ("get", "thing", "", "content: {application/json: {schema: "
                         "{$ref: '#/components/schemas/Thing'}}}"),
    ("get", "found", "parameters: [{$ref: '#/components/parameters/All'}]", ""),
    ("get", "path", "parameters: [{name: q, in: querystring, content: {application/jsonpath: "
                    "{schema: {type: string}}}}]", ""),
    ("post", "mixed", "requestBody: {required: true, content: {multipart/mixed: {schema: "
                      "{type: object}}}}", ""),
    ("post", "parts", "requestBody: {required: true, content: {multipart/related: {schema: {type: "
                      "object, required: [meta], properties: {meta: {type: object, properties: "
                      "{n: {type: integer}}}, media: {type: string, format: binary}}}, encoding: "
                      "{media: {contentType: image/png}}}}}", ""),
    ("post", "file", "requestBody: {required: true, content: {multipart/form-data: {schema: "
                     "{type: object, properties: {photo: {type: string, format: binary}}}}}}", ""),
    ("put", "number", "requestBody: {required: true, content: {application/json: {schema: {type: "
                      "object, properties: {n: {type: integer}, long: {type: integer, format: "
                      "int64}}}}}}", ""),
)  # fmt: skip
COMPONENTS = """\
components:
  parameters:
    All:
      name: all
      in: querystring
      required: true
      content:
        application/x-www-form-urlencoded:
          schema: {$ref: '#/components/schemas/Query'}
          encoding: {ids: {style: form, explode: false}}
  schemas:
    Query:
      type: object
      required: [text]
      properties:
        text: {type: string}
        ids: {type: array, items: {type: integer}}
        tags: {type: array, items: {type: string}}
        by: {type: object, properties: {x: {type: integer}}}
    Pet:
      oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Other'}]
      discriminator: {propertyName: kind, defaultMapping: Other, mapping: {cat: Cat}}
    Cat: {type: object, required: [kind], properties: {kind: {type: string}}}
    Other: {type: object, properties: {kind: {type: string}, legs: {type: integer}}}
    Thing:
      type: [object, null]
      properties:
        text: {type: [string, null], enum: [!!str 1, !!str true, null]}
        nothing: {type: null}
        named: {$ref: '#named'}
        tree: {$ref: 'https://schemas.invalid/tree'}
    Named: {$anchor: named, type: object, properties: {x: {type: integer}}}
    Tree:
      $id: https://schemas.invalid/tree
      $dynamicAnchor: node
      type: object
      properties: {inside: {$dynamicRef: '#node'}}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The package, and what was noted."""
    paths = "".join(
        OPERATION.format(
            method=method, path=name, id=name, more=more or "summary: It", content=content
        )
        for method, name, more, content in CALLS
    )
    folder = tmp_path_factory.mktemp("corners")
    config = replace(project(folder, HEAD + paths + COMPONENTS), on_uncarried="skip")
    files, notes = generate(config)
    write_package(files, folder / "package")
    with on_path(folder / "package", "sample"):
        import sample  # type: ignore[import-not-found]

        yield sample, notes


def found(notes: list[Finding], words: str) -> Finding:
    (finding,) = (each for each in notes if words in each.message)
    return finding


def test_what_yaml_says_by_a_tag_or_without_quotes(made: Any) -> None:
    package, _ = made
    text = (
        '{"text": "true", "nothing": null, "named": {"x": 1}, "tree": {"inside": {"inside": {}}}}'
    )
    thing, _ = call(package, text, "thing")
    assert (thing.text, thing.named.x) == ("true", 1)
    assert type(thing.tree.inside.inside).__name__ == "Tree"
    assert call(package, "null", "thing")[0] is None


def test_a_default_mapping_takes_every_other_tag(made: Any) -> None:
    package, _ = made
    options = {"drift": "raise"}.items()
    for text, name in (('{"kind": "cat"}', "Cat"), ('{"kind": "yak", "legs": 4}', "Other")):
        pet, _ = call(package, text, "pet", options)
        assert type(pet).__name__ == name


def test_a_query_string_that_is_a_form_has_an_argument_for_each_field(made: Any) -> None:
    package, notes = made
    given = {"text": "a b", "ids": [1, 2], "tags": ["c", "d"], "by": {"x": 1}}
    _, request = call(package, httpx2.Response(200), "found", **given)
    assert request.url.query == b"text=a%20b&ids=1,2&tags=c&tags=d&by=%7B%22x%22%3A1%7D"
    with pytest.raises(TypeError, match="text"):
        call(package, httpx2.Response(200), "found")
    lost = found(notes, "whole query string")
    assert lost.severity == "left out" and "in: query" in lost.message


def test_bodies_without_a_form_and_files_without_a_name_are_sent(made: Any) -> None:
    package, notes = made
    given = {"body": b"--x--", "content_type": "multipart/mixed; boundary=x"}
    _, request = call(package, httpx2.Response(200), "mixed", **given)
    assert request.headers["content-type"] == "multipart/mixed; boundary=x"
    assert (
        "give content_type='multipart/mixed; boundary=…'" in found(notes, "multipart/mixed").message
    )
    _, request = call(package, httpx2.Response(200), "file", photo=b"1")
    assert b'name="photo"; filename="photo"' in request.read()


def test_parts_of_any_body_of_parts_are_arguments(made: Any) -> None:
    package, notes = made
    for given in ({"media": b"1"}, {}):
        _, request = call(package, httpx2.Response(200), "parts", meta={"n": 2}, **given)
        media_type, _, boundary = request.headers["content-type"].partition("; boundary=")
        assert media_type == "multipart/related" and boundary
        first, *others = request.read().split(f"--{boundary}".encode())[1:-1]
        assert first.replace(b"\r", b"") == (
            b'\nContent-Disposition: form-data; name="meta"\nContent-Type: application/json\n\n'
            b'{"n":2}\n'
        )
        assert [each.rstrip()[-1:] for each in others] == [*given.values()]
    with pytest.raises(TypeError, match="meta"):
        call(package, httpx2.Response(200), "parts")
    assert not [each for each in notes if "multipart/related" in each.message]


def test_integers_of_any_length_are_sent_unless_a_format_says_otherwise(made: Any) -> None:
    package, _ = made
    _, request = call(package, httpx2.Response(200), "number", n=2**70, long=2**63 - 1)
    assert request.read() == b'{"n":1180591620717411303424,"long":9223372036854775807}'
    with pytest.raises(package.ArgumentError, match="long: must be from"):
        call(package, httpx2.Response(200), "number", long=2**63)


@pytest.mark.parametrize("text", ["a: !!int x", "a: !!bool 1", "a: !!map []", "a: !other 1"])
def test_a_tag_that_says_something_else_is_refused(text: str) -> None:
    with pytest.raises(PipelineError, match=r"x:1:4: (the )?tag"):
        loads(text, "x", anchors=True)


def test_tags_are_read_in_documents_of_others_alone(tmp_path: Path) -> None:
    text = "a: [!!str 1, !!int '2', !!float 3, !!null ~, !!bool true, !!seq []]"
    assert loads(text, "x", anchors=True).data == {"a": ["1", 2, 3, None, True, []]}
    with pytest.raises(PipelineError, match="tags are not allowed"):
        loads(text, "x")
