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
    said = refused(write(tmp_path, main, common))
    assert "must keep its name: Own is not Own2" in said
    document = bundle(write(tmp_path, main.replace("{$ref: 'common.yaml#/components/schemas/Own2'}",
                                                   "{type: string}")))  # fmt: skip
    loop = document.data["components"]["schemas"]["Loop"]
    assert loop["items"] == {"$ref": "#/components/schemas/Own"}


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("common.yaml#/components/schemas/Nothing", "leads to nothing in common.yaml"),
        ("common.yaml#/Price", "must have the form"),
        ("other.yaml#/components/schemas/A", "cannot be followed"),
        ("./docs.md", "must have the form"),
    ],
)
def test_a_broken_reference_has_its_place(tmp_path: Path, reference: str, message: str) -> None:
    said = refused(write(tmp_path, f"openapi: 3.1.0\na:\n  $ref: '{reference}'\n"))
    assert said.startswith("main.yaml:3:3: ") and message in said


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
