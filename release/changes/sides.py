"""A side of a comparison: the project as it is in a folder, with all that is compared of it."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from pipeline.openapi.problems import Finding, PipelineError
from release import git
from release.config import Release
from release.tree import check_generated


@dataclass(frozen=True)
class Package:
    """A package of a side."""

    name: str
    path: Path
    modules: tuple[str, ...]
    plugins: tuple[str, ...]
    data: Mapping[str, Any]

    @property
    def sources(self) -> Path:
        """Return the folder with its Python packages."""
        return self.path / "src"

    @cached_property
    def files(self) -> dict[str, bytes]:
        """Return the contents of all its files, by their paths below its folder."""
        from release.building import sources

        return {path.as_posix(): (self.path / path).read_bytes() for path in sources(self.path)}


@dataclass(frozen=True)
class Side:
    """One revision of the project."""

    name: str
    version: Version
    documents: Mapping[str, Any]
    packages: Mapping[str, Package]


def working_tree(release: Release) -> Side:
    """Return the project as it is in the working tree."""
    check_generated(release.pipeline, release.root)
    return _side(release, "The working tree", release.root)


def revision(release: Release, name: str, folder: Path) -> Side:
    """Return a revision of the project, exported into an empty folder."""
    git.export(release.root, name, folder)
    return _side(release, name, folder)


def output(name: str, root: Path, below: Path) -> Side:
    """Return what `generate` has written: the documents and the client, with its version.

    Args:
        below: the path of the output below the folder of the project.
    """
    documents = _documents(name, root, below)
    client = root / below / "client"
    if not (client / "pyproject.toml").is_file():
        reason = f"has no client in {below.as_posix()}: name an output of `generate`"
        raise PipelineError(Finding(f"{name} {reason}"))
    version = _version(name, client / "pyproject.toml")
    data = tomllib.loads((client / "pyproject.toml").read_text(encoding="utf-8"))
    return Side(name, version, documents, {"client": _package(data["project"]["name"], client)})


def _documents(name: str, root: Path, below: Path) -> dict[str, Any]:
    """Return the effective documents of an output."""
    folder = below / "openapi"
    files = sorted((root / folder).glob("*.json"))
    read = {file.stem: json.loads(file.read_bytes()) for file in files}
    documents = {name: each for name, each in read.items() if "openapi" in each}
    if not documents:
        reason = f"has no effective documents in {folder.as_posix()}: name a later revision"
        raise PipelineError(Finding(f"{name} {reason}"))
    return documents


def _side(release: Release, name: str, root: Path) -> Side:
    documents = _documents(name, root, _below(release, release.pipeline.output))
    packages = {}
    for package in release.packages:
        path = root / _below(release, package.path)
        if (path / "pyproject.toml").is_file():
            packages[package.name] = _package(package.name, path)
    return Side(name, _version(name, root / release.file.name), documents, packages)


def _below(release: Release, path: Path) -> Path:
    return Path(os.path.relpath(path.resolve(), release.root))


def _package(name: str, path: Path) -> Package:
    modules = sorted(each.parent.name for each in (path / "src").glob("*/__init__.py"))
    data = tomllib.loads((path / "pyproject.toml").read_text(encoding="utf-8"))
    plugins = data["project"].get("entry-points", {}).get("pytest11", {}).values()
    return Package(name, path, tuple(modules), tuple(plugins), data)


def _version(name: str, file: Path) -> Version:
    try:
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        return Version(project["version"])
    except (OSError, ValueError, KeyError, InvalidVersion):
        raise PipelineError(Finding(f"{name} has no version in {file.name}")) from None
