"""What the tests of releases have in common."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from documentation import DOCS, sphinx
from filelock import FileLock
from small_project import Project, make

from release.changes import python


@pytest.fixture(scope="session", autouse=True)
def read_once() -> Iterator[None]:
    """Read a package once for its text: most tests compare the same one with another."""
    read, known = python.surface, {}

    def surface(package: str, folder: Path, plugins: Iterable[str] = ()) -> python.Surface:
        digest = hashlib.sha256()
        for path in sorted((folder / package).rglob("*.py")):
            text = path.read_bytes()
            digest.update(f"{path.relative_to(folder)} {len(text)} ".encode() + text)
        key = (package, tuple(plugins), digest.digest())
        if key not in known:
            known[key] = read(package, folder, plugins)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(python, "surface", surface)
        yield


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as it is committed; do not change it."""
    root = tmp_path_factory.mktemp("made") / "project"
    root.mkdir()
    make(root)
    return root


@pytest.fixture
def project(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Project:
    """A copy of the project, to do with as one likes."""
    root = tmp_path / "project"
    shutil.copytree(made, root)
    return Project(root, capsys)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as a site, built once for all workers."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "site"
    with FileLock(f"{folder}.lock"):
        if not (folder / "objects.inv").exists():  # which is written last
            done = sphinx(DOCS, folder, "html")
            assert (done.returncode, done.stderr) == (0, "")
    return folder
