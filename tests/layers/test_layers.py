"""Imports run downwards only, in every package: one table says how, and CONTRIBUTING draws it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from reading import ROOT, Package, drawing, drawn, mistakes, table

PACKAGES = list(table())


@pytest.mark.parametrize("title", PACKAGES)
def test_imports_run_downwards(title: str) -> None:
    package = table()[title]
    assert not mistakes(package, package.sources())


def test_every_package_is_in_the_table() -> None:
    skipped = {"docs", "spec", "overlays", "generated", "templates", "tests", "sandbox", "cli"}
    folders = {
        path.parent.name
        for path in ROOT.glob("*/*.py")
        if not path.parent.name.startswith((".", "_"))
    }
    assert folders - skipped <= {each.folder for each in table().values()}


def test_the_drawing_is_made_of_the_table() -> None:
    assert drawn() == drawing(), "run `python tests/layers`"


def lowest(package: Package) -> str:
    """A module of the lowest layer that there is."""
    files = package.sources()
    of = {path: package.layer(path.removesuffix(".py").split("/")[0]) or 0 for path in files}
    return max(of, key=lambda path: of[path])


@pytest.mark.parametrize("title", PACKAGES)
@pytest.mark.parametrize("indent", ["", "    "], ids=["above", "in a function"])
def test_an_import_upwards_is_caught(title: str, indent: str) -> None:
    package = table()[title]
    path = lowest(package)
    room = package.layers[0].split(", ")[0]
    statement = f"from {package.imported_as} import {room}"
    holder = "def planted():\n" if indent else ""
    text = package.sources()[path]
    (found,) = mistakes(package, {path: f"{text}\n{holder}{indent}{statement}\n"})
    assert found.startswith(f"{package.folder}/{path}:")
    assert found.endswith(f"imports {room}")


@pytest.mark.parametrize("title", PACKAGES)
def test_an_import_of_another_package_is_caught(title: str) -> None:
    package = table()[title]
    path = lowest(package)
    text = package.sources()[path]
    others = [each for each in table().values() if each.title not in (*package.imports, title)]
    foreign = [each for each in others if each.title != "runtime"]
    assert foreign
    for other in foreign:
        if package.title == "runtime" and other.title == "client":
            continue
        planted = f"{text}\nimport {other.imported_as}.planted\n"
        (found,) = mistakes(package, {path: planted})
        assert found.endswith(f"imports {other.title}")


def test_a_room_that_is_in_no_layer_is_named() -> None:
    package = table()["pipeline"]
    (found,) = mistakes(package, {"novel/parts.py": ""})
    assert found == "pipeline/novel/parts.py: novel is in no layer of tests/layers/table.toml"
