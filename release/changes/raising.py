"""Raising the version: one line of the configuration, and all that is generated from it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final

from packaging.version import Version

from pipeline import steps
from pipeline.codegen import write as writing
from pipeline.openapi.problems import Finding, PipelineError, Position
from release.config import Release
from release.tree import place, restoring

# The version in the table `[project]`, up to the next table.
_VERSION: Final = re.compile(
    rb"""^([ \t]*\[\s*project\s*\].*\n(?:(?![ \t]*\[).*\n)*?[ \t]*version\s*=\s*)"""
    rb"""(?:"[^"]*"|'[^']*')""",
    re.MULTILINE,
)


def raised(file: Path, version: Version) -> bytes:
    """Return the configuration with another `[project].version`; every other byte stays."""
    made = _VERSION.sub(rb'\1"' + str(version).encode() + b'"', file.read_bytes(), 1)
    if tomllib.loads(made.decode()).get("project", {}).get("version") == str(version):
        return made
    text = "project.version: does not stand on a line of its own under [project]"
    raise PipelineError(Finding(text, Position(str(file), 1, 1)))


def repinned(data: bytes, names: Iterable[str], version: Version) -> bytes:
    """Return a configuration in which requirements `"name==…"` have this version."""
    # Upper case, and - _ . in a name, are spellings of one package.
    spellings = (re.sub("[-_.]+", "[-_.]+", name) for name in names)
    packages = "|".join(spellings).encode()
    pin = re.compile(
        rb"""((["'])(?:""" + packages + rb""")(?:\[[\w, .-]*\])? *== *)[\w.!+-]+(?= *(?:;|\2))""",
        re.IGNORECASE,
    )
    return pin.sub(rb"\g<1>" + str(version).encode(), data)


def sibling_pins(release: Release, version: Version) -> dict[Path, bytes]:
    """Return configurations of packages, where another package of the release has another version.

    Returns:
        The files, with what is to stand in them.
    """
    names = [package.name for package in release.packages]
    files = [package.path / "pyproject.toml" for package in release.packages]
    read = {file: file.read_bytes() for file in files if file.is_file()}
    made = {file: repinned(data, names, version) for file, data in read.items()}
    return {file: data for file, data in made.items() if data != read[file]}


def write(release: Release, version: Version, changelog: str) -> list[str]:
    """Write a changelog and, where the version is another, the configuration and what is generated.

    Everything is worked out before the first byte is written; where writing fails in the middle,
    configuration and changelog are what they were.

    Returns:
        A line for each file that is another one now.
    """
    texts = {release.changelog: changelog.encode(), **sibling_pins(release, version)}
    folders: Mapping[Path, Mapping[str, str]] = {}
    if version != release.version:
        texts[release.file] = raised(release.file, version)
        folders = _generated(release, version)
    texts = {file: data for file, data in texts.items() if file.read_bytes() != data}
    with restoring(texts):
        for file, data in texts.items():
            place(file, data)
        written = writing.write(folders)
    generated = chain.from_iterable(chain.from_iterable(written.values()))
    return [*(f"changed {file}" for file in texts), *generated]


def _generated(release: Release, version: Version) -> Mapping[Path, Mapping[str, str]]:
    config = release.pipeline
    if config.client.version == str(release.version):
        config = replace(config, client=replace(config.client, version=str(version)))
    return steps.folders(config, steps.generate(config)[0])
