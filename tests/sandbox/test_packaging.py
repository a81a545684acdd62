"""The sandbox as a package: what is built holds what it needs, and it imports what it declares."""

from __future__ import annotations

import ast
import re
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import EntryPoint, packages_distributions
from pathlib import Path

import hatchling.build
import pytest

ROOT = Path(__file__).parents[2]
SANDBOX = ROOT / "sandbox"
PACKAGE = SANDBOX / "src/social_publishing_sandbox"
PROJECT = tomllib.loads((SANDBOX / "pyproject.toml").read_text(encoding="utf-8"))["project"]


# What uvicorn, starlette and zoneinfo take where it is installed, without an import of ours.
TAKEN_BY_OTHERS = {"httptools", "python-multipart", "tzdata", "uvloop"}


def sources() -> set[str]:
    """The files of the package, below `src/`, without caches and the list of copied documents."""
    below = {path.relative_to(SANDBOX / "src") for path in PACKAGE.rglob("*") if path.is_file()}
    return {
        path.as_posix()
        for path in below
        if not any(part == "__pycache__" or part.startswith(".") for part in path.parts)
        and path.name != "MANIFEST.json"
    }


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def imported() -> Iterator[tuple[str, Path]]:
    """The top-level modules that the package imports from elsewhere, with the file that does."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            else:
                continue
            for name in names:
                top = name.partition(".")[0]
                if top not in sys.stdlib_module_names and top != PACKAGE.name:
                    yield top, path.relative_to(PACKAGE)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a wheel and a source distribution."""
    folder = tmp_path_factory.mktemp("built")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(SANDBOX)
        hatchling.build.build_wheel(str(folder))
        hatchling.build.build_sdist(str(folder))
    return folder


def test_the_wheel_holds_the_whole_package(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        assert names == sources()
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in wheel.namelist())
        for document in ("main.json", "media.json"):
            made = (ROOT / "generated/openapi" / document).read_bytes()
            assert wheel.read(f"{PACKAGE.name}/documents/{document}") == made
    assert f"{PACKAGE.name}/py.typed" in names


def test_the_source_distribution_can_be_built_from(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"src/{name}" for name in sources()} <= names
    assert {"LICENSE", "README.md", "pyproject.toml"} <= names


@pytest.mark.parametrize(
    ("group", "name", "value"),
    [
        *(("console_scripts", *item) for item in PROJECT["scripts"].items()),
        *(("pytest11", *item) for item in PROJECT["entry-points"]["pytest11"].items()),
    ],
)
def test_what_an_entry_point_names_is_there(group: str, name: str, value: str) -> None:
    found = EntryPoint(name, value, group).load()
    assert callable(found) or group == "pytest11"


def test_what_is_imported_is_declared_and_the_other_way_round() -> None:
    def names(requirements: list[str]) -> set[str]:
        return {normal(re.split(r"[^\w.-]", each, maxsplit=1)[0]) for each in requirements}

    always, extra = names(PROJECT["dependencies"]), names(PROJECT["optional-dependencies"]["mcp"])
    known = packages_distributions()
    used: set[str] = set()
    for module, file in imported():
        if module == "pytest":
            assert file == Path("pytest_plugin.py"), f"{file} imports pytest, which users may lack"
            continue
        if module == "pyodide":  # a browser's Python brings it along
            assert file == Path("loopback.py"), f"{file} imports pyodide"
            continue
        if module == "social_publishing":  # `test_layers.py` knows where
            continue
        declared = always | extra if file == Path("steering.py") else always
        distributions = {normal(name) for name in known.get(module, [])}
        assert distributions & declared, f"{file} imports {module}, which no dependency brings"
        used |= distributions
    assert declared - used <= TAKEN_BY_OTHERS


def test_every_dependency_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {normal(line.partition("==")[0]) for line in lines if not line.startswith("#")}
    missing = [
        each
        for each in PROJECT["dependencies"]
        if normal(re.split(r"[^\w.-]", each)[0]) not in pinned
    ]
    assert not missing
