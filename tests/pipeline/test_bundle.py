"""Several files become one document."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.openapi.bundle import bundle
from pipeline.openapi.problems import PipelineError

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


def test_a_component_that_is_a_reference_becomes_what_it_refers_to(tmp_path: Path) -> None:
    main = "components: {schemas: {Unit: {$ref: 'common.yaml#/components/schemas/Unit'}}}\n"
    document = bundle(write(tmp_path, main))
    assert document.data["components"]["schemas"] == {"Unit": {"type": "string"}}


def test_files_may_refer_to_each_other(tmp_path: Path) -> None:
    main = (
        "a: {$ref: 'common.yaml#/components/schemas/Loop'}\n"
        "components: {schemas: {Own: {$ref: 'common.yaml#/components/schemas/Own2'}}}\n"
    )
    common = COMMON + "    Own2: {type: string}\n"
    schemas = bundle(write(tmp_path, main, common)).data["components"]["schemas"]
    assert schemas["Own"] == {"$ref": "#/components/schemas/Own2"}
    assert schemas["Own2"] == {"type": "string"}
    document = bundle(write(tmp_path, main.replace("{$ref: 'common.yaml#/components/schemas/Own2'}",
                                                   "{type: string}")))  # fmt: skip
    loop = document.data["components"]["schemas"]["Loop"]
    assert loop["items"] == {"$ref": "#/components/schemas/Own"}


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


def test_where_there_are_no_references_what_they_lead_to_takes_their_place(tmp_path: Path) -> None:
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


def test_what_contains_itself_cannot_take_the_place_of_a_reference(tmp_path: Path) -> None:
    (tmp_path / "list.yaml").write_text("tags: {$ref: list.yaml}\n")
    said = refused(write(tmp_path, "paths: {/books: {get: {$ref: list.yaml}}}\n"))
    assert "list.yaml:1:" in said and "`$ref: list.yaml` leads back to itself" in said


def test_two_components_of_one_name(tmp_path: Path) -> None:
    main = (
        "a: {$ref: 'common.yaml#/components/schemas/Unit'}\n"
        "components: {schemas: {Unit: {type: integer}}}\n"
    )
    assert "schemas/Unit is defined twice" in refused(write(tmp_path, main))


def test_all_broken_references_are_told(tmp_path: Path) -> None:
    main = "a: {$ref: 'x.yaml#/components/schemas/A'}\nb: {$ref: 'common.yaml#/c'}\n"
    assert len(refused(write(tmp_path, main)).splitlines()) == 2


def test_examples_and_properties_may_be_called_ref(tmp_path: Path) -> None:
    main = "a: {example: {$ref: 'x.yaml#/y'}, properties: {$ref: {type: string}}}\n"
    data = bundle(write(tmp_path, main)).data
    assert data["a"]["example"] == {"$ref": "x.yaml#/y"}


def test_a_document_is_an_object(tmp_path: Path) -> None:
    assert "must be an object" in refused(write(tmp_path, "- 1\n"))


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
