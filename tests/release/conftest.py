"""What the tests of releases have in common."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from documentation import DOCS, sphinx
from filelock import FileLock
from small_project import Project, make


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
