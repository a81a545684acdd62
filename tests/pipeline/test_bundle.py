"""Several files become one document."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pipeline.openapi.bundle import bundle
from pipeline.openapi.documents import MAX_BYTES, load
from pipeline.openapi.problems import Finding, PipelineError

COMMON = """\
components:
  schemas:
    Price: {type: object, properties: {unit: {$ref: '#/components/schemas/Unit'}}}
    Unit: {type: string}
    Loop: {type: array, items: {$ref: 'main.yaml#/components/schemas/Own'}}
"""


def write(folder: Path, main: str, common: str = COMMON) -> Path:
    (folder / "common.yaml").write_text(common)
    (folder / "main.yaml").write_text(main)
    return folder / "main.yaml"


def refused(path: Path) -> str:
    with pytest.raises(PipelineError) as caught:
        bundle(path)
    return str(caught.value).replace(f"{path.parent}/", "")


def test_what_is_referred_to_comes_along_with_what_it_needs(tmp_path: Path) -> None:
    main = "paths: {/a: {$ref: 'common.yaml#/components/schemas/Price'}}\n"
    document = bundle(write(tmp_path, main))
    assert document.data["paths"]["/a"] == {"$ref": "#/components/schemas/Price"}
    schemas = document.data["components"]["schemas"]
    assert list(schemas) == ["Price", "Unit"]
    assert schemas["Price"]["properties"]["unit"] == {"$ref": "#/components/schemas/Unit"}
    at = document.at(("components", "schemas", "Unit"))
    assert at is not None and at.file.endswith("common.yaml") and at.line == 4


def test_a_component_reference_is_resolved(tmp_path: Path) -> None:
    main = "components: {schemas: {Unit: {$ref: 'common.yaml#/components/schemas/Unit'}}}\n"
    document = bundle(write(tmp_path, main))
    assert document.data["components"]["schemas"] == {"Unit": {"type": "string"}}


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("common.yaml#/components/schemas/Nothing", "leads to nothing in common.yaml"),
        ("common.yaml#/Price", "leads to nothing in common.yaml"),
        ("other.yaml#/components/schemas/A", "cannot be followed"),
        ("./docs.md", "cannot be followed: docs.md:1:1: cannot read the file"),
    ],
)
def test_a_broken_reference_has_its_place(tmp_path: Path, reference: str, message: str) -> None:
    said = refused(write(tmp_path, f"openapi: 3.1.0\na:\n  $ref: '{reference}'\n"))
    assert said.startswith("main.yaml:3:3: ") and message in said


def test_references_are_inlined_where_none_may_stand(tmp_path: Path) -> None:
    main = (
        "openapi: 3.1.0\n"
        "info: {title: Books, version: '1', description: {$ref: 'common.yaml#/texts/about'}}\n"
        "paths: {/books: {get: {$ref: operations/list.yaml, summary: List the books}}}\n"
    )
    operations = tmp_path / "operations"
    operations.mkdir()
    (operations / "list.yaml").write_text(
        "summary: Books\n"
        "responses:\n"
        "  '200': {$ref: 'list.yaml#/x-shared/books'}\n"
        "x-shared: {books: {description: Books.}}\n"
    )
    document = bundle(write(tmp_path, main, COMMON + "texts: {about: All about books.}\n"))
    assert document.data["info"]["description"] == "All about books."
    operation = document.data["paths"]["/books"]["get"]
    assert operation["summary"] == "List the books"
    assert operation["responses"] == {"200": {"$ref": "#/components/responses/books"}}
    assert document.data["components"]["responses"] == {"books": {"description": "Books."}}
    at = document.at(("paths", "/books", "get", "responses", "200"))
    assert at is not None and (Path(at.file).name, at.line) == ("list.yaml", 3)


def test_what_contains_itself_cannot_be_inlined(tmp_path: Path) -> None:
    (tmp_path / "list.yaml").write_text("tags: {$ref: list.yaml}\n")
    said = refused(write(tmp_path, "paths: {/books: {get: {$ref: list.yaml}}}\n"))
    assert "list.yaml:1:" in said and "`$ref: list.yaml` leads back to itself" in said


def test_two_components_of_one_name(tmp_path: Path) -> None:
    main = (
        "a: {$ref: 'common.yaml#/components/schemas/Unit'}\n"
        "components: {schemas: {Unit: {type: integer}}}\n"
    )
    assert "schemas/Unit is defined twice" in refused(write(tmp_path, main))


def test_examples_and_properties_may_be_called_ref(tmp_path: Path) -> None:
    main = "a: {example: {$ref: 'x.yaml#/y'}, properties: {$ref: {type: string}}}\n"
    data = bundle(write(tmp_path, main)).data
    assert data["a"]["example"] == {"$ref": "x.yaml#/y"}


def test_whole_files_and_parts_of_them_become_components(tmp_path: Path) -> None:
    """One file a schema, one a path: relative to the file that refers, in circles, by fragments."""
    files = {
        "main.yaml": """\
openapi: 3.1.0
paths:
  /pets: {$ref: paths/pets.yaml}
components:
  schemas:
    Beast: {$ref: schemas/Pet.yaml}
""",
        "paths/pets.yaml": """\
get:
  parameters: [{$ref: '../parts.yaml#/limit'}]
  responses:
    '200':
      content: {application/json: {schema: {type: array, items: {$ref: ../schemas/Pet.yaml}}}}
    '404': {$ref: '../parts.yaml#/errors/404'}
""",
        "schemas/Pet.yaml": """\
type: object
properties:
  friend: {$ref: Pet.yaml}
  kind: {$ref: '#/$defs/kind'}
  owner: {$ref: Owner.yaml}
$defs: {kind: {type: string}}
""",
        "schemas/Owner.yaml": """\
oneOf: [{$ref: Pet.yaml}]
discriminator: {propertyName: kind, mapping: {pet: Pet.yaml, other: Pet}}
""",
        "parts.yaml": """\
limit: {name: limit, in: query, schema: {$ref: 'schemas/Pet.yaml#/$defs/kind'}}
errors: {404: {description: None.}}
""",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    document = bundle(tmp_path / "main.yaml")
    components = document.data["components"]
    assert {section: list(found) for section, found in components.items()} == {
        "schemas": ["kind", "Beast", "Owner"], "pathItems": ["pets"],
        "parameters": ["limit"], "responses": ["404"],
    }  # fmt: skip
    assert document.data["paths"]["/pets"] == {"$ref": "#/components/pathItems/pets"}
    beast = components["schemas"]["Beast"]
    assert beast["properties"] == {
        "friend": {"$ref": "#/components/schemas/Beast"},
        "kind": {"$ref": "#/components/schemas/kind"},
        "owner": {"$ref": "#/components/schemas/Owner"},
    }
    mapping = components["schemas"]["Owner"]["discriminator"]["mapping"]
    assert mapping == {"pet": "#/components/schemas/Beast", "other": "Pet"}
    assert components["responses"]["404"] == {"description": "None."}
    at = document.at(("components", "schemas", "Beast", "properties", "kind"))
    assert at is not None and at.file.endswith("Pet.yaml") and at.line == 4


def test_anchors_are_for_documents_of_others(tmp_path: Path) -> None:
    main = "info: &x {title: A}\nx-more: *x\n"
    assert bundle(write(tmp_path, main)).data["x-more"] == {"title": "A"}
    assert "anchors are not allowed" in refused(write(tmp_path, f"x-sections: x\n{main}"))


def test_names_of_schemas_do_not_change_what_paths_mean(tmp_path: Path) -> None:
    pet = "{$id: 'urn:pet', $anchor: a, properties: {$id: {$ref: '#/components/schemas/Id'}}}"
    main = f"components: {{schemas: {{Pet: {pet}, Id: {{type: string}}}}}}\n"
    schemas = bundle(write(tmp_path, main)).data["components"]["schemas"]
    assert schemas["Pet"] == {"properties": {"$id": {"$ref": "#/components/schemas/Id"}}}


def test_references_by_names_are_by_places(tmp_path: Path) -> None:
    (tmp_path / "part.yaml").write_text(
        "part: {$anchor: part, type: string}\nx: {$anchor: two}\ny: {$anchor: two}\n"
    )
    schemas = """\
components:
  schemas:
    A: {$anchor: a, $id: 'https://a.test/schema'}
    B: {$ref: '#a'}
    C: {$ref: 'part.yaml#part'}
    D: {$ref: 'https://a.test/schema#/properties/x'}
    E: {items: {$ref: 'https://a.test/schema#a'}}
    F: {example: {$anchor: f, $ref: '#f'}}
"""
    data = bundle(write(tmp_path, schemas)).data["components"]["schemas"]
    place = "#/components/schemas/A"
    assert (data["A"], data["B"], data["D"]) == (
        {}, {"$ref": place}, {"$ref": f"{place}/properties/x"}
    )  # fmt: skip
    assert data["C"] == {"type": "string"} and data["E"] == {"items": {"$ref": place}}
    assert data["F"] == {"example": {"$anchor": "f", "$ref": "#f"}}
    for name in ("nobody", "two"):
        main = f"components: {{schemas: {{C: {{$ref: 'part.yaml#{name}'}}}}}}\n"
        said = refused(write(tmp_path, main))
        assert f"`$ref: part.yaml#{name}` leads to nothing in" in said


@pytest.mark.parametrize(
    "reference",
    [
        "../secret.yaml",
        "%2e%2e/secret.yaml",
        "..%2Fsecret.yaml#/key",
        "inner/../../secret.yaml",
        "linked.yaml",
        "{outside}/secret.yaml",
        "../api-secret/secret.yaml",
        "inner/first.yaml",
    ],
)
def test_references_stay_in_the_folder_unless_another_is_allowed(
    tmp_path: Path, reference: str
) -> None:
    folder = tmp_path / "api"
    (folder / "inner").mkdir(parents=True)
    (tmp_path / "api-secret").mkdir()
    for place in (tmp_path, tmp_path / "api-secret"):
        (place / "secret.yaml").write_text("key: {token: sesame}\n")
    (folder / "inner/first.yaml").write_text("key: {$ref: '../../secret.yaml'}\n")
    os.symlink("../secret.yaml", folder / "linked.yaml")
    path = folder / "main.yaml"
    path.write_text("info: {$ref: '" + reference.replace("{outside}", str(tmp_path)) + "'}\n")
    told = refused(path)
    assert "outside the folder of the document" in told and "--allow-files DIR" in told
    assert "sesame" not in told
    assert "sesame" in str(bundle(path, allowed=[tmp_path]).data)


@pytest.mark.parametrize("reference", ["file:///etc/passwd", "https://a.example/b.yaml#/c"])
def test_addresses_are_not_fetched(tmp_path: Path, reference: str) -> None:
    (tmp_path / "main.yaml").write_text(f"info: {{$ref: '{reference}'}}\n")
    assert "cannot be followed: addresses are not fetched" in refused(tmp_path / "main.yaml")


@pytest.mark.parametrize("kind", ["device", "pipe", "large"])
def test_what_may_have_no_end_is_not_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "endless.yaml"
    if kind == "device":
        os.symlink("/dev/zero", path)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        with path.open("wb") as file:
            file.truncate(MAX_BYTES + 1)
    with pytest.raises(PipelineError, match="cannot read the file: it is"):
        load(path)


def test_what_an_example_holds_is_data(tmp_path: Path) -> None:
    main = """\
paths: {}
components:
  examples:
    One: {value: {$ref: none.json}}
    Two: {value: {deep: [{$ref: none.json}]}, x-more: {$ref: none.json}}
  schemas:
    Own:
      default: {$ref: none.json}
      properties: {default: {$ref: 'common.yaml#/components/schemas/Unit'}}
  weird: {a: {$ref: 'common.yaml#/components'}, b: {$ref: 'common.yaml#/components/schemas/Unit'}}
"""
    data = bundle(write(tmp_path, main)).data["components"]
    assert data["examples"]["One"] == {"value": {"$ref": "none.json"}}
    assert data["examples"]["Two"]["value"] == {"deep": [{"$ref": "none.json"}]}
    assert data["schemas"]["Own"]["default"] == {"$ref": "none.json"}
    default = data["schemas"]["Own"]["properties"]["default"]
    assert default == {"$ref": "#/components/schemas/Unit"} == data["weird"]["b"]
    assert set(data["weird"]["a"]["schemas"]) == {"Price", "Unit", "Loop"}


def test_parts_may_have_any_name_and_place_in_their_files(tmp_path: Path) -> None:
    """A property called `properties`, a path item among other components, and a text."""
    (tmp_path / "Part.yaml").write_text("type: object\nproperties: {n: {type: string}}\n")
    (tmp_path / "about.md").write_text("# About\n\n*this*: that\n")
    common = "components: {paths: {Login: {get: {responses: {'204': {description: Ok.}}}}}}\n"
    main = """\
info: {description: {$ref: about.md}}
paths: {/login: {$ref: 'common.yaml#/components/paths/Login'}}
components: {schemas: {Own: {properties: {properties: {$ref: ./Part.yaml}}}}}
"""
    data = bundle(write(tmp_path, main, common)).data
    assert data["info"]["description"] == "# About\n\n*this*: that\n"
    assert data["paths"]["/login"] == {"$ref": "#/components/pathItems/Login"}
    assert "get" in data["components"]["pathItems"]["Login"]
    own = data["components"]["schemas"]["Own"]["properties"]
    assert own == {"properties": {"$ref": "#/components/schemas/Part"}}


@pytest.mark.parametrize("word", ["default", "enum", "const", "example", "examples"])
def test_a_name_of_the_author_is_no_keyword(tmp_path: Path, word: str) -> None:
    """The response `default`, and properties, headers and callbacks that are called as keywords."""
    (tmp_path / "error.yaml").write_text("description: Bad.\n")
    (tmp_path / "named.yaml").write_text(
        f"components: {{schemas: {{A: {{properties: {{{word}: {{$anchor: here}}}}}}}}}}\n"
    )
    main = f"""\
paths:
  /a:
    get:
      responses:
        default: {{$ref: error.yaml}}
        '200': {{headers: {{{word}: {{$ref: error.yaml}}}}}}
      callbacks: {{{word}: {{{word}: {{get: {{responses: {{default: {{$ref: error.yaml}}}}}}}}}}}}
components: {{schemas: {{Own: {{properties: {{{word}: {{$ref: 'named.yaml#here'}}}}}}}}}}
"""
    data = bundle(write(tmp_path, main)).data
    one = data["paths"]["/a"]["get"]
    leads = {"$ref": "#/components/responses/error"}
    assert one["responses"]["default"] == leads
    assert one["responses"]["200"]["headers"][word] == {"$ref": "#/components/headers/error2"}
    assert one["callbacks"][word][word]["get"]["responses"]["default"] == leads
    own = data["components"]["schemas"]["Own"]["properties"][word]
    assert own == {"$ref": f"#/components/schemas/{word}"}


@pytest.mark.parametrize("whole", [False, True])
def test_sections_of_components_may_be_files(tmp_path: Path, whole: bool) -> None:
    """OpenAPI knows no reference there; documents in use have them. Names stay."""
    (tmp_path / "parts").mkdir()
    sections = "schemas: {$ref: parts/all.yaml}, securitySchemes: {$ref: 'parts/keys.yaml#/a~1b'}"
    (tmp_path / "all.yaml").write_text(f"{{{sections}}}\n")
    (tmp_path / "parts" / "keys.yaml").write_text("a/b: {key: {type: http, scheme: bearer}}\n")
    (tmp_path / "parts" / "all.yaml").write_text(
        "One: {properties: {two: {$ref: '#/Two words'}, three: {$ref: three.yaml}}}\n"
        "Two words: {type: string}\n"
    )
    (tmp_path / "parts" / "three.yaml").write_text("type: integer\n")
    one = "{$ref: 'parts/all.yaml#/One'}"
    components = "{$ref: all.yaml}" if whole else f"{{{sections}}}"
    main = f"""\
paths: {{/a: {{get: {{requestBody: {{content: {{text/plain: {{schema: {one}}}}}}}}}}}}}
components: {components}
"""
    data = bundle(write(tmp_path, main)).data
    schemas = data["components"]["schemas"]
    assert data["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    assert set(schemas) == {"One", "Two words", "three"} and schemas["three"]["type"] == "integer"
    two = schemas["One"]["properties"]["two"]["$ref"]
    assert two.replace("%20", " ") == "#/components/schemas/Two words"
    used = data["paths"]["/a"]["get"]["requestBody"]["content"]["text/plain"]
    assert used == {"schema": {"$ref": "#/components/schemas/One"}}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "d.json",
            '{"openapi": "3.1.0",\n "a": [1,]}',
            "2:9: a comma with nothing behind it; read",
        ),
        ("d.yaml", "openapi: 3.1.0\na: &a\n  b: *a\n", "3:6: alias *a: it is inside of what it"),
    ],
)
def test_what_costs_no_more_than_itself_is_noted(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    notes: list[Finding] = []
    assert bundle(tmp_path / name, notes).data["openapi"] == "3.1.0"
    (note,) = notes
    assert note.severity == "note" and f"{name}:{said}" in str(note)
    (tmp_path / name).write_text(
        text.replace('"a"', '"x-sections": [], "a"', 1).replace("a: &a", "x-sections: []\na: &a")
    )
    with pytest.raises(PipelineError, match=r"comma|inside"):
        bundle(tmp_path / name, [])


@pytest.mark.parametrize("holder", ["definitions/", "x-own/schemas/", ""])
@pytest.mark.parametrize("file", ["main.yaml", "common.yaml", "item.yaml"])
def test_schemas_in_members_that_nothing_knows_are_brought_in(
    tmp_path: Path, holder: str, file: str
) -> None:
    """They may lead to themselves, and long ways between two files; the members are not read."""
    one = {"properties": {"mate": {"$ref": f"#/{holder}One"}, "two": {"$ref": "two.yaml"}}}
    held: dict[str, object] = {"One": one}
    for name in reversed(holder.split("/")[:-1]):
        held = {name: held}
    reference = {"$ref": f"{file}#/{holder}One" if file == "common.yaml" else f"#/{holder}One"}
    read = {"200": {"description": "A.", "content": {"text/plain": {"schema": reference}}}}
    item: dict[str, object] = {"get": {"responses": read}}
    if file == "item.yaml":
        (tmp_path / file).write_text(json.dumps({**item, **held}))
        item = {"$ref": file}
    main = {"openapi": "3.1.0", "paths": {"/a": item}, **(held if file == "main.yaml" else {})}
    two = {"properties": {"up": {"$ref": "two.yaml"}, "last": {"$ref": "common.yaml#/w0"}}}
    (tmp_path / "two.yaml").write_text(json.dumps(two))
    steps = 40
    common = {**held, f"w{steps}": {"type": "string"}} | {
        f"w{n}": {"properties": {"a": {"$ref": f"steps.yaml#/w{n}"}}} for n in range(steps)
    }
    (tmp_path / "steps.yaml").write_text(
        json.dumps({f"w{n}": {"items": {"$ref": f"common.yaml#/w{n + 1}"}} for n in range(steps)})
    )
    data = bundle(write(tmp_path, json.dumps(main), json.dumps(common))).data
    schemas = data["components"]["schemas"]
    known = {"One", "two", "w0", "w02", f"w{steps}"}
    assert known <= schemas.keys() and len(schemas) == 2 * steps + 3
    assert schemas["One"]["properties"]["mate"] == {"$ref": "#/components/schemas/One"}
    assert schemas["two"]["properties"]["up"] == {"$ref": "#/components/schemas/two"}
    assert len(json.dumps(data)) < 200_000


@pytest.mark.parametrize("file", ["", "common.yaml"])
def test_a_path_item_has_what_stands_beside_its_reference(tmp_path: Path, file: str) -> None:
    """Its own members come first; that both have one is said."""
    both, other = {"name": "both", "in": "query"}, {"name": "other", "in": "query"}
    shared = {"get": {"operationId": "a"}, "parameters": [both, other], "summary": "All."}
    components = {"components": {"pathItems": {"I": shared}}}
    reference = {"$ref": f"{file}#/components/pathItems/I"}
    named = [{"name": "own", "in": "query"}, {**both, "required": True}]
    own = {"parameters": named, "summary": "Own.", "servers": [{"url": "/b"}]}
    paths = {
        "/a": {**reference, **own},
        "/b": {**reference, "post": {"operationId": "b"}},
        "/c": {**reference, "summary": "Own."},
    }
    main = {"openapi": "3.1.0", "paths": paths, **({} if file else components)}
    notes: list[Finding] = []
    written = write(tmp_path, json.dumps(main), json.dumps(components))
    read = bundle(written, notes).data["paths"]
    assert read["/a"] == {**shared, **own, "parameters": [named[1], other, named[0]]}
    assert read["/b"] == {**shared, "post": {"operationId": "b"}}
    assert read["/c"] == {"$ref": "#/components/pathItems/I", "summary": "Own."}
    (note,) = notes
    assert note.severity == "note" and "parameter both: stands here and where `$ref` l" in str(note)


@pytest.mark.parametrize(
    "meant", ["gone.yaml", "gone.yaml#/a", "common.yaml#/gone", "#/components/schemas/Two"]
)
def test_a_mapping_to_no_file_costs_no_more_than_itself(tmp_path: Path, meant: str) -> None:
    """The others hold, and so does the schema."""
    mapping = {"one": "#/definitions/One", "two": meant}
    union = {"oneOf": [{"$ref": "#/definitions/One"}]}
    schemas = {"U": {**union, "discriminator": {"propertyName": "k", "mapping": mapping}}}
    main = {"openapi": "3.1.0", "components": {"schemas": schemas}, "definitions": {"One": {}}}
    notes: list[Finding] = []
    data = bundle(write(tmp_path, json.dumps(main)), notes).data
    read = data["components"]["schemas"]["U"]["discriminator"]["mapping"]
    assert read == {"one": "#/components/schemas/One", "two": meant}
    assert [each.severity for each in notes] == ["note"] * ("yaml" in meant)
    assert all("; not used" in each.message for each in notes)


@pytest.mark.parametrize("end", ["yaml", "yml", "json"])
def test_a_mapping_leads_to_files_of_each_kind(tmp_path: Path, end: str) -> None:
    (tmp_path / f"one.{end}").write_text('{"type": "object"}')
    mapping = {"one": f"one.{end}", "two": "Two", "three": f"one.{end}x"}
    union = {"discriminator": {"propertyName": "k", "mapping": mapping}}
    main = {"openapi": "3.1.0", "components": {"schemas": {"U": union}}}
    schemas = bundle(write(tmp_path, json.dumps(main))).data["components"]["schemas"]
    read = schemas["U"]["discriminator"]["mapping"]
    assert read == {**mapping, "one": "#/components/schemas/one"}
    assert schemas["one"] == {"type": "object"}


@pytest.mark.parametrize("end", ["md", "markdown", "txt", "MD"])
def test_a_description_may_be_a_file_of_text(tmp_path: Path, end: str) -> None:
    (tmp_path / f"about.{end}").write_text("# Not {yaml\n")
    main = {"openapi": "3.1.0", "info": {"description": {"$ref": f"about.{end}"}}}
    assert bundle(write(tmp_path, json.dumps(main))).data["info"] == {
        "description": "# Not {yaml\n"
    }


def test_components_of_the_document_come_before_those_of_a_section_elsewhere(
    tmp_path: Path,
) -> None:
    common = json.dumps({"A": {"type": "string"}, "B": {"type": "boolean"}})
    schemas = {"$ref": "common.yaml", "A": {"type": "integer"}}
    main = {"openapi": "3.1.0", "components": {"schemas": schemas}}
    read = bundle(write(tmp_path, json.dumps(main), common)).data["components"]["schemas"]
    assert read == {"A": {"type": "integer"}, "B": {"type": "boolean"}}


@pytest.mark.parametrize(
    ("own", "count"), [(("id", "query"), 1), (("id", "header"), 2), (("ids", "query"), 2)]
)
def test_a_parameter_is_another_where_its_name_or_its_place_is(
    tmp_path: Path, own: tuple[str, str], count: int
) -> None:
    name, place = own
    parameter = f"{{name: {name}, in: {place}, schema: {{type: string}}}}"
    main = write(tmp_path, f"paths:\n  /a:\n    $ref: item.yaml\n    parameters: [{parameter}]\n")
    (tmp_path / "item.yaml").write_text(
        "parameters: [{name: id, in: query, schema: {type: integer}}]\n"
        "get: {operationId: a, responses: {'204': {description: d}}}\n"
    )
    found = bundle(main, [], ()).data["paths"]["/a"]["parameters"]
    assert len(found) == count and own in [(each["name"], each["in"]) for each in found]
