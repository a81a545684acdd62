"""Imports run downwards only, in every package: one table says how, and CONTRIBUTING draws it.

No modules import each other, and those with `__all__` name all that they export."""

from __future__ import annotations

import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from exports import unlisted
from reading import ROOT, Package, drawing, drawn, graph, mistakes, table

PACKAGES = list(table())
NEEDS = [(title, room) for title, package in table().items() for room in package.needs]


@pytest.mark.parametrize("title", PACKAGES)
def test_imports_run_downwards(title: str) -> None:
    package = table()[title]
    assert not mistakes(package, package.sources())


@pytest.mark.parametrize("title", PACKAGES)
def test_no_modules_import_each_other(title: str) -> None:
    found = graph(table()[title], table()[title].sources())
    assert any(found.values())
    assert not circle(found)


def circle(found: dict[str, set[str]]) -> list[str]:
    """Modules of which each imports the next, and the last the first; none where there are none."""
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        return [*error.args[1]]
    return []


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("from . import two", "from .. import one"),
        ("from social_publishing._runtime.inner import two", "from ..one import Planted"),
        ("if TYPE_CHECKING:\n    from .two import Planted", "def f():\n    from ..one import a"),
        ("import social_publishing._runtime.inner.two", "import social_publishing._runtime.one"),
    ],
)
def test_a_circle_is_caught(one: str, two: str) -> None:
    one = one.replace("from .", "from .inner.").replace("inner. ", "inner ")
    planted = {"one.py": one, "inner/two.py": two, "inner/__init__.py": ""}
    assert {*circle(graph(table()["runtime"], planted))} == {"one", "inner.two"}


@pytest.mark.parametrize(("title", "room"), NEEDS)
def test_a_room_knows_what_it_needs_and_nothing_else(title: str, room: str) -> None:
    package = table()[title]
    known = {
        each.partition(".")[0]
        for name, all_of_it in graph(package, package.sources()).items()
        if name.partition(".")[0] == room
        for each in all_of_it
    }
    assert known - {room} == {*package.needs[room]}


@pytest.mark.parametrize("title", [each for each in PACKAGES if each != "tests/contract"])
def test_modules_list_all_that_they_export(title: str) -> None:
    """Beside what is reached by `with_raw_response` alone."""
    found = unlisted(ROOT / table()[title].folder)
    assert [each for each in found if not each.endswith("ResourceWithRawResponse")] == []


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


def rooms(package: Package) -> dict[str, str]:
    """The first module of each room that has a layer above it."""
    found: dict[str, str] = {}
    for path in package.sources():
        room = path.removesuffix(".py").split("/")[0]
        if (package.layer(room) or 0) > 0:
            found.setdefault(room, path)
    return found


@pytest.mark.parametrize("title", PACKAGES)
@pytest.mark.parametrize(
    "planted",
    [
        "from {package} import {room}",
        "from {dots} import {room}",
        "def planted():\n    import {package}.{room}",
        "if TYPE_CHECKING:\n    from {package}.{room} import Planted",
        "importlib.import_module('{package}.{room}')",
        "import_module(name='{package}.{room}')",
        "import_module('.{room}', '{package}')",
        "import_module('.{room}', package='{package}')",
        "import_module('{dots}{room}', __package__)",
        "from importlib import import_module as load\nload('{package}.{room}')",
        "load = importlib.import_module\nload('{dots}{room}', package=__package__)",
        "sys.modules['{package}.{room}']",
        "modules.get('{package}.{room}')",
        "__import__('{package}.{room}')",
        "__import__(name='{package}.{room}')",
        "builtins.__import__('{room}', globals(), level={level})",
        "NAMES = ('{package}.{room}',)\nfor name in NAMES:\n    import_module(name)",
    ],
)
def test_an_import_upwards_is_caught_in_every_room(title: str, planted: str) -> None:
    package = table()[title]
    held = rooms(package)
    assert len(held) >= len(package.layers) - 2
    for room, path in held.items():
        above = package.layers[(package.layer(room) or 0) - 1].split(", ")
        up = next(each for each in above if "*" not in each)
        level = path.count("/") + 1
        given = {"package": package.imported_as, "room": up, "dots": "." * level, "level": level}
        named = {*mistakes(package, {path: f"{planted.format(**given)}\n"})}
        (found,) = named
        assert found.startswith(f"{package.folder}/{path}:")
        assert found.endswith(f"{room} imports {up}")


@pytest.mark.parametrize("title", PACKAGES)
def test_an_import_of_another_package_is_caught(title: str) -> None:
    package = table()[title]
    path = next(iter(package.sources()))
    others = [each for each in table().values() if each.title not in (*package.imports, title)]
    foreign = [each for each in others if each.title != "runtime"]
    assert foreign
    for other in foreign:
        if package.title == "runtime" and other.title == "client":
            continue
        (found,) = mistakes(package, {path: f"import {other.imported_as}.planted\n"})
        assert found.endswith(f"imports {other.title}")


def test_a_room_that_is_in_no_layer_is_named() -> None:
    package = table()["pipeline"]
    (found,) = mistakes(package, {"novel/parts.py": ""})
    assert found == "pipeline/novel/parts.py: novel is in no layer of tests/layers/table.toml"
