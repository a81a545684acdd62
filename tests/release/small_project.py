"""A small project that can be released: a document, its client, and two packages by hand."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pipeline.codegen.write import write
from pipeline.config import load_config
from pipeline.steps import folders, generate
from release.cli import main

DOCUMENT = """\
openapi: 3.1.0
info: {title: Small things, version: '1'}
paths:
  /things:
    get:
      operationId: listThings
      tags: [things]
      summary: List things.
      responses:
        '200':
          description: All of them.
          content: {application/json: {schema: {type: array, items: {type: string}}}}
"""
CONFIGURATION = """\
[project]
name = "small-workshop"
version = "0.1.0"

[tool.pipeline]
output = "generated"

[tool.pipeline.documents.main]
path = "spec/main.yaml"

[tool.pipeline.client]
distribution = "small-client"
package = "small_client"
class_name = "Small"
summary = "Client of small things."
license = "MIT"
environment = "SMALL"

[tool.release]
changelog = "CHANGELOG.md"

[tool.release.packages.small-core]
path = "core"

[tool.release.packages.small-tool]
path = "tool"
examples = ["README.md"]
beside = ["small-core"]
"""
PACKAGE = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "small-{name}"
version = "0.1.0"
description = "The {name} of small things."
readme = "README.md"
requires-python = ">=3.11"
license = "MIT"
classifiers = ["Programming Language :: Python :: 3.11"]

[tool.hatch.build.targets.wheel]
packages = ["src/small_{name}"]
"""
README = """\
# small-{name}

```python
from small_{name} import double

assert double(21) == 42
```
"""
MODULE = '''\
"""The {name} of small things."""


def double(number: int) -> int:
    """Twice a number."""
    return 2 * number


def say() -> None:
    """Say what this is."""
    print("small things")
'''


class Project:
    """A project in a folder of its own, with a repository of its own."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self._capsys = capsys
        self.errors = ""

    def run(self, *arguments: str) -> tuple[int, str]:
        """Run a command of `python -m release`; return its status and its output."""
        command, *rest = arguments
        self._capsys.readouterr()
        status = main([command, "--config", str(self.root / "pyproject.toml"), *rest])
        output = self._capsys.readouterr()
        assert status or not output.err
        self.errors = output.err
        return status, output.out + output.err

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace a text in a file, where it has to stand."""
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text
        (self.root / path).write_text(text.replace(old, new), encoding="utf-8")

    def commit(self) -> None:
        """Commit everything."""
        git(self.root, "add", "--all")
        git(self.root, "commit", "--quiet", "--allow-empty", "--message", "More")

    def version(self, version: str) -> None:
        """Raise the version of everything, build, and commit."""
        for path in ("pyproject.toml", "core/pyproject.toml", "tool/pyproject.toml"):
            self.edit(path, 'version = "0.1.0"', f'version = "{version}"')
        regenerate(self.root)
        self.commit()


def git(root: Path, *arguments: str) -> str:
    """Run git, also where nobody is set up as its user; return its output."""
    who = ["-c", "user.name=Tests", "-c", "user.email=tests@example.invalid"]
    command = ["git", "-C", str(root), *who, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def regenerate(root: Path) -> None:
    """Write what is generated."""
    config = load_config(root / "pyproject.toml")
    write(folders(config, generate(config)[0]))


def make(root: Path) -> None:
    """Write the project, generate, and commit."""
    license_file = Path(__file__).parents[2] / "LICENSE"
    files = {
        "pyproject.toml": CONFIGURATION,
        "spec/main.yaml": DOCUMENT,
        "CHANGELOG.md": "# Changelog\n\n## 0.1.0\n",
        ".gitignore": "dist/\n__pycache__/\n/.release/\n",
    }
    for name in ("core", "tool"):
        files |= {
            f"{name}/pyproject.toml": PACKAGE.format(name=name),
            f"{name}/README.md": README.format(name=name),
            f"{name}/LICENSE": license_file.read_text(encoding="utf-8"),
            f"{name}/src/small_{name}/__init__.py": MODULE.format(name=name),
            f"{name}/src/small_{name}/py.typed": "",
        }
    files["tool/pyproject.toml"] += '\n[project.scripts]\nsmall-tool = "small_tool:say"\n'
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    regenerate(root)
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Begin")
