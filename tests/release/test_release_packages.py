"""Each package declares what it imports, takes nothing astray, and is installed as pages say."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from release.config import load_release
from release.environments import pip_settings, settings_of_uv

ROOT = Path(__file__).parents[2]
PACKAGES = {"generated/client": "social_publishing", "cli": "social_publishing_cli"}
PACKAGES["sandbox"] = "social_publishing_sandbox"
OURS = {"social_publishing": "social-publishing"}
STRAY = (".env", "notes.txt", "id_rsa", "src/.env", ".git/config", "december.csv")


@pytest.mark.parametrize("folder", PACKAGES)
def test_what_a_package_imports_it_declares(folder: str) -> None:
    project = tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]
    declared = [
        *project["dependencies"],
        *(each for extra in project.get("optional-dependencies", {}).values() for each in extra),
    ]
    names = {canonicalize_name(Requirement(each).name) for each in declared}
    homes = packages_distributions()
    missing = set()
    for path in (ROOT / folder / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            modules = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                modules = [node.module or ""]
            for module in modules:
                top = module.partition(".")[0]
                known = {canonicalize_name(each) for each in homes.get(top, ())}
                if top not in sys.stdlib_module_names and known and not known & names:
                    missing.add(top)
    # The fixtures of pytest run where pytest is; the client is needed where a client is asked for;
    # type checkers bring typing_extensions along, and nothing else imports it.
    assert missing - {"pytest", "_pytest", "typing_extensions", *OURS, *PACKAGES.values()} == set()


def test_each_extra_that_is_held_to_a_line_is_there() -> None:
    packages = load_release(ROOT / "pyproject.toml").packages
    assert packages
    for package in packages:
        project = tomllib.loads((package.path / "pyproject.toml").read_text())["project"]
        assert package.extras and package.extras.keys() == project["optional-dependencies"].keys()


@pytest.mark.parametrize("folder", PACKAGES)
def test_archives_take_nothing_astray(folder: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / folder, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name in (*STRAY, f"src/{PACKAGES[folder]}/.env"):
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text("TOKEN=1")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path / "dist")],
        cwd=copy, check=True, capture_output=True,
    )  # fmt: skip
    (sdist,) = (tmp_path / "dist").glob("*.tar.gz")
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with tarfile.open(sdist) as packed, zipfile.ZipFile(wheel) as zipped:
        names = [each.partition("/")[2] for each in packed.getnames()] + zipped.namelist()
    assert not [each for each in names if each.endswith(STRAY)]
    assert any(each.endswith("py.typed") for each in names) and "pyproject.toml" in names


@pytest.mark.nightly
@pytest.mark.parametrize(
    "page", ["README.md", "docs/month-from-a-spreadsheet.md", "docs/agents.md"]
)
def test_each_line_that_installs_the_command_does(page: str, tmp_path: Path) -> None:
    """In a HOME of its own, with no Python but that which uv finds."""
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = re.findall(r"^(?:\$ )?((?:uv tool|pipx) install .+)$", text, re.M)
    assert lines
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    (bin_folder / "uv").symlink_to(Path(sys.executable).with_name("uv"))
    (bin_folder / "pipx").write_text('#!/bin/sh\nexec uv tool run pipx "$@"\n')
    (bin_folder / "pipx").chmod(0o755)
    for number, line in enumerate(lines):
        home = tmp_path / str(number)
        home.mkdir()
        environment = {
            **settings_of_uv(pip_settings()),
            **{name: value for name, value in os.environ.items() if name.startswith("PIP_")},
            "HOME": str(home),
            "PATH": f"{bin_folder}:{home}/.local/bin:/usr/bin:/bin",
        }
        check = "social-publishing --sandbox groups get 9032915132417572866 --jq .name"
        check += " && social-publishing-sandbox --version"  # the pages that follow use both
        done = subprocess.run(
            ["bash", "-ec", f"{line}\n{check}"], cwd=ROOT, env=environment,
            capture_output=True, text=True, timeout=600,
        )  # fmt: skip
        assert "Kornblume Bakery" in done.stdout, (line, done.stderr[-2000:])
        assert done.returncode == 0, (line, done.stderr[-2000:])
