"""The Python of every page and of the demonstration, under two strict type checkers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from release.page import load_page

ROOT = Path(__file__).parents[2]
SOURCES = [ROOT / each for each in ("generated/client/src", "sandbox/src", "cli/src")]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / each / "README.md" for each in ("generated/client", "sandbox", "cli")),
]


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of the code: of each page a module in which it has the line numbers of the page.

    Blocks that are left out when a page is run are in it; files that it saves are beside it.
    """
    folder = tmp_path_factory.mktemp("code")
    for page in PAGES:
        name = re.sub(r"\W", "_", str(page.relative_to(ROOT).with_suffix("")))
        for file, text in _files(page, f"{name}.py"):
            target = folder / file if not (folder / file).exists() else folder / f"{name}_{file}"
            target.write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "demo", folder / "demo")
    return folder


def _files(page: Path, name: str) -> Iterator[tuple[str, str]]:
    lines: list[str] = []
    for block in load_page(page).blocks:
        if block.language != "python" or block.insert[0]:
            continue
        if block.save:
            yield block.save, block.code
            continue
        lines += [""] * (block.line - 1 - len(lines)) + block.code.splitlines()
    yield name, "\n".join(lines) + "\n"


def _checked(command: list[str], folder: Path) -> None:
    path = os.pathsep.join(map(str, SOURCES))
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env={**os.environ, "MYPYPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.nightly
def test_mypy(code: Path) -> None:
    """Check what pages say; `nox -s lint` checks the packages that they import, and the demo."""
    own = [f"{path.parent.name}.*" for each in SOURCES for path in each.glob("*/py.typed")]
    (code / "mypy.ini").write_text(
        "[mypy]\nstrict = true\nexclude = ^demo/\n"
        f"[mypy-{','.join(own)}]\nfollow_imports = silent\n"
    )
    _checked(["mypy", "--cache-dir", str(ROOT / ".mypy_cache/pages"), "."], code)


def test_pyright(code: Path) -> None:
    pytest.importorskip("pyright")
    settings = {
        "typeCheckingMode": "strict",
        "extraPaths": [str(each) for each in (*SOURCES, ROOT)],
    }
    (code / "pyrightconfig.json").write_text(json.dumps(settings))
    _checked(["pyright", "--project", ".", "--pythonpath", sys.executable], code)
