"""What cannot be carried is left out by name, with all that needs it, and the rest works."""

from __future__ import annotations

import importlib
import json
import pkgutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from generate_support import (
    configuration,
    on_path,
    operation,
    operations,
    project,
    refused,
    write_package,
)

from pipeline.cli import main
from pipeline.config import Config, Operations
from pipeline.openapi.documents import Document
from pipeline.openapi.leaving_out import leave_out
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.steps import generate

CRUMBS = {"name": "crumb", "in": "query", "schema": {"type": "array", "items": {"type": "object"}}}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def holding(**properties: object) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def document() -> dict[str, Any]:
    """Five operations: one has a blocker, two reach a schema with one, two are as they should be.

    `Leaf` has the blocker; `Lone` has one as well, and nothing needs it; `Crumbs` is needed by
    nothing but what is left out.
    """
    return operations(
        {
            "/baked": {
                "get": operation("listBaked", ref("Crumbs"), parameters=[CRUMBS]),
                "post": operation("bake", ref("Cake"), tags=["cakes"]),
            },
            "/trees": {
                "get": operation("listTrees", ref("Tree")),
                "post": operation("plant", None, holding(tree=ref("Tree"))),
            },
            "/cakes": {"get": operation("listCakes", ref("Cake"), tags=["cakes"])},
        },
        Cake=holding(name={"type": "string"}),
        Crumbs=holding(size={"type": "integer"}),
        Tree=holding(branch=ref("Branch")),
        Branch=holding(leaf={"type": "array", "items": ref("Leaf")}),
        Leaf=holding(shape={"$dynamicRef": "#leaf"}),
        Lone=holding(shape={"$dynamicRef": "#leaf"}),
    )


def skipping(folder: Path, data: object, **selected: Operations) -> Config:
    config = project(folder, data)
    sources = tuple(replace(each, **selected) for each in config.sources)
    return replace(config, sources=sources, on_uncarried="skip")


def made(config: Config) -> tuple[dict[str, str], list[str]]:
    """The files, and the operations that were left out."""
    files, notes = generate(config)
    return files, [f"{note}" for note in notes if note.severity == "left out"]


def methods(files: dict[str, str], folder: Path) -> set[str]:
    """The methods of the client, which can be imported."""
    write_package(files, folder)
    with on_path(folder, "sample"):
        client = importlib.import_module("sample").Sample(
            base_url="https://x.invalid/v1", api_token="t"
        )
        package = importlib.import_module("sample.resources")
        resources = [getattr(client, each.name) for each in pkgutil.iter_modules(package.__path__)]
        return {name for each in resources for name in dir(each) if not name.startswith("_")}


def test_the_rest_is_carried(tmp_path: Path) -> None:
    files, left_out = made(skipping(tmp_path, document()))
    assert [line.partition(": ")[2].partition(": ")[0] for line in left_out] == [
        "GET /baked", "GET /trees", "POST /trees",
    ]  # fmt: skip
    place = str(tmp_path / "document.yaml")
    assert all(line.startswith(f"{place}:") and line.endswith(" [carry]") for line in left_out)
    listed = json.loads(files["MANIFEST.json"])["left_out"]
    assert listed.keys() == {"GET /baked", "GET /trees", "POST /trees"}
    assert "parameter crumb: OpenAPI cannot serialize" in listed["GET /baked"][0]
    assert listed["GET /baked"][0].startswith("document.yaml:")
    assert all(listed.values())
    readme = files["client/README.md"]
    assert "| `GET /baked` | parameter crumb: OpenAPI cannot serialize" in readme
    classes = files["client/src/sample/models/__init__.py"]
    assert "Cake" in classes
    assert not any(name in classes for name in ("Crumbs", "Tree", "Branch", "Leaf", "Lone"))
    assert methods(files, tmp_path) >= {"bake", "list_cakes"}


def test_the_effective_document_stays_whole(tmp_path: Path) -> None:
    files, _ = made(skipping(tmp_path, document()))
    assert json.loads(files["openapi/document.json"])["paths"] == document()["paths"]


def test_nothing_is_left_out_where_that_is_refused(tmp_path: Path) -> None:
    config = replace(skipping(tmp_path, document()), on_uncarried="refuse")
    assert "OpenAPI cannot serialize" in refused(config)


def test_an_overlay_mends_what_no_file_has(tmp_path: Path) -> None:
    data = document()
    data["paths"] = {
        "/cakes": data["paths"]["/cakes"],
        "/pies": {"get": operation("listPies", {"$ref": "pies.yaml#/components/schemas/Pie"})},
    }
    config = skipping(tmp_path, data)
    _, left_out = made(config)
    assert len(left_out) == 1 and "pies.yaml" in left_out[0]
    place = "$.paths['/pies'].get.responses['200'].content['application/json']"
    overlay = tmp_path / "mend.yml"
    overlay.write_text(f"""\
overlay: 1.1.0
info: {{title: Mended, version: '1'}}
actions:
  - {{target: "{place}.schema", remove: true}}
  - {{target: "{place}", update: {{schema: {{$ref: '#/components/schemas/Cake'}}}}}}
""")
    sources = (replace(config.sources[0], overlays=(overlay,)),)
    files, left_out = made(replace(config, sources=sources))
    assert not left_out
    assert "list_pies" in methods(files, tmp_path)


def test_words_of_others_are_theirs(tmp_path: Path) -> None:
    """A word of ours with another meaning is left out of a document, but not of an overlay."""
    data = {**document(), "x-rate-limit": "fair use"}
    data["paths"]["/cakes"]["get"]["x-paging"] = True
    data["paths"]["no path"] = {}
    config = skipping(tmp_path, data)
    files, left_out = made(config)
    assert len(left_out) == 3
    assert "list_cakes" in methods(files, tmp_path)
    overlay = tmp_path / "mine.yml"
    overlay.write_text("""\
overlay: 1.1.0
info: {title: Mine, version: '1'}
actions: [{target: "$.paths['/cakes'].get", update: {x-batch: true}}]
""")
    sources = (replace(config.sources[0], overlays=(overlay,)),)
    _, left_out = made(replace(config, sources=sources))
    assert any("GET /cakes: x-batch: must be an object" in each for each in left_out)


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        ({"tags": ("cakes",)}, {}, {"bake", "list_cakes"}),
        ({"paths": ("/c*",)}, {}, {"list_cakes"}),
        ({"operations": ("bake",), "paths": ("/cakes",)}, {}, {"bake", "list_cakes"}),
        ({"tags": ("cakes",)}, {"operations": ("list*",)}, {"bake"}),
        ({}, {"paths": ("/baked", "/trees")}, {"list_cakes"}),
    ],
)
def test_selected_operations(
    tmp_path: Path, include: dict[str, Any], exclude: dict[str, Any], expected: set[str]
) -> None:
    """What the configuration excludes is nobody's problem, and no reason to refuse."""
    chosen = {"include": Operations(**include), "exclude": Operations(**exclude)}
    data = document()
    del data["components"]["schemas"]["Lone"]
    files, left_out = made(replace(skipping(tmp_path, data, **chosen), on_uncarried="refuse"))
    assert not left_out
    every = {"list_baked", "bake", "list_trees", "plant", "list_cakes"}
    assert methods(files, tmp_path) & every == expected
    assert "Tree" not in files["client/src/sample/models/__init__.py"]


def test_a_selection_that_selects_nothing(tmp_path: Path) -> None:
    config = skipping(tmp_path, document(), exclude=Operations(tags=("cake",)))
    config.file.write_text("[tool.pipeline.documents.document]\nexclude = { tags = ['cake'] }\n")
    with pytest.raises(PipelineError, match="no operation has 'cake' among its tags") as caught:
        generate(config)
    assert caught.value.findings[0].position.line == 2


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    project(tmp_path, document())
    text = configuration("sample")
    Path("pyproject.toml").write_text(text)
    assert main(["generate"]) == 0
    said = capsys.readouterr().err
    assert "left out: document.yaml:" in said and "3 operations left out" in said
    assert main(["check"]) == 0
    Path("pyproject.toml").write_text(text.replace("output", 'on_uncarried = "refuse"\noutput'))
    assert main(["check"]) == 1
    Path("pyproject.toml").write_text(text.replace("output", 'on_uncarried = "no"\noutput'))
    assert main(["check"]) == 1
    assert "on_uncarried" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("place", "lost"),
    [
        ("paths /a get responses", "GET /a"),
        ("paths /a additionalOperations COPY tags", "COPY /a"),
        ("paths /a additionalOperations", "COPY /a, LINK /a"),
        ("paths /a parameters 0", "COPY /a, GET /a, LINK /a"),
        ("paths /a summary", "COPY /a, GET /a, LINK /a"),
        ("components pathItems P put tags", "PUT /b"),
        ("components pathItems P parameters 0", "PATCH /b, PUT /b"),
        ("components parameters Q schema", "PATCH /b, PUT /b"),
        ("components schemas S type", "GET /a, LINK /a"),
        ("components schemas T", "LINK /a"),
        ("components schemas U", ""),
        ("paths /c $ref", "/c"),
        ("webhooks w post responses", "webhook w"),
    ],
)
def test_what_goes_with_a_place(place: str, lost: str) -> None:
    """An operation goes with what is in it, around it or needed by it; all others stay."""

    def one(answer: object = None) -> dict[str, Any]:
        return {"responses": {"200": {"description": "A.", "content": answer or {}}}}

    def json_of(name: str) -> dict[str, Any]:
        return {"application/json": {"schema": ref(name)}}

    query = {"name": "q", "in": "query", "schema": {"type": "string"}}
    more = {"COPY": one(), "LINK": one(json_of("T"))}
    item = {"summary": "A.", "parameters": [query], "get": one(json_of("S"))}
    given = {"put": one(), "patch": one(), "parameters": [{"$ref": "#/components/parameters/Q"}]}
    schemas = {"S": {"type": "object"}, "T": {"allOf": [ref("S")]}, "U": {"type": "string"}}
    paths = {"/a": {**item, "additionalOperations": more},
             "/b": {"$ref": "#/components/pathItems/P"}, "/c": {"$ref": "#/none"}}  # fmt: skip
    components = {"pathItems": {"P": given}, "parameters": {"Q": query}, "schemas": schemas}
    data = {"openapi": "3.2.0", "paths": paths, "components": components}
    data["webhooks"] = {"w": {"post": one()}}
    pointer = tuple(int(each) if each.isdigit() else each for each in place.split())
    errors = [Finding("It is wrong.", pointer=pointer)]
    made, left, notes = leave_out(Document("d", data, {}), errors)
    assert ", ".join(sorted(each.route for each in left)) == lost
    every = {each.route for each in DocumentModel(Document("d", data, {})).operations}
    kept = {each.route for each in DocumentModel(made).operations}
    assert ("/c" in made.data["paths"], "w" in made.data["webhooks"]) == (
        lost != "/c",
        lost != "webhook w",
    )
    assert len(every) == 5 and kept == every - {*filter(None, lost.split(", "))}
    assert [each.message for each in notes] == ([] if lost else ["It is wrong."])
    assert ("U" in made.data["components"]["schemas"]) is bool(lost)
